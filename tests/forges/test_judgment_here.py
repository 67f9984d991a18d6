"""What players say about judgments on the local forge, and what a vote is called there (design sections 5 and 8)."""

from __future__ import annotations

from pathlib import Path

import pytest
from scene import Scene, cloned, game, git, shared

from nomic_git.forges.log import Deed
from nomic_git.game.judgment import Move, Plea
from nomic_git.game.numbers import NONE

QUESTION = "Is  rule 203\nin force, @bob?"


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    return game(tmp_path / "game", "alice", "bob", "carol")


def says(scene: Scene, number: int, login: str, move: Move | str, words: str = "", time: int | None = None) -> int:
    at = scene.tick() if time is None else time
    scene.forge.note(login, number, Deed.JUDGMENT, at, word=str(move), words=words)
    return at


def test_what_is_said_is_kept_word_for_word_in_one_line_and_in_the_order_of_time(scene: Scene) -> None:
    number = scene.enact("alice")
    first = says(scene, number, "carol", Move.INVOKE, QUESTION)
    second = says(scene, number, "alice", Move.ASK, "@Bob")
    third = says(scene, number, "bob", Move.RULE, "legal, by rule 112")
    fourth = says(scene, number, "carol", Move.UPHOLD)
    (heard,) = scene.forge.submissions(NONE)
    assert heard.pleas == (
        Plea("carol", Move.INVOKE, first, "Is rule 203 in force, @bob?"),
        Plea("alice", Move.ASK, second, "Bob"),
        Plea("bob", Move.RULE, third, "legal, by rule 112"),
        Plea("carol", Move.UPHOLD, fourth),
    )
    assert heard == scene.heard(number)
    assert heard.remarks == ()


def test_the_log_says_the_move_in_its_trailer_and_the_words_in_its_tree(scene: Scene) -> None:
    number = scene.enact("alice")
    says(scene, number, "bob", Move.RULE, "legal")
    log = f"refs/nomic/proposals/{number}/log/bob"
    assert git(scene.folder, "log", "-1", "--format=%B", log).splitlines()[-2:] == ["Nomic-Log: judgment rule", ""]
    assert git(scene.folder, "show", f"{log}:words.md") == "legal"


def test_of_one_instant_a_question_comes_first_then_a_ruling_then_what_is_said_of_it(scene: Scene) -> None:
    number = scene.enact("alice")
    at = scene.tick()
    says(scene, number, "carol", Move.CONSENT, time=at)
    says(scene, number, "carol", Move.OVERRULE, time=at)
    says(scene, number, "Bob", Move.RULE, "legal", time=at)
    says(scene, number, "carol", Move.INVOKE, "Is it?", time=at)
    says(scene, number, "alice", Move.OVERRULE, time=at)
    assert [(one.player, one.move) for one in scene.heard(number).pleas] == [
        ("carol", Move.INVOKE),
        ("bob", Move.RULE),
        ("alice", Move.OVERRULE),
        ("carol", Move.OVERRULE),
        ("carol", Move.CONSENT),
    ]


def test_who_has_no_seat_says_nothing_about_judgments_and_what_is_no_move_is_passed_over(scene: Scene) -> None:
    number = scene.enact("alice")
    says(scene, number, "eve", Move.INVOKE, "Why?")
    says(scene, number, "bob", "dance")
    at = says(scene, number, "bob", Move.CONSENT)
    assert scene.heard(number).pleas == (Plea("bob", Move.CONSENT, at),)


def test_what_is_said_travels_and_is_joined_with_what_was_said_elsewhere(tmp_path: Path, scene: Scene) -> None:
    bare = shared(tmp_path, scene)
    number = scene.enact("alice")
    elsewhere = cloned(tmp_path, bare, "bob", scene.now)
    elsewhere.forge.fetch()
    says(scene, number, "bob", Move.INVOKE, "Why?")
    says(elsewhere, number, "bob", Move.CONSENT)
    scene.forge.fetch()
    assert [(one.move, one.said) for one in scene.heard(number).pleas] == [(Move.INVOKE, "Why?"), (Move.CONSENT, "")]


def test_a_vote_is_called_by_the_commit_of_its_entry(scene: Scene) -> None:
    number = scene.enact("alice")
    scene.vote(number, "for", "bob")
    entry = git(scene.folder, "rev-parse", f"refs/nomic/proposals/{number}/log/bob").strip()
    assert [(one.voter, one.id) for one in scene.heard(number).votes] == [("bob", entry)]


def test_a_resolved_proposal_that_is_not_left_out_comes_with_what_was_said_on_it_since(scene: Scene) -> None:
    number = scene.enact("alice")
    other = scene.enact("bob", "Be brief.", name="other")
    scene.vote(number, "for", "bob", "carol")
    scene.sit()
    assert number in scene.state.resolved
    at = says(scene, number, "carol", Move.INVOKE, "Why?")
    assert [one.number for one in scene.forge.submissions(scene.state.resolved)] == [other]
    found = {one.number: one for one in scene.forge.submissions(NONE)}
    assert sorted(found) == [number, other]
    assert found[number].pleas == (Plea("carol", Move.INVOKE, at, "Why?"),)


def test_what_its_author_takes_back_once_it_is_resolved_is_not_taken_back(scene: Scene) -> None:
    number = scene.enact("alice")
    scene.vote(number, "for", "bob", "carol")
    scene.sit()
    scene.do("alice", number, Deed.WITHDRAWN)
    assert [one.withdrawn for one in scene.forge.submissions(NONE)] == [None]


def test_nobody_looks_by_itself(scene: Scene) -> None:
    assert scene.forge.next_look(scene.now) is None
