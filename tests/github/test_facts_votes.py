"""Facts about GitHub's reviews, played on its pages: which are votes, whose, and until when."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from fake_github import Permission, Refusal

if TYPE_CHECKING:
    from github_game import Game


def test_an_approval_given_twice_counts_once(it: Game) -> None:
    """ethereum/eip-review-bot counted it twice."""
    number = it.propose("alice")
    it.approve(number, "bob", "bob")
    it.referee()
    assert it.votes(number) == ("alice, bob", "nobody", "carol, dave")
    assert it.status(number) == ("pending", "2 for, 0 against, 2 still to vote")
    assert it.rests()


def test_two_of_four_are_no_majority_and_a_tie_defeats(it: Game) -> None:
    """commonhaus took the half, rounded up, for a majority."""
    number = it.propose("alice")
    it.approve(number, "bob")
    it.refuse(number, "carol")
    it.referee()
    assert it.stage(number) == "voting"
    it.refuse(number, "dave")
    it.referee()
    assert (it.stage(number), it.pull(number).state) == ("defeated", "CLOSED")
    assert it.votes(number) == ("alice, bob", "carol, dave")
    assert it.scores() == {"alice": -5, "bob": 0, "carol": 0, "dave": 0}
    assert it.rests()


@pytest.mark.parametrize("later", ["a review that only comments", "a comment"])
def test_what_a_voter_says_later_does_not_take_the_vote_back(strict: Game, later: str) -> None:
    """commonhaus lost an approval to a later comment."""
    number = strict.propose("alice")
    strict.approve(number, "bob")
    if later == "a comment":
        strict.github.comment(strict.account("bob"), number, "I wonder, though.")
    else:
        strict.github.review(strict.account("bob"), number, "COMMENT", "I wonder, though.")
    strict.approve(number, "carol", "dave")
    strict.referee()
    assert strict.pull(number).merged
    assert strict.votes(number) == ("alice, bob, carol, dave", "nobody")


def test_the_latest_review_of_a_player_is_the_vote(it: Game) -> None:
    number = it.propose("alice")
    it.refuse(number, "bob")
    it.referee()
    assert it.votes(number) == ("alice", "bob", "carol, dave")
    it.approve(number, "bob")
    it.refuse(number, "carol")
    it.referee()
    assert it.votes(number) == ("alice, bob", "carol", "dave")
    it.approve(number, "carol")
    it.referee()
    assert it.pull(number).merged


def test_a_vote_against_outlives_a_push(it: Game) -> None:
    """Chaos #48: a push wiped the votes against, and a quiet majority of two merged it."""
    number = it.propose("alice")
    it.refuse(number, "bob")
    it.approve(number, "carol")
    it.file(number, "Each proposal rhymes, or nearly.\n")
    it.referee()
    assert it.votes(number) == ("alice", "bob", "carol, dave")
    it.approve(number, "carol", "dave")
    it.referee()
    assert it.pull(number).merged
    assert it.votes(number) == ("alice, carol, dave", "bob")
    assert it.scores()["bob"] == 10


@pytest.mark.parametrize(
    ("vote", "row"), [("APPROVE", ("alice, bob", "nobody")), ("REQUEST_CHANGES", ("alice", "bob"))]
)
def test_a_vote_that_somebody_else_dismissed_still_counts(it: Game, vote: str, row: tuple[str, str]) -> None:
    """Anyone with write access may dismiss: an owner, or the author whose proposal it is."""
    number = it.propose("alice")
    it.github.permit(it.account("alice"), Permission.WRITE)
    review = it.github.review(it.account("bob"), number, vote)
    it.github.dismiss(it.account("alice"), number, review)
    it.referee()
    assert review.state == "DISMISSED"
    assert it.votes(number) == (*row, "carol, dave")
    assert "- alice dismissed the vote of bob. Only its voter can take a vote back" in it.text(number)
    assert it.rests()


def test_a_vote_against_dismissed_by_an_owner_defeats_where_all_are_to_agree(strict: Game) -> None:
    number = strict.propose("alice")
    strict.approve(number, "carol", "dave")
    review = strict.github.request_changes(strict.account("bob"), number)
    strict.github.dismiss(strict.github.owner, number, review)
    strict.referee()
    assert (strict.stage(number), strict.pull(number).state) == ("defeated", "CLOSED")


def test_who_dismisses_their_own_review_takes_the_vote_back(it: Game) -> None:
    number = it.propose("alice")
    bob = it.account("bob")
    it.github.permit(bob, Permission.WRITE)
    it.github.dismiss(bob, number, it.github.approve(bob, number))
    it.referee()
    assert it.votes(number) == ("alice", "nobody", "bob, carol, dave")
    assert "- bob: taken back by its voter" in it.text(number)
    it.approve(number, "bob", "carol")
    it.referee()
    assert it.pull(number).merged


def test_the_votes_among_a_hundred_and_fifty_reviews_all_count(it: Game) -> None:
    """More than a hundred need paging: the first page, and what comes after it."""
    number = it.propose("alice")
    it.refuse(number, "dave")
    passer_by = it.account("eve")
    for at in range(146):
        it.github.review(passer_by, number, "COMMENT", f"Thought {at}")
    it.github.review(it.account("bob"), number, "COMMENT", "Now I see.")
    it.approve(number, "bob", "carol")
    it.referee()
    assert len(it.pull(number).reviews) == 150
    assert it.pull(number).merged
    assert it.votes(number) == ("alice, bob, carol", "dave")
    assert it.scores()["dave"] == 10


def test_of_a_hundred_and_fifty_open_pull_requests_the_last_is_seen(it: Game) -> None:
    passer_by = it.account("eve")
    for at in range(149):
        branch = it.github.edit(passer_by, "docs/notes.md", f"Note {at}")
        it.github.open_pull(passer_by, branch, f"Note {at}")
    number = it.propose("alice")
    it.approve(number, "bob", "carol")
    it.referee()
    assert number == 150
    assert it.pull(number).merged
    assert all(it.is_silent_on(other) for other in range(1, 150))


def test_authors_cannot_review_their_own_and_are_for_it(it: Game) -> None:
    number = it.propose("alice")
    for verdict in ("APPROVE", "REQUEST_CHANGES"):
        with pytest.raises(Refusal, match="Unprocessable Entity"):
            it.github.review(it.account("alice"), number, verdict)
    it.github.review(it.account("alice"), number, "COMMENT", "I am against it myself.")
    it.referee()
    assert it.votes(number) == ("alice", "nobody", "bob, carol, dave")


def test_bots_do_not_vote_not_even_under_a_players_name(it: Game) -> None:
    """GraphQL leaves out what a bot's login ends in: there, the bot is called bob too."""
    number = it.propose("alice")
    it.github.approve(it.account("linter[bot]"), number)
    it.github.request_changes(it.account("bob[bot]"), number)
    it.referee()
    assert it.votes(number) == ("alice", "nobody", "bob, carol, dave")
    assert "- linter[bot] (for): not a player" in it.text(number)
    assert "- bob[bot] (against): not a player" in it.text(number)
    it.approve(number, "bob", "carol")
    it.referee()
    assert it.pull(number).merged


def test_strangers_do_not_vote(strict: Game) -> None:
    """A failed look at who may vote became "everybody" for cncf/gitvote."""
    number = strict.propose("alice")
    strict.refuse(number, "eve")
    strict.approve(number, "bob", "mallory")
    strict.referee()
    assert strict.stage(number) == "voting"
    assert strict.votes(number) == ("alice, bob", "nobody", "carol, dave")
    assert "- eve (against): not a player" in strict.text(number)
    assert "- mallory (for): not a player" in strict.text(number)


def test_who_joined_after_voting_opened_does_not_vote_on_it(it: Game) -> None:
    number = it.propose("alice")
    it.referee()
    eve = it.account("eve")
    joining = it.github.open_pull(eve, it.github.edit(eve, "players/eve.md", "---\nname: Eve\n---\n"), "Let me in")
    it.approve(joining, "alice", "bob", "carol")
    it.referee()
    assert (it.stage(joining), it.pull(joining).state) == ("adopted", "CLOSED")
    assert f"id: {eve.id}" in it.github.read("players/eve.md").decode()
    it.approve(number, "eve")
    it.referee()
    assert it.votes(number) == ("alice", "nobody", "bob, carol, dave")
    assert "- eve (for): joined after voting opened" in it.text(number)
    later = it.propose("bob", name="later")
    it.approve(later, "eve", "carol")
    it.referee()
    assert it.pull(later).merged


def test_one_absent_player_does_not_stop_the_game(it: Game) -> None:
    """jeffkaufman/nomic #19, pimotte/nomic 351."""
    number = it.propose("alice")
    it.approve(number, "bob", "carol")
    it.referee()
    assert it.pull(number).merged


def test_a_vote_cast_after_the_vote_was_complete_is_too_late_whenever_the_referee_ran(it: Game) -> None:
    number = it.propose("alice")
    it.approve(number, "bob", "carol")
    it.refuse(number, "dave", "bob", "carol")
    it.referee()
    assert it.pull(number).merged
    assert it.votes(number) == ("alice, bob, carol", "nobody")
    assert it.scores() == {"alice": 10, "bob": 0, "carol": 0, "dave": 0}


def test_a_review_that_was_not_submitted_is_no_vote(it: Game) -> None:
    number = it.propose("alice")
    it.github.world.review(it.account("bob"), it.pull(number), None, "", None)
    it.approve(number, "carol")
    it.referee()
    assert it.votes(number) == ("alice, carol", "nobody", "bob, dave")
