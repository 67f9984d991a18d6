"""Sets of numbers almost without gaps, kept as ranges: they stay short however long a game lasts."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Numbers:
    """A set of whole numbers as ascending ranges, both ends included, no two of which touch."""

    ranges: tuple[tuple[int, int], ...] = ()

    def __contains__(self, number: int) -> bool:
        at = bisect_right(self.ranges, (number, number)) - 1
        inside = at >= 0 and self.ranges[at][0] <= number <= self.ranges[at][1]
        begins = at + 1 < len(self.ranges) and self.ranges[at + 1][0] == number
        return inside or begins

    @property
    def last(self) -> int | None:
        """The highest of them, None where there is none."""
        return self.ranges[-1][1] if self.ranges else None

    def missing(self, first: int) -> Iterator[int]:
        """Yield the numbers from `first` up to the highest that are not among them."""
        at = first
        for low, high in self.ranges:
            yield from range(at, low)
            at = max(at, high + 1)

    def beyond(self, others: Numbers) -> Iterator[int]:
        """Yield those of them that are not among others, ascending."""
        if self != others:
            yield from (number for low, high in self.ranges for number in range(low, high + 1) if number not in others)

    def adding(self, number: int) -> Numbers:
        """Return these numbers and `number`."""
        if number in self:
            return self
        return numbers((*self.ranges, (number, number)))

    def without(self, number: int) -> Numbers:
        """Return these numbers without `number`."""
        return numbers(
            (first, last)
            for low, high in self.ranges
            for first, last in ((low, min(high, number - 1)), (max(low, number + 1), high))
            if first <= last
        )


NONE = Numbers()
"""No number at all."""


def numbers(ranges: Iterable[tuple[int, int]]) -> Numbers:
    """Return the numbers in these ranges, however they overlap, touch or are ordered."""
    joined: list[tuple[int, int]] = []
    for low, high in sorted(ranges):
        if joined and low <= joined[-1][1] + 1:
            joined[-1] = (joined[-1][0], max(joined[-1][1], high))
        else:
            joined.append((low, high))
    return Numbers(tuple(joined))
