"""Facts about escapes, played on GitHub's pages: nobody escapes the vote by pushing before a pass (104, 206)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from github_game import NEW, OTHER

if TYPE_CHECKING:
    from collections.abc import Callable

    from github_game import Game


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
