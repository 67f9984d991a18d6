"""What a proposal would change, read from the difference of two trees (103, 108, 109; design section 3).

One proposal is one rule-change, or one player's joining, leaving, going away, coming back or giving a surname.
Everything else is improper, and every kind of improper has its own reason.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from nomic_git.law import front_matter
from nomic_git.law.characters import are_seen
from nomic_git.law.errors import Unreadable
from nomic_git.law.kinds import ChangeKind
from nomic_git.law.player_file import AWAY, SURNAME, is_same_beside, says_away, says_surname
from nomic_git.law.reason import Reason
from nomic_git.law.rule import Status, check_rewritable, check_words, read_rule, read_rule_path

MOST_COMMITS = 50
"""Commits that a proposal's branch may have beyond the game branch."""

MOST_BYTES = 1024 * 1024
"""Bytes of new objects that a proposal's branch may bring."""

ROOM = 8 * 1024
"""Bytes that a proposed file leaves below its limits, for the numbers that the referee will write into it."""

_FILE = 0o100644
_EXECUTABLE = 0o100755
_SHOWN = 3
_BEGINNING = 64
_TOO_LONG = (
    f"there may be {front_matter.LARGEST_FILE - ROOM} bytes in the file, "
    f"{front_matter.LARGEST_MATTER - ROOM} of them front matter"
)


class Impropriety(StrEnum):
    """The ways in which a proposal is not one lawful rule-change; each is a key of the message catalogue."""

    TWO_RULES = "two-rules"
    BESIDE_THE_RULE = "beside-the-rule"
    IMMUTABLE_AMENDED = "immutable-amended"
    IMMUTABLE_REPEALED = "immutable-repealed"
    IMMUTABLE_ENACTED = "immutable-enacted"
    TRANSMUTED_WITH_CHANGES = "transmuted-with-changes"
    RENUMBERED_BY_HAND = "renumbered-by-hand"
    FORMERLY_BY_HAND = "formerly-by-hand"
    KIND_NOT_PROVIDED = "kind-not-provided"
    NOT_A_FILE = "not-a-file"
    EXECUTABLE = "executable"
    WRONG_PLACE = "wrong-place"
    SAME_NAME = "same-name"
    UNREADABLE = "unreadable"
    UNRELATED = "unrelated"
    SEVERAL_MERGE_BASES = "several-merge-bases"
    OFF_THE_GAME_BRANCH = "off-the-game-branch"
    MERGED_UNADOPTED = "merged-unadopted"
    ANOTHER_PROPOSAL_INSIDE = "another-proposal-inside"
    TOUCHES_WORKFLOWS = "touches-workflows"
    TOO_MANY_COMMITS = "too-many-commits"
    TOO_LARGE = "too-large"
    MESSAGE_ACTS = "message-acts"
    MESSAGE_ENCODING = "message-encoding"
    SEAT_OF_ANOTHER = "seat-of-another"
    SEAT_EDITED = "seat-edited"
    SEAT_UNREADABLE = "seat-unreadable"


_RESTS_ON = {
    Impropriety.TWO_RULES: "turns.points",
    Impropriety.BESIDE_THE_RULE: "changes.kinds",
    Impropriety.IMMUTABLE_AMENDED: "changes.kinds",
    Impropriety.IMMUTABLE_REPEALED: "changes.kinds",
    Impropriety.IMMUTABLE_ENACTED: "changes.kinds",
    Impropriety.TRANSMUTED_WITH_CHANGES: "adoption.transmutation",
    Impropriety.RENUMBERED_BY_HAND: "proposals.numbering",
    Impropriety.FORMERLY_BY_HAND: "proposals.numbering",
    Impropriety.KIND_NOT_PROVIDED: "changes.kinds",
    Impropriety.SEAT_OF_ANOTHER: "players.joining",
    Impropriety.SEAT_EDITED: "players.leave",
    Impropriety.SEAT_UNREADABLE: "players.joining",
}


def improper(what: Impropriety, **facts: str | int) -> Reason:
    """Return the reason for one impropriety, resting on the provision that asks for what is missing."""
    return Reason(what, facts, _RESTS_ON.get(what))


@dataclass(frozen=True, slots=True)
class Blob:
    """One side of a changed path: Git's mode and object id, and the bytes of a plain file.

    `data` is None for what is no plain file, and for a file too long to be one of the game's.
    """

    mode: int
    id: str
    data: bytes | None


@dataclass(frozen=True, slots=True)
class FileChange:
    """One path at which two trees differ; `before` is None where it is new, `after` where it is gone."""

    path: str
    before: Blob | None
    after: Blob | None


@dataclass(frozen=True, slots=True)
class Branch:
    """A proposal's branch as Git has it, compared with the game branch.

    `changes` is the difference between the merge base and the head, `paths` the game's paths at the merge
    base. `contains` is the numbers of other open proposals whose heads the branch contains, `message` the
    words of a commit message that a forge would act on, `encoding` one of a message that cannot be read.
    `commits` and `size` (bytes of new objects) count what is new against the game branch. `merge_bases` counts
    them; none means an unrelated history. `cut` is whether it was too large to be read to its end, `hidden`
    whether that leaves open what it changes of the game.
    """

    changes: Sequence[FileChange]
    paths: Collection[str] = ()
    merge_bases: int = 1
    on_game_branch: bool = True
    commits: int = 1
    size: int = 0
    contains: Sequence[int] = ()
    workflows: bool = False
    message: str | None = None
    encoding: str | None = None
    cut: bool = False
    hidden: bool = False

    @property
    def is_merged(self) -> bool:
        """Whether the game branch contains the whole branch, and not as commits of its own: somebody merged it."""
        return self.commits == 0 and self.merge_bases == 1 and not self.on_game_branch


@dataclass(frozen=True, slots=True)
class RuleChange:
    """One lawful rule-change.

    `rule` is the number of the rule that is amended, repealed or transmuted, `status` its status before;
    an enactment has None and mutable. `before` and `after` are the rule's file, None where there is none: the
    proposal is stale when the game branch has another than `before`. `new_id` is Git's id of the file after.
    """

    kind: ChangeKind
    rule: int | None
    status: Status
    before: bytes | None
    after: bytes | None
    new_id: str | None
    new_path: str | None = None

    @property
    def text(self) -> str:
        """What a vote for belongs to (106): the kind of change, the rule, and the resulting file."""
        rule = "-" if self.rule is None else str(self.rule)
        return f"{self.kind} {rule} {self.new_id if self.kind is not ChangeKind.REPEAL else '-'}"


@dataclass(frozen=True, slots=True)
class JoinRequest:
    """A request to join: the login that the new file names, and the file's bytes."""

    login: str
    source: bytes
    new_id: str

    @property
    def text(self) -> str:
        """What a vote for belongs to: the login and the file."""
        return f"join {self.login.casefold()} {self.new_id}"


@dataclass(frozen=True, slots=True)
class Forfeit:
    """A player's forfeit (113)."""

    login: str

    @property
    def text(self) -> str:
        """What it says; nobody votes on it."""
        return f"forfeit {self.login.casefold()}"


@dataclass(frozen=True, slots=True)
class Absence:
    """A player who goes away, or comes back: `away` says which, `source` is the player's file from then on."""

    login: str
    source: bytes
    away: bool

    @property
    def text(self) -> str:
        """What it says; nobody votes on it."""
        return f"{'away' if self.away else 'back'} {self.login.casefold()}"


@dataclass(frozen=True, slots=True)
class NewSurname:
    """A player who writes a surname into their file: `source` is that file from then on."""

    login: str
    source: bytes

    @property
    def text(self) -> str:
        """What it says; nobody votes on it."""
        return f"surname {self.login.casefold()}"


@dataclass(frozen=True, slots=True)
class Improper:
    """Not one lawful rule-change, with every reason found."""

    reasons: tuple[Reason, ...]


@dataclass(frozen=True, slots=True)
class NoProposal:
    """A branch that touches neither rules nor players: no business of the game's."""


Change: TypeAlias = RuleChange | JoinRequest | Forfeit | Absence | NewSurname
Reading: TypeAlias = RuleChange | JoinRequest | Forfeit | Absence | NewSurname | Improper | NoProposal


def read_change(branch: Branch, author: str, kinds: Collection[ChangeKind] = tuple(ChangeKind)) -> Reading:
    """Return what a proposal's branch would change, or the reasons why it is improper.

    `author` is the login of the proposal's author; `kinds` the kinds of rule-change that the law provides
    (103). A branch that touches nothing of the game is NoProposal, whatever else is odd about it; what one that
    the game branch contains would have changed, nobody can say any more.
    """
    if branch.is_merged:
        return Improper((improper(Impropriety.MERGED_UNADOPTED),))
    touched = [change for change in branch.changes if is_the_games(change.path)]
    if not touched and not branch.hidden:
        return NoProposal()
    history = tuple(_history(branch))
    if branch.hidden:
        return Improper(history)
    if all(_is_under("players", change.path) for change in touched):
        reading: Reading = _seat(branch, touched, author)
    else:
        reading = _rule_change(branch, kinds)
    if isinstance(reading, Improper):
        return Improper((*reading.reasons, *history))
    return Improper(history) if history else reading


def voted_text(branch: Branch, author: str) -> str | None:
    """Return what a vote for a branch belongs to (106), None where it is no lawful change.

    What was voted on is the change alone, whatever is odd about the history behind it.
    """
    reading = read_change(Branch(branch.changes, branch.paths, hidden=branch.hidden), author)
    return None if isinstance(reading, Improper | NoProposal) else reading.text


def fold(path: str) -> str:
    """Return what two paths have in common when a file system could take one for the other."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", path).casefold())


def is_the_games(path: str) -> bool:
    """Return whether a path is of the rules or the players, or in the way of them."""
    return _is_under("rules", path) or _is_under("players", path)


def _is_under(folder: str, path: str) -> bool:
    """Return whether a path is in a folder, or in the way of it: a file or a link of the same name."""
    # To fold a long path can cost its square, and no more than its beginning can name a folder of the game's.
    return f"{fold(path[:_BEGINNING])}/".startswith(f"{folder}/")


def _history(branch: Branch) -> Iterable[Reason]:
    if branch.merge_bases == 0:
        yield improper(Impropriety.UNRELATED)
    if branch.merge_bases > 1:
        yield improper(Impropriety.SEVERAL_MERGE_BASES)
    if branch.merge_bases == 1 and not branch.on_game_branch:
        yield improper(Impropriety.OFF_THE_GAME_BRANCH)
    for number in branch.contains:
        yield improper(Impropriety.ANOTHER_PROPOSAL_INSIDE, other=number)
    if branch.workflows:
        yield improper(Impropriety.TOUCHES_WORKFLOWS)
    if branch.commits > MOST_COMMITS:
        yield improper(Impropriety.TOO_MANY_COMMITS, most=MOST_COMMITS)
    if branch.size > MOST_BYTES or branch.cut or branch.hidden:
        yield improper(Impropriety.TOO_LARGE, size=branch.size, most=MOST_BYTES)
    if branch.message is not None:
        yield improper(Impropriety.MESSAGE_ACTS, words=branch.message)
    if branch.encoding is not None:
        yield improper(Impropriety.MESSAGE_ENCODING, encoding=branch.encoding)


def _rule_change(branch: Branch, kinds: Collection[ChangeKind]) -> Reading:
    rules = [one for one in branch.changes if _is_under("rules", one.path)]
    beside = [one for one in branch.changes if not _is_under("rules", one.path)]
    reasons = [improper(Impropriety.BESIDE_THE_RULE, path=one.path) for one in beside[:_SHOWN]]
    # More than two rules are improper whatever they are, so the first few stand for all.
    odd = [reason for one in rules[:_SHOWN] for reason in _odd(one, branch.paths)]
    if odd:
        return Improper((*odd, *reasons))
    reading = _one_change(rules)
    if isinstance(reading, RuleChange) and reading.kind not in kinds:
        reading = Improper((improper(Impropriety.KIND_NOT_PROVIDED, kind=reading.kind),))
    if isinstance(reading, Improper):
        return Improper((*reading.reasons, *reasons))
    return Improper(tuple(reasons)) if reasons else reading


def _odd(change: FileChange, paths: Collection[str]) -> Iterable[Reason]:
    path = change.path
    after = change.after
    if after is None:
        if read_rule_path(path) is None:
            yield improper(Impropriety.WRONG_PLACE, path=path)
        return
    yield from _odd_file(change, paths)
    if not _stands_in_a_folder(path) or (change.before is not None and read_rule_path(path) is None):
        yield improper(Impropriety.WRONG_PLACE, path=path)


def _odd_file(change: FileChange, paths: Collection[str]) -> Iterable[Reason]:
    path, after = change.path, change.after
    if after is not None and after.mode == _EXECUTABLE:
        yield improper(Impropriety.EXECUTABLE, path=path)
    elif after is not None and after.mode != _FILE:
        yield improper(Impropriety.NOT_A_FILE, path=path)
    if change.before is None:
        folded = fold(path)
        twin = next((one for one in paths if one != path and fold(one) == folded), None)
        if twin is not None:
            yield improper(Impropriety.SAME_NAME, path=path, other=twin)


def _stands_in_a_folder(path: str) -> bool:
    parts = path.split("/")
    plain = len(parts) == 3 and parts[0] == "rules" and parts[1] in {Status.IMMUTABLE, Status.MUTABLE}
    name = parts[-1]
    return plain and name.endswith(".md") and len(name) > 3 and are_seen(name)


def _one_change(rules: Sequence[FileChange]) -> RuleChange | Improper:
    match list(rules):
        case [FileChange(before=None) as added]:
            return _enacted(added)
        case [FileChange(after=None) as deleted]:
            return _repealed(deleted)
        case [changed]:
            return _amended(changed)
        case [FileChange(after=None) as gone, FileChange(before=None) as new]:
            return _moved(gone, new)
        case [FileChange(before=None) as new, FileChange(after=None) as gone]:
            return _moved(gone, new)
    return Improper((improper(Impropriety.TWO_RULES, count=len(rules)),))


def _enacted(added: FileChange) -> RuleChange | Improper:
    assert added.after is not None, "an added file has an after"
    if added.path.startswith("rules/immutable/"):
        return Improper((improper(Impropriety.IMMUTABLE_ENACTED, path=added.path),))
    reasons = _file_reasons(added.path, added.after, formerly=())
    if reasons:
        return Improper(reasons)
    return RuleChange(
        kind=ChangeKind.ENACT,
        rule=None,
        status=Status.MUTABLE,
        before=None,
        after=added.after.data,
        new_id=added.after.id,
        new_path=added.path,
    )


def _repealed(deleted: FileChange) -> RuleChange | Improper:
    number, status = _place(deleted.path)
    if status is Status.IMMUTABLE:
        return Improper((improper(Impropriety.IMMUTABLE_REPEALED, rule=number),))
    assert deleted.before is not None, "a deleted file has a before"
    return RuleChange(
        kind=ChangeKind.REPEAL,
        rule=number,
        status=status,
        before=deleted.before.data,
        after=None,
        new_id=None,
    )


def _amended(changed: FileChange) -> RuleChange | Improper:
    number, status = _place(changed.path)
    before, after = changed.before, changed.after
    assert before is not None, "a changed file has a before"
    assert after is not None, "a changed file has an after"
    if status is Status.IMMUTABLE:
        return Improper((improper(Impropriety.IMMUTABLE_AMENDED, rule=number),))
    try:
        formerly = read_rule(number, status, before.data or b"").formerly
    except Unreadable:
        formerly = ()
    reasons = _file_reasons(changed.path, after, formerly=formerly)
    if reasons:
        return Improper(reasons)
    return RuleChange(
        kind=ChangeKind.AMEND,
        rule=number,
        status=status,
        before=before.data,
        after=after.data,
        new_id=after.id,
        new_path=changed.path,
    )


def _moved(gone: FileChange, new: FileChange) -> RuleChange | Improper:
    before, after = gone.before, new.after
    assert before is not None, "a deleted file has a before"
    assert after is not None, "an added file has an after"
    number, status = _place(gone.path)
    if new.path.startswith(f"rules/{status}/"):
        if before.id == after.id:
            return Improper((improper(Impropriety.RENUMBERED_BY_HAND, rule=number, path=new.path),))
        return Improper((improper(Impropriety.TWO_RULES, count=2),))
    if before.id != after.id:
        return Improper((improper(Impropriety.TRANSMUTED_WITH_CHANGES, rule=number),))
    problem = _cannot_be_rewritten(number, status, before)
    if problem is not None:
        return Improper((improper(Impropriety.UNREADABLE, path=new.path, problem=problem),))
    return RuleChange(
        kind=ChangeKind.TRANSMUTE,
        rule=number,
        status=status,
        before=before.data,
        after=after.data,
        new_id=after.id,
        new_path=new.path,
    )


def _place(path: str) -> tuple[int, Status]:
    place = read_rule_path(path)
    assert place is not None, "what is at no rule's path was found odd before"
    return place


def _file_reasons(path: str, after: Blob, formerly: tuple[int, ...]) -> tuple[Reason, ...]:
    if after.data is None or _is_too_long(after.data):
        return (improper(Impropriety.UNREADABLE, path=path, problem=_TOO_LONG),)
    try:
        rule = read_rule(0, Status.MUTABLE, after.data)
        check_rewritable(rule)
        check_words(rule)
    except Unreadable as error:
        return (improper(Impropriety.UNREADABLE, path=path, problem=str(error)),)
    if rule.formerly != formerly:
        return (improper(Impropriety.FORMERLY_BY_HAND, path=path),)
    return ()


def _is_too_long(data: bytes) -> bool:
    try:
        matter = front_matter.split(data).matter
    except Unreadable:
        return False  # that it cannot be read is said where it is read
    return len(data) > front_matter.LARGEST_FILE - ROOM or len(matter) > front_matter.LARGEST_MATTER - ROOM


def _cannot_be_rewritten(number: int, status: Status, blob: Blob) -> str | None:
    if blob.data is None:
        return _TOO_LONG
    try:
        check_rewritable(read_rule(number, status, blob.data))
    except Unreadable as error:
        return str(error)
    return None


def _seat(branch: Branch, touched: Sequence[FileChange], author: str) -> Reading:
    if len(touched) > 1 or len(branch.changes) > 1:
        beside = next((one for one in branch.changes if one is not touched[0]), touched[0])
        return Improper((improper(Impropriety.BESIDE_THE_RULE, path=beside.path),))
    change = touched[0]
    login = change.path.removeprefix("players/").removesuffix(".md")
    # Outside ASCII there are letters that case folding makes one of a login's, such as the Kelvin sign.
    is_authors = login.isascii() and login.casefold() == author.casefold()
    if change.path != f"players/{login}.md" or not is_authors:
        return Improper((improper(Impropriety.SEAT_OF_ANOTHER, path=change.path, author=author),))
    if change.after is None:
        return Forfeit(login)
    odd = tuple(_odd_file(change, branch.paths))
    if odd:
        return Improper(odd)
    if change.after.data is None or _is_too_long(change.after.data):
        return Improper((improper(Impropriety.SEAT_UNREADABLE, path=change.path, problem=_TOO_LONG),))
    if change.before is not None:
        return _edited(login, change.path, change.before.data or b"", change.after.data)
    return JoinRequest(login, change.after.data, change.after.id)


def _edited(login: str, path: str, before: bytes, after: bytes) -> Absence | NewSurname | Improper:
    """Return what an edit of a player's own file says of `away` or `surname`; nothing else in it may be edited."""
    try:
        if says_away(before) is not says_away(after) and is_same_beside(AWAY, before, after):
            return Absence(login, after, bool(says_away(after)))
        if says_surname(before) != says_surname(after) and is_same_beside(SURNAME, before, after):
            return NewSurname(login, after)
    except Unreadable as error:
        return Improper((improper(Impropriety.SEAT_UNREADABLE, path=path, problem=str(error)),))
    return Improper((improper(Impropriety.SEAT_EDITED, path=path),))
