"""The history: the events that the commits of the game branch record (design section 5)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pygit2

from nomic_git.game.event import Event, EventKind, find_trailers, read_event
from nomic_git.law.errors import Unreadable

if TYPE_CHECKING:
    from pygit2 import Commit

    from nomic_git.law.rule import Rule
    from nomic_git.repository.clone import Clone

REFEREE = ("nomic-git referee", "referee@nomic-git.invalid")
"""Who signs the events. The same for every clone, so that the same world makes the same commit."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """A commit of the game branch that records an event."""

    event: Event
    commit: str
    parents: tuple[str, ...]


def first_parents(clone: Clone, tip: Commit | None = None) -> Iterator[Commit]:
    """Yield the commits of the game branch, newest first, along first parents."""
    # libgit2's walk would read the proposals' commits too, and costs twice what the replay of the messages does.
    at: Commit = tip or clone.tip
    yield at
    while parents := at.parent_ids:
        parent = clone.repository[parents[0]]
        assert isinstance(parent, pygit2.Commit), "a commit's parent is a commit"
        at = parent
        yield at


def events(clone: Clone, tip: Commit | None = None) -> Iterator[Recorded]:
    """Yield the events of the game branch, newest first. Commits that record none are passed over."""
    for commit in first_parents(clone, tip):
        recorded = recorded_event(commit)
        if recorded is not None:
            yield recorded


def recorded_event(commit: Commit) -> Recorded | None:
    """Return the event that a commit records, None where it records none that can be read."""
    try:
        event = claimed_event(commit)
    except Unreadable:
        return None
    if event is None:
        return None
    return Recorded(event, str(commit.id), tuple(str(parent) for parent in commit.parent_ids))


def claimed_event(commit: Commit) -> Event | None:
    """Return the event that a commit's trailers claim, None where they claim none.

    The message is read as UTF-8 whatever encoding its commit names: with another, a record could be hidden
    in words that look like none. Raises Unreadable where the trailers cannot be read.
    """
    trailers = find_trailers(commit.raw_message.decode("utf-8", "replace"))
    return None if trailers is None else read_event(trailers, commit.commit_time)


def rule_before(clone: Clone, proposal: int, number: int) -> Rule | None:
    """Return a rule as it was before a proposal, by the forge's number, was adopted; None where there was none."""
    from nomic_git.repository.rulebook import rulebook_at  # only where something is undone

    for recorded in events(clone):
        if recorded.event.kind is EventKind.ADOPTED and recorded.event.proposal == proposal:
            before = clone.repository[recorded.parents[0]].peel(pygit2.Tree).id.raw
            return rulebook_at(clone.trees, before).rules.get(number)
    return None
