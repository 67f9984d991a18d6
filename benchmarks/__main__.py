"""`python -m benchmarks`: what the commands cost in games of every length, beside the nearest git command.

Which git command is the nearest, and what is reached, is said in docs/performance.md.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from benchmarks.measure import Cost, by_turns, cost

IMPORTS = [sys.executable, "-c", "import pygit2, typer"]
FIRST_NUMBER = -106
"""The first number of the rule that long games amend again and again (`benchmarks.generate.AMENDED`)."""


@dataclass(frozen=True, slots=True)
class Row:
    """One measurement: a command of ours, the nearest of git's, and how many times its time ours takes.

    Ratios are of processor time: that is what the commands spend, whatever else the machine is doing.

    `of_imports` is the ratio to importing pygit2 and typer, where starting up is what the command should
    cost; `added` is how many bytes the command added to the repository's object folder.
    """

    proposals: int
    command: str
    ours: Cost
    git: str
    theirs: Cost
    of_git: float
    of_imports: float | None = None
    added: int | None = None


def nomic_git() -> str:
    """Return the program as it is installed beside this Python."""
    return str(Path(sysconfig.get_path("scripts"), "nomic-git"))


@dataclass(frozen=True, slots=True)
class Bench:
    """Where games are made and kept, and how many times each command is run."""

    folder: Path
    times: int
    only: Sequence[str] = ()
    """The reading commands to measure, all where none is named."""

    def game(self, name: str, *arguments: int) -> Path:
        """Return the folder of a game, made if it is not there from an earlier run."""
        folder = self.folder / "-".join([name, *map(str, arguments)])
        if not folder.exists():
            unfinished = folder.with_name(f"{folder.name}.unfinished")
            shutil.rmtree(unfinished, ignore_errors=True)
            _make(name, unfinished, *arguments)
            unfinished.rename(folder)
        return folder

    def copy(self, game: Path) -> Path:
        """Return a fresh copy of a game, for a command that changes it."""
        folder = self.folder / "copy"
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(game, folder, symlinks=True)
        return folder

    def reading(self, size: int) -> Iterator[Row]:
        """Measure the commands that only read, in a long game."""
        game = self.game("long", size)
        path = _path_now(game)
        pairs: list[tuple[list[str], list[str]]] = [
            (["scores"], ["show", "HEAD:scores.json"]),
            (["rules"], ["archive", "HEAD", "rules"]),
            (["history", str(FIRST_NUMBER)], ["log", "--follow", "--first-parent", "--", path]),
            (["log"], ["log", "--first-parent"]),
            (["audit"], ["log", "--first-parent", "--patch"]),
        ]
        for words, git in (pair for pair in pairs if not self.only or pair[0][0] in self.only):
            runs = [[nomic_git(), *words], ["git", *git], IMPORTS]
            ours, theirs, imports = by_turns([_run(one, game) for one in runs], self.times)
            start = ours.processor / imports.processor
            yield _row(size, words, ours, git, theirs, of_imports=start)

    def adoption(self, size: int) -> Row:
        """Measure one adoption at the end of a long game: the pass that makes it, and `git merge --no-ff`."""
        ready = self.folder / "ready"
        shutil.rmtree(ready, ignore_errors=True)
        shutil.copytree(self.game("long", size), ready, symlinks=True)
        _make("decided", ready, size + 1)
        who = ["-c", "user.name=Git", "-c", "user.email=git@example.org"]
        merge = ["merge", "--no-ff", "-q", "-m", "Merge", f"refs/nomic/proposals/{size + 1}/head"]
        added = 0

        def ours() -> Cost:
            nonlocal added
            game = self.copy(ready)
            before = _object_bytes(game)
            taken = cost([nomic_git(), "referee"], game)
            added = _object_bytes(game) - before
            return taken

        def theirs() -> Cost:
            return cost(["git", *who, *merge], self.copy(ready))

        mine, its = by_turns([ours, theirs], self.times)
        return _row(size, ["referee", "(one adoption)"], mine, merge[:2], its, added=added)

    def passes(self, players: int, proposals: int) -> Iterator[Row]:
        """Measure a pass over a full docket: the one that writes every comment, and the one that writes none."""
        game = self.game("busy", players, proposals, 50)
        git = ["log", "--format=%B", "--glob=refs/nomic", "--not", "HEAD"]
        first, theirs = by_turns(
            [lambda: cost([nomic_git(), "referee"], self.copy(game)), _run(["git", *git], game)], self.times
        )
        yield _row(proposals, ["referee", f"(first pass, {players} players)"], first, git, theirs)
        heard = self.copy(game)
        cost([nomic_git(), "referee"], heard)
        again, theirs = by_turns([_run([nomic_git(), "referee"], heard), _run(["git", *git], heard)], self.times)
        yield _row(proposals, ["referee", f"(next pass, {players} players)"], again, git, theirs)


def _make(name: str, folder: Path, *arguments: int) -> None:
    """Make a game in a process of its own, so that this one stays small (see `measure.cost`)."""
    subprocess.run([sys.executable, "-m", "benchmarks.generate", name, folder, *map(str, arguments)], check=True)


def _run(command: Sequence[str], folder: Path) -> Callable[[], Cost]:
    return lambda: cost(command, folder)


def _row(
    size: int,
    words: Sequence[str],
    ours: Cost,
    git: Sequence[str],
    theirs: Cost,
    *,
    of_imports: float | None = None,
    added: int | None = None,
) -> Row:
    ratio = ours.processor / max(theirs.processor, 0.001)
    return Row(size, " ".join(words), ours, " ".join(["git", *git]), theirs, ratio, of_imports, added)


def _path_now(game: Path) -> str:
    """Return where the rule that is amended again and again stands now."""
    listed = subprocess.run([nomic_git(), "rules", "--json"], cwd=game, check=True, capture_output=True, text=True)
    rule = next(one for one in json.loads(listed.stdout) if FIRST_NUMBER in (*one["formerly"], one["number"]))
    return f"rules/{rule['status']}/{rule['number']}.md"


def _object_bytes(game: Path) -> int:
    return sum(one.stat().st_size for one in (game / ".git" / "objects").rglob("*") if one.is_file())


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=[100, 1000, 10000], help="resolved proposals")
    parser.add_argument("--players", type=int, nargs="+", default=[50, 100], help="players with a full docket")
    parser.add_argument("--open", type=int, default=100, help="open proposals in it")
    parser.add_argument("--only", nargs="+", default=[], help="measure these reading commands alone: scores rules ...")
    parser.add_argument("--times", type=int, default=5, help="how many times each command is run; the best counts")
    parser.add_argument("--games", type=Path, help="keep the games in this folder, and use those that are there")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    return parser.parse_args()


def _rows(bench: Bench, asked: argparse.Namespace) -> Iterator[Row]:
    for size in asked.sizes:
        yield from bench.reading(size)
        if not asked.only:
            yield bench.adoption(size)
    if asked.only:
        return
    for players in asked.players:
        yield from bench.passes(players, asked.open)


_SPENT = ("time", "processor", "memory")
_HEADINGS = ("proposals", "command", *_SPENT, "bytes", "nearest git command", *_SPENT, "ratio")


def _cells(row: Row) -> tuple[str, ...]:
    def spent(one: Cost) -> tuple[str, ...]:
        times = f"{one.seconds * 1000:.0f} ms", f"{one.processor * 1000:.0f} ms"
        return (*times, f"{one.memory / 2**20:.0f} MiB")

    ratio = f"{row.of_git:.1f}" + (f" ({row.of_imports:.2f} of imports)" if row.of_imports is not None else "")
    added = "" if row.added is None else f"+{row.added}"
    return (str(row.proposals), row.command, *spent(row.ours), added, row.git, *spent(row.theirs), ratio)


def print_line(cells: Sequence[str]) -> None:
    """Print one line of a table in Markdown."""
    print("| " + " | ".join(cells) + " |", flush=True)


def main() -> None:
    """Measure, and print a table in Markdown as it grows, or one JSON document."""
    asked = _arguments()
    with tempfile.TemporaryDirectory(prefix="nomic-git-benchmarks-") as temporary:
        bench = Bench((asked.games or Path(temporary)).absolute(), asked.times, asked.only)
        bench.folder.mkdir(parents=True, exist_ok=True)
        if asked.json:
            print(json.dumps([asdict(row) for row in _rows(bench, asked)], indent=2))
            return
        print_line(_HEADINGS)
        print_line(["---"] * len(_HEADINGS))
        for row in _rows(bench, asked):
            print_line(_cells(row))


if __name__ == "__main__":
    main()
