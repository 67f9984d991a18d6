"""Accounts at a forge that has them: the id decides who somebody is, not the login (design sections 2, 3 and 11)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from scene import PLAYERS, START, Scene, git, rules, shared

from nomic_git.forges.forge import Submission
from nomic_git.forges.local import LocalForge
from nomic_git.forges.log import Deed
from nomic_git.game.docket import Hindrance
from nomic_git.game.numbers import Numbers
from nomic_git.game.player import Account, write_player
from nomic_git.game.proposal import Stage
from nomic_git.law.rule_change import Impropriety
from nomic_git.referee.sitting import Report
from nomic_git.repository.audit import audit
from nomic_git.repository.clone import open_clone
from nomic_git.repository.founding import found
from nomic_git.repository.settings import ForgeName, Settings

OPEN = (-113, b"---\nprovisions:\n  players.joining: open\n---\n\nWhoever comes may play.\n")
IDS = {login: at for at, login in enumerate(PLAYERS, 1)}


@dataclass
class Accounts(LocalForge):
    """The local forge with accounts: each login is an account, and may be known to the game by another name."""

    accounts: dict[str, Account] = field(default_factory=dict)
    known_as: dict[str, str] = field(default_factory=dict)

    def submissions(self, resolved: Numbers) -> Sequence[Submission]:
        return [self._told(one) for one in LocalForge.submissions(self, resolved)]

    def submission(self, number: int) -> Submission | None:
        one = LocalForge.submission(self, number)
        return None if one is None else self._told(one)

    def _told(self, one: Submission) -> Submission:
        account = self.accounts.get(one.author) or Account(one.author, 1000 + len(one.author), is_person=True)
        return replace(one, author=self.known_as.get(one.author, one.author), account=account)


@pytest.fixture
def it(tmp_path: Path) -> Scene:
    """A game on a forge with accounts, in which whoever comes may play."""
    players = {login: write_player(login, name=login.title(), id=IDS[login]) for login in PLAYERS}
    scene = Scene(found(tmp_path / "game", rules(OPEN), players, Settings(forge=ForgeName.GITHUB), START))
    accounts = {login: Account(login, id_, is_person=True) for login, id_ in IDS.items()}
    scene.forge = Accounts(scene.clone, accounts=accounts)
    return scene


def told(report: Report) -> list[str]:
    return [f"{one.event.kind} {one.event.proposal}" for one in report.done]


def why(report: Report) -> list[tuple[Stage, str]]:
    return [(one.stage, reason.what) for one in report.standings for reason in one.reasons]


def join(it: Scene, login: str, source: bytes = b"Hello.\n", *, account: Account | None = None) -> int:
    if account is not None:
        it.forge.accounts[login] = account
    return it.propose(login, {f"players/{login}.md": source})


def renamed(it: Scene, old: str, new: str) -> None:
    """An account takes another login; the game knows it by its seat's."""
    it.forge.accounts[new] = replace(it.forge.accounts[old], login=new)
    it.forge.known_as[new] = old


@pytest.mark.parametrize("source", [b"Hello.\n", b"---\nname: Eve\nid: 1\n---\nHello.\n"], ids=["none", "alice's"])
def test_the_referee_writes_the_id_of_whoever_joins(it: Scene, source: bytes) -> None:
    join(it, "eve", source, account=Account("eve", 583231, is_person=True))
    assert told(it.sit()) == ["joined 1"]
    assert it.position.players["eve"].id == 583231
    assert it.file("players/eve.md").endswith(b"Hello.\n")
    assert "Nomic-Account: 583231" in git(it.folder, "log", "-1", "--format=%B").splitlines()
    assert it.clean()
    assert audit(it.clone).irregular == ()


def test_a_clone_that_lacks_the_request_audits_it_by_the_events_own_tree(it: Scene, tmp_path: Path) -> None:
    join(it, "eve")
    it.sit()
    git(tmp_path, "clone", "-q", "--bare", "--single-branch", f"file://{shared(tmp_path, it)}", "other.git")
    there = open_clone(tmp_path / "other.git")
    assert it.heard(1).head not in there.repository
    assert audit(there).irregular == ()


@pytest.mark.parametrize(
    "account",
    [Account("robot", 7, is_person=False), Account("robot", None, is_person=True)],
    ids=["bot", "deleted"],
)
def test_who_is_no_person_is_not_seated_and_not_spoken_to(it: Scene, account: Account) -> None:
    join(it, "robot", account=account)
    report = it.sit()
    assert why(report) == [(Stage.IMPROPER, Hindrance.NOT_A_PERSON)]
    assert (told(report), report.comments) == ([], 0)


def test_a_seated_account_that_was_renamed_does_not_sit_twice(it: Scene) -> None:
    renamed(it, "alice", "alicia")
    join(it, "alicia")
    report = it.sit()
    assert why(report) == [(Stage.IMPROPER, Hindrance.SEATED_ALREADY)]
    assert "Its author sits here already, as alice" in it.said(1)
    # Where nobody has told it that alicia is alice, the id still does.
    it.forge.known_as.clear()
    report = it.sit()
    assert why(report) == [(Stage.IMPROPER, Hindrance.SEATED_ALREADY)]
    assert report.standings[0].reasons[0].facts == {"player": "alice"}
    assert told(report) == []


def test_a_renamed_player_proposes_and_leaves_by_the_old_seat(it: Scene) -> None:
    renamed(it, "alice", "alicia")
    mine = it.enact("alicia")
    it.vote(mine, "for", "bob", "carol", "dave")
    assert told(it.sit()) == [f"adopted {mine}"]
    assert it.scores()["alice"] > 0
    it.propose("alicia", {"players/alice.md": None})
    assert told(it.sit()) == ["forfeited 2"]
    assert "alice" not in it.position.players
    assert audit(it.clone).irregular == ()


def test_who_left_comes_back_under_another_login_and_sits_once(it: Scene) -> None:
    mine = it.enact("alice")
    it.vote(mine, "for", "bob", "carol", "dave")
    it.sit()
    points = it.scores()["alice"]
    it.propose("alice", {"players/alice.md": None})
    assert told(it.sit()) == ["forfeited 2"]
    assert [(one.login, one.account) for one in it.state.former] == [("alice", IDS["alice"])]
    it.forge.accounts["alicia"] = Account("alicia", IDS["alice"], is_person=True)
    join(it, "alicia")
    join(it, "alice")
    report = it.sit()
    assert told(report) == ["joined 3"]
    assert why(report) == [(Stage.IMPROPER, Hindrance.SEATED_ALREADY)]
    assert it.state.former == ()
    assert it.scores()["alicia"] == points > 0
    found = audit(it.clone)
    assert (found.irregular, found.scores_match) == ((), True)


def test_who_takes_a_former_players_login_begins_as_a_newcomer_and_the_audit_agrees(it: Scene) -> None:
    mine = it.enact("alice")
    it.vote(mine, "for", "bob", "carol", "dave")
    it.propose("alice", {"players/alice.md": None})
    assert told(it.sit()) == [f"adopted {mine}", "forfeited 2"]
    it.forge.accounts["alice"] = Account("alice", 99, is_person=True)
    join(it, "alice")
    assert told(it.sit()) == ["joined 3"]
    assert it.scores()["alice"] == 0
    assert it.state.former[0].points > 0
    found = audit(it.clone)
    assert (found.irregular, found.scores_match) == ((), True)


@pytest.mark.parametrize("change", [None, b"Mine now.\n"], ids=["deletes", "edits"])
def test_an_account_that_took_the_login_of_a_seat_does_not_touch_it(it: Scene, change: bytes | None) -> None:
    it.forge.accounts["alice"] = Account("alice", 99, is_person=True)
    it.forge.known_as["alice"] = "alice@99"
    it.propose("alice", {"players/alice.md": change})
    it.enact("alice")
    report = it.sit()
    assert why(report) == [
        (Stage.IMPROPER, Impropriety.SEAT_OF_ANOTHER),
        (Stage.IMPROPER, Hindrance.LOGIN_OF_ANOTHER),
    ]
    assert (told(report), report.comments) == ([], 0)


def test_two_requests_of_one_account_seat_it_once(it: Scene) -> None:
    account = Account("eve", 77, is_person=True)
    join(it, "eve", account=account)
    join(it, "eve", b"Once more.\n")
    assert told(it.sit()) == ["joined 1"]
    it.do("eve", 2, Deed.WITHDRAWN)
    assert told(it.sit()) == ["withdrawn 2"]
    assert audit(it.clone).irregular == ()
