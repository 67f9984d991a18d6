"""A proposal's branch, compared with the game branch (design section 3)."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Protocol

import pygit2

from nomic_git.law.front_matter import LARGEST_FILE
from nomic_git.law.rule_change import MOST_BYTES, MOST_COMMITS, Blob, Branch, FileChange, fold
from nomic_git.repository.clone import NotHere
from nomic_git.repository.tree import FILE, FOLDER, SUBMODULE, Entry, Trees, shown

if TYPE_CHECKING:
    from pygit2 import Commit, Repository

MOST_CHANGES = 200
"""Changed paths that are looked at; a proposal with more is improper by the first of them."""

_FOLDERS = frozenset({"rules", "players"})

_ACTS = re.compile(
    r"\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?|implement(?:s|ed)?)\b:?\s+(?:(?:[\w.-]+/[\w.-]+)?#|GH-)\d+"
    r"|\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?)\b:?\s+https?://\S+"
    r"|\[(?:skip[ -]ci|ci[ -]skip|no[ -]ci|skip[ -]actions|actions[ -]skip)\]"
    r"|(?:^|\r)(?:skip-checks:\s*true|Nomic-[A-Za-z]+:)",
    re.IGNORECASE | re.MULTILINE,
)


class Line(Protocol):
    """The game branch, as far as a proposal's branch is compared with it."""

    repository: Repository
    trees: Trees
    tip: str

    def has(self, commit: str) -> bool:
        """Return whether a commit is on the first-parent line of the branch."""

    def own(self, head: str) -> Sequence[Commit]:
        """Return the commits below a head that the branch lacks, one more than there may be at most."""


@dataclass(slots=True)
class GameBranch:
    """The game branch up to one tip, its first-parent line read only as far back as somebody asked."""

    repository: Repository
    trees: Trees
    tip: str
    _line: set[str] = field(default_factory=set)
    _next: str | None = None
    _own: dict[str, frozenset[bytes]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._next = self.tip

    def has(self, commit: str) -> bool:
        """Return whether a commit is on the first-parent line of the branch."""
        while commit not in self._line and self._next is not None:
            at = self.repository[self._next]
            assert isinstance(at, pygit2.Commit), "a commit's parent is a commit"
            self._line.add(self._next)
            parents = at.parent_ids
            self._next = str(parents[0]) if parents else None
        return commit in self._line

    def own(self, head: str) -> Sequence[Commit]:
        """Return the commits below a head that the branch lacks, one more than there may be at most."""
        walker = self.repository.walk(pygit2.Oid(hex=head), pygit2.enums.SortMode.TOPOLOGICAL)
        walker.hide(pygit2.Oid(hex=self.tip))
        own = list(islice(walker, MOST_COMMITS + 1))
        self._own[head] = frozenset(commit.id.raw for commit in own)
        return own

    def share(self, one: str, other: str) -> bool:
        """Return whether two heads that were compared have commits in common that the branch lacks."""
        return not self._own.get(one, frozenset()).isdisjoint(self._own.get(other, ()))


def read_branch(game: Line, head: str, heads: Mapping[str, Sequence[int]]) -> Branch:
    """Return a proposal's branch as Git has it.

    `heads` are the numbers of the other open proposals by the id of their head; of two with the very same
    head, the caller leaves out the one with the higher number. Raises NotHere where the head is missing.
    """
    last = commit_at(game.repository, head)
    own = game.own(head)
    bases = _merge_bases(game, own, head)
    base = commit_at(game.repository, bases[0]) if bases else None
    news = _news(game.trees, own)
    changes = _changes(game.trees, base, last)
    return Branch(
        changes=changes,
        paths=_paths(game.trees, base) if base is not None and _adds(changes) else (),
        merge_bases=len(bases),
        on_game_branch=len(bases) == 1 and game.has(bases[0]),
        commits=len(own),
        size=news.size,
        contains=sorted({number for commit in own for number in heads.get(str(commit.id), ())}),
        workflows=news.workflows,
        message=_acting_message(own),
    )


def commit_at(repository: Repository, id_: str) -> Commit:
    """Return the commit with this id. Raises NotHere where this clone has none."""
    try:
        commit = repository[id_]
    except (KeyError, ValueError):
        raise NotHere(f"commit {id_[:12]} is not in this clone; run: git fetch") from None
    if not isinstance(commit, pygit2.Commit):
        raise NotHere(f"{id_[:12]} is no commit")
    return commit


def _merge_bases(game: Line, own: Sequence[Commit], head: str) -> list[str]:
    """Return the best common ancestors: what the branch's own commits stand on, less ancestors of another."""
    if not own:
        return [head]
    if len(own) > MOST_COMMITS:
        base = game.repository.merge_base(pygit2.Oid(hex=head), pygit2.Oid(hex=game.tip))
        return [str(base)] if base is not None else []
    inside = {commit.id for commit in own}
    below = {parent for commit in own for parent in commit.parent_ids if parent not in inside}
    descends = game.repository.descendant_of
    return sorted(str(one) for one in below if not any(descends(other, one) for other in below if other != one))


@dataclass(slots=True)
class _News:
    size: int = 0
    workflows: bool = False


def _news(trees: Trees, own: Sequence[Commit]) -> _News:
    """Return how many bytes of new objects the commits bring, and whether one touches a workflow."""
    news = _News()
    seen: set[bytes] = set()
    for commit in own[: MOST_COMMITS + 1]:
        news.size += len(commit.raw_message)
        parents = [parent.tree_id.raw for parent in commit.parents]
        for path, entry in _new_entries(trees, commit.tree_id.raw, parents):
            news.workflows = news.workflows or _is_of_workflows(path, entry)
            if entry is not None and entry.mode != SUBMODULE and entry.id not in seen:
                seen.add(entry.id)
                news.size += trees.size(entry.id)
        if news.size > MOST_BYTES:
            break
    return news


def _is_of_workflows(path: str, entry: Entry | None) -> bool:
    """Return whether a path is of the workflows; with the folder above them they go too."""
    if path == ".github":
        return entry is None or entry.mode != FOLDER
    return f"{path}/".startswith(".github/workflows/")


def _new_entries(trees: Trees, tree: bytes, parents: Sequence[bytes]) -> Iterator[tuple[str, Entry | None]]:
    """Yield path and entry of all in a tree that no parent has there; None where every parent's is gone."""
    waiting: list[tuple[str, bytes | None, list[bytes | None]]] = [("", tree, list(parents))]
    while waiting:
        folder, at, before = waiting.pop()
        now = trees.entries(at)
        olds = [trees.entries(one) for one in before]
        for name, entry in set(now.items()).difference(*(old.items() for old in olds)):
            path = f"{folder}{shown(name)}"
            yield path, entry
            if entry.mode == FOLDER:
                waiting.append((f"{path}/", entry.id, [_folder(old.get(name)) for old in olds]))
        if olds:
            gone = set.intersection(*(set(old) for old in olds)) - set(now)
            yield from ((f"{folder}{shown(name)}", None) for name in gone)


def _folder(entry: Entry | None) -> bytes | None:
    return entry.id if entry is not None and entry.mode == FOLDER else None


def _changes(trees: Trees, base: Commit | None, head: Commit) -> list[FileChange]:
    changes = []
    for path, before, after in different(trees, base.tree_id.raw if base else None, head.tree_id.raw):
        changes.append(FileChange(path, _blob(trees, path, before), _blob(trees, path, after)))
        # What stands at the top comes first and then the game's folders: what matters is never cut off.
        if len(changes) >= MOST_CHANGES and "/" in path:
            break
    return sorted(changes, key=lambda one: one.path)


def different(trees: Trees, old: bytes | None, new: bytes | None) -> Iterator[tuple[str, Entry | None, Entry | None]]:
    """Yield the paths at which two trees differ, with what stands there in each; folders are gone into.

    What stands directly in a folder comes before its folders, and the game's folders before all others.
    """
    waiting: list[tuple[str, bytes | None, bytes | None]] = [("", old, new)]
    while waiting:
        folder, one, other = waiting.pop()
        before, after = trees.entries(one), trees.entries(other)
        names = {name for name, _ in before.items() ^ after.items()}
        for name in sorted(names, key=lambda name: (fold(shown(name)) in _FOLDERS, name)):
            was, is_ = before.get(name), after.get(name)
            path = f"{folder}{shown(name)}"
            if _folder(was) or _folder(is_):
                waiting.append((f"{path}/", _folder(was), _folder(is_)))
            was, is_ = (None if _folder(side) else side for side in (was, is_))
            if was is not None or is_ is not None:
                yield path, was, is_


def _blob(trees: Trees, path: str, entry: Entry | None) -> Blob | None:
    if entry is None:
        return None
    wanted = entry.mode == FILE and fold(path).startswith(("rules/", "players/"))
    data = trees.blob(entry.id) if wanted and trees.size(entry.id) <= LARGEST_FILE else None
    return Blob(entry.mode, entry.id.hex(), data)


def _adds(changes: Sequence[FileChange]) -> bool:
    """Return whether a path is new: only then does it matter what stands beside it."""
    return any(change.before is None for change in changes)


def _paths(trees: Trees, base: Commit) -> list[str]:
    tree = base.tree_id.raw
    return [path for folder in ("rules", "players") for path, _ in trees.files(tree, folder)]


def _acting_message(own: Sequence[Commit]) -> str | None:
    """Return the words of a message that a forge would act upon, or that ape the referee's trailers."""
    for commit in own:
        for words in _readings(commit):
            found = _ACTS.search(words)
            if found is not None:
                return found.group().strip()
    return None


def _readings(commit: Commit) -> Iterator[str]:
    """Yield the words of a commit's message: as UTF-8, and as its header would have them read."""
    yield commit.raw_message.decode("utf-8", "replace")
    if commit.message_encoding is not None:
        with contextlib.suppress(LookupError):
            yield commit.raw_message.decode(commit.message_encoding, "replace")
