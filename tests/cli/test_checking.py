"""`check`: by hand, on a commit, and as a pre-commit hook."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from program import Game, ask, git

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
    assert document.json == {"in_order": False, "problems": answer.out.splitlines(), "notices": []}
    return answer.out.splitlines()


@pytest.mark.parametrize(
    ("what", "seen"),
    [
        ("", "29 rules, 3 players"),
        (".", "29 rules, 3 players"),
        ("rules", "29 rules, 3 players"),
        ("HEAD", "29 rules, 3 players"),
        ("HEAD~3", "29 rules, 3 players"),
        ("rules/mutable/6.md", "A rule of 8 lines that provides victory.points"),
        ("rules/mutable/1.md", "A rule of 5 lines that provides nothing"),
        ("../words.md", "A rule without front matter, 3 lines"),
        ("players/bob.md", "The file of player bob"),
        ("nomic.toml", "The settings of the game 'game'"),
        ("scores.json", "The scores of 3 players"),
        ("--staged", "Nothing of the game's is staged"),
        ("refs/nomic/proposals/7/head", "Enact a rule"),
    ],
)
def test_what_was_looked_at_is_said(played: Game, what: str, seen: str) -> None:
    played.write("words.md", "One.\nTwo.\nThree.\n")
    path = str(played.folder / what) if what.startswith("../") else what
    assert played.does("check", *([path] if what else [])) == f"{seen}: in order.\n"
    assert played.json("check", *([path] if what else [])) == {"in_order": True, "problems": [], "notices": []}


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
    (rules / "202.md").write_text("---\nprovisions:\n  proposals.numbering: {successive: 301}\n---\n\nSo.\n")
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


def test_what_is_no_plain_file_is_refused_unread(played: Game) -> None:
    os.mkfifo(played.folder / "rules" / "mutable" / "9.md")
    answer = played.ask("check")
    assert (answer.code, answer.err.count("\n")) == (2, 1)
    assert "rules/mutable/9.md is a device or a pipe" in answer.err


def test_a_new_rule_may_have_any_name_until_it_is_adopted(played: Game) -> None:
    (played.folder / "rules" / "mutable" / "tea-time.md").write_text("Tea is at four.\n")
    assert played.does("check") == "30 rules (1 not yet enacted), 3 players: in order.\n"
    (played.folder / "rules" / "mutable" / "tea-time.md").write_text(BROKEN)
    assert refused(played)[0].startswith("rules/mutable/tea-time.md: 'victory.ponts' is no provision")
    (played.folder / "rules" / "mutable" / "tea-time.md").rename(played.folder / "rules" / "immutable" / "tea.md")
    assert "rules/mutable/NUMBER.md; move it" in refused(played)[0]


def test_in_a_commit_on_the_game_branch_every_rule_has_its_number(played: Game) -> None:
    (played.folder / "rules" / "mutable" / "tea-time.md").write_text("Tea is at four.\n")
    commit(played)
    assert "rules/mutable/NUMBER.md; move it" in refused(played, "HEAD")[0]


@pytest.mark.parametrize(
    ("source", "says"),
    [
        ("", "a rule has words"),
        ("\n \n", "a rule has words"),
        ("---\nprovisions:\n  victory.points: 12\n---\n\n", "a rule has words"),
        ("--\nprovisions:\n  victory.points: 12\n--\n\nWords.\n", "fenced by lines ---, not by '--'"),
        ("----\r\ntitle: Tea\r\n----\r\nWords.\r\n", "fenced by lines ---, not by '----'"),
        ("\n---\ntitle: Tea\n---\nWords.\n", "fenced by lines --- at the very top of the file"),
        ("provisions:\n  victory.points: 12\n\nWords.\n", "provisions: is but words of the rule"),
    ],
)
def test_what_cannot_be_meant_is_said(played: Game, source: str, says: str) -> None:
    path = played.write("rule.md", source)
    assert says in refused(played, path)[0]
    (played.folder / "rules" / "mutable" / "tea.md").write_text(source)
    assert says in refused(played)[0]
    played.git("switch", "-q", "-c", "idea")
    commit(played)
    assert says in refused(played, "idea")[0]


@pytest.mark.parametrize("source", ["---\ntitle: Tea\n---\nWords.\n", "- title: Tea\n", "Title: Tea\n", "--\nWords\n"])
def test_words_that_are_only_like_front_matter_are_words(played: Game, source: str) -> None:
    played.does("check", played.write("rule.md", source))


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
    assert played.does("check", "dora") == "Let dora join: in order.\n"
    (played.folder / "players" / "dora.md").write_text("---\nnmae: Dora\n---\n")
    commit(played)
    assert refused(played, "dora")[0].startswith("players/dora.md: the key 'nmae'")


def staged(game: Game, branch: str = "idea") -> None:
    """Stage all that was changed, on a branch of its own."""
    if game.git("branch", "--show-current") != branch:
        game.git("switch", "-q", "-c", branch)
    game.git("add", "-A")


def test_a_staged_change_is_read_as_a_proposal(played: Game) -> None:
    rule = played.folder / "rules" / "mutable" / "6.md"
    rule.write_text(rule.read_text() + "\nOr so.\n")
    staged(played)
    assert played.does("check", "--staged") == "Amend rule 6: in order.\n"
    rule.write_text(BROKEN)
    assert played.does("check", "--staged") == "Amend rule 6: in order.\n"
    commit(played)
    played.git("reset", "-q", "--hard", "main")
    (rule.parent / "-106.md").unlink()
    staged(played)
    assert played.does("check", "--staged") == "Repeal rule -106: in order.\n"
    played.git("reset", "-q", "--hard", "main")
    rule.unlink()
    staged(played)
    (problem,) = refused(played, "--staged")
    assert "no number of points that wins" in problem
    played.git("reset", "-q", "--hard", "main")
    (played.folder / "rules" / "mutable" / "tea-time.md").write_text("Tea is at four.\n")
    staged(played)
    assert played.does("check", "--staged") == "Enact a rule: in order.\n"


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"rules/immutable/-216.md": "Words.\n"}, ["Rule -216 is immutable and cannot be amended"]),
        ({"rules/immutable/-216.md": None}, ["Rule -216 is immutable and cannot be repealed"]),
        ({"rules/mutable/6.md": "One.\n", "rules/mutable/-104.md": "Two.\n"}, ["It changes 2 rule files"]),
        ({"rules/mutable/6.md": None, "rules/mutable/-104.md": None}, ["It changes 2 rule files"]),
        ({"rules/mutable/tea.md": "---\nformerly: [3]\n---\n\nTea.\n"}, ["`formerly` in `rules/mutable/tea.md`"]),
        ({"rules/mutable/6.md": "One.\n", "notes.md": "Notes.\n"}, ["`formerly`", "It also changes `notes.md`"]),
        ({"rules/mutable/6.md": BROKEN}, ["`rules/mutable/6.md` cannot be read as a rule"]),
        ({"rules/mutable/tea.md": ""}, ["a rule has words"]),
        ({"scores.json": "{}"}, ["scores.json is the referee's to write"]),
        ({"players/bob.md": "---\nname: Rob\n---\n"}, ["player"]),
        ({"nomic.toml": "colour = 'red'\n"}, ["nomic.toml: 'colour' is no setting"]),
    ],
)
def test_a_staged_change_that_is_no_lawful_one_is_refused(
    played: Game, changes: dict[str, str | None], says: list[str]
) -> None:
    for path, text in changes.items():
        if text is None:
            (played.folder / path).unlink()
        else:
            (played.folder / path).write_text(text)
    staged(played)
    problems = refused(played, "--staged")
    assert len(problems) == len(says)
    assert all(words in problem for words, problem in zip(says, problems, strict=True))


def test_what_is_staged_on_top_of_other_commits_counts_with_them(played: Game) -> None:
    rule = played.folder / "rules" / "mutable" / "6.md"
    before = rule.read_text()
    rule.write_text(before + "\nOr so.\n")
    staged(played)
    commit(played)
    (played.folder / "rules" / "mutable" / "tea.md").write_text("Tea is at four.\n")
    staged(played)
    assert refused(played, "--staged")[0].startswith("It changes 2 rule files")
    (played.folder / "rules" / "mutable" / "tea.md").unlink()
    rule.write_text(before)
    staged(played)
    assert played.does("check", "--staged") == "Nothing that the game branch has otherwise: in order.\n"


def test_a_commit_that_has_nothing_of_the_games_is_none_of_our_business(played: Game, tmp_path: Path) -> None:
    git(tmp_path, "clone", "-q", "--depth", "1", f"file://{played.folder}", "shallow")
    for folder in (played.folder, tmp_path / "shallow"):
        (folder / "notes.md").write_text("Notes.\n")
        git(folder, "add", "notes.md")
        assert ask("-C", folder, "check", "--staged").out == "Nothing of the game's is staged: in order.\n"


def test_a_change_of_the_law_on_the_game_branch_itself_is_refused(played: Game) -> None:
    (played.folder / "rules" / "mutable" / "tea.md").write_text("Tea is at four.\n")
    played.git("add", "-A")
    (problem,) = refused(played, "--staged")
    assert problem.startswith("The next commit would be one on main, where only the referee")
    assert "git switch -c my-proposal" in problem
    played.git("switch", "-q", "--detach")
    assert played.does("check", "--staged") == "Enact a rule: in order.\n"


def test_one_thing_is_checked_at_a_time(played: Game) -> None:
    answer = played.ask("check", "--staged", "HEAD")
    assert (answer.code, answer.err.count("\n")) == (2, 1)


def attempt(game: Game, *arguments: str) -> str | None:
    """Commit with the hook in place; return what it said where it refused, None where it let the commit pass."""
    done = subprocess.run(
        ["git", "-c", "user.name=A", "-c", "user.email=a@x.invalid", "commit", "-m", "Change", *arguments],
        cwd=game.folder,
        env={**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"},
        input="y\n" * 9,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode == 0) is ("in order." in done.stdout + done.stderr)
    return done.stdout + done.stderr if done.returncode else None


@pytest.fixture
def hooked(played: Game) -> Game:
    """The game with the hook in it, on a branch of one's own."""
    if not (Path(sys.executable).parent / "nomic-git").exists():
        pytest.skip("nomic-git is not installed beside this Python")
    hook = played.folder / ".git" / "hooks" / "pre-commit"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\nexec nomic-git check --staged\n")
    hook.chmod(0o755)
    played.git("switch", "-q", "-c", "idea")
    return played


@pytest.mark.parametrize("arguments", [[], ["-a"], ["-p"], ["rules/mutable/6.md"], ["--include", "rules/mutable/6.md"]])
def test_as_a_hook_it_refuses_a_bad_rule_and_lets_a_good_one_pass(hooked: Game, arguments: list[str]) -> None:
    rule = hooked.folder / "rules" / "mutable" / "6.md"
    good, head = rule.read_text(), hooked.git("rev-parse", "HEAD")
    rule.write_text(BROKEN)
    if not arguments:
        hooked.git("add", "-A")
    said = attempt(hooked, *arguments)
    assert said is not None
    assert "`rules/mutable/6.md` cannot be read as a rule" in said
    assert hooked.git("rev-parse", "HEAD") == head
    rule.write_text(good + "\nOr so.\n")
    if not arguments:
        hooked.git("add", "-A")
    assert attempt(hooked, *arguments) is None
    assert hooked.git("show", "HEAD:rules/mutable/6.md").endswith("Or so.")


def test_as_a_hook_it_looks_at_what_is_committed_and_at_nothing_else(hooked: Game) -> None:
    (hooked.folder / "rules" / "mutable" / "6.md").write_text(BROKEN)
    rule = hooked.folder / "rules" / "mutable" / "-104.md"
    rule.write_text(rule.read_text() + "\nOr so.\n")
    assert attempt(hooked, "rules/mutable/-104.md") is None
    assert attempt(hooked, "-a") is not None


def test_the_hook_that_pre_commit_reads_calls_it_so() -> None:
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    assert (hook["id"], hook["language"], hook["entry"]) == ("nomic-git-check", "python", "nomic-git check --staged")
    assert hook["pass_filenames"] is False
    assert hook["files"] == r"^(rules|players)/|^(nomic\.toml|scores\.json|SCORES\.md)$"


def test_what_a_new_rule_would_provide_in_vain_is_said_before_the_vote(tmp_path: Path) -> None:
    table = Game(tmp_path / "table")
    table.folder.mkdir()
    table.does(
        "new", ".", "--rules", "suber", *(word for one in ("alice", "bob", "carol") for word in ("--player", one))
    )
    hour = "---\nprovisions:\n  votes.deadline: 1h\n---\n\nBe quick.\n"
    day = "---\nprovisions:\n  turns.deadline: 1d\n---\n\nBe quick.\n"
    void = "this rule would be void as soon as it is adopted: it conflicts with immutable rule 105 over votes.deadline"
    idle = "turns.deadline: 1d would have no effect: rule 201 prevails, by number."
    for source, said in ((hour, void), (day, idle)):
        path = table.write("quick.md", source)
        assert said in table.does("check", path).splitlines()[1]
        assert len(table.json("check", path)["notices"]) == (1 if source == hour else 2)
        (table.folder / "rules" / "mutable" / "quick.md").write_text(source)
        told = table.does("check")
        assert "(1 not yet enacted), 3 players: in order.\nrules/mutable/quick.md: As it stands, " in told
        assert said in told
        (table.folder / "rules" / "mutable" / "quick.md").unlink()
    table.does("propose", "enact", table.write("quick.md", hour), "--as", "alice")
    assert void in table.does("check", "refs/nomic/proposals/1/head").splitlines()[1]
    assert table.json("check", "rules/mutable/201.md")["notices"] == []
    assert table.json("check", table.write("tea.md", "Tea.\n"))["notices"] == []
    assert table.json("check", table.write("same.md", hour.replace("1h", "none")))["notices"] == []
    amended = (table.folder / "rules" / "mutable" / "201.md").read_text().replace("deadline: none", "deadline: 1d")
    table.does("propose", "amend", "201", table.write("turns.md", amended), "--as", "bob")
    assert table.json("check", "refs/nomic/proposals/2/head")["notices"] == []
