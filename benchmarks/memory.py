"""Objects kept in memory until they are packed: a long game writes very many, and files cost more than games."""

from __future__ import annotations

import struct
import subprocess
import zlib
from collections.abc import Iterator
from hashlib import sha1
from pathlib import Path

import pygit2


class Memory(pygit2.OdbBackend):
    """A place for Git's objects, asked before the folders of the repository that it is added to."""

    def __init__(self) -> None:
        super().__init__()
        self._objects: dict[bytes, tuple[int, bytes]] = {}

    def read_cb(self, oid: pygit2.Oid) -> tuple[int, bytes]:
        """Return the type and the bytes of an object. Raises KeyError where it is not here."""
        return self._objects[oid.raw]

    def read_header_cb(self, oid: pygit2.Oid) -> tuple[int, int]:
        """Return the type and the size of an object. Raises KeyError where it is not here."""
        kind, data = self._objects[oid.raw]
        return kind, len(data)

    def read_prefix_cb(self, prefix: str) -> tuple[int, bytes, pygit2.Oid]:
        """Return type, bytes and id of an object, by its whole id: nothing here asks by less of it."""
        oid = self.exists_prefix_cb(prefix)
        return (*self._objects[oid.raw], oid)

    def exists_cb(self, oid: pygit2.Oid) -> bool:
        """Return whether an object is here."""
        return oid.raw in self._objects

    def exists_prefix_cb(self, prefix: str) -> pygit2.Oid:
        """Return the id of an object that is here, by its whole id. Raises KeyError where it is not."""
        if len(prefix) != 40 or bytes.fromhex(prefix) not in self._objects:
            raise KeyError(prefix)
        return pygit2.Oid(hex=prefix)

    def write_cb(self, oid: pygit2.Oid, data: bytes, kind: int) -> None:
        """Keep an object."""
        self._objects[oid.raw] = (kind, data)

    def refresh_cb(self) -> None:
        """Do nothing: memory is never out of date."""

    def __iter__(self) -> Iterator[pygit2.Oid]:
        return (pygit2.Oid(raw=one) for one in self._objects)

    def write_pack(self, repository: Path) -> None:
        """Write all that is here as one pack of the repository with this `.git` folder."""
        digest = sha1(usedforsecurity=False)
        folder = repository / "objects" / "pack"
        folder.mkdir(exist_ok=True)
        path = folder / "pack-made.pack"
        with path.open("wb") as file:
            for part in self._parts():
                digest.update(part)
                file.write(part)
            file.write(digest.digest())
        subprocess.run(["git", "index-pack", path], check=True, stdout=subprocess.DEVNULL)

    def _parts(self) -> Iterator[bytes]:
        yield b"PACK" + struct.pack(">II", 2, len(self._objects))
        for kind, data in self._objects.values():
            yield _header(kind, len(data))
            yield zlib.compress(data, 1)


def _header(kind: int, size: int) -> bytes:
    """Return what stands before an object in a pack (gitformat-pack): its type, and its size by sevens of bits."""
    first, size = kind << 4 | size & 15, size >> 4
    out = bytearray()
    while size:
        out.append(first | 128)
        first, size = size & 127, size >> 7
    out.append(first)
    return bytes(out)
