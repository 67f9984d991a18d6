"""A scene: a game in a real repository, played on the local forge a line a move."""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import pygit2

from nomic_git.forges.local import LocalForge
from nomic_git.forges.log import Deed
from nomic_git.game.player import write_player
from nomic_git.law.rule import Status, read_rule
from nomic_git.referee.sitting import sit
from nomic_git.repository.clone import Clone, open_clone
from nomic_git.repository.founding import found, shipped
from nomic_git.repository.position import position_at
from nomic_git.repository.settings import Settings
from nomic_git.repository.tree import graft

if TYPE_CHECKING:
    from nomic_git.forges.forge import Submission
    from nomic_git.game.position import Position
    from nomic_git.game.state import State
    from nomic_git.law.rulebook import Rulebook
    from nomic_git.referee.sitting import Report

START = 1_700_000_000
"""When every scene begins, in seconds since the epoch; every move takes ten seconds."""

PLAYERS = ("alice", "bob", "carol", "dave")


OWNER = {
    f"GIT_{who}_{what}": said
    for who in ("AUTHOR", "COMMITTER")
    for what, said in (("NAME", "Owner"), ("EMAIL", "owner@example.org"))
}
"""Whose the commits are that git makes by hand, whoever runs the tests."""


def git(folder: Path, *arguments: str) -> str:
    """What git prints; it is to succeed."""
    environment = {**os.environ, **OWNER}
    return subprocess.run(
        ["git", *arguments], cwd=folder, env=environment, check=True, capture_output=True, text=True
    ).stdout


def rules(*changed: tuple[int, bytes], without: tuple[int, ...] = ()) -> Rulebook:
    """The github rulebook with some rules in place of its own, and without some."""
    book = shipped("github", "en")
    for number in without:
        book = book.without(number)
    for number, source in changed:
        status = book.rules[number].status if number in book.rules else Status.MUTABLE
        book = book.with_rule(read_rule(number, status, source))
    return book


@dataclass
class Scene:
    """One clone of a game and what its player does there."""

    clone: Clone
    now: int = START
    forge: LocalForge = field(init=False)

    def __post_init__(self) -> None:
        self.forge = LocalForge(self.clone)

    @property
    def folder(self) -> Path:
        return self.clone.folder

    @property
    def position(self) -> Position:
        return position_at(self.clone.trees, self.clone.tip.tree_id.raw)

    @property
    def state(self) -> State:
        return self.position.state

    @property
    def tip(self) -> str:
        return str(self.clone.tip.id)

    def scores(self) -> dict[str, int]:
        return {seat.login: seat.points for seat in self.state.seats}

    def tick(self) -> int:
        self.now += 10
        return self.now

    def file(self, path: str) -> bytes:
        found = self.clone.trees.file(self.clone.tip.tree_id.raw, path)
        assert found is not None, f"{path} is there"
        return found

    def commit(
        self,
        files: dict[str, bytes | None],
        *,
        on: str | None = None,
        more: tuple[str, ...] = (),
        who: str = "alice",
        message: str = "A change",
        email: str | None = None,
    ) -> str:
        """A commit with these files changed, on the tip or another commit; no branch moves."""
        repository = self.clone.repository
        below = repository[on or self.tip].peel(pygit2.Commit)
        tree = graft(self.clone.trees, below.tree_id.raw, files).write(repository)
        signature = pygit2.Signature(who, email or f"{who}@example.org", self.now, 0)
        parents = [below.id, *(pygit2.Oid(hex=one) for one in more)]
        return str(repository.create_commit(None, signature, signature, message, tree, parents))

    def propose(self, login: str, files: dict[str, bytes | None] | str, title: str = "", *, draft: bool = False) -> int:
        """Propose these files changed, or a head that there is already."""
        head = files if isinstance(files, str) else self.commit(files, who=login)
        return self.forge.propose(login, head, title, self.tick(), draft=draft)

    def enact(self, login: str, words: str = "Be kind.", *, name: str = "new", draft: bool = False) -> int:
        return self.propose(login, {f"rules/mutable/{name}.md": f"{words}\n".encode()}, draft=draft)

    def amend(self, login: str, number: int, old: bytes, new: bytes) -> int:
        """Propose to amend a rule by putting some bytes in place of others."""
        path = f"rules/mutable/{number}.md"
        before = self.file(path)
        assert old in before, f"{path} has {old!r}"
        return self.propose(login, {path: before.replace(old, new)})

    def vote(self, number: int, word: str, *logins: str) -> None:
        for login in logins:
            self.forge.note(login, number, Deed.VOTE, self.tick(), word=word, head=self.forge.head(number))

    def do(self, login: str, number: int, deed: Deed, words: str = "") -> None:
        self.forge.note(login, number, deed, self.tick(), words=words)

    def sit(self, *, dry_run: bool = False) -> Report:
        return sit(self.clone, self.forge, self.tick(), dry_run=dry_run)

    def said(self, number: int) -> str:
        comment = self.forge.comment(number)
        assert comment is not None, f"the referee has spoken on proposal {number}"
        return comment

    def heard(self, number: int) -> Submission:
        found = self.forge.submission(number)
        assert found is not None, f"there is a proposal {number}"
        return found

    def history(self) -> list[str]:
        """The subjects of the game branch, newest first."""
        return git(self.folder, "log", "--first-parent", "--format=%s", self.clone.settings.branch).splitlines()

    def clean(self) -> bool:
        """Whether work tree and index are as the branch says."""
        return git(self.folder, "status", "--porcelain") == ""


def game(folder: Path, *logins: str, book: Rulebook | None = None) -> Scene:
    """A game just founded by these players, alice, bob, carol and dave unless others are named."""
    players = {login: write_player(login, name=login.title()) for login in logins or PLAYERS}
    return Scene(found(folder, book or shipped("github", "en"), players, Settings(), START))


def another(folder: Path, of: Scene) -> Scene:
    """The same clone opened once more, as another run of the program would."""
    return Scene(open_clone(folder), of.now)


def shared(folder: Path, scene: Scene) -> Path:
    """A bare repository that the scene's clone is connected with from now on."""
    bare = folder / "bare.git"
    git(folder, "init", "-q", "--bare", "-b", "main", str(bare))
    git(scene.folder, "remote", "add", "origin", str(bare))
    git(scene.folder, "push", "-q", "-u", "origin", "main")
    return bare


def cloned(folder: Path, bare: Path, name: str, now: int) -> Scene:
    """Another player's clone of a bare repository, made as git does it."""
    git(folder, "clone", "-q", str(bare), name)
    return Scene(open_clone(folder / name), now)
