"""The recount of a recorded vote: whether it can have ended then, and as the record says (design sections 4 and 5).

The trailers say who voted how, and nobody can ask the voters again. Whether the votes sufficed, whether they were
given by voters, and whether the vote was over then follows from the law and the position before.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from nomic_git.game.event import EventKind
from nomic_git.game.irregularity import Irregularity
from nomic_git.game.opening import Wait
from nomic_git.game.poll import Result
from nomic_git.game.tally import (
    Count,
    Outcome,
    closing_of,
    electorate,
    is_deserted,
    judge,
    names_of,
    required_for,
    settled,
)
from nomic_git.law.provisions import DEBATE_MINIMUM, VOTES_ABSENT, VOTES_DEADLINE, VOTES_EACH, Absent
from nomic_git.law.reason import Reason

if TYPE_CHECKING:
    from nomic_git.game.event import Event
    from nomic_git.game.position import Position
    from nomic_git.law.kinds import ChangeKind
    from nomic_git.law.rule import Status


@dataclass(frozen=True, slots=True)
class Matter:
    """What a vote was about: the kind of change and the rule's status before, None and mutable for a joining.

    `number` is the rulebook's, 0 where it has none, and `since` the instant before which voting cannot have opened.
    """

    kind: ChangeKind | None
    status: Status
    author: str
    number: int
    since: int


def recount(position: Position, event: Event, matter: Matter) -> Result | Reason:
    """Return the vote as it was recorded, or why it did not end, or could not end, as the record says."""
    state, law, opened = position.state, position.law, event.opened
    if opened is None or not matter.since <= opened <= event.time:
        return Reason(Irregularity.OPENED)
    if is_deserted(state, opened, matter.author):
        return Reason(Wait.DESERTED)
    count = _count(electorate(state, opened, matter.author).eligible, event, law.value(VOTES_EACH))
    if isinstance(count, Reason):
        return count
    wrong = _wrong_ballots(event, count, matter.author) or _untimely(position, event, opened, count)
    if wrong is not None:
        return wrong
    required = required_for(law, matter.kind, matter.status)
    names = names_of(state, None, proposal=matter.number, author=matter.author)
    if event.absent:
        outcome: Outcome | None = Outcome.ADOPTED if judge(required, count, names).suffices else Outcome.DEFEATED
    else:
        outcome = settled(required, closing_of(law), count, names)
    facts = {"supporters": count.votes_for, "opponents": count.votes_against, "votes": count.votes}
    if event.kind is not EventKind.DEFEATED:
        if outcome is not Outcome.ADOPTED:
            return Reason(Irregularity.NOT_ADOPTED, facts)
    elif outcome is not Outcome.DEFEATED and not _may_be_conceded(position, event, matter, outcome):
        return Reason(Irregularity.NOT_DEFEATED, facts)
    elif outcome is not Outcome.DEFEATED and event.ballots and not event.absent:
        return _too_many_ballots(event, 0)  # No die is thrown from the votes on what was given up (202).
    ended = Outcome.DEFEATED if event.kind is EventKind.DEFEATED else Outcome.ADOPTED
    return Result(count, required, judge(required, count, names), ended, event.time)


def _wrong_ballots(event: Event, count: Count, author: str) -> Reason | None:
    """Return why these cannot be the ids of the votes that were cast: one each, and none of the author's own (202)."""
    cast = {*count.supporters, *count.opponents} - {*count.absent, author}
    if len({*event.ballots}) == len(event.ballots) <= len(cast):
        return None
    return _too_many_ballots(event, len(cast))


def _too_many_ballots(event: Event, most: int) -> Reason:
    facts = {"key": "Nomic-Votes", "says": ", ".join(event.ballots), "due": f"at most {most} ids, each once"}
    return Reason(Irregularity.TRAILER, facts)


def _untimely(position: Position, event: Event, opened: int, count: Count) -> Reason | None:
    """Return why a vote cannot have ended then: before debate was over (111), or not when its deadline ended it."""
    law, deadline = position.law, position.law.value(VOTES_DEADLINE)
    earliest = _earliest(position, event, opened)
    # Who gives a proposal up ends the vote whatever was still to be debated (104, 206).
    if event.time < earliest and event.kind is not EventKind.DEFEATED:
        return Reason(Irregularity.DEBATE)
    ends = None if deadline is None else max(opened + deadline, earliest)
    if event.absent and event.time != ends:
        return Reason(Irregularity.DEADLINE)
    if ends is not None and event.time > ends:
        return Reason(Irregularity.DEADLINE)
    if event.absent and not _are_as_absent(count, law.value(VOTES_ABSENT)):
        return Reason(Irregularity.ABSENT)
    return None


def _earliest(position: Position, event: Event, opened: int) -> int:
    """Return the first instant at which votes can have ended the vote: once debate was over (111)."""
    since, debate = max(opened, position.state.time), position.law.value(DEBATE_MINIMUM)
    return since if event.readable is None or debate is None else max(since, event.readable + debate)


def _are_as_absent(count: Count, absent: Absent) -> bool:
    """Return whether all who had not voted are counted as the law says (`votes.absent`)."""
    if absent is Absent.ABSTAIN:
        return count.absent == count.waiting_for
    there = count.supporters if absent is Absent.FOR else count.opponents
    return not count.waiting_for and all(login in there for login in count.absent)


def _may_be_conceded(position: Position, event: Event, matter: Matter, outcome: Outcome | None) -> bool:
    """Return whether the author can have given a rule-change up with these votes (104, 206).

    Votes that carry it end the vote before that, unless it is the law of this very instant that lets them, or debate
    was not over (111).
    """
    if matter.kind is None:
        return False
    opened = event.opened or 0
    in_debate = event.time < _earliest(position, event, opened)
    return outcome is None or in_debate or event.time == max(opened, position.state.time)


def _count(eligible: tuple[str, ...], event: Event, each: int) -> Count | Reason:
    stranger = next((one for one in (*event.supporters, *event.opponents) if one not in eligible), None)
    if stranger is not None:
        return Reason(Irregularity.NO_VOTE, {"player": stranger})
    twice = next((one for one in event.supporters if one in event.opponents), None)
    if twice is not None:
        return Reason(Irregularity.VOTED_TWICE, {"player": twice})
    supporters = tuple(login for login in eligible if login in event.supporters)
    opponents = tuple(login for login in eligible if login in event.opponents)
    absent = tuple(login for login in eligible if login in event.absent)
    return Count(eligible, supporters, opponents, each, ballots=event.ballots, absent=absent)
