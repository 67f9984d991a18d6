"""Facts about escapes, played on GitHub's pages: nobody escapes the vote by pushing before a pass (104, 206)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from fake_github import Permission
from github_game import NEW, OTHER, Game
from github_scene import RULE
from scene import rules

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from fake_github import FakeGitHub


POINTS = "rules/mutable/-105.md"
MOST = b"---\nprovisions:\n  adoption.threshold: simple-majority\n  votes.closing: all-voted\n---\n\nMost.\n"


@pytest.fixture
def slow(github: FakeGitHub, tmp_path: Path, foundings: Path) -> Game:
    """A game in which the majority decides once all have voted."""
    return Game(github, tmp_path, rules((-110, MOST)), foundings=foundings)


def unforced(it: Game, number: int) -> None:
    """One more file on top."""
    it.file(number, "x\n", "README.md")


def forced(it: Game, number: int) -> None:
    """Two rules at once."""
    two = it.github.objects({"rules/mutable/a.md": "x\n", "rules/mutable/b.md": "y\n"}, "Two")
    it.github.force_push(it.account("alice"), it.pull(number).head_branch, two)


def emptied(it: Game, number: int) -> None:
    """The game's own tip: nothing is left, and GitHub closes it."""
    it.github.force_push(it.account("alice"), it.pull(number).head_branch, it.github.tip())


def closed(it: Game, number: int) -> None:
    if it.pull(number).state == "OPEN":
        it.github.close(it.account("alice"), number)


@pytest.mark.parametrize("push", [unforced, forced, emptied])
def test_who_pushes_no_change_between_a_vote_against_and_the_pass_is_defeated(
    strict: Game, push: Callable[[Game, int], None]
) -> None:
    it = strict
    number = it.propose("alice")
    it.referee()
    it.refuse(number, "bob")
    push(it, number)
    it.referee()
    assert it.events() == ["founded", f"defeated {number}"]
    assert it.stage(number) == "defeated"
    assert it.pull(number).state == "CLOSED"


def test_a_head_that_no_pass_saw_is_known_by_the_forced_push_over_it(strict: Game) -> None:
    it = strict
    number = it.propose("alice")
    it.refuse(number, "bob")
    forced(it, number)
    it.referee()
    assert it.events() == ["founded", f"defeated {number}"]


@pytest.mark.parametrize("push", [unforced, forced, emptied])
def test_who_closes_after_that_has_given_it_up(it: Game, push: Callable[[Game, int], None]) -> None:
    number = it.propose("alice")
    it.referee()
    it.refuse(number, "bob")
    push(it, number)
    closed(it, number)
    it.referee()
    assert it.events() == ["founded", f"defeated {number}"]
    assert it.scores()["alice"] == -5


def test_who_makes_it_a_draft_between_has_given_it_up(strict: Game) -> None:
    it = strict
    number = it.propose("alice")
    it.referee()
    it.refuse(number, "bob")
    it.github.draft(it.account("alice"), number)
    unforced(it, number)
    it.referee()
    assert it.events() == ["founded", f"defeated {number}"]


def test_many_lawful_heads_make_no_vote_forgotten(it: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nomic_git.forges.witness.MOST_SIGHTINGS", 3)
    number = it.propose("alice")
    it.referee()
    it.refuse(number, "bob")
    it.referee()
    for words in ("One.\n", "Two.\n", OTHER):
        it.file(number, words, NEW)
        it.referee()
    unforced(it, number)
    it.referee()
    closed(it, number)
    it.referee()
    assert it.events() == ["founded", f"defeated {number}"]


def test_what_was_improper_when_others_voted_is_withdrawn_freely(it: Game) -> None:
    number = it.propose("alice")
    unforced(it, number)
    it.referee()
    it.refuse(number, "bob")
    closed(it, number)
    it.referee()
    assert it.events() == ["founded", f"withdrawn {number}"]


def test_no_vote_between_two_passes_adopts_the_words_of_before(it: Game) -> None:
    """Bob's was given to the first words; what Carol approves of nobody has seen with them."""
    number = it.propose("alice")
    it.approve(number, "bob")
    it.referee()
    it.approve(number, "carol")
    unforced(it, number)
    it.referee()
    assert it.events() == ["founded"]
    assert it.stage(number) == "improper"


def adopt_over(it: Game, lost: int, other: int) -> None:
    """One is being lost; its branch is pushed to another's head before the last vote on that."""
    it.referee()
    it.refuse(lost, "bob", "carol")
    it.approve(other, "carol", "dave")
    it.referee()
    it.github.force_push(it.account("alice"), it.pull(lost).head_branch, it.pull(other).head)
    it.approve(other, "alice")
    it.referee()
    assert it.pull(lost).merged
    it.referee()


def test_who_has_it_merged_with_anothers_has_given_it_up(slow: Game) -> None:
    it = slow
    number = it.propose("alice", RULE, name="mine")
    other = it.propose("bob", OTHER, name="other")
    adopt_over(it, number, other)
    assert it.events() == ["founded", f"adopted {other}", f"defeated {number}"]
    assert it.stage(number) == "defeated"
    assert it.rests()


def test_whose_branch_another_pushes_to_what_is_adopted_has_given_nothing_up(slow: Game) -> None:
    it = slow
    number = it.propose("alice", RULE, name="mine")
    other = it.propose("bob", OTHER, name="other")
    helper = it.account("helper")
    it.github.place(it.account("alice")).permissions[helper.id] = Permission.WRITE
    it.referee()
    it.refuse(number, "bob", "carol")
    it.approve(other, "carol", "dave")
    it.referee()
    place = it.github.place(it.account("alice"))
    it.github.world.move(place, f"refs/heads/{it.pull(number).head_branch}", it.pull(other).head, helper)
    it.approve(other, "alice")
    it.referee()
    it.referee()
    assert it.pull(number).merged
    assert it.events() == ["founded", f"adopted {other}"]


def test_what_an_owner_merges_by_hand_its_author_has_not_given_up(slow: Game) -> None:
    it = slow
    words = it.github.read(POINTS).decode()
    alice = it.account("alice")
    number = it.github.open_pull(alice, it.github.edit(alice, POINTS, words + "\nOne.\n"), "Amend")
    it.referee()
    it.refuse(number, "bob")
    it.referee()
    again = it.github.objects({POINTS: words + "\nTwo.\n"}, "Again")
    it.github.force_push(alice, it.pull(number).head_branch, again)
    it.referee()
    it.github.merge(it.github.owner, number)
    it.referee()
    assert it.events() == ["founded"]
    assert it.stage(number) == "improper"
