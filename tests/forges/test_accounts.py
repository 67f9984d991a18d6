"""Asking GitHub who somebody is: the number is kept, since names change (design section 2)."""

from __future__ import annotations

import re
import socket
from collections.abc import Iterator

import pytest
from people import directory

from nomic_git.forges.accounts import NoAccount, account_id


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[tuple[str, str | None]]]:
    """What a server that knows some people was asked; it is the one that is asked."""
    monkeypatch.delenv("GITHUB_TOKEN", raising=False)
    with directory() as (address, seen):
        monkeypatch.setenv("GITHUB_API_URL", address)
        yield seen


def test_a_person_has_a_number(asked: list[tuple[str, str | None]]) -> None:
    assert account_id("octocat") == 583231
    assert asked == [("/users/octocat", None)]


def test_a_token_is_used_where_there_is_one(
    asked: list[tuple[str, str | None]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITHUB_TOKEN", "secret")
    assert account_id("hubot") == 480938
    assert [how for _, how in asked] == ["token secret"]


@pytest.mark.parametrize(
    ("login", "words"),
    [
        ("nobody-at-all", "nobody is called nobody-at-all"),
        ("github", "github is no person"),
        ("dependabot", "dependabot is no person"),
        ("busy", "(Service unavailable)"),
    ],
)
def test_who_is_no_person_is_refused_with_what_to_do(
    asked: list[tuple[str, str | None]], login: str, words: str
) -> None:
    with pytest.raises(NoAccount, match=re.escape(words)) as error:
        account_id(login)
    assert "leave out --player: everybody joins by a pull request" in str(error.value)
    assert "\n" not in str(error.value)
    assert len(asked) == 1


@pytest.mark.parametrize("address", ["ftp://127.0.0.1", "nowhere", "https://", "http://127.0.0.1:x", "http://a b"])
def test_what_is_no_address_is_not_asked(monkeypatch: pytest.MonkeyPatch, address: str) -> None:
    monkeypatch.setenv("GITHUB_API_URL", address)
    with pytest.raises(NoAccount, match=r"GITHUB_API_URL .* is no address such as .*leave out --player"):
        account_id("octocat")


def test_an_address_where_nobody_answers_is_told_with_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        monkeypatch.setenv("GITHUB_API_URL", f"http://127.0.0.1:{free.getsockname()[1]}")
        with pytest.raises(NoAccount, match=r"cannot be reached to ask who octocat is .*leave out --player"):
            account_id("octocat")
