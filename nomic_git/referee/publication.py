"""Publishing an event: to everybody first, then to this clone's own folder (design section 5)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nomic_git import locales
from nomic_git.repository.clone import Refused

if TYPE_CHECKING:
    from pygit2 import Oid

    from nomic_git.forges.forge import Forge
    from nomic_git.game.event import Event
    from nomic_git.repository.clone import Clone


def publish(clone: Clone, forge: Forge, tip: Oid, new: Oid, event: Event) -> None:
    """Move the game branch from its tip to an event's commit, at the forge and then here.

    Raises Moved where the branch is no longer at the tip, Objection or ForgeError where the forge will not have it,
    Refused where this folder cannot follow.
    """
    forge.publish(str(tip), str(new))
    try:
        clone.advance(tip, new)
    except Refused as error:
        if clone.remote is None:
            raise
        # It is law already for everybody else; only this folder lags behind.
        raise Refused(f"{locales.subject(event)}: that is done and sent to {clone.remote}, but {error}") from None
