"""Provisions: the table of keys, and how strictly each value is read."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nomic_git.law import provisions as law
from nomic_git.law.errors import Unreadable
from nomic_git.law.expression import Expression
from nomic_git.law.kinds import ChangeKind
from nomic_git.law.threshold import Agreement, AtLeast

WEEK = 7 * 86400
THRESHOLD_KEYS = [
    law.PLAYERS_ADMISSION,
    law.ADOPTION_THRESHOLD,
    law.ADOPTION_TRANSMUTATION,
    law.JUDGMENT_OVERRULING,
    law.JUDGMENT_CONSENT,
]
DURATION_KEYS = [law.DEBATE_MINIMUM, law.VOTES_DEADLINE, law.TURNS_DEADLINE, law.TURNS_PAUSE]
POINT_KEYS = [law.TURNS_POINTS, law.DISSENT_POINTS, law.DEFEAT_POINTS]
NONE_KEYS = [
    *DURATION_KEYS,
    law.ADOPTION_RELAXATION,
    law.VICTORY_POINTS,
    law.RULES_MUTABLE_MAXIMUM,
    law.JUDGMENT_JUDGE,
    law.STALEMATE_WINNER,
]
RELAXED = law.Relaxation(law.RelaxesAfter.CIRCUITS, 2, Agreement.SIMPLE_MAJORITY)

GOOD = [
    (law.PROPOSALS_NUMBERING, "forge", law.ForgeNumbers.FORGE),
    (law.PROPOSALS_NUMBERING, {"successive": 301}, law.Successive(301)),
    (law.CHANGES_KINDS, ["enact", "repeal"], frozenset({ChangeKind.ENACT, ChangeKind.REPEAL})),
    (law.CHANGES_KINDS, [], frozenset()),
    (law.PLAYERS_JOINING, "open", law.Joining.OPEN),
    (law.PLAYERS_INITIAL_POINTS, -5, -5),
    (law.PLAYERS_CONSULTING, "forbidden", law.Consulting.FORBIDDEN),
    (law.VOTES_EACH, 2, 2),
    (law.VOTES_PARTICIPATION, "required", law.Participation.REQUIRED),
    (law.VOTES_CLOSING, "decided", law.Closing.DECIDED),
    (law.VOTES_ABSENT, "against", law.Absent.AGAINST),
    (law.ADOPTION_RELAXATION, {"after-circuits": 2, "threshold": "simple-majority"}, RELAXED),
    (
        law.ADOPTION_RELAXATION,
        {"after-turns-each": 3, "threshold": "2/3"},
        law.Relaxation(law.RelaxesAfter.TURNS_EACH, 3, AtLeast(Fraction(2, 3))),
    ),
    (law.TURNS_ORDER, "by-surname", law.TurnOrder.BY_SURNAME),
    (law.TURNS_POINTS, "die", law.Die.DIE),
    (law.VICTORY_POINTS, 200, 200),
    (law.RULES_MUTABLE_MINIMUM, 0, 0),
    (law.RULES_MUTABLE_MAXIMUM, 25, 25),
    (law.SAFEGUARDS, ["points-win", "changeable"], frozenset(law.Safeguard)),
    (law.CONFLICTS_ORDER, "highest", law.ConflictsOrder.HIGHEST),
    (law.JUDGMENT_JUDGE, "chosen-by-mover", law.Judge.CHOSEN_BY_MOVER),
    (
        law.STALEMATE_WINNER,
        "first-unable-to-complete-a-turn",
        law.StalemateWinner.FIRST_UNABLE_TO_COMPLETE_A_TURN,
    ),
    *((key, "2w", 2 * WEEK) for key in DURATION_KEYS),
    *((key, "none", None) for key in NONE_KEYS),
    *((key, "unanimous", Agreement.UNANIMOUS) for key in THRESHOLD_KEYS),
    *((key, "simple-majority", Agreement.SIMPLE_MAJORITY) for key in THRESHOLD_KEYS),
    *((key, text, AtLeast(Fraction(2, 3))) for key in THRESHOLD_KEYS for text in ("2/3", "4/6")),
    (law.ADOPTION_THRESHOLD, "0.5", AtLeast(Fraction(1, 2))),
    (law.ADOPTION_THRESHOLD, "1/1", AtLeast(Fraction(1))),
    (law.ADOPTION_THRESHOLD, "1/2 + 1/10", Expression("1/2 + 1/10")),
    (law.ADOPTION_THRESHOLD, "votes_for > 2 * votes_against", Expression("votes_for>2*votes_against")),
    (law.ADOPTION_TRANSMUTATION, "adoption.threshold", None),
    *((key, number, Expression(str(number))) for key in POINT_KEYS for number in (0, 10, -10, 10**9)),
    *((key, "2.5", Expression("2.5")) for key in POINT_KEYS),
    *((key, "10 if votes_for > 2 else 0", Expression("10 if votes_for > 2 else 0")) for key in POINT_KEYS),
    (
        law.TURNS_POINTS,
        "(proposal + 9) * votes_for / votes_cast",
        Expression("(proposal+9)*votes_for/votes_cast"),
    ),
]

REFUSED_THRESHOLDS = ["3/2", "0/3", "2/0", "0.0", "1.5", "66%", "-1/2 +", "Unanimous"]

BAD = [
    (law.PROPOSALS_NUMBERING, "series", "write forge, or {successive: 301}"),
    (law.PROPOSALS_NUMBERING, {"successive": 0}, "whole number from 1"),
    (law.PROPOSALS_NUMBERING, {"successive": True}, "true is not a whole number"),
    (law.PROPOSALS_NUMBERING, {"successive": 1, "from": 2}, "a mapping is no numbering"),
    (law.CHANGES_KINDS, "enact", "is not a list: write some of [enact, amend, repeal, transmute]"),
    (law.CHANGES_KINDS, ["enact", "enact"], "twice"),
    (law.CHANGES_KINDS, ["edit"], "'edit' is not one of its values: enact, amend, repeal, transmute"),
    (law.CHANGES_KINDS, [["enact"]], "a list is not one of its values"),
    (law.PLAYERS_JOINING, "Open", "'Open' is not one of its values: open, vote, closed"),
    (law.PLAYERS_JOINING, " open", "open, vote, closed"),
    (law.PLAYERS_JOINING, "open\n", r"'open\n' is not"),
    (law.PLAYERS_JOINING, "\u202eopen", r"'\u202eopen' is not"),
    (law.PLAYERS_JOINING, "x" * 10_000, "…' is not"),
    (law.PLAYERS_JOINING, {"open": 1}, "a mapping is not"),
    (law.PLAYERS_JOINING, "none", "open, vote, closed"),
    (law.PLAYERS_INITIAL_POINTS, "5", "'5' is not a whole number"),
    (
        law.PLAYERS_INITIAL_POINTS,
        10**9 + 1,
        "a number as large as that is not a whole number from -1000000000",
    ),
    (law.VOTES_EACH, 0, "0 is not a whole number from 1"),
    (law.VOTES_EACH, True, "true is not a whole number"),
    (law.ADOPTION_RELAXATION, "simple-majority", "after-turns-each: 2, threshold: simple-majority}, or none"),
    (law.ADOPTION_RELAXATION, {"after-circuits": 2}, "a mapping is no relaxation"),
    (law.ADOPTION_RELAXATION, {"after-circuits": 0, "threshold": "unanimous"}, "0 is not a whole number"),
    (law.ADOPTION_RELAXATION, {"after-circuits": 2, "threshold": "1"}, "'1' is not a threshold"),
    (
        law.ADOPTION_RELAXATION,
        {"after-circuits": 2, "after-turns-each": 2, "threshold": "unanimous"},
        "a mapping is no relaxation",
    ),
    (law.TURNS_POINTS, "dice", "has 'dice' in it"),
    (law.TURNS_POINTS, "none", "; or write die"),
    (law.VICTORY_POINTS, 0, "or none"),
    (law.RULES_MUTABLE_MINIMUM, -1, "whole number from 0"),
    (law.RULES_MUTABLE_MINIMUM, "none", "whole number from 0"),
    (law.SAFEGUARDS, "none", "is not a list: write some of [points-win, changeable]"),
    (law.JUDGMENT_JUDGE, "alice", "preceding-player, chosen-by-mover, or none"),
    *((key, found, "36h, 7d, 2w, or none") for key in DURATION_KEYS for found in ("0d", "soon", 7, True)),
    *(
        (key, found, "is not a threshold")
        for key in THRESHOLD_KEYS
        for found in (*REFUSED_THRESHOLDS, "1", " 1 ", 1, 0, True, [], {})
    ),
    *((key, "votes_for > 3", "true or false, not points") for key in POINT_KEYS),
    *((key, found, "or an expression") for key in POINT_KEYS for found in (True, [], {}, 10**10)),
]


def test_the_keys_their_order_and_their_defaults_are_those_of_the_design_with_players_leave_beside():
    defaults = {
        "proposals.numbering": "forge",
        "changes.kinds": ["enact", "amend", "repeal", "transmute"],
        "debate.minimum": "none",
        "players.joining": "vote",
        "players.admission": "simple-majority",
        "players.initial-points": 0,
        "players.consulting": "allowed",
        "players.leave": "forbidden",
        "votes.each": 1,
        "votes.participation": "optional",
        "votes.closing": "all-voted",
        "votes.deadline": "none",
        "votes.absent": "abstain",
        "adoption.threshold": "unanimous",
        "adoption.relaxation": "none",
        "adoption.transmutation": "adoption.threshold",
        "turns.order": "open",
        "turns.deadline": "none",
        "turns.pause": "none",
        "turns.points": 0,
        "dissent.points": 0,
        "defeat.points": 0,
        "victory.points": "none",
        "rules.mutable.minimum": 0,
        "rules.mutable.maximum": "none",
        "safeguards": [],
        "conflicts.order": "lowest",
        "judgment.judge": "none",
        "judgment.overruling": "unanimous",
        "judgment.consent": "simple-majority",
        "stalemate.winner": "none",
    }
    assert [(name, key.plain(key.default)) for name, key in law.KEYS.items()] == list(defaults.items())


@pytest.mark.parametrize("key", law.KEYS.values(), ids=lambda key: key.name)
def test_a_default_can_be_provided_by_a_rule_as_it_is_shown(key):
    assert key.read(key.plain(key.default)) == key.default


@pytest.mark.parametrize(("key", "found", "value"), GOOD)
def test_a_value_is_read_and_written_back(key, found, value):
    assert key.read(found) == value
    assert hash(key.read(found)) == hash(value)
    assert key.read(key.plain(value)) == value


@pytest.mark.parametrize(("key", "found", "what"), BAD)
def test_anything_else_is_refused_and_says_what_is_allowed(key, found, what):
    with pytest.raises(Unreadable) as refused:
        key.read(found)
    message = str(refused.value)
    assert what in message
    assert message.isprintable()
    assert len(message) < 700


def test_a_number_too_long_to_print_is_refused_like_any_other():
    with pytest.raises(Unreadable, match="a number as large as that"):
        law.PLAYERS_INITIAL_POINTS.read(10**9999)


def test_every_key_says_in_a_sentence_what_it_means():
    for key in law.KEYS.values():
        assert key.meaning.endswith(".")
        assert "\n" not in key.meaning
    assert len({key.meaning for key in law.KEYS.values()}) == len(law.KEYS)


def test_a_key_is_known_by_its_name():
    assert law.KEYS["votes.each"] == law.VOTES_EACH
    assert law.VOTES_DEADLINE != law.TURNS_DEADLINE
    assert {law.VOTES_EACH: 1}[law.KEYS["votes.each"]] == 1


def test_points_written_as_numbers_are_shown_as_numbers():
    assert law.DEFEAT_POINTS.plain(Expression("-10")) == -10
    assert law.DEFEAT_POINTS.plain(Expression("9" * 30)) == "9" * 30
    assert law.DEFEAT_POINTS.plain(Expression("1 + 1")) == "1 + 1"


WORDS = st.sampled_from([*(str(found) for _, found, _ in GOOD), *law.RelaxesAfter, "threshold", "successive"])
PLAINS = st.recursive(
    st.one_of(st.booleans(), st.integers(), st.text(), WORDS),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(WORDS, inner, max_size=3)),
    max_leaves=6,
)


@given(st.sampled_from(list(law.KEYS.values())), PLAINS)
def test_any_plain_value_is_read_or_refused_in_one_line(key, found):
    try:
        value = key.read(found)
    except Unreadable as refused:
        message = str(refused)
    else:
        message = "read"
        assert key.read(key.plain(value)) == value
    assert message.isprintable()
