"""Plain front matter is read without YAML, and as YAML reads it."""

from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import nomic_git
from nomic_git.law.errors import Unreadable
from nomic_git.law.front_matter import _events, _mapping_at_the_top, split
from nomic_git.law.plain_lines import read_lines

RULES = sorted((Path(nomic_git.__file__).parent / "rulesets").rglob("*.md"))


def by_yaml(text):
    """Return what YAML reads, None where it reads nothing."""
    try:
        return _mapping_at_the_top(_events(text))
    except Unreadable:
        return None


def test_all_rules_that_are_shipped_are_plain_and_read_as_yaml_reads_them():
    assert len(RULES) > 100
    for path in RULES:
        text = split(path.read_bytes()).matter.decode()
        found = by_yaml(text)
        assert found is not None, path
        assert read_lines(text) == found, path


ODD = [
    "title: a: b\n",
    "title: a #b\n",
    "title:a\n",
    "title:  a\n",
    "title: a \n",
    "title:\n",
    "title: null\n",
    "title: -\n",
    "title: - a\n",
    "title: 'a'\n",
    "title: !a\n",
    "title: a\n  b\n",
    "title: a\n  b: c\n",
    "title\n  b: c\n",
    "title: a\ntitle: a\n",
    "null: a\n",
    " title: a\n",
    "title: a\n\n",
    "title: a",
    "title: a\rb: c\n",
    "title: []\n",
    "title: {}\n",
    "title: [a,b]\n",
    "title: [a, null]\n",
    "title: [a, ]\n",
    "title: {a: b, a: c}\n",
    "title: {a: }\n",
    'title: "a\n',
    'title: "\n',
    'title: "a\\n"\n',
    'title: "a" b"\n',
    "a:\n   b: c\n",
    "a:\n  b:\n    c: d\n",
    "  a: b\n",
    "",
]


@pytest.mark.parametrize("text", ODD)
def test_what_is_less_plain_is_left_to_yaml(text):
    assert read_lines(text) is None


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("title: Who's to say? -- 203, perhaps\n", {"title": ("Who's to say? -- 203, perhaps", 0, 1)}),
        (
            "title: Értelmezés 標題\r\nformerly: [203, -5]\r\n",
            {"title": ("Értelmezés 標題", 0, 1), "formerly": ([203, -5], 1, 2)},
        ),
        (
            'p:\n  a.b: 007\n  c: {d-e: 2, f: -x y}\nq: "# 1: 2"\n',
            {"p": ({"a.b": "007", "c": {"d-e": 2, "f": "-x y"}}, 0, 3), "q": ("# 1: 2", 3, 4)},
        ),
        (
            'a: true\nb: FALSE\nc: yes\nd: "true"\n',
            {"a": (True, 0, 1), "b": (False, 1, 2), "c": ("yes", 2, 3), "d": ("true", 3, 4)},
        ),
    ],
)
def test_keys_and_plain_words_are_read(text, found):
    assert {key: (one.value, one.start, one.end) for key, one in (read_lines(text) or {}).items()} == found


TEXT = st.text(alphabet="ab1-0.,;!?()'/ _\"[]{}:#&*%@`|>~\\=\u00e9\u6a19\u0663\u00b2", max_size=12)
SCALAR = st.one_of(
    TEXT, st.sampled_from(["null", "~", "true", "No", "0", "-5", "007", "1e3", "a b", "-", "--- a", "..."])
)
VALUE = st.one_of(
    SCALAR,
    SCALAR.map(lambda one: f'"{one}"'),
    st.lists(SCALAR, max_size=3).map(lambda some: f"[{', '.join(some)}]"),
    st.lists(st.builds("{}: {}".format, st.sampled_from("abc"), SCALAR), max_size=3).map(
        lambda some: f"{{{', '.join(some)}}}"
    ),
)
KEY = st.sampled_from(["title", "a", "b.c", "d-e", "null", "true", "-f", ".g", "a b", "H"])
LINE = st.builds(
    "{}{}:{}{}{}".format,
    st.sampled_from(["", "", "  ", "   "]),
    KEY,
    st.sampled_from(["", " ", " ", " ", "  "]),
    VALUE,
    st.sampled_from(["\n", "\n", "\n", "\r\n", " \n", ""]),
)


@settings(max_examples=500)
@given(st.one_of(st.lists(LINE, max_size=5).map("".join), st.text(alphabet="ab: -[]{},\"'1\n\r", max_size=30)))
@example("a: 'b'c'\n")
@example("a:\n  b: c\nd: e\n")
def test_whatever_is_read_without_yaml_is_read_alike_by_it(text):
    found = read_lines(text)
    assert found is None or found == by_yaml(text)
