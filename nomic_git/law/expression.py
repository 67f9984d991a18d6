"""Expressions: how a rule computes points or a threshold from the result of a proposal (design section 6).

An expression is arithmetic (`+ - * / // % **`), comparison (`< <= > >= == !=`, in chains too), `and`, `or`,
`not`, `x if y else z`, parentheses and `min`, `max`, `abs` over whole and decimal numbers and `NAMES`. All of
it is exact: `/` divides fractions and `0.1` is one tenth. The exponent of `**` is a whole number from -16 to
16. A number is never taken for true or false nor the other way round, so `10 * (votes_for > 3)` is written
`10 if votes_for > 3 else 0`.

Players write expressions, and some would like to know what they can break. So a text is first cut into
tokens of which each must be known, then parsed, then checked for depth and for sense, all when the rule is
read; what remains is evaluated by simpleeval with a bound on the size of every number on the way.
"""

from __future__ import annotations

import ast
import re
import warnings
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from nomic_git.law.errors import NomicError, Unreadable
from nomic_git.law.values import shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from fractions import Fraction

NAMES: tuple[str, ...] = (
    "proposal",
    "votes_for",
    "votes_against",
    "votes_cast",
    "eligible",
    "players",
    "turn",
    "circuit",
)
"""What an expression may name; every one is a whole number."""

LONGEST = 500
"""The most characters that an expression may have."""

DEEPEST = 64
"""The most operations that may stand inside one another; a sum of n terms counts as n - 1."""

_DEEPEST_PARENTHESES = 20
_LONGEST_NUMBER = 30

_TOKEN = re.compile(r"[A-Za-z_][A-Za-z_0-9]*|[0-9]+(?:\.[0-9]+)?|\*\*|//|[<>=!]=|\S")
_RUN_TOGETHER = re.compile(r"[0-9][A-Za-z_]")  # `1if` is one thing to some Pythons and will be none to later ones.
_FUNCTIONS = {"min": 2, "max": 2, "abs": 1}
_MANY_ARGUMENTS = ("min", "max")
_SYMBOLS = frozenset(["+", "-", "*", "/", "//", "%", "**", "<", "<=", ">", ">=", "==", "!=", "(", ")", ","])
_KNOWN = frozenset((*NAMES, *_FUNCTIONS, *["and", "or", "not", "if", "else"])) | _SYMBOLS
_ARITHMETIC = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow)
_COMPARISON = (ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq)

ALLOWED = (
    "an expression has numbers, + - * / // % **, comparisons, and, or, not, if … else, parentheses, "
    f"min, max, abs, and the names {', '.join(NAMES)}"
)


class ExpressionFailed(NomicError):
    """An expression that gives no value for this proposal: it then provides nothing (design section 6)."""


@dataclass(frozen=True, slots=True, eq=False)
class Expression:
    """An expression that a rule provides, as it is written there; made by `read_expression`.

    Two are equal when they are written alike but for spaces.
    """

    source: str

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Expression):
            return NotImplemented
        return _tokens(self.source) == _tokens(other.source)

    def __hash__(self) -> int:
        return hash(_tokens(self.source))

    @property
    def is_number(self) -> bool:
        """Whether it gives a number; otherwise it gives true or false."""
        return not _checked(self.source)[1]

    def evaluate(self, names: Mapping[str, int]) -> Fraction | bool:
        """Return the exact value, given a whole number for each of `NAMES` that the expression uses.

        Raises ExpressionFailed, in one line, when there is none: a division by zero, a name without a
        number, a number that grows too big.
        """
        try:
            used = tuple((name, names[name]) for name in _names(self.source) if name in names)
            return _value(self.source, used)
        except Unreadable as refused:
            raise ExpressionFailed(str(refused)) from None


def read_expression(text: str) -> Expression:
    """Return the expression that a text is, without evaluating it.

    Raises Unreadable, which says what is wrong and what is allowed.
    """
    _checked(text)
    return Expression(text)


def round_half_up(value: Fraction) -> int:
    """Return the nearest whole number, halves upwards: 5/2 gives 3, -1/2 gives 0 (design section 5)."""
    return (2 * value.numerator + value.denominator) // (2 * value.denominator)


# Most points are the same for every proposal, and a replay asks for them at each.
@lru_cache(maxsize=512)
def _value(source: str, names: tuple[tuple[str, int], ...]) -> Fraction | bool:
    # simpleeval is wanted only when a proposal is resolved, and costs start-up time.
    from nomic_git.law.evaluation import evaluate

    return evaluate(source, _checked(source)[0], dict(names))


@lru_cache(maxsize=512)
def _names(source: str) -> tuple[str, ...]:
    there = {node.id for node in ast.walk(_checked(source)[0]) if isinstance(node, ast.Name)}
    return tuple(name for name in NAMES if name in there)


@lru_cache(maxsize=512)
def _tokens(source: str) -> tuple[str, ...]:
    return tuple(_TOKEN.findall(source))


@lru_cache(maxsize=512)
def _checked(source: str) -> tuple[ast.expr, bool]:
    """Return an expression's tree, and whether it gives true or false rather than a number."""
    try:
        if len(source) > LONGEST:
            raise _Wrong(f"has more than {LONGEST} characters")
        if not source.isascii() or not source.isprintable():
            raise _Wrong("has characters other than printable ASCII")
        _check_tokens(_tokens(source))
        if _RUN_TOGETHER.search(source):
            raise _Wrong("has a number and a word run together: put a space between them")
        tree = _parsed(source)
        _check_depth(tree)
        return tree, _truth(tree)
    except _Wrong as wrong:
        raise Unreadable(f"the expression {shown(source)} {wrong}; {ALLOWED}") from None


class _Wrong(Exception):
    """What is wrong with an expression, as the end of a sentence about it."""


def _check_tokens(tokens: Iterable[str]) -> None:
    depth = 0
    for token in tokens:
        if token[0].isdigit():
            if len(token) > _LONGEST_NUMBER:
                raise _Wrong(f"has a number of more than {_LONGEST_NUMBER} digits")
        elif token not in _KNOWN:
            raise _Wrong(f"has {shown(token)} in it")
        depth += (token == "(") - (token == ")")
        if depth > _DEEPEST_PARENTHESES:
            raise _Wrong(f"has more than {_DEEPEST_PARENTHESES} parentheses inside one another")


def _parsed(source: str) -> ast.expr:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(source.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise _Wrong("cannot be understood: look for a missing number, operator or parenthesis") from None


def _check_depth(tree: ast.expr) -> None:
    level = [tree]
    for _ in range(DEEPEST + 1):
        level = [child for node in level for child in ast.iter_child_nodes(node) if isinstance(child, ast.expr)]
        if not level:
            return
    raise _Wrong(f"has more than {DEEPEST} operations inside one another")


def _truth(node: ast.expr) -> bool:
    """Return whether a part gives true or false rather than a number; raise _Wrong where it is neither."""
    match node:
        case ast.Constant():
            return False
        case ast.Name(id=name) if name in NAMES:
            return False
        case ast.UnaryOp(op=ast.USub() | ast.UAdd(), operand=operand):
            return _numbers(operand)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return _truths(operand)
        case ast.BinOp(left=left, op=op, right=right) if isinstance(op, _ARITHMETIC):
            return _numbers(left, right)
        case ast.Compare(left=left, ops=ops, comparators=rest) if all(isinstance(op, _COMPARISON) for op in ops):
            return not _numbers(left, *rest)
        case ast.BoolOp(values=values):
            return _truths(*values)
        case ast.IfExp(test=test, body=body, orelse=orelse):
            _truths(test)
            return _truths(body, orelse) if _truth(body) else _numbers(body, orelse)
        case ast.Call(func=ast.Name(id=name), args=args, keywords=[]) if name in _FUNCTIONS:
            return _called(name, args)
        case _:
            raise _Wrong(f"has {shown(ast.unparse(node))} in it")


def _called(name: str, arguments: list[ast.expr]) -> bool:
    least = _FUNCTIONS[name]
    if len(arguments) < least or (len(arguments) > least and name not in _MANY_ARGUMENTS):
        raise _Wrong(f"gives {name} {len(arguments)} numbers: min and max take two or more, abs takes one")
    return _numbers(*arguments)


def _numbers(*parts: ast.expr) -> bool:
    for part in parts:
        if _truth(part):
            raise _Wrong(f"takes {shown(ast.unparse(part))} for a number: write 1 if … else 0")
    return False


def _truths(*parts: ast.expr) -> bool:
    for part in parts:
        if not _truth(part):
            raise _Wrong(f"takes {shown(ast.unparse(part))} for true or false: compare it with something")
    return True
