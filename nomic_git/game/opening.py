"""When voting on a proposal opens, and what keeps it waiting (201, -112; design sections 3 and 4)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from nomic_git.game import turns
from nomic_git.game.poll import Term, poll
from nomic_git.game.proposal import Period, Proposal
from nomic_git.game.tally import electorate, is_deserted, names_of
from nomic_git.game.vote import Vote
from nomic_git.law.provisions import (
    DEBATE_MINIMUM,
    JUDGMENT_CONSENT,
    PLAYERS_JOINING,
    PLAYERS_LEAVE,
    PROPOSALS_NUMBERING,
    TURNS_DEADLINE,
    TURNS_ORDER,
    VOTES_DEADLINE,
    Joining,
    Successive,
)
from nomic_git.law.reason import Reason
from nomic_git.law.rule_change import Absence, Forfeit, JoinRequest, NewSurname, RuleChange

if TYPE_CHECKING:
    from nomic_git.game.position import Position
    from nomic_git.game.tally import Electorate
    from nomic_git.game.vote import Ballot


class Wait(StrEnum):
    """What a proposal may be waiting for; each is a key of the message catalogue."""

    ANOTHER_OPEN = "another-proposal-open"
    TOO_FEW_PLAYERS = "too-few-players"
    DESERTED = "others-away"
    NOT_YOUR_TURN = "not-your-turn"
    TURN_OVER = "turn-over"
    TURN_OF_ABSENT = "turn-of-somebody-away"
    JUDGMENT = "kept-by-judgment"
    BETWEEN_TURNS = "between-turns"
    ORDER = "order-between-turns"
    PAUSE = "pause-between-turns"


@dataclass(frozen=True, slots=True)
class Opening:
    """The instant at which voting opens, in seconds since the epoch, or what has to happen before."""

    at: int | None = None
    waits: tuple[Reason, ...] = ()


def opening(position: Position, proposal: Proposal, others: Sequence[Proposal]) -> Opening:
    """Return when voting on a proposal opens.

    That is the latest of made ready, the end of its author's turn before, and the instant at which the game
    had two players who were not away; what nobody votes on waits for nothing. `others` are the author's open
    proposals, this one among them.
    """
    state = position.state
    period = begun(position, proposal, others)
    if period is None:
        return Opening()
    if is_at_once(position, proposal):
        return Opening(period.since)
    if state.playing is None:
        return Opening(waits=(Reason(Wait.TOO_FEW_PLAYERS, {"players": len(state.seats)}),))
    ahead = _ahead(position, proposal, period, others)
    if ahead is not None:
        return Opening(waits=(Reason(Wait.ANOTHER_OPEN, {"other": ahead.forge}, TURNS_ORDER.name),))
    free = max(state.playing, *_free(position, proposal, period, others))
    if isinstance(proposal.reading, RuleChange):
        kept = _kept(position, proposal, free)
        if kept is not None:
            return Opening(waits=(kept,))
        free = turns.opens(position, free)
    at = _company(position, proposal, free)
    if at is None and period.until is None:
        return Opening(waits=(Reason(Wait.DESERTED, {}, PLAYERS_LEAVE.name),))
    return Opening(at) if at is not None and (period.until is None or at <= period.until) else Opening()


def _kept(position: Position, proposal: Proposal, at: int) -> Reason | None:
    """Return what keeps the author's turn from beginning at `at`: somebody else's (201), or a judgment (212)."""
    state, mover = position.state, turns.mover(position)
    if mover is not None and mover.casefold() != proposal.author.casefold():
        seat = state.seat(mover)
        what = Wait.TURN_OF_ABSENT if seat is not None and seat.is_away else Wait.NOT_YOUR_TURN
        return Reason(what, {"author": proposal.author, "mover": mover}, TURNS_ORDER.name)
    if turns.is_over(position, turns.opens(position, at)):
        return Reason(Wait.TURN_OVER, {"author": proposal.author}, TURNS_DEADLINE.name)
    judgment = state.judgment
    if judgment is None or judgment.proposal == proposal.forge:
        return None
    begins = turns.opens(position, at)
    if number_of(position, proposal) is None:
        begins = max(begins, state.time)  # The number of a series is the record of its opening, and is yet to come.
    if begins <= judgment.invoked:
        return None
    return Reason(Wait.JUDGMENT, {"other": judgment.proposal}, JUDGMENT_CONSENT.name)


def term(position: Position, proposal: Proposal, opened: int, now: int, until: int | None = None) -> Term:
    """Return the time in which the vote on a proposal can end (111; `votes.deadline`); instants in seconds.

    `opened` is when voting opened, `until` when the author gave the proposal up, None where they have not.
    """
    state, law = position.state, position.law
    since = max(opened, state.time)
    is_rule_change = isinstance(proposal.reading, RuleChange)
    debate = law.value(DEBATE_MINIMUM) if is_rule_change else None
    earliest = since if debate is None else max(since, proposal.submitted + debate)
    deadline = law.value(VOTES_DEADLINE)
    held = is_rule_change and state.is_judged(proposal.forge)
    ends = None if deadline is None else max(opened + deadline, earliest)
    return Term(since, now, earliest, ends, until, held)


def joining(position: Position) -> Joining:
    """Return how players join now: openly while there are fewer than two, whatever the law (design section 3)."""
    return Joining.OPEN if len(position.state.seats) < 2 else position.law.value(PLAYERS_JOINING)


def joins_at_once(position: Position, proposal: Proposal) -> bool:
    """Return whether a proposal is a request to join that nobody has to vote on."""
    return isinstance(proposal.reading, JoinRequest) and joining(position) is Joining.OPEN


def is_at_once(position: Position, proposal: Proposal) -> bool:
    """Return whether nobody has to vote on a proposal: what is one's own affair, or joining where that is open."""
    return isinstance(proposal.reading, Forfeit | Absence | NewSurname) or joins_at_once(position, proposal)


def begun(position: Position, proposal: Proposal, others: Sequence[Proposal]) -> Period | None:
    """Return the period in which the proposal is put to the vote, None while it is in debate.

    It is the one whose end conceded the vote, or the one that still runs, or that withdrawing ended.
    """
    for period in proposal.ready:
        if period.until in {None, proposal.withdrawn} or conceded(position, proposal, period, others):
            return period
    return None


def conceded(position: Position, proposal: Proposal, period: Period, others: Sequence[Proposal]) -> bool:
    """Return whether a period ended too late to take the proposal back: nobody escapes the vote (104, 206).

    By then another player had voted, or the vote was complete without (the author's own vote against one
    that needs unanimity; an author alone among the eligible).
    """
    state, until, change = position.state, period.until, proposal.reading
    opened = opened_in(position, proposal, period, others)
    if until is None or opened is None or not isinstance(change, RuleChange):
        return False
    voters = electorate(state, opened, proposal.author)
    if any(_by_another(ballot, voters, until) for ballot in proposal.ballots):
        return True
    terms = term(position, proposal, opened, until)
    names = names_of(state, None, proposal=number_of(position, proposal) or 0, author=proposal.author)
    voters = replace(voters, author=None) if proposal.moved else voters
    complete = poll(position.law, change, voters, proposal.ballots, terms, names)
    return terms.since <= until and complete.outcome is not None


def opened_in(position: Position, proposal: Proposal, period: Period, others: Sequence[Proposal]) -> int | None:
    """Return when voting on a rule-change opened in a period that is over, in seconds since the epoch.

    None where it did not, and where the period still runs.
    """
    playing, until = position.state.playing, period.until
    if until is None or playing is None or not isinstance(proposal.reading, RuleChange):
        return None
    free = max(playing, *_free(position, proposal, period, others))
    if _kept(position, proposal, free) is not None:
        return None
    opened = _company(position, proposal, turns.opens(position, free))
    return opened if opened is not None and opened <= until else None


def _by_another(ballot: Ballot, voters: Electorate, until: int) -> bool:
    said = ballot.vote is not Vote.NONE and ballot.time <= until
    return said and voters.login(ballot.voter) not in {None, voters.author}


def number_of(position: Position, proposal: Proposal) -> int | None:
    """Return the rulebook's number of a rule-change: given, or the forge's; None where it has none yet (108)."""
    return numbered(position, proposal.forge) if isinstance(proposal.reading, RuleChange) else None


def numbered(position: Position, forge: int) -> int | None:
    """Return the rulebook's number of the rule-change that has this number at the forge (108)."""
    given = position.state.number(forge)
    if given is not None:
        return given
    return None if isinstance(position.law.value(PROPOSALS_NUMBERING), Successive) else forge


def _free(position: Position, proposal: Proposal, period: Period, others: Sequence[Proposal]) -> Iterator[int]:
    """Yield the instants since which nothing of the author's own has kept the proposal from the vote.

    Made ready, then the end of the author's turn before, and of each time during which another proposal of
    the author's was ahead of this one, even if that one went back to debate and came again.
    """
    yield period.since
    seat = position.state.seat(proposal.author)
    if seat is None or not isinstance(proposal.reading, RuleChange):
        return
    yield seat.free
    for one in others:
        if _rivals(one, proposal):
            for its in one.ready:
                if its.until is not None and (its.since, one.forge) < (period.since, proposal.forge):
                    yield its.until


def _company(position: Position, proposal: Proposal, at: int) -> int | None:
    """Return the first instant from `at` on at which there are two to vote, None while there are not.

    Who is alone in the game decides nothing (section 5), and no more does who is alone while the others are away, or
    came later.
    """
    state = position.state
    author = proposal.author if isinstance(proposal.reading, RuleChange) else None
    if not is_deserted(state, at, author):
        return at
    back = (until for seat in state.seats for _, until in seat.absences if until is not None)
    later = sorted(one for one in (*back, *(seat.joined for seat in state.seats)) if one > at)
    return next((one for one in later if not is_deserted(state, one, author)), None)


def _ahead(position: Position, proposal: Proposal, period: Period, others: Sequence[Proposal]) -> Proposal | None:
    """Return the author's other proposal whose turn it is: one open proposal at a time (201, -112)."""

    def place(one: Proposal, its: Period) -> tuple[bool, int, int]:
        return position.state.number(one.forge) is None, its.since, one.forge

    own = place(proposal, period)
    for one in others:
        its = begun(position, one, others) if _rivals(one, proposal) else None
        if its is not None and place(one, its) < own:
            return one
    return None


def _rivals(one: Proposal, proposal: Proposal) -> bool:
    if one is proposal:
        return False
    return isinstance(one.reading, RuleChange) and isinstance(proposal.reading, RuleChange)
