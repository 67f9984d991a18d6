"""Numbers of rules and proposals (design section 2, "Numbers and names")."""

from __future__ import annotations

import re

_NUMBER = re.compile(r"0|-?[1-9][0-9]{0,17}", re.ASCII)


def read_number(text: str) -> int | None:
    """Return the number that `text` writes, or None where it writes none.

    A number is `0|-?[1-9][0-9]*` in ASCII and nothing else: no plus sign, no leading zero, no `-0`, no
    white space, no digits of other scripts. Eighteen digits are more than any forge gives out.
    """
    return int(text) if _NUMBER.fullmatch(text) else None
