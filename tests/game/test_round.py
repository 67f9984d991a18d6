"""Another round after the winner: who sits, what they have, which numbers go on."""

from __future__ import annotations

from dataclasses import replace

import pytest

from nomic_git.game.event import Event, EventKind
from nomic_git.game.numbers import numbers
from nomic_git.game.player import write_player
from nomic_git.game.position import Position
from nomic_git.game.replay import Irregularity, begun
from nomic_git.game.round import founding, next_round
from nomic_git.game.state import Seat, State, read_state, write_state
from nomic_git.game.transition import Impossible
from nomic_git.law.precedence import read_law
from nomic_git.law.reason import Reason
from nomic_git.law.rulebook import read_rulebook

LAW = read_law(
    read_rulebook(
        {
            "rules/mutable/12.md": b"---\nformerly: [-201]\nprovisions:\n  players.initial-points: 5\n---\n\nFive.\n",
            "rules/immutable/-101.md": b"Obey.\n",
        }
    )
)
WON = State(
    time=900,
    playing=100,
    seats=(Seat("bob", 210, 9, 100, 800), Seat("alice", -20, 8, 200, 700)),
    former=(Seat("carol", 40, 1, 100, 300),),
    mover="alice",
    winner="bob",
    resolved=numbers([(1, 14), (16, 17)]),
    given=numbers([(-201, -201), (1, 17)]),
    numbered=((15, 318),),
)
POSITION = Position(LAW, {login: write_player(login) for login in ("alice", "bob")}, WON)


def test_players_keep_their_seats_and_nothing_else():
    there = next_round(POSITION, LAW, founding(WON, 1000, 18)).state
    assert there.seats == (Seat("bob", 5, 0, 1000, 1000), Seat("alice", 5, 0, 1000, 1000))
    assert (there.former, there.mover, there.winner, there.circuit) == ((), None, None, 1)
    assert (there.time, there.playing, there.round) == (1000, 1000, 2)


def test_the_forges_numbers_go_on_and_the_rulebooks_begin_with_its_rules():
    there = next_round(POSITION, LAW, founding(WON, 1000, 18)).state
    assert there.resolved == numbers([(1, 18)])
    assert there.given == numbers([(-201, -201), (-101, -101), (12, 12)])
    assert there.numbered == ()


@pytest.mark.parametrize(("last", "left"), [(None, 17), (3, 17), (40, 40)])
def test_what_is_left_behind_ends_with_the_highest_number_of_all(last, left):
    assert founding(WON, 1000, last) == Event(EventKind.FOUNDED, 1000, round=2, left=left)


def test_a_clock_that_is_slow_begins_no_round_before_the_last_ended():
    assert founding(WON, 10, None).time == 900


def test_where_nothing_was_ever_proposed_nothing_is_left_behind():
    event = founding(replace(WON, resolved=numbers([])), 1000, None)
    assert event.left is None
    fresh = replace(POSITION, state=replace(WON, resolved=numbers([])))
    assert next_round(fresh, LAW, event).state.resolved == numbers([])


def test_without_a_winner_no_round_begins():
    going = replace(POSITION, state=replace(WON, winner=None))
    with pytest.raises(Impossible, match="round 1 goes on"):
        next_round(going, LAW, founding(WON, 1000, None))
    assert begun(going, LAW, founding(WON, 1000, None)) == Reason(Irregularity.NO_WINNER, {"round": 1})


def test_a_seat_without_its_file_is_named():
    gone = replace(POSITION, players={"bob": write_player("bob")})
    with pytest.raises(Impossible, match=r"players/alice\.md is missing"):
        next_round(gone, LAW, founding(WON, 1000, None))


@pytest.mark.parametrize(
    ("event", "key"),
    [
        (Event(EventKind.FOUNDED, 1000, round=3, left=17), "Nomic-Round"),
        (Event(EventKind.FOUNDED, 1000, left=17), "Nomic-Round"),
        (Event(EventKind.FOUNDED, 1000, round=2, left=16), "Nomic-Left"),
        (Event(EventKind.FOUNDED, 1000, round=2), "Nomic-Left"),
    ],
)
def test_a_founding_that_says_otherwise_is_irregular(event, key):
    found = begun(POSITION, LAW, event)
    assert isinstance(found, Reason)
    assert (found.what, found.facts["key"]) == (Irregularity.TRAILER, key)


def test_a_founding_dated_before_the_last_event_is_irregular():
    assert begun(POSITION, LAW, Event(EventKind.FOUNDED, 899, round=2, left=17)) == Reason(Irregularity.TIME)


def test_the_scores_name_the_round_from_the_second_on():
    second = next_round(POSITION, LAW, founding(WON, 1000, 18)).state
    assert b'"round": 2,\n' in write_state(second)
    assert read_state(write_state(second)) == second
    assert b'"round"' not in write_state(WON)
    assert read_state(write_state(WON)).round == 1
