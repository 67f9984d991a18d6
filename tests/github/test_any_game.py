"""Any game on GitHub's pages: whatever people click, and whatever befalls the referee, what must hold does hold."""

from __future__ import annotations

import contextlib
import shutil
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from fake_github import FakeGitHub, Fault, Refusal
from fake_github.described import missing
from github_game import MAJORITY
from github_scene import GitHubScene
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule
from scene import rules

from nomic_git.game.player import player_path, write_player
from nomic_git.law.errors import NomicError
from nomic_git.law.rule import Status
from nomic_git.referee.comment import RESOLVED
from nomic_git.repository.audit import audit
from nomic_git.repository.history import events

SEATED = ("alice", "bob", "carol")
LOGINS = (*SEATED, "dave", "erin")
WRITERS = ("alice", "bob", "dave")

FAULTS = (
    *(Fault.BAD_GATEWAY, Fault.BAD_GATEWAY_AFTER, Fault.DROPPED, Fault.DROPPED_AFTER),
    *(Fault.SECONDARY_LIMIT, Fault.RATE_LIMIT),
)

LIMITED = 3600
"""Seconds after which a limit of requests that was used up is renewed."""

MOST_PASSES = 8
"""Passes after which nothing may be left to do, once people have stopped."""

login = st.sampled_from(LOGINS)
words = st.sampled_from(["One word.", "Another word.", "A third word."])

Files = dict[str, bytes | None]


@dataclass
class Seen:
    """What one pull request was, by what people did: the files at each head, and who approved which of them."""

    files: dict[str, Files] = field(default_factory=dict)
    approved: list[tuple[str, str]] = field(default_factory=list)


class AnyGame(RuleBasedStateMachine):
    """People click as they please; now and then the referee makes a pass, and sometimes it comes to grief."""

    @initialize(majority=st.booleans(), moves=st.booleans(), loses=st.booleans())
    def sit_down(self, majority: bool, moves: bool, loses: bool) -> None:
        self.folder = Path(tempfile.mkdtemp())
        self.github = FakeGitHub(self.folder / "github")
        self.github.switches.moves_commit_ids = moves
        self.github.switches.loses_commit_ids = loses
        self.github.server.retry_after = 600
        for one in LOGINS:
            self.github.account(one, "WRITE" if one in WRITERS else "READ")
        book = rules(MAJORITY) if majority else rules()
        self.scene = GitHubScene(self.github, self.folder, book, SEATED)
        self.clone = self.scene.clone()
        self.seen: dict[int, Seen] = {}

    def teardown(self) -> None:
        if not hasattr(self, "scene"):
            return
        try:
            self.check()
            assert not self.github.server.wrongs, self.github.server.wrongs
        finally:
            self.github.stop()
            shutil.rmtree(self.folder)

    # What people do.

    def open(self, author: str, files: Files, *, draft: bool = False) -> None:
        with contextlib.suppress(Refusal):
            branch = self.github.commit(self.github.account(author), files)
            number = self.github.open_pull(self.github.account(author), branch, draft=draft)
            self.seen[number] = Seen({self.github.pull(number).head: files})

    @rule(author=login, text=words, draft=st.sampled_from([False, False, True]))
    def enact(self, author: str, text: str, draft: bool) -> None:
        self.open(author, {"rules/mutable/new.md": f"{text}\n".encode()}, draft=draft)

    @rule(author=st.sampled_from(SEATED), at=st.integers(0, 3), text=words)
    def amend_together(self, author: str, at: int, text: str) -> None:
        self.amend(author, at, text)
        for voter in SEATED:
            self.reviews(max(self.seen), voter, "APPROVE")

    @rule(author=login, at=st.integers(0, 3), text=words)
    def amend(self, author: str, at: int, text: str) -> None:
        self.open(author, self.amendment(at, text))

    def amendment(self, at: int, text: str) -> Files:
        one = self.scene.position().law.rulebook.of(Status.MUTABLE)[at]
        return {one.path: one.source + f"{text}\n".encode()}

    @rule(author=login, at=st.integers(0, 40))
    def repeal(self, author: str, at: int) -> None:
        book = tuple(self.scene.position().law.rulebook)
        self.open(author, {book[at % len(book)].path: None})

    @rule(author=st.sampled_from(LOGINS[2:]))
    def join_or_leave(self, author: str) -> None:
        file = write_player(author, name=author.title()).source
        self.open(author, {player_path(author): None if author in self.scene.position().players else file})

    @precondition(lambda self: self.seen)
    @rule(data=st.data(), text=words, at=st.one_of(st.none(), st.integers(0, 3)))
    def begin_afresh(self, data: Any, text: str, at: int | None) -> None:
        number = self.one_of_them(data)
        pull = self.github.pull(number)
        files: Files = {"rules/mutable/new.md": f"{text}\n".encode()} if at is None else self.amendment(at, text)
        if pull.head_repository is not None:
            self.github.commit(pull.author, files, pull.head_branch, parents=[self.github.tip()])
            self.note_head(number, files)

    @precondition(lambda self: self.seen)
    @rule(data=st.data(), text=words)
    def edit(self, data: Any, text: str) -> None:
        number = self.one_of_them(data)
        pull = self.github.pull(number)
        before = self.seen[number].files.get(pull.head, {})
        path = next((one for one, content in before.items() if content is not None), None)
        if path is not None:
            if self.github.switches.moves_commit_ids:
                # The one case that GitHub hides (docs/github.md): no pass between a review and a push without force.
                self.scene.referee(self.clone)
            self.github.edit(pull.author, path, f"{text}\n", pull.head_branch)
            self.note_head(number, {**before, path: f"{text}\n".encode()})

    def note_head(self, number: int, files: Files) -> None:
        """Note what a pull request's head has now; of one that is closed, what it would have if it were reopened."""
        pull = self.github.pull(number)
        assert pull.head_repository is not None
        head = pull.head_repository.store.branch(pull.head_branch)
        assert head is not None
        self.seen[number].files[head] = files

    @precondition(lambda self: self.seen)
    @rule(data=st.data(), voter=login, event=st.sampled_from(["APPROVE", "APPROVE", "REQUEST_CHANGES", "COMMENT"]))
    def review(self, data: Any, voter: str, event: str) -> None:
        self.reviews(self.one_of_them(data, those_open=True), voter, event)

    @precondition(lambda self: self.seen)
    @rule(data=st.data(), but=st.sampled_from(["nobody", "nobody", *LOGINS]))
    def all_approve_but_one(self, data: Any, but: str) -> None:
        number = self.one_of_them(data, those_open=True)
        for voter in LOGINS:
            if voter != but:
                self.reviews(number, voter, "APPROVE")

    def reviews(self, number: int, voter: str, event: str) -> None:
        with contextlib.suppress(Refusal):
            self.github.review(self.github.account(voter), number, event)
            if event == "APPROVE":
                self.seen[number].approved.append((voter, self.github.pull(number).head))

    @precondition(lambda self: self.seen)
    @rule(data=st.data(), who=st.sampled_from(WRITERS))
    def dismiss(self, data: Any, who: str) -> None:
        number = self.one_of_them(data)
        reviews = self.github.pull(number).reviews
        if reviews:
            with contextlib.suppress(Refusal):
                self.github.dismiss(self.github.account(who), number, data.draw(st.sampled_from(reviews)))

    @precondition(lambda self: self.seen)
    @rule(data=st.data(), who=login, what=st.sampled_from(["close", "reopen", "draft", "ready", "ready"]))
    def press(self, data: Any, who: str, what: str) -> None:
        number = self.one_of_them(data)
        account = self.github.pull(number).author if data.draw(st.booleans()) else self.github.account(who)
        with contextlib.suppress(Refusal):
            getattr(self.github, what)(account, number)

    @precondition(lambda self: self.seen)
    @rule(data=st.data(), who=login, what=st.sampled_from(["withdraw", "against", "for", "tally", "help", "dance"]))
    def command(self, data: Any, who: str, what: str) -> None:
        number = self.one_of_them(data)
        account = self.github.pull(number).author if data.draw(st.booleans()) else self.github.account(who)
        self.github.comment(account, number, f"/nomic {what}")

    def one_of_them(self, data: Any, *, those_open: bool = False) -> int:
        """Draw one of the last pull requests, open ones alone where there are any and that is wanted."""
        open_ = [one for one in sorted(self.seen) if those_open and self.github.pull(one).open]
        number: int = data.draw(st.sampled_from((open_ or sorted(self.seen))[-4:]))
        return number

    @rule(seconds=st.sampled_from([0, 1, 60, 86_400]))
    def time_passes(self, seconds: int) -> None:
        self.github.clock.move(seconds)

    # What the referee does, and what befalls it.

    @rule(anew=st.sampled_from([False, False, True]))
    def referee(self, anew: bool) -> None:
        if anew:
            self.clone = self.scene.clone()
        self.scene.referee(self.clone)

    @rule(fault=st.sampled_from(FAULTS), nth=st.integers(1, 9), times=st.sampled_from([1, 1, 2, 20]))
    def referee_in_bad_weather(self, fault: Fault, nth: int, times: int) -> None:
        self.github.fail(fault, nth, times=times)
        with contextlib.suppress(NomicError):
            self.scene.referee(self.clone)
        self.github.heal()

    @rule(after=st.integers(1, 9))
    def referee_dies(self, after: int) -> None:
        with self.github.killed_after(after):
            self.scene.referee(self.clone)

    # What must hold.

    def check(self) -> None:
        self.the_referee_comes_to_rest()
        clone = self.scene.clone()
        found = audit(clone)
        assert (found.irregular, found.scores_match) == ((), True)
        told = {one.event.proposal: one.event for one in events(clone) if one.event.head is not None}
        for number in self.seen:
            assert len(self.scene.said(number)) <= 1, number
            if number in told:
                self.it_is_finished(number, told[number])
                self.nobody_voted_for_other_words(number, told[number])

    def the_referee_comes_to_rest(self) -> None:
        self.github.clock.move(LIMITED)
        for _ in range(MOST_PASSES):
            if self.scene.costs() == 1:
                break
        tip = self.github.tip()
        assert self.scene.costs() == 1
        assert self.github.tip() == tip
        assert [one.method for one in self.github.log] == ["POST"]

    def it_is_finished(self, number: int, event: Any) -> None:
        pull = self.github.pull(number)
        # What was pushed when the vote was complete already is no part of what was adopted: then GitHub merges nothing.
        merged = event.kind == "adopted" and event.head == pull.head
        assert pull.state == ("MERGED" if merged else "CLOSED"), number
        assert RESOLVED in self.scene.text(number)

    def nobody_voted_for_other_words(self, number: int, event: Any) -> None:
        seen = self.seen[number]
        approved = {(voter, str(seen.files[head])) for voter, head in seen.approved if head in seen.files}
        for supporter in event.supporters:
            if supporter != event.player:
                assert (supporter, str(seen.files[event.head])) in approved, number


AnyGame.TestCase.settings = settings(
    max_examples=5,
    stateful_step_count=25,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large],
)
TestAnyGame = pytest.mark.long(pytest.mark.skipif(missing() is not None, reason=missing() or "")(AnyGame.TestCase))
