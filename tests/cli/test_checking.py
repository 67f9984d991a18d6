"""`check`: by hand, on a commit, and as a pre-commit hook."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from program import Game, ask

ROOT = Path(__file__).parents[2]
BROKEN = "---\nprovisions:\n  victory.ponts: 12\n---\n\nWords.\n"


def commit(game: Game, message: str = "By hand") -> str:
    game.git("add", "-A")
    game.git("-c", "user.name=A", "-c", "user.email=a@x.invalid", "commit", "-q", "-m", message)
    return game.git("rev-parse", "HEAD")


def refused(game: Game, *arguments: str | Path) -> list[str]:
    """Return the problems that `check` lists, a line each."""
    answer = game.ask("check", *arguments)
    assert (answer.code, answer.err) == (1, "")
    document = game.ask("check", *arguments, "--json")
    assert document.code == 1
    assert document.json == {"in_order": False, "problems": answer.out.splitlines()}
    return answer.out.splitlines()


def test_a_game_that_is_played_is_in_order_whichever_way_it_is_named(played: Game) -> None:
    for what in (
        [],
        ["."],
        ["rules"],
        ["rules/mutable/6.md"],
        ["players/bob.md"],
        ["nomic.toml"],
        ["HEAD"],
        ["HEAD~3"],
    ):
        assert played.does("check", *what) == "In order.\n", what
    assert played.json("check", "--staged") == {"in_order": True, "problems": []}


def test_every_broken_file_is_named_at_once(played: Game) -> None:
    mutable = played.folder / "rules" / "mutable"
    (mutable / "6.md").write_text(BROKEN)
    (mutable / "tea.txt").write_text("Tea")
    (played.folder / "players" / "b b.md").write_text("")
    (played.folder / "players" / "carol.md").write_text("---\nnmae: Carol\n---\n")
    (played.folder / "nomic.toml").write_text("colour = 'red'")
    (played.folder / "scores.json").write_text("{")
    problems = refused(played)
    assert [line.split(":")[0].split(" is no")[0] for line in problems] == [
        "nomic.toml",
        "players/b b.md",
        "players/carol.md",
        "rules/mutable/6.md",
        "rules/mutable/tea.txt",
        "scores.json",
    ]
    assert refused(played, "rules/mutable/6.md")[0].endswith("did you mean 'victory.points'?")


def test_two_files_of_one_number_are_refused(played: Game) -> None:
    (played.folder / "rules" / "immutable" / "6.md").write_text("Six.\n")
    assert "6" in refused(played)[0]


def test_a_rulebook_to_begin_with_needs_room_for_the_numbers_of_proposals(tmp_path: Path) -> None:
    rules = tmp_path / "book" / "rules" / "mutable"
    rules.mkdir(parents=True)
    (rules / "201.md").write_text("Words.\n")
    answer = ask("check", tmp_path / "book")
    assert (answer.code, answer.err) == (1, "")
    assert "proposals.numbering: {successive: 301}" in answer.out
    (rules / "202.md").write_text("---\nprovisions:\n  proposals.numbering: {successive: 301}\n---\n")
    assert ask("check", tmp_path / "book").code == 0
    assert ask("check", rules.parent).code == 0


def test_a_rulebook_beyond_its_own_limits_is_refused(played: Game) -> None:
    for number in range(400, 430):
        (played.folder / "rules" / "mutable" / f"{number}.md").write_text("Words.\n")
    assert "at most 25" in refused(played)[0]


def test_links_are_refused(played: Game) -> None:
    (played.folder / "rules" / "mutable" / "9.md").symlink_to("6.md")
    answer = played.ask("check")
    assert (answer.code, answer.err.count("\n")) == (2, 1)
    assert "rules/mutable/9.md is a link" in answer.err


def test_a_proposal_in_order_is_in_order(played: Game) -> None:
    for number in (7, 8):
        assert played.does("check", f"refs/nomic/proposals/{number}/head") == "In order.\n"


@pytest.mark.parametrize(
    ("path", "text", "says"),
    [
        ("rules/immutable/-216.md", "Words.\n", "Rule -216 is immutable and cannot be amended"),
        ("rules/mutable/6.md", BROKEN, "cannot be read as a rule"),
        ("notes.md", "Notes.\n", "no proposal"),
    ],
)
def test_a_commit_that_is_no_lawful_change_is_refused(played: Game, path: str, text: str, says: str) -> None:
    played.git("switch", "-q", "-c", "idea")
    (played.folder / path).write_text(text)
    commit(played)
    assert says in refused(played, "idea")[0]


def test_a_commit_that_changes_two_rules_is_refused(played: Game) -> None:
    played.git("switch", "-q", "-c", "idea")
    for number in (1, 6):
        (played.folder / "rules" / "mutable" / f"{number}.md").write_text("Words.\n")
    commit(played)
    assert refused(played, "idea")[0].startswith("It changes 2 rule files")


def test_a_stale_commit_is_refused(played: Game) -> None:
    played.git("switch", "-q", "-c", "idea", "HEAD~1")
    rule = played.folder / "rules" / "mutable" / "2.md"
    rule.write_text(rule.read_text() + "\nOr so.\n")
    commit(played)
    (problem,) = refused(played, "idea")
    assert problem.startswith("Rule 2, which it would change, has been changed meanwhile and is now rule 6.")


def test_a_commit_that_breaks_a_limit_is_refused(played: Game) -> None:
    mutable = played.folder / "rules" / "mutable"
    for number in range(400, 425 - len(list(mutable.iterdir()))):
        (mutable / f"{number}.md").write_text("Words.\n")
    commit(played)
    played.git("switch", "-q", "-c", "idea")
    (mutable / "one-more.md").write_text("Words.\n")
    commit(played)
    assert "26 mutable rules" in refused(played, "idea")[0]


def test_a_request_to_join_is_checked_too(played: Game) -> None:
    played.git("switch", "-q", "-c", "dora")
    (played.folder / "players" / "dora.md").write_text("---\nname: Dora\n---\n")
    commit(played)
    assert played.does("check", "dora") == "In order.\n"
    (played.folder / "players" / "dora.md").write_text("---\nnmae: Dora\n---\n")
    commit(played)
    assert refused(played, "dora")[0].startswith("players/dora.md: the key 'nmae'")


def attempt(game: Game) -> subprocess.CompletedProcess[str]:
    game.git("add", "-A")
    return subprocess.run(
        ["git", "-c", "user.name=A", "-c", "user.email=a@x.invalid", "commit", "-m", "Change"],
        cwd=game.folder,
        env={**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        check=False,
    )


def test_as_a_hook_it_refuses_a_bad_rule_and_lets_a_good_one_pass(played: Game) -> None:
    if not (Path(sys.executable).parent / "nomic-git").exists():
        pytest.skip("nomic-git is not installed beside this Python")
    hook = played.folder / ".git" / "hooks" / "pre-commit"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\nexec nomic-git check --staged\n")
    hook.chmod(0o755)
    rule = played.folder / "rules" / "mutable" / "6.md"
    good = rule.read_text()
    head = played.git("rev-parse", "HEAD")
    rule.write_text(BROKEN)
    done = attempt(played)
    assert done.returncode == 1
    assert "rules/mutable/6.md: " in done.stdout + done.stderr
    assert played.git("rev-parse", "HEAD") == head
    rule.write_text(good + "\nOr so.\n")
    assert attempt(played).returncode == 0
    rule.write_text(good)
    played.git("add", "-A")
    rule.write_text(BROKEN)
    assert played.does("check", "--staged") == "In order.\n"


def test_the_hook_that_pre_commit_reads_calls_it_so() -> None:
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    assert (hook["id"], hook["language"], hook["entry"]) == ("nomic-git-check", "python", "nomic-git check --staged")
    assert hook["pass_filenames"] is False
    assert hook["files"] == r"^(rules|players)/|^nomic\.toml$"
