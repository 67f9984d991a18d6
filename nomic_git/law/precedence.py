"""Which rule prevails when rules conflict (110, 211; design section 7).

Rules conflict when they give one provision different values.
"""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, TypeVar

from nomic_git.law.provisions import CONFLICTS_ORDER, KEYS, ConflictsOrder
from nomic_git.law.rule import Rule, Status

if TYPE_CHECKING:
    from nomic_git.law.provisions import Key
    from nomic_git.law.rulebook import Rulebook

V = TypeVar("V")


class Why(StrEnum):
    """Why a rule's value holds for a provision."""

    DEFAULT = "default"
    """No rule provides it, or none that is not void."""
    ONLY = "only"
    """One rule provides it, and none another value."""
    AGREED = "agreed"
    """Several rules provide it, all with the same value."""
    IMMUTABLE = "immutable"
    """The rules that provide other values are void, each for conflicting with an immutable rule (110)."""
    CLAIM = "claim"
    """Of the rules that conflict, a claim put this one first (211)."""
    NUMBER = "number"
    """Of the rules that conflict, the order of numbers put this one first (211)."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What the law says of one provision.

    `rule` is the rule that prevails, None where no rule provides it and the default holds. `standing` is
    every rule that provides it and is not void, in the order in which they prevail; `overrides` is the
    rules that provide another value, which does not hold, void ones included, ascending. Where the default
    holds although rules provide the key, all of them are void.
    """

    value: Any
    rule: int | None
    standing: tuple[int, ...]
    overrides: tuple[int, ...]
    why: Why


@dataclass(frozen=True, slots=True)
class Law:
    """A rulebook and what it tells the referee.

    `findings` has every provision there is, by key; `void` names each mutable rule that is void, with the
    immutable rules that it conflicts with (110).
    """

    rulebook: Rulebook
    findings: Mapping[str, Finding]
    void: Mapping[int, tuple[int, ...]]

    def __hash__(self) -> int:
        return hash(tuple(self.rulebook.rules))

    def value(self, key: Key[V]) -> V:
        """Return the value that holds for a provision: the prevailing rule's, or the default."""
        value: V = self.findings[key.name].value
        return value

    def rule(self, name: str) -> int | None:
        """Return the number of the rule that a provision rests on, or None where none provides it."""
        return self.findings[name].rule

    def values(self, key: Key[V]) -> Iterable[tuple[int | None, V]]:
        """Yield the rules that provide `key` with their values, the prevailing one first, the default last.

        An expression that fails provides nothing for that proposal (design section 6): the next one holds.
        """
        for number in self.findings[key.name].standing:
            yield number, self.rulebook.rules[number].provisions[key.name]
        yield None, key.default


def read_law(rulebook: Rulebook, before: Law | None = None) -> Law:
    """Return what a rulebook tells the referee, every conflict resolved as design section 7 has it.

    `before` is a law that this one comes from: where the rules that provide a key are the same ones, so is what it
    finds.
    """
    providing = [rule for rule in rulebook if rule.provisions]
    if before is not None and providing == [rule for rule in before.rulebook if rule.provisions]:
        return Law(rulebook, before.findings, before.void)
    provided = _by_key(providing)
    void = _void(provided)
    # Which order holds is itself found by the default order: otherwise `highest` could undo itself.
    order = _find(CONFLICTS_ORDER.name, provided, void, ConflictsOrder.LOWEST)
    changed = KEYS if before is None else _changed(before, rulebook, void, order.value)
    found = {name: _find(name, provided, void, order.value) for name in changed}
    return Law(rulebook, {**(before.findings if before else {}), **found, CONFLICTS_ORDER.name: order}, void)


def _by_key(rules: Iterable[Rule]) -> Mapping[str, Sequence[Rule]]:
    """Return the rules that provide each key."""
    provided: dict[str, list[Rule]] = {}
    for rule in rules:
        for name in rule.provisions:
            provided.setdefault(name, []).append(rule)
    return provided


def _changed(before: Law, rulebook: Rulebook, void: Mapping[int, object], order: ConflictsOrder) -> Collection[str]:
    """Return the keys of which a rulebook may say other than a law: other rules provide them, or are void now."""
    if before.value(CONFLICTS_ORDER) is not order:
        return KEYS
    old, new = before.rulebook.rules, rulebook.rules
    rules = [
        *(rule for number, rule in new.items() if old.get(number) is not rule),
        *(rule for number, rule in old.items() if new.get(number) is not rule),
        *(new[number] for number in void.keys() ^ before.void.keys() if number in new),
    ]
    return {name for rule in rules for name in rule.provisions}


def prevails(one: Rule, other: Rule, order: ConflictsOrder) -> bool:
    """Return whether a rule stands over another that provides something else where both cannot hold (110, 211).

    An immutable rule does over a mutable one; else what only one of them claims decides, then the number.
    """
    if one.status is not other.status:
        return one.status is Status.IMMUTABLE
    claims = _named(other, one.precedence.over) or _named(one, other.precedence.defers_to)
    claimed = _named(one, other.precedence.over) or _named(other, one.precedence.defers_to)
    if claims is not claimed:
        return claims
    return (one.number < other.number) is (order is ConflictsOrder.LOWEST)


def _void(provided: Mapping[str, Sequence[Rule]]) -> Mapping[int, tuple[int, ...]]:
    against: dict[int, set[int]] = {}
    for name, rules in provided.items():
        immutable = [rule for rule in rules if rule.status is Status.IMMUTABLE]
        for rule in rules:
            if rule.status is Status.IMMUTABLE:
                continue
            value = rule.provisions[name]
            conflicting = {one.number for one in immutable if one.provisions[name] != value}
            if conflicting:
                against.setdefault(rule.number, set()).update(conflicting)
    return {number: tuple(sorted(rules)) for number, rules in sorted(against.items())}


def _find(
    name: str, provided: Mapping[str, Sequence[Rule]], void: Mapping[int, object], order: ConflictsOrder
) -> Finding:
    rules = provided.get(name, ())
    standing = [rule for rule in rules if rule.number not in void]
    if not standing:
        return Finding(KEYS[name].default, None, (), tuple(rule.number for rule in rules), Why.DEFAULT)
    ranked, claimed = _rank(name, standing, order) if len(standing) > 1 else (standing, False)
    value = ranked[0].provisions[name]
    overrides = tuple(rule.number for rule in rules if rule.provisions[name] != value)
    return Finding(
        value=value,
        rule=ranked[0].number,
        standing=tuple(rule.number for rule in ranked),
        overrides=overrides,
        why=_why(ranked, overrides, void, claimed),
    )


def _why(ranked: Sequence[Rule], overrides: Sequence[int], void: Container[int], claimed: bool) -> Why:
    if not overrides:
        return Why.ONLY if len(ranked) == 1 else Why.AGREED
    if all(number in void for number in overrides):
        return Why.IMMUTABLE
    return Why.CLAIM if claimed else Why.NUMBER


def _rank(name: str, rules: Sequence[Rule], order: ConflictsOrder) -> tuple[list[Rule], bool]:
    """Return the rules, the prevailing one first, and whether a claim put that one there.

    Immutable before mutable (110), then whom no other claims to stand over, then by number (211).
    """
    ranked: list[Rule] = []
    by_claim = False
    for status in (Status.IMMUTABLE, Status.MUTABLE):
        left = sorted((rule for rule in rules if rule.status is status), key=lambda rule: rule.number)
        if order is ConflictsOrder.HIGHEST:
            left.reverse()
        beaten = _claims(name, left)
        while left:
            free = next(rule for rule in left if not any(one.number in beaten[rule.number] for one in left))
            by_claim = by_claim or (not ranked and free is not left[0])
            left.remove(free)
            ranked.append(free)
    return ranked, by_claim


def _claims(name: str, rules: Sequence[Rule]) -> Mapping[int, frozenset[int]]:
    """Return for each rule the rules in conflict with it that stand over it by a claim (211).

    Claims between rules that agree decide nothing, and claims on a cycle cancel out.
    """
    over = {
        rule.number: frozenset(
            one.number
            for one in rules
            if one.provisions[name] != rule.provisions[name]
            and (_named(rule, one.precedence.over) or _named(one, rule.precedence.defers_to))
        )
        for rule in rules
    }
    if not any(over.values()):
        return over
    reach = {number: _reachable(number, over) for number in over}
    return {number: frozenset(one for one in above if number not in reach[one]) for number, above in over.items()}


def _reachable(start: int, edges: Mapping[int, frozenset[int]]) -> frozenset[int]:
    seen: set[int] = set()
    waiting = list(edges[start])
    while waiting:
        number = waiting.pop()
        if number not in seen:
            seen.add(number)
            waiting.extend(edges[number])
    return frozenset(seen)


def _named(rule: Rule, targets: Iterable[int | str]) -> bool:
    return any(
        target in rule.numbers
        if isinstance(target, int)
        else target in {"all", rule.status} or target in rule.provisions
        for target in targets
    )
