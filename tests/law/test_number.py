"""Numbers: what writes one, and that nothing else does."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nomic_git.law.number import read_number


@pytest.mark.parametrize(
    ("text", "number"),
    [("0", 0), ("7", 7), ("203", 203), ("-216", -216), ("9" * 18, 10**18 - 1), ("-" + "9" * 18, 1 - 10**18)],
)
def test_a_number_is_read(text, number):
    assert read_number(text) == number


@pytest.mark.parametrize(
    "text",
    [
        "",
        "-",
        "-0",
        "+1",
        "01",
        "-01",
        "00",
        " 1",
        "1 ",
        "1\n",
        "1.0",
        "1e3",
        "1_000",
        "0x1",
        "--1",
        "9" * 19,
        # Signs and digits of other scripts: a minus, a fullwidth 2, an Arabic 3, a superscript 2.
        "\u22121",
        "\uff1203",
        "\u0663",
        "\u00b2",
    ],
)
def test_what_looks_like_a_number_and_is_none(text):
    assert read_number(text) is None


@given(st.integers(min_value=1 - 10**18, max_value=10**18 - 1))
def test_every_number_is_read_from_the_one_way_to_write_it(number):
    assert read_number(str(number)) == number


@given(st.text(max_size=20) | st.from_regex(r"[-+0-9 _]{1,20}"))
def test_any_text_that_is_read_is_the_way_to_write_its_number(text):
    number = read_number(text)
    assert number is None or str(number) == text
