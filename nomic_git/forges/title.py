"""A proposal's title, as any forge gives it."""

from __future__ import annotations

LONGEST_TITLE = 120
"""Characters of a title that are read."""


def read_title(words: str) -> str:
    """Return a title as the program would have taken it: one line, nothing in it that does not show."""
    return "".join(one for one in " ".join(words.split()) if one.isprintable())[:LONGEST_TITLE]
