"""Teams: who plays together, as the players' own files say."""

from __future__ import annotations

from dataclasses import replace

import pytest
from table import join, law, play, proposal, seated

from nomic_git.game.player import read_player, write_player
from nomic_git.game.team import are_team_mates, teams


def in_teams(**names):
    position = seated(law("players.joining: open"), *names)
    files = {
        login: read_player(login, f"---\nteam: {team}\n---\n".encode() if team else b"")
        for login, team in names.items()
    }
    return replace(position, players=files)


def test_the_team_of_each_player_who_has_one():
    assert teams(in_teams(alice="Red", bob="blue", carol=None)) == {"alice": "red", "bob": "blue"}


@pytest.mark.parametrize(
    ("one", "other", "mates"),
    [
        ("Red", "red", True),
        ("RED TEAM", "red  team", True),
        ("Ma\u00f1ana", "man\u0303ana", True),
        ("Stra\u00dfe", "STRASSE", True),
        ("red", "blue", False),
        ("red", None, False),
        (None, None, False),
    ],
)
def test_names_of_teams_are_compared_as_words(one, other, mates):
    position = in_teams(alice=one, bob=other)
    assert are_team_mates(position, "alice", "BOB") is mates
    assert are_team_mates(position, "Bob", "Alice") is mates
    assert not are_team_mates(position, "alice", "alice")


def test_nobody_outside_the_game_is_a_team_mate():
    assert not are_team_mates(in_teams(alice="red", bob="red"), "alice", "eve")


def test_who_joins_names_a_team():
    position = in_teams(alice="red", bob=None)
    source = write_player("eve", name="Eve", team="Red").source
    there, _ = play(position, [proposal(1, "eve", join("eve", source))])
    assert are_team_mates(there, "eve", "alice")
    assert there.players["eve"].team == "Red"
