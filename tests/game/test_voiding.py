"""What a verdict comes to (212, 213): a move taken back to the byte, a text that is improper, a stalemate."""

from __future__ import annotations

from dataclasses import replace

import pytest
from schedules import look
from table import (
    AGAINST,
    FOR,
    amend,
    enact,
    join,
    law,
    leave,
    proposal,
    repeal,
    rule,
    scores,
    seat,
    seated,
    standing,
    told,
    transmute,
)

from nomic_git.game.judgment import Move, Plea
from nomic_git.game.proposal import Stage
from nomic_git.game.resolution import of_the_position
from nomic_git.game.transition import after
from nomic_git.game.turns import mover
from nomic_git.game.victory import winner
from nomic_git.law.precedence import read_law
from nomic_git.law.rule import Status, read_rule
from nomic_git.law.rulebook import rulebook

PLAYERS = ("alice", "bob", "carol")
COURT = (
    "turns.order: clockwise",
    "judgment.judge: preceding-player",
    "stalemate.winner: first-unable-to-complete-a-turn",
    "victory.points: 100",
    "turns.points: die",
    "dissent.points: 10",
    "defeat.points: -10",
    "adoption.threshold: simple-majority",
)
UNDER = law(*COURT, rule(-50, words="A rule to be changed.\r\n\r\nAs it was.\r\n"))


def judged(forge, author, reading, ruling, *votes, at=20, ready=10):
    """Everybody asks, rules and upholds, and whose part it is, is heard."""
    steps = ((Move.INVOKE, "May she?"), (Move.RULE, ruling), (Move.UPHOLD, ""))
    said = tuple(Plea(one, move, at + later, words) for later, (move, words) in enumerate(steps) for one in PLAYERS)
    return replace(proposal(forge, author, reading, *votes, ready=ready), pleas=said)


CHANGES = {
    "an enactment": lambda: enact("turns.points: 5"),
    "an amendment": lambda: amend(UNDER, -50, "votes.each: 3"),
    "a repeal": lambda: repeal(UNDER, -50),
    "a transmutation": lambda: transmute(UNDER, -50),
    "an amendment of the points that win": lambda: amend(UNDER, -98, "victory.points: 90"),
    "an amendment of the order of turns": lambda: amend(UNDER, -101, "turns.order: open"),
    "a repeal of the order of turns": lambda: repeal(UNDER, -101),
}


@pytest.mark.parametrize("change", CHANGES)
def test_an_illegal_change_is_taken_back_to_the_byte_and_the_turn_counts_as_had(change):
    before = seated(UNDER, *PLAYERS)
    votes = [("bob", FOR, 12), ("carol", AGAINST, 12)]
    position, events = look(before, [judged(1, "alice", CHANGES[change](), "illegal", *votes)], 100)
    assert [one.kind for one in events] == ["adopted", "invoked", "judged", "settled", "voided"]
    assert events[0].points
    assert {one.number: one.source for one in position.law.rulebook} == {
        one.number: one.source for one in UNDER.rulebook
    }
    assert position.law.rulebook == UNDER.rulebook
    assert scores(position) == dict.fromkeys(PLAYERS, 0)
    assert (seat(position, "alice").turns, mover(position)) == (1, "bob")


def test_of_an_illegal_move_that_was_defeated_the_points_are_taken_back():
    votes = [("bob", AGAINST, 12), ("carol", AGAINST, 12)]
    position, events = look(seated(UNDER, *PLAYERS), [judged(1, "alice", enact(), "illegal", *votes)], 100)
    assert [one.kind for one in events] == ["defeated", "invoked", "judged", "settled", "voided"]
    assert events[-1].change is None
    assert dict(events[-1].points) == {login: -points for login, points in events[0].points}
    assert scores(position) == dict.fromkeys(PLAYERS, 0)


def test_nobody_keeps_the_points_of_an_illegal_move_by_leaving_before_it_is_taken_back():
    found = judged(1, "alice", enact(), "illegal", ("bob", FOR, 12), ("carol", FOR, 12))
    gone = proposal(2, "alice", leave("alice"), ready=21)
    back = proposal(3, "alice", join("alice"), ("bob", FOR, 40), ("carol", FOR, 40), ready=40)
    position, events = look(seated(UNDER, *PLAYERS), [found, gone, back], 100)
    assert told(events[1:]) == ["invoked 1", "judged 1", "forfeited 2", "settled 1", "voided 1", "joined 3"]
    assert dict(events[0].points)["alice"] > 0
    assert scores(position) == {"bob": 0, "carol": 0, "alice": 0}


def test_a_legal_move_keeps_its_points_and_its_rule():
    votes = [(one, FOR, 12) for one in PLAYERS]
    position, events = look(seated(UNDER, *PLAYERS), [judged(1, "alice", enact(), "legal", *votes)], 100)
    assert [one.kind for one in events] == ["adopted", "invoked", "judged", "settled"]
    assert (scores(position)["alice"], 1 in position.law.rulebook.rules) == (events[0].die, True)


def test_the_next_turn_waits_for_the_verdict_and_votes_under_the_law_that_it_leaves():
    votes = [(one, FOR, 12) for one in PLAYERS]
    first = judged(1, "alice", amend(UNDER, -97, "turns.points: 50"), "illegal", *votes)
    following = proposal(2, "bob", enact(), *((one, FOR, 21) for one in PLAYERS), ready=21)
    _, events = look(seated(UNDER, *PLAYERS), [first, following], 100)
    assert told(events) == ["adopted 1", "invoked 1", "judged 1", "settled 1", "voided 1", "adopted 2"]
    assert (events[-1].opened, events[-1].die is None) == (22, False)


def test_before_its_votes_are_in_an_illegal_text_is_improper_and_may_be_withdrawn_or_mended():
    found = judged(1, "alice", enact(), "illegal", ("bob", FOR, 12))
    position, _ = look(seated(UNDER, *PLAYERS), [found], 100)
    assert standing(position, [found])[1].stage is Stage.IMPROPER
    given_up = replace(found, withdrawn=101, ready=(replace(found.ready[0], until=101),))
    _, events = look(position, [given_up], 110)
    assert [(one.kind, one.points) for one in events] == [("withdrawn", ())]
    mended = proposal(1, "alice", enact(words="Mended."), *((one, FOR, 105) for one in PLAYERS), ready=10)
    after_, events = look(position, [mended], 110)
    assert told(events) == ["adopted 1"]
    assert after_.state.struck == ()


def test_no_vote_ends_while_it_is_judged_whatever_its_deadline():
    under = law(*COURT[1:], "turns.order: clockwise", "votes.deadline: 1m", "votes.absent: for")
    asked = judged(1, "alice", enact(), "legal", at=50)
    open_ = replace(asked, pleas=tuple(one for one in asked.pleas if one.move is Move.INVOKE))
    position, events = look(seated(under, *PLAYERS), [open_], 5000)
    assert told(events) == ["invoked 1"]
    assert position.state.judgment is not None
    later = tuple(replace(one, time=one.time + 6000) for one in asked.pleas if one.move is not Move.INVOKE)
    _, events = look(position, [replace(open_, pleas=(*open_.pleas, *later))], 9000)
    assert [(one.kind, one.time) for one in events] == [("judged", 6051), ("settled", 6052), ("adopted", 6052)]
    assert events[-1].absent == ("bob", "carol")


@pytest.mark.parametrize("author", PLAYERS)
def test_whom_nobody_can_judge_cannot_complete_the_turn_and_wins(author):
    """Each Judge is overruled, until nobody is left who was not."""
    under = read_law(UNDER.rulebook.with_rule(rule(-101, "turns.order: open")))
    asked = judged(1, author, enact(), "legal")
    steps = [(20, Move.INVOKE, "May she?")]
    steps += [(at + more, move, "legal") for at in (21, 24) for more, move in ((0, Move.RULE), (1, Move.OVERRULE))]
    said = tuple(Plea(one, move, at, words) for at, move, words in steps for one in PLAYERS)
    position, events = look(seated(under, *PLAYERS), [replace(asked, pleas=said)], 100)
    kinds = ["invoked", "judged", "overruled", "judged", "overruled", "settled", "won"]
    assert [one.kind for one in events] == kinds
    assert (position.state.winner, events[-1].rule) == (author, -99)


@pytest.mark.parametrize("resolved", [False, True])
def test_an_expression_for_a_consent_knows_the_proposal_by_the_rulebooks_number(resolved):
    under = law(*COURT, "proposals.numbering: {successive: 301}", 'judgment.consent: "proposal == 301"')
    votes = [(one, FOR, 12) for one in PLAYERS] if resolved else []
    said = (Plea("bob", Move.INVOKE, 20, "May she?"), Plea("bob", Move.CONSENT, 21))
    asked = replace(proposal(7, "alice", enact(), *votes, ready=10), pleas=said)
    _, events = look(seated(under, *PLAYERS), [asked], 100)
    assert told(events)[-2:] == ["invoked 7", "settled 7"]


STUCK = rule(213, "stalemate.winner: first-unable-to-complete-a-turn")
CLAIMS = STUCK.source.replace(b"---\n\n", b"precedence:\n  over: [victory.points]\n---\n\n")


@pytest.mark.parametrize(("claims", "wins"), [(False, "bob"), (True, "alice")])
def test_213_prevails_over_208_by_its_claim_alone(claims, wins):
    """Of two rules without a claim the lower number prevails, and 208 lets the points decide."""
    stalemate = read_rule(213, Status.MUTABLE, CLAIMS) if claims else STUCK
    under = read_law(rulebook([rule(208, "victory.points: 100"), stalemate]))
    position = seated(under, *PLAYERS)
    both = replace(position.state.scoring({"bob": 100}), stuck="alice")
    found = winner(replace(position, state=both))
    assert found is not None
    assert found[0] == wins


@pytest.mark.parametrize("stuck", [None, "bob"])
def test_where_one_rule_provides_for_points_and_for_stalemates_the_scores_say_which_it_was(stuck):
    position = seated(law(rule(208, "victory.points: 100", *COURT[2:3])), *PLAYERS)
    there = replace(position, state=replace(position.state.scoring({"alice": 100}), stuck=stuck))
    event = of_the_position(there)
    assert event is not None
    assert (event.player, event.rule) == (stuck or "alice", 208)
    assert after(there, event).state.stuck == stuck


def test_without_a_rule_on_stalemates_nobody_wins_by_one():
    under = law(*(one for one in COURT if not one.startswith("stalemate")))
    position, events = look(seated(under, *PLAYERS), [judged(1, "alice", enact(), "undecided")], 100)
    assert told(events) == ["invoked 1", "judged 1", "settled 1"]
    assert (position.state.winner, position.state.stuck) == (None, None)
    assert winner(seated(law("changes.kinds: []", "victory.points: 9"), *PLAYERS)) is None


def test_where_no_rule_change_is_lawful_whoever_is_next_wins_and_not_whoever_made_it_so():
    shut = proposal(1, "alice", enact("changes.kinds: []"), *((one, FOR, 12) for one in PLAYERS), ready=10)
    position, events = look(seated(UNDER, *PLAYERS), [shut], 100)
    assert told(events) == ["adopted 1", "won"]
    assert position.state.winner == "bob"
