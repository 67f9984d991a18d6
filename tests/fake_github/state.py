"""What GitHub remembers of accounts and pull requests."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fake_github.store import Store


class Refusal(Exception):
    """GitHub says no: with a status of HTTP, its words, and where one parameter is to blame, what is wrong with it."""

    def __init__(self, status: int, message: str, *errors: dict[str, Any] | str, kind: str = "UNPROCESSABLE") -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        self.errors = errors
        self.kind = kind


def invalid(resource: str, message: str, **also: str) -> Refusal:
    """422 in the usual form."""
    return Refusal(422, "Validation Failed", {"resource": resource, "code": "custom", "message": message, **also})


class Permission(StrEnum):
    """What an account may do in a repository, in GraphQL's words, least first."""

    READ = "READ"
    TRIAGE = "TRIAGE"
    WRITE = "WRITE"
    MAINTAIN = "MAINTAIN"
    ADMIN = "ADMIN"

    def reaches(self, other: Permission) -> bool:
        order = list(Permission)
        return order.index(self) >= order.index(other)


@dataclass(eq=False)
class Account:
    """A person, a bot, an organization or a mannequin. The id stays when the login changes."""

    login: str
    id: int
    token: str
    kind: str = "User"
    name: str | None = None
    created_at: int = 0
    deleted: bool = False

    @property
    def node_id(self) -> str:
        return f"{'BOT' if self.kind == 'Bot' else self.kind[0]}_{self.id}"

    @property
    def email(self) -> str:
        return f"{self.id}+{self.login}@users.noreply.github.com"

    @property
    def is_app(self) -> bool:
        return self.kind == "Bot"

    @property
    def graphql_login(self) -> str:
        """GraphQL leaves out `[bot]`, except for the viewer."""
        return self.login.removesuffix("[bot]")


@dataclass(eq=False)
class Reaction:
    id: int
    account: Account
    content: str
    created_at: int


@dataclass(eq=False)
class Comment:
    id: int
    author: Account
    body: str
    created_at: int
    updated_at: int
    last_edited_at: int | None = None
    editor: Account | None = None
    reactions: list[Reaction] = field(default_factory=list)


@dataclass(eq=False)
class Review:
    """`state` is one of APPROVED, CHANGES_REQUESTED, COMMENTED, DISMISSED, PENDING."""

    id: int
    author: Account
    body: str
    state: str
    commit: str | None
    submitted_at: int
    updated_at: int
    last_edited_at: int | None = None
    editor: Account | None = None


@dataclass(eq=False)
class Event:
    """One item of a timeline; `kind` is the name of its type in GraphQL, `what` the fields that only it has."""

    id: int
    kind: str
    actor: Account | None
    created_at: int
    what: dict[str, Any] = field(default_factory=dict)


@dataclass(eq=False)
class Status:
    id: int
    sha: str
    state: str
    context: str
    description: str | None
    target_url: str | None
    creator: Account
    created_at: int


@dataclass(eq=False)
class Label:
    id: int
    name: str
    color: str = "ededed"
    description: str | None = None


@dataclass(eq=False)
class Repository:
    """A repository, a fork included; `fork_of` names the one whose pull requests its branches may head."""

    id: int
    owner: Account
    name: str
    store: Store
    created_at: int
    fork_of: Repository | None = None
    default_branch: str = "main"
    permissions: dict[int, Permission] = field(default_factory=dict)
    pulls: dict[int, Pull] = field(default_factory=dict)
    issues: dict[int, Issue] = field(default_factory=dict)
    labels: dict[str, Label] = field(default_factory=dict)
    statuses: dict[str, list[Status]] = field(default_factory=dict)
    last_number: int = 0

    @property
    def full_name(self) -> str:
        return f"{self.owner.login}/{self.name}"

    def permission(self, account: Account) -> Permission:
        """A public repository: anybody reads."""
        if account is self.owner:
            return Permission.ADMIN
        return self.permissions.get(account.id, Permission.READ)

    def label(self, name: str, new_id: int) -> Label:
        """The label of that name, made where there is none."""
        return self.labels.setdefault(name.casefold(), Label(new_id, name))

    def thread(self, number: int) -> Pull | Issue:
        if number in self.pulls:
            return self.pulls[number]
        if number in self.issues:
            return self.issues[number]
        raise Refusal(404, "Not Found", kind="NOT_FOUND")


@dataclass(eq=False, kw_only=True)
class Issue:
    """What issues and pull requests have in common. `state` is OPEN, CLOSED or MERGED."""

    id: int
    number: int
    repository: Repository
    author: Account
    title: str
    body: str
    created_at: int
    updated_at: int
    state: str = "OPEN"
    closed_at: int | None = None
    last_edited_at: int | None = None
    editor: Account | None = None
    comments: list[Comment] = field(default_factory=list)
    labels: list[Label] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)

    @property
    def open(self) -> bool:
        return self.state == "OPEN"

    @property
    def label_names(self) -> list[str]:
        return [label.name for label in self.labels]


@dataclass(eq=False, kw_only=True)
class Pull(Issue):
    """`head` is the commit that refs/pull/N/head names; it stands still while the pull request is closed."""

    head: str
    head_branch: str
    head_repository: Repository | None
    base_branch: str
    base_commit: str
    draft: bool = False
    merged_at: int | None = None
    merged_by: Account | None = None
    merge_commit: str | None = None
    forced_while_closed: bool = False
    reviews: list[Review] = field(default_factory=list)

    @property
    def merged(self) -> bool:
        return self.state == "MERGED"

    @property
    def cross_repository(self) -> bool:
        return self.head_repository is not self.repository

    @property
    def statuses(self) -> list[Status]:
        """The newest status of each context on the head."""
        newest = {status.context.casefold(): status for status in self.repository.statuses.get(self.head, [])}
        return list(newest.values())

    def status(self, context: str) -> Status | None:
        return next((each for each in self.statuses if each.context.casefold() == context.casefold()), None)
