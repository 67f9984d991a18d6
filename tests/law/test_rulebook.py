"""Rulebooks: the rules in force together, and how one is read from files."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nomic_git.law.errors import Unreadable
from nomic_git.law.rule import Status, read_rule, renumbered
from nomic_git.law.rulebook import read_rulebook, rulebook

FILES = {
    "rules/mutable/203.md": b"---\nformerly: [7]\n---\nTwo hundred and three.\n",
    "rules/mutable/-110.md": b"Minus a hundred and ten.\n",
    "rules/immutable/101.md": b"A hundred and one.\n",
    "rules/mutable/0.md": b"Nought.\n",
}
BOOK = read_rulebook(FILES)


def mutable(number, source=b"Words.\n"):
    return read_rule(number, Status.MUTABLE, source)


def test_the_rules_stand_in_ascending_order():
    assert [rule.number for rule in BOOK] == [-110, 0, 101, 203]
    assert list(BOOK.rules) == [-110, 0, 101, 203]
    assert len(BOOK) == 4


def test_every_rule_has_the_bytes_of_its_file():
    assert {rule.path: rule.source for rule in BOOK} == FILES


def test_the_rules_of_one_status_are_found():
    assert [rule.number for rule in BOOK.of(Status.IMMUTABLE)] == [101]
    assert [rule.number for rule in BOOK.of(Status.MUTABLE)] == [-110, 0, 203]


def test_there_may_be_no_rules_at_all():
    assert list(read_rulebook({})) == []


def test_two_rulebooks_with_the_same_rules_are_equal():
    assert read_rulebook(dict(reversed(FILES.items()))) == BOOK
    assert BOOK.without(0) != BOOK


def test_a_rulebook_cannot_be_changed_in_place():
    with pytest.raises(TypeError):
        BOOK.rules[7] = mutable(7)


def test_a_rule_is_named_by_its_number_and_by_its_earlier_ones():
    assert BOOK.named(203) is BOOK.rules[203]
    assert BOOK.named(7) is BOOK.rules[203]
    assert BOOK.named(8) is None


def test_a_number_in_force_is_named_before_an_earlier_one():
    assert BOOK.with_rule(mutable(7)).named(7).numbers == (7,)


def test_an_enacted_rule_takes_its_place():
    assert [rule.number for rule in BOOK.with_rule(mutable(5))] == [-110, 0, 5, 101, 203]
    assert len(BOOK) == 4


def test_an_amended_rule_stands_under_its_new_number_alone():
    after = BOOK.with_rule(renumbered(BOOK.rules[203], 305), instead_of=203)
    assert [rule.number for rule in after] == [-110, 0, 101, 305]
    assert after.named(203) is after.named(7) is after.rules[305]


def test_a_rule_that_keeps_its_number_takes_its_own_place():
    after = BOOK.with_rule(mutable(203, b"New.\n"))
    assert (len(after), after.rules[203].source) == (4, b"New.\n")


def test_a_repealed_rule_is_gone_with_all_its_numbers():
    assert BOOK.without(203).named(203) is None
    assert BOOK.without(203).named(7) is None
    assert BOOK.without(999) == BOOK


def test_two_rules_of_one_number_are_refused():
    both = {"rules/mutable/101.md": b"", "rules/immutable/101.md": b""}
    with pytest.raises(Unreadable, match=r"^there are two rules 101; delete one of the two files$"):
        read_rulebook(both)
    with pytest.raises(Unreadable, match="two rules 5"):
        rulebook([mutable(5), mutable(5)])


@pytest.mark.parametrize("path", ["rules/203.md", "rules/mutable/x.md", "rules/mutable/203.MD", "rules/mutable/a/1.md"])
def test_a_file_at_no_rules_path_is_named(path):
    message = f"{path}: a rule's file is rules/immutable/NUMBER.md or rules/mutable/NUMBER.md"
    with pytest.raises(Unreadable) as refused:
        read_rulebook({path: b""})
    assert str(refused.value) == message


def test_a_file_that_cannot_be_read_is_named():
    with pytest.raises(Unreadable, match=r"^rules/mutable/5\.md: title is to be one line of text$"):
        read_rulebook({**FILES, "rules/mutable/5.md": b"---\ntitle: []\n---\n"})


@given(
    st.lists(st.integers(-999, 999), unique=True, max_size=12).flatmap(
        lambda one: st.tuples(st.just(one), st.permutations(one))
    )
)
def test_the_order_in_which_rules_are_given_does_not_matter(numbers):
    one, other = (rulebook(map(mutable, order)) for order in numbers)
    assert one == other
    assert [rule.number for rule in one] == sorted(numbers[0])


PATHS = st.builds(
    "{}/{}/{}.md".format,
    st.sampled_from(["rules", "rules", "rules", "players"]),
    st.sampled_from(["mutable", "immutable", "other"]),
    st.integers(-5, 5).map(str) | st.text(max_size=3),
)


@given(
    st.dictionaries(PATHS, st.sampled_from([b"", b"Words.", b"---\ntitle: A\n---\n", b"---\n", b"\xff"]), max_size=6)
)
def test_any_files_are_a_rulebook_or_are_refused_with_a_reason(files):
    try:
        book = read_rulebook(files)
    except Unreadable as error:
        refusal = str(error)
    else:
        assert {rule.path: rule.source for rule in book} == files
        return
    assert refusal.startswith("there are two rules") or any(refusal.startswith(f"{path}: ") for path in files)
