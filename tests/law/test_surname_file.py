"""A surname in a player's own file: how it is read, and what may be edited beside it (201)."""

from __future__ import annotations

import pytest

from nomic_git.law.rule_change import Blob, Branch, FileChange, Improper, Impropriety, NewSurname, read_change

FILE = 0o100644


def edited(before: bytes, after: bytes) -> Branch:
    change = FileChange("players/bob.md", Blob(FILE, "1" * 40, before), Blob(FILE, "2" * 40, after))
    return Branch([change], paths=(change.path,))


EDITS = {
    "a surname": (b"---\nname: Bob\n---\nHi.\n", b"---\nsurname: Zorn\nname: Bob\n---\n\nHi.\n", NewSurname),
    "a surname in a file of words": (b"Hi.\n", b"---\nsurname: Zorn\n---\nHi.\n", NewSurname),
    "another surname": (b"---\nsurname: A\n---\n", b"---\nsurname: B\n---\n", NewSurname),
    "no value": (b"", b"---\nsurname:\n---\n", Impropriety.SEAT_UNREADABLE),
    "a surname and away": (b"", b"---\nsurname: A\naway: true\n---\n", Impropriety.SEAT_EDITED),
    "a surname and a name": (b"", b"---\nsurname: A\nname: B\n---\n", Impropriety.SEAT_EDITED),
    "a surname and words": (b"", b"---\nsurname: A\n---\nHi.\n", Impropriety.SEAT_EDITED),
    "what cannot be read": (b"", b"---\nsurname: [\n---\n", Impropriety.SEAT_UNREADABLE),
}


@pytest.mark.parametrize(("before", "new", "what"), EDITS.values(), ids=EDITS)
def test_an_edit_of_ones_own_file_is_read(before, new, what):
    reading = read_change(edited(before, new), "bob")
    if isinstance(reading, Improper):
        assert [one.what for one in reading.reasons] == [what]
    else:
        assert (type(reading), reading.source, reading.text) == (what, new, "surname bob")


def test_nobody_gives_anothers_surname():
    reading = read_change(edited(b"", b"---\nsurname: A\n---\n"), "alice")
    assert [one.what for one in reading.reasons] == [Impropriety.SEAT_OF_ANOTHER]
