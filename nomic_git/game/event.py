"""Events: what happened in a game, one commit each, and the trailers that record them (design section 5)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from nomic_git.game.instant import read_instant, write_instant
from nomic_git.game.player import is_login
from nomic_git.law.errors import Unreadable
from nomic_git.law.kinds import ChangeKind
from nomic_git.law.number import read_number

_TRAILER = re.compile(r"(Nomic-[A-Za-z]+): (.*)")
_POINTS = re.compile(r"([A-Za-z0-9_-]+) ([+-](?:0|[1-9][0-9]{0,17}))", re.ASCII)
_HEAD = re.compile(r"[0-9a-f]{40}")


class EventKind(StrEnum):
    """The events that there are."""

    FOUNDED = "founded"
    PROPOSED = "proposed"
    ADOPTED = "adopted"
    DEFEATED = "defeated"
    WITHDRAWN = "withdrawn"
    JOINED = "joined"
    FORFEITED = "forfeited"
    RELAXED = "relaxed"
    PASSED = "passed"
    JUDGED = "judged"
    OVERRULED = "overruled"
    VOIDED = "voided"
    WON = "won"


_KINDS = frozenset(EventKind)
_CHANGES = frozenset(ChangeKind)


@dataclass(frozen=True, slots=True)
class ChangeRecord:
    """A rule-change as the record has it: its kind, the rule's number before, the number it has now.

    An enacted rule had none before; a repealed one, and one in a defeated proposal, gets none.
    """

    kind: ChangeKind
    rule: int | None
    becomes: int | None = None


@dataclass(frozen=True, slots=True)
class Event:
    """One event. `time` and `opened` are instants in seconds since the epoch, `points` are by login.

    `proposal` is the forge's number, `number` the rulebook's. `player` is the one whose event it is: the
    proposer, whoever joined, forfeited or won. `failed` are the keys of the provisions whose expressions
    gave nothing for this proposal (design section 6).
    """

    kind: EventKind
    time: int
    proposal: int | None = None
    number: int | None = None
    player: str | None = None
    change: ChangeRecord | None = None
    rule: int | None = None
    head: str | None = None
    opened: int | None = None
    supporters: tuple[str, ...] = ()
    opponents: tuple[str, ...] = ()
    points: tuple[tuple[str, int], ...] = ()
    failed: tuple[str, ...] = ()


def write_trailers(event: Event) -> tuple[tuple[str, str], ...]:
    """Return the trailers of an event's commit, key and value, in their order."""
    pairs: list[tuple[str, str | None]] = [
        ("Nomic-Event", event.kind),
        ("Nomic-Proposal", _text(event.proposal)),
        ("Nomic-Number", _text(event.number) if event.number != _usual_number(event) else None),
        ("Nomic-Player", event.player),
        ("Nomic-Change", _change(event.change)),
        ("Nomic-Rule", _text(event.rule)),
        ("Nomic-Head", event.head),
        ("Nomic-Opened", None if event.opened is None else write_instant(event.opened)),
        ("Nomic-For", ", ".join(event.supporters) or None),
        ("Nomic-Against", ", ".join(event.opponents) or None),
        ("Nomic-Points", ", ".join(f"{login} {points:+d}" for login, points in event.points) or None),
        ("Nomic-Failed", ", ".join(event.failed) or None),
    ]
    return tuple((key, value) for key, value in pairs if value is not None)


def _usual_number(event: Event) -> int | None:
    """Return the number that an event's proposal has unless the trailers say another."""
    numbered = event.kind is EventKind.PROPOSED or event.change is not None
    return event.proposal if numbered else None


def _text(number: int | None) -> str | None:
    return None if number is None else str(number)


def _change(change: ChangeRecord | None) -> str | None:
    if change is None:
        return None
    return " ".join(str(part) for part in (change.kind, change.rule, change.becomes) if part is not None)


def find_trailers(message: str) -> Mapping[str, str] | None:
    """Return the `Nomic-` trailers in the last paragraph of a commit's message, None where there are none.

    Raises Unreadable where a key is repeated.
    """
    if "Nomic-" not in message:
        return None
    found: dict[str, str] = {}
    for line in message.rstrip("\n").rpartition("\n\n")[2].split("\n"):
        trailer = _TRAILER.fullmatch(line)
        if trailer is None:
            continue
        if trailer.group(1) in found:
            raise Unreadable(f"the trailer {trailer.group(1)} is repeated")
        found[trailer.group(1)] = trailer.group(2)
    return found if "Nomic-Event" in found else None


def read_event(trailers: Mapping[str, str], time: int) -> Event:
    """Return the event that a commit's trailers record. Raises Unreadable where they record none."""
    kind = trailers.get("Nomic-Event", "")
    if kind not in _KINDS:
        raise Unreadable(f"Nomic-Event: {kind!r} is no event")
    proposal, change = _number(trailers, "Nomic-Proposal"), read_change(trailers.get("Nomic-Change"))
    numbered = kind == EventKind.PROPOSED or change is not None
    return Event(
        kind=EventKind(kind),
        time=time,
        proposal=proposal,
        number=_number(trailers, "Nomic-Number", proposal if numbered else None),
        player=_login(trailers, "Nomic-Player"),
        change=change,
        rule=_number(trailers, "Nomic-Rule"),
        head=_head(trailers.get("Nomic-Head")),
        opened=read_instant(trailers["Nomic-Opened"]) if "Nomic-Opened" in trailers else None,
        supporters=_logins(trailers.get("Nomic-For")),
        opponents=_logins(trailers.get("Nomic-Against")),
        points=_read_points(trailers.get("Nomic-Points")),
        failed=tuple(trailers["Nomic-Failed"].split(", ")) if "Nomic-Failed" in trailers else (),
    )


def _number(trailers: Mapping[str, str], key: str, otherwise: int | None = None) -> int | None:
    if key not in trailers:
        return otherwise
    number = read_number(trailers[key])
    if number is None:
        raise Unreadable(f"{key}: {trailers[key]!r} is no number")
    return number


def _login(trailers: Mapping[str, str], key: str) -> str | None:
    login = trailers.get(key)
    if login is not None and not is_login(login):
        raise Unreadable(f"{key}: {login!r} is no login")
    return login


def _logins(text: str | None) -> tuple[str, ...]:
    logins = tuple(text.split(", ")) if text else ()
    if not all(is_login(login) for login in logins):
        raise Unreadable(f"{text!r} is no list of logins")
    return logins


def _head(text: str | None) -> str | None:
    if text is not None and not _HEAD.fullmatch(text):
        raise Unreadable(f"Nomic-Head: {text!r} is no commit's id")
    return text


def read_change(text: str | None) -> ChangeRecord | None:
    """Return the rule-change that the trailer `Nomic-Change` records. Raises Unreadable where it records none."""
    if text is None:
        return None
    kind, *rest = text.split(" ")
    numbers = [read_number(one) for one in rest]
    if kind not in _CHANGES or None in numbers:
        raise Unreadable(f"Nomic-Change: {text!r} is no rule-change")
    if kind == ChangeKind.ENACT:
        numbers.insert(0, None)
    if len(numbers) not in {1, 2}:
        raise Unreadable(f"Nomic-Change: {text!r} names no rule, or too many")
    return ChangeRecord(ChangeKind(kind), *numbers)


def _read_points(text: str | None) -> tuple[tuple[str, int], ...]:
    if text is None:
        return ()
    found: list[tuple[str, int]] = []
    for one in text.split(", "):
        match = _POINTS.fullmatch(one)
        if match is None:
            raise Unreadable(f"Nomic-Points: {one!r} is not a login and its points, such as alice +16")
        found.append((match.group(1), int(match.group(2))))
    return tuple(found)


def total(points: Sequence[tuple[str, int]]) -> tuple[tuple[str, int], ...]:
    """Return points with those of one login added up, in the order in which the logins come first."""
    added: dict[str, int] = {}
    for login, more in points:
        added[login] = added.get(login, 0) + more
    return tuple((login, sum_) for login, sum_ in added.items() if sum_ != 0)
