"""A bar for long work, on a terminal alone (design section 13)."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress

LONG = 200
"""Steps from which on work is long enough for a bar."""


@contextmanager
def progress(what: str, long: int = LONG) -> Iterator[Callable[[int, int | None], None]]:
    """Give a function that is told how many steps are done, of how many (None where nobody knows).

    From `long` steps on it draws a bar on standard error, which is gone when the work is done. Nothing is
    drawn, and rich is not loaded, where standard error is no terminal.
    """
    with ExitStack() as stack:
        bars: list[Progress] = []

        def tell(done: int, steps: int | None) -> None:
            if (steps or done) < long:
                return
            if not bars:
                bars.append(stack.enter_context(_bar()))
                bars[0].add_task(what, total=steps)
            if done == steps or done % max(1, (steps or 0) // 100) == 0:
                bars[0].update(bars[0].task_ids[0], completed=done)

        yield tell if sys.stderr.isatty() and os.environ.get("TERM") != "dumb" else _silence


def _bar() -> Progress:
    from rich.console import Console
    from rich.progress import Progress

    return Progress(console=Console(file=sys.stderr), transient=True)


def _silence(done: int, steps: int | None) -> None:
    del done, steps
