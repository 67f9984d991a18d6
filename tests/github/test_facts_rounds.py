"""Another round of a game at GitHub: pull requests that were open stay behind, and GitHub's numbers go on."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from github_game import RULE, Game
from scene import rules

from nomic_git.forges.forge import ForgeError
from nomic_git.referee.beginning import NotOver, begin_round
from nomic_git.repository.audit import audit
from nomic_git.repository.founding import shipped

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from fake_github import FakeGitHub

    from nomic_git.game.event import Event
    from nomic_git.law.rulebook import Rulebook

GOAL = (-105, b"---\nprovisions:\n  victory.points: 10\n---\n\nTen points win.\n")


@pytest.fixture
def game(github: FakeGitHub, tmp_path: Path, foundings: Path) -> Callable[[Rulebook], Game]:
    """Make a game from a rulebook."""
    return lambda book: Game(github, tmp_path, book, foundings=foundings)


def won(game: Callable[[Rulebook], Game]) -> Game:
    """A game that alice has won, while bob's proposal was being voted on; strangers and drafts are there as well."""
    it = game(rules(GOAL))
    it.propose("alice", name="rhyme")
    it.propose("bob", name="scan")
    it.propose("carol", name="verse", draft=True)
    it.approve(2, "alice", "carol")
    it.referee()
    it.approve(1, "bob", "carol", "dave")
    it.referee()
    assert it.position().state.winner == "alice"
    return it


def begin(it: Game, rulebook: Rulebook | None = None) -> Event:
    """Somebody who may push begins a round, from a clone of their own."""
    clone = it.clone()
    it.referee(clone)
    assert it.forge is not None
    event = begin_round(clone, it.forge, it.github.clock.now, rulebook, "en")
    it.github.clock.tick()
    return event


def test_what_was_open_is_closed_and_its_votes_decide_nothing(game: Callable[[Rulebook], Game]) -> None:
    it = won(game)
    assert begin(it).left == 3
    assert it.github.tip() == str(it.clone().tip.id)
    it.approve(2, "dave")
    it.referee()
    assert [it.pull(number).state for number in (2, 3)] == ["CLOSED", "CLOSED"]
    assert "alice has won, and the game is over." in it.text(2)
    assert it.events()[-2:] == ["won", "founded"]
    assert it.scores() == dict.fromkeys(it.logins, 0)
    assert it.rests()


def test_who_leaves_after_the_winner_is_let_go_and_not_seated_again(game: Callable[[Rulebook], Game]) -> None:
    it = won(game)
    bob = it.account("bob")
    pull = it.github.open_pull(bob, it.github.delete(bob, "players/bob.md"), "I leave")
    it.referee()
    assert (it.pull(pull).state, it.events()[-2:]) == ("CLOSED", ["won", f"forfeited {pull}"])
    assert "bob has left the game" in it.text(pull)
    begin(it)
    it.referee()
    assert "bob" not in it.scores()
    assert it.rests()


def test_a_pull_request_that_was_left_behind_stays_so_when_it_is_opened_again(game: Callable[[Rulebook], Game]) -> None:
    it = won(game)
    begin(it)
    it.referee()
    it.github.reopen(it.account("bob"), 2)
    it.referee()
    assert it.pull(2).state == "CLOSED"
    assert it.events()[-1] == "founded"


def test_the_next_round_is_played_to_its_winner_under_githubs_numbers(game: Callable[[Rulebook], Game]) -> None:
    it = won(game)
    begin(it)
    it.referee()
    number = it.propose("bob", RULE, "scan")
    assert number == 4
    it.approve(number, "alice", "carol", "dave")
    it.referee()
    assert it.events()[-3:] == ["founded", f"adopted {number}", "won"]
    assert number in it.position().law.rulebook.rules
    found = audit(it.clone())
    assert (found.irregular, found.scores_match) == ((), True)


def test_a_round_from_another_rulebook_numbers_its_proposals_by_that(game: Callable[[Rulebook], Game]) -> None:
    it = won(game)
    begin(it, shipped("suber-1982", "en"))
    it.referee()
    number = it.propose("alice", RULE, "scan")
    it.referee()
    assert it.position().state.numbered == ((number, 301),)
    found = audit(it.clone())
    assert (found.irregular, found.scores_match) == ((), True)


def test_no_round_begins_while_nobody_has_won(game: Callable[[Rulebook], Game]) -> None:
    it = game(rules(GOAL))
    tip = it.github.tip()
    with pytest.raises(NotOver, match="round 1 goes on"):
        begin(it)
    assert it.github.tip() == tip


def test_who_may_not_push_begins_no_round(game: Callable[[Rulebook], Game]) -> None:
    it = won(game)
    tip = it.github.tip()
    it.github.protect()
    with pytest.raises(ForgeError, match=r"main is protected"):
        begin(it)
    assert it.github.tip() == tip
