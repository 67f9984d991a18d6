"""What a recorded event can be that none of the rules led to (design sections 5 and 13)."""

from __future__ import annotations

from enum import StrEnum


class Irregularity(StrEnum):
    """Why an event cannot have happened; each is a key of the message catalogue."""

    TOO_LATE = "after-the-end"
    NO_WINNER = "no-winner"
    WINNER_DUE = "winner-due"
    RELAXATION_DUE = "relaxation-due"
    NOT_DUE = "not-due"
    UNKNOWN = "unknown-event"
    TIME = "time"
    RESOLVED_BEFORE = "resolved-before"
    NO_PROPOSAL = "no-proposal"
    NO_HEAD = "no-head"
    NOT_A_PLAYER = "not-a-player-then"
    TOO_FEW_PLAYERS = "too-few-players-then"
    NO_SERIES = "no-series"
    NO_NUMBER = "no-number"
    NO_SUCH_RULE = "no-such-rule"
    HEAD_SAYS_OTHERWISE = "head-says-otherwise"
    OPENED = "opened"
    VOIDING_DUE = "voiding-due"
    NOT_THE_MOVER = "not-the-mover"
    JUDGMENT_OPEN = "resolved-in-judgment"
    NO_JUDGMENT = "no-such-judgment"
    DEADLINE = "deadline-over"
    DEBATE = "debate-too-short"
    ABSENT = "not-absent"
    NO_VOTE = "no-vote"
    VOTED_TWICE = "voted-twice"
    NOT_ADOPTED = "not-adopted"
    NOT_DEFEATED = "not-defeated"
    TRAILER = "trailer"
    IMPOSSIBLE = "impossible"
