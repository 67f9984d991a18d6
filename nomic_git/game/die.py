"""The die: one that anybody can throw again and the proposer cannot choose (202; design section 5)."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from typing import TYPE_CHECKING

from nomic_git.game.event import ends_turn

if TYPE_CHECKING:
    from nomic_git.game.event import Event

FACES = 6


def thrown(last: str, proposal: int, ballots: Sequence[str]) -> int:
    """Return what the die shows for a proposal: 1 to 6.

    It is one more than the remainder of the SHA-256 of `cast(...)` divided by six. `last` is the id of the commit of
    the event that ended the turn before, or founded the game, `proposal` the forge's number, `ballots` the ids of the
    counted votes but the proposer's own. So all that the proposer could have a hand in while the turn goes on, such as
    when a judgment is over, is without effect on it.
    """
    return 1 + int.from_bytes(sha256(cast(last, proposal, ballots).encode()).digest(), "big") % FACES


def cast(last: str, proposal: int, ballots: Sequence[str]) -> str:
    """Return the text whose SHA-256 decides: the commit, the proposal and the votes, a space between each two."""
    return " ".join((last, str(proposal), *ballots))


def thrown_from(last: str, event: Event, commit: str) -> str:
    """Return the id of the commit from which the next die is thrown once an event is recorded in `commit`.

    `last` is the one from which it was thrown before: it stays until a turn ends (202).
    """
    return commit if ends_turn(event) else last
