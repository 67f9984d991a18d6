"""The one line of a player's own file that its player may edit (`players.leave`)."""

from __future__ import annotations

import pytest

from nomic_git.law.rule_change import (
    Absence,
    Blob,
    Branch,
    FileChange,
    Improper,
    Impropriety,
    read_change,
    voted_text,
)

FILE, EXECUTABLE, SYMLINK = 0o100644, 0o100755, 0o120000
PLAIN = b"---\nname: Alice\nid: 7\n---\n\nHello.\n"
AWAY = b"---\nname: Alice\nid: 7\naway: true\n---\n\nHello.\n"


def edit(before: bytes | None, after: bytes | None, mode: int = FILE, path: str = "players/alice.md") -> Branch:
    change = FileChange(path, Blob(FILE, "1" * 40, before), Blob(mode, "2" * 40, after))
    return Branch([change], paths=(path,))


GOING = {
    "the line is put in": (PLAIN, AWAY, True),
    "the line is put in elsewhere": (PLAIN, PLAIN.replace(b"name", b"away:   TRUE # till May\nname", 1), True),
    "the line is taken out": (AWAY, PLAIN, False),
    "the line is set": (AWAY, AWAY.replace(b"true", b"false"), False),
    "the line is set back": (AWAY.replace(b"true", b"false"), AWAY, True),
    "a line that says what holds anyway": (PLAIN, AWAY.replace(b"true", b"false"), False),
    "there was no front matter": (b"Hello.\n", b"---\naway: true\n---\n\nHello.\n", True),
    "there was nothing at all": (b"", b"---\naway: true\n---\n", True),
    "the front matter goes with it": (b"---\naway: true\n---\nHello.\n", b"Hello.\n", False),
    "a line end is added at the end": (PLAIN, AWAY + b"\n", True),
}


@pytest.mark.parametrize(("before", "after", "away"), GOING.values(), ids=GOING)
def test_a_player_may_edit_away(before, after, away):
    assert read_change(edit(before, after), "Alice") == Absence("alice", after, away)


EDITED = {
    "another name": (PLAIN, AWAY.replace(b"Alice", b"Alicia")),
    "another id": (PLAIN, AWAY.replace(b"7", b"8")),
    "a name that is none and equal in Python": (b"---\nname: 1\n---\n", b"---\nname: true\naway: true\n---\n"),
    "no id any more": (PLAIN, AWAY.replace(b"id: 7\n", b"")),
    "other words": (PLAIN, AWAY.replace(b"Hello", b"Bye")),
    "only other words": (PLAIN, PLAIN.replace(b"Hello", b"Bye")),
    "only another layout": (PLAIN, PLAIN.replace(b"id: 7", b"id:  7")),
    "only another layout of the line": (AWAY, AWAY.replace(b"true", b"True")),
}


@pytest.mark.parametrize(("before", "after"), EDITED.values(), ids=EDITED)
def test_a_player_may_edit_nothing_else(before, after):
    reading = read_change(edit(before, after), "alice")
    assert isinstance(reading, Improper)
    assert [(one.what, one.rests_on) for one in reading.reasons] == [(Impropriety.SEAT_EDITED, "players.leave")]


UNREADABLE = {
    "neither true nor false": (PLAIN, AWAY.replace(b"true", b"maybe"), "away is to be true or false"),
    "an empty value": (
        PLAIN,
        AWAY.replace(b" true", b""),
        "line 4: a value is missing; for the value none write the word none",
    ),
    "an unreadable file before": (PLAIN.replace(b"name", b"away: 1\nname"), AWAY, "away is to be true or false"),
}


@pytest.mark.parametrize(("before", "after", "problem"), UNREADABLE.values(), ids=UNREADABLE)
def test_what_cannot_be_read_is_one_clear_error(before, after, problem):
    reading = read_change(edit(before, after), "alice")
    assert isinstance(reading, Improper)
    assert [one.what for one in reading.reasons] == [Impropriety.SEAT_UNREADABLE]
    assert reading.reasons[0].facts["problem"] == problem


@pytest.mark.parametrize(
    ("after", "mode", "what"),
    [
        (AWAY, EXECUTABLE, Impropriety.EXECUTABLE),
        (None, SYMLINK, Impropriety.NOT_A_FILE),
        (None, FILE, Impropriety.SEAT_UNREADABLE),
    ],
)
def test_it_stays_a_plain_file(after, mode, what):
    reading = read_change(edit(PLAIN, after, mode), "alice")
    assert isinstance(reading, Improper)
    assert [one.what for one in reading.reasons] == [what]


def test_nobody_is_away_for_another():
    reading = read_change(edit(PLAIN, AWAY), "bob")
    assert isinstance(reading, Improper)
    assert [one.what for one in reading.reasons] == [Impropriety.SEAT_OF_ANOTHER]


def test_an_absence_says_which_it_is_in_its_text():
    assert voted_text(edit(PLAIN, AWAY), "alice") == "away alice"
    assert voted_text(edit(AWAY, PLAIN), "alice") == "back alice"
