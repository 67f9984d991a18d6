"""The README's commands do what they say: each is run, word for word, in the order in which they stand."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text("utf-8")


def blocks(mark: str) -> list[str]:
    """The console blocks of the README under one mark, in their order."""
    return re.findall(rf"<!-- runs: {mark} -->\n```console\n(.*?)```", README, re.DOTALL)


def environment(home: Path) -> dict[str, str]:
    """An environment with this installation's commands and an identity of its own."""
    (home / ".gitconfig").write_text("[user]\n\tname = Carol\n\temail = carol@example.org\n", encoding="utf-8")
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("GIT_", "NOMIC_"))}
    return {**kept, "HOME": str(home), "PATH": path, "GIT_CONFIG_NOSYSTEM": "1"}


@pytest.mark.long
def test_the_game_with_friends_can_be_played_as_it_is_written(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    script = "".join(blocks("friends"))
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", script],
        cwd=tmp_path,
        env=environment(home),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.fullmatch(r"(?:.*in order\.\n)?", done.stderr, re.IGNORECASE)  # what the hook says of its commit
    assert "Adopt proposal 1: enact rule 1" in done.stdout
    assert "Seat carol" in done.stdout
    assert "Proposal 3: amend rule -105, by bob" in done.stdout
    assert "Proposal 4: amend rule -109, by alice" in done.stdout
    assert not list(tmp_path.rglob("*.bak"))


def test_every_command_of_the_program_has_its_line() -> None:
    from nomic_git.cli.judgment import judgment
    from nomic_git.cli.proposing import propose
    from nomic_git.cli.rooms import ROOMS

    of_groups = "enact|amend|repeal|transmute|branch|invoke|ask|rule|uphold|overrule|consent"
    rows = re.findall(rf"^\| `nomic-git ([a-z-]+(?: (?:{of_groups}))?)", README, re.MULTILINE)
    commands = ROOMS.keys() - {"propose", "judgment"}
    kinds = {f"propose {one.name}" for one in propose.registered_commands}
    kinds |= {f"judgment {one.name}" for one in judgment.registered_commands}
    assert sorted(rows) == sorted(commands | kinds)


@pytest.mark.parametrize("mark", ["demo", "test"])
def test_what_sets_up_an_environment_is_one_command(mark: str) -> None:
    (block,) = blocks(mark)
    assert block.startswith("python3 -m venv .venv && .venv/bin/pip install -q ")
    assert block.count("\n") == 1


@pytest.mark.long
def test_the_demo_command_plays_in_a_fresh_environment(tmp_path: Path) -> None:
    if os.environ.get("NOMIC_GIT_TEST_ALL") != "1":
        pytest.skip("it installs from the package index; NOMIC_GIT_TEST_ALL=1 runs it")
    home = tmp_path / "home"
    home.mkdir()
    subprocess.run(["git", "clone", "-q", str(ROOT), str(tmp_path / "clone")], check=True)
    (block,) = blocks("demo")
    # What was downloaded for this environment is not downloaded again, and only what runs is compiled.
    cache = subprocess.run([sys.executable, "-m", "pip", "cache", "dir"], capture_output=True, text=True, check=False)
    quick = {"PIP_CACHE_DIR": cache.stdout.strip(), "PIP_NO_COMPILE": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", block.replace("python3", sys.executable, 1)],
        cwd=tmp_path / "clone",
        env={**environment(home), **quick},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "carol has won." in done.stdout
    assert (tmp_path / "clone" / "nomic-demo" / "SCORES.md").is_file()


def test_completion_installs_itself_for_the_shell_that_asks(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    done = subprocess.run(
        ["bash", "-c", "nomic-git --install-completion; true"],
        cwd=tmp_path,
        env=environment(home),
        capture_output=True,
        text=True,
        check=False,
    )
    assert "bash completion installed" in done.stdout, done.stdout + done.stderr
    assert "nomic-git" in (home / ".bashrc").read_text("utf-8")
