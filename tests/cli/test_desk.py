"""What commands have in common at the command line."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from nomic_git.cli.desk import outwait

if TYPE_CHECKING:
    import pytest


def test_a_second_that_passes_while_it_is_looked_at_is_waited_for_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter([100.999, 101.001])
    slept: list[float] = []
    monkeypatch.delenv("GIT_COMMITTER_DATE", raising=False)
    monkeypatch.setattr(time, "time", lambda: next(clock))
    monkeypatch.setattr(time, "sleep", slept.append)
    outwait(100)
    assert slept == [0]
