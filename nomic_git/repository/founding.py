"""Founding a game: the first event (design sections 2 and 10)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

import pygit2

from nomic_git.game.event import Event, EventKind
from nomic_git.game.transition import founded
from nomic_git.law.errors import NomicError
from nomic_git.law.precedence import read_law
from nomic_git.law.provisions import PROPOSALS_NUMBERING, Successive
from nomic_git.law.rulebook import Rulebook, read_rulebook
from nomic_git.repository.clone import SCORES, Clone, NotHere, Refused, game_elsewhere, open_repository, run_git
from nomic_git.repository.history import REFEREE
from nomic_git.repository.position import EMPTY_FOLDER
from nomic_git.repository.record import tree_after, write_event
from nomic_git.repository.settings import NOMIC_TOML, ForgeName, Settings, checked, write_settings
from nomic_git.repository.tree import Trees, graft
from nomic_git.repository.workflows import checked_source, release, workflows

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

    from pygit2 import Oid

    from nomic_git.game.player import Player


class CannotFound(NomicError):
    """A game that cannot be founded here, or not with this rulebook."""


@dataclass(frozen=True, slots=True)
class Ruleset:
    """A rulebook that ships: its name, what it is called, what is particular about it, its languages."""

    name: str
    title: str
    summary: str
    languages: tuple[str, ...]


def rulesets() -> Sequence[Ruleset]:
    """Return the rulebooks that ship, by name."""
    import tomllib

    found = []
    for folder in sorted(_shelf().iterdir(), key=lambda one: one.name):
        if not folder.joinpath("ruleset.toml").is_file():
            continue
        plain = tomllib.loads(folder.joinpath("ruleset.toml").read_text("utf-8"))
        languages = tuple(sorted(one.name for one in folder.iterdir() if one.is_dir()))
        found.append(Ruleset(plain["name"], plain["title"], plain["summary"], languages))
    return found


def _shelf() -> Traversable:
    return files("nomic_git").joinpath("rulesets")


def shipped(name: str, language: str) -> Rulebook:
    """Return a rulebook that ships. Raises CannotFound where there is none of that name or language."""
    ruleset = next((one for one in rulesets() if one.name == name), None)
    if ruleset is None:
        names = ", ".join(one.name for one in rulesets())
        raise CannotFound(f"there is no rulebook {name!r} to start from; there are {names}")
    if language not in ruleset.languages:
        raise CannotFound(f"{name} is not there in {language!r}; it is in {', '.join(ruleset.languages)}")
    folder = _shelf().joinpath(name, language)
    return read_rulebook(
        {
            f"rules/{status}/{file.name}": file.read_bytes()
            for status in ("immutable", "mutable")
            for file in folder.joinpath(status).iterdir()
        }
    )


def check_numbers(rulebook: Rulebook) -> None:
    """Raise CannotFound where numbers of proposals would collide with those of rules (design section 2).

    Where any rule's number is positive, a series that begins above the highest and not below 301 is needed.
    """
    highest = max((number for rule in rulebook for number in rule.numbers), default=0)
    numbering = read_law(rulebook).value(PROPOSALS_NUMBERING)
    first = numbering.first if isinstance(numbering, Successive) else 0
    if highest > 0 and first <= max(highest, 300):
        needed = max(highest + 1, 301)
        raise CannotFound(
            f"a rule has the number {highest}, so proposals need numbers of their own: let a rule provide "
            f"proposals.numbering: {{successive: {needed}}}"
        )


def found(
    folder: Path,
    rulebook: Rulebook,
    players: Mapping[str, Player],
    settings: Settings,
    time: int,
    source: str | None = None,
) -> Clone:
    """Found a game in a folder, in seconds since the epoch, and return the clone that it is in.

    The folder becomes a repository if it is none; a repository without a game gets one in a single commit
    on the branch that it has checked out. Before it, a game on GitHub gets the workflows that run the referee, in a
    commit that is none of the game's; they install it from `source`, by default this release from PyPI.
    Raises CannotFound where there is a game already, or where the numbers of rules and proposals would collide;
    Unreadable where a setting is none; NoSource where `source` is none.
    """
    check_numbers(rulebook)
    checked(settings)
    source = checked_source(source or release())
    repository = _repository(folder, settings)
    branch = repository.references["HEAD"].raw_target  # a symbolic one gives bytes, a detached one an id
    if not isinstance(branch, bytes) or not branch.startswith(b"refs/heads/"):
        raise NotHere("no branch is checked out here (a detached head); run: git switch main")
    settings = checked(replace(settings, branch=branch.removeprefix(b"refs/heads/").decode("utf-8", "replace")))
    trees = Trees(repository)
    clone = Clone(repository, settings, trees)
    elsewhere = game_elsewhere(repository)
    if elsewhere is not None:
        raise CannotFound(f"there is a game at {elsewhere} already; bring it: git pull")
    tip = None if repository.head_is_unborn else clone.tip
    tree = tip.tree_id.raw if tip is not None else None
    for path in (SCORES, "rules", "players", "SCORES.md"):
        if tree is not None and trees.entry(tree, path) is not None:
            raise CannotFound(f"there is a {path} here already, so a game; see where it stands: nomic-git scores")
    old = tip.id if tip is not None else None
    before = _with_workflows(clone, tree, old, time, source) if settings.forge is ForgeName.GITHUB else old
    if before is not None:
        tree = repository[before].peel(pygit2.Tree).id.raw
    position = founded(read_law(rulebook), players, time, settings.language)
    event = Event(EventKind.FOUNDED, time)
    with_settings = graft(trees, tree, beside_the_law(write_settings(settings), players))
    with_settings.write(repository)
    final = tree_after(trees, with_settings.tree, None, position)
    commit = write_event(clone, [before] if before is not None else [], final.write(repository), event)
    clone.advance(old, commit)
    return clone


def _with_workflows(clone: Clone, tree: bytes | None, old: Oid | None, time: int, source: str) -> Oid | None:
    """Write the commit before the founding, on no branch yet, and return it; `old` where there is nothing to write."""
    wanted = workflows(clone.settings.branch, source)
    for path, data in wanted.items():
        standing = clone.trees.entry(tree, path) if tree is not None else None
        if standing is not None and clone.trees.file(tree or b"", path) != data:
            raise CannotFound(f"there is another {path} here already; rename it (git mv), commit, then try again")
    with_them = graft(clone.trees, tree, wanted)
    if with_them.tree == tree:
        return old
    signature = pygit2.Signature(*REFEREE, time, 0)
    words = "Let GitHub run the referee\n\nThese workflows are not the game's, so they stand before its founding.\n"
    made = with_them.write(clone.repository)
    return clone.repository.create_commit(None, signature, signature, words, made, [old] if old is not None else [])


def beside_the_law(settings: bytes | None, players: Mapping[str, Player]) -> Mapping[str, bytes | None]:
    """Return the files that a founding brings besides the law, the scores and the players' files."""
    return {NOMIC_TOML: settings, **({} if players else {EMPTY_FOLDER: b""})}


def _repository(folder: Path, settings: Settings) -> pygit2.Repository:
    found_at = pygit2.discover_repository(str(folder)) if folder.is_dir() else None
    if found_at is not None:
        repository = open_repository(folder)
        if repository.is_bare:
            raise NotHere("this repository is bare; start the game in a clone of it")
        if Path(repository.workdir).resolve() == folder.resolve():
            return repository
    if folder.is_dir() and any(folder.iterdir()):
        raise CannotFound(
            f"{folder} is not empty and no repository of its own; name a new folder, or run git init there first"
        )
    try:
        folder.mkdir(parents=True, exist_ok=True)
        run_git(folder, "init", "-q", "--object-format=sha1", "-b", settings.branch)
    except (OSError, Refused) as error:
        raise CannotFound(f"{folder} cannot be made: {error}") from None
    return open_repository(folder)
