"""Who an account at GitHub is: the number that stays when its name changes (design section 2, "A player file")."""

from __future__ import annotations

import os
import re

from nomic_git.law.errors import NomicError

_PATIENCE = 15
"""How long to wait for GitHub, in seconds."""

_ADDRESS = re.compile(r"https?://[A-Za-z0-9.-]+(:[0-9]{1,5})?(/[!-~]*)?", re.ASCII)
_REMEDY = "mend it, or leave out --player: everybody joins by a pull request"


class NoAccount(NomicError):
    """A login that is no person's at GitHub, or GitHub cannot be asked about it."""


def account_id(login: str) -> int:
    """Return the numeric id of the person with this login at GitHub, or at the server of GITHUB_API_URL.

    GITHUB_TOKEN is used where it is set, but is not needed. Raises NoAccount where GitHub has no such person or
    does not answer.
    """
    import requests
    from github import Auth, Consts, Github, GithubException, UnknownObjectException

    token = os.environ.get("GITHUB_TOKEN")
    address = (os.environ.get("GITHUB_API_URL") or Consts.DEFAULT_BASE_URL).rstrip("/")
    if not _ADDRESS.fullmatch(address):
        raise NoAccount(
            f"GITHUB_API_URL is {address!r}, which is no address such as {Consts.DEFAULT_BASE_URL}; {_REMEDY}"
        )
    auth = Auth.Token(token) if token else None
    try:
        user = Github(auth=auth, base_url=address, timeout=_PATIENCE, retry=None).get_user(login)
        kind, number = user.type, user.id
    except UnknownObjectException:
        raise NoAccount(f"nobody is called {login} at {address}; {_REMEDY}") from None
    except (GithubException, requests.RequestException) as error:
        raise NoAccount(f"{address} does not say who {login} is ({_in_short(error)}); {_REMEDY}") from None
    if kind != "User":
        raise NoAccount(f"{login} is no person at {address} ({kind}), and only people play; {_REMEDY}")
    return number


def _in_short(error: Exception) -> str:
    from github import GithubException

    if isinstance(error, GithubException):
        said = error.data.get("message") if isinstance(error.data, dict) else None
        return f"{error.status} {said}" if isinstance(said, str) else str(error.status)
    return type(error).__name__
