"""Players' files and the logins that name them (section 2)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from table import tried

from nomic_git.game.player import Player, is_login, player_path, read_player, read_player_path, write_player
from nomic_git.law.errors import Unreadable


def test_a_players_file_says_who_it_seats():
    source = b"---\nname: Zo\xc3\xab\nsurname: van Dam\nid: 583231\nemail: zoe@example.org\nteam: 7\n---\n\nHello.\n"
    assert read_player("zoe", source) == Player("zoe", source, "Zoë", "van Dam", 583231, "zoe@example.org", "7")
    assert read_player("zoe", source).called == "Zoë"


def test_a_file_without_a_word_seats_a_player_all_the_same():
    assert read_player("zoe-1", b"").called == "zoe-1"
    assert read_player("zoe", b"Just words.\n").name is None


@pytest.mark.parametrize(
    "matter",
    [
        "shoe-size: 43",
        "id: zoe",
        "id: 0",
        "id: true",
        "name: [a]",
        "name: ''",
        "team: true",
        "name: " + "x" * 201,
        'name: "A\\tB"',
        "surname: a\tb",
    ],
)
def test_what_no_player_has_is_refused(matter):
    with pytest.raises(Unreadable):
        read_player("zoe", f"---\n{matter}\n---\n".encode())


def test_a_long_key_is_not_repeated_whole():
    with pytest.raises(Unreadable) as error:
        read_player("zoe", f"---\n{'x' * 1000}: 1\n---\n".encode())
    assert len(str(error.value)) < 200


@given(st.binary() | st.text().map(lambda words: f"---\n{words}\n---\n".encode()))
def test_any_bytes_seat_a_player_or_give_a_clear_error(source):
    found = tried(read_player, "zoe", source)
    assert isinstance(found, str) or found.source == source


LINES = st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=50)


@given(st.none() | LINES, st.none() | LINES, st.none() | LINES)
def test_what_is_written_is_read_again(name, surname, email):
    player = write_player("zoe", name=name, surname=surname, email=email)
    assert (player.name, player.surname, player.email) == (name, surname, email)
    assert read_player("zoe", player.source) == player


@pytest.mark.parametrize("login", ["", "a b", "a/b", "../a", "a.md", "zoë", "a\n", "x" * 101, "٣"])
def test_what_can_be_no_login_is_refused(login):
    assert not is_login(login)
    assert read_player_path(player_path(login)) is None
    with pytest.raises(Unreadable):
        read_player(login, b"")


@pytest.mark.parametrize("login", ["zoe", "Zo-E_9", "x" * 100, "-", "007"])
def test_a_login_names_a_file(login):
    assert is_login(login)
    assert read_player_path(player_path(login)) == login


@pytest.mark.parametrize("path", ["players/zoe", "zoe.md", "players/a/zoe.md", "Players/zoe.md", "players/.md"])
def test_other_paths_seat_nobody(path):
    assert read_player_path(path) is None
