"""The shape of the code: what may import what, and what the pure rooms may not touch."""

from __future__ import annotations

import ast
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PURE = sorted([*ROOT.glob("nomic_git/law/*.py"), *ROOT.glob("nomic_git/game/*.py")])
IMPURE = {"os", "pathlib", "subprocess", "time", "random", "socket", "sys", "io", "pygit2", "github", "typer"}


def test_imports_point_one_way() -> None:
    command = [str(Path(sys.executable).parent / "lint-imports"), "--config", str(ROOT / "pyproject.toml")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Contracts: 1 kept, 0 broken" in done.stdout


@pytest.mark.parametrize("path", PURE, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_law_and_game_import_nothing_that_reads_the_world(path: Path) -> None:
    imported = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            imported |= {name.name.partition(".")[0] for name in node.names}
        elif isinstance(node, ast.ImportFrom):
            imported.add((node.module or "").partition(".")[0])
    assert not imported & IMPURE


@pytest.mark.parametrize("path", PURE, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_law_and_game_call_no_clock_and_open_no_file(path: Path) -> None:
    calls = [node.func for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.Call)]
    named = {one.id for one in calls if isinstance(one, ast.Name)}
    asked = {one.attr for one in calls if isinstance(one, ast.Attribute)}
    assert not named & {"open", "print", "input", "eval", "exec"}
    assert not asked & {"now", "today", "utcnow", "read_text", "read_bytes", "write_text", "write_bytes"}


def test_types_are_held_strictly_in_the_program_and_in_its_benchmarks() -> None:
    mypy = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["mypy"]
    assert (mypy["strict"], mypy["files"]) == (True, ["nomic_git", "benchmarks"])
