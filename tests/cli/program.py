"""The program, run in this process, and a game to run it on."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from abc import ABC, abstractmethod
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nomic_git.cli.main import run

FOUNDED = 1_700_000_000


@dataclass(frozen=True)
class Answer:
    """What a call of the program came to."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


class _Input(io.StringIO):
    """Standard input as text with bytes below, as a process has it."""

    def __init__(self, given: bytes) -> None:
        super().__init__(given.decode("utf-8", "replace"))
        self.buffer = io.BytesIO(given)


def ask(*arguments: str | Path, given: bytes = b"") -> Answer:
    """Run the program in this process."""
    out, err = io.StringIO(), io.StringIO()
    before, sys.stdin = sys.stdin, _Input(given)
    try:
        with redirect_stdout(out), redirect_stderr(err):
            code = run([str(one) for one in arguments])
    finally:
        sys.stdin = before
    return Answer(code, out.getvalue(), err.getvalue())


@dataclass
class Asking(ABC):
    """Somebody who calls the program in a folder, at a time of their own."""

    folder: Path

    @abstractmethod
    def ready(self) -> None:
        """Set what the environment says before a call."""

    def ask(self, *arguments: str | Path, given: bytes = b"") -> Answer:
        self.ready()
        return ask("-C", self.folder, *arguments, given=given)

    def does(self, *arguments: str | Path, given: bytes = b"") -> str:
        """Run a command that has to succeed, and return what it prints."""
        answer = self.ask(*arguments, given=given)
        assert answer.code == 0, answer.err
        assert answer.err == ""
        return answer.out

    def json(self, *arguments: str | Path) -> Any:
        answer = self.ask(*arguments, "--json")
        assert (answer.code, answer.err) == (0, "")
        return answer.json

    def write(self, name: str, words: str | bytes) -> Path:
        path = self.folder.parent / name
        path.write_bytes(words.encode() if isinstance(words, str) else words)
        return path


@dataclass
class Game(Asking):
    """A game in a folder, with a clock of its own that goes on ten minutes with every command."""

    clock: int = FOUNDED

    def ready(self) -> None:
        self.clock += 600
        os.environ["GIT_COMMITTER_DATE"] = f"@{self.clock} +0000"

    def git(self, *arguments: str) -> str:
        return git(self.folder, *arguments)

    def vote(self, proposal: int, **votes: str) -> None:
        for login, choice in votes.items():
            self.does("vote", str(proposal), choice, "--as", login)

    def everything(self) -> dict[str, object]:
        """Return all that a command could lose: refs, the work tree byte by byte, what git thinks of it."""
        inside = self.folder / ".git"
        files = {
            str(path.relative_to(self.folder)): path.read_bytes()
            for path in sorted(self.folder.rglob("*"))
            if path.is_file() and inside not in path.parents
        }
        return {"refs": self.git("for-each-ref"), "head": self.git("rev-parse", "--verify", "-q", "HEAD"), **files}


def git(folder: Path, *arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def play(game: Game) -> None:
    tea = game.write("tea.md", "---\ntitle: Tea\n---\n\nThere should be tea.\n")
    game.does("propose", "enact", tea, "--title", "Tea for everybody", "--as", "alice")
    game.vote(1, bob="for", carol="for")
    game.does("referee")
    words = game.write("victory.md", "The first to have two hundred points wins.\n")
    game.does("propose", "amend", "-105", words, "--as", "bob")
    game.vote(2, alice="for", carol="for")
    game.does("referee")
    game.does("propose", "transmute", "-206", "--as", "carol")
    game.vote(3, alice="for", bob="for")
    game.does("referee")
    game.does("propose", "repeal", "1", "--as", "alice")
    game.vote(4, bob="against")
    game.does("referee")
    silence = game.write("silence.md", "Players keep silent on Sundays.\n")
    game.does("propose", "enact", silence, "--draft", "--as", "bob")
    game.does("withdraw", "5", "--as", "bob")
    game.does("referee")
    more = game.write("more.md", "The first to have two hundred points wins the game.\n")
    game.does("propose", "amend", "2", more, "--as", "carol")
    game.vote(6, alice="for", bob="for")
    game.does("referee")
    coffee = game.write("coffee.md", "There should be coffee.\n")
    game.does("propose", "enact", coffee, "--title", "Coffee", "--as", "alice")
    game.vote(7, bob="for")
    game.does("propose", "enact", silence, "--draft", "--as", "bob")
