"""The evaluation of an expression by simpleeval, in exact fractions with bounds on their size.

Apart from `expression` because simpleeval and fractions cost start-up time that most commands need not pay.
"""

from __future__ import annotations

import ast
import operator
from fractions import Fraction
from typing import TYPE_CHECKING

from simpleeval import (  # type: ignore[import-untyped]
    InvalidExpression,
    NameNotDefined,
    SimpleEval,
)

from nomic_git.law.expression import ExpressionFailed
from nomic_git.law.values import shown

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

BITS = 512
"""No numerator and no denominator on the way may have more bits than this."""

LARGEST_EXPONENT = 16

_PARTS = (ast.Name, ast.UnaryOp, ast.BinOp, ast.BoolOp, ast.Compare, ast.IfExp, ast.Call)


class _TooBig(Exception):
    pass


def evaluate(source: str, tree: ast.expr, names: Mapping[str, int]) -> Fraction | bool:
    """Return the value of a checked expression, given the number for each name that it uses.

    Raises ExpressionFailed, in one line, when it has none.
    """
    try:
        evaluator = SimpleEval(_OPERATORS, _FUNCTIONS, {name: _bounded(n) for name, n in names.items()})
        # Only what an expression has; and numbers are taken from the text, as a float would have rounded.
        evaluator.nodes = {part: evaluator.nodes[part] for part in _PARTS}
        evaluator.nodes[ast.Constant] = lambda node: _number(source.strip(), node)
        value = evaluator.eval(source, previously_parsed=tree)
    except ZeroDivisionError:
        reason = "divides by zero"
    except _TooBig:
        reason = f"grows beyond {BITS} bits, or an exponent beyond whole numbers up to {LARGEST_EXPONENT}"
    except NameNotDefined as missing:
        reason = f"names {missing.name}, which has no number here"
    except (InvalidExpression, RecursionError):
        reason = "cannot be evaluated"
    else:
        return value if isinstance(value, bool) else Fraction(value)
    raise ExpressionFailed(f"the expression {shown(source)} {reason}")


def _bounded(value: Fraction | int) -> Fraction:
    if value.numerator.bit_length() > BITS or value.denominator.bit_length() > BITS:
        raise _TooBig
    return Fraction(value)


def _number(source: str, node: ast.Constant) -> Fraction:
    return _bounded(Fraction(source[node.col_offset : node.end_col_offset]))


def _exact(
    operation: Callable[[Fraction, Fraction], Fraction | int],
) -> Callable[[Fraction, Fraction], Fraction]:
    return lambda left, right: _bounded(operation(left, right))


def _power(base: Fraction, exponent: Fraction) -> Fraction:
    if exponent.denominator != 1 or abs(exponent) > LARGEST_EXPONENT:
        raise _TooBig
    return Fraction(base ** int(exponent))


_OPERATORS = {
    ast.Add: _exact(operator.add),
    ast.Sub: _exact(operator.sub),
    ast.Mult: _exact(operator.mul),
    ast.Div: _exact(operator.truediv),
    ast.FloorDiv: _exact(operator.floordiv),
    ast.Mod: _exact(operator.mod),
    ast.Pow: _exact(_power),
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
    ast.Not: operator.not_,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
}

_FUNCTIONS = {"min": min, "max": max, "abs": abs}
