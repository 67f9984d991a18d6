"""One command measured: how long a process takes from its start to its end, and how much memory it needs."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

KIBIBYTE = 1024


@dataclass(frozen=True, slots=True)
class Cost:
    """What a command cost: seconds by the clock, seconds of processor, and the most bytes resident at a time."""

    seconds: float
    processor: float
    memory: int


class Failed(Exception):
    """A command that was to be measured did not succeed."""


def cost(command: Sequence[str], folder: Path) -> Cost:
    """Run a command in a folder once and return its cost. Raises Failed, with its last words, where it fails.

    Memory is what the kernel says of the whole process and of those it waited for. It cannot be less than
    what this process itself has resident, some ten MiB: the kernel counts from the fork on.
    """
    environment = {**os.environ, "LC_ALL": "C", "GIT_PAGER": "cat", "NO_COLOR": "1"}
    # What is installed is compiled once, whatever the shell of a developer says.
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    begun = time.perf_counter()
    child = subprocess.Popen(
        command, cwd=folder, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    )
    assert child.stderr is not None, "it is a pipe"
    words = child.stderr.read()
    _, status, usage = os.wait4(child.pid, 0)
    seconds = time.perf_counter() - begun
    child.returncode = os.waitstatus_to_exitcode(status)
    child.stderr.close()
    if child.returncode:
        raise Failed(f"{' '.join(command)}: {words.strip()[-300:] or f'exit code {child.returncode}'}")
    return Cost(seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * KIBIBYTE)


def best(costs: Sequence[Cost]) -> Cost:
    """Return the least of each figure: whatever else the machine did only added to them."""
    return Cost(
        min(one.seconds for one in costs), min(one.processor for one in costs), max(one.memory for one in costs)
    )


def by_turns(runs: Sequence[Callable[[], Cost]], times: int) -> list[Cost]:
    """Return the best cost of each run, taken by turns, so that a busy moment of the machine befalls all alike."""
    taken: list[list[Cost]] = [[] for _ in runs]
    for _ in range(times):
        for place, run in enumerate(runs):
            taken[place].append(run())
    return [best(one) for one in taken]
