"""The comment counts down: what it says of the time that is left, and that it is seldom written for it."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from scene import START, Scene, game, rules

from nomic_git import locales
from nomic_git.forges.log import Deed
from nomic_git.game.instant import LATEST
from nomic_git.referee.sitting import sit
from nomic_git.repository.audit import audit

if TYPE_CHECKING:
    from pathlib import Path

HOUR = 3600
DAY = 24 * HOUR
ON_THE_HOUR = START - START % HOUR + HOUR
"""The first full hour after every scene's beginning, in seconds since the epoch."""

WEEK = (-113, b"---\nprovisions:\n  votes.deadline: 7d\n---\n\nA week is enough.\n")


@pytest.mark.parametrize(
    ("now", "until", "said"),
    [
        (0, 0, "within the hour"),
        (0, HOUR - 1, "within the hour"),
        (HOUR - 1, HOUR + 10, "in about an hour"),
        (0, 2 * HOUR, "in about 2 hours"),
        (0, 23 * HOUR + 1, "in about 23 hours"),
        (0, 24 * HOUR, "in about a day"),
        (0, 35 * HOUR, "in about a day"),
        (0, 36 * HOUR, "in about 2 days"),
        (100, 100 + 7 * DAY, "in about 7 days"),
    ],
)
def test_how_long_it_is_still_is_said_in_days_then_in_hours(now: int, until: int, said: str) -> None:
    assert locales.left_text(now, until) == said


@pytest.mark.parametrize("until", [9 * DAY, 9 * DAY + 61, 9 * DAY + 3599])
def test_what_is_said_changes_once_a_day_at_most_and_on_the_last_day_once_an_hour(until: int) -> None:
    said = [locales.left_text(now, until) for now in range(0, until, 60)]
    changes = [60 * at for at in range(1, len(said)) if said[at] != said[at - 1]]
    assert all(at % HOUR == 0 for at in changes)
    days = [at for at in changes if until - at >= 25 * HOUR]
    assert all(later - earlier == DAY for earlier, later in pairwise(days))
    assert len(days) == 8


def test_an_instant_is_told_in_utc_with_seconds_only_where_there_are() -> None:
    assert locales.instant_text(START) == "2023-11-14 22:13:20 UTC"
    assert locales.instant_text(START - 20) == "2023-11-14 22:13 UTC"
    assert locales.instant_text(LATEST + 10**9) == locales.instant_text(LATEST) == "9999-12-31 23:59:59 UTC"


def at(it: Scene, instant: int) -> int:
    """How many comments a pass at an instant writes."""
    it.now = instant
    return sit(it.clone, it.forge, instant).comments


def test_passes_within_an_hour_write_nothing_and_later_ones_only_what_has_changed(tmp_path: Path) -> None:
    it = game(tmp_path / "game", book=rules(WEEK))
    it.now = ON_THE_HOUR
    number = it.enact("alice")
    assert at(it, ON_THE_HOUR + 600) == 1
    assert "in about 7 days" in it.said(number)
    assert [at(it, ON_THE_HOUR + 600 + 60 * minute) for minute in range(1, 50)] == [0] * 49
    hours = [at(it, ON_THE_HOUR + HOUR * hour) for hour in range(1, 7 * 24 + 1)]
    assert sum(hours[: 6 * 24]) <= 7
    assert sum(hours[6 * 24 :]) == 24
    assert "within the hour" in it.said(number)
    assert not it.position.state.resolved.ranges
    it.now = ON_THE_HOUR + 8 * DAY
    assert [one.event.time for one in it.sit().done] == [ON_THE_HOUR + 10 + 7 * DAY]
    assert audit(it.clone).irregular == ()


def test_what_is_over_counts_down_no_more(tmp_path: Path) -> None:
    it = game(tmp_path / "game", book=rules(WEEK))
    number = it.enact("alice")
    it.sit()
    it.do("alice", number, Deed.WITHDRAWN)
    it.sit()
    assert "2023-11-21" not in it.said(number)
