"""A scene at GitHub: a game behind the fake GitHub, played on its pages, and the referee's passes over it."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

import pygit2

from nomic_git.forges.connection import Connection
from nomic_git.forges.forge import MARKER
from nomic_git.forges.github import GitHubForge
from nomic_git.game.player import write_player
from nomic_git.referee.sitting import sit
from nomic_git.repository.clone import open_clone
from nomic_git.repository.founding import found, shipped
from nomic_git.repository.history import events
from nomic_git.repository.position import position_at
from nomic_git.repository.settings import ForgeName, Settings

if TYPE_CHECKING:
    from fake_github import Account, FakeGitHub, Pull

    from nomic_git.game.player import Player
    from nomic_git.game.position import Position
    from nomic_git.law.rulebook import Rulebook
    from nomic_git.referee.sitting import Report
    from nomic_git.repository.clone import Clone

PLAYERS = ("alice", "bob", "carol", "dave")
RULE = "---\ntitle: Rhyme\n---\n\nEach proposal rhymes.\n"


@dataclass
class GitHubScene:
    """A game at GitHub of which the players have accounts; the referee runs in a new clone each time.

    Where the fake has the game already, it goes on. `foundings` is where what was founded is kept for others.
    """

    github: FakeGitHub
    folder: Path
    rulebook: Rulebook = field(default_factory=lambda: shipped("github", "en"))
    logins: tuple[str, ...] = PLAYERS
    passes: int = 0
    token: str = ""
    forge: GitHubForge | None = None
    foundings: Path | None = None

    def __post_init__(self) -> None:
        if self.github.repository.store.branch("main") is not None:
            return
        players = {login: self._player(login) for login in self.logins}
        if self.foundings is None:
            self._found(players)
        else:
            told = repr((self.rulebook, players, self.github.clock.now))
            self._found_once(players, self.foundings / sha256(told.encode()).hexdigest())
        self.github.forget()

    def _found(self, players: dict[str, Player]) -> None:
        settings = Settings(name="A game", forge=ForgeName.GITHUB)
        found(self.folder / "founding", self.rulebook, players, settings, self.github.clock.now)
        git(self.folder / "founding", "push", "-q", str(self.github.path), "HEAD:refs/heads/main")
        self.github.clock.tick()

    def _found_once(self, players: dict[str, Player], kept: Path) -> None:
        """Found the game; where the same one was founded before, take over what was pushed then."""
        if not kept.exists():
            self._found(players)
            shutil.copytree(self.github.path, kept)
            # In one file, of which there are hundreds of copies.
            git(kept, "repack", "-a", "-d", "-q")
            return
        shutil.copytree(kept / "objects", self.github.path / "objects", dirs_exist_ok=True)
        tip = str(pygit2.Repository(str(kept)).references["refs/heads/main"].target)
        self.github.push(self.github.owner, "main", tip)

    def _player(self, login: str) -> Player:
        return write_player(login, name=login.title(), id=self.account(login).id)

    def account(self, login: str) -> Account:
        return self.github.account(login)

    # What players do on the pages.

    def propose(self, login: str, text: str = RULE, name: str = "rhyme", *, draft: bool = False) -> int:
        """Open a pull request that enacts a rule; its number."""
        author = self.account(login)
        branch = self.github.edit(author, f"rules/mutable/{name}.md", text)
        return self.github.open_pull(author, branch, name.title(), draft=draft)

    def approve(self, number: int, *logins: str) -> None:
        for login in logins:
            self.github.approve(self.account(login), number)

    def refuse(self, number: int, *logins: str) -> None:
        for login in logins:
            self.github.request_changes(self.account(login), number)

    # The referee.

    def clone(self) -> Clone:
        """A new clone, which has what its branches have: by its path alone, git would copy every object there is."""
        self.passes += 1
        folder = self.folder / f"pass-{self.passes}"
        git(self.folder, "clone", "-q", f"file://{self.github.path}", str(folder))
        return open_clone(folder)

    def referee(self, clone: Clone | None = None) -> Report:
        """One pass in a new clone, as a workflow makes it."""
        clone = clone or self.clone()
        token = self.token or self.github.actions.token
        # Long enough for a machine with much else to do: what is asked twice is counted twice.
        connection = Connection(self.github.full_name, token, self.github.url, pause=0, timeout=30)
        self.forge = GitHubForge(clone, connection)
        return sit(clone, self.forge, self.github.clock.now)

    def costs(self) -> int:
        """Make a pass, and return how many requests it made."""
        self.github.forget()
        self.referee()
        return len(self.github.requests)

    # What is there afterwards.

    def pull(self, number: int) -> Pull:
        return self.github.pull(number)

    def said(self, number: int) -> list[str]:
        """The referee's comments on a pull request."""
        return [one.body for one in self.pull(number).comments if one.body.startswith(MARKER) and one.author.is_app]

    def text(self, number: int) -> str:
        (said,) = self.said(number)
        return said

    def position(self) -> Position:
        repository = pygit2.Repository(str(self.github.path))
        return position_at(trees(repository), repository[self.github.tip()].peel(pygit2.Tree).id.raw)

    def scores(self) -> dict[str, int]:
        return {seat.login: seat.points for seat in self.position().state.seats}

    def events(self) -> list[str]:
        """The kinds of the events with the proposals' numbers, oldest first."""
        clone = open_clone(self.github.path)
        return [f"{one.event.kind} {one.event.proposal or ''}".strip() for one in reversed([*events(clone)])]


def trees(repository: pygit2.Repository) -> object:
    from nomic_git.repository.tree import Trees

    return Trees(repository)


def git(folder: Path, *arguments: str) -> str:
    """What git prints; it is to succeed."""
    return subprocess.run(["git", *arguments], cwd=folder, check=True, capture_output=True, text=True).stdout
