"""Trees: what stands where in a commit, read and rebuilt from bytes, never from the work tree."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import pygit2

from nomic_git.law.errors import Unreadable
from nomic_git.repository.errors import Refused

if TYPE_CHECKING:
    from pygit2 import Oid, Repository

FOLDER = 0o40000
FILE = 0o100644
SUBMODULE = 0o160000

LONGEST_PATH = 4096
"""Characters that a path may have; no file system takes a longer one, and each folder below would repeat it."""

MOST_FILES = 100_000
"""Entries that may stand below a folder of the game's, however deep."""

_MOST_TREES = 1024
_MOST_KEPT = 400_000
_NEWEST = 32
_MOST_SAID = 2048

K = TypeVar("K")
V = TypeVar("V")


class Entry(NamedTuple):
    """One line of a tree: Git's mode, the name in bytes, the id of what stands there in bytes."""

    mode: int
    name: bytes
    id: bytes


def parse(raw: bytes) -> dict[bytes, Entry]:
    """Return the entries of a tree, given as Git stores it, by name."""
    entries: dict[bytes, Entry] = {}
    at = 0
    while at < len(raw):
        space = raw.index(b" ", at)
        end = raw.index(b"\0", space)
        name = raw[space + 1 : end]
        entries[name] = Entry(int(raw[at:space], 8), name, raw[end + 1 : end + 21])
        at = end + 21
    return entries


def _ordered(entries: Mapping[bytes, Entry]) -> dict[bytes, Entry]:
    ordered = sorted(entries.values(), key=lambda one: one.name + b"/" if one.mode == FOLDER else one.name)
    return {one.name: one for one in ordered}


def _serialize(ordered: Mapping[bytes, Entry]) -> bytes:
    return b"".join(b"%o %s\0%s" % (one.mode, one.name, one.id) for one in ordered.values())


@dataclass(slots=True)
class Trees:
    """The trees and files of one repository, each tree read once."""

    repository: Repository
    _read: dict[bytes, dict[bytes, Entry]] = field(default_factory=dict)
    _said: dict[tuple[str, bytes], Any] = field(default_factory=dict)
    _kept: int = 0

    def entries(self, tree: bytes | None) -> Mapping[bytes, Entry]:
        """Return the entries of the tree with this id, none where there is no tree."""
        if tree is None:
            return {}
        found = self._read.get(tree)
        if found is None:
            found = parse(self.repository[pygit2.Oid(raw=tree)].read_raw())
            self.remember(tree, found)
        return found

    def remember(self, tree: bytes, entries: dict[bytes, Entry]) -> None:
        """Keep the entries of a tree that was just made, so that nobody has to read it, or to write it first."""
        # What was made a moment ago may stand nowhere else, and stays.
        _make_room(self._read, _MOST_TREES)
        self._read[tree] = entries
        self._kept += len(entries)
        if self._kept > _MOST_KEPT:
            for old in list(self._read)[:-_NEWEST]:
                del self._read[old]
            self._kept = sum(map(len, self._read.values()))

    def entry(self, tree: bytes, path: str) -> Entry | None:
        """Return what stands at a path below a tree, None where nothing does."""
        *folders, name = path.encode().split(b"/")
        at: bytes | None = tree
        for folder in folders:
            one = self.entries(at).get(folder)
            at = one.id if one is not None and one.mode == FOLDER else None
        return self.entries(at).get(name)

    def id(self, tree: bytes, path: str) -> bytes:
        """Return the id of what stands at a path below a tree, no bytes at all where nothing does."""
        one = self.entry(tree, path)
        return one.id if one is not None else b""

    def once(self, path: str, id_: bytes, read: Callable[[], V]) -> V:
        """Return what the file or the folder with this id says at this path, read once: few events change one."""
        key = (path, id_)
        if key not in self._said:
            _make_room(self._said, _MOST_SAID)
            self._said[key] = read()
        said: V = self._said[key]
        return said

    def file(self, tree: bytes, path: str) -> bytes | None:
        """Return the bytes of the plain file at a path below a tree, None where there is none."""
        one = self.entry(tree, path)
        return self.blob(one.id) if one is not None and one.mode == FILE else None

    def blob(self, id_: bytes) -> bytes:
        """Return the bytes of the file with this id. Raises ValueError where that is no file."""
        found = self.repository[pygit2.Oid(raw=id_)]
        if not isinstance(found, pygit2.Blob):
            raise ValueError(f"{id_.hex()[:12]} is no file")
        return found.data

    def files(self, tree: bytes, folder: str) -> Iterator[tuple[str, Entry]]:
        """Yield path and entry of all that stands below a folder, however deep, in Git's order.

        Raises Unreadable where that is more than MOST_FILES, or deeper than a path is long.
        """
        one = self.entry(tree, folder)
        waiting = [(folder, one)] if one is not None else []
        seen = 0
        while waiting:
            path, at = waiting.pop()
            seen += 1
            if seen + len(waiting) > MOST_FILES or len(path) > LONGEST_PATH:
                raise Unreadable(f"there is more in {folder} than can be read; take out what is no file of the game's")
            if at.mode != FOLDER:
                yield path, at
                continue
            below = self.entries(at.id).values()
            waiting.extend((f"{path}/{shown(entry.name)}", entry) for entry in reversed(list(below)))

    def size(self, id_: bytes) -> int:
        """Return the size in bytes of any object, without reading it whole where Git can tell."""
        _, size = self.repository.odb.read_header(pygit2.Oid(raw=id_))
        return int(size)


def _make_room(kept: dict[K, V], most: int) -> None:
    """Forget the older half of what is kept where it is more than the most that is to be."""
    if len(kept) > most:
        for old in list(islice(kept, most // 2)):
            del kept[old]


def shown(name: bytes) -> str:
    """Return a name of a tree as text; bytes that are not UTF-8 show as backslash codes."""
    return name.decode("utf-8", "backslashreplace")


@dataclass(slots=True)
class Graft:
    """A tree with some files changed: its id, and the objects that are to be written for it to exist."""

    tree: bytes
    objects: list[tuple[int, bytes]]

    def write(self, repository: Repository) -> Oid:
        """Write the objects, the parts before the whole, and return the tree's id."""
        for kind, data in self.objects:
            write_object(repository, kind, data)
        return pygit2.Oid(raw=self.tree)


def write_object(repository: Repository, kind: int, data: bytes) -> Oid:
    """Write one object and return its id. Raises Refused where there is no room or no permission for it."""
    try:
        return repository.odb.write(kind, data)
    except (pygit2.GitError, OSError) as error:
        raise Refused(f"the object store cannot be written to ({error}); make room on the disk and try again") from None


def graft(trees: Trees, tree: bytes | None, files: Mapping[str, bytes | None]) -> Graft:
    """Return the tree below with these files in it; None takes a file away. Nothing is written.

    A folder that would be left empty goes too, as in Git.
    """
    objects: list[tuple[int, bytes]] = []
    return Graft(_made(trees, _grafted(trees, tree, files, objects), objects), objects)


def _grafted(
    trees: Trees, tree: bytes | None, files: Mapping[str, bytes | None], objects: list[tuple[int, bytes]]
) -> dict[bytes, Entry]:
    below: dict[bytes, dict[str, bytes | None]] = {}
    entries = dict(trees.entries(tree))
    for path, data in files.items():
        first, slash, rest = path.partition("/")
        name = first.encode()
        if slash:
            below.setdefault(name, {})[rest] = data
        elif data is None:
            entries.pop(name, None)
        else:
            objects.append((pygit2.enums.ObjectType.BLOB, data))
            entries[name] = Entry(FILE, name, object_id(b"blob", data))
    for name, inner in below.items():
        standing = entries.get(name)
        is_folder = standing is not None and standing.mode == FOLDER
        part = _grafted(trees, standing.id if standing is not None and is_folder else None, inner, objects)
        if part:
            entries[name] = Entry(FOLDER, name, _made(trees, part, objects))
        elif is_folder:
            del entries[name]
    return entries


def _made(trees: Trees, entries: dict[bytes, Entry], objects: list[tuple[int, bytes]]) -> bytes:
    """Add the tree with these entries to the objects and return its id."""
    ordered = _ordered(entries)
    raw = _serialize(ordered)
    made = object_id(b"tree", raw)
    trees.remember(made, ordered)
    objects.append((pygit2.enums.ObjectType.TREE, raw))
    return made


def object_id(kind: bytes, data: bytes) -> bytes:
    """Return the id that Git gives an object of this kind (`blob`, `tree`, `commit`) with these bytes."""
    from hashlib import sha1  # only where something is made

    return sha1(b"%s %d\0" % (kind, len(data)) + data, usedforsecurity=False).digest()
