"""Beginning another round after the winner (docs/design.md, Rounds)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nomic_git.game.event import EventKind
from nomic_git.game.resolution import of_the_position
from nomic_git.game.round import founding
from nomic_git.law.errors import NomicError
from nomic_git.referee.publication import publish
from nomic_git.referee.sitting import MOST_TRIES
from nomic_git.repository.clone import Moved
from nomic_git.repository.position import position_at
from nomic_git.repository.rounds import write_round

if TYPE_CHECKING:
    from nomic_git.forges.forge import Forge
    from nomic_git.game.event import Event
    from nomic_git.game.position import Position
    from nomic_git.law.rulebook import Rulebook
    from nomic_git.repository.clone import Clone


class NotOver(NomicError):
    """A round that nobody has won yet: no other can begin."""


def begin_round(clone: Clone, forge: Forge, now: int, rulebook: Rulebook | None, language: str) -> Event:
    """Begin another round at `now`, in seconds since the epoch, and return its founding.

    Where the forge has a clock of its own, that is what counts. `rulebook` is what the round starts from, None for
    the rules as they stand, and `language` the language that the game has from then on. Raises NotOver while nobody
    has won, Moved where the branch keeps moving, Refused where Git will not write, ForgeError where the forge fails or
    does not let this user push, CannotFound where numbers of rules and proposals would collide, Unreadable where the
    rulebook on the branch cannot be read.
    """
    for attempt in range(1, MOST_TRIES + 1):
        forge.fetch()
        tip = clone.tip
        position = position_at(clone.trees, tip.tree_id.raw)
        _check_over(position)
        event = founding(position.state, now if forge.time is None else forge.time, forge.last)
        new = write_round(clone, event, rulebook, language)
        try:
            publish(clone, forge, tip.id, new, event)
        except Moved:
            if attempt == MOST_TRIES:
                raise
        else:
            return event
    raise AssertionError("the last try returns or raises")


def _check_over(position: Position) -> None:
    if position.state.winner is not None:
        return
    due = of_the_position(position)
    if due is not None and due.kind is EventKind.WON:
        raise NotOver(f"that {due.player} has won is not recorded yet; the referee does that first: nomic-git referee")
    raise NotOver(
        f"round {position.state.round} goes on: nobody has won it yet, and another begins after a winner; "
        "to see who leads: nomic-git scores"
    )
