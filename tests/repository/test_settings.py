"""`nomic.toml`: any bytes give settings or one clear line, and settings are read as they were written."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from nomic_git.law.errors import Unreadable
from nomic_git.repository.settings import ForgeName, Settings, checked, read_settings, write_settings

LINES = st.sampled_from(
    ['name = "A game"', 'language = "hu"', 'forge = "github"', 'branch = "trunk"', "[table]", "forge = 1", "x = 1", "="]
)
BRANCHES = st.from_regex(r"[A-Za-z0-9_][A-Za-z0-9_-]{0,20}(/[a-z0-9]{1,9}){0,2}", fullmatch=True)
NAMES = st.text(min_size=1, max_size=100).filter(lambda name: name.isprintable() and bool(name.strip()))


def clear(data: bytes) -> None:
    try:
        settings = read_settings(data)
    except Unreadable as error:
        said = str(error)
    else:
        said = "nomic.toml" if read_settings(write_settings(settings)) == settings else ""
    assert said.startswith("nomic.toml")
    assert len(said) < 1000
    assert "\n" not in said


@given(st.binary(max_size=200))
@example(b"a=" + b"[" * 5000)
@example(b'name = "\\uD800"')
@example(b'"a\\nb" = 1')
@example(b'branch = "' + b"x" * 5000 + b'"')
@example(b'forge = "a\\nb"')
def test_any_bytes_give_settings_or_one_clear_line(data):
    clear(data)


@given(st.lists(LINES, max_size=5))
def test_so_do_any_lines_of_toml(lines):
    clear("\n".join(lines).encode())


@given(
    st.builds(
        Settings,
        name=NAMES,
        language=st.sampled_from(["en", "hu", "zh-Hant", "de-u-co-phonebk"]),
        forge=st.sampled_from(ForgeName),
        branch=BRANCHES,
    )
)
@example(Settings(name='"quoted" \\ \N{SNOWMAN}'))
def test_settings_are_read_as_they_were_written(settings):
    assert checked(settings) is settings
    assert read_settings(write_settings(settings)) == settings


def test_nothing_gives_the_defaults():
    assert read_settings(b"") == Settings("Nomic", "en", ForgeName.LOCAL, "main")


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        (Settings(name="two\nlines"), "one line"),
        (Settings(name=""), "one line"),
        (Settings(name="\udcff"), "one line"),
        (Settings(language="../x"), "is no language"),
        (Settings(branch="a..b"), "is no name of a branch"),
        (Settings(branch="-f"), "is no name of a branch"),
        (Settings(branch="x.lock"), "is no name of a branch"),
        (Settings(branch="日本"), "is no name of a branch"),
    ],
)
def test_settings_that_could_not_be_read_again_are_refused(settings, words):
    with pytest.raises(Unreadable, match=words):
        checked(settings)


def test_a_setting_that_there_is_not_is_named_with_those_there_are():
    with pytest.raises(Unreadable, match="'colour' is no setting; there are name, language, forge, branch"):
        read_settings(b'colour = "red"')
    with pytest.raises(Unreadable, match="'gitlab' is no forge; there are local, github"):
        read_settings(b'forge = "gitlab"')
