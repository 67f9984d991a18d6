"""Who talked of a rule-change that is yet to be made, where only team-mates may (210).

To debate the proposal whose turn it is, or is being voted on, is what 111 wants. Out of turn is one that would have to
wait for its author's turn if its author put it to the vote now.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from nomic_git.game.instant import LATEST
from nomic_git.game.opening import opening
from nomic_git.game.proposal import Period, Stage
from nomic_git.game.team import are_team_mates
from nomic_git.law.provisions import PLAYERS_CONSULTING, TURNS_ORDER, Consulting
from nomic_git.law.rule_change import RuleChange

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from nomic_git.game.docket import Standing
    from nomic_git.game.position import Position
    from nomic_git.game.proposal import Proposal


def consulted(
    position: Position, standing: Standing, others: Iterable[Standing], said: Iterable[tuple[str, int]]
) -> tuple[str, ...]:
    """Return who consulted on a proposal out of turn although the law forbids it, by login in the order of joining.

    `others` are the open proposals, this one among them, and `said` is who spoke of it when, in seconds since the
    epoch. Only players who are no team-mates of its author are named, and only for what they said since its author's
    turn before, or since the author put another proposal first.
    """
    proposal = standing.proposal
    asked = position.law.value(PLAYERS_CONSULTING) is Consulting.FORBIDDEN and isinstance(proposal.reading, RuleChange)
    if not asked or standing.stage not in {Stage.DEBATE, Stage.WAITING}:
        return ()
    since = _out_of_turn_since(position, proposal, [one.proposal for one in others])
    if since is None:
        return ()
    spoke = {login.casefold() for login, time in said if time > since}
    return tuple(
        seat.login
        for seat in position.state.seats
        if seat.login.casefold() in spoke - {proposal.author.casefold()}
        and not are_team_mates(position, seat.login, proposal.author)
    )


def _out_of_turn_since(position: Position, proposal: Proposal, others: Sequence[Proposal]) -> int | None:
    """Return since when a proposal has been out of turn, in seconds since the epoch; None where it is not."""
    seat = position.state.seat(proposal.author)
    if seat is None:
        return None
    ready = proposal if proposal.is_ready else replace(proposal, ready=(*proposal.ready, Period(LATEST)))
    by_author = [one for one in others if one.author.casefold() == proposal.author.casefold()]
    own = [ready if one.forge == proposal.forge else one for one in by_author]
    turn = next((one for one in opening(position, ready, own).waits if one.rests_on == TURNS_ORDER.name), None)
    if turn is None:
        return None
    first = next((one for one in own if one.forge == turn.facts.get("other")), None)
    return max(seat.free, first.ready[-1].since) if first is not None and first.ready else seat.free
