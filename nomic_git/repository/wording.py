"""What a vote for a head belongs to, read from Git, and what it means that a head cannot be read (106; section 4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import pygit2

from nomic_git.law.errors import NomicError
from nomic_git.law.rule_change import voted_text
from nomic_git.repository.branch import read_branch

if TYPE_CHECKING:
    from nomic_git.law.rule_change import Branch
    from nomic_git.repository.branch import GameBranch

MALFORMED = (pygit2.GitError, LookupError, ValueError, AssertionError)
"""What reading objects raises that no Git would have written: a tree cut short, a link to what is not there."""


class Illegible(NomicError):
    """A head is in this clone and cannot be read: an object of it is malformed, or gone."""


def legible_branch(game: GameBranch, head: str, heads: Mapping[str, Sequence[int]]) -> Branch:
    """Return a proposal's branch as `read_branch` does.

    Raises NotHere where the head is not in this clone, Illegible where it is and cannot be read.
    """
    try:
        return read_branch(game, head, heads)
    except MALFORMED as error:
        raise Illegible(str(error) or type(error).__name__) from None


def text_at(game: GameBranch, head: str, author: str) -> str | None:
    """Return what a vote for a head belongs to (106), None where the head is no lawful change.

    `author` is the login of the proposal's author. Raises NotHere where the head is not in this clone, Illegible
    where it is and cannot be read.
    """
    return voted_text(legible_branch(game, head, {}), author)
