"""Points: for dissent, for defeat, and for the turn (202, 204, 206; design section 5).

Points are reckoned in exact fractions and rounded to the nearest whole number, halves up. An expression that
gives more than a rule could say in figures has failed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from nomic_git.game.tally import Count, Outcome, exact
from nomic_git.law.expression import Expression, ExpressionFailed, round_half_up
from nomic_git.law.provisions import DEFEAT_POINTS, DISSENT_POINTS, TURNS_POINTS
from nomic_git.law.threshold import Agreement, Threshold
from nomic_git.law.values import LARGEST

if TYPE_CHECKING:
    from nomic_git.law.precedence import Law
    from nomic_git.law.provisions import Key, TurnPoints


@dataclass(frozen=True, slots=True)
class Score:
    """Points by login, and the keys of the provisions whose expressions gave nothing for this proposal."""

    points: tuple[tuple[str, int], ...] = ()
    failed: tuple[str, ...] = ()


def at_completion(
    law: Law, outcome: Outcome, threshold: Threshold, count: Count, author: str, names: dict[str, int]
) -> Score:
    """Return the points of the first moment, by the law that was voted under (design section 5).

    Adopted where unanimity was not required: `dissent.points` to each who voted against (204). Defeated:
    `defeat.points` to the proposer (206). No points where no rule provides any.
    """
    if outcome is Outcome.DEFEATED:
        points, failed = _points(law, DEFEAT_POINTS, names)
        return Score(((author, points),) if points else (), failed)
    if threshold is Agreement.UNANIMOUS:
        return Score()
    points, failed = _points(law, DISSENT_POINTS, names)
    return Score(tuple((login, points) for login in count.opponents if points), failed)


def at_end_of_turn(law: Law, author: str, names: dict[str, int]) -> Score:
    """Return the points of the second moment: `turns.points` to the proposer, by the law then in force."""
    points, failed = _points(law, TURNS_POINTS, names)
    return Score(((author, points),) if points else (), failed)


def _points(law: Law, key: Key[Expression] | Key[TurnPoints], names: Mapping[str, int]) -> tuple[int, tuple[str, ...]]:
    failed: tuple[str, ...] = ()
    for value in (law.rulebook.rules[rule].provisions[key.name] for rule in law.findings[key.name].standing):
        if not isinstance(value, Expression):
            continue
        try:
            points = round_half_up(exact(value, dict(names)))
        except ExpressionFailed:
            points = None
        if points is not None and abs(points) <= LARGEST:
            return points, failed
        failed = (key.name,)
    return 0, failed
