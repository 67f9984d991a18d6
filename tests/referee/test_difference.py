"""The referee's own difference against the tip (design section 3)."""

from __future__ import annotations

import random
import time
from difflib import unified_diff

from hypothesis import given
from hypothesis import strategies as st

from nomic_git.law.kinds import ChangeKind
from nomic_git.law.precedence import Law, read_law
from nomic_git.law.rule import Status, read_rule
from nomic_git.law.rule_change import RuleChange
from nomic_git.law.rulebook import rulebook
from nomic_git.referee.difference import MOST_LINES, difference

LINES = st.lists(st.sampled_from(["a", "b", "c"]), max_size=30)


def law_of(number: int, lines: list[str]) -> Law:
    source = "".join(f"{line}\n" for line in lines).encode()
    return read_law(rulebook([read_rule(number, Status.MUTABLE, source)]))


def shown(old: list[str], new: list[str]) -> list[str]:
    """The difference of an amendment of rule 2, by proposal 3, that puts some lines in place of others."""
    before, after = law_of(2, old), law_of(3, new)
    sources = before.rulebook.rules[2].source, after.rulebook.rules[3].source
    change = RuleChange(ChangeKind.AMEND, 2, Status.MUTABLE, *sources, "new")
    return difference(change, before, after, 3).split("\n")


@given(LINES, LINES, LINES, LINES)
def test_it_is_the_unified_difference_whatever_the_texts_begin_and_end_with(head, old, new, tail):
    one, other = [*head, *old, *tail], [*head, *new, *tail]
    # Several differences are equally short, so the hunks are applied and not compared.
    found = shown(one, other)
    if one == other:
        assert found == ["rules/mutable/2.md -> rules/mutable/3.md"]
        return
    whole = list(unified_diff(one, other, "rules/mutable/2.md", "rules/mutable/3.md", lineterm="", n=10**6))
    assert found[:2] == whole[:2]
    assert applied(one, found[2:]) == other


def applied(old: list[str], lines: list[str]) -> list[str]:
    """What hunks make of a text, each at the lines that its header names."""
    new: list[str] = []
    at = 0
    for line in lines:
        if line.startswith("@@"):
            first, _, many = line.split(" ")[1].removeprefix("-").partition(",")
            start = int(first) - (many != "0")
            new += old[at:start]
            at = start
        elif line[0] == "+":
            new.append(line[1:])
        else:
            assert old[at] == line[1:]
            new += [line[1:]] if line[0] == " " else []
            at += 1
    return new + old[at:]


def test_one_line_in_a_very_long_rule_is_shown_alone():
    old = [str(number) for number in range(9000)]
    found = shown(old, [*old[:5000], "changed", *old[5001:]])
    assert found[2:] == [
        "@@ -4998,7 +4998,7 @@",
        *(f" {n}" for n in (4997, 4998, 4999)),
        "-5000",
        "+changed",
        " 5001",
        " 5002",
        " 5003",
    ]


def test_a_very_long_rule_in_another_order_costs_little_time_and_is_cut():
    chance = random.Random(1)
    old = [str(number % 110) for number in range(80_000)]
    chance.shuffle(old)
    new = list(old)
    chance.shuffle(new)
    begun = time.process_time()
    found = shown(old, new)
    assert time.process_time() - begun < 5
    assert found[-1] == "... (cut here; see the branch for the rest)"
    assert len(found) <= 2 * MOST_LINES + 3
