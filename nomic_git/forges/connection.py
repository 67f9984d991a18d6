"""The connection to GitHub through PyGithub: one way to ask, one to write, and what goes wrong said in a line.

Reading is safe to repeat, so a question is asked again when it fails. A write is made once: what became of one
that GitHub did not answer, only a look at what is there can tell (design section 11).
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any

from nomic_git.forges.forge import ForgeError
from nomic_git.forges.token import host_of, remedy_for

if TYPE_CHECKING:
    from github import Github, GithubException

    from nomic_git.repository.clone import Clone

API = "https://api.github.com"
"""Where GitHub answers programs; an Enterprise Server has its own place, below its own name."""

_TIMEOUT = 30
"""How long to wait for one answer, in seconds."""

_READS = 4
"""How often a question is asked before giving up."""

_CALLS = 2
"""How often a server is called that cannot be reached at all: most likely there is no network."""

_PATIENCE = 60.0
"""How long one run waits in all because GitHub asks it to, in seconds."""

_SOON = 15.0
"""How long to wait at least where a limit is used up, in seconds, whatever GitHub says when it is renewed."""

_REPOSITORY = re.compile(r"[A-Za-z0-9_.-]+/[A-Za-z0-9_.-]+", re.ASCII)
_URL = re.compile(
    r"(?:(?:https?|ssh|git)://(?:[^@/]+@)?(?P<host>[^/:]+)(?::[0-9]+)?/|(?:[^@/]+@)?(?P<at>[^:/@]{2,}):/?)"
    r"(?P<name>[^/]+/[^/]+?)(?:\.git)?/?"
)
_GITHUB = frozenset({"github.com", "www.github.com", "ssh.github.com"})
_DATA_RESIDENCY = ".ghe.com"
"""The end of the names under which GitHub keeps an enterprise's data in a country of its choice."""


class Uncertain(ForgeError):
    """GitHub did not answer, so that nobody knows whether what was asked was done."""


class Unreachable(ForgeError):
    """There is no way to GitHub from here, so that nothing was asked or done."""


class Missing(ForgeError):
    """GitHub has nothing of that name or number, or does not show it to this token."""


class Denied(ForgeError):
    """GitHub will not do what was asked; nothing was done."""


class Busy(ForgeError):
    """GitHub asks for a longer pause than one pass of the referee waits; nothing was done."""


@dataclass(frozen=True, slots=True)
class Address:
    """Where a game is at GitHub: its `repository`, as owner/name, and the server that answers programs."""

    repository: str
    api: str = API


@dataclass(frozen=True, slots=True)
class Answer:
    """What GitHub answered: the `data` of a GraphQL answer, and its clock's time in seconds since the epoch."""

    data: Mapping[str, Any]
    time: int


def address_of(clone: Clone) -> Address:
    """Return where a clone's game is at GitHub: from GITHUB_REPOSITORY and GITHUB_API_URL, else from its remote.

    Raises ForgeError where neither says.
    """
    url = _remote_url(clone)
    match = _URL.fullmatch(url or "")
    given = os.environ.get("GITHUB_REPOSITORY")
    if given and not _REPOSITORY.fullmatch(given):
        raise ForgeError(f"GITHUB_REPOSITORY is {given!r}, which is no repository such as OWNER/NAME; unset or mend it")
    repository = given or (match["name"] if match else "")
    if not _REPOSITORY.fullmatch(repository):
        where, verb = "this clone has no remote", "add"
        if url:
            where, verb = f"the remote's address {_without_secret(url)} does not say which", "set-url"
        raise ForgeError(
            f"this is a game on GitHub, but {where}; set it: git remote {verb} origin "
            "https://github.com/OWNER/NAME.git, or set GITHUB_REPOSITORY to OWNER/NAME"
        )
    return Address(repository, _api((match["host"] or match["at"]) if match else None))


def _remote_url(clone: Clone) -> str | None:
    name = clone.remote
    names = [one for one in clone.repository.remotes.names() if one]
    if name is None and len(names) == 1:
        name = names[0]
    return clone.repository.remotes[name].url if name in names and name is not None else None


def _without_secret(url: str) -> str:
    return re.sub(r"//[^/@]*@", "//", url)


def _api(host: str | None) -> str:
    given = os.environ.get("GITHUB_API_URL")
    if given:
        if not re.match(r"https?://[^/]", given):
            raise ForgeError(f"GITHUB_API_URL is {given!r}, which is no address such as {API}")
        return given.rstrip("/")
    if host is None or host.casefold() in _GITHUB:
        return API
    return f"https://api.{host}" if host.casefold().endswith(_DATA_RESIDENCY) else f"https://{host}/api/v3"


@dataclass(slots=True)
class Connection:
    """A connection to one repository at GitHub, for one run of the program.

    `pause` is how long to wait between two writes, and `timeout` for one answer, in seconds: GitHub asks for one
    second between writes. `requests` counts
    what was sent, answered or not; `left` are the GraphQL points and `left_rest` the other requests that GitHub
    still allows in this hour, None where it has not said.
    """

    repository: str
    token: str = field(repr=False)
    api: str = API
    pause: float = 1.0
    timeout: int = _TIMEOUT
    requests: int = 0
    left: int | None = None
    left_rest: int | None = None
    _patience: float = _PATIENCE
    _reading: Github | None = None
    _writing: Github | None = None

    def ask(self, query: str, variables: Mapping[str, Any]) -> Answer:
        """Put a GraphQL question and return the answer; asked again where GitHub does not answer.

        Raises Missing where GitHub does not have what is asked about, ForgeError where it will not answer. An
        answer with errors in it is none, even beside data: what could not be read is not counted.
        """
        if self._reading is None:
            self._reading = self._github(0)
        requester = self._reading.requester
        for attempt in range(1, _READS + 1):
            try:
                headers, answer = self._once(lambda: requester.graphql_query(query, dict(variables)))
                data = _data(self.api, answer)
            except (Uncertain, Unreachable) as error:
                if attempt == (_READS if isinstance(error, Uncertain) else _CALLS):
                    raise
                time.sleep(self.pause * 2 ** (attempt - 1))
            else:
                self.left = _number(headers.get("x-ratelimit-remaining"), self.left)
                return Answer(data, _clock(headers))
        raise AssertionError("the last try returns or raises")

    def write(self, verb: str, path: str, body: Any = None) -> Any:
        """Make one write below the repository's own path (`/issues/7/comments`) and return what GitHub answers.

        Raises Uncertain where it may or may not have been done, Missing where there is no such thing (any more),
        Busy where GitHub asks for too long a pause, Denied where it refuses.
        """
        if self._writing is None:
            self._writing = self._github(self.pause)
        requester = self._writing.requester
        url = f"/repos/{self.repository}{path}"
        headers, answer = self._once(lambda: requester.requestJsonAndCheck(verb, url, input=body))
        self.left_rest = _number(headers.get("x-ratelimit-remaining"), self.left_rest)
        if isinstance(answer, dict) and answer.get("message") == "Moved Permanently":
            raise ForgeError(
                f"{self.repository} has another name at GitHub now; "
                "set the remote's address to that: git remote set-url"
            )
        return answer

    def _once(self, send: Callable[[], tuple[Mapping[str, Any], Any]]) -> tuple[Mapping[str, Any], Any]:
        """Send one request, and again after each pause that GitHub asks for, as long as there is patience."""
        from github import GithubException
        from requests import RequestException

        while True:
            self.requests += 1
            try:
                return send()
            except RequestException as error:
                kind = Unreachable if _is_away(error) else Uncertain
                raise kind(f"{self.api} cannot be reached ({_network(error)}); try again later") from None
            except GithubException as error:
                wait = _wait(error)
                if wait is None:
                    raise self._explained(error) from None
                if wait > self._patience:
                    raise Busy(_until(wait)) from None
                self._patience -= wait
                time.sleep(wait)
            except (ValueError, TypeError, RuntimeError, AssertionError) as error:
                # So PyGithub says that an answer is no JSON, or no object, or leads to another server.
                raise Uncertain(_unlike_github(self.api, str(error))) from None

    def _github(self, between_writes: float) -> Github:
        import logging

        from github import Auth, Github

        # What they have to say is in the exceptions; without a handler Python prints their warnings.
        for name in ("github", "urllib3"):
            logging.getLogger(name).addHandler(logging.NullHandler())
        return Github(
            auth=Auth.Token(self.token),
            base_url=self.api,
            timeout=self.timeout,
            per_page=100,
            retry=None,
            seconds_between_requests=0,
            seconds_between_writes=between_writes,
            lazy=True,
        )

    def _explained(self, error: GithubException) -> ForgeError:
        status, words = error.status, said(error)
        if status >= 500 or (status == 400 and "Something went wrong" in words):
            return Uncertain(f"GitHub failed ({words}); try again later")
        if status == 401:
            return ForgeError(f"GitHub does not know this token ({words}); {remedy_for(self.token, host_of(self.api))}")
        if status == 403 or (status == 400 and _type(error) in {"FORBIDDEN", "INSUFFICIENT_SCOPES"}):
            return Denied(f"this token may not do that in {self.repository} ({words}); it needs {_permission(error)}")
        if status in {404, 410}:
            return Missing(
                f"GitHub shows nothing there in {self.repository} ({words}); see that the name is right and that the "
                "token may read and write it"
            )
        return Denied(f"GitHub refuses ({status}: {words})")


def _data(api: str, answer: Any) -> Mapping[str, Any]:
    """Return the data of a GraphQL answer. Raises Uncertain where there are none: something else answers there."""
    data = answer.get("data") if isinstance(answer, dict) else None
    if not isinstance(data, dict):
        raise Uncertain(_unlike_github(api, "no data"))
    return data


def _unlike_github(api: str, why: str) -> str:
    return f"{api} does not answer as GitHub does ({_line(why)}); see that it is GitHub's address for programs"


def said(error: GithubException) -> str:
    """Return GitHub's own words for what is wrong, on one line."""
    data = error.data if isinstance(error.data, dict) else {}
    errors = data.get("errors")
    details = [
        one.get("message") or one.get("code") if isinstance(one, dict) else one
        for one in (errors if isinstance(errors, list) else ())
    ]
    words = "; ".join(one for one in (data.get("message"), *details) if isinstance(one, str) and one)
    return _line(words) or f"HTTP {error.status}"


def _line(words: str) -> str:
    return " ".join("".join(one if one.isprintable() else " " for one in words).split())[:300]


def _type(error: GithubException) -> str | None:
    errors = error.data.get("errors") if isinstance(error.data, dict) else None
    first = errors[0] if isinstance(errors, list) and errors else None
    kind = first.get("type") if isinstance(first, dict) else None
    return kind if isinstance(kind, str) else None


def _headers(error: GithubException) -> Mapping[str, str]:
    return {key.lower(): value for key, value in (error.headers or {}).items()}


def _permission(error: GithubException) -> str:
    accepted = _headers(error).get("x-accepted-github-permissions")
    if accepted:
        return f"the permission {_line(accepted)} (docs/github.md)"
    return "the permissions contents, pull-requests, statuses and issues: write (docs/github.md)"


def _wait(error: GithubException) -> float | None:
    """Return for how many seconds GitHub asks for a pause, None where that is not what is wrong."""
    from github import RateLimitExceededException

    headers, status = _headers(error), error.status
    if status in {403, 429} and headers.get("retry-after", "").isdigit():
        return float(headers["retry-after"])
    is_spent = status in {403, 429} and headers.get("x-ratelimit-remaining") == "0"
    if is_spent or _type(error) in {"RATE_LIMIT", "RATE_LIMITED"}:
        reset = _number(headers.get("x-ratelimit-reset"), None)
        return _PATIENCE if reset is None else max(_SOON, reset - _clock(headers) + 1)
    return _PATIENCE if status == 429 or isinstance(error, RateLimitExceededException) else None


def _until(wait: float) -> str:
    when = datetime.fromtimestamp(time.time() + wait, UTC).strftime("%H:%M UTC")
    return f"GitHub's limit of requests is reached; it answers again at {when}, and the next pass goes on from here"


def _is_away(error: Exception) -> bool:
    """Return whether no connection came about: then nothing can have been done."""
    from urllib3.exceptions import NewConnectionError

    return isinstance(getattr(error.args[0] if error.args else None, "reason", None), NewConnectionError)


def _network(error: Exception) -> str:
    return re.sub(r"(Connect|Read)?Timeout", "no answer in time", type(error).__name__)


def _number(value: object, default: int | None) -> int | None:
    try:
        return int(float(str(value)))
    except ValueError:
        return default


def _clock(headers: Mapping[str, Any]) -> int:
    try:
        return int(parsedate_to_datetime(str(headers["date"])).timestamp())
    except (KeyError, ValueError):
        raise ForgeError("GitHub's answer bears no date, and votes are counted by its clock; try again later") from None
