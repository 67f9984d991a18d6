"""`python -m benchmarks.on_github`: how many requests the referee and the players' commands make, and their own time.

GitHub is the tests' fake, in this process; what is measured runs in a process of its own, so that the fake's time is
not in its processor time. Needs what the tests need: the extra `test`, and `npm ci` in tests/octokit.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.__main__ import nomic_git, print_line
from benchmarks.measure import Cost, best, by_turns, cost

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from fake_github import FakeGitHub
from fake_github.described import missing
from github_scene import GitHubScene

if TYPE_CHECKING:
    from fake_github import Account

IMPORTS = [sys.executable, "-c", "import pygit2, typer, github"]

VOTE, DECISION, SWEEP = 3, 6, 10
"""Requests at most: for one vote that decides nothing, for one that decides, for a look at a hundred open proposals."""


@dataclass(frozen=True, slots=True)
class Row:
    """One measurement: what happened, the most requests and points of GraphQL that it took, and the least cost.

    `open` is how many proposals are open meanwhile, `asked` how many requests it should take at most. `pushes` go
    through git and are not limited. `of_imports` is the processor time in times of what importing pygit2, typer and
    PyGithub takes.
    """

    command: str
    what: str
    open: int
    requests: int
    asked: int | None
    points: int
    pushes: int
    ours: Cost
    of_imports: float


@dataclass(frozen=True, slots=True)
class Errand:
    """What one run of a command came to."""

    requests: int
    points: int
    pushes: int
    cost: Cost


@dataclass(slots=True)
class Bench:
    """One game at the fake GitHub, and the clone of it in which commands run."""

    scene: GitHubScene
    folder: Path
    times: int
    imports: float

    def row(
        self,
        words: Sequence[str],
        what: str,
        account: Account,
        *,
        after: Callable[[], object] = lambda: None,
        asked: int | None = None,
        times: int | None = None,
    ) -> Row:
        """Measure a command run by an account, each time after something has happened."""
        taken = []
        for _ in range(self.times if times is None else times):
            after()
            taken.append(self.errand(words, account))
        ours = best([one.cost for one in taken])
        return Row(
            command=" ".join(words),
            what=what,
            open=sum(pull.open for pull in self.scene.github.repository.pulls.values()),
            requests=max(one.requests for one in taken),
            asked=asked,
            points=max(one.points for one in taken),
            pushes=max(one.pushes for one in taken),
            ours=ours,
            of_imports=ours.processor / self.imports,
        )

    def errand(self, words: Sequence[str], account: Account) -> Errand:
        """Run a command once and count."""
        github = self.scene.github
        github.forget()
        github.clock.move(3600 - github.clock.now % 3600)
        with _at(github, account):
            taken = cost([nomic_git(), *words], self.folder)
        points = github.budget(account, "graphql").used
        return Errand(len(github.requests), points, len(github.log) - len(github.requests), taken)


@contextmanager
def _at(github: FakeGitHub, account: Account) -> Iterator[None]:
    """Have commands ask the fake, as an account; that of the workflows' token, as in a workflow."""
    given = {
        "GITHUB_ACTIONS": str(account.is_app).lower(),
        "GITHUB_API_URL": github.url,
        "GITHUB_REPOSITORY": github.full_name,
        "GITHUB_TOKEN": account.token,
        "GIT_COMMITTER_DATE": f"@{github.clock.now} +0000",
    }
    before = {name: os.environ.get(name) for name in given}
    os.environ.update(given)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def a_game(github: FakeGitHub, folder: Path, players: int) -> GitHubScene:
    """Found a `github` game at the fake, of players who may write to its repository and need no forks."""
    github.server.checks_answers = False
    logins = tuple(f"player-{one:03}" for one in range(players))
    for login in logins:
        github.account(login, "WRITE")
    return GitHubScene(github, folder, logins=logins)


def fill(scene: GitHubScene, proposals: int, reviews: int) -> Sequence[int]:
    """Open proposals, one by each player in turn, with so many reviews each, and return their numbers."""
    numbers = []
    for at in range(proposals):
        author = scene.logins[at % len(scene.logins)]
        number = scene.propose(author, name=f"rule-{at}")
        scene.approve(number, *[one for one in scene.logins if one != author][:reviews])
        numbers.append(number)
    return numbers


def settle(scene: GitHubScene) -> int:
    """Make passes until one writes nothing, and return how many requests they made in all."""
    requests = 0
    while True:
        requests += scene.costs()
        if not any(request.writes for request in scene.github.requests):
            return requests


def decisions(bench: Bench) -> Iterator[Row]:
    """Measure votes in a small game, with nothing else open."""
    scene, referee = bench.scene, bench.scene.github.actions
    authors = iter(scene.logins)

    def adoption_but_one() -> str:
        author = next(authors)
        number = scene.propose(author)
        *others, last = [one for one in scene.logins if one != author]
        scene.approve(number, *others)
        scene.referee()
        scene.approve(number, last)
        return author

    def refused() -> None:
        author = next(authors)
        number = scene.propose(author)
        scene.referee()
        scene.refuse(number, next(one for one in scene.logins if one != author))

    yield bench.row(["referee"], "the last vote, which adopts", referee, after=adoption_but_one, asked=DECISION)
    yield bench.row(["referee"], "a vote against, which defeats", referee, after=refused, asked=DECISION)
    author = next(authors)
    number = scene.propose(author)
    scene.referee()
    voters = iter([one for one in scene.logins if one != author][:-1])
    yield bench.row(
        ["referee"],
        "a vote that decides nothing",
        referee,
        after=lambda: scene.approve(number, next(voters)),
        asked=VOTE,
    )
    yield bench.row(["referee"], "nothing new", referee)


def sweeps(bench: Bench, numbers: Sequence[int]) -> Iterator[Row]:
    """Measure the passes over a full docket, and what a player's commands cost beside it."""
    scene, referee = bench.scene, bench.scene.github.actions
    yield bench.row(["referee"], "the first pass", referee, times=1)
    settle(scene)
    yield bench.row(["referee"], "nothing new", referee, asked=SWEEP)
    voters = iter(reversed(scene.logins))
    yield bench.row(
        ["referee"], "a vote that decides nothing", referee, after=lambda: scene.approve(numbers[0], next(voters))
    )
    others = iter(numbers[1:])
    yield bench.row(
        ["referee"],
        "a vote against, which defeats",
        referee,
        after=lambda: scene.refuse(next(others), scene.logins[0]),
    )
    me = scene.account(scene.logins[0])
    number = str(numbers[-1])
    for words in (["proposals", "--mine"], ["tally", number], ["vote", number, "for"]):
        yield bench.row(words, "on a player's machine", me)


def _rows(asked: argparse.Namespace, folder: Path) -> Iterator[Row]:
    (imports,) = by_turns([lambda: cost(IMPORTS, folder)], asked.times)
    with FakeGitHub(folder / "small") as github:
        scene = a_game(github, folder / "small", 2 * asked.times + 2)
        yield from decisions(Bench(scene, scene.clone().folder, asked.times, imports.processor))
    with FakeGitHub(folder / "full") as github:
        scene = a_game(github, folder / "full", asked.open)
        numbers = fill(scene, asked.open, asked.reviews)
        yield from sweeps(Bench(scene, scene.clone().folder, asked.times, imports.processor), numbers)


_HEADINGS = (
    "command",
    "what happened",
    "open",
    "requests",
    "asked",
    "points",
    "pushes",
    "time",
    "processor",
    "imports",
)


def _cells(row: Row) -> tuple[str, ...]:
    asked = "" if row.asked is None else f"at most {row.asked}"
    counted = (str(row.open), str(row.requests), asked, str(row.points), str(row.pushes))
    times = f"{row.ours.seconds * 1000:.0f} ms", f"{row.ours.processor * 1000:.0f} ms"
    return (row.command, row.what, *counted, *times, f"{row.of_imports:.1f}")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.on_github", description=__doc__)
    parser.add_argument("--open", type=int, default=100, help="open proposals of the full docket, one a player")
    parser.add_argument("--reviews", type=int, default=30, help="reviews of each")
    parser.add_argument("--times", type=int, default=3, help="how many times each command is run; the best counts")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    return parser.parse_args()


def main() -> None:
    """Measure, and print a table in Markdown as it grows, or one JSON document."""
    asked = _arguments()
    absent = missing()
    if absent is not None:
        sys.exit(absent)
    with tempfile.TemporaryDirectory(prefix="nomic-git-benchmarks-") as temporary:
        rows = _rows(asked, Path(temporary))
        if asked.json:
            print(json.dumps([asdict(row) for row in rows], indent=2))
            return
        print_line(_HEADINGS)
        print_line(["---"] * len(_HEADINGS))
        for row in rows:
            print_line(_cells(row))


if __name__ == "__main__":
    main()
