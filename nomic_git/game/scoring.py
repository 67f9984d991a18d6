"""Points: for dissent, for defeat, and for the turn (202, 204, 206; design section 5).

Points are reckoned in exact fractions and rounded to the nearest whole number, halves up. An expression that
gives more than a rule could say in figures has failed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, overload

from nomic_git.game.tally import Count, Outcome, exact
from nomic_git.law.expression import Expression, ExpressionFailed, round_half_up
from nomic_git.law.provisions import DEFEAT_POINTS, DISSENT_POINTS, TURNS_POINTS, Die
from nomic_git.law.threshold import Agreement, Threshold
from nomic_git.law.values import LARGEST

if TYPE_CHECKING:
    from nomic_git.law.precedence import Law
    from nomic_git.law.provisions import Key, TurnPoints


@dataclass(frozen=True, slots=True)
class Score:
    """Points by login, and the keys of the provisions whose expressions gave nothing for this proposal.

    `die` is what the die showed, None where none was thrown.
    """

    points: tuple[tuple[str, int], ...] = ()
    failed: tuple[str, ...] = ()
    die: int | None = None


def at_completion(
    law: Law, outcome: Outcome, threshold: Threshold, count: Count, author: str, names: dict[str, int]
) -> Score:
    """Return the points of the first moment, by the law that was voted under (design section 5).

    Adopted where unanimity was not required: `dissent.points` to each who voted against (204), not to those whose
    votes only a deadline counted as against. Defeated: `defeat.points` to the proposer (206). No points where no rule
    provides any.
    """
    if outcome is Outcome.DEFEATED:
        points, failed = _points(law, DEFEAT_POINTS, names)
        return Score(((author, points),) if points else (), failed)
    if threshold is Agreement.UNANIMOUS:
        return Score()
    points, failed = _points(law, DISSENT_POINTS, names)
    dissenters = (login for login in count.opponents if login not in count.absent)
    return Score(tuple((login, points) for login in dissenters if points), failed)


def at_end_of_turn(law: Law, author: str, names: dict[str, int], die: int | None = None) -> Score:
    """Return the points of the second moment: `turns.points` to the proposer, by the law then in force.

    `die` is what the die shows if it is thrown; None where that is not known yet, and then it brings no points.
    """
    points, failed = _points(law, TURNS_POINTS, names)
    if points is Die.DIE:
        return Score(((author, die),) if die else (), failed, die)
    return Score(((author, points),) if points else (), failed)


def is_by_die(law: Law, names: dict[str, int]) -> bool:
    """Return whether a die gives the points at the end of a turn (202)."""
    return _points(law, TURNS_POINTS, names)[0] is Die.DIE


@overload
def _points(law: Law, key: Key[Expression], names: Mapping[str, int]) -> tuple[int, tuple[str, ...]]: ...


@overload
def _points(law: Law, key: Key[TurnPoints], names: Mapping[str, int]) -> tuple[int | Die, tuple[str, ...]]: ...


def _points(
    law: Law, key: Key[Expression] | Key[TurnPoints], names: Mapping[str, int]
) -> tuple[int | Die, tuple[str, ...]]:
    failed: tuple[str, ...] = ()
    for value in (law.rulebook.rules[rule].provisions[key.name] for rule in law.findings[key.name].standing):
        if isinstance(value, Die):
            return value, failed
        try:
            points = round_half_up(exact(value, dict(names)))
        except ExpressionFailed:
            points = None
        if points is not None and abs(points) <= LARGEST:
            return points, failed
        failed = (key.name,)
    return 0, failed
