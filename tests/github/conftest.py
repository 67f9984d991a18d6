"""The games that the facts page is played in."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from github_game import MAJORITY, Game
from scene import rules

if TYPE_CHECKING:
    from pathlib import Path

    from fake_github import FakeGitHub


@pytest.fixture
def it(github: FakeGitHub, tmp_path: Path, foundings: Path) -> Game:
    """A game in which the majority decides as soon as it can."""
    return Game(github, tmp_path, rules(MAJORITY), foundings=foundings)


@pytest.fixture
def strict(github: FakeGitHub, tmp_path: Path, foundings: Path) -> Game:
    """A game by the rulebook that ships for GitHub: all are to agree, and one vote against ends it."""
    return Game(github, tmp_path, foundings=foundings)
