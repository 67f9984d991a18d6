"""A pull request as the referee hears it: heads, votes and words, and that nothing unread is decided on."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from pulls import (
    ALICE,
    APPROVED,
    BOB,
    CAROL,
    CHANGES,
    DISMISSED,
    OWNER,
    REFEREE,
    STRANGER,
    A,
    B,
    C,
    comment,
    pull,
    review,
    seats,
    turn,
)
from scene import game

from nomic_git import locales
from nomic_git.forges.answers import NOWHERE
from nomic_git.forges.command import Answer
from nomic_git.forges.forge import MARKER, Cast, Pushed, Remark, Submission, Unread
from nomic_git.forges.pleading import plead
from nomic_git.forges.pull_request import Happening, PullRequest, Turn
from nomic_git.forges.review import Dismissed
from nomic_git.forges.timeline import Aside
from nomic_git.game.player import Account
from nomic_git.game.proposal import Period
from nomic_git.game.vote import Vote
from nomic_git.law.reason import Reason
from nomic_git.referee.account import open_account
from nomic_git.referee.comment import open_comment

if TYPE_CHECKING:
    from pathlib import Path

SEATS = seats(ALICE, BOB, CAROL)


def heard(one: PullRequest, *sightings: Pushed, bindings: dict[int, str | None] | None = None) -> Submission:
    return plead(one, SEATS, bindings or {}, "main", sightings)


def forced(time: int, before: str | None, after: str | None, actor: Account | None = ALICE) -> Happening:
    return turn(Turn.FORCE_PUSHED, time, actor, before=before, after=after)


def test_a_pull_request_is_a_submission() -> None:
    one = pull(
        reviews=(review(1, BOB, APPROVED, 210), review(2, CAROL, CHANGES, 205)),
        comments=(comment(3, ALICE, "/nomic against", 208), comment(4, BOB, "Hm.", 204)),
        timeline=(turn(Turn.DRAFT, 150), turn(Turn.READY, 170)),
    )
    assert heard(one, bindings={1: "the text"}) == Submission(
        number=7,
        author="alice",
        head=A,
        title="Be brief",
        submitted=100,
        ready=(Period(100, 150), Period(170)),
        votes=(
            Cast("carol", Vote.AGAINST, 205, None, id="2"),
            Cast("alice", Vote.AGAINST, 208, None, id="c3"),
            Cast("bob", Vote.FOR, 210, None, "the text", id="1"),
        ),
        remarks=(Remark("bob", 204, "Hm."), Remark("alice", 208, "/nomic against")),
        heads=(Pushed(A, None, grown=100),),
        account=ALICE,
        notes=(Reason(Answer.HEARD, {"login": "alice", "words": "/nomic against"}),),
    )


def test_remarks_are_what_people_said_in_the_order_of_time() -> None:
    said = (
        comment(3, BOB, "Second.", 220),
        comment(1, REFEREE, f"{MARKER}\nTally", 190, mine=True),
        comment(2, OWNER, f"{MARKER}\nI am the referee.", 210),
        comment(4, REFEREE, "Stale?", 230),
    )
    assert [(one.author, one.time, one.text) for one in heard(pull(comments=said)).remarks] == [
        ("owner", 210, f"{MARKER}\nI am the referee."),
        ("bob", 220, "Second."),
    ]


def test_a_title_is_one_line_of_what_shows() -> None:
    title = "Fix\x00 it\r\n::error::closes #1\u202e " + "x" * 300
    found = heard(pull(title=title)).title
    assert found.startswith("Fix it ::error::closes #1 xxx")
    assert len(found) == 120


def test_a_deleted_author_is_no_person() -> None:
    found = heard(pull(author=None))
    assert (found.author, found.account) == ("ghost", Account("ghost", None, is_person=False))


def test_an_impostor_with_the_login_of_a_seat_does_not_propose_for_it() -> None:
    assert heard(pull(author=Account("alice", 99, is_person=True))).author == "alice@99"


def test_nothing_is_decided_on_what_could_not_be_read() -> None:
    assert heard(pull(unread=True)).unread == (Reason(Unread.PULL),)
    assert heard(pull()).unread == ()


def test_a_dismissed_vote_of_which_nobody_knows_what_it_said_is_unheard() -> None:
    assert heard(pull(reviews=(review(1, BOB, DISMISSED, 200),))).unheard == ("bob",)


def test_a_withdrawal_by_comment_is_one() -> None:
    found = heard(pull(comments=(comment(1, ALICE, "/nomic withdraw", 150),)))
    assert (found.ready, found.withdrawn) == ((Period(100, 150),), 150)


SEEN_B = Pushed(B, 110, 140)
HEADS: dict[str, tuple[PullRequest, tuple[Pushed, ...], tuple[Pushed, ...], bool]] = {
    "never seen before": (pull(), (), (Pushed(A, None),), False),
    "seen already": (pull(), (SEEN_B, Pushed(A, 150, 160)), (SEEN_B, Pushed(A, 150)), False),
    "pushed since": (pull(), (SEEN_B,), (SEEN_B, Pushed(A, None)), False),
    "back where it was": (
        pull(),
        (Pushed(A, 100, 105), SEEN_B),
        (Pushed(A, 100, 105), SEEN_B, Pushed(A, None)),
        False,
    ),
    "pushed by force by its author": (
        pull(timeline=(forced(150, B, A),)),
        (SEEN_B,),
        (SEEN_B, Pushed(A, 150)),
        False,
    ),
    "pushed by force by an owner": (
        pull(timeline=(forced(150, B, A, OWNER),)),
        (SEEN_B,),
        (SEEN_B, Pushed(A, 150)),
        True,
    ),
    "by an owner, and seen since": (
        pull(timeline=(forced(150, B, A, OWNER),)),
        (SEEN_B, Pushed(A, 155, 160)),
        (SEEN_B, Pushed(A, 155)),
        True,
    ),
    "by an owner, over what was never seen": (
        pull(timeline=(forced(150, C, A, OWNER),)),
        (SEEN_B,),
        (SEEN_B, Pushed(C, 140, 150), Pushed(A, 150)),
        True,
    ),
    "by an owner, with nothing seen": (
        pull(timeline=(forced(150, B, A, OWNER),)),
        (),
        (Pushed(B, 100, 150), Pushed(A, 150)),
        True,
    ),
    "by an owner, over what GitHub has lost": (
        pull(timeline=(forced(150, None, A, OWNER),)),
        (SEEN_B,),
        (SEEN_B, Pushed(A, 150)),
        True,
    ),
    "by an owner, over what nobody knows": (
        pull(timeline=(forced(150, None, A, None),)),
        (),
        (Pushed(NOWHERE, 100, 150), Pushed(A, 150)),
        True,
    ),
    "by an owner, and by its author since": (
        pull(timeline=(forced(150, B, C, OWNER), forced(160, C, A))),
        (),
        (Pushed(A, 160),),
        False,
    ),
    "by an owner, and without force since": (pull(timeline=(forced(150, B, C, OWNER),)), (), (Pushed(A, None),), False),
    "by its author, and by an owner within the second": (
        pull(timeline=(forced(150, B, A), forced(150, B, A, OWNER))),
        (SEEN_B,),
        (SEEN_B, Pushed(A, 150)),
        True,
    ),
}


@pytest.mark.parametrize(("one", "sightings", "heads", "moved"), HEADS.values(), ids=HEADS)
def test_the_heads_that_a_pull_request_had(
    one: PullRequest, sightings: tuple[Pushed, ...], heads: tuple[Pushed, ...], moved: bool
) -> None:
    found = heard(one, *sightings)
    assert tuple(replace(one, grown=None) for one in found.heads) == heads
    assert found.moved is moved


def test_a_branch_has_grown_since_the_last_forced_push_before_it_was_seen() -> None:
    one = pull(timeline=(forced(130, C, B), forced(140, B, C), forced(160, C, A)))
    found = heard(one, Pushed(B, 110, 120), Pushed(B, 131, 140), Pushed(C, 150, 155))
    assert [head.grown for head in found.heads] == [100, 130, 140, 160]


@pytest.mark.parametrize(("said", "time", "moved"), [("for", 160, False), ("against", 160, True), ("for", 150, True)])
def test_an_author_who_is_for_what_another_pushed_makes_it_their_own(said: str, time: int, moved: bool) -> None:
    one = pull(timeline=(forced(150, B, A, OWNER),), comments=(comment(1, ALICE, f"/nomic {said}", time),))
    assert heard(one, SEEN_B).moved is moved


FACTS = {"login": "alice@99", "voter": "helper[bot]", "words": "/nomic `@bob` #1 <b>\n::error::"}


@pytest.mark.parametrize("key", [*Aside, *Answer, *Dismissed, Unread.PULL])
def test_every_note_has_words_and_nothing_in_it_acts(key: Aside | Answer | Dismissed | Unread) -> None:
    text = locales.reason_text(Reason(key, FACTS))
    outside = re.sub(r"`[^`]*`", "", text)
    assert text.endswith(".")
    assert text.count("`") % 2 == 0
    assert not re.search(r"\n|#\d|<b>|(?<!\w)@\w", outside)


def test_the_advice_at_the_end_of_each_comment() -> None:
    assert locales.ADVICE["look-again"] == (
        "A vote that is not shown here within five minutes: comment `/nomic tally`, and the referee looks again."
    )


def test_what_a_stranger_does_is_told_and_changes_nothing() -> None:
    one = pull(
        is_open=False,
        timeline=(turn(Turn.CLOSED, 150, OWNER),),
        comments=(comment(1, STRANGER, "/nomic withdraw"),),
    )
    found = heard(one)
    assert (found.ready, found.withdrawn) == ((Period(100),), None)
    assert [locales.reason_text(note) for note in found.notes] == [
        "owner closed it. Only its author can take a proposal back, so it goes on.",
        "mallory is not a player, and only players give commands.",
    ]


def test_the_notes_and_the_advice_stand_at_the_end_of_the_comment_in_a_list_of_their_own(tmp_path: Path) -> None:
    it = game(tmp_path / "game", "alice", "bob")
    number = it.propose("carol", {"players/carol.md": b""})
    it.vote(number, "for", "mallory")
    position, (standing,) = (report := it.sit()).position, report.standings
    one = pull(
        timeline=(turn(Turn.DRAFT, 150, OWNER),),
        comments=(comment(1, BOB, "/nomic help"), comment(2, STRANGER, "/nomic tally"), comment(3, BOB, "/nomic `x`")),
    )
    text = open_comment(position, standing, open_account(position, standing, ""), heard(one).notes, ["look-again"])
    assert text.endswith(
        """\
Not counted:

- mallory (for): not a player

What else was said and done:

- owner made it a draft. Only its author can take a proposal back to debate, so it goes on.
- The commands, each on a line of its own in a comment: `/nomic withdraw` takes one's own proposal back; \
`/nomic against` and `/nomic for` are its author's own vote; `/nomic tally` has the referee look again; \
`/nomic judgment` and a question invokes judgment; `/nomic ask` and a login names the Judge; `/nomic rule` and \
`legal`, `illegal`, `undecided` or words alone is the Judge's ruling, with the reasons behind it; `/nomic uphold` and \
`/nomic overrule` answer it; `/nomic consent` lets the game go on meanwhile; `/nomic help` shows this.
- mallory is not a player, and only players give commands.
- bob said `/nomic 'x'`, which is no command; `/nomic help` lists them.

A vote that is not shown here within five minutes: comment `/nomic tally`, and the referee looks again.
"""
    )
