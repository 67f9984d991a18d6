"""What the law provides and this version's referee does not act on: there, the players see to it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from nomic_git.law.provisions import (
    DEBATE_MINIMUM,
    JUDGMENT_JUDGE,
    STALEMATE_WINNER,
    TURNS_DEADLINE,
    TURNS_ORDER,
    TURNS_PAUSE,
    TURNS_POINTS,
    VOTES_DEADLINE,
    Die,
    TurnOrder,
)

if TYPE_CHECKING:
    from nomic_git.law.precedence import Law
    from nomic_git.law.provisions import Key

_KEYS: tuple[Key[Any], ...] = (
    TURNS_ORDER,
    TURNS_POINTS,
    TURNS_DEADLINE,
    TURNS_PAUSE,
    VOTES_DEADLINE,
    DEBATE_MINIMUM,
    JUDGMENT_JUDGE,
    STALEMATE_WINNER,
)


def unrefereed(law: Law) -> Mapping[str, int | None]:
    """Return the provisions that ask for something the referee does not do yet, each with its rule."""
    return {key.name: law.rule(key.name) for key in _KEYS if _asks(key, law.value(key))}


def _asks(key: Key[Any], value: Any) -> bool:
    """Return whether a value asks for anything that has to be done (a deadline of none, say, does not)."""
    if key.name == TURNS_POINTS.name:
        return isinstance(value, Die)
    return value is not TurnOrder.OPEN and bool(value)
