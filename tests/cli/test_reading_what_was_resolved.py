"""`read` of a proposal that is resolved: what was proposed, also long ago, or where it is to be had."""

from __future__ import annotations

from pathlib import Path

from program import Game, git


def resolved(game: Game, words: str, **votes: str) -> str:
    """Have bob propose a rule, and the others vote; return what `read` tells of it afterwards."""
    game.does("propose", "enact", game.write("words.md", words), "--title", "Drinks", "--as", "bob")
    number = game.json("proposals")[-1]["proposal"]
    game.vote(number, **votes)
    game.does("referee")
    return game.does("read", str(number))


def test_what_was_adopted_is_read_as_it_was_although_the_rule_is_another_by_now(game: Game) -> None:
    said = resolved(game, "There is tea.\n", alice="for", carol="for")
    assert "It was adopted; it is rule 1." in said
    assert "```diff\n--- /dev/null\n+++ rules/mutable/1.md\n" in said
    game.does("propose", "amend", "1", game.write("words.md", "There is coffee.\n"), "--as", "carol")
    game.vote(2, alice="for", bob="for")
    game.does("referee")
    assert "+There is tea.\n" in game.does("read", "1")
    assert "--- rules/mutable/1.md\n+++ rules/mutable/2.md\n" in game.does("read", "2")
    assert "-There is tea.\n+There is coffee.\n" in game.does("read", "2")


def test_so_is_what_was_defeated_and_what_was_withdrawn(game: Game) -> None:
    assert "+There is gin.\n" in resolved(game, "There is gin.\n", alice="against")
    game.does("propose", "repeal", "-106", "--as", "bob")
    game.does("withdraw", "2", "--as", "bob")
    game.does("referee")
    said = game.does("read", "2")
    assert "It was withdrawn" in said
    assert "--- rules/mutable/-106.md\n+++ /dev/null\n" in said


def test_of_who_joined_the_file_is_read_and_of_who_left_nothing(game: Game) -> None:
    game.does("join", "--as", "dave", "--name", "Dave")
    game.vote(1, alice="for", bob="for")
    game.does("forfeit", "--as", "carol")
    game.does("referee")
    assert "+++ players/dave.md\n" in game.does("read", "1")
    assert "+name: Dave\n" in game.does("read", "1")
    assert "diff" not in game.does("read", "2")


def test_where_it_is_gone_it_is_said_which_commit_it_was_and_how_to_have_it(game: Game, tmp_path: Path) -> None:
    resolved(game, "There is gin.\n", alice="against")
    head = game.git("log", "-1", "--format=%(trailers:key=Nomic-Head,valueonly)")
    git(tmp_path, "clone", "-q", "--single-branch", f"file://{game.folder}", "copy")
    copy = Game(tmp_path / "copy", game.clock)
    said = copy.does("read", "1")
    assert f"What was proposed is not in this clone: it is commit {head}. " in said
    assert "If origin still has it, this brings it: nomic-git sync\n" in said
    copy.does("sync")
    assert "+There is gin.\n" in copy.does("read", "1")
    git(tmp_path, "clone", "-q", "--single-branch", f"file://{game.folder}", "alone")
    git(tmp_path / "alone", "remote", "remove", "origin")
    alone = Game(tmp_path / "alone", game.clock)
    assert "Somebody who has it in another clone can push it here." in alone.does("read", "1")


def test_what_was_withdrawn_is_told_with_its_kind_its_rule_and_its_number(tmp_path: Path) -> None:
    game = Game(tmp_path / "game")
    game.folder.mkdir()
    game.does("new", ".", "--rules", "suber-1982", "--player", "ann", "--player", "ben", "--player", "cy")
    game.does("propose", "transmute", "109", "--as", "ann")
    game.does("propose", "amend", "206", game.write("words.md", "Nothing is lost.\n"), "--as", "ben")
    game.does("referee")
    for number, login in ((1, "ann"), (2, "ben")):
        game.does("withdraw", str(number), "--as", login)
    game.does("referee")
    assert game.does("tally", "1").startswith("Proposal 1 (number 301 of the rulebook): transmute rule 109, by ann\n")
    read = game.does("read", "1")
    assert read.startswith("Proposal 1 (number 301 of the rulebook): transmute rule 109\n")
    assert "--- rules/immutable/109.md\n+++ rules/mutable/301.md\n" in read
    assert game.does("tally", "2").startswith("Proposal 2: amend rule 206, by ben\n")
    assert "--- rules/mutable/206.md\n" in game.does("read", "2")
    assert game.json("tally", "1")["change"] == {"kind": "transmute", "rule": 109}


def test_what_lapsed_in_the_turn_of_who_left_is_told_too_and_what_waits_is_shown_as_moved(tmp_path: Path) -> None:
    game = Game(tmp_path / "game")
    game.folder.mkdir()
    game.does(
        "new", ".", "--rules", "suber-1982", *(word for one in ("ann", "ben", "cy") for word in ("--player", one))
    )
    game.does("propose", "transmute", "109", "--as", "ann")
    game.does("propose", "transmute", "110", "--as", "ben")
    game.does("referee")
    assert "\nrules/immutable/110.md -> rules/mutable/110.md\n" in game.does("read", "2")
    game.does("forfeit", "--as", "ann")
    game.does("referee")
    assert game.does("read", "1").startswith("Proposal 1 (number 301 of the rulebook): transmute rule 109\n")
    assert "ann had left the game" in game.does("tally", "1")


def test_of_what_was_withdrawn_and_is_gone_nothing_false_is_said(game: Game, tmp_path: Path) -> None:
    game.does("propose", "repeal", "-106", "--as", "bob")
    game.does("withdraw", "1", "--as", "bob")
    game.does("referee")
    git(tmp_path, "clone", "-q", "--single-branch", f"file://{game.folder}", "copy")
    copy = Game(tmp_path / "copy", game.clock)
    assert copy.does("tally", "1").startswith("Proposal 1, by bob\nIt is withdrawn.\n")
