"""The benchmarks run, in games small enough for a test, and the games that they make are in order."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.generate import AMENDED, busy_game, long_game
from nomic_git.forges.local import LocalForge
from nomic_git.referee.sitting import sit
from nomic_git.repository.audit import audit
from nomic_git.repository.clone import open_clone
from nomic_git.repository.lives import life

SIZE = 40


@pytest.fixture(scope="module")
def game(tmp_path_factory):
    folder = tmp_path_factory.mktemp("games") / "long"
    long_game(folder, SIZE)
    return open_clone(folder)


def test_a_long_game_is_regular_and_leaves_a_clean_work_tree(game):
    found = audit(game)
    assert (found.irregular, found.scores_match) == ((), True)
    assert found.events > SIZE
    assert game.git("status", "--short") == ""


def test_a_long_game_amends_one_rule_again_and_again(game):
    assert [one.kind for one in life(game, AMENDED)] == ["founded"] + ["amend"] * (SIZE // 2)


def test_a_pass_over_a_long_game_finds_everything_done(game):
    report = sit(game, LocalForge(game), game.tip.commit_time)
    assert (report.done, report.comments) == ((), 0)


def test_the_same_size_makes_the_same_game(game, tmp_path):
    long_game(tmp_path / "again", SIZE)
    assert open_clone(tmp_path / "again").tip.id == game.tip.id


def test_nothing_is_due_of_a_full_docket_and_the_second_pass_says_nothing_new(tmp_path):
    busy_game(tmp_path / "busy", players=5, proposals=8, voters=5)
    clone = open_clone(tmp_path / "busy")
    now = clone.tip.commit_time + 10_000
    first = sit(clone, LocalForge(clone), now)
    assert (first.done, first.comments) == ((), 8)
    assert sit(clone, LocalForge(clone), now).comments == 0


@pytest.mark.long
def test_the_benchmarks_measure_every_command_beside_the_nearest_of_gits():
    small = ["--sizes", "10", "--players", "3", "--open", "4", "--times", "1", "--json"]
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks", *small],
        cwd=Path(__file__).parents[1],
        capture_output=True,
        text=True,
        check=True,
    )
    rows = json.loads(done.stdout)
    assert [row["command"] for row in rows] == [
        "scores",
        "rules",
        f"history {AMENDED}",
        "log",
        "audit",
        "referee (one adoption)",
        "referee (first pass, 3 players)",
        "referee (next pass, 3 players)",
    ]
    assert all(row["ours"]["seconds"] > 0 and row["theirs"]["seconds"] > 0 and row["of_git"] > 0 for row in rows)
    assert next(row["added"] for row in rows if "adoption" in row["command"]) > 0
