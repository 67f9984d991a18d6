"""A proposal's branch, compared with the game branch (design section 3)."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from graphlib import TopologicalSorter
from itertools import chain, islice
from typing import TYPE_CHECKING, Protocol, TypeAlias

import pygit2

from nomic_git.law.errors import Unreadable
from nomic_git.law.front_matter import LARGEST_FILE
from nomic_git.law.rule_change import MOST_BYTES, MOST_COMMITS, Blob, Branch, FileChange, is_the_games
from nomic_git.repository.clone import NotHere
from nomic_git.repository.tree import FILE, FOLDER, LONGEST_PATH, SUBMODULE, Entry, Trees, shown

if TYPE_CHECKING:
    from pygit2 import Commit, Repository

MOST_CHANGES = 200
"""Changed paths that are looked at; a proposal with more is improper by the first of them."""

MOST_ENTRIES = 20_000
"""Entries of trees that are looked at because they differ; a tree can name another ever so often and cost nothing."""

MOST_PARENTS = 16
"""Parents that a commit may have: what it brings is compared with all of them."""

LONGEST_MESSAGE = 64 * 1024
"""Bytes that a commit message may have and still be read."""

_ACTS = re.compile(
    r"\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?|implement(?:s|ed)?)\b:?\s+(?:(?:[\w.-]+/[\w.-]+)?#|GH-)\d+"
    r"|\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?)\b:?\s+https?://\S+"
    r"|\[(?:skip[ -]ci|ci[ -]skip|no[ -]ci|skip[ -]actions|actions[ -]skip)\]"
    r"|(?:^|\r)(?:skip-checks:\s*true|Nomic-[A-Za-z]+:)",
    re.IGNORECASE | re.MULTILINE,
)

_LONGEST_ENCODING = 32
_ENCODINGS = frozenset(
    {"ascii", "koi8-r", "koi8-u", "utf-8", "utf-16", "utf-16-be", "utf-16-le", "utf-32", "utf-32-be", "utf-32-le"}
    | {f"cp{1250 + one}" for one in range(9)}
    | {f"iso8859-{one}" for one in range(1, 17)}
)
"""Encodings of messages, by Python's names, that are read in one go over the bytes: others can cost its square."""


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
    extent = Extent(game.trees)
    changes, hidden = _changes(extent, base, last)
    news = _news(extent, own)
    paths = _paths(extent, base) if base is not None and _adds(changes) else ()
    return Branch(
        changes=changes,
        paths=paths,
        merge_bases=len(bases),
        on_game_branch=len(bases) == 1 and game.has(bases[0]),
        commits=len(own),
        size=extent.size,
        contains=sorted({number for commit in own for number in heads.get(str(commit.id), ())}),
        workflows=news.workflows,
        message=news.message,
        encoding=news.encoding,
        cut=extent.is_over,
        hidden=hidden,
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
    if len(below) < 2:
        return [str(one) for one in below]
    # One walk for them all: to compare each with each would cost the square of a commit's parents.
    walker = game.repository.walk(None)
    for one in below:
        walker.push(one)
        for parent in game.repository[one].peel(pygit2.Commit).parent_ids:
            walker.hide(parent)
    return sorted(str(commit.id) for commit in walker)


@dataclass(slots=True)
class Extent:
    """How much of a branch has been read: bytes of new objects, and entries of trees that differ.

    It `is_over` once there is more than there may be, and then nothing further is to be read.
    """

    trees: Trees
    size: int = 0
    entries: int = 0
    is_over: bool = False
    _opened: set[bytes] = field(default_factory=set)

    def add(self, size: int) -> bool:
        """Add bytes of a new object, and return whether there may be as many."""
        self.size += size
        self.is_over = self.is_over or self.size > MOST_BYTES
        return not self.is_over

    def visit(self, length: int = 0) -> bool:
        """Add an entry that differs, at a path of this length, and return whether it may be looked at."""
        self.entries += 1
        self.is_over = self.is_over or self.entries > MOST_ENTRIES or length > LONGEST_PATH
        return not self.is_over

    def open(self, tree: bytes | None, before: Sequence[bytes | None]) -> bool:
        """Return whether a tree may be read, by its size and those of what stood in its place before."""
        if tree is not None and tree not in self._opened:
            self._opened.add(tree)
            size = self.trees.size(tree)
            if size > MOST_BYTES:
                size -= sum(self.trees.size(one) for one in before if one is not None)
            if size > MOST_BYTES:
                return self.add(size)
        return not self.is_over


@dataclass(slots=True)
class _News:
    """What the commits of a branch bring. Trees are looked at once for all the places at which they stand."""

    extent: Extent
    workflows: bool = False
    message: str | None = None
    encoding: str | None = None
    _compared: set[tuple[bytes, tuple[bytes | None, ...]]] = field(default_factory=set)
    _files: set[bytes] = field(default_factory=set)

    def read(self, commit: Commit) -> None:
        """Read one commit, the commits before it having been read."""
        raw = commit.read_raw()
        if not self.extent.add(len(raw)):
            return
        if len(commit.raw_message) > LONGEST_MESSAGE or len(commit.parent_ids) > MOST_PARENTS:
            self.extent.is_over = True
            return
        known, self.encoding = _encodings(raw, self.encoding)
        self.message = self.message or _acting_words(commit.raw_message, known)
        tree, parents = commit.tree_id.raw, tuple(parent.tree_id.raw for parent in commit.parents)
        self._compare(tree, parents)
        if not self.extent.is_over:
            self.workflows = self.workflows or _touches_workflows(self.extent.trees, tree, parents)

    def _compare(self, tree: bytes, parents: tuple[bytes | None, ...]) -> None:
        """Add what a tree has that none of the parents' has in its place."""
        trees = self.extent.trees
        waiting = [(tree, parents)]
        while waiting:
            pair = at, before = waiting.pop()
            if pair in self._compared or at in before:
                continue
            self._compared.add(pair)
            if not self.extent.open(at, before):
                return
            olds = [trees.entries(one) for one in before]
            for name, entry in sorted(set(trees.entries(at).items()).difference(*(old.items() for old in olds))):
                if not (self.extent.visit() and self._add(entry)):
                    return
                if entry.mode == FOLDER:
                    waiting.append((entry.id, tuple(_folder(old.get(name)) for old in olds)))

    def _add(self, entry: Entry) -> bool:
        """Add the bytes of a new entry and of the file it names, and return whether there may be as many."""
        size = len(b"%o %s\0" % (entry.mode, entry.name)) + len(entry.id)
        if entry.mode not in {FOLDER, SUBMODULE} and entry.id not in self._files:
            self._files.add(entry.id)
            size += self.extent.trees.size(entry.id)
        return self.extent.add(size)


def _news(extent: Extent, own: Sequence[Commit]) -> _News:
    """Return what the commits bring, as far as they are read: none where there are too many anyway."""
    news = _News(extent)
    if len(own) > MOST_COMMITS:
        return news
    commits = {commit.id: commit for commit in own}
    # The oldest first: a tree that somebody else made is opened only after its size has been seen.
    order = TopologicalSorter({commit.id: commit.parent_ids for commit in own}).static_order() if own[1:] else commits
    for id_ in order:
        if id_ in commits and not extent.is_over:
            news.read(commits[id_])
    return news


def _touches_workflows(trees: Trees, tree: bytes, parents: Sequence[bytes]) -> bool:
    """Return whether a tree has workflows that no parent has, or lacks those, or the folder above, that all have."""
    at: bytes | None = tree
    before: Sequence[bytes | None] = parents
    for name in (b".github", b"workflows"):
        now = trees.entries(at).get(name)
        olds = [trees.entries(one).get(name) for one in before]
        if now is None:
            return bool(olds) and None not in olds
        if now in olds:
            return False
        if now.mode != FOLDER:
            return True
        at, before = now.id, [_folder(old) for old in olds]
    return True


def _folder(entry: Entry | None) -> bytes | None:
    return entry.id if entry is not None and entry.mode == FOLDER else None


def _changes(extent: Extent, base: Commit | None, head: Commit) -> tuple[list[FileChange], bool]:
    """Return what changed, as far as it is read, and whether changes of the game's may be missing there."""
    old, new = base.tree_id.raw if base else None, head.tree_id.raw
    changes: list[FileChange] = []
    hidden = False
    # What is the game's comes first, so that ever so much beside it cuts nothing of it off.
    for of_the_game in (True, False):
        found = _differences(extent, old, new, of_the_game=of_the_game)
        for path, before, after in islice(found, MOST_CHANGES - len(changes)):
            changes.append(FileChange(path, _blob(extent.trees, path, before), _blob(extent.trees, path, after)))
        hidden = hidden or (of_the_game and extent.is_over)
    return sorted(changes, key=lambda one: one.path), hidden


_Difference: TypeAlias = tuple[str, Entry | None, Entry | None]


def different(trees: Trees, old: bytes | None, new: bytes | None) -> Iterator[_Difference]:
    """Yield the paths at which two trees differ, with what stands there in each; folders are gone into.

    What is of the rules and the players, or in their way, comes first. What stands directly in a folder comes
    before its folders. After MOST_ENTRIES entries there are no more, nor where a tree is too large to be read.
    """
    extent = Extent(trees)
    return chain.from_iterable(_differences(extent, old, new, of_the_game=one) for one in (True, False))


def _differences(extent: Extent, old: bytes | None, new: bytes | None, *, of_the_game: bool) -> Iterator[_Difference]:
    """Yield what differs of the game's, or beside it, until there is more than there may be."""
    waiting: list[tuple[str, bytes | None, bytes | None]] = [("", old, new)]
    while waiting:
        folder, one, other = waiting.pop()
        if one == other:
            continue
        if not extent.open(other, (one,)):
            return
        before, after = extent.trees.entries(one), extent.trees.entries(other)
        names = {name for name, _ in before.items() ^ after.items()}
        for name in sorted(name for name in names if folder or is_the_games(shown(name)) == of_the_game):
            was, is_ = before.get(name), after.get(name)
            path = f"{folder}{shown(name)}"
            if not extent.visit(len(path)):
                return
            if _folder(was) or _folder(is_):
                waiting.append((f"{path}/", _folder(was), _folder(is_)))
            was, is_ = (None if _folder(side) else side for side in (was, is_))
            if was is not None or is_ is not None:
                yield path, was, is_


def _blob(trees: Trees, path: str, entry: Entry | None) -> Blob | None:
    if entry is None:
        return None
    wanted = entry.mode == FILE and "/" in path and is_the_games(path)
    data = trees.blob(entry.id) if wanted and trees.size(entry.id) <= LARGEST_FILE else None
    return Blob(entry.mode, entry.id.hex(), data)


def _adds(changes: Sequence[FileChange]) -> bool:
    """Return whether a path is new: only then does it matter what stands beside it."""
    return any(change.before is None for change in changes)


def _paths(extent: Extent, base: Commit) -> list[str]:
    tree = base.tree_id.raw
    try:
        return [path for folder in ("rules", "players") for path, _ in extent.trees.files(tree, folder)]
    except Unreadable:
        extent.is_over = True
        return []


def _acting_words(message: bytes, encodings: Sequence[str]) -> str | None:
    """Return the words of a message that a forge would act upon, or that ape the referee's trailers.

    A message is read as UTF-8, and as its header would have it read.
    """
    for encoding in ("utf-8", *encodings):
        found = _ACTS.search(message.decode(encoding, "replace"))
        if found is not None:
            return found.group().strip()
    return None


def _encodings(commit: bytes, unknown: str | None) -> tuple[Sequence[str], str | None]:
    """Return the encodings that a commit's header names, by Python's names, and the first that is not known."""
    lines = commit.partition(b"\n\n")[0].split(b"\n")
    known: dict[str, None] = {}
    for named in (line.removeprefix(b"encoding ") for line in lines if line.startswith(b"encoding ")):
        found = _known_encoding(named)
        if found is None:
            return tuple(known), unknown or shown(named[:_LONGEST_ENCODING])
        known[found] = None
    return tuple(known), unknown


def _known_encoding(named: bytes) -> str | None:
    if len(named) > _LONGEST_ENCODING or not named.isascii():
        return None
    try:
        found = codecs.lookup(named.decode("ascii")).name
    except LookupError:
        return None
    return found if found in _ENCODINGS else None
