"""Durations as a rule writes them: `90m`, `36h`, `7d`, `2w` (design section 6)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from nomic_git.law.errors import Unreadable
from nomic_git.law.values import shown

if TYPE_CHECKING:
    from nomic_git.law.plain import Plain

SECONDS = {"m": 60, "h": 3600, "d": 86400, "w": 7 * 86400}
"""How many seconds each unit has."""

LONGEST = 3650 * 86400
"""The longest duration in seconds, ten years: what is longer belongs under `none`."""

PATTERN = "[1-9][0-9]{0,7}[mhdw]"

_DURATION = re.compile(PATTERN)


def read_duration(found: Plain) -> int:
    """Return the seconds of a duration such as `7d`: minutes, hours, days or weeks, one unit, no spaces.

    Raises Unreadable for anything else, for nothing at all (`0d`) and for more than `LONGEST`.
    """
    if isinstance(found, str) and _DURATION.fullmatch(found):
        seconds = int(found[:-1]) * SECONDS[found[-1]]
        if seconds <= LONGEST:
            return seconds
    raise Unreadable(
        f"{shown(found)} is no length of time as it is written here: "
        "ten years at most, in minutes, hours, days or weeks such as 90m, 36h, 7d, 2w"
    )


def write_duration(seconds: int) -> str:
    """Return the text of a duration that was read: in the largest unit up to days that leaves no rest."""
    unit = next(unit for unit in ("d", "h", "m") if seconds % SECONDS[unit] == 0)
    return f"{seconds // SECONDS[unit]}{unit}"
