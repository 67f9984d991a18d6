"""Front matter as nearly everybody writes it, a key and plain words a line, read without YAML.

To load PyYAML takes longer than to read all rules of a game in this way, and most commands read them. What is written
in any other way is for YAML to read; what is read here, YAML reads alike.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from string import ascii_letters, ascii_lowercase, digits
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from nomic_git.law.plain import Plain

MISSING = frozenset({"", "~", "null", "Null", "NULL"})
"""The scalars by which YAML says that there is no value."""

_INTEGER = re.compile(r"0|-?[1-9][0-9]{0,17}", re.ASCII)
_LONGEST_KEY = 100
_KEY = frozenset(ascii_lowercase + ".-")
_WORD = frozenset(ascii_letters + digits + "_./ -")
_MARKS = frozenset(" _.,;!?()'/-")
_SPECIAL = frozenset('"\\')


@dataclass(frozen=True, slots=True)
class Entry:
    """A key of the front matter: its value, and the lines (from 0, the end excluded) that it stands on."""

    value: Plain
    start: int
    end: int


def scalar(text: str) -> bool | int | str:
    """Return what a scalar without quotes is: true or false, a whole number, or text."""
    if text in {"true", "True", "TRUE"}:
        return True
    if text in {"false", "False", "FALSE"}:
        return False
    return int(text) if _INTEGER.fullmatch(text) else text


def read_lines(text: str) -> dict[str, Entry] | None:
    """Return the keys of a front matter in their order, None where it is not so plain that YAML is not needed.

    A line is `key: value`, or `key:` above such lines that are indented by two spaces. A value is words without a
    colon, text in double quotes, or a list or a mapping of words on that line.
    """
    *lines, rest = text.replace("\r\n", "\n").split("\n")
    starts = [at for at, line in enumerate(lines) if not line.startswith("  ")]
    if rest or starts[:1] != [0]:
        return None
    found: dict[str, Entry] = {}
    for start, end in pairwise([*starts, len(lines)]):
        below = [line[2:] for line in lines[start + 1 : end]]
        key, _, written = (f"{lines[start]} " if below else lines[start]).partition(": ")
        value = _value(written) if not below else None if written else _mapping(below, _value)
        if value is None or key in found or not _is_key(key):
            return None
        found[key] = Entry(value, start, end)
    return found


def _mapping(pairs: Iterable[str], value_of: Callable[[str], Plain | None]) -> Mapping[str, Plain] | None:
    """Return the mapping that pairs `key: value` make, None where they make none."""
    found: dict[str, Plain] = {}
    for pair in pairs:
        key, _, written = pair.partition(": ")
        value = value_of(written)
        if value is None or key in found or not _is_key(key):
            return None
        found[key] = value
    return found


def _is_key(text: str) -> bool:
    return _KEY.issuperset(text) and text[:1].isalpha() and len(text) <= _LONGEST_KEY and text not in MISSING


def _value(text: str) -> Plain | None:
    """Return the value that is written behind a key, None where it is not plain."""
    inside, ends = text[1:-1], text[:1] + text[-1:]
    if ends == '""' and len(text) > 1:
        return inside if inside.isascii() and inside.isprintable() and _SPECIAL.isdisjoint(inside) else None
    if ends == "[]":
        items = [_words(item) for item in inside.split(", ")]
        return None if None in items else [item for item in items if item is not None]
    if ends == "{}":
        return _mapping(inside.split(", "), _words)
    is_plain = all(one.isalnum() or one in _MARKS for one in text)
    return scalar(text) if is_plain and _stands_alone(text) else None


def _words(text: str) -> bool | int | str | None:
    """Return the scalar that is written in a list or a mapping, None where it is not plain."""
    return scalar(text) if _WORD.issuperset(text) and _stands_alone(text) else None


def _stands_alone(text: str) -> bool:
    """Return whether the first and the last character of words without a colon mean nothing to YAML."""
    return text.removeprefix("-")[:1].isalnum() and text[-1:] != " " and text not in MISSING
