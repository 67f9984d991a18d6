"""The tables at which these tests play: real games in folders of their own."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pygit2
import pytest
from program import FOUNDED, Game, play


@pytest.fixture(scope="session", autouse=True)
def _no_settings_of_ones_own(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Keep the git configuration of whoever runs the tests out of them."""
    nowhere = tmp_path_factory.mktemp("home")
    for level in (pygit2.enums.ConfigLevel.GLOBAL, pygit2.enums.ConfigLevel.XDG, pygit2.enums.ConfigLevel.SYSTEM):
        pygit2.settings.search_path[level] = str(nowhere)


@pytest.fixture(autouse=True)
def _surroundings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("GIT_COMMITTER_DATE", f"@{FOUNDED} +0000")
    for name in ("NO_COLOR", "GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(sys, "argv", ["nomic-git"])
    monkeypatch.chdir(tmp_path)


@pytest.fixture(scope="session")
def _shelf() -> dict[str, tuple[Path, int]]:
    return {}


def _put_up(shelf: dict[str, tuple[Path, int]], name: str, game: Game) -> None:
    # In one file what there will be hundreds of copies of.
    game.git("repack", "-a", "-d", "-q", "--keep-unreachable")
    shelf[name] = game.folder, game.clock


def _taken_down(shelf: dict[str, tuple[Path, int]], name: str, tmp_path: Path) -> Game:
    there, clock = shelf[name]
    shutil.copytree(there, tmp_path / "game", symlinks=True)
    return Game(tmp_path / "game", clock)


@pytest.fixture
def game(_shelf: dict[str, tuple[Path, int]], tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Game:
    """A `github` game of alice, bob and carol, just founded."""
    if "game" not in _shelf:
        founded = Game(tmp_path_factory.mktemp("founded") / "game")
        founded.folder.mkdir()
        seats = [word for login in ("alice", "bob", "carol") for word in ("--player", f"{login}={login.title()}")]
        founded.does("new", ".", *seats)
        _put_up(_shelf, "game", founded)
    return _taken_down(_shelf, "game", tmp_path)


@pytest.fixture
def played(
    game: Game, _shelf: dict[str, tuple[Path, int]], tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> Game:
    """The same game some proposals later: 1 to 6 are resolved, 7 is voted on, 8 is a draft."""
    if "played" not in _shelf:
        room = tmp_path_factory.mktemp("played")
        shutil.copytree(game.folder, room / "game", symlinks=True)
        later = Game(room / "game", game.clock)
        play(later)
        _put_up(_shelf, "played", later)
    shutil.rmtree(game.folder)
    return _taken_down(_shelf, "played", tmp_path)
