"""Facts about what pull requests bring, played on GitHub's pages: histories, files, merges by hand."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from github_game import AFRESH, NEW, OTHER, Game
from github_scene import RULE

from nomic_git.law.errors import Unreadable
from nomic_git.repository.audit import audit

if TYPE_CHECKING:
    from collections.abc import Callable

EVERYBODY = ("alice", "bob", "carol", "dave")
POINTS = "rules/mutable/-105.md"
WORKFLOW = ".github/workflows/referee.yml"


def carry(it: Game, *numbers: int) -> None:
    """All others approve."""
    for number in numbers:
        it.approve(number, *[one for one in EVERYBODY if one != it.pull(number).author.login])


def is_improper(it: Game, number: int) -> bool:
    """Whether every vote for it adopts nothing, nor merges it, and the comment says to begin afresh."""
    return it.stage(number) == "improper" and it.pull(number).state == "OPEN" and AFRESH in it.text(number)


def test_two_pull_requests_that_add_the_same_file_are_two_rules(it: Game) -> None:
    """To Git they are no conflict: about a thousand of them merged at once in jeffkaufman/nomic #218."""
    one, two = it.propose("alice"), it.propose("bob")
    it.approve(one, "carol", "dave")
    it.referee()
    assert (it.pull(one).merged, it.pull(two).state, it.stage(two)) == (True, "OPEN", "voting")
    it.approve(two, "carol", "dave")
    it.referee()
    assert it.events() == ["founded", f"adopted {one}", f"adopted {two}"]
    assert it.github.read(f"rules/mutable/{one}.md") == it.github.read(f"rules/mutable/{two}.md") == RULE.encode()
    assert NEW not in files_of(it)
    assert it.rests()


def files_of(it: Game) -> set[str]:
    index = it.github.repository.store.git[it.github.tip()].tree
    return {f"rules/mutable/{one.name}" for one in index["rules/mutable"]}


def test_of_two_pull_requests_with_one_head_only_the_first_is_a_proposal(it: Game) -> None:
    """The commit status is one for both; and both would be marked as merged."""
    one = it.propose("alice")
    two = it.on("bob", it.pull(one).head)
    it.referee()
    carry(it, two)
    it.referee()
    assert is_improper(it, two)
    assert f"Its branch contains proposal {one}" in it.text(two)
    assert it.status(two) == ("pending", "1 for, 0 against, 3 still to vote")
    carry(it, one)
    it.referee()
    assert it.events() == ["founded", f"adopted {one}"]
    assert it.status(one) == ("success", "adopted")
    assert it.scores() == {"alice": 10, "bob": 0, "carol": 0, "dave": 0}
    # GitHub marks the other as merged too, as the facts have it: what it shows adopts nothing.
    assert [it.pull(number).state for number in (one, two)] == ["MERGED", "MERGED"]
    assert (it.stage(one), it.stage(two)) == ("adopted", "improper")
    assert "merged by hand or with another proposal" in it.text(two)
    it.referee()
    assert it.rests()
    assert it.status(one) == ("success", "adopted")


def test_a_pull_request_does_not_bring_in_another_that_it_contains(it: Game) -> None:
    """Any pull request whose head becomes reachable is marked merged, wanted or not."""
    inner = it.propose("bob", OTHER, "other")
    commit = it.github.objects({"rules/mutable/other.md": None, NEW: RULE}, "Rhyme", [it.pull(inner).head])
    outer = it.on("alice", commit)
    carry(it, outer)
    it.referee()
    assert is_improper(it, outer)
    assert it.stage(inner) == "voting"
    assert it.events() == ["founded"]
    assert it.rests()


def test_votes_gathered_while_it_pointed_at_another_branch_resolve_nothing(it: Game) -> None:
    it.github.push(it.github.owner, "elsewhere", it.github.tip())
    alice = it.account("alice")
    number = it.github.open_pull(alice, it.github.edit(alice, NEW, RULE), "Rhyme", base="elsewhere")
    carry(it, number)
    it.referee()
    assert it.stage(number) == "debate"
    assert it.pull(number).state == "OPEN"
    it.github.retarget(alice, number, "main")
    it.referee()
    # Once it is put to the vote they count, from that moment, as they stand.
    assert it.pull(number).merged
    assert it.events() == ["founded", f"adopted {number}"]


def test_who_points_it_elsewhere_after_others_have_voted_has_given_it_up(it: Game) -> None:
    it.github.push(it.github.owner, "elsewhere", it.github.tip())
    number = it.propose("alice")
    it.refuse(number, "bob")
    it.github.retarget(it.account("alice"), number, "elsewhere")
    it.approve(number, "carol", "dave")
    it.referee()
    assert (it.stage(number), it.pull(number).state) == ("defeated", "CLOSED")
    assert it.rests()


def test_a_pull_request_to_another_branch_that_somebody_merges_there_adopts_nothing(it: Game) -> None:
    it.github.push(it.github.owner, "elsewhere", it.github.tip())
    alice = it.account("alice")
    number = it.github.open_pull(alice, it.github.edit(alice, NEW, RULE), "Rhyme", base="elsewhere")
    carry(it, number)
    it.github.merge(it.github.owner, number)
    it.referee()
    assert it.events() == ["founded"]
    assert not it.said(number)


def test_a_criss_cross_history_with_two_merge_bases_is_improper(it: Game) -> None:
    root = it.github.tip()
    aside = it.github.objects({"docs/a": "1"}, "Aside", [root])
    below = it.by_hand({"docs/b": "1"})
    head = it.github.objects({NEW: RULE, "docs/b": "1"}, "Rhyme", [aside, below])
    it.by_hand({"docs/a": "1"}, aside)
    number = it.on("alice", head)
    carry(it, number)
    it.referee()
    assert is_improper(it, number)
    assert "cross more than once" in it.text(number)
    assert it.events() == ["founded"]


def test_a_branch_from_a_reverted_commit_does_not_bring_old_law_back(it: Game) -> None:
    lawful = it.github.read(POINTS)
    low = lawful.replace(b"200", b"5")
    mistaken = it.by_hand({POINTS: low})
    it.by_hand({POINTS: lawful})
    amends = it.on("alice", it.github.objects({POINTS: low + b"\nThat is all.\n"}, "Amend", [mistaken]))
    enacts = it.on("bob", it.github.objects({NEW: RULE}, "Enact", [mistaken]))
    carry(it, amends, enacts)
    it.referee()
    assert it.events() == ["founded", f"adopted {enacts}"]
    assert (it.stage(amends), it.pull(amends).state) == ("blocked", "OPEN")
    assert it.github.read(POINTS) == lawful
    assert it.github.read(f"rules/mutable/{enacts}.md") == RULE.encode()


@pytest.mark.parametrize(
    ("path", "source", "why"),
    [
        ("docs/film", lambda: os.urandom(20 * 1024 * 1024), "bytes of new objects"),
        (WORKFLOW, lambda: b"on: push\n", "touches `.github/workflows/`"),
    ],
    ids=["20 MB", "a workflow"],
)
def test_what_a_commit_brings_and_the_difference_hides_is_not_merged(
    it: Game, path: str, source: Callable[[], bytes], why: str
) -> None:
    it.github.switches.refuses_workflows = True
    alice = it.account("alice")
    hidden = it.github.commit(alice, {NEW: RULE, path: source()})
    branch = it.github.delete(alice, path, hidden)
    number = it.github.open_pull(alice, branch, "Rhyme")
    carry(it, number)
    before = it.github.tip()
    it.referee()
    assert is_improper(it, number)
    assert why in it.text(number)
    assert it.github.tip() == before
    assert it.rests()


def test_more_than_fifty_commits_are_improper(it: Game) -> None:
    commit = it.github.tip()
    for at in range(51):
        commit = it.github.objects({NEW: f"{RULE}\n{at}\n"}, f"Try {at}", [commit])
    number = it.on("alice", commit)
    carry(it, number)
    it.referee()
    assert is_improper(it, number)


@pytest.mark.parametrize(
    "path",
    [
        "rules/mutable/-105.MD",
        "rules/Mutable/-105.md",
        "rules/mutable/-10\N{FULLWIDTH DIGIT FIVE}.md",
        "Players/alice.md",
    ],
)
def test_a_file_that_differs_from_another_in_case_or_unicode_form_alone_is_improper(it: Game, path: str) -> None:
    alice = it.account("alice")
    number = it.github.open_pull(alice, it.github.edit(alice, path, RULE), "Rhyme")
    carry(it, number)
    it.referee()
    assert (it.stage(number), it.pull(number).state) == ("improper", "OPEN")
    assert it.events() == ["founded"]


@pytest.mark.parametrize("method", ["merge", "squash"])
def test_what_an_owner_merges_by_hand_adopts_nothing_and_the_game_goes_on(it: Game, method: str) -> None:
    alice, words = it.account("alice"), it.github.read(POINTS)
    number = it.github.open_pull(alice, it.github.edit(alice, POINTS, words + b"\nThat is all.\n"), "That is all")
    other = it.propose("bob")
    it.referee()
    carry(it, number, other)
    it.github.merge(it.github.owner, number, method)
    it.referee()
    assert it.pull(number).merged
    assert it.events() == ["founded", f"adopted {other}"]
    assert it.scores()["alice"] == 0
    assert f"rules/mutable/{number}.md" not in files_of(it)
    assert (it.stage(number), it.status(number)[0]) == ("improper", "failure")
    assert it.text(number).count("merged by hand or with another proposal, so that nothing of it is left") == 1
    assert audit(it.clone()).irregular
    assert it.rests()


@pytest.mark.parametrize("method", ["merge", "squash"])
def test_a_file_merged_by_hand_that_is_no_rules_stops_the_game_until_it_is_taken_back(it: Game, method: str) -> None:
    """Which law holds cannot be read then, and nothing is decided on what cannot be read."""
    number, other = it.propose("alice"), it.propose("bob", OTHER, "other")
    it.referee()
    carry(it, number, other)
    it.github.merge(it.github.owner, number, method)
    with pytest.raises(Unreadable, match=r"rules/mutable/rhyme\.md"):
        it.referee()
    it.by_hand({NEW: None})
    it.referee()
    assert it.events() == ["founded", f"adopted {other}"]
    assert it.scores()["alice"] == 0
    assert it.rests()


def test_scores_that_somebody_edits_by_hand_are_seen_by_the_audit(it: Game) -> None:
    """michiexile/cuny-nomic: scores edited by hand, players in both columns."""
    scores = it.github.read("scores.json").decode()
    edited = it.by_hand({"scores.json": scores.replace('"points": 0', '"points": 90', 1)})
    number = it.propose("bob")
    it.approve(number, "carol", "dave")
    it.referee()
    assert it.pull(number).merged
    found = audit(it.clone())
    assert [one.commit for one in found.irregular][:1] == [edited]
    assert not found.scores_match


def test_a_number_that_a_player_writes_into_a_rule_is_improper(it: Game) -> None:
    """There, a file's number and its front matter came apart."""
    alice, words = it.account("alice"), it.github.read(POINTS).decode()
    branch = it.github.edit(alice, POINTS, words.replace("---\n", "---\nformerly: [7]\n", 1))
    number = it.github.open_pull(alice, branch, "I was 7")
    carry(it, number)
    it.referee()
    assert (it.stage(number), it.pull(number).state) == ("improper", "OPEN")
    assert "The referee alone keeps that line" in it.text(number)


def test_a_pull_request_that_touches_neither_rules_nor_players_is_left_alone(it: Game) -> None:
    alice = it.account("alice")
    number = it.github.open_pull(alice, it.github.edit(alice, "docs/house.md", "Be kind.\n"), "House rules")
    carry(it, number)
    it.github.comment(alice, number, "/nomic withdraw")
    it.referee()
    assert it.is_silent_on(number)
    assert it.rests()
