"""Characters that can be seen: by every Python alike, whatever its Unicode knows yet."""

from __future__ import annotations

import sys
import unicodedata

import pytest

from nomic_git.law.characters import are_seen, is_seen

ALL = [chr(number) for number in range(sys.maxunicode + 1)]


def test_of_the_characters_that_this_python_knows_those_can_be_seen_that_can_be_printed():
    known = [one for one in ALL if unicodedata.category(one) != "Cn"]
    assert [one for one in known if is_seen(one) is not one.isprintable()] == []


def test_what_only_a_later_python_knows_can_be_seen():
    assert all(is_seen(one) for one in ALL if unicodedata.category(one) == "Cn")
    assert are_seen("May she?\u0378")


@pytest.mark.parametrize("text", ["a\nb", "a\u200bb", "a\u202eb", "a\u00a0b", "a\u2028b", "\ud800"])
def test_one_that_cannot_be_seen_is_found_among_those_that_can(text):
    assert not are_seen(text)
    assert are_seen("a b")
