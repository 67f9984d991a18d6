"""The program as it is installed: its help, its completion, its processes, its manual page."""

from __future__ import annotations

import io
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer
from program import Game, ask

from nomic_git import __version__
from nomic_git.cli import progress
from nomic_git.cli.main import app, run
from nomic_git.cli.manual import manual

GOLDEN = Path(__file__).parent / "golden"
MAN = Path(__file__).parents[2] / "docs" / "man"
BIN = Path(sys.executable).parent


def commands(command: Any = None, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Yield every command there is with the words that call it."""
    command = command or typer.main.get_command(app)
    yield path, command
    for name in command.list_commands(None) if hasattr(command, "list_commands") else ():
        yield from commands(command.get_command(typer.Context(command), name), (*path, name))


def help_of_all() -> str:
    return "\n".join(
        f"$ {' '.join(('nomic-git', *path, '--help'))}\n{ask(*path, '--help').out}" for path, _ in commands()
    )


def test_the_help_of_every_command_is_as_it_was_read_last(
    monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    said = help_of_all()
    if request.config.getoption("--renew-golden"):
        (GOLDEN / "help.txt").write_text(said, encoding="utf-8")
    assert said == (GOLDEN / "help.txt").read_text(encoding="utf-8")


def test_every_command_and_every_option_has_a_help_text() -> None:
    for path, command in commands():
        assert command.help, path
        for one in command.params:
            assert getattr(one, "help", None), (path, one.name)


def test_every_command_of_the_design_is_there() -> None:
    there = {" ".join(path) for path, _ in commands()}
    assert there >= {
        *("new", "rulesets", "demo", "rules", "show", "history", "law", "check"),
        *("propose enact", "propose amend", "propose repeal", "propose transmute"),
        *("proposals", "tally", "vote", "withdraw", "ready", "comment"),
        *("players", "join", "forfeit", "referee", "scores", "log", "audit"),
    }


def test_the_version_is_the_packages() -> None:
    assert ask("--version").out == f"nomic-git {__version__}\n"


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the installed program, on the PATH."""
    if not (BIN / "nomic-git").exists():
        pytest.skip("nomic-git is not installed beside this Python")
    monkeypatch.setenv("PATH", f"{BIN}{os.pathsep}{os.environ['PATH']}")
    return BIN


def shell(*arguments: str | Path, **surroundings: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(one) for one in arguments],
        env={**os.environ, **surroundings},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.usefixtures("installed")
def test_git_finds_the_program_as_a_command_of_its_own(played: Game) -> None:
    expected = played.does("scores")
    for call in (
        ("nomic-git", "-C", played.folder),
        ("git", "-C", played.folder, "nomic"),
        ("git-nomic", "-C", played.folder),
    ):
        done = shell(*call, "scores")
        assert (done.returncode, done.stdout, done.stderr) == (0, expected, "")
    done = shell("git", "-C", played.folder, "nomic", "show")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.endswith("See: git nomic show --help\n")
    assert shell("git", "nomic", "-h").stdout.startswith("Usage: git nomic ")


@pytest.mark.usefixtures("installed")
def test_exit_codes_tell_done_from_no_from_not_understood(played: Game) -> None:
    assert shell("nomic-git", "-C", played.folder, "check").returncode == 0
    (played.folder / "rules" / "mutable" / "6.md").write_text("---\ntitel: Oops\n---\n")
    assert shell("nomic-git", "-C", played.folder, "check").returncode == 1
    assert shell("nomic-git", "-C", played.folder, "chekc").returncode == 2


@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize("program", ["nomic-git", "git-nomic"])
@pytest.mark.parametrize(
    ("words", "expected"),
    [("sc", ["scores"]), ("pro", ["proposals", "propose"]), ("propose e", ["enact"]), ("tally --j", ["--json"])],
)
def test_the_shell_completes_commands_and_options(program: str, words: str, expected: list[str]) -> None:
    variable = f"_{program.replace('-', '_').upper()}_COMPLETE"
    line = f"{program} {words}"
    done = shell(program, **{variable: "complete_bash", "COMP_WORDS": line, "COMP_CWORD": str(line.count(" "))})
    assert (sorted(done.stdout.split()), done.stderr) == (expected, "")


@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize("program", ["nomic-git", "git-nomic"])
@pytest.mark.parametrize("name", ["bash", "zsh", "fish"])
def test_the_completion_script_of_each_shell_can_be_shown(program: str, name: str) -> None:
    done = shell(program, "--show-completion", name)
    assert (done.returncode, done.stderr) == (0, "")
    assert program in done.stdout
    assert f"_{program.replace('-', '_').upper()}_COMPLETE" in done.stdout


@pytest.mark.usefixtures("installed")
@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash here")
def test_bash_takes_the_completion_script(tmp_path: Path) -> None:
    script = tmp_path / "completion.bash"
    script.write_text(shell("nomic-git", "--show-completion", "bash").stdout)
    asks = 'COMP_WORDS=(nomic-git sc); COMP_CWORD=1; _nomic_git_completion nomic-git; echo "${COMPREPLY[@]}"'
    assert shell("bash", "-c", f". {script}; {asks}").stdout == "scores\n"


@pytest.mark.usefixtures("installed")
def test_a_reader_that_has_enough_ends_the_program_without_a_word(played: Game) -> None:
    for command in ("rules", "law", "log --json", "--help"):
        done = shell(
            "bash", "-c", f"set -o pipefail; nomic-git -C {played.folder} {command} | true; exit ${{PIPESTATUS[0]}}"
        )
        assert (done.returncode, done.stderr) == (0, ""), command
    closed = shell("bash", "-c", f"nomic-git -C {played.folder} rules >&-")
    assert (closed.returncode, closed.stderr) == (0, "")
    assert shell("bash", "-c", f"nomic-git -C {played.folder} ruels 2>&-").returncode == 2


@pytest.mark.usefixtures("installed")
def test_a_full_standard_output_is_said_to_be_full(played: Game) -> None:
    done = shell("bash", "-c", f"nomic-git -C {played.folder} rules > /dev/full")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "No space left on device" in done.stderr


@pytest.mark.usefixtures("installed")
def test_an_interrupted_program_says_so_in_one_line(played: Game) -> None:
    with subprocess.Popen(
        [BIN / "nomic-git", "-C", played.folder, "propose", "enact", "-", "--as", "bob"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        time.sleep(2)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
    assert (process.returncode, out) == (2, "")
    assert err == "nomic-git: stopped; nothing was left half done\n"


def on_a_terminal(*arguments: str | Path, **surroundings: str) -> str:
    """Return what the program prints where both its outputs are a terminal."""
    import pty

    master, slave = pty.openpty()
    environment = {key: value for key, value in os.environ.items() if key not in {"NO_COLOR", "TERM"}}
    with subprocess.Popen(
        [BIN / "nomic-git", *arguments],
        stdin=slave,
        stdout=slave,
        stderr=slave,
        env={**environment, "TERM": "xterm", **surroundings},
    ) as process:
        os.close(slave)
        said = b""
        while True:
            try:
                part = os.read(master, 65536)
            except OSError:
                break
            if not part:
                break
            said += part
        process.wait()
    os.close(master)
    return said.decode()


@pytest.mark.usefixtures("installed")
def test_there_is_colour_on_a_terminal_alone_and_none_with_no_color(played: Game) -> None:
    there = ("-C", played.folder, "show", "6")
    assert on_a_terminal(*there).startswith("\x1b[1mRule 6: Victory at 200 points\x1b[0m\r\n")
    assert "\x1b" not in on_a_terminal(*there, NO_COLOR="1")
    assert "\x1b" not in on_a_terminal(*there, TERM="dumb")
    assert "\x1b" not in shell("nomic-git", *there).stdout


@pytest.mark.usefixtures("installed")
def test_players_words_cannot_drive_the_terminal(played: Game) -> None:
    words = played.write("evil.md", "Red \x1b[31m, reversed \u202e, and a bell \x07.\n")
    played.does("propose", "enact", words, "--as", "carol")
    played.vote(9, alice="for", bob="for")
    played.does("referee")
    said = on_a_terminal("-C", played.folder, "show", "9")
    assert not re.search("\x1b\\[31m|\u202e|\x07", said)
    assert "Red \ufffd[31m" in said
    assert played.json("show", "9")["words"] == words.read_text()


def test_the_manual_page_is_what_the_program_says_of_itself() -> None:
    assert (MAN / "nomic-git.1").read_text(encoding="utf-8") == manual(), (
        "write it anew: python -m nomic_git.cli.manual > docs/man/nomic-git.1"
    )
    assert (MAN / "git-nomic.1").read_text(encoding="utf-8") == ".so man1/nomic-git.1\n"
    for path, command in commands():
        if not hasattr(command, "commands"):
            assert f"\n.SS {' '.join(path)} ".replace("-", "\\-") in manual()


@pytest.mark.skipif(shutil.which("man") is None, reason="there is no man here")
def test_man_reads_the_manual_page_without_a_complaint() -> None:
    done = shell("man", "--warnings", "-l", MAN / "nomic-git.1", MANWIDTH="80", LC_ALL="C.UTF-8", MANPAGER="cat")
    assert (done.returncode, done.stderr) == (0, "")
    assert "propose amend [OPTIONS] N FILE" in done.stdout


def test_the_wheel_carries_the_manual_page_where_git_help_looks(tmp_path: Path) -> None:
    builder = pytest.importorskip("hatchling.builders.wheel")
    wheel = next(builder.WheelBuilder(str(MAN.parents[1])).build(directory=str(tmp_path), versions=["standard"]))
    pages = {one.split(".data/data/")[1]: one for one in zipfile.ZipFile(wheel).namelist() if ".data/data/" in one}
    assert set(pages) == {"share/man/man1/nomic-git.1", "share/man/man1/git-nomic.1"}
    with zipfile.ZipFile(wheel) as archive:
        for place, name in pages.items():
            (tmp_path / place).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / place).write_bytes(archive.read(name))
    if shutil.which("man") is not None:
        (tmp_path / "bin").mkdir()
        found = shell("man", "-w", "git-nomic", PATH=f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}", MANPATH="")
        assert found.stdout.startswith(str(tmp_path))


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(("command", "says"), [("audit", "Replaying"), ("referee", "Resolving")])
def test_long_work_shows_a_bar_on_a_terminal(
    played: Game, monkeypatch: pytest.MonkeyPatch, command: str, says: str
) -> None:
    for number in range(9, 15):
        played.does("propose", "repeal", "1", "--draft", "--as", "bob")
        played.does("withdraw", str(number), "--as", "bob")
    if command == "audit":
        monkeypatch.setattr(progress.progress.__wrapped__, "__defaults__", (5,))
    monkeypatch.setenv("TERM", "xterm")
    terminal = _Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    assert run(["-C", str(played.folder), command, "--json"]) == 0
    assert says in terminal.getvalue()


def test_rich_is_not_loaded_where_there_is_no_terminal(played: Game) -> None:
    code = (
        "import sys; from nomic_git.cli.main import run; "
        "code = run(sys.argv[1:]); "
        "sys.exit(code or any(name.split('.')[0] in {'rich', 'pydantic', 'jinja2'} for name in sys.modules))"
    )
    for command in ("scores", "rules", "log", "players", "proposals"):
        assert shell(sys.executable, "-c", code, "-C", played.folder, command).returncode == 0, command
    without_rich = code.replace(", 'pydantic', 'jinja2'", "")
    for command in ("audit", "referee"):
        assert shell(sys.executable, "-c", without_rich, "-C", played.folder, command).returncode == 0, command
