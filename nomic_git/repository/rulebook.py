"""The rulebook read from the tree of a commit, each file of it once (design section 5)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nomic_git.law.errors import Unreadable
from nomic_git.law.front_matter import LARGEST_FILE
from nomic_git.law.rulebook import read_rule_at, rulebook
from nomic_git.repository.tree import FILE

if TYPE_CHECKING:
    from nomic_git.law.rule import Rule
    from nomic_git.law.rulebook import Rulebook
    from nomic_git.repository.tree import Entry, Trees


def rulebook_at(trees: Trees, tree: bytes) -> Rulebook:
    """Return the rulebook in a tree, no checkout needed. Raises Unreadable, naming the file that is no rule."""
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
