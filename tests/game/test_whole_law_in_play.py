"""Whatever the law provides: the same history whenever the referee looks, and the audit follows every event."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule
from schedules import (
    END,
    MOMENTS,
    RULINGS,
    SURNAMES,
    circuits,
    law_of,
    laws,
    line,
    look,
    looks,
    readings,
    request,
    schedules,
    table_of,
)
from table import AGAINST, BACK, FOR, ballot, enact, proposal, standing

from nomic_git.game import turns
from nomic_git.game.event import EventKind
from nomic_git.game.judgment import Move, Plea
from nomic_git.game.proposal import Stage

if TYPE_CHECKING:
    from nomic_git.game.event import Event
    from nomic_git.game.position import Position
    from nomic_git.game.proposal import Proposal

FORGE = "proposals.numbering: forge"
SERIES = "proposals.numbering: {successive: 301}"


@settings(max_examples=90, deadline=None)
@given(st.data(), laws(), st.sets(MOMENTS), st.integers(2, 4))
def test_whenever_the_referee_comes_by_the_history_is_the_same(data, drawn, visits, players):
    """What was taken back freely before anybody saw it never was: no request met at once, no invocation, no number.

    So requests stay here, and what judgment is spoken of; and numbers are the forge's, which are given anyway.
    """
    under = law_of(drawn, FORGE)
    the_same(under, data.draw(schedules(under)), visits, players)


@settings(max_examples=60, deadline=None)
@given(st.data(), laws(), st.sets(MOMENTS), st.integers(2, 4))
def test_so_it_is_with_the_numbers_of_a_series_where_no_vote_opens_and_ends_unseen(data, drawn, visits, players):
    under = law_of(drawn, SERIES)
    the_same(under, data.draw(schedules(under, steady=True)), visits, players)


@settings(max_examples=60, deadline=None)
@given(st.data(), laws(), st.sets(MOMENTS), st.integers(2, 4), st.sampled_from([FORGE, SERIES]))
def test_so_it_is_where_players_take_their_turns_and_go_to_court(data, drawn, visits, players, numbering):
    under = law_of(drawn, numbering)
    the_same(under, data.draw(circuits(under, players)), visits, players)


def the_same(under, proposals, visits, players, nameless=()):
    position = table_of(under, players, nameless)
    there, at_once = look(position, proposals, END)
    other, events = looks(position, proposals, sorted({*visits, END}))
    assert [line(one) for one in events] == [line(one) for one in at_once]
    assert other.state == there.state


@settings(max_examples=60, deadline=None)
@given(st.data(), laws(), st.sets(MOMENTS), st.integers(2, 4))
def test_the_audit_follows_every_event_of_a_series_too(data, drawn, visits, players):
    under = law_of(drawn, SERIES)
    position, _ = looks(table_of(under, players), data.draw(schedules(under, judged_too=True)), sorted({*visits, END}))
    assert position.state.time <= END


PICK = st.integers(0, 1000)
WHO = st.sampled_from(tuple(SURNAMES))
NUMBERING = st.sampled_from([FORGE, SERIES])


@settings(max_examples=60, deadline=None)
@given(st.data(), laws(), st.sets(MOMENTS), st.integers(2, 4), st.sets(WHO))
def test_so_it_is_where_players_give_their_surnames_between_turns(data, drawn, visits, players, nameless):
    under = law_of(drawn, FORGE, "turns.order: by-surname")
    asked = [
        proposal(100 + at, who, request("surname", who), ready=data.draw(MOMENTS)) for at, who in enumerate(nameless)
    ]
    the_same(under, [*data.draw(circuits(under, players)), *asked], visits, players, nameless)


class Table(RuleBasedStateMachine):
    """People play by the law as it has become, take their quarrels to court, come and go; the referee comes by.

    What was proposed stays open here, so that the history must be the same whenever the referee looked.
    """

    position: Position

    @initialize(drawn=laws(), players=st.integers(2, 4), numbering=NUMBERING, nameless=st.sets(WHO, max_size=2))
    def found(self, drawn, players, numbering, nameless):
        self.clock = 30
        self.begun = self.position = table_of(law_of(drawn, numbering), players, nameless)
        self.proposals: dict[int, Proposal] = {}
        self.events: list[Event] = []
        self.laws = {}

    def teardown(self):
        if not hasattr(self, "position"):
            return
        self.referee_comes()
        there, events = look(self.begun, self.made(), self.clock - 30)
        assert [line(one) for one in events] == [line(one) for one in self.events]
        assert there.state == self.position.state
        self.judgments_end()
        self.turns_end()
        self.everybody_may_leave()

    def made(self):
        return tuple(self.proposals.values())

    def open(self, author, change, *, votes=()):
        forge = len(self.proposals) + 1
        one = proposal(forge, author, change, ready=self.clock)
        self.proposals[forge] = one
        self.cast(one, votes)

    def cast(self, one, votes):
        given = [(who, vote) for who, vote in votes if who != one.author or vote is not FOR]
        made = [ballot(one, who, vote, self.clock) for who, vote in given]
        named = [replace(each, id=f"{one.forge}v{len(one.ballots) + at}") for at, each in enumerate(made)]
        self.proposals[one.forge] = replace(one, ballots=(*one.ballots, *named))

    def say(self, forge, move, said="", who=tuple(SURNAMES)):
        one = self.proposals[forge]
        more = (Plea(each, move, self.clock, said) for each in who)
        self.proposals[forge] = replace(one, pleas=(*one.pleas, *more))

    @precondition(lambda self: self.position.state.seats)
    @rule(data=st.data(), pick=PICK, votes=st.lists(st.sampled_from([FOR, FOR, FOR, AGAINST]), max_size=5))
    def move(self, data, pick, votes):
        seats = self.position.state.seats
        author = turns.mover(self.position) or seats[pick % len(seats)].login
        self.open(author, data.draw(readings(self.position.law)), votes=zip(SURNAMES, votes, strict=False))

    @rule(data=st.data(), author=WHO)
    def move_out_of_turn(self, data, author):
        self.open(author, data.draw(readings(self.position.law)))

    @rule(what=st.sampled_from(["join", "join", "leave", "away", "back", "surname"]), who=WHO)
    def come_and_go(self, what, who):
        self.open(who, request(what, who))

    @precondition(lambda self: self.proposals)
    @rule(pick=PICK, votes=st.lists(st.sampled_from([FOR, FOR, FOR, AGAINST, BACK]), min_size=5, max_size=5))
    def vote(self, pick, votes):
        one = list(self.proposals.values())[-1 - pick % min(4, len(self.proposals))]
        self.cast(one, zip(SURNAMES, votes, strict=True))

    def spoken_of(self, pick):
        state = self.position.state
        open_ = [state.judgment.proposal] if state.judgment else []
        lately = [state.lately.proposal] if state.lately else []
        numbers = [*open_, *lately, len(self.proposals)]
        return numbers[pick % len(numbers)]

    @precondition(lambda self: self.proposals)
    @rule(pick=PICK, who=st.lists(WHO, min_size=1, max_size=2))
    def invoke(self, pick, who):
        self.say(self.spoken_of(pick), Move.INVOKE, "Is it legal?", who)

    @precondition(lambda self: self.proposals)
    @rule(pick=PICK, move=st.sampled_from(Move), judge=WHO, ruling=RULINGS, visit=st.booleans())
    def plead(self, pick, move, judge, ruling, visit):
        said = {Move.INVOKE: "And now?", Move.ASK: judge, Move.RULE: ruling}.get(move, "")
        self.say(self.spoken_of(pick), move, said)
        if visit:
            self.referee_comes()

    @rule(halves=st.sampled_from([1, 1, 2, 10]))
    def wait(self, halves):
        self.clock += 30 * halves

    @rule()
    def referee_comes(self):
        """What is said after the referee has looked is said later."""
        self.position, events = look(self.position, self.made(), self.clock, self.laws)
        self.events += events
        assert look(self.position, self.made(), self.clock, self.laws)[1] == [], "a second pass changes nothing"
        self.clock += 30

    def judgments_end(self):
        """Every judgment ends when those whose part it is do it: the asker, the Judge, another player."""
        for judge in SURNAMES:
            judgment = self.position.state.judgment
            if judgment is None or self.position.state.winner is not None:
                return
            for move, said in ((Move.ASK, judge), (Move.RULE, "legal"), (Move.UPHOLD, "")):
                self.say(judgment.proposal, move, said)
                self.referee_comes()
        state = self.position.state
        assert state.judgment is None or state.winner is not None or state.playing is None

    def turns_end(self):
        """No turn sticks: where whose turn it is can move, and everybody votes, it ends."""
        for away in [seat.login for seat in self.position.state.seats if seat.is_away]:
            self.open(away, request("back", away))
        self.referee_comes()
        state = self.position.state
        if state.winner is not None or state.playing is None:
            return
        author = turns.mover(self.position) or state.seats[0].login
        for one in self.made():
            if one.author == author and one.forge not in state.resolved:
                ended = tuple(replace(its, until=self.clock) for its in one.ready)
                self.proposals[one.forge] = replace(one, ready=ended, withdrawn=self.clock)
        before = {seat.login: seat.turns for seat in state.seats}
        for _ in range(2):
            self.open(author, enact(words="The last words."), votes=[(one, FOR) for one in SURNAMES])
            self.clock += 600
            self.referee_comes()
        stages = {one.stage for one in standing(self.position, self.made(), self.clock).values()}
        state = self.position.state
        moved = any(seat.turns > before.get(seat.login, 0) for seat in state.seats)
        assert moved or state.winner or state.playing is None or Stage.BLOCKED in stages

    def everybody_may_leave(self):
        """Nobody is kept in the game, also where somebody has won."""
        seats, first = self.position.state.seats, len(self.events)
        for seat in seats:
            self.open(seat.login, request("leave", seat.login))
        self.referee_comes()
        left = [one.player for one in self.events[first:] if one.kind is EventKind.FORFEITED]
        assert {*left} >= {seat.login for seat in seats}


TestTable = pytest.mark.filterwarnings("default")(Table.TestCase)
Table.TestCase.settings = settings(
    max_examples=40, stateful_step_count=25, deadline=None, suppress_health_check=list(HealthCheck)
)
