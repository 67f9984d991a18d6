"""The demos: whole games, told word for word as the golden files have them, and in order in the end."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import pytest

from nomic_git.cli.demo import RULEBOOKS
from nomic_git.cli.main import run
from nomic_git.game.event import Event
from nomic_git.game.judgment import Ruling
from nomic_git.repository.audit import audit
from nomic_git.repository.clone import Clone, open_clone
from nomic_git.repository.founding import rulesets
from nomic_git.repository.history import events

GOLDEN = Path(__file__).parent / "golden"
LONGEST = {"github": 220}
"""Lines that a demo may have: what is more, nobody reads. The first one that people see shows more than the others."""

OF_EVERY_GAME = {"founded", "adopted", "won"}
OF_SUBER = {*OF_EVERY_GAME, "proposed"}
HAPPENS = {
    "github": {*OF_EVERY_GAME, "defeated", "withdrawn", "relaxed", "forfeited"},
    "suber-1982": {*OF_SUBER, "defeated"},
    "suber": {*OF_SUBER, "invoked", "judged", "overruled", "settled", "relaxed"},
    "suber-mail": {*OF_SUBER, "invoked", "judged", "settled"},
}
"""The kinds of events that there are in each demo."""


@dataclass(frozen=True, slots=True)
class Told:
    """A demo that was played: its folder, what it printed with the folder's name made neutral, and its events."""

    folder: Path
    words: str

    @property
    def clone(self) -> Clone:
        return open_clone(self.folder)

    @property
    def events(self) -> list[Event]:
        """The events, oldest first."""
        return [one.event for one in events(self.clone)][::-1]


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Told]:
    """Every demo, by the name of its rulebook, played at one fixed time."""
    there = tmp_path_factory.mktemp("demos")
    return {name: _play(name, there / name, 1_700_000_000) for name in RULEBOOKS}


def _play(name: str, folder: Path, start: int) -> Told:
    from contextlib import redirect_stderr, redirect_stdout
    from io import StringIO

    printed, complained = StringIO(), StringIO()
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(printed), redirect_stderr(complained):
        patch.setenv("GIT_COMMITTER_DATE", f"@{start} +0000")
        code = run(["demo", str(folder), "--rules", name])
    assert (code, complained.getvalue()) == (0, "")
    words = printed.getvalue().replace(str(folder), "DEMO")
    return Told(folder, re.sub(r"^  export PATH=.*\n", "", words, flags=re.MULTILINE))


def test_there_is_a_demo_of_every_rulebook_that_ships() -> None:
    assert sorted(RULEBOOKS) == sorted(one.name for one in rulesets())


@pytest.mark.parametrize("name", RULEBOOKS)
def test_a_demo_says_what_its_golden_file_has(told: Mapping[str, Told], name: str) -> None:
    """Renew the golden files with NOMIC_GIT_RENEW=1, and read the difference."""
    golden = GOLDEN / f"demo-{name}.txt"
    if os.environ.get("NOMIC_GIT_RENEW") == "1":
        GOLDEN.mkdir(exist_ok=True)
        golden.write_text(told[name].words, encoding="utf-8")
    assert told[name].words == golden.read_text("utf-8")


@pytest.mark.parametrize("name", RULEBOOKS)
def test_a_demo_comes_to_its_end_in_few_lines_and_is_in_order(told: Mapping[str, Told], name: str) -> None:
    kinds = [one.kind.value for one in told[name].events]
    assert (set(kinds), kinds[-1]) == (HAPPENS[name], "won")
    assert told[name].words.count("\n") <= LONGEST.get(name, 160)
    found = audit(told[name].clone)
    assert (found.irregular, found.scores_match) == ((), True)


def test_the_github_demo_has_all_that_can_become_of_a_proposal(told: Mapping[str, Told]) -> None:
    happened = told["github"].events
    assert {one.change.kind.value for one in happened if one.change} == {"enact", "amend", "repeal", "transmute"}
    assert any(one.opponents and one.kind == "adopted" and ("dave", 10) in one.points for one in happened)
    assert "given to an earlier text" in told["github"].words
    assert "It is improper" in told["github"].words


def test_the_die_is_thrown_again_by_what_the_suber_1982_demo_shows(told: Mapping[str, Told]) -> None:
    words = told["suber-1982"].words
    [(die, line, cast)] = re.findall(r'^ +die (\d): (python3 -c .*\(b"(.*)"\).*)$', words, re.MULTILINE)
    assert f"$ {line}\n{die}\n" in words
    assert subprocess.run(["sh", "-c", line], capture_output=True, text=True, check=True).stdout == f"{die}\n"
    assert int(sha256(cast.encode()).hexdigest(), 16) % 6 + 1 == int(die)
    assert all(one.die for one in told["suber-1982"].events if one.kind in {"adopted", "defeated"})


def test_a_judgment_is_overruled_and_the_next_one_upheld_in_the_suber_demo(told: Mapping[str, Told]) -> None:
    of_judgment = [one for one in told["suber"].events if one.kind in {"judged", "overruled", "settled"}]
    assert [(one.kind.value, one.player, one.ruling) for one in of_judgment] == [
        ("judged", "alice", Ruling.ILLEGAL),
        ("overruled", "alice", None),
        ("judged", "carol", Ruling.LEGAL),
        ("settled", "carol", Ruling.LEGAL),
    ]
    assert of_judgment[1].supporters == ("bob", "carol")
    assert [one.cites for one in of_judgment if one.kind == "judged"] == [(112,), (112,)]


def test_the_suber_mail_demo_ends_in_a_stalemate_that_beats_the_points(told: Mapping[str, Told]) -> None:
    *_, settled, won = told["suber-mail"].events
    assert (settled.kind, settled.ruling) == ("settled", Ruling.UNDECIDED)
    assert (won.player, won.rule) == ("alice", 213)
    assert [one.player for one in told["suber-mail"].events if one.kind == "adopted"] == ["carol", "bob"]


@pytest.mark.parametrize(("name", "winner"), [("suber-1982", None), ("suber", "carol")])
def test_a_game_with_a_die_comes_to_its_end_whatever_the_die_shows(
    tmp_path: Path, name: str, winner: str | None
) -> None:
    happened = _play(name, tmp_path / name, 1_700_000_001).events
    assert happened[-1].kind == "won"
    assert winner in {None, happened[-1].player}


def test_a_demo_of_no_rulebook_is_answered_with_those_that_there_are(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["demo", str(tmp_path / "game"), "--rules", "nosuch"]) == 2
    assert capsys.readouterr() == (
        "",
        "nomic-git: there is no demo of a rulebook 'nosuch'; there are github, suber-1982, suber, suber-mail\n",
    )
    assert not (tmp_path / "game").exists()


def test_the_demo_takes_a_new_folder_and_leaves_a_full_one_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "note").write_text("mine")
    assert run(["demo", "full"]) == 2
    assert "full is not empty" in capsys.readouterr().err
    assert [path.name for path in (tmp_path / "full").iterdir()] == ["note"]
    assert run(["demo"]) == 0
    assert (tmp_path / "nomic-demo" / "scores.json").is_file()
