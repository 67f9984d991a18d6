"""Games whose turns go by surname: founding, joining, who sits where, and the language that decides it."""

from __future__ import annotations

from pathlib import Path

import pytest
from program import Game, ask


@pytest.fixture
def mail(tmp_path: Path) -> Game:
    """A game by surname of anna Åberg, bela Zorn and cili Czakó."""
    game = Game(tmp_path / "mail")
    game.folder.mkdir()
    names = "anna=Åberg, Anna", "bela=Zorn, Béla <bela@x.invalid>", "cili=Czakó, Cili"
    game.does("new", ".", "--rules", "suber-mail", *(word for name in names for word in ("--player", name)))
    return game


def order(game: Game) -> list[str]:
    return [one["login"] for one in game.json("players")]


def speak(game: Game, language: str) -> None:
    """Change the game's language, as an owner does it: by an ordinary commit."""
    settings = game.folder / "nomic.toml"
    settings.write_text(settings.read_text("utf-8").replace('language = "en"', f'language = "{language}"'), "utf-8")
    game.git("-c", "user.name=A", "-c", "user.email=a@x.invalid", "commit", "-q", "-a", "-m", "Change the language")


def test_a_surname_before_a_comma_gives_both_names(mail: Game) -> None:
    source = (mail.folder / "players" / "anna.md").read_text("utf-8")
    assert source == '---\nname: "Anna Åberg"\nsurname: "Åberg"\n---\n'
    assert [(one["login"], one["name"], one["surname"]) for one in mail.json("players")] == [
        ("anna", "Anna Åberg", "Åberg"),
        ("cili", "Cili Czakó", "Czakó"),
        ("bela", "Béla Zorn", "Zorn"),
    ]


def test_players_shows_surnames_where_turns_go_by_them(mail: Game, game: Game) -> None:
    said = mail.does("players").splitlines()
    assert said[0].split() == ["Player", "Surname", "Name", "E-mail", "Joined"]
    assert [line.split()[:2] for line in said if "Zorn" in line] == [["bela", "Zorn"]]
    assert "Surname" not in game.does("players")


def test_the_games_language_says_where_a_surname_stands(mail: Game) -> None:
    assert order(mail) == ["anna", "cili", "bela"]
    speak(mail, "sv")
    assert order(mail) == ["cili", "bela", "anna"]
    mail.does("join", "--as", "dora", "--name", "Dora Csaba", "--surname", "Csaba")
    assert mail.json("audit") == {"events": 1, "irregular": [], "scores_match": True}


@pytest.mark.parametrize("written", ["ben", "ben=Ben Bell", "ben=Ben Bell <b@x.invalid>"])
def test_founding_without_a_surname_is_refused_and_says_how_to_give_it(tmp_path: Path, written: str) -> None:
    answer = ask("new", tmp_path / "ours", "--rules", "suber-mail", "--player", "anna=Åberg, Anna", "--player", written)
    assert (answer.code, answer.out) == (2, "")
    assert answer.err == (
        'nomic-git: turns go by surname in this game (rule 201); give one for ben: --player "ben=Surname, Given"\n'
    )
    assert not (tmp_path / "ours").exists()


def test_a_game_of_another_order_needs_no_surnames(tmp_path: Path) -> None:
    assert ask("new", tmp_path / "ours", "--rules", "suber", "--player", "ben", "--player", "eve=Eve").code == 0


def test_joining_without_a_surname_is_refused_before_anything_is_written(mail: Game) -> None:
    before = mail.everything()
    answer = mail.ask("join", "--as", "dora", "--name", "Dora Dahl")
    assert (answer.code, answer.out) == (2, "")
    assert answer.err == (
        "nomic-git: turns go by surname in this game (rule 201); give yours: nomic-git join --surname SURNAME\n"
    )
    assert mail.everything() == before
    assert "let dora join" in mail.does("join", "--as", "dora", "--surname", "Dahl")


@pytest.fixture
def turned(game: Game) -> Game:
    """The `github` game of alice, bob and carol, once a rule has made it go by surname."""
    words = "---\nprovisions:\n  turns.order: by-surname\n---\n\nTurns go by surname.\n"
    game.does("propose", "amend", "-112", game.write("order.md", words), "--as", "alice")
    game.vote(1, bob="for", carol="for")
    game.does("referee")
    return game


def test_a_player_gives_a_surname_when_turns_have_come_to_go_by_it(turned: Game) -> None:
    assert order(turned) == ["alice", "bob", "carol"]
    said = turned.does("surname", "Zwack", "--as", "alice")
    assert said.startswith("Proposal 2: seat alice by surname, by alice\nIt is granted;")
    assert turned.ask("surname", "Abel", "--as", "alice").err.startswith(
        "nomic-git: alice has asked to add a surname already: proposal 2; "
    )
    assert "Seat alice by surname, by proposal 2" in turned.does("referee")
    assert order(turned) == ["bob", "carol", "alice"]
    assert turned.json("players")[-1]["surname"] == "Zwack"
    assert (turned.folder / "players" / "alice.md").read_text() == "---\nname: Alice\nsurname: Zwack\n---\n"
    assert [one["event"] for one in turned.json("log")] == ["founded", "adopted", "surnamed"]
    assert turned.json("tally", "2")["change"] == {"kind": "surname", "rule": None}
    assert turned.json("audit")["irregular"] == []


def test_it_waits_for_the_end_of_a_turn_that_has_begun(turned: Game) -> None:
    turned.does("propose", "repeal", "-106", "--as", "bob")
    said = turned.does("surname", "B", "--as", "carol")
    assert "Who sits where changes between turns, and bob has begun one." in said
    turned.vote(2, alice="for", carol="for")
    turned.does("referee")
    assert [one["event"] for one in turned.json("log")][-2:] == ["adopted", "surnamed"]


@pytest.mark.parametrize(
    ("given", "login", "says"),
    [
        ("", "bob", "surname is to be one line of text"),
        ("Z" * 300, "bob", "surname is to be one line of text, not empty, at most 200 characters"),
        ("A\nB", "bob", "surname is to be one line of text"),
        ("Zorn", "zoe", "zoe is not a player"),
    ],
)
def test_what_is_no_surname_or_nobodys_is_refused(turned: Game, given: str, login: str, says: str) -> None:
    before = turned.everything()
    answer = turned.ask("surname", given, "--as", login)
    assert (answer.code, answer.out, answer.err.count("\n")) == (2, "", 1)
    assert says in answer.err
    assert turned.everything() == before


def test_who_has_a_surname_keeps_it_and_who_needs_none_gives_none(mail: Game, game: Game) -> None:
    assert "The file of anna gives a surname already." in mail.ask("surname", "Abel", "--as", "anna").err
    assert "Turns in this game do not go by surname" in game.ask("surname", "Abel", "--as", "bob").err


def test_check_tells_what_the_referee_would_say_of_a_surname(turned: Game, mail: Game) -> None:
    file = turned.folder / "players" / "bob.md"
    file.write_text("---\nname: Bob\nsurname: Zorn\n---\n")
    turned.git("switch", "-q", "-c", "mine")
    turned.git("add", "-A")
    answer = turned.ask("check", "--staged")
    assert (answer.code, answer.out) == (0, "Seat bob by surname: in order.\n")
    anna = mail.folder / "players" / "anna.md"
    anna.write_text(anna.read_text("utf-8").replace('surname: "\u00c5berg"', "surname: Abel"), "utf-8")
    mail.git("switch", "-q", "-c", "mine")
    mail.git("add", "-A")
    answer = mail.ask("check", "--staged")
    assert (answer.code, "gives a surname already" in answer.out + answer.err) == (1, True)


def test_who_has_no_surname_is_asked_for_one_when_turns_come_to_go_by_it(game: Game) -> None:
    rule = "---\nprovisions:\n  turns.order: by-surname\n---\n\nTurns go by surname.\n"
    game.does("propose", "amend", "-112", game.write("turns.md", rule), "--as", "alice")
    game.vote(1, bob="for", carol="for")
    asked = "Sorted by login, until they give a surname (rule 1): {}. To give yours: nomic-git surname SURNAME\n"
    assert asked.format("alice, bob, carol") in game.does("referee")
    game.does("surname", "Zorn", "--as", "alice")
    assert asked.format("bob, carol") in game.does("referee")
    assert asked.format("bob, carol") in game.does("players")
    assert "Sorted by login" not in game.does("referee")


def test_a_surname_that_nobody_asks_for_is_refused_with_nothing_to_withdraw(game: Game, mail: Game) -> None:
    said = game.ask("surname", "Zorn", "--as", "alice").err
    assert "Turns in this game do not go by surname, so nobody needs to give one." in said
    assert "Withdraw" not in said
    assert "not empty" in game.ask("surname", "", "--as", "alice").err
    assert "Withdraw" not in mail.ask("surname", "Abel", "--as", "anna").err
