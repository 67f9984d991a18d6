"""The lines of a player's file that its player may change, and no other (`players.leave`, 201; design section 6)."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from nomic_git.law import front_matter
from nomic_git.law.errors import Unreadable

if TYPE_CHECKING:
    from nomic_git.law.plain import Plain

AWAY = "away"
"""The key of a player's file that says whether the player is away."""

SURNAME = "surname"
"""The key of a player's file that says where the player sits in games by surname."""


def read_away(value: Plain | None) -> bool:
    """Return whether the value of `away` in a player's file says so. Raises Unreadable where it says neither."""
    if value is not None and not isinstance(value, bool):
        raise Unreadable("away is to be true or false")
    return bool(value)


def says_away(source: bytes) -> bool | None:
    """Return what `away` says in a player's file, None where it is not there. Raises Unreadable."""
    entry = front_matter.entries(front_matter.split(source)).get(AWAY)
    return None if entry is None else read_away(entry.value)


def says_surname(source: bytes) -> Plain | None:
    """Return what stands behind `surname` in a player's file, None where nothing does. Raises Unreadable."""
    entry = front_matter.entries(front_matter.split(source)).get(SURNAME)
    return None if entry is None else entry.value


def is_same_beside(key: str, before: bytes, after: bytes) -> bool:
    """Return whether two files of a player say the same but for one key: every other key, and the words.

    How the front matter is laid out is free, and so are the empty lines around the words. Raises Unreadable.
    """
    return _beside(key, before) == _beside(key, after)


def _beside(left_out: str, source: bytes) -> tuple[str, bytes]:
    document = front_matter.split(source)
    keys = {key: entry.value for key, entry in front_matter.entries(document).items() if key != left_out}
    # As JSON, since true is equal to 1 in Python, and nobody can be called true.
    return json.dumps(keys, sort_keys=True), document.words.strip(b"\r\n")
