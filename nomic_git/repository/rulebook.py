"""The rulebook read from the tree of a commit, each file of it once (design section 5)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from nomic_git.law.errors import Unreadable
from nomic_git.law.front_matter import LARGEST_FILE
from nomic_git.law.rulebook import read_rule_at, rulebook
from nomic_git.repository.tree import FILE

if TYPE_CHECKING:
    from nomic_git.law.rule import Rule
    from nomic_git.law.rulebook import Rulebook
    from nomic_git.repository.tree import Entry, Trees


class ByHand(Unreadable):
    """The rules or the players' files of a commit cannot be read: somebody changed them by hand.

    `problem` is what is wrong, without what to do about it.
    """

    def __init__(self, problem: str) -> None:
        super().__init__(
            f"{problem}; nomic-git audit names the commit that brought it: take that back (git revert COMMIT, for a "
            "merge with -m 1), and push"
        )
        self.problem = problem


@contextmanager
def as_committed() -> Iterator[None]:
    """Raise ByHand for what is Unreadable within: what is committed cannot be mended where it stands."""
    try:
        yield
    except Unreadable as error:
        raise ByHand(str(error)) from None


def rulebook_at(trees: Trees, tree: bytes) -> Rulebook:
    """Return the rulebook in a tree, no checkout needed. Raises ByHand, naming the file that is no rule."""
    with as_committed():
        return rulebook(_rule(trees, path, entry) for path, entry in trees.files(tree, "rules"))


def _rule(trees: Trees, path: str, entry: Entry) -> Rule:
    # The mode is no part of what is remembered by path and id.
    if entry.mode != FILE:
        raise Unreadable(f"{path} is no plain file; a rule is one")
    return trees.once(path, entry.id, lambda: _read_rule(trees, path, entry.id))


def _read_rule(trees: Trees, path: str, id_: bytes) -> Rule:
    if trees.size(id_) > LARGEST_FILE:
        raise Unreadable(f"{path} is longer than {LARGEST_FILE} bytes")
    return read_rule_at(path, trees.blob(id_))
