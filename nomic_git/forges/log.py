"""A log: what one player did on one proposal of the local forge, as a chain of commits (design section 11).

The chain begins with a commit without parents. Each entry has the one before it as its first parent;
a vote and a new head have the head that they speak of as their second, so that it travels with them.
A player's own words stand in the tree, never in the message.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import TYPE_CHECKING

import pygit2

from nomic_git.forges.deed import Deed as Deed
from nomic_git.game.instant import LATEST
from nomic_git.law.errors import Unreadable
from nomic_git.repository.clone import Refused, explained

if TYPE_CHECKING:
    from pygit2 import Commit, Oid, Repository

WORDS = "words.md"
LONGEST_LOG = 5000
"""Entries that a log may have."""

A_DAY = 24 * 60 * 60
"""Seconds by which the clocks of one player may differ."""

LONGEST_WORDS = 64 * 1024
"""Bytes of one entry's words that are read."""

_SPOKEN = frozenset({Deed.OPENED, Deed.JUDGMENT})
"""The deeds whose words count."""

_ENTRY = re.compile(r"[^\n]*\n\nNomic-Log: ([a-z]+)(?: ([a-z]+))?\n?")
ADDRESS = "@players.invalid"
"""What follows the login in the e-mail of a player who has given none."""


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One entry: what was done, with which word (`for`, `draft`), when, on which head, in which words.

    `time` is in seconds since the epoch, as its own commit has it; `in_order` sets the times of a whole log right.
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
    signature = pygit2.Signature(login, login + ADDRESS, time, 0)
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

    A deed that this version does not know is passed over. Words are empty unless asked for, but for a title and what
    is said about a judgment. Raises
    Unreadable where the log is no chain of entries down to its beginning, lacks some of them in this clone, or
    is longer than any game's.
    """
    chain = list(_chain(repository, last))
    if not chain or chain[-1][1] != Deed.BEGUN:
        raise Unreadable(f"{chain[-1][0].id if chain else last} does not begin a log")
    return [
        _entry(commit, Deed(deed), word, with_words=with_words)
        for commit, deed, word in reversed(chain)
        if deed in {*Deed}
    ]


def in_order(entries: Sequence[LogEntry]) -> list[LogEntry]:
    """Return the entries of a log with times in their order.

    None is earlier than the one before it. But what is dated more than a day later than the next was written by
    a clock that was wrong, and counts as the next: it takes nothing that came after it along.
    """
    times = [one.time for one in entries]
    for at in range(len(times) - 2, -1, -1):
        if times[at] > times[at + 1] + A_DAY:
            times[at] = times[at + 1]
    latest = accumulate(times, max)
    return [one if one.time == time else replace(one, time=time) for one, time in zip(entries, latest, strict=True)]


def last_words(repository: Repository, last: str) -> str:
    """Return the words of a log's last entry. Raises Unreadable where it is no entry or not in this clone."""
    return _words(next(_chain(repository, last))[0])


def _chain(repository: Repository, last: str) -> Iterator[tuple[Commit, str, str]]:
    """Yield the commits of a log with the deed and the word of each, newest first."""
    at: Oid | None = pygit2.Oid(hex=last)
    count = 0
    while at is not None:
        try:
            commit = repository.get(at)
        except pygit2.GitError as error:  # Git takes commits that libgit2 does not read.
            raise Unreadable(f"{at} is malformed: {error}") from None
        if not isinstance(commit, pygit2.Commit):
            raise Unreadable(f"{at} is not in this clone" if commit is None else f"{at} is no commit")
        found = _ENTRY.fullmatch(commit.raw_message.decode("utf-8", "replace"))
        if found is None:
            raise Unreadable(f"{at} is no entry of a log")
        yield commit, found.group(1), found.group(2) or ""
        count += 1
        if count > LONGEST_LOG:
            raise Unreadable(f"it has more than {LONGEST_LOG} entries")
        parents = commit.parent_ids
        at = parents[0] if parents else None


def _entry(commit: Commit, deed: Deed, word: str, *, with_words: bool) -> LogEntry:
    parents = commit.parent_ids
    return LogEntry(
        deed=deed,
        word=word,
        # Git takes years that no calendar has a name for.
        time=min(max(commit.commit_time, 0), LATEST),
        head=str(parents[1]) if len(parents) > 1 else None,
        words=_words(commit) if with_words or deed in _SPOKEN else "",
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
