"""The run's page lists what the players are to see to, and nobody can fill it with pull requests."""

from __future__ import annotations

from pathlib import Path

from scene import game

from nomic_git.referee.summary import run_page

SPAM = "Beside these, {} by strangers {} open, on which the referee says nothing."


def test_strangers_proposals_on_which_nothing_is_said_are_only_counted(tmp_path: Path) -> None:
    it = game(tmp_path / "game")
    it.enact("mallory", name="spam")
    it.propose("oscar", {"players/oscar.md": b"---\nunknown: 1\n---\n"})
    number = it.enact("alice")
    it.propose("erin", {"players/erin.md": b"---\nname: Erin\n---\n"}, draft=True)
    page = run_page(it.sit(), {}, name="game", web=None)
    assert f"| {number} | enact a rule |" in page
    assert "let erin join" in page
    assert "mallory" not in page
    assert "oscar" not in page
    assert SPAM.format(2, "are") in page


def test_where_strangers_alone_have_proposed_none_is_the_players(tmp_path: Path) -> None:
    it = game(tmp_path / "game")
    it.enact("mallory")
    page = run_page(it.sit(), {}, name="game", web=None)
    assert f"None of the players' is open.\n\n{SPAM.format(1, 'is')}\n" in page
