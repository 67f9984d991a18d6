"""The workflows that run the referee on GitHub, and where they install it from (design section 11)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from importlib.resources import files

from nomic_git import __version__
from nomic_git.law.errors import NomicError
from nomic_git.law.values import shown

WORKFLOWS = ".github/workflows"
CHECKOUT = "."
"""The source of a game that has the referee's code beside it: what is checked out, so the default branch."""

MINUTE = 23
"""The minute of each hour at which the workflow runs the referee by itself. Not on the hour, when GitHub drops runs."""

_AN_HOUR = 60 * 60

_SHIPPED = ("nomic-referee.yml", "nomic-signal.yml")
_NAME = r"[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?(?:\[[A-Za-z0-9._-]+(?:,[A-Za-z0-9._-]+)*\])?"
_VERSION = r"(?:==|~=)[A-Za-z0-9][A-Za-z0-9.+_-]*"
# No @ before the host: what stands there would be a password, in a file that everybody can read.
_ADDRESS = r"(?:git\+)?https://[A-Za-z0-9.-]+(?::[0-9]{1,5})?/[A-Za-z0-9._~/+@%=#-]+"
_OURS = r"(?i:nomic[-_.]+git)(?:\[[A-Za-z0-9._-]+(?:,[A-Za-z0-9._-]+)*\])?"
_SOURCE = re.compile(rf"{_OURS}(?:{_VERSION})?|(?:{_NAME} ?@ ?)?{_ADDRESS}", re.ASCII)
_LONGEST = 300


class NoSource(NomicError):
    """Text that does not say where the referee is to be installed from, or that is not safe in a workflow."""


def release() -> str:
    """Return the requirement that names this very release of the program, as pip reads it."""
    return f"nomic-git=={__version__}"


def checked_source(text: str) -> str:
    """Return a requirement of pip's that can stand in a workflow as it is. Raises NoSource for any other text.

    The program's name, with `==` or `~=` and a version or without; or the address of a file or a Git repository, over
    https.
    Nothing that YAML or a shell would act upon is let through, so there is nothing to escape.
    """
    if len(text) > _LONGEST or not _SOURCE.fullmatch(text):
        raise NoSource(
            f"{shown(text)} is not where pip can install nomic-git from in a workflow; write {release()}, or "
            "git+https://github.com/OWNER/nomic-git@REF, without spaces and quotes"
        )
    return text


def workflows(branch: str, source: str) -> Mapping[str, bytes]:
    """Return the workflows of a game on GitHub, by path: its branch, and a checked source or CHECKOUT."""
    folder = files("nomic_git").joinpath("workflows")
    given = {"<game branch>": branch, "<nomic-git>": source, "<minute>": str(MINUTE)}
    texts = {f"{WORKFLOWS}/{name}": folder.joinpath(name).read_text("utf-8") for name in _SHIPPED}
    for mark, value in given.items():
        texts = {path: text.replace(mark, value) for path, text in texts.items()}
    return {path: text.encode() for path, text in texts.items()}


def next_run(after: int) -> int:
    """Return the first instant at or after another at which the workflow runs by its schedule, in seconds."""
    run = after - after % _AN_HOUR + MINUTE * 60
    return run if run >= after else run + _AN_HOUR
