"""Whole games at random in memory: they are the same for the same seed, and nothing in them is irregular."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.playing import MOST_TURNS, OF_A_TURN
from benchmarks.simulation import FIGURES, NAMES, NEVER, POINTS, STALEMATE, game, record, simulate, table
from nomic_git.game.replay import follow
from nomic_git.game.turns import mover
from nomic_git.law.precedence import read_law

ROOT = Path(__file__).parents[1]
GAMES = 4


@pytest.fixture(scope="module", params=NAMES)
def games(request):
    return [game(request.param, 1, number) for number in range(GAMES)]


def test_every_event_follows_from_the_position_before_it(games):
    for step in (step for one in games for step in one.steps):
        there = follow(step.before, step.event, step.change, step.undone)
        assert there == replace(step.after, last="")


def test_a_law_that_comes_from_another_is_what_reading_it_anew_finds(games):
    for step in (step for one in games for step in one.steps if step.after.law is not step.before.law):
        assert step.after.law == read_law(step.after.law.rulebook)


def test_each_game_goes_on_until_it_is_won_or_long_enough(games):
    for one in games:
        assert one.is_over
        assert (one.position.state.winner is None) is (record(one).end == NEVER)
        assert record(one).end in {POINTS, STALEMATE} or one.turns == MOST_TURNS


def test_only_whose_turn_it_is_moves(games):
    for step in (step for one in games for step in one.steps if step.event.kind in OF_A_TURN):
        assert mover(step.before) in {None, step.event.player}


def test_nobody_moves_twice_in_a_circuit(games):
    for one in games:
        moved = set()
        for step in one.steps:
            if step.event.kind in OF_A_TURN:
                seat = step.after.state.seat(step.event.player)
                assert (seat.login, seat.moved) not in moved
                moved = {*moved, (seat.login, seat.moved)} if seat.moved else set()


def test_what_is_told_adds_up(games):
    for one in games:
        told = record(one)
        assert told.turns == sum(told.voted.values()) <= MOST_TURNS
        assert all(told.adopted[kind] <= told.voted[kind] for kind in told.adopted)
        assert (told.margin is None) is (told.end != POINTS)


def test_the_same_seed_gives_the_same_table_and_another_gives_another():
    def told(seed: int) -> str:
        return table({name: simulate(name, 2, seed) for name in NAMES})

    assert told(7) == told(7) != told(8)


def test_the_program_prints_the_table():
    words = ["--games", "2", "--seed", "7", "--rules", "github", "--jobs", "2", "--markdown"]
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.simulation", *words], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout == table({"github": simulate("github", 2, 7)}) + "\n"
    assert "games a minute" in done.stderr


def test_the_same_games_give_the_same_plot(tmp_path):
    pytest.importorskip("matplotlib")
    from benchmarks.plot import draw

    found = {name: simulate(name, 3, 7) for name in NAMES}
    for name in ("one.svg", "two.svg"):
        draw(found, tmp_path / name)
    assert (tmp_path / "one.svg").read_bytes() == (tmp_path / "two.svg").read_bytes()


def test_the_page_has_the_figures_that_the_program_prints():
    page = (ROOT / "docs" / "simulation.md").read_text("utf-8")
    heading = f"|  | {' | '.join(f'`{name}`' for name in NAMES)} |"
    assert heading in page
    assert [line.split(" | ")[0] for line in page.splitlines() if line.startswith("| ")][2:] == [
        f"| {what}" for what in FIGURES
    ]
