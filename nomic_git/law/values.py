"""The sorts of values that provisions have: how each is read, written back and described by a schema.

One sort is made for each way of writing a value (one of some words, a whole number within bounds, ...),
so that every provision of that sort is read in the same way and refused in the same words. Reading is
strict: `true` is no number, `Open` is not `open`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Generic, TypeVar

from nomic_git.law.errors import Unreadable

if TYPE_CHECKING:
    from nomic_git.law.plain import Plain

V = TypeVar("V")
Word = TypeVar("Word", bound=StrEnum)

LARGEST = 10**9
"""No whole number in a provision lies further from zero than this."""

CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")
"""What a line of text has none of: characters that end it, or that a terminal acts upon."""

_SHOWN = 60


@dataclass(frozen=True, slots=True, eq=False)
class Values(Generic[V]):
    """One sort of values.

    `read` turns a plain value into one of this sort and raises `Unreadable`, which says what was found
    and ends in what is allowed; `plain` is its inverse; `schema` is a JSON Schema (draft 2020-12).
    """

    read: Callable[[Plain], V]
    plain: Callable[[V], Plain]
    schema: Mapping[str, Plain]


def shown(found: Plain) -> str:
    """Return a few words, on one line and safe to print, for what was found where something else belongs."""
    if isinstance(found, bool):
        return "true" if found else "false"
    if isinstance(found, int):
        return str(found) if abs(found) <= LARGEST else "a number as large as that"
    if isinstance(found, str):
        return repr(found if len(found) <= _SHOWN else found[: _SHOWN - 1] + "…")
    return "a mapping" if isinstance(found, Mapping) else "a list"


def words(sort: type[Word]) -> Values[Word]:
    """Return the sort of values that are one of the words of an enumeration."""
    by_word = {word.value: word for word in sort}

    def read(found: Plain) -> Word:
        if isinstance(found, str) and found in by_word:
            return by_word[found]
        raise Unreadable(f"{shown(found)} is not one of its values: {', '.join(by_word)}")

    return Values(read, lambda word: word.value, {"enum": list(by_word)})


def some_of(sort: type[Word]) -> Values[frozenset[Word]]:
    """Return the sort of values that are a list of different words of an enumeration, possibly empty."""
    one = words(sort)

    def read(found: Plain) -> frozenset[Word]:
        if not isinstance(found, (list, tuple)):
            raise Unreadable(f"{shown(found)} is not a list: write some of [{', '.join(sort)}]")
        chosen = frozenset(one.read(word) for word in found)
        if len(chosen) < len(found):
            raise Unreadable(f"a word stands twice in the list: write each once, of [{', '.join(sort)}]")
        return chosen

    def plain(chosen: frozenset[Word]) -> Plain:
        return [word.value for word in sort if word in chosen]

    return Values(read, plain, {"type": "array", "items": one.schema, "uniqueItems": True})


def integers(smallest: int = -LARGEST) -> Values[int]:
    """Return the sort of values that are whole numbers from `smallest` to `LARGEST`."""

    def read(found: Plain) -> int:
        if isinstance(found, int) and not isinstance(found, bool) and smallest <= found <= LARGEST:
            return found
        raise Unreadable(f"{shown(found)} is not a whole number from {smallest} to {LARGEST}")

    return Values(read, lambda number: number, {"type": "integer", "minimum": smallest, "maximum": LARGEST})


def or_word(word: str, values: Values[V]) -> Values[V | None]:
    """Return the same sort of values, and beside them the given word, which is read as None."""

    def read(found: Plain) -> V | None:
        if found == word:
            return None
        try:
            return values.read(found)
        except Unreadable as refused:
            raise Unreadable(f"{refused}, or {word}") from None

    def plain(value: V | None) -> Plain:
        return word if value is None else values.plain(value)

    return Values(read, plain, {"anyOf": [values.schema, {"const": word}]})


def or_none(values: Values[V]) -> Values[V | None]:
    """Return the same sort of values with `none` beside them: a rule may say that there is nothing."""
    return or_word("none", values)
