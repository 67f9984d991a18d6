"""Reviews as votes: who said what, last, and what a dismissal or a comment does not change."""

from __future__ import annotations

from dataclasses import replace

import pytest
from pulls import (
    ALICE,
    APPROVED,
    BOB,
    CAROL,
    CHANGES,
    COMMENTED,
    DAVE,
    DISMISSED,
    OWNER,
    PENDING,
    REFEREE,
    STRANGER,
    pull,
    review,
    seats,
    turn,
)

from nomic_git.forges.pull_request import Review, Turn
from nomic_git.forges.review import read_reviews
from nomic_git.forges.roll import Roll
from nomic_git.game.player import Account
from nomic_git.game.poll import Poll
from nomic_git.game.tally import Electorate
from nomic_git.game.vote import Ballot, Vote

SEATS = seats(ALICE, BOB, CAROL, DAVE)
TEXT = "enact\n\nBe brief."


def counted(*reviews: Review, timeline: tuple[object, ...] = (), roll: Roll = SEATS) -> dict[str, str]:
    """Who stands where once the game has counted: the reviews were all given to the text that the head has."""
    read = read_reviews(pull(reviews=reviews, timeline=timeline), roll, {one.id: TEXT for one in reviews})
    seated = {login.casefold(): login for login in roll.players}
    poll = Poll(Electorate(seated, None, frozenset(seated)), TEXT, 1)
    for cast in read.casts:
        poll.take(Ballot(cast.voter, cast.vote, cast.time, cast.text))
    count = poll.count()
    named = dict.fromkeys(count.supporters, "for") | dict.fromkeys(count.opponents, "against")
    return named | {one.player: one.reason.value for one in count.uncounted}


BOT = Account("helper[bot]", 77, is_person=False)
RENAMED = replace(BOB, login="robert")
IMPOSTOR = Account("bob", 99, is_person=True)
PLACEHOLDER = Account("bob", None, is_person=False)


def dismissal(number: int, by: Account | None, said: object, time: int = 300) -> object:
    return turn(Turn.DISMISSED, time, by, review=number, state=said)


TABLE = {
    "an approval is a vote for": ([review(1, BOB, APPROVED, 200)], (), {"bob": "for"}),
    "a request for changes is a vote against": ([review(1, BOB, CHANGES, 200)], (), {"bob": "against"}),
    "a comment is no vote": ([review(1, BOB, COMMENTED, 200)], (), {}),
    "what is not submitted yet is no vote": ([review(1, BOB, PENDING, 200)], (), {}),
    "a later comment takes nothing back": (
        [review(1, BOB, APPROVED, 200), review(2, BOB, COMMENTED, 210)],
        (),
        {"bob": "for"},
    ),
    "the last opinion wins": (
        [review(1, BOB, APPROVED, 200), review(2, BOB, CHANGES, 210)],
        (),
        {"bob": "against"},
    ),
    "the last by time, however they are listed": (
        [review(2, BOB, CHANGES, 210), review(1, BOB, APPROVED, 200)],
        (),
        {"bob": "against"},
    ),
    "of one second, the last by id": (
        [review(2, BOB, CHANGES, 200), review(1, BOB, APPROVED, 200)],
        (),
        {"bob": "against"},
    ),
    "approving twice counts once": (
        [review(1, BOB, APPROVED, 200), review(2, BOB, APPROVED, 210)],
        (),
        {"bob": "for"},
    ),
    "a vote for that another dismissed counts": (
        [review(1, BOB, DISMISSED, 200)],
        (dismissal(1, OWNER, APPROVED),),
        {"bob": "for"},
    ),
    "a vote against that another dismissed counts": (
        [review(1, BOB, DISMISSED, 200)],
        (dismissal(1, ALICE, CHANGES),),
        {"bob": "against"},
    ),
    "a vote that a deleted account dismissed counts": (
        [review(1, BOB, DISMISSED, 200)],
        (dismissal(1, None, APPROVED),),
        {"bob": "for"},
    ),
    "a vote that its voter dismissed is taken back": (
        [review(1, BOB, DISMISSED, 200)],
        (dismissal(1, BOB, APPROVED),),
        {"bob": "taken-back"},
    ),
    "its voter, by whatever name": (
        [review(1, BOB, DISMISSED, 200)],
        (dismissal(1, RENAMED, APPROVED),),
        {"bob": "taken-back"},
    ),
    "dismissing an earlier vote leaves the later one": (
        [review(1, BOB, DISMISSED, 200), review(2, BOB, CHANGES, 210)],
        (dismissal(1, BOB, APPROVED),),
        {"bob": "against"},
    ),
    "a vote after the dismissal counts": (
        [review(1, BOB, DISMISSED, 200), review(2, BOB, CHANGES, 310)],
        (dismissal(1, BOB, APPROVED),),
        {"bob": "against"},
    ),
    "a bot is no player": ([review(1, BOT, APPROVED, 200)], (), {"helper[bot]": "not-a-player"}),
    "the referee is no player": (
        [review(1, REFEREE, APPROVED, 200)],
        (),
        {"github-actions[bot]": "not-a-player"},
    ),
    "a deleted account is no player": ([review(1, None, APPROVED, 200)], (), {"ghost": "not-a-player"}),
    "somebody not seated is no player": (
        [review(1, STRANGER, APPROVED, 200)],
        (),
        {"mallory": "not-a-player"},
    ),
    "a renamed account keeps its seat": ([review(1, RENAMED, APPROVED, 200)], (), {"bob": "for"}),
    "an impostor with a seat's old login has none": (
        [review(1, RENAMED, APPROVED, 200), review(2, IMPOSTOR, CHANGES, 210)],
        (),
        {"bob": "for", "bob@99": "not-a-player"},
    ),
    "nor has what is no person's account": (
        [review(1, PLACEHOLDER, APPROVED, 200)],
        (),
        {"bob[bot]": "not-a-player"},
    ),
}


@pytest.mark.parametrize(("reviews", "timeline", "stand"), TABLE.values(), ids=TABLE)
def test_a_review_counts_as(reviews: list[Review], timeline: tuple[object, ...], stand: dict[str, str]) -> None:
    assert counted(*reviews, timeline=timeline) == stand


def test_a_seat_whose_file_has_no_id_is_matched_by_login_without_regard_to_case() -> None:
    roll = seats(ALICE, without_id=("Bob",))
    assert counted(review(1, BOB, APPROVED, 200), roll=roll) == {"Bob": "for"}


def test_every_one_of_150_reviews_counts() -> None:
    accounts = [Account(f"player-{number}", number, is_person=True) for number in range(1, 151)]
    reviews = [review(one.id or 0, one, APPROVED if one.id != 150 else CHANGES, 200) for one in accounts]
    stand = counted(*reviews, roll=seats(*accounts))
    assert len(stand) == 150
    assert stand["player-150"] == "against"
    assert list(stand.values()).count("for") == 149


def test_all_casts_are_given_in_the_order_of_time_with_the_text_that_each_was_bound_to() -> None:
    reviews = (review(3, CAROL, CHANGES, 205), review(2, BOB, CHANGES, 210), review(1, BOB, APPROVED, 200))
    read = read_reviews(pull(reviews=reviews), SEATS, {1: "earlier", 2: None})
    assert [(one.voter, one.vote, one.time, one.text) for one in read.casts] == [
        ("bob", Vote.FOR, 200, "earlier"),
        ("carol", Vote.AGAINST, 205, None),
        ("bob", Vote.AGAINST, 210, None),
    ]
    assert {one.commit for one in read.casts} == {None}


def test_a_dismissal_by_another_is_told_and_one_by_the_voter_is_not() -> None:
    reviews = (review(1, BOB, DISMISSED, 200), review(2, CAROL, DISMISSED, 200))
    timeline = (dismissal(1, OWNER, APPROVED), dismissal(2, CAROL, APPROVED))
    read = read_reviews(pull(reviews=reviews, timeline=timeline), SEATS, {})
    assert [(note.what, dict(note.facts)) for note in read.notes] == [
        ("vote-dismissed-by-another", {"login": "owner", "voter": "bob"})
    ]


@pytest.mark.parametrize("said", [None, COMMENTED, DISMISSED])
def test_a_dismissed_vote_of_which_nobody_knows_what_it_said_leaves_its_voter_unheard(said: object) -> None:
    reviews = (review(1, BOB, DISMISSED, 200), review(2, BOB, APPROVED, 190), review(3, CAROL, APPROVED, 200))
    known = pull(reviews=reviews, timeline=(dismissal(1, OWNER, said),))
    for one in (known, pull(reviews=reviews)):
        read = read_reviews(one, SEATS, {})
        assert read.unheard == ("bob",)
        assert [cast.voter for cast in read.casts] == ["carol"]


def test_a_vote_is_called_by_the_number_of_its_review() -> None:
    read = read_reviews(pull(reviews=(review(4_000_000_000, BOB, APPROVED, 200),)), SEATS, {})
    assert [one.id for one in read.casts] == ["4000000000"]
