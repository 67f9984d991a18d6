"""Instants: whole seconds since 1970 in code, `2026-11-21T10:06:42Z` in files and trailers."""

from __future__ import annotations

from datetime import UTC, datetime

from nomic_git.law.errors import Unreadable

_FORM = "%Y-%m-%dT%H:%M:%SZ"


def write_instant(seconds: int) -> str:
    """Return an instant, in seconds since the epoch, as ISO 8601 in UTC."""
    return datetime.fromtimestamp(seconds, UTC).strftime(_FORM)


def read_instant(text: str) -> int:
    """Return the seconds since the epoch of an instant as `write_instant` writes it. Raises Unreadable."""
    try:
        return int(datetime.strptime(text, _FORM).replace(tzinfo=UTC).timestamp())
    except ValueError:
        raise Unreadable(f"{text!r} is no instant such as 2026-11-21T10:06:42Z") from None
