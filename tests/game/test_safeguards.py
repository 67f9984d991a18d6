"""What no rule-change may take away: that points win (112), and that the rules can still be changed (114)."""

from __future__ import annotations

from time import perf_counter

import pytest
from table import (
    FOR,
    amend,
    amend_to,
    enact,
    github,
    law,
    play,
    proposal,
    repeal,
    rule,
    seated,
    standing,
    told,
    transmute,
)

from nomic_git.game import safeguards
from nomic_git.game.proposal import Stage
from nomic_git.game.replay import follow
from nomic_git.game.safeguards import Breach, breaches
from nomic_git.law.precedence import read_law
from nomic_git.law.reason import Reason
from nomic_git.law.rule import Status, reworded
from nomic_git.locales import reason_text

PLAYERS = ("alice", "bob", "carol")
GUARDED = rule(101, "safeguards: [points-win, changeable]", status=Status.IMMUTABLE)
GOAL = rule(208, "victory.points: 100")
FREE = rule(201)


def guarded(*rules):
    return law(GUARDED, GOAL, FREE, *rules)


def blocked(under, change, players=PLAYERS):
    """What a change of a rulebook is blocked for, None where it is voted on."""
    found = standing(seated(under, *players), [proposal(1, players[0], change)])[1]
    if found.stage is Stage.VOTING:
        return None
    assert found.stage is Stage.BLOCKED
    (reason,) = found.reasons
    assert reason.rests_on == "safeguards"
    return reason.what


def shut(*provisions, players=PLAYERS):
    """Why nothing can be adopted where a mutable rule provides this."""
    under = law(rule(301, *provisions), FREE, GOAL)
    return set(breaches(under, seated(under, *players).state))


@pytest.mark.parametrize(
    "change",
    [
        repeal(guarded(), 208),
        amend(guarded(), 208),
        amend(guarded(), 208, "victory.points: none"),
    ],
    ids=["repealed", "provides nothing", "provides none"],
)
def test_that_points_win_cannot_be_taken_away(change):
    assert blocked(guarded(), change) is Breach.POINTS


def test_how_many_points_win_can_be_changed():
    for points in (1, 99, 1_000_000):
        assert blocked(guarded(), amend(guarded(), 208, f"victory.points: {points}")) is None


def test_the_points_cannot_be_voided_by_a_conflict_either():
    both = law(GUARDED, FREE, rule(208, "victory.points: 100", "votes.each: 2"), rule(203, "votes.each: 3"))
    assert blocked(both, transmute(both, 203)) is Breach.POINTS


def test_a_rule_against_stalemate_can_be_enacted_amended_and_repealed():
    under = guarded(rule(213, "stalemate.winner: first-unable-to-complete-a-turn"))
    winner = "stalemate.winner: first-unable-to-complete-a-turn"
    for change in (enact(winner), amend(under, 213), amend(under, 213, "stalemate.winner: none"), repeal(under, 213)):
        assert blocked(under, change) is None


def test_a_game_without_points_to_win_by_is_not_stopped_for_that():
    under = law(GUARDED, FREE)
    for change in (enact(), repeal(under, 201), enact("victory.points: 10"), transmute(under, 101)):
        assert blocked(under, change) is None
    unguarded = law(FREE)
    assert blocked(unguarded, enact("safeguards: [points-win]")) is None


@pytest.mark.parametrize(
    "provision",
    [
        "changes.kinds: []",
        'adoption.threshold: "votes_for > 1000"',
        'adoption.threshold: "0 > 1"',
        'adoption.threshold: "votes_against > 0"',
        'adoption.threshold: "3 / 2"',
        'adoption.threshold: "players / 2"',
        'adoption.threshold: "proposal < 400"',
        'adoption.threshold: "circuit <= 40"',
        'adoption.threshold: "0 > 1 if turn > 30 else 1 > 0"',
        'adoption.threshold: "circuit > 1000"',
        'adoption.relaxation: {after-circuits: 1, threshold: "0 > 1"}',
        'adoption.relaxation: {after-turns-each: 9, threshold: "votes_for > players"}',
        "debate.minimum: 3650d",
        "turns.pause: 3650d",
    ],
)
def test_nobody_can_make_the_rules_unchangeable(provision):
    assert isinstance(blocked(guarded(), enact(provision)), Breach)


@pytest.mark.parametrize(
    "provision",
    [
        "changes.kinds: [transmute]",
        "changes.kinds: [repeal]",
        "adoption.threshold: unanimous",
        "adoption.threshold: 1/1",
        'adoption.threshold: "votes_for >= 3"',
        'adoption.threshold: "votes_for == players and votes_against == 0"',
        'adoption.threshold: "circuit > 20"',
        'adoption.threshold: "proposal % 7 == 0"',
        'adoption.threshold: "1 / (turn - 1)"',
        'adoption.threshold: "1 / 0"',
        'adoption.threshold: "2 ** proposal > 5"',
        "adoption.relaxation: {after-circuits: 1, threshold: simple-majority}",
        "votes.each: 1000",
        "votes.closing: decided",
        "debate.minimum: 30d",
        "proposals.numbering: {successive: 1000000000}",
        "players.joining: closed",
        'players.admission: "0 > 1"',
    ],
)
def test_what_leaves_some_way_is_not_blocked(provision):
    assert blocked(guarded(), enact(provision)) is None


def test_why_nothing_can_be_adopted():
    assert shut("changes.kinds: []") == {Breach.NO_CHANGE}
    assert shut('adoption.threshold: "votes_for > 3"') == {Breach.NOW, Breach.LATER}
    assert shut('adoption.threshold: "votes_for > 3"', players=(*PLAYERS, "dave")) == set()
    assert shut('adoption.threshold: "proposal < 400"') == {Breach.LATER}
    assert shut('adoption.threshold: "proposal > 400"') == {Breach.NOW}
    assert shut('adoption.relaxation: {after-turns-each: 2, threshold: "0 > 1"}') == {Breach.NOW, Breach.LATER}
    assert shut("turns.pause: 3650d") == {Breach.WAIT}


def test_what_the_limits_leave_of_the_kinds():
    full = "rules.mutable.maximum: 3"
    assert shut("changes.kinds: [repeal]", "rules.mutable.minimum: 3") == set(), "its own rule can go"
    held = rule(101, "rules.mutable.minimum: 2", "rules.mutable.maximum: 2", status=Status.IMMUTABLE)
    for kinds, found in (
        ("[repeal]", {Breach.NO_CHANGE}),
        ("[enact]", {Breach.NO_CHANGE}),
        ("[enact, repeal]", {Breach.NO_CHANGE}),
        ("[amend]", set()),
        ("[transmute]", {Breach.NO_CHANGE}),
    ):
        under = law(held, FREE, rule(301, f"changes.kinds: {kinds}"))
        assert set(breaches(under, seated(under, *PLAYERS).state)) == found, kinds
    assert shut("changes.kinds: [enact]", full) == set(), "a rule that lifts the limit can be enacted"


def test_no_mutable_rule_left_and_no_kind_that_makes_one():
    for kinds, found in (
        ("[repeal]", {Breach.NO_CHANGE}),
        ("[amend]", {Breach.NO_CHANGE}),
        ("[transmute]", set()),
        ("[enact]", set()),
    ):
        under = law(rule(101, f"changes.kinds: {kinds}", status=Status.IMMUTABLE))
        assert set(breaches(under, seated(under, *PLAYERS).state)) == found, kinds


def test_the_last_points_to_win_by_are_no_rule_to_repeal():
    goal = rule(208, "victory.points: 100")
    only = law(rule(101, "safeguards: [points-win]", "changes.kinds: [repeal]", status=Status.IMMUTABLE), goal)
    assert breaches(only, seated(only, *PLAYERS).state)


def test_making_immutable_rules_mutable_is_a_way_only_where_it_leads_to_one():
    """By itself it is used up with the last of them."""
    never = 'adoption.threshold: "0 > 1"'
    easy = rule(109, "adoption.transmutation: unanimous", status=Status.IMMUTABLE)
    assert blocked(guarded(easy), enact(never)) is Breach.NOW
    held = rule(110, "changes.kinds: [transmute]", "votes.each: 1", status=Status.IMMUTABLE)
    none_mutable = law(GUARDED, easy, held)
    assert breaches(none_mutable, seated(none_mutable, *PLAYERS).state) == frozenset()


def test_a_shipped_game_cannot_be_frozen_by_its_threshold():
    frozen = amend(github(), -110, 'adoption.threshold: "votes_for > 1000"')
    assert blocked(github(), frozen) is Breach.NOW


def test_safeguards_are_the_resulting_laws():
    guard, never = rule(201, "safeguards: [changeable, points-win]"), "changes.kinds: []"
    under = law(guard, GOAL)
    position = seated(under, *PLAYERS)
    assert blocked(under, repeal(under, 201)) is None
    assert blocked(under, amend(under, 201, "safeguards: []", never)) is None
    assert blocked(under, amend(under, 201, "safeguards: [points-win]", never)) is None
    unanimous = [("bob", FOR, 2), ("carol", FOR, 2)]
    position, events = play(position, [proposal(1, "alice", repeal(under, 201), *unanimous)])
    goal = repeal(position.law, 208)
    position, more = play(position, [proposal(2, "alice", goal, *unanimous)])
    assert told([*events, *more]) == ["adopted 1", "adopted 2"]


def test_transmuting_a_safeguard_is_play():
    assert blocked(guarded(), transmute(guarded(), 101)) is None


def test_what_was_unchangeable_before_is_not_blocked_for_it():
    """So a game with a rule that ends all change one day can still mend it."""
    ends = guarded(rule(203, 'adoption.threshold: "proposal < 300"', "adoption.transmutation: adoption.threshold"))
    assert breaches(ends, seated(ends, *PLAYERS).state) == {Breach.LATER}
    assert blocked(ends, enact()) is None
    assert blocked(ends, repeal(ends, 203)) is None
    assert blocked(ends, amend(ends, 203, 'adoption.threshold: "0 > 1"')) is Breach.NOW
    assert blocked(ends, amend(ends, 203, "changes.kinds: []")) is Breach.NO_CHANGE


def test_nobody_is_asked_where_nobody_plays():
    under = guarded()
    position = seated(under)
    assert safeguards.broken(position, guarded(rule(301, 'adoption.threshold: "0 > 1"'))) == ()


def test_the_audit_blocks_what_the_referee_blocks():
    votes = [("bob", FOR, 2), ("carol", FOR, 2)]
    never = enact("changes.kinds: []")
    unguarded = law(GOAL, FREE)
    _, (adopted,) = play(seated(unguarded, *PLAYERS), [proposal(1, "alice", never, *votes)])
    found = follow(seated(guarded(), *PLAYERS), adopted, never)
    assert isinstance(found, Reason)
    assert found.what is Breach.NO_CHANGE
    assert not isinstance(follow(seated(unguarded, *PLAYERS), adopted, never), Reason)


def test_the_comment_cites_the_rules():
    under = github()
    (reason,) = safeguards.broken(seated(under, *PLAYERS), read_law(under.rulebook.without(-105)))
    assert reason_text(reason, under).endswith("(rules -205 and -203)")


def test_an_ordinary_change_costs_next_to_nothing():
    position = seated(github(), *PLAYERS)
    began = perf_counter()
    for _ in range(100):
        assert safeguards.broken(position, position.law) == ()
    assert perf_counter() - began < 0.5


def test_the_words_alone_of_any_rule_can_be_amended():
    under = github()
    for one in under.rulebook.of(Status.MUTABLE):
        assert blocked(under, amend_to(under, one.number, reworded(one, b"Other words.\n"))) is None
