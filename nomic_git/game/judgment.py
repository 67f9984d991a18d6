"""Judgment: what players ask of a Judge, and what comes of it (212, -102; design section 8)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from nomic_git.law.characters import is_seen
from nomic_git.law.number import read_number

if TYPE_CHECKING:
    from collections.abc import Container

LONGEST = 500
"""Characters of a question, or of a ruling's reasons, that the record keeps."""

_VERDICT = re.compile(
    r"(legal|illegal|undecided)(?![^\s:;,.!\u2014\u2013])(?:[\s:;,.!\u2014\u2013]|-+(?=\s))*",
    re.IGNORECASE | re.ASCII,
)
_CITED = re.compile(r"(?<!\w)[-\u2212]?[0-9]+(?!\w)", re.ASCII)
_ACTS = re.compile(r"[#@\[\]<>`|\\*_~]+|(?<=\w):(?=//)|(?<=\w)\.(?=\w)")


class Move(StrEnum):
    """What a player can do about a judgment; the words of the commands."""

    INVOKE = "judgment"
    ASK = "ask"
    RULE = "rule"
    UPHOLD = "uphold"
    OVERRULE = "overrule"
    CONSENT = "consent"


class Refusal(StrEnum):
    """Why a plea does nothing; the keys of the sentences that say so."""

    NOT_A_PLAYER = "judgment-not-a-player"
    NOT_PROVIDED = "judgment-not-provided"
    OPEN = "judgment-open"
    TOO_EARLY = "judgment-too-early"
    TOO_LATE = "judgment-too-late"
    NO_QUESTION = "judgment-no-question"
    NOBODY_CAN_JUDGE = "judgment-nobody-can-judge"
    NOBODY_ASKS = "judgment-nobody-asks"
    NONE_OPEN = "judgment-none-open"
    ELSEWHERE = "judgment-elsewhere"
    NOT_CHOSEN = "judgment-not-chosen"
    HAS_JUDGE = "judgment-has-judge"
    NOT_THE_ASKER = "judgment-not-the-asker"
    ASKED_NOBODY = "judgment-asked-nobody"
    ASKED_STRANGER = "judgment-asked-stranger"
    ASKED_MOVER = "judgment-asked-mover"
    ASKED_TEAM_MATE = "judgment-asked-team-mate"
    ASKED_AGAIN = "judgment-asked-again"
    NO_JUDGE_YET = "judgment-no-judge-yet"
    NOT_THE_JUDGE = "judgment-not-the-judge"
    RULED_ALREADY = "judgment-ruled-already"
    NO_REASONS = "judgment-no-reasons"
    NO_VERDICT = "judgment-no-verdict"
    OWN_VERDICT = "judgment-own-verdict"
    JUDGE_OVERRULES = "judgment-judge-overrules"
    TWO_PLAYERS = "judgment-two-players"
    MOVER_CONSENTS = "judgment-mover-consents"
    OTHERWISE = "judgment-otherwise"


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
    `subject` is the text of an open proposal that it was invoked on, None of a turn that was over. `ruling` is what the
    present Judge decided at `ruled`, None while they have not, and `text` what was found illegal of an open proposal.
    `mover` is the proposal's author, whose turn it is about. `last` is the plea that led to the last step, without its
    words. Instants in seconds since the epoch.
    """

    proposal: int
    mover: str
    invoker: str
    invoked: int
    judges: tuple[str, ...] = ()
    sought: bool = False
    ruling: Ruling | None = None
    ruled: int | None = None
    last: Plea | None = None
    text: str | None = None
    subject: str | None = None

    @property
    def judge(self) -> str | None:
        """The login of the present Judge, None while one is sought."""
        return None if self.sought or not self.judges else self.judges[-1]


def read_ruling(said: str) -> tuple[Ruling, str] | None:
    """Return the ruling that a Judge's words give, and its reasons as the record has them; None for no words at all.

    A ruling begins with the word `legal`, `illegal` or `undecided`, in capitals or not; words that do not are the
    ruling themselves. Reasons may be empty.
    """
    words = on_record(said)
    verdict = _VERDICT.match(words)
    if verdict is None:
        return (Ruling.WORDS, words) if words else None
    return Ruling(verdict.group(1).lower()), words[verdict.end() :]


def cited(words: str, rules: Container[int]) -> tuple[int, ...]:
    """Return the numbers in `words` that are those of `rules`, each once, in the order in which they are named."""
    numbers = (read_number(one.replace("\N{MINUS SIGN}", "-")) for one in _CITED.findall(words))
    return tuple(dict.fromkeys(one for one in numbers if one is not None and one in rules))


def on_record(said: str) -> str:
    """Return a player's words as the record keeps them: one line in which nothing is acted upon (design section 5).

    No control characters, `#`, `@`, brackets or marks of Markdown, and no addresses. What is on the record is on it
    unchanged.
    """
    shown = "".join(one if is_seen(one) else " " for one in said)
    return " ".join(_ACTS.sub(" ", shown).split())[:LONGEST].rstrip()
