"""Players' files and the logins that name them (section 2)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from table import tried

from nomic_git.game.player import (
    Player,
    is_login,
    player_path,
    read_player,
    read_player_path,
    seated_player,
    write_player,
)
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


@pytest.mark.parametrize(
    ("asked", "seated"),
    [
        (b"", b"---\nid: 7\n---\n"),
        (b"Hello.\r\n", b"---\r\nid: 7\r\n---\r\nHello.\r\n"),
        (b"---\nname: Zo\xc3\xab\nteam: 7\n---\nHi.", b"---\nname: Zo\xc3\xab\nid: 7\nteam: 7\n---\nHi."),
        (b"---\nid: 8 # somebody else's\nname: Z\n---\n", b"---\nid: 7\nname: Z\n---\n"),
        (b"---\nname: Z\nid:   7 # mine\n---\n", b"---\nname: Z\nid:   7 # mine\n---\n"),
    ],
    ids=["nothing", "words", "front matter", "another's", "the account's"],
)
def test_the_id_is_written_into_the_file_and_no_other_byte_changes(asked, seated):
    player = seated_player("zoe", asked, 7)
    assert (player.source, player.id) == (seated, 7)
    assert player == read_player("zoe", seated)


@pytest.mark.parametrize("source", [b"", b"Hello.\n", b"---\nid: 8\n---\n"])
def test_where_there_are_no_accounts_the_file_stays_as_it_is(source):
    assert seated_player("zoe", source, None) == read_player("zoe", source)


@pytest.mark.parametrize("source", [b"---\n", b"---\nid: zoe\n---\n", b"---\nshoe-size: 43\n---\n", b"\xff"])
def test_a_file_that_cannot_be_read_seats_nobody_whatever_the_account(source):
    with pytest.raises(Unreadable):
        seated_player("zoe", source, 7)


@given(st.binary() | st.text().map(lambda words: f"---\n{words}\n---\n".encode()), st.integers(1, 10**18 - 1))
def test_any_file_is_given_the_id_once_or_is_clearly_refused(source, account):
    found = tried(seated_player, "zoe", source, account)
    if not isinstance(found, str):
        assert found.id == account
        assert seated_player("zoe", found.source, account) == found


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
