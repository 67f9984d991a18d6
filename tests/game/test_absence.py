"""Players who are away for a while: when they may be, and on what they then have no vote (`players.leave`)."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from table import (
    enact,
    identity,
    join,
    law,
    leave,
    play,
    proposal,
    repeal,
    rule,
    seat,
    seated,
    standing,
    told,
    tried,
    with_seats,
)

from nomic_git.game.docket import Hindrance
from nomic_git.game.event import Event, EventKind
from nomic_git.game.opening import Wait
from nomic_git.game.player import absent, read_player
from nomic_git.game.position import Position
from nomic_git.game.proposal import Proposal, Stage
from nomic_git.game.replay import follow
from nomic_git.game.round import next_round
from nomic_git.game.state import read_state, write_state
from nomic_git.game.tally import Outcome, electorate
from nomic_git.game.transition import Impossible, after, founded
from nomic_git.game.vote import Uncounted, Vote
from nomic_git.law.reason import Reason
from nomic_git.law.rule_change import Absence

FOR, AGAINST = Vote.FOR, Vote.AGAINST
MAY = law(rule(-1, "players.leave: allowed", "votes.closing: decided"), rule(-2, words="Another."))
MAY_NOT = law(rule(-1, "votes.closing: decided"))


def away(login: str, source: bytes = b"---\naway: true\n---\n") -> Absence:
    return Absence(login, source, away=True)


def back(login: str, source: bytes = b"") -> Absence:
    return Absence(login, source, away=False)


def with_files(position: Position) -> Position:
    return replace(position, players={one.login: read_player(one.login, b"") for one in position.state.seats})


def table(*logins: str, under=MAY) -> Position:
    return with_files(seated(under, *logins))


def gone(position: Position, login: str, since: int, until: int | None = None) -> Position:
    """A position in which a player has been away, and may be still."""
    state = position.state.with_seat(replace(seat(position, login), absences=((since, until),)))
    file = absent(position.players[login], away=until is None)
    return replace(position, state=state, players={**position.players, login: file})


def eligible(position: Position, *proposals: Proposal) -> list[tuple[str, ...]]:
    found = standing(position, proposals)
    return [one.result.count.eligible if one.result else () for one in found.values()]


def test_going_away_is_noted_at_once_and_so_is_coming_back():
    position, events = play(table("alice", "bob"), [proposal(1, "bob", away("bob"), ready=5)])
    assert told(events) == ["away 1"]
    assert events[0] == Event(EventKind.AWAY, 5, proposal=1, player="bob", head=f"{1:040x}", rule=-1)
    assert seat(position, "bob").absences == ((5, None),)
    assert position.players["bob"].away
    position, events = play(position, [proposal(2, "bob", back("bob"), ready=9)])
    assert events == [Event(EventKind.BACK, 9, proposal=2, player="bob", head=f"{2:040x}")]
    assert seat(position, "bob").absences == ((5, 9),)
    assert not position.players["bob"].away


def test_an_absence_of_no_time_leaves_nothing_behind():
    both = [proposal(1, "bob", away("bob"), ready=5), proposal(2, "bob", back("bob"), ready=5)]
    position, events = play(table("alice", "bob"), both)
    assert told(events) == ["away 1", "back 2"]
    assert seat(position, "bob").absences == ()


@pytest.mark.parametrize(
    ("opened", "who"),
    [
        (4, ("alice", "bob", "carol")),
        (5, ("alice", "carol")),
        (8, ("alice", "carol")),
        (9, ("alice", "bob", "carol")),
    ],
)
def test_who_was_away_when_voting_opened_has_no_vote(opened, who):
    position = gone(table("alice", "bob", "carol"), "bob", 5, 9)
    assert eligible(position, proposal(1, "alice", ready=opened)) == [who]


def test_what_was_open_before_waits_for_who_goes_away_after():
    before = proposal(1, "alice", ready=3)
    position, events = play(table("alice", "bob", "carol"), [before, proposal(2, "bob", away("bob"), ready=5)])
    assert told(events) == ["away 2"]
    assert eligible(position, before) == [("alice", "bob", "carol")]
    voted = proposal(1, "alice", None, ("bob", AGAINST, 7), ready=3)
    assert standing(position, [voted])[1].result.outcome is Outcome.DEFEATED


def test_what_was_opened_meanwhile_does_not_wait_for_who_comes_back():
    position = gone(table("alice", "bob", "carol"), "bob", 5)
    meanwhile = proposal(1, "alice", None, ("carol", FOR, 20), ready=7)
    position, events = play(position, [proposal(2, "bob", back("bob"), ready=10), meanwhile])
    assert told(events) == ["back 2", "adopted 1"]
    assert events[1].supporters == ("alice", "carol")


def test_a_vote_of_who_was_away_is_not_counted_and_the_tally_says_why():
    position = gone(table("alice", "bob", "carol"), "bob", 5)
    result = standing(position, [proposal(1, "alice", None, ("bob", AGAINST, 8), ready=7)])[1].result
    assert [(one.player, one.reason) for one in result.count.uncounted] == [("bob", Uncounted.AWAY)]
    assert result.outcome is None


def test_an_author_who_is_away_has_a_vote_on_the_own_proposal():
    position = gone(table("alice", "bob", "carol"), "bob", 5)
    assert eligible(position, proposal(1, "bob", ready=7)) == [("alice", "bob", "carol")]
    moved = replace(proposal(1, "bob", ready=7), moved=True)
    result = standing(position, [moved])[1].result
    assert result.count.eligible == ("alice", "bob", "carol")
    assert result.count.supporters == ()


def test_who_is_away_has_no_vote_on_who_joins():
    position = gone(table("alice", "bob", "carol"), "bob", 5)
    assert eligible(position, proposal(1, "dora", join("dora"), ready=7)) == [("alice", "carol")]


def test_who_is_alone_while_the_others_are_away_decides_nothing():
    position = gone(gone(table("alice", "bob", "carol"), "bob", 5), "carol", 6)
    alone = proposal(3, "alice", ready=7)
    found = standing(position, [alone])[3]
    assert (found.stage, [one.what for one in found.reasons]) == (Stage.WAITING, [Wait.DESERTED])
    assert standing(position, [proposal(3, "dora", join("dora"), ready=7)])[3].stage is Stage.WAITING
    position, events = play(position, [proposal(1, "bob", back("bob"), ready=20), alone])
    assert told(events) == ["back 1"]
    found = standing(position, [alone])[3]
    assert (found.stage, found.opened) == (Stage.VOTING, 20)
    assert found.result.count.eligible == ("alice", "bob")


def test_what_waits_for_company_is_taken_back_freely():
    position = gone(gone(table("alice", "bob", "carol"), "bob", 5), "carol", 6)
    taken = proposal(1, "alice", ready=7, withdrawn=9)
    assert standing(position, [taken])[1].stage is Stage.WITHDRAWN
    again = proposal(2, "alice", ready=[(7, 9), (11, None)])
    assert standing(position, [again])[2].stage is Stage.WAITING
    assert standing(gone(position, "bob", 5, 15), [again])[2].opened == 15


def test_the_replay_refuses_what_one_decided_alone():
    position = gone(gone(table("alice", "bob", "carol"), "bob", 5), "carol", 6)
    there = replace(position, state=table("alice", "bob", "carol").state)
    _, events = play(there, [proposal(1, "alice", None, ("bob", FOR, 8), ("carol", FOR, 8), ready=7)])
    found = follow(position, replace(events[0], supporters=("alice",)), enact())
    assert isinstance(found, Reason)
    assert found.what == Wait.DESERTED


def test_one_of_two_who_stay_decides_with_the_other():
    position = gone(gone(table("alice", "bob", "carol", "dave"), "bob", 5), "carol", 6)
    assert told(play(position, [proposal(1, "alice", None, ("dave", FOR, 9), ready=7)])[1]) == ["adopted 1"]


REFUSED = {
    "where no rule allows it": (table("alice", "bob", under=MAY_NOT), away("bob"), Hindrance.LEAVE_FORBIDDEN),
    "who is away already": (gone(table("alice", "bob"), "bob", 1), away("bob"), Hindrance.AWAY_ALREADY),
    "who is not away": (table("alice", "bob"), back("bob", b"---\naway: false\n---\n"), Hindrance.NOT_AWAY),
    "with another name": (
        table("alice", "bob"),
        away("bob", b"---\nname: Bobby\naway: true\n---\n"),
        Hindrance.SEAT_CHANGED,
    ),
    "with other words": (table("alice", "bob"), away("bob", b"---\naway: true\n---\nHello.\n"), Hindrance.SEAT_CHANGED),
}


@pytest.mark.parametrize(("position", "change", "why"), REFUSED.values(), ids=REFUSED)
def test_an_absence_is_refused(position, change, why):
    found = standing(position, [proposal(1, "bob", change)])[1]
    assert (found.stage, [one.what for one in found.reasons]) == (Stage.IMPROPER, [why])
    assert play(position, [proposal(1, "bob", change)])[1] == []


@pytest.mark.parametrize(("position", "change", "why"), REFUSED.values(), ids=REFUSED)
def test_the_replay_refuses_it_too(position, change, why):
    kind = EventKind.AWAY if change.away else EventKind.BACK
    event = Event(kind, 9, proposal=1, player="bob", head=f"{1:040x}", rule=-1 if change.away else None)
    found = follow(position, event, change)
    assert isinstance(found, Reason)
    assert found.what == why


def test_the_refusal_rests_on_the_provision():
    found = standing(table("alice", "bob", under=MAY_NOT), [proposal(1, "bob", away("bob"))])[1]
    assert found.reasons[0].rests_on == "players.leave"


def test_coming_back_is_allowed_when_the_law_allows_leave_no_more():
    position = gone(table("alice", "bob", under=MAY_NOT), "bob", 1)
    assert told(play(position, [proposal(1, "bob", back("bob"))])[1]) == ["back 1"]


def test_a_stranger_goes_nowhere():
    found = standing(table("alice", "bob"), [proposal(1, "zoe", away("zoe"))])[1]
    assert [one.what for one in found.reasons] == [Hindrance.NOT_A_PLAYER]
    event = Event(EventKind.AWAY, 9, proposal=1, player="zoe", head=f"{1:040x}", rule=-1)
    assert isinstance(follow(table("alice", "bob"), event, away("zoe")), Reason)


WRONG_EVENTS = {
    "back for away": (EventKind.BACK, None, away("bob"), "trailer"),
    "no rule": (EventKind.AWAY, None, away("bob"), "trailer"),
    "another change": (EventKind.AWAY, -1, enact(), "head-says-otherwise"),
    "no change": (EventKind.AWAY, -1, None, "head-says-otherwise"),
    "a file that says otherwise": (EventKind.AWAY, -1, away("bob", b""), "impossible"),
}


@pytest.mark.parametrize(("kind", "named", "change", "why"), WRONG_EVENTS.values(), ids=WRONG_EVENTS)
def test_the_replay_refuses_what_does_not_follow(kind, named, change, why):
    event = Event(kind, 9, proposal=1, player="bob", head=f"{1:040x}", rule=named)
    found = follow(table("alice", "bob"), event, change)
    assert isinstance(found, Reason)
    assert found.what == why


def test_the_replay_follows_what_the_referee_does():
    position = table("alice", "bob", "carol")
    changes = {1: away("bob"), 2: enact(), 3: back("bob"), 4: leave("bob")}
    proposals = [
        proposal(1, "bob", changes[1], ready=5),
        proposal(2, "alice", changes[2], ("carol", FOR, 8), ready=6),
    ]
    there, first = play(position, proposals)
    there, second = play(there, [proposal(3, "bob", changes[3], ready=10), proposal(4, "bob", changes[4], ready=12)])
    assert told([*first, *second]) == ["away 1", "adopted 2", "back 3", "forfeited 4"]
    for event in (*first, *second):
        found = follow(position, event, changes[event.proposal])
        assert isinstance(found, Position), found
        position = found
    assert position.state == there.state


def test_a_vote_counted_of_who_was_away_is_irregular():
    position = gone(table("alice", "bob", "carol"), "bob", 5)
    _, events = play(position, [proposal(1, "alice", repeal(MAY, -2), ("carol", FOR, 8), ready=6)])
    assert told(events) == ["adopted 1"]
    cheated = replace(events[0], supporters=("alice", "bob", "carol"))
    found = follow(position, cheated, repeal(MAY, -2))
    assert isinstance(found, Reason)
    assert found.what == "no-vote"


def test_a_player_goes_away_once_before_coming_back():
    position = gone(table("alice", "bob"), "bob", 1)
    with pytest.raises(Impossible, match="bob is away"):
        after(position, Event(EventKind.AWAY, 9, proposal=1, player="bob", head="0" * 40), away("bob"))
    with pytest.raises(Impossible, match="alice is not away"):
        after(position, Event(EventKind.BACK, 9, proposal=1, player="alice", head="0" * 40), back("alice"))


def test_whoever_leaves_for_good_and_returns_is_not_away():
    position = gone(table("alice", "bob", "carol"), "bob", 1)
    position, events = play(position, [proposal(1, "bob", leave("bob"), ready=5)])
    assert position.state.left("bob").absences == ()
    asked = proposal(2, "bob", join("bob"), ("alice", FOR, 8), ("carol", FOR, 8), ready=7)
    position, events = play(position, [asked])
    assert told(events) == ["joined 2"]
    assert not seat(position, "bob").is_away


def test_nobody_joins_to_be_away():
    source = b"---\naway: true\n---\n"
    found = standing(table("alice"), [proposal(1, "bob", join("bob", source))])[1]
    assert [one.what for one in found.reasons] == [Hindrance.SEAT_UNREADABLE]
    event = Event(EventKind.JOINED, 9, proposal=1, player="bob", head=f"{1:040x}")
    assert isinstance(follow(table("alice"), event, join("bob", source)), Reason)


def test_who_is_away_when_a_game_or_a_round_begins_is_so_from_the_first_and_can_come_back():
    players = {"alice": read_player("alice", b""), "bob": read_player("bob", b"---\naway: true\n---\n")}
    position = founded(MAY, players, 3)
    assert [one.absences for one in position.state.seats] == [(), ((3, None),)]
    position, events = play(position, [proposal(1, "bob", back("bob"), ready=5)])
    assert told(events) == ["back 1"]
    assert seat(position, "bob").absences == ((3, 5),)


def test_who_is_away_when_a_round_is_won_is_away_when_the_next_begins():
    position = gone(gone(table("alice", "bob", "carol"), "bob", 5), "carol", 5, 6)
    won = replace(position, state=replace(position.state, winner="alice"))
    there = next_round(won, MAY, Event(EventKind.FOUNDED, 9, round=2))
    assert [one.absences for one in there.state.seats] == [(), ((9, None),), ()]


def test_absences_that_no_vote_can_depend_on_are_forgotten_when_somebody_goes_or_comes():
    position = gone(gone(table("alice", "bob"), "alice", 3, 6), "bob", 2, 5)
    late = with_seats(position, alice={"free": 6}, bob={"free": 7})
    away_now, _ = play(late, [proposal(1, "bob", away("bob"), ready=9)])
    assert [one.absences for one in away_now.state.seats] == [(), ((9, None),)]
    early = with_seats(position, alice={"free": 5}, bob={"free": 7})
    away_now, _ = play(early, [proposal(1, "bob", away("bob"), ready=9)])
    assert [one.absences for one in away_now.state.seats] == [((3, 6),), ((9, None),)]
    both = [proposal(1, "bob", away("bob"), ready=9), proposal(2, "bob", back("bob"), ready=12)]
    assert seat(play(late, both)[0], "bob").absences == ((9, 12),)


@given(st.lists(st.integers(1, 40), min_size=2, max_size=8, unique=True), st.integers(0, 40), st.integers(0, 40))
def test_what_is_forgotten_of_absences_changes_no_electorate_of_a_rule_change(moments, alice, bob):
    """Whatever is opened from the end of a turn of anybody's on is opened to the same voters as before."""
    ended = sorted(moments)[: len(moments) // 2 * 2]
    absences = tuple(zip(ended[::2], ended[1::2], strict=True))
    position = with_seats(table("alice", "bob", "carol"), alice={"free": alice}, bob={"free": bob}, carol={"free": 50})
    state = position.state.with_seat(replace(seat(position, "carol"), absences=absences))
    position = replace(position, state=state)
    there, _ = play(position, [proposal(1, "bob", away("bob"), ready=60)])
    for opened in range(min(alice, bob), 60):
        assert electorate(there.state, opened, "alice") == electorate(state, opened, "alice")


def test_the_scores_have_absences_where_there_are_any_and_nothing_else_changes():
    position = gone(gone(table("alice", "bob", "carol"), "bob", 5, 9), "carol", 7)
    source = write_state(position.state)
    assert read_state(source) == position.state
    assert b'"away": [["1970-01-01T00:00:05Z", "1970-01-01T00:00:09Z"]]}' in source
    assert b'"away": [["1970-01-01T00:00:07Z", null]]}' in source
    assert b"away" not in write_state(table("alice", "bob").state)


@pytest.mark.parametrize(
    "wrong", ['"away": [["x", null]]', '"away": [[null]]', '"away": 1', '"away": [["a", "b", "c"]]']
)
def test_scores_with_absences_that_are_none_cannot_be_read(wrong):
    source = write_state(table("alice").state).replace(b'"points": 0', f'"points": 0, {wrong}'.encode())
    assert "not as it was written" in tried(read_state, source)


@pytest.mark.parametrize(
    "source",
    [
        b"",
        b"Words.\n",
        b"---\nname: Bob\n---\n\nWords.\n",
        b"---\r\nname: Bob\r\nteam: Reds\r\n---\r\n",
        b"---\naway: false\n---\n",
    ],
)
def test_the_line_is_written_and_taken_out_again(source):
    player = read_player("bob", source)
    gone_now = absent(player, away=True)
    assert gone_now.away
    here = absent(gone_now, away=False)
    assert (here.name, here.team, here.away) == (player.name, player.team, False)
    assert identity(absent(here, away=True).source) == identity(gone_now.source)


@pytest.mark.parametrize("value", ["yes", "1", '"true"', "[true]", "{}"])
def test_away_is_true_or_false(value):
    assert tried(read_player, "bob", f"---\naway: {value}\n---\n".encode()) == "away is to be true or false"
