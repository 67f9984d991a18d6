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
from nomic_git.repository.clone import Refused, explained

if TYPE_CHECKING:
    from pygit2 import Commit, Oid, Repository

WORDS = "words.md"
LONGEST_LOG = 5000
"""Entries that a log may have."""

LONGEST_WORDS = 64 * 1024
"""Bytes of one entry's words that are read."""

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
    """Write one entry on top of a log, on no ref yet, and return its id; `last` None begins the log.

    Raises Refused where Git will not write it.
    """
    signature = pygit2.Signature(login, login + _ADDRESS, time, 0)
    try:
        if last is None:
            begun = _message(login, number, Deed.BEGUN, "")
            last = repository.create_commit(None, signature, signature, begun, _tree(repository, ""), [])
        parents = [last] if head is None else [last, pygit2.Oid(hex=head)]
        message = _message(login, number, deed, word)
        return repository.create_commit(None, signature, signature, message, _tree(repository, words), parents)
    except (pygit2.GitError, OSError) as error:
        raise Refused(explained("commit", str(error))) from None


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

    What is no entry ends the log there: nothing before it is read. A deed that this version does not know
    is passed over. Words but a title are empty unless asked for. Raises Unreadable where the log is no chain
    of commits, lacks some of them in this clone, or is longer than any game's.
    """
    entries: list[LogEntry] = []
    earliest = 0
    for commit, deed, word in reversed(list(_chain(repository, last))):
        earliest = max(commit.commit_time, earliest)
        if deed in {*Deed}:
            entries.append(_entry(commit, Deed(deed), word, earliest, with_words=with_words))
    return entries


def last_words(repository: Repository, last: str) -> str | None:
    """Return the words of a log's last entry, None where it is no entry. Raises Unreadable as `read_log` does."""
    first = next(_chain(repository, last), None)
    return None if first is None else _words(first[0])


def _chain(repository: Repository, last: str) -> Iterator[tuple[Commit, str, str]]:
    """Yield the commits of a log with the deed and the word of each, newest first."""
    at: Oid | None = pygit2.Oid(hex=last)
    count = 0
    while at is not None:
        commit = repository.get(at)
        if not isinstance(commit, pygit2.Commit):
            raise Unreadable(f"{at} is not in this clone" if commit is None else f"{at} is no commit")
        found = _ENTRY.fullmatch(commit.raw_message.decode("utf-8", "replace"))
        if found is None:
            return
        yield commit, found.group(1), found.group(2) or ""
        count += 1
        if count > LONGEST_LOG:
            raise Unreadable(f"it has more than {LONGEST_LOG} entries")
        parents = commit.parent_ids
        at = parents[0] if parents else None


def _entry(commit: Commit, deed: Deed, word: str, time: int, *, with_words: bool) -> LogEntry:
    parents = commit.parent_ids
    return LogEntry(
        deed=deed,
        word=word,
        time=time,
        head=str(parents[1]) if len(parents) > 1 else None,
        words=_words(commit) if with_words or deed is Deed.OPENED else "",
        id=str(commit.id),
    )


def _words(commit: Commit) -> str:
    try:
        blob = commit.tree[WORDS]
    except (KeyError, ValueError, pygit2.GitError):
        return ""
    if not isinstance(blob, pygit2.Blob):
        return ""
    return blob.data.decode("utf-8", "replace") if blob.size <= LONGEST_WORDS else "(too long to be shown)"
