"""Players who sat there before turns went by surname, and give one later (201): when, and what becomes of the order."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from table import enact, github, law, play, proposal, seat, seated, standing, told

from nomic_git.game.docket import Hindrance
from nomic_git.game.event import Event, EventKind
from nomic_git.game.irregularity import Irregularity
from nomic_git.game.opening import Wait
from nomic_git.game.player import read_player, surnamed
from nomic_git.game.position import Position
from nomic_git.game.proposal import Stage
from nomic_git.game.replay import follow
from nomic_git.game.state import write_state
from nomic_git.game.transition import Impossible, after
from nomic_git.game.turns import mover, playing_order
from nomic_git.law.reason import Reason
from nomic_git.law.rule_change import Absence, NewSurname

BY_SURNAME = law("turns.order: by-surname")
RULE = BY_SURNAME.rule("turns.order")
PLAYERS = ("alice", "bob", "carol")


def table(*logins: str) -> Position:
    """A game by surname of players who have none."""
    return seated(BY_SURNAME, *(logins or PLAYERS))


def named(login: str, surname: str = "Zorn") -> NewSurname:
    return NewSurname(login, f"---\nsurname: {surname}\n---\n".encode())


def moved(position: Position, turn: str, circuits: int = 0, **circuit: int) -> Position:
    """The position with the turn at a seat, and the circuits in which players have moved last."""
    seats = tuple(replace(one, moved=circuit.get(one.login, 0)) for one in position.state.seats)
    return replace(position, state=replace(position.state, seats=seats, turn=turn, circuits=circuits, ended=0))


def test_a_surname_is_an_event_and_a_place_in_the_order():
    position, events = play(table(), [proposal(1, "alice", named("alice"), ready=5)])
    assert events == [Event(EventKind.SURNAMED, 5, proposal=1, player="alice", head=f"{1:040x}", rule=RULE)]
    assert position.players["alice"].surname == "Zorn"
    assert playing_order(position) == ("bob", "carol", "alice")
    assert 1 in position.state.resolved


def test_nobody_loses_a_turn_by_anothers_surname():
    """Bob, whose turn it is, goes to the end of the order; carol and dave have yet to move, alice has."""
    position = moved(table(*PLAYERS, "dave"), "bob", alice=1)
    position, _ = play(position, [proposal(1, "bob", named("bob"), ready=5)])
    assert playing_order(position) == ("alice", "carol", "dave", "bob")
    assert (mover(position), position.state.circuit, position.state.ended) == ("carol", 1, 5)
    for at, login in enumerate(("carol", "dave", "bob"), 10):
        assert mover(position) == login
        position = after(position, Event(EventKind.PASSED, at, player=login))
    assert (mover(position), position.state.circuit) == ("alice", 2)


def test_who_has_moved_in_the_circuit_moves_no_second_time_by_a_surname():
    position = moved(table(), "bob", alice=1)
    position, _ = play(position, [proposal(1, "alice", named("alice"), ready=5)])
    assert (mover(position), position.state.ended) == ("bob", 0)
    for login in ("bob", "carol"):
        position = after(position, Event(EventKind.PASSED, 9, player=login))
    assert (mover(position), position.state.circuit) == ("bob", 2)


@given(st.permutations(range(4)), st.sets(st.integers(0, 3), max_size=3), st.integers(0, 3), st.sampled_from("AabcdZ"))
def test_whoever_was_to_move_in_a_circuit_moves_in_it_once_whatever_surname_is_given(order, had, who, surname):
    """Those who had moved, and they alone, do not move again before the circuit is complete."""
    logins = [f"{'abcd'[at]}{at}" for at in range(4)]
    ahead = [one for at, one in enumerate(logins) if at not in had]
    position = moved(table(*[logins[at] for at in order]), ahead[0], **{logins[at]: 1 for at in had})
    to_move = {one for one in ahead if one >= ahead[0]}
    position, _ = play(position, [proposal(1, logins[who], named(logins[who], surname), ready=5)])
    have = []
    while position.state.circuit == 1:
        have.append(mover(position))
        position = after(position, Event(EventKind.PASSED, 9, player=have[-1]))
    assert sorted(have) == sorted(to_move)


def test_before_the_first_turn_the_order_alone_decides():
    position, _ = play(table(), [proposal(1, "alice", named("alice"), ready=5)])
    assert (mover(position), position.state.turn) == ("bob", None)


def test_it_waits_while_a_turn_has_begun_and_is_seated_when_that_is_over():
    vote = proposal(1, "alice", enact(), ready=4)
    name = proposal(2, "bob", named("bob"), ready=5)
    found = standing(table(), [vote, name])[2]
    assert (found.stage, [one.what for one in found.reasons]) == (Stage.WAITING, [Wait.ORDER])
    assert found.reasons[0].facts == {"mover": "alice"}
    sooner = proposal(2, "bob", named("bob"), ready=3)
    assert standing(table(), [vote, sooner])[2].stage is Stage.VOTING
    ended = replace(vote, withdrawn=9, ready=tuple(replace(one, until=9) for one in vote.ready))
    assert told(play(table(), [ended, name])[1]) == ["withdrawn 1", "surnamed 2"]


HAVING = play(table(), [proposal(9, "bob", named("bob"))])[0]
REFUSED = {
    "where turns do not go by surname": (seated(github(), *PLAYERS), named("bob"), Hindrance.NOT_BY_SURNAME),
    "who has one": (
        play(table(), [proposal(9, "bob", named("bob"))])[0],
        named("bob", "Abel"),
        Hindrance.SURNAME_STAYS,
    ),
    "who would take it out": (HAVING, NewSurname("bob", b""), Hindrance.SURNAME_STAYS),
    "with another name": (table(), NewSurname("bob", b"---\nname: B\nsurname: Z\n---\n"), Hindrance.SEAT_CHANGED),
    "that is a list": (table(), named("bob", "[A, B]"), Hindrance.SEAT_UNREADABLE),
    "that has no value": (table(), named("bob", ""), Hindrance.SEAT_UNREADABLE),
    "that is too long": (table(), named("bob", "Z" * 300), Hindrance.SEAT_UNREADABLE),
    "that is none": (table(), NewSurname("bob", b""), Hindrance.SURNAME_MISSING),
}


@pytest.mark.parametrize(("position", "change", "why"), REFUSED.values(), ids=REFUSED)
def test_a_surname_is_refused_with_one_reason(position, change, why):
    found = standing(position, [proposal(1, "bob", change)])[1]
    assert (found.stage, [one.what for one in found.reasons]) == (Stage.IMPROPER, [why])
    assert play(position, [proposal(1, "bob", change)])[1] == []
    rule = position.law.rule("turns.order")
    event = Event(EventKind.SURNAMED, 9, proposal=1, player="bob", head=f"{1:040x}", rule=rule)
    refused = follow(position, event, change)
    assert isinstance(refused, Reason)
    assert refused.what == why


WRONG = {
    "of somebody who does not play": ({"player": "zoe"}, named("zoe"), Irregularity.NOT_A_PLAYER),
    "without a rule": ({"rule": None}, named("bob"), Irregularity.TRAILER),
    "of another change": ({}, enact(), Irregularity.HEAD_SAYS_OTHERWISE),
    "of one who goes away": ({}, Absence("bob", b"", away=True), Irregularity.HEAD_SAYS_OTHERWISE),
    "of no change": ({}, None, Irregularity.HEAD_SAYS_OTHERWISE),
}


@pytest.mark.parametrize(("fields", "change", "why"), WRONG.values(), ids=WRONG)
def test_a_surname_in_the_record_that_was_not_given_is_found(fields, change, why):
    event = Event(EventKind.SURNAMED, 9, proposal=1, player="bob", head=f"{1:040x}", rule=RULE)
    found = follow(table(), replace(event, **fields), change)
    assert isinstance(found, Reason)
    assert found.what == why


def test_an_event_needs_the_file():
    event = Event(EventKind.SURNAMED, 9, proposal=1, player="bob", head=f"{1:040x}", rule=RULE)
    with pytest.raises(Impossible, match="gives no surname"):
        after(table(), event, enact())


def test_a_stranger_gives_no_surname():
    found = standing(table(), [proposal(1, "zoe", named("zoe"))])[1]
    assert [one.what for one in found.reasons] == [Hindrance.NOT_A_PLAYER]


def test_the_scores_say_nothing_of_surnames():
    position, _ = play(table(), [proposal(1, "bob", named("bob"))])
    assert b"Zorn" not in write_state(position.state)
    assert seat(position, "bob") == seat(table(), "bob")


def test_a_surname_is_written_behind_the_name_and_the_rest_stays():
    player = read_player("bob", b"---\nname: Bob Zorn\nid: 7\n---\nHi.\n")
    assert surnamed(player, "Zorn").source == b"---\nname: Bob Zorn\nsurname: Zorn\nid: 7\n---\nHi.\n"
