"""The rules in force at one moment, and what must hold of them together (102, 114, 209)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from nomic_git.law.errors import Unreadable
from nomic_git.law.rule import Rule, Status, read_rule, read_rule_path


@dataclass(frozen=True, slots=True)
class Rulebook:
    """The rules in force by number, ascending. Two rulebooks with the same rules are equal."""

    rules: Mapping[int, Rule]
    _of: Mapping[Status, tuple[Rule, ...]] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        by_status = {status: tuple(rule for rule in self if rule.status is status) for status in Status}
        object.__setattr__(self, "_of", by_status)

    def __iter__(self) -> Iterator[Rule]:
        return iter(self.rules.values())

    def __len__(self) -> int:
        return len(self.rules)

    def of(self, status: Status) -> tuple[Rule, ...]:
        """Return the rules of one status, ascending by number."""
        return self._of[status]

    def named(self, number: int) -> Rule | None:
        """Return the rule that has this number, or had it before an amendment or a transmutation (108)."""
        if number in self.rules:
            return self.rules[number]
        return next((rule for rule in self if number in rule.formerly), None)

    def with_rule(self, rule: Rule, *, instead_of: int | None = None) -> Rulebook:
        """Return the rulebook with `rule` in force, and the rule numbered `instead_of` no longer."""
        kept = (one for one in self if one.number != instead_of and one.number != rule.number)
        return rulebook((*kept, rule))

    def without(self, number: int) -> Rulebook:
        """Return the rulebook with the rule of this number repealed."""
        return rulebook(one for one in self if one.number != number)


def rulebook(rules: Iterable[Rule]) -> Rulebook:
    """Return the rulebook that these rules make. Raises Unreadable where two have the same number."""
    by_number: dict[int, Rule] = {}
    for rule in sorted(rules, key=lambda one: one.number):
        if rule.number in by_number:
            raise Unreadable(f"there are two rules {rule.number}; delete one of the two files")
        by_number[rule.number] = rule
    return Rulebook(MappingProxyType(by_number))


def read_rulebook(files: Mapping[str, bytes]) -> Rulebook:
    """Return the rulebook that the files under `rules/` are, given by path in the game's tree.

    Raises Unreadable, naming the path, where a file is no rule.
    """
    return rulebook(read_rule_at(path, source) for path, source in files.items())


def read_rule_at(path: str, source: bytes) -> Rule:
    """Return the rule that a file is, given by path in the game's tree. Raises Unreadable, naming the path."""
    place = read_rule_path(path)
    if place is None:
        raise Unreadable(f"{path}: a rule's file is rules/immutable/NUMBER.md or rules/mutable/NUMBER.md")
    try:
        return read_rule(*place, source)
    except Unreadable as error:
        raise Unreadable(f"{path}: {error}") from None
