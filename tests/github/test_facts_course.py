"""Facts about a pull request's course, played on GitHub's pages: drafts, closing, reopening, and who may do what."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from fake_github import Permission
from github_game import NEW, OTHER
from github_scene import RULE

from nomic_git.referee.comment import RESOLVED

if TYPE_CHECKING:
    from github_game import Game


def test_no_vote_counts_on_a_draft_and_they_count_once_it_is_ready(it: Game) -> None:
    number = it.propose("alice", draft=True)
    it.approve(number, "bob", "carol", "dave")
    it.referee()
    assert (it.stage(number), it.status(number)[0]) == ("debate", "pending")
    assert it.pull(number).state == "OPEN"
    assert it.rests()
    it.github.ready(it.account("alice"), number)
    it.referee()
    assert it.pull(number).merged


def test_a_proposal_goes_back_to_debate_freely_until_another_has_voted(it: Game) -> None:
    alice = it.account("alice")
    number = it.propose("alice")
    it.referee()
    it.github.draft(alice, number)
    it.referee()
    assert it.stage(number) == "debate"
    it.github.ready(alice, number)
    it.refuse(number, "bob")
    it.referee()
    assert it.stage(number) == "voting"
    it.github.draft(alice, number)
    it.approve(number, "carol", "dave")
    it.referee()
    assert (it.stage(number), it.pull(number).state) == ("defeated", "CLOSED")
    assert it.votes(number) == ("alice", "bob")
    assert it.scores()["alice"] == -5
    assert it.rests()


@pytest.mark.parametrize("who", ["an owner", "the referee's account"])
def test_an_owner_takes_no_proposal_to_debate_nor_out_of_it(it: Game, who: str) -> None:
    other = it.github.owner if who == "an owner" else it.github.actions
    voted, debated = it.propose("alice"), it.propose("bob", OTHER, "other", draft=True)
    it.referee()
    it.github.draft(other, voted)
    it.github.ready(other, debated)
    it.approve(debated, "alice", "carol", "dave")
    it.referee()
    assert (it.stage(voted), it.stage(debated)) == ("voting", "debate")
    assert "made it a draft. Only its author can take a proposal back to debate, so it goes on." in it.text(voted)
    assert "marked it ready for review. When debate ends is for its author to say" in it.text(debated)
    it.approve(voted, "bob", "carol")
    it.referee()
    assert it.pull(voted).merged
    assert it.rests()


def test_closing_it_withdraws_it_while_nobody_else_has_voted(it: Game) -> None:
    number = it.propose("alice")
    it.github.review(it.account("bob"), number, "COMMENT", "Hm.")
    it.approve(number, "eve")
    it.referee()
    it.github.close(it.account("alice"), number)
    it.referee()
    assert it.events() == ["founded", f"withdrawn {number}"]
    assert it.stage(number) == "withdrawn"
    assert it.scores()["alice"] == 0
    assert it.rests()


def test_deleting_its_branch_closes_it_and_withdraws_it(it: Game) -> None:
    number = it.propose("alice")
    it.referee()
    it.github.delete_branch(it.account("alice"), it.pull(number).head_branch)
    it.referee()
    assert it.pull(number).state == "CLOSED"
    assert it.events() == ["founded", f"withdrawn {number}"]
    assert it.rests()


def test_closing_it_after_a_vote_concedes_it(it: Game) -> None:
    number = it.propose("alice")
    it.approve(number, "bob")
    it.github.close(it.account("alice"), number)
    it.approve(number, "carol", "dave")
    it.referee()
    assert it.events() == ["founded", f"defeated {number}"]
    assert it.votes(number) == ("alice, bob", "nobody")
    assert it.scores()["alice"] == 0
    assert it.rests()


@pytest.mark.parametrize("how", ["closes it", "makes it a draft", "points it elsewhere", "withdraws it by command"])
def test_an_author_who_takes_it_back_after_the_vote_was_complete_is_too_late(it: Game, how: str) -> None:
    alice = it.account("alice")
    it.github.push(it.github.owner, "elsewhere", it.github.tip())
    number = it.propose("alice")
    it.approve(number, "bob", "carol")
    if how == "closes it":
        it.github.close(alice, number)
    elif how == "makes it a draft":
        it.github.draft(alice, number)
    elif how == "points it elsewhere":
        it.github.retarget(alice, number, "elsewhere")
    else:
        it.github.comment(alice, number, "/nomic withdraw")
    it.referee()
    assert it.events() == ["founded", f"adopted {number}"]
    assert it.stage(number) == "adopted"
    assert not it.pull(number).open
    assert it.votes(number) == ("alice, bob, carol", "nobody")
    assert it.rests()


def test_a_hundred_and_fifty_turns_of_a_draft_are_all_read(it: Game) -> None:
    alice = it.account("alice")
    number = it.propose("alice", draft=True)
    for _ in range(75):
        it.github.ready(alice, number)
        it.github.draft(alice, number)
    it.referee()
    assert it.stage(number) == "debate"
    it.github.ready(alice, number)
    it.approve(number, "bob", "carol")
    it.referee()
    assert it.pull(number).merged


def test_what_is_improper_is_mended_by_its_author_and_voted_on(it: Game) -> None:
    number = it.propose("alice")
    it.file(number, "Beside.\n", "docs/beside.md")
    it.approve(number, "bob")
    it.referee()
    assert it.stage(number) == "improper"
    pull = it.pull(number)
    it.github.delete(pull.author, "docs/beside.md", pull.head_branch)
    it.referee()
    assert it.stage(number) == "voting"
    it.approve(number, "bob", "carol")
    it.referee()
    assert pull.merged


def test_what_another_adoption_made_stale_is_blocked_until_its_author_makes_it_again(it: Game) -> None:
    rule, words = "rules/mutable/-105.md", it.github.read("rules/mutable/-105.md").decode()
    alice, bob = it.account("alice"), it.account("bob")
    first = it.github.open_pull(alice, it.github.edit(alice, rule, words + "\nThat is all.\n"), "That is all")
    second = it.github.open_pull(bob, it.github.edit(bob, rule, words + "\nAnd more.\n"), "And more")
    it.approve(first, "carol", "dave")
    it.approve(second, "carol")
    it.referee()
    assert it.pull(first).merged
    assert (it.stage(second), it.pull(second).state) == ("blocked", "OPEN")
    assert f"now rule {first}" in it.text(second)
    it.approve(second, "dave")
    assert it.referee().done == ()
    branch, there = it.pull(second).head_branch, f"rules/mutable/{first}.md"
    again = it.github.read(there).decode() + "\nAnd more.\n"
    it.github.commit(bob, {there: again}, branch, "Again", [it.github.tip()])
    it.approve(second, "carol", "dave")
    it.referee()
    assert it.pull(second).merged
    assert it.github.read(f"rules/mutable/{second}.md").decode().endswith("That is all.\n\nAnd more.\n")


def test_what_was_closed_and_reopened_before_anybody_looked_goes_on(it: Game) -> None:
    alice = it.account("alice")
    number = it.propose("alice")
    it.github.close(alice, number)
    it.github.reopen(alice, number)
    it.approve(number, "bob", "carol")
    it.referee()
    assert it.pull(number).merged
    assert it.events() == ["founded", f"adopted {number}"]


def test_what_was_closed_and_reopened_after_a_vote_is_conceded_all_the_same(it: Game) -> None:
    """Nobody escapes the vote by leaving it (104, 206), not for a moment either."""
    alice = it.account("alice")
    number = it.propose("alice")
    it.refuse(number, "bob")
    it.github.close(alice, number)
    it.github.reopen(alice, number)
    it.approve(number, "carol", "dave")
    it.referee()
    assert it.events() == ["founded", f"defeated {number}"]
    assert it.pull(number).state == "CLOSED"
    assert it.rests()


def test_a_withdrawn_proposal_that_is_reopened_is_closed_again(it: Game) -> None:
    alice = it.account("alice")
    number = it.propose("alice")
    it.github.close(alice, number)
    it.referee()
    it.github.reopen(alice, number)
    it.file(number, OTHER)
    it.approve(number, "bob", "carol", "dave")
    it.referee()
    assert (it.stage(number), it.pull(number).state) == ("withdrawn", "CLOSED")
    assert it.events() == ["founded", f"withdrawn {number}"]
    assert RESOLVED in it.text(number)
    assert it.rests()


def test_an_owner_who_closes_it_does_not_end_the_vote(it: Game) -> None:
    number = it.propose("alice")
    it.referee()
    it.github.close(it.github.owner, number)
    it.referee()
    assert it.stage(number) == "voting"
    assert "nomic closed it. Only its author can take a proposal back, so it goes on." in it.text(number)
    assert it.rests()
    it.approve(number, "bob", "carol")
    it.referee()
    assert it.events() == ["founded", f"adopted {number}"]
    assert it.stage(number) == "adopted"
    assert it.scores()["alice"] == 10
    assert it.rests()


def test_an_author_who_is_an_owner_closes_only_their_own(it: Game) -> None:
    it.github.permit(it.account("bob"), Permission.ADMIN)
    number, own = it.propose("alice"), it.propose("bob", OTHER, "other")
    it.github.close(it.account("bob"), number)
    it.github.close(it.account("bob"), own)
    it.referee()
    assert it.events() == ["founded", f"withdrawn {own}"]
    assert it.stage(number) == "voting"


def test_a_head_that_somebody_else_forced_there_has_not_its_authors_vote(it: Game) -> None:
    alice, bob = it.account("alice"), it.account("bob")
    it.github.permit(alice, Permission.WRITE)
    it.github.permit(bob, Permission.WRITE)
    number = it.propose("alice")
    it.referee()
    it.github.force_push(bob, it.pull(number).head_branch, it.github.objects({NEW: OTHER}, "Scan"))
    it.approve(number, "bob", "carol")
    it.referee()
    assert it.stage(number) == "voting"
    assert it.votes(number) == ("bob, carol", "nobody", "alice, dave")
    it.github.comment(alice, number, "/nomic for")
    it.referee()
    assert it.pull(number).merged
    assert it.votes(number) == ("alice, bob, carol", "nobody")


def test_a_second_proposal_of_an_author_waits_for_the_first(it: Game) -> None:
    first, second = it.propose("alice"), it.propose("alice", OTHER, "other")
    it.approve(second, "bob", "carol", "dave")
    it.referee()
    assert (it.stage(first), it.stage(second)) == ("voting", "waiting")
    assert f"Its author has proposal {first} open" in it.text(second)
    it.github.close(it.account("alice"), first)
    it.referee()
    assert it.events() == ["founded", f"withdrawn {first}", f"adopted {second}"]
    assert it.rests()


def test_of_a_proposal_that_is_over_nothing_more_is_heard(it: Game) -> None:
    number = it.propose("alice")
    it.refuse(number, "bob", "carol", "dave")
    it.referee()
    assert it.stage(number) == "defeated"
    said = it.text(number)
    it.approve(number, "bob", "carol", "dave")
    it.github.comment(it.account("alice"), number, "/nomic tally")
    it.file(number, RULE + "\nAlways.\n")
    it.referee()
    assert it.text(number) == said
    assert it.events() == ["founded", f"defeated {number}"]
    assert it.rests()
