"""Facts about what a vote was given to (106), played on GitHub's pages: pushes, rebases, and ids that GitHub moves."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from github_game import EARLIER_TEXT, NEW, OTHER, Game
from github_scene import RULE

if TYPE_CHECKING:
    from collections.abc import Callable


def rebased(it: Game, number: int) -> None:
    """The author rebases the branch and forces the push."""
    pull = it.pull(number)
    it.github.commit(pull.author, {NEW: RULE}, pull.head_branch, "Rhyme again", [it.github.tip()])


def merged_in(it: Game, number: int) -> None:
    """The author merges the game branch, with GitHub's button "Update branch"."""
    pull = it.pull(number)
    files: dict[str, bytes] = {"README.md": it.github.read("README.md")}
    it.github.commit(pull.author, files, pull.head_branch, "Merge main", [pull.head, it.github.tip()])


def said_otherwise(it: Game, number: int) -> None:
    """The author writes the commit's message anew and forces the push."""
    pull = it.pull(number)
    it.github.commit(pull.author, {NEW: RULE}, pull.head_branch, "Better said", [it.founding])


SAME_TEXT = [rebased, merged_in, said_otherwise]


@pytest.mark.parametrize("seen", [True, False], ids=["seen", "unseen"])
@pytest.mark.parametrize("pushed", SAME_TEXT)
def test_votes_stay_with_the_same_text(strict: Game, pushed: Callable[[Game, int], None], seen: bool) -> None:
    """jeffkaufman/nomic #11: every merge made every other proposal conflict, and all had to be approved again."""
    number = strict.propose("alice")
    strict.approve(number, "bob", "carol")
    if seen:
        strict.referee()
    strict.by_hand({"README.md": "A game\n"})
    pushed(strict, number)
    strict.approve(number, "dave")
    strict.referee()
    assert strict.pull(number).merged
    assert strict.votes(number) == ("alice, bob, carol, dave", "nobody")
    assert strict.rests()


@pytest.mark.parametrize("seen", [True, False], ids=["seen", "unseen"])
def test_an_approval_of_an_earlier_text_does_not_count(strict: Game, seen: bool) -> None:
    """Chaos #82, homu #174: approve, then push something else."""
    number = strict.propose("alice")
    strict.approve(number, "bob", "carol")
    if seen:
        strict.referee()
    strict.file(number, OTHER)
    strict.approve(number, "dave")
    strict.referee()
    assert strict.stage(number) == "voting"
    assert strict.votes(number) == ("alice, dave", "nobody", "bob, carol")
    assert f"- bob (for): {EARLIER_TEXT}" in strict.text(number)
    strict.approve(number, "bob", "carol")
    strict.referee()
    assert strict.pull(number).merged
    assert strict.github.read(f"rules/mutable/{number}.md").decode() == OTHER


def test_an_approval_counts_again_once_its_text_is_back(strict: Game) -> None:
    number = strict.propose("alice")
    strict.approve(number, "bob", "carol")
    strict.referee()
    strict.file(number, OTHER)
    strict.referee()
    strict.file(number, RULE)
    strict.approve(number, "dave")
    strict.referee()
    assert strict.pull(number).merged
    assert strict.github.read(f"rules/mutable/{number}.md").decode() == RULE


@pytest.mark.parametrize("moves", [True, False], ids=["moved", "left"])
@pytest.mark.parametrize("forced", [True, False], ids=["forced", "not forced"])
def test_an_approval_stays_with_its_text_whether_github_moves_its_commit_id_or_not(
    strict: Game, moves: bool, forced: bool
) -> None:
    """sonichi/sutando #3198 and max-sixty/tend #884 saw it move with the head, lance #9356 saw it stay."""
    strict.github.switches.moves_commit_ids = moves
    number = strict.propose("alice")
    strict.approve(number, "bob", "carol", "mallory")
    strict.referee()
    pull = strict.pull(number)
    if forced:
        strict.github.commit(pull.author, {NEW: OTHER}, pull.head_branch, "Scan", [strict.github.tip()])
    else:
        strict.file(number, OTHER)
    strict.referee()
    strict.approve(number, "dave")
    strict.referee()
    assert (pull.reviews[0].commit == pull.head) is moves
    assert strict.stage(number) == "voting"
    assert strict.votes(number) == ("alice, dave", "nobody", "bob, carol")
    assert f"- carol (for): {EARLIER_TEXT}" in strict.text(number)
    assert strict.rests()


def test_where_github_moves_commit_ids_a_review_counts_once_the_referee_had_seen_the_head(strict: Game) -> None:
    """There an id proves nothing: this one, too, could have been given before the push."""
    strict.github.switches.moves_commit_ids = True
    number = strict.propose("alice")
    strict.approve(number, "bob")
    strict.referee()
    strict.file(number, OTHER)
    strict.approve(number, "carol")
    strict.referee()
    assert strict.votes(number) == ("alice", "nobody", "bob, carol, dave")
    assert f"- carol (for): {EARLIER_TEXT}" in strict.text(number)
    strict.approve(number, "carol")
    strict.referee()
    assert strict.votes(number) == ("alice, carol", "nobody", "bob, dave")


def test_an_unseen_approval_whose_commit_id_a_forced_push_moved_does_not_count(strict: Game) -> None:
    """No pass was made between the review and the push; the push itself is in the timeline."""
    strict.github.switches.moves_commit_ids = True
    number = strict.propose("alice")
    strict.approve(number, "bob", "carol", "dave")
    pull = strict.pull(number)
    strict.github.commit(pull.author, {NEW: OTHER}, pull.head_branch, "Scan", [strict.github.tip()])
    strict.referee()
    assert [one.commit for one in pull.reviews] == [pull.head] * 3
    assert strict.stage(number) == "voting"
    assert strict.votes(number) == ("alice", "nobody", "bob, carol, dave")


def test_an_approval_whose_commit_id_github_lost_counts_if_a_pass_had_seen_it(strict: Game) -> None:
    strict.github.switches.loses_commit_ids = True
    number = strict.propose("alice")
    strict.approve(number, "bob")
    strict.referee()
    strict.approve(number, "carol")
    rebased(strict, number)
    strict.approve(number, "dave")
    strict.referee()
    assert [one.commit is None for one in strict.pull(number).reviews] == [True, True, False]
    assert strict.votes(number) == ("alice, bob, dave", "nobody", "carol")
    assert f"- carol (for): {EARLIER_TEXT}" in strict.text(number)
    strict.approve(number, "carol")
    strict.referee()
    assert strict.pull(number).merged


def test_a_vote_against_whose_commit_id_github_lost_counts_all_the_same(it: Game) -> None:
    it.github.switches.loses_commit_ids = True
    number = it.propose("alice")
    it.refuse(number, "bob")
    rebased(it, number)
    it.referee()
    assert it.pull(number).reviews[0].commit is None
    assert it.votes(number) == ("alice", "bob", "carol, dave")


@pytest.mark.parametrize("text", [RULE, OTHER], ids=["the same text", "another text"])
def test_approvals_that_the_branchs_protection_dismissed_at_a_push_belong_to_their_text(
    strict: Game, text: str
) -> None:
    strict.github.switches.dismisses_stale_approvals = True
    number = strict.propose("alice")
    strict.approve(number, "bob", "carol")
    strict.by_hand({"README.md": "A game\n"})
    pull = strict.pull(number)
    strict.github.commit(pull.author, {NEW: text}, pull.head_branch, "Again", [strict.github.tip()])
    strict.referee()
    assert [one.state for one in pull.reviews] == ["DISMISSED", "DISMISSED"]
    for_, waiting = ("alice, bob, carol", "dave") if text == RULE else ("alice", "bob, carol, dave")
    assert strict.votes(number) == (for_, "nobody", waiting)


def test_a_review_of_an_earlier_commit_is_given_to_that_commits_text(strict: Game) -> None:
    """The page "Changes from" reviews an older commit: the id says so, the time does not."""
    number = strict.propose("alice")
    before = strict.pull(number).head
    strict.file(number, OTHER)
    strict.referee()
    strict.github.review(strict.account("bob"), number, "APPROVE", commit=before)
    strict.approve(number, "carol", "dave")
    strict.referee()
    assert strict.stage(number) == "voting"
    assert strict.votes(number) == ("alice, carol, dave", "nobody", "bob")


def test_who_loses_the_witness_reviews_again_and_loses_no_event(strict: Game) -> None:
    first = strict.propose("alice")
    strict.approve(first, "bob", "carol", "dave")
    strict.referee()
    strict.github.switches.loses_commit_ids = True
    number = strict.propose("bob", name="other")
    strict.approve(number, "alice", "carol")
    strict.referee()
    pull = strict.pull(number)
    branch, files = pull.head_branch, {"rules/mutable/other.md": RULE}
    strict.github.commit(pull.author, files, branch, "Again", [strict.github.tip()])
    strict.github.repository.store.point("refs/nomic/witness", None)
    strict.referee()
    assert strict.votes(number) == ("bob", "nobody", "alice, carol, dave")
    strict.approve(number, "alice", "carol", "dave")
    strict.referee()
    assert strict.events() == ["founded", f"adopted {first}", f"adopted {number}"]


def test_a_head_that_moves_after_the_referee_has_read_it_gets_no_vote_of_the_text_before(strict: Game) -> None:
    number = strict.propose("alice")
    strict.approve(number, "bob", "carol")
    strict.github.after(lambda: strict.file(number, OTHER), matching=lambda request: request.path == "/graphql")
    strict.referee()
    strict.approve(number, "dave")
    strict.referee()
    assert strict.stage(number) == "voting"
    assert strict.votes(number) == ("alice, dave", "nobody", "bob, carol")


def test_a_rule_that_is_changed_under_the_referees_hands_blocks_what_was_voted_on(strict: Game) -> None:
    """The base moves in mid-pass, and with it the very rule that the proposal amends."""
    rule = "rules/mutable/-105.md"
    words = strict.github.read(rule).decode()
    alice = strict.account("alice")
    branch = strict.github.edit(alice, rule, f"{words}\nThat is all.\n")
    number = strict.github.open_pull(alice, branch, "That is all")
    strict.approve(number, "bob", "carol", "dave")
    strict.github.before(
        lambda: strict.by_hand({rule: f"{words}\nAnd more.\n"}), matching=lambda request: request.path == "/graphql"
    )
    strict.referee()
    assert strict.stage(number) == "blocked"
    assert "Rule -105 is no longer as it was when this proposal was written" in strict.text(number)
    assert strict.github.read(rule).decode() == f"{words}\nAnd more.\n"
    assert strict.rests()


def test_a_push_to_the_game_branch_while_the_event_is_pushed_starts_the_pass_again(strict: Game) -> None:
    number = strict.propose("alice")
    strict.approve(number, "bob", "carol", "dave")
    strict.github.before(
        lambda: strict.by_hand({"README.md": "Hello\n"}), matching=lambda request: request.path == "refs/heads/main"
    )
    strict.referee()
    assert strict.pull(number).merged
    assert strict.events() == ["founded", f"adopted {number}"]
    assert strict.github.read("README.md") == b"Hello\n"
    assert strict.rests()


def test_the_account_of_what_is_resolved_claims_nothing_that_is_known_no_more(strict: Game) -> None:
    """The witness keeps what reviews were given to until the proposal is resolved, and no longer."""
    number = strict.propose("alice")
    strict.approve(number, "bob", "carol")
    strict.approve(number, "mallory")
    strict.referee()
    strict.refuse(number, "dave")
    strict.referee()
    strict.github.clock.tick()
    strict.approve(number, "dave")
    strict.referee()
    found = strict.account_of(number)
    assert (found["for"], found["against"], found["outcome"]) == (["alice", "bob", "carol"], ["dave"], "defeated")
    assert [(one["player"], one["vote"], one["reason"]) for one in found["uncounted"]] == [
        ("mallory", "for", "not a player"),
        ("dave", "for", "cast after the vote was complete"),
    ]


def test_the_account_of_what_is_resolved_leaves_out_a_vote_whose_text_is_known_no_more(it: Game) -> None:
    number = it.propose("alice")
    it.approve(number, "bob")
    it.referee()
    it.file(number, OTHER)
    it.approve(number, "carol", "dave")
    it.referee()
    assert it.pull(number).merged
    found = it.account_of(number)
    assert (found["for"], found["uncounted"]) == (["alice", "carol", "dave"], [])
