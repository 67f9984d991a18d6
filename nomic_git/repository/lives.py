"""The life of a rule through its numbers: by the record alone, never by similarity (108; design section 13)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import pygit2

from nomic_git.game.event import EventKind, find_trailers, read_change
from nomic_git.law.errors import Unreadable
from nomic_git.law.number import read_number
from nomic_git.repository.position import rulebook_at

if TYPE_CHECKING:
    from nomic_git.repository.clone import Clone


_OF_RULES = re.compile(r"^Nomic-Event: (?:founded|adopted|relaxed)$", re.MULTILINE)


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
    """Where the changes of the record stand: messages by the number a rule had before and the one it had after.

    Only those of one rule's life are read as events; a long game has too many to read them all.
    """

    becoming: dict[int, _Message] = field(default_factory=dict)
    leaving: dict[int, _Message] = field(default_factory=dict)
    relaxed: dict[int, list[_Message]] = field(default_factory=dict)
    founding: _Message | None = None


class _Message(NamedTuple):
    """The record of a commit of the game branch, and what it says of a rule's numbers."""

    commit: str
    time: int
    trailers: Mapping[str, str]
    rule: int | None
    becomes: int | None


def life(clone: Clone, number: int) -> Sequence[Turning]:
    """Return the life of the rule that has, or ever had, this number; oldest first, empty where none had."""
    register = _register(clone)
    first = _first_number(register, number)
    if first in register.becoming:
        begun = _turning(register.becoming[first], first)
    elif register.founding is not None and first in _founding_rules(clone, register.founding.commit):
        begun = Turning(first, None, "founded", register.founding.commit, register.founding.time)
    else:
        return ()
    return (begun, *_later(register, first))


def _register(clone: Clone) -> _Register:
    # One run of git reads ten thousand messages in the time in which pygit2 makes a thousand objects of them.
    listed = clone.git("log", "--first-parent", "--encoding=UTF-8", "--format=%x00%H %ct%n%B", str(clone.tip.id))
    register = _Register()
    for entry in reversed(listed.split("\0")):
        if _OF_RULES.search(entry) is not None:
            _enter(register, entry)
    return register


def _enter(register: _Register, entry: str) -> None:
    """Enter what a commit says of a rule; what cannot be read says nothing."""
    head, _, text = entry.partition("\n")
    commit, _, time = head.partition(" ")
    try:
        trailers = find_trailers(text) or {}
        change = read_change(trailers.get("Nomic-Change"))
    except Unreadable:
        return
    rule = change.rule if change is not None else read_number(trailers.get("Nomic-Rule", ""))
    message = _Message(commit, int(time), trailers, rule, change.becomes if change is not None else None)
    kind = trailers.get("Nomic-Event")
    if kind == EventKind.FOUNDED:
        register.founding = register.founding or message
    elif kind == EventKind.RELAXED and rule is not None:
        register.relaxed.setdefault(rule, []).append(message)
    elif kind == EventKind.ADOPTED:
        if message.becomes is not None:
            register.becoming.setdefault(message.becomes, message)
        if rule is not None:
            register.leaving.setdefault(rule, message)


def _first_number(register: _Register, number: int) -> int:
    seen = {number}
    while number in register.becoming:
        before = register.becoming[number].rule
        if before is None or before in seen:
            break
        number = before
        seen.add(number)
    return number


def _later(register: _Register, number: int) -> Iterator[Turning]:
    """Yield what came after the beginning: relaxations, then the change that gave the next number or none."""
    seen: set[int] = set()
    while number not in seen:
        seen.add(number)
        yield from (Turning(number, None, "relax", one.commit, one.time) for one in register.relaxed.get(number, ()))
        left = register.leaving.get(number)
        if left is None:
            return
        yield _turning(left, number if left.becomes is None else left.becomes)
        if left.becomes is None:
            return
        number = left.becomes


def _turning(message: _Message, number: int) -> Turning:
    kind = message.trailers.get("Nomic-Change", "").partition(" ")[0]
    proposal = read_number(message.trailers.get("Nomic-Proposal", ""))
    return Turning(number, proposal, kind, message.commit, message.time)


def _founding_rules(clone: Clone, founding: str) -> Mapping[int, object]:
    commit = clone.repository[founding].peel(pygit2.Commit)
    return rulebook_at(clone.trees, commit.tree_id.raw).rules
