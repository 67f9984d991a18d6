"""How much time there is, in sentences: when what a proposal waits for happens by itself, and by which rule."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from nomic_git import locales
from nomic_git.game import turns
from nomic_git.game.countdown import Clock, Countdown, countdowns
from nomic_git.game.poll import Result
from nomic_git.game.tally import Outcome, at_deadline, judge, names_of
from nomic_git.law.provisions import VOTES_ABSENT

if TYPE_CHECKING:
    from nomic_git.game.docket import Standing
    from nomic_git.game.position import Position

NextLook = Callable[[int], int | None]
"""When the referee looks by itself at or after an instant, both in seconds; None where somebody has to run it."""


def clock(
    position: Position, standing: Standing, standings: Sequence[Standing], now: int, next_look: NextLook
) -> tuple[str, ...]:
    """Return what players of an open proposal are to know of the time that is left, a sentence or more for each end.

    `standings` are the open proposals, this one among them; `now` is in seconds since the epoch. What is said is the
    same throughout an hour of the clock, and throughout a day while days are left.
    """
    found = countdowns(position, standing, standings, now)
    return tuple(_sentence(position, standing, one, now, next_look(one.at)) for one in found)


def _sentence(position: Position, standing: Standing, countdown: Countdown, now: int, look: int | None) -> str:
    facts = {
        "instant": locales.instant_text(countdown.at),
        "left": locales.left_text(now, countdown.at),
        "rule": locales.rests_on(position.law.rule(countdown.key)),
        "look": locales.LOOKS["somebody"],
    }
    if countdown.clock is Clock.TURN_PASSES:
        mover = turns.mover(position) or ""
        facts.update(mover=mover, following=_following(position, mover, countdown.at))
    if look is not None:
        facts["look"] = locales.LOOKS["itself"].format(instant=locales.instant_text(look))
    if standing.result is not None:
        facts.update(_of_the_vote(position, standing, standing.result, countdown))
    return locales.COUNTDOWNS[countdown.clock].format(**facts)


def _following(position: Position, mover: str, at: int) -> str:
    """Return whose turn it would be if the mover's passed on then."""
    return turns.after_turn(position, position.state, mover, at, position.law).turn or ""


def _of_the_vote(position: Position, standing: Standing, result: Result, countdown: Countdown) -> dict[str, str]:
    """Return who is waited for, what their votes count as when the time is up, and to what that leads."""
    absent = position.law.value(VOTES_ABSENT)
    at_the_end = at_deadline(result.count, absent) if countdown.clock is Clock.VOTE_ENDS else result.count
    names = names_of(position.state, None, proposal=standing.number or 0, author=standing.proposal.author)
    suffices = judge(result.required, at_the_end, names).suffices
    return {
        "players": locales.names_text(result.count.waiting_for),
        "absent": locales.ABSENT[absent].format(rule=locales.rests_on(position.law.rule(VOTES_ABSENT.name))),
        "outcome": (Outcome.ADOPTED if suffices else Outcome.DEFEATED).value,
    }
