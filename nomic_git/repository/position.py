"""Positions read from the trees of commits: the rulebook, the roll call and the scores (design section 5)."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from nomic_git.game.player import Player, read_player, read_player_path
from nomic_git.game.position import Position
from nomic_git.game.state import read_state
from nomic_git.law.errors import Unreadable
from nomic_git.law.front_matter import LARGEST_FILE
from nomic_git.law.precedence import read_law
from nomic_git.law.rulebook import read_rule_at, rulebook
from nomic_git.repository.clone import SCORES
from nomic_git.repository.tree import FILE

if TYPE_CHECKING:
    from nomic_git.game.state import State
    from nomic_git.law.rule import Rule
    from nomic_git.law.rulebook import Rulebook
    from nomic_git.repository.tree import Entry, Trees

EMPTY_FOLDER = "players/.gitkeep"
"""Keeps the folder there in a game that nobody has joined yet, so that a web page shows where to add a file."""


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


def players_at(trees: Trees, tree: bytes) -> Mapping[str, Player]:
    """Return the players' files in a tree by login. Raises Unreadable, naming the file that is none."""
    players = {}
    for path, entry in trees.files(tree, "players"):
        if path == EMPTY_FOLDER:
            continue
        login = read_player_path(path)
        if login is None or entry.mode != FILE:
            raise Unreadable(f"{path} is no player's file; it is players/LOGIN.md, a plain file")
        try:
            players[login] = read_player(login, trees.blob(entry.id))
        except Unreadable as error:
            raise Unreadable(f"{path}: {error}") from None
    return MappingProxyType(players)


def state_at(trees: Trees, tree: bytes) -> State:
    """Return where the game stands by the `scores.json` in a tree. Raises Unreadable."""
    source = trees.file(tree, SCORES)
    if source is None:
        raise Unreadable(f"{SCORES} is missing; restore it from the last event's commit")
    return read_state(source)


def position_at(trees: Trees, tree: bytes) -> Position:
    """Return the position in a tree. Raises Unreadable, naming the file that cannot be read."""
    law = trees.once("rules", trees.id(tree, "rules"), lambda: read_law(rulebook_at(trees, tree)))
    players = trees.once("players", trees.id(tree, "players"), lambda: players_at(trees, tree))
    return Position(law, players, state_at(trees, tree))
