"""Votes: what a player said of a proposal, when, and of which text (104, 106, 207; design section 4)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Vote(StrEnum):
    """For or against; NONE takes back what was said before."""

    FOR = "for"
    AGAINST = "against"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Ballot:
    """One vote as it was cast.

    `time` is in seconds since the epoch. `text` is what the voter had before them: the kind of change, the
    rule and the resulting file, as a rule-change's `text` has it; None where it was no lawful change. `unread`
    stands for whatever somebody said that could not be read. `id` is what the forge calls this vote by, letters and
    digits; empty where it has no name for it.
    """

    voter: str
    vote: Vote
    time: int
    text: str | None
    unread: bool = False
    id: str = ""


class Uncounted(StrEnum):
    """Why a vote is not counted; each is a key of the message catalogue."""

    NOT_A_PLAYER = "not-a-player"
    JOINED_LATER = "joined-after-voting-opened"
    AWAY = "away-when-voting-opened"
    EARLIER_TEXT = "given-to-an-earlier-text"
    TAKEN_BACK = "taken-back"
    TOO_LATE = "too-late"
    UNREAD = "unreadable-log"
    NOT_YET = "dated-later-than-now"
