"""Which event is next, and what it says (design sections 4 and 5)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from nomic_git.game import relaxation, scoring, turns, victory
from nomic_git.game.die import thrown
from nomic_git.game.docket import Standing
from nomic_git.game.event import OF_JUDGMENT, Event, EventKind, total
from nomic_git.game.judging import began, due_steps
from nomic_git.game.opening import joins_at_once
from nomic_git.game.poll import Result
from nomic_git.game.proposal import Proposal, Stage
from nomic_git.game.tally import Outcome, names_of
from nomic_git.game.transition import Impossible, adopting, record
from nomic_git.law.provisions import (
    DEBATE_MINIMUM,
    JUDGMENT_JUDGE,
    PLAYERS_LEAVE,
    PROPOSALS_NUMBERING,
    TURNS_DEADLINE,
    TURNS_ORDER,
    Successive,
)
from nomic_git.law.rule_change import Absence, Forfeit, JoinRequest, NewSurname, RuleChange

if TYPE_CHECKING:
    from nomic_git.game.judgment import Plea
    from nomic_git.game.position import Position
    from nomic_git.game.state import Seat, Turn
    from nomic_git.law.precedence import Law


def next_event(
    position: Position, standings: Sequence[Standing], now: int, lately: Sequence[Plea] = ()
) -> tuple[Event, Standing | None] | None:
    """Return the event that is due first by `now`, with the open proposal that it is about; None where none is due.

    What the position itself leads to comes first: a voiding, a winner, a relaxation; then what lapsed with its author's
    leaving. Then whatever was complete first, equal instants by number (design section 4), but what is said of a
    judgment before, and the number of a proposal that is opened after all that ended then. After a winner there is
    none but that a player leaves (113). `lately` are the pleas on the proposal whose turn ended last. Instants in
    seconds since the epoch.
    """
    if position.state.winner is not None:
        return _leaving(position, standings)
    own = of_the_position(position)
    if own is not None:
        return own, None
    for one in standings:
        left = _lapsed(position, one)
        if left is not None:
            return _withdrawal(position, one, left, standings), one
    due: list[tuple[Event, Standing | None]] = [*due_steps(position, standings, now, lately)]
    due += [(event, one) for one in standings if (event := _due(position, one, standings)) is not None]
    passed = _passed(position, standings, now)
    if passed is not None:
        due.append((passed, None))
    return min(due, key=_when, default=None)


def _leaving(position: Position, standings: Sequence[Standing]) -> tuple[Event, Standing] | None:
    """Return the next forfeit, which also a winner does not keep from anybody (113); None where nobody leaves."""
    leaving = (one for one in standings if isinstance(one.proposal.reading, Forfeit) and one.stage is Stage.VOTING)
    due = [(event, one) for one in leaving if (event := _due(position, one, standings)) is not None]
    return min(due, key=_when, default=None)


def _when(due: tuple[Event, Standing | None]) -> tuple[int, int, int]:
    event, _ = due
    rank = 0 if event.kind in OF_JUDGMENT else 2 if event.kind is EventKind.PROPOSED else 1
    return event.time, rank, event.proposal or 0


def _passed(position: Position, standings: Sequence[Standing], now: int) -> Event | None:
    """Return the passing on of a turn that has not begun in time (`turns.deadline`), None where none is due."""
    at = passing(position, standings)
    if at is None or at > now:
        return None
    return Event(EventKind.PASSED, at, player=turns.mover(position), rule=position.law.rule(TURNS_DEADLINE.name))


def passing(position: Position, standings: Sequence[Standing]) -> int | None:
    """Return when the present turn passes on, in seconds since the epoch (`turns.deadline`).

    None where it has begun, where no turn passes, and while a judgment is open. `standings` are the open proposals.
    """
    at = turns.passes(position)
    mover = None if at is None else turns.mover(position)
    if at is None or mover is None:
        return None
    begun = (one.opened for one in standings if one.stage is Stage.VOTING and _is_by(one, mover))
    return None if any(opened is not None and opened <= at for opened in begun) else at


def _is_by(standing: Standing, login: str) -> bool:
    is_rule_change = isinstance(standing.proposal.reading, RuleChange)
    return is_rule_change and standing.proposal.author.casefold() == login.casefold()


def of_the_position(position: Position) -> Event | None:
    """Return the event that a position leads to by itself: a voiding, a winner, or a relaxation that is due."""
    state = position.state
    if state.lately is not None and state.lately.illegal:
        return _voiding(position, state.lately)
    winner = victory.winner(position)
    if winner is not None:
        return Event(EventKind.WON, state.time, player=winner[0], rule=winner[1])
    rule = relaxation.due(position.law, state)
    return None if rule is None else Event(EventKind.RELAXED, state.time, rule=rule)


def _voiding(position: Position, turn: Turn) -> Event:
    """Return the event that takes an illegal move back: rules and points are as before it (212; design section 8)."""
    return Event(
        EventKind.VOIDED,
        position.state.time,
        proposal=turn.proposal,
        number=turn.number,
        player=turn.player,
        change=turn.change,
        points=tuple((login, -points) for login, points in turn.points),
        rule=position.law.rule(JUDGMENT_JUDGE.name),
    )


def _due(position: Position, standing: Standing, others: Sequence[Standing]) -> Event | None:
    proposal, change = standing.proposal, standing.proposal.reading
    at = _withdrawn(position, standing)
    if at is not None:
        return _withdrawal(position, standing, at, others)
    if standing.stage is not Stage.VOTING or standing.opened is None:
        return None
    at = max(standing.opened, position.state.time)
    if isinstance(change, Forfeit):
        login = _seated_as(position, change.login)
        return _seat_event(EventKind.FORFEITED, proposal, login, max([at, *_made_before(proposal, others)]))
    if isinstance(change, Absence):
        return _absence(position, proposal, change, at)
    if isinstance(change, NewSurname):
        event = _seat_event(EventKind.SURNAMED, proposal, _seated_as(position, change.login), at)
        return replace(event, rule=position.law.rule(TURNS_ORDER.name))
    if isinstance(change, JoinRequest) and joins_at_once(position, proposal):
        return replace(_seat_event(EventKind.JOINED, proposal, change.login, at), account=proposal.account_id)
    if isinstance(change, RuleChange) and standing.number is None:
        number = next_number(position)
        return Event(EventKind.PROPOSED, at, proposal=proposal.forge, number=number, player=proposal.author)
    if standing.result is None or standing.result.outcome is None:
        return None
    return resolution(position, standing)


def _made_before(forfeit: Proposal, others: Sequence[Standing]) -> Iterator[int]:
    """Yield when what its author made before it was put forward: numbers are given in order, clocks may be wrong.

    So nothing of it outlives the forfeit, to stand again when the player comes back.
    """
    for one in (other.proposal for other in others):
        if one.forge < forfeit.forge and one.author.casefold() == forfeit.author.casefold():
            yield from (one.submitted for _ in one.ready[:1])


def _seat_event(kind: EventKind, proposal: Proposal, login: str, at: int) -> Event:
    return Event(kind, at, proposal=proposal.forge, player=login, head=proposal.head)


def _seated_as(position: Position, login: str) -> str:
    """Return a login as its player's seat spells it."""
    seat = position.state.seat(login)
    return seat.login if seat is not None else login


def _absence(position: Position, proposal: Proposal, change: Absence, at: int) -> Event:
    kind = EventKind.AWAY if change.away else EventKind.BACK
    event = _seat_event(kind, proposal, _seated_as(position, change.login), at)
    return replace(event, rule=rule_of_absence(position, change))


def rule_of_absence(position: Position, change: Absence) -> int | None:
    """Return the rule by which a player goes away; whoever comes back needs none."""
    return position.law.rule(PLAYERS_LEAVE.name) if change.away else None


def _lapsed(position: Position, standing: Standing) -> int | None:
    """Return when a proposal lapsed because its author left the game (113), None where it did not."""
    proposal, left = standing.proposal, _left(position, standing.proposal)
    if left is None or isinstance(proposal.reading, JoinRequest) or proposal.submitted > left.free:
        return None
    return left.free


def _withdrawn(position: Position, standing: Standing) -> int | None:
    """Return when somebody withdrew a proposal of theirs; a stranger's is not the game's to record."""
    proposal = standing.proposal
    known = position.state.seat(proposal.author) is not None or _left(position, proposal) is not None
    return proposal.withdrawn if known and standing.stage is Stage.WITHDRAWN else None


def _left(position: Position, proposal: Proposal) -> Seat | None:
    return position.state.left(proposal.author, proposal.account_id)


def _in_the_game(position: Position, proposal: Proposal) -> str:
    """Return how the game knows the author of a proposal: who has left may have another login at the forge by now."""
    state, left = position.state, _left(position, proposal)
    known = left is None or state.seat(proposal.author) is not None or state.left(proposal.author) is not None
    return proposal.author if known or left is None else left.login


def _withdrawal(position: Position, standing: Standing, at: int, others: Sequence[Standing]) -> Event:
    proposal = standing.proposal
    opened = standing.opened if isinstance(proposal.reading, RuleChange) else None
    if opened is None and not any(any(began(position, one)) for one in others if one is not standing):
        # It went back to debate; that the next turn had begun with it, nothing else tells (212).
        opened = next(began(position, standing), None)
    return Event(
        EventKind.WITHDRAWN,
        max(at, position.state.time),
        proposal=proposal.forge,
        number=standing.number if opened is not None else None,
        player=_in_the_game(position, proposal),
        head=proposal.head,
        opened=opened,
    )


def next_number(position: Position) -> int:
    """Return the next number of the series that the law provides, higher than any given before (108)."""
    numbering = position.law.value(PROPOSALS_NUMBERING)
    first = numbering.first if isinstance(numbering, Successive) else 1
    return max(first, (position.state.given.last or 0) + 1)


def resolution(position: Position, standing: Standing) -> Event:
    """Return the event that a closed vote leads to, with the points of both moments (205 before 202).

    At completion, dissent and defeat points by the law that was voted under; if nobody has won then, the
    turn's points by the law now in force (design section 5). Raises Impossible where the vote is not closed.
    """
    proposal, result = standing.proposal, standing.result
    if result is None or result.outcome is None or result.closed is None:
        raise Impossible(f"the vote on proposal {proposal.forge} is not closed")
    adopted = result.outcome is Outcome.ADOPTED
    change = proposal.reading
    if not isinstance(change, RuleChange):
        return _admission(standing, result)
    event = Event(
        EventKind.ADOPTED if adopted else EventKind.DEFEATED,
        result.closed,
        proposal=proposal.forge,
        number=standing.number,
        player=_seated_as(position, proposal.author),
        change=record(change, standing.number, adopted=adopted),
        head=proposal.head,
        opened=standing.opened,
        supporters=result.count.supporters,
        opponents=result.count.opponents,
        absent=result.count.absent,
        readable=proposal.submitted if position.law.value(DEBATE_MINIMUM) is not None else None,
    )
    law = adopting(position.law, change, standing.number) if adopted else position.law
    return both_moments(position, event, law, result)


def _admission(standing: Standing, result: Result) -> Event:
    proposal, change = standing.proposal, standing.proposal.reading
    adopted = result.outcome is Outcome.ADOPTED
    assert isinstance(change, JoinRequest), "only rule-changes and requests to join are voted on"
    return Event(
        EventKind.JOINED if adopted else EventKind.DEFEATED,
        result.closed or 0,
        proposal=proposal.forge,
        player=change.login,
        account=proposal.account_id if adopted else None,
        head=proposal.head,
        opened=standing.opened,
        supporters=result.count.supporters,
        opponents=result.count.opponents,
        absent=result.count.absent,
        failed=_failed(result),
    )


def _failed(result: Result) -> tuple[str, ...]:
    return (result.required.key,) if result.verdict.failed else ()


def both_moments(position: Position, event: Event, law: Law, result: Result) -> Event:
    """Return a resolution with the points of its two moments (design section 5); `law` is the one that it leaves.

    Where the turn's points are thrown for, the event says what the die showed and from which votes it was thrown (202).
    """
    author, outcome = event.player or "", result.outcome
    assert outcome is not None, "a resolution has an outcome"
    names = names_of(position.state, result.count, proposal=event.number or 0, author=author)
    first = scoring.at_completion(position.law, outcome, result.verdict.threshold, result.count, author, names)
    failed = (*_failed(result), *first.failed)
    under = replace(position, law=law, state=position.state.scoring(dict(first.points)))
    if victory.winner(under) is not None:
        return replace(event, points=first.points, failed=failed)
    die = thrown(position.last, event.proposal or 0, result.count.ballots)
    second = scoring.at_end_of_turn(law, author, names, die)
    return replace(
        event,
        points=total((*first.points, *second.points)),
        failed=(*failed, *second.failed),
        die=second.die,
        ballots=() if second.die is None else result.count.ballots,
    )
