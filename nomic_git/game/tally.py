"""Counting: who may vote, whose vote counts, and when that is enough (105, 203, 207; design section 4)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from nomic_git.game.vote import Uncounted, Vote
from nomic_git.law.expression import Expression, ExpressionFailed
from nomic_git.law.kinds import ChangeKind
from nomic_git.law.provisions import (
    ADOPTION_THRESHOLD,
    ADOPTION_TRANSMUTATION,
    PLAYERS_ADMISSION,
    VOTES_CLOSING,
    VOTES_PARTICIPATION,
    Absent,
    Closing,
    Participation,
)
from nomic_git.law.rule import Status
from nomic_git.law.rule_change import RuleChange
from nomic_git.law.threshold import Agreement, AtLeast, Threshold

if TYPE_CHECKING:
    from nomic_git.game.state import State
    from nomic_git.law.precedence import Law
    from nomic_git.law.provisions import Key
    from nomic_git.law.rule_change import Change


class Outcome(StrEnum):
    """How a vote ends."""

    ADOPTED = "adopted"
    DEFEATED = "defeated"


@dataclass(frozen=True, slots=True)
class Electorate:
    """Who may vote on one proposal.

    `seated` has the logins of those who may, by their folded form, in the order of joining. `author` is the
    one whose own vote is for unless they say otherwise, None where the author has no vote, or must say so.
    `members` are the folded logins of everybody in the game, `away` of those who were away when voting opened.
    `proposer` is the author of a rule-change in any case: no die is thrown from what the proposer says (202).
    """

    seated: Mapping[str, str]
    author: str | None
    members: frozenset[str] = frozenset()
    away: frozenset[str] = frozenset()
    proposer: str | None = None

    @property
    def eligible(self) -> tuple[str, ...]:
        """The logins of those who may vote, in the order of joining."""
        return tuple(self.seated.values())

    def login(self, voter: str) -> str | None:
        """Return the seated form of an eligible voter's login, None for everybody else."""
        return self.seated.get(voter.casefold())


def electorate(state: State, opened: int, author: str | None) -> Electorate:
    """Return who may vote: the players who were in the game when voting opened and still are (section 4).

    Whoever was away then has no vote (`players.leave`), but for the author, whose own proposal it is.
    """
    away = frozenset(login.casefold() for login in away_from(state, opened, author))
    members = {seat.login.casefold(): seat for seat in state.seats}
    seated = {login: seat.login for login, seat in members.items() if seat.joined <= opened and login not in away}
    proposer = seated.get(author.casefold()) if author is not None else None
    return Electorate(seated, proposer, frozenset(members), away, proposer)


def away_from(state: State, opened: int, author: str | None) -> tuple[str, ...]:
    """Return who is in the game and has no vote on what was opened then, having been away (`players.leave`)."""
    own = (author or "").casefold()
    return tuple(
        seat.login for seat in state.seats if seat.absences and seat.was_away(opened) and seat.login.casefold() != own
    )


def is_deserted(state: State, instant: int, author: str | None) -> bool:
    """Return whether fewer than two could vote on what is opened at an instant: then nothing is opened (section 5)."""
    if all(seat.joined <= instant and not seat.absences for seat in state.seats):
        return len(state.seats) < 2
    return len(electorate(state, instant, author).eligible) < 2


@dataclass(frozen=True, slots=True)
class NotCounted:
    """A vote that is not counted, and why."""

    player: str
    vote: Vote
    reason: Uncounted


@dataclass(frozen=True, slots=True)
class Count:
    """The votes that stand at one instant. Logins; `votes_for` and `votes_against` weigh them (207).

    `ballots` are the ids of those that were cast, but the author's own, in the order of joining. `absent` are those who
    had not voted when a deadline ended the vote: they count as `votes.absent` says.
    """

    eligible: tuple[str, ...]
    supporters: tuple[str, ...]
    opponents: tuple[str, ...]
    each: int
    uncounted: tuple[NotCounted, ...] = ()
    ballots: tuple[str, ...] = ()
    absent: tuple[str, ...] = ()

    @property
    def waiting_for(self) -> tuple[str, ...]:
        """The eligible voters whose vote does not stand."""
        voted = {*self.supporters, *self.opponents}
        return tuple(login for login in self.eligible if login not in voted)

    @property
    def votes_for(self) -> int:
        """Votes for, `votes.each` a player."""
        return self.each * len(self.supporters)

    @property
    def votes_against(self) -> int:
        """Votes against, `votes.each` a player."""
        return self.each * len(self.opponents)

    @property
    def votes(self) -> int:
        """The votes that there could be."""
        return self.each * len(self.eligible)


@dataclass(frozen=True, slots=True)
class Requirement:
    """What adopts a change: the provision that says so, its candidates (rule, value), prevailing first."""

    key: str
    candidates: tuple[tuple[int | None, Threshold], ...]


def requirement(law: Law, change: Change) -> Requirement:
    """Return the threshold for one change: 203, or 109 for making an immutable rule mutable."""
    if not isinstance(change, RuleChange):
        return required_for(law, None, Status.MUTABLE)
    return required_for(law, change.kind, change.status)


def required_for(law: Law, kind: ChangeKind | None, status: Status) -> Requirement:
    """Return the threshold for a kind of change of a rule that had this status, None for a joining."""
    if kind is None:
        return Requirement(PLAYERS_ADMISSION.name, tuple(law.values(PLAYERS_ADMISSION)))
    if kind is ChangeKind.TRANSMUTE and status is Status.IMMUTABLE:
        own = tuple((rule, value) for rule, value in law.values(ADOPTION_TRANSMUTATION) if value is not None)
        if own:
            return Requirement(ADOPTION_TRANSMUTATION.name, own + tuple(law.values(ADOPTION_THRESHOLD)))
    return Requirement(ADOPTION_THRESHOLD.name, tuple(law.values(ADOPTION_THRESHOLD)))


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether the votes suffice, by which threshold, and which rules' expressions failed on the way."""

    suffices: bool
    threshold: Threshold
    rule: int | None
    failed: tuple[tuple[int | None, str], ...] = ()


def judge(required: Requirement, count: Count, names: Mapping[str, int]) -> Verdict:
    """Return whether the votes that stand suffice. `names` are what an expression may use beside what the count gives.

    Unanimous: everybody eligible voted for. Simple majority: more than half of the eligible. A fraction:
    at least that fraction of them (design section 4). An expression that fails provides nothing: the next
    rule's threshold holds, in the end the default, which is no expression.
    """
    failed: list[tuple[int | None, str]] = []
    for rule, threshold in required.candidates:
        if not isinstance(threshold, Expression):
            return Verdict(_suffices(threshold, count), threshold, rule, tuple(failed))
        try:
            value = threshold.evaluate(with_votes(names, count))
        except ExpressionFailed as error:
            failed.append((rule, str(error)))
            continue
        suffices = value if isinstance(value, bool) else count.votes_for >= value * count.votes
        return Verdict(suffices, threshold, rule, tuple(failed))
    raise AssertionError("the default threshold is never an expression")


def agreed(law: Law, key: Key[Threshold], count: Count, names: Mapping[str, int]) -> bool:
    """Return whether those who said yes, the supporters of `count`, are as many as a provision asks for.

    `names` are as `judge` takes them.
    """
    required = Requirement(key.name, tuple(law.values(key)))
    return judge(required, count, names).suffices


def _suffices(threshold: Agreement | AtLeast, count: Count) -> bool:
    if isinstance(threshold, AtLeast):
        return count.votes > 0 and count.votes_for >= threshold.fraction * count.votes
    if threshold is Agreement.UNANIMOUS:
        return len(count.supporters) == len(count.eligible) > 0
    return 2 * count.votes_for > count.votes


def settled(required: Requirement, closing: Closing, count: Count, names: Mapping[str, int]) -> Outcome | None:
    """Return how the vote ends if it may close now, None while it may not (203; design section 4)."""
    verdict = judge(required, count, names)
    if not count.waiting_for:
        return Outcome.ADOPTED if verdict.suffices else Outcome.DEFEATED
    # What an expression gives, and whether it gives anything, may change with every vote.
    if closing is not Closing.DECIDED or verdict.failed or isinstance(verdict.threshold, Expression):
        return None
    if verdict.suffices:
        return Outcome.ADOPTED
    return Outcome.DEFEATED if _lost(verdict.threshold, count) else None


def _lost(threshold: Agreement | AtLeast, count: Count) -> bool:
    if isinstance(threshold, AtLeast):
        return count.votes - count.votes_against < threshold.fraction * count.votes
    if threshold is Agreement.UNANIMOUS:
        return bool(count.opponents)
    return 2 * count.votes_against > count.votes


def closing_of(law: Law) -> Closing:
    """Return when a vote may close. Where everybody must vote (105), none closes before everybody has."""
    if law.value(VOTES_PARTICIPATION) is Participation.REQUIRED:
        return Closing.ALL_VOTED
    return law.value(VOTES_CLOSING)


def at_deadline(count: Count, absent: Absent) -> Count:
    """Return a count with what was not cast counted as `votes.absent` says."""
    waiting = count.waiting_for
    in_favour = {*count.supporters, *(waiting if absent is Absent.FOR else ())}
    against = {*count.opponents, *(waiting if absent is Absent.AGAINST else ())}
    supporters = tuple(login for login in count.eligible if login in in_favour)
    opponents = tuple(login for login in count.eligible if login in against)
    return replace(count, supporters=supporters, opponents=opponents, absent=waiting)


@dataclass(frozen=True, slots=True)
class Needed:
    """How many more players' votes for adopt a proposal, and how many more against defeat it; None where none do."""

    adopting: int | None
    defeating: int | None


def needed(required: Requirement, closing: Closing, count: Count, names: Mapping[str, int]) -> Needed:
    """Return how many of those who are still to vote would end the vote, and which way, as the other votes stand.

    `count` is of a vote that is open; `names` are as `judge` takes them.
    """
    waiting = count.waiting_for
    enough: int | None = None
    too_many: int | None = None
    for more in range(1, len(waiting) + 1):
        all_for = replace(count, supporters=(*count.supporters, *waiting[:more]))
        all_against = replace(count, opponents=(*count.opponents, *waiting[:more]))
        if enough is None and settled(required, closing, all_for, names) is Outcome.ADOPTED:
            enough = more
        if too_many is None and settled(required, closing, all_against, names) is Outcome.DEFEATED:
            too_many = more
    return Needed(enough, too_many)


def with_votes(names: Mapping[str, int], count: Count) -> dict[str, int]:
    """Return the numbers that an expression may use with those that a count gives (design section 6)."""
    return {
        **names,
        "votes_for": count.votes_for,
        "votes_against": count.votes_against,
        "votes_cast": count.votes_for + count.votes_against,
        "eligible": len(count.eligible),
    }


def names_of(state: State, count: Count | None, *, proposal: int, author: str) -> dict[str, int]:
    """Return the numbers that an expression over a proposal's result may use (design section 6).

    `turn` is the author's turns with this one, `circuit` the circuit being played, both from 1.
    """
    seat = state.seat(author)
    names = {
        "proposal": proposal,
        "players": len(state.seats),
        "turn": (seat.turns if seat else 0) + 1,
        "circuit": state.circuit,
    }
    return names if count is None else with_votes(names, count)


def exact(expression: Expression, names: dict[str, int]) -> Fraction:
    """Return an expression's value as a number. Raises ExpressionFailed, also where it is true or false."""
    value: Any = expression.evaluate(names)
    if isinstance(value, bool):
        raise ExpressionFailed(f"{expression.source} gives {str(value).lower()}, not a number")
    return Fraction(value)
