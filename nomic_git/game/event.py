"""Events: what happened in a game, one commit each, and the trailers that record them (design section 5)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from nomic_git.game.change_record import ChangeRecord, read_change, write_change
from nomic_git.game.instant import LATEST, read_instant, write_instant
from nomic_git.game.judgment import Ruling, on_record
from nomic_git.game.player import is_login
from nomic_git.game.trailers import EventKind as EventKind
from nomic_git.game.trailers import find_trailers as find_trailers
from nomic_git.law.errors import Unreadable
from nomic_git.law.kinds import ChangeKind
from nomic_git.law.number import read_number
from nomic_git.law.provisions import KEYS

_POINTS = re.compile(r"([A-Za-z0-9_-]+) ([+-](?:0|[1-9][0-9]{0,17}))", re.ASCII)
_HEAD = re.compile(r"[0-9a-f]{40}")
_ID = re.compile(r"[A-Za-z0-9]{1,64}", re.ASCII)


OF_JUDGMENT = frozenset({EventKind.INVOKED, EventKind.ASKED, EventKind.JUDGED, EventKind.OVERRULED, EventKind.SETTLED})
"""The events that are the steps of a judgment (212)."""

_WHEN_ADOPTED = {ChangeKind.ENACT: 1, ChangeKind.AMEND: 2, ChangeKind.REPEAL: 1, ChangeKind.TRANSMUTE: 2}


_OF_A_VOTE = "For Against Failed"
_OF_A_TURN = f"Number Points Absent Readable Die Votes {_OF_A_VOTE}"
_TRAILERS = {
    EventKind.FOUNDED: ("", "Round Left"),
    EventKind.PROPOSED: ("Proposal Player", "Number"),
    EventKind.ADOPTED: ("Proposal Player Change Head Opened", _OF_A_TURN),
    EventKind.DEFEATED: ("Proposal Player Head Opened", f"Change {_OF_A_TURN}"),
    EventKind.WITHDRAWN: ("Proposal Player Head", "Number Opened"),
    EventKind.JOINED: ("Proposal Player Head", f"Account Opened Absent {_OF_A_VOTE}"),
    EventKind.FORFEITED: ("Proposal Player Head", ""),
    EventKind.RELAXED: ("Rule", ""),
    EventKind.PASSED: ("Player", "Rule"),
    EventKind.INVOKED: ("Proposal Player Mover", "Judge Words Text Rule Said"),
    EventKind.ASKED: ("Proposal Player Judge", "Rule Said"),
    EventKind.JUDGED: ("Proposal Player Verdict", "Words Cites Text Rule Said"),
    EventKind.OVERRULED: ("Proposal Player For", "Judge Rule Said"),
    EventKind.SETTLED: ("Proposal", "Player Verdict For Text Rule Said"),
    EventKind.VOIDED: ("Proposal Player", "Number Change Points Rule"),
    EventKind.AWAY: ("Proposal Player Head", "Rule"),
    EventKind.BACK: ("Proposal Player Head", "Rule"),
    EventKind.SURNAMED: ("Proposal Player Head", "Rule"),
    EventKind.WON: ("Player", "Rule"),
}
"""The trailers that an event of each kind has, and those that it may have beside `Nomic-Event`."""

_KNOWN = frozenset(f"Nomic-{key}" for parts in _TRAILERS.values() for part in parts for key in part.split())


@dataclass(frozen=True, slots=True)
class Event:
    """One event. `time` and `opened` are instants in seconds since the epoch, `points` are by login.

    `proposal` is the forge's number, `number` the rulebook's. `player` is the one whose event it is: the
    proposer, whoever joined, forfeited or won; `account` is the id at the forge of whoever joined, None where
    the forge has none. `failed` are the keys of the provisions whose expressions
    gave nothing for this proposal (design section 6).

    `absent` are those whose votes a deadline had counted as the law says, and `readable` is since when the proposal
    could be read, where the law asks how long that was (111). `die` is what was thrown, from the ids of the counted
    votes, `ballots` (202). Of a judgment, `judge` is who is to judge now, `ruling` what was decided, `words` the
    question or the reasons as the record has them, `cites` the rules that the reasons name, `text` the words of an open
    proposal that are asked about, or were found illegal; `mover` is whose turn it is about (212). `said` is the
    instant at which the last word that led to it was said, where that came to light later and the event is dated so.

    Of a founding, `round` is the round that it begins, None for the first; all that the forge has given numbers up to
    `left` belongs to the rounds before.
    """

    kind: EventKind
    time: int
    proposal: int | None = None
    number: int | None = None
    player: str | None = None
    account: int | None = None
    change: ChangeRecord | None = None
    rule: int | None = None
    head: str | None = None
    opened: int | None = None
    supporters: tuple[str, ...] = ()
    opponents: tuple[str, ...] = ()
    points: tuple[tuple[str, int], ...] = ()
    failed: tuple[str, ...] = ()
    absent: tuple[str, ...] = ()
    readable: int | None = None
    die: int | None = None
    ballots: tuple[str, ...] = ()
    judge: str | None = None
    ruling: Ruling | None = None
    words: str | None = None
    cites: tuple[int, ...] = ()
    text: str | None = None
    mover: str | None = None
    said: int | None = None
    round: int | None = None
    left: int | None = None


def ends_turn(event: Event) -> bool:
    """Return whether an event ends a turn, or founds the game: from its commit the next turn's die is thrown (202)."""
    resolves = event.kind in {EventKind.ADOPTED, EventKind.DEFEATED} and event.change is not None
    return resolves or event.kind in {EventKind.FOUNDED, EventKind.PASSED}


def write_trailers(event: Event) -> tuple[tuple[str, str], ...]:
    """Return the trailers of an event's commit, key and value, in their order."""
    pairs: list[tuple[str, str | None]] = [
        ("Nomic-Event", event.kind),
        ("Nomic-Round", _text(event.round)),
        ("Nomic-Left", _text(event.left)),
        ("Nomic-Proposal", _text(event.proposal)),
        ("Nomic-Number", _text(event.number) if event.number != _usual_number(event) else None),
        ("Nomic-Player", event.player),
        ("Nomic-Account", _text(event.account)),
        ("Nomic-Change", None if event.change is None else write_change(event.change)),
        ("Nomic-Rule", _text(event.rule)),
        ("Nomic-Head", event.head),
        ("Nomic-Text", event.text),
        ("Nomic-Mover", event.mover),
        ("Nomic-Readable", _instant(event.readable)),
        ("Nomic-Opened", _instant(event.opened)),
        ("Nomic-Said", _instant(event.said)),
        ("Nomic-Judge", event.judge),
        ("Nomic-Verdict", event.ruling),
        ("Nomic-Words", event.words),
        ("Nomic-Cites", ", ".join(str(number) for number in event.cites) or None),
        ("Nomic-For", ", ".join(event.supporters) or None),
        ("Nomic-Against", ", ".join(event.opponents) or None),
        ("Nomic-Absent", ", ".join(event.absent) or None),
        ("Nomic-Votes", ", ".join(event.ballots) or None),
        ("Nomic-Die", _text(event.die)),
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


def _instant(seconds: int | None) -> str | None:
    return None if seconds is None else write_instant(seconds)


def read_event(trailers: Mapping[str, str], time: int) -> Event:
    """Return the event that a commit's trailers record.

    Raises Unreadable where they record none, where one is missing that an event of the kind has, or where one
    stands there that only others have. Trailers that nobody knows are passed over.
    """
    kind = trailers.get("Nomic-Event", "")
    if kind not in _TRAILERS:
        raise Unreadable(f"Nomic-Event: {kind!r} is an event that this nomic-git cannot read; a newer one may")
    _check_trailers(EventKind(kind), trailers)
    if not 0 <= time <= LATEST:
        raise Unreadable("the commit is dated before 1970 or after the year 9999")
    proposal, change = _number(trailers, "Nomic-Proposal"), read_change(trailers.get("Nomic-Change"))
    numbered = kind == EventKind.PROPOSED or change is not None
    return Event(
        kind=EventKind(kind),
        time=time,
        proposal=proposal,
        number=_number(trailers, "Nomic-Number", proposal if numbered else None),
        player=_login(trailers, "Nomic-Player"),
        account=_account(trailers),
        change=change,
        rule=_number(trailers, "Nomic-Rule"),
        head=_head(trailers.get("Nomic-Head")),
        opened=_read_instant(trailers.get("Nomic-Opened")),
        supporters=_logins(trailers.get("Nomic-For")),
        opponents=_logins(trailers.get("Nomic-Against")),
        points=_read_points(trailers.get("Nomic-Points")),
        failed=_read_failed(trailers.get("Nomic-Failed")),
        absent=_logins(trailers.get("Nomic-Absent")),
        readable=_read_instant(trailers.get("Nomic-Readable")),
        die=_die(trailers.get("Nomic-Die")),
        ballots=_ballots(trailers.get("Nomic-Votes")),
        judge=_login(trailers, "Nomic-Judge"),
        ruling=_ruling(trailers.get("Nomic-Verdict")),
        words=_words(trailers.get("Nomic-Words")),
        cites=_cites(trailers.get("Nomic-Cites")),
        text=trailers.get("Nomic-Text"),
        mover=_login(trailers, "Nomic-Mover"),
        said=_read_instant(trailers.get("Nomic-Said")),
        round=_number(trailers, "Nomic-Round"),
        left=_number(trailers, "Nomic-Left"),
    )


def _check_trailers(kind: EventKind, trailers: Mapping[str, str]) -> None:
    has, may_have = (tuple(f"Nomic-{key}" for key in keys.split()) for keys in _TRAILERS[kind])
    missing = next((key for key in has if key not in trailers), None)
    if missing is not None:
        raise Unreadable(f"{missing} is missing, which an event {kind} has")
    odd = next((key for key in trailers if key in _KNOWN and key not in {*has, *may_have}), None)
    if odd is not None:
        raise Unreadable(f"{odd} is not a trailer of an event {kind}")
    change, *numbers = trailers.get("Nomic-Change", "").split(" ")
    if kind is EventKind.ADOPTED and change in {*ChangeKind} and len(numbers) != _WHEN_ADOPTED[ChangeKind(change)]:
        raise Unreadable(f"Nomic-Change: {trailers['Nomic-Change']!r} does not name the rules of an adopted change")


def _read_failed(text: str | None) -> tuple[str, ...]:
    failed = tuple(text.split(", ")) if text is not None else ()
    unknown = next((key for key in failed if key not in KEYS), None)
    if unknown is not None:
        raise Unreadable(f"Nomic-Failed: {unknown!r} is no provision")
    return failed


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


def _account(trailers: Mapping[str, str]) -> int | None:
    account = _number(trailers, "Nomic-Account")
    if account is not None and account <= 0:
        raise Unreadable(f"Nomic-Account: {account} is no account's id")
    return account


def _logins(text: str | None) -> tuple[str, ...]:
    logins = tuple(text.split(", ")) if text else ()
    if not all(is_login(login) for login in logins):
        raise Unreadable(f"{text!r} is no list of logins")
    return logins


def _read_instant(text: str | None) -> int | None:
    return None if text is None else read_instant(text)


def _die(text: str | None) -> int | None:
    if text is not None and text not in {"1", "2", "3", "4", "5", "6"}:
        raise Unreadable(f"Nomic-Die: {text!r} is not on a die")
    return None if text is None else int(text)


def _ballots(text: str | None) -> tuple[str, ...]:
    ids = tuple(text.split(", ")) if text else ()
    if not all(_ID.fullmatch(one) for one in ids):
        raise Unreadable(f"Nomic-Votes: {text!r} is no list of ids")
    return ids


def _ruling(text: str | None) -> Ruling | None:
    if text is not None and text not in {*Ruling}:
        raise Unreadable(f"Nomic-Verdict: {text!r} is none of {', '.join(Ruling)}")
    return None if text is None else Ruling(text)


def _words(text: str | None) -> str | None:
    if text is not None and on_record(text) != text:
        raise Unreadable("Nomic-Words: these are not words as the record has them")
    return text


def _cites(text: str | None) -> tuple[int, ...]:
    numbers = [read_number(one) for one in text.split(", ")] if text else []
    if None in numbers:
        raise Unreadable(f"Nomic-Cites: {text!r} is no list of rules")
    return tuple(one for one in numbers if one is not None)


def _head(text: str | None) -> str | None:
    if text is not None and not _HEAD.fullmatch(text):
        raise Unreadable(f"Nomic-Head: {text!r} is no commit's id")
    return text


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
