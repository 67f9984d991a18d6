"""What commands print: tables and JSON on standard output, nothing in it that a terminal would act upon."""

from __future__ import annotations

import json
import os
import sys
import unicodedata
from collections.abc import Sequence
from typing import Any


class Strong(str):
    """Text that stands out where it is printed on a terminal, and is as it is where it is not."""

    __slots__ = ()


def say(*parts: str) -> None:
    """Print parts of a line, or lines, for a player. Control characters in them are shown, not sent."""
    sys.stdout.write("".join(_written(part) for part in parts) + "\n")


def complain(text: str) -> None:
    """Print a line on standard error, for what went wrong and stops nothing."""
    sys.stderr.write("nomic-git: " + " ".join(harmless(text).split()) + "\n")


def _written(part: str) -> str:
    quiet = harmless(part)
    return f"\x1b[1m{quiet}\x1b[0m" if isinstance(part, Strong) and _on_a_terminal() else quiet


def say_json(document: Any) -> None:
    """Print one JSON document, with codes in it for what the output has no letters for."""
    encoding = (sys.stdout.encoding or "utf-8").lower().replace("-", "").replace("_", "")
    sys.stdout.write(json.dumps(document, indent=2, ensure_ascii=encoding != "utf8") + "\n")


def harmless(text: str) -> str:
    """Return text with control and bidirectional characters replaced; line ends and tabs stay."""
    return "".join(one if one in "\n\t" or not _acts(one) else "\N{REPLACEMENT CHARACTER}" for one in text)


def _acts(character: str) -> bool:
    return unicodedata.category(character) in {"Cc", "Cf", "Cs"}


def _on_a_terminal() -> bool:
    return sys.stdout.isatty() and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"


def table(heads: Sequence[str], rows: Sequence[Sequence[object]], *, right: Sequence[int] = ()) -> None:
    """Print rows under heads, in columns; `right` names the columns that are set to the right."""
    cells = [[harmless(str(cell)).replace("\n", " ") for cell in row] for row in rows]
    widths = [max(map(width, column)) for column in zip(heads, *cells, strict=True)]
    for number, line in enumerate([list(heads), *cells]):
        padded = [
            " " * (size - width(cell)) + cell if at in right else cell + " " * (size - width(cell))
            for at, (cell, size) in enumerate(zip(line, widths, strict=True))
        ]
        text = "  ".join(padded).rstrip()
        say(Strong(text) if number == 0 else text)


def width(text: str) -> int:
    """Return the columns of a terminal that a text takes."""
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(one) else 2 if unicodedata.east_asian_width(one) in "WF" else 1 for one in text
    )
