"""Winning: by points, or because play cannot go on (112, 208, 213; design sections 5 and 8)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nomic_git.game.safeguards import is_changeable_at_all
from nomic_git.game.turns import mover, playing_order
from nomic_git.law.precedence import prevails
from nomic_git.law.provisions import CONFLICTS_ORDER, STALEMATE_WINNER, VICTORY_POINTS

if TYPE_CHECKING:
    from nomic_git.game.position import Position
    from nomic_git.game.state import State
    from nomic_git.law.precedence import Law
    from nomic_git.law.provisions import Key


def winner(position: Position) -> tuple[str, int | None] | None:
    """Return the login of whoever wins at this moment and the rule by which, None while nobody does.

    With fewer than two players nobody does: the survivor has not won (112). Whether a stalemate or the points decide
    where both would is for their rules to say; the shipped ones let the stalemate (213, -101).
    """
    if len(position.state.seats) < 2:
        return None
    ways = [_by_stalemate(position), _by_points(position)]
    if not _stalemate_prevails(position.law):
        ways.reverse()
    return next((way for way in ways if way is not None), None)


def won_by(state: State) -> Key[Any]:
    """Return the provision that a game which is over was won by: the points (208), or that play had stuck (213)."""
    return VICTORY_POINTS if state.stuck is None else STALEMATE_WINNER


def _by_points(position: Position) -> tuple[str, int | None] | None:
    """Return who has `victory.points` or more: the highest score, then the playing order after the mover (208)."""
    state, target = position.state, position.law.value(VICTORY_POINTS)
    best = max(seat.points for seat in state.seats)
    if target is None or best < target:
        return None
    points = {seat.login: seat.points for seat in state.seats}
    login = next(one for one in _after_the_mover(position) if points[one] == best)
    return login, position.law.rule(VICTORY_POINTS.name)


def _by_stalemate(position: Position) -> tuple[str, int | None] | None:
    """Return who wins because play cannot go on: the first player unable to complete a turn (213, -101).

    That is the one whose proposal a Judge could not decide about, or, where that one has left or no rule-change can be
    made any more, the one whose turn is next.
    """
    law, state = position.law, position.state
    if law.value(STALEMATE_WINNER) is None:
        return None
    seat = None if state.stuck is None else state.seat(state.stuck)
    if seat is not None:
        return seat.login, law.rule(STALEMATE_WINNER.name)
    if state.stuck is None and is_changeable_at_all(law, state):
        return None
    return mover(position) or _after_the_mover(position)[0], law.rule(STALEMATE_WINNER.name)


def _stalemate_prevails(law: Law) -> bool:
    """Return whether the rule about stalemates stands over the one about points, where they disagree (213)."""
    stalemate, points = law.rule(STALEMATE_WINNER.name), law.rule(VICTORY_POINTS.name)
    if stalemate is None or points is None:
        return True
    rules = law.rulebook.rules
    return stalemate == points or prevails(rules[stalemate], rules[points], law.value(CONFLICTS_ORDER))


def _after_the_mover(position: Position) -> tuple[str, ...]:
    """Return the playing order from the player after the one whose turn ended last."""
    logins, last = playing_order(position), position.state.mover
    following = mover(position) if position.state.turn is not None else None
    if following is not None:
        return logins[logins.index(following) :] + logins[: logins.index(following)]
    at = logins.index(last) + 1 if last in logins else 0
    return logins[at:] + logins[:at]
