"""Deadlines at GitHub: when the schedule has the referee look is told, and they hold to the second."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from github_game import MAJORITY, Game
from scene import rules

from nomic_git.locales import instant_text
from nomic_git.repository.audit import audit
from nomic_git.repository.workflows import next_run

if TYPE_CHECKING:
    from fake_github import FakeGitHub

HOURS = (-301, b"---\nprovisions:\n  votes.deadline: 36h\n---\n\nA night is enough.\n")


def test_the_comment_names_the_scheduled_look_and_the_vote_ends_at_its_deadline(
    github: FakeGitHub, tmp_path: Path, foundings: Path
) -> None:
    it = Game(github, tmp_path, rules(MAJORITY, HOURS), foundings=foundings)
    opened = github.clock.now
    number = it.propose("alice")
    it.approve(number, "bob")
    it.referee()
    said = it.text(number)
    ends = next(at for at in range(opened + 36 * 3600, opened + 36 * 3600 + 600) if instant_text(at) in said)
    assert "it waits for carol and dave" in said
    assert f"The next time the referee looks by itself after that is {instant_text(next_run(ends))}." in said
    assert it.rests()
    github.clock.now = next_run(ends)
    it.referee()
    assert it.stage(number) == "defeated"
    assert "carol and dave had not voted in time (rule -301)" in it.text(number)
    clone = it.clone()
    assert clone.tip.commit_time == ends
    assert audit(clone).irregular == ()
