"""What the referee and the players' commands cost in requests, which GitHub limits (docs/performance.md)."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from benchmarks.on_github import DECISION, SWEEP, VOTE, a_game, fill, settle

if TYPE_CHECKING:
    from fake_github import FakeGitHub
    from github_scene import GitHubScene


@pytest.fixture
def scene(github: FakeGitHub, tmp_path: Path) -> GitHubScene:
    return a_game(github, tmp_path, 4)


def test_at_most_as_many_requests_are_made_as_were_asked_for() -> None:
    assert (VOTE, DECISION, SWEEP) == (3, 6, 10)


def test_a_vote_that_decides_nothing(scene: GitHubScene) -> None:
    number = scene.propose(scene.logins[0])
    scene.referee()
    for voter in scene.logins[1:3]:
        scene.approve(number, voter)
        assert scene.costs() <= VOTE
    assert scene.pull(number).open


def test_a_vote_that_adopts(scene: GitHubScene) -> None:
    number = scene.propose(scene.logins[0])
    scene.approve(number, *scene.logins[1:3])
    scene.referee()
    scene.approve(number, scene.logins[3])
    assert scene.costs() <= DECISION
    assert scene.pull(number).merged
    assert scene.costs() == 1


def test_a_vote_that_adopts_before_the_referee_ever_looked(scene: GitHubScene) -> None:
    number = scene.propose(scene.logins[0])
    scene.approve(number, *scene.logins[1:])
    assert scene.costs() <= DECISION
    assert scene.pull(number).merged


def test_a_vote_that_defeats(scene: GitHubScene) -> None:
    number = scene.propose(scene.logins[0])
    scene.referee()
    scene.refuse(number, scene.logins[1])
    assert scene.costs() <= DECISION
    assert scene.pull(number).state == "CLOSED"
    assert scene.costs() == 1


@pytest.mark.long
def test_a_hundred_open_proposals_with_thirty_reviews_each(github: FakeGitHub, tmp_path: Path) -> None:
    scene = a_game(github, tmp_path, 100)
    numbers = fill(scene, proposals=100, reviews=30)
    everything = settle(scene)
    assert scene.costs() <= SWEEP
    assert all(len(scene.said(number)) == 1 for number in numbers)
    assert all(scene.text(number).count("player-") >= 100 for number in numbers)
    # A label, a status and a comment each, and the looks of the passes that share them out.
    assert everything <= 3 * 100 + 10 * SWEEP
    scene.approve(numbers[0], scene.logins[-1])
    assert scene.costs() <= VOTE
    scene.refuse(numbers[1], scene.logins[-1])
    assert scene.costs() <= DECISION
    assert scene.pull(numbers[1]).state == "CLOSED"


@pytest.mark.long
def test_the_benchmark_counts_every_command() -> None:
    small = ["--open", "4", "--reviews", "1", "--times", "1", "--json"]
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.on_github", *small],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=True,
    )
    rows = json.loads(done.stdout)
    assert [(row["command"], row["what"], row["open"]) for row in rows] == [
        ("referee", "the last vote, which adopts", 0),
        ("referee", "a vote against, which defeats", 0),
        ("referee", "a vote that decides nothing", 1),
        ("referee", "nothing new", 1),
        ("referee", "the first pass", 4),
        ("referee", "nothing new", 4),
        ("referee", "a vote that decides nothing", 4),
        ("referee", "a vote against, which defeats", 3),
        ("proposals --mine", "on a player's machine", 3),
        ("tally 4", "on a player's machine", 3),
        ("vote 4 for", "on a player's machine", 3),
    ]
    assert all(row["requests"] <= row["asked"] for row in rows if row["asked"] is not None)
    assert all(row["requests"] == 1 for row in rows if row["command"].startswith(("proposals", "tally")))
