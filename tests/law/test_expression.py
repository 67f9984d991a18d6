"""Expressions: what they give, what is refused when a rule is read, and that they can break nothing."""

import subprocess
import sys
import time
import warnings
from contextlib import suppress
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nomic_git.law.errors import Unreadable
from nomic_git.law.evaluation import BITS
from nomic_git.law.expression import (
    DEEPEST,
    LONGEST,
    NAMES,
    Expression,
    ExpressionFailed,
    read_expression,
    round_half_up,
)

RESULT = dict(zip(NAMES, (12, 3, 1, 4, 5, 6, 7, 2), strict=True))


@pytest.mark.parametrize(
    ("source", "value"),
    [
        ("5", 5),
        ("-10", -10),
        ("0.5", Fraction(1, 2)),
        ("0.1 + 0.2", Fraction(3, 10)),
        ("0.10000000000000000000000001", Fraction(10**25 + 1, 10**26)),
        ("(proposal + 9) * votes_for / votes_cast", Fraction(63, 4)),
        ("(proposal - 291) * votes_for / votes_cast", Fraction(-837, 4)),
        ("1 / 3 + 1 / 3 + 1 / 3", 1),
        ("7 // 2 / 4", Fraction(3, 4)),
        ("-7 // 2", -4),
        ("7 % 2.5", 2),
        ("-7 % 3", 2),
        ("2 ** 10", 1024),
        ("2 ** -2", Fraction(1, 4)),
        ("-2 ** 2", -4),
        ("+proposal", 12),
        ("min(votes_for, votes_against, 2)", 1),
        ("max(1, players)", 6),
        ("abs(votes_against - votes_for)", 2),
        ("10 if votes_for > 2 else 0", 10),
        ("10 if votes_for > 3 else 0", 0),
        ("1 if votes_against == 0 else 2 if turn > 5 else 3", 2),
        ("  1+1  ", 2),
        (" 0.25", Fraction(1, 4)),
    ],
)
def test_numbers_are_exact_fractions(source, value):
    expression = read_expression(source)
    assert expression.is_number
    result = expression.evaluate(RESULT)
    assert type(result) is Fraction
    assert result == value


@pytest.mark.parametrize(
    ("source", "value"),
    [
        ("votes_for >= 2 / 3 * eligible", False),
        ("votes_for > votes_against", True),
        ("0.1 + 0.2 == 0.3", True),
        ("1 < votes_for <= 3 < 4", True),
        ("1 < votes_for < 3", False),
        ("votes_for != 3", False),
        ("not votes_for < 3", True),
        ("votes_for > 2 and votes_against == 0", False),
        ("votes_for > 2 and votes_against == 1 and turn == 7", True),
        ("votes_for > 5 or circuit == 2", True),
        ("votes_for > 5 or votes_cast > 0 and 1 / 0 > 1 if turn == 0 else turn == 7", True),
        ("votes_for > 2 or 1 / 0 > 1", True),
        ("turn > 1 if circuit > 1 else turn > 100", True),
    ],
)
def test_comparisons_give_true_or_false(source, value):
    expression = read_expression(source)
    assert not expression.is_number
    assert expression.evaluate(RESULT) is value


@pytest.mark.parametrize("name", NAMES)
def test_each_name_stands_for_its_number(name):
    assert read_expression(name).evaluate(RESULT) == RESULT[name]


@pytest.mark.parametrize(
    ("source", "what"),
    [
        ("", "cannot be understood"),
        ("   ", "cannot be understood"),
        ("1 +", "cannot be understood"),
        ("(1", "cannot be understood"),
        ("1)", "cannot be understood"),
        ("1 2", "cannot be understood"),
        ("012", "cannot be understood"),
        ("0or 1", "run together"),
        ("1 if 2 > 1", "cannot be understood"),
        ("votes", "has 'votes' in it"),
        ("votes_For", "has 'votes_For' in it"),
        ("None", "has 'None' in it"),
        ("True", "has 'True' in it"),
        ("min", "has 'min' in it"),
        ("1e5", "has 'e5' in it"),
        ("0x10", "has 'x10' in it"),
        ("1_000", "has '_000' in it"),
        ("1j", "has 'j' in it"),
        (".5", "has '.' in it"),
        ("1.", "has '.' in it"),
        ("proposal.numerator", "has '.' in it"),
        ("proposal[0]", "has '[' in it"),
        ("'a'", "in it"),
        ('"a" * 9', "in it"),
        ("{1}", "has '{' in it"),
        ("proposal := 1", "has ':' in it"),
        ("proposal = 1", "has '=' in it"),
        ("lambda: 1", "has 'lambda' in it"),
        ("1 in 2", "has 'in' in it"),
        ("1 is 1", "has 'is' in it"),
        ("__import__('os')", "has '__import__' in it"),
        ("1 # 2", "has '#' in it"),
        ("1; 2", "has ';' in it"),
        ("1 \\", "in it"),
        ("1 << 2", "has '1 << 2' in it"),
        ("1, 2", "has '(1, 2)' in it"),
        ("()", "has '()' in it"),
        ("players(1)", "has 'players(1)' in it"),
        ("min(*players, 1)", "has '*players' in it"),
        ("min(**players)", "in it"),
        ("min(1)", "min and max take two or more"),
        ("max()", "min and max take two or more"),
        ("abs(1, 2)", "abs takes one"),
        ("10 * (votes_for > 3)", "takes 'votes_for > 3' for a number"),
        ("-(1 < 2)", "takes '1 < 2' for a number"),
        ("(1 < 2) == (2 < 3)", "takes '1 < 2' for a number"),
        ("min(1, 1 < 2)", "takes '1 < 2' for a number"),
        ("1 if 1 < 2 else 1 < 3", "takes '1 < 3' for a number"),
        ("votes_for and votes_cast", "takes 'votes_for' for true or false"),
        ("not 1", "takes '1' for true or false"),
        ("1 if votes_for else 2", "takes 'votes_for' for true or false"),
        ("1 < 2 if 1 < 2 else 3", "takes '3' for true or false"),
        ("1if votes_for > 1 else 0", "run together"),
        ("1 if votes_for > 1else 0", "run together"),
        ("\uff50roposal", "printable ASCII"),
        ("\uff11 + 1", "printable ASCII"),
        ("1 \u2212 1", "printable ASCII"),
        ("1\u00a0+ 1", "printable ASCII"),
        ("1\0", "printable ASCII"),
        ("1\n+ 1", "printable ASCII"),
        ("1\t+ 1", "printable ASCII"),
        ("1\u202e", "printable ASCII"),
        ("\ud800", "printable ASCII"),
        ("1" * 31, "more than 30 digits"),
        ("1 +" * LONGEST, f"more than {LONGEST} characters"),
        ("(" * 21 + "1" + ")" * 21, "more than 20 parentheses"),
        ("-" * (DEEPEST + 1) + "1", f"more than {DEEPEST} operations"),
        ("not " * (DEEPEST + 1) + "1 < 2", f"more than {DEEPEST} operations"),
        ("1" + "+1" * (DEEPEST + 1), f"more than {DEEPEST} operations"),
        ("2" + "**2" * (DEEPEST + 1), f"more than {DEEPEST} operations"),
    ],
)
def test_what_is_no_expression_is_refused_when_it_is_read(source, what):
    with pytest.raises(Unreadable) as refused:
        read_expression(source)
    message = str(refused.value)
    assert what in message
    assert all(name in message for name in NAMES)
    assert message.isprintable()
    assert len(message) < 500


@pytest.mark.parametrize(
    ("source", "names", "what"),
    [
        ("1 / (votes_for - 3)", RESULT, "divides by zero"),
        ("1 // 0", RESULT, "divides by zero"),
        ("1 % 0", RESULT, "divides by zero"),
        ("0 ** -1", RESULT, "divides by zero"),
        ("votes_for", {}, "names votes_for, which has no number here"),
        ("2 ** 17", RESULT, "grows beyond"),
        ("2 ** 0.5", RESULT, "grows beyond"),
        ("2 ** 16 ** 16", RESULT, "grows beyond"),
        ("9" * 30 + " ** 16", RESULT, "grows beyond"),
        ("1 / " + "9" * 30 + " ** 16", RESULT, "grows beyond"),
        (" * ".join(["9" * 30] * 10), RESULT, "grows beyond"),
        ("players", {"players": 2 ** (BITS + 1)}, "grows beyond"),
    ],
)
def test_an_expression_that_gives_no_value_says_so_in_one_line(source, names, what):
    with pytest.raises(ExpressionFailed) as failed:
        read_expression(source).evaluate(names)
    assert what in str(failed.value)
    assert str(failed.value).isprintable()


def test_a_part_that_is_not_needed_cannot_fail():
    assert read_expression("votes_for / votes_cast if votes_cast > 0 else 0").evaluate({"votes_cast": 0}) == 0


def test_an_expression_that_was_never_read_fails_instead_of_being_run():
    with pytest.raises(ExpressionFailed, match="has '__import__' in it"):
        Expression("__import__('os').getcwd()").evaluate(RESULT)


def test_the_deepest_expressions_that_are_read_can_be_evaluated():
    assert read_expression("1" + "+1" * DEEPEST).evaluate({}) == DEEPEST + 1
    assert read_expression("turn" + "+turn" * DEEPEST).evaluate(RESULT) == 7 * (DEEPEST + 1)
    assert read_expression("(" * 20 + "1" + ")" * 20).evaluate({}) == 1
    assert read_expression("1 if 1 < 2 else " * 30 + "1").evaluate({}) == 1


def test_spaces_make_no_difference_and_everything_else_does():
    one = read_expression("(proposal-291)*votes_for")
    assert one == read_expression(" ( proposal - 291 )  * votes_for ")
    assert hash(one) == hash(read_expression("( proposal - 291 ) * votes_for"))
    assert one.source == "(proposal-291)*votes_for"
    assert one != read_expression("votes_for * (proposal - 291)")
    assert read_expression("0.5") != read_expression("1/2")
    assert one != one.source


def test_no_warning_reaches_the_reader():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for source in ("1if 1<2else 3", "5and 3", "1(2)", "1is 1"):
            with pytest.raises(Unreadable):
                read_expression(source)
    assert caught == []


@pytest.mark.parametrize(
    ("value", "nearest"),
    [
        ("5/2", 3),
        ("-1/2", 0),
        ("-5/2", -2),
        ("-3/2", -1),
        ("1/3", 0),
        ("2/3", 1),
        ("-2/3", -1),
        ("7", 7),
        ("63/4", 16),
    ],
)
def test_halves_round_upwards(value, nearest):
    assert round_half_up(Fraction(value)) == nearest


@given(st.fractions())
def test_rounding_is_never_off_by_more_than_a_half(value):
    assert Fraction(-1, 2) < round_half_up(value) - value <= Fraction(1, 2)


PIECES = "+ - * / // % ** < <= == ( ) , . 0 1 7 0.5 if else and or not min( max( abs( [ ' ** 16"
PARTS = st.sampled_from([*NAMES, *PIECES.split(), " "])
TEXTS = st.one_of(st.text(max_size=600), st.lists(PARTS, max_size=60).map(" ".join), st.lists(PARTS).map("".join))


@given(TEXTS)
def test_any_text_gives_an_expression_or_is_refused_and_quickly(text):
    begun = time.perf_counter()
    try:
        expression = read_expression(text)
        value = expression.evaluate(RESULT)
    except (Unreadable, ExpressionFailed):
        pass
    else:
        assert isinstance(value, Fraction if expression.is_number else bool)
    assert time.perf_counter() - begun < 1


NUMBERS = st.sampled_from([*NAMES, "0", "1", "7", "0.5", "12.25", "9" * 20])
EXPRESSIONS = st.recursive(
    NUMBERS,
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from(["+", "-", "*", "/", "//", "%", "**"]), inner).map(
            lambda parts: f"({' '.join(parts)})"
        ),
        st.tuples(inner, inner).map(lambda parts: f"min({parts[0]}, {parts[1]})"),
        inner.map(lambda part: f"-{part}"),
        st.tuples(inner, inner, inner, inner).map(lambda p: f"({p[0]} if {p[1]} < {p[2]} else {p[3]})"),
    ),
    max_leaves=12,
)


@given(EXPRESSIONS.filter(lambda source: len(source) <= LONGEST))
def test_any_well_formed_expression_gives_a_bounded_number_or_fails(source):
    expression = read_expression(source)
    with suppress(ExpressionFailed):
        value = expression.evaluate(RESULT)
        assert max(value.numerator.bit_length(), value.denominator.bit_length()) <= BITS


@pytest.mark.parametrize(
    "piece", ["min(", "(", "(1,", "min(1,", "1 if ", "1 if (", "not ", "-(", "1<", "abs(-", "2**("]
)
@pytest.mark.parametrize("end", ["", "1 1", ")", "1 if", "1,", "**", "else"])
def test_broken_nesting_is_refused_in_no_time(piece, end):
    begun = time.perf_counter()
    for times in (5, 19, 20, 60, 120):
        with pytest.raises(Unreadable):
            read_expression((piece * times + end)[:LONGEST])
    assert time.perf_counter() - begun < 1


def test_reading_provisions_loads_neither_simpleeval_nor_fractions():
    program = (
        "import sys; from nomic_git.law.provisions import KEYS;"
        "KEYS['turns.points'].read('(proposal - 291) * votes_for / votes_cast');"
        "print({'simpleeval', 'fractions', 'jsonschema', 'nomic_git.law.evaluation'} & set(sys.modules))"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert run.stdout == "set()\n"
