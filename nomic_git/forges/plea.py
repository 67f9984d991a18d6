"""What players say about judgments, as the forges hear it (design section 8; docs/github.md)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from nomic_git.game.judgment import Move, Plea

if TYPE_CHECKING:
    from nomic_git.forges.forge import Submission

_ASKED = re.compile(r"@?([A-Za-z0-9_-]+)", re.ASCII)


def words_said(move: Move, words: str) -> str:
    """Return what somebody said with a move as a Plea has it: one line, and of whom they ask, the login alone."""
    said = " ".join(words.split())
    asked = _ASKED.match(said) if move is Move.ASK else None
    return said if asked is None else asked[1]


def by_time(pleas: Iterable[Plea]) -> tuple[Plea, ...]:
    """Return pleas in the order of time; those of one instant stay in the order in which they are given."""
    return tuple(sorted(pleas, key=lambda one: one.time))


def over(submission: Submission) -> Submission:
    """Return what is still heard of a proposal that an event has resolved: what is said about judgments on it.

    How it was closed or merged is the event's doing, whoever's hand it was.
    """
    return replace(submission, withdrawn=None, notes=())
