"""Relaxation: unanimity that gives way to a lesser threshold in time (203; design section 5)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nomic_git.law.provisions import ADOPTION_RELAXATION, RelaxesAfter

if TYPE_CHECKING:
    from nomic_git.game.state import State
    from nomic_git.law.precedence import Law


def due(law: Law, state: State) -> int | None:
    """Return the number of the rule whose relaxation is due, None where none is.

    `after-turns-each` is due when each player now in the game has had that many turns, `after-circuits`
    when that many circuits have been played.
    """
    relaxation = law.value(ADOPTION_RELAXATION)
    if relaxation is None or len(state.seats) < 2:
        return None
    if relaxation.after is RelaxesAfter.CIRCUITS:
        reached = state.circuit > relaxation.count
    else:
        reached = all(seat.turns >= relaxation.count for seat in state.seats)
    return law.rule(ADOPTION_RELAXATION.name) if reached else None
