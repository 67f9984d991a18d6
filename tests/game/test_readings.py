"""How the documents are read where they leave room (design section 9), as far as no other room proves it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

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
    scores,
    seat,
    seated,
    standing,
    told,
    with_seats,
)

from nomic_git.game.die import thrown
from nomic_git.game.docket import docket
from nomic_git.game.event import ChangeRecord, Event
from nomic_git.game.judgment import Move, Plea
from nomic_git.game.opening import Wait
from nomic_git.game.player import read_player
from nomic_git.game.position import Position
from nomic_git.game.proposal import Proposal, Stage
from nomic_git.game.replay import follow
from nomic_git.game.resolution import next_event
from nomic_git.game.transition import after, founded
from nomic_git.game.turns import mover, playing_order
from nomic_git.game.victory import winner
from nomic_git.law.kinds import ChangeKind
from nomic_git.law.precedence import Law
from nomic_git.law.provisions import ADOPTION_THRESHOLD
from nomic_git.law.reason import Reason
from nomic_git.law.rule import Rule, Status
from nomic_git.law.rule_change import RuleChange
from nomic_git.law.threshold import Agreement

if TYPE_CHECKING:
    from collections.abc import Sequence

PLAYERS = ("alice", "bob", "carol")
ALL = tuple((login, FOR, 2) for login in PLAYERS)


def test_a_rule_that_is_repealed_and_enacted_again_is_a_new_rule_with_its_proposals_number():
    before = seated(github(), *PLAYERS)
    old = before.law.rulebook.rules[-106]
    gone, _ = play(before, [proposal(11, "alice", repeal(github(), -106), *ALL)])
    same = RuleChange(ChangeKind.ENACT, None, Status.MUTABLE, None, old.source, "the same bytes")
    position, _ = play(gone, [proposal(12, "bob", same, *ALL)])
    again = position.law.rulebook.rules[12]
    assert (again.words, again.provisions, again.formerly) == (old.words, old.provisions, ())
    assert -106 not in position.law.rulebook.rules
    assert -106 in position.state.given


def test_to_amend_or_repeal_an_amendment_is_to_amend_the_rule():
    position, number, points = seated(github(), *PLAYERS), -105, b"200"
    for proposed, others in ((11, b"150"), (12, b"160"), (13, b"200")):
        source = position.law.rulebook.rules[number].source.replace(points, others)
        change = amend_to(position.law, number, source)
        position, [event] = play(position, [proposal(proposed, "alice", change, *ALL)])
        assert event.change == ChangeRecord(ChangeKind.AMEND, number, proposed)
        number, points = proposed, others
    whole, old = position.law.rulebook.rules[13], github().rulebook.rules[-105]
    assert (whole.formerly, whole.provisions, whole.words) == ((-105, 11, 12), old.provisions, old.words)


def test_a_rule_change_does_not_reach_back_to_points_that_were_scored_before():
    under = law("defeat.points: -10", "adoption.threshold: simple-majority", "dissent.points: 10")
    lost = proposal(1, "alice", enact(), ("bob", AGAINST, 2), ("carol", AGAINST, 2))
    position, _ = play(seated(under, *PLAYERS), [lost])
    assert scores(position)["alice"] == -10
    milder = amend(under, -101, "defeat.points: 0", words="It has always been so, from the first turn on.")
    position, _ = play(position, [proposal(2, "bob", milder, *ALL)])
    assert scores(position)["alice"] == -10
    again = proposal(3, "carol", enact(), ("alice", AGAINST, 3), ("bob", AGAINST, 3))
    position, _ = play(position, [again])
    assert scores(position)["carol"] == 0


def test_whoever_must_vote_and_is_absent_is_waited_for_and_named_however_long_it_takes():
    under = law("votes.participation: required", "votes.closing: all-voted", "adoption.threshold: simple-majority")
    position = seated(under, *PLAYERS)
    decided = proposal(1, "alice", enact(), ("bob", FOR, 2))
    later = 10**9
    assert play(position, [decided], later) == (position, [])
    found = standing(position, [decided], later)[1]
    assert found.stage is Stage.VOTING
    assert found.result is not None
    assert found.result.count.waiting_for == ("carol",)


def test_a_rule_change_may_amend_or_repeal_the_rule_by_which_it_is_adopted():
    votes = ("bob", FOR, 2), ("carol", AGAINST, 2)
    under = law("adoption.threshold: simple-majority")
    harder = proposal(1, "alice", amend(under, -101, "adoption.threshold: unanimous"), *votes)
    position, events = play(seated(under, *PLAYERS), [harder])
    assert told(events) == ["adopted 1"]
    assert told(play(position, [proposal(2, "bob", enact(), ("alice", FOR, 2), ("carol", AGAINST, 2))])[1]) == [
        "defeated 2"
    ]
    position, events = play(seated(under, *PLAYERS), [proposal(1, "alice", repeal(under, -101), *votes)])
    assert told(events) == ["adopted 1"]
    assert position.law.value(ADOPTION_THRESHOLD) is Agreement.UNANIMOUS


def test_what_no_rule_provides_is_left_free():
    rich = with_seats(seated(law(), *PLAYERS), alice={"points": 10**6})
    proposals = [
        proposal(number, login, enact(), *ALL, ready=number) for number, login in enumerate(PLAYERS * 10, start=1)
    ]
    proposals += [proposal(90, "alice", enact(), ("bob", AGAINST, 50), ("carol", AGAINST, 50), ready=50)]
    position, events = play(rich, proposals)
    assert told(events)[-1] == "defeated 90"
    assert len(position.law.rulebook) == 30
    assert position.state.winner is None
    assert scores(position) == {"alice": 10**6, "bob": 0, "carol": 0}


# Turns in an order (201)


def after_turn_of(position: Position, number: int, login: str) -> Position:
    """The position after a whole turn of a player's, in which everybody was for the proposal."""
    at = position.state.time
    votes = [(one, FOR, at + 1) for one in position.players]
    return play(position, [proposal(number, login, enact(), *votes, ready=at)], now=at + 1)[0]


def named(under: Law, **surnames: str) -> Position:
    """A game just founded by players with these surnames."""
    files = {login: f"---\nsurname: {surname}\n---\n".encode() for login, surname in surnames.items()}
    return founded(under, {login: read_player(login, file) for login, file in files.items()}, 0)


def test_a_circuit_is_complete_when_the_turn_passes_from_the_last_seat_to_the_first():
    relaxing = "adoption.relaxation: {after-circuits: 2, threshold: simple-majority}"
    position = seated(law("turns.order: clockwise", relaxing), *PLAYERS)
    for number, login in enumerate(PLAYERS * 2, start=1):
        assert (mover(position), position.state.circuit) == (login, 1 + (number - 1) // 3)
        assert position.law.value(ADOPTION_THRESHOLD) is Agreement.UNANIMOUS
        position = after_turn_of(position, number, login)
    assert (mover(position), position.state.circuit) == ("alice", 3)
    assert position.law.value(ADOPTION_THRESHOLD) is Agreement.SIMPLE_MAJORITY


def test_a_proposal_out_of_turn_waits_and_is_taken_up_when_its_turn_comes():
    position = seated(law("turns.order: clockwise"), *PLAYERS)
    early = proposal(1, "bob", enact(), *ALL, ready=1)
    found = standing(position, [early])[1]
    assert (found.stage, [one.what for one in found.reasons]) == (Stage.WAITING, [Wait.NOT_YOUR_TURN])
    own = proposal(2, "alice", enact(), *((login, FOR, 5) for login in PLAYERS), ready=4)
    _, events = play(position, [early, own])
    assert told(events) == ["adopted 2", "adopted 1"]


def test_no_turn_is_skipped_or_passed_unless_a_rule_gives_it_a_deadline():
    waiting = proposal(1, "bob", enact(), *ALL, ready=1)
    position = seated(law("turns.order: clockwise"), *PLAYERS)
    assert play(position, [waiting], now=10**9) == (position, [])
    position = seated(law("turns.order: clockwise", "turns.deadline: 7d"), *PLAYERS)
    _, events = play(position, [waiting], now=8 * 86400)
    assert (events[0].kind, events[0].player, events[0].time) == ("passed", "alice", 7 * 86400)
    assert told(events[1:]) == ["adopted 1"]


def test_a_newcomer_to_a_seat_that_the_turn_has_passed_begins_in_the_next_circuit():
    position = named(law("turns.order: by-surname", "players.joining: open"), bo="Dahl", ann="Berg")
    position = after_turn_of(position, 1, "ann")
    file = b"---\nsurname: Abel\n---\n"
    position, events = play(position, [proposal(2, "cy", join("cy", file), ready=position.state.time)])
    assert told(events) == ["joined 2"]
    assert (playing_order(position), mover(position)) == (("cy", "ann", "bo"), "bo")
    position = after_turn_of(position, 3, "bo")
    assert (mover(position), position.state.circuit) == ("cy", 2)


def test_in_clockwise_games_a_newcomer_sits_last():
    position = after_turn_of(seated(law("turns.order: clockwise", "players.joining: open"), *PLAYERS), 1, "alice")
    position, _ = play(position, [proposal(2, "aaron", join("aaron"), ready=position.state.time)])
    assert playing_order(position) == (*PLAYERS, "aaron")
    for number, login in enumerate(("bob", "carol", "aaron"), start=3):
        assert (mover(position), position.state.circuit) == (login, 1)
        position = after_turn_of(position, number, login)
    assert (mover(position), position.state.circuit) == ("alice", 2)


def test_a_newcomer_is_admitted_between_turns():
    position = seated(law("turns.order: clockwise", "players.joining: open"), *PLAYERS)
    begun = proposal(1, "alice", enact(), ("bob", FOR, 3), ready=2)
    asking = proposal(2, "eve", join("eve"), ready=4)
    found = standing(position, [begun, asking])[2]
    assert (found.stage, [one.what for one in found.reasons]) == (Stage.WAITING, [Wait.BETWEEN_TURNS])
    ended = proposal(1, "alice", enact(), ("bob", FOR, 3), ("carol", FOR, 9), ready=2)
    _, events = play(position, [ended, asking])
    assert [(one.kind, one.time) for one in events] == [("adopted", 9), ("joined", 9)]


def test_the_proposal_of_a_mover_who_leaves_lapses_without_points_and_the_turn_passes_on():
    position = seated(law("turns.order: clockwise", "defeat.points: -10", "turns.points: 5"), *PLAYERS)
    begun = proposal(1, "alice", enact(), ("bob", AGAINST, 3), ready=2)
    position, events = play(position, [begun, proposal(2, "alice", leave("alice"), ready=4)])
    assert [(one.kind, one.points) for one in events] == [("forfeited", ()), ("withdrawn", ())]
    assert (playing_order(position), mover(position)) == (("bob", "carol"), "bob")
    assert scores(position) == {"bob": 0, "carol": 0}


# The die (202)


def test_the_die_is_thrown_from_what_the_record_shows():
    under = law("turns.points: die")
    faces = set()
    for at in range(60):
        position = replace(seated(under, *PLAYERS), last=f"{at:040x}")
        _, [event] = play(position, [proposal(1, "alice", enact(), *ALL)])
        assert event.die == thrown(position.last, 1, event.ballots)
        assert event.points == (("alice", event.die),)
        faces.add(event.die)
    assert faces == {1, 2, 3, 4, 5, 6}


def test_whoever_gives_a_proposal_up_does_not_choose_the_die_by_when():
    under, players = law("turns.points: die"), (*PLAYERS, "dave", "eve")
    votes = [(who, AGAINST, 2 + at) for at, who in enumerate(players[1:])]
    for at in (1, 2, 3):
        position = replace(seated(under, *players), last="5" * 40)
        given_up = proposal(1, "alice", enact(), *votes[:at], ready=1, withdrawn=votes[at - 1][2] + 1)
        _, [event] = play(position, [given_up])
        assert event.opponents == tuple(who for who, _, _ in votes[:at])
        assert event.die == thrown(position.last, 1, ())
        assert not isinstance(follow(position, event, enact()), Reason)
        chosen = replace(event, ballots=("a",), die=thrown(position.last, 1, ("a",)))
        assert isinstance(follow(position, chosen, enact()), Reason)


def test_a_die_that_somebody_wrote_by_hand_is_found_when_the_record_is_replayed():
    position = replace(seated(law("turns.points: die"), *PLAYERS), last="5" * 40)
    change = enact()
    _, [event] = play(position, [proposal(1, "alice", change, *ALL)])
    assert event.die is not None
    assert not isinstance(follow(position, event, change), Reason)
    other = event.die % 6 + 1
    assert isinstance(follow(position, replace(event, die=other, points=(("alice", other),)), change), Reason)


# Judgment (212) and stalemate (213)

COURT = (
    "turns.order: clockwise",
    "judgment.judge: preceding-player",
    "stalemate.winner: first-unable-to-complete-a-turn",
    "victory.points: 100",
)


def judged(number: int, login: str, *said: tuple[str, Move, int, str], **facts) -> Proposal:
    made = proposal(number, login, enact(), *facts.pop("votes", ()), **facts)
    return replace(made, pleas=tuple(Plea(who, move, time, words) for who, move, time, words in said))


def verdict(words: str) -> list[tuple[str, Move, int, str]]:
    """Bob asks, carol, who sits before alice, rules, and bob upholds."""
    return [("bob", Move.INVOKE, 3, "May she?"), ("carol", Move.RULE, 4, words), ("bob", Move.UPHOLD, 5, "")]


def test_while_judgment_is_open_its_turn_does_not_end_and_no_next_one_begins():
    position = seated(law(*COURT), *PLAYERS)
    asked = judged(1, "alice", *verdict("legal")[:1], votes=[(login, FOR, 6) for login in PLAYERS], ready=2)
    waiting = proposal(2, "bob", enact(), *ALL, ready=2)
    position, events = play(position, [asked, waiting])
    assert told(events) == ["invoked 1"]
    assert position.state.judgment is not None
    assert position.state.judgment.judge == "carol"
    settled = judged(1, "alice", *verdict("legal"), votes=[(login, FOR, 6) for login in PLAYERS], ready=2)
    assert told(play(position, [settled, waiting])[1]) == ["judged 1", "settled 1", "adopted 1", "adopted 2"]


def test_what_is_found_illegal_before_its_vote_is_complete_is_improper_until_its_words_change():
    found = judged(1, "alice", *verdict("illegal"), ready=2)
    position, events = play(seated(law(*COURT), *PLAYERS), [found])
    assert told(events) == ["invoked 1", "judged 1", "settled 1"]
    assert standing(position, [found])[1].stage is Stage.IMPROPER
    other = proposal(1, "alice", enact(words="Mended."), *((login, FOR, 9) for login in PLAYERS), ready=2)
    assert told(play(position, [other])[1]) == ["adopted 1"]


def heard(
    position: Position, lately: Proposal, proposals: Sequence[Proposal], undone: Rule
) -> tuple[Position, list[Event]]:
    """Everything that is due when judgment is asked on the turn that ended last; `undone` is the rule before it."""
    events: list[Event] = []
    while (due := next_event(position, docket(position, proposals, 100), 100, lately.pleas)) is not None:
        event, about = due
        change = None if about is None else about.proposal.reading
        position = after(position, event, change, undone if event.kind == "voided" else None)
        events.append(event)
    return position, events


def test_an_illegal_move_is_undone_with_its_points_and_its_turn_counts_as_had():
    before = seated(law(*COURT, "turns.points: 7"), *PLAYERS)
    old = before.law.rulebook.rules[-98]
    raised = amend(before.law, -98, "victory.points: 300")
    position, _ = play(before, [proposal(1, "alice", raised, *ALL)])
    assert (scores(position)["alice"], position.law.rule("victory.points")) == (7, 1)
    position, events = heard(position, judged(1, "alice", *verdict("illegal")), [], old)
    assert [one.kind for one in events] == ["invoked", "judged", "settled", "voided"]
    assert events[-1].points == (("alice", -7),)
    assert position.law.rulebook == before.law.rulebook
    assert scores(position) == dict.fromkeys(PLAYERS, 0)
    assert (seat(position, "alice").turns, mover(position)) == (1, "bob")


def test_a_verdict_stands_once_the_others_consent_to_the_next_turn():
    before = seated(law(*COURT), *PLAYERS)
    old = before.law.rulebook.rules[-98]
    position, _ = play(before, [proposal(1, "alice", amend(before.law, -98, "victory.points: 300"), *ALL)])
    next_ = proposal(2, "bob", enact(), *((login, FOR, 9) for login in PLAYERS), ready=4)
    asked = judged(1, "alice", ("bob", Move.INVOKE, 3, "May she?"), ("carol", Move.RULE, 5, "illegal"))
    assert [one.kind for one in heard(position, asked, [next_], old)[1]] == ["invoked", "judged"]
    consents = tuple(Plea(login, Move.CONSENT, 6) for login in ("bob", "carol"))
    asked = replace(asked, pleas=(*asked.pleas, *consents))
    position, events = heard(position, asked, [next_], old)
    assert [one.kind for one in events] == ["invoked", "judged", "settled", "voided", "adopted"]
    assert position.law.rulebook.rules[-98] == old


def test_whom_a_judge_cannot_decide_about_is_the_first_unable_to_complete_a_turn_and_wins():
    position, events = play(seated(law(*COURT), *PLAYERS), [judged(1, "alice", *verdict("undecided"), ready=2)])
    assert told(events) == ["invoked 1", "judged 1", "settled 1", "won"]
    assert (position.state.winner, events[-1].rule) == ("alice", -99)


def test_where_no_rule_change_can_be_made_any_more_whoever_is_next_wins():
    under = law(*COURT)
    position, events = play(seated(under, *PLAYERS), [proposal(1, "alice", enact("changes.kinds: []"), *ALL)])
    assert told(events) == ["adopted 1", "won"]
    assert position.state.winner == "bob"


def test_a_stalemate_is_looked_for_before_the_points():
    position = with_seats(seated(github(), *PLAYERS), carol={"points": 500})
    assert winner(position) == ("carol", -105)
    stuck = replace(position, state=replace(position.state, stuck="alice"))
    assert winner(stuck) == ("alice", -101)
