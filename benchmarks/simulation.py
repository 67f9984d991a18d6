"""`python -m benchmarks.simulation`: what becomes of whole games by players who propose and vote at random.

Standard output has the table (docs/simulation.md), standard error how fast the games were played. The same seed gives
the same table, to the letter, and with the same matplotlib the same plot.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import sys
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from dataclasses import asdict, dataclass
from functools import lru_cache, partial
from pathlib import Path
from random import Random
from statistics import mean, median, quantiles
from time import perf_counter, process_time
from typing import TYPE_CHECKING

from benchmarks.playing import OF_A_TURN, Table, play
from nomic_git.game.event import EventKind
from nomic_git.game.state import standings
from nomic_git.law.kinds import ChangeKind
from nomic_git.law.precedence import read_law
from nomic_git.law.provisions import ADOPTION_THRESHOLD, STALEMATE_WINNER
from nomic_git.law.threshold import Agreement
from nomic_git.repository.founding import rulesets, shipped

if TYPE_CHECKING:
    from nomic_git.law.precedence import Law

NAMES = tuple(one.name for one in rulesets())
"""The rulebooks that ship."""

POINTS, STALEMATE, NEVER = "points", "stalemate", "never"
"""How a game ends: by points, by a stalemate, or not within the turns that are played."""


@dataclass(frozen=True, slots=True)
class Record:
    """What is told of one game.

    `margin` is how many points the winner had more than the best of the others; None without a winner, and where a
    stalemate decided. `voted` and `adopted` count proposals by the kind of their change, `withdrawn` those that nobody
    could adopt. `yielded` is how many turns had been when unanimity was first not required any more, None where it
    always was; `relaxed` says that it was by the relaxation that the rules provide (203, -110).
    """

    players: int
    turns: int
    circuits: int
    end: str
    margin: int | None
    voted: Mapping[str, int]
    adopted: Mapping[str, int]
    withdrawn: int
    yielded: int | None
    relaxed: bool
    judgments: int
    overruled: int
    voided: int


def record(table: Table) -> Record:
    """Return what is told of a game that is over."""
    count = Counter(step.event.kind for step in table.steps)
    ended = [step.event for step in table.steps if step.event.kind in OF_A_TURN and step.event.change is not None]
    end, best = _end(table), standings(table.position.state)
    others = [seat.points for seat in best if seat.login != table.position.state.winner]
    won = table.position.state.seat(table.position.state.winner or "")
    return Record(
        players=len(table.tempers),
        turns=table.turns,
        circuits=table.position.state.circuit,
        end=end,
        margin=won.points - max(others) if won is not None and end == POINTS else None,
        voted=Counter(one.change.kind.value for one in ended if one.change is not None),
        adopted=Counter(
            one.change.kind.value for one in ended if one.change is not None and one.kind is EventKind.ADOPTED
        ),
        withdrawn=count[EventKind.WITHDRAWN],
        yielded=_yielded(table),
        relaxed=count[EventKind.RELAXED] > 0,
        judgments=count[EventKind.INVOKED],
        overruled=count[EventKind.OVERRULED],
        voided=count[EventKind.VOIDED],
    )


def _end(table: Table) -> str:
    last = table.steps[-1]
    if last.event.kind is not EventKind.WON:
        return NEVER
    law = last.before.law
    by_stalemate = last.before.state.stuck is not None or last.event.rule == law.rule(STALEMATE_WINNER.name)
    return STALEMATE if by_stalemate else POINTS


def _yielded(table: Table) -> int | None:
    turns = 0
    for step in table.steps:
        turns += step.event.kind in OF_A_TURN
        if step.after.law.value(ADOPTION_THRESHOLD) is not Agreement.UNANIMOUS:
            return turns
    return None


@lru_cache
def _law(name: str) -> Law:
    return read_law(shipped(name, "en"))


def game(name: str, seed: int, number: int) -> Table:
    """Return one game of a rulebook that ships, played to its end."""
    return play(_law(name), Random(f"{seed} {name} {number}"))


def simulate(name: str, games: int, seed: int) -> Sequence[Record]:
    """Play games of a rulebook that ships, and return what is told of each."""
    return [record(game(name, seed, number)) for number in range(games)]


Records = Sequence[Record]


def _spread(values: Sequence[int]) -> str:
    """Return the median of some figures, and in parentheses the quartiles around it."""
    if len(values) < 2:
        return "".join(str(one) for one in values) or "none"
    low, _, high = quantiles(values, n=4, method="inclusive")
    return f"{median(values):g} ({low:g} to {high:g})"


def _share(part: float, whole: float) -> str:
    return f"{100 * part / whole:.1f} %" if whole else "none"


def _ending(end: str) -> Callable[[Records], str]:
    return lambda games: _share(sum(one.end == end for one in games), len(games))


def rate(games: Records, kinds: Sequence[str]) -> tuple[int, int]:
    """Return how many proposals of some kinds were adopted, and how many were voted on to the end."""
    adopted = sum(one.adopted.get(kind, 0) for one in games for kind in kinds)
    return adopted, sum(one.voted.get(kind, 0) for one in games for kind in kinds)


def _adopted(*kinds: str) -> Callable[[Records], str]:
    return lambda games: _share(*rate(games, kinds))


def _a_game(count: Callable[[Record], int]) -> Callable[[Records], str]:
    return lambda games: f"{mean(count(one) for one in games):.2f}"


def _withdrawn(games: Records) -> str:
    left = sum(one.withdrawn for one in games)
    return _share(left, left + rate(games, KINDS)[1])


_LOOPS = 20
"""After how many games each the loop is timed."""

KINDS = tuple(kind.value for kind in ChangeKind)

FIGURES: Mapping[str, Callable[[Records], str]] = {
    "games": lambda games: str(len(games)),
    "players, mean": _a_game(lambda one: one.players),
    "turns until the end": lambda games: _spread([one.turns for one in games]),
    "longest": lambda games: str(max(one.turns for one in games)),
    "in which circuit it ends": lambda games: _spread([one.circuits for one in games]),
    "won by points": _ending(POINTS),
    "won by stalemate": _ending(STALEMATE),
    "not won in as many turns as are played": _ending(NEVER),
    "winner's points over the second, won by points": lambda games: _spread(
        [one.margin for one in games if one.margin is not None]
    ),
    "proposals adopted, of those voted on": _adopted(*KINDS),
    **{f"of those that {kind}": _adopted(kind) for kind in KINDS},
    "proposals that could not be adopted, and were withdrawn": _withdrawn,
    "games in which unanimity gave way": lambda games: _share(
        sum(one.yielded is not None for one in games), len(games)
    ),
    "by the relaxation that the rules provide": lambda games: _share(sum(one.relaxed for one in games), len(games)),
    "turns until it gave way": lambda games: _spread([one.yielded for one in games if one.yielded is not None]),
    "judgments a game": _a_game(lambda one: one.judgments),
    "Judges overruled a game": _a_game(lambda one: one.overruled),
    "moves taken back a game": _a_game(lambda one: one.voided),
}
"""What the table says of the games of one rulebook, a line each."""


def table(found: Mapping[str, Records]) -> str:
    """Return the table in Markdown: a line a figure, a column a rulebook."""
    lines = [["", *(f"`{name}`" for name in found)], ["---"] * (1 + len(found))]
    lines += [[what, *(figure(games) for games in found.values())] for what, figure in FIGURES.items()]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def loop() -> float:
    """Return the processor time in seconds of a million turns of a loop: what speed is told in."""
    start, total = process_time(), 0
    for number in range(10**6):
        total += number * number % 7
    return process_time() - start


@dataclass(frozen=True, slots=True)
class Timed:
    """A game, and the processor time in seconds that it took, and that the loop took right after it."""

    record: Record
    spent: float
    loop: float


def _timed(name: str, seed: int, number: int) -> Timed:
    start = process_time()
    played = game(name, seed, number)
    spent = process_time() - start
    return Timed(record(played), spent, loop() if number % _LOOPS == 0 else 0.0)


def _played(pool: Executor, name: str, games: int, seed: int) -> Records:
    """Play games, and say on standard error how fast."""
    found = list(pool.map(partial(_timed, name, seed), range(games), chunksize=_LOOPS))
    spent, turns = sum(one.spent for one in found), sum(one.record.turns for one in found)
    a_loop = mean(one.loop for one in found if one.loop)
    print(
        f"{name}: {60 * games / spent:.0f} games a minute of processor time, {1000 * spent / turns:.2f} ms a turn; "
        f"a game costs {spent / games / a_loop:.2f} million turns of the loop, {1000 * a_loop:.0f} ms each",
        file=sys.stderr,
    )
    return [one.record for one in found]


def main() -> None:
    """Play the games, and print the table or one JSON document."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.simulation", description=__doc__)
    parser.add_argument("--games", type=int, default=1000, help="games of each rulebook")
    parser.add_argument("--seed", type=int, default=1, help="the same seed gives the same games")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes that play beside each other")
    parser.add_argument("--rules", choices=NAMES, action="append", help="this rulebook only; may be repeated")
    parser.add_argument("--markdown", action="store_true", help="print the table; otherwise every game in JSON")
    parser.add_argument("--plot", type=Path, help="draw the plot into this SVG (needs the extra `benchmarks`)")
    asked = parser.parse_args()
    start = perf_counter()
    # What games are made of refers to nothing in a circle; looking for circles takes a tenth of the time.
    with ProcessPoolExecutor(asked.jobs, initializer=gc.disable) as pool:
        found = {name: _played(pool, name, asked.games, asked.seed) for name in asked.rules or NAMES}
    many, seconds = sum(map(len, found.values())), perf_counter() - start
    print(
        f"{many} games in {seconds:.1f} s, {60 * many / seconds:.0f} a minute, {asked.jobs} processes", file=sys.stderr
    )
    if asked.markdown:
        print(table(found))
    elif asked.plot is None:
        print(json.dumps({name: [asdict(one) for one in games] for name, games in found.items()}, indent=1))
    if asked.plot is not None:
        from benchmarks.plot import draw

        draw(found, asked.plot)


if __name__ == "__main__":
    main()
