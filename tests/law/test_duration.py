"""Durations: read, written back, refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nomic_git.law.duration import LONGEST, read_duration, write_duration
from nomic_git.law.errors import Unreadable

DAY = 86400


@pytest.mark.parametrize(
    ("text", "seconds", "written"),
    [
        ("1m", 60, "1m"),
        ("90m", 5400, "90m"),
        ("120m", 7200, "2h"),
        ("36h", 36 * 3600, "36h"),
        ("48h", 2 * DAY, "2d"),
        ("7d", 7 * DAY, "7d"),
        ("2w", 14 * DAY, "14d"),
        ("3650d", LONGEST, "3650d"),
    ],
)
def test_a_duration_is_read_as_seconds_and_written_in_the_largest_unit_up_to_days(text, seconds, written):
    assert read_duration(text) == seconds
    assert write_duration(seconds) == written


@pytest.mark.parametrize(
    "found",
    [
        "",
        "7",
        7,
        True,
        "0d",
        "07d",
        "-7d",
        "+7d",
        "7 d",
        " 7d",
        "7d ",
        "7d\n",
        "7D",
        "7s",
        "7y",
        "1d12h",
        "1.5d",
        "\u0667d",
        "7\uff44",
        "3651d",
        "522w",
        "9" * 400 + "d",
        "none",
        [],
        {},
        ["7d"],
    ],
)
def test_anything_else_is_refused_with_an_example(found):
    with pytest.raises(Unreadable, match="such as 90m, 36h, 7d, 2w") as refused:
        read_duration(found)
    assert "\n" not in str(refused.value)
    assert len(str(refused.value)) < 250


def test_one_length_written_in_two_units_is_one_value():
    assert read_duration("1w") == read_duration("7d") == read_duration("168h") == read_duration("10080m")


@given(st.integers(1, LONGEST // 60).map(lambda minutes: minutes * 60))
def test_what_is_written_is_read_again(seconds):
    assert read_duration(write_duration(seconds)) == seconds
