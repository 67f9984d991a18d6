"""Checking before anybody votes: is this rulebook, or this change, in order? (design section 13)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import pygit2

from nomic_git import locales
from nomic_git.game import limits
from nomic_git.game.docket import hindrance
from nomic_git.game.player import player_path, read_player, read_player_path
from nomic_git.game.position import adopting
from nomic_git.game.state import read_state
from nomic_git.law.errors import NomicError, Unreadable
from nomic_git.law.front_matter import LARGEST_FILE
from nomic_git.law.precedence import Law, read_law
from nomic_git.law.provisions import CHANGES_KINDS
from nomic_git.law.rule import Rule, Status, read_rule, read_rule_path
from nomic_git.law.rule_change import Improper, JoinRequest, NoProposal, RuleChange, read_change
from nomic_git.law.rulebook import rulebook
from nomic_git.repository.branch import GameBranch, read_branch
from nomic_git.repository.clone import SCORES, Clone, NotHere
from nomic_git.repository.founding import CannotFound, check_numbers
from nomic_git.repository.history import EMPTY_FOLDER, position_at
from nomic_git.repository.settings import NOMIC_TOML, read_settings

_SOME_NUMBER = 10**17
"""A number that no rule has, for the rule that a change would make."""


def folder_files(folder: Path) -> Mapping[str, bytes]:
    """Return the files of a folder that are the game's, by path. `folder` holds `rules/`, or is it."""
    root = folder if (folder / "rules").is_dir() else folder.parent if folder.name == "rules" else folder
    found: dict[str, bytes] = {}
    for path in sorted([*root.glob("rules/**/*"), *root.glob("players/**/*"), root / NOMIC_TOML, root / SCORES]):
        if path.is_symlink():
            raise Unreadable(f"{path.relative_to(root)} is a link; the game's files are plain files")
        if path.is_file():
            found[path.relative_to(root).as_posix()] = path.read_bytes()
    if not any(path.startswith("rules/") for path in found):
        raise NotHere(f"there are no rules in {folder}; name a folder that has rules/ in it")
    return found


def staged_files(clone: Clone) -> Mapping[str, bytes]:
    """Return the game's files as they are staged for the next commit, by path."""
    index = clone.needs_work_tree().repository.index
    index.read()
    return {
        entry.path: clone.trees.blob(entry.id.raw)
        for entry in index
        if entry.path.startswith(("rules/", "players/")) or entry.path in {NOMIC_TOML, SCORES}
    }


def check_files(files: Mapping[str, bytes]) -> Sequence[str]:
    """Return what is not in order in a rulebook given as files by path, each problem on one line.

    Files without `scores.json` are a rulebook to found a game with, whose numbers leave room for proposals.
    """
    problems: list[str] = []
    rules: list[Rule] = []
    for path, source in files.items():
        if path.startswith("rules/"):
            read = _rule(path, source)
            (problems if isinstance(read, str) else rules).append(read)  # type: ignore[arg-type]
        elif path != EMPTY_FOLDER:
            problems.extend(_other(path, source))
    if problems:
        return problems
    try:
        book = rulebook(rules)
        if SCORES not in files:
            check_numbers(book)
    except (Unreadable, CannotFound) as error:
        return [str(error)]
    law = read_law(book)
    return [locales.reason_text(reason, law) for reason in limits.broken(law)]


def _rule(path: str, source: bytes) -> Rule | str:
    place = read_rule_path(path)
    if place is None:
        return f"{path}: a rule's file is rules/immutable/NUMBER.md or rules/mutable/NUMBER.md; move it"
    try:
        return read_rule(*place, source)
    except Unreadable as error:
        return f"{path}: {error}"


def _other(path: str, source: bytes) -> Iterator[str]:
    try:
        if path == NOMIC_TOML:
            read_settings(source)
            return
        if path == SCORES:
            read_state(source)
            return
        login = read_player_path(path)
        if login is None:
            yield f"{path}: a player's file is players/LOGIN.md; move it"
            return
        read_player(login, source)
    except Unreadable as error:
        yield str(error) if path in {NOMIC_TOML, SCORES} else f"{path}: {error}"


def check_file(path: Path) -> Sequence[str]:
    """Return what is wrong with one file as a rule's or a player's, by the folder that it stands in."""
    if path.stat().st_size > LARGEST_FILE:
        return [f"{path}: longer than {LARGEST_FILE} bytes"]
    source = path.read_bytes()
    try:
        if path.resolve().parent.name == "players":
            read_player(path.stem, source)
        elif path.name == NOMIC_TOML:
            read_settings(source)
        else:
            read_rule(0, Status.MUTABLE, source)
    except Unreadable as error:
        return [f"{path}: {error}"]
    return []


def check_branch(clone: Clone, revision: str) -> Sequence[str]:
    """Return what is wrong with a commit: as a proposal against the game branch, or as a rulebook on it.

    Raises NotHere where there is no such commit.
    """
    try:
        commit = clone.repository.revparse_single(revision).peel(pygit2.Commit)
    except (KeyError, ValueError, pygit2.GitError):
        raise NotHere(f"{revision} is no file, no folder and no commit here") from None
    tip = clone.tip
    game = GameBranch(clone.repository, clone.trees, str(tip.id))
    if game.has(str(commit.id)):
        files = {
            path: clone.trees.blob(entry.id)
            for folder in ("rules", "players", NOMIC_TOML, SCORES)
            for path, entry in clone.trees.files(commit.tree_id.raw, folder)
        }
        return check_files(files)
    return _check_change(clone, game, commit)


def _check_change(clone: Clone, game: GameBranch, commit: pygit2.Commit) -> Sequence[str]:
    position = position_at(clone.trees, clone.tip.tree_id.raw)
    law = position.law
    branch = read_branch(game, str(commit.id), {})
    seats = [one.path for one in branch.changes if read_player_path(one.path) is not None]
    author = read_player_path(seats[0]) if seats else None
    kinds = law.value(CHANGES_KINDS)
    reading = read_change(branch, author or "", kinds)
    match reading:
        case NoProposal():
            return ["It changes neither a rule nor a player's file, so it is no proposal."]
        case Improper():
            return [locales.reason_text(reason, law) for reason in reading.reasons]
        case RuleChange():
            stale = hindrance(position, 0, reading, None)
            return [locales.reason_text(stale, law)] if stale is not None else _check_adopted(law, reading)
        case JoinRequest():
            return list(_other(player_path(reading.login), reading.source))
    return []


def _check_adopted(law: Law, change: RuleChange) -> Sequence[str]:
    """Return what limits the rulebook would break with a change in it, whatever number the change gets."""
    try:
        after = adopting(law, change, _SOME_NUMBER)
    except NomicError as error:
        return [str(error)]
    return [locales.reason_text(reason, after) for reason in limits.broken(after)]
