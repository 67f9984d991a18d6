"""The run's page: what a workflow's run shows of a pass, and what the runner is told while it is made."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from program import Answer, Game
from scene import Scene, game, rules

from nomic_git.forges.deed import Deed
from nomic_git.referee.summary import LARGEST, run_page

GOLDEN = Path(__file__).parent / "golden"
WEB = "https://github.com/nomic/game"
MARK = re.compile(r"::stop-commands::([0-9a-f]{32})")


@pytest.fixture
def runner(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Run the program as a runner of GitHub Actions does; the file is the run's page."""
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path / "summary.md"))
    monkeypatch.setenv("GITHUB_SERVER_URL", "https://github.com")
    monkeypatch.setenv("GITHUB_REPOSITORY", "nomic/game")
    return tmp_path / "summary.md"


def page(it: Scene, *, web: str | None = WEB, dry: bool = False, largest: int = LARGEST, **said: str) -> str:
    report = it.sit(dry_run=dry)
    titles = {one.number: one.title for one in it.forge.submissions(report.position.state.resolved)}
    troubles = [said["trouble"]] if "trouble" in said else []
    costs = said.get("costs", "")
    return run_page(report, titles, name="Tea & law", web=web, costs=costs, troubles=troubles, dry=dry, largest=largest)


def eventful(folder: Path) -> Scene:
    """A game with a proposal of each kind of stage, and words in the titles that would act."""
    it = game(folder, book=rules((-113, b"---\nprovisions:\n  players.joining: vote\n---\n\nVote on whoever comes.\n")))
    first = it.enact("alice", "Be kind.")
    second = it.propose("bob", {"rules/mutable/-106.md": None}, "Fewer | rules, says @bob: <b>`closes #1`</b>")
    it.enact("carol", "Be brief.", draft=True)
    it.propose("dave", {"rules/immutable/-213.md": None}, "[x](javascript:x)\n::error::no")
    it.enact("bob", name="later")
    it.propose("frank", {"players/frank.md": b"---\nname: Frank\n---\n"})
    it.vote(first, "for", "bob", "carol", "dave")
    it.vote(second, "for", "carol")
    return it


def quiet(folder: Path) -> Scene:
    return game(folder)


def matches(name: str, said: str, request: pytest.FixtureRequest) -> None:
    golden = GOLDEN / name
    # Commits have other ids whenever the shipped rulebook has other words.
    said = re.sub(r"\b[0-9a-f]{40}\b", "0" * 40, re.sub(r"\[[0-9a-f]{12}\]", f"[{'0' * 12}]", said))
    if request.config.getoption("--renew-golden"):
        golden.write_text(said, newline="")
    assert said == golden.read_bytes().decode()


def test_the_page_of_an_eventful_pass(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    said = page(eventful(tmp_path / "game"), costs="GitHub was asked 3 times.", trouble="a | `trouble`")
    matches("run-page.md", said, request)


def test_the_page_of_a_pass_in_which_nothing_was_due(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    matches("run-page-quiet.md", page(quiet(tmp_path / "game"), web=None), request)


def test_the_page_of_a_dry_run_says_that_it_is_one(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    matches("run-page-dry.md", page(eventful(tmp_path / "game"), dry=True), request)


def test_the_page_says_on_what_judgment_is_open_who_invoked_it_and_what_it_waits_for(
    tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    it = game(tmp_path / "game")
    number = it.enact("alice")
    it.forge.note("bob", number, Deed.JUDGMENT, it.tick(), word="judgment", words="Is it @kind?")
    seeks = page(it)
    assert "Judgment is open on proposal 1: alice is to ask a player to be the Judge (rule -102). bob invoked" in seeks
    it.forge.note("alice", number, Deed.JUDGMENT, it.tick(), word="ask", words="carol")
    matches("run-page-judged.md", page(it), request)
    it.forge.note("carol", number, Deed.JUDGMENT, it.tick(), word="rule", words="legal")
    assert "carol has ruled, and the others can uphold or overrule that (rule -102). bob invoked it.\n" in page(it)
    it.forge.note("dave", number, Deed.JUDGMENT, it.tick(), word="uphold")
    assert "Judgment is open" not in page(it)


@pytest.mark.parametrize("largest", [1, 700, 1500, 2000])
def test_a_page_is_never_longer_than_what_is_shown_of_it(tmp_path: Path, largest: int) -> None:
    said = page(eventful(tmp_path / "game"), largest=largest)
    assert 0 < len(said.encode()) <= largest


def test_what_a_long_page_leaves_out_is_counted(tmp_path: Path) -> None:
    said = page(eventful(tmp_path / "game"), largest=1200)
    assert re.search(r"^(And \d more|\d are open)\.$", said, re.MULTILINE)


def test_a_title_that_would_act_stands_in_a_code_span(tmp_path: Path) -> None:
    said = page(eventful(tmp_path / "game"))
    outside = re.sub(r"`[^`]*`", "", said)
    assert "@bob" in said
    assert "@" not in outside
    assert "<b>" not in outside
    assert "javascript" not in outside
    assert not [line for line in said.splitlines() if line.startswith("::")]


def refereed(played: Game, *options: str) -> Answer:
    played.vote(7, carol="for")
    return played.ask("referee", *options)


def test_the_referee_writes_the_page_of_a_run(played: Game, runner: Path) -> None:
    runner.write_text("What another step wrote.\n")
    assert refereed(played).code == 0
    said = runner.read_text()
    assert said.startswith("What another step wrote.\n## The referee's pass over `game`\n")
    assert "- Adopt proposal 7: enact rule 7 (alice +16)" in said
    # The proposals of a local game have no pages.
    assert WEB not in said


def test_elsewhere_no_page_is_written(played: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path / "summary.md"))
    assert "stop-commands" not in refereed(played).out
    assert not (tmp_path / "summary.md").exists()


def test_the_runner_acts_on_nothing_that_the_referee_says(played: Game, runner: Path) -> None:
    first, *_, last = refereed(played).out.splitlines()
    begun = MARK.fullmatch(first)
    assert begun is not None
    assert last == f"::{begun[1]}::"
    again = MARK.match(played.ask("referee").out)
    assert again is not None
    assert again[1] != begun[1]
    assert runner.exists()


def test_the_document_of_the_referee_stays_one_document(played: Game, runner: Path) -> None:
    answer = refereed(played, "--json")
    assert (answer.code, answer.err) == (0, "")
    assert set(json.loads(answer.out)) == {"resolved", "comments", "requests"}
    assert runner.exists()


@pytest.mark.usefixtures("runner")
def test_an_error_is_an_annotation_too(played: Game) -> None:
    played.vote(7, carol="for")
    (played.folder / "scores.json").write_text("mine")
    answer = played.ask("referee")
    assert answer.code == 2
    assert answer.err.startswith("nomic-git: uncommitted changes in scores.json")
    first, end, shown = answer.out.splitlines()
    begun = MARK.fullmatch(first)
    assert begun is not None
    assert end == f"::{begun[1]}::"
    assert shown == f"::error title=nomic-git::{answer.err.removeprefix('nomic-git: ').strip()}"


@pytest.mark.usefixtures("runner")
def test_with_a_document_errors_are_annotated_beside_it(played: Game) -> None:
    played.vote(7, carol="for")
    (played.folder / "scores.json").write_text("mine")
    answer = played.ask("referee", "--json")
    assert (answer.code, answer.out) == (2, "")
    assert [line.split("::")[1] for line in answer.err.splitlines() if line.startswith("::")] == [
        "error title=nomic-git"
    ]


@pytest.mark.usefixtures("runner")
def test_what_a_player_wrote_is_no_command_in_an_error(played: Game) -> None:
    answer = played.ask("propose", "enact", "100%\n::set-output name=x::y ##[add-mask]z")
    assert answer.code == 2
    assert not [line for line in answer.err.splitlines() if line.lstrip().startswith("::") or "##[" in line]


def test_an_annotation_is_one_line_in_which_nothing_acts(runner: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from nomic_git.cli.runner import annotate

    assert not runner.exists()
    annotate("warning", "50% of\n::error::this: \x1b[1m")
    assert (
        capsys.readouterr().out == "::warning title=nomic-git::50%25 of ::error::this: \N{REPLACEMENT CHARACTER}[1m\n"
    )
