"""A real game in which players go away and come back: what the referee does and says, and what the audit finds."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pygit2
import pytest
from scene import Scene, another, game, git, rules

from nomic_git.forges.log import Deed
from nomic_git.game.event import Event, EventKind
from nomic_git.game.player import read_player
from nomic_git.game.position import Position
from nomic_git.game.transition import after
from nomic_git.law.rule_change import Absence
from nomic_git.repository.audit import audit
from nomic_git.repository.record import event_commit, tree_after

LEAVE = b"---\nprovisions:\n  players.leave: allowed\n---\n\nWhoever travels may be away.\n"
BOB = "players/bob.md"


@pytest.fixture
def it(tmp_path: Path) -> Scene:
    """A game in which players may be away."""
    return game(tmp_path / "game", book=rules((-120, LEAVE)))


def away(it: Scene, login: str) -> int:
    path = f"players/{login}.md"
    return it.propose(login, {path: it.file(path).replace(b"---\nname", b"---\naway: true\nname")})


def back(it: Scene, login: str) -> int:
    path = f"players/{login}.md"
    return it.propose(login, {path: it.file(path).replace(b"away: true\n", b"")})


def irregular(it: Scene) -> list[str]:
    return [one.what for one in audit(it.clone).irregular]


def forged(it: Scene, event: Event, there: Position) -> None:
    """An event of somebody's own making on the game branch, with the tree and the words of a real one."""
    old = it.clone.tip
    tree = tree_after(it.clone.trees, old.tree_id.raw, it.position, there).write(it.clone.repository)
    source = event_commit(tree.raw, [old.id], event)
    commit = it.clone.repository.write(pygit2.enums.ObjectType.COMMIT, source)
    it.clone.repository.references[f"refs/heads/{it.clone.settings.branch}"].set_target(commit)


def test_a_whole_absence_from_going_to_coming_back(it: Scene) -> None:
    earlier = it.enact("alice", name="earlier")
    it.vote(earlier, "for", "carol")
    going = away(it, "bob")
    it.sit()
    assert it.history()[0] == f"Note that bob is away, by proposal {going}"
    assert it.file(BOB) == b"---\naway: true\nname: Bob\n---\n"
    assert "It was **adopted**; bob is away." in it.said(going)
    assert "| alice, carol | nobody | bob, dave |" in it.said(earlier)

    later = it.enact("carol", name="later")
    it.vote(later, "for", "alice")
    it.vote(later, "against", "bob")
    it.sit()
    said = it.said(later)
    assert "Away when voting opened, so that nobody waits for their votes: bob." in said
    assert "- bob (against): away when voting opened" in said
    it.vote(later, "for", "dave")
    it.sit()
    assert "It was **adopted**" in it.said(later)
    assert "| alice, carol, dave | nobody |" in it.said(later)

    coming = back(it, "bob")
    it.sit()
    assert it.history()[0] == f"Note that bob is back, by proposal {coming}"
    assert it.file(BOB) == b"---\nname: Bob\n---\n"
    again = it.enact("carol", name="again")
    it.sit()
    assert "Away" not in it.said(again)
    assert not it.sit().done
    assert it.clean()
    assert irregular(it) == []


def test_where_no_rule_allows_it_the_referee_says_so_and_cites_none(tmp_path: Path) -> None:
    it = game(tmp_path / "game")
    number = away(it, "bob")
    assert not it.sit().done
    assert "takes a rule-change first" in it.said(number)
    assert "`players.leave: allowed`. (no rule says otherwise)" in it.said(number)


def test_where_a_rule_forbids_it_the_referee_cites_that_one(tmp_path: Path) -> None:
    it = game(tmp_path / "game", book=rules((-120, LEAVE.replace(b"allowed", b"forbidden"))))
    number = away(it, "bob")
    it.sit()
    assert "(rule -120)" in it.said(number)


def test_any_other_edit_of_ones_file_says_what_may_be_edited(it: Scene) -> None:
    number = it.propose("bob", {BOB: b"---\nname: Robert\naway: true\n---\n"})
    it.sit()
    assert "its player may set, change or take out `away: true` alone" in it.said(number)
    assert "(rule -120)" in it.said(number)


def test_a_withdrawn_wish_to_be_away_comes_to_nothing(it: Scene) -> None:
    number = away(it, "bob")
    it.do("bob", number, Deed.WITHDRAWN)
    it.sit()
    assert it.history()[0] == f"Withdraw proposal {number}"
    assert not it.position.players["bob"].away


def test_the_audit_needs_no_head_of_who_went_away(it: Scene) -> None:
    away(it, "bob")
    it.sit()
    back(it, "bob")
    it.sit()
    for ref in git(it.folder, "for-each-ref", "--format=%(refname)", "refs/nomic/").split():
        git(it.folder, "update-ref", "-d", ref)
    git(it.folder, "reflog", "expire", "--expire=now", "--all")
    git(it.folder, "gc", "-q", "--prune=now")
    assert irregular(another(it.folder, it)) == []


def test_the_audit_finds_somebody_away_whom_the_law_does_not_let_go(tmp_path: Path) -> None:
    it = game(tmp_path / "game")
    source = b"---\nname: Bob\naway: true\n---\n"
    event = Event(EventKind.AWAY, it.tick(), proposal=1, player="bob", head="a" * 40)
    forged(it, event, after(it.position, event, Absence("bob", source, away=True)))
    assert len(irregular(it)) == 1
    assert "bob cannot be away in this game" in irregular(it)[0]


def test_the_audit_finds_somebody_back_who_was_not_away(it: Scene) -> None:
    event = Event(EventKind.BACK, it.tick(), proposal=1, player="bob", head="a" * 40)
    there = replace(it.position, state=replace(it.state, time=event.time, resolved=it.state.resolved.adding(1)))
    forged(it, event, there)
    assert len(irregular(it)) == 1
    assert "bob is not away" in irregular(it)[0]


def test_the_audit_finds_a_name_changed_on_the_way_out(it: Scene) -> None:
    source = b"---\nname: Robert\naway: true\n---\n"
    event = Event(EventKind.AWAY, it.tick(), proposal=1, player="bob", head="a" * 40, rule=-120)
    there = after(it.position, event, Absence("bob", source, away=True))
    assert there.players["bob"] == read_player("bob", source)
    forged(it, event, there)
    assert len(irregular(it)) == 1
    assert "nothing but `away` may be edited" in irregular(it)[0]
