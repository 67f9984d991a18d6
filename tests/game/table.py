"""The table at which these tests play: laws, players, proposals and votes in a line each."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from hashlib import sha1
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import nomic_git
from nomic_git.game.docket import Standing, docket
from nomic_git.game.player import Account, read_player
from nomic_git.game.position import Position
from nomic_git.game.proposal import Period, Proposal
from nomic_git.game.resolution import next_event
from nomic_git.game.transition import after, founded
from nomic_git.game.vote import Ballot, Vote
from nomic_git.law.errors import Unreadable
from nomic_git.law.kinds import ChangeKind
from nomic_git.law.precedence import Law, read_law
from nomic_git.law.rule import Rule, Status, read_rule, rule_path
from nomic_git.law.rule_change import Forfeit, JoinRequest, Reading, RuleChange
from nomic_git.law.rulebook import read_rulebook, rulebook

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from nomic_git.game.event import Event
    from nomic_git.game.state import Seat

SHIPPED = ("github", "suber-1982", "suber", "suber-mail")
T = TypeVar("T")
FOR, AGAINST, BACK = Vote.FOR, Vote.AGAINST, Vote.NONE


def github() -> Law:
    """The law of the github rulebook as it ships."""
    return shipped("github")


@cache
def shipped(name: str) -> Law:
    """The law of a rulebook as it ships, in English."""
    rules = Path(nomic_git.__file__).parent / "rulesets" / name / "en"
    return read_law(
        read_rulebook(
            {
                rule_path(int(path.stem), status): path.read_bytes()
                for status in Status
                for path in (rules / status).glob("*.md")
            }
        )
    )


def text(*provisions: str, words: str = "Words.") -> bytes:
    """The file of a rule with these provisions, each `key: value`."""
    lines = "".join(f"  {line}\n" for line in provisions)
    matter = f"provisions:\n{lines}" if provisions else ""
    return f"---\n{matter}---\n\n{words}\n".encode() if matter else f"{words}\n".encode()


def rule(number: int, *provisions: str, status: Status = Status.MUTABLE, words: str = "Words.") -> Rule:
    return read_rule(number, status, text(*provisions, words=words))


def law(*rules: Rule | str) -> Law:
    """The law of these rules; a bare `key: value` stands in a rule of its own, numbered from -101 up."""
    made = [one if isinstance(one, Rule) else rule(at - 101, one) for at, one in enumerate(rules)]
    return read_law(rulebook(made))


def seated(under: Law, *logins: str, time: int = 0) -> Position:
    """A game just founded by these players."""
    return founded(under, {login: read_player(login, b"") for login in logins}, time)


def with_seats(position: Position, **changes: dict[str, int]) -> Position:
    """The position with some figures of some seats set, by login."""
    seats = tuple(replace(seat, **changes.get(seat.login, {})) for seat in position.state.seats)
    return replace(position, state=replace(position.state, seats=seats))


def identity(source: bytes) -> str:
    return sha1(source, usedforsecurity=False).hexdigest()


def enact(*provisions: str, words: str = "A new rule.") -> RuleChange:
    source = text(*provisions, words=words)
    return RuleChange(ChangeKind.ENACT, None, Status.MUTABLE, None, source, identity(source))


def amend(under: Law, number: int, *provisions: str, words: str = "Other words.") -> RuleChange:
    """An amendment that keeps of a rule only its number and its status."""
    return amend_to(under, number, text(*provisions, words=words))


def amend_to(under: Law, number: int, source: bytes) -> RuleChange:
    old = under.rulebook.rules[number]
    return RuleChange(ChangeKind.AMEND, number, old.status, old.source, source, identity(source))


def repeal(under: Law, number: int) -> RuleChange:
    old = under.rulebook.rules[number]
    return RuleChange(ChangeKind.REPEAL, number, old.status, old.source, None, None)


def transmute(under: Law, number: int) -> RuleChange:
    old = under.rulebook.rules[number]
    return RuleChange(ChangeKind.TRANSMUTE, number, old.status, old.source, old.source, identity(old.source))


def join(login: str, source: bytes = b"") -> JoinRequest:
    return JoinRequest(login, source, identity(source))


def leave(login: str) -> Forfeit:
    return Forfeit(login)


def proposal(
    forge: int,
    author: str,
    reading: Reading | None = None,
    *votes: tuple[str, Vote, int] | tuple[str, Vote, int, str | None],
    ready: int | Sequence[tuple[int, int | None]] = 1,
    submitted: int | None = None,
    withdrawn: int | None = None,
    account: Account | None = None,
) -> Proposal:
    """A proposal; `ready` is since when, or all its periods. Withdrawing ends the last of them.

    A vote is a voter, what they said, when, and the text that they had before them if it is not this one.
    """
    reading = enact() if reading is None else reading
    periods = [Period(ready)] if isinstance(ready, int) else [Period(*one) for one in ready]
    if withdrawn is not None and periods and periods[-1].until is None:
        periods[-1] = replace(periods[-1], until=withdrawn)
    first = periods[0].since if periods else 0
    made = Proposal(
        forge=forge,
        author=author,
        head=f"{forge:040x}",
        reading=reading,
        submitted=first if submitted is None else submitted,
        ready=tuple(periods),
        withdrawn=withdrawn,
        account=account,
    )
    return replace(made, ballots=tuple(ballot(made, *vote) for vote in votes))


def ballot(on: Proposal, voter: str, vote: Vote, time: int, *given_to: str | None) -> Ballot:
    return Ballot(voter, vote, time, given_to[0] if given_to else on.text)


def standing(position: Position, proposals: Iterable[Proposal], now: int = 100) -> dict[int, Standing]:
    """Where each proposal stands, by the forge's number."""
    return {one.proposal.forge: one for one in docket(position, proposals, now)}


def step(position: Position, proposals: Iterable[Proposal], now: int = 100) -> tuple[Position, Event] | None:
    """The next event and what it leads to, as the referee would carry it out."""
    due = next_event(position, docket(position, proposals, now), now)
    if due is None:
        return None
    event, about = due
    change = None if about is None else about.proposal.reading
    return after(position, event, change), event  # type: ignore[arg-type]


def play(position: Position, proposals: Iterable[Proposal], now: int = 100) -> tuple[Position, list[Event]]:
    """Everything that is due, one event after another, and the position that it leads to."""
    proposals, events = list(proposals), []
    while (done := step(position, proposals, now)) is not None:
        position, event = done
        events.append(event)
        assert len(events) <= 5 * len(proposals) + 5, "the game comes to rest"
    return position, events


def told(events: Iterable[Event]) -> list[str]:
    """What happened, in a word or two an event."""
    return [str(one.kind) if one.proposal is None else f"{one.kind} {one.proposal}" for one in events]


def tried(read: Callable[..., T], *arguments: object) -> T | str:
    """What reading gives, or else the one line that says what is wrong."""
    try:
        return read(*arguments)
    except Unreadable as error:
        line = str(error)
    assert line
    assert "\n" not in line
    return line


def seat(position: Position, login: str) -> Seat:
    found = position.state.seat(login)
    assert found is not None, f"{login} has a seat"
    return found


def scores(position: Position) -> dict[str, int]:
    return {one.login: one.points for one in position.state.seats}
