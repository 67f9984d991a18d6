"""Whole games of lawful and unlawful moves, played in memory by the github rulebook."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from table import (
    AGAINST,
    BACK,
    FOR,
    amend,
    amend_to,
    ballot,
    enact,
    github,
    join,
    leave,
    play,
    proposal,
    repeal,
    seated,
    standing,
    told,
    transmute,
)
from table import rule as written

from nomic_git.game import limits
from nomic_git.game.event import EventKind
from nomic_git.game.proposal import Period
from nomic_git.game.safeguards import breaches
from nomic_git.game.state import read_state, write_state
from nomic_git.law.kinds import ChangeKind
from nomic_git.law.precedence import read_law
from nomic_git.law.provisions import SAFEGUARDS, VICTORY_POINTS, Safeguard
from nomic_git.law.rule import Status, reworded
from nomic_git.law.rule_change import Improper, Impropriety, improper

if TYPE_CHECKING:
    from nomic_git.game.event import Event
    from nomic_git.game.position import Position
    from nomic_git.game.proposal import Proposal
    from nomic_git.law.precedence import Law
    from nomic_git.law.rule_change import Reading

PEOPLE = ("alice", "bob", "carol", "dave", "eve")
SERIES = "proposals.numbering: {successive: 301}"
PROVISIONS = (
    "adoption.threshold: simple-majority",
    "adoption.threshold: 2/3",
    'adoption.threshold: "votes_for > 1 / votes_against"',
    "adoption.relaxation: {after-turns-each: 1, threshold: 1/2}",
    "players.joining: open",
    "players.joining: closed",
    "votes.closing: decided",
    "votes.each: 3",
    "rules.mutable.maximum: 12",
    "rules.mutable.minimum: 12",
    "victory.points: 25",
    'turns.points: "proposal / (votes_against - 1)"',
    "dissent.points: 30",
    "victory.points: none",
    "changes.kinds: []",
    'adoption.threshold: "0 > 1"',
)
IMPROPER = Improper((improper(Impropriety.TWO_RULES, count=2),))
LAWS = (
    github(),
    read_law(github().rulebook.with_rule(written(-209, SERIES, status=Status.IMMUTABLE))),
    read_law(github().rulebook.with_rule(written(-110, PROVISIONS[3], "votes.closing: decided"))),
)
WHO = st.sampled_from((*PEOPLE, "Alice", "stranger"))
PICK = st.integers(0, 1000)
WORDS = st.sampled_from(("Some words.", "Other words.", "Odd words."))


def reading(under: Law, kind: ChangeKind, pick: int, provisions: list[str], words: str) -> Reading:
    """A rule-change of a kind, lawful under the law as it is; the pick says of which rule."""
    if kind is ChangeKind.ENACT:
        return enact(*provisions, words=words)
    mutable, every = under.rulebook.of(Status.MUTABLE), tuple(under.rulebook)
    if kind is ChangeKind.TRANSMUTE or not mutable:
        return transmute(under, every[pick % len(every)].number)
    old = mutable[pick % len(mutable)]
    if kind is ChangeKind.REPEAL:
        return repeal(under, old.number)
    if provisions:
        return amend(under, old.number, *provisions, words=words)
    return amend_to(under, old.number, reworded(old, words.encode()))


def changes(provisions: tuple[str, ...] = PROVISIONS) -> st.SearchStrategy:
    return st.tuples(st.sampled_from(ChangeKind), PICK, st.lists(st.sampled_from(provisions), max_size=1), WORDS)


class Game(RuleBasedStateMachine):
    """People do what they like at the forge; now and then the referee comes by."""

    position: Position

    @initialize(players=st.sampled_from([0, 1, 2, 2, 3, 3, 4, 5]), under=st.sampled_from(LAWS))
    def found(self, players, under):
        self.clock = 1
        self.position = seated(under, *PEOPLE[:players])
        self.proposals: dict[int, Proposal] = {}
        self.events: list[Event] = []
        self.issues = 0

    def _open(self, author, change, ready):
        self.issues += 1
        periods = [(self.clock, None)] if ready else []
        made = proposal(self.issues, author, change, ready=periods, submitted=self.clock)
        self.proposals[self.issues] = made

    @rule(author=WHO, change=changes((SERIES, *PROVISIONS)), ready=st.sampled_from([True, True, True, False]))
    def propose(self, author, change, ready):
        self._open(author, reading(self.position.law, *change), ready)

    @rule(author=WHO)
    def propose_nonsense(self, author):
        self._open(author, IMPROPER, True)

    @rule(login=WHO)
    def ask_to_join(self, login):
        self._open(login, join(login), True)

    @rule(login=WHO)
    def forfeit(self, login):
        self._open(login, leave(login), True)

    @rule(numbers=st.integers(1, 30))
    def write_of_other_things(self, numbers):
        self.issues += numbers

    def _one(self, pick) -> Proposal:
        return list(self.proposals.values())[pick % len(self.proposals)]

    def _set(self, one, **changes):
        self.proposals[one.forge] = replace(one, **changes)

    @precondition(lambda self: self.proposals)
    @rule(pick=PICK, voter=WHO, vote=st.sampled_from([FOR, FOR, AGAINST, BACK]), early=st.integers(0, 3))
    def vote(self, pick, voter, vote, early):
        one = self._one(pick)
        given_to = () if early else ("an earlier text",)
        self._set(one, ballots=(*one.ballots, ballot(one, voter, vote, self.clock, *given_to)))

    def _put_to_the_vote(self, pick, change, votes):
        """Somebody in the game proposes what is lawful now, and everybody votes on what they have open."""
        seats = self.position.state.seats
        author = seats[pick % len(seats)].login
        self._open(author, reading(self.position.law, *change), True)
        self.clock += 1
        for one in [one for one in self.proposals.values() if one.author == author]:
            cast = [ballot(one, seat.login, vote, self.clock) for seat, vote in zip(seats, votes, strict=False)]
            self._set(one, ballots=(*one.ballots, *cast))

    @precondition(lambda self: self.position.state.seats)
    @rule(pick=PICK, change=changes((SERIES, *PROVISIONS)))
    def agree(self, pick, change):
        self._put_to_the_vote(pick, change, [FOR] * len(PEOPLE))
        self.referee_comes()

    @precondition(lambda self: self.position.state.seats)
    @rule(
        pick=PICK,
        change=changes((SERIES, *PROVISIONS)),
        votes=st.lists(st.sampled_from([FOR, FOR, AGAINST]), min_size=5, max_size=5),
        visit=st.booleans(),
    )
    def disagree(self, pick, change, votes, visit):
        self._put_to_the_vote(pick, change, votes)
        if visit:
            self.referee_comes()

    @precondition(lambda self: self.proposals)
    @rule(pick=PICK, change=changes((SERIES, *PROVISIONS)))
    def push(self, pick, change):
        self._set(self._one(pick), reading=reading(self.position.law, *change))

    def _pausing(self, one) -> tuple[Period, ...]:
        return tuple(replace(its, until=self.clock) if its.until is None else its for its in one.ready)

    @precondition(lambda self: self.proposals)
    @rule(pick=PICK)
    def make_a_draft(self, pick):
        one = self._one(pick)
        self._set(one, ready=self._pausing(one))

    @precondition(lambda self: self.proposals)
    @rule(pick=PICK)
    def make_ready(self, pick):
        one = self._one(pick)
        if not one.is_ready and one.withdrawn is None:
            self._set(one, ready=(*one.ready, Period(self.clock)))

    @precondition(lambda self: self.proposals)
    @rule(pick=PICK)
    def close(self, pick):
        one = self._one(pick)
        if one.withdrawn is None:
            self._set(one, ready=self._pausing(one), withdrawn=self.clock)

    @rule(seconds=st.integers(1, 5))
    def wait(self, seconds):
        self.clock += seconds

    @rule()
    def referee_comes(self):
        before, now = self.position, self.clock
        self.position, events = play(before, self.proposals.values(), now)
        self.events += events

        shuffled = sorted(self.proposals.values(), key=lambda one: -one.forge)
        assert play(before, shuffled, now)[1] == events, "the order in which the forge lists them is nothing"
        assert all(before.state.time <= one.time <= now for one in events)
        assert play(self.position, self.proposals.values(), now)[1] == [], "a second pass changes nothing"
        assert play(self.position, self.proposals.values(), now + 9)[1] == [], "nor does a later one"

    @invariant()
    def events_come_in_the_order_of_time(self):
        times = [one.time for one in getattr(self, "events", ())]
        assert times == sorted(times)

    @invariant()
    def points_are_what_the_events_gave(self):
        if not hasattr(self, "events"):
            return
        state = self.position.state
        given = [(login.casefold(), points) for one in self.events for login, points in one.points]
        for seat in (*state.seats, *state.former):
            assert seat.points == sum(points for login, points in given if login == seat.login.casefold())

    @invariant()
    def no_number_is_given_twice(self):
        events = getattr(self, "events", ())
        numbers = {(one.proposal, one.number) for one in events if one.number is not None}
        assert len({number for _, number in numbers}) == len(numbers)
        became = [one.change.becomes for one in events if one.change is not None and one.change.becomes is not None]
        assert len(set(became)) == len(became)

    @invariant()
    def each_proposal_is_resolved_once_and_each_player_sits_once(self):
        if not hasattr(self, "events"):
            return
        resolved = [one.proposal for one in self.events if one.kind is not EventKind.PROPOSED and one.proposal]
        assert len(set(resolved)) == len(resolved)
        assert all(number in self.position.state.resolved for number in resolved)
        state = self.position.state
        seats = [seat.login.casefold() for seat in (*state.seats, *state.former)]
        assert len(set(seats)) == len(seats)
        assert {login.casefold() for login in self.position.players} == {s.login.casefold() for s in state.seats}

    @invariant()
    def the_rulebook_keeps_its_own_limits(self):
        if hasattr(self, "position"):
            assert limits.broken(self.position.law) == ()

    @invariant()
    def what_the_safeguards_keep_stays(self):
        """No provision that is proposed here gives them back once they are repealed."""
        if not hasattr(self, "position") or not self.position.state.seats:
            return
        law = self.position.law
        kept = law.value(SAFEGUARDS)
        assert Safeguard.POINTS_WIN not in kept or law.value(VICTORY_POINTS) is not None
        assert Safeguard.CHANGEABLE not in kept or not breaches(law, self.position.state)

    @invariant()
    def the_state_survives_being_written(self):
        if hasattr(self, "position"):
            assert read_state(write_state(self.position.state)) == self.position.state

    @invariant()
    def one_proposal_a_player_is_at_the_vote(self):
        if hasattr(self, "position"):
            voting = [
                one.proposal.author.casefold()
                for one in standing(self.position, self.proposals.values(), self.clock).values()
                if one.result is not None and one.result.required.key != "players.admission"
            ]
            assert len(set(voting)) == len(voting)


TestGame = pytest.mark.filterwarnings("default")(Game.TestCase)
Game.TestCase.settings = settings(
    max_examples=40, stateful_step_count=40, deadline=None, suppress_health_check=list(HealthCheck)
)


@st.composite
def schedules(draw: st.DrawFn) -> list[Proposal]:
    """Proposals whose whole fate at the forge is known, up to the twentieth second."""
    under, made = github(), []
    for _ in range(draw(st.integers(1, 6))):
        author = draw(st.sampled_from(PEOPLE))
        what = draw(st.sampled_from(["change"] * 6 + ["join", "leave", "nonsense"]))
        change = {"join": join(author), "leave": leave(author), "nonsense": IMPROPER}.get(what)
        if change is None:
            # The number of a series is given when the referee sees a vote open; one may open and end unseen.
            change = reading(under, *draw(changes()))
        # A request that is met at once, and was taken back before anybody looked, was never made.
        most = 1 if what in {"join", "leave"} else 4
        moments = sorted(draw(st.sets(st.integers(1, 20), min_size=1, max_size=most)))
        periods = [(since, until) for since, until in zip(moments[::2], [*moments[1::2], None], strict=False)]
        withdrawn = moments[-1] if len(moments) % 2 == 0 and draw(st.booleans()) else None
        votes = draw(
            st.lists(
                st.tuples(st.sampled_from(PEOPLE), st.sampled_from([FOR, FOR, AGAINST, BACK]), st.integers(1, 20)),
                max_size=8,
            )
        )
        made.append((author, change, votes, periods, withdrawn))
    # Numbers are given in the order in which proposals are made.
    made.sort(key=lambda one: one[3][0][0])
    return [
        proposal(forge, author, change, *votes, ready=periods, withdrawn=withdrawn)
        for forge, (author, change, votes, periods, withdrawn) in enumerate(made, 1)
    ]


def decided(event: Event) -> tuple[object, ...]:
    """What an event comes to; when voting on something that lapsed had opened may have gone unseen."""
    return event.time, event.change, event.supporters, event.opponents, event.points, event.failed


@settings(max_examples=200, deadline=None)
@given(schedules(), st.sets(st.integers(1, 20)), st.integers(2, 5))
def test_whenever_the_referee_comes_by_the_history_is_the_same(proposals, visits, players):
    position = seated(github(), *PEOPLE[:players])
    _, at_once = play(position, proposals, 20)
    events: list[Event] = []
    for now in sorted({*visits, 20}):
        position, more = play(position, proposals, now)
        events += more
    assert told(events) == told(at_once)
    assert [decided(one) for one in events] == [decided(one) for one in at_once]


@given(schedules())
def test_a_proposal_is_defeated_only_by_votes_or_by_giving_it_up(proposals):
    _, events = play(seated(github(), *PEOPLE), proposals, 20)
    lost = [one for one in events if one.kind is EventKind.DEFEATED and one.change is not None]
    assume(lost)
    for event in lost:
        about = next(one for one in proposals if one.forge == event.proposal)
        assert event.opponents or any(its.until is not None for its in about.ready)
