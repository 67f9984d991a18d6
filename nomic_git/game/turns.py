"""Whose turn it is, when the next one can begin, and when one passes on (201; design section 9).

In an ordered game the turn goes from seat to seat; in an open one everybody has turns of their own. A turn begins when
voting on its player's proposal opens.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from nomic_git.game.surname import is_by_surname, seats_by_surname
from nomic_git.law.provisions import JUDGMENT_JUDGE, TURNS_DEADLINE, TURNS_ORDER, TURNS_PAUSE, TurnOrder

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nomic_git.game.position import Position
    from nomic_git.game.state import Seat, State
    from nomic_git.law.precedence import Law


def is_ordered(law: Law) -> bool:
    """Return whether turns go from player to player, and not everybody's beside everybody else's (201, -112)."""
    return law.value(TURNS_ORDER) is not TurnOrder.OPEN


def playing_order(position: Position) -> tuple[str, ...]:
    """Return the logins of the players in the order of play: of joining, or of surnames as the language sorts them."""
    seats = seats_by_surname(position) if is_by_surname(position.law) else position.state.seats
    return tuple(seat.login for seat in seats)


def mover(position: Position) -> str | None:
    """Return the login of the player whose turn it is, None where turns have no order, or nobody plays."""
    if not is_ordered(position.law) or not position.state.seats:
        return None
    state = position.state
    pointed = None if state.turn is None else state.seat(state.turn)
    if pointed is not None:
        return pointed.login
    order = playing_order(position)
    # The order has not begun, or was given back by a voiding: the turn is the next player's after the last one's.
    return order[(order.index(state.mover) + 1) % len(order)] if state.mover in order else order[0]


def since(position: Position) -> int | None:
    """Return the first instant at which the next turn can begin, in seconds since the epoch, None while nobody plays.

    That is the end of the last turn and, where the law provides one, the pause for invoking judgment after it (212).
    """
    state = position.state
    if state.playing is None:
        return None
    if state.ended is None:
        return state.playing
    at = max(state.playing, state.ended + (position.law.value(TURNS_PAUSE) or 0))
    return released(state, at)


def released(state: State, at: int) -> int:
    """Return an instant, or the end of the judgment that kept turns from beginning then (212)."""
    for invoked, until in state.held:
        if invoked < at < until:
            at = until
    return at


def passes(position: Position) -> int | None:
    """Return when the present turn passes on unless it has begun, in seconds since the epoch, None where it does not.

    Turns may be neither skipped nor passed unless a rule provides `turns.deadline` (201). While a judgment keeps the
    turn from beginning, that time does not run, and while one is open no turn passes (212).
    """
    state, within = position.state, position.law.value(TURNS_DEADLINE)
    begins = None if within is None else since(position)
    if within is None or begins is None or state.judgment is not None or not is_ordered(position.law):
        return None
    kept = sum(until - invoked for invoked, until in state.held if invoked >= begins)
    return max(begins + within + kept, state.time)


def opens(position: Position, at: int) -> int:
    """Return when a turn can begin that nothing else keeps from beginning at `at`, in seconds since the epoch."""
    state, pause = position.state, position.law.value(TURNS_PAUSE) or 0
    if is_ordered(position.law):
        return released(state, max(at, since(position) or at))
    if state.ended is not None and state.ended <= at < state.ended + pause:
        at = state.ended + pause
    return released(state, at)


def has_begun(position: Position, proposal: int, player: str) -> bool:
    """Return whether the turn after the last began with a proposal of a player's, as far as its number tells.

    A number of a series is given when voting opens, in the order of the turns, and kept whatever becomes of the head.
    """
    lately, number = position.state.lately, position.state.number(proposal)
    if lately is None or lately.number is None or number is None or not is_ordered(position.law):
        return False
    return number > lately.number and player.casefold() != lately.player.casefold()


def is_over(position: Position, begins: int) -> bool:
    """Return whether the present turn has passed on by `begins`, the instant at which it would begin, in seconds."""
    at = passes(position)
    return at is not None and begins > at


def after_turn(position: Position, state: State, login: str, time: int, under: Law) -> State:
    """Return `state` once a player's turn has ended at `time`; with an order, the turn goes to the next seat.

    Nobody moves twice in a circuit: who has moved in it and sits further on again is passed over until the next. And
    nobody loses a turn where the turn itself made the order another one: who was still to move in the circuit, by the
    law that the turn was had under, moves in it. `position` gives the law that it leaves, and who sits there.
    """
    seat = state.seat(login)
    if seat is None:
        return state
    if not is_ordered(position.law):
        state, ended = _without_circuits(state), time if _asks_when(position.law) else None
        seats = state.seats_with(replace(seat, turns=seat.turns + 1, free=time, moved=0))
        return replace(state, seats=seats, mover=seat.login, ended=ended)
    circuit, order = state.circuit, playing_order(position)
    seats = state.seats_with(replace(seat, turns=seat.turns + 1, free=time, moved=circuit))
    orders = is_ordered(under) and under.value(TURNS_ORDER) is not position.law.value(TURNS_ORDER)
    before = playing_order(replace(position, law=under)) if orders else order
    turn, circuits = _following(state, order, before[before.index(seat.login) + 1 :], circuit)
    return replace(state, seats=seats, mover=seat.login, ended=time, turn=turn, circuits=circuits)


def _without_circuits(state: State) -> State:
    """Return the state of turns that have no order: who moved in which circuit does not matter when they have one."""
    if state.turn is None:
        return state
    seats, former = (tuple(replace(one, moved=0) for one in all_) for all_ in (state.seats, state.former))
    return replace(state, seats=seats, former=former, turn=None, circuits=0)


def _asks_when(law: Law) -> bool:
    """Return whether anything depends on when a turn ended: a pause, or judgment until the next begins."""
    return law.value(TURNS_PAUSE) is not None or law.value(JUDGMENT_JUDGE) is not None


def after_leaving(position: Position, login: str, time: int) -> State:
    """Return the state of a player who is about to leave the game, with the turn passed on if it was theirs (113).

    The turn that ended before can be judged as ever until the next begins: nobody saves it by leaving (212).
    """
    state, seat = position.state, position.state.seat(login)
    if seat is None or mover(position) != seat.login:
        return state
    order = playing_order(position)
    at = order.index(seat.login)
    left = tuple(one for one in order if one != seat.login)
    if not left:
        return _without_circuits(replace(state, ended=time))
    turn, circuits = _following(state, left, left[at:], state.circuit)
    return replace(state, ended=time, turn=turn, circuits=circuits)


def reordered(before: Position, there: Position) -> State:
    """Return the state of `there`, where the players stand in another order than before: nobody loses a turn by it.

    The turn is that of the first, in the new order, of those who were still to move in the circuit (201).
    """
    state, whose = there.state, mover(before)
    if state.turn is None or whose is None:
        return state
    order = playing_order(before)
    first = _to_move(state, playing_order(there), order[order.index(whose) :], state.circuit) or whose
    return state if first == whose else replace(state, turn=first, ended=state.time)


def _following(state: State, order: Sequence[str], ahead: Sequence[str], circuit: int) -> tuple[str, int]:
    """Return whose turn it is when a turn has ended, and how many circuits are complete then.

    That is the first one of `ahead` who has not moved in the circuit; where there is none, the first one in the order.
    """
    following = _to_move(state, order, ahead, circuit)
    return (following, circuit - 1) if following is not None else (order[0], circuit)


def _to_move(state: State, order: Sequence[str], ahead: Sequence[str], circuit: int) -> str | None:
    """Return the first in the order of those who are ahead in a circuit and have not moved in it, None without any."""
    waiting = {one for one in ahead if _seat(state, one).moved != circuit}
    return next((one for one in order if one in waiting), None)


def _seat(state: State, login: str) -> Seat:
    found = state.seat(login)
    assert found is not None, "the playing order is made of seats"
    return found
