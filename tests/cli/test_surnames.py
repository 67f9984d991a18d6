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
