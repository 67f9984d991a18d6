"""Front matter: read strictly, and rewritten without losing a byte of anything else."""

import sys

import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as st

from nomic_git.law.errors import Unreadable
from nomic_git.law.front_matter import LARGEST_FILE, LARGEST_MATTER, Document, entries, split, written

BOM = b"\xef\xbb\xbf"
NEWLINES = [b"\n", b"\r\n", b"\r"]


def values(source):
    return {key: entry.value for key, entry in entries(split(source)).items()}


def matter(text):
    return f"---\n{text}\n---\nwords\n".encode()


PARTS = [
    (b"", Document(b"", b"", b"", b"")),
    (b"words\n", Document(b"", b"", b"", b"words\n")),
    (b"words", Document(b"", b"", b"", b"words")),
    (b"---", Document(b"", b"", b"", b"---")),
    (b"----\na: 1\n---\n", Document(b"", b"", b"", b"----\na: 1\n---\n")),
    (b" ---\na: 1\n---\n", Document(b"", b"", b"", b" ---\na: 1\n---\n")),
    (b"\n---\na: 1\n---\n", Document(b"", b"", b"", b"\n---\na: 1\n---\n")),
    (b"---\n---\n", Document(b"---\n", b"", b"---\n", b"")),
    (b"---\n---", Document(b"---\n", b"", b"---", b"")),
    (b"---\na: 1\n---\nwords", Document(b"---\n", b"a: 1\n", b"---\n", b"words")),
    (b"--- \t\na: 1\n---  \nwords", Document(b"--- \t\n", b"a: 1\n", b"---  \n", b"words")),
    (b"---\r\na: 1\r\n---\r\n\r\nw\r\n", Document(b"---\r\n", b"a: 1\r\n", b"---\r\n", b"\r\nw\r\n")),
    (b"---\ra: 1\r---\rw\r", Document(b"---\r", b"a: 1\r", b"---\r", b"w\r")),
    (BOM + b"---\na: 1\n---\nw", Document(BOM + b"---\n", b"a: 1\n", b"---\n", b"w")),
    (BOM + b"words", Document(b"", b"", b"", BOM + b"words")),
    (b"---\na: 1\n---\nw\n---\nb: 2\n---\n", Document(b"---\n", b"a: 1\n", b"---\n", b"w\n---\nb: 2\n---\n")),
    (b"---\na: x---\n---\n", Document(b"---\n", b"a: x---\n", b"---\n", b"")),
]


@pytest.mark.parametrize(("source", "parts"), PARTS)
def test_a_file_is_parted_at_the_lines_that_fence_its_front_matter(source, parts):
    assert split(source) == parts
    assert parts.source == source


READ = [
    ("title: a", {"title": "a"}),
    ("# only a comment", {}),
    ("", {}),
    ("a: 1\nb: -2\nc: 0", {"a": 1, "b": -2, "c": 0}),
    ("a: 007\nb: +5\nc: -0\nd: 1_000\ne: 0x10", {"a": "007", "b": "+5", "c": "-0", "d": "1_000", "e": "0x10"}),
    ("a: 1.5\nb: 1e3\nc: .inf\nd: 2/3", {"a": "1.5", "b": "1e3", "c": ".inf", "d": "2/3"}),
    (f"a: {'9' * 18}\nb: {'9' * 19}", {"a": 10**18 - 1, "b": "9" * 19}),
    ("a: true\nb: False\nc: yes\nd: off", {"a": True, "b": False, "c": "yes", "d": "off"}),
    ("a: 'true'\nb: \"1\"\nc: ''", {"a": "true", "b": "1", "c": ""}),
    ("a: none\nb: 2026-01-01\nc: 12:30", {"a": "none", "b": "2026-01-01", "c": "12:30"}),
    ("a: [1, [x, {b: 2}], {}]", {"a": [1, ["x", {"b": 2}], {}]}),
    ("a:\n- 1\n- 2", {"a": [1, 2]}),
    ("a:\n  b: 1\n  c:\n    d: e # why", {"a": {"b": 1, "c": {"d": "e"}}}),
    ("a: |\n  one\n  two", {"a": "one\ntwo\n"}),
    ("a: one\n  two", {"a": "one two"}),
    ("a: 標題 🎲", {"a": "標題 🎲"}),
    ("1: a\ntrue: b", {"1": "a", "true": "b"}),
    ('"a b": c', {"a b": "c"}),
    ("a: " + "[" * 7 + "]" * 7, {"a": [[[[[[[]]]]]]]}),
]


@pytest.mark.parametrize(("text", "found"), READ)
def test_front_matter_is_read_into_plain_values(text, found):
    assert values(matter(text)) == found


@pytest.mark.parametrize("newline", NEWLINES)
def test_every_line_end_is_one(newline):
    source = matter("title: a\n# why\nprovisions:\n  b: 1\n  c: [2,\n    3]").replace(b"\n", newline)
    assert values(source) == {"title": "a", "provisions": {"b": 1, "c": [2, 3]}}
    assert split(source).words == b"words" + newline


ONE_KEY = "the front matter is to be one key a line, `key: value`, not indented"
ALIAS = "anchors and aliases (& and *) are not read here; quote the text"
REFUSED = [
    (b"\xff", "byte 0 is not UTF-8; save the file as UTF-8"),
    (b"---\na: \xc3\n---\n", "byte 7 is not UTF-8; save the file as UTF-8"),
    (b"a\0b", "there is a NUL byte in it; save the file as plain text"),
    (b"x" * (LARGEST_FILE + 1), "the file has 262145 bytes; 262144 are the most there may be"),
    (matter("a: " + "x" * LARGEST_MATTER), "the front matter is longer than 65536 bytes"),
    (b"---\na: 1\n", "the front matter that line 1 opens is not closed; end it with a line ---"),
    (b"---\n", "the front matter that line 1 opens is not closed; end it with a line ---"),
    (b"---\na: 1\n ---\n", "the front matter that line 1 opens is not closed; end it with a line ---"),
    (matter("a: 1\nb: 2\na: 3"), "line 4: the key 'a' stands there twice"),
    (matter("a:\n  b: 1\n  b: 2"), "line 4: the key 'b' stands there twice"),
    (matter("1: a\n'1': b"), "line 3: the key '1' stands there twice"),
    (matter("a:"), "line 2: a value is missing; for the value none write the word none"),
    (matter("b: 1\na: ~"), "line 3: a value is missing; for the value none write the word none"),
    (matter("a: {b, c: 1}"), "line 2: a value is missing; for the value none write the word none"),
    (matter("a: &x 1\nb: *x"), f"line 2: {ALIAS}"),
    (matter("a: 1\nb: *x"), f"line 3: {ALIAS}"),
    (matter("a: *x"), f"line 2: {ALIAS}"),
    (matter("a: !!python/object:os.system x"), "line 2: tags (!) are not read here; quote the text"),
    (matter("a: !x 1"), "line 2: tags (!) are not read here; quote the text"),
    (matter("- a"), f"line 2: {ONE_KEY}"),
    (matter("a"), f"line 2: {ONE_KEY}"),
    (matter("{a: 1}"), f"line 2: {ONE_KEY}"),
    (matter("  a: 1\n  b: 2"), f"line 2: {ONE_KEY}"),
    (matter("? a\n: 1"), f"line 2: {ONE_KEY}"),
    (matter("?\n  a\n: 1"), f"line 3: {ONE_KEY}"),
    (matter("? [a]\n: 1"), "line 2: a key is to be a word, not a list or a mapping"),
    (matter("a:\n  {b: 1}: c"), "line 3: a key is to be a word, not a list or a mapping"),
    (matter("a: " + "[" * 8 + "]" * 8), "line 2: nested more than 8 levels deep"),
    (matter("a: " + "[" * 9000 + "]" * 9000), "line 2: nested more than 8 levels deep"),
    (matter("--- # next\na: 1"), "line 2: a second document begins in the front matter"),
    (matter("a: 1\n--- # next\nb: 1"), "line 3: a second document begins in the front matter"),
    (matter("a: \x1b[31m"), "the front matter holds the character U+001B; take it out"),
    (matter("a: b\u2028c: d"), "the front matter holds the character U+2028; take it out"),
    (matter("a: b\x85c: d"), "the front matter holds the character U+0085; take it out"),
    (matter("a: b\ufeff"), "the front matter holds the character U+FEFF; take it out"),
    (matter("a: \ufffe"), "the front matter holds the character U+FFFE; take it out"),
    (matter('a: "\\e[31m"'), "line 2: a control character stands there in disguise; take it out"),
    (matter('a: "\\uFFFE"'), "line 2: a control character stands there in disguise; take it out"),
    (matter("b: 1\na: [1"), "line 4: did not find expected ',' or ']' (the front matter is no YAML)"),
    (
        matter("a: b: c"),
        (
            "line 2: mapping values are not allowed in this context (the front matter is no YAML); "
            "put quotes around what follows 'a:'"
        ),
    ),
    (
        matter("a: \t@"),
        (
            "line 2: found character that cannot start any token (the front matter is no YAML); "
            "put quotes around what follows 'a:'"
        ),
    ),
    (
        matter("a:\n\tb: c"),
        (
            "line 3: found character that cannot start any token (the front matter is no YAML); "
            "indent by two spaces, not by a tab"
        ),
    ),
]


@pytest.mark.skipif(not hasattr(yaml, "CSafeLoader"), reason="the words of three rows are libyaml's")
@pytest.mark.parametrize(("source", "message"), REFUSED)
def test_what_cannot_be_read_is_refused_in_one_line(source, message):
    with pytest.raises(Unreadable) as refused:
        values(source)
    assert str(refused.value) == message


def test_a_long_key_is_not_repeated_at_length():
    with pytest.raises(Unreadable) as refused:
        values(matter(f"{'k' * 900}: 1\n{'k' * 900}: 2"))
    assert len(str(refused.value)) < 120


@pytest.fixture
def without_libyaml(monkeypatch):
    monkeypatch.delattr(yaml, "CSafeLoader", raising=False)


@pytest.mark.usefixtures("without_libyaml")
@pytest.mark.parametrize(("text", "found"), READ)
def test_without_libyaml_the_same_is_read(text, found):
    assert values(matter(text)) == found


@pytest.mark.usefixtures("without_libyaml")
@pytest.mark.parametrize(
    "source",
    [source for source, _ in REFUSED] + [matter('a: "\\UFFFFFFFF"'), matter('a: "\\uD800"')],
)
def test_without_libyaml_the_same_is_refused(source):
    with pytest.raises(Unreadable):
        values(source)


def test_deep_nesting_does_not_recurse():
    depth = sys.getrecursionlimit() * 3
    with pytest.raises(Unreadable, match="nested more than 8 levels deep"):
        values(matter("a: " + "{b: " * depth))


LINES = st.sampled_from(
    [
        "title: a",
        "title: 'quoted: yes' # why",
        "title: two\n  lines",
        "title: |\n  block\n\n  of lines\n",
        "formerly: [203, 305]",
        "formerly:\n- 203\n- 305",
        "formerly: [\n  203,\n  # between\n  305\n]",
        "provisions:\n  votes.each: 1",
        "provisions:\n  # first\n  votes.each: 1\n  # last",
        "provisions:\n    a:\n      b: [c,\n d]\n    e: >-\n      folded\n      text\n\n",
        "provisions: {a: {b: 1}}",
        "precedence:\n  over: [all]",
        "# a comment",
        "",
        "  # an indented comment",
    ]
)
KEYS = ["title", "formerly", "provisions", "precedence", "id"]
WORDS = st.sampled_from(["", "words", "\n# Heading\n\nwords\n", "---\nmore: 1\n---\n", "\r\nmixed\rends\n", " ---\n"])


@st.composite
def good_files(draw):
    blocks = draw(st.lists(LINES, max_size=5, unique_by=lambda block: block.split(":")[0]))
    newline = draw(st.sampled_from(NEWLINES))
    bom = draw(st.sampled_from([b"", BOM]))
    fence = draw(st.sampled_from(["---\n", "--- \n"]))
    body = "".join(block + "\n" for block in blocks)
    front = (fence + body + fence).encode().replace(b"\n", newline)
    return bom + front + draw(WORDS).encode()


SOURCES = st.one_of(
    st.binary(max_size=200),
    st.text(alphabet="-a: \n\r#[]{}&*!|>'\"0\t\ufeff", max_size=60).map(str.encode),
    st.text(alphabet="-a: \n\r#[]{},?0'", max_size=60).map(lambda text: b"---\n" + text.encode() + b"\n---\nw"),
    good_files(),
)


@given(SOURCES)
@example(b"---\r---")
@example(b"---\n---\r")
def test_any_bytes_are_a_document_without_loss_or_unreadable(source):
    try:
        document = split(source)
        found = entries(document)
    except Unreadable as error:
        refusal = str(error)
    else:
        refusal = None
    if refusal is not None:
        assert len(refusal.splitlines()) == 1
        return
    assert document.source == source
    lines = document.matter.replace(b"\r\n", b"\n").replace(b"\r", b"\n").count(b"\n")
    assert all(0 <= entry.start < entry.end <= lines for entry in found.values())


@given(good_files())
def test_a_file_in_order_is_read(source):
    assert split(source).source == source
    assert set(entries(split(source))) <= set(KEYS)


LEAVES = (
    st.booleans()
    | st.integers(-(10**17), 10**17)
    | st.text(max_size=12).filter(
        lambda text: all(char.isprintable() or char in " \n\t" for char in text) and "\ufeff" not in text
    )
)
NAMES = LEAVES.filter(lambda one: isinstance(one, str))
PLAINS = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3), max_leaves=6
)


@given(SOURCES, st.sampled_from(KEYS), PLAINS, st.permutations(KEYS))
@example(b"words\n", "title", "null", KEYS)
@example(b"---\n# only\n---\n", "id", "-0", KEYS)
@example(b"---\na: 1\n...\n---\n", "id", "007", KEYS)
def test_what_is_written_is_read_again_and_nothing_else_has_changed(source, key, value, after):
    try:
        document = split(source)
        before = entries(document)
    except Unreadable:
        return
    after_it = written(document, key, value, after=after)
    assert after_it.words == document.words
    again = split(after_it.source)
    assert again == after_it
    found = entries(again)
    assert found[key].value == value
    others = [name for name in before if name != key]
    assert [name for name in found if name != key] == others
    assert all(found[name].value == before[name].value for name in others)
    assert outside(document, key) == outside(after_it, key)


@given(SOURCES, st.sampled_from(KEYS))
def test_a_key_that_is_taken_out_takes_no_line_of_another_with_it(source, key):
    try:
        document = split(source)
        before = entries(document)
    except Unreadable:
        return
    without = written(document, key, None)
    assert without.words == document.words
    kept = outside(without, key)
    if outside(document, key) != kept:
        # Loose lines behind it would have become part of a block scalar before it.
        start, end = before[key].start, before[key].end
        lines = document.matter.splitlines(keepends=True)
        gone = len(lines) - len(kept)
        assert kept == lines[:start] + lines[start + gone :]
        assert all(not line.strip() or line[:1] in b" \t" for line in lines[end : start + gone])
    assert {name: one.value for name, one in entries(without).items()} == {
        name: one.value for name, one in before.items() if name != key
    }
    assert key in before or without == document


def outside(document, key):
    """Return the lines of a document's front matter that are not the key's."""
    entry = entries(document).get(key)
    lines = document.matter.splitlines(keepends=True)
    return lines if entry is None else lines[: entry.start] + lines[entry.end :]


FILE = b"""---
# what it is
title: A rule # with a remark

formerly:
- 203
# of the provisions
provisions:
  votes.each: 1 # one
  # the end
---

Words.
"""

WRITTEN = [
    ("title", "Another", (b"title: A rule # with a remark\n", b"title: Another\n")),
    ("title", None, (b"title: A rule # with a remark\n", b"")),
    ("formerly", [203, 305], (b"formerly:\n- 203\n", b"formerly: [203, 305]\n")),
    ("formerly", (203, -305), (b"formerly:\n- 203\n", b"formerly: [203, -305]\n")),
    ("provisions", {"votes.each": 2}, (b"provisions:\n  votes.each: 1 # one\n", b"provisions:\n  votes.each: 2\n")),
    ("provisions", {}, (b"provisions:\n  votes.each: 1 # one\n", b"provisions: {}\n")),
    (
        "provisions",
        {"adoption.relaxation": {"after-circuits": 2, "threshold": "2/3"}, "votes.deadline": "7d"},
        (
            b"provisions:\n  votes.each: 1 # one\n",
            b'provisions:\n  adoption.relaxation: {after-circuits: 2, threshold: "2/3"}\n  votes.deadline: "7d"\n',
        ),
    ),
    ("id", 7, (b"# of the provisions\n", b"id: 7\n# of the provisions\n")),
]


@pytest.mark.parametrize(("key", "value", "change"), WRITTEN)
def test_only_the_lines_of_the_key_change(key, value, change):
    assert FILE.count(change[0]) == 1
    new = written(split(FILE), key, value, after=("absent", "formerly", "title"))
    assert new.source == FILE.replace(*change)


def test_a_new_key_stands_first_where_none_is_named_to_precede_it():
    assert written(split(b"---\n# c\na: 1\n---\n"), "id", 7).source == b"---\nid: 7\n# c\na: 1\n---\n"


@pytest.mark.parametrize("newline", NEWLINES)
def test_a_new_line_ends_as_the_others_do(newline):
    source = b"---\na: 1\n---\nwords\n".replace(b"\n", newline)
    expected = b"---\na: 1\nid: 7\n---\nwords\n".replace(b"\n", newline)
    assert written(split(source), "id", 7, after=("a",)).source == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (b"", b"---\nid: 7\n---\n"),
        (b"words", b"---\nid: 7\n---\nwords"),
        (b"a\r\nb\n", b"---\r\nid: 7\r\n---\r\na\r\nb\n"),
        (b"---", b"---\nid: 7\n---\n---"),
        (BOM + b"words\n", b"---\nid: 7\n---\n" + BOM + b"words\n"),
        (BOM + b"---\n---\nw", BOM + b"---\nid: 7\n---\nw"),
        (b"---\n---", b"---\nid: 7\n---"),
    ],
)
def test_a_file_without_front_matter_gets_some_and_its_words_stay(source, expected):
    assert written(split(source), "id", 7).source == expected


def test_taking_out_a_key_that_is_not_there_changes_nothing():
    assert written(split(b"words\n"), "id", None).source == b"words\n"
    assert written(split(FILE), "id", None).source == FILE


def test_front_matter_that_cannot_be_read_is_not_rewritten():
    with pytest.raises(Unreadable):
        written(split(b"---\na: [\n---\n"), "id", 7)
