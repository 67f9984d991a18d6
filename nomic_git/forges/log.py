"""A log: what one player did on one proposal of the local forge, as a chain of commits (design section 11).

The chain begins with a commit without parents. Each entry has the one before it as its first parent;
a vote and a new head have the head that they speak of as their second, so that it travels with them.
A player's own words stand in the tree, never in the message.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

import pygit2

from nomic_git.law.errors import Unreadable

if TYPE_CHECKING:
    from pygit2 import Commit, Oid, Repository

WORDS = "words.md"
LONGEST_LOG = 5000
"""Entries of one log that are read."""

_ENTRY = re.compile(r"[^\n]*\n\nNomic-Log: ([a-z]+)(?: ([a-z]+))?\n?")
_ADDRESS = "@players.invalid"


class Deed(StrEnum):
    """What an entry of a log says was done."""

    BEGUN = "begun"
    OPENED = "opened"
    PUSHED = "pushed"
    READY = "ready"
    DRAFT = "draft"
    VOTE = "vote"
    COMMENT = "comment"
    WITHDRAWN = "withdrawn"


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One entry: what was done, with which word (`for`, `draft`), when, on which head, in which words.

    `time` is in seconds since the epoch and never earlier than that of the entry before.
    """

    deed: Deed
    word: str
    time: int
    head: str | None
    words: str
    id: str


def append(
    repository: Repository,
    last: Oid | None,
    login: str,
    number: int,
    deed: Deed,
    time: int,
    *,
    word: str = "",
    head: str | None = None,
    words: str = "",
) -> Oid:
    """Write one entry on top of a log, on no ref yet, and return its id; `last` None begins the log."""
    signature = pygit2.Signature(login, login + _ADDRESS, time, 0)
    if last is None:
        last = repository.create_commit(
            None, signature, signature, _message(login, number, Deed.BEGUN, ""), _tree(repository, ""), []
        )
    parents = [last] if head is None else [last, pygit2.Oid(hex=head)]
    message = _message(login, number, deed, word)
    return repository.create_commit(None, signature, signature, message, _tree(repository, words), parents)


def _message(login: str, number: int, deed: Deed, word: str) -> str:
    what = f"{deed} {word}".strip()
    return f"Proposal {number}, {login}: {what}\n\nNomic-Log: {what}\n"


def _tree(repository: Repository, words: str) -> Oid:
    builder = repository.TreeBuilder()
    if words:
        data = words.encode("utf-8", "replace")
        builder.insert(WORDS, repository.create_blob(data), pygit2.enums.FileMode.BLOB)
    return builder.write()


def read_log(repository: Repository, last: str, *, with_words: bool) -> list[LogEntry]:
    """Return the entries of a log, oldest first, given its last commit.

    What is no entry ends the log there: nothing before it is read. Words but a title are empty unless asked for.
    Raises Unreadable where the log is longer than any game's.
    """
    entries: list[LogEntry] = []
    earliest = 0
    for commit in reversed(list(_chain(repository, last))):
        entry = _read(commit, earliest, with_words=with_words)
        if entry is not None:
            earliest = entry.time
            entries.append(entry)
    return entries


def _chain(repository: Repository, last: str) -> Iterator[Commit]:
    at: Oid | None = pygit2.Oid(hex=last)
    count = 0
    while at is not None:
        commit = repository.get(at)
        if not isinstance(commit, pygit2.Commit):
            return
        yield commit
        count += 1
        if count > LONGEST_LOG:
            raise Unreadable(f"the log that ends at {last[:12]} has more than {LONGEST_LOG} entries")
        parents = commit.parent_ids
        at = parents[0] if parents else None


def _read(commit: Commit, earliest: int, *, with_words: bool) -> LogEntry | None:
    try:
        found = _ENTRY.fullmatch(commit.message)
    except UnicodeDecodeError:
        return None
    if found is None or found.group(1) not in {*Deed}:
        return None
    parents = commit.parent_ids
    return LogEntry(
        deed=Deed(found.group(1)),
        word=found.group(2) or "",
        time=max(commit.commit_time, earliest),
        head=str(parents[1]) if len(parents) > 1 else None,
        words=_words(commit) if with_words or found.group(1) == Deed.OPENED else "",
        id=str(commit.id),
    )


def _words(commit: Commit) -> str:
    tree = commit.tree
    if WORDS not in tree:
        return ""
    blob = tree[WORDS]
    return blob.data.decode("utf-8", "replace") if isinstance(blob, pygit2.Blob) else ""
