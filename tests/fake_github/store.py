"""The bare repositories. Those of one network share one store of objects, as GitHub's forks do."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pygit2
from pygit2.enums import FileMode, SortMode

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

HOOK = Path(__file__).with_name("receiving.py")
NOTHING = "0" * 40


class Store:
    """One bare repository, which is in `folder` already."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.git = pygit2.Repository(str(folder))

    @classmethod
    def new(cls, folder: Path, network: Store | None = None) -> Store:
        """An empty repository in a folder that is not there yet; `network` is the one that it is a fork of."""
        config = pygit2.init_repository(str(folder), bare=True, initial_head="main").config
        config["uploadpack.allowAnySHA1InWant"] = True
        config["receive.procReceiveRefs"] = "refs"
        config["receive.hideRefs"] = "refs/pull"
        config["gc.auto"] = 0
        config["receive.autogc"] = False
        if network is not None:
            cls._share(folder, network)
        return cls(folder)

    @staticmethod
    def _share(folder: Path, network: Store) -> None:
        objects = folder / "objects"
        objects.rename(folder / "objects-of-its-own")
        # Relative, so that it holds in a copy of all of them too.
        there = os.path.relpath(network.folder / "objects", folder)
        objects.symlink_to(there, target_is_directory=True)

    def report_to(self, port: int) -> None:
        """Have every push ask the server at that port first."""
        hook = self.folder / "hooks" / "proc-receive"
        hook.parent.mkdir(exist_ok=True)
        hook.write_text(f'#!/bin/sh\nexec "{sys.executable}" -I -S "{HOOK}" {port}\n')
        hook.chmod(0o755)

    def tip(self, ref: str) -> str | None:
        """The commit that a ref names; None where there is no such ref."""
        found = self.git.references.get(ref)
        return None if found is None else str(found.resolve().target)

    def branch(self, name: str) -> str | None:
        return self.tip(f"refs/heads/{name}")

    @property
    def branches(self) -> list[str]:
        return [ref.removeprefix("refs/heads/") for ref in self.git.references if ref.startswith("refs/heads/")]

    def point(self, ref: str, commit: str | None) -> None:
        """Make the ref name the commit, or delete it."""
        if commit is not None:
            self.git.references.create(ref, commit, force=True)
        elif ref in self.git.references:
            self.git.references.delete(ref)

    def has(self, commit: str) -> bool:
        found = self.git.get(commit) if re.fullmatch("[0-9a-f]{40}", commit) else None
        return isinstance(found, pygit2.Commit)

    def contains(self, tip: str, commit: str) -> bool:
        """Is the commit the tip, or one that it descends from?"""
        return tip == commit or self.git.descendant_of(tip, commit)

    def between(self, old: str | None, new: str) -> Iterator[pygit2.Commit]:
        """The commits that `new` has and `old` has not, newest first."""
        walker = self.git.walk(new, SortMode.TOPOLOGICAL)
        if old is not None:
            walker.hide(old)
        yield from walker

    def first_with(self, tip: str, commit: str) -> str:
        """The oldest commit on the tip's first-parent line that contains the commit: what merged it."""
        line = self.git[tip]
        while line.parents and self.contains(str(line.parents[0].id), commit):
            line = line.parents[0]
        return str(line.id)

    def read(self, commit: str, path: str) -> bytes:
        return self.git[commit].tree[path].data

    def commit(
        self,
        changes: Mapping[str, bytes | str | tuple[str, FileMode] | None],
        message: str,
        parents: list[str],
        signature: pygit2.Signature,
    ) -> str:
        """A commit of the first parent's tree with some paths' content changed (None deletes); no ref names it."""
        index = pygit2.Index()
        if parents:
            index.read_tree(self.git[parents[0]].tree)
        for path, content in changes.items():
            if content is None:
                index.remove(path)
                continue
            if isinstance(content, tuple):
                index.add(pygit2.IndexEntry(path, content[0], content[1]))
                continue
            data = content.encode() if isinstance(content, str) else content
            index.add(pygit2.IndexEntry(path, self.git.create_blob(data), FileMode.BLOB))
        tree = index.write_tree(self.git)
        return str(self.git.create_commit(None, signature, signature, message, tree, parents))

    def merge_tree(self, ours: str, theirs: str) -> pygit2.Oid | None:
        """The tree of the merge; None where the two conflict."""
        index = self.git.merge_commits(ours, theirs)
        return None if index.conflicts else index.write_tree(self.git)
