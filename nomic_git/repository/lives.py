"""The life of a rule through its numbers: by the record alone, never by similarity (108; design section 13)."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import pygit2

from nomic_git.game.change_record import read_change
from nomic_git.game.trailers import EventKind, find_trailers
from nomic_git.law.errors import Unreadable
from nomic_git.law.number import read_number
from nomic_git.law.rule import Status, rule_path

if TYPE_CHECKING:
    from nomic_git.repository.clone import Clone
    from nomic_git.repository.rounds import Round


_NAMING = re.compile(r"\nNomic-(?:Change|Rule): (.*)")
_FOUNDED = "\nNomic-Event: founded\n"


@dataclass(frozen=True, slots=True)
class Turning:
    """One turning of a rule's life: the number it has from then on, the proposal, what happened, when.

    `kind` is a kind of rule-change, `founded`, `relax`, or `voided` where the change before it was taken back, since it
    was illegal; `time` is in seconds since the epoch.
    """

    number: int
    proposal: int | None
    kind: str
    commit: str
    time: int


class _Message(NamedTuple):
    """The record of a commit of the game branch, where it is in the list, and what it says of a rule's numbers."""

    at: int
    commit: str
    time: int
    trailers: Mapping[str, str]
    rule: int | None
    becomes: int | None

    @property
    def kind(self) -> str | None:
        """The kind of event."""
        return self.trailers.get("Nomic-Event")


@dataclass(frozen=True, slots=True)
class _Register:
    """The messages of the game branch as git lists them, newest first, and where in them each number is named.

    Only those that name a number of the one rule are read as records; a long game has too many to read them all.
    """

    listed: str
    naming: Mapping[str, Sequence[int]]

    def becoming(self, number: int) -> _Message | None:
        """Return the adoption that gave a rule this number, None where none did."""
        adopted = (one for one in self._messages(number) if one.kind == EventKind.ADOPTED)
        return next((one for one in adopted if one.becomes == number), None)

    def following(self, number: int, last: int | None) -> _Message | None:
        """Return what came next for the rule with this number, after the message at a place, None where nothing did."""
        later = (one for one in self._messages(number) if last is None or one.at < last)
        return next((one for one in later if _turns(one, number)), None)

    @property
    def founding(self) -> _Message | None:
        """The founding of the game, None where the branch has none."""
        at = self.listed.rfind(_FOUNDED)
        while at >= 0:
            message = self._read(at)
            if message is not None and message.kind == EventKind.FOUNDED:
                return message
            at = self.listed.rfind(_FOUNDED, 0, at)
        return None

    def _messages(self, number: int) -> Iterator[_Message]:
        """Yield the messages that name this number, oldest first."""
        read = map(self._read, reversed(self.naming.get(str(number), ())))
        return (one for one in read if one is not None)

    def _read(self, at: int) -> _Message | None:
        """Return the message around a place, None where it cannot be read: then it says nothing of a rule."""
        start, end = self.listed.rindex("\0", 0, at) + 1, self.listed.find("\0", at)
        head, _, text = self.listed[start : end if end >= 0 else None].partition("\n")
        commit, _, time = head.partition(" ")
        try:
            trailers = find_trailers(text) or {}
            change = read_change(trailers.get("Nomic-Change"))
        except Unreadable:
            return None
        if change is not None:
            return _Message(start, commit, int(time), trailers, change.rule, change.becomes)
        return _Message(start, commit, int(time), trailers, read_number(trailers.get("Nomic-Rule", "")), None)


def life(clone: Clone, number: int, one: Round | None = None) -> Sequence[Turning]:
    """Return the life of the rule that has, or ever had, this number; oldest first, empty where none had.

    With `one`, it is the rule that had it in that round, from the founding of the round on: others may have given the
    number to another rule.
    """
    register = _register(clone, one)
    first = _first_number(register, number)
    given, founding = register.becoming(first), register.founding
    if given is not None:
        begun = _turning(given, first)
    elif founding is not None and _was_there(clone, founding.commit, first):
        begun = Turning(first, None, "founded", founding.commit, founding.time)
    else:
        return ()
    return (begun, *_later(register, first))


def _register(clone: Clone, one: Round | None) -> _Register:
    revisions = [str((clone.tip if one is None else one.end).id)]
    if one is not None and one.founding is not None:
        revisions += [f"^{parent}" for parent in one.founding.parent_ids[:1]]
    # One run of git reads ten thousand messages in the time in which pygit2 makes a thousand objects of them.
    listed = clone.git("log", "--first-parent", "--encoding=UTF-8", "--format=%x00%H %ct%n%B", *revisions)
    naming: defaultdict[str, list[int]] = defaultdict(list)
    for line in _NAMING.finditer(listed):
        for word in line[1].split(" "):
            naming[word].append(line.start())
    return _Register(listed, naming)


def _first_number(register: _Register, number: int) -> int:
    seen = {number}
    while (given := register.becoming(number)) is not None:
        if given.rule is None or given.rule in seen:
            break
        number = given.rule
        seen.add(number)
    return number


def _turns(message: _Message, number: int) -> bool:
    """Return whether a message tells a turning of the rule that has this number before it."""
    if message.kind == EventKind.VOIDED and message.becomes is not None:
        return message.becomes == number
    return message.kind in {EventKind.ADOPTED, EventKind.RELAXED, EventKind.VOIDED} and message.rule == number


def _later(register: _Register, number: int) -> Iterator[Turning]:
    """Yield what came after the beginning: what relaxed the rule, changed it, and took a change of it back."""
    given = register.becoming(number)
    last = None if given is None else given.at
    while (one := register.following(number, last)) is not None:
        last = one.at
        if one.kind == EventKind.RELAXED:
            yield Turning(number, None, "relax", one.commit, one.time)
            continue
        after = one.rule if one.kind == EventKind.VOIDED else one.becomes
        number = number if after is None else after
        yield _turning(one, number)


def _turning(message: _Message, number: int) -> Turning:
    changed = message.trailers.get("Nomic-Change", "").partition(" ")[0]
    kind = "voided" if message.kind == EventKind.VOIDED else changed
    proposal = read_number(message.trailers.get("Nomic-Proposal", ""))
    return Turning(number, proposal, kind, message.commit, message.time)


def _was_there(clone: Clone, commit: str, number: int) -> bool:
    """Return whether a rule had this number at a commit."""
    tree = clone.repository[commit].peel(pygit2.Commit).tree_id.raw
    return any(clone.trees.entry(tree, rule_path(number, status)) is not None for status in Status)
