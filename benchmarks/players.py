"""Players who propose and vote at random: what `benchmarks.simulation` seats at its tables.

They follow the rules and want nothing. Each has a temper, the probability of voting for a proposal, and keeps it for
the whole game.
"""

from __future__ import annotations

import json
from hashlib import sha1
from typing import TYPE_CHECKING

from nomic_git.law.kinds import ChangeKind
from nomic_git.law.provisions import (
    CHANGES_KINDS,
    KEYS,
    RULES_MUTABLE_MAXIMUM,
    RULES_MUTABLE_MINIMUM,
    VICTORY_POINTS,
)
from nomic_git.law.rule import Rule, Status, providing, reworded
from nomic_git.law.rule_change import RuleChange

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from random import Random

    from nomic_git.law.precedence import Law

SURNAMES = {"alice": "Moore", "bob": "Adams", "carol": "Young", "dave": "Clark", "erin": "Baker", "frank": "Evans"}
"""The players by login, with the surnames by which some games seat them."""

FEWEST = 3
"""The fewest players at a table; all numbers from here to everybody are equally likely."""

TEMPER = (8, 2)
"""Alpha and beta of the distribution from which a player's temper is drawn: four votes in five are for, on average."""

WEIGHTS = {ChangeKind.ENACT: 4, ChangeKind.AMEND: 4, ChangeKind.REPEAL: 1, ChangeKind.TRANSMUTE: 1}
"""How often players think of a change of each kind; where it is not possible, they amend."""

OF_SUBSTANCE = 1 / 2
"""The probability that an enactment or an amendment is about a provision, and not of words alone."""

CLAIMS = 1 / 4
"""The probability that an enacted provision claims precedence over the others (211)."""

VALUES: Mapping[str, Sequence[int | str]] = {
    "adoption.threshold": ("unanimous", "simple-majority", "2/3", "3/4"),
    "turns.points": ("die", 5, 10, "2 * votes_for"),
    "turns.order": ("clockwise", "by-surname", "open"),
    "dissent.points": (0, 5, 10, 15),
    "defeat.points": (0, -5, -10, -15),
    "rules.mutable.maximum": (20, 25, 30, "none"),
    "conflicts.order": ("lowest", "highest"),
    "votes.closing": ("all-voted", "decided"),
    "votes.each": (1, 2),
}
"""What players provide of a key: what the shipped rulebooks do, or not far from it."""

GOALS = (1 / 2, 3 / 4, 1, 5 / 4, 3 / 2)
"""What they make of the points to win by, in times of what the law asks for at that moment."""

_KEYS = (*VALUES, VICTORY_POINTS.name)


def temper(rng: Random) -> float:
    """Return the probability with which a player votes for a proposal."""
    return rng.betavariate(*TEMPER)


def lawful_change(rng: Random, law: Law, serial: int) -> RuleChange:
    """Return a rule-change of a kind that is possible; `serial` makes its words unlike any other's.

    Whether a safeguard stands in its way, nobody knows before it is proposed.
    """
    kind = rng.choices(list(WEIGHTS), list(WEIGHTS.values()))[0]
    mutable = law.rulebook.of(Status.MUTABLE)
    if not _is_possible(law, kind, mutable):
        kind = ChangeKind.AMEND if mutable else ChangeKind.TRANSMUTE
    if kind is ChangeKind.ENACT:
        return _change(kind, None, _enacted(rng, law, serial))
    rule = rng.choice(tuple(law.rulebook) if kind is ChangeKind.TRANSMUTE else mutable)
    after = {ChangeKind.TRANSMUTE: rule.source, ChangeKind.REPEAL: None}.get(kind, b"")
    return _change(kind, rule, _amended(rng, law, rule, serial) if kind is ChangeKind.AMEND else after)


def _is_possible(law: Law, kind: ChangeKind, mutable: Sequence[Rule]) -> bool:
    most = law.value(RULES_MUTABLE_MAXIMUM)
    if kind not in law.value(CHANGES_KINDS):
        return False
    if kind is ChangeKind.ENACT:
        return most is None or len(mutable) < most
    return kind is ChangeKind.TRANSMUTE or len(mutable) > law.value(RULES_MUTABLE_MINIMUM)


def _enacted(rng: Random, law: Law, serial: int) -> bytes:
    words = _words(serial)
    if rng.random() >= OF_SUBSTANCE:
        return words
    key = rng.choice(_KEYS)
    claim = f"precedence: {{over: [{key}]}}\n" if rng.random() < CLAIMS else ""
    return f"---\nprovisions:\n  {key}: {json.dumps(_value(rng, law, key))}\n{claim}---\n\n".encode() + words


def _amended(rng: Random, law: Law, rule: Rule, serial: int) -> bytes:
    keys = [key for key in _KEYS if key in rule.provisions]
    if keys and rng.random() < OF_SUBSTANCE:
        key = rng.choice(keys)
        rule = _with(rule, key, _value(rng, law, key))
    return reworded(rule, b"\n" + _words(serial))


def _value(rng: Random, law: Law, key: str) -> int | str:
    if key == VICTORY_POINTS.name:
        return max(1, round((law.value(VICTORY_POINTS) or 1) * rng.choice(GOALS)))
    return rng.choice(VALUES[key])


def _with(rule: Rule, key: str, value: int | str) -> Rule:
    return providing(rule, {**rule.provisions, key: KEYS[key].read(value)})


def _words(serial: int) -> bytes:
    return f"What proposal {serial} says.\n".encode()


def _change(kind: ChangeKind, rule: Rule | None, after: bytes | None) -> RuleChange:
    if rule is None:
        return RuleChange(kind, None, Status.MUTABLE, None, after, _id(after))
    return RuleChange(kind, rule.number, rule.status, rule.source, after, _id(after))


def _id(source: bytes | None) -> str | None:
    return None if source is None else sha1(source, usedforsecurity=False).hexdigest()
