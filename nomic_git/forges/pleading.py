"""A pull request as the referee hears it: who proposes, when it was put to the vote, who voted (design section 11)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from nomic_git.forges.answers import NOWHERE
from nomic_git.forges.command import is_somebodys, notes, own_votes, pleas, read_commands, withdrawals
from nomic_git.forges.forge import Pushed, Remark, Submission, Unread
from nomic_git.forges.review import opinions, read_reviews
from nomic_git.forges.roll import GHOST, same
from nomic_git.forges.timeline import course
from nomic_git.forges.title import read_title
from nomic_git.game.player import Account
from nomic_git.game.vote import Vote
from nomic_git.law.reason import Reason
from nomic_git.law.rule_change import Impropriety, improper

if TYPE_CHECKING:
    from nomic_git.forges.forge import Cast
    from nomic_git.forges.pull_request import Happening, PullRequest, Review
    from nomic_git.forges.roll import Roll


def plead(
    pull: PullRequest,
    roll: Roll,
    bindings: Mapping[int, str | None],
    branch: str,
    sightings: Sequence[Pushed] = (),
) -> Submission:
    """Return what a pull request submits to the game branch, by the name of that (`main`).

    `bindings` are the texts that its reviews were given to, by their ids, and `sightings` the heads that it was seen
    with, oldest first. Nothing is decided on one that could not be read completely.
    """
    commands = read_commands(pull, roll)
    reviewed = read_reviews(pull, roll, bindings)
    fared = course(pull, branch, roll, withdrawals(commands))
    own = tuple(own_votes(commands))
    push = _push_by_another(pull, own)
    return Submission(
        number=pull.number,
        author=roll.name(pull.author),
        head=pull.head,
        title=read_title(pull.title),
        submitted=pull.created,
        ready=fared.ready,
        votes=tuple(sorted([*reviewed.casts, *own], key=lambda one: one.time)),
        remarks=tuple(_remarks(pull, roll)),
        withdrawn=fared.withdrawn,
        unread=(Reason(Unread.PULL),) if pull.unread else (),
        heads=tuple(_supposed(pull, _heads(pull, sightings, push), _votes_of_others(pull, roll))),
        moved=push is not None,
        unheard=reviewed.unheard,
        account=pull.author or Account(GHOST, None, is_person=False),
        notes=(*fared.notes, *reviewed.notes, *notes(commands)),
        # What is missing may be what says the contrary.
        pleas=() if pull.unread else pleas(commands),
    )


def merged_by_hand(submission: Submission) -> Submission:
    """Return what is left of a submission that GitHub has as merged and no event adopted: nothing is decided on it."""
    return replace(submission, unread=(*submission.unread, improper(Impropriety.MERGED_UNADOPTED)))


def given_away(submission: Submission, merged: int) -> Submission:
    """Return a submission whose author pushed it to what was then adopted for another: that is as closing it."""
    return replace(submission, withdrawn=merged)


def _push_by_another(pull: PullRequest, own: Sequence[Cast]) -> Happening | None:
    """Return the forced push to the present head where somebody other than the author made it, else None.

    None too where the author has said since to be for the proposal as it is.
    """
    last = max(reversed(pull.forced_pushes), key=lambda one: one.time, default=None)
    if last is None or last.after != pull.head or same(last.actor, pull.author):
        return None
    said = [one.vote for one in own if one.time > last.time]
    return None if said and said[-1] is Vote.FOR else last


def _heads(pull: PullRequest, sightings: Sequence[Pushed], push: Happening | None) -> tuple[Pushed, ...]:
    """Return the heads that are known, oldest first, the present one last.

    Before a head that somebody else has pushed comes the one that was there before, a commit that is nowhere where
    GitHub has lost it: nobody takes the author's vote for granted then.
    """
    before = [replace(one, grown=_grown(pull, one.commit, one.until)) for one in sightings]
    is_seen = bool(before) and before[-1].commit == pull.head
    since = before.pop().time if is_seen else _pushed(pull)
    present = Pushed(pull.head, since, grown=_grown(pull, pull.head, None))
    if push is not None:
        own = push.before or (before[-1].commit if before else NOWHERE)
        if not before or before[-1].commit != own:
            since = before[-1].until if before else pull.created
            before.append(Pushed(own, since, push.time, _grown(pull, own, push.time)))
    return (*before, present)


def _votes_of_others(pull: PullRequest, roll: Roll) -> Sequence[Review]:
    """Return the reviews by players other than the author that are votes or were."""
    return [one for one in opinions(pull.reviews) if roll.seat(one.author) and not same(one.author, pull.author)]


def _supposed(pull: PullRequest, heads: Sequence[Pushed], votes: Sequence[Review]) -> Iterator[Pushed]:
    """Yield the heads with those that no pass saw while which somebody voted, and until when each may have been it.

    Both sides of a forced push tell of such heads, and the commit that a review names of one that is known. GitHub
    may move or lose these, so that nothing is adopted on them; but nobody escapes a vote by pushing before a pass.
    """
    known: Pushed | None = None
    for head in heads:
        since = pull.created if known is None else known.until or pull.created
        given = [one for one in votes if one.time > since and (head.time is None or one.time <= head.time)]
        if given:
            at = None if known is None else known.commit
            forced = pull.forced_pushes
            later = [one for one in forced if one.time > since or (one.time == since and one.before == at)]
            between = [one for one in later if head.time is None or one.time <= head.time]
            for one in _between(pull, known, head, between):
                named = [vote.time for vote in given if vote.commit == one.commit]
                yield replace(one, supposed=max([*named, one.supposed or 0]) or None)
        elif known is not None:
            yield known
        known = head
    if known is not None:
        yield known


def _between(pull: PullRequest, known: Pushed | None, head: Pushed, forced: Sequence[Happening]) -> Iterator[Pushed]:
    """Yield a known head, and those that forced pushes tell of between it and the next."""
    for one in sorted(forced, key=lambda one: one.time):
        if known is not None and known.commit == one.before:
            known = replace(known, supposed=one.time)
        elif one.before is not None:
            if known is not None:
                yield known
            known = Pushed(one.before, one.time, one.time, _grown(pull, one.before, one.time))
        if one.after is not None and one.after != head.commit:
            if known is not None:
                yield known
            known = Pushed(one.after, one.time, one.time, one.time)
    if known is not None:
        yield known


def _grown(pull: PullRequest, commit: str, seen: int | None) -> int:
    """Return since when a branch had only grown when this commit was its head: the last forced push before, or opening.

    `seen` is when it was the head, None for now.
    """
    forced = pull.forced_pushes
    before = (one.time for one in forced if seen is None or (one.time, one.after != commit) <= (seen, False))
    return max(before, default=pull.created)


def _pushed(pull: PullRequest) -> int | None:
    """Return when the present head was pushed by force, None where it was not, or nobody knows."""
    times = [one.time for one in pull.forced_pushes if one.after == pull.head]
    return max(times, default=None)


def _remarks(pull: PullRequest, roll: Roll) -> Iterator[Remark]:
    """Yield what people said, oldest first, without the referee's own comment and what bots say."""
    for comment in sorted(pull.comments, key=lambda one: (one.created, one.id)):
        if is_somebodys(comment):
            yield Remark(roll.name(comment.author), comment.created, comment.body)
