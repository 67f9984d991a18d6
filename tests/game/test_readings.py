"""How the documents are read where they leave room (design section 9), as far as no other room proves it."""

from __future__ import annotations

from table import (
    AGAINST,
    FOR,
    amend,
    amend_to,
    enact,
    github,
    law,
    play,
    proposal,
    repeal,
    scores,
    seated,
    standing,
    told,
    with_seats,
)

from nomic_git.game.event import ChangeRecord
from nomic_git.game.proposal import Stage
from nomic_git.law.kinds import ChangeKind
from nomic_git.law.provisions import ADOPTION_THRESHOLD
from nomic_git.law.rule import Status
from nomic_git.law.rule_change import RuleChange
from nomic_git.law.threshold import Agreement

PLAYERS = ("alice", "bob", "carol")
ALL = tuple((login, FOR, 2) for login in PLAYERS)


def test_a_rule_that_is_repealed_and_enacted_again_is_a_new_rule_with_its_proposals_number():
    before = seated(github(), *PLAYERS)
    old = before.law.rulebook.rules[-106]
    gone, _ = play(before, [proposal(11, "alice", repeal(github(), -106), *ALL)])
    same = RuleChange(ChangeKind.ENACT, None, Status.MUTABLE, None, old.source, None, "the same bytes")
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
