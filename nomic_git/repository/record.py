"""The record: events written as commits of the game branch (design section 5)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import pygit2

from nomic_git import locales
from nomic_git.game.event import Event, write_trailers
from nomic_git.game.state import write_state
from nomic_git.repository.clone import SCORES, Clone
from nomic_git.repository.history import REFEREE
from nomic_git.repository.tree import Graft, Trees, graft, write_object

if TYPE_CHECKING:
    from pygit2 import Oid

    from nomic_git.game.position import Position

SCORES_PAGE = "SCORES.md"


def message(event: Event) -> str:
    """Return the message of an event's commit: a line for people, and the trailers."""
    trailers = "\n".join(f"{key}: {value}" for key, value in write_trailers(event))
    return f"{locales.subject(event)}\n\n{trailers}\n"


def tree_after(trees: Trees, tree: bytes | None, before: Position | None, after: Position) -> Graft:
    """Return the tree that an event leaves: the changed rule, the roll call and the scores, nothing else."""
    files: dict[str, bytes | None] = {}
    old, new = before.law.rulebook.rules if before else {}, after.law.rulebook.rules
    files.update({rule.path: None for number, rule in old.items() if new.get(number) is not rule})
    files.update({rule.path: rule.source for number, rule in new.items() if old.get(number) is not rule})
    seats = before.players if before else {}
    if seats is not after.players:
        files.update({f"players/{login}.md": None for login in seats if login not in after.players})
        files.update(
            {f"players/{login}.md": one.source for login, one in after.players.items() if seats.get(login) is not one}
        )
    files[SCORES] = write_state(after.state)
    files[SCORES_PAGE] = locales.scores_page(after.state)
    return graft(trees, tree, files)


def write_event(clone: Clone, parents: list[Oid], tree: Oid, event: Event) -> Oid:
    """Write an event as one commit, on no branch yet, and return its id.

    Everything in it follows from the position and the event, so that whoever writes it writes the same.
    """
    return write_object(clone.repository, pygit2.enums.ObjectType.COMMIT, event_commit(tree.raw, parents, event))


def event_commit(tree: bytes, parents: Sequence[Oid], event: Event) -> bytes:
    """Return the bytes of an event's commit, every one of which follows from the position and the event."""
    signature = f"{REFEREE[0]} <{REFEREE[1]}> {event.time} +0000"
    lines = [f"tree {tree.hex()}", *(f"parent {parent}" for parent in parents)]
    lines += [f"author {signature}", f"committer {signature}", "", message(event)]
    return "\n".join(lines).encode()
