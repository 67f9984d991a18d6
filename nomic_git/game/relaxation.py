"""Relaxation: unanimity that gives way to a lesser threshold in time (203; design section 5)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nomic_git.law.errors import Unreadable
from nomic_git.law.provisions import ADOPTION_RELAXATION, RelaxesAfter
from nomic_git.law.rule import relaxed

if TYPE_CHECKING:
    from nomic_git.game.state import State
    from nomic_git.law.precedence import Law


def due(law: Law, state: State) -> int | None:
    """Return the number of the rule whose relaxation is due, None where none is.

    `after-turns-each` is due when each player now in the game has had that many turns, `after-circuits`
    when that many circuits have been played. A rule whose file cannot be rewritten stays as it is.
    """
    relaxation = law.value(ADOPTION_RELAXATION)
    if relaxation is None or len(state.seats) < 2:
        return None
    if relaxation.after is RelaxesAfter.CIRCUITS:
        reached = state.circuit > relaxation.count
    else:
        reached = all(seat.turns >= relaxation.count for seat in state.seats)
    rule = law.rule(ADOPTION_RELAXATION.name) if reached else None
    return rule if rule is not None and _can_be_carried_out(law, rule) else None


def _can_be_carried_out(law: Law, rule: int) -> bool:
    """Return whether the rule's file can be rewritten: one that cannot must not stop the whole game."""
    try:
        relaxed(law.rulebook.rules[rule])
    except Unreadable:
        return False
    return True
