"""Pull requests as plain values, for the tests of what is made of them."""

from __future__ import annotations

from typing import Any

from nomic_git.forges.pull_request import Happening, PullComment, PullRequest, Review, ReviewState, Turn
from nomic_git.forges.roll import Roll
from nomic_git.game.player import Account, read_player

ALICE, BOB, CAROL, DAVE = (
    Account(login, number, is_person=True) for number, login in enumerate(("alice", "bob", "carol", "dave"), 1)
)
OWNER = Account("owner", 50, is_person=True)
STRANGER = Account("mallory", 66, is_person=True)
REFEREE = Account("github-actions[bot]", 41898282, is_person=False)

APPROVED, CHANGES = ReviewState.APPROVED, ReviewState.CHANGES_REQUESTED
COMMENTED, DISMISSED, PENDING = ReviewState.COMMENTED, ReviewState.DISMISSED, ReviewState.PENDING

A, B, C = "a" * 40, "b" * 40, "c" * 40


def seats(*accounts: Account, without_id: tuple[str, ...] = ()) -> Roll:
    """The roll call of these accounts, and of these logins whose files have no id."""
    sources = {one.login: f"---\nid: {one.id}\n---\n".encode() for one in accounts} | dict.fromkeys(without_id, b"")
    return Roll({login: read_player(login, source) for login, source in sources.items()})


def pull(**given: Any) -> PullRequest:
    """Proposal 7 of alice, ready for review at instant 100."""
    facts: dict[str, Any] = {
        "number": 7,
        "node": "PR_7",
        "title": "Be brief",
        "author": ALICE,
        "head": A,
        "base": "main",
        "created": 100,
        "is_open": True,
        "is_merged": False,
        "is_draft": False,
    }
    return PullRequest(**{**facts, **given})


def review(number: int, author: Account | None, state: ReviewState, time: int) -> Review:
    return Review(number, author, state, time, A)


def turn(kind: Turn, time: int, actor: Account | None = ALICE, **given: Any) -> Happening:
    return Happening(kind, time, actor, **given)


def comment(number: int, author: Account | None, body: str, time: int = 200, **given: Any) -> PullComment:
    facts: dict[str, Any] = {"mine": False, "edited": None, "answered": False}
    return PullComment(number, author, body=body, created=time, **{**facts, **given})
