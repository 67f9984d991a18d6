"""The time on GitHub: a test sets it and moves it."""

from __future__ import annotations

from datetime import UTC, datetime
from email.utils import format_datetime
from functools import cache

START = 1_700_000_000
"""When every fake GitHub begins, in seconds since the epoch."""


@cache
def stamp(moment: int) -> str:
    """A moment as GitHub's answers write it."""
    return datetime.fromtimestamp(moment, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


class Clock:
    """Stands still but for the tests: `now` is seconds since the epoch, `step` what each action of a person takes."""

    def __init__(self, now: int = START, step: int = 10) -> None:
        self.now = now
        self.step = step

    def move(self, seconds: int) -> int:
        """Let so many seconds pass; the time it is then."""
        self.now += seconds
        return self.now

    def tick(self) -> int:
        """Let one action's time pass."""
        return self.move(self.step)

    @property
    def date(self) -> str:
        """The time as the `Date` header writes it."""
        return format_datetime(datetime.fromtimestamp(self.now, UTC), usegmt=True)
