"""Conflicts between rules: which value holds for each provision, and why (design section 7)."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nomic_git.law.precedence import Why, read_law
from nomic_git.law.provisions import (
    ADOPTION_TRANSMUTATION,
    CONFLICTS_ORDER,
    DEFEAT_POINTS,
    KEYS,
    TURNS_POINTS,
    VICTORY_POINTS,
    VOTES_DEADLINE,
    VOTES_EACH,
    ConflictsOrder,
)
from nomic_git.law.rule import Status, read_rule
from nomic_git.law.rulebook import rulebook

EACH = VOTES_EACH.name


def immutable(number, each=None, **also):
    return a_rule(number, Status.IMMUTABLE, each, **also)


def mutable(number, each=None, **also):
    return a_rule(number, Status.MUTABLE, each, **also)


def a_rule(number, status, each=None, *, also="", over=(), defers_to=(), formerly=()):
    """Return a rule that provides `votes.each` where it is given, and what the lines `also` say."""
    lines = [f"formerly: {list(formerly)}"]
    provisions = ([] if each is None else [f"{EACH}: {each}"]) + also.split("; ") * bool(also)
    if provisions:
        lines += ["provisions:", *(f"  {line}" for line in provisions)]
    if over or defers_to:
        lines += ["precedence:", f"  over: [{joined(over)}]", f"  defers-to: [{joined(defers_to)}]"]
    return read_rule(number, status, "\n".join(["---", *lines, "---", "Words."]).encode())


def joined(targets):
    return ", ".join(map(str, targets))


def law(*rules):
    return read_law(rulebook(rules))


def found(*rules, key=EACH):
    finding = law(*rules).findings[key]
    return finding.value, finding.rule, finding.overrides, finding.why


HIGHEST = mutable(900, also="conflicts.order: highest")

CONFLICTS = {
    "no rule provides it: the default holds": ([mutable(1)], (1, None, (), Why.DEFAULT)),
    "one rule provides it": ([mutable(203, 2)], (2, 203, (), Why.ONLY)),
    "one rule provides the default": ([mutable(203, 1)], (1, 203, (), Why.ONLY)),
    "two rules agree": ([mutable(203, 2), mutable(204, 2)], (2, 203, (), Why.AGREED)),
    "rules of both statuses agree": ([mutable(103, 2), immutable(204, 2)], (2, 204, (), Why.AGREED)),
    "the lowest number prevails": ([mutable(305, 3), mutable(203, 2)], (2, 203, (305,), Why.NUMBER)),
    "a negative number is the lower, the further from zero": (
        [mutable(-101, 3), mutable(-216, 2), mutable(7, 4)],
        (2, -216, (-101, 7), Why.NUMBER),
    ),
    "0 is lower than 1 and higher than -1": (
        [mutable(0, 3), mutable(-1, 2), mutable(1, 4)],
        (2, -1, (0, 1), Why.NUMBER),
    ),
    "who agrees with the rule that prevails is not overridden": (
        [mutable(1, 2), mutable(2, 3), mutable(3, 2)],
        (2, 1, (2,), Why.NUMBER),
    ),
    "two immutable rules conflict by number": ([immutable(102, 3), immutable(101, 2)], (2, 101, (102,), Why.NUMBER)),
    "the highest number prevails where a rule says so": (
        [mutable(203, 2), mutable(305, 3), HIGHEST],
        (3, 305, (203,), Why.NUMBER),
    ),
    "-101 is higher than -216": (
        [mutable(-216, 2), mutable(-101, 3), HIGHEST],
        (3, -101, (-216,), Why.NUMBER),
    ),
    "an immutable rule prevails over a lower mutable one": (
        [mutable(1, 3), immutable(500, 2)],
        (2, 500, (1,), Why.IMMUTABLE),
    ),
    "an immutable rule prevails over a claim of a mutable one": (
        [mutable(1, 3, over=["all"]), immutable(500, 2)],
        (2, 500, (1,), Why.IMMUTABLE),
    ),
    "an immutable rule that defers to a mutable one prevails all the same": (
        [mutable(1, 3), immutable(500, 2, defers_to=["mutable"])],
        (2, 500, (1,), Why.IMMUTABLE),
    ),
    "two immutable rules that agree prevail by their status": (
        [mutable(1, 3), immutable(500, 2), immutable(501, 2)],
        (2, 500, (1,), Why.IMMUTABLE),
    ),
    "two immutable rules that conflict void a mutable rule either way": (
        [mutable(1, 3), immutable(500, 2), immutable(501, 3)],
        (2, 500, (1, 501), Why.NUMBER),
    ),
    "a claim over a number": ([mutable(1, 2), mutable(2, 3, over=[1])], (3, 2, (1,), Why.CLAIM)),
    "a claim over another number than the one in conflict": (
        [mutable(1, 2), mutable(2, 3, over=[7]), mutable(7)],
        (2, 1, (2,), Why.NUMBER),
    ),
    "a claim over a number that the rule had before": (
        [mutable(305, 2, formerly=[203, 301]), mutable(310, 3, over=[203])],
        (3, 310, (305,), Why.CLAIM),
    ),
    "a claim over mutable rules": ([mutable(1, 2), mutable(2, 3, over=["mutable"])], (3, 2, (1,), Why.CLAIM)),
    "a claim over immutable rules names no mutable one": (
        [mutable(1, 2), mutable(2, 3, over=["immutable"])],
        (2, 1, (2,), Why.NUMBER),
    ),
    "a claim among immutable rules": (
        [immutable(1, 2), immutable(2, 3, over=["immutable"])],
        (3, 2, (1,), Why.CLAIM),
    ),
    "a claim over all": ([mutable(1, 2), mutable(3, 4), mutable(2, 3, over=["all"])], (3, 2, (1, 3), Why.CLAIM)),
    "a claim over a key names every rule that provides it": (
        [mutable(1, 2, also="victory.points: 100"), mutable(2, 3, over=["victory.points"])],
        (3, 2, (1,), Why.CLAIM),
    ),
    "a claim over a key names no rule that does not provide it": (
        [mutable(1, 2), mutable(2, 3, over=["victory.points"])],
        (2, 1, (2,), Why.NUMBER),
    ),
    "a rule defers to a number": ([mutable(1, 2, defers_to=[2]), mutable(2, 3)], (3, 2, (1,), Why.CLAIM)),
    "a rule defers to a number that the other had before": (
        [mutable(1, 2, defers_to=[203]), mutable(305, 3, formerly=[203])],
        (3, 305, (1,), Why.CLAIM),
    ),
    "a rule defers to all": (
        [mutable(1, 2, defers_to=["all"]), mutable(3, 4), mutable(2, 3)],
        (3, 2, (1, 3), Why.CLAIM),
    ),
    "a rule defers to mutable rules": ([mutable(1, 2, defers_to=["mutable"]), mutable(2, 3)], (3, 2, (1,), Why.CLAIM)),
    "a rule defers to a key": (
        [mutable(1, 2, defers_to=["turns.order"]), mutable(2, 3), mutable(3, 4, also="turns.order: open")],
        (3, 2, (1, 3), Why.CLAIM),
    ),
    "a claim that says what the number says already": (
        [mutable(1, 2, over=[2]), mutable(2, 3)],
        (2, 1, (2,), Why.NUMBER),
    ),
    "a claim over itself is none": ([mutable(1, 2), mutable(2, 3, over=[2])], (2, 1, (2,), Why.NUMBER)),
    "a claim over a rule that agrees lifts nobody over a third": (
        [mutable(1, 2), mutable(2, 3), mutable(3, 2, over=[1])],
        (2, 1, (2,), Why.NUMBER),
    ),
    "claims in a row": (
        [mutable(1, 2), mutable(2, 3, over=[1]), mutable(3, 4, over=[2])],
        (4, 3, (1, 2), Why.CLAIM),
    ),
    "the lowest of those over whom nobody claims": (
        [mutable(1, 2), mutable(2, 3), mutable(3, 4, over=[1])],
        (3, 2, (1, 3), Why.CLAIM),
    ),
    "claims on a cycle of two cancel out": (
        [mutable(1, 2, over=[2]), mutable(2, 3, over=[1])],
        (2, 1, (2,), Why.NUMBER),
    ),
    "two rules that defer to each other": (
        [mutable(1, 2, defers_to=[2]), mutable(2, 3, defers_to=[1])],
        (2, 1, (2,), Why.NUMBER),
    ),
    "a rule that claims over another and defers to it": (
        [mutable(1, 2), mutable(2, 3, over=[1], defers_to=[1])],
        (2, 1, (2,), Why.NUMBER),
    ),
    "two rules that claim over all": (
        [mutable(1, 2, over=["all"]), mutable(2, 3, over=["all"])],
        (2, 1, (2,), Why.NUMBER),
    ),
    "claims on a cycle of three cancel out": (
        [mutable(1, 2, over=[2]), mutable(2, 3, over=[3]), mutable(3, 4, over=[1])],
        (2, 1, (2, 3), Why.NUMBER),
    ),
    "a cycle of three of both sorts of claims": (
        [mutable(1, 2, defers_to=[3]), mutable(2, 3, defers_to=[1]), mutable(3, 4, defers_to=[2])],
        (2, 1, (2, 3), Why.NUMBER),
    ),
    "a claim over a cycle from outside it holds": (
        [mutable(1, 2, over=[2]), mutable(2, 3, over=[1]), mutable(3, 4, over=[1])],
        (3, 2, (1, 3), Why.CLAIM),
    ),
    "with the highest order a claim decides as before": (
        [mutable(1, 2, over=[2]), mutable(2, 3), HIGHEST],
        (2, 1, (2,), Why.CLAIM),
    ),
    "with the highest order a cycle leaves the highest": (
        [mutable(1, 2, over=[2]), mutable(2, 3, over=[1]), HIGHEST],
        (3, 2, (1,), Why.NUMBER),
    ),
}


@pytest.mark.parametrize(("rules", "expected"), CONFLICTS.values(), ids=CONFLICTS)
def test_which_rule_prevails(rules, expected):
    assert found(*rules) == expected
    assert found(*reversed(rules)) == expected


def test_none_is_a_value_that_conflicts_with_any_other():
    deadline = VOTES_DEADLINE.name
    never, week = immutable(105, also="votes.deadline: none"), mutable(301, also="votes.deadline: 7d")
    assert found(never, week, key=deadline) == (None, 105, (301,), Why.IMMUTABLE)
    lower, higher = mutable(201, also="votes.deadline: none"), mutable(202, also="votes.deadline: 7d")
    assert found(lower, higher, key=deadline) == (None, 201, (202,), Why.NUMBER)


def test_two_ways_of_writing_one_value_do_not_conflict():
    one, other = mutable(1, also="adoption.threshold: 2/3"), mutable(2, also="adoption.threshold: 4/6")
    assert found(one, other, key="adoption.threshold")[1:] == (1, (), Why.AGREED)


VOID = mutable(301, 3, also="victory.points: 50; turns.order: clockwise", over=["all"])


def test_a_void_rule_provides_nothing_at_all():
    read = law(immutable(105, 1), VOID, mutable(302, also="victory.points: 100"))
    assert read.void == {301: (105,)}
    assert (read.value(VICTORY_POINTS), read.rule(VICTORY_POINTS.name)) == (100, 302)
    assert read.findings["victory.points"].overrides == (301,)
    assert read.findings["victory.points"].why is Why.IMMUTABLE
    assert read.findings["victory.points"].standing == (302,)


def test_where_all_rules_that_provide_a_key_are_void_the_default_holds():
    finding = law(immutable(105, 1), VOID).findings["turns.order"]
    assert (finding.value, finding.rule) == (KEYS["turns.order"].default, None)
    assert (finding.standing, finding.overrides, finding.why) == ((), (301,), Why.DEFAULT)


def test_a_void_rules_claims_do_not_hold():
    claimant = mutable(303, 2, also="victory.points: 50", over=[302])
    rival = mutable(302, also="victory.points: 100")
    assert law(rival, claimant).value(VICTORY_POINTS) == 50
    assert law(immutable(105, 1), rival, claimant).value(VICTORY_POINTS) == 100


def test_a_void_rules_deference_does_not_hold_and_closes_no_cycle():
    void = mutable(1, 2, also="victory.points: 10", over=[2], defers_to=[3])
    rules = [void, mutable(2, also="victory.points: 20", over=[3]), mutable(3, also="victory.points: 30")]
    assert law(immutable(105, 1), *rules).value(VICTORY_POINTS) == 20


def test_a_void_rule_that_says_the_same_as_the_one_in_force_is_not_overridden_there():
    read = law(immutable(105, 1), mutable(301, 2, also="victory.points: 100"), mutable(302, also="victory.points: 100"))
    assert found(*read.rulebook, key="victory.points") == (100, 302, (), Why.ONLY)


def test_a_void_rules_order_of_conflicts_does_not_hold():
    rules = [mutable(201, 1), mutable(202, 1), immutable(105, 1), mutable(301, 2, also="conflicts.order: highest")]
    assert law(*rules).value(CONFLICTS_ORDER) is ConflictsOrder.LOWEST


def test_voidness_ends_with_the_conflict():
    book = law(immutable(105, 1), VOID).rulebook
    assert read_law(book.without(105)).void == {}
    assert read_law(book.without(105)).value(VICTORY_POINTS) == 50
    assert read_law(book.with_rule(immutable(400, 3), instead_of=105)).void == {}
    assert read_law(book.with_rule(mutable(400, 1), instead_of=105)).void == {}


def test_a_rule_that_is_transmuted_voids_those_that_it_conflicts_with_from_then_on():
    book = rulebook([mutable(203, 2), mutable(301, 3, also="victory.points: 50")])
    assert read_law(book).value(VICTORY_POINTS) == 50
    transmuted = read_law(book.with_rule(immutable(305, 2, formerly=[203]), instead_of=203))
    assert transmuted.void == {301: (305,)}
    assert transmuted.value(VICTORY_POINTS) is None


def test_a_void_rule_names_every_immutable_rule_that_it_conflicts_with():
    rules = [immutable(102, 1), immutable(101, also="victory.points: 100"), immutable(103, 3), VOID]
    assert law(*rules).void == {301: (101, 102)}


def test_an_immutable_rule_is_never_void():
    assert law(immutable(101, 1), immutable(102, 2), mutable(1, 1), mutable(2, 2)).void == {1: (102,), 2: (101,)}


def test_the_order_of_conflicts_is_found_by_the_lowest_number_and_cannot_undo_itself():
    lowest, highest = mutable(305, also="conflicts.order: lowest"), mutable(205, also="conflicts.order: highest")
    assert found(lowest, highest, key="conflicts.order") == (ConflictsOrder.HIGHEST, 205, (305,), Why.NUMBER)
    assert law(lowest, highest, mutable(1, 2), mutable(2, 3)).value(VOTES_EACH) == 3


def test_a_claim_decides_which_order_of_conflicts_holds():
    lowest, highest = mutable(205, also="conflicts.order: lowest"), mutable(305, also="conflicts.order: highest")
    claimant = a_rule(305, Status.MUTABLE, also="conflicts.order: highest", over=[205])
    assert law(lowest, highest).value(CONFLICTS_ORDER) is ConflictsOrder.LOWEST
    assert law(lowest, claimant).value(CONFLICTS_ORDER) is ConflictsOrder.HIGHEST


def test_the_values_of_a_key_follow_one_another_as_the_rules_prevail():
    rules = [
        mutable(203, also="turns.points: 3"),
        mutable(204, also="turns.points: votes_for"),
        mutable(205, also="turns.points: die", over=[204]),
    ]
    values = [(number, TURNS_POINTS.plain(value)) for number, value in law(*rules).values(TURNS_POINTS)]
    assert values == [(203, 3), (205, "die"), (204, "votes_for"), (None, 0)]


def test_a_void_rules_value_does_not_follow():
    rules = [immutable(105, 1, also="defeat.points: -10"), mutable(1, 2), mutable(2, 2, also="defeat.points: -10")]
    assert [number for number, _ in law(*rules).values(DEFEAT_POINTS)] == [105, None]


def test_an_empty_rulebook_has_the_defaults_alone():
    read = law()
    assert read.void == {}
    assert list(read.findings) == list(KEYS)
    assert all(read.value(key) == key.default and read.rule(name) is None for name, key in KEYS.items())
    assert read.value(ADOPTION_TRANSMUTATION) is None


TARGETS = st.sampled_from([1, 2, 3, 4, 5, "mutable", "immutable", "all", EACH, "victory.points"])
CLAIMS = st.lists(TARGETS, max_size=2, unique=True)
PROVIDED = st.fixed_dictionaries(
    {},
    optional={
        EACH: st.sampled_from([1, 2, 3]),
        "victory.points": st.sampled_from([100, 200, "none"]),
        "conflicts.order": st.sampled_from(["lowest", "highest"]),
    },
)


def some_rule(number, claims=CLAIMS):
    return st.builds(
        lambda status, provided, over, defers_to: a_rule(
            number,
            status,
            also="; ".join(f"{key}: {value}" for key, value in provided.items()),
            over=over,
            defers_to=defers_to,
        ),
        st.sampled_from(Status),
        PROVIDED,
        claims,
        claims,
    )


RULES = st.lists(st.integers(-3, 8), max_size=6, unique=True).flatmap(
    lambda numbers: st.tuples(*(some_rule(number) for number in numbers))
)
WITHOUT_CLAIMS = st.lists(st.integers(-3, 8), max_size=6, unique=True).flatmap(
    lambda numbers: st.tuples(*(some_rule(number, claims=st.just(())) for number in numbers))
)


@settings(max_examples=50)
@given(RULES.flatmap(lambda rules: st.tuples(st.just(rules), st.permutations(rules))))
def test_the_law_does_not_depend_on_the_order_in_which_rules_are_given(both):
    assert law(*both[0]) == law(*both[1])


@settings(max_examples=50)
@given(RULES)
def test_every_key_has_exactly_one_value_and_every_rule_that_provides_it_its_place(rules):
    read = law(*rules)
    by_number = {rule.number: rule for rule in rules}
    assert list(read.findings) == list(KEYS)
    for name, finding in read.findings.items():
        providers = {rule.number for rule in rules if name in rule.provisions}
        assert set(finding.standing) == providers - read.void.keys()
        assert len(finding.standing) == len(set(finding.standing))
        assert finding.rule == (finding.standing[0] if finding.standing else None)
        if finding.rule is None:
            assert finding.value == KEYS[name].default
            assert set(finding.overrides) == providers
        else:
            assert finding.value == by_number[finding.rule].provisions[name]
            others = {number for number in providers if by_number[number].provisions[name] != finding.value}
            assert set(finding.overrides) == others
        assert list(finding.overrides) == sorted(finding.overrides)


@settings(max_examples=50)
@given(RULES)
def test_a_rule_is_void_exactly_when_it_is_mutable_and_conflicts_with_an_immutable_one(rules):
    read = law(*rules)
    for rule in rules:
        conflicting = tuple(
            sorted(
                other.number
                for other in rules
                if other.status is Status.IMMUTABLE
                and any(other.provisions.get(key, value) != value for key, value in rule.provisions.items())
            )
        )
        voided = conflicting if rule.status is Status.MUTABLE else ()
        assert read.void.get(rule.number, ()) == voided


@settings(max_examples=50)
@given(RULES)
def test_a_void_rule_might_as_well_not_be_there(rules):
    read = law(*rules)
    without = law(*(rule for rule in rules if rule.number not in read.void))
    for name, finding in read.findings.items():
        assert (finding.value, finding.rule) == (without.findings[name].value, without.findings[name].rule)
        assert finding.standing == without.findings[name].standing


@settings(max_examples=50)
@given(RULES)
def test_where_an_immutable_rule_provides_a_key_an_immutable_rule_prevails(rules):
    read = law(*rules)
    for name, finding in read.findings.items():
        providers = [rule for rule in rules if name in rule.provisions and rule.status is Status.IMMUTABLE]
        if providers:
            assert finding.rule in {rule.number for rule in providers}


@settings(max_examples=50)
@given(WITHOUT_CLAIMS)
def test_without_claims_numbers_alone_decide_within_a_status(rules):
    read = law(*rules)
    highest = read.value(CONFLICTS_ORDER) is ConflictsOrder.HIGHEST
    status = {rule.number: rule.status for rule in rules}
    for name, finding in read.findings.items():
        reverse = highest and name != CONFLICTS_ORDER.name
        numbers = sorted(finding.standing, reverse=reverse)
        assert list(finding.standing) == sorted(numbers, key=lambda number: status[number] is Status.MUTABLE)
        assert finding.why is not Why.CLAIM


@settings(max_examples=50)
@given(RULES)
def test_claims_decide_nothing_where_no_rules_of_one_status_conflict(rules):
    read = law(*rules)
    for finding in read.findings.values():
        if finding.why is Why.CLAIM:
            assert set(finding.overrides) - read.void.keys()
        if not set(finding.overrides) - read.void.keys():
            assert finding.why in {Why.DEFAULT, Why.ONLY, Why.AGREED, Why.IMMUTABLE}


@settings(max_examples=50)
@given(RULES)
def test_where_claims_go_in_no_circle_nobody_is_overridden_by_a_rule_that_it_claims_over(rules):
    read = law(*rules)
    claims = {
        (one.number, other.number)
        for one in rules
        for other in rules
        if one is not other and (names(one.precedence.over, other) or names(other.precedence.defers_to, one))
    }
    for name, finding in read.findings.items():
        providers = set(finding.standing)
        within = {(one, other) for one, other in claims if {one, other} <= providers}
        if any(one == other for one, other in transitive(within)):
            continue
        for number in set(finding.overrides) & providers:
            assert (number, finding.rule) not in within, name


def names(targets, rule):
    return any(target in {*rule.numbers, "all", str(rule.status), *rule.provisions} for target in targets)


def transitive(pairs):
    closed = set(pairs)
    while True:
        more = {(a, d) for a, b in closed for c, d in closed if b == c} - closed
        if not more:
            return closed
        closed |= more
