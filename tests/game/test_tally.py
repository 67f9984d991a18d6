"""Who may vote, whose vote counts, and when that is enough (105, 203, 207; design section 4)."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from table import AGAINST, BACK, FOR, enact, github, law, proposal, seated, standing, transmute, with_seats

from nomic_git.game.docket import Standing
from nomic_git.game.poll import Result
from nomic_git.game.tally import Count, Outcome, judge, needed, requirement, settled
from nomic_git.game.vote import Uncounted, Vote
from nomic_git.law.precedence import Law
from nomic_git.law.provisions import Closing
from nomic_git.law.threshold import Agreement, AtLeast

PLAYERS = ("alice", "bob", "carol", "dave")


def result(under: Law, *votes, now: int = 100, players=PLAYERS, **facts) -> Result:
    one = proposal(1, "alice", enact(), *votes, **facts)
    found: Standing = standing(seated(under, *players), [one], now)[1]
    assert found.result is not None
    return found.result


def why(of: Result) -> dict[str, Uncounted]:
    return {one.player: one.reason for one in of.count.uncounted}


def test_the_authors_vote_is_for_unless_the_author_says_otherwise():
    assert result(law()).count.supporters == ("alice",)
    assert result(law(), ("alice", AGAINST, 2)).count.opponents == ("alice",)
    assert result(law(), ("alice", AGAINST, 2), ("alice", FOR, 3, "an earlier text")).count.supporters == ("alice",)


@pytest.mark.parametrize(
    ("votes", "column"),
    [
        ([("bob", FOR, 2)], "for"),
        ([("bob", FOR, 2), ("bob", AGAINST, 3)], "against"),
        ([("bob", AGAINST, 2), ("bob", FOR, 3)], "for"),
        ([("bob", AGAINST, 3), ("bob", FOR, 2)], "against"),
        ([("bob", AGAINST, 2, "an earlier text")], "against"),
        ([("BOB", FOR, 2)], "for"),
        ([("bob", FOR, 2), ("bob", BACK, 3)], Uncounted.TAKEN_BACK),
        ([("bob", BACK, 2), ("bob", FOR, 3)], "for"),
        ([("bob", FOR, 2, "an earlier text")], Uncounted.EARLIER_TEXT),
        ([("bob", FOR, 2, None)], Uncounted.EARLIER_TEXT),
        ([("bob", AGAINST, 2), ("bob", FOR, 3, "an earlier text")], Uncounted.EARLIER_TEXT),
        ([("bob", FOR, 101)], Uncounted.NOT_YET),
    ],
)
def test_the_latest_vote_counts_if_it_counts_at_all(votes, column):
    found = result(law(), *votes)
    assert ("bob" in found.count.supporters) == (column == "for")
    assert ("bob" in found.count.opponents) == (column == "against")
    waited_for = isinstance(column, Uncounted)
    assert ("bob" in found.count.waiting_for) == waited_for
    assert why(found) == ({"bob": column} if waited_for else {})


def test_a_vote_taken_back_in_the_last_second_keeps_the_vote_open():
    votes = [("bob", FOR, 2), ("carol", FOR, 3), ("dave", FOR, 4), ("carol", BACK, 4)]
    found = result(law(), *votes)
    assert found.outcome is None
    assert found.count.waiting_for == ("carol",)


def test_who_is_no_player_or_joined_later_has_no_vote():
    position = with_seats(seated(law(), *PLAYERS), dave={"joined": 2})
    one = proposal(1, "alice", enact(), ("eve", FOR, 2), ("Eve", AGAINST, 3), ("dave", FOR, 3), ready=1)
    found = standing(position, [one])[1]
    assert found.result is not None
    assert why(found.result) == {"Eve": Uncounted.NOT_A_PLAYER, "dave": Uncounted.JOINED_LATER}
    assert found.result.count.eligible == ("alice", "bob", "carol")


def count(yes: int, no: int, of: int, each: int = 1) -> Count:
    names = tuple(f"p{number}" for number in range(of))
    return Count(names, names[:yes], names[yes : yes + no], each)


def facts(votes: Count) -> dict[str, int]:
    cast = votes.votes_for + votes.votes_against
    return {
        "proposal": 12,
        "votes_for": votes.votes_for,
        "votes_against": votes.votes_against,
        "votes_cast": cast,
        "eligible": len(votes.eligible),
        "players": len(votes.eligible),
        "turn": 1,
        "circuit": 1,
    }


def outcome(threshold: str, closing: Closing, votes: Count) -> Outcome | None:
    required = requirement(law(f"adoption.threshold: {threshold}"), enact())
    return settled(required, closing, votes, facts(votes))


def suffices(threshold: str, yes: int, of: int) -> bool:
    if threshold == Agreement.UNANIMOUS:
        return yes == of
    if threshold == Agreement.SIMPLE_MAJORITY:
        return yes > of / 2
    return Fraction(yes, of) >= Fraction(threshold)


EVERY_SPLIT = [(yes, no, of) for of in range(1, 10) for yes in range(of + 1) for no in range(of - yes + 1)]
THRESHOLDS = ["unanimous", "simple-majority", "1/2", "2/3", "3/4", "0.6", "1/1"]


@pytest.mark.parametrize("threshold", THRESHOLDS)
def test_when_all_have_voted_the_threshold_alone_decides(threshold):
    for yes, no, of in EVERY_SPLIT:
        for closing in Closing:
            found = outcome(threshold, closing, count(yes, no, of))
            if yes + no == of:
                assert found is (Outcome.ADOPTED if suffices(threshold, yes, of) else Outcome.DEFEATED)
            elif closing is Closing.ALL_VOTED:
                assert found is None


@pytest.mark.parametrize("threshold", THRESHOLDS)
def test_a_vote_that_is_decided_early_ends_as_it_must_have_ended(threshold):
    for yes, no, of in EVERY_SPLIT:
        found = outcome(threshold, Closing.DECIDED, count(yes, no, of))
        ends = {suffices(threshold, yes + more, of) for more in range(of - yes - no + 1)}
        if found is not None:
            assert ends == {found is Outcome.ADOPTED}, (yes, no, of)


def test_with_unanimity_the_first_vote_against_decides_and_nothing_less():
    for yes, no, of in EVERY_SPLIT:
        found = outcome("unanimous", Closing.DECIDED, count(yes, no, of))
        assert found is (Outcome.DEFEATED if no else Outcome.ADOPTED if yes == of else None)


def test_a_simple_majority_is_more_than_half_on_either_side():
    for yes, no, of in EVERY_SPLIT:
        found = outcome("simple-majority", Closing.DECIDED, count(yes, no, of))
        if 2 * yes > of:
            assert found is Outcome.ADOPTED
        elif 2 * no > of or yes + no == of:
            assert found is Outcome.DEFEATED
        else:
            assert found is None


@pytest.mark.parametrize("threshold", ["2/3", "1/2", "1/1"])
def test_a_fraction_is_decided_as_soon_as_it_is_reached_or_out_of_reach(threshold):
    for yes, no, of in EVERY_SPLIT:
        found = outcome(threshold, Closing.DECIDED, count(yes, no, of))
        ends = {suffices(threshold, yes + more, of) for more in range(of - yes - no + 1)}
        assert (found is not None) == (len(ends) == 1)


def test_two_of_four_are_no_majority_and_a_tie_defeats():
    assert outcome("simple-majority", Closing.DECIDED, count(2, 0, 4)) is None
    assert outcome("simple-majority", Closing.DECIDED, count(0, 2, 4)) is None
    assert outcome("simple-majority", Closing.DECIDED, count(2, 2, 4)) is Outcome.DEFEATED
    assert outcome("1/2", Closing.DECIDED, count(2, 0, 4)) is Outcome.ADOPTED


def test_several_votes_each_weigh_but_change_no_outcome():
    found = result(law("votes.each: 3", "adoption.threshold: simple-majority"), ("bob", AGAINST, 2), ("carol", FOR, 3))
    assert (found.count.votes_for, found.count.votes_against, found.count.votes) == (6, 3, 12)
    assert found.outcome is None
    for yes, no, of in EVERY_SPLIT:
        one, three = count(yes, no, of), count(yes, no, of, each=3)
        for threshold in THRESHOLDS:
            assert outcome(threshold, Closing.DECIDED, one) is outcome(threshold, Closing.DECIDED, three)


@pytest.mark.parametrize(
    ("threshold", "yes", "no", "adopted"),
    [
        ("votes_for > 2 * votes_against", 3, 1, True),
        ("votes_for > 2 * votes_against", 2, 2, False),
        ("2 / 3", 3, 1, True),
        ("(1 + turn) / eligible", 2, 2, True),
        ("(2 + turn) / eligible", 2, 2, False),
    ],
)
def test_an_expression_decides_when_all_have_voted(threshold, yes, no, adopted):
    for closing in Closing:
        assert outcome(f'"{threshold}"', closing, count(yes, no, 4)) is (
            Outcome.ADOPTED if adopted else Outcome.DEFEATED
        )
        assert outcome(f'"{threshold}"', closing, count(yes, no, 5)) is None


def test_an_expression_that_fails_leaves_the_word_to_the_next_rule_and_last_to_the_default():
    failing = 'adoption.threshold: "1 / (votes_cast - votes_cast)"'
    votes = count(3, 1, 4)
    alone = judge(requirement(law(failing), enact()), votes, facts(votes))
    assert (alone.threshold, alone.rule, alone.suffices) == (Agreement.UNANIMOUS, None, False)
    assert [number for number, _ in alone.failed] == [-101]
    followed = judge(requirement(law(failing, "adoption.threshold: 3/4"), enact()), votes, facts(votes))
    assert (followed.threshold, followed.rule, followed.suffices) == (AtLeast(Fraction(3, 4)), -100, True)


def test_an_expression_that_fails_for_now_ends_no_vote_early():
    under = law(
        'adoption.threshold: "votes_for / votes_against > 5"',
        "adoption.threshold: simple-majority",
        "votes.closing: decided",
    )
    assert result(under, ("bob", FOR, 2), ("carol", FOR, 3)).outcome is None
    closed = result(under, ("bob", FOR, 2), ("carol", FOR, 3), ("dave", AGAINST, 4))
    assert (closed.outcome, closed.closed) == (Outcome.DEFEATED, 4)


def test_making_an_immutable_rule_mutable_has_its_own_threshold():
    under = github()
    assert requirement(under, transmute(under, -201)).key == "adoption.transmutation"
    assert requirement(under, transmute(under, -105)).key == "adoption.threshold"
    assert requirement(law(), transmute(under, -201)).key == "adoption.threshold"


def test_votes_of_one_instant_count_together():
    votes = [("bob", FOR, 2), ("carol", FOR, 2), ("dave", AGAINST, 2)]
    for closing in Closing:
        under = law("adoption.threshold: simple-majority", f"votes.closing: {closing}")
        found = result(under, *votes)
        assert (found.outcome, found.closed) == (Outcome.ADOPTED, 2)
        assert found.count.opponents == ("dave",)


def test_a_vote_after_the_last_is_too_late_and_changes_nothing():
    votes = [("bob", AGAINST, 2), ("bob", FOR, 3), ("carol", FOR, 3)]
    found = result(law("votes.closing: decided"), *votes)
    assert (found.outcome, found.closed) == (Outcome.DEFEATED, 2)
    assert found.count.opponents == ("bob",)
    assert [(one.player, one.vote, one.reason) for one in found.count.uncounted] == [
        ("bob", FOR, Uncounted.TOO_LATE),
        ("carol", FOR, Uncounted.TOO_LATE),
    ]


def test_votes_cast_before_voting_opens_count_from_its_opening():
    found = result(law("votes.closing: decided"), ("bob", AGAINST, 2), ready=7)
    assert (found.outcome, found.closed) == (Outcome.DEFEATED, 7)


def polled(under: Law, *said: Vote, of: int) -> Outcome | None:
    """How a vote of so many stands after so many of them have said something, the author first."""
    players = tuple(f"p{number}" for number in range(of))
    votes = [(player, vote, at) for at, (player, vote) in enumerate(zip(players, said, strict=False), 2)]
    one = proposal(1, "p0", enact(), *votes)
    found = standing(seated(under, *players), [one], 100)[1].result
    assert found is not None
    return found.outcome


@given(
    st.integers(2, 7),
    st.lists(st.sampled_from([FOR, AGAINST]), min_size=1, max_size=7),
    st.sampled_from(THRESHOLDS),
    st.sampled_from(Closing),
    st.integers(1, 3),
)
def test_what_is_said_to_be_needed_ends_the_vote_so_and_nothing_less_does(of, said, threshold, closing, each):
    under = law(f"adoption.threshold: {threshold}", f"votes.closing: {closing}", f"votes.each: {each}")
    said = said[:of]
    if polled(under, *said, of=of) is not None:
        return
    waiting = of - len(said)
    votes = count(said.count(FOR), said.count(AGAINST), of, each=each)
    found = needed(requirement(under, enact()), closing, votes, facts(votes))
    for vote, more, end in (
        (FOR, found.adopting, Outcome.ADOPTED),
        (AGAINST, found.defeating, Outcome.DEFEATED),
    ):
        ends = [polled(under, *said, *[vote] * added, of=of) for added in range(1, waiting + 1)]
        assert more == next((added for added, one in enumerate(ends, 1) if one is end), None)
        assert more is None or more <= waiting
        assert more is None or ends[: more - 1] == [None] * (more - 1)


@pytest.mark.parametrize(
    ("threshold", "yes", "no", "of", "adopting", "defeating"),
    [
        ("simple-majority", 0, 1, 2, None, 1),
        ("simple-majority", 1, 0, 2, 1, 1),
        ("simple-majority", 1, 0, 5, 2, 3),
        ("simple-majority", 2, 1, 5, 1, 2),
        ("simple-majority", 2, 2, 5, 1, 1),
        ("simple-majority", 0, 2, 4, None, 1),
        ("simple-majority", 1, 0, 4, 2, 3),
        ("2/3", 1, 0, 3, 1, 2),
        ("2/3", 2, 0, 5, 2, 2),
        ("unanimous", 1, 0, 4, 3, 1),
        ("1/2", 1, 1, 4, 1, 2),
    ],
)
def test_what_is_needed_is_never_more_than_may_still_vote(threshold, yes, no, of, adopting, defeating):
    votes = count(yes, no, of)
    required = requirement(law(f"adoption.threshold: {threshold}"), enact())
    found = needed(required, Closing.DECIDED, votes, facts(votes))
    assert (found.adopting, found.defeating) == (adopting, defeating)


VOTES = st.lists(
    st.tuples(
        st.sampled_from((*PLAYERS, "eve", "BOB")),
        st.sampled_from(Vote),
        st.integers(0, 12),
        st.sampled_from(["an earlier text", enact().text]),
    ),
    max_size=12,
)


@given(
    VOTES,
    st.sampled_from(["unanimous", "simple-majority", "2/3", '"votes_for > votes_against"', '"1 / votes_against"']),
    st.sampled_from(Closing),
    st.integers(0, 15),
    st.integers(0, 15),
)
def test_whenever_it_is_looked_at_a_closed_vote_ended_so_and_then(votes, threshold, closing, soon, later):
    under = law(f"adoption.threshold: {threshold}", f"votes.closing: {closing}")
    early = result(under, *votes, now=1 + min(soon, later))
    late = result(under, *votes, now=1 + max(soon, later))
    if early.outcome is not None:
        assert (early.outcome, early.closed, early.verdict) == (late.outcome, late.closed, late.verdict)
        assert early.count.supporters == late.count.supporters
        assert early.count.opponents == late.count.opponents
    elif late.closed is not None:
        assert late.closed > 1 + min(soon, later)


@given(VOTES, st.sampled_from(Closing))
def test_the_order_in_which_the_forge_tells_of_votes_matters_only_within_an_instant(votes, closing):
    under = law(f"votes.closing: {closing}")
    by_time = {(voter.casefold(), time): (voter, vote, time, text) for voter, vote, time, text in votes}
    once = list(by_time.values())
    assert result(under, *once).count.supporters == result(under, *reversed(once)).count.supporters
    assert result(under, *once).closed == result(under, *reversed(once)).closed


def test_of_what_is_cast_too_late_the_last_is_told_unless_it_counts_anyway():
    late = [("bob", FOR, 3), ("bob", FOR, 4), ("carol", FOR, 3), ("carol", AGAINST, 5), ("dave", FOR, 3)]
    found = result(law("votes.closing: decided"), ("carol", AGAINST, 1), ("bob", AGAINST, 2), *late, ready=2)
    assert found.count.opponents == ("bob", "carol")
    assert [(one.player, one.vote, one.reason) for one in found.count.uncounted] == [
        ("bob", FOR, Uncounted.TOO_LATE),
        ("dave", FOR, Uncounted.TOO_LATE),
    ]
