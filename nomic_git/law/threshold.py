"""Thresholds: how much agreement adopts something (rules 105 and 203 of the documents, design section 4)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, TypeAlias

from nomic_git.law.errors import Unreadable
from nomic_git.law.expression import LONGEST, Expression, read_expression
from nomic_git.law.values import Values, shown

if TYPE_CHECKING:
    from fractions import Fraction

    from nomic_git.law.plain import Plain

_FRACTION = re.compile(r"[0-9]{1,9}(?:/[0-9]{1,9}|\.[0-9]{1,9})")
_WHOLE = re.compile(r"\s*[+-]?[0-9]+\s*")


class Agreement(StrEnum):
    """The thresholds that have a name."""

    UNANIMOUS = "unanimous"
    """Everybody eligible voted for."""
    SIMPLE_MAJORITY = "simple-majority"
    """More than half of the eligible voted for."""


@dataclass(frozen=True, slots=True)
class AtLeast:
    """At least this fraction of the eligible voted for: more than 0, at most 1."""

    fraction: Fraction


_AGREEMENTS = {word.value: word for word in Agreement}

Threshold: TypeAlias = Agreement | AtLeast | Expression
"""An expression that gives true or false says itself whether the votes suffice; one that gives a number
gives the fraction of the eligible that is needed, as `AtLeast` does."""


def read_threshold(found: Plain) -> Threshold:
    """Return the threshold that is written so: a name, a fraction (`2/3`, `0.6`) or an expression.

    A bare whole number is refused: `1` could be one vote or all of them. Raises Unreadable.
    """
    if not isinstance(found, str):
        raise _refused(found)
    if found in _AGREEMENTS:
        return _AGREEMENTS[found]
    if _FRACTION.fullmatch(found):
        return _at_least(found)
    if _WHOLE.fullmatch(found):
        raise _refused(found)
    try:
        return read_expression(found)
    except Unreadable as wrong:
        raise _refused(found, f" ({wrong})") from None


def write_threshold(threshold: Threshold) -> str:
    """Return the text of a threshold as a rule would provide it."""
    if isinstance(threshold, AtLeast):
        return f"{threshold.fraction.numerator}/{threshold.fraction.denominator}"
    return threshold.source if isinstance(threshold, Expression) else threshold.value


def _at_least(text: str) -> AtLeast:
    from fractions import Fraction  # costs start-up time, and few rulebooks write one

    try:
        fraction = Fraction(text)
    except ZeroDivisionError:
        raise _refused(text) from None
    if not 0 < fraction <= 1:
        raise _refused(text)
    return AtLeast(fraction)


def _refused(found: Plain, why: str = "") -> Unreadable:
    return Unreadable(
        f"{shown(found)} is not a threshold{why}: write {', '.join(Agreement)}, "
        "a fraction above 0 and at most 1 such as 2/3, an expression such as votes_for > 2 * votes_against"
    )


THRESHOLDS: Values[Threshold] = Values(
    read_threshold,
    write_threshold,
    {
        "anyOf": [
            {"enum": list(_AGREEMENTS)},
            # YAML readers other than ours take 0.5 for a number.
            {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1},
            {
                "type": "string",
                "description": "a fraction such as 2/3, or an expression over the result",
                "pattern": "[^ 0-9+-]",
                "maxLength": LONGEST,
            },
        ]
    },
)
