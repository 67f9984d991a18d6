"""What all tests share: the option that renews golden files, and no skips where none is due."""

from __future__ import annotations

import gc
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

if TYPE_CHECKING:
    from fake_github import FakeGitHub

# Whoever runs the tests may be GitHub itself, or somebody with a token: what is tested is to know of neither.
for _name in [name for name in os.environ if name.startswith(("GITHUB_", "GH_"))]:
    del os.environ[_name]

# Nor does it know of their settings of git; new repositories come without the samples of hooks.
os.environ |= {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_SYSTEM": str(Path(__file__).with_name("gitconfig")),
    "GIT_TEMPLATE_DIR": "",
}

MEMORY = Path("/dev/shm")


def _has_room_for_tests() -> bool:
    """Whether the memory's own file system takes what the tests write, hooks that are to be run among it."""
    return (
        os.access(MEMORY, os.W_OK)
        and not os.statvfs(MEMORY).f_flag & os.ST_NOEXEC
        and shutil.disk_usage(MEMORY).free > 2 << 30
    )


# Hundreds of thousands of small files take twice as long on a disk.
if "TMPDIR" not in os.environ and _has_room_for_tests():
    os.environ["TMPDIR"] = tempfile.tempdir = str(MEMORY)

# A change lands or does not by what it does, not by which examples were drawn; elsewhere they are drawn anew each time.
# And not by how long one takes, which depends on what else the machine does.
settings.register_profile("here", deadline=None, max_examples=60)
settings.register_profile("ci", derandomize=True, deadline=None, max_examples=60)
settings.load_profile("ci" if os.environ.get("CI") else "here")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--renew-golden",
        action="store_true",
        help="write what the referee says now into tests/referee/golden/; read the difference before committing it",
    )


def pytest_collection_finish() -> None:
    """Look for what nobody refers to any more less often: what is there by now, among it GitHub's schema, stays."""
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Have each process begin with its share of the long tests: `--dist worksteal` cuts the list into equal parts."""
    processes = getattr(config, "workerinput", {"workercount": 1})["workercount"]
    long = [one for one in items if one.get_closest_marker("long")]
    short = [one for one in items if not one.get_closest_marker("long")]
    each, total = [], len(items)
    for at in range(processes):
        part = total * (at + 1) // processes - total * at // processes
        share = long[at::processes]
        each += [*share, *short[: part - len(share)]]
        del short[: part - len(share)]
    items[:] = each


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    """Under NOMIC_GIT_TEST_ALL=1 a test that skips for want of something has failed: there, it is to be had."""
    outcome = yield
    report = outcome.get_result()
    if os.environ.get("NOMIC_GIT_TEST_ALL") == "1" and report.skipped and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        report.longrepr = f"{item.nodeid} skipped under NOMIC_GIT_TEST_ALL=1: {report.longrepr}"


@pytest.fixture(scope="session")
def foundings(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the games that were founded are kept: a founding takes longer than a game."""
    return tmp_path_factory.mktemp("foundings")


@pytest.fixture
def github(tmp_path: Path) -> Iterator[FakeGitHub]:
    """A fake GitHub with an empty repository; see tests/fake_github/__init__.py."""
    # Imported where it is used: most tests need neither PyGithub nor GraphQL.
    from fake_github import FakeGitHub

    with FakeGitHub(tmp_path / "github") as made:
        yield made
