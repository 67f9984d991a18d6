"""A rule-change in a word and its numbers, as events and the scores record it (design section 5)."""

from __future__ import annotations

from dataclasses import dataclass

from nomic_git.law.errors import Unreadable
from nomic_git.law.kinds import ChangeKind
from nomic_git.law.number import read_number


@dataclass(frozen=True, slots=True)
class ChangeRecord:
    """A rule-change as the record has it: its kind, the rule's number before, the number it has now.

    An enacted rule had none before; a repealed one, and one in a defeated proposal, gets none.
    """

    kind: ChangeKind
    rule: int | None
    becomes: int | None = None


def write_change(change: ChangeRecord) -> str:
    """Return a rule-change as the trailer `Nomic-Change` records it, as in `amend 203 12`."""
    return " ".join(str(part) for part in (change.kind, change.rule, change.becomes) if part is not None)


def read_change(text: str | None) -> ChangeRecord | None:
    """Return the rule-change that the trailer `Nomic-Change` records. Raises Unreadable where it records none."""
    if text is None:
        return None
    kind, *rest = text.split(" ")
    numbers = [read_number(one) for one in rest]
    if kind not in {*ChangeKind} or None in numbers:
        raise Unreadable(f"Nomic-Change: {text!r} is no rule-change")
    if kind == ChangeKind.ENACT:
        numbers.insert(0, None)
    if len(numbers) not in {1, 2}:
        raise Unreadable(f"Nomic-Change: {text!r} names no rule, or too many")
    return ChangeRecord(ChangeKind(kind), *numbers)
