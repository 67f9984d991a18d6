"""The connection to GitHub: what is asked again, what is made once, and what is said when it fails."""

from __future__ import annotations

import subprocess
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread
from typing import TYPE_CHECKING

import pytest

from nomic_git.forges.connection import Address, Busy, Connection, Denied, Missing, Uncertain, Unreachable, address_of
from nomic_git.forges.forge import ForgeError
from nomic_git.forges.snapshot import take
from nomic_git.repository.clone import Clone, open_clone
from nomic_git.repository.founding import found, shipped
from nomic_git.repository.settings import Settings

if TYPE_CHECKING:
    from pathlib import Path

    from fake_github import FakeGitHub

VIEWER = "query { viewer { login } rateLimit { remaining } }"


@pytest.fixture
def clone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Clone:
    for name in ("GITHUB_REPOSITORY", "GITHUB_API_URL"):
        monkeypatch.delenv(name, raising=False)
    found(tmp_path / "game", shipped("github", "en"), {}, Settings(), 1_700_000_000)
    return open_clone(tmp_path / "game")


def connect(github: FakeGitHub, token: str | None = None, **options: int) -> Connection:
    return Connection(
        github.full_name, github.actions.token if token is None else token, github.url, pause=0, **options
    )


def remote(clone: Clone, url: str) -> None:
    subprocess.run(["git", "remote", "add", "origin", url], cwd=clone.folder, check=True)


@pytest.mark.parametrize(
    ("url", "address"),
    [
        ("https://github.com/alice/nomic.git", Address("alice/nomic")),
        ("https://github.com/alice/nomic", Address("alice/nomic")),
        ("https://alice:secret@github.com/alice/nomic/", Address("alice/nomic")),
        ("git@github.com:alice/no.mic.git", Address("alice/no.mic")),
        ("ssh://git@github.com/alice/nomic.git", Address("alice/nomic")),
        ("ssh://git@ssh.github.com:443/alice/nomic.git", Address("alice/nomic")),
        ("git@git.example.com:alice/nomic.git", Address("alice/nomic", "https://git.example.com/api/v3")),
        ("https://git.example.com/alice/nomic.git", Address("alice/nomic", "https://git.example.com/api/v3")),
        ("https://guild.ghe.com/alice/nomic.git", Address("alice/nomic", "https://api.guild.ghe.com")),
    ],
)
def test_a_remotes_address_says_where_the_game_is(clone: Clone, url: str, address: Address) -> None:
    remote(clone, url)
    assert address_of(clone) == address


def test_the_environment_says_it_first(clone: Clone, monkeypatch: pytest.MonkeyPatch) -> None:
    remote(clone, "https://github.com/alice/nomic.git")
    monkeypatch.setenv("GITHUB_REPOSITORY", "bob/game")
    monkeypatch.setenv("GITHUB_API_URL", "https://git.example.com/api/v3/")
    assert address_of(clone) == Address("bob/game", "https://git.example.com/api/v3")


@pytest.mark.parametrize("url", ["/srv/games/nomic.git", "file:///srv/nomic.git", "C:/games/nomic"])
def test_an_address_that_says_no_repository_is_refused_with_the_remedy(clone: Clone, url: str) -> None:
    remote(clone, url)
    with pytest.raises(ForgeError, match=r"git remote set-url origin .* or set GITHUB_REPOSITORY"):
        address_of(clone)


def test_a_variable_that_names_no_repository_is_blamed(clone: Clone, monkeypatch: pytest.MonkeyPatch) -> None:
    remote(clone, "https://github.com/alice/game.git")
    monkeypatch.setenv("GITHUB_REPOSITORY", "nonsense")
    with pytest.raises(ForgeError, match=r"^GITHUB_REPOSITORY is 'nonsense', which is no repository such as OWNER"):
        address_of(clone)


def test_an_address_with_a_secret_is_not_repeated(clone: Clone) -> None:
    remote(clone, "https://alice:secret@github.com/nomic.git")
    with pytest.raises(ForgeError) as error:
        address_of(clone)
    assert "secret" not in str(error.value)


def test_what_is_no_address_of_a_server_is_refused(clone: Clone, monkeypatch: pytest.MonkeyPatch) -> None:
    remote(clone, "https://github.com/alice/nomic.git")
    monkeypatch.setenv("GITHUB_API_URL", "api.github.com")
    with pytest.raises(ForgeError, match="GITHUB_API_URL"):
        address_of(clone)


def test_an_answer_has_githubs_time_and_says_what_is_left(github: FakeGitHub) -> None:
    connection = connect(github)
    answer = connection.ask(VIEWER, {})
    assert answer.data["viewer"]["login"] == "github-actions[bot]"
    assert answer.time == github.clock.now
    assert connection.left == answer.data["rateLimit"]["remaining"]
    assert connection.requests == 1


def test_enterprise_server_has_its_graphql_elsewhere(github: FakeGitHub) -> None:
    connection = Connection(github.full_name, github.actions.token, github.enterprise_url, pause=0)
    assert connection.ask(VIEWER, {}).data["viewer"]["login"] == "github-actions[bot]"


@pytest.mark.parametrize("fault", ["BAD_GATEWAY", "DROPPED", "TIMEOUT", "BAD_GATEWAY_AFTER"])
def test_a_question_that_fails_is_asked_again(github: FakeGitHub, fault: str) -> None:
    from fake_github import Fault

    github.server.patience = 2
    github.fail(Fault[fault], nth=1)
    connection = connect(github, timeout=1)
    assert connection.ask(VIEWER, {}).data["viewer"]["login"] == "github-actions[bot]"
    assert connection.requests == 2


def test_a_question_that_keeps_failing_is_given_up(github: FakeGitHub) -> None:
    from fake_github import Fault

    github.fail(Fault.BAD_GATEWAY, times=None)
    connection = connect(github)
    with pytest.raises(Uncertain, match="try again later"):
        connection.ask(VIEWER, {})
    assert connection.requests == 4


@pytest.mark.parametrize("fault", ["BAD_GATEWAY", "DROPPED_AFTER"])
def test_a_write_that_fails_is_not_made_again(github: FakeGitHub, fault: str) -> None:
    from fake_github import Fault

    number = github.open_issue(github.owner, "An issue")
    github.fail(Fault[fault], nth=1)
    connection = connect(github)
    with pytest.raises(Uncertain):
        connection.write("POST", f"/issues/{number}/comments", {"body": "Once"})
    assert connection.requests == 1


def test_a_write_is_one_request(github: FakeGitHub) -> None:
    number = github.open_issue(github.owner, "An issue")
    connection = connect(github)
    made = connection.write("POST", f"/issues/{number}/comments", {"body": "Once"})
    assert made["body"] == "Once"
    assert [one.method for one in github.requests] == ["POST"]
    assert connection.left_rest == github.budget(github.actions).remaining


@pytest.mark.parametrize("what", ["ask", "write"])
def test_a_short_pause_that_github_asks_for_is_kept(github: FakeGitHub, what: str) -> None:
    from fake_github import Fault

    number = github.open_issue(github.owner, "An issue")
    github.server.retry_after = 1
    github.fail(Fault.SECONDARY_LIMIT, nth=1)
    connection = connect(github)
    if what == "ask":
        connection.ask(VIEWER, {})
    else:
        connection.write("POST", f"/issues/{number}/comments", {"body": "Once"})
    assert connection.requests == 2


def test_a_long_pause_is_left_to_the_next_pass(github: FakeGitHub) -> None:
    from fake_github import Fault

    number = github.open_issue(github.owner, "An issue")
    github.server.retry_after = 600
    github.fail(Fault.SECONDARY_LIMIT, nth=1)
    with pytest.raises(Busy, match="the next pass goes on from here"):
        connect(github).write("POST", f"/issues/{number}/comments", {"body": "Once"})


@pytest.mark.parametrize("what", ["ask", "write"])
def test_where_no_requests_are_left_it_says_until_when(github: FakeGitHub, what: str) -> None:
    from fake_github import Fault

    number = github.open_issue(github.owner, "An issue")
    connect(github).ask(VIEWER, {})
    github.fail(Fault.RATE_LIMIT, times=None)
    connection = connect(github)
    comment = ("POST", f"/issues/{number}/comments", {"body": "Once"})
    with pytest.raises(Busy, match=r"answers again at \d\d:\d\d UTC"):
        connection.ask(VIEWER, {}) if what == "ask" else connection.write(*comment)
    assert connection.requests == 1


def test_a_wrong_token_is_refused_and_not_shown(github: FakeGitHub) -> None:
    connection = connect(github, "ghp_secret")
    with pytest.raises(ForgeError, match="gh auth login") as error:
        connection.ask(VIEWER, {})
    assert "ghp_secret" not in str(error.value)
    assert "ghp_secret" not in repr(connection)


def test_a_wrong_token_is_said_with_where_it_is_from(github: FakeGitHub, monkeypatch: pytest.MonkeyPatch) -> None:
    connection = connect(github, "no-such-token")
    with pytest.raises(ForgeError, match=r"GitHub's own program: gh auth login --hostname 127\.0\.0\.1$"):
        connection.ask(VIEWER, {})
    for name in ("GH_TOKEN", "GITHUB_TOKEN"):
        monkeypatch.setenv(name, "no-such-token\n")
        with pytest.raises(ForgeError, match=f"of the variable {name}: unset it, or give it a good one$"):
            connection.ask(VIEWER, {})


def test_a_missing_permission_is_named(github: FakeGitHub) -> None:
    number = github.open_issue(github.owner, "An issue")
    stranger = github.account("stranger")
    with pytest.raises(Denied, match="it needs the permission"):
        connect(github, stranger.token).write("PATCH", f"/issues/{number}", {"state": "closed"})


def test_what_is_not_there_is_missing(github: FakeGitHub) -> None:
    with pytest.raises(Missing, match="see that the name is right"):
        connect(github).write("PATCH", "/issues/999", {"state": "closed"})


def test_what_github_cannot_take_is_denied_in_its_words(github: FakeGitHub) -> None:
    number = github.open_issue(github.owner, "An issue")
    with pytest.raises(Denied, match="too long"):
        connect(github).write("POST", f"/issues/{number}/comments", {"body": "x" * 65_537})


def test_an_answer_with_errors_in_it_is_none(github: FakeGitHub) -> None:
    query = 'query { viewer { login } repository(owner: "nobody", name: "nothing") { id } }'
    with pytest.raises(Missing):
        connect(github).ask(query, {})


def test_a_server_that_is_not_there_is_said_in_a_line() -> None:
    connection = Connection("alice/nomic", "ghp_secret", "http://127.0.0.1:1", pause=0)
    with pytest.raises(Unreachable, match="cannot be reached") as error:
        connection.ask(VIEWER, {})
    assert "\n" not in str(error.value)


def test_nothing_is_printed_when_something_fails(github: FakeGitHub, capfd: pytest.CaptureFixture[str]) -> None:
    from fake_github import Fault

    github.fail(Fault.DROPPED, nth=1)
    connect(github).ask(VIEWER, {})
    assert capfd.readouterr() == ("", "")


def test_a_server_that_is_not_there_is_called_twice_and_nothing_more() -> None:
    connection = Connection("alice/nomic", "token", "http://127.0.0.1:1", pause=0)
    with pytest.raises(Unreachable, match="cannot be reached"):
        take(connection.ask, "alice/nomic")
    assert connection.requests == 2


class _Something(BaseHTTPRequestHandler):
    """A server that answers every question alike, and is not GitHub."""

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["content-length"]))
        answer = self.server.answer  # type: ignore[attr-defined]
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *_: object) -> None:
        """Keep quiet."""


@pytest.mark.parametrize(
    "answer", [b'{"message": "hello"}', b'{"data": null}', b'{"data": []}', b"[]", b"7", b'"x"', b"<p>"]
)
def test_an_answer_that_is_not_githubs_is_said_to_be_none(answer: bytes) -> None:
    with HTTPServer(("127.0.0.1", 0), _Something) as server:
        server.answer = answer  # type: ignore[attr-defined]
        Thread(target=server.serve_forever, daemon=True).start()
        connection = Connection("alice/nomic", "t", f"http://127.0.0.1:{server.server_port}", pause=0)
        with pytest.raises(ForgeError, match=r"^http://127\.0\.0\.1:\d+ does not answer as GitHub does \("):
            connection.ask(VIEWER, {})
        server.shutdown()
