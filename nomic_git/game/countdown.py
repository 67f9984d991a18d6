"""What in a game happens by itself when its time has come: deadlines, debates, pauses (111, 201, 212)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from nomic_git.game import turns
from nomic_git.game.opening import opening
from nomic_git.game.proposal import Stage
from nomic_git.game.resolution import passing
from nomic_git.game.tally import closing_of, names_of, settled
from nomic_git.law.provisions import DEBATE_MINIMUM, TURNS_DEADLINE, TURNS_PAUSE, VOTES_DEADLINE
from nomic_git.law.rule_change import RuleChange

if TYPE_CHECKING:
    from nomic_git.game.docket import Standing
    from nomic_git.game.position import Position


class Clock(StrEnum):
    """What is counted down to; each is a key of the message catalogue."""

    VOTE_ENDS = "vote-ends"
    DEBATE_ENDS = "debate-ends"
    DEBATE_DECIDES = "debate-decides"
    TURN_PASSES = "turn-passes"
    TURN_BEGINS = "turn-begins"


@dataclass(frozen=True, slots=True)
class Countdown:
    """Something that happens by itself `at` an instant, in seconds since the epoch, as the provision `key` says."""

    clock: Clock
    at: int
    key: str


def countdowns(
    position: Position, standing: Standing, standings: Sequence[Standing], now: int
) -> tuple[Countdown, ...]:
    """Return what players of an open proposal are to know of the time that is left, in the order in which it comes.

    `standings` are the open proposals, this one among them. Of a vote: when its debate, and when the vote itself is
    over; of a rule-change that is not voted on: when the next turn can begin, and when the present one passes on
    unless it begins. After a winner nothing is waited for. `now` is in seconds since the epoch.
    """
    if position.state.winner is not None:
        return ()
    found = (
        _of_the_vote(position, standing) if standing.stage is Stage.VOTING else _of_turns(position, standing, standings)
    )
    return tuple(sorted((one for one in found if one.at > now), key=lambda one: one.at))


def _of_the_vote(position: Position, standing: Standing) -> Iterator[Countdown]:
    result = standing.result
    if result is None or result.outcome is not None or result.term is None or result.term.held:
        return
    term = result.term
    names = names_of(position.state, result.count, proposal=standing.number or 0, author=standing.proposal.author)
    ends_with_debate = settled(result.required, closing_of(position.law), result.count, names) is not None
    if term.earliest > term.since:
        clock = Clock.DEBATE_DECIDES if ends_with_debate else Clock.DEBATE_ENDS
        yield Countdown(clock, term.earliest, DEBATE_MINIMUM.name)
    if term.deadline is not None and not ends_with_debate:
        yield Countdown(Clock.VOTE_ENDS, term.deadline, VOTES_DEADLINE.name)


def _of_turns(position: Position, standing: Standing, standings: Sequence[Standing]) -> Iterator[Countdown]:
    if standing.stage is Stage.WITHDRAWN or not isinstance(standing.proposal.reading, RuleChange):
        return
    begins = _begins(position, standing, standings)
    if begins is not None:
        yield Countdown(Clock.TURN_BEGINS, begins, TURNS_PAUSE.name)
    is_ready = begins is not None and standing.stage is Stage.WAITING
    passes = passing(position, standings)
    if passes is not None and not is_ready:
        yield Countdown(Clock.TURN_PASSES, passes, TURNS_DEADLINE.name)


def _begins(position: Position, standing: Standing, standings: Sequence[Standing]) -> int | None:
    """Return when the turn that a proposal waits for, or is being drafted for, can begin, None where that is open."""
    author = standing.proposal.author.casefold()
    if standing.stage is Stage.WAITING:
        own = [one.proposal for one in standings if one.proposal.author.casefold() == author]
        return opening(position, standing.proposal, own).at
    mover = turns.mover(position)
    is_next = standing.stage is Stage.DEBATE and mover is not None and mover.casefold() == author
    return turns.since(position) if is_next else None
