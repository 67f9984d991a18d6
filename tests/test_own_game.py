"""This repository is a game itself: a `github` game just founded, as `nomic-git new` founds one."""

from __future__ import annotations

from pathlib import Path

from nomic_git.game.state import read_state
from nomic_git.repository.founding import found, shipped
from nomic_git.repository.settings import read_settings

ROOT = Path(__file__).parents[1]
GAME = ("rules", "players", "scores.json", "SCORES.md", "nomic.toml")


def files_of(folder: Path) -> dict[str, bytes]:
    """The game's files below a folder, by path."""
    found_ = [folder / name for name in GAME if (folder / name).is_file()]
    found_ += [path for name in GAME for path in (folder / name).rglob("*") if path.is_file()]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in found_}


def test_its_files_are_what_the_command_writes(tmp_path: Path) -> None:
    time = read_state((ROOT / "scores.json").read_bytes()).time
    settings = read_settings((ROOT / "nomic.toml").read_bytes())
    found(tmp_path / "new", shipped("github", "en"), {}, settings, time)
    assert files_of(ROOT) == files_of(tmp_path / "new")
