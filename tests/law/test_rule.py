"""A rule's file: what is read from it, what is refused, and how the referee rewrites it."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from rule_files import crowded
from test_front_matter import good_files
from test_provisions import GOOD

from nomic_git.law.errors import Unreadable
from nomic_git.law.front_matter import LARGEST_FILE, split
from nomic_git.law.provisions import KEYS
from nomic_git.law.rule import (
    Precedence,
    Rule,
    Status,
    check_rewritable,
    providing,
    read_rule,
    read_rule_path,
    relaxed,
    renumbered,
    reworded,
    rule_path,
    without,
)

FILE = b"""---
title: How a proposal is adopted # 203 of the set
formerly: [203, 305]
# what the referee is told
provisions:
  adoption.threshold: unanimous
  votes.deadline: 7d
precedence:
  over: [204, mutable]
  defers-to: [victory.points]
---

The rule's words, in *CommonMark*.
"""


def rule(matter, number=12, status=Status.MUTABLE):
    return read_rule(number, status, f"---\n{matter}\n---\nWords.\n".encode())


def test_a_rule_is_read_with_all_that_its_file_says():
    read = read_rule(306, Status.MUTABLE, FILE)
    assert read == Rule(
        number=306,
        status=Status.MUTABLE,
        title="How a proposal is adopted",
        formerly=(203, 305),
        provisions={
            "adoption.threshold": KEYS["adoption.threshold"].default,
            "votes.deadline": 7 * 86400,
        },
        precedence=Precedence(over=(204, "mutable"), defers_to=("victory.points",)),
        source=FILE,
    )
    assert read.words == "\nThe rule's words, in *CommonMark*.\n"
    assert read.path == "rules/mutable/306.md"
    assert read.numbers == (203, 305, 306)


@pytest.mark.parametrize("source", [b"", b"Words.", b"---\n---\nWords.", b"---\n# nothing\n---\n"])
def test_a_rule_may_say_nothing_but_its_words(source):
    read = read_rule(-110, Status.IMMUTABLE, source)
    assert (read.title, read.formerly, read.provisions, read.precedence) == (None, (), {}, Precedence())
    assert read.source == source


TITLES = [
    ("title: One", "One"),
    ("title: '  spaced  '", "spaced"),
    ("title: 1982", "1982"),
    ("title: 007", "007"),
    ("title: -0", "-0"),
    ("title: 1.5", "1.5"),
    ("title: 'true'", "true"),
    ("title: yes", "yes"),
    ("title: 表決的通過\u3000與投票", "表決的通過\u3000與投票"),
    ("title: " + "x" * 200, "x" * 200),
]


@pytest.mark.parametrize(("matter", "title"), TITLES)
def test_a_title_is_the_text_that_stands_there(matter, title):
    assert rule(matter).title == title


ONE_LINE = "title is to be one line of at most 200 characters"
NUMBERS = "formerly is to be a list of numbers, such as [203, 305]"
CLAIMS = "precedence is to have the lines `over: [...]` or `defers-to: [...]` and no other"
TARGETS = "names no rules; write a number, mutable, immutable, all, or the key of a provision"
NO_RULE_KEY = "is not one that a rule has: title, formerly, provisions, precedence"
REFUSED = [
    ("name: x", f"the key 'name' {NO_RULE_KEY}"),
    ("Title: x", f"the key 'Title' {NO_RULE_KEY}"),
    ("votes.each: 1", f"the key 'votes.each' {NO_RULE_KEY}"),
    ("k" * 100 + ": 1", f"the key '{'k' * 59}…' {NO_RULE_KEY}"),
    ("title: true", "title is to be one line of text"),
    ("title: [a]", "title is to be one line of text"),
    ("title: ''", "title is to be one line of text"),
    ("title: '  '", "title is to be one line of text"),
    ('title: "a\\nb"', ONE_LINE),
    ('title: "a\\rb"', ONE_LINE),
    ('title: "a\\tb"', ONE_LINE),
    ("title: |\n  a\n  b", ONE_LINE),
    ("title: " + "x" * 201, ONE_LINE),
    ("formerly: 203", NUMBERS),
    ("formerly: '203'", NUMBERS),
    ("formerly: [203, '305']", NUMBERS),
    ("formerly: [203, true]", NUMBERS),
    ("formerly: [0203]", NUMBERS),
    ("formerly: [203, [305]]", NUMBERS),
    ("formerly: {a: 1}", NUMBERS),
    ("provisions: [votes.each]", "provisions is to be a list of lines `key: value`, indented by two spaces"),
    ("provisions: open", "provisions is to be a list of lines `key: value`, indented by two spaces"),
    (
        "provisions:\n  votes.eech: 1",
        "'votes.eech' is no provision that a rule can make; did you mean 'votes.each'?",
    ),
    (
        "provisions:\n  adoption.treshold: unanimous",
        "'adoption.treshold' is no provision that a rule can make; did you mean 'adoption.threshold'?",
    ),
    ("provisions:\n  xyz: 1", "'xyz' is no provision that a rule can make; `nomic-git law` lists those there are"),
    ("provisions:\n  votes.each: 0", "votes.each: 0 is not a whole number from 1 to 1000000000"),
    (
        "provisions:\n  turns.order: random",
        "turns.order: 'random' is not one of its values: clockwise, by-surname, open",
    ),
    ("precedence: all", CLAIMS),
    ("precedence: {}", CLAIMS),
    ("precedence: [all]", CLAIMS),
    ("precedence: {above: [204]}", CLAIMS),
    ("precedence: {over: [204], Over: [205]}", CLAIMS),
    ("precedence: {over: all}", "precedence, over: 'all' is no list; write [...] around it"),
    ("precedence: {over: 204}", "precedence, over: 204 is no list; write [...] around it"),
    ("precedence: {defers-to: {a: 1}}", "precedence, defers-to: a mapping is no list; write [...] around it"),
    ("precedence: {over: [every]}", f"precedence, over: 'every' {TARGETS}"),
    ("precedence: {over: ['204']}", f"precedence, over: '204' {TARGETS}"),
    ("precedence: {over: [true]}", f"precedence, over: true {TARGETS}"),
    ("precedence: {over: [[204]]}", f"precedence, over: a list {TARGETS}"),
    ("precedence: {over: [turns]}", f"precedence, over: 'turns' {TARGETS}"),
    ("precedence: {over: [204, 204]}", "precedence, over: 204 stands there twice; write it once"),
]


@pytest.mark.parametrize(("matter", "message"), REFUSED)
def test_what_no_rule_says_is_refused_by_name(matter, message):
    with pytest.raises(Unreadable) as refused:
        rule(matter)
    assert str(refused.value) == message


@pytest.mark.parametrize("target", [0, 204, -216, "mutable", "immutable", "all", *KEYS])
@pytest.mark.parametrize(("claim", "field"), [("over", "over"), ("defers-to", "defers_to")])
def test_a_claim_names_rules_by_number_by_status_and_by_every_key(claim, field, target):
    assert getattr(rule(f"precedence:\n  {claim}: [{target}]").precedence, field) == (target,)


def mutated(source):
    return st.lists(st.tuples(st.integers(0, len(source)), st.integers(0, 3), st.binary(max_size=4)), max_size=4).map(
        lambda edits: edited(source, edits)
    )


def edited(source, edits):
    for at, length, new in edits:
        source = source[:at] + new + source[at + length :]
    return source


@given(st.binary(max_size=300) | good_files() | mutated(FILE) | st.text(max_size=200).map(str.encode))
@example(b"---\nformerly: [" + b"1, " * 9000 + b"1]\n---\n")
def test_any_bytes_are_a_rule_or_are_refused_in_one_line(source):
    try:
        read = read_rule(306, Status.MUTABLE, source)
    except Unreadable as error:
        refusal = str(error)
    else:
        assert read.source == source
        assert read.words.encode() == split(source).words
        return
    assert len(refusal.splitlines()) == 1
    assert len(refusal) < 500


@pytest.mark.parametrize(
    ("path", "place"),
    [
        ("rules/mutable/203.md", (203, Status.MUTABLE)),
        ("rules/immutable/-216.md", (-216, Status.IMMUTABLE)),
        ("rules/mutable/0.md", (0, Status.MUTABLE)),
    ],
)
def test_a_path_gives_a_rule_its_number_and_its_status(path, place):
    assert read_rule_path(path) == place
    assert rule_path(*place) == path


@pytest.mark.parametrize(
    "path",
    [
        "rules/203.md",
        "rules/mutable/203",
        "rules/mutable/203.MD",
        "rules/mutable/0203.md",
        "rules/mutable/+203.md",
        "rules/mutable/-0.md",
        "rules/mutable/\uff12\uff10\uff13.md",
        "rules/mutable/x.md",
        "rules/mutable/.md",
        "rules/mutable/sub/203.md",
        "rules/Mutable/203.md",
        "Rules/mutable/203.md",
        "rules/other/203.md",
        "/rules/mutable/203.md",
        "game/rules/mutable/203.md",
        "players/203.md",
        "",
    ],
)
def test_any_other_path_is_no_rules(path):
    assert read_rule_path(path) is None


def test_a_status_is_transmuted_into_the_other():
    assert [status.other for status in Status] == [Status.MUTABLE, Status.IMMUTABLE]


def test_renumbering_writes_the_old_number_behind_the_earlier_ones_and_changes_nothing_else():
    new = renumbered(read_rule(306, Status.MUTABLE, FILE), 311)
    assert (new.number, new.status, new.formerly) == (311, Status.MUTABLE, (203, 305, 306))
    assert new.source == FILE.replace(b"[203, 305]", b"[203, 305, 306]")


def test_renumbering_for_the_first_time_adds_a_line_below_the_title():
    source = b"---\r\ntitle: A\r\nprovisions:\r\n  votes.each: 1\r\n---\r\nWords\r\n"
    new = renumbered(read_rule(203, Status.MUTABLE, source), 305, Status.IMMUTABLE)
    assert (new.path, new.formerly) == ("rules/immutable/305.md", (203,))
    assert new.source == source.replace(b"title: A\r\n", b"title: A\r\nformerly: [203]\r\n")


def test_renumbering_a_rule_without_front_matter_gives_it_some_above_its_words():
    new = renumbered(read_rule(-104, Status.MUTABLE, b"Words"), 7)
    assert new.source == b"---\nformerly: [-104]\n---\nWords"


@given(
    good_files() | mutated(FILE),
    st.integers(-(10**17), 10**17),
    st.integers(-(10**17), 10**17),
    st.sampled_from(Status),
)
def test_renumbering_keeps_the_words_byte_for_byte_and_all_that_the_rule_says(source, old, new, status):
    try:
        before = read_rule(old, Status.MUTABLE, source)
    except Unreadable:
        return
    after = renumbered(before, new, status)
    assert after == read_rule(new, status, after.source)
    assert split(after.source).words == split(source).words
    assert after.numbers == (*before.numbers, new)
    assert (after.title, after.provisions, after.precedence) == (before.title, before.provisions, before.precedence)


def test_other_provisions_take_the_place_of_those_that_stood_there():
    before = read_rule(306, Status.MUTABLE, FILE)
    after = providing(before, {"votes.each": 2})
    assert after.provisions == {"votes.each": 2}
    old = b"  adoption.threshold: unanimous\n  votes.deadline: 7d\n"
    assert after.source == FILE.replace(old, b"  votes.each: 2\n")


def test_a_rule_that_provides_nothing_any_more_has_no_such_key():
    before = read_rule(306, Status.MUTABLE, FILE)
    old = b"provisions:\n  adoption.threshold: unanimous\n  votes.deadline: 7d\n"
    assert providing(before, {}).source == FILE.replace(old, b"")


def test_first_provisions_stand_below_the_earlier_numbers():
    source = b"---\ntitle: A\nformerly: [1]\n# c\n---\nWords\n"
    after = providing(read_rule(2, Status.MUTABLE, source), {"votes.each": 2})
    assert after.source == source.replace(b"# c\n", b"provisions:\n  votes.each: 2\n# c\n")


@pytest.mark.parametrize(("key", "_", "value"), GOOD)
def test_every_value_that_a_rule_can_provide_is_written_and_read_again(key, _, value):
    after = providing(read_rule(306, Status.MUTABLE, FILE), {key.name: value})
    assert after.provisions == {key.name: value}
    assert read_rule(306, Status.MUTABLE, after.source) == after
    assert split(after.source).words == split(FILE).words


def test_other_words_stand_below_the_same_front_matter():
    before = read_rule(306, Status.MUTABLE, FILE)
    head = FILE[: FILE.index(b"\nThe rule's")]
    assert reworded(before, b"New\r\nwords") == head + b"New\r\nwords"


def test_a_file_of_the_greatest_length_is_read():
    assert len(read_rule(1, Status.MUTABLE, b"x" * LARGEST_FILE).words) == LARGEST_FILE


LITERAL = b"title: |-\n  lit\nprovisions:\n  adoption.relaxation: {after-circuits: 2, threshold: 2/3}\n"


@pytest.mark.parametrize("tail", [b"", b"   \n", b"\n\n", b"  # a remark\n", b"     \n  # a remark\n\n"])
def test_a_key_that_goes_leaves_the_title_before_it_as_it_was(tail):
    before = read_rule(2, Status.MUTABLE, b"---\n" + LITERAL + tail + b"---\nwords\n")
    check_rewritable(before)
    after = without(before, "adoption.relaxation")
    assert (after.title, after.provisions) == ("lit", {})
    assert renumbered(after, 3).title == "lit"
    assert relaxed(renumbered(before, 3)).title == "lit"


def test_a_file_that_could_not_be_rewritten_is_found_beforehand():
    rule = read_rule(2, Status.MUTABLE, crowded())
    with pytest.raises(Unreadable, match="longer than 65536 bytes"):
        relaxed(rule)
    with pytest.raises(Unreadable, match="longer than 65536 bytes"):
        check_rewritable(rule)
