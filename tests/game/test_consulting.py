"""Who talked of a rule-change that is yet to be made, where only team-mates may (210)."""

from __future__ import annotations

from dataclasses import replace

import pytest
from table import AGAINST, FOR, enact, join, law, play, proposal, seated

from nomic_git.game.consulting import consulted
from nomic_git.game.docket import docket
from nomic_git.game.player import read_player

FORBIDDEN = law("players.consulting: forbidden")
SAID = [("bob", 50), ("Carol", 50), ("alice", 50), ("eve", 50)]


def named(proposals, about, said=SAID, position=None, now=60):
    position = position or seated(FORBIDDEN, "alice", "bob", "carol")
    standings = docket(position, proposals, now)
    standing = next(one for one in standings if one.proposal.forge == about)
    return consulted(position, standing, standings, said)


def test_talk_of_a_proposal_that_waits_for_its_authors_turn_is_named():
    two = [proposal(1, "alice", ready=10), proposal(2, "alice", enact(words="More."), ready=20)]
    assert named(two, 2) == ("bob", "carol")


def test_talk_of_a_draft_beside_another_proposal_is_named():
    two = [proposal(1, "alice", ready=10), proposal(2, "alice", enact(words="More."), ready=(), submitted=20)]
    assert named(two, 2) == ("bob", "carol")


def test_debate_on_what_is_voted_on_is_nobodys_business():
    assert named([proposal(1, "alice", ready=10)], 1) == ()


def test_debate_on_a_draft_whose_turn_it_is_is_wanted():
    assert named([proposal(1, "alice", ready=(), submitted=10), proposal(2, "bob", ready=10)], 1) == ()


@pytest.mark.parametrize("provision", ["players.consulting: allowed", "votes.each: 1"])
def test_where_consulting_is_allowed_nobody_is_named(provision):
    two = [proposal(1, "alice", ready=10), proposal(2, "alice", enact(words="More."), ready=20)]
    assert named(two, 2, position=seated(law(provision), "alice", "bob", "carol")) == ()


def test_team_mates_may_consult():
    position = seated(FORBIDDEN, "alice", "bob", "carol")
    files = {login: read_player(login, b"---\nteam: Red\n---\n") for login in ("alice", "bob")}
    position = replace(position, players={**position.players, **files})
    two = [proposal(1, "alice", ready=10), proposal(2, "alice", enact(words="More."), ready=20)]
    assert named(two, 2, position=position) == ("carol",)


def test_what_was_said_before_another_proposal_came_first_was_debate():
    two = [proposal(1, "alice", enact(words="More."), ready=(), submitted=5), proposal(2, "alice", ready=40)]
    assert named(two, 1, said=[("bob", 30), ("carol", 50)]) == ("carol",)


def test_what_was_said_in_the_authors_turn_before_was_debate():
    position = seated(FORBIDDEN, "alice", "bob", "carol")
    first = proposal(1, "alice", enact(), ("bob", AGAINST, 20), ("carol", FOR, 30), ready=10)
    position, _ = play(position, [first])
    rest = [proposal(2, "alice", ready=5), proposal(3, "alice", enact(words="More."), ready=6)]
    assert named(rest, 3, said=[("bob", 25), ("carol", 45)], position=position) == ("carol",)


def test_a_request_to_join_is_no_rule_change():
    assert named([proposal(1, "eve", join("eve"), ready=10)], 1) == ()
