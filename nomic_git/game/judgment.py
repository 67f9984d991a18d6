"""Judgment: what players ask of a Judge, and what comes of it (212, -102; design section 8)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

LONGEST = 500
"""Characters of a question, or of a ruling's reasons, that the record keeps."""

_ACTS = re.compile(r"[#@\[\]<>`|\\*_~]+|(?<=\w):(?=//)|(?<=\w)\.(?=\w)")


class Move(StrEnum):
    """What a player can do about a judgment; the words of the commands."""

    INVOKE = "judgment"
    ASK = "ask"
    RULE = "rule"
    UPHOLD = "uphold"
    OVERRULE = "overrule"
    CONSENT = "consent"


class Ruling(StrEnum):
    """What a Judge decides; `words` alone answer a question of interpretation."""

    LEGAL = "legal"
    ILLEGAL = "illegal"
    UNDECIDED = "undecided"
    WORDS = "words"


@dataclass(frozen=True, slots=True)
class Plea:
    """One move of a player about a judgment on a proposal, as it was made.

    `time` is in seconds since the epoch. `said` is what stood behind the word of the move: a question, a login, a
    ruling with its reasons.
    """

    player: str
    move: Move
    time: int
    said: str = ""


@dataclass(frozen=True, slots=True)
class Judgment:
    """A judgment that is open: on which proposal (the forge's number), who invoked it and when.

    `judges` are all who were its Judge, by login; the last is the present one unless a Judge is still to be `sought`.
    `ruling` is what the present Judge decided at `ruled`, None while they have not. Instants in seconds since the
    epoch. `mover` is the proposal's author, whose turn it is about.
    """

    proposal: int
    mover: str
    invoker: str
    invoked: int
    judges: tuple[str, ...] = ()
    sought: bool = False
    ruling: Ruling | None = None
    ruled: int | None = None

    @property
    def judge(self) -> str | None:
        """The login of the present Judge, None while one is sought."""
        return None if self.sought or not self.judges else self.judges[-1]


def on_record(said: str) -> str:
    """Return a player's words as the record keeps them: one line in which nothing is acted upon (design section 5).

    No control characters, `#`, `@`, brackets or marks of Markdown, and no addresses. What is on the record is on it
    unchanged.
    """
    shown = "".join(one if one.isprintable() else " " for one in said)
    return " ".join(_ACTS.sub(" ", shown).split())[:LONGEST].rstrip()
