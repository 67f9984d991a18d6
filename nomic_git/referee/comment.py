"""What the referee says on a proposal: one comment, kept up to date (issue of the first game, item 5)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from nomic_git import locales
from nomic_git.forges.forge import MARKER
from nomic_git.game import scoring
from nomic_git.game.docket import Standing
from nomic_git.game.event import EventKind
from nomic_git.game.poll import Result
from nomic_git.game.proposal import Stage
from nomic_git.game.resolution import next_number
from nomic_git.game.tally import Outcome, closing_of, names_of, needed, settled
from nomic_git.game.transition import adopting
from nomic_git.law.errors import NomicError
from nomic_git.law.expression import Expression
from nomic_git.law.kinds import ChangeKind
from nomic_git.law.provisions import (
    DEFEAT_POINTS,
    DISSENT_POINTS,
    KEYS,
    TURNS_POINTS,
    VOTES_CLOSING,
    VOTES_DEADLINE,
    VOTES_PARTICIPATION,
    Closing,
    Participation,
)
from nomic_git.law.rule import Status, read_rule
from nomic_git.law.rule_change import RuleChange
from nomic_git.law.threshold import Agreement
from nomic_git.referee.account import position_before
from nomic_git.referee.difference import difference, fence
from nomic_git.referee.effect import in_vain, value_text

if TYPE_CHECKING:
    from nomic_git.game.event import Event
    from nomic_git.game.position import Position
    from nomic_git.law.precedence import Law
    from nomic_git.law.reason import Reason
    from nomic_git.referee.account import Account
    from nomic_git.repository.clone import Clone
    from nomic_git.repository.history import Recorded

RESOLVED = "<!-- nomic-git: resolved -->"
"""Stands last in the comment once it is final: however its words change later, it is not written again.

But what was resolved last can still be judged, and is told of that until the next is resolved.
"""

VOIDED = "<!-- nomic-git: voided -->"
"""Stands there instead once the move has been taken back."""


@dataclass(frozen=True, slots=True)
class Stake:
    """Points that an outcome would bring a player, and by which rule; `points` is None where a die is thrown."""

    points: int | None
    rule: int | None


@dataclass(frozen=True, slots=True)
class Shift:
    """One provision that adoption would change: its key, what holds now and then, by which rules.

    `by_proposal` says that the proposal itself provides it then, whose number may not be given yet.
    """

    key: str
    now: str
    now_rule: int | None
    then: str
    then_rule: int | None
    by_proposal: bool


def open_comment(
    position: Position,
    standing: Standing,
    account: Account,
    notes: Sequence[Reason] = (),
    advice: Sequence[str] = (),
    judged: Sequence[str] = (),
) -> str:
    """Return the comment on a proposal that is open.

    `notes` are what the forge has to tell of it, `advice` keys of the catalogue for its end, `judged` sentences about
    the judgments on it.
    """
    change = standing.proposal.reading
    facts: dict[str, Any] = {"ends": (), "stakes": {}, "shifts": (), "notice": None, "vain": (), "difference": ""}
    facts["judged"] = judged
    said: Sequence[Reason] = notes if account.winner is None else ()
    law: Law | None = None
    if isinstance(change, RuleChange) and account.winner is None:
        number = standing.number if standing.number is not None else next_number(position)
        law = law_after(position.law, change, number)
        facts["difference"] = difference(change, position.law, law, standing.number)
        facts["shifts"] = shifts(position.law, law, number) if law is not None else ()
        facts["notice"] = parting(change)
        facts["vain"] = in_vain(position.law, law, change.rule, number) if law is not None else ()
        if law is None and standing.stage in {Stage.DEBATE, Stage.WAITING}:
            facts["notice"] = "stale"
    if standing.result is not None and standing.stage is Stage.VOTING:
        names = names_of(position.state, None, proposal=standing.number or 0, author=standing.proposal.author)
        facts["ends"] = endings(position.law, standing.result, names)
        facts["stakes"] = _stakes(position, standing, law)
    facts["fence"] = fence(facts["difference"])
    facts["notes"] = [locales.reason_text(note, position.law) for note in said]
    # Of a vote alone can one be missing.
    facts["advice"] = [locales.ADVICE[key] for key in advice if account.outcome is not None]
    return str(locales.template("comment.md.j2").render(marker=MARKER, account=account, **facts))


def closed_comment(
    clone: Clone, recorded: Recorded, account: Account, notes: Sequence[Reason] = (), judged: Sequence[str] = ()
) -> str:
    """Return the comment on a proposal that the history has resolved: a function of the history alone.

    Beside that, `judged` are sentences about the judgments on it, and `notes` the answers to what was said of them.
    """
    event = recorded.event
    law = position_before(clone, recorded).law
    facts = {"ended": _ended(event), "scored": account.scored, "law": law}
    facts["judged"] = judged
    facts["notes"] = [locales.reason_text(note, law) for note in notes]
    text = locales.template("resolved.md.j2").render(marker=MARKER, account=account, event=event, **facts)
    return f"{text}\n{final_mark(recorded)}\n"


def final_mark(recorded: Recorded) -> str:
    """Return what the final comment on a proposal ends in, once this event has resolved it."""
    return VOIDED if recorded.event.kind is EventKind.VOIDED else RESOLVED


def _ended(event: Event) -> str:
    """Return what a proposal's end came to, as the end of a sentence."""
    key = event.kind.value if event.change is None else f"{event.kind}-{event.change.kind}"
    rule, becomes = (event.change.rule, event.change.becomes) if event.change else (None, None)
    return locales.ENDED.get(key, "").format(rule=rule, becomes=becomes, player=event.player)


def law_after(law: Law, change: RuleChange, number: int) -> Law | None:
    """Return the law that adoption would leave, None where the change cannot be adopted as it stands."""
    rule = law.rulebook.rules.get(change.rule) if change.rule is not None else None
    stale = change.rule is not None and (rule is None or rule.source != change.before)
    if stale or number in law.rulebook.rules:
        return None
    try:
        return adopting(law, change, number)
    except NomicError:
        return None


def shifts(before: Law, after: Law, number: int) -> Sequence[Shift]:
    """Return what a proposal of this number would change in the effective law: provisions with another value."""
    return tuple(
        Shift(
            key=name,
            now=value_text(name, before.findings[name].value),
            now_rule=before.findings[name].rule,
            then=value_text(name, after.findings[name].value),
            then_rule=after.findings[name].rule,
            by_proposal=after.findings[name].rule == number,
        )
        for name in KEYS
        if before.findings[name].value != after.findings[name].value
    )


def parting(change: RuleChange) -> str | None:
    """Return a notice when an amendment changes a rule's words and not its provisions, or the reverse."""
    if change.kind is not ChangeKind.AMEND or change.before is None or change.after is None:
        return None
    old = read_rule(0, Status.MUTABLE, change.before)
    new = read_rule(0, Status.MUTABLE, change.after)
    words, provisions = old.words != new.words, dict(old.provisions) != dict(new.provisions)
    if words and not provisions and new.provisions:
        return "words-alone"
    return "provisions-alone" if provisions and not words else None


def endings(law: Law, result: Result, names: dict[str, int]) -> Sequence[str]:
    """Return what would end the vote, in sentences; by 203 and the law's `votes.closing`. While it is judged, nothing.

    `names` are what an expression may use, without what the count itself gives.
    """
    count, closing = result.count, closing_of(law)
    over = result.outcome or settled(result.required, closing, count, names)
    if over is not None or (result.term is not None and result.term.held):
        return ()  # Where it has not ended, it does when the debate or the judgment is over.
    basis = locales.rests_on(law.rule(VOTES_CLOSING.name))
    return (*must_vote(law, result.count.waiting_for), *(f"{one} {basis}." for one in _endings(law, result, names)))


def must_vote(law: Law, waiting: Sequence[str]) -> Iterator[str]:
    """Yield that everybody must vote, where that is so and somebody has not yet (105)."""
    if waiting and law.value(VOTES_PARTICIPATION) is Participation.REQUIRED:
        key = "must-vote" if law.value(VOTES_DEADLINE) is None else "must-vote-in-time"
        said = locales.ENDINGS[key].format(players=locales.names_text(waiting))
        yield f"{said} {locales.rests_on(law.rule(VOTES_PARTICIPATION.name))}."


def _endings(law: Law, result: Result, names: dict[str, int]) -> Iterator[str]:
    waiting, closing = result.count.waiting_for, closing_of(law)
    more = needed(result.required, closing, result.count, names)
    facts = {"adopting": more.adopting, "defeating": more.defeating, "waiting": len(waiting), "last": waiting[0]}
    by_expression = result.verdict.failed or isinstance(result.verdict.threshold, Expression)
    if len(waiting) == 1:
        key = "last-against" if more.adopting is None else "last-for" if more.defeating is None else "last-decides"
        yield locales.ENDINGS[key].format(**facts)
        return
    if closing is Closing.DECIDED and not by_expression:
        unanimous = result.verdict.threshold is Agreement.UNANIMOUS
        key = "cannot-be-adopted" if more.adopting is None else "one-against" if unanimous else "decided"
        yield locales.ENDINGS[key].format(**facts)
    yield locales.ENDINGS["all-voted"].format(**facts)


def _stakes(position: Position, standing: Standing, adopted: Law | None) -> dict[str, dict[str, list[Stake]]]:
    """Return the points that adoption and defeat would bring with the votes as they stand, by player.

    Those of the turn are by the law that is in force then (202 after 205): of an adopted change by `adopted`.
    """
    result, law = standing.result, position.law
    if result is None or not isinstance(standing.proposal.reading, RuleChange) or standing.number is None:
        return {}
    seat = position.state.seat(standing.proposal.author)
    author = seat.login if seat is not None else standing.proposal.author
    names = names_of(position.state, result.count, proposal=standing.number, author=author)
    stakes: dict[str, dict[str, list[Stake]]] = {}
    for outcome, key, then in (
        (Outcome.ADOPTED, DISSENT_POINTS.name, adopted or law),
        (Outcome.DEFEATED, DEFEAT_POINTS.name, law),
    ):
        first = scoring.at_completion(law, outcome, result.verdict.threshold, result.count, author, names)
        players: dict[str, list[Stake]] = stakes.setdefault(outcome.value, {})
        for login, points in first.points:
            players.setdefault(login, []).append(Stake(points, law.rule(key)))
        for stake in _of_the_turn(then, author, names):
            players.setdefault(author, []).append(stake)
    return stakes


def _of_the_turn(law: Law, author: str, names: dict[str, int]) -> Sequence[Stake]:
    """Return what the end of a turn would bring its player, which a die may have to show."""
    rule = law.rule(TURNS_POINTS.name)
    if scoring.is_by_die(law, names):
        return (Stake(None, rule),)
    return tuple(Stake(points, rule) for _, points in scoring.at_end_of_turn(law, author, names).points)
