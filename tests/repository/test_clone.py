"""Clones as people have them: every bad one gets a clear line, and nothing of theirs is lost."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from scene import Scene, game, git, shared

from nomic_git.law.errors import NomicError, Unreadable
from nomic_git.repository.audit import audit
from nomic_git.repository.clone import Moved, NotHere, Refused, open_clone, ours, run_git
from nomic_git.repository.history import events


def due(folder: Path) -> Scene:
    """A game in which an amendment of rule -104 is to be adopted."""
    scene = game(folder)
    number = scene.propose("alice", {"rules/mutable/-104.md": b"Be brief.\n"})
    scene.vote(number, "for", "bob", "carol", "dave")
    return scene


def said(error: pytest.ExceptionInfo[NomicError]) -> str:
    assert "\n" not in str(error.value)
    return str(error.value)


def test_a_clone_is_found_from_any_folder_in_it(tmp_path):
    scene = game(tmp_path / "game")
    assert open_clone(scene.folder / "rules" / "mutable").tip.id == scene.clone.tip.id


def test_no_repository(tmp_path):
    with pytest.raises(NotHere) as error:
        open_clone(tmp_path)
    assert "is not in a Git repository; start a game with: nomic-git new" in said(error)
    with pytest.raises(NotHere):
        open_clone(tmp_path / "nowhere")


def test_a_broken_repository(tmp_path):
    scene = game(tmp_path / "game")
    (scene.folder / ".git" / "config").write_text("[core\n")
    with pytest.raises(NotHere) as error:
        open_clone(scene.folder)
    said(error)


def test_no_commit_yet(tmp_path):
    git(tmp_path, "init", "-q")
    with pytest.raises(NotHere, match=r"no commit here yet, so no game; start one with: nomic-git new"):
        open_clone(tmp_path)


def test_no_game(tmp_path):
    git(tmp_path, "init", "-q")
    git(tmp_path, "-c", "user.name=A", "-c", "user.email=a@b", "commit", "-q", "--allow-empty", "-m", "Begin")
    with pytest.raises(NotHere, match=r"no game in this repository; start one with: nomic-git new"):
        open_clone(tmp_path)


def test_settings_that_cannot_be_read(tmp_path):
    scene = game(tmp_path / "game")
    git(scene.folder, "update-ref", "refs/heads/main", scene.commit({"nomic.toml": b"name = 1\n"}))
    with pytest.raises(Unreadable, match="name is to be text in quotes"):
        open_clone(scene.folder)


def test_a_game_branch_that_is_not_here(tmp_path):
    scene = game(tmp_path / "game")
    git(scene.folder, "checkout", "-q", "-b", "other")
    git(scene.folder, "branch", "-q", "-D", "main")
    with pytest.raises(NotHere, match=r"bring it back \(git branch main COMMIT\)"):
        open_clone(scene.folder)
    git(scene.folder, "remote", "add", "origin", "https://example.org/game.git")
    with pytest.raises(NotHere, match="get it with: git fetch origin main:main"):
        open_clone(scene.folder)


def test_a_bare_clone_can_be_read_and_not_played_in(tmp_path):
    bare = open_clone(shared(tmp_path, game(tmp_path / "game")))
    assert not bare.is_checked_out
    with pytest.raises(NotHere, match="this clone is bare; clone it and run nomic-git in the clone: git clone"):
        bare.needs_work_tree()


def test_a_server_whose_head_nobody_pushed_can_be_read(tmp_path):
    scene = game(tmp_path / "game")
    bare = shared(tmp_path, scene)
    git(bare, "symbolic-ref", "HEAD", "refs/heads/nobody")
    assert open_clone(bare).tip.id == scene.clone.tip.id


def test_a_detached_head_can_be_read_and_not_played_on(tmp_path):
    scene = game(tmp_path / "game")
    git(scene.folder, "checkout", "-q", "--detach")
    clone = open_clone(scene.folder)
    assert len(list(events(clone))) == 1
    with pytest.raises(NotHere, match=r"\(a detached head\); run: git switch main"):
        clone.needs_work_tree()


def test_a_shallow_clone_lacks_the_history(tmp_path):
    scene = due(tmp_path / "game")
    scene.sit()
    bare = shared(tmp_path, scene)
    git(tmp_path, "clone", "-q", "--depth", "1", f"file://{bare}", "shallow")
    with pytest.raises(NotHere, match="git fetch --unshallow"):
        open_clone(tmp_path / "shallow").needs_history()


def test_a_partial_clone_lacks_files(tmp_path):
    scene = game(tmp_path / "game")
    bare = shared(tmp_path, scene)
    git(bare, "config", "uploadpack.allowFilter", "true")
    git(tmp_path, "clone", "-q", "--filter=blob:none", f"file://{bare}", "partial")
    with pytest.raises(NotHere, match=r"partial|partialclone"):
        open_clone(tmp_path / "partial").needs_history()


@pytest.mark.parametrize("staged", [False, True])
def test_uncommitted_changes_in_the_way_are_kept_and_the_event_waits(tmp_path, staged):
    scene = due(tmp_path / "game")
    mine = scene.folder / "rules" / "mutable" / "-104.md"
    mine.write_text("My own draft\n")
    if staged:
        git(scene.folder, "add", ".")
    before = scene.tip
    with pytest.raises(Refused) as error:
        scene.sit()
    assert "uncommitted changes in rules/mutable/-104.md are in the way; put them aside (git stash" in said(error)
    assert mine.read_text() == "My own draft\n"
    assert scene.tip == before
    git(scene.folder, "stash", "-q")
    assert scene.sit().done
    assert scene.clean()
    git(scene.folder, "stash", "drop", "-q")
    assert audit(scene.clone).irregular == ()


def test_uncommitted_changes_elsewhere_are_kept_and_the_event_is_written(tmp_path):
    scene = due(tmp_path / "game")
    mine = scene.folder / "rules" / "mutable" / "-107.md"
    mine.write_text("My own draft\n")
    (scene.folder / "notes.txt").write_text("mine")
    assert scene.sit().done
    assert mine.read_text() == "My own draft\n"
    assert git(scene.folder, "status", "--porcelain").splitlines() == [" M rules/mutable/-107.md", "?? notes.txt"]


def test_a_file_that_was_only_touched_is_not_in_the_way(tmp_path):
    scene = due(tmp_path / "game")
    mine = scene.folder / "rules" / "mutable" / "-104.md"
    mine.write_bytes(mine.read_bytes())
    assert scene.sit().done
    assert scene.clean()


def test_on_another_branch_the_work_tree_is_left_alone(tmp_path):
    scene = due(tmp_path / "game")
    git(scene.folder, "checkout", "-q", "-b", "draft")
    before = git(scene.folder, "rev-parse", "HEAD")
    assert scene.sit().done
    assert git(scene.folder, "rev-parse", "HEAD") == before
    assert scene.clean()
    git(scene.folder, "checkout", "-q", "main")
    assert scene.clean()


@pytest.mark.parametrize("lock", ["index.lock", "refs/heads/main.lock"])
def test_a_lock_is_named_and_nothing_is_lost(tmp_path, lock):
    scene = due(tmp_path / "game")
    held = scene.folder / ".git" / lock
    held.write_text("")
    before = scene.tip
    with pytest.raises(Refused) as error:
        scene.sit()
    assert "another git command is at work here" in said(error)
    assert Path(lock).name in said(error)
    assert scene.tip == before
    held.unlink()
    assert [one.event.kind for one in scene.sit().done] == ["adopted"]
    assert scene.clean()
    assert audit(scene.clone).irregular == ()


FULL_DISK = """
    import resource, signal, sys
    from pathlib import Path

    from nomic_git.forges.local import LocalForge
    from nomic_git.law.errors import NomicError
    from nomic_git.referee.sitting import sit
    from nomic_git.repository.clone import open_clone

    clone = open_clone(Path(sys.argv[1]))
    forge = LocalForge(clone)
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[3]), int(sys.argv[3])))
    try:
        sit(clone, forge, int(sys.argv[2]))
    except NomicError as error:
        print(str(error))
    """


@pytest.mark.parametrize("room", [0, 60, 200, 400, 1000, 3000])
def test_a_disk_that_is_full_at_any_point_loses_nothing(tmp_path, room):
    scene = due(tmp_path / "game")
    before = scene.tip
    command = [sys.executable, "-c", textwrap.dedent(FULL_DISK), str(scene.folder), str(scene.now + 10), str(room)]
    # Python lets its children die of a file that grows too large; git is to see an error, as on a full disk.
    (tmp_path / "git").write_text(f"#!/bin/sh\ntrap '' XFSZ\nexec {shutil.which('git')} \"$@\"\n")
    (tmp_path / "git").chmod(0o755)
    path = {**os.environ, "PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=path)
    assert done.stderr == ""
    assert len(done.stdout.splitlines()) == 1
    assert scene.tip == before
    assert [one.event.kind for one in scene.sit().done] == ["adopted"]
    assert scene.clean()
    assert audit(scene.clone).irregular == ()


def test_a_branch_that_moved_meanwhile_is_not_overwritten(tmp_path):
    scene = game(tmp_path / "game")
    tip = scene.clone.tip.id
    mine, theirs = (scene.commit({"README.md": words}) for words in (b"mine", b"theirs"))
    git(scene.folder, "checkout", "-q", "--detach")
    git(scene.folder, "update-ref", "refs/heads/main", theirs)
    with pytest.raises(Moved, match="main has moved meanwhile; run the command again"):
        scene.clone.advance(tip, scene.clone.repository[mine].id)
    assert scene.tip == theirs


def test_what_git_complains_of_is_one_line(tmp_path):
    with pytest.raises(Refused) as error:
        run_git(tmp_path, "log")
    assert "not a git repository" in said(error)


def test_without_git_there_is_a_remedy(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(NotHere, match="the git program is not installed, or not on the PATH; install git"):
        run_git(tmp_path, "version")


def test_the_remote_is_the_one_that_the_game_branch_follows(tmp_path):
    scene = game(tmp_path / "game")
    assert scene.clone.remote is None
    shared(tmp_path, scene)
    assert scene.clone.remote == "origin"


def test_the_games_paths_are_its_folders_and_its_two_files():
    assert all(ours(path) for path in ("rules/mutable/1.md", "players/a.md", "scores.json", "SCORES.md"))
    assert not any(ours(path) for path in ("nomic.toml", "docs/rules/1.md", "rules.md", "README.md"))


def test_the_settings_are_those_of_the_game_branch(tmp_path: Path) -> None:
    """Whoever writes a proposal has another branch checked out, with other settings or none that can be read."""
    scene = game(tmp_path / "game")
    settings = scene.clone.settings
    git(scene.folder, "switch", "-qc", "draft")
    git(scene.folder, "update-ref", "refs/heads/draft", scene.commit({"nomic.toml": b'name = "Mine"\n'}))
    assert open_clone(scene.folder).settings == settings


@pytest.mark.parametrize("toml", [b"name = \n", b'branch = "elsewhere"\n', b"\xff"])
def test_an_audit_goes_on_without_settings(tmp_path: Path, toml: bytes) -> None:
    scene = game(tmp_path / "game")
    git(scene.folder, "update-ref", "refs/heads/main", scene.commit({"nomic.toml": toml}))
    with pytest.raises(NomicError):
        open_clone(scene.folder)
    clone = open_clone(scene.folder, settled=False)
    assert clone.settings.branch == "main"
    assert audit(clone).irregular == ()


def test_settings_for_one_call_are_in_no_file_and_come_after_those_of_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scene = game(tmp_path / "game")
    for name, value in (("COUNT", "1"), ("KEY_0", "nomic.word"), ("VALUE_0", "first")):
        monkeypatch.setenv(f"GIT_CONFIG_{name}", value)
    asked = ("config", "--get-all", "nomic.word")
    given = [("nomic.word", ""), ("nomic.word", "last")]
    assert scene.clone.git(*asked, settings=given).split("\n") == ["first", "", "last", ""]
    assert scene.clone.git(*asked) == "first\n"
    assert "nomic" not in (scene.folder / ".git" / "config").read_text()
