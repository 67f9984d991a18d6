"""The rounds of a game: where in the history each begins and ends, and the commit that begins another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from nomic_git.game.event import Event, EventKind
from nomic_git.game.round import next_round
from nomic_git.law.errors import NomicError, Unreadable
from nomic_git.law.precedence import read_law
from nomic_git.repository.founding import check_numbers
from nomic_git.repository.history import Recorded, events, first_parents, recorded_event
from nomic_git.repository.position import position_at, state_at
from nomic_git.repository.record import tree_after, write_event
from nomic_git.repository.settings import NOMIC_TOML, write_settings
from nomic_git.repository.tree import graft

if TYPE_CHECKING:
    from pygit2 import Commit, Oid

    from nomic_git.law.rulebook import Rulebook
    from nomic_git.repository.clone import Clone

_FOUNDS = b"\nNomic-Event: founded\n"


class NoSuchRound(NomicError):
    """A number of a round that the game has not had."""


@dataclass(frozen=True, slots=True)
class Round:
    """One round: its number from 1, the commit that began it, and the last commit of the game branch in it.

    `founding` is None for the first, to which everything belongs that came before the second. `left` is up to where
    the numbers of the forge's proposals belong to earlier rounds, None where there were none.
    """

    number: int
    founding: Commit | None
    left: int | None
    end: Commit


def rounds(clone: Clone) -> Sequence[Round]:
    """Return the rounds that the game has had, the one that is being played included, oldest first."""
    found: list[tuple[Commit, Event, Commit]] = []
    end = clone.tip
    for commit in first_parents(clone):
        event = _beginning(clone, commit)
        if event is not None:
            found.append((commit, event, end))
            end = commit.parents[0]
    later = [Round(at, begun, event.left, to) for at, (begun, event, to) in enumerate(reversed(found), start=2)]
    return (Round(1, None, None, end), *later)


def round_of(clone: Clone, number: int | None) -> Round:
    """Return the round with this number, the one that is being played where it is None. Raises NoSuchRound."""
    had = rounds(clone)
    if number is None:
        return had[-1]
    if not 0 < number <= len(had):
        there = "one round" if len(had) == 1 else f"{len(had)} rounds"
        raise NoSuchRound(f"there is no round {number}; this game has had {there} so far: nomic-git log")
    return had[number - 1]


def events_of(clone: Clone, one: Round) -> Iterator[Recorded]:
    """Yield the events of a round, newest first, its founding included."""
    for recorded in events(clone, one.end):
        yield recorded
        if one.founding is not None and recorded.commit == str(one.founding.id):
            return


def events_in(clone: Clone, number: int | None) -> Iterator[Recorded]:
    """Yield the events of all rounds, or of the one with this number, newest first. Raises NoSuchRound."""
    return events(clone) if number is None else events_of(clone, round_of(clone, number))


def _beginning(clone: Clone, commit: Commit) -> Event | None:
    """Return the founding by which a commit begins another round, None where it does not.

    The scores before it and in it say so: a message that only claims it is no event (design section 5).
    """
    if _FOUNDS not in commit.raw_message or not commit.parents:
        return None
    recorded = recorded_event(commit)
    if recorded is None or recorded.event.kind is not EventKind.FOUNDED:
        return None
    try:
        before = state_at(clone.trees, commit.parents[0].tree_id.raw).round
        after = state_at(clone.trees, commit.tree_id.raw).round
    except Unreadable:
        return None
    return recorded.event if after == before + 1 else None


def write_round(clone: Clone, event: Event, rulebook: Rulebook | None, language: str) -> Oid:
    """Write the founding of another round on the tip as one commit, on no branch yet, and return its id.

    `rulebook` is what it starts from, None for the rules as they stand; `language` is written into the settings
    where the game's was another. Raises Impossible where the round before has no winner, CannotFound where numbers
    of another rulebook and of proposals would collide.
    """
    tree = clone.tip.tree_id.raw
    before = replace(position_at(clone.trees, tree), language=language)
    if rulebook is not None:
        check_numbers(rulebook)
    there = next_round(before, before.law if rulebook is None else read_law(rulebook), event)
    if language != clone.settings.language:
        with_settings = graft(
            clone.trees, tree, {NOMIC_TOML: write_settings(replace(clone.settings, language=language))}
        )
        with_settings.write(clone.repository)
        tree = with_settings.tree
    made = tree_after(clone.trees, tree, before, there).write(clone.repository)
    return write_event(clone, [clone.tip.id], made, event)
