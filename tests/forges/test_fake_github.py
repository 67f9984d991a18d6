from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest
from fake_github import FakeGitHub, Refusal
from github import GithubException

if TYPE_CHECKING:
    from pathlib import Path


def git(folder: Path, *arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=folder, check=True, capture_output=True, text=True).stdout.strip()


@pytest.fixture
def work(github: FakeGitHub, tmp_path: Path) -> Path:
    """A clone of the repository, which has one commit on main."""
    folder = tmp_path / "work"
    git(tmp_path, "init", "-q", "-b", "main", str(folder))
    git(folder, "config", "user.name", "owner")
    git(folder, "config", "user.email", "owner@example.org")
    (folder / "rule.md").write_text("A rule.\n")
    git(folder, "add", "rule.md")
    git(folder, "commit", "-q", "-m", "Found")
    git(folder, "remote", "add", "origin", str(github.path))
    git(folder, "push", "-q", "origin", "main")
    return folder


@pytest.mark.usefixtures("work")
def test_pygithub_reads_a_pull_request_from_a_fork(github: FakeGitHub) -> None:
    alice, bob = github.account("alice"), github.account("bob")
    number = github.open_pull(alice, github.edit(alice, "rule.md", "Another.\n"), "Change the rule", "Why not?")
    github.approve(bob, number)
    github.comment(bob, number, "Gladly.")
    pull = github.client(github.actions).get_repo(github.full_name).get_pull(number)
    assert (pull.title, pull.body, pull.state, pull.user.login, pull.user.id) == (
        "Change the rule",
        "Why not?",
        "open",
        "alice",
        alice.id,
    )
    assert (pull.head.repo.full_name, pull.head.ref, pull.base.ref) == ("alice/game", "patch-1", "main")
    assert pull.head.sha == github.repository.store.tip(f"refs/pull/{number}/head")
    assert [(review.user.login, review.state, review.commit_id) for review in pull.get_reviews()] == [
        ("bob", "APPROVED", pull.head.sha)
    ]
    assert [comment.body for comment in pull.get_issue_comments()] == ["Gladly."]


@pytest.mark.usefixtures("work")
def test_pygithub_writes(github: FakeGitHub) -> None:
    alice = github.account("alice")
    number = github.open_pull(alice, github.edit(alice, "rule.md", "Another.\n"))
    repository = github.client(github.actions).get_repo(github.full_name)
    pull = repository.get_pull(number)
    comment = pull.create_issue_comment("Counted.")
    comment.edit("Counted again.")
    comment.create_reaction("eyes")
    pull.add_to_labels("nomic: voting")
    pull.set_labels("nomic: defeated", "x/y")
    pull.remove_from_labels("x/y")
    repository.get_commit  # noqa: B018
    repository._requester.requestJsonAndCheck(
        "POST", f"/repos/{github.full_name}/statuses/{pull.head.sha}", input={"state": "pending", "context": "nomic"}
    )
    pull.edit(state="closed")
    seen = github.pull(number)
    assert seen.state == "CLOSED"
    assert [each.body for each in seen.comments] == ["Counted again."]
    assert [each.content for each in seen.comments[0].reactions] == ["eyes"]
    assert seen.label_names == ["nomic: defeated"]
    assert seen.status("nomic").state == "pending"


@pytest.mark.usefixtures("work")
def test_graphql_is_executed_over_github_s_schema(github: FakeGitHub) -> None:
    alice, bob = github.account("alice"), github.account("bob")
    number = github.open_pull(alice, github.edit(alice, "rule.md", "Another.\n"))
    github.approve(bob, number)
    query = """query Look($owner: String!, $name: String!) { rateLimit { cost limit remaining used resetAt }
      viewer { login databaseId } repository(owner: $owner, name: $name) { viewerPermission defaultBranchRef { name }
        pullRequests(states: OPEN, first: 100) { pageInfo { hasNextPage endCursor } nodes { number headRefOid
          author { __typename login ... on User { databaseId } }
          reviews(first: 100) { nodes { fullDatabaseId databaseId state submittedAt commit { oid } author { login } } }
          comments(first: 20) { nodes { reactionGroups { content viewerHasReacted } } }
          timelineItems(first: 100, itemTypes: [REVIEW_DISMISSED_EVENT]) { nodes { __typename } } } } } }"""
    client = github.client(github.actions)
    _, answer = client.requester.graphql_query(query, {"owner": "nomic", "name": "game"})
    data = answer["data"]
    assert data["viewer"] == {"login": "github-actions[bot]", "databaseId": github.actions.id}
    pull = data["repository"]["pullRequests"]["nodes"][0]
    assert pull["author"] == {"__typename": "User", "login": "alice", "databaseId": alice.id}
    assert pull["reviews"]["nodes"][0]["state"] == "APPROVED"
    assert github.requests[-1].operation == "Look"
    with pytest.raises(GithubException, match="headOid"):
        client.requester.graphql_query('{ repository(owner: "a", name: "b") { headOid } }', {})


def test_a_pushed_merge_marks_the_pull_request_merged(github: FakeGitHub, work: Path) -> None:
    alice = github.account("alice")
    number = github.open_pull(alice, github.edit(alice, "rule.md", "Another.\n"))
    git(work, "fetch", "-q", "origin", f"refs/pull/{number}/head")
    git(work, "merge", "-q", "--no-ff", "-m", "Adopt", "FETCH_HEAD")
    git(work, "push", "-q", "origin", "main")
    pull = github.pull(number)
    assert pull.merged
    assert pull.merge_commit == git(work, "rev-parse", "HEAD")


@pytest.mark.usefixtures("work")
def test_authors_cannot_approve_their_own(github: FakeGitHub) -> None:
    alice = github.account("alice")
    number = github.open_pull(alice, github.edit(alice, "rule.md", "Another.\n"))
    with pytest.raises(Refusal, match="Unprocessable"):
        github.approve(alice, number)
    with pytest.raises(GithubException, match="422"):
        github.client(alice).get_repo(github.full_name).get_pull(number).create_review(event="APPROVE")
