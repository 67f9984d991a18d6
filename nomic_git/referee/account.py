"""An account: what is to be said of one proposal, open or resolved (the `tally` of design section 13)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pygit2

from nomic_git import locales
from nomic_git.game import scoring
from nomic_git.game.docket import Standing, docket, over
from nomic_git.game.event import EventKind
from nomic_git.game.poll import Result, cast_too_late
from nomic_git.game.proposal import Proposal, Stage
from nomic_git.game.tally import (
    Count,
    NotCounted,
    Outcome,
    away_from,
    closing_of,
    electorate,
    judge,
    names_of,
    required_for,
    requirement,
    settled,
)
from nomic_git.game.vote import Uncounted, Vote
from nomic_git.law.errors import Unreadable
from nomic_git.law.precedence import read_law
from nomic_git.law.provisions import (
    DEFEAT_POINTS,
    DISSENT_POINTS,
    TURNS_POINTS,
    VOTES_ABSENT,
    VOTES_CLOSING,
    VOTES_DEADLINE,
    VOTES_EACH,
)
from nomic_git.law.reason import Reason
from nomic_git.law.rule import Status
from nomic_git.law.rule_change import Absence, Forfeit, JoinRequest, NewSurname, RuleChange
from nomic_git.law.threshold import write_threshold
from nomic_git.referee.hearing import heard_again
from nomic_git.repository.history import Recorded, events, recorded_event
from nomic_git.repository.position import position_at, state_at
from nomic_git.repository.rounds import rounds
from nomic_git.repository.rulebook import rulebook_at

if TYPE_CHECKING:
    from nomic_git.forges.forge import Submission
    from nomic_git.game.event import Event
    from nomic_git.game.position import Position
    from nomic_git.game.tally import Verdict
    from nomic_git.law.precedence import Law
    from nomic_git.repository.clone import Clone


@dataclass(frozen=True, slots=True)
class Scored:
    """Points that a resolution brought a player, in parts: how many, and by which rule, None where by none."""

    player: str
    parts: tuple[tuple[int, int | None], ...]


@dataclass(frozen=True, slots=True)
class Account:
    """One proposal's account. `proposal` is the forge's number, `number` the rulebook's, None until given.

    `kind` is a kind of rule-change, `join`, `forfeit`, `away`, `back` or `surname`, None where it is improper.
    `scored` is who got which points when it was resolved, and `opened` when voting on it had opened, in seconds since
    the epoch.
    `winner` is whoever won while it was open: it stays as it is.
    `clock` says how much time is left, and for what; `judgment` what the judgment that is open on it waits for.
    `is_due` says that the referee's next pass resolves it.
    `absent` says who had not voted when a deadline ended the vote, and what that counted as; empty where nobody was.
    `closed` is when the vote was complete, in seconds since the epoch, and `completion` says so, with the rule;
    `absentees` are those of whom `absent` speaks.
    """

    proposal: int
    number: int | None
    stage: Stage
    author: str
    title: str
    kind: str | None
    rule: int | None
    supporters: tuple[str, ...] = ()
    opponents: tuple[str, ...] = ()
    waiting_for: tuple[str, ...] = ()
    uncounted: tuple[NotCounted, ...] = ()
    eligible: int = 0
    threshold: str | None = None
    threshold_rule: int | None = None
    outcome: str | None = None
    reasons: tuple[str, ...] = ()
    scored: tuple[Scored, ...] = ()
    commit: str | None = None
    becomes: int | None = None
    winner: str | None = None
    clock: tuple[str, ...] = ()
    opened: int | None = None
    judgment: str | None = None
    is_due: bool = False
    absent: str = ""
    absentees: tuple[str, ...] = ()
    closed: int | None = None
    completion: str = ""

    @property
    def summary(self) -> str:
        """How the proposal stands, on one line."""
        if self.winner is not None:
            return locales.OVER.format(winner=self.winner)
        votes = (len(self.supporters), len(self.opponents), len(self.waiting_for))
        return locales.summary(self.stage, *votes)

    def plain(self) -> Mapping[str, Any]:
        """Return the account under the keys that other programs rely on (design section 13)."""
        return {
            "proposal": self.proposal,
            "number": self.number,
            "stage": self.stage.value,
            "change": {"kind": self.kind, "rule": self.rule},
            "for": list(self.supporters),
            "against": list(self.opponents),
            "waiting_for": list(self.waiting_for),
            "uncounted": [
                {"player": one.player, "vote": one.vote.value, "reason": locales.REASONS[one.reason]}
                for one in self.uncounted
            ],
            "eligible": self.eligible,
            "threshold": self.threshold,
            "threshold_rule": self.threshold_rule,
            "outcome": self.outcome,
            "reasons": [*self.reasons, *filter(None, [self.absent])],
        }


def open_account(position: Position, standing: Standing, title: str) -> Account:
    """Return the account of a proposal that the history has not resolved."""
    proposal, change = standing.proposal, standing.proposal.reading
    account = Account(
        proposal=proposal.forge,
        number=standing.number,
        stage=standing.stage,
        author=proposal.author,
        title=title,
        kind=kind_of(change),
        rule=change.rule if isinstance(change, RuleChange) else None,
        reasons=tuple(locales.reason_text(reason, position.law) for reason in standing.reasons),
    )
    if standing.stage is Stage.WITHDRAWN:
        return account
    ended = over(position, proposal)
    if ended:
        said = tuple(locales.reason_text(reason, position.law) for reason in ended)
        return replace(account, stage=Stage.BLOCKED, reasons=said, winner=position.state.winner)
    if standing.early is not None:
        account = replace(account, reasons=(*account.reasons, *_early(standing.early, proposal.author)))
    if isinstance(change, RuleChange | JoinRequest):
        first = requirement(position.law, change).candidates[0]
        account = replace(account, threshold=write_threshold(first[1]), threshold_rule=first[0])
    if standing.result is None:
        return account
    result = standing.result
    return replace(
        account,
        supporters=result.count.supporters,
        opponents=result.count.opponents,
        waiting_for=result.count.waiting_for,
        uncounted=result.count.uncounted,
        eligible=len(result.count.eligible),
        threshold=write_threshold(result.verdict.threshold),
        threshold_rule=result.verdict.rule,
        outcome="open" if result.outcome is None else result.outcome.value,
        absent=_absent(position.law, result.count.absent),
        absentees=result.count.absent,
        closed=result.closed,
        completion=_completion(position.law, result),
        reasons=(
            *account.reasons,
            *_away(position, proposal, standing.opened or 0),
            *(_failure(rule, why) for rule, why in result.verdict.failed),
        ),
    )


def _completion(law: Law, result: Result) -> str:
    """Return that a vote was complete, when and by which rule; empty where it is not."""
    if result.closed is None or result.term is None:
        return ""
    by_deadline = result.closed == result.term.deadline
    key = "given-up" if result.closed == result.term.until else "deadline" if by_deadline else "voted"
    rule = locales.rests_on(law.rule((VOTES_DEADLINE if by_deadline else VOTES_CLOSING).name))
    return locales.COMPLETED[key].format(instant=locales.instant_text(result.closed), rule=rule)


def _early(count: Count, author: str) -> Iterator[str]:
    """Yield what was voted before voting opens; that the author is for it goes without saying."""
    supporters = (login for login in count.supporters if login.casefold() != author.casefold())
    votes = [*(f"{login} for" for login in supporters), *(f"{login} against" for login in count.opponents)]
    if votes:
        yield locales.reason_text(Reason(Telling.EARLY, {"votes": ", ".join(votes)}))


def _away(position: Position, proposal: Proposal, opened: int) -> Iterator[str]:
    """Yield who was away when voting opened, so that nobody waits for them (`players.leave`)."""
    author = proposal.author if isinstance(proposal.reading, RuleChange) else None
    away = away_from(position.state, opened, author)
    if away:
        yield locales.reason_text(Reason(Telling.AWAY, {"players": ", ".join(away)}))


def _absent(law: Law, absent: Sequence[str]) -> str:
    """Return what it counted as by the law that these had not voted when a deadline ended the vote."""
    if not absent:
        return ""
    deadline, rule = (locales.rests_on(law.rule(key.name)) for key in (VOTES_DEADLINE, VOTES_ABSENT))
    said = locales.WERE_ABSENT[law.value(VOTES_ABSENT)].format(deadline=deadline, rule=rule)
    return f"{locales.names_text(absent)} {said}."


def _failure(rule: int | None, why: str) -> str:
    return locales.reason_text(Reason(Telling.THRESHOLD, {"rule": str(rule), "problem": why}))


class Telling(StrEnum):
    """What is to be told of a vote beside its count; each is a key of the message catalogue."""

    THRESHOLD = "threshold-failed"
    EARLY = "given-before-the-vote"
    CONCEDED = "conceded"
    LAPSED = "lapsed"
    AWAY = "away-then"
    LEFT = "left-behind"


def kind_of(change: object) -> str | None:
    """Return the word for what a proposal would do: a rule-change, `join`, `forfeit`, `away`, `back` or `surname`."""
    if isinstance(change, RuleChange):
        return change.kind.value
    if isinstance(change, JoinRequest):
        return "join"
    if isinstance(change, Absence):
        return "away" if change.away else "back"
    if isinstance(change, NewSurname):
        return "surname"
    return "forfeit" if isinstance(change, Forfeit) else None


_STAGES = {
    EventKind.ADOPTED: Stage.ADOPTED,
    EventKind.JOINED: Stage.ADOPTED,
    EventKind.FORFEITED: Stage.ADOPTED,
    EventKind.AWAY: Stage.ADOPTED,
    EventKind.BACK: Stage.ADOPTED,
    EventKind.SURNAMED: Stage.ADOPTED,
    EventKind.DEFEATED: Stage.DEFEATED,
    EventKind.WITHDRAWN: Stage.WITHDRAWN,
    EventKind.VOIDED: Stage.VOIDED,
}


_KINDS = {
    EventKind.JOINED: "join",
    EventKind.DEFEATED: "join",
    EventKind.FORFEITED: "forfeit",
    EventKind.AWAY: "away",
    EventKind.BACK: "back",
    EventKind.SURNAMED: "surname",
}
"""What a proposal would do that changed no rule, by the event that resolved it."""

ABOUT_SEATS = frozenset(_KINDS.values())
"""What proposals do that change no rule."""


def resolving(clone: Clone, number: int) -> Recorded | None:
    """Return the event that resolved a proposal, None where the history has none."""
    for one in events(clone):
        if one.event.proposal == number and resolved_by(clone, one):
            return one
    return None


def resolution_in(clone: Clone, commit: str) -> Recorded:
    """Return the resolution that the event in a commit is, or that it took back."""
    recorded = recorded_event(clone.repository[commit].peel(pygit2.Commit))
    assert recorded is not None, "what resolved a proposal is an event"
    return undone_by(clone, recorded) if recorded.event.kind is EventKind.VOIDED else recorded


def resolved_by(clone: Clone, recorded: Recorded) -> bool:
    """Return whether a commit resolved the proposal that its record names: the scores before it and in it say so.

    A message that only claims it is no event (design section 5).
    """
    event = recorded.event
    if event.kind not in _STAGES or event.proposal is None or not recorded.parents:
        return False
    after = clone.repository[recorded.commit].peel(pygit2.Tree).id.raw
    try:
        before = position_before(clone, recorded).state
        if event.kind is EventKind.VOIDED:
            return before.lately is not None and before.lately.illegal and before.lately.proposal == event.proposal
        return event.proposal not in before.resolved and event.proposal in state_at(clone.trees, after).resolved
    except Unreadable:
        return False


def closed_account(clone: Clone, recorded: Recorded, submission: Submission | None, now: int) -> Account:
    """Return the account of a proposal from the record; what was not counted, from the forge as far as it knows.

    `now` is in seconds since the epoch; votes dated later are none yet.
    """
    event = recorded.event
    if event.kind is EventKind.VOIDED:
        return _voided(recorded, closed_account(clone, undone_by(clone, recorded), submission, now))
    before = position_before(clone, recorded)
    account = Account(
        proposal=event.proposal or 0,
        number=event.number,
        stage=_STAGES[event.kind],
        author=event.player or "",
        title=submission.title if submission else "",
        kind=_recorded_kind(recorded),
        rule=event.change.rule if event.change else None,
        supporters=event.supporters,
        opponents=event.opponents,
        outcome={Stage.ADOPTED: "adopted", Stage.DEFEATED: "defeated"}.get(_STAGES[event.kind]),
        absentees=event.absent,
        commit=recorded.commit,
        becomes=event.change.becomes if event.change else None,
        opened=event.opened,
    )
    if submission is not None:
        account = replace(account, uncounted=tuple(_not_counted(clone, recorded, before, submission, now)))
    if event.kind is EventKind.WITHDRAWN:
        return replace(account, reasons=tuple(_lapse(event, before)))
    if event.opened is None:
        return account
    vote = _vote(event, before)
    return replace(
        account,
        eligible=len(vote.count.eligible),
        threshold=write_threshold(vote.verdict.threshold),
        threshold_rule=vote.verdict.rule,
        reasons=tuple(_concession(event, vote)),
        absent=_absent(before.law, event.absent),
        scored=_scored(clone, recorded, before, vote.count, vote.verdict),
    )


def undone_by(clone: Clone, voiding: Recorded) -> Recorded:
    """Return the resolution that a voiding took back."""
    parent = clone.repository[voiding.parents[0]].peel(pygit2.Commit)
    earlier = (one for one in events(clone, parent) if one.event.proposal == voiding.event.proposal)
    return next(one for one in earlier if resolved_by(clone, one))


def _voided(voiding: Recorded, account: Account) -> Account:
    """Return the account of a proposal whose resolution was taken back, with the points that this took (212)."""
    event = voiding.event
    scored = tuple(Scored(login, ((points, event.rule),)) for login, points in event.points)
    return replace(account, stage=Stage.VOIDED, outcome=None, commit=voiding.commit, becomes=None, scored=scored)


@dataclass(frozen=True, slots=True)
class Left:
    """A proposal that was open when the round `until` began: where it stood when its own had ended."""

    until: int
    position: Position
    standing: Standing


def left_behind(clone: Clone, submission: Submission) -> Left | None:
    """Return where a proposal stood that another round has left behind.

    None where none has, or where it changed nothing of the game's.
    """
    for before, after in pairwise(rounds(clone)):
        if after.left is not None and submission.number <= after.left and after.founding is not None:
            position = position_at(clone.trees, before.end.tree_id.raw)
            hearing = heard_again(clone, str(before.end.id), submission, None)
            standing = next(iter(docket(position, hearing.proposals(position), after.founding.commit_time)), None)
            return None if standing is None else Left(after.number, position, standing)
    return None


def left_account(left: Left, title: str) -> Account:
    """Return the account of a proposal that another round has left behind, as it stood when its own had ended."""
    account = open_account(left.position, left.standing, title)
    said = locales.reason_text(Reason(Telling.LEFT, {"round": left.until, "again": locales.again_text(account.kind)}))
    return replace(account, reasons=(*account.reasons, said))


def _lapse(event: Event, before: Position) -> Iterator[str]:
    """Yield that a proposal lapsed with its author's leaving (113), which is when it does."""
    author = event.player or ""
    left = before.state.left(author) if before.state.seat(author) is None else None
    if left is not None and left.free == event.time:
        yield locales.reason_text(Reason(Telling.LAPSED, {"author": left.login}))


def _concession(event: Event, vote: Result) -> Iterator[str]:
    """Yield that the author gave a rule-change up: by the votes that stood alone, it was not defeated (104, 206).

    Where a deadline ended the vote, it is the deadline that did.
    """
    if event.absent:
        return
    if event.kind is EventKind.DEFEATED and event.change is not None and vote.outcome is not Outcome.DEFEATED:
        yield locales.reason_text(Reason(Telling.CONCEDED, {"author": event.player or ""}))


def position_before(clone: Clone, recorded: Recorded) -> Position:
    """Return the position that an event was decided in."""
    parent = clone.repository[recorded.parents[0]].peel(pygit2.Commit)
    return position_at(clone.trees, parent.tree_id.raw)


def _scored(clone: Clone, recorded: Recorded, before: Position, count: Count, verdict: Verdict) -> tuple[Scored, ...]:
    """Return who got which points: dissent and defeat by the law that was voted under, the turn's by the new."""
    event, law = recorded.event, before.law
    if not event.points:
        return ()
    defeated = event.kind is EventKind.DEFEATED
    author, names = event.player or "", _names(event, before, count)
    outcome = Outcome.DEFEATED if defeated else Outcome.ADOPTED
    first = dict(scoring.at_completion(law, outcome, verdict.threshold, count, author, names).points)
    rule = law.rule(DEFEAT_POINTS.name if defeated else DISSENT_POINTS.name)
    tree = clone.repository[recorded.commit].peel(pygit2.Tree)
    turn = read_law(rulebook_at(clone.trees, tree.id.raw)).rule(TURNS_POINTS.name)
    found = []
    for login, points in event.points:
        parts = ((first.get(login, 0), rule), (points - first.get(login, 0), turn))
        found.append(Scored(login, tuple(part for part in parts if part[0])))
    return tuple(found)


def _recorded_kind(recorded: Recorded) -> str | None:
    event = recorded.event
    if event.change is not None:
        return event.change.kind.value
    return _KINDS.get(event.kind)


def _not_counted(
    clone: Clone, recorded: Recorded, before: Position, submission: Submission, now: int
) -> Iterator[NotCounted]:
    """Yield the votes that a resolution did not count; which ones it did, and until when, is the record's to say.

    What a vote was given to may be known no more once the proposal is resolved (design section 11): of such a vote
    nobody can say that it was given to an earlier text.
    """
    event = recorded.event
    cast = [one for one in submission.votes if one.time <= event.time]
    hearing = heard_again(clone, recorded.parents[0], replace(submission, votes=tuple(cast)), event.head)
    standing = next(iter(docket(before, hearing.proposals(before), event.time)), None)
    counted = {
        login.casefold(): vote
        for vote, voters in ((Vote.FOR, event.supporters), (Vote.AGAINST, event.opponents))
        for login in voters
    }
    unbound = {one.voter.casefold() for one in cast if one.commit is None and one.text is None}
    for one in standing.result.count.uncounted if standing is not None and standing.result is not None else ():
        unknown = one.reason is Uncounted.EARLIER_TEXT and one.player.casefold() in unbound
        if not unknown and one.player.casefold() not in counted:
            yield one
    ordered = sorted(submission.votes, key=lambda one: one.time)
    late = ((one.voter, one.vote) for one in ordered if event.time < one.time <= now)
    yield from cast_too_late(Count((), event.supporters, event.opponents, 1, absent=event.absent), late)


def _vote(event: Event, before: Position) -> Result:
    """Return the votes that a record counts, what was required of them, and how they alone would have ended it."""
    law, change = before.law, event.change
    voters = electorate(before.state, event.opened or 0, event.player if change is not None else None)
    count = Count(voters.eligible, event.supporters, event.opponents, law.value(VOTES_EACH), absent=event.absent)
    rule = law.rulebook.rules.get(change.rule) if change is not None and change.rule is not None else None
    status = rule.status if rule is not None else Status.MUTABLE
    required = required_for(law, change.kind if change is not None else None, status)
    names = _names(event, before, count)
    outcome = settled(required, closing_of(law), count, names)
    return Result(count, required, judge(required, count, names), outcome, event.time)


def _names(event: Event, before: Position, count: Count) -> dict[str, int]:
    return names_of(before.state, count, proposal=event.number or 0, author=event.player or "")
