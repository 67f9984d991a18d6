"""Games in which players go away and come back at random: whenever the referee looks, the same comes of it."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st
from table import enact, github, leave, play, proposal, rule, seated, standing, told

from nomic_git.game.player import read_player
from nomic_git.game.position import Position
from nomic_git.game.proposal import Proposal, Stage
from nomic_git.game.replay import follow
from nomic_git.game.vote import Vote
from nomic_git.law.precedence import read_law
from nomic_git.law.rule_change import Absence

PEOPLE = ("alice", "bob", "carol")
MAY = read_law(
    github()
    .rulebook.with_rule(rule(-120, "players.leave: allowed"))
    .with_rule(rule(-110, "adoption.threshold: simple-majority", "votes.closing: decided"))
)
CHANGES = {
    "away": lambda login: Absence(login, b"---\naway: true\n---\n", away=True),
    "back": lambda login: Absence(login, b"", away=False),
    "forfeit": leave,
    "enact": lambda _: enact(),
}


@st.composite
def schedules(draw: st.DrawFn) -> list[Proposal]:
    """What players want and say up to the twentieth second; numbers are given in the order of time."""
    what = st.sampled_from(["away", "away", "back", "back", "enact", "enact", "enact", "forfeit"])
    made = draw(st.lists(st.tuples(what, st.sampled_from(PEOPLE), st.integers(1, 20)), min_size=1, max_size=8))
    vote = st.tuples(st.sampled_from(PEOPLE), st.sampled_from([Vote.FOR, Vote.AGAINST]), st.integers(1, 20))
    return [
        proposal(forge, login, CHANGES[kind](login), *draw(st.lists(vote, max_size=4)), ready=at)
        for forge, (kind, login, at) in enumerate(sorted(made, key=lambda one: one[2]), 1)
    ]


def table() -> Position:
    position = seated(MAY, *PEOPLE)
    return replace(position, players={login: read_player(login, b"") for login in PEOPLE})


@settings(max_examples=100, deadline=None)
@given(schedules(), st.sets(st.integers(1, 20)))
def test_whenever_the_referee_comes_by_the_same_comes_of_it(proposals, visits):
    _, at_once = play(table(), proposals, 20)
    position, events = table(), []
    for now in sorted({*visits, 20}):
        position, more = play(position, proposals, now)
        events += more
    assert events == at_once


@settings(max_examples=100, deadline=None)
@given(schedules())
def test_what_comes_of_it_can_be_replayed_and_the_files_say_who_is_away(proposals):
    there, events = play(table(), proposals, 20)
    position = table()
    for event in events:
        found = follow(position, event, next(one.reading for one in proposals if one.forge == event.proposal))
        assert isinstance(found, Position), (told(events), event, found)
        position = found
        assert {seat.login: seat.is_away for seat in position.state.seats} == {
            login: player.away for login, player in position.players.items()
        }
    assert position.state == there.state
    voting = [one for one in standing(there, proposals, 20).values() if one.stage is Stage.VOTING]
    assert all(len(one.result.count.eligible) > 1 for one in voting if one.result is not None)
