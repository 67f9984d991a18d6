"""The program: the commands put together, and every error made into one line."""

from __future__ import annotations

import io
import os
import re
import sys
from pathlib import Path
from typing import Annotated

import typer

from nomic_git.cli.desk import MINUS, Desk, Misunderstood
from nomic_git.cli.paper import complain
from nomic_git.cli.rooms import Program
from nomic_git.cli.runner import defused
from nomic_git.law.errors import NomicError

_NEGATIVE = re.compile(r"-[0-9]+", re.ASCII)
_INTERRUPTED = 130
"""What typer answers when the user has pressed Ctrl-C."""

TRACE = "NOMIC_GIT_TRACE"
"""The variable of the environment that has an error of the program itself shown with where it happened."""


app = typer.Typer(
    name="nomic-git",
    cls=Program,
    invoke_without_command=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="Play Nomic in Git: rules are files, proposals are branches, votes are counted, nothing is lost.",
    epilog="Begin with: nomic-git demo",
)


def _version(wanted: bool) -> None:
    if wanted:
        from nomic_git import __version__

        typer.echo(f"nomic-git {__version__}")
        raise typer.Exit


@app.callback()
def program(
    context: typer.Context,
    folder: Annotated[
        str, typer.Option("-C", metavar="DIR", help="Run as if started in this folder.", show_default=False)
    ] = ".",
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and stop.")
    ] = False,
) -> None:
    """Lay the desk for the command, or show what commands there are."""
    del version
    if context.invoked_subcommand is None:
        typer.echo(context.get_help(), err=True)
        raise typer.Exit(2)
    if not Path(folder).is_dir():
        raise Misunderstood(f"{folder} is no folder; name the game's own after -C")
    context.obj = Desk(Path(folder))


def run(arguments: list[str]) -> int:
    """Run the program on arguments and return its exit code: 0 done, 1 the answer is no, 2 not possible."""
    shown = _called(arguments)
    unreadable = next((one for one in arguments if not one.isascii() and not _is_utf8(one)), None)
    if unreadable is not None:
        return _failed(f"the argument {unreadable!r} is not UTF-8; write it so, or set LC_ALL to a locale in UTF-8")
    try:
        outcome = app(_minus_signs(arguments), prog_name=shown, standalone_mode=False)
        sys.stdout.flush()
    except typer.TyperException as error:
        return _failed(_with_help(error, shown))
    except NomicError as error:
        return _failed(str(error))
    except (BrokenPipeError, SystemExit):
        # Whoever read the output has enough (typer makes a SystemExit of it). Python would complain of the
        # pipe once more when it closes it.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        return _failed(f"{error.strerror or error}{f': {error.filename}' if error.filename else ''}")
    except Exception as error:  # noqa: BLE001 - the last resort: players never see a traceback (design section 13)
        return _unforeseen(error)
    if outcome == _INTERRUPTED:
        return _failed("stopped; nothing was left half done")
    return outcome if isinstance(outcome, int) else 0


def _called(arguments: list[str]) -> str:
    """Return how the program is called: `git nomic` through git, but a shell completes the file's own name."""
    name = Path(sys.argv[0]).name if sys.argv else ""
    if name != "git-nomic":
        return "nomic-git"
    completing = "_GIT_NOMIC_COMPLETE" in os.environ or {"--show-completion", "--install-completion"} & {*arguments}
    return name if completing else "git nomic"


def _with_help(error: typer.TyperException, program: str) -> str:
    """Return what an error of the call says, and where to read how it is called."""
    context = getattr(error, "ctx", None)
    path = context.command_path if context is not None else program
    words = error.format_message().strip().rstrip(".")
    return f"{words}{'' if words.endswith('?') else '.'} See: {path} --help"


def _is_utf8(argument: str) -> bool:
    """Return whether an argument was text; Python has lone surrogates for bytes that were not."""
    return not any("\ud800" <= one <= "\udfff" for one in argument)


def _unforeseen(error: Exception) -> int:
    """Say in one line what nobody has foreseen: libgit2's complaints, and errors of this program."""
    import pygit2

    if TRACE in os.environ:
        import traceback

        sys.stderr.write("".join(traceback.format_exception(error)))
    if isinstance(error, pygit2.GitError):
        return _failed(f"Git could not do it: {error}")
    said = f"{type(error).__name__}: {error}"[:300].rstrip(": ")
    return _failed(f"this should not have happened ({said}); please report it. {TRACE}=1 shows where")


def _minus_signs(arguments: list[str]) -> list[str]:
    """Return the arguments with negative numbers made recognizable: `-110` would be read as options."""
    end = arguments.index("--") if "--" in arguments else len(arguments)
    head = [MINUS + one[1:] if _NEGATIVE.fullmatch(one) else one for one in arguments[:end]]
    return head + arguments[end:]


def _failed(text: str) -> int:
    complain(defused(text.replace(MINUS, "-")))
    return 2


def main() -> None:
    """Run the program on the arguments of the process, and leave the process with its exit code."""
    with Path(os.devnull).open("w") as nowhere:
        # Python has None for what was closed by whoever started the process.
        sys.stdout, sys.stderr = sys.stdout or nowhere, sys.stderr or nowhere
        for stream in (sys.stdout, sys.stderr):
            # A terminal that lacks a letter gets a question mark for it, not an end in the middle of a line.
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(errors="replace")
        code = run(sys.argv[1:])
    sys.exit(code)
