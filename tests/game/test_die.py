"""The die (202): anybody can throw it again, and nobody who gains by it chooses what it shows."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from hashlib import sha1, sha256

from table import AGAINST, FOR, ballot, enact, law, play, proposal, seated

from nomic_git.game.die import cast, thrown, thrown_from
from nomic_git.game.event import ChangeRecord, Event, EventKind
from nomic_git.game.position import Position
from nomic_git.game.replay import follow
from nomic_git.game.vote import Vote
from nomic_git.law.kinds import ChangeKind

PLAYERS = ("alice", "bob", "carol")
LAST = "5f2c" * 10


def table(*more: str) -> Position:
    return replace(seated(law("turns.points: die", *more), *PLAYERS), last=LAST)


def voted(*votes: tuple[str, Vote, int, str], moved: bool = False):
    made = proposal(7, "alice", enact())
    cast_ = (replace(ballot(made, who, vote, time), id=name) for who, vote, time, name in votes)
    return replace(made, ballots=tuple(cast_), moved=moved)


def test_it_is_thrown_again_by_hand_with_nothing_but_what_the_record_shows():
    _, [event] = play(table(), [voted(("bob", FOR, 3, "b0b"), ("carol", FOR, 4, "ca401"))])
    assert event.ballots == ("b0b", "ca401")
    assert cast(LAST, 7, event.ballots) == f"{LAST} 7 b0b ca401"
    by_hand = int(sha256(f"{LAST} 7 b0b ca401".encode()).hexdigest(), 16) % 6 + 1
    assert (event.die, event.points) == (by_hand, (("alice", by_hand),))


def test_the_votes_stand_in_the_order_of_joining_however_they_came():
    _, [event] = play(table(), [voted(("carol", FOR, 3, "c"), ("bob", FOR, 4, "b"))])
    assert event.ballots == ("b", "c")


def test_a_vote_that_was_changed_counts_with_its_last_id_and_one_that_does_not_count_with_none():
    given = voted(("bob", AGAINST, 2, "b1"), ("stranger", FOR, 2, "s"), ("bob", FOR, 3, "b2"), ("carol", FOR, 4, "c"))
    assert play(table(), [given])[1][0].ballots == ("b2", "c")


def test_the_proposers_own_vote_throws_nothing_also_where_it_is_not_taken_for_granted():
    """Whoever gains by the die could otherwise vote again until it shows a six."""
    others = [("bob", FOR, 3, "b"), ("carol", FOR, 4, "c")]
    for moved in (False, True):
        for own in ("a1", "a2"):
            _, [event] = play(table(), [voted(("alice", FOR, 2, own), *others, moved=moved)])
            assert event.ballots == ("b", "c")
            assert event.die == thrown(LAST, 7, ("b", "c"))


def test_ids_that_cannot_be_those_of_the_votes_are_found():
    """Else whoever writes the record could add ids until the die shows a six."""
    change = voted(("bob", FOR, 3, "b"), ("carol", FOR, 4, "c"))
    _, [event] = play(table(), [change])
    for ids in (("b", "c", "d"), ("b", "b")):
        die = thrown(LAST, 7, ids)
        found = follow(table(), replace(event, ballots=ids, die=die, points=(("alice", die),)), change.reading)
        assert not isinstance(found, Position)
        assert found.facts["key"] == "Nomic-Votes"


def test_a_defeated_proposal_is_thrown_for_too_since_its_turn_ends():
    _, [event] = play(table("defeat.points: -10"), [voted(("bob", AGAINST, 3, "b"), ("carol", FOR, 4, "c"))])
    assert event.die is not None
    assert event.points == (("alice", event.die - 10),)


def test_where_the_turn_scores_otherwise_nothing_is_thrown():
    under = replace(seated(law("turns.points: 3"), *PLAYERS), last=LAST)
    _, [event] = play(under, [voted(("bob", FOR, 3, "b"), ("carol", FOR, 4, "c"))])
    assert (event.die, event.ballots) == (None, ())


def test_it_is_fair_over_many_throws():
    faces = Counter(
        thrown(sha1(str(at).encode(), usedforsecurity=False).hexdigest(), at, ("b", "c")) for at in range(6000)
    )
    assert sorted(faces) == [1, 2, 3, 4, 5, 6]
    assert all(900 < often < 1100 for often in faces.values())


def test_the_next_one_is_thrown_from_the_commit_that_ends_a_turn_and_from_no_other():
    enacted = ChangeRecord(ChangeKind.ENACT, None)
    ending = [
        Event(EventKind.FOUNDED, 1),
        Event(EventKind.PASSED, 1, player="alice"),
        Event(EventKind.ADOPTED, 1, change=enacted),
        Event(EventKind.DEFEATED, 1, change=enacted),
    ]
    assert [thrown_from(LAST, one, "c") for one in ending] == ["c"] * 4
    others = [Event(EventKind.DEFEATED, 1, player="zoe"), Event(EventKind.WITHDRAWN, 1), Event(EventKind.JUDGED, 1)]
    assert [thrown_from(LAST, one, "c") for one in others] == [LAST] * 3
