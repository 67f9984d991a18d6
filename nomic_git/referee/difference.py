"""The referee's own difference against the tip, with nothing in it that the eye would miss (design section 3)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from difflib import unified_diff
from typing import TYPE_CHECKING

from nomic_git.law.kinds import ChangeKind

if TYPE_CHECKING:
    from nomic_git.law.precedence import Law
    from nomic_git.law.rule_change import RuleChange

LONGEST = 20_000
"""Characters of a difference that are shown."""

MOST_LINES = 800
"""Lines of either side that are compared, from the first that differs; the time grows with their square or worse."""

_CUT = "... (cut here; see the branch for the rest)"
_HUNK = re.compile(r"@@ -(\d+)(,\d+)? \+(\d+)(,\d+)? @@")
_CONTEXT = 3
_SHOWN_AS_CODES = {"Cc", "Cf", "Co", "Cs", "Cn", "Zl", "Zp"}
_LOOK_LIKE_NOTHING = {"\u115f", "\u1160", "\u3164", "\uffa0", "\u2800", "\u034f", "\u17b4", "\u17b5", "\u180e"}


_MARK = "<!-- nomic-git:"
"""How the marks begin that the referee's own comments bear."""


def visible(text: str) -> str:
    """Return text with its invisible and bidirectional characters written as `[U+200B]`, and no mark of ours whole."""
    text = text.replace(_MARK, "<! -- nomic-git:")
    if text.isascii() and text.isprintable():
        return text
    return "".join(one if _is_plain(one) else f"[U+{ord(one):04X}]" for one in text)


def _is_plain(character: str) -> bool:
    if character in "\n\t ":
        return True
    if character in _LOOK_LIKE_NOTHING or "\ufe00" <= character <= "\ufe0f":
        return False
    category = unicodedata.category(character)
    return category not in _SHOWN_AS_CODES and category != "Zs"


def difference(change: RuleChange, before: Law, after: Law | None, number: int | None) -> str:
    """Return what adoption would do to the rule's file, as a unified difference against the tip.

    `after` is the law that adoption would leave, None where it cannot be adopted as it stands: then the
    proposal's own file is shown against the rule as it is now. Longer differences are cut, which the last line says.
    """
    # A rule that was renumbered meanwhile is still the one that the proposal speaks of.
    old = before.rulebook.named(change.rule) if change.rule is not None else None
    new = after.rulebook.rules.get(number) if after is not None and number is not None else None
    old_text = (old.source if old else b"").decode("utf-8", "replace")
    source = new.source if new is not None else (change.after or b"")
    new_text = "" if change.after is None else source.decode("utf-8", "replace")
    is_moved = new is not None or change.kind is ChangeKind.TRANSMUTE
    if old is not None and is_moved and old_text == new_text:
        return f"{old.path} -> {new.path if new is not None else visible(change.new_path or '')}"
    old_path = old.path if old else "/dev/null"
    new_path = "/dev/null" if change.after is None else (new.path if new else visible(change.new_path or ""))
    whole = "\n".join(_compared(_lines(old_text), _lines(new_text), old_path, new_path))
    return whole if len(whole) <= LONGEST else f"{whole[:LONGEST]}\n{_CUT}"


def added(path: str, source: bytes) -> str:
    """Return what a new file would add, as `difference` shows it."""
    whole = "\n".join(_compared([], _lines(source.decode("utf-8", "replace")), "/dev/null", visible(path)))
    return whole if len(whole) <= LONGEST else f"{whole[:LONGEST]}\n{_CUT}"


def _compared(old: list[str], new: list[str], old_path: str, new_path: str) -> Iterator[str]:
    """Yield the unified difference of two texts; what they begin and end with alike is not compared."""
    first = _alike(old, new)
    last = min(_alike(old[::-1], new[::-1]), min(len(old), len(new)) - first)
    begin = max(0, first - _CONTEXT)
    ends = [len(side) - max(0, last - _CONTEXT) for side in (old, new)]
    one, other = (side[begin : min(end, first + MOST_LINES)] for side, end in zip((old, new), ends, strict=True))
    for line in unified_diff(one, other, old_path, new_path, lineterm="", n=_CONTEXT):
        hunk = _HUNK.fullmatch(line)
        yield line if hunk is None else _moved(hunk, begin)
    if max(ends) > first + MOST_LINES:
        yield _CUT


def _alike(one: list[str], other: list[str]) -> int:
    """Return how many lines two texts begin with alike."""
    return next(
        (at for at, (left, right) in enumerate(zip(one, other, strict=False)) if left != right),
        min(len(one), len(other)),
    )


def _moved(hunk: re.Match[str], lines: int) -> str:
    first, many, second, more = hunk.groups(default="")
    return f"@@ -{int(first) + lines}{many} +{int(second) + lines}{more} @@"


def _lines(text: str) -> list[str]:
    if not text:
        return []
    lines = [visible(line) for line in text.split("\n")]
    return lines[:-1] if text.endswith("\n") else [*lines[:-1], f"{lines[-1]} [no newline]"]


def fence(text: str) -> str:
    """Return a fence of backticks longer than any run of them in the text, so that nothing breaks out."""
    longest = run = 0
    for character in text:
        run = run + 1 if character == "`" else 0
        longest = max(longest, run)
    return "`" * max(3, longest + 1)
