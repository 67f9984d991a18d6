"""Beginning another round after the winner (docs/design.md, Rounds)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nomic_git.game.docket import surname_missing
from nomic_git.game.event import EventKind
from nomic_git.game.resolution import of_the_position
from nomic_git.game.round import founding
from nomic_git.law.errors import NomicError
from nomic_git.law.precedence import read_law
from nomic_git.law.provisions import TURNS_ORDER
from nomic_git.referee.publication import publish
from nomic_git.referee.sitting import MOST_TRIES
from nomic_git.repository.clone import Moved
from nomic_git.repository.position import position_at
from nomic_git.repository.rounds import write_round

if TYPE_CHECKING:
    from nomic_git.forges.forge import Forge
    from nomic_git.game.event import Event
    from nomic_git.game.position import Position
    from nomic_git.law.precedence import Law
    from nomic_git.law.rulebook import Rulebook
    from nomic_git.repository.clone import Clone


class NotOver(NomicError):
    """A round that nobody has won yet: no other can begin."""


class Nameless(NomicError):
    """Players without the surnames by which turns would go in a round."""


def begin_round(clone: Clone, forge: Forge, now: int, rulebook: Rulebook | None, language: str) -> Event:
    """Begin another round at `now`, in seconds since the epoch, and return its founding.

    Where the forge has a clock of its own, that is what counts. `rulebook` is what the round starts from, None for
    the rules as they stand, and `language` the language that the game has from then on. Raises NotOver while nobody
    has won, Nameless where turns go by surname in that rulebook and somebody has none, Moved where the branch keeps
    moving, Refused where Git will not write, ForgeError where the forge fails or does not let this user push,
    CannotFound where numbers of rules and proposals would collide, Unreadable where the rulebook on the branch cannot
    be read.
    """
    for attempt in range(1, MOST_TRIES + 1):
        forge.fetch()
        tip = clone.tip
        position = position_at(clone.trees, tip.tree_id.raw)
        _check_over(position)
        if rulebook is not None:
            _check_surnames(position, read_law(rulebook))
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


def _check_surnames(position: Position, law: Law) -> None:
    """Raise Nameless where turns are to go by surname (201) and somebody who sits there has none."""
    seated = (position.players.get(one.login) for one in position.state.seats)
    missing = [one.login for one in seated if one is not None and surname_missing(law, one) is not None]
    if missing:
        raise Nameless(
            f"turns go by surname in that rulebook (rule {law.rule(TURNS_ORDER.name)}), and there is none of "
            f"{', '.join(missing)}; a seat is given its surname on joining alone (forfeit, and join again with one, "
            "while a round goes on), so choose another rulebook: nomic-git rulesets"
        )
