"""scores.json: where the game stands, read and written (section 2)."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from table import enact, github, play, proposal, seated, tried

from nomic_git.game.numbers import Numbers, numbers
from nomic_git.game.state import Seat, State, read_state, standings, write_state
from nomic_git.law.errors import Unreadable

LOGINS = st.from_regex(r"[A-Za-z0-9_-]{1,20}", fullmatch=True)
TIMES = st.integers(0, 4_000_000_000)
SEATS = st.builds(Seat, LOGINS, st.integers(), st.integers(0), TIMES, TIMES)
RANGES = st.tuples(st.integers(-400, 400), st.integers(0, 20)).map(lambda pair: (pair[0], sum(pair)))
NUMBERS = st.lists(RANGES, max_size=6).map(numbers)
STATES = st.builds(
    State,
    time=TIMES,
    playing=st.none() | TIMES,
    seats=st.lists(SEATS, max_size=4).map(tuple),
    former=st.lists(SEATS, max_size=2).map(tuple),
    mover=st.none() | LOGINS,
    winner=st.none() | LOGINS,
    resolved=NUMBERS,
    given=NUMBERS,
    numbered=st.dictionaries(st.integers(1), st.integers(), max_size=3).map(lambda given: tuple(given.items())),
)


@given(STATES)
def test_what_is_written_is_read_again(state):
    source = write_state(state)
    assert read_state(source) == state
    assert write_state(read_state(source)) == source


def test_a_game_just_founded_reads_so():
    position = seated(github(), "alice", "bob", time=1_795_255_602)
    plain = json.loads(write_state(position.state))
    assert plain["time"] == plain["playing"] == "2026-11-21T10:06:42Z"
    assert [(one["login"], one["points"], one["turns"]) for one in plain["players"]] == [("alice", 0, 0), ("bob", 0, 0)]
    assert (plain["circuit"], plain["winner"], plain["given"]) == (1, None, [[-216, -201], [-112, -101]])


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)
WRITTEN = json.loads(write_state(play(seated(github(), "alice", "bob"), [proposal(1, "alice", enact())])[0].state))


@given(st.binary() | JSON.map(lambda value: json.dumps(value).encode()))
def test_any_bytes_give_a_state_or_a_clear_error(source):
    readable(source)


@given(st.sampled_from(sorted(WRITTEN)), JSON)
def test_any_value_in_place_of_a_right_one_gives_a_state_or_a_clear_error(key, value):
    readable(json.dumps({**WRITTEN, key: value}).encode())


@given(st.sampled_from(sorted(WRITTEN["players"][0])), JSON)
def test_any_value_in_a_seat_gives_a_state_or_a_clear_error(key, value):
    first, second = WRITTEN["players"]
    readable(json.dumps({**WRITTEN, "players": [{**first, key: value}, second]}).encode())


def readable(source: bytes) -> None:
    state = tried(read_state, source)
    if isinstance(state, str):
        assert state.startswith("scores.json")
        assert ";" in state, "it says what to do"
    else:
        assert read_state(write_state(state)) == state


@pytest.mark.parametrize(
    "source",
    [b"", b"{}", b"[]", b'{"format": 2}', b'{"format": 1}', b"\xff", b"[" * 100_000, b'{"format": 1, "time": 1}'],
)
def test_what_is_no_state_is_refused(source):
    with pytest.raises(Unreadable):
        read_state(source)


def test_the_size_does_not_grow_with_the_game():
    state = seated(github(), "alice", "bob").state
    sizes = []
    for length in (100, 1000, 10_000):
        resolved = given = state
        for number in range(1, length + 1):
            resolved = replace(resolved, resolved=resolved.resolved.adding(number))
        given = replace(resolved, given=resolved.given.adding(301).adding(302))
        sizes.append(len(write_state(given)))
    assert sizes[-1] - sizes[0] <= len("10000") - len("100")


def test_the_best_stand_first_and_of_equals_whoever_joined_first():
    seats = tuple(Seat(login, points, 0, 0, 0) for login, points in [("a", 1), ("b", 5), ("c", 5), ("d", -3)])
    assert [one.login for one in standings(State(0, seats=seats))] == ["b", "c", "a", "d"]


@given(st.lists(st.integers(-30, 30)), st.lists(RANGES, max_size=4))
def test_numbers_are_a_set_whose_ranges_never_touch(added, ranges):
    found: Numbers = numbers(ranges)
    expected = {number for low, high in ranges for number in range(low, high + 1)}
    for number in added:
        found = found.adding(number)
        expected.add(number)
    assert {number for number in range(-450, 450) if number in found} == expected
    last = max(expected, default=-6)
    assert list(found.missing(-5)) == [number for number in range(-5, last + 1) if number not in expected]
    assert found.last == max(expected, default=None)
    assert list(found.beyond(numbers(ranges))) == sorted(expected - {one for one in expected if one in numbers(ranges)})
    assert list(found.beyond(found)) == []
    assert all(high + 1 < low for (_, high), (low, _) in zip(found.ranges, found.ranges[1:], strict=False))
