"""Which rooms a command loads: no more than it needs, so that it starts fast."""

from __future__ import annotations

import subprocess
import sys

import pytest
from program import Game

LOADED = (
    "import sys; from nomic_git.cli.main import run; code = run(sys.argv[1:]); "
    "print('\\0', *sorted(one for one in sys.modules if one.startswith(('nomic_git.', 'yaml')))); sys.exit(code)"
)


def loaded(game: Game, *call: str) -> set[str]:
    """Return the modules of ours, and of PyYAML, that a call of the program has loaded."""
    done = subprocess.run(
        [sys.executable, "-c", LOADED, *call], cwd=game.folder, capture_output=True, text=True, check=True
    )
    return {one.removeprefix("nomic_git.") for one in done.stdout.rpartition("\0")[2].split()}


COMMANDS = {"begin", "check", "judgment", "proposing", "results", "rulebook", "seats", "voting"}


@pytest.mark.parametrize(("call", "room"), [("scores", "results"), ("rules", "rulebook"), ("players", "seats")])
def test_a_command_loads_no_other_room_of_commands(played: Game, call: str, room: str) -> None:
    there = {f"cli.{one}" for one in COMMANDS} & loaded(played, call)
    assert there - {"cli.proposing"} == {f"cli.{room}"}


def test_the_rules_are_listed_without_the_game(played: Game) -> None:
    there = loaded(played, "rules")
    assert not {one for one in there if one.startswith(("game.", "referee.", "forges.", "locales"))}
    assert not {"law.rule_change", "yaml"} & there


def test_the_scores_are_told_without_the_rooms_of_events_and_judgments(played: Game) -> None:
    there = loaded(played, "scores")
    assert not {one for one in there if one.startswith("referee.")}
    heavy = {"game.event", "game.judgment", "game.tally", "game.proposal", "law.rule_change", "repository.branch"}
    assert not {*heavy, "forges.local", "repository.history", "cli.prospect", "yaml"} & there


def test_the_life_of_a_rule_is_told_without_the_law_and_the_rounds(played: Game) -> None:
    there = loaded(played, "history", "-105")
    assert not {one for one in there if one.startswith(("referee.", "forges.", "locales"))}
    heavy = {"game.event", "game.judgment", "game.tally", "game.surname", "law.precedence", "law.rule_change"}
    assert not {*heavy, "repository.position", "repository.rounds", "yaml"} & there
