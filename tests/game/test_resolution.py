"""Which event is next, and what it says: the two moments of a resolution (section 5)."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from rule_files import crowded
from table import (
    AGAINST,
    FOR,
    amend,
    amend_to,
    enact,
    github,
    join,
    law,
    leave,
    play,
    proposal,
    repeal,
    rule,
    scores,
    seat,
    seated,
    step,
    told,
    transmute,
    with_seats,
)

from nomic_git.game.event import ChangeRecord, Event, EventKind, read_event, write_trailers
from nomic_git.game.position import Position
from nomic_git.game.transition import Impossible, after
from nomic_git.game.victory import winner
from nomic_git.law.kinds import ChangeKind
from nomic_git.law.rule import Rule, Status, read_rule, reworded
from nomic_git.law.threshold import AtLeast

PLAYERS = ("alice", "bob", "carol", "dave")
MAJORITY = ("bob", FOR, 2), ("carol", FOR, 3), ("dave", AGAINST, 1)
UNANIMOUS = ("bob", FOR, 2), ("carol", FOR, 3), ("dave", FOR, 4)


def after_relaxation(**figures: dict[str, int]) -> Position:
    """The github game once each player has had two turns, with some figures of some seats."""
    turns = {login: {"turns": 2, **figures.get(login, {})} for login in PLAYERS}
    position, events = play(with_seats(seated(github(), *PLAYERS), **turns), [])
    assert told(events) == ["relaxed"]
    return position


# Order


def test_what_was_complete_first_is_resolved_first_whatever_its_number():
    proposals = [
        proposal(1, "alice", enact(), ("bob", FOR, 9), ("carol", FOR, 3), ("dave", FOR, 4)),
        proposal(2, "bob", enact(), ("alice", AGAINST, 8)),
        proposal(3, "carol", leave("carol"), ready=10),
        proposal(4, "dave", enact(), ("alice", AGAINST, 8)),
    ]
    for order in (proposals, proposals[::-1]):
        _, events = play(seated(github(), *PLAYERS), order)
        assert told(events) == ["defeated 2", "defeated 4", "adopted 1", "forfeited 3"]
        assert [one.time for one in events] == [8, 8, 9, 10]


def test_the_law_is_read_again_after_each_resolution():
    under = law("adoption.threshold: unanimous", "votes.closing: decided")
    easier = amend(under, -101, "adoption.threshold: simple-majority")
    proposals = [
        proposal(1, "alice", easier, *UNANIMOUS),
        proposal(2, "bob", enact(), ("alice", FOR, 2), ("carol", FOR, 3)),
        proposal(3, "carol", amend(under, -101, words="Never mind."), ready=6),
    ]
    position, events = play(seated(under, *PLAYERS), proposals)
    assert [(one.kind, one.proposal, one.time) for one in events] == [("adopted", 1, 4), ("adopted", 2, 4)]
    assert position.law.rulebook.rules[1].formerly == (-101,)


def test_a_forfeit_can_complete_a_vote():
    proposals = [
        proposal(1, "alice", enact(), ("bob", FOR, 2), ("carol", FOR, 3)),
        proposal(2, "dave", leave("dave"), ready=7),
    ]
    _, events = play(seated(github(), *PLAYERS), proposals)
    assert [(one.kind, one.proposal, one.time) for one in events] == [("forfeited", 2, 7), ("adopted", 1, 7)]


# Points


def test_an_adopted_proposal_scores_its_turn_and_pays_dissent():
    position, [event] = play(after_relaxation(), [proposal(12, "alice", enact(), *MAJORITY)])
    # (12 + 9) * 3/4 = 15.75
    assert event.points == (("dave", 10), ("alice", 16))
    assert scores(position) == {"alice": 16, "bob": 0, "carol": 0, "dave": 10}
    assert (event.supporters, event.opponents) == (("alice", "bob", "carol"), ("dave",))
    assert event.change == ChangeRecord(ChangeKind.ENACT, None, 12)
    assert seat(position, "alice").turns == 3
    assert (position.state.mover, seat(position, "alice").free) == ("alice", 3)


def test_while_unanimity_is_required_dissent_pays_nothing_and_defeat_costs_ten():
    _, [event] = play(seated(github(), *PLAYERS), [proposal(12, "alice", enact(), *MAJORITY)])
    # The first vote against ends it, one for and one against: (12 + 9) * 1/2 = 10.5, and 10 less for the defeat.
    assert (event.kind, event.time, event.points) == ("defeated", 1, (("alice", 1),))


def test_a_defeat_costs_ten_and_scores_what_the_turn_brings():
    votes = ("bob", AGAINST, 1), ("carol", AGAINST, 2), ("dave", AGAINST, 3)
    position, [event] = play(after_relaxation(), [proposal(12, "alice", enact(), *votes)])
    # (12 + 9) * 1/4 = 5.25
    assert (event.kind, event.points) == ("defeated", (("alice", -5),))
    assert event.change == ChangeRecord(ChangeKind.ENACT, None)
    assert seat(position, "alice").turns == 3


@pytest.mark.parametrize(
    ("points", "rounded"), [("1 / 2", 1), ("-1 / 2", 0), ("5 / 2", 3), ("-5 / 2", -2), ("2.49", 2)]
)
def test_points_are_exact_and_halves_go_up(points, rounded):
    position = seated(law(f'turns.points: "{points}"'), "alice", "bob")
    _, [event] = play(position, [proposal(1, "alice", enact(), ("bob", FOR, 2))])
    assert dict(event.points).get("alice", 0) == rounded


def test_the_turn_scores_by_the_law_that_the_turn_has_made():
    under = law("turns.points: 3", "dissent.points: 10", "adoption.threshold: 1/2")
    dearer = amend(under, -101, "turns.points: 30", "dissent.points: 100")
    position, [event] = play(
        seated(under, "alice", "bob", "carol"), [proposal(1, "alice", dearer, ("bob", FOR, 2), ("carol", AGAINST, 3))]
    )
    assert event.points == (("carol", 10), ("alice", 30))
    assert scores(position)["alice"] == 30


def test_an_expression_that_fails_gives_nothing_and_the_record_says_so():
    failing = '"1 / (votes_for - votes_for)"'
    under = law(
        f"adoption.threshold: {failing}", f"turns.points: {failing}", "turns.points: 4", f"defeat.points: {failing}"
    )
    _, [event] = play(seated(under, "alice", "bob"), [proposal(1, "alice", enact(), ("bob", AGAINST, 2))])
    assert (event.kind, event.points) == ("defeated", (("alice", 4),))
    assert event.failed == ("adoption.threshold", "defeat.points", "turns.points")

    under = law(f"players.admission: {failing}")
    _, [event] = play(
        seated(under, "alice", "bob"), [proposal(1, "eve", join("eve"), ("alice", FOR, 2), ("bob", FOR, 2))]
    )
    assert (event.kind, event.failed) == ("joined", ("players.admission",))


# Victory


def test_who_wins_by_dissent_wins_before_the_turn_scores():
    position = after_relaxation(dave={"points": 190}, alice={"points": 199})
    position, events = play(position, [proposal(12, "alice", enact(), *MAJORITY)])
    assert events[0].points == (("dave", 10),)
    assert [(one.kind, one.player) for one in events[1:]] == [("won", "dave")]
    assert position.state.winner == "dave"
    assert scores(position)["alice"] == 199


def test_who_wins_by_the_turn_wins_after_it():
    position = after_relaxation(dave={"points": 189}, alice={"points": 199})
    position, events = play(position, [proposal(12, "alice", enact(), *MAJORITY)])
    assert events[0].points == (("dave", 10), ("alice", 16))
    assert position.state.winner == "alice"
    assert (events[1].time, events[1].rule) == (events[0].time, -105)


def test_a_target_lowered_below_several_scores_is_won_by_the_highest_at_once():
    figures = {"alice": {"points": 60}, "bob": {"points": 90}, "carol": {"points": 80}}
    position = with_seats(seated(github(), *PLAYERS), **figures)
    lower = amend(position.law, -105, "victory.points: 50")
    position, events = play(position, [proposal(40, "alice", lower, *UNANIMOUS)])
    assert events[0].points == ()
    assert (position.state.winner, events[1].rule) == ("bob", 40)


@pytest.mark.parametrize(
    ("mover", "first"), [(None, "bob"), ("alice", "bob"), ("bob", "dave"), ("carol", "dave"), ("dave", "bob")]
)
def test_equal_scores_go_by_the_playing_order_after_the_mover(mover, first):
    position = with_seats(seated(github(), *PLAYERS), bob={"points": 210}, dave={"points": 210}, carol={"points": 205})
    assert winner(replace(position, state=replace(position.state, mover=mover))) == (first, -105)


def test_the_survivor_of_a_game_has_not_won():
    position = with_seats(seated(github(), "alice", "bob"), alice={"points": 199})
    proposals = [proposal(1, "bob", leave("bob")), proposal(2, "alice", enact(), ready=0)]
    position, events = play(position, proposals)
    assert told(events) == ["forfeited 1"]
    assert (position.state.winner, position.state.playing) == (None, None)
    assert winner(with_seats(position, alice={"points": 500})) is None


def test_nothing_follows_a_winner():
    position = with_seats(seated(github(), *PLAYERS), alice={"points": 200})
    position, events = play(position, [proposal(1, "alice", enact(), *UNANIMOUS)])
    assert told(events) == ["won"]
    assert step(position, [proposal(2, "bob", enact(), ("alice", AGAINST, 9))]) is None


# Relaxation


def turns(position: Position, *had: int) -> Position:
    return with_seats(position, **{one.login: {"turns": n} for one, n in zip(position.state.seats, had, strict=True)})


@pytest.mark.parametrize("after_", ["after-turns-each", "after-circuits"])
def test_the_threshold_relaxes_when_each_player_has_had_so_many_turns(after_):
    under = law(f"adoption.relaxation: {{{after_}: 2, threshold: 2/3}}")
    assert play(turns(seated(under, "alice", "bob", "carol"), 5, 2, 1), [])[1] == []
    position, [event] = play(turns(seated(under, "alice", "bob", "carol"), 5, 2, 2), [])
    assert (event.kind, event.rule) == ("relaxed", -101)
    relaxed = position.law.rulebook.rules[-101]
    assert relaxed.provisions == {"adoption.threshold": AtLeast(Fraction(2, 3))}
    assert (relaxed.number, relaxed.formerly, relaxed.words) == (-101, (), "\nWords.\n")
    assert play(position, [])[1] == []


def test_the_players_now_in_the_game_are_the_ones_that_must_have_had_their_turns():
    position = turns(seated(github(), *PLAYERS), 2, 2, 2, 0)
    position, events = play(position, [proposal(1, "dave", leave("dave"), ready=9)])
    assert told(events) == ["forfeited 1", "relaxed"]
    assert position.law.rulebook.rules[-110].provisions["adoption.threshold"] == "simple-majority"
    assert play(turns(seated(github(), "alice"), 9), [])[1] == []


def adopted(under, change, number: int = 40) -> Rule:
    position, events = play(seated(under, *PLAYERS), [proposal(number, "alice", change, *UNANIMOUS)])
    assert told(events) == [f"adopted {number}"]
    return position.law.rulebook.rules[number]


def test_amending_the_rule_in_time_strikes_the_relaxation():
    old = github().rulebook.rules[-110]
    rule_ = adopted(github(), amend_to(github(), -110, reworded(old, b"Mended words.\n")))
    assert "adoption.relaxation" not in rule_.provisions
    assert {key: value for key, value in old.provisions.items() if key != "adoption.relaxation"} == rule_.provisions
    assert (rule_.formerly, rule_.words) == ((-110,), "Mended words.\n")


def test_an_amendment_that_gives_the_relaxation_another_value_keeps_it():
    later = "adoption.relaxation: {after-turns-each: 3, threshold: simple-majority}"
    assert "adoption.relaxation" in adopted(github(), amend(github(), -110, later)).provisions
    assert adopted(github(), amend(github(), -110)).provisions == {}


def test_a_rule_that_says_there_is_no_relaxation_goes_on_saying_so_when_amended():
    under = law("adoption.relaxation: none")
    assert adopted(under, amend(under, -101, "adoption.relaxation: none")).provisions == {"adoption.relaxation": None}


def test_transmuting_the_rule_leaves_the_relaxation_alone():
    position, _ = play(seated(github(), *PLAYERS), [proposal(40, "alice", transmute(github(), -110), *UNANIMOUS)])
    moved = position.law.rulebook.rules[40]
    assert moved.status is Status.IMMUTABLE
    assert "adoption.relaxation" in moved.provisions
    position, events = play(turns(position, 2, 2, 2, 2), [])
    assert [(one.kind, one.rule) for one in events] == [("relaxed", 40)]
    assert position.law.rulebook.rules[40].formerly == (-110,)


def test_the_turn_that_makes_the_relaxation_due_is_still_counted_under_unanimity():
    position = turns(seated(github(), *PLAYERS), 1, 2, 2, 2)
    both = [
        proposal(1, "alice", enact(), *UNANIMOUS),
        proposal(2, "bob", enact(), ("alice", FOR, 1), ("carol", FOR, 2)),
    ]
    _, events = play(position, both)
    assert told(events) == ["adopted 1", "relaxed", "adopted 2"]
    assert [one.time for one in events] == [4, 4, 4]


# Rule-changes and numbers


def test_each_kind_of_change_does_what_it_says():
    under = github()
    votes = [(login, FOR, 2) for login in PLAYERS]
    changes = [
        (enact(), ChangeRecord(ChangeKind.ENACT, None, 11)),
        (amend(under, -107), ChangeRecord(ChangeKind.AMEND, -107, 12)),
        (repeal(under, -106), ChangeRecord(ChangeKind.REPEAL, -106)),
        (transmute(under, -201), ChangeRecord(ChangeKind.TRANSMUTE, -201, 14)),
    ]
    asked = [
        proposal(n, login, change, *votes)
        for n, login, (change, _) in zip(range(11, 15), PLAYERS, changes, strict=True)
    ]
    position, events = play(seated(under, *PLAYERS), asked)
    assert [one.change for one in events] == [said for _, said in changes]
    rules = position.law.rulebook.rules
    assert set(rules) == (set(under.rulebook.rules) | {11, 12, 14}) - {-106, -107, -201}
    assert (rules[14].status, rules[14].formerly) == (Status.MUTABLE, (-201,))
    assert all(number in position.state.given for number in (11, 12, 13, 14, -106, -107))


def test_the_numbers_of_a_series_are_given_once_when_voting_opens():
    under = law(rule(101, "proposals.numbering: {successive: 301}", status=Status.IMMUTABLE), rule(305))
    proposals = [
        proposal(7, "alice", enact(), ready=5),
        proposal(3, "bob", enact(), ready=6),
        proposal(1, "carol", enact(), ready=6, withdrawn=8),
        proposal(2, "dave", enact(), ready=[]),
    ]
    position, events = play(seated(under, *PLAYERS), proposals)
    assert [(one.kind, one.proposal, one.number, one.time) for one in events] == [
        ("proposed", 7, 306, 5),
        ("proposed", 3, 307, 6),
        ("withdrawn", 1, None, 8),
    ]
    assert position.state.numbered == ((3, 307), (7, 306))
    voted = [proposal(7, "alice", enact(), *UNANIMOUS, ready=5), proposal(3, "bob", enact(), ready=6, withdrawn=9)]
    position, events = play(position, voted)
    assert [(one.kind, one.proposal, one.number) for one in events] == [("adopted", 7, 306), ("withdrawn", 3, 307)]
    assert 306 in position.law.rulebook.rules
    assert position.state.numbered == ()
    _, events = play(position, [proposal(9, "alice", enact(), ready=10)])
    assert [one.number for one in events] == [308]


def test_no_number_is_given_twice_also_after_the_numbering_was_switched():
    under = law("proposals.numbering: {successive: 301}")
    everybody = [(login, FOR, 2) for login in PLAYERS]
    position, events = play(seated(under, *PLAYERS), [proposal(302, "alice", amend(under, -101), *everybody)])
    assert [one.number for one in events] == [301, 301]
    proposals = [
        proposal(301, "alice", enact(), *everybody),
        proposal(305, "bob", enact(), *everybody),
        proposal(9, "carol", enact("proposals.numbering: {successive: 301}"), *everybody),
    ]
    position, events = play(position, proposals)
    assert told(events) == ["adopted 9", "proposed 301", "adopted 301", "proposed 305", "adopted 305"]
    assert [one.number for one in events] == [9, 302, 302, 303, 303]


def test_an_event_that_cannot_follow_is_impossible():
    position = seated(law(rule(5)), *PLAYERS)
    unlawful = [
        (Event(EventKind.ADOPTED, 1, proposal=1, number=1, player="alice"), None),
        (Event(EventKind.ADOPTED, 1, proposal=1, player="alice"), enact()),
        (Event(EventKind.ADOPTED, 1, proposal=5, number=5, player="alice"), enact()),
        (Event(EventKind.ADOPTED, 1, proposal=1, number=1, player="alice"), repeal(law(rule(6)), 6)),
        (Event(EventKind.DEFEATED, 1, player="alice"), None),
        (Event(EventKind.DEFEATED, 1, 1, 1, "eve", change=ChangeRecord(ChangeKind.ENACT, None)), None),
        (Event(EventKind.PROPOSED, 1, proposal=1, number=5), None),
        (Event(EventKind.JOINED, 1, proposal=1, player="eve"), None),
        (Event(EventKind.JOINED, 1, proposal=1, player="alice"), join("alice")),
        (Event(EventKind.FORFEITED, 1, proposal=1, player="eve"), leave("eve")),
        (Event(EventKind.RELAXED, 1), None),
    ]
    for event, change in unlawful:
        with pytest.raises(Impossible):
            after(position, event, change)


def test_relaxing_leaves_the_words_and_the_other_provisions_alone():
    position, _ = play(turns(seated(github(), *PLAYERS), 2, 2, 2, 2), [])
    old, new = github().rulebook.rules[-110], position.law.rulebook.rules[-110]
    assert new.words == old.words
    assert {key for key in old.provisions if key not in new.provisions} == {"adoption.relaxation"}
    assert new.provisions["votes.closing"] == old.provisions["votes.closing"]


def test_a_relaxation_that_cannot_be_written_into_its_file_stops_nothing_else():
    """Its file is as long as may be, and would be longer."""
    under = law(read_rule(-110, Status.MUTABLE, crowded()))
    position = turns(seated(under, "alice", "bob"), 2, 2)
    assert play(position, []) == (position, [])
    assert told(play(position, [proposal(1, "alice", enact(), ("bob", FOR, 2))])[1]) == ["adopted 1"]


@pytest.mark.parametrize(
    ("points", "given"),
    [
        ("1000000000", 10**9),
        ("-1000000000", -(10**9)),
        ("1000000000.4", 10**9),
        ("1000000000 + 0.5", 0),
        ("-(10**9)*10**9", 0),
    ],
)
def test_points_beyond_all_measure_are_an_expression_that_failed(points, given):
    _, [event, *_] = play(
        seated(law(f"turns.points: {points}"), "alice", "bob"), [proposal(1, "alice", None, ("bob", FOR, 2))]
    )
    assert dict(event.points).get("alice", 0) == given
    assert event.failed == (() if given else ("turns.points",))
    assert read_event(dict(write_trailers(event)), event.time) == event
