"""Where the game stands, read from the tree of a commit (design section 2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nomic_git.game.state import read_state
from nomic_git.law.errors import Unreadable
from nomic_git.repository.clone import SCORES

if TYPE_CHECKING:
    from nomic_git.game.state import State
    from nomic_git.repository.tree import Trees


def state_at(trees: Trees, tree: bytes) -> State:
    """Return where the game stands by the `scores.json` in a tree. Raises Unreadable."""
    source = trees.file(tree, SCORES)
    if source is None:
        raise Unreadable(f"{SCORES} is missing; restore it from the last event's commit")
    return read_state(source)
