"""The fake GitHub: PyGithub reads what it answers, it refuses what GitHub refuses, and things happen as on GitHub."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import requests
from fake_github import Account, FakeGitHub, Fault, Refusal
from github import BadCredentialsException, GithubException, RateLimitExceededException, UnknownObjectException

if TYPE_CHECKING:
    from github.PullRequest import PullRequest


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


@pytest.fixture
def number(github: FakeGitHub, work: Path) -> int:  # noqa: ARG001
    """A pull request by alice, from her fork."""
    alice = github.account("alice")
    return github.open_pull(alice, github.edit(alice, "rule.md", "Another.\n"))


def pull_of(github: FakeGitHub, number: int) -> PullRequest:
    return github.client(github.actions).get_repo(github.full_name).get_pull(number)


def ask(github: FakeGitHub, fields: str, *, by: Account | None = None, **variables: Any) -> dict[str, Any]:
    """What the only repository answers to these fields."""
    declared = ", ".join(
        f"${name}: {'Int' if isinstance(value, int) else 'String'}" for name, value in variables.items()
    )
    query = f'query{f"({declared})" if declared else ""} {{ repository(owner: "nomic", name: "game") {{ {fields} }} }}'
    _, answer = github.client(by or github.actions).requester.graphql_query(query, variables)
    return answer["data"]["repository"]


def refusal(github: FakeGitHub, query: str) -> str:
    """The message of GitHub's errors to a query."""
    with pytest.raises(GithubException) as caught:
        github.client(github.actions).requester.graphql_query(query, {})
    return str(caught.value.data["errors"][0]["message"])


# What GitHub refuses.


def test_a_path_that_github_does_not_describe_is_not_found(github: FakeGitHub, number: int) -> None:
    requester = github.client(github.actions).requester
    with pytest.raises(UnknownObjectException):
        requester.requestJsonAndCheck("GET", f"/repos/{github.full_name}/pulls/{number}/votes")


def test_a_request_that_github_has_and_the_fake_lacks_fails_the_test(tmp_path: Path) -> None:
    github = FakeGitHub(tmp_path)
    with (
        pytest.raises(AssertionError, match="does not answer GET"),
        github,
        pytest.raises(GithubException, match="500"),
    ):
        list(github.client(github.owner).get_repo(github.full_name).get_milestones())


def test_a_field_that_github_has_and_the_fake_lacks_fails_the_test(tmp_path: Path) -> None:
    github = FakeGitHub(tmp_path)
    with pytest.raises(AssertionError, match=r"Repository\.isArchived"), github, pytest.raises(GithubException):
        ask(github, "isArchived")


@pytest.mark.parametrize(
    ("verb", "path", "body"),
    [
        ("POST", "/pulls/1/reviews", {"event": "ASSENT"}),
        ("POST", "/pulls/1/reviews", {"event": "APPROVE", "vote": "for"}),
        ("POST", "/issues/1/comments", {"text": "Aye."}),
        ("POST", "/issues/1/comments", {"body": 7}),
        ("PATCH", "/pulls/1", {"state": "merged"}),
        ("GET", "/pulls?page_size=100", None),
    ],
)
def test_a_body_that_github_does_not_describe_is_refused(
    github: FakeGitHub, number: int, verb: str, path: str, body: dict[str, Any] | None
) -> None:
    assert number == 1
    with pytest.raises(GithubException) as caught:
        github.client(github.account("bob", "WRITE")).requester.requestJsonAndCheck(
            verb, f"/repos/{github.full_name}{path}", input=body
        )
    assert caught.value.status == 422


def test_without_github_s_descriptions_a_test_is_skipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fake_github.described.SCHEMA", tmp_path / "schema.graphql")
    with pytest.raises(pytest.skip.Exception, match="npm ci"):
        FakeGitHub(tmp_path)


def test_all_labels_are_taken_away_by_an_empty_list(github: FakeGitHub, number: int) -> None:
    github.label(github.actions, number, "one", "two")
    pull = pull_of(github, number)
    pull.set_labels()
    assert github.pull(number).label_names == []
    with pytest.raises(GithubException, match="Label does not exist"):
        pull.remove_from_labels("one")


def test_tokens_are_looked_at(github: FakeGitHub) -> None:
    stranger = Account("nobody", 1, "ghp_none")
    with pytest.raises(BadCredentialsException):
        github.client(stranger).get_user().login  # noqa: B018
    with pytest.raises(GithubException, match="not accessible by integration"):
        github.client(github.actions).get_user().login  # noqa: B018
    alice = github.account("alice")
    assert github.client(alice).get_user().id == alice.id


def test_a_reader_writes_nothing_but_words(github: FakeGitHub, number: int) -> None:
    bob, carol = github.account("bob"), github.account("carol")
    pull = github.client(bob).get_repo(github.full_name).get_pull(number)
    review = github.approve(carol, number)
    for write in (
        lambda: pull.edit(state="closed"),
        lambda: pull.add_to_labels("mine"),
        lambda: pull.get_review(review.id).dismiss("Away with it."),
        lambda: pull.base.repo.get_commit(pull.head.sha).create_status("success"),
    ):
        with pytest.raises(GithubException) as caught:
            write()
        assert caught.value.status in (403, 404)
    pull.create_issue_comment("But why?")
    assert [comment.body for comment in github.pull(number).comments] == ["But why?"]


def test_words_against_are_needed_and_too_many_are_refused(github: FakeGitHub, number: int) -> None:
    bob = github.account("bob")
    pull = github.client(bob).get_repo(github.full_name).get_pull(number)
    for event in ("REQUEST_CHANGES", "COMMENT"):
        with pytest.raises(GithubException, match="blank"):
            pull.create_review(event=event)
    pull.create_issue_comment("a" * 65_536)
    with pytest.raises(GithubException, match="too long"):
        pull.create_issue_comment("a" * 65_537)
    with pytest.raises(GithubException, match="140"):
        pull_of(github, number).base.repo.get_commit(pull.head.sha).create_status("success", description="a" * 141)


def test_a_pull_request_needs_commits_of_its_own(github: FakeGitHub, number: int) -> None:
    alice = github.account("alice")
    with pytest.raises(Refusal) as caught:
        github.open_pull(alice, "patch-1")
    assert "already exists for alice:patch-1" in str(caught.value.errors)
    with pytest.raises(Refusal) as caught:
        github.open_pull(alice, "main")
    assert "No commits between main and main" in str(caught.value.errors)
    assert github.open_issue(alice) == number + 1
    assert github.open_pull(alice, github.edit(alice, "b.md", "b")) == number + 2


# Reading.


def test_more_than_a_hundred_reviews_are_paged(github: FakeGitHub, number: int) -> None:
    voters = [github.account(f"voter-{index}") for index in range(150)]
    for voter in voters:
        github.approve(voter, number)
    assert [review.user.login for review in pull_of(github, number).get_reviews()] == [each.login for each in voters]
    fields = """pullRequest(number: 1) { reviews(first: 100, after: $after) {
        totalCount pageInfo { hasNextPage endCursor } nodes { author { login } } } }"""
    first = ask(github, fields.replace(", after: $after", ""))
    reviews = first["pullRequest"]["reviews"]
    assert (reviews["totalCount"], len(reviews["nodes"]), reviews["pageInfo"]["hasNextPage"]) == (150, 100, True)
    rest = ask(github, fields, after=reviews["pageInfo"]["endCursor"])["pullRequest"]["reviews"]
    assert not rest["pageInfo"]["hasNextPage"]
    assert [node["author"]["login"] for node in reviews["nodes"] + rest["nodes"]] == [each.login for each in voters]


@pytest.mark.parametrize("direction", ["ASC", "DESC"])
def test_a_cursor_outlives_its_pull_request(github: FakeGitHub, work: Path, direction: str) -> None:
    assert work
    alice = github.account("alice")
    for index in range(6):
        github.open_pull(alice, github.edit(alice, f"{index}.md", "x"))
    order = f"orderBy: {{field: UPDATED_AT, direction: {direction}}}"
    fields = f"pullRequests(states: OPEN, first: 3, AFTER {order}) {{ pageInfo {{ endCursor }} nodes {{ number }} }}"
    first = ask(github, fields.replace("AFTER", ""))["pullRequests"]
    github.close(alice, first["nodes"][-1]["number"])
    rest = ask(github, fields.replace("AFTER", "after: $after"), after=first["pageInfo"]["endCursor"])["pullRequests"]
    numbers = [node["number"] for node in first["nodes"] + rest["nodes"]]
    assert numbers == sorted(range(1, 7), reverse=direction == "DESC")


def test_a_query_is_held_to_github_s_limits(github: FakeGitHub, number: int) -> None:
    assert number
    start = 'query { repository(owner: "nomic", name: "game") { pullRequests'
    assert "must provide a `first` or `last`" in refusal(github, start + " { totalCount } } }")
    assert "exceeds the `first` limit of 100" in refusal(github, start + "(first: 101) { totalCount } } }")
    deep = "(first: 100) { nodes { reviews(first: 100) { nodes { comments(first: 100) { totalCount } } } } } } }"
    assert "1,010,100 possible nodes" in refusal(github, start + deep)
    assert "Could not resolve to a PullRequest" in refusal(
        github, 'query { repository(owner: "nomic", name: "game") { pullRequest(number: 77) { id } } }'
    )


def test_a_query_costs_what_its_connections_would(github: FakeGitHub, number: int) -> None:
    assert number
    query = """query { rateLimit { cost nodeCount remaining } repository(owner: "nomic", name: "game") {
        pullRequests(first: 50) { nodes { reviews(first: 100) { nodes { id } } comments(last: 20) { nodes { id } }
        timelineItems(first: 100, itemTypes: [CLOSED_EVENT]) { nodes { __typename } } } } } }"""
    _, answer = github.client(github.actions).requester.graphql_query(query, {})
    assert answer["data"]["rateLimit"] == {"cost": 2, "nodeCount": 11_050, "remaining": 998}


def test_names_change_and_ids_stay(github: FakeGitHub, number: int) -> None:
    alice, bob = github.account("alice"), github.account("bob")
    github.approve(bob, number)
    github.rename(alice, "alicia")
    github.delete_account(bob)
    pull = pull_of(github, number)
    assert (pull.user.login, pull.user.id) == ("alicia", alice.id)
    fields = "pullRequest(number: 1) { author { login } reviews(first: 9) { nodes { state author { login } } } }"
    assert ask(github, fields)["pullRequest"] == {
        "author": {"login": "alicia"},
        "reviews": {"nodes": [{"state": "APPROVED", "author": None}]},
    }
    github.delete_account(alice)
    assert github.pull(number).state == "CLOSED"
    assert pull_of(github, number).head.repo is None


def test_bots_are_bots(github: FakeGitHub, number: int) -> None:
    robot = github.account("robot[bot]")
    github.approve(robot, number)
    github.comment(github.actions, number, "Counted.")
    fields = """pullRequest(number: 1) { reviews(first: 1) { nodes { author { __typename login
        ... on Bot { databaseId } } } } comments(last: 1) { nodes { viewerDidAuthor author { login } } } }"""
    pull = ask(github, fields)["pullRequest"]
    assert pull["reviews"]["nodes"][0]["author"] == {"__typename": "Bot", "login": "robot", "databaseId": robot.id}
    assert pull["comments"]["nodes"] == [{"viewerDidAuthor": True, "author": {"login": "github-actions"}}]
    assert [review.user.login for review in pull_of(github, number).get_reviews()] == ["robot[bot]"]


def test_statuses_and_reactions_are_read_with_the_pull_request(github: FakeGitHub, number: int) -> None:
    comment = github.comment(github.account("bob"), number, "/nomic tally")
    github.react(github.actions, comment, "eyes")
    github.set_status(github.actions, github.pull(number).head, "pending", "nomic", "1 of 3")
    fields = """pullRequest(number: 1) { comments(last: 20) { nodes { fullDatabaseId
        reactionGroups { content viewerHasReacted reactors(first: 1) { totalCount } } } }
        commits(last: 1) { nodes { commit { oid status { state context(name: "nomic") { state description
        creator { login } } } } } } }"""
    pull = ask(github, fields)["pullRequest"]
    (seen,) = pull["comments"]["nodes"]
    assert seen["fullDatabaseId"] == str(comment.id)
    assert [each["content"] for each in seen["reactionGroups"] if each["viewerHasReacted"]] == ["EYES"]
    commit = pull["commits"]["nodes"][0]["commit"]
    assert commit["oid"] == github.pull(number).head
    assert commit["status"]["context"] == {
        "state": "PENDING",
        "description": "1 of 3",
        "creator": {"login": "github-actions"},
    }


def test_who_edited_what_is_told(github: FakeGitHub, number: int) -> None:
    alice, bob = github.account("alice"), github.account("bob")
    comment, review = github.comment(bob, number, "/nomic tally"), github.approve(bob, number)
    github.edit_comment(github.owner, number, comment, "/nomic against")
    github.edit_review(bob, number, review, "Gladly.")
    github.describe(alice, number, "Why not?")
    edited = "lastEditedAt editor { login }"
    fields = f"""pullRequest(number: 1) {{ {edited} comments(first: 1) {{ nodes {{ {edited} }} }}
        reviews(first: 1) {{ nodes {{ {edited} }} }} }}"""
    seen = ask(github, fields)["pullRequest"]
    nodes = [*seen["comments"]["nodes"], *seen["reviews"]["nodes"], seen]
    assert [node["editor"]["login"] for node in nodes] == ["nomic", "bob", "alice"]
    assert nodes[0]["lastEditedAt"] < nodes[1]["lastEditedAt"] < nodes[2]["lastEditedAt"]
    with pytest.raises(Refusal):
        github.edit_comment(alice, number, comment, "No.")


# What happens to pull requests.


def test_a_dismissal_changes_the_review_in_place(github: FakeGitHub, number: int) -> None:
    bob, carol = github.account("bob"), github.account("carol", "WRITE")
    review = github.request_changes(bob, number)
    pull_of(github, number)
    github.client(carol).get_repo(github.full_name).get_pull(number).get_review(review.id).dismiss("Enough.")
    fields = """pullRequest(number: 1) { reviews(first: 9) { nodes { state } } timelineItems(first: 9,
        itemTypes: [REVIEW_DISMISSED_EVENT]) { nodes { ... on ReviewDismissedEvent { actor { login }
        previousReviewState dismissalMessage review { fullDatabaseId } createdAt } } } }"""
    pull = ask(github, fields)["pullRequest"]
    assert pull["reviews"]["nodes"] == [{"state": "DISMISSED"}]
    (event,) = pull["timelineItems"]["nodes"]
    assert (event["actor"]["login"], event["previousReviewState"], event["dismissalMessage"]) == (
        "carol",
        "CHANGES_REQUESTED",
        "Enough.",
    )
    assert event["review"]["fullDatabaseId"] == str(review.id)


def test_a_later_comment_takes_no_approval_back(github: FakeGitHub, number: int) -> None:
    bob = github.account("bob")
    github.approve(bob, number)
    github.review(bob, number, "COMMENT", "Though I wonder.")
    fields = "pullRequest(number: 1) { reviewDecision latestOpinionatedReviews(first: 9) { nodes { state } } }"
    assert ask(github, fields)["pullRequest"] == {
        "reviewDecision": None,
        "latestOpinionatedReviews": {"nodes": [{"state": "APPROVED"}]},
    }


def test_only_a_forced_push_leaves_an_event(github: FakeGitHub, number: int) -> None:
    alice = github.account("alice")
    first = github.pull(number).head
    github.edit(alice, "rule.md", "More.\n", branch="patch-1")
    second = github.pull(number).head
    assert [event.kind for event in github.pull(number).events] == []
    third = github.objects({"rule.md": "Other.\n"})
    github.force_push(alice, "patch-1", third)
    fields = """pullRequest(number: 1) { headRefOid timelineItems(first: 9, itemTypes: [HEAD_REF_FORCE_PUSHED_EVENT]) {
        nodes { ... on HeadRefForcePushedEvent { beforeCommit { oid } afterCommit { oid } } } } }"""
    pull = ask(github, fields)["pullRequest"]
    assert first != second
    assert pull["headRefOid"] == third == github.repository.store.tip("refs/pull/1/head")
    assert pull["timelineItems"]["nodes"] == [{"beforeCommit": {"oid": second}, "afterCommit": {"oid": third}}]


def test_plain_git_pushes_are_seen_at_once(github: FakeGitHub, number: int, work: Path) -> None:
    alice = github.account("alice")
    git(work, "fetch", "-q", "origin", f"refs/pull/{number}/head")
    git(work, "checkout", "-q", "-b", "patch-1", "FETCH_HEAD")
    git(work, "commit", "-q", "--amend", "-m", "Rewritten")
    git(work, "push", "-q", "--force", str(github.place(alice).store.folder), "patch-1")
    assert git(work, "ls-remote", "origin", f"refs/pull/{number}/head").split()[0] == git(work, "rev-parse", "HEAD")
    assert [event.kind for event in github.pull(number).events] == ["HeadRefForcePushedEvent"]


def test_a_stale_push_and_a_push_to_a_pull_request_s_ref_are_rejected(
    github: FakeGitHub, number: int, work: Path
) -> None:
    github.edit(github.owner, "other.md", "x", branch="main")
    git(work, "commit", "-q", "--allow-empty", "-m", "Late")
    assert "[rejected]" in push_refused(work, "HEAD:refs/heads/main")
    assert "hidden ref" in push_refused(work, f"+HEAD:refs/pull/{number}/head")


def push_refused(work: Path, refspec: str) -> str:
    """What git says to a push that fails."""
    done = subprocess.run(["git", "push", "origin", refspec], cwd=work, capture_output=True, text=True, check=False)
    assert done.returncode
    return done.stderr


def test_pull_requests_merge_by_reachability_wanted_or_not(github: FakeGitHub, work: Path) -> None:
    assert work
    alice, bob = github.account("alice"), github.account("bob")
    inner = github.open_pull(alice, github.edit(alice, "a.md", "a"))
    github.place(bob)
    github.force_push(bob, "on-top", github.pull(inner).head)
    github.edit(bob, "b.md", "b", branch="on-top")
    outer = github.open_pull(bob, "on-top")
    closed = github.open_pull(bob, github.edit(bob, "c.md", "c"))
    github.close(bob, closed)
    merge = github.objects({"c.md": "c"}, parents=[github.tip(), github.pull(outer).head, github.pull(closed).head])
    github.push(github.owner, "main", merge)
    assert [github.pull(each).state for each in (inner, outer, closed)] == ["MERGED", "MERGED", "CLOSED"]
    assert github.pull(inner).merge_commit == merge
    seen = pull_of(github, inner)
    assert (seen.merged, seen.merge_commit_sha, seen.merged_by.login) == (True, merge, "nomic")
    squashed = github.open_pull(alice, github.edit(alice, "d.md", "d"))
    github.push(github.owner, "main", github.objects({"d.md": "d"}))
    assert github.pull(squashed).state == "OPEN"
    with pytest.raises(Refusal):
        github.reopen(alice, inner)


def test_commit_messages_on_the_default_branch_close_what_they_name(github: FakeGitHub, work: Path) -> None:
    assert work
    alice = github.account("alice")
    issue, other = github.open_issue(alice), github.open_issue(alice)
    named = github.open_pull(alice, github.edit(alice, "a.md", "a"))
    merged = github.open_pull(
        alice, github.edit(alice, "b.md", "b"), f"Closes #{issue}", f"Fixes #{other}, closes #{named}"
    )
    github.merge(github.owner, merged)
    # The title stands in the merge's message, and closes; the description closes issues alone.
    assert not github.repository.issues[issue].open
    assert not github.repository.issues[other].open
    assert github.pull(named).open
    github.push(github.owner, "side", github.objects({}, f"Closes #{named}"))
    assert github.pull(named).open
    github.push(github.owner, "main", github.tip("side"))
    assert github.pull(named).state == "CLOSED"


def test_a_closed_pull_request_stands_still_until_reopened(github: FakeGitHub, number: int) -> None:
    alice = github.account("alice")
    github.close(alice, number)
    before = github.pull(number).head
    github.edit(alice, "rule.md", "More.\n", branch="patch-1")
    assert github.pull(number).head == before
    github.reopen(alice, number)
    assert github.pull(number).head != before
    github.close(alice, number)
    github.force_push(alice, "patch-1", github.objects({"x.md": "x"}))
    with pytest.raises(Refusal) as caught:
        github.reopen(alice, number)
    assert "was force-pushed" in str(caught.value.errors)


def test_stages_and_bases_and_titles_leave_events(github: FakeGitHub, number: int) -> None:
    alice = github.account("alice")
    github.commit(github.owner, {"z.md": "z"}, branch="side")
    github.draft(alice, number)
    query = """mutation M($id: ID!) {
        markPullRequestReadyForReview(input: {pullRequestId: $id}) { pullRequest { isDraft } } }"""
    node = ask(github, "pullRequest(number: 1) { id }")["pullRequest"]["id"]
    _, answer = github.client(alice).requester.graphql_query(query, {"id": node})
    assert answer["data"]["markPullRequestReadyForReview"]["pullRequest"] == {"isDraft": False}
    with pytest.raises(GithubException, match="FORBIDDEN"):
        github.client(github.account("bob")).requester.graphql_query(query, {"id": node})
    pull = github.client(alice).get_repo(github.full_name).get_pull(number)
    pull.edit(title="Better", base="side")
    github.close(alice, number)
    github.reopen(alice, number)
    fields = """pullRequest(number: 1) { baseRefName title timelineItems(first: 20) { nodes { __typename
        ... on BaseRefChangedEvent { previousRefName currentRefName }
        ... on RenamedTitleEvent { previousTitle currentTitle } } } }"""
    seen = ask(github, fields)["pullRequest"]
    assert (seen["baseRefName"], seen["title"]) == ("side", "Better")
    assert seen["timelineItems"]["nodes"] == [
        {"__typename": "ConvertToDraftEvent"},
        {"__typename": "ReadyForReviewEvent"},
        {"__typename": "RenamedTitleEvent", "previousTitle": "A proposal", "currentTitle": "Better"},
        {"__typename": "BaseRefChangedEvent", "previousRefName": "main", "currentRefName": "side"},
        {"__typename": "ClosedEvent"},
        {"__typename": "ReopenedEvent"},
    ]


def test_a_merged_and_deleted_base_passes_its_pull_requests_on(github: FakeGitHub, work: Path) -> None:
    assert work
    github.commit(github.owner, {"below.md": "x"}, branch="below")
    below = github.open_pull(github.owner, "below")
    github.force_push(github.owner, "above", github.tip("below"))
    github.commit(github.owner, {"above.md": "x"}, branch="above")
    above = github.open_pull(github.owner, "above", base="below")
    github.merge(github.owner, below)
    github.delete_branch(github.owner, "below")
    assert (github.pull(above).state, github.pull(above).base_branch) == ("OPEN", "main")
    assert [event.kind for event in github.pull(above).events] == ["AutomaticBaseChangeSucceededEvent"]
    github.delete_branch(github.owner, "above")
    assert github.pull(above).state == "CLOSED"


# Switches.


def test_commit_ids_stay_move_or_are_lost(github: FakeGitHub, number: int) -> None:
    alice, bob, carol = (github.account(login) for login in ("alice", "bob", "carol"))
    first = github.pull(number).head
    approval, dissent = github.approve(bob, number), github.request_changes(carol, number)
    github.edit(alice, "rule.md", "More.\n", branch="patch-1")
    assert [approval.commit, dissent.commit] == [first, first]
    github.switches.moves_commit_ids = True
    github.edit(alice, "rule.md", "Yet more.\n", branch="patch-1")
    assert [approval.commit, dissent.commit] == [github.pull(number).head, first]
    github.switches.moves_commit_ids, github.switches.loses_commit_ids = False, True
    github.force_push(alice, "patch-1", github.objects({"rule.md": "Else.\n"}))
    fields = "pullRequest(number: 1) { reviews(first: 9) { nodes { commit { oid } } } }"
    assert ask(github, fields)["pullRequest"]["reviews"]["nodes"] == [{"commit": None}, {"commit": None}]
    assert [review.commit_id for review in pull_of(github, number).get_reviews()] == [None, None]


def test_a_push_may_dismiss_the_approvals(github: FakeGitHub, number: int) -> None:
    approval = github.approve(github.account("bob"), number)
    dissent = github.request_changes(github.account("carol"), number)
    github.switches.dismisses_stale_approvals = True
    github.edit(github.account("alice"), "rule.md", "More.\n", branch="patch-1")
    assert (approval.state, dissent.state) == ("DISMISSED", "CHANGES_REQUESTED")
    assert github.pull(number).events[0].what["previous_review_state"] == "APPROVED"


@pytest.mark.parametrize("code", ["GH006", "GH013"])
def test_a_protected_branch_takes_no_push(github: FakeGitHub, work: Path, code: str) -> None:
    github.protect("main", code)
    git(work, "commit", "-q", "--allow-empty", "-m", "Mine")
    said = push_refused(work, "HEAD:refs/heads/main")
    assert code in said
    assert "Changes must be made through a pull request." in said
    assert "! [remote rejected] HEAD -> main (p" in said
    git(work, "push", "-q", "origin", "HEAD:refs/heads/elsewhere")
    github.unprotect("main")
    git(work, "push", "-q", "origin", "HEAD:refs/heads/main")


def test_a_push_is_refused_for_what_is_in_it(github: FakeGitHub, work: Path) -> None:
    workflow = work / ".github" / "workflows" / "x.yml"
    workflow.parent.mkdir(parents=True)
    workflow.write_text("on: push\n")
    git(work, "add", ".github")
    git(work, "commit", "-q", "-m", "A workflow")
    git(work, "rm", "-q", "-r", ".github")
    git(work, "commit", "-q", "-m", "And none")
    github.switches.refuses_workflows = True
    assert (
        "(refusing to allow a GitHub App to create or update workflow `.github/workflows/x.yml` without `workflows` "
        "permission)"
    ) in push_refused(work, "HEAD:refs/heads/main")
    github.switches.refuses_workflows = False
    github.switches.secrets = [b"on: push"]
    assert "Push cannot contain secrets" in push_refused(work, "HEAD:refs/heads/main")
    github.switches.secrets, github.switches.largest_file = [], 5
    assert "GH001: Large files detected." in push_refused(work, "HEAD:refs/heads/main")
    github.switches.largest_file = 1_000_000
    git(work, "push", "-q", "origin", "HEAD:refs/heads/main")


def test_an_atomic_push_moves_all_or_nothing(github: FakeGitHub, work: Path) -> None:
    before = github.tip()
    git(work, "commit", "-q", "--allow-empty", "-m", "Mine")
    github.switches.refused["refs/heads/side"] = "not there"
    refs = ["HEAD:refs/heads/main", "HEAD:refs/heads/side", "HEAD:refs/nomic/witness"]
    done = subprocess.run(["git", "push", "--atomic", "origin", *refs], cwd=work, capture_output=True, text=True)
    assert done.returncode
    assert "remote: error: not there" in done.stderr
    assert (github.tip(), github.repository.store.tip("refs/nomic/witness")) == (before, None)
    done = subprocess.run(["git", "push", "origin", *refs], cwd=work, capture_output=True, text=True)
    assert done.returncode
    mine = git(work, "rev-parse", "HEAD")
    assert (github.tip(), github.repository.store.tip("refs/nomic/witness")) == (mine, mine)
    assert github.repository.store.branch("side") is None
    assert ask(github, 'ref(qualifiedName: "refs/nomic/witness") { name prefix target { oid } }')["ref"] == {
        "name": "witness",
        "prefix": "refs/nomic/",
        "target": {"oid": mine},
    }


def test_a_fork_s_commit_is_fetched_from_the_repository(github: FakeGitHub, number: int, work: Path) -> None:
    first = github.pull(number).head
    github.force_push(github.account("alice"), "patch-1", github.objects({"rule.md": "Else.\n"}))
    git(work, "fetch", "-q", "origin", first)
    assert git(work, "cat-file", "-t", first) == "commit"


# Faults.


@pytest.mark.parametrize("fault", list(Fault))
def test_a_fault_takes_effect_or_not(github: FakeGitHub, number: int, fault: Fault) -> None:
    github.server.patience = 0.3
    pull = pull_of(github, number)
    github.fail(fault, nth=2)
    pull.create_issue_comment("First.")
    with pytest.raises((GithubException, requests.RequestException)):
        pull.create_issue_comment("Second.")
    assert github.log[-1].fault is fault
    github.heal()
    assert len(github.pull(number).comments) == (2 if fault.takes_effect else 1)


def test_limits_are_told_as_github_tells_them(github: FakeGitHub, number: int) -> None:
    github.fail(Fault.SECONDARY_LIMIT)
    with pytest.raises(RateLimitExceededException) as caught:
        pull_of(github, number)
    assert caught.value.headers["retry-after"] == "60"
    github.fail(Fault.RATE_LIMIT, matching=lambda request: request.path == "/graphql")
    with pytest.raises(GithubException) as graphql:
        ask(github, "id")
    assert graphql.value.data["errors"][0]["type"] == "RATE_LIMIT"
    github.budget(github.actions).limit = github.budget(github.actions).used + 1
    client = github.client(github.actions)
    client.get_repo(github.full_name)
    with pytest.raises(RateLimitExceededException):
        client.get_repo(github.full_name)
    github.clock.move(3600)
    assert client.get_repo(github.full_name).id
    assert client.get_rate_limit().resources.core.used == 1


def test_something_happens_in_the_middle(github: FakeGitHub, number: int) -> None:
    alice = github.account("alice")
    github.after(lambda: github.edit(alice, "rule.md", "Meanwhile.\n", branch="patch-1"), nth=2)
    head = github.pull(number).head
    assert pull_of(github, number).head.sha == head
    assert pull_of(github, number).head.sha == github.pull(number).head != head


@pytest.mark.parametrize("fault", [Fault.DROPPED, Fault.DROPPED_AFTER])
def test_a_push_can_be_lost_before_and_after(github: FakeGitHub, work: Path, fault: Fault) -> None:
    before = github.tip()
    git(work, "commit", "-q", "--allow-empty", "-m", "Mine")
    github.fail(fault, matching=lambda request: request.method == "PUSH")
    push_refused(work, "HEAD:refs/heads/main")
    assert (github.tip() == before) is not fault.takes_effect


def test_the_client_dies_after_so_many_steps(github: FakeGitHub, number: int, work: Path) -> None:
    pull = pull_of(github, number)
    with github.killed_after(2) as life:
        pull.create_issue_comment("One.")
        git(work, "push", "-q", "origin", "HEAD:refs/heads/copy")
        pull.create_issue_comment("Never.")
    assert life.ended
    assert [comment.body for comment in github.pull(number).comments] == ["One."]
    with github.killed_after(1) as life:
        pull.create_issue_comment("Two.")
    assert life.ended
    assert len(github.pull(number).comments) == 2


def test_the_log_counts_requests(github: FakeGitHub, number: int) -> None:
    github.forget()
    pull_of(github, number)
    assert [(request.method, request.path, request.status, request.account) for request in github.requests] == [
        ("GET", f"/repos/{github.full_name}", 200, "github-actions[bot]"),
        ("GET", f"/repos/{github.full_name}/pulls/{number}", 200, "github-actions[bot]"),
    ]


def test_the_clock_is_told_in_the_date(github: FakeGitHub, number: int) -> None:
    github.clock.now = 1_800_000_000
    assert pull_of(github, number).raw_headers["date"] == "Fri, 15 Jan 2027 08:00:00 GMT"


def test_github_enterprise_server_has_its_api_elsewhere(github: FakeGitHub, number: int) -> None:
    client = github.client(github.actions, base_url=github.enterprise_url)
    assert client.get_repo(github.full_name).get_pull(number).number == number
    _, answer = client.requester.graphql_query("{ viewer { login } }", {})
    assert answer["data"]["viewer"]["login"] == "github-actions[bot]"
