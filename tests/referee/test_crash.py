"""The referee killed at every one of its writes, and run again (SIGKILL; design section 1).

Every way in which nomic-git writes is counted: objects, commits and refs through pygit2, and the git commands
that write. For every n a pass is killed just before its n-th write, a pass runs undisturbed on what is left,
and everything must be as if there had been no kill. To be killed before the n-th is to be killed after the one
before it, so that this is every point between two writes.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import traceback
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pygit2
import pytest
from pygit2.repository import References
from scene import Scene, game, git, rules, shared

import nomic_git.repository.clone as clone_module
from nomic_git.forges.log import Deed
from nomic_git.referee.sitting import sit
from nomic_git.repository.clone import Refused, open_clone

WRITING = {"read-tree", "update-ref", "update-index", "push", "fetch"}
HAPPENED = [
    "Declare alice the winner",
    "Adopt proposal 6: amend rule -105, now rule 6",
    "Withdraw proposal 5",
    "Seat carol, who joins by proposal 3",
    "Relax rule -110, as it provides",
    "Defeat proposal 2: enact a rule",
    "Adopt proposal 1: enact rule 1",
    "Found the game",
]


class Counted:
    """A part of pygit2 that is written in C: what it does is done by it, and some of it counted before."""

    def __init__(self, real: Any, tick: Callable[[], None], *methods: str) -> None:
        self.__dict__.update(real=real, tick=tick, methods=methods)

    def __getattr__(self, name: str) -> Any:
        found = getattr(self.real, name)
        return counting(found, self.tick) if name in self.methods else found


def counting(real: Callable[..., Any], tick: Callable[[], None]) -> Callable[..., Any]:
    def counted(*arguments: Any, **named: Any) -> Any:
        tick()
        return real(*arguments, **named)

    return counted


def count_writes(tick: Callable[[], None]) -> None:
    """Have `tick` called before every write of this process. There is no way back: it is for a forked child."""
    repository: Any = pygit2.Repository
    real_odb, real_builder, real_get = repository.odb, repository.TreeBuilder, References.get
    for name in ("create_commit", "create_blob"):
        setattr(repository, name, counting(getattr(repository, name), tick))
    repository.odb = property(lambda self: Counted(real_odb.__get__(self), tick, "write"))
    repository.TreeBuilder = lambda self, *tree: Counted(real_builder(self, *tree), tick, "write")
    references: Any = References
    for name in ("create", "delete"):
        setattr(references, name, counting(getattr(references, name), tick))

    def get(self: References, key: str) -> Any:
        found = real_get(self, key)
        return None if found is None else Counted(found, tick, "set_target", "delete", "rename")

    references.get = get
    clone_module.subprocess = Subprocess(tick)  # type: ignore[attr-defined]


@dataclass
class Subprocess:
    """The subprocess module, with the git commands that write counted."""

    tick: Callable[[], None]

    def run(self, command: list[str], **named: Any) -> Any:
        if not WRITING.isdisjoint(command):
            self.tick()
        return subprocess.run(command, **named)


def short_scene(folder: Path) -> Scene:
    """A game in which one pass adopts, defeats, relaxes and seats, and speaks on four proposals."""
    slow = rules().rules[-110].source.replace(b"after-turns-each: 2", b"after-turns-each: 1")
    it = game(folder, "alice", "bob", book=rules((-110, slow)))
    one = it.enact("alice", "Say please.", name="please")
    it.vote(one, "for", "bob")
    two = it.enact("bob", "Shout.", name="shout")
    it.vote(two, "against", "alice")
    three = it.propose("carol", {"players/carol.md": b"---\nname: Carol\n---\n"})
    it.vote(three, "for", "alice", "bob")
    it.enact("alice", "Wait.", name="wait", draft=True)
    return it


def long_scene(folder: Path) -> Scene:
    """The same game, in which a proposal is withdrawn besides, another is adopted, and somebody wins."""
    it = short_scene(folder)
    withdrawn = it.propose("bob", {"rules/mutable/-106.md": None})
    it.do("bob", withdrawn, Deed.WITHDRAWN)
    last = it.amend("bob", -105, b"victory.points: 200", b"victory.points: 10")
    it.vote(last, "for", "alice", "carol")
    it.propose("bob", {"rules/immutable/-201.md": b"Nothing is free.\n"})
    stale = it.amend("carol", -105, b"200 points above zero", b"200 points")
    it.do("carol", stale, Deed.COMMENT, "Let us talk about it.")
    return it


def hold(it: Scene, now: int) -> None:
    sit(it.clone, it.forge, now)


def world(folder: Path) -> dict[str, object]:
    """Everything that a pass may change: refs and with them history and comments, work tree and index."""
    found: dict[str, object] = {}
    for path in (folder / "clone", folder / "bare.git"):
        if path.is_dir():
            repository = pygit2.Repository(str(path))
            found.update(
                {f"{path.name} {name}": str(repository.references[name].target) for name in repository.references}
            )
    found["clean"] = git(folder / "clone", "status", "--porcelain") == ""
    found["locks"] = [path.name for path in (folder / "clone" / ".git").rglob("*.lock")]
    for path in (folder / "clone").rglob("*"):
        if ".git" not in path.parts and path.is_file():
            found[str(path.relative_to(folder))] = path.read_bytes()
    return found


def in_child(work: Callable[[], object]) -> int:
    """Do something in a forked child and return how it ended, as `os.waitpid` tells it."""
    child = os.fork()
    if child == 0:
        status = 1
        try:
            work()
            status = 0
        except Exception:  # noqa: BLE001 - whatever it is, the parent is to hear of it
            traceback.print_exc()
        finally:
            os._exit(status)
    return os.waitpid(child, 0)[1]


def writes_of_a_pass(folder: Path, now: int) -> int:
    """How many writes an undisturbed pass makes; it is made in this folder."""
    count = 0

    def tick() -> None:
        nonlocal count
        count += 1

    def work() -> None:
        count_writes(tick)
        hold(Scene(open_clone(folder / "clone"), now), now)
        (folder / "count").write_text(str(count))

    assert in_child(work) == 0
    return int((folder / "count").read_text())


def wrong_after_a_kill(template: Path, folder: Path, write: int, now: int, expected: dict[str, object]) -> str:
    """Kill a pass before its n-th write, run another, and return what is not as expected, if anything."""
    left = write

    def tick() -> None:
        nonlocal left
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)

    def pass_that_is_killed() -> None:
        count_writes(tick)
        hold(Scene(open_clone(folder / "clone"), now), now)

    shutil.copytree(template, folder)
    try:
        status = in_child(pass_that_is_killed)
        if not os.WIFSIGNALED(status):
            return f"write {write}: not killed, but ended with {status}"
        hold(Scene(open_clone(folder / "clone"), now), now)
        there = world(folder)
        wrong = sorted(key for key in {*there, *expected} if there.get(key) != expected.get(key))
        return f"write {write}: {', '.join(wrong)}" if wrong else ""
    except Exception as error:  # noqa: BLE001 - whatever it is, the test is to name the write
        return f"write {write}: {error!r}"
    finally:
        shutil.rmtree(folder)


def _template(folder: Path, *, remote: bool) -> int:
    it = short_scene(folder / "clone") if remote else long_scene(folder / "clone")
    for key, value in (("core.checkStat", "minimal"), ("core.trustctime", "false"), ("core.fsync", "none")):
        git(it.folder, "config", key, value)
    if remote:
        bare = shared(folder, it)
        git(it.folder, "remote", "set-url", "origin", "../bare.git")
        git(it.folder, "push", "-q", "origin", "refs/nomic/*:refs/nomic/*")
        git(bare, "config", "core.fsync", "none")
    git(it.folder, "gc", "-q")
    return it.tick()


@pytest.mark.long
@pytest.mark.parametrize("remote", [False, True], ids=["alone", "remote"])
def test_a_pass_killed_at_any_write_and_run_again_ends_where_one_that_was_not_killed_does(
    tmp_path: Path, *, remote: bool
) -> None:
    template, whole = tmp_path / "template", tmp_path / "whole"
    template.mkdir()
    now = _template(template, remote=remote)
    shutil.copytree(template, whole)
    writes = writes_of_a_pass(whole, now)
    assert writes > (60 if remote else 90)
    expected = world(whole)
    assert expected["clean"] is True
    happened = git(whole / "clone", "log", "--first-parent", "--format=%s").splitlines()
    assert happened == (HAPPENED[-5:] if remote else HAPPENED)
    with ProcessPoolExecutor(os.cpu_count(), mp_context=get_context("fork")) as pool:
        at = [
            pool.submit(wrong_after_a_kill, template, tmp_path / f"at-{write}", write, now, expected)
            for write in range(1, writes + 1)
        ]
        assert [one.result() for one in at if one.result()] == []


def test_a_pass_after_a_whole_one_writes_nothing(tmp_path: Path) -> None:
    now = _template(tmp_path, remote=False)
    writes_of_a_pass(tmp_path, now)
    assert writes_of_a_pass(tmp_path, now) == 0


@pytest.mark.parametrize(
    ("lock", "said"),
    [
        ("index.lock", "index.lock exists"),
        ("refs/heads/main.lock", "main.lock exists"),
        ("refs/nomic/proposals/1/tally.lock", "tally.lock exists"),
    ],
)
def test_a_lock_that_a_killed_git_left_is_named_and_nothing_is_lost(tmp_path: Path, lock: str, said: str) -> None:
    """A git command killed itself, as by a power cut, leaves its lock; only a person can know that it is dead."""
    now = _template(tmp_path, remote=False)
    there = tmp_path / "clone" / ".git" / lock
    there.parent.mkdir(parents=True, exist_ok=True)
    there.touch()
    for _ in range(2):
        with pytest.raises(Refused, match=f"{said}.*delete that file"):
            hold(Scene(open_clone(tmp_path / "clone"), now), now)
    there.unlink()
    hold(Scene(open_clone(tmp_path / "clone"), now), now)
    undisturbed = tmp_path / "undisturbed"
    undisturbed.mkdir()
    then = _template(undisturbed, remote=False)
    hold(Scene(open_clone(undisturbed / "clone"), then), then)
    assert world(tmp_path) == world(undisturbed)
