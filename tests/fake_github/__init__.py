"""A GitHub for tests: a server that PyGithub talks to, in front of a real bare repository.

    from fake_github import Fault, FakeGitHub

    def test_an_approval_is_read(github: FakeGitHub, tmp_path: Path) -> None:
        # push a game to github.path first: git push <github.path> HEAD:refs/heads/main
        alice, bob = github.account("alice"), github.account("bob", "WRITE")
        branch = github.edit(alice, "rules/mutable/new.md", "All rules rhyme.\\n")  # on her fork
        number = github.open_pull(alice, branch, "Rhyme")
        github.review(bob, number, "APPROVE")
        client = github.client(github.actions)          # PyGithub as the Actions token
        ...                                             # run what is tested with github.url and account.token
        assert github.pull(number).merged
        assert len(github.requests) <= 6

The fixture `github` (tests/conftest.py) gives one. `FakeGitHub(folder)` skips the test where GitHub's descriptions are
not installed: `npm ci` in tests/octokit. It is a context manager; leaving it fails the test when the fake was asked for
something that it lacks, or gave an answer that GitHub's description does not allow. Its parts:

- **Where it is.** `url` (GITHUB_API_URL), `enterprise_url` (…/api/v3), `full_name` (GITHUB_REPOSITORY, "nomic/game"),
  `path` (the bare repository; the remote of clones), `client(account)`, `clone(folder)`.
- **Accounts.** `owner` (ADMIN), `actions` (github-actions[bot], WRITE), `account(login, permission="READ")`: `login`,
  `id`, `token`. A login that ends in `[bot]` is a bot. `rename`, `delete_account`, `permit`.
- **Pages.** `edit`, `delete`, `move`, `commit` (several files, modes, parents) give the branch's name; who cannot
  write works on a fork. `open_pull`, `open_issue`, `review`/`approve`/`request_changes`, `edit_review`, `dismiss`,
  `comment`, `edit_comment`, `delete_comment`, `react`, `label`, `unlabel`, `set_status`, `close`, `reopen`, `ready`,
  `draft`, `retarget`, `retitle`, `describe`, `merge` (the owner's button), `delete_branch`. What GitHub refuses
  raises `Refusal`.
- **Pushes.** `push` and `force_push` set a branch to a commit: of the store (`objects` makes one there), or of a
  clone. Plain `git push` to `path` works as well, and everything follows before it returns: refs/pull/N/head, merges,
  force-push events. `protect(branch, "GH006"|"GH013")`, `switches.refuses_workflows`, `.secrets`, `.largest_file`,
  `.refused` refuse pushes by git in GitHub's words (actions of the pages above are not refused). A push by git to the
  repository is the owner's, or `world.pusher`'s: who merged, who forced.
- **Time.** `clock.now` is set and moved (`clock.move(seconds)`) by the test, and `clock.step` (10 s) by each action
  of a person; requests and pushes by git take no time. The `Date` header tells it.
- **What GitHub does differently here and there.** `switches`: `moves_commit_ids`, `loses_commit_ids`,
  `dismisses_stale_approvals`, `actions_may_open_pulls`.
- **Afterwards.** `pull(number)` is the pull request itself: `state` (OPEN, CLOSED, MERGED), `merged`, `draft`,
  `head`, `comments`, `reviews`, `label_names`, `statuses`, `status(context)`, `events`. `tip()`, `read(path)`,
  `moves`.
- **Requests.** `log` (requests and pushes), `requests` (without pushes), each with `method`, `path`, `operation`
  (GraphQL's name), `status`; `forget()`. `server.checks_answers = False` saves the time of holding answers against
  the description, for benchmarks. `budget(account, "core"|"graphql").limit` is set by a test: 1,000 an hour of the
  clock for bots, 5,000 for people.
- **Faults.** `fail(Fault.BAD_GATEWAY, nth=2)`, `before(action, nth)`, `after(action, nth)`, each with `matching=` a
  predicate over a `Request` and counted from now; `heal()`. `with github.killed_after(3): …` kills the client. A
  time-out lasts `server.patience` seconds, then the connection closes: give the client a shorter one.
  `server.retry_after` is what Retry-After says; GitHub's secondary limits come as faults only.

What it holds requests and answers against: GitHub's OpenAPI description and GraphQL schema, unabridged. Ids of reviews,
comments and events exceed 31 bits, as on GitHub today: there GraphQL's `databaseId` is null, `fullDatabaseId` is not.
"""

from fake_github.clock import START, Clock
from fake_github.faults import Fault, Killed, Request
from fake_github.github import FakeGitHub
from fake_github.state import Account, Comment, Permission, Pull, Refusal, Repository, Review
from fake_github.world import Switches

__all__ = [
    "START",
    "Account",
    "Clock",
    "Comment",
    "FakeGitHub",
    "Fault",
    "Killed",
    "Permission",
    "Pull",
    "Refusal",
    "Repository",
    "Request",
    "Review",
    "Switches",
]
