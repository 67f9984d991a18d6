"""Heads of a proposal on the local forge: which one is judged, and whose it is (design sections 3 and 4)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from scene import Scene, game, git, rules

from nomic_git.forges.log import Deed
from nomic_git.repository.audit import audit
from nomic_git.repository.clone import open_clone

Then = Callable[[Scene, int], object]
"""What the author does after others have voted."""

MAJORITY = (
    -110,
    b"---\nprovisions:\n  adoption.threshold: simple-majority\n  votes.closing: decided\n---\n\nMost decide.\n",
)
TWO = {"rules/mutable/a.md": b"x\n", "rules/mutable/b.md": b"y\n"}


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    return game(tmp_path / "game")


@pytest.fixture
def by_majority(tmp_path: Path) -> Scene:
    return game(tmp_path / "game", "alice", "bob", "carol", book=rules(MAJORITY))


def told(scene: Scene) -> list[str]:
    done = [f"{one.event.kind} {one.event.proposal}" for one in scene.sit().done]
    found = audit(open_clone(scene.folder))
    assert found.scores_match
    assert not found.irregular
    return done


def push(scene: Scene, number: int, files: dict[str, bytes | None]) -> str:
    """Give alice's proposal a head with these files changed, on top of the one before."""
    head = scene.commit(files, on=scene.forge.head(number))
    scene.forge.push("alice", number, head, scene.tick())
    return head


def emptied(scene: Scene, number: int) -> None:
    push(scene, number, {"rules/mutable/new.md": None})


def test_a_head_pushed_after_the_vote_was_lost_is_too_late(scene: Scene) -> None:
    number = scene.enact("alice")
    scene.vote(number, "against", "bob")
    push(scene, number, {"rules/mutable/new.md": b"Be nicer.\n"})
    assert told(scene) == [f"defeated {number}"]
    assert scene.scores()["alice"] == -5


@pytest.mark.parametrize(
    "then", [emptied, lambda scene, number: push(scene, number, TWO)], ids=["nothing", "two rules"]
)
@pytest.mark.parametrize("withdraws", [False, True])
def test_a_lost_vote_is_not_escaped_by_a_head_that_is_no_change(scene: Scene, then: Then, withdraws: bool) -> None:
    number = scene.enact("alice")
    scene.vote(number, "against", "bob")
    then(scene, number)
    if withdraws:
        scene.do("alice", number, Deed.WITHDRAWN)
    second = scene.enact("alice", name="second")
    assert told(scene) == [f"defeated {number}"]
    assert scene.scores()["alice"] == -5
    assert scene.enact("bob", name="third") == second + 1


def test_a_head_moved_by_hand_after_the_vote_was_lost_is_too_late(scene: Scene) -> None:
    number = scene.enact("alice")
    scene.vote(number, "against", "bob")
    git(scene.folder, "update-ref", f"refs/nomic/proposals/{number}/head", scene.tip)
    assert told(scene) == [f"defeated {number}"]


def test_a_head_pushed_after_the_vote_was_won_is_too_late(scene: Scene) -> None:
    number = scene.enact("alice", "Be kind.")
    scene.vote(number, "for", "bob", "carol", "dave")
    push(scene, number, {"rules/mutable/new.md": b"Alice wins.\n"})
    assert told(scene) == [f"adopted {number}"]
    assert scene.file(f"rules/mutable/{number}.md") == b"Be kind.\n"
    assert told(scene) == []


def test_votes_on_each_head_count_for_the_head_that_was_complete_first(scene: Scene) -> None:
    number = scene.enact("alice")
    scene.vote(number, "for", "bob", "carol")
    push(scene, number, {"rules/mutable/new.md": b"Be kinder.\n"})
    scene.vote(number, "for", "dave")
    assert told(scene) == [], "no head had the votes of all"
    scene.vote(number, "for", "bob", "carol")
    push(scene, number, {"rules/mutable/new.md": b"Be kindest.\n"})
    scene.vote(number, "for", "bob")
    assert told(scene) == [f"adopted {number}"]
    assert scene.file(f"rules/mutable/{number}.md") == b"Be kinder.\n"


@pytest.mark.parametrize(
    "then", [emptied, lambda scene, number: push(scene, number, TWO)], ids=["nothing", "two rules"]
)
def test_withdrawing_behind_a_head_that_is_no_change_concedes_once_another_has_voted(scene: Scene, then: Then) -> None:
    number = scene.enact("alice")
    scene.vote(number, "for", "bob")
    then(scene, number)
    assert told(scene) == []
    assert "improper" in scene.said(number)
    scene.do("alice", number, Deed.WITHDRAWN)
    assert told(scene) == [f"defeated {number}"]


def test_withdrawing_what_was_improper_before_anybody_voted_is_free(scene: Scene) -> None:
    number = scene.propose("alice", TWO)
    scene.vote(number, "against", "bob")
    scene.do("alice", number, Deed.WITHDRAWN)
    assert told(scene) == [f"withdrawn {number}"]


def test_a_proposal_that_others_voted_on_does_not_vanish(scene: Scene) -> None:
    number = scene.enact("alice")
    scene.vote(number, "for", "bob")
    emptied(scene, number)
    scene.sit()
    assert "Others have voted on it, and its head now changes neither a rule nor a seat." in scene.said(number)
    push(scene, number, {"rules/mutable/new.md": b"Be kind.\n"})
    scene.vote(number, "for", "carol", "dave")
    assert told(scene) == [f"adopted {number}"]


def test_a_head_that_somebody_else_moved_has_not_its_authors_vote(by_majority: Scene) -> None:
    number = by_majority.enact("alice")
    head = by_majority.commit({"rules/mutable/new.md": b"Carol wins.\n"}, on=by_majority.forge.head(number))
    git(by_majority.folder, "update-ref", f"refs/nomic/proposals/{number}/head", head)
    by_majority.vote(number, "for", "carol")
    assert told(by_majority) == []
    assert "- alice (for): given to an earlier text" in by_majority.said(number)
    by_majority.vote(number, "for", "alice")
    assert told(by_majority) == [f"adopted {number}"]


def test_a_head_that_its_author_moved_by_hand_is_the_text_that_is_voted_on(scene: Scene) -> None:
    number = scene.enact("alice")
    scene.vote(number, "for", "bob")
    head = scene.commit({"rules/mutable/new.md": b"Be kinder.\n"}, on=scene.forge.head(number))
    git(scene.folder, "update-ref", f"refs/nomic/proposals/{number}/head", head)
    scene.vote(number, "for", "alice", "carol", "dave")
    assert told(scene) == []
    assert "- bob (for): given to an earlier text" in scene.said(number)
    scene.vote(number, "for", "bob")
    assert told(scene) == [f"adopted {number}"]


def test_who_opens_a_proposal_at_a_head_that_another_left_behind_is_the_improper_one(scene: Scene) -> None:
    number = scene.enact("alice")
    old = scene.forge.head(number)
    assert old is not None
    push(scene, number, {"rules/mutable/new.md": b"Better words.\n"})
    copy = scene.propose("dave", old)
    scene.vote(number, "for", "bob", "carol", "dave")
    assert told(scene) == [f"adopted {number}"]
    assert scene.heard(copy).author == "dave"


def test_a_copy_of_an_old_head_is_told_whose_it_is(scene: Scene) -> None:
    number = scene.enact("alice")
    old = scene.forge.head(number)
    assert old is not None
    push(scene, number, {"rules/mutable/new.md": b"Better words.\n"})
    copy = scene.propose("dave", old)
    scene.sit()
    assert f"Its branch contains proposal {number}" in scene.said(copy)
    assert "being voted on" in scene.said(number)


@pytest.mark.parametrize("time", [0, 1_700_000_005])
def test_a_copy_that_is_dated_back_is_still_the_copy(scene: Scene, time: int) -> None:
    number = scene.enact("alice")
    head = scene.forge.head(number)
    assert head is not None
    copy = scene.forge.propose("dave", head, "", time, draft=False)
    scene.sit()
    assert "improper" in scene.said(copy)
    assert "being voted on" in scene.said(number)


def test_who_takes_in_anothers_head_later_is_the_improper_one_whatever_the_numbers(scene: Scene) -> None:
    first, second = scene.enact("alice"), scene.enact("bob", name="other")
    theirs = scene.forge.head(second)
    assert theirs is not None
    head = scene.commit({"rules/mutable/new.md": b"Be kind.\n"}, on=scene.forge.head(first), more=(theirs,))
    scene.forge.push("alice", first, head, scene.tick())
    scene.sit()
    assert f"Its branch contains proposal {second}" in scene.said(first)
    assert "being voted on" in scene.said(second)
