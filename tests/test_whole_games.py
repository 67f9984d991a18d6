"""Whole games in real repositories: whatever players do, lawful or not, what must always hold does hold."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import Any, ClassVar

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from nomic_git.forges.local import LocalForge
from nomic_git.forges.log import Deed
from nomic_git.game import turns
from nomic_git.game.judgment import Move
from nomic_git.game.player import player_path, write_player
from nomic_git.law.provisions import RULES_MUTABLE_MAXIMUM, RULES_MUTABLE_MINIMUM
from nomic_git.law.rule import Status, read_rule
from nomic_git.referee.beginning import NotOver, begin_round
from nomic_git.referee.sitting import sit
from nomic_git.repository.audit import audit
from nomic_git.repository.clone import open_clone, run_git
from nomic_git.repository.drafting import Draft, commit
from nomic_git.repository.founding import found, shipped
from nomic_git.repository.position import position_at
from nomic_git.repository.rounds import Round, events_of, rounds
from nomic_git.repository.settings import Settings

LOGINS = ("alice", "bob", "carol", "dave", "erin")
SEATED = LOGINS[:3]
START = 1_700_000_000

login = st.sampled_from(LOGINS)
seconds = st.sampled_from([0, 0, 1, 60, 86_400])

PROVISIONS = st.sampled_from(
    [
        "adoption.threshold: simple-majority",
        "adoption.threshold: 2/3",
        "adoption.threshold: votes_for > votes_against",
        "adoption.threshold: 1 / (votes_for - votes_for)",
        "adoption.relaxation: {after-turns-each: 1, threshold: simple-majority}",
        "votes.closing: all-voted",
        "votes.each: 2",
        "victory.points: 25",
        "turns.points: proposal / 3 - votes_against",
        "turns.points: 1 / (votes_for - votes_for)",
        "dissent.points: 3",
        "defeat.points: -1/2 * proposal",
        "players.joining: open",
        "players.joining: closed",
        "players.initial-points: 7",
        "proposals.numbering: {successive: 301}",
        "rules.mutable.maximum: 13",
        "conflicts.order: highest",
        "changes.kinds: [enact, amend]",
        "turns.order: clockwise",
        "turns.order: open",
        "turns.deadline: 1h",
        "turns.pause: 1m",
        "turns.points: die",
        "votes.deadline: 1h",
        "votes.absent: for",
        "debate.minimum: 1m",
        "judgment.judge: preceding-player",
        "judgment.judge: chosen-by-mover",
        "stalemate.winner: none",
    ]
)
COURTS = b"""---
provisions:
  turns.order: clockwise
  turns.points: die
  turns.deadline: 1d
  votes.deadline: 1h
  adoption.threshold: simple-majority
  judgment.judge: preceding-player
---

Turns, a die, deadlines and a Judge.
"""
BEGUN = {
    "github": shipped("github", "en"),
    "suber": shipped("suber", "en"),
    "courts": shipped("github", "en").with_rule(read_rule(-300, Status.IMMUTABLE, COURTS)),
}


GOAL = b"---\nprovisions:\n  victory.points: 15\n---\n\nFifteen points win.\n"
"""Two adopted proposals, so that there are winners and further rounds."""


def a_game(name: str) -> Path:
    """A founded game, made once and copied for every example."""
    folder = Path(tempfile.mkdtemp()) / "game"
    players = {one: write_player(one) for one in SEATED}
    book = BEGUN[name]
    goal = 208 if 208 in book.rules else -105
    found(folder, book.with_rule(read_rule(goal, Status.MUTABLE, GOAL)), players, Settings(), START)
    return folder


class Game(RuleBasedStateMachine):
    """Players move as they please; now and then the referee makes a pass."""

    templates: ClassVar[dict[str, Path]] = {}

    @initialize(name=st.sampled_from([*BEGUN]))
    def sit_down(self, name: str) -> None:
        if name not in Game.templates:
            Game.templates[name] = a_game(name)
        self.folder = Path(tempfile.mkdtemp()) / "game"
        shutil.copytree(Game.templates[name], self.folder)
        self.clone = open_clone(self.folder)
        self.forge = LocalForge(self.clone)
        self.now = START + 1
        self.numbers: list[int] = []

    def teardown(self) -> None:
        if hasattr(self, "folder"):
            self.check()
            shutil.rmtree(self.folder.parent)

    def open(self, author: str, files: dict[str, bytes | None], *, draft: bool = False) -> None:
        head = commit(self.clone, Draft(files, "Change"), author, f"{author}@players.invalid", self.now)
        self.numbers.append(self.forge.propose(author, head, "", self.now, draft=draft))

    @rule(author=login, provision=PROVISIONS, draft=st.booleans())
    def enact(self, author: str, provision: str, draft: bool) -> None:
        self.put_forward(author, provision, draft=draft)

    def put_forward(self, author: str, provision: str, *, draft: bool) -> None:
        self.open(author, {"rules/mutable/new.md": self.with_provision(provision)}, draft=draft)

    def with_provision(self, provision: str) -> bytes:
        key, _, value = provision.partition(": ")
        quoted = f'"{value}"' if "/" in value else value
        return f"---\nprovisions:\n  {key}: {quoted}\n---\n\nA rule at {self.now}.\n".encode()

    @rule(author=login, at=st.integers(0, 40), provision=PROVISIONS)
    def amend(self, author: str, at: int, provision: str) -> None:
        rules = self.position().law.rulebook.of(Status.MUTABLE)
        if rules:
            one = rules[at % len(rules)]
            formerly = f"formerly: {list(one.formerly)}\n".encode() if one.formerly else b""
            source = self.with_provision(provision).replace(b"---\n", b"---\n" + formerly, 1)
            self.open(author, {one.path: source})

    @rule(author=login, at=st.integers(0, 40))
    def reword(self, author: str, at: int) -> None:
        rules = tuple(self.position().law.rulebook)
        one = rules[at % len(rules)]
        self.open(author, {one.path: one.source + b"More.\n"})

    @rule(author=login, at=st.integers(0, 40))
    def repeal(self, author: str, at: int) -> None:
        rules = tuple(self.position().law.rulebook)
        self.open(author, {rules[at % len(rules)].path: None})

    @rule(author=login, at=st.integers(0, 40))
    def transmute(self, author: str, at: int) -> None:
        rules = tuple(self.position().law.rulebook)
        one = rules[at % len(rules)]
        self.open(author, {one.path: None, f"rules/{one.status.other}/{one.number}.md": one.source})

    @rule(author=login, other=login)
    def join(self, author: str, other: str) -> None:
        self.open(author, {player_path(other): write_player(other, name=other.title()).source})

    @rule(author=login, other=login)
    def leave(self, author: str, other: str) -> None:
        self.open(author, {player_path(other): None})

    @rule(author=login)
    def meddle(self, author: str) -> None:
        self.open(author, {"scores.json": b"{}", "rules/mutable/x.md": b"X\n"})

    @precondition(lambda self: self.numbers)
    @rule(data=st.data(), word=st.sampled_from(["for", "for", "for", "for", "against", "none"]))
    def vote(self, data: Any, word: str) -> None:
        self.note(data, Deed.VOTE, word=word, heads=True)

    @precondition(lambda self: self.numbers)
    @rule(data=st.data())
    def vote_all_for(self, data: Any) -> None:
        self.all_vote_for(data.draw(st.sampled_from(self.numbers[-4:])))

    def all_vote_for(self, number: int) -> None:
        for one in LOGINS:
            self.forge.note(one, number, Deed.VOTE, self.now, word="for", head=self.forge.head(number))

    @precondition(lambda self: self.numbers)
    @rule(data=st.data(), deed=st.sampled_from([Deed.READY, Deed.DRAFT, Deed.WITHDRAWN, Deed.COMMENT]))
    def act(self, data: Any, deed: Deed) -> None:
        self.note(data, deed)

    def note(self, data: Any, deed: Deed, *, word: str = "", heads: bool = False) -> None:
        number = data.draw(st.sampled_from(self.numbers[-4:]))
        who = data.draw(login)
        head = self.forge.head(number) if heads else None
        self.forge.note(who, number, deed, self.now, word=word, head=head)

    @precondition(lambda self: self.numbers)
    @rule(
        data=st.data(),
        move=st.sampled_from([Move.INVOKE, *Move]),
        judge=login,
        ruling=st.sampled_from(["legal", "illegal, by rule 101", "illegal", "undecided", "As rule -300 says."]),
        visit=st.booleans(),
    )
    def plead(self, data: Any, move: Move, judge: str, ruling: str, visit: bool) -> None:
        """Everybody says it, and whose part it is, is heard."""
        state = self.position().state
        lately = [state.lately.proposal] if state.lately is not None else []
        judged = [state.judgment.proposal] if state.judgment is not None else []
        number = data.draw(st.sampled_from([*judged * 3, *lately * 2, self.numbers[-1]]))
        said = {Move.INVOKE: "Is it legal?", Move.ASK: judge, Move.RULE: ruling}.get(move, "")
        for one in LOGINS:
            self.forge.note(one, number, Deed.JUDGMENT, self.now, word=str(move), words=said)
        if visit:
            self.referee()

    @rule(
        provision=PROVISIONS,
        votes=st.booleans(),
        late=st.booleans(),
        ruling=st.sampled_from([None, "legal", "illegal", "illegal", "undecided"]),
    )
    def a_turn(self, provision: str, votes: bool, late: bool, ruling: str | None) -> None:
        """Whose turn it is proposes, everybody votes, or nobody, and judgment is asked after that, or before."""
        position = self.position()
        author = turns.mover(position) or "bob"
        self.put_forward(author, provision, draft=False)
        number = self.numbers[-1]
        if votes and late:
            self.all_vote_for(number)
        self.referee()
        self.now += 1
        if ruling is not None:
            self.go_to_court(number, ruling)
        if votes and not late:
            self.all_vote_for(number)
            self.referee()
            self.now += 1

    def go_to_court(self, number: int, ruling: str) -> None:
        for move, said in ((Move.INVOKE, "May they?"), (Move.ASK, "bob"), (Move.RULE, ruling), (Move.UPHOLD, "")):
            for one in LOGINS:
                self.forge.note(one, number, Deed.JUDGMENT, self.now, word=str(move), words=said)
            self.now += 1
        self.referee()

    @rule(wait=seconds)
    def time_passes(self, wait: int) -> None:
        self.now += wait

    @rule()
    def referee(self) -> None:
        sit(self.clone, self.forge, self.now)

    @rule(rulebook=st.sampled_from([None, None, "github", "suber-1982"]))
    def another_round(self, rulebook: str | None) -> None:
        for _ in range(2):
            if self.position().state.winner is None:
                self.put_forward("alice", "dissent.points: 3", draft=False)
                self.all_vote_for(self.numbers[-1])
                sit(self.clone, self.forge, self.now)
        book = None if rulebook is None else shipped(rulebook, "en")
        before = self.position().state
        try:
            begin_round(self.clone, self.forge, self.now, book, "en")
        except NotOver:
            assert before.winner is None
            return
        there = self.position().state
        assert (there.winner, there.round) == (None, before.round + 1)
        assert [seat.login for seat in there.seats] == [seat.login for seat in before.seats]
        assert not self.forge.submissions(there.resolved)

    def position(self) -> Any:
        return position_at(self.clone.trees, self.clone.tip.tree_id.raw)

    def check(self) -> None:
        sit(self.clone, self.forge, self.now)
        self.a_second_pass_changes_nothing()
        for one in rounds(self.clone):
            recorded = [each.event for each in events_of(self.clone, one)]
            self.points_are_the_sum_of_the_events(one, recorded)
            self.no_number_is_given_twice(recorded)
            alone = audit(self.clone, only=one)
            assert (alone.irregular, alone.scores_match) == ((), True)
        self.the_limits_hold()
        found = audit(self.clone)
        assert found.irregular == ()
        assert found.scores_match
        assert run_git(self.folder, "status", "--porcelain") == ""

    def a_second_pass_changes_nothing(self) -> None:
        before = run_git(self.folder, "for-each-ref")
        report = sit(self.clone, self.forge, self.now)
        assert (report.done, report.comments) == ((), 0)
        assert run_git(self.folder, "for-each-ref") == before

    def points_are_the_sum_of_the_events(self, one: Round, recorded: list[Any]) -> None:
        state = position_at(self.clone.trees, one.end.tree_id.raw).state
        for seat in (*state.seats, *state.former):
            won = sum(points for one in recorded for who, points in one.points if who == seat.login)
            begun = [one for one in recorded if one.kind == "joined" and one.player == seat.login]
            initial = seat.points - won
            assert initial in ({0, 7} if begun or one.number > 1 else {0})

    def no_number_is_given_twice(self, recorded: list[Any]) -> None:
        given: dict[int, int] = {}
        for one in recorded:
            if one.number is not None:
                assert given.setdefault(one.number, one.proposal) == one.proposal

    def the_limits_hold(self) -> None:
        position = self.position()
        law = position.law
        mutable = len(law.rulebook.of(Status.MUTABLE))
        most = law.value(RULES_MUTABLE_MAXIMUM)
        assert law.value(RULES_MUTABLE_MINIMUM) <= mutable
        assert most is None or mutable <= most
        files = [path for path, _ in self.clone.trees.files(self.clone.tip.tree_id.raw, "rules")]
        assert sorted(files) == sorted(one.path for one in law.rulebook)


Game.TestCase.settings = settings(
    max_examples=10,
    stateful_step_count=30,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
TestWholeGames = pytest.mark.long(Game.TestCase)
