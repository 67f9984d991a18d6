"""The docket: how far each open proposal has come (design sections 3 and 4)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from nomic_git.game import safeguards, turns
from nomic_git.game.opening import Wait, conceded, is_at_once, joining, number_of, opened_in, opening, term
from nomic_git.game.player import is_login, read_player, read_player_path, seated_player
from nomic_git.game.poll import Result, given_before, poll
from nomic_git.game.proposal import Earlier, Proposal, Stage
from nomic_git.game.surname import is_by_surname
from nomic_git.game.tally import Count, Electorate, Outcome, electorate, names_of
from nomic_git.game.transition import adopting
from nomic_git.game.victory import won_by
from nomic_git.law.errors import NomicError, Unreadable
from nomic_git.law.player_file import AWAY, SURNAME, is_same_beside
from nomic_git.law.provisions import (
    CHANGES_KINDS,
    JUDGMENT_JUDGE,
    PLAYERS_JOINING,
    PLAYERS_LEAVE,
    PROPOSALS_NUMBERING,
    TURNS_ORDER,
    TURNS_PAUSE,
    Joining,
    Leave,
)
from nomic_git.law.reason import Reason
from nomic_git.law.rule_change import (
    Absence,
    Forfeit,
    Improper,
    Impropriety,
    JoinRequest,
    NewSurname,
    NoProposal,
    RuleChange,
)

if TYPE_CHECKING:
    from nomic_git.game.player import Player
    from nomic_git.game.position import Position
    from nomic_git.game.state import Seat
    from nomic_git.law.precedence import Law
    from nomic_git.law.rule_change import Change


class Hindrance(StrEnum):
    """Why a proposal is blocked or is not taken up; each is a key of the message catalogue."""

    RULE_GONE = "rule-gone"
    RULE_RENUMBERED = "rule-renumbered"
    RULE_CHANGED = "rule-changed"
    NUMBER_TAKEN = "number-taken"
    GAME_WON = "game-won"
    NOT_A_PLAYER = "author-not-a-player"
    NOT_A_PERSON = "author-not-a-person"
    LOGIN_OF_ANOTHER = "login-of-another"
    SEATED_ALREADY = "seated-already"
    NOT_SEATED = "not-seated"
    JOINING_CLOSED = "joining-closed"
    SEAT_UNREADABLE = "seat-unreadable"
    LEAVE_FORBIDDEN = "leave-forbidden"
    AWAY_ALREADY = "away-already"
    NOT_AWAY = "not-away"
    SEAT_CHANGED = "seat-changed"
    SURNAME_STAYS = "surname-stays"
    NOT_BY_SURNAME = "not-by-surname"
    SURNAME_MISSING = "surname-missing"
    NOTHING_LEFT = "nothing-left"
    IMPOSSIBLE = "cannot-be-adopted"
    ILLEGAL = "found-illegal"


@dataclass(frozen=True, slots=True)
class Standing:
    """Where one proposal stands.

    `opened` is the instant at which voting opened, in seconds since the epoch, None while it has not. `before` are
    those at which it had opened when its author took it back to debate, as far as they matter (212).
    `result` is where the vote stands, None where there is nothing to vote on; `early` what was voted before
    voting opens, None where it has, or there is no vote. `number` is the rulebook's.
    """

    proposal: Proposal
    stage: Stage
    number: int | None = None
    reasons: tuple[Reason, ...] = ()
    opened: int | None = None
    result: Result | None = None
    early: Count | None = None
    before: tuple[int, ...] = ()


def docket(position: Position, proposals: Iterable[Proposal], now: int) -> tuple[Standing, ...]:
    """Return where each open proposal stands at `now`, by number.

    Proposals that the history has resolved, and branches that are no proposal, are left out.
    """
    now = max(now, position.state.time)
    open_ = [
        one.at(now) for one in sorted(proposals, key=lambda one: one.forge) if one.forge not in position.state.resolved
    ]
    of_author: dict[str, list[Proposal]] = {}
    for one in open_:
        of_author.setdefault(one.author.casefold(), []).append(one)
    for own in of_author.values():
        for at, one in enumerate(own):
            own[at] = _judged(position, one, own, now)
    found = [
        _taken_back(position, _standing(position, one, own, now), own)
        for own in of_author.values()
        for one in own
        if not isinstance(one.reading, NoProposal)
    ]
    if any(isinstance(one.proposal.reading, JoinRequest | NewSurname) for one in found):
        begun = _begun(position, found)
        found = [_admitted(position, one, begun) for one in found]
    return tuple(sorted(found, key=lambda one: one.proposal.forge))


def _taken_back(position: Position, standing: Standing, others: Sequence[Proposal]) -> Standing:
    """Return a standing with when voting had opened before: the turn before can be judged until then (212)."""
    ended = [one for one in standing.proposal.ready if one.until is not None]
    if not ended or position.state.lately is None:
        return standing
    opened = (opened_in(position, standing.proposal, one, others) for one in ended)
    return replace(standing, before=tuple(one for one in opened if one is not None and one != standing.opened))


def _begun(position: Position, standings: Iterable[Standing]) -> int | None:
    """Return when the present turn began, None where it has not or turns have no order (201; design section 9)."""
    mover = turns.mover(position)
    opened = (one.opened for one in standings if isinstance(one.proposal.reading, RuleChange))
    return min((one for one in opened if one is not None), default=None) if mover is not None else None


def _admitted(position: Position, standing: Standing, begun: int | None) -> Standing:
    """Return the standing of what waits for the turn to end: who sits where changes between turns (section 9)."""
    is_request = isinstance(standing.proposal.reading, JoinRequest | NewSurname) and standing.stage is Stage.VOTING
    if begun is None or not is_request or len(position.state.seats) < 2:
        return standing
    result = standing.result
    at = standing.opened if result is None else result.closed if result.outcome is Outcome.ADOPTED else None
    if at is None or max(at, position.state.time) <= begun:
        return standing
    what = Wait.BETWEEN_TURNS if isinstance(standing.proposal.reading, JoinRequest) else Wait.ORDER
    waits = Reason(what, {"mover": turns.mover(position) or ""}, TURNS_ORDER.name)
    return replace(standing, stage=Stage.WAITING, reasons=(waits,))


def _judged(position: Position, proposal: Proposal, others: Sequence[Proposal], now: int) -> Proposal:
    """Return a proposal with the head that is judged: the first with which its vote was complete, else the last.

    What was pushed after completion is too late. And nobody escapes the vote (104, 206): once another player has
    voted on a lawful change, a head that is none does not make the withdrawal free.
    """
    for one in proposal.earlier:
        until = now if one.until is None else min(one.until, now)
        if _outcome(position, _with(proposal, one), others, until) is not None:
            return _with(proposal, one)
        supposed = until if one.supposed is None else min(one.supposed, now)
        if supposed > until and _outcome(position, _with(proposal, one), others, supposed) is Outcome.DEFEATED:
            return _with(proposal, one)
    if not proposal.earlier or not isinstance(proposal.reading, Improper | NoProposal):
        return proposal
    last = next((one for one in reversed(proposal.earlier) if isinstance(one.reading, RuleChange)), None)
    given_up = None if last is None else _given_up(position, proposal, last, others, now)
    if given_up is not None:
        return given_up
    if last is None or isinstance(proposal.reading, Improper):
        return proposal
    return replace(proposal, reading=Improper((Reason(Hindrance.NOTHING_LEFT, {}, CHANGES_KINDS.name),)))


def _with(proposal: Proposal, one: Earlier) -> Proposal:
    return replace(proposal, head=one.head, reading=one.reading, earlier=(), moved=False)


def _outcome(position: Position, proposal: Proposal, others: Sequence[Proposal], now: int) -> Outcome | None:
    """Return how the vote on a proposal had ended by an instant, None where it had not."""
    if isinstance(proposal.reading, NoProposal) or now < position.state.time:
        return None
    then = proposal.at(now)
    standing = _standing(position, then, _beside(then, others), now)
    return standing.result.outcome if standing.stage is Stage.VOTING and standing.result is not None else None


def _given_up(
    position: Position, proposal: Proposal, last: Earlier, others: Sequence[Proposal], now: int
) -> Proposal | None:
    """Return a proposal with its last lawful head where the author gave it up after another player had voted on that.

    No later vote adopts what was given up.
    """
    judged = _with(proposal, last)
    for until in dict.fromkeys((last.until, last.supposed or last.until)):
        cast = tuple(one for one in proposal.ballots if until is None or one.time <= until)
        then = replace(judged, ballots=cast)
        if any(conceded(position, then, period, _beside(then, others)) for period in then.ready):
            return judged if _outcome(position, judged, others, now) is not Outcome.ADOPTED else then
    return None


def _beside(proposal: Proposal, others: Sequence[Proposal]) -> Sequence[Proposal]:
    return [proposal if one.forge == proposal.forge else one for one in others]


def _standing(position: Position, proposal: Proposal, others: Sequence[Proposal], now: int) -> Standing:
    reading = proposal.reading
    assert not isinstance(reading, NoProposal), "what is no proposal is not on the docket"
    if isinstance(reading, Improper):
        refused = tuple(_seated_reason(position, proposal, reason) for reason in reading.reasons)
    else:
        refused = _refused(position, proposal, reading)
    if refused or isinstance(reading, Improper):
        stage = Stage.IMPROPER if proposal.withdrawn is None else Stage.WITHDRAWN
        return Standing(proposal, stage, reasons=refused)
    number = number_of(position, proposal)
    opens = opening(position, proposal, others)
    if opens.at is None or opens.at > now:
        standing = _before_voting(position, proposal, number, opens.waits)
        open_ = standing.stage in {Stage.DEBATE, Stage.WAITING}
        return replace(standing, early=_early(position, proposal, reading, now)) if open_ else standing
    if is_at_once(position, proposal):
        result = None
    else:
        result = _vote(position, proposal, reading, opens.at, number, others, now)
    return _checked(position, Standing(proposal, Stage.VOTING, number, (), opens.at, result))


def _before_voting(position: Position, proposal: Proposal, number: int | None, waits: tuple[Reason, ...]) -> Standing:
    if proposal.withdrawn is not None:
        return Standing(proposal, Stage.WITHDRAWN, number)
    ended = over(position, proposal)
    if ended:
        return Standing(proposal, Stage.BLOCKED, number, ended)
    if not proposal.is_ready:
        return Standing(proposal, Stage.DEBATE, number)
    # Where there is nothing to wait for but a time to come, it is the end of the pause.
    return Standing(proposal, Stage.WAITING, number, waits or (Reason(Wait.PAUSE, {}, TURNS_PAUSE.name),))


def _checked(position: Position, standing: Standing) -> Standing:
    """Return the standing of a proposal under the vote with what stands in its way."""
    ended = over(position, standing.proposal)
    if ended:
        return replace(standing, stage=Stage.BLOCKED, reasons=ended)
    blocked = _blocked(position, standing.proposal, standing.number)
    closed = standing.result is not None and standing.result.outcome is not None
    if standing.proposal.withdrawn is not None and (blocked or not (closed or _is_conceded_in_judgment(standing))):
        return replace(standing, stage=Stage.WITHDRAWN)
    return replace(standing, stage=Stage.BLOCKED, reasons=blocked) if blocked else standing


def _is_conceded_in_judgment(standing: Standing) -> bool:
    """Return whether a proposal was given up too late to be free, and is defeated once its judgment is over (212)."""
    term = None if standing.result is None else standing.result.term
    return term is not None and term.held and term.until is not None


def over(position: Position, proposal: Proposal) -> tuple[Reason, ...]:
    """Return why nothing is decided of a proposal any more: somebody has won (section 5); empty while nobody has.

    Nobody is kept from leaving by that (113).
    """
    state = position.state
    if state.winner is None or isinstance(proposal.reading, Forfeit):
        return ()
    return (Reason(Hindrance.GAME_WON, {"winner": state.winner}, won_by(state).name),)


def _refused(position: Position, proposal: Proposal, change: Change) -> tuple[Reason, ...]:
    """Return why a lawful change is not this author's to propose."""
    state = position.state
    seat, left = state.seat(proposal.author), state.left(proposal.author, proposal.account_id)
    if isinstance(change, JoinRequest):
        return _refused_seat(position, proposal, change)
    if isinstance(change, Forfeit):
        return () if seat else (Reason(Hindrance.NOT_SEATED, {"player": change.login}),)
    if isinstance(change, Absence) and seat is not None:
        refused = refused_absence(position, seat, change)
        return () if refused is None else (refused,)
    if isinstance(change, NewSurname) and seat is not None:
        refused = refused_surname(position, seat, change)
        return () if refused is None else (refused,)
    if seat is None and (left is None or proposal.submitted > left.free):
        return (_not_a_player(proposal),)
    if (proposal.forge, proposal.text) in state.struck:
        return (Reason(Hindrance.ILLEGAL, {"proposal": proposal.forge}, JUDGMENT_JUDGE.name),)
    return ()


def _not_a_player(proposal: Proposal) -> Reason:
    """Return why somebody without a seat may propose nothing, with what can be done about it."""
    facts = {"author": proposal.author}
    if not proposal.is_by_a_person:
        return Reason(Hindrance.NOT_A_PERSON, facts, PLAYERS_JOINING.name)
    # An account that has taken a login whose seat is another's is called by its id as well (section 11).
    what = Hindrance.NOT_A_PLAYER if is_login(proposal.author) else Hindrance.LOGIN_OF_ANOTHER
    return Reason(what, facts, PLAYERS_JOINING.name)


def _refused_seat(position: Position, proposal: Proposal, request: JoinRequest) -> tuple[Reason, ...]:
    seated = seat_there(position, request.login, proposal.account_id)
    if seated is not None:
        return (seated,)
    if not proposal.is_by_a_person:
        return (Reason(Hindrance.NOT_A_PERSON, {"author": proposal.author}, PLAYERS_JOINING.name),)
    if joining(position) is Joining.CLOSED:
        return (Reason(Hindrance.JOINING_CLOSED, {}, PLAYERS_JOINING.name),)
    try:
        player = seated_player(request.login, request.source, proposal.account_id)
    except Unreadable as error:
        return (Reason(Hindrance.SEAT_UNREADABLE, {"problem": str(error)}),)
    nameless = surname_missing(position.law, player)
    return (nameless,) if nameless is not None else ()


def surname_missing(law: Law, player: Player) -> Reason | None:
    """Return why nobody without a surname can be seated: where turns go by surname (201), a place is needed."""
    if player.surname is not None or not is_by_surname(law):
        return None
    return Reason(Hindrance.SURNAME_MISSING, {"player": player.login}, TURNS_ORDER.name)


def _seated_reason(position: Position, proposal: Proposal, reason: Reason) -> Reason:
    """Return a reason, or a better one: who sits here and adds a player's file may have another login by now."""
    if reason.what != Impropriety.SEAT_OF_ANOTHER:
        return reason
    login = read_player_path(str(reason.facts["path"]))
    adds = login is not None and login not in position.players
    return (adds and seat_there(position, proposal.author, proposal.account_id)) or reason


def seat_there(position: Position, login: str, account: int | None) -> Reason | None:
    """Return why neither this login nor this account can be seated: one of them is, whatever it is called now."""
    seat = position.state.seat(login)
    seated = position.seat_of(account) if seat is None else seat.login
    return None if seated is None else Reason(Hindrance.SEATED_ALREADY, {"player": seated})


def refused_absence(position: Position, seat: Seat, change: Absence) -> Reason | None:
    """Return why a player cannot go away, or come back, now: to go is for the law to allow, to come back is not."""
    facts = {"player": seat.login}
    if change.away is seat.is_away:
        return Reason(Hindrance.AWAY_ALREADY if seat.is_away else Hindrance.NOT_AWAY, facts)
    if change.away and position.law.value(PLAYERS_LEAVE) is not Leave.ALLOWED:
        return Reason(Hindrance.LEAVE_FORBIDDEN, facts, PLAYERS_LEAVE.name)
    file = position.file_of(seat.login)
    if file is None or not is_same_beside(AWAY, file.source, change.source):
        return Reason(Hindrance.SEAT_CHANGED, {**facts, "key": AWAY})
    return None


def refused_surname(position: Position, seat: Seat, change: NewSurname) -> Reason | None:
    """Return why a player cannot be seated by this surname now (201): who has one keeps it."""
    facts: dict[str, str | int] = {"player": seat.login}
    if not is_by_surname(position.law):
        return Reason(Hindrance.NOT_BY_SURNAME, facts, TURNS_ORDER.name)
    file = position.file_of(seat.login)
    if file is not None and file.surname is not None:
        return Reason(Hindrance.SURNAME_STAYS, facts, TURNS_ORDER.name)
    try:
        if file is None or not is_same_beside(SURNAME, file.source, change.source):
            return Reason(Hindrance.SEAT_CHANGED, {**facts, "key": SURNAME})
        return surname_missing(position.law, read_player(seat.login, change.source))
    except Unreadable as error:
        return Reason(Hindrance.SEAT_UNREADABLE, {"problem": str(error)})


def _vote(
    position: Position,
    proposal: Proposal,
    change: Change,
    opened: int,
    number: int | None,
    others: Sequence[Proposal],
    now: int,
) -> Result:
    ended = next((one for one in proposal.ready if conceded(position, proposal, one, others)), None)
    withdrawn = proposal.withdrawn
    last = now if withdrawn is None else min(now, withdrawn)
    return poll(
        position.law,
        change,
        _voters(position, proposal, change, opened),
        [one for one in proposal.ballots if withdrawn is None or one.time <= withdrawn],
        term(position, proposal, opened, last, ended.until if ended is not None else None),
        names_of(position.state, None, proposal=number or 0, author=proposal.author),
    )


def _voters(position: Position, proposal: Proposal, change: Change, opened: int) -> Electorate:
    voters = electorate(position.state, opened, proposal.author if isinstance(change, RuleChange) else None)
    return replace(voters, author=None) if proposal.moved else voters


def _early(position: Position, proposal: Proposal, change: Change, now: int) -> Count | None:
    if is_at_once(position, proposal):
        return None
    return given_before(position.law, change, _voters(position, proposal, change, now), proposal.ballots, now)


def _blocked(position: Position, proposal: Proposal, number: int | None) -> tuple[Reason, ...]:
    change = proposal.reading
    if not isinstance(change, RuleChange):
        return ()
    hindered = hindrance(position, proposal.forge, change, number)
    if hindered is not None:
        return (hindered,)
    if number is None:
        return ()
    try:
        return safeguards.broken(position, adopting(position.law, change, number))
    except NomicError as error:
        return (Reason(Hindrance.IMPOSSIBLE, {"problem": str(error)}),)


def hindrance(position: Position, forge: int, change: RuleChange, number: int | None) -> Reason | None:
    """Return why a rule-change fits the position no longer: its rule is another now, or its number is taken."""
    stale = _stale(position, change)
    if stale is not None or number is None:
        return stale
    new = position.state.number(forge) is None
    if number in position.law.rulebook.rules or (new and number in position.state.given):
        return Reason(Hindrance.NUMBER_TAKEN, {"number": number}, PROPOSALS_NUMBERING.name)
    return None


def _stale(position: Position, change: RuleChange) -> Reason | None:
    """Return why the rule is not what the proposal takes it for: old law must not come back (section 3)."""
    if change.rule is None:
        return None
    rulebook = position.law.rulebook
    rule = rulebook.rules.get(change.rule)
    if rule is None:
        now = rulebook.named(change.rule)
        if now is None:
            return Reason(Hindrance.RULE_GONE, {"rule": change.rule}, CHANGES_KINDS.name)
        facts = {"rule": change.rule, "now": now.number}
        return Reason(Hindrance.RULE_RENUMBERED, facts, CHANGES_KINDS.name)
    if rule.source != change.before or rule.status is not change.status:
        return Reason(Hindrance.RULE_CHANGED, {"rule": change.rule}, CHANGES_KINDS.name)
    return None
