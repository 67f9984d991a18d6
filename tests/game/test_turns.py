"""Whose turn it is (201): nobody is left out, nobody moves twice in a circuit, and it always goes on."""

from __future__ import annotations

import pytest
from schedules import look
from table import AGAINST, FOR, amend, enact, join, law, leave, play, proposal, seat, seated, standing, told

from nomic_git.game.opening import Wait
from nomic_git.game.player import read_player
from nomic_git.game.proposal import Proposal, Stage
from nomic_git.game.transition import founded
from nomic_git.game.turns import mover, playing_order

PLAYERS = ("alice", "bob", "carol")
EVERYBODY = (*PLAYERS, "dave", "eve")
OPEN_DOOR = "players.joining: open"


class Played:
    """A game in which one thing is done after another, ten seconds apart."""

    def __init__(self, *lines: str, players: tuple[str, ...] = PLAYERS):
        self.position = seated(law(*lines), *players)
        self.proposals: list[Proposal] = []
        self.laws: dict = {}
        self.now = 0

    def made(self, author, reading, *, votes=(), withdrawn=None):
        self.now += 10
        forge = len(self.proposals) + 1
        cast = tuple((who, vote, self.now) for who, vote in votes)
        self.proposals.append(proposal(forge, author, reading, *cast, ready=self.now, withdrawn=withdrawn))
        self.position, events = look(self.position, self.proposals, self.now + 1, self.laws)
        return told(events)

    def moves(self, author, reading=None):
        return self.made(author, reading or enact(), votes=[(who, FOR) for who in EVERYBODY])

    def goes_round(self, *expected):
        for login in expected:
            assert mover(self.position) == login
            self.moves(login)
        return self.position.state.circuit


CLOCKWISE = ("turns.order: clockwise", "adoption.threshold: simple-majority", OPEN_DOOR)


def test_the_turn_goes_round_in_the_order_of_joining_and_a_defeat_ends_it_too():
    it = Played(*CLOCKWISE)
    assert it.made("alice", enact(), votes=[("bob", AGAINST), ("carol", AGAINST)]) == ["defeated 1"]
    assert (mover(it.position), it.position.state.circuit) == ("bob", 1)
    assert it.goes_round("bob", "carol", "alice") == 2


def test_by_surname_it_goes_round_as_the_surnames_stand_whoever_joined_first():
    files = {"alice": "Zeller", "bob": "Young", "carol": "Ark"}
    it = Played("turns.order: by-surname", "adoption.threshold: simple-majority")
    roll = {one: read_player(one, f"---\nsurname: {name}\n---\n".encode()) for one, name in files.items()}
    it.position = founded(it.position.law, roll, 0)
    assert it.goes_round("carol", "bob", "alice", "carol") == 2


@pytest.mark.parametrize(("surname", "order"), [("Abel", ("bob", "alice")), ("Zuse", ("bob", "eve", "alice"))])
def test_a_newcomer_before_the_pointer_waits_for_the_next_circuit_and_one_after_it_does_not(surname, order):
    it = Played("turns.order: by-surname", "adoption.threshold: simple-majority", OPEN_DOOR, players=("alice", "bob"))
    roll = {
        one: read_player(one, f"---\nsurname: {name}\n---\n".encode()) for one, name in [("alice", "M"), ("bob", "N")]
    }
    it.position = founded(it.position.law, roll, 0)
    it.moves("alice")
    it.made("eve", join("eve", f"---\nsurname: {surname}\n---\n".encode()))
    circuit = it.goes_round(*order[:-1])
    assert circuit == 2
    assert mover(it.position) == ("eve" if surname == "Abel" else order[-1])


@pytest.mark.parametrize(
    ("before", "now", "rest", "following"),
    [
        ("clockwise", "by-surname", ("carol", "bob"), "carol"),
        ("by-surname", "clockwise", ("alice", "bob"), "alice"),
    ],
)
def test_nobody_loses_a_turn_by_an_amendment_of_the_order(before, now, rest, following):
    """Alice is first clockwise and last by surname, Carol the other way round; the first amends the order."""
    files = {"alice": "Zeller", "bob": "Young", "carol": "Ark"}
    it = Played(f"turns.order: {before}", "adoption.threshold: simple-majority")
    roll = {one: read_player(one, f"---\nsurname: {name}\n---\n".encode()) for one, name in files.items()}
    it.position = founded(it.position.law, roll, 0)
    first = mover(it.position)
    under = it.position.law
    it.moves(first, amend(under, under.rule("turns.order"), f"turns.order: {now}"))
    assert {first, *rest} == set(PLAYERS)
    assert it.goes_round(*rest) == 2
    assert mover(it.position) == following


@pytest.mark.parametrize("leaver", ["alice", "carol", "dave"])
def test_who_leaves_out_of_turn_takes_nobodys_turn_along(leaver):
    """Alice moved last, carol is next but one, dave is last."""
    it = Played(*CLOCKWISE, players=EVERYBODY[:4])
    it.moves("alice")
    assert it.made(leaver, leave(leaver)) == ["forfeited 2"]
    rest = [one for one in ("bob", "carol", "dave") if one != leaver]
    assert it.goes_round(*rest) == 2
    assert mover(it.position) == ("bob" if leaver == "alice" else "alice")


def test_when_the_mover_leaves_it_is_the_next_players_turn_and_the_last_seats_leaving_ends_the_circuit():
    it = Played(*CLOCKWISE, players=EVERYBODY[:4])
    it.made("alice", leave("alice"))
    assert (mover(it.position), it.position.state.circuit) == ("bob", 1)
    it.goes_round("bob", "carol")
    it.made("dave", leave("dave"))
    assert (mover(it.position), it.position.state.circuit) == ("bob", 2)


def test_who_comes_back_does_not_move_twice_in_a_circuit():
    it = Played(*CLOCKWISE)
    it.moves("alice")
    it.made("alice", leave("alice"))
    assert it.made("alice", join("alice")) == ["joined 3"]
    assert playing_order(it.position) == ("bob", "carol", "alice")
    assert it.goes_round("bob", "carol") == 2
    assert it.goes_round("bob", "carol", "alice") == 3


def test_who_comes_back_without_having_moved_in_it_moves_last():
    it = Played(*CLOCKWISE)
    it.made("alice", leave("alice"))
    it.made("alice", join("alice"))
    assert it.goes_round("bob", "carol", "alice") == 2


def test_where_everybody_has_left_the_turns_begin_anew_with_those_who_come():
    it = Played(*CLOCKWISE)
    it.goes_round("alice", "bob", "carol", "alice")
    for login in PLAYERS:
        it.made(login, leave(login))
    assert mover(it.position) is None
    for login in ("dave", "eve"):
        it.made(login, join(login))
    it.goes_round("dave", "eve", "dave")


def test_of_two_proposals_of_one_player_the_second_waits_for_their_next_turn():
    it = Played(*CLOCKWISE)
    it.made("alice", enact())
    it.moves("alice")
    found = standing(it.position, it.proposals, it.now)
    assert [found[one].stage for one in (1, 2)] == [Stage.VOTING, Stage.WAITING]
    everybody = proposal(1, "alice", enact(), *((one, FOR, 30) for one in PLAYERS), ready=10)
    it.proposals[0] = everybody
    it.position, events = look(it.position, it.proposals, 31, it.laws)
    assert told(events) == ["adopted 1"]
    it.now = 31
    assert it.moves("bob") == ["adopted 3"]
    assert it.moves("carol") == ["adopted 4", "adopted 2"]


def test_who_withdraws_freely_keeps_the_turn():
    it = Played(*CLOCKWISE)
    it.made("alice", enact())
    it.proposals[0] = proposal(1, "alice", enact(), ready=10, withdrawn=12)
    assert it.moves("alice") == ["withdrawn 1", "adopted 2"]
    assert (mover(it.position), seat(it.position, "alice").turns) == ("bob", 1)


def test_who_concedes_has_had_the_turn():
    it = Played(*CLOCKWISE)
    it.made("alice", enact(), votes=[("bob", AGAINST)])
    it.proposals[0] = proposal(1, "alice", enact(), ("bob", AGAINST, 10), ready=10, withdrawn=12)
    assert it.moves("bob") == ["defeated 1", "adopted 2"]
    assert (mover(it.position), seat(it.position, "alice").turns) == ("carol", 1)


def test_an_order_that_is_changed_in_play_goes_on_from_whoever_changed_it():
    it = Played("turns.order: open", "adoption.threshold: simple-majority", players=EVERYBODY[:4])
    it.moves("dave")
    it.moves("bob", amend(it.position.law, -101, "turns.order: clockwise"))
    it.goes_round("carol", "dave", "alice")
    it.moves("bob", amend(it.position.law, 2, "turns.order: open"))
    assert mover(it.position) is None
    assert it.moves("dave") == ["adopted 7"]
    it.moves("carol", amend(it.position.law, 6, "turns.order: clockwise"))
    assert it.goes_round("dave") == it.position.state.circuit
    it.goes_round("alice", "bob", "carol", "dave", "alice")


def test_unanimity_relaxes_after_two_circuits_whoever_came_and_went_meanwhile():
    relaxing = "adoption.relaxation: {after-circuits: 2, threshold: 1/2}"
    it = Played("turns.order: clockwise", relaxing, OPEN_DOOR)
    it.goes_round("alice", "bob")
    it.made("bob", leave("bob"))
    it.made("dave", join("dave"))
    it.goes_round("carol", "dave", "alice", "carol")
    assert it.moves("dave")[-1] == "relaxed"


def test_unanimity_relaxes_after_so_many_turns_of_everybody_who_plays_then():
    relaxing = "adoption.relaxation: {after-turns-each: 2, threshold: 1/2}"
    it = Played("turns.order: clockwise", relaxing, OPEN_DOOR)
    it.goes_round(*PLAYERS)
    it.made("dave", join("dave"))
    it.goes_round(*PLAYERS, "dave", *PLAYERS)
    assert it.moves("dave")[-1] == "relaxed"


def test_a_turn_that_passes_is_a_turn_had_and_brings_no_points():
    it = Played(*CLOCKWISE, "turns.deadline: 1h", "turns.points: 7", "defeat.points: -10")
    it.position, events = look(it.position, (), 3600)
    assert told(events) == ["passed"]
    assert (seat(it.position, "alice").turns, seat(it.position, "alice").points) == (1, 0)
    assert (mover(it.position), it.position.state.circuit) == ("bob", 1)


def test_what_is_made_ready_after_the_turn_is_over_waits_though_nobody_has_looked_yet():
    position = seated(law("turns.order: clockwise", "turns.deadline: 1m"), "alice", "bob", "carol")
    late = proposal(1, "alice", ready=61)
    found = standing(position, [late], now=70)[1]
    assert (found.stage, [one.what for one in found.reasons]) == (Stage.WAITING, [Wait.TURN_OVER])
    assert told(play(position, [late], now=70)[1]) == ["passed"]
    in_time = proposal(1, "alice", ready=60)
    assert standing(position, [in_time], now=70)[1].stage is Stage.VOTING
