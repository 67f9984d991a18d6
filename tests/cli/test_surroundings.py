"""What stands around a game, in the environment or in Git's settings, does not come between it and its players."""

from __future__ import annotations

from pathlib import Path

import pytest
from program import Game, ask, git

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
