"""Whether an event can have followed from the position before it (design sections 5 and 13).

The trailers say who voted how, and nobody can ask the voters again. All else follows from them, the law and
the change itself: whether the votes sufficed (`recount`), the number, the points, and what was due first.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

from nomic_git.game import safeguards, turns
from nomic_git.game.bench import check_step
from nomic_git.game.change_record import ChangeRecord
from nomic_git.game.docket import Hindrance, hindrance, refused_absence, refused_surname, seat_there, surname_missing
from nomic_git.game.event import OF_JUDGMENT, Event, EventKind, write_trailers
from nomic_git.game.instant import LATEST
from nomic_git.game.irregularity import Irregularity
from nomic_git.game.judging import court
from nomic_git.game.judgment import Ruling
from nomic_git.game.opening import joining, numbered
from nomic_git.game.player import read_player
from nomic_git.game.position import Position
from nomic_git.game.recount import Matter, recount
from nomic_git.game.resolution import both_moments, next_number, of_the_position, rule_of_absence
from nomic_git.game.round import founding, next_round
from nomic_git.game.transition import adopting, after, record, state_after
from nomic_git.law.errors import NomicError
from nomic_git.law.provisions import (
    DEBATE_MINIMUM,
    PROPOSALS_NUMBERING,
    TURNS_DEADLINE,
    TURNS_ORDER,
    Joining,
    Successive,
)
from nomic_git.law.reason import Reason
from nomic_git.law.rule import Rule, Status
from nomic_git.law.rule_change import Absence, Forfeit, JoinRequest, NewSurname, RuleChange

if TYPE_CHECKING:
    from nomic_git.game.poll import Result
    from nomic_git.game.state import Seat, State
    from nomic_git.law.precedence import Law
    from nomic_git.law.rule_change import Change


Followed: TypeAlias = Position | Reason
"""The position that an event led to, or why it cannot have happened."""


def follow(position: Position, event: Event, change: Change | None, undone: Rule | None = None) -> Followed:
    """Return the position that an event led to, or the first reason why it cannot have happened.

    `change` is what the head of its proposal would change, None where nobody has that head any more: an
    adoption and a joining need it, and a defeat is then checked as far as its trailers tell. `undone` is the rule as it
    was before the turn that ended last, which a voiding restores.
    """
    try:
        return _first(position, event, undone) or _follow(position, event, change)
    except NomicError as error:
        return Reason(Irregularity.IMPOSSIBLE, {"problem": str(error)})


def begun(position: Position, law: Law, event: Event) -> Followed:
    """Return the position with which another round began under a law, or why it cannot have begun so."""
    if position.state.winner is None:
        return Reason(Irregularity.NO_WINNER, {"round": position.state.round})
    if not position.state.time <= event.time <= LATEST:
        return Reason(Irregularity.TIME)
    try:
        due = founding(position.state, event.time, event.left)
        return _wrong_trailer(event, due) or next_round(position, law, event)
    except NomicError as error:
        return Reason(Irregularity.IMPOSSIBLE, {"problem": str(error)})


def _first(position: Position, event: Event, undone: Rule | None) -> Followed | None:
    """Return what an event is that the position itself asks for, or why another cannot come before that."""
    winner = position.state.winner
    if winner is not None and event.kind is not EventKind.FORFEITED:
        return Reason(Irregularity.TOO_LATE, {"winner": winner})
    if not position.state.time <= event.time <= LATEST:
        return Reason(Irregularity.TIME)
    if winner is not None:
        return None
    own = of_the_position(position)
    if own is None:
        own_kinds = {EventKind.WON, EventKind.RELAXED, EventKind.VOIDED}
        return Reason(Irregularity.NOT_DUE) if event.kind in own_kinds else None
    if event.kind is own.kind:
        there = _wrong_trailer(event, own) or after(position, own, undone=undone)
        return there if event == own or isinstance(there, Reason) else Reason(Irregularity.TIME)
    if own.kind is EventKind.VOIDED:
        return Reason(Irregularity.VOIDING_DUE, {"proposal": own.proposal or 0})
    if own.kind is EventKind.WON:
        return Reason(Irregularity.WINNER_DUE, {"winner": own.player or ""})
    return Reason(Irregularity.RELAXATION_DUE, {"rule": own.rule or 0})


def _wrong_trailer(event: Event, due: Event) -> Reason | None:
    """Return which trailer of an event is not what it should be."""
    if event == due:
        return None
    says, should = dict(write_trailers(event)), dict(write_trailers(due))
    for key in dict.fromkeys((*should, *says)):
        if says.get(key) != should.get(key):
            facts = {"key": key, "says": says.get(key, "nothing"), "due": should.get(key, "nothing")}
            return Reason(Irregularity.TRAILER, facts)
    return None


def _follow(position: Position, event: Event, change: Change | None) -> Followed:
    if event.kind is EventKind.PASSED:
        return _passed(position, event)
    if event.kind in OF_JUDGMENT:
        return _judging(position, event)
    if event.proposal is None:
        return Reason(Irregularity.NO_PROPOSAL)
    if event.proposal in position.state.resolved:
        return Reason(Irregularity.RESOLVED_BEFORE, {"proposal": event.proposal})
    if event.kind is EventKind.PROPOSED:
        return _proposed(position, event)
    return Reason(Irregularity.NO_HEAD) if event.head is None else _ended(position, event, change)


def _ended(position: Position, event: Event, change: Change | None) -> Followed:
    """Follow an event that ends a proposal, or a request."""
    match event.kind:
        case EventKind.WITHDRAWN:
            return _withdrawn(position, event)
        case EventKind.FORFEITED | EventKind.AWAY | EventKind.BACK | EventKind.SURNAMED:
            return _gone(position, event, change)
        case EventKind.JOINED:
            return _joined(position, event, change)
        case EventKind.DEFEATED if event.change is None:
            return _declined(position, event, change)
        case EventKind.ADOPTED | EventKind.DEFEATED:
            return _resolved(position, event, change)
    return Reason(Irregularity.UNKNOWN, {"event": event.kind})


def _passed(position: Position, event: Event) -> Followed:
    """Follow the passing on of a turn: when it is due follows from the law and the end of the turn before (201)."""
    mover, at = turns.mover(position), turns.passes(position)
    if mover is None or at is None:
        return Reason(Irregularity.NOT_DUE)
    due = Event(event.kind, at, player=mover, rule=position.law.rule(TURNS_DEADLINE.name))
    wrong = _wrong_trailer(event, due)
    return wrong or (after(position, due) if event == due else Reason(Irregularity.TIME))


def _judging(position: Position, event: Event) -> Followed:
    """Follow a step of a judgment: whether it can have been made is for the bench to say (212; design section 8)."""
    state, proposal = position.state, event.proposal or 0
    lately = state.lately if state.lately is not None and state.lately.proposal == proposal else None
    if proposal in state.resolved and lately is None:
        return Reason(Irregularity.RESOLVED_BEFORE, {"proposal": proposal})
    question = state.judgment
    mover = question.mover if question is not None and state.is_judged(proposal) else event.mover
    if mover is None or (lately is not None and lately.player != mover):
        return Reason(Irregularity.NO_JUDGMENT, {"proposal": proposal})
    begins = question is None and lately is None
    wrong = _no_mover(position, mover) if begins else None
    wrong = wrong or check_step(court(position, mover, proposal, 0), event)
    has_text = event.kind is EventKind.INVOKED or event.ruling is Ruling.ILLEGAL
    if wrong is None and event.text is not None and (lately is not None or not has_text):
        wrong = Reason(Irregularity.NO_JUDGMENT, {"proposal": proposal})
    return wrong or after(position, event)


def _no_mover(position: Position, login: str) -> Reason | None:
    """Return why a player cannot be the one whose open proposal is to be judged."""
    if position.state.seat(login) is None:
        return Reason(Irregularity.NOT_A_PLAYER, {"player": login})
    return _not_in_turn(position, login)


def _not_in_turn(position: Position, login: str) -> Reason | None:
    """Return why a player's vote cannot have been open: it was not their turn (201)."""
    mover = turns.mover(position)
    if mover is None or mover.casefold() == login.casefold():
        return None
    return Reason(Irregularity.NOT_THE_MOVER, {"player": login, "mover": mover})


def _is_kept(state: State, proposal: int, opened: int) -> bool:
    """Return whether a judgment, on another proposal or over by now, kept voting from opening at an instant (212)."""
    judgment = state.judgment
    if judgment is not None and judgment.proposal != proposal and opened > judgment.invoked:
        return True
    return any(since < opened < until for since, until in state.held)


def _proposed(position: Position, event: Event) -> Followed:
    state = position.state
    if not isinstance(position.law.value(PROPOSALS_NUMBERING), Successive):
        return Reason(Irregularity.NO_SERIES)
    if state.seat(event.player or "") is None:
        return Reason(Irregularity.NOT_A_PLAYER, {"player": event.player or "nobody"})
    if state.playing is None:
        return Reason(Irregularity.TOO_FEW_PLAYERS)
    out_of_turn = _not_in_turn(position, event.player or "")
    if out_of_turn is not None:
        return out_of_turn
    if _is_kept(state, event.proposal or 0, event.time):
        return Reason(Irregularity.OPENED)
    number = next_number(position)
    due = Event(event.kind, event.time, proposal=event.proposal, number=number, player=event.player)
    return _wrong_trailer(event, due) or after(position, due)


def _withdrawn(position: Position, event: Event) -> Followed:
    state, author = position.state, event.player or ""
    if state.seat(author) is None and state.left(author) is None:
        return Reason(Irregularity.NOT_A_PLAYER, {"player": event.player or "nobody"})
    due = Event(
        event.kind,
        event.time,
        proposal=event.proposal,
        number=numbered(position, event.proposal or 0) if event.opened is not None else None,
        player=event.player,
        head=event.head,
        opened=event.opened,
    )
    return _wrong_trailer(event, due) or after(position, due)


def _gone(position: Position, event: Event, change: Change | None) -> Followed:
    """Follow a player who leaves for good, goes away, comes back, or gives a surname."""
    seat = position.state.seat(event.player or "")
    if seat is None:
        return Reason(Irregularity.NOT_A_PLAYER, {"player": event.player or "nobody"})
    if event.kind is EventKind.FORFEITED:
        return _forfeited(position, event, seat, change)
    if event.kind is EventKind.SURNAMED:
        return _surnamed(position, event, seat, change)
    return _absent(position, event, seat, change)


def _forfeited(position: Position, event: Event, seat: Seat, change: Change | None) -> Followed:
    if change is not None and not isinstance(change, Forfeit):
        return Reason(Irregularity.HEAD_SAYS_OTHERWISE)
    due = Event(event.kind, event.time, proposal=event.proposal, player=seat.login, head=event.head)
    return _wrong_trailer(event, due) or after(position, due)


def _absent(position: Position, event: Event, seat: Seat, change: Change | None) -> Followed:
    if not isinstance(change, Absence):
        return Reason(Irregularity.HEAD_SAYS_OTHERWISE)
    kind = EventKind.AWAY if change.away else EventKind.BACK
    due = Event(kind, event.time, proposal=event.proposal, player=seat.login, head=event.head)
    due = replace(due, rule=rule_of_absence(position, change))
    refused = refused_absence(position, seat, change)
    return refused or _wrong_trailer(event, due) or after(position, due, change)


def _surnamed(position: Position, event: Event, seat: Seat, change: Change | None) -> Followed:
    if not isinstance(change, NewSurname):
        return Reason(Irregularity.HEAD_SAYS_OTHERWISE)
    due = Event(event.kind, event.time, proposal=event.proposal, player=seat.login, head=event.head)
    due = replace(due, rule=position.law.rule(TURNS_ORDER.name))
    return refused_surname(position, seat, change) or _wrong_trailer(event, due) or after(position, due, change)


def _joined(position: Position, event: Event, change: Change | None) -> Followed:
    if not isinstance(change, JoinRequest):
        return Reason(Irregularity.HEAD_SAYS_OTHERWISE)
    if joining(position) is Joining.VOTE:
        return _declined(position, event, change)
    refused = _refused_seat(position, event, change)
    if refused is not None:
        return refused
    due = Event(event.kind, event.time, proposal=event.proposal, player=change.login, head=event.head)
    due = replace(due, account=event.account)
    return _wrong_trailer(event, due) or after(position, due, change)


def _refused_seat(position: Position, event: Event, change: Change | None) -> Reason | None:
    seated = seat_there(position, event.player or "", event.account)
    if seated is not None:
        return seated
    if joining(position) is Joining.CLOSED:
        return Reason(Hindrance.JOINING_CLOSED)
    if not isinstance(change, JoinRequest):
        return None
    return surname_missing(position.law, read_player(change.login, change.source))


def _declined(position: Position, event: Event, change: Change | None) -> Followed:
    """Follow a vote on joining, whichever way it went."""
    refused = _refused_seat(position, event, change)
    if refused is not None:
        return refused
    if change is not None and not isinstance(change, JoinRequest):
        return Reason(Irregularity.HEAD_SAYS_OTHERWISE)
    login = (event.player or "") if change is None else change.login
    vote = recount(position, event, Matter(None, Status.MUTABLE, login, 0, position.state.playing or 0))
    if isinstance(vote, Reason):
        return vote
    if event.readable is not None:
        return Reason(Irregularity.DEBATE)
    failed = (vote.required.key,) if vote.verdict.failed else ()
    due = replace(_counted(event, vote), player=login, account=event.account, failed=failed)
    return _wrong_trailer(event, due) or after(position, due, change)


def _resolved(position: Position, event: Event, change: Change | None) -> Followed:
    """Follow the resolution of a proposed rule-change."""
    matter = _matter(position, event)
    if isinstance(matter, Reason):
        return matter
    recorded = _recorded(position, event, change, matter.number)
    if isinstance(recorded, Reason):
        return recorded
    status = position.law.rulebook.rules[recorded.rule].status if recorded.rule is not None else Status.MUTABLE
    vote = recount(position, event, replace(matter, kind=recorded.kind, status=status))
    if isinstance(vote, Reason):
        return vote
    law = _law(position, event, change, matter.number)
    if isinstance(law, Reason):
        return law
    if (event.readable is None) is not (position.law.value(DEBATE_MINIMUM) is None):
        return Reason(Irregularity.DEBATE)
    due = replace(_counted(event, vote), number=matter.number, player=matter.author, change=recorded)
    due = both_moments(position, replace(due, readable=event.readable), law, vote)
    there = replace(position, law=law, last="")
    return _wrong_trailer(event, due) or replace(there, state=state_after(there, due, position.law))


def _matter(position: Position, event: Event) -> Matter | Reason:
    state = position.state
    seat = state.seat(event.player or "")
    if seat is None:
        return Reason(Irregularity.NOT_A_PLAYER, {"player": event.player or "nobody"})
    if state.playing is None:
        return Reason(Irregularity.TOO_FEW_PLAYERS)
    number = numbered(position, event.proposal or 0)
    if number is None:
        return Reason(Irregularity.NO_NUMBER)
    out_of_turn = _not_in_turn(position, seat.login)
    if out_of_turn is not None:
        return out_of_turn
    opened = event.opened or 0
    if _is_kept(state, event.proposal or 0, opened) or turns.is_over(position, opened):
        return Reason(Irregularity.OPENED)
    if state.is_judged(event.proposal):
        return Reason(Irregularity.JUDGMENT_OPEN, {"proposal": event.proposal or 0})
    begins = turns.since(position) if turns.is_ordered(position.law) else None
    return Matter(None, Status.MUTABLE, seat.login, number, max(state.playing, seat.free, begins or 0))


def _recorded(position: Position, event: Event, change: Change | None, number: int) -> ChangeRecord | Reason:
    """Return the rule-change that the record should have; its own, where a defeated head is gone."""
    adopted = event.kind is EventKind.ADOPTED
    if isinstance(change, RuleChange):
        hindered = hindrance(position, event.proposal or 0, change, number)
        return hindered or record(change, number, adopted=adopted)
    if change is not None or adopted or event.change is None:
        return Reason(Irregularity.HEAD_SAYS_OTHERWISE)
    rule = event.change.rule
    if rule is not None and rule not in position.law.rulebook.rules:
        return Reason(Irregularity.NO_SUCH_RULE, {"rule": rule})
    return replace(event.change, becomes=None)


def _law(position: Position, event: Event, change: Change | None, number: int) -> Law | Reason:
    """Return the law that the resolution left, or the limit or the safeguard for which it was blocked."""
    if not isinstance(change, RuleChange):
        return position.law
    there = adopting(position.law, change, number)
    broken = safeguards.broken(position, there)
    if broken:
        return broken[0]
    return there if event.kind is EventKind.ADOPTED else position.law


def _counted(event: Event, vote: Result) -> Event:
    """Return what any event that ends a vote records."""
    return Event(
        event.kind,
        event.time,
        proposal=event.proposal,
        head=event.head,
        opened=event.opened,
        supporters=vote.count.supporters,
        opponents=vote.count.opponents,
        absent=vote.count.absent,
    )
