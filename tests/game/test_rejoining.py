"""Coming back after a forfeit: with the points that the player left with, under whatever login (section 2)."""

from __future__ import annotations

from dataclasses import replace

import pytest
from table import FOR, enact, join, law, leave, play, proposal, rule, scores, seat, seated, standing, told, with_seats

from nomic_git.game.docket import Hindrance
from nomic_git.game.player import Account, read_player
from nomic_git.game.proposal import Stage
from nomic_git.game.replay import follow
from nomic_git.game.state import read_state, write_state
from nomic_git.law.reason import Reason

OPEN = law("players.joining: open", "players.initial-points: 5")


def person(login, number):
    return Account(login, number, True)


def at_github(under=OPEN, **ids):
    """A game of players with accounts, alice with seven points."""
    position = seated(under, *ids)
    players = {login: read_player(login, f"---\nid: {number}\n---\n".encode()) for login, number in ids.items()}
    return with_seats(replace(position, players=players), alice={"points": 7, "turns": 2})


def without_alice(position=None):
    position, events = play(position or at_github(alice=1, bob=2, carol=3), [proposal(1, "alice", leave("alice"))])
    assert told(events) == ["forfeited 1"]
    return position


def come(position, forge, login, number):
    account = None if number is None else person(login, number)
    asked = proposal(forge, login, join(login), account=account, ready=100)
    after, events = play(position, [asked], now=200)
    assert told(events) == [f"joined {forge}"]
    (event,) = events
    followed = follow(position, event, join(login))
    assert not isinstance(followed, Reason)
    assert followed.state == after.state, "the audit agrees"
    return after


def test_who_comes_back_has_the_points_and_turns_they_left_with():
    back = come(without_alice(), 2, "alice", 1)
    assert (seat(back, "alice").points, seat(back, "alice").turns) == (7, 2)
    assert back.state.former == ()


def test_who_comes_back_sits_last():
    assert [one.login for one in come(without_alice(), 2, "alice", 1).state.seats] == ["bob", "carol", "alice"]


def test_who_comes_back_under_another_login_has_them_too():
    back = come(without_alice(), 2, "alicia", 1)
    assert scores(back)["alicia"] == 7
    assert back.state.former == ()


def test_who_has_taken_the_login_of_a_former_player_begins_as_a_newcomer():
    taken = come(without_alice(), 2, "Alice", 9)
    assert scores(taken)["Alice"] == 5
    both = come(taken, 3, "alicia", 1)
    assert (scores(both)["Alice"], scores(both)["alicia"]) == (5, 7)


def test_two_who_left_under_one_login_each_find_their_own():
    taken, _ = play(come(without_alice(), 2, "alice", 9), [proposal(3, "alice", leave("alice"), ready=210)], now=220)
    assert [(one.login, one.account, one.points) for one in taken.state.former] == [("alice", 1, 7), ("alice", 9, 5)]
    back = come(taken, 4, "alice", 1)
    assert scores(back)["alice"] == 7
    assert scores(come(back, 5, "other", 9))["other"] == 5


def test_without_accounts_the_login_decides():
    position = with_seats(seated(OPEN, "alice", "bob", "carol"), alice={"points": 7})
    assert scores(come(without_alice(position), 2, "ALICE", None))["ALICE"] == 7


def test_who_left_before_ids_were_kept_is_known_by_login():
    position = without_alice()
    former = tuple(replace(one, account=None) for one in position.state.former)
    position = replace(position, state=replace(position.state, former=former))
    assert scores(come(position, 2, "alice", 1))["alice"] == 7
    assert scores(come(position, 2, "alicia", 1))["alicia"] == 5


def test_the_id_stands_in_the_scores_of_those_who_left_alone():
    position = at_github(alice=1, bob=2, carol=3)
    assert b'"id"' not in write_state(position.state)
    written = write_state(without_alice(position).state)
    assert written.count(b'"id": 1') == 1
    assert read_state(written) == without_alice(position).state
    local = without_alice(seated(OPEN, "alice", "bob", "carol"))
    assert b'"id"' not in write_state(local.state)


@pytest.mark.parametrize(("login", "number"), [("alice", 1), ("dave", 4)])
def test_where_joining_is_closed_nobody_comes_in_nor_back(login, number):
    position = without_alice(at_github(law("players.joining: closed"), alice=1, bob=2, carol=3))
    asked = proposal(2, login, join(login), account=person(login, number))
    found = standing(position, [asked])[2]
    assert found.stage is Stage.IMPROPER
    assert [reason.what for reason in found.reasons] == [Hindrance.JOINING_CLOSED]
    _, (event,) = play(replace(position, law=OPEN), [replace(asked, ready=asked.ready)])
    assert isinstance(follow(position, event, join(login)), Reason)


def test_closing_and_opening_the_game_is_play():
    under = law(rule(301, "players.joining: closed"))
    position = seated(under, "alice", "bob", "carol")
    opens = proposal(1, "alice", enact("players.joining: open"), ("bob", FOR, 2), ("carol", FOR, 2))
    position, events = play(position, [opens, proposal(2, "dave", join("dave"))])
    assert told(events) == ["adopted 1", "joined 2"]
    assert position.law.rule("players.joining") == 1


def test_what_a_former_player_proposed_lapses_under_another_login_too():
    open_ = proposal(2, "alicia", enact(), ready=1, account=person("alicia", 1))
    position = at_github(alice=1, bob=2, carol=3)
    gone, events = play(position, [proposal(1, "alice", leave("alice"), ready=5), open_])
    assert told(events) == ["forfeited 1", "withdrawn 2"]
    assert events[-1].player == "alice"
    before, _ = play(position, [proposal(1, "alice", leave("alice"), ready=5)])
    followed = follow(before, events[-1], enact())
    assert not isinstance(followed, Reason)
    assert followed.state == gone.state


def test_a_strangers_proposal_under_a_former_players_login_is_a_strangers():
    found = standing(without_alice(), [proposal(2, "alice", enact(), ready=1, account=person("alice", 9))])[2]
    assert [reason.what for reason in found.reasons] == [Hindrance.NOT_A_PLAYER]
