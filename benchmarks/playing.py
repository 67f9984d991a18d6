"""Whole games in memory, by the functions that referee real ones: no repository, no forge, no Git.

What players do is in `benchmarks.players`; here they sit down, propose, vote and judge until somebody has won. The same
seed plays the same game.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha1
from random import Random
from typing import TYPE_CHECKING

from benchmarks.players import FEWEST, SURNAMES, lawful_change, temper
from nomic_git.game.bench import asker, could_judge, present_judge
from nomic_git.game.docket import Standing, docket
from nomic_git.game.event import Event, EventKind
from nomic_git.game.judging import court
from nomic_git.game.judgment import Move, Plea
from nomic_git.game.player import write_player
from nomic_git.game.position import Position
from nomic_git.game.proposal import Period, Proposal
from nomic_git.game.resolution import next_event
from nomic_git.game.tally import closing_of
from nomic_git.game.transition import after, founded
from nomic_git.game.turns import mover
from nomic_git.game.vote import Ballot, Vote
from nomic_git.law.provisions import Closing
from nomic_git.law.rule_change import RuleChange

if TYPE_CHECKING:
    from nomic_git.law.precedence import Law
    from nomic_git.law.rule import Rule

MOST_TURNS = 200
"""After so many turns nobody plays on, won or not."""

JUDGED = 1 / 50
"""The probability that somebody invokes judgment on a turn: half of the times before the vote, half after it."""

RULINGS = {"legal": 12, "illegal": 5, "words": 2, "undecided": 1}
"""How often Judges rule what."""

OVERRULED = 1 / 4
"""The probability that all the others overrule a Judge; else one of them upholds."""

OF_A_TURN = frozenset({EventKind.ADOPTED, EventKind.DEFEATED})
"""The events with which turns end in these games."""

_AT_ONCE = 3
"""The most players who propose beside each other where turns have no order."""

_FOUNDED = "0" * 40


@dataclass(frozen=True, slots=True)
class Step:
    """One event as it happened: the positions around it, what its proposal would change, what it restored."""

    before: Position
    event: Event
    change: RuleChange | None
    undone: Rule | None
    after: Position


@dataclass(slots=True)
class Table:
    """A game that is being played: who sits there, what is open, what happened, and what time it is, in seconds."""

    rng: Random
    position: Position
    tempers: Mapping[str, float]
    now: int = 0
    made: int = 0
    turns: int = 0
    open: dict[int, Proposal] = field(default_factory=dict)
    late: tuple[Plea, ...] = ()
    steps: list[Step] = field(default_factory=list)
    before: Law | None = None

    @property
    def is_over(self) -> bool:
        """Whether somebody has won, or the most turns were had."""
        return self.position.state.winner is not None or self.turns >= MOST_TURNS

    def round(self) -> None:
        """Play one turn; where turns have no order, those of several players beside each other."""
        for author in self._authors():
            self._propose(author)
        if self.rng.random() < JUDGED / 2:
            self._judge_before_the_vote(self.rng.choice(list(self.open)))
        for forge in list(self.open):
            self._vote(forge)
        self._referee_comes()
        self._withdraw_what_is_left()
        lately = self.position.state.lately
        if lately is not None and self.rng.random() < JUDGED / 2:
            self._judge(lately.proposal)

    def _authors(self) -> Sequence[str]:
        whose = mover(self.position)
        if whose is not None:
            return (whose,)
        return self.rng.sample(list(self.tempers), self.rng.randint(1, _AT_ONCE))

    def _propose(self, author: str) -> None:
        self.now += 1
        self.made += 1
        change = lawful_change(self.rng, self.position.law, self.made)
        head, ready = f"{self.made:040x}", (Period(self.now),)
        self.open[self.made] = Proposal(self.made, author, head, change, self.now, ready)

    def _vote(self, forge: int) -> None:
        """Let everybody but the author vote on a proposal: by a show of hands, or one by one where that can matter."""
        one, ballots = self.open[forge], []
        one_by_one = closing_of(self.position.law) is Closing.DECIDED
        self.now += 1
        for login in self.rng.sample(list(self.tempers), len(self.tempers)):
            if login != one.author:
                self.now += one_by_one
                vote = Vote.FOR if self.rng.random() < self.tempers[login] else Vote.AGAINST
                ballots.append(Ballot(login, vote, self.now, one.text, id=f"{forge}x{login}"))
        self.open[forge] = replace(one, ballots=tuple(ballots))

    def _withdraw_what_is_left(self) -> None:
        """Take back what was voted on and is blocked all the same, by a limit, a safeguard or another's adoption."""
        if not self.open or self.is_over:
            return
        self.now += 1
        for forge, one in self.open.items():
            ready = tuple(replace(period, until=self.now) for period in one.ready)
            self.open[forge] = replace(one, ready=ready, withdrawn=self.now)
        self._referee_comes()

    def _judge_before_the_vote(self, forge: int) -> None:
        """Have a proposal judged; if it is found illegal, its author writes another instead."""
        self._judge(forge)
        one = self.open[forge]
        if (forge, one.text) in self.position.state.struck:
            self.made += 1
            self.open[forge] = replace(one, reading=lawful_change(self.rng, self.position.law, self.made))

    def _judge(self, forge: int) -> None:
        """Invoke judgment on a proposal that is open, or whose turn ended last, and see it to its end (212)."""
        self._say(forge, self.rng.choice(list(self.tempers)), Move.INVOKE, "Is this legal?")
        while self.position.state.judgment is not None:
            question = self.position.state.judgment
            bench = court(self.position, question.mover, forge, 0)
            judge = present_judge(bench)
            if judge is None:
                self._say(forge, asker(bench) or "", Move.ASK, self.rng.choice(could_judge(bench)))
            elif question.ruling is None:
                (ruling,) = self.rng.choices(list(RULINGS), list(RULINGS.values()))
                self._say(forge, judge, Move.RULE, f"{ruling}: so the rules have it")
            else:
                self._answer(forge, [login for login in self.tempers if login != judge])

    def _answer(self, forge: int, others: Sequence[str]) -> None:
        """Have the others overrule the Judge together, or one of them uphold."""
        if self.rng.random() < OVERRULED:
            for login in others:
                self._say(forge, login, Move.OVERRULE)
        else:
            self._say(forge, self.rng.choice(others), Move.UPHOLD)

    def _say(self, forge: int, login: str, move: Move, words: str = "") -> None:
        self.now += 1
        plea = Plea(login, move, self.now, words)
        if forge in self.open:
            one = self.open[forge]
            self.open[forge] = replace(one, pleas=(*one.pleas, plea))
        else:
            self.late = (*self.late, plea)
        self._referee_comes()

    def _referee_comes(self) -> None:
        """Carry out all that is due, as a pass of the referee does."""
        while not self.is_over:
            standings = docket(self.position, self.open.values(), self.now)
            due = next_event(self.position, standings, self.now, self.late)
            if due is None:
                return
            self._carry_out(*due)

    def _carry_out(self, event: Event, about: Standing | None) -> None:
        before, undone = self.position, self._undone(event)
        change = about.proposal.reading if about is not None else None
        assert change is None or isinstance(change, RuleChange), "nobody proposes anything else here"
        there = after(before, event, change, undone)
        self.position = replace(there, last=_commit(before.last, event))
        self.steps.append(Step(before, event, change, undone, self.position))
        if event.kind in OF_A_TURN:
            self.turns += 1
            self.before, self.late = before.law, ()
        if event.proposal in self.open and event.proposal in self.position.state.resolved:
            del self.open[event.proposal]

    def _undone(self, event: Event) -> Rule | None:
        """Return the rule that a voiding restores, as it was before the turn that ended last."""
        if event.kind is not EventKind.VOIDED or event.change is None or event.change.rule is None:
            return None
        return self.before.rulebook.rules[event.change.rule] if self.before is not None else None


def _commit(last: str, event: Event) -> str:
    """Return an id for an event, as its commit would have one: the die is thrown from it (202)."""
    return sha1(f"{last} {event.kind} {event.proposal} {event.time}".encode(), usedforsecurity=False).hexdigest()


def play(law: Law, rng: Random) -> Table:
    """Return a game under a law after its last event, played by three to six players who sit down in any order."""
    logins = rng.sample(list(SURNAMES), rng.randint(FEWEST, len(SURNAMES)))
    position = founded(law, {login: write_player(login, surname=SURNAMES[login]) for login in logins}, 0)
    table = Table(rng, replace(position, last=_FOUNDED), {login: temper(rng) for login in logins})
    while not table.is_over:
        table.round()
    return table
