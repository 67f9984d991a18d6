"""A real game that comes to go by surname: a player gives one, what the referee says, and what the audit finds."""

from __future__ import annotations

from pathlib import Path

import pytest
from forgery import forge
from scene import Scene, another, game, git, rules

from nomic_git.game.event import Event, EventKind
from nomic_git.game.player import player_path
from nomic_git.game.turns import mover, playing_order
from nomic_git.law.rule_change import NewSurname
from nomic_git.repository.audit import audit

CLOCKWISE = b"---\nprovisions:\n  turns.order: clockwise\n---\n\nTurns go round the table.\n"
MAJORITY = (-110, b"---\nprovisions:\n  adoption.threshold: simple-majority\n---\n\nMost decide.\n")
BOB = "players/bob.md"


@pytest.fixture
def it(tmp_path: Path) -> Scene:
    """A game in which turns went clockwise until alice's proposal made them go by surname; it is bob's turn."""
    scene = game(tmp_path / "game", book=rules((-112, CLOCKWISE), MAJORITY))
    number = scene.amend("alice", -112, b"clockwise", b"by-surname")
    scene.vote(number, "for", "bob", "carol", "dave")
    scene.sit()
    assert mover(scene.position) == "bob"
    return scene


def names(it: Scene, login: str, surname: str, *, path: str = "") -> int:
    path = path or player_path(login)
    return it.propose(login, {path: it.file(path).replace(b"---\nname", b"---\nsurname: %s\nname" % surname.encode())})


def irregular(it: Scene) -> list[str]:
    return [one.what for one in audit(it.clone).irregular]


def test_a_player_gives_a_surname_between_turns_and_sits_by_it(it: Scene) -> None:
    number = names(it, "bob", "Zorn")
    assert [one.event.kind for one in it.sit().done] == ["surnamed"]
    assert it.history()[0] == f"Seat bob by surname, by proposal {number}"
    assert it.file(BOB) == b"---\nsurname: Zorn\nname: Bob\n---\n"
    assert "It was **adopted**; bob sits by surname." in it.said(number)
    assert playing_order(it.position) == ("alice", "carol", "dave", "bob")
    assert mover(it.position) == "carol"
    assert not it.sit().done
    assert it.clean()
    assert irregular(it) == []


def test_while_a_turn_goes_on_it_waits_and_says_for_what(it: Scene) -> None:
    turn = it.enact("bob")
    it.sit()
    number = names(it, "carol", "Zorn")
    it.sit()
    assert "Who sits where changes between turns, and bob has begun one." in it.said(number)
    it.vote(turn, "for", "alice", "carol", "dave")
    assert [one.event.kind for one in it.sit().done] == ["adopted", "surnamed"]
    assert mover(it.position) == "dave"
    assert irregular(it) == []


MISTAKES = {
    "another's file": ("alice", BOB, "Zorn", "`players/bob.md`, and its author is alice in this game"),
    "what is no surname": ("bob", BOB, "[A, B]", "surname is to be one line of text"),
    "what is no front matter": ("bob", BOB, "[", "The player's file cannot be read"),
}


@pytest.mark.parametrize(("login", "path", "surname", "says"), MISTAKES.values(), ids=MISTAKES)
def test_each_mistake_gets_one_answer(it: Scene, login: str, path: str, surname: str, says: str) -> None:
    number = names(it, login, surname, path=path)
    assert not it.sit().done
    assert says in it.said(number)
    assert it.said(number).count("\n- ") == 1


def test_a_surname_that_is_there_stays(it: Scene) -> None:
    names(it, "bob", "Zorn")
    it.sit()
    number = it.propose("bob", {BOB: it.file(BOB).replace(b"Zorn", b"Aachen")})
    it.sit()
    rule = it.position.law.rule("turns.order")
    assert "The file of bob gives a surname already." in it.said(number)
    assert f"Withdraw it. (rule {rule})" in it.said(number)


def test_where_turns_go_otherwise_none_is_needed(tmp_path: Path) -> None:
    scene = game(tmp_path / "game")
    number = names(scene, "bob", "Zorn")
    scene.sit()
    assert "Turns in this game do not go by surname" in scene.said(number)


def test_the_audit_finds_a_surname_that_nobody_could_give(it: Scene) -> None:
    names(it, "bob", "Zorn")
    it.sit()
    head = it.propose("bob", {BOB: it.file(BOB).replace(b"Zorn", b"Aachen")})
    rule = it.position.law.rule("turns.order")
    event = Event(EventKind.SURNAMED, it.tick(), proposal=head, player="bob", head=it.forge.head(head), rule=rule)
    forge(it, event, NewSurname("bob", it.file(BOB).replace(b"Zorn", b"Aachen")))
    assert ["The file of bob gives a surname already." in one for one in irregular(it)] == [True]


def test_the_audit_needs_no_head_of_who_gave_a_surname(it: Scene) -> None:
    names(it, "bob", "Zorn")
    it.sit()
    for ref in git(it.folder, "for-each-ref", "--format=%(refname)", "refs/nomic/").split():
        git(it.folder, "update-ref", "-d", ref)
    git(it.folder, "reflog", "expire", "--expire=now", "--all")
    git(it.folder, "gc", "-q", "--prune=now")
    assert irregular(another(it.folder, it)) == []
