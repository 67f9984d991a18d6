"""The history as the ledger: positions read from commits, events written as commits (design section 5)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING

import pygit2

from nomic_git import locales
from nomic_git.game.event import Event, find_trailers, read_event, write_trailers
from nomic_git.game.player import Player, read_player, read_player_path
from nomic_git.game.position import Position
from nomic_git.game.state import read_state, write_state
from nomic_git.law.errors import Unreadable
from nomic_git.law.front_matter import LARGEST_FILE
from nomic_git.law.precedence import read_law
from nomic_git.law.rule import read_rule
from nomic_git.law.rulebook import Rulebook, read_rulebook
from nomic_git.repository.clone import SCORES, Clone
from nomic_git.repository.tree import FILE, Graft, Trees, graft, write_object

if TYPE_CHECKING:
    from pygit2 import Commit, Oid

    from nomic_git.game.state import State

SCORES_PAGE = "SCORES.md"
EMPTY_FOLDER = "players/.gitkeep"
"""Keeps the folder there in a game that nobody has joined yet, so that a web page shows where to add a file."""

REFEREE = ("nomic-git referee", "referee@nomic-git.invalid")
"""Who signs the events. The same for every clone, so that the same world makes the same commit."""

_remembered = lru_cache(maxsize=1024)(read_rule)


def rulebook_at(trees: Trees, tree: bytes) -> Rulebook:
    """Return the rulebook in a tree, no checkout needed. Raises Unreadable, naming the file that is no rule."""
    files = {}
    for path, entry in trees.files(tree, "rules"):
        if entry.mode != FILE:
            raise Unreadable(f"{path} is no plain file; a rule is one")
        if trees.size(entry.id) > LARGEST_FILE:
            raise Unreadable(f"{path} is longer than {LARGEST_FILE} bytes")
        files[path] = trees.blob(entry.id)
    return read_rulebook(files, _remembered)


def players_at(trees: Trees, tree: bytes) -> Mapping[str, Player]:
    """Return the players' files in a tree by login. Raises Unreadable, naming the file that is none."""
    players = {}
    for path, entry in trees.files(tree, "players"):
        if path == EMPTY_FOLDER:
            continue
        login = read_player_path(path)
        if login is None or entry.mode != FILE:
            raise Unreadable(f"{path} is no player's file; it is players/LOGIN.md, a plain file")
        try:
            players[login] = read_player(login, trees.blob(entry.id))
        except Unreadable as error:
            raise Unreadable(f"{path}: {error}") from None
    return MappingProxyType(players)


def state_at(trees: Trees, tree: bytes) -> State:
    """Return where the game stands by the `scores.json` in a tree. Raises Unreadable."""
    source = trees.file(tree, SCORES)
    if source is None:
        raise Unreadable(f"{SCORES} is missing; restore it from the last event's commit")
    return read_state(source)


def position_at(trees: Trees, tree: bytes) -> Position:
    """Return the position in a tree. Raises Unreadable, naming the file that cannot be read."""
    law = trees.once("rules", tree, lambda: read_law(rulebook_at(trees, tree)))
    players = trees.once("players", tree, lambda: players_at(trees, tree))
    return Position(law, players, state_at(trees, tree))


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
            {f"players/{one.login}.md": one.source for one in after.players.values() if one.login not in seats}
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


@dataclass(frozen=True, slots=True)
class Recorded:
    """A commit of the game branch that records an event."""

    event: Event
    commit: str
    parents: tuple[str, ...]


def first_parents(clone: Clone, tip: Commit | None = None) -> Iterator[Commit]:
    """Yield the commits of the game branch, newest first, along first parents."""
    # libgit2's walk would read the proposals' commits too, and costs twice what the replay of the messages does.
    at: Commit = tip or clone.tip
    yield at
    while parents := at.parent_ids:
        parent = clone.repository[parents[0]]
        assert isinstance(parent, pygit2.Commit), "a commit's parent is a commit"
        at = parent
        yield at


def events(clone: Clone, tip: Commit | None = None) -> Iterator[Recorded]:
    """Yield the events of the game branch, newest first. Commits that record none are passed over."""
    for commit in first_parents(clone, tip):
        recorded = recorded_event(commit)
        if recorded is not None:
            yield recorded


def recorded_event(commit: Commit) -> Recorded | None:
    """Return the event that a commit records, None where it records none that can be read."""
    try:
        event = claimed_event(commit)
    except Unreadable:
        return None
    if event is None:
        return None
    return Recorded(event, str(commit.id), tuple(str(parent) for parent in commit.parent_ids))


def claimed_event(commit: Commit) -> Event | None:
    """Return the event that a commit's trailers claim, None where they claim none.

    The message is read as UTF-8 whatever encoding its commit names: with another, a record could be hidden
    in words that look like none. Raises Unreadable where the trailers cannot be read.
    """
    trailers = find_trailers(commit.raw_message.decode("utf-8", "replace"))
    return None if trailers is None else read_event(trailers, commit.commit_time)
