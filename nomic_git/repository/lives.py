"""The life of a rule through its numbers: by the record alone, never by similarity (108; design section 13)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pygit2

from nomic_git.game.event import EventKind
from nomic_git.law.kinds import ChangeKind
from nomic_git.repository.history import Recorded, events, rulebook_at

if TYPE_CHECKING:
    from nomic_git.repository.clone import Clone


@dataclass(frozen=True, slots=True)
class Turning:
    """One turning of a rule's life: the number it has from then on, the proposal, what happened, when.

    `kind` is a kind of rule-change, `founded` or `relax`; `time` is in seconds since the epoch.
    """

    number: int
    proposal: int | None
    kind: str
    commit: str
    time: int


@dataclass(slots=True)
class _Register:
    """The changes of the record by the number that a rule had before and by the one it had after."""

    becoming: dict[int, Recorded] = field(default_factory=dict)
    leaving: dict[int, Recorded] = field(default_factory=dict)
    relaxed: dict[int, list[Recorded]] = field(default_factory=dict)
    founding: Recorded | None = None


def life(clone: Clone, number: int) -> Sequence[Turning]:
    """Return the life of the rule that has, or ever had, this number; oldest first, empty where none had."""
    register = _register(clone)
    first = _first_number(register, number)
    turnings: list[Turning] = []
    if first in register.becoming:
        turnings.append(_turning(register.becoming[first], first))
    elif register.founding is not None and first in _founding_rules(clone, register.founding):
        turnings.append(Turning(first, None, "founded", register.founding.commit, register.founding.event.time))
    else:
        return ()
    turnings.extend(_later(register, first))
    return turnings


def _register(clone: Clone) -> _Register:
    register = _Register()
    for one in events(clone):
        change = one.event.change
        if one.event.kind is EventKind.ADOPTED and change is not None:
            if change.becomes is not None:
                register.becoming[change.becomes] = one
            if change.rule is not None:
                register.leaving[change.rule] = one
        elif one.event.kind is EventKind.RELAXED and one.event.rule is not None:
            register.relaxed.setdefault(one.event.rule, []).insert(0, one)
        elif one.event.kind is EventKind.FOUNDED:
            register.founding = one
    return register


def _first_number(register: _Register, number: int) -> int:
    seen = {number}
    while number in register.becoming:
        change = register.becoming[number].event.change
        if change is None or change.rule is None or change.rule in seen:
            break
        number = change.rule
        seen.add(number)
    return number


def _later(register: _Register, number: int) -> Sequence[Turning]:
    turnings: list[Turning] = []
    seen: set[int] = set()
    while number not in seen:
        seen.add(number)
        turnings.extend(
            Turning(number, None, "relax", one.commit, one.event.time) for one in register.relaxed.get(number, ())
        )
        left = register.leaving.get(number)
        change = left.event.change if left is not None else None
        if left is None or change is None:
            break
        repealed = change.kind is ChangeKind.REPEAL or change.becomes is None
        turnings.append(_turning(left, number if change.becomes is None else change.becomes))
        if repealed or change.becomes is None:
            break
        number = change.becomes
    return turnings


def _turning(recorded: Recorded, number: int) -> Turning:
    event = recorded.event
    kind = event.change.kind.value if event.change is not None else event.kind.value
    return Turning(number, event.proposal, kind, recorded.commit, event.time)


def _founding_rules(clone: Clone, founding: Recorded) -> Mapping[int, object]:
    commit = clone.repository[founding.commit].peel(pygit2.Commit)
    return rulebook_at(clone.trees, commit.tree_id.raw).rules
