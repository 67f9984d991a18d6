"""GitHub's GraphQL API: queries executed by graphql-core over the schema that GitHub publishes.

Each class below answers for one type of the schema: a field `headRefOid` is its attribute or method `head_ref_oid`.
A field that GitHub has and the class has not is an error that names it: add it there.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import TYPE_CHECKING, Any

import graphql
import pygit2

from fake_github.clock import stamp
from fake_github.described import schema
from fake_github.limits import Budget, TooMuch, reset_at, size_of
from fake_github.state import (
    Account,
    Comment,
    Event,
    Issue,
    Label,
    Permission,
    Pull,
    Refusal,
    Repository,
    Review,
    Status,
)

if TYPE_CHECKING:
    from fake_github.world import World

CONTENTS = {
    "THUMBS_UP": "+1",
    "THUMBS_DOWN": "-1",
    "LAUGH": "laugh",
    "HOORAY": "hooray",
    "CONFUSED": "confused",
    "HEART": "heart",
    "ROCKET": "rocket",
    "EYES": "eyes",
}
WORST = ["ERROR", "FAILURE", "PENDING", "SUCCESS"]
BIGGEST_INT = 2**31 - 1


def when(moment: int | None) -> str | None:
    return None if moment is None else stamp(moment)


def short(number: int) -> int | None:
    """An id as an Int of GraphQL, which has 32 bits; beyond them GitHub offers `fullDatabaseId`."""
    return number if number <= BIGGEST_INT else None


@dataclass(frozen=True, slots=True)
class Asked:
    """Who asks, and of which world; what one query cost."""

    world: World
    viewer: Account
    url: str
    budget: Budget
    cost: int
    nodes: int


@cache
def changed_paths(git: pygit2.Repository, base: str, head: str) -> list[str]:
    difference = git.diff(base, head)
    return [delta.new_file.path for delta in difference.deltas]


class Node:
    """One object of the answer; `type_name` is its type in the schema."""

    type_name = ""

    def __init__(self, asked: Asked) -> None:
        self.asked = asked

    def actor(self, account: Account | None) -> ActorNode | None:
        return None if account is None or account.deleted else ActorNode(self.asked, account)


class Connection(Node):
    """A page of a list. A cursor holds a place in the order, which is there still when the item itself has left."""

    def __init__(
        self,
        asked: Asked,
        items: Sequence[Any],
        make: Callable[[Any], Any],
        arguments: dict[str, Any],
        order: Callable[[Any], list[Any]] = lambda item: [getattr(item, "id", item)],
        *,
        descending: bool = False,
    ) -> None:
        super().__init__(asked)
        self.all, self.make, self.order, self.descending = items, make, order, descending
        start, end = 0, len(items)
        if arguments.get("after") is not None:
            before, there = self._place(arguments["after"])
            start = before + there
        if arguments.get("before") is not None:
            end, _ = self._place(arguments["before"])
        if arguments.get("first") is not None:
            end = min(end, start + arguments["first"])
        if arguments.get("last") is not None:
            start = max(start, end - arguments["last"])
        self.start, self.end = start, max(end, start)
        self.total_count = self.filtered_count = len(items)

    def _place(self, cursor: str) -> tuple[int, int]:
        """How many items stand before the cursor's, and whether it is there still (1 or 0)."""
        try:
            wanted = json.loads(base64.b64decode(cursor, validate=True).removeprefix(b"cursor:v2:"))
        except ValueError:
            message = f"`{cursor}` does not appear to be a valid cursor."
            raise graphql.GraphQLError(message, extensions={"type": "INVALID_CURSOR_ARGUMENTS"}) from None
        places = [self.order(item) for item in self.all]
        if wanted in places:
            return places.index(wanted), 1
        return sum((place > wanted) if self.descending else (place < wanted) for place in places), 0

    def _cursor(self, item: Any) -> str:
        return base64.b64encode(b"cursor:v2:" + json.dumps(self.order(item)).encode()).decode()

    @property
    def shown(self) -> Sequence[Any]:
        return self.all[self.start : self.end]

    def nodes(self) -> list[Any]:
        return [self.make(item) for item in self.shown]

    def edges(self) -> list[dict[str, Any]]:
        return [{"cursor": self._cursor(item), "node": self.make(item)} for item in self.shown]

    def page_info(self) -> dict[str, Any]:
        return {
            "has_next_page": self.end < len(self.all),
            "has_previous_page": self.start > 0,
            "start_cursor": self._cursor(self.shown[0]) if self.shown else None,
            "end_cursor": self._cursor(self.shown[-1]) if self.shown else None,
        }


class ActorNode(Node):
    """A User, Bot, Mannequin or Organization."""

    def __init__(self, asked: Asked, account: Account) -> None:
        super().__init__(asked)
        self.account = account
        self.type_name = account.kind
        self.id = account.node_id
        self.database_id = account.id
        self.login = account.graphql_login
        self.name = account.name
        self.created_at = self.updated_at = when(account.created_at)
        self.url = f"{asked.url}/html/{account.login}"
        self.resource_path = f"/{account.login}"
        self.avatar_url = f"{asked.url}/avatars/{account.id}"
        self.email = account.email
        self.is_viewer = account is asked.viewer


class ViewerNode(ActorNode):
    """Who asks: always a User to the schema, and here a bot's login does keep its `[bot]`."""

    def __init__(self, asked: Asked, account: Account) -> None:
        super().__init__(asked, account)
        self.type_name = "User"
        self.login = account.login


class CommitNode(Node):
    type_name = "Commit"

    def __init__(self, asked: Asked, repository: Repository, oid: str) -> None:
        super().__init__(asked)
        self.of, self.oid = repository, oid
        self.id = f"C_{oid}"
        self.abbreviated_oid = oid[:7]

    def _commit(self) -> Any:
        return self.of.store.git[self.oid]

    def message(self) -> str:
        return str(self._commit().message)

    def message_headline(self) -> str:
        return self.message().partition("\n")[0]

    def committed_date(self) -> str:
        return stamp(self._commit().committer.time)

    def authored_date(self) -> str:
        return stamp(self._commit().author.time)

    def parents(self, **arguments: Any) -> Connection:
        oids = [str(parent) for parent in self._commit().parent_ids]
        return Connection(self.asked, oids, lambda oid: CommitNode(self.asked, self.of, oid), arguments)

    def repository(self) -> RepositoryNode:
        return RepositoryNode(self.asked, self.of)

    def _newest(self) -> list[Status]:
        return list({each.context.casefold(): each for each in self.of.statuses.get(self.oid, [])}.values())

    def status(self) -> StatusNode | None:
        newest = self._newest()
        return StatusNode(self.asked, self, newest) if newest else None

    def status_check_rollup(self) -> dict[str, Any] | None:
        newest = self.status()
        return None if newest is None else {"id": f"SCR_{self.oid}", "state": newest.state, "commit": self}


class BlobNode(Node):
    type_name = "Blob"

    def __init__(self, asked: Asked, oid: str) -> None:
        super().__init__(asked)
        self.oid = oid
        self.id = f"B_{oid}"


class StatusNode(Node):
    type_name = "Status"

    def __init__(self, asked: Asked, commit: CommitNode, newest: list[Status]) -> None:
        super().__init__(asked)
        self.commit, self.newest = commit, newest
        self.id = f"S_{commit.oid}"
        self.state = min((status.state.upper() for status in newest), key=WORST.index)

    def contexts(self) -> list[StatusContextNode]:
        return [StatusContextNode(self.asked, self.commit, status) for status in self.newest]

    def context(self, name: str) -> StatusContextNode | None:
        return next((each for each in self.contexts() if each.context.casefold() == name.casefold()), None)


class StatusContextNode(Node):
    type_name = "StatusContext"

    def __init__(self, asked: Asked, commit: CommitNode, status: Status) -> None:
        super().__init__(asked)
        self.commit = commit
        self.id = f"SC_{status.id}"
        self.context, self.description, self.target_url = status.context, status.description, status.target_url
        self.state = status.state.upper()
        self.creator = self.actor(status.creator)
        self.created_at = when(status.created_at)


class RefNode(Node):
    type_name = "Ref"

    def __init__(self, asked: Asked, repository: Repository, ref: str, oid: str) -> None:
        super().__init__(asked)
        self.id = f"REF_{repository.id}_{ref}"
        self.prefix = "refs/heads/" if ref.startswith("refs/heads/") else ref.rpartition("/")[0] + "/"
        self.name = ref.removeprefix(self.prefix)
        self.target = CommitNode(asked, repository, oid)


class ReactionGroupNode(Node):
    type_name = "ReactionGroup"

    def __init__(self, asked: Asked, comment: Comment, content: str) -> None:
        super().__init__(asked)
        self.content = content
        self.given = [each for each in comment.reactions if each.content == CONTENTS[content]]
        self.created_at = when(self.given[0].created_at) if self.given else None
        self.viewer_has_reacted = any(each.account is asked.viewer for each in self.given)

    def reactors(self, **arguments: Any) -> Connection:
        there = [each.account for each in self.given if not each.account.deleted]
        return Connection(self.asked, there, self.actor, arguments)

    def users(self, **arguments: Any) -> Connection:
        there = [each.account for each in self.given if each.account.kind == "User" and not each.account.deleted]
        return Connection(self.asked, there, self.actor, arguments)


class CommentNode(Node):
    type_name = "IssueComment"

    def __init__(self, asked: Asked, thread: Issue, comment: Comment) -> None:
        super().__init__(asked)
        self.thread, self.comment = thread, comment
        self.id = f"IC_{comment.id}"
        self.database_id, self.full_database_id = short(comment.id), str(comment.id)
        self.author, self.editor = self.actor(comment.author), self.actor(comment.editor)
        self.viewer_did_author = comment.author is asked.viewer
        self.body = self.body_text = comment.body
        self.created_at = self.published_at = when(comment.created_at)
        self.updated_at, self.last_edited_at = when(comment.updated_at), when(comment.last_edited_at)
        self.is_minimized = False
        self.url = f"{asked.url}/html/{thread.repository.full_name}/pull/{thread.number}#issuecomment-{comment.id}"

    def reaction_groups(self) -> list[ReactionGroupNode]:
        """All eight, also those that nobody gave."""
        return [ReactionGroupNode(self.asked, self.comment, content) for content in CONTENTS]


class ReviewNode(Node):
    type_name = "PullRequestReview"

    def __init__(self, asked: Asked, pull: Pull, review: Review) -> None:
        super().__init__(asked)
        self.of, self.review = pull, review
        self.id = f"PRR_{review.id}"
        self.database_id, self.full_database_id = short(review.id), str(review.id)
        self.author, self.editor = self.actor(review.author), self.actor(review.editor)
        self.viewer_did_author = review.author is asked.viewer
        self.state, self.body, self.body_text = review.state, review.body, review.body
        self.submitted_at = None if review.state == "PENDING" else when(review.submitted_at)
        self.created_at = self.published_at = when(review.submitted_at)
        self.updated_at, self.last_edited_at = when(review.updated_at), when(review.last_edited_at)
        self.author_can_push_to_repository = pull.repository.permission(review.author).reaches(Permission.WRITE)
        self.url = f"{asked.url}/html/{pull.repository.full_name}/pull/{pull.number}#pullrequestreview-{review.id}"

    def commit(self) -> CommitNode | None:
        return None if self.review.commit is None else CommitNode(self.asked, self.of.repository, self.review.commit)

    def pull_request(self) -> PullNode:
        return PullNode(self.asked, self.of)


class EventNode(Node):
    """An item of the timeline; a commit of it is named by its id, an account by its own."""

    def __init__(self, asked: Asked, pull: Pull, event: Event) -> None:
        super().__init__(asked)
        self.of, self.event = pull, event
        self.type_name = event.kind
        self.id = f"{event.kind}_{event.id}"
        self.database_id = short(event.id)
        self.created_at = when(event.created_at)
        self.actor = None if event.actor is None or event.actor.deleted else ActorNode(asked, event.actor)  # type: ignore[assignment]

    def __getattr__(self, name: str) -> Any:
        what = self.__dict__["event"].what
        if name in ("pull_request", "closable", "subject"):
            return PullNode(self.asked, self.of)
        if name not in what:
            raise AttributeError(name)
        value = what[name]
        if isinstance(value, Review):
            return ReviewNode(self.asked, self.of, value)
        if isinstance(value, Label):
            return LabelNode(self.asked, value)
        if isinstance(value, str) and name in ("before_commit", "after_commit", "commit"):
            return CommitNode(self.asked, self.of.repository, value)
        return value


class LabelNode(Node):
    type_name = "Label"

    def __init__(self, asked: Asked, label: Label) -> None:
        super().__init__(asked)
        self.id, self.name, self.color, self.description = f"LA_{label.id}", label.name, label.color, label.description


class PullNode(Node):
    type_name = "PullRequest"

    def __init__(self, asked: Asked, pull: Pull) -> None:
        super().__init__(asked)
        self.pull = pull
        self.id = f"PR_{pull.id}"
        self.database_id, self.full_database_id = short(pull.id), str(pull.id)
        self.number, self.title, self.body, self.body_text = pull.number, pull.title, pull.body, pull.body
        self.state, self.is_draft, self.merged = pull.state, pull.draft, pull.merged
        self.closed = not pull.open
        self.created_at = self.published_at = when(pull.created_at)
        self.updated_at, self.last_edited_at = when(pull.updated_at), when(pull.last_edited_at)
        self.closed_at, self.merged_at = when(pull.closed_at), when(pull.merged_at)
        self.author, self.merged_by = self.actor(pull.author), self.actor(pull.merged_by)
        self.editor = self.actor(pull.editor)
        self.viewer_did_author = pull.author is asked.viewer
        self.head_ref_oid, self.head_ref_name = pull.head, pull.head_branch
        self.base_ref_oid, self.base_ref_name = pull.base_commit, pull.base_branch
        self.is_cross_repository = pull.cross_repository
        self.mergeable = "UNKNOWN"
        self.locked = False
        self.url = f"{asked.url}/html/{pull.repository.full_name}/pull/{pull.number}"
        self.resource_path = f"/{pull.repository.full_name}/pull/{pull.number}"
        # Null where no review is required.
        self.review_decision = None
        self.total_comments_count = len(pull.comments) + sum(bool(review.body) for review in pull.reviews)

    def repository(self) -> RepositoryNode:
        return RepositoryNode(self.asked, self.pull.repository)

    def base_repository(self) -> RepositoryNode:
        return RepositoryNode(self.asked, self.pull.repository)

    def head_repository(self) -> RepositoryNode | None:
        source = self.pull.head_repository
        return None if source is None else RepositoryNode(self.asked, source)

    def head_repository_owner(self) -> ActorNode | None:
        source = self.pull.head_repository
        return None if source is None else self.actor(source.owner)

    def head_ref(self) -> RefNode | None:
        return self._ref(self.pull.head_repository, self.pull.head_branch)

    def base_ref(self) -> RefNode | None:
        return self._ref(self.pull.repository, self.pull.base_branch)

    def _ref(self, repository: Repository | None, branch: str) -> RefNode | None:
        tip = None if repository is None else repository.store.branch(branch)
        if tip is None or repository is None:
            return None
        return RefNode(self.asked, repository, f"refs/heads/{branch}", tip)

    def merge_commit(self) -> CommitNode | None:
        commit = self.pull.merge_commit
        return None if commit is None else CommitNode(self.asked, self.pull.repository, commit)

    def commits(self, **arguments: Any) -> Connection:
        pull = self.pull
        oids = [str(commit.id) for commit in pull.repository.store.between(pull.base_commit, pull.head)][::-1]
        # What is merged is reachable from the base; its page shows its commits all the same.
        return Connection(self.asked, oids or [pull.head], self._pull_commit, arguments)

    def changed_files(self) -> int:
        return len(self._paths())

    def files(self, **arguments: Any) -> Connection:
        return Connection(self.asked, self._paths(), lambda path: {"path": path}, arguments, lambda path: [path])

    def _paths(self) -> list[str]:
        """The files that differ between where it began and its head."""
        git, head = self.pull.repository.store.git, self.pull.head
        base = git.merge_base(self.pull.base_commit, head)
        return [] if base is None else changed_paths(git, str(base), head)

    def _pull_commit(self, oid: str) -> dict[str, Any]:
        commit = CommitNode(self.asked, self.pull.repository, oid)
        return {"id": f"PRC_{oid}", "commit": commit, "pull_request": self, "url": self.url}

    def _review(self, review: Review) -> ReviewNode:
        return ReviewNode(self.asked, self.pull, review)

    def _submitted(self) -> list[Review]:
        """The viewer's own pending reviews are shown to nobody else."""
        viewer = self.asked.viewer
        return [each for each in self.pull.reviews if each.state != "PENDING" or each.author is viewer]

    def reviews(self, states: list[str] | None = None, author: str | None = None, **arguments: Any) -> Connection:
        found = [each for each in self._submitted() if states is None or each.state in states]
        if author is not None:
            found = [each for each in found if each.author.login.lower() == author.lower()]
        return Connection(self.asked, found, self._review, arguments)

    def latest_opinionated_reviews(self, writersOnly: bool = False, **arguments: Any) -> Connection:  # noqa: N803
        """Each reviewer's last review that was more than a comment: a comment takes nothing back."""
        latest: dict[int, Review] = {}
        for review in self._submitted():
            writer = self.pull.repository.permission(review.author).reaches(Permission.WRITE)
            if review.state not in ("COMMENTED", "PENDING") and (writer or not writersOnly):
                latest[review.author.id] = review
        return Connection(self.asked, list(latest.values()), self._review, arguments)

    def latest_reviews(self, writersOnly: bool = False, **arguments: Any) -> Connection:  # noqa: N803
        latest = {each.author.id: each for each in self._submitted() if each.state != "PENDING"}
        return Connection(self.asked, [] if writersOnly else list(latest.values()), self._review, arguments)

    def comments(self, orderBy: dict[str, str] | None = None, **arguments: Any) -> Connection:  # noqa: N803
        found = list(self.pull.comments)
        if orderBy is not None:
            found.sort(key=lambda comment: comment.updated_at, reverse=orderBy["direction"] == "DESC")
        return Connection(self.asked, found, self._comment, arguments)

    def _comment(self, comment: Comment) -> CommentNode:
        return CommentNode(self.asked, self.pull, comment)

    def labels(self, orderBy: dict[str, str] | None = None, **arguments: Any) -> Connection:  # noqa: N803
        found = list(self.pull.labels)
        if orderBy is not None and orderBy["field"] == "NAME":
            found.sort(key=lambda label: label.name, reverse=orderBy["direction"] == "DESC")
        return Connection(self.asked, found, lambda label: LabelNode(self.asked, label), arguments)

    def timeline_items(self, **arguments: Any) -> Connection:
        """Events, reviews and comments in the order of time; without the commits."""
        kinds, since = arguments.pop("itemTypes", None), arguments.pop("since", None)
        skipped = arguments.pop("skip", None) or 0
        wanted = None if kinds is None else {_type_of_item(kind) for kind in kinds}
        reviews = [each for each in self._submitted() if each.state != "PENDING"]
        items: list[Event | Review | Comment] = [*self.pull.events, *reviews, *self.pull.comments]
        items.sort(key=_moment)
        chosen = [
            item
            for item in items
            if (wanted is None or _kind_of_item(item) in wanted) and (since is None or stamp(_moment(item)[0]) >= since)
        ]
        return Connection(self.asked, chosen[skipped:], self._item, arguments, _moment)

    def _item(self, item: Any) -> Node:
        if isinstance(item, Review):
            return self._review(item)
        if isinstance(item, Comment):
            return self._comment(item)
        return EventNode(self.asked, self.pull, item)

    def reaction_groups(self) -> list[ReactionGroupNode]:
        nobody = Comment(0, self.pull.author, "", 0, 0)
        return [ReactionGroupNode(self.asked, nobody, content) for content in CONTENTS]


def _moment(item: Event | Review | Comment) -> list[int]:
    return [item.submitted_at if isinstance(item, Review) else item.created_at, item.id]


def _kind_of_item(item: Event | Review | Comment) -> str:
    if isinstance(item, Event):
        return item.kind
    return "PullRequestReview" if isinstance(item, Review) else "IssueComment"


def _type_of_item(kind: str) -> str:
    """REVIEW_DISMISSED_EVENT is ReviewDismissedEvent."""
    return {"PULL_REQUEST_REVIEW": "PullRequestReview"}.get(kind) or "".join(each.title() for each in kind.split("_"))


class IssueNode(Node):
    type_name = "Issue"

    def __init__(self, asked: Asked, issue: Issue) -> None:
        super().__init__(asked)
        self.issue = issue
        self.id, self.number, self.title, self.body = f"I_{issue.id}", issue.number, issue.title, issue.body
        self.state, self.closed = issue.state, not issue.open
        self.author = self.actor(issue.author)
        self.created_at, self.updated_at, self.closed_at = map(
            when, (issue.created_at, issue.updated_at, issue.closed_at)
        )

    def comments(self, **arguments: Any) -> Connection:
        return Connection(
            self.asked, self.issue.comments, lambda each: CommentNode(self.asked, self.issue, each), arguments
        )


class RepositoryNode(Node):
    type_name = "Repository"

    def __init__(self, asked: Asked, repository: Repository) -> None:
        super().__init__(asked)
        self.of = repository
        self.id, self.database_id = f"R_{repository.id}", repository.id
        self.name, self.name_with_owner = repository.name, repository.full_name
        self.owner = self.actor(repository.owner)
        self.is_fork, self.is_private = repository.fork_of is not None, False
        self.viewer_permission = repository.permission(asked.viewer).value
        self.url = f"{asked.url}/html/{repository.full_name}"
        self.created_at = when(repository.created_at)

    def parent(self) -> RepositoryNode | None:
        return None if self.of.fork_of is None else RepositoryNode(self.asked, self.of.fork_of)

    def default_branch_ref(self) -> RefNode | None:
        return self.ref(f"refs/heads/{self.of.default_branch}")

    def ref(self, qualifiedName: str) -> RefNode | None:  # noqa: N803
        for ref in (qualifiedName, f"refs/heads/{qualifiedName}"):
            tip = self.of.store.tip(ref)
            if tip is not None:
                return RefNode(self.asked, self.of, ref, tip)
        return None

    def object(self, oid: str | None = None, expression: str | None = None) -> CommitNode | BlobNode | None:
        branch, _, path = (expression or "").partition(":")
        found = oid or (self.of.store.tip(f"refs/heads/{branch}") if branch else None)
        if path and found is not None:
            tree = self.of.store.git[found].tree
            return BlobNode(self.asked, str(tree[path].id)) if path in tree else None
        return CommitNode(self.asked, self.of, found) if found and self.of.store.has(found) else None

    def label(self, name: str) -> LabelNode | None:
        found = self.of.labels.get(name.casefold())
        return None if found is None else LabelNode(self.asked, found)

    def labels(self, **arguments: Any) -> Connection:
        found = list(self.of.labels.values())
        return Connection(self.asked, found, lambda label: LabelNode(self.asked, label), arguments)

    def pull_request(self, number: int) -> PullNode:
        found = self.of.pulls.get(number)
        if found is None:
            raise _not_found(f"Could not resolve to a PullRequest with the number of {number}.")
        return PullNode(self.asked, found)

    def issue(self, number: int) -> IssueNode:
        found = self.of.issues.get(number)
        if found is None:
            raise _not_found(f"Could not resolve to an Issue with the number of {number}.")
        return IssueNode(self.asked, found)

    def issue_or_pull_request(self, number: int) -> Node:
        return self.pull_request(number) if number in self.of.pulls else self.issue(number)

    def pull_requests(self, **arguments: Any) -> Connection:
        found = list(self.of.pulls.values())
        states, labels = arguments.pop("states", None), arguments.pop("labels", None)
        base, head = arguments.pop("baseRefName", None), arguments.pop("headRefName", None)
        order = arguments.pop("orderBy", None) or {"field": "CREATED_AT", "direction": "ASC"}
        found = [
            pull
            for pull in found
            if (states is None or pull.state in states)
            and (labels is None or set(labels) & set(pull.label_names))
            and (base is None or pull.base_branch == base)
            and (head is None or pull.head_branch == head)
        ]
        updated, descending = order["field"] == "UPDATED_AT", order["direction"] == "DESC"

        def place(pull: Pull) -> list[Any]:
            return [pull.updated_at if updated else pull.created_at, pull.number]

        found.sort(key=place, reverse=descending)
        make = partial(PullNode, self.asked)
        return Connection(self.asked, found, make, arguments, place, descending=descending)


class Query(Node):
    type_name = "Query"

    def viewer(self) -> ActorNode:
        return ViewerNode(self.asked, self.asked.viewer)

    def rate_limit(self, dryRun: bool = False) -> dict[str, Any]:  # noqa: N803, ARG002
        budget = self.asked.budget
        return {
            "cost": self.asked.cost,
            "node_count": self.asked.nodes,
            "limit": budget.limit,
            "remaining": budget.remaining,
            "used": budget.used,
            "reset_at": reset_at(budget),
        }

    def repository(self, owner: str, name: str, followRenames: bool = True) -> RepositoryNode:  # noqa: N803, ARG002
        found = self.asked.world.repository(owner, name)
        if found is None:
            raise _not_found(f"Could not resolve to a Repository with the name '{owner}/{name}'.")
        return RepositoryNode(self.asked, found)

    def user(self, login: str) -> ActorNode:
        found = self.asked.world.account(login)
        if found is None or found.kind != "User":
            raise _not_found(f"Could not resolve to a User with the login of '{login}'.")
        return ActorNode(self.asked, found)

    def node(self, id: str) -> Node:  # noqa: A002
        found = find_node(self.asked, id)
        if found is None:
            raise _not_found(f"Could not resolve to a node with the global id of '{id}'")
        return found

    def nodes(self, ids: list[str]) -> list[Node]:
        return [self.node(each) for each in ids]


class Mutation(Node):
    type_name = "Mutation"

    def _pull(self, node_id: str) -> Pull:
        found = find_node(self.asked, node_id)
        if not isinstance(found, PullNode):
            raise _not_found(f"Could not resolve to a node with the global id of '{node_id}'")
        return found.pull

    def _drafted(self, given: dict[str, Any], draft: bool) -> dict[str, Any]:
        pull = self._pull(given["pullRequestId"])
        self.asked.world.set_draft(self.asked.viewer, pull, draft)
        return self._done(given, pull_request=PullNode(self.asked, pull))

    def mark_pull_request_ready_for_review(self, input: dict[str, Any]) -> dict[str, Any]:  # noqa: A002
        return self._drafted(input, draft=False)

    def convert_pull_request_to_draft(self, input: dict[str, Any]) -> dict[str, Any]:  # noqa: A002
        return self._drafted(input, draft=True)

    def _done(self, given: dict[str, Any], **what: Any) -> dict[str, Any]:
        return {**what, "client_mutation_id": given.get("clientMutationId")}

    @property
    def _me(self) -> Account:
        return self.asked.viewer

    def close_pull_request(self, input: dict[str, Any]) -> dict[str, Any]:  # noqa: A002
        pull = self._pull(input["pullRequestId"])
        self.asked.world.close(self._me, pull)
        return self._done(input, pull_request=PullNode(self.asked, pull))

    def reopen_pull_request(self, input: dict[str, Any]) -> dict[str, Any]:  # noqa: A002
        pull = self._pull(input["pullRequestId"])
        self.asked.world.reopen(self._me, pull)
        return self._done(input, pull_request=PullNode(self.asked, pull))

    def add_comment(self, input: dict[str, Any]) -> dict[str, Any]:  # noqa: A002
        pull = self._pull(input["subjectId"])
        made = CommentNode(self.asked, pull, self.asked.world.comment(self._me, pull, input["body"]))
        edge = {"cursor": made.id, "node": made}
        return self._done(input, comment_edge=edge, subject=PullNode(self.asked, pull))

    def _comment(self, node_id: str) -> CommentNode:
        found = find_node(self.asked, node_id)
        if not isinstance(found, CommentNode):
            raise _not_found(f"Could not resolve to a node with the global id of '{node_id}'")
        return found

    def update_issue_comment(self, input: dict[str, Any]) -> dict[str, Any]:  # noqa: A002
        there = self._comment(input["id"])
        self.asked.world.edit_comment(self._me, there.thread, there.comment, input["body"])
        return self._done(input, issue_comment=self._comment(input["id"]))

    def add_reaction(self, input: dict[str, Any]) -> dict[str, Any]:  # noqa: A002
        there = self._comment(input["subjectId"])
        reaction, _ = self.asked.world.react(self._me, there.comment, CONTENTS[input["content"]])
        made = {"id": f"REA_{reaction.id}", "content": input["content"], "user": self.actor(self._me)}
        return self._done(input, reaction=made, subject=there)


def find_node(asked: Asked, node_id: str) -> Node | None:
    """The object of that global id; None where there is none."""
    for account in asked.world.accounts:
        if account.node_id == node_id and not account.deleted:
            return ActorNode(asked, account)
    for repository in asked.world.repositories:
        if f"R_{repository.id}" == node_id:
            return RepositoryNode(asked, repository)
        for pull in repository.pulls.values():
            found = _node_of_pull(asked, pull, node_id)
            if found is not None:
                return found
    return None


def _node_of_pull(asked: Asked, pull: Pull, node_id: str) -> Node | None:
    if f"PR_{pull.id}" == node_id:
        return PullNode(asked, pull)
    for review in pull.reviews:
        if f"PRR_{review.id}" == node_id:
            return ReviewNode(asked, pull, review)
    for comment in pull.comments:
        if f"IC_{comment.id}" == node_id:
            return CommentNode(asked, pull, comment)
    return None


def _not_found(message: str) -> graphql.GraphQLError:
    return graphql.GraphQLError(message, extensions={"type": "NOT_FOUND"})


@cache
def _snake(name: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name.replace("HTML", "Html")).lower()


def _resolve(source: Any, info: graphql.GraphQLResolveInfo, **arguments: Any) -> Any:
    name = _snake(info.field_name)
    if isinstance(source, dict):
        return source[name]
    try:
        found = getattr(source, name)
    except AttributeError:
        missing = f"the fake GitHub does not know {info.parent_type.name}.{info.field_name} yet: add it to {__name__}"
        raise graphql.GraphQLError(missing, extensions={"type": "FAKE_INCOMPLETE"}) from None
    return found(**arguments) if callable(found) else found


def _type_of(value: Any, *_: Any) -> str:
    return str(value.type_name)


@cache
def _parsed(query: str) -> tuple[graphql.DocumentNode | None, tuple[graphql.GraphQLError, ...]]:
    """The document, and what is wrong with it; each query is looked at once."""
    try:
        document = graphql.parse(query)
    except graphql.GraphQLError as error:
        return None, (error,)
    return document, tuple(graphql.validate(schema(), document))


def _error(error: graphql.GraphQLError) -> dict[str, Any]:
    """An error as GitHub writes it: its type beside the message."""
    made: dict[str, Any] = {"message": error.message}
    kind = (error.extensions or {}).get("type")
    if isinstance(error.original_error, Refusal):
        kind = error.original_error.kind
    if kind is not None:
        made["type"] = kind
    if error.path:
        made["path"] = error.path
    if error.locations:
        made["locations"] = [{"line": place.line, "column": place.column} for place in error.locations]
    return made


def operation_name(body: Any) -> str | None:
    """The name of the operation of a request's body, for the log; None where it has none."""
    query = body.get("query") if isinstance(body, dict) else None
    found = re.search(r"\b(?:query|mutation)\s+(\w+)", query) if isinstance(query, str) else None
    return found[1] if found else None


def run(world: World, viewer: Account, url: str, budget: Budget, body: Any) -> dict[str, Any]:
    """GitHub's answer to a query, errors included: both come with status 200."""
    if not isinstance(body, dict) or not isinstance(body.get("query"), str):
        return {"errors": [{"message": "A query attribute must be specified and must be a string."}]}
    document, wrong = _parsed(body["query"])
    if document is None or wrong:
        return {"errors": [_error(error) for error in wrong]}
    operation = graphql.get_operation_ast(document, body.get("operationName"))
    if operation is None:
        return {"errors": [{"message": "An operation name is required"}]}
    variables = _with_defaults(operation, body.get("variables") or {})
    try:
        size = size_of(schema(), document, operation, variables)
    except TooMuch as too_much:
        return {"errors": [{"type": too_much.kind, "message": too_much.message}]}
    budget.renew(world.clock)
    if budget.used + size.cost > budget.limit:
        return rate_limited(viewer)
    budget.used += size.cost
    asked = Asked(world, viewer, url, budget, size.cost, size.nodes)
    root = Query(asked) if operation.operation is graphql.OperationType.QUERY else Mutation(asked)
    result = graphql.execute_sync(
        schema(),
        document,
        root,
        variable_values=body.get("variables") or {},
        operation_name=body.get("operationName"),
        field_resolver=_resolve,
        type_resolver=_type_of,
    )
    answer: dict[str, Any] = {"data": result.data}
    if result.errors:
        answer["errors"] = [_error(error) for error in result.errors]
    return answer


def rate_limited(viewer: Account) -> dict[str, Any]:
    message = f"API rate limit already exceeded for user ID {viewer.id}."
    return {"errors": [{"type": "RATE_LIMIT", "code": "graphql_rate_limit", "message": message}]}


def _with_defaults(operation: graphql.OperationDefinitionNode, given: dict[str, Any]) -> dict[str, Any]:
    defaults = {
        each.variable.name.value: graphql.value_from_ast_untyped(each.default_value)
        for each in operation.variable_definitions or ()
        if each.default_value is not None
    }
    return {**defaults, **given}
