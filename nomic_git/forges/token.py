"""The token with which GitHub is asked: from the environment, or from GitHub's own program (design section 11).

A token is shown to the server that it is for and to no other: what the environment has is for github.com, or for the
server that GITHUB_API_URL names.
"""

from __future__ import annotations

import os
import subprocess
from urllib.parse import urlsplit

from nomic_git.forges.forge import ForgeError

HOME = "github.com"
"""The server that a token is for where nothing else is said."""

_VARIABLES = ("GITHUB_TOKEN", "GH_TOKEN")
_PATIENCE = 15
"""How long to wait for `gh`, in seconds: it may have to ask the keyring."""


def host_of(api: str) -> str:
    """Return the server that programs ask at this address, as people call it: github.com for https://api.github.com."""
    return (urlsplit(api).hostname or "").removeprefix("api.")


def token(host: str) -> str:
    """Return the token for a server: GITHUB_TOKEN, else GH_TOKEN, else what `gh auth token` says.

    Raises ForgeError with how to get one where there is none.
    """
    if host == HOME or os.environ.get("GITHUB_API_URL"):
        given = next((value for name in _VARIABLES if (value := os.environ.get(name, "").strip())), None)
        if given is not None:
            return _on_one_line(given)
    return _of_gh(host)


def remedy_for(given: str, host: str) -> str:
    """Return what to do about a token that the server does not know, by where `token` has it from."""
    name = next((one for one in _VARIABLES if os.environ.get(one, "").strip() == given), None)
    if name is not None:
        return f"it is that of the variable {name}: unset it, or give it a good one"
    return f"it is that of GitHub's own program: gh auth login{_at(host)}"


def _at(host: str) -> str:
    return "" if host == HOME else f" --hostname {host}"


def _of_gh(host: str) -> str:
    at = _at(host)
    try:
        done = subprocess.run(
            ["gh", "auth", "token", "--hostname", host],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            encoding="utf-8",
            errors="replace",
            check=False,
            timeout=_PATIENCE,
        )
    except OSError:
        raise ForgeError(
            f"{host} asks who you are: set {_VARIABLES[0]} to a token (https://{host}/settings/tokens), "
            f"or install GitHub's own program, gh, and run: gh auth login{at}"
        ) from None
    except subprocess.TimeoutExpired:
        raise ForgeError(f"gh auth token --hostname {host} does not answer; set {_VARIABLES[0]} to a token") from None
    if done.returncode or not done.stdout.strip():
        raise ForgeError(
            f"{host} asks who you are, and gh knows no token for it; run: gh auth login{at} "
            f"(or set {_VARIABLES[0]} to a token)"
        )
    return _on_one_line(done.stdout.strip())


def _on_one_line(given: str) -> str:
    """Return a token that can stand in a header. Raises ForgeError, which does not show it, for any other."""
    if not given.isascii() or not given.isprintable() or " " in given:
        raise ForgeError("the token for GitHub is none: it has blanks or other characters that no token has")
    return given
