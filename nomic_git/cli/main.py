"""The program: the commands put together, and every error made into one line."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from typing import Annotated

import typer

from nomic_git.cli import begin, play, results, rulebook
from nomic_git.cli.desk import MINUS, Desk
from nomic_git.cli.options import Commands
from nomic_git.cli.paper import harmless
from nomic_git.law.errors import NomicError

_NEGATIVE = re.compile(r"-[1-9][0-9]*", re.ASCII)


app = typer.Typer(
    name="nomic-git",
    cls=Commands,
    no_args_is_help=True,
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
        Path, typer.Option("-C", metavar="DIR", help="Run as if started in this folder.", show_default=False)
    ] = Path(),
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and stop.")
    ] = False,
) -> None:
    """Lay the desk for the command."""
    del version
    context.obj = Desk(folder)


def run(arguments: list[str]) -> int:
    """Run the program on arguments and return its exit code: 0 done, 1 the answer is no, 2 not possible."""
    name = Path(sys.argv[0]).name if sys.argv and sys.argv[0] else "nomic-git"
    shown = "git nomic" if name == "git-nomic" else "nomic-git"
    try:
        outcome = app(_minus_signs(arguments), prog_name=shown, standalone_mode=False)
    except typer.TyperException as error:
        return _failed(f"{error.format_message()} See: {shown} --help")
    except NomicError as error:
        return _failed(str(error))
    except (typer.Abort, KeyboardInterrupt):
        return _failed("stopped; nothing was left half done")
    except BrokenPipeError:
        # Whoever read the output has enough; Python would complain once more when it closes the pipe.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        return _failed(f"{error.strerror or error}{f': {error.filename}' if error.filename else ''}")
    return outcome if isinstance(outcome, int) else 0


def _minus_signs(arguments: list[str]) -> list[str]:
    """Return the arguments with negative numbers made recognizable: `-110` would be read as options."""
    end = arguments.index("--") if "--" in arguments else len(arguments)
    head = [MINUS + one[1:] if _NEGATIVE.fullmatch(one) else one for one in arguments[:end]]
    return head + arguments[end:]


def _failed(text: str) -> int:
    sys.stderr.write("nomic-git: " + " ".join(harmless(text).replace(MINUS, "-").split()) + "\n")
    return 2


def main() -> None:
    """Run the program on the arguments of the process, and leave the process with its exit code."""
    sys.exit(run(sys.argv[1:]))


for _room in (begin, rulebook, play, results):
    _room.lay(app)
