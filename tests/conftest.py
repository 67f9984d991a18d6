"""What all tests share: the option that renews golden files, and no skips where none is due."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

if TYPE_CHECKING:
    from pathlib import Path

    from fake_github import FakeGitHub

# Whoever runs the tests may be GitHub itself, or somebody with a token: what is tested is to know of neither.
for _name in [name for name in os.environ if name.startswith(("GITHUB_", "GH_"))]:
    del os.environ[_name]

# A change lands or does not by what it does, not by which examples were drawn; elsewhere they are drawn anew each time.
settings.register_profile("ci", derandomize=True)
if os.environ.get("CI"):
    settings.load_profile("ci")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--renew-golden",
        action="store_true",
        help="write what the referee says now into tests/referee/golden/; read the difference before committing it",
    )


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    """Under NOMIC_GIT_TEST_ALL=1 a test that skips for want of something has failed: there, it is to be had."""
    outcome = yield
    report = outcome.get_result()
    if os.environ.get("NOMIC_GIT_TEST_ALL") == "1" and report.skipped and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        report.longrepr = f"{item.nodeid} skipped under NOMIC_GIT_TEST_ALL=1: {report.longrepr}"


@pytest.fixture
def github(tmp_path: Path) -> Iterator[FakeGitHub]:
    """A fake GitHub with an empty repository; see tests/fake_github/__init__.py."""
    # Imported where it is used: most tests need neither PyGithub nor GraphQL.
    from fake_github import FakeGitHub

    with FakeGitHub(tmp_path / "github") as made:
        yield made
