"""The demo: a whole game, told word for word as the golden file has it, and in order in the end."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from nomic_git.cli.main import run
from nomic_git.repository.audit import audit
from nomic_git.repository.clone import open_clone
from nomic_git.repository.history import events

GOLDEN = Path(__file__).parent / "golden" / "demo.txt"


@pytest.fixture
def told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> tuple[Path, str]:
    """The demo played in a folder, and what it printed, with the folder's name made neutral."""
    monkeypatch.setenv("GIT_COMMITTER_DATE", "@1700000000 +0000")
    folder = tmp_path / "demo"
    assert run(["demo", str(folder)]) == 0
    printed = capsys.readouterr()
    assert printed.err == ""
    return folder, re.sub(r"^  export PATH=.*\n", "", printed.out.replace(str(folder), "DEMO"), flags=re.MULTILINE)


def test_the_demo_says_what_the_golden_file_has(told: tuple[Path, str]) -> None:
    """Renew the golden file with NOMIC_GIT_RENEW=1, and read the difference."""
    if os.environ.get("NOMIC_GIT_RENEW") == "1":
        GOLDEN.parent.mkdir(exist_ok=True)
        GOLDEN.write_text(told[1], encoding="utf-8")
    assert told[1] == GOLDEN.read_text("utf-8")


def test_the_demo_has_all_that_a_game_can_have_and_is_in_order(told: tuple[Path, str]) -> None:
    clone = open_clone(told[0])
    happened = [one.event for one in events(clone)]
    assert {one.kind.value for one in happened} == {
        "founded", "adopted", "defeated", "withdrawn", "relaxed", "forfeited", "won",
    }  # fmt: skip
    assert {one.change.kind.value for one in happened if one.change} == {"enact", "amend", "repeal", "transmute"}
    assert any(one.opponents and one.kind == "adopted" and ("dave", 10) in one.points for one in happened)
    assert "given to an earlier text" in told[1]
    assert "It is improper" in told[1]
    found = audit(clone)
    assert (found.irregular, found.scores_match) == ((), True)


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
