"""Winning (112, 208; design section 5)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nomic_git.law.provisions import VICTORY_POINTS

if TYPE_CHECKING:
    from nomic_git.game.state import State
    from nomic_git.law.precedence import Law


def winner(law: Law, state: State) -> str | None:
    """Return the login of whoever wins at this moment, None while nobody does.

    Of those who have `victory.points` or more the highest score wins, then whoever comes first in the
    playing order after the mover. With fewer than two players nobody does: the survivor has not won (112).
    """
    target = law.value(VICTORY_POINTS)
    if target is None or len(state.seats) < 2:
        return None
    best = max(seat.points for seat in state.seats)
    if best < target:
        return None
    return next(login for login in _after_the_mover(state) if _points(state, login) == best)


def _after_the_mover(state: State) -> tuple[str, ...]:
    logins = tuple(seat.login for seat in state.seats)
    at = logins.index(state.mover) + 1 if state.mover in logins else 0
    return logins[at:] + logins[:at]


def _points(state: State, login: str) -> int:
    seat = state.seat(login)
    return seat.points if seat is not None else 0
