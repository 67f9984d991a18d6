"""The runner of GitHub Actions, which acts upon lines that a program prints: what it is told, and what it is not.

Its commands are lines that begin with `::`, and anything after `##[`. What players have written must be neither.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from nomic_git.cli.paper import harmless
from nomic_git.law.errors import NomicError

_TITLE = "nomic-git"
_COMMAND = "##["


def is_here() -> bool:
    """Return whether a runner of GitHub Actions reads what is printed."""
    return os.environ.get("GITHUB_ACTIONS") == "true"


@contextmanager
def unheeded(*, as_json: bool = False) -> Iterator[None]:
    """Have the runner act upon nothing that is printed inside, and tell it of an error that ends it.

    With `as_json` nothing is added to standard output: none of a document's lines begins as a command does.
    """
    if not is_here():
        yield
        return
    import secrets

    # Nobody who writes on a proposal can know the mark that has the runner listen again.
    mark = secrets.token_hex(16)
    try:
        if not as_json:
            _tell(f"::stop-commands::{mark}", as_json=False)
        try:
            yield
        finally:
            if not as_json:
                _tell(f"::{mark}::", as_json=False)
    except Exception as error:
        words = str(error) if isinstance(error, NomicError) else f"{type(error).__name__}: {error}"
        annotate("error", words, as_json=as_json)
        raise


def annotate(level: str, words: str, *, as_json: bool = False) -> None:
    """Have the runner show an annotation, of level `error` or `warning`, on the run's page. Elsewhere, do nothing."""
    if is_here():
        line = " ".join(harmless(words).split())
        _tell(f"::{level} title={_property(_TITLE)}::{_data(line)}", as_json=as_json)


def _tell(line: str, *, as_json: bool) -> None:
    stream = sys.stderr if as_json else sys.stdout
    stream.write(line + "\n")
    stream.flush()


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def defused(text: str) -> str:
    """Return a line for standard error in which a runner that reads it finds no command."""
    return text.replace(_COMMAND, "# #[") if is_here() else text


def page() -> Path | None:
    """Return the file whose Markdown the runner shows on the run's page, None where there is none."""
    name = os.environ.get("GITHUB_STEP_SUMMARY")
    return Path(name) if name and is_here() else None


def web() -> str | None:
    """Return the address of the repository's web pages, None where the runner does not say."""
    server, repository = os.environ.get("GITHUB_SERVER_URL"), os.environ.get("GITHUB_REPOSITORY")
    return f"{server}/{repository}" if server and repository else None
