"""When voting opens, what keeps a proposal waiting, and what giving it up means (sections 3 and 4)."""

from __future__ import annotations

import pytest
from table import (
    AGAINST,
    BACK,
    FOR,
    enact,
    github,
    join,
    law,
    leave,
    play,
    proposal,
    seated,
    standing,
    told,
    with_seats,
)

from nomic_git.game.opening import Wait
from nomic_git.game.proposal import Stage
from nomic_git.game.vote import Uncounted

PLAYERS = ("alice", "bob", "carol")


def test_a_draft_is_in_debate_and_reviews_of_it_count_once_voting_opens():
    position = seated(law("votes.closing: decided"), *PLAYERS)
    draft = proposal(1, "alice", enact(), ("bob", AGAINST, 2), ready=[])
    found = standing(position, [draft])[1]
    assert (found.stage, found.opened, found.result) == (Stage.DEBATE, None, None)
    assert play(position, [draft])[1] == []
    ready = proposal(1, "alice", enact(), ("bob", AGAINST, 2), ready=5)
    assert play(position, [ready])[1][0].time == 5


def test_a_proposal_made_ready_later_than_now_is_not_yet_at_the_vote():
    position = seated(law(), *PLAYERS)
    later = proposal(1, "alice", enact(), ready=101)
    assert standing(position, [later])[1].stage is Stage.DEBATE
    assert standing(position, [later], now=101)[1].stage is Stage.VOTING


def test_what_is_dated_later_than_now_was_not_withdrawn_or_made_a_draft_yet():
    position = seated(law(), *PLAYERS)
    for gone in (proposal(1, "alice", withdrawn=101), proposal(1, "alice", ready=[(1, 101)])):
        assert standing(position, [gone])[1].stage is Stage.VOTING
        assert standing(position, [gone], now=101)[1].stage is not Stage.VOTING


def test_one_open_proposal_at_a_time_and_the_next_opens_when_the_first_is_over():
    position = seated(law("votes.closing: decided"), *PLAYERS)
    first = proposal(4, "alice", enact(), ready=2)
    second = proposal(3, "Alice", enact(), ready=3)
    found = standing(position, [first, second])
    assert (found[4].stage, found[3].stage) == (Stage.VOTING, Stage.WAITING)
    assert [(one.what, one.facts) for one in found[3].reasons] == [(Wait.ANOTHER_OPEN, {"other": 4})]

    lost = proposal(4, "alice", enact(), ("bob", AGAINST, 9), ready=2)
    after, events = play(position, [lost, second])
    assert told(events) == ["defeated 4"]
    assert standing(after, [second])[3].opened == 9


def test_of_two_made_ready_at_once_the_lower_number_goes_first():
    found = standing(seated(law(), *PLAYERS), [proposal(8, "bob"), proposal(7, "bob")])
    assert (found[7].stage, found[8].stage) == (Stage.VOTING, Stage.WAITING)


def test_proposals_of_different_players_do_not_wait_for_each_other():
    found = standing(seated(law(), *PLAYERS), [proposal(1, "alice"), proposal(2, "bob")])
    assert {one.stage for one in found.values()} == {Stage.VOTING}


def test_going_back_to_debate_lets_the_next_one_open_for_good():
    position = seated(law(), *PLAYERS)
    second = proposal(2, "alice", enact(), ready=3)
    for periods in ([(1, 5)], [(1, 5), (20, None)]):
        found = standing(position, [proposal(1, "alice", enact(), ready=periods), second])
        assert found[2].opened == 5
    assert found[1].stage is Stage.WAITING


def test_a_waiting_proposal_cannot_be_conceded():
    position = seated(law(), *PLAYERS)
    first = proposal(1, "alice", enact(), ready=[(1, 5)])
    second = proposal(2, "alice", enact(), ("bob", FOR, 3), ready=[(2, 4)])
    assert standing(position, [first, second])[2].stage is Stage.DEBATE
    assert play(position, [first, second])[1] == []


def test_with_fewer_than_two_players_nothing_is_opened_but_the_door():
    position = seated(law(), "alice")
    found = standing(position, [proposal(1, "alice"), proposal(2, "bob", join("bob"), ready=7)])
    assert [one.what for one in found[1].reasons] == [Wait.TOO_FEW_PLAYERS]
    assert found[2].result is None

    after, events = play(position, [proposal(1, "alice"), proposal(2, "bob", join("bob"), ready=7)])
    assert told(events) == ["joined 2"]
    opened = standing(after, [proposal(1, "alice")])[1]
    assert (opened.opened, opened.result and opened.result.count.eligible) == (7, ("alice", "bob"))


def test_a_game_begins_with_those_who_come_first_and_the_third_is_voted_on():
    requests = [proposal(n, name, join(name), ready=n) for n, name in enumerate(PLAYERS, 1)]
    position, events = play(seated(law()), requests)
    assert told(events) == ["joined 1", "joined 2"]
    asked = standing(position, requests)[3]
    assert (asked.stage, asked.opened) == (Stage.VOTING, 3)
    assert asked.result is not None
    assert asked.result.count.waiting_for == ("alice", "bob")


def test_only_those_who_were_in_the_game_when_voting_opened_and_still_are_may_vote():
    position = with_seats(
        seated(law("votes.closing: decided"), *PLAYERS, "dave"), carol={"joined": 6}, dave={"joined": 5}
    )
    asked = proposal(1, "alice", enact(), ("carol", AGAINST, 7), ready=5)
    gone = proposal(2, "bob", leave("bob"), ready=8)
    before = standing(position, [asked])[1].result
    assert before is not None
    assert before.count.eligible == ("alice", "bob", "dave")
    assert [one.reason for one in before.count.uncounted] == [Uncounted.JOINED_LATER]
    position, _ = play(position, [asked, gone])
    left = standing(position, [asked, gone])[1].result
    assert left is not None
    assert left.count.eligible == ("alice", "dave")


@pytest.mark.parametrize(
    ("votes", "how"),
    [
        ([], "debate"),
        ([("alice", AGAINST, 2)], "debate"),
        ([("eve", AGAINST, 2)], "debate"),
        ([("bob", BACK, 2)], "debate"),
        ([("bob", FOR, 5)], "debate"),
        ([("bob", FOR, 4)], "conceded"),
        ([("bob", FOR, 2, "an earlier text")], "conceded"),
        ([("bob", FOR, 2), ("bob", BACK, 3)], "conceded"),
    ],
)
def test_draft_again_concedes_only_what_another_player_has_voted_on(votes, how):
    position = seated(law("defeat.points: -10"), *PLAYERS)
    draft = proposal(1, "alice", enact(), *votes, ready=[(1, 4)])
    position, events = play(position, [draft])
    if how == "debate":
        assert events == []
        assert standing(position, [draft])[1].stage is Stage.DEBATE
    else:
        assert [(one.kind, one.time, one.points) for one in events] == [("defeated", 4, (("alice", -10),))]


@pytest.mark.parametrize(
    ("votes", "how"),
    [([], "withdrawn"), ([("bob", FOR, 5)], "withdrawn"), ([("carol", AGAINST, 4)], "defeated")],
)
def test_closing_is_free_until_another_player_has_voted(votes, how):
    gone = proposal(1, "alice", enact(), *votes, withdrawn=4)
    _, events = play(seated(law(), *PLAYERS), [gone])
    assert [(one.kind, one.time) for one in events] == [(how, 4)]


def test_a_concession_counts_the_votes_that_stood_and_no_later_ones():
    votes = [("bob", FOR, 2), ("carol", AGAINST, 3), ("carol", FOR, 6)]
    given_up = proposal(1, "alice", enact(), *votes, ready=[(1, 4), (5, None)])
    _, [event] = play(seated(law(), *PLAYERS, "dave"), [given_up])
    assert (event.kind, event.time, event.supporters, event.opponents) == (
        "defeated",
        4,
        ("alice", "bob"),
        ("carol",),
    )


def test_a_concession_learned_of_late_keeps_the_votes_that_stood():
    position = seated(law("votes.closing: decided"), *PLAYERS)
    position, _ = play(position, [proposal(2, "bob", enact(), ("alice", AGAINST, 50))])
    late = proposal(1, "alice", enact(), ("bob", FOR, 2), ("carol", FOR, 3), withdrawn=4)
    _, [event] = play(position, [late])
    assert (event.kind, event.time, event.supporters) == ("defeated", 50, ("alice", "bob", "carol"))


def test_nobody_escapes_a_vote_that_is_complete_by_leaving_it():
    votes = [("bob", FOR, 2), ("carol", FOR, 3)]
    _, [event] = play(seated(github(), *PLAYERS), [proposal(1, "alice", enact(), *votes, withdrawn=4)])
    assert (event.kind, event.time) == ("adopted", 3)


def test_the_authors_own_vote_against_completes_a_vote_that_needs_unanimity():
    for given_up in ({"ready": [(1, 4)]}, {"withdrawn": 4}):
        one = proposal(1, "alice", enact(), ("alice", AGAINST, 2), **given_up)
        _, [event] = play(seated(github(), *PLAYERS), [one])
        assert (event.kind, event.time) == ("defeated", 2)


def test_what_was_withdrawn_before_its_turn_came_is_not_voted_on():
    first = proposal(1, "alice", enact(), ready=[(1, 5)])
    gone = proposal(2, "alice", enact(), ("bob", FOR, 2), ("carol", FOR, 2), ready=1, withdrawn=4)
    _, [event] = play(seated(law(), *PLAYERS), [first, gone])
    assert (event.kind, event.time, event.opened) == ("withdrawn", 4, None)


def test_after_withdrawing_the_next_one_opens_at_that_moment():
    position = seated(law(), *PLAYERS)
    gone, second = proposal(1, "alice", withdrawn=6), proposal(2, "alice", ready=3)
    position, events = play(position, [gone, second])
    assert told(events) == ["withdrawn 1"]
    assert standing(position, [second])[2].opened == 6


def test_who_is_alone_with_those_who_came_later_decides_nothing():
    """An electorate of one, since the others have left, is none: voting opens again when somebody can vote as well."""
    position = seated(law("players.joining: open"), *PLAYERS)
    left = [proposal(3, "alice", leave("alice"), ready=7), proposal(4, "bob", leave("bob"), ready=8)]
    alone = proposal(1, "carol", enact(), ready=5)
    position, events = play(position, [alone, proposal(2, "dave", join("dave"), ready=6), *left])
    assert told(events) == ["joined 2", "forfeited 3", "forfeited 4"]
    found = standing(position, [alone])[1]
    assert (found.stage, found.opened) == (Stage.VOTING, 6)
    assert found.result.count.waiting_for == ("dave",)


def test_nobody_is_declined_because_all_who_could_have_voted_have_left():
    position = seated(law("players.admission: unanimous"), "alice", "bob")
    asked = proposal(1, "erin", join("erin"), ready=4)
    others = [
        proposal(at, login, join(login), ("alice", FOR, 5), ("bob", FOR, 5), ready=4)
        for at, login in ((2, "carol"), (3, "dave"))
    ]
    left = [proposal(at, login, leave(login), ready=at + 3) for at, login in ((4, "alice"), (5, "bob"))]
    position, events = play(position, [asked, *others, *left])
    assert told(events) == ["joined 2", "joined 3", "forfeited 4", "forfeited 5"]
    assert standing(position, [asked])[1].result.count.waiting_for == ("carol", "dave")
