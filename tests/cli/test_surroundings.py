"""What stands around a game, in the environment or in Git's settings, does not come between it and its players."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from program import Game, ask, git

from nomic_git.cli import results

AS_A = ("-c", "user.name=A", "-c", "user.email=a@x.invalid")


def adoptable(game: Game) -> None:
    """Bring proposal 7 to where a pass adopts it."""
    game.vote(7, carol="for")


def one_line(error: str, *says: str) -> None:
    assert error.startswith("nomic-git: ")
    assert error.count("\n") == 1
    assert all(words in error for words in says), error


@pytest.mark.parametrize("with_work_tree", [True, False])
def test_the_repository_of_the_folder_is_the_one_that_is_worked_on(
    played: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, with_work_tree: bool
) -> None:
    adoptable(played)
    git(tmp_path, "init", "-q", "-b", "main", "other")
    other = tmp_path / "other"
    git(other, *AS_A, "commit", "-q", "--allow-empty", "-m", "Mine")
    before = git(other, "for-each-ref")
    monkeypatch.setenv("GIT_DIR", str(other / ".git"))
    monkeypatch.setenv("GIT_INDEX_FILE", str(other / ".git" / "index"))
    if with_work_tree:
        monkeypatch.setenv("GIT_WORK_TREE", str(other))
    assert "Adopt proposal 7" in played.does("referee")
    for name in ("GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE"):
        monkeypatch.delenv(name, raising=False)
    assert git(other, "for-each-ref") == before
    assert played.git("status", "--porcelain") == ""
    assert played.json("audit") == {"events": 8, "irregular": [], "scores_match": True}


def test_a_replaced_commit_is_read_as_it_is(played: Game) -> None:
    adoptable(played)
    played.git("replace", "HEAD", "HEAD~1")
    assert "Adopt proposal 7" in played.does("referee")
    played.git("replace", "-d", played.git("rev-parse", "HEAD~1"))
    assert played.git("status", "--porcelain") == ""
    assert played.json("audit")["irregular"] == []


def test_a_clone_with_line_ends_of_its_own_follows_the_game(played: Game, tmp_path: Path) -> None:
    git(tmp_path, "init", "-q", "--bare", "-b", "main", "shared.git")
    played.git("remote", "add", "origin", str(tmp_path / "shared.git"))
    played.git("push", "-q", "-u", "origin", "main", "refs/nomic/*:refs/nomic/*")
    git(tmp_path, "clone", "-q", "-c", "core.autocrlf=true", str(tmp_path / "shared.git"), "crlf")
    theirs = Game(tmp_path / "crlf", played.clock)
    assert b"\r\n" in (theirs.folder / "SCORES.md").read_bytes()
    theirs.does("sync")
    theirs.does("vote", "7", "for", "--as", "carol")
    # As a pass that was killed halfway leaves it: written out, and not in the index.
    head = theirs.git("rev-parse", "HEAD")
    assert "Adopt proposal 7" in theirs.does("referee")
    assert theirs.git("status", "--porcelain") == ""
    theirs.git("update-ref", "refs/heads/main", head)
    theirs.git("update-ref", "refs/remotes/origin/main", head)
    theirs.git("read-tree", head)
    theirs.does("sync")
    assert theirs.git("status", "--porcelain") == ""
    assert b"\r\n" in (theirs.folder / "rules" / "mutable" / "7.md").read_bytes()
    theirs.does("check")
    assert theirs.json("audit") == {"events": 8, "irregular": [], "scores_match": True}


def test_a_work_tree_in_another_encoding_is_git_s_business(played: Game) -> None:
    (played.folder / ".gitattributes").write_text("rules/** working-tree-encoding=UTF-16LE-BOM\nplayers/* eol=crlf\n")
    played.git("add", ".gitattributes")
    played.git(*AS_A, "commit", "-q", "-m", "Keep the rules in UTF-16")
    adoptable(played)
    assert "Adopt proposal 7" in played.does("referee")
    assert played.json("audit")["irregular"] == []


def test_ids_of_sha_256_are_refused_and_a_new_game_has_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    git(tmp_path, "init", "-q", "--object-format=sha256", "long")
    for command in (["scores"], ["new", "."]):
        answer = ask("-C", tmp_path / "long", *command)
        assert (answer.code, answer.out) == (2, "")
        one_line(answer.err, "SHA-256", "git init --object-format=sha1")
    monkeypatch.setenv("GIT_DEFAULT_HASH", "sha256")
    assert ask("new", tmp_path / "game", "--player", "alice").code == 0
    assert len(git(tmp_path / "game", "rev-parse", "HEAD")) == 40


@pytest.mark.parametrize("leaves_out", ["blob:none", "tree:0"])
def test_a_partial_clone_is_told_to_be_whole(played: Game, tmp_path: Path, leaves_out: str) -> None:
    git(tmp_path, "clone", "-q", "--bare", str(played.folder), "shared.git")
    git(tmp_path / "shared.git", "config", "uploadpack.allowFilter", "true")
    git(tmp_path, "clone", "-q", f"--filter={leaves_out}", f"file://{tmp_path / 'shared.git'}", "part")
    for command in ("audit", "log", "history -105", "proposals", "sync", "referee", "check HEAD~1"):
        answer = ask("-C", tmp_path / "part", *command.split())
        assert (answer.code, answer.out) == (2, ""), command
        one_line(answer.err, "this clone is partial", "without --filter")


BIN = Path(sys.executable).parent / "nomic-git"


def process(game: Game, *arguments: str | bytes, **environment: str) -> subprocess.CompletedProcess[bytes]:
    """Run the program as it is installed, in a process of its own."""
    if not BIN.exists():
        pytest.skip("nomic-git is not installed beside this Python")
    return subprocess.run(
        [str(BIN), *arguments], cwd=game.folder, env={**os.environ, **environment}, capture_output=True, check=False
    )


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252", "utf-8"])
def test_an_output_that_lacks_letters_is_written_all_the_same(played: Game, encoding: str) -> None:
    played.does("propose", "repeal", "6", "--title", "Łódź 茶", "--as", "carol")
    there = {"PYTHONIOENCODING": encoding, "PYTHONUTF8": "0"}
    for command in ("proposals", "show -110", "law", "rules", "tally 9"):
        done = process(played, *command.split(), **there)
        assert (done.returncode, done.stderr) == (0, b""), command
    assert ("Łódź 茶" in done.stdout.decode(encoding)) is (encoding == "utf-8")
    assert process(played, "tally", "Ł", **there).returncode == 2
    ask("new", played.folder / "other", "--player", "zoe=Łódź 茶")
    document = process(played, "-C", "other", "players", "--json", **there).stdout
    assert json.loads(document)[0]["name"] == "Łódź 茶"
    assert document.isascii() is (encoding != "utf-8")


@pytest.mark.parametrize("command", ["join --as eve --name", "comment 7 --as bob", "propose enact", "-C", "check"])
def test_an_argument_that_is_no_text_is_refused(played: Game, command: str) -> None:
    done = process(played, *command.split(), b"\xff\xfe")
    assert (done.returncode, done.stdout) == (2, b"")
    one_line(done.stderr.decode(), "is not UTF-8")


def test_what_nobody_has_foreseen_is_one_line_and_says_where_on_request(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise KeyError("x")

    monkeypatch.setattr(results, "desk", broken)
    answer = game.ask("scores")
    assert (answer.code, answer.out) == (2, "")
    one_line(
        answer.err, "this should not have happened (KeyError: 'x'); please report it. NOMIC_GIT_TRACE=1 shows where"
    )
    monkeypatch.setenv("NOMIC_GIT_TRACE", "1")
    answer = game.ask("scores")
    assert answer.err.startswith("Traceback (most recent call last):\n")
    assert "in broken" in answer.err
    assert answer.err.splitlines()[-1].startswith("nomic-git: this should not have happened")
    assert answer.code == 2


@pytest.mark.parametrize("command", ["scores", "show -110", "tally 7", "history -105", "vote 7 for --as carol"])
def test_what_is_read_needs_no_library_that_takes_longer_to_load_than_the_game(played: Game, command: str) -> None:
    script = "import sys; from nomic_git.cli.main import run; run(sys.argv[1:]); print('pydantic' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", script, *command.split()], cwd=played.folder, capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == "False"


@pytest.mark.parametrize("of_the_game", [True, False])
def test_a_pass_in_another_work_tree_leaves_the_game_s_own_at_its_event(
    played: Game, tmp_path: Path, of_the_game: bool
) -> None:
    adoptable(played)
    beside = Game(tmp_path / "beside", played.clock)
    if of_the_game:
        played.git("worktree", "add", "-q", str(beside.folder), "-b", "mine")
    else:
        played.git("switch", "-q", "-c", "mine")
        played.git("worktree", "add", "-q", str(beside.folder), "main")
    at, own = (beside, played) if of_the_game else (played, beside)
    assert "Adopt proposal 7" in at.does("referee")
    assert own.git("status", "--porcelain") == ""
    assert (own.folder / "rules" / "mutable" / "7.md").is_file()
    assert at.git("status", "--porcelain") == ""


def test_uncommitted_changes_in_the_game_s_own_work_tree_stop_a_pass_in_another(played: Game, tmp_path: Path) -> None:
    adoptable(played)
    beside = Game(tmp_path / "beside", played.clock)
    played.git("worktree", "add", "-q", str(beside.folder), "-b", "mine")
    (played.folder / "SCORES.md").write_text("Mine.\n")
    before = played.git("rev-parse", "main")
    one_line(beside.ask("referee").err, "uncommitted changes in SCORES.md are in the way")
    assert played.git("rev-parse", "main") == before


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can give a folder away")
def test_a_repository_of_somebody_else_s_is_named_with_what_to_do(played: Game) -> None:
    for path in (played.folder, *played.folder.rglob("*")):
        os.chown(path, 12345, 12345)
    one_line(played.ask("scores").err, "belongs to another user", f"--add safe.directory {played.folder}")


def test_settings_that_name_a_branch_that_is_nowhere_are_to_be_mended(played: Game) -> None:
    settings = played.folder / "nomic.toml"
    settings.write_text(settings.read_text().replace('branch = "main"', 'branch = "trunk"'))
    played.git(*AS_A, "commit", "-q", "-a", "-m", "Rename")
    error = played.ask("scores").err
    one_line(error, "the game branch trunk is not in this clone", "or mend nomic.toml")
    assert "git fetch" not in error
