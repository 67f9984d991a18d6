"""The command `check`: whether a rulebook, or a change to it, is in order."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from nomic_git.cli.desk import AsJson, Misunderstood, desk
from nomic_git.cli.paper import harmless, say, say_json
from nomic_git.law.errors import NomicError

if TYPE_CHECKING:
    from nomic_git.cli.desk import Desk
    from nomic_git.law.precedence import Law
    from nomic_git.referee.checking import Checked


def check(
    context: typer.Context,
    what: Annotated[
        str | None,
        typer.Argument(metavar="PATH|REV", help="A rule file, a folder with rules/, or a commit; else what is here."),
    ] = None,
    staged: Annotated[bool, typer.Option("--staged", help="Check what is staged for the next commit.")] = False,
    as_json: AsJson = False,
) -> None:
    """Say whether a rulebook, or a change to it, is in order. Works as a pre-commit hook."""
    if staged and what is not None:
        raise Misunderstood(f"--staged is what the next commit has, {what} something else; name one of them")
    found = _checked(desk(context), what, staged=staged)
    notices = [] if found.problems else list(found.notices)
    if as_json:
        say_json({"in_order": not found.problems, "problems": list(found.problems), "notices": notices})
    else:
        for problem in found.problems:
            say(harmless(problem))
        if not found.problems:
            say(f"{found.what[0].upper()}{found.what[1:]}: in order.")
        for notice in notices:
            say(harmless(notice.replace("`", "")))
    if found.problems:
        raise typer.Exit(1)


def _checked(at: Desk, what: str | None, *, staged: bool) -> Checked:
    from nomic_git.referee.checking import checked_file, checked_folder, checked_revision, checked_staged

    if staged:
        return checked_staged(at.clone)
    if what is None:
        return checked_folder(at.clone.needs_files().folder)
    path = at.folder / what
    if path.is_file():
        return checked_file(path, _law(at))
    if path.is_dir():
        return checked_folder(path)
    return checked_revision(at.clone.needs_history(), what)


def _law(at: Desk) -> Law | None:
    """Return the law of the game that is here, None where there is none that can be read: a file needs no game."""
    try:
        return at.position.law
    except NomicError:
        return None
