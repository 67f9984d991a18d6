"""Positions read from the trees of commits: the law, the roll call and the scores (design section 5)."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from nomic_git.game.player import Player, read_player, read_player_path
from nomic_git.game.position import Position
from nomic_git.law.errors import Unreadable
from nomic_git.law.precedence import read_law
from nomic_git.repository.rulebook import as_committed, rulebook_at
from nomic_git.repository.scores import state_at as state_at
from nomic_git.repository.settings import NOMIC_TOML, Settings, read_settings
from nomic_git.repository.tree import FILE

if TYPE_CHECKING:
    from nomic_git.repository.tree import Trees

EMPTY_FOLDER = "players/.gitkeep"
"""Keeps the folder there in a game that nobody has joined yet, so that a web page shows where to add a file."""


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


def language_at(trees: Trees, tree: bytes | None) -> str:
    """Return the game's language by the `nomic.toml` in a tree, a BCP 47 tag.

    It is that of a game without settings where they cannot be read: what is no law stops no game, and no audit.
    """
    if tree is None:
        return Settings().language
    return trees.once(NOMIC_TOML, trees.id(tree, NOMIC_TOML), lambda: _language(trees.file(tree, NOMIC_TOML)))


def _language(source: bytes | None) -> str:
    try:
        return read_settings(source or b"").language
    except Unreadable:
        return Settings().language


def position_at(trees: Trees, tree: bytes) -> Position:
    """Return the position in a tree. Raises Unreadable, naming the file that cannot be read."""
    law = trees.once("rules", trees.id(tree, "rules"), lambda: read_law(rulebook_at(trees, tree)))
    with as_committed():
        players = trees.once("players", trees.id(tree, "players"), lambda: players_at(trees, tree))
    return Position(law, players, state_at(trees, tree), language=language_at(trees, tree))
