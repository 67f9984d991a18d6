"""A clone of a game: where its branch and its work tree are, and the few ways in which they are written.

Objects are made with pygit2 from bytes. Whatever moves a branch, touches the work tree or travels goes
through the git binary, which knows locks, credentials and hooks (design section 11).
"""

from __future__ import annotations

import contextlib
import os
import re
import shlex
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import pygit2

from nomic_git.law.errors import Unreadable
from nomic_git.repository.errors import Moved as Moved
from nomic_git.repository.errors import NotHere as NotHere
from nomic_git.repository.errors import Refused as Refused
from nomic_git.repository.settings import NOMIC_TOML, Settings, read_settings
from nomic_git.repository.tree import Trees

if TYPE_CHECKING:
    from pygit2 import Commit, Oid, Repository

SCORES = "scores.json"
EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
"""Git's id of the tree with nothing in it, which is there in every repository."""


@dataclass(frozen=True, slots=True)
class Clone:
    """A clone that has a game: its repository, its settings, and the name of the game branch."""

    repository: Repository
    settings: Settings
    trees: Trees

    @property
    def branch(self) -> str:
        """The full name of the game branch's ref."""
        return f"refs/heads/{self.settings.branch}"

    @property
    def folder(self) -> Path:
        """The work tree, or Git's own folder where the clone is bare."""
        return Path(self.repository.workdir or self.repository.path)

    @property
    def tip(self) -> Commit:
        """The last commit of the game branch. Raises NotHere where the branch is not in this clone."""
        reference = self.repository.references.get(self.branch)
        if reference is None and not any(self.repository.remotes.names()):
            raise NotHere(
                f"the game branch {self.settings.branch} is not in this clone, and no remote is known; bring it back "
                f"(git branch {self.settings.branch} COMMIT), or mend nomic.toml, which names it, and commit that"
            )
        if reference is None:
            raise NotHere(
                f"the game branch {self.settings.branch} is not in this clone; "
                f"get it with: git fetch origin {self.settings.branch}:{self.settings.branch}"
            )
        commit = reference.peel(pygit2.Commit)
        assert isinstance(commit, pygit2.Commit), "peel gives what it was asked for"
        return commit

    @property
    def remote(self) -> str | None:
        """The name of the remote that the game is shared through, None where it is in this clone alone.

        That is the one that the game branch follows, or else the only one that has the branch.
        """
        key = f"branch.{self.settings.branch}.remote"
        config = self.repository.config
        name = config[key] if key in config else None  # noqa: SIM401 - it has no get
        if name:
            return name if name != "." else None
        having = [one for one in self.repository.remotes.names() if one and self._has_branch(one)]
        return having[0] if len(having) == 1 else None

    def _has_branch(self, remote: str) -> bool:
        return self.repository.references.get(f"refs/remotes/{remote}/{self.settings.branch}") is not None

    @property
    def is_checked_out(self) -> bool:
        """Whether the work tree has the game branch checked out."""
        if self.repository.is_bare:
            return False
        head = self.repository.references.get("HEAD")
        return head is not None and head.raw_target == self.branch.encode()

    def git(
        self,
        *arguments: str,
        stdin: str | None = None,
        index: Path | None = None,
        settings: Sequence[tuple[str, str]] = (),
        timeout: float | None = None,
    ) -> str:
        """Run git in this clone and return what it prints. Raises Refused with git's own last words.

        `settings` are of git's configuration, for this call alone: no command line and no file shows them. `timeout`
        is how many seconds it may take.
        """
        return run_git(self.folder, *arguments, stdin=stdin, index=index, settings=settings, timeout=timeout)

    def needs_history(self) -> Clone:
        """Return this clone. Raises NotHere where it is shallow or partial: part of the history is not here."""
        if self.repository.is_shallow:
            raise NotHere("this clone is shallow and lacks the game's history; run: git fetch --unshallow")
        if any(one.name.startswith("remote.") and one.name.endswith(".promisor") for one in self.repository.config):
            raise NotHere("this clone is partial and lacks some of the game's files; clone again without --filter")
        return self

    def needs_files(self) -> Clone:
        """Return this clone. Raises NotHere where it is bare."""
        if self.repository.is_bare:
            raise NotHere("this clone is bare; clone it and run nomic-git in the clone: git clone " + str(self.folder))
        return self

    def needs_work_tree(self) -> Clone:
        """Return this clone. Raises NotHere where it is bare, or has no branch checked out."""
        self.needs_files()
        if self.repository.head_is_detached:
            raise NotHere(f"no branch is checked out here (a detached head); run: git switch {self.settings.branch}")
        return self

    def advance(self, old: Oid | None, new: Oid) -> None:
        """Move the game branch from one commit to the next, the work tree with it where it is checked out.

        The work tree goes first: a crash between the two leaves what the next run does again. Raises
        Refused where uncommitted changes are in the way, Moved where the branch is no longer at `old`.
        """
        elsewhere = None if self.is_checked_out else self._other_work_tree()
        if elsewhere is not None:
            replace(self, repository=open_repository(elsewhere)).advance(old, new)
            return
        reference = self.repository.references.get(self.branch)
        if (None if reference is None else reference.target) != old:
            raise self._moved()
        if self.is_checked_out:
            self._follow(old, new)
        try:
            self.git("update-ref", "-m", "nomic-git", self.branch, str(new), str(old) if old else "0" * 40)
        except Refused as error:
            if "but expected" in str(error) or "reference already exists" in str(error):
                self._take_back(new)
                raise self._moved() from None
            raise

    def _other_work_tree(self) -> Path | None:
        """Return the work tree of this repository that has the game branch checked out (git worktree), None for none.

        Left behind, it would take the event back with the next commit that is made there.
        """
        inside = Path(self.repository.path)
        if not (inside / "worktrees").is_dir() and not (inside / "commondir").is_file():
            return None
        listed = (one.splitlines() for one in self.git("worktree", "list", "--porcelain").split("\n\n"))
        having = (Path(lines[0].removeprefix("worktree ")) for lines in listed if f"branch {self.branch}" in lines)
        return next((one for one in having if one.is_dir()), None)

    def _moved(self) -> Moved:
        return Moved(f"{self.settings.branch} has moved meanwhile; run the command again")

    def _take_back(self, new: Oid) -> None:
        """Bring the work tree to where somebody else has moved the branch, lest their next commit take ours in."""
        if self.is_checked_out:
            with contextlib.suppress(Refused):
                self.git("read-tree", "-m", "-u", str(new), self.branch)

    def _follow(self, old: Oid | None, new: Oid) -> None:
        # With one tree alone, read-tree would take away what is staged and in no commit yet.
        trees = [str(old) if old else EMPTY_TREE, str(new)]
        try:
            self.git("read-tree", "-m", "-u", *trees)
        except Refused as error:
            if "lock" in str(error):
                raise
            with contextlib.suppress(Refused):
                self.git("update-index", "-q", "--refresh", "--unmerged")
            if old is not None:
                self._take_over(old, new)
            self.git("read-tree", "-m", "-u", *trees)

    def _take_over(self, old: Oid, new: Oid) -> None:
        """Note in the index what stands in the work tree as it will be anyway: it is in nobody's way.

        So a git command that was killed halfway has left it, or one that ran out of disk, which may have begun
        the scores that nobody else writes: those are begun again. What somebody has staged stays staged.
        """
        changed = self._names("diff-tree", "-r", str(old), str(new)) - self._names("diff-index", "--cached", str(old))
        tree = self.repository[new].peel(pygit2.Tree).id.raw
        standing = self._ids_in_the_work_tree(changed)
        lines = []
        for path in sorted(changed):
            entry, file = self.trees.entry(tree, path), self.folder / path
            if entry is None and not file.exists():
                lines.append(f"0 {'0' * 40}\t{path}\0")
            elif entry is not None and path in standing:
                if standing[path] == entry.id.hex():
                    lines.append(f"{entry.mode:o} {entry.id.hex()}\t{path}\0")
                elif path in GAME_FILES and self.trees.blob(entry.id).startswith(_plain_lines(file.read_bytes())):
                    file.unlink()
        self.git("update-index", "-z", "--index-info", stdin="".join(lines))

    def _ids_in_the_work_tree(self, paths: Iterable[str]) -> Mapping[str, str]:
        """Return the ids that files of the work tree have once Git has put them through its filters, by path.

        What stands there may have other line ends (core.autocrlf) or another encoding (.gitattributes).
        """
        files = sorted(path for path in paths if (self.folder / path).is_file() and path.isprintable())
        ids = self.git("hash-object", "--stdin-paths", stdin="".join(f"{path}\n" for path in files)) if files else ""
        return dict(zip(files, ids.split(), strict=True))

    def _names(self, *command: str) -> set[str]:
        name, *rest = command
        return set(self.git(name, "-z", "--name-only", *rest).split("\0")) - {""}


_CHECKED = (
    *("-c", "transfer.fsckObjects=true", "-c", "fetch.fsckObjects=true"),
    *("-c", "http.lowSpeedLimit=1", "-c", "http.lowSpeedTime=60"),
)
"""What is fetched is checked first, lest somebody's malformed object be in everybody's way (design section 11).

A server that sends nothing for a minute is given up.
"""


_ELSEWHERE = frozenset(
    f"GIT_{name}"
    for name in (
        *("DIR", "WORK_TREE", "INDEX_FILE", "COMMON_DIR", "OBJECT_DIRECTORY", "ALTERNATE_OBJECT_DIRECTORIES"),
        *("NAMESPACE", "PREFIX", "GRAFT_FILE", "SHALLOW_FILE", "REPLACE_REF_BASE"),
        *("AUTHOR_DATE", "COMMITTER_DATE"),
    )
)
"""With these in its environment, git would work on another repository than the one that we read.

The dates are for commits, which are made elsewhere; git reads fewer ways of writing them than we do.
"""


def run_git(
    folder: Path,
    *arguments: str,
    stdin: str | None = None,
    index: Path | None = None,
    settings: Sequence[tuple[str, str]] = (),
    timeout: float | None = None,
) -> str:
    """Run git in a folder and return what it prints, with another index, and settings, where they are given.

    It works on the repository that the folder is in, whatever the environment says, and on the objects as
    they are, whatever `git replace` says: libgit2 does the same. Raises Refused with git's last words, in one line,
    or that it took more than `timeout` seconds.
    """
    environment = {
        **{name: value for name, value in os.environ.items() if name not in _ELSEWHERE},
        **({"GIT_INDEX_FILE": str(index)} if index is not None else {}),
        **_in_environment(settings),
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_NO_REPLACE_OBJECTS": "1",
        "GIT_FLUSH": "0",
        "LC_ALL": "C",
    }
    try:
        done = subprocess.run(
            ["git", *_CHECKED, *arguments],
            cwd=folder,
            env=environment,
            input=stdin,
            capture_output=True,
            text=True,
            encoding="utf-8",
            errors="replace",
            check=False,
            timeout=timeout,
        )
    except subprocess.TimeoutExpired:
        raise Refused(f"git {arguments[0]}: given up after {timeout:.0f} seconds") from None
    except FileNotFoundError:
        raise NotHere("the git program is not installed, or not on the PATH; install git") from None
    if done.returncode:
        raise Refused(explained(arguments[0], done.stderr), done.stderr)
    return done.stdout


def _in_environment(settings: Sequence[tuple[str, str]]) -> Mapping[str, str]:
    """Return the variables that give git these settings, after those that the environment has already."""
    if not settings:
        return {}
    given = os.environ.get("GIT_CONFIG_COUNT", "0")
    first = int(given) if given.isdecimal() else 0
    found = {"GIT_CONFIG_COUNT": str(first + len(settings))}
    for at, (key, value) in enumerate(settings, start=first):
        found |= {f"GIT_CONFIG_KEY_{at}": key, f"GIT_CONFIG_VALUE_{at}": value}
    return found


_CREDENTIALS = re.compile(r"//[^/@\s]+@")
"""A name and a password in an address, which some put there."""


def explained(command: str, stderr: str) -> str:
    """Return git's complaint as one line that says what to do, as far as we know the complaint."""
    lines = [line.strip() for line in stderr.splitlines() if line.strip() and not line.startswith("hint:")]
    words = " ".join(line.removeprefix("fatal: ").removeprefix("error: ") for line in lines)
    words = _CREDENTIALS.sub("//", words)
    # libgit2 says less of a lock than git does: that it could not be made.
    if ".lock" in words and ("exists" in words.lower() or "failed to lock" in words):
        lock = next((word.strip("':") for word in words.split() if ".lock" in word), "index.lock")
        return (
            f"another git command is at work here ({lock} exists); let it finish and try again, "
            "or delete that file if none is"
        )
    if "No space left" in words:
        return f"the disk is full; nothing was changed. Make room and run the command again (git {command})"
    if "not uptodate" in words or "would be overwritten" in words:
        path = words.partition("'")[2].partition("'")[0] or "a file"
        return f"uncommitted changes in {path} are in the way; put them aside (git stash -u), then try again"
    return f"git {command}: {words[-500:] or 'failed without a word'}"


def open_clone(folder: Path, *, settled: bool = True) -> Clone:
    """Return the clone that a folder is in.

    Raises NotHere where the folder is in no repository, or the repository has no game; Unreadable where
    `nomic.toml` is no settings. Unless `settled`, settings that lead nowhere are passed over, and the game branch
    is the one that is checked out: an audit needs no settings, and nobody is to stop it by them.
    """
    repository = open_repository(folder)
    try:
        settings = _settings(repository) if settled else _settings_if_any(repository)
    except KeyError:
        raise _no_game(repository, "there is no commit here yet, so no game") from None
    clone = Clone(repository, settings, Trees(repository))
    tree = clone.tip.tree_id.raw
    if clone.trees.entry(tree, SCORES) is None:
        if clone.trees.entry(tree, "rules") is not None:
            raise NotHere(f"{SCORES} is gone from {settings.branch}; bring it back from the last event's commit")
        raise _no_game(repository, "there is no game in this repository")
    return clone


_OTHERWISE = "(for a game that is elsewhere: nomic-git -C DIR)"


def _no_game(repository: Repository, what: str) -> NotHere:
    elsewhere = game_elsewhere(repository)
    if elsewhere is not None:
        remote, _, branch = elsewhere.partition("/")
        return NotHere(f"the game is at {remote} and not in this clone yet; bring it: git switch {branch} && git pull")
    if any(repository.remotes.names()):
        return NotHere(f"{what}; bring one with: git pull, or start one with: nomic-git new . {_OTHERWISE}")
    return NotHere(f"{what}; start one with: nomic-git new . {_OTHERWISE}")


def game_elsewhere(repository: Repository) -> str | None:
    """Return the branch of a remote, as `origin/main`, that was fetched and has a game; None where none has."""
    trees = Trees(repository)
    for name in repository.branches.remote:
        branch = repository.branches.remote.get(name)
        commit = branch.peel(pygit2.Commit) if branch is not None and not name.endswith("/HEAD") else None
        if commit is not None and trees.entry(commit.tree_id.raw, SCORES) is not None:
            return name
    return None


def open_repository(folder: Path) -> Repository:
    """Return the repository that a folder is in. Raises NotHere where it is in none."""
    if not folder.exists():
        raise NotHere(f"there is no folder {folder}")
    try:
        found = pygit2.discover_repository(str(folder))
        if found is None:
            raise NotHere(
                f"{folder} is not in a Git repository; start a game with: nomic-git new {folder} {_OTHERWISE}"
            )
        repository = pygit2.Repository(found)
    except pygit2.GitError as error:
        if "object format" in str(error):
            raise NotHere(
                f"the repository of {folder} names its objects by SHA-256, which is not read here; "
                "a game needs one made with: git init --object-format=sha1"
            ) from None
        if "not owned by" in str(error):
            raise NotHere(
                f"the repository of {folder} belongs to another user, so that Git does not read it; if you trust it: "
                f"git config --global --add safe.directory {shlex.quote(str(folder.resolve()))}"
            ) from None
        raise NotHere(f"{folder}: {error}") from None
    return repository


def _settings(repository: Repository) -> Settings:
    """Return the settings as they stand on the game branch; which branch that is, the one checked out says."""
    head = _head(repository)
    trees = Trees(repository)
    source = trees.file(head.tree_id.raw, NOMIC_TOML)
    settings = read_settings(source if source is not None else b"")
    branch = repository.references.get(f"refs/heads/{settings.branch}")
    if branch is None:
        if source is None:
            raise _no_game(repository, "there is no game in this repository")
        return settings
    tree = branch.peel(pygit2.Commit).tree_id.raw
    return replace(read_settings(trees.file(tree, NOMIC_TOML) or b""), branch=settings.branch)


def _settings_if_any(repository: Repository) -> Settings:
    with contextlib.suppress(Unreadable):
        settings = _settings(repository)
        if repository.references.get(f"refs/heads/{settings.branch}") is not None:
            return settings
    detached = repository.head_is_unborn or repository.head_is_detached
    return Settings() if detached else Settings(branch=repository.head.shorthand)


def _head(repository: Repository) -> Commit:
    """Return the commit that is checked out. Raises KeyError where there is none."""
    # On a server, HEAD often names a branch that nobody ever pushed.
    reference = repository.references.get(f"refs/heads/{Settings().branch}") if repository.head_is_unborn else None
    if repository.head_is_unborn and reference is None:
        raise KeyError("HEAD")
    commit = (reference or repository.head).peel(pygit2.Commit)
    assert isinstance(commit, pygit2.Commit), "peel gives what it was asked for"
    return commit


def _plain_lines(data: bytes) -> bytes:
    return data.replace(b"\r\n", b"\n")


def ours(path: str) -> bool:
    """Return whether a path is one of the game's: only the referee's events change it."""
    return path.startswith(("rules/", "players/")) or path in GAME_FILES


GAME_FILES: Sequence[str] = (SCORES, "SCORES.md")
"""The game's files at the top of the tree; the rest are all below `rules/` and `players/`."""
