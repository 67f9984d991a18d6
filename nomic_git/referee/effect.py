"""What a rule would provide in vain once it is adopted, told before anybody votes on it (110, 211)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from nomic_git import locales
from nomic_git.law.provisions import KEYS

if TYPE_CHECKING:
    from nomic_git.law.precedence import Law
    from nomic_git.law.rule import Rule


def in_vain(before: Law, after: Law, changed: int | None, number: int) -> Sequence[str]:
    """Return, in sentences, what a rule with this number would provide without effect under the law `after`.

    That it would be void, for its conflict with immutable rules; else which other rule prevails over a provision.
    `changed` is its number under the law `before`, None where it is new: what was so there already is not told.
    """
    rule = after.rulebook.rules.get(number)
    if rule is None:
        return ()
    old = None if changed is None else before.rulebook.rules.get(changed)
    if number in after.void:
        return () if old is not None and old.number in before.void else tuple(_void(after, rule))
    stale = {} if old is None else _overridden(before, old)
    return tuple(
        locales.overridden_text(f"{key}: {value_text(key, value)}", after.findings[key])
        for key, value in _overridden(after, rule).items()
        if key not in stale or stale[key] != value
    )


def _overridden(law: Law, rule: Rule) -> dict[str, object]:
    """Return the provisions of a rule in place of which another value holds."""
    return {key: value for key, value in rule.provisions.items() if law.findings[key].value != value}


def _void(law: Law, rule: Rule) -> Iterator[str]:
    for number in law.void[rule.number]:
        other = law.rulebook.rules[number]
        keys = [key for key, value in rule.provisions.items() if other.provisions.get(key, value) != value]
        yield locales.void_text(number, keys)


def value_text(name: str, value: Any) -> str:
    """Return a provision's value on one line, as a rule would write it."""
    plain = KEYS[name].plain(value)
    if isinstance(plain, str | int) and not isinstance(plain, bool):
        return str(plain)
    if isinstance(plain, Sequence):
        return "[" + ", ".join(str(one) for one in plain) + "]"
    if isinstance(plain, dict):
        return "{" + ", ".join(f"{key}: {one}" for key, one in plain.items()) + "}"
    return str(plain)
