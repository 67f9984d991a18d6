"""Another round: the game after the winner, with the players who sit there (docs/design.md, Rounds)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from nomic_git.game.event import Event, EventKind
from nomic_git.game.numbers import numbers
from nomic_git.game.player import player_path
from nomic_git.game.transition import Impossible, founded

if TYPE_CHECKING:
    from nomic_git.game.position import Position
    from nomic_git.game.state import State
    from nomic_git.law.precedence import Law


def founding(state: State, time: int, last: int | None) -> Event:
    """Return the event with which the round after this one begins, at `time` in seconds since the epoch or later.

    `last` is the highest number that the forge has given to a proposal, None where it has given none: all up to it is
    left behind.
    """
    left = max((one for one in (last, state.resolved.last) if one is not None), default=None)
    return Event(EventKind.FOUNDED, max(time, state.time), round=state.round + 1, left=left)


def next_round(position: Position, law: Law, event: Event) -> Position:
    """Return the position with which a round begins, under a law.

    Who sits keeps the seat, with `players.initial-points` and no turn had, and is away who was; who has left is
    forgotten. The forge's numbers go on, the rulebook's begin anew. Raises Impossible where nobody has won the round
    before, or a player's file is gone.
    """
    state = position.state
    if state.winner is None:
        raise Impossible(f"round {state.round} goes on: nobody has won it yet")
    missing = next((seat.login for seat in state.seats if seat.login not in position.players), None)
    if missing is not None:
        raise Impossible(f"{player_path(missing)} is missing; restore it from the last event's commit")
    first = founded(
        law, {seat.login: position.players[seat.login] for seat in state.seats}, event.time, position.language
    ).state
    left = numbers((*state.resolved.ranges, *([(1, event.left)] if event.left is not None else [])))
    return replace(position, law=law, state=replace(first, resolved=left, round=state.round + 1))
