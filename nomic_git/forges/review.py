"""Reviews as votes: what was said by whom and when, and what a dismissal makes of it (design section 4)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from nomic_git.forges.forge import Cast
from nomic_git.forges.pull_request import Happening, ReviewState, Turn
from nomic_git.forges.roll import same
from nomic_git.game.vote import Vote
from nomic_git.law.reason import Reason

if TYPE_CHECKING:
    from nomic_git.forges.pull_request import PullRequest, Review
    from nomic_git.forges.roll import Roll


class Dismissed(StrEnum):
    """What is to be told of a dismissal; a key of the message catalogue."""

    BY_ANOTHER = "vote-dismissed-by-another"


_SAYS = {ReviewState.APPROVED: Vote.FOR, ReviewState.CHANGES_REQUESTED: Vote.AGAINST}


@dataclass(frozen=True, slots=True)
class Reviewed:
    """What the reviews of a pull request come to.

    `casts` are all the votes in the order of time, each voter's earlier ones too; `unheard` the voters of whom a
    review cannot be read, by name, none of whose votes are among the casts; `notes` what others did that changes
    nothing.
    """

    casts: tuple[Cast, ...] = ()
    unheard: tuple[str, ...] = ()
    notes: tuple[Reason, ...] = ()


def opinions(reviews: Sequence[Review]) -> Sequence[Review]:
    """Return the reviews that are votes or were before they were dismissed, oldest first: a comment is no vote."""
    said = (one for one in reviews if one.state not in {ReviewState.COMMENTED, ReviewState.PENDING})
    return sorted(said, key=lambda one: (one.time, one.id))


def read_reviews(pull: PullRequest, roll: Roll, bindings: Mapping[int, str | None]) -> Reviewed:
    """Return the votes that the reviews of a pull request are.

    `bindings` are the texts that reviews were given to, by the review's id; None, or none, is an earlier text. A
    vote dismissed by somebody other than its voter counts as what it said; dismissing one's own takes it back.
    """
    said = opinions(pull.reviews)
    dismissals = {one.review: one for one in reversed(pull.timeline) if one.turn is Turn.DISMISSED}
    casts: list[Cast] = []
    unheard: dict[str, None] = {}
    notes = []
    for review in said:
        voter = roll.name(review.author)
        dismissal = dismissals.get(review.id) if review.state is ReviewState.DISMISSED else None
        vote = _SAYS.get(review.state if dismissal is None else dismissal.state or review.state)
        if vote is None:
            unheard[voter] = None
            continue
        casts.append(Cast(voter, vote, review.time, None, bindings.get(review.id), id=str(review.id)))
        if dismissal is not None and same(dismissal.actor, review.author):
            casts.extend(_taken_back(voter, review, dismissal, said))
        elif dismissal is not None:
            facts = {"login": roll.name(dismissal.actor), "voter": voter}
            notes.append(Reason(Dismissed.BY_ANOTHER, facts))
    heard = (one for one in casts if one.voter not in unheard)
    return Reviewed(tuple(sorted(heard, key=lambda one: one.time)), tuple(unheard), tuple(notes))


def _taken_back(voter: str, review: Review, dismissal: Happening, said: Sequence[Review]) -> Iterator[Cast]:
    """Yield that a voter took a vote back, unless they had voted again by then: the later vote stands."""
    later = said[said.index(review) + 1 :]
    if not any(same(one.author, review.author) and one.time <= dismissal.time for one in later):
        yield Cast(voter, Vote.NONE, max(dismissal.time, review.time), None, id=str(review.id))
