"""Instants: whole seconds since 1970 in code, `2026-11-21T10:06:42Z` in files and trailers."""

from __future__ import annotations

from datetime import UTC, datetime

from nomic_git.law.errors import Unreadable

LATEST = 253_402_300_799
"""The last instant that can be written, in seconds since the epoch: the end of the year 9999."""


def write_instant(seconds: int) -> str:
    """Return an instant, in seconds since the epoch, as ISO 8601 in UTC."""
    return datetime.fromtimestamp(seconds, UTC).replace(tzinfo=None).isoformat() + "Z"


def read_instant(text: str) -> int:
    """Return the seconds since the epoch of an instant as `write_instant` writes it. Raises Unreadable."""
    seconds: int | None
    try:
        seconds = int(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp())
    except ValueError:
        seconds = None
    # Python reads more forms than one; an instant has one only, so that a record cannot be reworded.
    if seconds is None or write_instant(seconds) != text:
        raise Unreadable(f"{text!r} is no instant such as 2026-11-21T10:06:42Z")
    return seconds
