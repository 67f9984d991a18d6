"""How it is told whose turn it is."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from nomic_git.cli.paper import say
from nomic_git.game.turns import mover, passes
from nomic_git.law.errors import NomicError
from nomic_git.law.provisions import TURNS_DEADLINE, TURNS_ORDER
from nomic_git.locales import instant_text, rests_on

if TYPE_CHECKING:
    from nomic_git.cli.desk import Desk
    from nomic_git.cli.prospect import Prospect
    from nomic_git.game.position import Position


def tell_turn(at: Desk, position: Position) -> None:
    """Print whose turn it is, by which rule, and when it passes on; nothing where turns have no order, or are over.

    Where turns pass on, that is as the referee's next pass will find it; at GitHub, as the history has it.
    """
    if position.state.winner is not None:
        return
    there = _foreseen(at, position)
    if there is None or there.position.state.winner is not None:
        _tell(position, "")
        _tell_passing(position, None)
        return
    is_recorded = mover(position) == mover(there.position)
    _tell(there.position, "" if is_recorded else f" That is not in the history yet; {at.next_pass}.")
    _tell_passing(there.position, there)


def tell_nameless(position: Position) -> None:
    """Print who is sorted by login where turns go by surname, and how to give one (201); nothing where nobody is."""
    from nomic_git.game.surname import by_login

    nameless = by_login(position)
    if nameless:
        rule = rests_on(position.law.rule(TURNS_ORDER.name))
        how = "nomic-git surname SURNAME"
        say(f"Sorted by login, until they give a surname {rule}: {', '.join(nameless)}. To give yours: {how}")


def _foreseen(at: Desk, position: Position) -> Prospect | None:
    """Return what the next pass will find where turns pass on and a proposal may be in the vote, None elsewhere."""
    if passes(position) is None or at.is_on_github or at.clone.repository.is_shallow:
        return None
    from nomic_git.cli.prospect import prospect

    with suppress(NomicError):
        return prospect(at)
    return None


def _tell(position: Position, then: str) -> None:
    state, login = position.state, mover(position)
    seat = state.seat(login) if login is not None else None
    if seat is None:
        return
    away = ", who is away" if seat.is_away else ""
    circuits = state.circuit - 1
    done = {0: "no circuit is complete yet", 1: "1 circuit is complete"}.get(
        circuits, f"{circuits} circuits are complete"
    )
    say(f"It is the turn of {seat.login}{away} {rests_on(position.law.rule(TURNS_ORDER.name))}; {done}.{then}")


def _tell_passing(position: Position, there: Prospect | None) -> None:
    """Print when the turn passes on, or that it has begun, as far as the proposals that are open are known."""
    at, login, rule = passes(position), mover(position), rests_on(position.law.rule(TURNS_DEADLINE.name))
    if at is None or login is None:
        return
    if there is None:
        say(f"It passes on at {instant_text(at)} unless a proposal by {login} is in the vote then {rule}.")
        return
    from nomic_git.game.resolution import passing

    if passing(position, there.standings) is None:
        say(f"A proposal by {login} is in the vote, so that the turn has begun and does not pass on {rule}.")
    else:
        say(f"It passes on at {instant_text(at)} unless a proposal by {login} opens to the vote by then {rule}.")
