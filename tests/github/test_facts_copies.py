"""Facts about copies, played on GitHub's pages: nobody spoils a proposal by having its commits too."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from github_game import NEW, OTHER
from github_scene import RULE

if TYPE_CHECKING:
    from fake_github import Account
    from github_game import Game


def kept_open(it: Game, account: Account) -> tuple[int, str]:
    """An older pull request, with the branch that it is of."""
    branch = it.github.edit(account, "rules/mutable/older.md", "Nothing.\n")
    return it.github.open_pull(account, branch, "Older"), branch


@pytest.mark.parametrize("login", ["mallory", "dave"])
def test_an_older_pull_request_that_is_pushed_to_each_new_head_spoils_none(it: Game, login: str) -> None:
    copier = it.account(login)
    _, branch = kept_open(it, copier)
    number = it.propose("alice")
    it.github.force_push(copier, branch, it.pull(number).head)
    it.referee()
    assert it.stage(number) == "voting"
    it.file(number, OTHER)
    it.github.force_push(copier, branch, it.pull(number).head)
    it.referee()
    assert it.stage(number) == "voting"
    it.approve(number, "bob", "carol")
    it.referee()
    assert it.events() == ["founded", f"adopted {number}"]


def test_a_copy_between_the_last_vote_and_the_pass_takes_no_adoption_away(it: Game) -> None:
    copier = it.account("dave")
    _, branch = kept_open(it, copier)
    number = it.propose("alice")
    it.approve(number, "bob", "carol")
    it.github.force_push(copier, branch, it.pull(number).head)
    it.referee()
    assert it.events() == ["founded", f"adopted {number}"]


def test_who_takes_up_anothers_head_is_the_later_by_an_older_pull_request_too(it: Game) -> None:
    older, branch = kept_open(it, it.account("dave"))
    number = it.propose("alice")
    dave = it.account("dave")
    inside = [it.pull(older).head, it.pull(number).head]
    both = it.github.objects({"rules/mutable/older.md": None, NEW: RULE}, "Both", inside)
    it.github.push(dave, branch, both)
    it.referee()
    assert (it.stage(older), it.stage(number)) == ("improper", "voting")
    assert f"Its branch contains proposal {number}" in it.text(older)


def test_a_strangers_commit_inside_makes_no_proposal_improper(it: Game) -> None:
    """A stranger's pull request is no proposal: with it nothing unvoted comes in."""
    stranger, _ = kept_open(it, it.account("mallory"))
    it.referee()
    commit = it.github.objects({"rules/mutable/older.md": None, NEW: RULE}, "Rhyme", [it.pull(stranger).head])
    number = it.on("alice", commit)
    it.referee()
    assert it.stage(number) == "voting"


def test_a_request_to_join_inside_makes_a_proposal_improper(it: Game) -> None:
    """Adopting it would have GitHub mark the request as merged, and nobody would be seated."""
    erin = it.account("erin")
    request = it.github.open_pull(erin, it.github.edit(erin, "players/erin.md", "Hello.\n"), "Join")
    it.referee()
    commit = it.github.objects({"players/erin.md": None, NEW: RULE}, "Rhyme", [it.pull(request).head])
    number = it.on("alice", commit)
    it.referee()
    assert it.stage(number) == "improper"
