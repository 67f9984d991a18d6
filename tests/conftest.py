"""What all tests share: the option that renews golden files, and no skips where none is due."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from hypothesis import settings

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
