"""A rule, and the file that it is written in (design section 2, "A rule file")."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from nomic_git.law import front_matter
from nomic_git.law.errors import Unreadable
from nomic_git.law.number import read_number
from nomic_git.law.provisions import ADOPTION_RELAXATION, ADOPTION_THRESHOLD, KEYS
from nomic_git.law.values import CONTROL, shown

if TYPE_CHECKING:
    from nomic_git.law.plain import Plain

_LONGEST_TITLE = 200


class Status(StrEnum):
    """Whether a rule can be amended and repealed as it stands, or must be transmuted first (102, 103)."""

    IMMUTABLE = "immutable"
    MUTABLE = "mutable"

    @property
    def other(self) -> Status:
        """The status that transmuting gives (103)."""
        return Status.MUTABLE if self is Status.IMMUTABLE else Status.IMMUTABLE


@dataclass(frozen=True, slots=True)
class Precedence:
    """What a rule says of itself about other rules (211): the rules that it stands over and defers to.

    Each is named by a number, by `mutable`, `immutable` or `all`, or by the key of a provision, which
    names every rule that provides it.
    """

    over: tuple[int | str, ...] = ()
    defers_to: tuple[int | str, ...] = ()


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule in force. `provisions` has read values by key; `source` is the file, every byte of it."""

    number: int
    status: Status
    title: str | None
    formerly: tuple[int, ...]
    provisions: Mapping[str, Any]
    precedence: Precedence
    source: bytes

    @property
    def path(self) -> str:
        """Where the rule's file stands in the game's tree."""
        return rule_path(self.number, self.status)

    @property
    def words(self) -> str:
        """The rule's words, in CommonMark, as they were written."""
        return front_matter.split(self.source).words.decode("utf-8")

    @property
    def numbers(self) -> tuple[int, ...]:
        """Every number the rule has had, oldest first, the present one last (108)."""
        return (*self.formerly, self.number)


def check_words(rule: Rule) -> None:
    """Raise Unreadable where a rule would say nothing to its players: such a file neither enacts nor amends.

    A rulebook may hold one from elsewhere; it is read all the same.
    """
    if not rule.words.strip():
        raise Unreadable("a rule has words, and there are none in it")


def rule_path(number: int, status: Status) -> str:
    """Return where in the game's tree the file of a rule stands."""
    return f"rules/{status}/{number}.md"


def read_rule_path(path: str) -> tuple[int, Status] | None:
    """Return the number and the status that a path gives a rule, or None where it is no rule's path."""
    parts = path.split("/")
    if len(parts) != 3 or parts[0] != "rules" or not parts[2].endswith(".md"):
        return None
    number = read_number(parts[2].removesuffix(".md"))
    if number is None or parts[1] not in {Status.IMMUTABLE, Status.MUTABLE}:
        return None
    return number, Status(parts[1])


def read_rule(number: int, status: Status, source: bytes) -> Rule:
    """Return the rule that a file's bytes are.

    Raises Unreadable, with the line where one can be named, when the bytes are no UTF-8, the front matter
    is no YAML, or a key or a value of it is not one of those that design sections 2 and 6 list.
    """
    matter = {key: entry.value for key, entry in front_matter.entries(front_matter.split(source)).items()}
    unknown = [key for key in matter if key not in {"title", "formerly", "provisions", "precedence"}]
    if unknown:
        raise Unreadable(
            f"the key {shown(unknown[0])} is not one that a rule has: title, formerly, provisions, precedence"
        )
    return Rule(
        number=number,
        status=status,
        title=_read_title(matter.get("title")),
        formerly=_read_formerly(matter.get("formerly", ())),
        provisions=_read_provisions(matter.get("provisions", {})),
        precedence=_read_precedence(matter["precedence"]) if "precedence" in matter else Precedence(),
        source=source,
    )


def _read_title(value: Plain | None) -> str | None:
    if value is None:
        return None
    if isinstance(value, int) and not isinstance(value, bool):
        value = str(value)
    if not isinstance(value, str) or not value.strip():
        raise Unreadable("title is to be one line of text")
    if CONTROL.search(value) or len(value) > _LONGEST_TITLE:
        raise Unreadable(f"title is to be one line of at most {_LONGEST_TITLE} characters")
    return value.strip()


def _read_formerly(value: Plain) -> tuple[int, ...]:
    if not isinstance(value, Sequence) or isinstance(value, str):
        raise Unreadable("formerly is to be a list of numbers, such as [203, 305]")
    # An old rule has hundreds of them; and true and false, which are ints in Python, are of another type.
    if not {*map(type, value)} <= {int}:
        raise Unreadable("formerly is to be a list of numbers, such as [203, 305]")
    return tuple(value)  # type: ignore[arg-type]


def _read_provisions(value: Plain) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise Unreadable("provisions is to be a list of lines `key: value`, indented by two spaces")
    read = {}
    for name, plain in value.items():
        key = KEYS.get(name)
        if key is None:
            raise Unreadable(f"{shown(name)} is no provision that a rule can make{_nearest(name)}")
        try:
            read[name] = key.read(plain)
        except Unreadable as error:
            raise Unreadable(f"{name}: {error}") from None
    return read


def _nearest(name: str) -> str:
    from difflib import get_close_matches

    close = get_close_matches(name, KEYS, n=1)
    return f"; did you mean {close[0]!r}?" if close else "; `nomic-git law` lists those there are"


def _read_precedence(value: Plain) -> Precedence:
    if not isinstance(value, Mapping) or not value or not value.keys() <= {"over", "defers-to"}:
        raise Unreadable("precedence is to have the lines `over: [...]` or `defers-to: [...]` and no other")
    return Precedence(
        over=_read_targets("over", value.get("over", ())),
        defers_to=_read_targets("defers-to", value.get("defers-to", ())),
    )


def _read_targets(claim: str, value: Plain) -> tuple[int | str, ...]:
    if not isinstance(value, Sequence) or isinstance(value, str):
        raise Unreadable(f"precedence, {claim}: {shown(value)} is no list; write [...] around it")
    read: list[int | str] = []
    for one in value:
        if isinstance(one, bool) or not (isinstance(one, int) or (isinstance(one, str) and _names_rules(one))):
            raise Unreadable(
                f"precedence, {claim}: {shown(one)} names no rules; write a number, mutable, immutable, all, "
                "or the key of a provision"
            )
        if one in read:
            raise Unreadable(f"precedence, {claim}: {shown(one)} stands there twice; write it once")
        read.append(one)
    return tuple(read)


def _names_rules(word: str) -> bool:
    return word in {"mutable", "immutable", "all"} or word in KEYS


def renumbered(rule: Rule, number: int, status: Status | None = None) -> Rule:
    """Return the rule under the number of the proposal that amended or transmuted it (108).

    `formerly` gains the number it had; the words stay byte for byte what they are. Raises Unreadable where the file
    cannot be rewritten.
    """
    document = front_matter.split(rule.source)
    source = front_matter.written(document, "formerly", rule.numbers, after=("title",)).source
    front_matter.split(source)  # It may have become too long a file.
    return replace(rule, number=number, status=status or rule.status, formerly=rule.numbers, source=source)


def providing(rule: Rule, provisions: Mapping[str, Any]) -> Rule:
    """Return the rule with these provisions (read values by key) in place of those it has."""
    plain = {name: KEYS[name].plain(value) for name, value in provisions.items()}
    document = front_matter.split(rule.source)
    source = front_matter.written(document, "provisions", plain or None, after=("formerly", "title")).source
    return read_rule(rule.number, rule.status, source)


def without(rule: Rule, key: str) -> Rule:
    """Return the rule without one of its provisions."""
    return providing(rule, _less(rule, key))


def _less(rule: Rule, key: str) -> dict[str, Any]:
    return {name: value for name, value in rule.provisions.items() if name != key}


def relaxed(rule: Rule) -> Rule:
    """Return the rule with its relaxation carried out: the new threshold, and no relaxation any more (203)."""
    threshold = rule.provisions[ADOPTION_RELAXATION.name].threshold
    return providing(rule, {**_less(rule, ADOPTION_RELAXATION.name), ADOPTION_THRESHOLD.name: threshold})


def check_rewritable(rule: Rule) -> None:
    """Raise Unreadable where the file cannot be rewritten as the referee may have to (108, 203).

    Those are its number, the relaxation that an amendment has spent, and the relaxation carried out.
    """
    numbered = renumbered(rule, rule.number)
    if rule.provisions.get(ADOPTION_RELAXATION.name) is not None:
        renumbered(without(rule, ADOPTION_RELAXATION.name), rule.number)
        relaxed(numbered)


def reworded(rule: Rule, words: bytes) -> bytes:
    """Return the bytes of the rule's file with other words below the same front matter."""
    document = front_matter.split(rule.source)
    return document.opening + document.matter + document.closing + words
