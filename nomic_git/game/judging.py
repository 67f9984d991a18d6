"""What judgment leads to next, in the game as it stands (212, -102; design section 8)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from nomic_git.game.bench import Court, next_step, refusals
from nomic_git.game.event import Event, EventKind
from nomic_git.game.judgment import Ruling
from nomic_git.game.opening import numbered
from nomic_git.game.tally import names_of
from nomic_git.game.team import teams
from nomic_git.game.turns import has_begun, playing_order
from nomic_git.game.turns import mover as turn_of
from nomic_git.law.provisions import JUDGMENT_JUDGE
from nomic_git.law.rule_change import RuleChange

if TYPE_CHECKING:
    from nomic_git.game.docket import Standing
    from nomic_git.game.judgment import Plea
    from nomic_git.game.position import Position
    from nomic_git.law.reason import Reason
    from nomic_git.law.rule_change import Reading


MOST_ANSWERS = 10
"""To how many of the last words that do nothing there is an answer: somebody may say them over and over."""


def court(position: Position, mover: str, proposal: int, since: int | None, until: int | None = None) -> Court:
    """Return the court that a judgment on a proposal would be before.

    `mover` is the proposal's author, `proposal` the forge's number. It can be invoked from `since`, None where voting
    has not opened, to before `until`, None where the next turn has not begun; in seconds since the epoch.
    """
    state = position.state
    return Court(
        law=position.law,
        order=playing_order(position),
        mover=mover,
        teams=teams(position),
        proposal=proposal,
        judgment=state.judgment,
        since=since,
        until=until,
        heard=state.time,
        settled=state.held[-1][1] if state.held else None,
        following=turn_of(position),
        names=names_of(state, None, proposal=_number(position, proposal) or 0, author=mover),
    )


def _number(position: Position, proposal: int) -> int | None:
    """Return the rulebook's number of what is judged, by the forge's number; None where it has none."""
    lately = position.state.lately
    return lately.number if lately is not None and lately.proposal == proposal else numbered(position, proposal)


def due_steps(
    position: Position, standings: Sequence[Standing], now: int, lately: Sequence[Plea]
) -> Iterator[tuple[Event, Standing | None]]:
    """Yield the steps of judgments that are due by `now`, the first on each proposal, with the standing of an open one.

    `lately` are the pleas on the proposal that is judged, else on the one whose turn ended last: on what is not on the
    docket. Instants in seconds since the epoch.
    """
    if position.state.judgment is None and position.law.value(JUDGMENT_JUDGE) is None:
        return
    question = position.state.judgment
    for one in standings:
        if position.state.is_judged(one.proposal.forge) or (
            one.proposal.pleas and isinstance(one.proposal.reading, RuleChange)
        ):
            step = next_step(_court_on(position, one), one.proposal.pleas, now)
            if step is not None:
                yield _on_text(step, one.proposal.reading), one
    over = court_elsewhere(position, standings) if lately or question is not None else None
    step = None if over is None else next_step(over, lately, now)
    if step is not None:
        yield step, None


def _court_on(position: Position, standing: Standing) -> Court:
    return court(position, standing.proposal.author, standing.proposal.forge, standing.opened)


def court_elsewhere(position: Position, standings: Iterable[Standing]) -> Court | None:
    """Return the court on what is judged, or can be, and is not on the docket; None where nothing is.

    That is the turn that ended last, or an open proposal whose head is no rule-change any more: a judgment goes on
    whatever becomes of the head, so that nobody keeps the next turn from beginning by emptying it.
    """
    judgment, resolved = position.state.judgment, position.state.resolved
    if judgment is None or judgment.proposal in resolved:
        return court_lately(position, standings)
    if any(one.proposal.forge == judgment.proposal for one in standings):
        return None
    return court(position, judgment.mover, judgment.proposal, None)


def court_on(position: Position, standings: Iterable[Standing], proposal: int) -> Court | None:
    """Return the court on a proposal, by the forge's number, that is open or had its turn last; None on any other."""
    known, is_judged = tuple(standings), position.state.is_judged(proposal)
    for one in known:
        if one.proposal.forge == proposal and (is_judged or isinstance(one.proposal.reading, RuleChange)):
            return _court_on(position, one)
    others = (court_elsewhere(position, known), court_lately(position, known))
    return next((one for one in others if one is not None and one.proposal == proposal), None)


def court_lately(position: Position, standings: Iterable[Standing]) -> Court | None:
    """Return the court on the turn that ended last, which can be judged until the next begins; None where none is."""
    lately, ended = position.state.lately, position.state.ended
    if lately is None:
        return None
    if any(has_begun(position, one.proposal.forge, one.proposal.author) for one in standings):
        until = ended
    else:
        until = min((at for one in standings for at in began(position, one)), default=None)
    return court(position, lately.player, lately.proposal, ended, until)


def began(position: Position, standing: Standing) -> Iterator[int]:
    """Yield the instants at which voting on a rule-change opened since the last turn ended, in seconds.

    That turn can then be judged no more, also where the proposal is taken back after that (212).
    """
    ended = position.state.ended
    if ended is not None and isinstance(standing.proposal.reading, RuleChange):
        opened = () if standing.opened is None else (standing.opened,)
        yield from (at for at in (*opened, *standing.before) if at >= ended)


def in_vain(position: Position, standing: Standing, now: int) -> tuple[Reason, ...]:
    """Return why what players said of judgments on an open proposal does nothing; in seconds since the epoch."""
    return _in_vain(_court_on(position, standing), standing.proposal.pleas, now)


def in_vain_lately(
    position: Position, standings: Iterable[Standing], pleas: Sequence[Plea], now: int
) -> tuple[Reason, ...]:
    """Return the same of the proposal whose turn ended last, and on which `pleas` were made."""
    over = court_lately(position, standings)
    return () if over is None else _in_vain(over, pleas, now)


def _in_vain(court: Court, pleas: Sequence[Plea], now: int) -> tuple[Reason, ...]:
    found: list[Reason] = []
    for _, reason in refusals(court, pleas, now) if pleas else ():
        if reason not in found:
            found.append(reason)
    return tuple(found[-MOST_ANSWERS:])


def _on_text(step: Event, head: Reading) -> Event:
    """Return a step with the text of the head that it asks about, or finds illegal (section 8).

    Where the head is no rule-change, what is found illegal is the text that the judgment was invoked on.
    """
    is_about_it = step.kind is EventKind.INVOKED or (step.kind is EventKind.JUDGED and step.ruling is Ruling.ILLEGAL)
    return replace(step, text=head.text) if is_about_it and isinstance(head, RuleChange) else step
