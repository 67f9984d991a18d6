"""What ends a vote, or a turn, when time is up, and what must last for a while: deadlines, debate, pauses."""

from __future__ import annotations

from dataclasses import replace

import pytest
from table import AGAINST, FOR, amend, enact, law, play, proposal, seated, standing, told

from nomic_git.game.position import Position
from nomic_git.game.proposal import Stage
from nomic_git.game.replay import follow
from nomic_git.game.turns import mover
from nomic_git.game.vote import Uncounted

PLAYERS = ("alice", "bob", "carol")
HOUR = 3600
ALL = tuple((login, FOR, 30) for login in PLAYERS)


@pytest.mark.parametrize(
    ("threshold", "absent", "outcome"),
    [
        ("unanimous", "abstain", "defeated"),
        ("unanimous", "against", "defeated"),
        ("unanimous", "for", "adopted"),
        ("simple-majority", "abstain", "adopted"),
        ("simple-majority", "against", "adopted"),
        ("3/4", "for", "adopted"),
        ("3/4", "abstain", "defeated"),
    ],
)
def test_at_the_deadline_a_vote_that_was_not_cast_counts_as_the_law_says(threshold, absent, outcome):
    under = law("votes.deadline: 1h", f"votes.absent: {absent}", f"adoption.threshold: {threshold}")
    open_ = proposal(1, "alice", enact(), ("bob", FOR, 30), ready=20)
    assert play(seated(under, *PLAYERS), [open_], now=20 + HOUR - 1)[1] == []
    _, [event] = play(seated(under, *PLAYERS), [open_], now=9 * HOUR)
    assert (event.kind, event.time) == (outcome, 20 + HOUR)


def test_a_vote_cast_after_the_deadline_is_too_late_whenever_the_referee_looks():
    under = law("votes.deadline: 1h", "adoption.threshold: simple-majority")
    late = proposal(1, "alice", enact(), ("bob", AGAINST, 30), ("carol", FOR, 21 + HOUR), ready=20)
    result = standing(seated(under, *PLAYERS), [late], now=9 * HOUR)[1].result
    assert result is not None
    assert [(one.player, one.reason) for one in result.count.uncounted] == [("carol", Uncounted.TOO_LATE)]
    assert told(play(seated(under, *PLAYERS), [late], now=9 * HOUR)[1]) == ["defeated 1"]


def test_a_vote_that_is_complete_before_its_deadline_ends_there():
    under = law("votes.deadline: 1h")
    _, [event] = play(seated(under, *PLAYERS), [proposal(1, "alice", enact(), *ALL)], now=9 * HOUR)
    assert (event.kind, event.time) == ("adopted", 30)


def test_a_deadline_that_is_amended_in_play_holds_for_the_next_vote():
    under = law("votes.deadline: none")
    stuck = proposal(2, "bob", enact(), ready=40)
    position, _ = play(seated(under, *PLAYERS), [proposal(1, "alice", amend(under, -101), *ALL)])
    assert play(position, [stuck], now=9 * HOUR)[1] == []
    with_one = proposal(1, "alice", amend(under, -101, "votes.deadline: 2h"), *ALL)
    position, _ = play(seated(under, *PLAYERS), [with_one])
    _, [event] = play(position, [stuck], now=9 * HOUR)
    assert (event.kind, event.time) == ("defeated", 40 + 2 * HOUR)


def test_where_all_must_vote_no_vote_is_decided_early():
    votes = ("bob", FOR, 30), ("carol", AGAINST, 50)
    decided = law("votes.closing: decided", "adoption.threshold: simple-majority")
    required = law("votes.closing: decided", "adoption.threshold: simple-majority", "votes.participation: required")
    for under, ends in ((decided, 30), (required, 50)):
        _, [event] = play(seated(under, *PLAYERS), [proposal(1, "alice", enact(), *votes)])
        assert (event.kind, event.time) == ("adopted", ends)


def test_no_vote_closes_before_the_proposal_could_be_read_for_as_long_as_the_law_says():
    under = law("debate.minimum: 1h")
    brief = proposal(1, "alice", enact(), *ALL, submitted=10, ready=20)
    position = seated(under, *PLAYERS)
    assert play(position, [brief], now=10 + HOUR - 1)[1] == []
    _, [event] = play(position, [brief], now=9 * HOUR)
    assert (event.kind, event.time) == ("adopted", 10 + HOUR)
    draft = proposal(1, "alice", enact(), ("bob", FOR, 3 * HOUR), ("carol", FOR, 4 * HOUR), submitted=10, ready=20)
    _, [event] = play(position, [draft], now=9 * HOUR)
    assert (event.kind, event.time) == ("adopted", 4 * HOUR)


def test_whoever_changes_their_mind_while_debate_must_last_still_can():
    under = law("debate.minimum: 1h", "votes.closing: decided")
    votes = ("bob", AGAINST, 30), ("bob", FOR, 60), ("carol", FOR, 70)
    _, [event] = play(seated(under, *PLAYERS), [proposal(1, "alice", enact(), *votes, submitted=10)], now=HOUR * 2)
    assert (event.kind, event.time) == ("adopted", 10 + HOUR)


@pytest.mark.parametrize("order", ["clockwise", "open"])
def test_between_two_turns_there_is_the_pause_that_the_law_provides(order):
    under = law(f"turns.order: {order}", "turns.pause: 1h")
    first = proposal(1, "alice", enact(), *ALL)
    next_ = proposal(2, "bob", enact(), *((login, FOR, 31) for login in PLAYERS), ready=31)
    _, events = play(seated(under, *PLAYERS), [first, next_], now=30 + HOUR - 1)
    assert told(events) == ["adopted 1"]
    _, events = play(seated(under, *PLAYERS), [first, next_], now=9 * HOUR)
    assert [(one.kind, one.time) for one in events] == [("adopted", 30), ("adopted", 30 + HOUR)]


def test_a_turn_that_has_begun_is_not_passed_on_however_long_it_takes():
    under = law("turns.order: clockwise", "turns.deadline: 1h")
    begun = proposal(1, "alice", enact(), ("bob", FOR, 30), ready=HOUR)
    position = seated(under, *PLAYERS)
    assert play(position, [begun], now=1000 * HOUR) == (position, [])
    assert standing(position, [begun], now=1000 * HOUR)[1].stage is Stage.VOTING


def test_turns_that_nobody_begins_pass_from_seat_to_seat():
    under = law("turns.order: clockwise", "turns.deadline: 1h")
    position, events = play_idle(seated(under, *PLAYERS), 4 * HOUR)
    assert [(one.player, one.time // HOUR) for one in events] == [("alice", 1), ("bob", 2), ("carol", 3), ("alice", 4)]
    assert (mover(position), position.state.circuit) == ("bob", 2)
    assert {one.kind for one in events} == {"passed"}


def play_idle(position, now):
    """Everything that is due by now where nobody has proposed anything."""
    events = []
    for _ in range(now // HOUR):
        position, due = play(position, [], now=now)
        events += due
        if not due:
            break
    return position, events


def test_a_vote_cast_at_the_very_deadline_counts_and_the_next_second_is_too_late():
    under = law("votes.deadline: 1h", "adoption.threshold: simple-majority")
    for late, outcome in ((0, "adopted"), (1, "defeated")):
        cast = proposal(1, "alice", enact(), ("bob", FOR, 10 + HOUR + late), ready=10)
        _, [event] = play(seated(under, *PLAYERS), [cast], now=2 * HOUR)
        assert (event.kind, event.time) == (outcome, 10 + HOUR)
        assert event.absent == (("carol",) if not late else ("bob", "carol"))


def test_who_gives_a_proposal_up_while_it_is_still_debated_is_defeated_though_all_are_for_it():
    """Nobody escapes the vote (104, 206), and no votes carry what was not debated long enough (111)."""
    position = seated(law("debate.minimum: 1h", "defeat.points: -10"), *PLAYERS)
    given_up = proposal(1, "alice", enact(), *ALL, ready=10, withdrawn=100)
    _, [event] = play(position, [given_up], now=2 * HOUR)
    assert (event.kind, event.time, event.points) == ("defeated", 100, (("alice", -10),))
    assert isinstance(follow(position, event, given_up.reading), Position)
    at_the_end = replace(event, time=10 + HOUR)
    assert follow(position, at_the_end, given_up.reading) != follow(position, event, given_up.reading)


def test_whom_a_deadline_counts_stand_in_the_record_in_the_order_of_joining():
    position = seated(law("votes.deadline: 1h", "votes.absent: for"), *PLAYERS)
    cast = proposal(1, "carol", enact(), ("bob", FOR, 30), ready=10)
    _, [event] = play(position, [cast], now=2 * HOUR)
    assert (event.supporters, event.absent) == (PLAYERS, ("alice",))
    assert isinstance(follow(position, event, cast.reading), Position)


def test_a_deadline_ends_a_vote_also_where_everybody_must_vote_if_the_law_has_both():
    under = law("votes.participation: required", "votes.deadline: 1h", "votes.absent: against")
    cast = proposal(1, "alice", enact(), ("bob", FOR, 30), ready=10)
    _, [event] = play(seated(under, *PLAYERS), [cast], now=2 * HOUR)
    assert (event.kind, event.opponents) == ("defeated", ("carol",))


def test_what_was_withdrawn_freely_has_no_deadline_any_more_whenever_the_referee_looks():
    position = seated(law("votes.deadline: 1h", "defeat.points: -10"), *PLAYERS)
    given_up = proposal(1, "alice", enact(), ready=10, withdrawn=100)
    for now in (200, 2 * HOUR):
        _, [event] = play(position, [given_up], now=now)
        assert (event.kind, event.time, event.points) == ("withdrawn", 100, ())
