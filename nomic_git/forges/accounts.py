"""Who an account at GitHub is: the number that stays when its name changes (design section 2, "A player file")."""

from __future__ import annotations

import os
import re

from nomic_git.forges.connection import API, said
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
    from github import Auth, Github, GithubException, UnknownObjectException

    token = os.environ.get("GITHUB_TOKEN")
    address = (os.environ.get("GITHUB_API_URL") or API).rstrip("/")
    if not _ADDRESS.fullmatch(address):
        raise NoAccount(f"GITHUB_API_URL is {address!r}, which is no address such as {API}; {_REMEDY}")
    auth = Auth.Token(token) if token else None
    try:
        user = Github(auth=auth, base_url=address, timeout=_PATIENCE, retry=None).get_user(login)
        kind, number = user.type, user.id
    except UnknownObjectException:
        raise NoAccount(f"nobody is called {login} at {address}; {_REMEDY}") from None
    except GithubException as error:
        raise NoAccount(f"{address} does not say who {login} is ({said(error)}); {_REMEDY}") from None
    except requests.RequestException as error:
        raise NoAccount(
            f"{address} cannot be reached to ask who {login} is ({type(error).__name__}); {_REMEDY}"
        ) from None
    if kind != "User":
        raise NoAccount(f"{login} is no person at {address} ({kind}), and only people play; {_REMEDY}")
    return number
