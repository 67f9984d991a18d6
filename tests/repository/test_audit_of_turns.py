"""What an audit finds in a game of turns, dice, deadlines and judgment: nothing, or what was forged."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from forgery import forge
from scene import Scene, game, rules

from nomic_git.forges.log import Deed
from nomic_git.game.die import thrown
from nomic_git.game.docket import docket
from nomic_git.game.event import Event, EventKind
from nomic_git.game.judgment import Move, Ruling
from nomic_git.game.resolution import next_event
from nomic_git.law.rule import Status, read_rule
from nomic_git.law.rule_change import Change
from nomic_git.referee.hearing import Hearing
from nomic_git.repository.audit import Audit, audit
from nomic_git.repository.history import events

HOUR = 3600
LAW = b"""---
provisions:
  turns.order: clockwise
  turns.points: die
  turns.deadline: 2h
  votes.deadline: 1h
  votes.absent: for
  judgment.judge: preceding-player
---

Turns go round.
"""


def table(folder) -> Scene:
    book = rules().with_rule(read_rule(-300, Status.IMMUTABLE, LAW))
    return game(folder, "alice", "bob", "carol", book=book)


def says(scene: Scene, number: int, login: str, move: Move, words: str = "") -> None:
    scene.forge.note(login, number, Deed.JUDGMENT, scene.tick(), word=str(move), words=words)


def voted(scene: Scene) -> int:
    """Alice's turn, with every vote in."""
    number = scene.enact("alice", "Be kind.")
    scene.vote(number, "for", "bob", "carol")
    return number


def invoked(scene: Scene) -> int:
    """Alice's turn is over, and bob has gone to court about it."""
    number = voted(scene)
    scene.sit()
    says(scene, number, "bob", Move.INVOKE, "May she?")
    scene.sit()
    return number


def ruled(scene: Scene) -> int:
    """Carol, who sits before alice, has ruled, and the referee has not come by."""
    number = invoked(scene)
    says(scene, number, "carol", Move.RULE, "illegal, by rule -300")
    return number


def upheld(scene: Scene) -> int:
    """Bob has upheld it, and the referee has not come by."""
    number = ruled(scene)
    scene.sit()
    says(scene, number, "bob", Move.UPHOLD)
    return number


def passing(scene: Scene) -> None:
    """Nobody has begun a turn for two hours."""
    scene.now += 2 * HOUR


def absent(scene: Scene) -> int:
    """Carol has not voted in the hour that she had."""
    number = scene.enact("alice", "Be kind.")
    scene.vote(number, "for", "bob")
    scene.now += HOUR
    return number


def due(scene: Scene) -> tuple[Event, Change | None]:
    """The event that the referee would write next, and what its proposal would change."""
    state, lately = scene.state, scene.state.lately
    resolved = state.resolved if lately is None else state.resolved.without(lately.proposal)
    heard = scene.forge.submissions(resolved)
    pleas = next((one.pleas for one in heard if lately is not None and one.number == lately.proposal), ())
    hearing = Hearing(scene.clone, scene.tip, [one for one in heard if one.number not in state.resolved])
    last = next(events(scene.clone)).commit
    position, now = replace(scene.position, last=last), scene.tick()
    found = next_event(position, docket(position, hearing.proposals(position), now), now, pleas)
    assert found is not None, "an event is due"
    event, standing = found
    return event, None if standing is None else standing.proposal.reading  # type: ignore[return-value]


def test_a_whole_game_of_turns_and_courts_has_nothing_irregular(tmp_path):
    scene = table(tmp_path / "game")
    upheld(scene)
    scene.sit()
    amended = scene.amend("bob", -105, b"200", b"190")
    scene.vote(amended, "for", "alice", "carol")
    scene.sit()
    passing(scene)
    scene.sit()
    absent(scene)
    scene.sit()
    kinds = [one.event.kind for one in events(scene.clone)]
    assert {*kinds} >= {EventKind.ADOPTED, EventKind.INVOKED, EventKind.JUDGED, EventKind.SETTLED, EventKind.VOIDED}
    assert kinds.count(EventKind.PASSED) == 1
    assert audit(scene.clone) == Audit(len(kinds), (), True)
    assert next(events(scene.clone)).event.absent == ("carol",)


def other_die(event: Event) -> Event:
    assert event.die is not None
    die = event.die % 6 + 1
    return replace(event, die=die, points=(("alice", die),))


def other_ids(event: Event) -> Event:
    """The ids of votes that would have thrown another die."""
    return replace(event, ballots=("f" * 40, event.ballots[1]))


def more_ids(event: Event) -> Event:
    return replace(event, ballots=(*event.ballots, "f" * 40))


def one_vote_twice(event: Event) -> Event:
    return replace(event, ballots=(event.ballots[0], event.ballots[0]))


FORGED = {
    "a die": (voted, other_die, "Nomic-Die"),
    "ids of votes": (voted, other_ids, "Nomic-"),
    "an id more": (voted, more_ids, "Nomic-Votes"),
    "an id twice": (voted, one_vote_twice, "Nomic-Votes"),
    "somebody who was not absent": (absent, lambda one: replace(one, absent=("bob", "carol")), "Nomic-"),
    "a deadline before its time": (absent, lambda one: replace(one, time=one.time - 1), ""),
    "a verdict by somebody else": (ruled, lambda one: replace(one, player="bob"), "carol"),
    "a verdict on the mover's own turn": (ruled, lambda one: replace(one, player="alice"), "carol"),
    "other rules cited": (ruled, lambda one: replace(one, cites=(-105,)), ""),
    "an end by the Judge alone": (upheld, lambda one: replace(one, supporters=("carol",)), "carol"),
    "an end by a stranger": (upheld, lambda one: replace(one, supporters=("mallory",)), "mallory"),
    "an end by nobody": (upheld, lambda one: replace(one, supporters=()), ""),
    "another ruling than the Judge's": (upheld, lambda one: replace(one, ruling=Ruling.LEGAL), ""),
    "a turn passed too early": (passing, lambda one: replace(one, time=one.time - 1), ""),
    "a turn passed too late": (passing, lambda one: replace(one, time=one.time + 1), ""),
    "a turn passed for another": (passing, lambda one: replace(one, player="bob"), "Nomic-Player"),
}


@pytest.mark.parametrize("how", FORGED)
def test_what_cannot_have_happened_is_found(tmp_path, how):
    happens, forging, words = FORGED[how]
    scene = table(tmp_path / "game")
    happens(scene)
    event, change = due(scene)
    forged = forging(event)
    assert forged != event
    commit = forge(scene, forged, change)
    found = audit(scene.clone)
    assert [one.commit for one in found.irregular] == [commit]
    assert words in found.irregular[0].what


@pytest.mark.parametrize("happens", [voted, absent, ruled, upheld, passing])
def test_the_same_as_it_happened_is_regular(tmp_path, happens):
    scene = table(tmp_path / "game")
    happens(scene)
    forge(scene, *due(scene))
    assert audit(scene.clone).irregular == ()


def test_an_end_while_nobody_has_ruled_is_found(tmp_path):
    scene = table(tmp_path / "game")
    number = invoked(scene)
    judge = scene.state.judgment.judge
    ended = Event(EventKind.SETTLED, scene.tick(), proposal=number, player=judge, supporters=("bob",), rule=-300)
    commit = forge(scene, ended)
    assert [one.commit for one in audit(scene.clone).irregular] == [commit]


def test_a_turn_given_to_somebody_else_in_the_scores_is_found(tmp_path):
    scene = table(tmp_path / "game")
    voted(scene)
    event, change = due(scene)
    scene.sit()
    scores = scene.file("scores.json")
    assert json.loads(scores)["turn"] == {"player": "bob", "circuits": 0}
    there = table(tmp_path / "other")
    voted(there)
    due(there)
    forge(there, event, change, files={"scores.json": scores.replace(b'"player": "bob"', b'"player": "carol"')})
    found = audit(there.clone)
    assert ["`scores.json` is not what" in one.what for one in found.irregular] == [True]


def test_the_die_that_was_thrown_is_the_one_that_the_record_throws_again(tmp_path):
    scene = table(tmp_path / "game")
    number = voted(scene)
    founding = scene.tip
    scene.sit()
    event = next(events(scene.clone)).event
    ids = [vote.id for vote in scene.heard(number).votes if vote.voter != "alice"]
    assert event.ballots == tuple(ids)
    assert event.die == thrown(founding, number, ids)
