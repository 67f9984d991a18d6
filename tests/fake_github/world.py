"""What GitHub does when people and programs act: the rules of pull requests, reviews, comments, and of pushes."""

from __future__ import annotations

import re
import shutil
from copy import deepcopy
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pygit2

from fake_github.clock import Clock
from fake_github.state import (
    Account,
    Comment,
    Event,
    Issue,
    Permission,
    Pull,
    Reaction,
    Refusal,
    Repository,
    Review,
    Status,
    invalid,
)
from fake_github.store import NOTHING, Store

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

LONGEST_BODY = 65_536
FIRST_ID = 3_500_000_000
"""Reviews and comments are numbered beyond 31 bits on GitHub today: `databaseId`, an Int of GraphQL, cannot tell."""

ACTIONS_ID = 41_898_282
GHOST_ID = 10_137
CLOSING = re.compile(r"\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?):?\s+#(\d{1,9})\b", re.IGNORECASE)
"""In the message of a commit on the default branch it closes issues and pull requests; in a merged pull request's
description, issues."""
EVENTS = {"APPROVE": "APPROVED", "REQUEST_CHANGES": "CHANGES_REQUESTED", "COMMENT": "COMMENTED"}


@dataclass
class Switches:
    """What differs from repository to repository, and what GitHub has been seen to do and not to do."""

    moves_commit_ids: bool = False
    """Standing approvals' commit id moves forward when the head moves."""
    loses_commit_ids: bool = False
    """Standing reviews' commit becomes null when the head is force-pushed."""
    dismisses_stale_approvals: bool = False
    """The branch protection's switch: each push dismisses the approvals."""
    actions_may_open_pulls: bool = False
    """Settings, Actions: "Allow GitHub Actions to create and approve pull requests"."""
    refuses_workflows: bool = False
    """Who pushes has no `workflows` permission."""
    workflow_pusher: str = "a GitHub App"
    """Who is told so: GitHub says "an OAuth App" and "a Personal Access Token" too."""
    secrets: list[bytes] = field(default_factory=list)
    """Push protection: a pushed file with one of these in it is refused."""
    largest_file: int = 100 * 1024 * 1024
    """In bytes; GH001 above it."""
    protected: dict[str, str] = field(default_factory=dict)
    """Branches to which no push goes through, each with "GH006" or "GH013"."""
    refused: dict[str, str] = field(default_factory=dict)
    """Full names of refs (or "*") with the words with which a push to them is refused."""


@dataclass(frozen=True, slots=True)
class Move:
    """One ref that moved: commits' ids, None for one that is not there."""

    at: int
    repository: str
    ref: str
    old: str | None
    new: str | None


class World:
    """All accounts and repositories, and everything that can happen to them."""

    def __init__(self, folder: Path, clock: Clock) -> None:
        self.folder = folder
        self.clock = clock
        self.switches = Switches()
        self.accounts: list[Account] = []
        self.repositories: list[Repository] = []
        self.moves: list[Move] = []
        self.port = 0
        self._next_id = FIRST_ID
        self._next_account_id = 1001
        self.pusher: Account | None = None
        """Whose pushes by git to the repository itself are; the owner's where None. A fork's are its owner's."""

    def copied(self, folder: Path) -> World:
        """The same world in a folder that is not there yet: what happens in the one does not in the other."""
        shutil.copytree(self.folder, folder, symlinks=True)
        stores = [each.store for each in self.repositories]
        there = {id(one): Store(folder / one.folder.relative_to(self.folder)) for one in stores}
        return deepcopy(self, {id(self.folder): folder, **there})

    def report_to(self, port: int) -> None:
        """Have every push ask the server at that port first."""
        self.port = port
        for each in self.repositories:
            each.store.report_to(port)

    # Accounts and repositories.

    def new_id(self) -> int:
        self._next_id += 1
        return self._next_id - 1

    def new_account(self, login: str, kind: str = "User", account_id: int | None = None) -> Account:
        if self.account(login) is not None:
            raise ValueError(f"there is an account {login} already")
        number = account_id or self._next_account_id
        self._next_account_id += account_id is None
        prefix = "ghs" if kind == "Bot" else "ghp"
        account = Account(login, number, f"{prefix}_{number:036d}", kind, created_at=self.clock.now)
        self.accounts.append(account)
        return account

    def account(self, login: str) -> Account | None:
        return next((each for each in self.accounts if not each.deleted and each.login.lower() == login.lower()), None)

    def bearer(self, token: str) -> Account | None:
        return next((each for each in self.accounts if not each.deleted and each.token == token), None)

    def new_repository(self, owner: Account, name: str, fork_of: Repository | None = None) -> Repository:
        folder = self.folder / owner.login / f"{name}.git"
        store = Store.new(folder, None if fork_of is None else fork_of.store)
        store.report_to(self.port)
        made = Repository(len(self.repositories) + 1, owner, name, store, self.clock.now, fork_of)
        self.repositories.append(made)
        return made

    def repository(self, owner: str, name: str) -> Repository | None:
        return next(
            (
                each
                for each in self.repositories
                if not each.owner.deleted
                and (each.owner.login.lower(), each.name.lower()) == (owner.lower(), name.lower())
            ),
            None,
        )

    def fork(self, actor: Account, repository: Repository) -> Repository:
        """The account's fork; made with the branches that there are, once."""
        there = next((each for each in self.repositories if each.fork_of is repository and each.owner is actor), None)
        if there is not None:
            return there
        if actor is repository.owner or actor.is_app:
            raise Refusal(403, "Resource not accessible by integration", kind="FORBIDDEN")
        name = repository.name
        while self.repository(actor.login, name) is not None:
            name += "-1"
        made = self.new_repository(actor, name, repository)
        for branch in repository.store.branches:
            made.store.point(f"refs/heads/{branch}", repository.store.branch(branch))
        return made

    def network(self, repository: Repository) -> list[Repository]:
        root = repository.fork_of or repository
        return [each for each in self.repositories if each is root or each.fork_of is root]

    def delete_account(self, account: Account) -> None:
        """Its forks go with it; what it wrote stays, by nobody."""
        account.deleted = True
        for repository in [each for each in self.repositories if each.owner is account]:
            for pull in [pull for each in self.repositories for pull in each.pulls.values()]:
                if pull.head_repository is repository:
                    if pull.open:
                        self.close(account, pull)
                    pull.head_repository = None

    # Pull requests.

    def demand(self, repository: Repository, actor: Account, least: Permission, status: int = 403) -> None:
        """Refuse who may do less."""
        if not repository.permission(actor).reaches(least):
            words = (
                "Resource not accessible by integration" if actor.is_app else "Must have admin rights to Repository."
            )
            raise Refusal(status, "Not Found" if status == 404 else words, kind="FORBIDDEN")

    def event(self, thread: Issue, kind: str, actor: Account | None, **what: Any) -> Event:
        made = Event(self.new_id(), kind, actor, self.clock.now, what)
        thread.events.append(made)
        thread.updated_at = self.clock.now
        return made

    def head_named(self, repository: Repository, head: str) -> tuple[Repository, str]:
        """The repository and the branch that `branch` or `login:branch` names."""
        login, colon, branch = head.rpartition(":")
        for each in self.network(repository):
            wanted = each.owner.login.lower() == login.lower() if colon else each is repository
            if wanted and not each.owner.deleted and each.store.branch(branch) is not None:
                return each, branch
        raise Refusal(422, "Validation Failed", {"resource": "PullRequest", "field": "head", "code": "invalid"})

    def open_pull(
        self, actor: Account, repository: Repository, head: str, base: str, title: str, body: str, draft: bool
    ) -> Pull:
        if actor.is_app and not self.switches.actions_may_open_pulls:
            raise Refusal(403, "GitHub Actions is not permitted to create or approve pull requests.", kind="FORBIDDEN")
        source, branch = self.head_named(repository, head)
        commit = source.store.branch(branch)
        target = repository.store.branch(base)
        if target is None or commit is None:
            raise Refusal(422, "Validation Failed", {"resource": "PullRequest", "field": "base", "code": "invalid"})
        self._check_title(title)
        self._check_body(body)
        self._check_new(repository, source, branch, base)
        self._check_commits(repository, target, commit, base, branch)
        pull = Pull(
            id=self.new_id(),
            number=self.number(repository),
            repository=repository,
            author=actor,
            title=title,
            body=body,
            created_at=self.clock.now,
            updated_at=self.clock.now,
            head=commit,
            head_branch=branch,
            head_repository=source,
            base_branch=base,
            base_commit=target,
            draft=draft,
        )
        repository.pulls[pull.number] = pull
        repository.store.point(f"refs/pull/{pull.number}/head", commit)
        return pull

    def open_issue(self, actor: Account, repository: Repository, title: str, body: str) -> Issue:
        self._check_title(title)
        self._check_body(body)
        made = Issue(
            id=self.new_id(),
            number=self.number(repository),
            repository=repository,
            author=actor,
            title=title,
            body=body,
            created_at=self.clock.now,
            updated_at=self.clock.now,
        )
        repository.issues[made.number] = made
        return made

    @staticmethod
    def number(repository: Repository) -> int:
        """The next of the series that issues and pull requests share."""
        repository.last_number += 1
        return repository.last_number

    @staticmethod
    def _check_title(title: str) -> None:
        if not title.strip():
            raise Refusal(422, "Validation Failed", {"resource": "Issue", "code": "missing_field", "field": "title"})
        if len(title) > 256:
            raise invalid("Issue", "title is too long (maximum is 256 characters)", field="title")

    @staticmethod
    def _check_body(body: str) -> None:
        if len(body) > LONGEST_BODY:
            raise invalid("IssueComment", "body is too long (maximum is 65536 characters)", field="body")

    @staticmethod
    def _check_new(repository: Repository, source: Repository, branch: str, base: str) -> None:
        for pull in repository.pulls.values():
            same = pull.head_repository is source and (pull.head_branch, pull.base_branch) == (branch, base)
            if same and pull.open:
                raise invalid("PullRequest", f"A pull request already exists for {source.owner.login}:{branch}.")

    @staticmethod
    def _check_commits(repository: Repository, target: str, commit: str, base: str, branch: str) -> None:
        if repository.store.git.merge_base(target, commit) is None:
            raise invalid("PullRequest", f"The {branch} branch has no history in common with {base}")
        if repository.store.contains(target, commit):
            raise invalid("PullRequest", f"No commits between {base} and {branch}")

    def demand_author(self, thread: Issue, actor: Account) -> None:
        if actor is not thread.author:
            self.demand(thread.repository, actor, Permission.WRITE)

    def rename(self, actor: Account, thread: Issue, title: str) -> None:
        self.demand_author(thread, actor)
        self._check_title(title)
        if title != thread.title:
            self.event(thread, "RenamedTitleEvent", actor, previous_title=thread.title, current_title=title)
            thread.title = title

    def describe(self, actor: Account, thread: Issue, body: str) -> None:
        self.demand_author(thread, actor)
        self._check_body(body)
        thread.body, thread.editor = body, actor
        thread.last_edited_at = thread.updated_at = self.clock.now

    def close(self, actor: Account | None, thread: Issue) -> None:
        if not thread.open:
            return
        if actor is not None and not actor.deleted:
            self.demand_author(thread, actor)
        self._close(actor, thread)

    def _close(self, actor: Account | None, thread: Issue) -> None:
        thread.state, thread.closed_at = "CLOSED", self.clock.now
        self.event(thread, "ClosedEvent", actor)

    def reopen(self, actor: Account, thread: Issue) -> None:
        if thread.open:
            return
        self.demand_author(thread, actor)
        if isinstance(thread, Pull):
            self._check_reopening(thread)
            self._take_head(thread)
        thread.state, thread.closed_at = "OPEN", None
        self.event(thread, "ReopenedEvent", actor)

    def _check_reopening(self, pull: Pull) -> None:
        problem = None
        source = pull.head_repository
        if pull.merged:
            problem = "The pull request cannot be reopened because it was merged."
        elif source is None:
            problem = "The repository that submitted this pull request has been deleted."
        elif source.store.branch(pull.head_branch) is None:
            problem = f"The {pull.head_branch} branch has been deleted."
        elif pull.forced_while_closed:
            problem = f"The {pull.head_branch} branch was force-pushed or recreated."
        elif pull.repository.store.branch(pull.base_branch) is None:
            problem = f"The {pull.base_branch} branch has been deleted."
        if problem is not None:
            raise invalid("PullRequest", f"state cannot be changed. {problem}", field="state")
        self._check_new(pull.repository, source or pull.repository, pull.head_branch, pull.base_branch)
        assert source is not None
        head, base = source.store.branch(pull.head_branch), pull.repository.store.branch(pull.base_branch)
        assert head is not None
        assert base is not None
        self._check_commits(pull.repository, base, head, pull.base_branch, pull.head_branch)

    def _take_head(self, pull: Pull) -> None:
        """What was pushed while the pull request was closed is its head now."""
        assert pull.head_repository is not None
        pull.head = pull.head_repository.store.branch(pull.head_branch) or pull.head
        pull.base_commit = pull.repository.store.branch(pull.base_branch) or pull.base_commit
        pull.repository.store.point(f"refs/pull/{pull.number}/head", pull.head)

    def set_draft(self, actor: Account, pull: Pull, draft: bool) -> None:
        self.demand_author(pull, actor)
        if not pull.open:
            raise Refusal(422, "Pull request is closed")
        if pull.draft is not draft:
            pull.draft = draft
            self.event(pull, "ConvertToDraftEvent" if draft else "ReadyForReviewEvent", actor)

    def retarget(self, actor: Account, pull: Pull, base: str) -> None:
        self.demand_author(pull, actor)
        if base == pull.base_branch:
            return
        if not pull.open:
            raise invalid("PullRequest", "Cannot change the base branch of a closed pull request.", field="base")
        target = pull.repository.store.branch(base)
        if target is None:
            raise invalid("PullRequest", f"Proposed base branch '{base}' was not found", field="base")
        if pull.repository.store.contains(target, pull.head):
            words = f"There are no new commits between base branch '{base}' and head branch '{pull.head_branch}'"
            raise invalid("PullRequest", words, field="base")
        if pull.head_repository is not None:
            self._check_new(pull.repository, pull.head_repository, pull.head_branch, base)
        before, pull.base_branch, pull.base_commit = pull.base_branch, base, target
        self.event(pull, "BaseRefChangedEvent", actor, previous_ref_name=before, current_ref_name=base)

    # Reviews.

    def review(self, actor: Account, pull: Pull, event: str | None, body: str, commit: str | None) -> Review:
        """An APPROVE, REQUEST_CHANGES or COMMENT; without an event it stays PENDING, for its author alone to see."""
        self._check_review(actor, pull, event, body)
        if commit is not None and not pull.repository.store.has(commit):
            raise Refusal(422, "Unprocessable Entity", "commit_id is not part of the pull request")
        state = "PENDING" if event is None else EVENTS[event]
        made = Review(self.new_id(), actor, body, state, commit or pull.head, self.clock.now, self.clock.now)
        pull.reviews.append(made)
        pull.updated_at = self.clock.now
        return made

    def submit_review(self, actor: Account, pull: Pull, review: Review, event: str, body: str | None) -> None:
        if review.author is not actor or review.state != "PENDING":
            raise Refusal(422, "Unprocessable Entity", "Can not submit this review")
        words = review.body if body is None else body
        self._check_review(actor, pull, event, words)
        review.body, review.state, review.submitted_at = words, EVENTS[event], self.clock.now

    def _check_review(self, actor: Account, pull: Pull, event: str | None, body: str) -> None:
        self._check_body(body)
        if event in ("REQUEST_CHANGES", "COMMENT") and not body.strip():
            raise Refusal(422, "Unprocessable Entity", "Review body can't be blank")
        if actor is pull.author and event == "APPROVE":
            raise Refusal(422, "Unprocessable Entity", "Review Can not approve your own pull request")
        if actor is pull.author and event == "REQUEST_CHANGES":
            raise Refusal(422, "Unprocessable Entity", "Review Can not request changes on your own pull request")
        if actor.id == ACTIONS_ID and event == "APPROVE" and not self.switches.actions_may_open_pulls:
            words = "GitHub Actions is not permitted to approve pull requests."
            raise Refusal(422, "Unprocessable Entity", words)

    def edit_review(self, actor: Account, pull: Pull, review: Review, body: str) -> None:
        if actor is not review.author:
            self.demand(pull.repository, actor, Permission.WRITE)
        review.body, review.editor = body, actor
        review.last_edited_at = review.updated_at = self.clock.now

    def dismiss(self, actor: Account, pull: Pull, review: Review, message: str) -> None:
        """In place: the state that it had is in the timeline alone."""
        self.demand(pull.repository, actor, Permission.WRITE)
        if not message.strip():
            raise Refusal(422, "Validation Failed", "message can't be blank")
        if review.state not in ("APPROVED", "CHANGES_REQUESTED"):
            words = f"Can not dismiss a {review.state.lower().replace('_', ' ')} pull request review"
            raise Refusal(422, "Validation Failed", words)
        self._dismiss(actor, pull, review, message)

    def _dismiss(self, actor: Account | None, pull: Pull, review: Review, message: str) -> None:
        before, review.state, review.updated_at = review.state, "DISMISSED", self.clock.now
        self.event(
            pull,
            "ReviewDismissedEvent",
            actor,
            previous_review_state=before,
            dismissal_message=message or None,
            review=review,
        )

    # Comments, reactions, labels, statuses.

    def comment(self, actor: Account, thread: Issue, body: str) -> Comment:
        if not body.strip():
            raise Refusal(
                422, "Validation Failed", {"resource": "IssueComment", "code": "missing_field", "field": "body"}
            )
        self._check_body(body)
        made = Comment(self.new_id(), actor, body, self.clock.now, self.clock.now)
        thread.comments.append(made)
        thread.updated_at = self.clock.now
        return made

    def comment_named(self, repository: Repository, comment_id: int) -> tuple[Issue, Comment]:
        for thread in [*repository.pulls.values(), *repository.issues.values()]:
            for comment in thread.comments:
                if comment.id == comment_id:
                    return thread, comment
        raise Refusal(404, "Not Found", kind="NOT_FOUND")

    def edit_comment(self, actor: Account, thread: Issue, comment: Comment, body: str) -> None:
        if actor is not comment.author:
            self.demand(thread.repository, actor, Permission.WRITE)
        if not body.strip():
            raise Refusal(
                422, "Validation Failed", {"resource": "IssueComment", "code": "missing_field", "field": "body"}
            )
        self._check_body(body)
        if body != comment.body:
            comment.body, comment.editor = body, actor
            comment.last_edited_at = comment.updated_at = thread.updated_at = self.clock.now

    def delete_comment(self, actor: Account, thread: Issue, comment: Comment) -> None:
        if actor is not comment.author:
            self.demand(thread.repository, actor, Permission.WRITE)
        thread.comments.remove(comment)

    def react(self, actor: Account, comment: Comment, content: str) -> tuple[Reaction, bool]:
        """The reaction, and whether it is new: each account gives each one once."""
        for there in comment.reactions:
            if there.account is actor and there.content == content:
                return there, False
        made = Reaction(self.new_id(), actor, content, self.clock.now)
        comment.reactions.append(made)
        return made, True

    def add_labels(self, actor: Account, thread: Issue, names: list[str]) -> None:
        """Unknown labels are made."""
        self.demand(thread.repository, actor, Permission.TRIAGE)
        for name in names:
            if not name.strip() or len(name) > 50:
                raise invalid("Label", "name is too long (maximum is 50 characters)", field="name")
            label = thread.repository.label(name, self.new_id())
            if label not in thread.labels:
                thread.labels.append(label)
                self.event(thread, "LabeledEvent", actor, label=label)

    def set_labels(self, actor: Account, thread: Issue, names: list[str]) -> None:
        self.demand(thread.repository, actor, Permission.TRIAGE)
        for label in [each for each in thread.labels if each.name.casefold() not in {n.casefold() for n in names}]:
            self.remove_label(actor, thread, label.name)
        self.add_labels(actor, thread, names)

    def remove_label(self, actor: Account, thread: Issue, name: str) -> None:
        self.demand(thread.repository, actor, Permission.TRIAGE)
        label = next((each for each in thread.labels if each.name.casefold() == name.casefold()), None)
        if label is None:
            raise Refusal(404, "Label does not exist", kind="NOT_FOUND")
        thread.labels.remove(label)
        self.event(thread, "UnlabeledEvent", actor, label=label)

    def set_status(
        self,
        actor: Account,
        repository: Repository,
        sha: str,
        state: str,
        context: str = "default",
        description: str | None = None,
        target_url: str | None = None,
    ) -> Status:
        self.demand(repository, actor, Permission.WRITE, status=403 if actor.is_app else 404)
        if not repository.store.has(sha):
            raise Refusal(422, f"No commit found for SHA: {sha}")
        if description is not None and len(description) > 140:
            raise invalid("Status", "description is too long (maximum is 140 characters)", field="description")
        if target_url and not re.match("https?://", target_url):
            raise invalid("Status", "target_url must use http(s) scheme", field="target_url")
        there = repository.statuses.setdefault(sha, [])
        if len(there) >= 1000:
            raise invalid("Status", "This SHA and context has reached the maximum number of statuses.")
        made = Status(self.new_id(), sha, state, context, description, target_url, actor, self.clock.now)
        there.append(made)
        return made

    # Pushes.

    def receive(self, folder: str, commands: list[list[str]], *, atomic: bool) -> tuple[str, dict[str, str]]:
        """A push: the words that the client is shown, and the refs that did not move, each with the reason."""
        repository = next(each for each in self.repositories if str(each.store.folder.resolve()) == folder)
        refusals = {ref: self.refusal(repository, ref, old, new) for old, new, ref in commands}
        refused = {ref: no[1] for ref, no in refusals.items() if no is not None}
        if refused and atomic:
            refused = {ref: refused.get(ref, "atomic push failure") for ref in refusals}
        who = self.pusher if repository.fork_of is None else None
        for _, new, ref in commands:
            if ref not in refused:
                self.move(repository, ref, None if new == NOTHING else new, who)
        return "".join(no[0] for no in refusals.values() if no is not None), refused

    def refusal(self, repository: Repository, ref: str, old: str, new: str) -> tuple[str, str] | None:
        """Why GitHub takes no such push: what it writes, and the reason that git shows beside the ref."""
        now = repository.store.tip(ref)
        if (now or NOTHING) != old:
            return "", "cannot lock ref" if now else "reference already exists"
        settings = self.switches
        said = settings.refused.get(ref) or settings.refused.get("*")
        if said is not None and repository.fork_of is None:
            return f"error: {said}\n", "push declined due to repository rule violations"
        branch = ref.removeprefix("refs/heads/")
        if branch in settings.protected and repository.fork_of is None:
            return self._protected(ref, settings.protected[branch])
        if new == NOTHING:
            return None
        return self._content(repository, ref, None if old == NOTHING else old, new)

    @staticmethod
    def _protected(ref: str, code: str) -> tuple[str, str]:
        why = "- Changes must be made through a pull request."
        if code == "GH006":
            words = f"error: GH006: Protected branch update failed for {ref}.\nerror: \nerror: {why}\n"
            return words, "protected branch hook declined"
        words = (
            f"error: GH013: Repository rule violations found for {ref}.\n"
            f"Review all repository rules at https://github.com/rules?ref={ref.replace('/', '%2F')}\n\n{why}\n\n"
        )
        return words, "push declined due to repository rule violations"

    def _content(self, repository: Repository, ref: str, old: str | None, new: str) -> tuple[str, str] | None:
        settings = self.switches
        if not (settings.refuses_workflows or settings.secrets or settings.largest_file < 100 * 1024 * 1024):
            return None
        for path, data in self._pushed_files(repository.store, old, new):
            if settings.refuses_workflows and path.startswith(".github/workflows/"):
                return "", (
                    f"refusing to allow {settings.workflow_pusher} to create or update workflow `{path}` "
                    "without `workflows` permission"
                )
            if len(data) > settings.largest_file:
                size = f"{len(data) / 1048576:.2f} MB; this exceeds GitHub's file size limit of 100.00 MB"
                words = f"error: GH001: Large files detected.\nerror: File {path} is {size}\n"
                return words, "pre-receive hook declined"
            if any(secret in data for secret in settings.secrets):
                words = (
                    f"error: GH013: Repository rule violations found for {ref}.\n\n- GITHUB PUSH PROTECTION\n"
                    f"  - Push cannot contain secrets\n    path: {path}\n"
                )
                return words, "push declined due to repository rule violations"
        return None

    @staticmethod
    def _pushed_files(store: Store, old: str | None, new: str) -> list[tuple[str, bytes]]:
        """Each file that a new commit adds or changes against its first parent (all of a root's), and its bytes."""
        files = []
        if not store.has(new):
            return []
        for commit in store.between(old, new):
            if commit.parents:
                changes = store.git.diff(commit.parents[0].tree, commit.tree)
            else:
                changes = commit.tree.diff_to_tree(swap=True)
            for delta in changes.deltas:
                # A deleted file leaves no id; a submodule's commit is not here.
                blob = store.git.get(delta.new_file.id)
                data = blob.data if isinstance(blob, pygit2.Blob) else b""
                files.append((delta.new_file.path, data))
        return files

    def move(self, repository: Repository, ref: str, new: str | None, actor: Account | None) -> None:
        """Make the ref name that commit, and let everything follow that follows on GitHub."""
        store = repository.store
        old = store.tip(ref)
        if old == new:
            return
        store.point(ref, new)
        self.moves.append(Move(self.clock.now, repository.full_name, ref, old, new))
        if not ref.startswith("refs/heads/"):
            return
        branch = ref.removeprefix("refs/heads/")
        who = actor or repository.owner
        for each in self.network(repository):
            for pull in list(each.pulls.values()):
                if pull.head_repository is repository and pull.head_branch == branch:
                    self._head_moved(pull, new, who)
        for pull in list(repository.pulls.values()):
            if pull.base_branch == branch and pull.open:
                self._base_moved(pull, new, who)
        if branch == repository.default_branch and repository.fork_of is None and new is not None:
            for commit in store.between(old, new):
                self._close_named(commit.message, who, {**repository.issues, **repository.pulls})

    def _close_named(self, words: str, actor: Account, threads: Mapping[int, Issue]) -> None:
        """Close what the words say they close."""
        for match in CLOSING.finditer(words):
            thread = threads.get(int(match[1]))
            if thread is not None and thread.open:
                self._close(actor, thread)

    def _head_moved(self, pull: Pull, new: str | None, actor: Account) -> None:
        store = pull.repository.store
        forced = new is not None and not store.contains(new, pull.head)
        if pull.state == "CLOSED":
            pull.forced_while_closed |= forced
        if not pull.open:
            return
        if new is None:
            self._close(actor, pull)
            return
        before, pull.head = pull.head, new
        pull.base_commit = store.branch(pull.base_branch) or pull.base_commit
        store.point(f"refs/pull/{pull.number}/head", new)
        pull.updated_at = self.clock.now
        if forced:
            self.event(pull, "HeadRefForcePushedEvent", actor, before_commit=before, after_commit=new)
        self._reviews_after_push(pull, forced, actor)
        # Force-pushed back to what the base has, a pull request is empty: GitHub closes it, unmerged.
        if store.contains(pull.base_commit, new):
            self._close(actor, pull)

    def _reviews_after_push(self, pull: Pull, forced: bool, actor: Account) -> None:
        for review in pull.reviews:
            if review.state == "APPROVED" and self.switches.moves_commit_ids:
                review.commit = pull.head
            if review.state in ("APPROVED", "CHANGES_REQUESTED") and forced and self.switches.loses_commit_ids:
                review.commit = None
            if review.state == "APPROVED" and self.switches.dismisses_stale_approvals:
                self._dismiss(actor, pull, review, "")

    def _base_moved(self, pull: Pull, new: str | None, actor: Account) -> None:
        if new is None:
            self._base_deleted(pull, actor)
        elif pull.repository.store.contains(new, pull.head):
            self._merged(pull, pull.repository.store.first_with(new, pull.head), actor)

    def _merged(self, pull: Pull, commit: str, actor: Account) -> None:
        pull.state, pull.merged_at, pull.closed_at = "MERGED", self.clock.now, self.clock.now
        pull.merged_by, pull.merge_commit = actor, commit
        self.event(pull, "MergedEvent", actor, commit=commit, merge_ref_name=pull.base_branch)
        self.event(pull, "ClosedEvent", actor)
        if pull.base_branch == pull.repository.default_branch:
            self._close_named(pull.body, actor, pull.repository.issues)

    def _base_deleted(self, pull: Pull, actor: Account) -> None:
        """Where the deleted branch was merged before, the pull request moves to where it was merged into."""
        for other in pull.repository.pulls.values():
            if other.merged and other.head_repository is pull.repository and other.head_branch == pull.base_branch:
                old, pull.base_branch = pull.base_branch, other.base_branch
                pull.base_commit = pull.repository.store.branch(pull.base_branch) or pull.base_commit
                self.event(pull, "AutomaticBaseChangeSucceededEvent", actor, old_base=old, new_base=pull.base_branch)
                return
        self._close(actor, pull)

    def merge(self, actor: Account, pull: Pull, method: str = "merge") -> str:
        """The merge button: `merge` or `squash`. A squash contains no head; the pull request counts as merged."""
        self.demand(pull.repository, actor, Permission.WRITE)
        if not pull.open or pull.draft:
            raise Refusal(405, "Pull Request is not mergeable")
        store = pull.repository.store
        tip = store.branch(pull.base_branch)
        assert tip is not None
        tree = store.merge_tree(tip, pull.head)
        if tree is None:
            raise Refusal(405, "Pull Request is not mergeable")
        signature = self.signature(actor)
        parents = [tip, pull.head] if method == "merge" else [tip]
        message = f"Merge pull request #{pull.number} from {pull.head_branch}\n\n{pull.title}"
        if method == "squash":
            message = f"{pull.title} (#{pull.number})"
        commit = str(store.git.create_commit(None, signature, signature, message, tree, parents))
        self.move(pull.repository, f"refs/heads/{pull.base_branch}", commit, actor)
        if pull.open:
            self._merged(pull, commit, actor)
        return commit

    def signature(self, account: Account) -> pygit2.Signature:
        return pygit2.Signature(account.name or account.login, account.email, self.clock.now, 0)
