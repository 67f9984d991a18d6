"""The stage of a demo: it types the commands of a script in a folder, at the story's own time."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass
from io import BytesIO, StringIO, TextIOWrapper
from pathlib import Path

from nomic_git.cli.desk import Desk, now
from nomic_git.cli.paper import Strong, say
from nomic_git.law.errors import NomicError

BETWEEN_STEPS = 600
"""Seconds of the story's time from one command to the next."""


class DemoFailed(NomicError):
    """A step of the demo that did not do what the story says."""


@dataclass(slots=True)
class Stage:
    """The game as it is told: the folder, the drawer that files are written in, and the story's own clock."""

    folder: Path
    drawer: Path
    clock: int
    run: Callable[[list[str]], int]
    chapters: int = 0

    def at(self) -> Desk:
        """Return a desk with the game as it stands."""
        return Desk(self.folder)

    def types(self, commands: Sequence[str], piped: str | None = None, *, silent: bool = False) -> None:
        """Type commands as players would, with words `piped` into them; show what the last prints unless `silent`.

        Raises DemoFailed where one fails.
        """
        pipe = "" if piped is None else f"echo {shlex.quote(piped)} | "
        say(Strong(f"$ {pipe}" + "; ".join(f"nomic-git {one}" for one in commands)))
        *before, last = commands
        for command in before:
            self._run(command, piped, silent=True)
        self._run(last, piped, silent=silent)

    def _run(self, command: str, piped: str | None, *, silent: bool) -> None:
        with self.at_next_time(), _reading(piped), redirect_stdout(StringIO() if silent else sys.stdout):
            code = self.run(["-C", str(self.folder), *self._words(command)])
        if code:
            raise self.failure(f"the step `nomic-git {command}` failed")

    def failure(self, what: str) -> DemoFailed:
        """Return the error that says what went wrong, and where the game so far is."""
        return DemoFailed(f"{what}; the game so far is in {self.folder}")

    def _words(self, command: str) -> list[str]:
        drawn = {path.name: str(path) for path in self.drawer.iterdir()}
        return [drawn.get(word, word) for word in shlex.split(command)]

    @contextmanager
    def at_next_time(self) -> Iterator[int]:
        """Let commands read the story's clock, a step on: GIT_COMMITTER_DATE, as Git's own commands do."""
        before = os.environ.get("GIT_COMMITTER_DATE")
        self.clock += BETWEEN_STEPS
        os.environ["GIT_COMMITTER_DATE"] = f"@{self.clock} +0000"
        try:
            yield now()
        finally:
            if before is None:
                del os.environ["GIT_COMMITTER_DATE"]
            else:
                os.environ["GIT_COMMITTER_DATE"] = before


@contextmanager
def _reading(piped: str | None) -> Iterator[None]:
    """Let a command read these words as its input."""
    if piped is None:
        yield
        return
    before, sys.stdin = sys.stdin, TextIOWrapper(BytesIO(f"{piped}\n".encode()), encoding="utf-8")
    try:
        yield
    finally:
        sys.stdin = before
