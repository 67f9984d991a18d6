"""Counting: who may vote, whose vote counts, and when that is enough (105, 203, 207; design section 4)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from fractions import Fraction
from itertools import groupby
from typing import TYPE_CHECKING, Any

from nomic_git.game.vote import Ballot, Uncounted, Vote
from nomic_git.law.expression import Expression, ExpressionFailed
from nomic_git.law.kinds import ChangeKind
from nomic_git.law.provisions import (
    ADOPTION_THRESHOLD,
    ADOPTION_TRANSMUTATION,
    PLAYERS_ADMISSION,
    VOTES_CLOSING,
    VOTES_EACH,
    Closing,
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
    one whose own vote is for unless they say otherwise, None where the author has no vote. `members` are the
    folded logins of everybody in the game, `away` of those who were away when voting opened.
    """

    seated: Mapping[str, str]
    author: str | None
    members: frozenset[str] = frozenset()
    away: frozenset[str] = frozenset()

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
    there = (seat.login for seat in state.seats if seat.joined <= opened)
    seated = {login.casefold(): login for login in there if login.casefold() not in away}
    return Electorate(
        seated,
        seated.get(author.casefold()) if author is not None else None,
        frozenset(seat.login.casefold() for seat in state.seats),
        away,
    )


def away_from(state: State, opened: int, author: str | None) -> tuple[str, ...]:
    """Return who is in the game and has no vote on what was opened then, having been away (`players.leave`)."""
    own = (author or "").casefold()
    return tuple(seat.login for seat in state.seats if seat.was_away(opened) and seat.login.casefold() != own)


def is_deserted(state: State, instant: int, author: str | None) -> bool:
    """Return whether absences left fewer than two to vote at an instant: then nothing is opened (section 5)."""
    absent = away_from(state, instant, author)
    return bool(absent) and len(electorate(state, instant, author).eligible) < 2


@dataclass(frozen=True, slots=True)
class NotCounted:
    """A vote that is not counted, and why."""

    player: str
    vote: Vote
    reason: Uncounted


@dataclass(frozen=True, slots=True)
class Count:
    """The votes that stand at one instant. Logins; `votes_for` and `votes_against` weigh them (207)."""

    eligible: tuple[str, ...]
    supporters: tuple[str, ...]
    opponents: tuple[str, ...]
    each: int
    uncounted: tuple[NotCounted, ...] = ()

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


def judge(required: Requirement, count: Count, names: dict[str, int]) -> Verdict:
    """Return whether the votes that stand suffice. `names` are the values an expression may use.

    Unanimous: everybody eligible voted for. Simple majority: more than half of the eligible. A fraction:
    at least that fraction of them (design section 4). An expression that fails provides nothing: the next
    rule's threshold holds, in the end the default, which is no expression.
    """
    failed: list[tuple[int | None, str]] = []
    for rule, threshold in required.candidates:
        if not isinstance(threshold, Expression):
            return Verdict(_suffices(threshold, count), threshold, rule, tuple(failed))
        try:
            value = threshold.evaluate(names)
        except ExpressionFailed as error:
            failed.append((rule, str(error)))
            continue
        suffices = value if isinstance(value, bool) else count.votes_for >= value * count.votes
        return Verdict(suffices, threshold, rule, tuple(failed))
    raise AssertionError("the default threshold is never an expression")


def agreed(law: Law, key: Key[Threshold], count: Count, names: Mapping[str, int]) -> bool:
    """Return whether those who said yes, the supporters of `count`, are as many as a provision asks for.

    `names` lack what the count itself gives.
    """
    required = Requirement(key.name, tuple(law.values(key)))
    return judge(required, count, _with_votes(dict(names), count)).suffices


def _suffices(threshold: Agreement | AtLeast, count: Count) -> bool:
    if isinstance(threshold, AtLeast):
        return count.votes > 0 and count.votes_for >= threshold.fraction * count.votes
    if threshold is Agreement.UNANIMOUS:
        return len(count.supporters) == len(count.eligible) > 0
    return 2 * count.votes_for > count.votes


def settled(required: Requirement, closing: Closing, count: Count, names: dict[str, int]) -> Outcome | None:
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


@dataclass(frozen=True, slots=True)
class Needed:
    """How many more players' votes for adopt a proposal, and how many more against defeat it; None where none do."""

    adopting: int | None
    defeating: int | None


def needed(required: Requirement, closing: Closing, count: Count, names: dict[str, int]) -> Needed:
    """Return how many of those who are still to vote would end the vote, and which way, as the other votes stand.

    `count` is of a vote that is open; `names` lack what the count itself gives.
    """
    waiting = count.waiting_for
    enough: int | None = None
    too_many: int | None = None
    for more in range(1, len(waiting) + 1):
        all_for = replace(count, supporters=(*count.supporters, *waiting[:more]))
        all_against = replace(count, opponents=(*count.opponents, *waiting[:more]))
        if enough is None and _ends(required, closing, all_for, names) is Outcome.ADOPTED:
            enough = more
        if too_many is None and _ends(required, closing, all_against, names) is Outcome.DEFEATED:
            too_many = more
    return Needed(enough, too_many)


def _ends(required: Requirement, closing: Closing, count: Count, names: dict[str, int]) -> Outcome | None:
    return settled(required, closing, count, _with_votes(names, count))


@dataclass(slots=True)
class Poll:
    """The votes on one proposal, taken one instant after another."""

    voters: Electorate
    text: str | None
    each: int
    strangers: dict[str, Ballot] = field(default_factory=dict)
    standing: dict[str, tuple[Vote, Uncounted | None]] = field(init=False)

    def __post_init__(self) -> None:
        author = self.voters.author
        self.standing = {
            login: (Vote.FOR if login == author else Vote.NONE, None) for login in self.voters.seated.values()
        }

    def take(self, ballot: Ballot) -> None:
        """Take a vote. A voter's last word is what counts, or fails to count."""
        login = self.voters.login(ballot.voter)
        if login is None:
            self.strangers[ballot.voter.casefold()] = ballot
        else:
            self.standing[login] = ballot.vote, self._doubt(login, ballot)

    def count(self) -> Count:
        """Return the votes that stand now, and those that do not, with the reason."""
        supporters, opponents, uncounted = [], [], []
        for login, (vote, reason) in self.standing.items():
            if reason is not None:
                uncounted.append(NotCounted(login, vote, reason))
            elif vote is Vote.FOR:
                supporters.append(login)
            elif vote is Vote.AGAINST:
                opponents.append(login)
        for folded, ballot in self.strangers.items():
            later = folded in self.voters.members
            reason = Uncounted.JOINED_LATER if later else Uncounted.NOT_A_PLAYER
            reason = Uncounted.AWAY if folded in self.voters.away else reason
            reason = Uncounted.UNREAD if ballot.unread else reason
            uncounted.append(NotCounted(ballot.voter, ballot.vote, reason))
        return Count(tuple(self.standing), tuple(supporters), tuple(opponents), self.each, tuple(uncounted))

    def _doubt(self, login: str, ballot: Ballot) -> Uncounted | None:
        """Return why a vote of somebody eligible does not stand, None where it does."""
        if ballot.unread:
            return Uncounted.UNREAD
        if ballot.vote is Vote.NONE:
            return Uncounted.TAKEN_BACK
        own = login == self.voters.author
        return Uncounted.EARLIER_TEXT if ballot.vote is Vote.FOR and ballot.text != self.text and not own else None


def given_before(law: Law, change: Change, voters: Electorate, ballots: Iterable[Ballot], now: int) -> Count:
    """Return the votes that would stand if voting opened at `now`, in seconds since the epoch."""
    taking = Poll(voters, change.text, law.value(VOTES_EACH))
    for ballot in sorted((one for one in ballots if one.time <= now), key=lambda one: one.time):
        taking.take(ballot)
    return taking.count()


@dataclass(frozen=True, slots=True)
class Result:
    """Where a vote stands: the votes, the threshold, and the outcome with its instant once it is closed."""

    count: Count
    required: Requirement
    verdict: Verdict
    outcome: Outcome | None
    closed: int | None


def poll(
    law: Law,
    change: Change,
    voters: Electorate,
    ballots: Iterable[Ballot],
    *,
    since: int,
    now: int,
    names: dict[str, int],
    until: int | None = None,
) -> Result:
    """Replay the votes in the order of time and return where the vote stands at `now`.

    The vote closes at the first instant, none before `since`, at which it may; votes cast later are too
    late, whenever they are looked at (design section 4). Votes of one instant count together. `until` is
    the instant at which the author gave the proposal up: the vote then ends in defeat with the votes that
    stand. `names` lacks what the count itself gives. All instants in seconds since the epoch.
    """
    required = requirement(law, change)
    closing = law.value(VOTES_CLOSING)
    taking = Poll(voters, change.text, law.value(VOTES_EACH))
    ordered = sorted((one for one in ballots if one.time <= now), key=lambda one: one.time)
    late: list[Ballot] = [one for one in ballots if one.time > now]
    outcome, closed = None, None
    last = now if until is None else min(until, now)
    for instant, cast in _instants(ordered, since, last):
        if outcome is not None or (cast and cast[0].time > last):
            late.extend(cast)
            continue
        for ballot in cast:
            taking.take(ballot)
        if instant > last:
            continue  # The author had given the proposal up before the law of this instant could adopt it.
        count = taking.count()
        outcome = settled(required, closing, count, _with_votes(names, count))
        closed = instant if outcome is not None else None
    if outcome is None and until is not None and until <= now:
        outcome, closed = Outcome.DEFEATED, max(until, since)
    count = _with_late(taking.count(), late, now, closed)
    return Result(count, required, judge(required, count, _with_votes(names, count)), outcome, closed)


def _instants(ordered: Sequence[Ballot], since: int, last: int) -> Iterable[tuple[int, list[Ballot]]]:
    """Yield each instant at which the vote could close, with what was cast then; the first is `since`."""
    before = [one for one in ordered if one.time <= since and one.time <= last]
    yield since, before
    rest = ordered[len(before) :]
    for instant, cast in groupby(rest, key=lambda one: one.time):
        yield instant, list(cast)


def _with_late(count: Count, late: Sequence[Ballot], now: int, closed: int | None) -> Count:
    reasons = [
        NotCounted(one.voter, one.vote, Uncounted.NOT_YET if one.time > now else Uncounted.TOO_LATE)
        for one in late
        if one.time > now or closed is not None
    ]
    return replace(count, uncounted=(*count.uncounted, *reasons))


def _with_votes(names: dict[str, int], count: Count) -> dict[str, int]:
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
    return names if count is None else _with_votes(names, count)


def exact(expression: Expression, names: dict[str, int]) -> Fraction:
    """Return an expression's value as a number. Raises ExpressionFailed, also where it is true or false."""
    value: Any = expression.evaluate(names)
    if isinstance(value, bool):
        raise ExpressionFailed(f"{expression.source} gives {str(value).lower()}, not a number")
    return Fraction(value)
