"""The poll: the votes on one proposal replayed in the order of time, until they end it (design section 4)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import TYPE_CHECKING

from nomic_git.game.tally import (
    Count,
    Electorate,
    NotCounted,
    Outcome,
    Requirement,
    Verdict,
    at_deadline,
    closing_of,
    judge,
    requirement,
    settled,
)
from nomic_git.game.vote import Ballot, Uncounted, Vote
from nomic_git.law.provisions import VOTES_ABSENT, VOTES_EACH, Closing

if TYPE_CHECKING:
    from nomic_git.law.precedence import Law
    from nomic_git.law.rule_change import Change


@dataclass(slots=True)
class Poll:
    """The votes on one proposal, taken one instant after another."""

    voters: Electorate
    text: str | None
    each: int
    strangers: dict[str, Ballot] = field(default_factory=dict)
    ids: dict[str, str] = field(default_factory=dict)
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
            self.ids[login] = ballot.id

    @property
    def waits(self) -> bool:
        """Whether somebody eligible has no vote that stands."""
        return any(reason is not None or vote is Vote.NONE for vote, reason in self.standing.values())

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
        cast = {*supporters, *opponents} - {self.voters.proposer}
        ballots = tuple(self.ids[login] for login in self.standing if login in cast and self.ids.get(login))
        return Count(tuple(self.standing), tuple(supporters), tuple(opponents), self.each, tuple(uncounted), ballots)

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
class Term:
    """The time in which a vote can end, in seconds since the epoch.

    Nothing ends it before `since`, and only its author's giving it up, at `until`, before `earliest` (111). At
    `deadline` it ends whoever has voted. While it is `held`, because its turn may not be resolved, nothing ends it
    (212). None for what there is not.
    """

    since: int
    now: int
    earliest: int
    deadline: int | None = None
    until: int | None = None
    held: bool = False

    @property
    def last(self) -> int:
        """The last instant at which a vote counts."""
        return min(one for one in (self.now, self.deadline, self.until) if one is not None)


@dataclass(frozen=True, slots=True)
class Result:
    """Where a vote stands: the votes, the threshold, and the outcome with its instant once it is closed.

    `term` is the time in which it could end, None where it is read from the record.
    """

    count: Count
    required: Requirement
    verdict: Verdict
    outcome: Outcome | None
    closed: int | None
    term: Term | None = None


def poll(
    law: Law, change: Change, voters: Electorate, ballots: Iterable[Ballot], term: Term, names: Mapping[str, int]
) -> Result:
    """Replay the votes in the order of time and return where the vote stands.

    The vote closes at the first instant of its term at which it may; votes cast later are too late, whenever they are
    looked at (design section 4). Votes of one instant count together. Given up, it ends in defeat with the votes that
    stand; at its deadline with what was not cast counted as the law says. `names` are as `judge` takes them.
    """
    required, closing = requirement(law, change), closing_of(law)
    taking = Poll(voters, change.text, law.value(VOTES_EACH))
    ordered = sorted((one for one in ballots if one.time <= term.now), key=lambda one: one.time)
    late: list[Ballot] = [one for one in ballots if one.time > term.now]
    outcome, closed, last = None, None, term.last
    for instant, cast in _instants(ordered, term.earliest, last):
        if outcome is not None or (cast and cast[0].time > last):
            late.extend(cast)
            continue
        for ballot in cast:
            taking.take(ballot)
        if instant > last or term.held:
            continue  # The author had given the proposal up before the law of this instant could adopt it.
        if closing is Closing.ALL_VOTED and taking.waits:
            continue
        count = taking.count()
        outcome = settled(required, closing, count, names)
        closed = instant if outcome is not None else None
    if outcome is None:
        count, outcome, closed = _ended(law, required, closing, taking.count(), term, names)
    count = _with_late(count, late, term.now, closed)
    return Result(count, required, judge(required, count, names), outcome, closed, term)


def _ended(
    law: Law, required: Requirement, closing: Closing, count: Count, term: Term, names: Mapping[str, int]
) -> tuple[Count, Outcome | None, int | None]:
    """Return how a vote that the votes have not ended was ended by its term, if it was."""
    if term.held:
        return count, None, None
    if term.until is not None and term.until == term.last:
        return _given_up(required, closing, count, names), Outcome.DEFEATED, max(term.until, term.since)
    if term.deadline is None or term.deadline != term.last:
        return count, None, None
    count = at_deadline(count, law.value(VOTES_ABSENT))
    suffices = judge(required, count, names).suffices
    return count, Outcome.ADOPTED if suffices else Outcome.DEFEATED, term.deadline


def _given_up(required: Requirement, closing: Closing, count: Count, names: Mapping[str, int]) -> Count:
    """Return the count of a vote that its author gave up: no die is thrown from votes that did not end it (202).

    Else the author, who can reckon the die after each vote, would give up when it has fallen well.
    """
    ended = settled(required, closing, count, names) is Outcome.DEFEATED
    return count if ended else replace(count, ballots=())


def _instants(ordered: Sequence[Ballot], since: int, last: int) -> Iterable[tuple[int, list[Ballot]]]:
    """Yield each instant at which the vote could close, with what was cast then; the first is `since`."""
    before = [one for one in ordered if one.time <= since and one.time <= last]
    yield since, before
    rest = ordered[len(before) :]
    for instant, cast in groupby(rest, key=lambda one: one.time):
        yield instant, list(cast)


def _with_late(count: Count, late: Sequence[Ballot], now: int, closed: int | None) -> Count:
    if not late:
        return count
    reasons = [NotCounted(one.voter, one.vote, Uncounted.NOT_YET) for one in late if one.time > now]
    too_late = ((one.voter, one.vote) for one in late if one.time <= now) if closed is not None else ()
    return replace(count, uncounted=(*count.uncounted, *cast_too_late(count, too_late), *reasons))


def cast_too_late(count: Count, late: Iterable[tuple[str, Vote]]) -> Iterator[NotCounted]:
    """Yield what each voter said last of the votes cast `late`, in the order of time, unless it is what counts anyway.

    Who had not voted in time has no vote that counts, whatever it counts as.
    """
    counted = dict.fromkeys(count.supporters, Vote.FOR) | dict.fromkeys(count.opponents, Vote.AGAINST)
    standing = {login.casefold(): vote for login, vote in counted.items() if login not in count.absent}
    last = {voter.casefold(): (voter, vote) for voter, vote in late}
    for folded, (voter, vote) in last.items():
        if vote is not standing.get(folded):
            yield NotCounted(voter, vote, Uncounted.TOO_LATE)
