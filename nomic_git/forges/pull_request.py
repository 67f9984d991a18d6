"""A pull request as GitHub has it, read and not yet judged (design section 11; docs/github.md)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from nomic_git.law.rule_change import MOST_COMMITS

if TYPE_CHECKING:
    from nomic_git.game.player import Account


class ReviewState(StrEnum):
    """What a review says, in GitHub's words."""

    APPROVED = "APPROVED"
    CHANGES_REQUESTED = "CHANGES_REQUESTED"
    COMMENTED = "COMMENTED"
    DISMISSED = "DISMISSED"
    PENDING = "PENDING"


class Turn(StrEnum):
    """What happened to a pull request, by the name that GitHub's timeline has for it."""

    READY = "ReadyForReviewEvent"
    DRAFT = "ConvertToDraftEvent"
    CLOSED = "ClosedEvent"
    REOPENED = "ReopenedEvent"
    MERGED = "MergedEvent"
    RETARGETED = "BaseRefChangedEvent"
    RETARGETED_BY_GITHUB = "AutomaticBaseChangeSucceededEvent"
    FORCE_PUSHED = "HeadRefForcePushedEvent"
    DISMISSED = "ReviewDismissedEvent"


@dataclass(frozen=True, slots=True)
class Review:
    """A review. `time` is when it was submitted; `commit` is a hint only: GitHub may move it, or lose it."""

    id: int
    author: Account | None
    state: ReviewState
    time: int
    commit: str | None


@dataclass(frozen=True, slots=True)
class Happening:
    """One entry of the timeline; `time` by GitHub's clock, in seconds since the epoch.

    `before` and `after` are the branches' names of a retargeting, the commits of a forced push (None where GitHub
    has lost one); `review` and `state` the review that was dismissed and what it had said.
    """

    turn: Turn
    time: int
    actor: Account | None
    before: str | None = None
    after: str | None = None
    review: int | None = None
    state: ReviewState | None = None


@dataclass(frozen=True, slots=True)
class PullComment:
    """A comment. `mine` says that this token's own account wrote it, `edited` when its words were last changed.

    `answered` says that this token's account has reacted to it, `by_another` that somebody other than its author
    changed its words last.
    """

    id: int
    author: Account | None
    mine: bool
    body: str
    created: int
    edited: int | None
    answered: bool
    by_another: bool = False


@dataclass(frozen=True, slots=True)
class ShownStatus:
    """The commit status of ours that the head has: what it says, and whether this token's account set it."""

    state: str
    description: str
    mine: bool


@dataclass(frozen=True, slots=True)
class Extent:
    """How much a pull request changes, as GitHub tells: how many files, the first of them, how many commits."""

    files: int
    first: str
    commits: int


@dataclass(frozen=True, slots=True)
class PullRequest:
    """A pull request. Instants are seconds since the epoch; `head` is a commit's id, `base` a branch's name.

    `node` is its id in GraphQL. `author` is None where the account was deleted. `unread` says that a part of it
    could not be read: nothing is decided on it then. `extent` is None where GitHub does not say.
    With `has_more_comments` those that are here, the oldest, are not all.
    """

    number: int
    node: str
    title: str
    author: Account | None
    head: str
    base: str
    created: int
    is_open: bool
    is_merged: bool
    is_draft: bool
    reviews: tuple[Review, ...] = ()
    timeline: tuple[Happening, ...] = ()
    comments: tuple[PullComment, ...] = ()
    labels: tuple[str, ...] = ()
    status: ShownStatus | None = None
    unread: bool = False
    has_more_comments: bool = False
    extent: Extent | None = None

    @property
    def accounts(self) -> Iterator[Account]:
        """Who proposed it, reviewed it, spoke of it or did anything to it, as they are called now; some often."""
        reviewers, actors = (one.author for one in self.reviews), (one.actor for one in self.timeline)
        speakers = (one.author for one in self.comments)
        return (one for one in (self.author, *reviewers, *speakers, *actors) if one is not None)

    @property
    def forced_pushes(self) -> tuple[Happening, ...]:
        """The pushes that were forced, as the timeline has them."""
        return tuple(one for one in self.timeline if one.turn is Turn.FORCE_PUSHED)

    @property
    def may_ask_to_join(self) -> bool:
        """Whether it may be a request to join by what GitHub tells of it: one file, a player's, in few commits."""
        told = self.extent
        return told is None or (
            told.files == 1 and told.first.casefold().startswith("players/") and told.commits <= MOST_COMMITS
        )


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What GitHub had at one moment: `time` by its own clock, in seconds since the epoch.

    `pulls` are all the open pull requests, those closed lately, and those asked for by number. `viewer` is the account
    that the token belongs to. `left` are the GraphQL points that remain in this hour, None where it did not say.
    """

    time: int
    viewer: Account
    pulls: Mapping[int, PullRequest]
    left: int | None = None
