"""How it is told whose turn it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nomic_git.cli.paper import say
from nomic_git.game.turns import mover, passes
from nomic_git.law.provisions import TURNS_DEADLINE, TURNS_ORDER
from nomic_git.locales import instant_text, rests_on

if TYPE_CHECKING:
    from nomic_git.game.position import Position


def tell_turn(position: Position) -> None:
    """Print whose turn it is, by which rule, and when it passes on; nothing where turns have no order, or are over."""
    state, login = position.state, mover(position)
    seat = state.seat(login) if login is not None else None
    if seat is None or state.winner is not None:
        return
    away = ", who is away" if seat.is_away else ""
    circuits = state.circuit - 1
    done = {0: "no circuit is complete yet", 1: "1 circuit is complete"}.get(
        circuits, f"{circuits} circuits are complete"
    )
    say(f"It is the turn of {seat.login}{away} {rests_on(position.law.rule(TURNS_ORDER.name))}; {done}.")
    at = passes(position)
    if at is not None:
        said = f"It passes on at {instant_text(at)} unless a proposal by {seat.login} is in the vote then"
        say(f"{said} {rests_on(position.law.rule(TURNS_DEADLINE.name))}.")
