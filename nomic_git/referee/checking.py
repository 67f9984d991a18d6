"""Checking before anybody votes: is this rulebook, or this change, in order? (design section 13)."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pygit2

from nomic_git import locales
from nomic_git.game import limits, safeguards
from nomic_git.game.docket import hindrance, refused_absence, refused_surname
from nomic_git.game.player import player_path, read_player, read_player_path
from nomic_git.game.position import Position
from nomic_git.game.state import read_state
from nomic_git.game.transition import adopting
from nomic_git.law import front_matter
from nomic_git.law.characters import are_seen
from nomic_git.law.errors import NomicError, Unreadable
from nomic_git.law.front_matter import LARGEST_FILE
from nomic_git.law.precedence import Law, read_law
from nomic_git.law.provisions import CHANGES_KINDS
from nomic_git.law.rule import Rule, Status, check_words, read_rule, read_rule_path
from nomic_git.law.rule_change import (
    Absence,
    Forfeit,
    Improper,
    JoinRequest,
    NewSurname,
    NoProposal,
    Reading,
    RuleChange,
    read_change,
)
from nomic_git.law.rulebook import rulebook
from nomic_git.law.values import shown
from nomic_git.referee.account import kind_of
from nomic_git.referee.effect import in_vain
from nomic_git.repository.branch import GameBranch, different, read_branch
from nomic_git.repository.clone import GAME_FILES, SCORES, Clone, NotHere, ours
from nomic_git.repository.founding import CannotFound, check_numbers
from nomic_git.repository.position import EMPTY_FOLDER, position_at
from nomic_git.repository.settings import NOMIC_TOML, read_settings

_SOME_NUMBER = 10**17
"""A number that no rule has, for the rule that a change would make."""

_NAMED_FREELY = re.compile(r"rules/mutable/[^/]+\.md")
_NO_FENCE = re.compile(
    r"\s*(?:(?P<fence>[-=~_*+\u2010-\u2015]+)[ \t]*(?:\r\n|\n|\r)\s*)?(?P<key>title|formerly|provisions|precedence):\s"
)
_KEYS_SHOWN = 3


@dataclass(frozen=True, slots=True)
class Checked:
    """What was looked at, in words that can begin a line, and each problem in it on one line; none is in order.

    `notices` are what is in order and yet had better be known before a vote, a sentence each.
    """

    what: str
    problems: Sequence[str]
    notices: Sequence[str] = ()


def checked_folder(folder: Path) -> Checked:
    """Check the game's files in a folder that holds `rules/`, or is it, as `check_files` does.

    Raises NotHere where there are no rules, Unreadable where something there is no plain file.
    """
    files = folder_files(folder)
    problems = check_files(files)
    return Checked(_counted(files), problems, () if problems else _new_in_vain(files))


def _new_in_vain(files: Mapping[str, bytes]) -> Sequence[str]:
    """Return what rules that are yet to be enacted would provide in vain, each alone, beside those that there are."""
    if SCORES not in files:
        return ()
    places = {path: read_rule_path(path) for path in files if path.startswith("rules/")}
    law = read_law(rulebook(read_rule(*place, files[path]) for path, place in places.items() if place is not None))
    new = (path for path, place in places.items() if place is None)
    return [f"{path}: {said}" for path in new for said in _enacted_in_vain(law, files[path])]


def _enacted_in_vain(law: Law, source: bytes) -> Sequence[str]:
    """Return what a rule would provide in vain if it were enacted, whatever number it gets."""
    after = read_law(law.rulebook.with_rule(read_rule(_SOME_NUMBER, Status.MUTABLE, source)))
    return in_vain(law, after, None, _SOME_NUMBER)


def folder_files(folder: Path) -> Mapping[str, bytes]:
    """Return the files of a folder that are the game's, by path. `folder` holds `rules/`, or is it."""
    root = folder if (folder / "rules").is_dir() else folder.parent if folder.name == "rules" else folder
    found: dict[str, bytes] = {}
    for path in sorted([*root.glob("rules/**/*"), *root.glob("players/**/*"), root / NOMIC_TOML, root / SCORES]):
        if path.is_symlink():
            raise Unreadable(f"{path.relative_to(root)} is a link; the game's files are plain files")
        if path.is_file():
            found[path.relative_to(root).as_posix()] = path.read_bytes()
        elif path.exists() and not path.is_dir():
            raise Unreadable(f"{path.relative_to(root)} is a device or a pipe; the game's files are plain files")
    if not any(path.startswith("rules/") for path in found):
        raise NotHere(f"there are no rules in {folder}; name a folder that has rules/ in it")
    return found


def check_files(files: Mapping[str, bytes], *, committed: bool = False) -> Sequence[str]:
    """Return what is not in order in a rulebook given as files by path, each problem on one line.

    Files without `scores.json` are a rulebook to found a game with: each rule has its number there, and the
    numbers leave room for proposals. In a game that is played, a file named freely under `rules/mutable/` is a
    rule that somebody is about to propose (design section 2), unless the files are those of a commit on the
    game branch (`committed`), where every rule has been given its number.
    """
    problems: list[str] = []
    rules: list[Rule] = []
    numbers = iter(range(_SOME_NUMBER, _SOME_NUMBER + len(files)))
    for path, source in files.items():
        if path.startswith("rules/"):
            unnumbered = SCORES in files and not committed and _is_named_freely(path)
            try:
                rules.append(_rule(path, source, next(numbers) if unnumbered else None))
            except Unreadable as error:
                problems.append(f"{path}: {error}")
        elif path != EMPTY_FOLDER:
            problems.extend(_other(path, source))
    problems.extend(f"{rule.path}: {slip}" for rule in rules for slip in _slips(rule))
    return problems or _together(rules, founding=SCORES not in files)


def _together(rules: Sequence[Rule], *, founding: bool) -> Sequence[str]:
    """Return what is not in order among rules that are each in order."""
    try:
        book = rulebook(rules)
        if founding:
            check_numbers(book)
    except (Unreadable, CannotFound) as error:
        return [str(error)]
    law = read_law(book)
    return [locales.reason_text(reason, law) for reason in limits.broken(law)]


def _is_named_freely(path: str) -> bool:
    return _NAMED_FREELY.fullmatch(path) is not None and are_seen(path) and read_rule_path(path) is None


def _rule(path: str, source: bytes, number: int | None) -> Rule:
    """Return the rule in a file, with a number of its own where its name gives none. Raises Unreadable."""
    place = (number, Status.MUTABLE) if number is not None else read_rule_path(path)
    if place is None:
        raise Unreadable("a rule's file is rules/immutable/NUMBER.md or rules/mutable/NUMBER.md; move it")
    return read_rule(*place, source)


def _slips(rule: Rule) -> Iterator[str]:
    """Yield what is lawful in a rule's file and yet cannot be meant."""
    try:
        check_words(rule)
    except Unreadable as error:
        yield str(error)
    slip = _NO_FENCE.match(rule.words) if not rule.provisions and rule.title is None else None
    if slip is not None:
        wrong = slip["fence"] not in {None, "---"}
        instead = f", not by {shown(slip['fence'])}" if wrong else " at the very top of the file"
        yield f"front matter is fenced by lines ---{instead}; as it stands, {slip['key']}: is but words of the rule"


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


def _counted(files: Mapping[str, bytes]) -> str:
    rules = sum(path.startswith("rules/") for path in files)
    players = sum(path.startswith("players/") and path != EMPTY_FOLDER for path in files)
    new = sum(_is_named_freely(path) for path in files)
    parts = (_count(rules, "rule") + (f" ({new} not yet enacted)" if new else ""), _count(players, "player"))
    return ", ".join(parts)


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def checked_file(path: Path, law: Law | None = None) -> Checked:
    """Check one file as a rule's or a player's, by the folder that it stands in, or as what its name says.

    Of a rule that is not in force yet it is also told what it would provide in vain under `law`, where one is given.
    """
    if path.stat().st_size > LARGEST_FILE:
        return Checked(path.name, [f"{path}: longer than {LARGEST_FILE} bytes"])
    source = path.read_bytes()
    try:
        if path.resolve().parent.name == "players":
            return Checked(f"the file of player {read_player(path.stem, source).login}", [])
        if path.name == NOMIC_TOML:
            return Checked(f"the settings of the game {shown(read_settings(source).name)}", [])
        if path.name == SCORES:
            return Checked(f"the scores of {_count(len(read_state(source).seats), 'player')}", [])
        rule = read_rule(0, Status.MUTABLE, source)
    except Unreadable as error:
        return Checked(path.name, [f"{path}: {error}"])
    slips = [f"{path}: {slip}" for slip in _slips(rule)]
    is_numbered = path.resolve().parent.name in {*Status} and read_rule_path(f"rules/mutable/{path.name}") is not None
    if law is None or is_numbered:
        return Checked(_read_as(rule), slips)
    vain = [f"Enacted as a new rule: {said[0].lower()}{said[1:]}" for said in _enacted_in_vain(law, source)]
    return Checked(_read_as(rule), slips, [*vain, *(_as_amendments(law, rule, path) if vain else ())])


def _as_amendments(law: Law, rule: Rule, path: Path) -> Iterator[str]:
    """Yield how a file would take the place of a mutable rule that provides the same, if that is what it is for."""
    providing = {law.findings[key].rule for key in rule.provisions}
    amendable = sorted(one for one in providing if one is not None and law.rulebook.rules[one].status is Status.MUTABLE)
    for one in amendable:
        yield f"As an amendment it would take the place of rule {one}: nomic-git propose amend {one} {path.name}"


def _read_as(rule: Rule) -> str:
    """Return what a file is as a rule: how long it is, and what it tells the referee."""
    lines = _count(len(rule.source.splitlines()), "line")
    if not front_matter.split(rule.source).opening:
        return f"a rule without front matter, {lines}"
    keys = list(rule.provisions)
    more = f" and {len(keys) - _KEYS_SHOWN} more" if len(keys) > _KEYS_SHOWN else ""
    return f"a rule of {lines} that provides {', '.join(keys[:_KEYS_SHOWN]) or 'nothing'}{more}"


def checked_revision(clone: Clone, revision: str) -> Checked:
    """Check a commit: as a proposal against the game branch, or as a rulebook where it is on that branch.

    Raises NotHere where there is no such commit.
    """
    try:
        commit = clone.repository.revparse_single(revision).peel(pygit2.Commit)
    except (KeyError, ValueError, pygit2.GitError):
        raise NotHere(f"{revision} is no file, no folder and no commit here") from None
    game = GameBranch(clone.repository, clone.trees, str(clone.tip.id))
    if game.has(str(commit.id)):
        files = _files(clone, commit.tree_id.raw)
        return Checked(_counted(files), check_files(files, committed=True))
    law, reading = _read(clone, game, commit)
    if isinstance(reading, NoProposal):
        return Checked(_change(reading), ["It changes neither a rule nor a player's file, so it is no proposal."])
    return Checked(_change(reading), _check_change(clone, law, reading), _change_in_vain(law, reading))


def checked_staged(clone: Clone) -> Checked:
    """Check what is staged for the next commit as a proposal, as `checked_revision` would the commit.

    What git is about to commit stands in the index that GIT_INDEX_FILE names: `git commit -a`, `-p` and
    `git commit FILE` make one of their own. A commit that touches nothing of the game's is none of its
    business, and so is one that brings the game's files back to what they are on the game branch. On the
    game branch itself only the referee's events change them.
    """
    tree = _staged(clone.needs_files())
    head = clone.repository.head.peel(pygit2.Commit)
    touched = {path for path, _, _ in different(clone.trees, head.tree_id.raw, tree)}
    settings = clone.trees.file(tree, NOMIC_TOML) if NOMIC_TOML in touched else None
    problems = list(_other(NOMIC_TOML, settings)) if settings is not None else []
    if not any(ours(path) for path in touched):
        return Checked("nothing of the game's is staged" if settings is None else "the game's settings", problems)
    clone.needs_history()
    if clone.is_checked_out:
        problems.append(
            f"The next commit would be one on {clone.settings.branch}, where only the referee changes the game's "
            "files. Take what is staged to a branch of its own: git switch -c my-proposal"
        )
    commit = _as_commit(clone, head, tree)
    game = GameBranch(clone.repository, clone.trees, str(clone.tip.id))
    by_hand = [one.path for one in read_branch(game, str(commit.id), {}).changes if one.path in GAME_FILES]
    problems.extend(f"{path} is the referee's to write; take it out of the change." for path in by_hand)
    law, reading = _read(clone, game, commit)
    return Checked(_change(reading), [*_check_change(clone, law, reading), *problems], _change_in_vain(law, reading))


def _staged(clone: Clone) -> bytes:
    """Return the id of the tree that git is about to commit."""
    named = os.environ.get("GIT_INDEX_FILE")
    index = Path(clone.folder, named) if named else None
    return bytes.fromhex(clone.git("write-tree", index=index).strip())


def _as_commit(clone: Clone, head: pygit2.Commit, tree: bytes) -> pygit2.Commit:
    """Return the commit that would be made of a tree; no ref is moved, so that git forgets it in time."""
    merging = clone.repository.references.get("MERGE_HEAD")
    parents = [head.id, *([] if merging is None else [merging.peel(pygit2.Commit).id])]
    nobody = pygit2.Signature("nomic-git", "check@nomic-git.invalid", head.commit_time, 0)
    made = clone.repository.create_commit(None, nobody, nobody, "What is staged\n", pygit2.Oid(raw=tree), parents)
    return clone.repository[made].peel(pygit2.Commit)


def _files(clone: Clone, tree: bytes) -> Mapping[str, bytes]:
    return {
        path: clone.trees.blob(entry.id)
        for folder in ("rules", "players", NOMIC_TOML, SCORES)
        for path, entry in clone.trees.files(tree, folder)
    }


def _read(clone: Clone, game: GameBranch, commit: pygit2.Commit) -> tuple[Law, Reading]:
    """Return the law in force, and how a commit reads as a proposal under it."""
    law = position_at(clone.trees, clone.tip.tree_id.raw).law
    branch = read_branch(game, str(commit.id), {})
    seats = [one.path for one in branch.changes if read_player_path(one.path) is not None]
    author = read_player_path(seats[0]) if seats else None
    kinds = law.value(CHANGES_KINDS)
    return law, read_change(branch, author or "", kinds)


def _change(reading: Reading) -> str:
    match reading:
        case RuleChange():
            return locales.change_text(reading.kind, reading.rule, "")
        case JoinRequest():
            return locales.change_text("join", None, reading.login)
        case Forfeit() | Absence() | NewSurname():
            return locales.change_text(kind_of(reading), None, reading.login)
        case Improper():
            return locales.change_text(None, None, "")
        case NoProposal():
            return "nothing that the game branch has otherwise"


def _check_change(clone: Clone, law: Law, reading: Reading) -> Sequence[str]:
    match reading:
        case Improper():
            return [locales.reason_text(reason, law) for reason in reading.reasons]
        case RuleChange():
            position = position_at(clone.trees, clone.tip.tree_id.raw)
            stale = hindrance(position, 0, reading, None)
            return [locales.reason_text(stale, law)] if stale is not None else _check_adopted(position, reading)
        case JoinRequest():
            return list(_other(player_path(reading.login), reading.source))
        case Absence() | NewSurname():
            return _check_own_file(position_at(clone.trees, clone.tip.tree_id.raw), reading)
    return []


def _change_in_vain(law: Law, reading: Reading) -> Sequence[str]:
    """Return what a rule-change that can be adopted would have its rule provide in vain."""
    if not isinstance(reading, RuleChange):
        return ()
    try:
        after = adopting(law, reading, _SOME_NUMBER)
    except NomicError:
        return ()
    return in_vain(law, after, reading.rule, _SOME_NUMBER)


def _check_own_file(position: Position, change: Absence | NewSurname) -> Sequence[str]:
    seat = position.state.seat(change.login)
    if seat is None:
        return []
    if isinstance(change, Absence):
        refused = refused_absence(position, seat, change)
    else:
        refused = refused_surname(position, seat, change)
    return [] if refused is None else [locales.reason_text(refused, position.law)]


def _check_adopted(position: Position, change: RuleChange) -> Sequence[str]:
    """Return what limits and safeguards a change would break, whatever number it gets."""
    try:
        after = adopting(position.law, change, _SOME_NUMBER)
    except NomicError as error:
        return [str(error)]
    made = after.rulebook.rules.get(_SOME_NUMBER)
    slips = [f"{change.new_path}: {slip}" for slip in _slips(made)] if made is not None else []
    return [*slips, *(locales.reason_text(reason, after) for reason in safeguards.broken(position, after))]
