"""Where the token for GitHub comes from, and which server gets to see it."""

from __future__ import annotations

from pathlib import Path

import pytest

from nomic_git.forges.forge import ForgeError
from nomic_git.forges.token import token


@pytest.fixture(autouse=True)
def _nothing_known(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("GITHUB_TOKEN", "GH_TOKEN", "GITHUB_API_URL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))


def _gh(tmp_path: Path, script: str) -> None:
    """Put a program called gh on the path, which notes how it was called."""
    program = tmp_path / "gh"
    program.write_text(f'#!/bin/sh\necho "$@" > {tmp_path}/asked\n{script}\n')
    program.chmod(0o755)


def test_the_environment_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _gh(tmp_path, "echo from-gh")
    monkeypatch.setenv("GH_TOKEN", "second")
    assert token("github.com") == "second"
    monkeypatch.setenv("GITHUB_TOKEN", "first\n")
    assert token("github.com") == "first"
    assert not (tmp_path / "asked").exists()


def test_gh_is_asked_where_the_environment_has_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _gh(tmp_path, "echo from-gh")
    monkeypatch.setenv("GITHUB_TOKEN", "")
    assert token("github.com") == "from-gh"
    assert (tmp_path / "asked").read_text() == "auth token --hostname github.com\n"


def test_a_server_of_ones_own_gets_no_token_of_github_com(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _gh(tmp_path, "echo of-the-enterprise")
    monkeypatch.setenv("GITHUB_TOKEN", "of-github-com")
    assert token("git.example.org") == "of-the-enterprise"
    assert (tmp_path / "asked").read_text() == "auth token --hostname git.example.org\n"
    monkeypatch.setenv("GITHUB_API_URL", "https://git.example.org/api/v3")
    assert token("git.example.org") == "of-github-com"


def test_without_gh_it_is_said_how_to_get_a_token() -> None:
    with pytest.raises(ForgeError, match=r"set GITHUB_TOKEN .* or install .* gh, and run: gh auth login$"):
        token("github.com")


@pytest.mark.parametrize("script", ["echo no account >&2; exit 1", "true"])
def test_a_gh_that_is_not_logged_in_is_said_so(tmp_path: Path, script: str) -> None:
    _gh(tmp_path, script)
    with pytest.raises(ForgeError, match=r"gh auth login --hostname git\.example\.org"):
        token("git.example.org")


@pytest.mark.parametrize("given", ["to ken", "to\nken", "tokén"])
def test_what_is_no_token_is_refused_and_not_shown(monkeypatch: pytest.MonkeyPatch, given: str) -> None:
    monkeypatch.setenv("GITHUB_TOKEN", given)
    with pytest.raises(ForgeError) as caught:
        token("github.com")
    assert given not in str(caught.value)
