"""What an event makes of a position: the transitions that take a game from its founding on (design section 5)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING

from nomic_git.game.bench import after_step
from nomic_git.game.change_record import ChangeRecord
from nomic_git.game.event import OF_JUDGMENT, Event, EventKind
from nomic_git.game.judgment import Ruling
from nomic_git.game.numbers import numbers
from nomic_git.game.player import read_player, seated_player
from nomic_git.game.position import Position
from nomic_git.game.state import Seat, State, Turn
from nomic_git.game.turns import after_leaving, after_turn, has_begun, reordered
from nomic_git.law.errors import NomicError
from nomic_git.law.kinds import ChangeKind
from nomic_git.law.precedence import Law, read_law
from nomic_git.law.provisions import (
    ADOPTION_RELAXATION,
    JUDGMENT_JUDGE,
    PLAYERS_INITIAL_POINTS,
    PROPOSALS_NUMBERING,
    STALEMATE_WINNER,
    VICTORY_POINTS,
    Successive,
)
from nomic_git.law.rule import Rule, Status, read_rule, relaxed, renumbered, without
from nomic_git.law.rule_change import Absence, JoinRequest, NewSurname, RuleChange

if TYPE_CHECKING:
    from nomic_git.game.player import Player
    from nomic_git.law.rule_change import Change
    from nomic_git.law.rulebook import Rulebook


_RESOLVING = frozenset(
    {
        EventKind.ADOPTED,
        EventKind.DEFEATED,
        EventKind.WITHDRAWN,
        EventKind.JOINED,
        EventKind.FORFEITED,
        EventKind.AWAY,
        EventKind.BACK,
        EventKind.SURNAMED,
    }
)
"""The events after which their proposal is open no longer."""


class Impossible(NomicError):
    """An event that cannot follow from the position before it."""


def after(position: Position, event: Event, change: Change | None = None, undone: Rule | None = None) -> Position:
    """Return the position that an event leads to; the id of its commit is not known in it.

    `change` is what the event's proposal would change; an adoption and a joining need it. `undone` is the rule as it
    was before the adoption that is voided. Raises Impossible where the position and the event do not fit together.
    """
    law = position.law
    if event.kind is EventKind.ADOPTED:
        law = adopting(law, _rule_change(change), event.number)
    elif event.kind is EventKind.RELAXED:
        law = read_law(relaxing(law))
    elif event.kind is EventKind.VOIDED and event.change is not None:
        law = read_law(_restored(law.rulebook, event.change, undone), law)
    players = _players(position.players, event, change)
    under = position if law is position.law else replace(position, law=law)
    there = replace(position, law=law, players=players, state=state_after(under, event, position.law), last="")
    return replace(there, state=reordered(position, there)) if event.kind is EventKind.SURNAMED else there


def _restored(rulebook: Rulebook, change: ChangeRecord, undone: Rule | None) -> Rulebook:
    """Return the rulebook with an adopted change taken back; what has been changed again since stays as it is."""
    if change.becomes is not None and change.becomes not in rulebook.rules:
        return rulebook
    if undone is None:
        return rulebook if change.becomes is None else rulebook.without(change.becomes)
    return rulebook.with_rule(undone, instead_of=change.becomes)


# Asked for three times on a proposal's way: what hinders it, what points it brings, what it leads to.
@lru_cache(maxsize=32)
def adopting(law: Law, change: RuleChange, number: int | None) -> Law:
    """Return the law with a rule-change in effect, the changed rule under the proposal's number (108)."""
    if number is None:
        raise Impossible("a proposal without a number cannot be adopted")
    return read_law(_changed(law.rulebook, change, number), law)


def _changed(rulebook: Rulebook, change: RuleChange, number: int) -> Rulebook:
    if change.kind is ChangeKind.ENACT:
        _assert_free(rulebook, number)
        return rulebook.with_rule(read_rule(number, Status.MUTABLE, change.after or b""))
    old = rulebook.rules.get(change.rule) if change.rule is not None else None
    if old is None or change.rule is None:
        raise Impossible(f"there is no rule {change.rule}")
    if change.kind is ChangeKind.REPEAL:
        return rulebook.without(change.rule)
    _assert_free(rulebook, number)
    if change.kind is ChangeKind.TRANSMUTE:
        return rulebook.with_rule(renumbered(old, number, old.status.other), instead_of=old.number)
    new = _without_spent_relaxation(old, read_rule(old.number, old.status, change.after or b""))
    return rulebook.with_rule(renumbered(new, number), instead_of=old.number)


def _assert_free(rulebook: Rulebook, number: int) -> None:
    if number in rulebook.rules:
        raise Impossible(f"there is a rule {number} already")


def _without_spent_relaxation(old: Rule, new: Rule) -> Rule:
    """Strike a relaxation that an amendment leaves as it was: amending in time prevents it (203)."""
    key = ADOPTION_RELAXATION.name
    relaxation = old.provisions.get(key)
    if relaxation is None or new.provisions.get(key) != relaxation:
        return new
    return without(new, key)


def relaxing(law: Law) -> Rulebook:
    """Return the rulebook with the prevailing relaxation carried out; the rule keeps its number (203)."""
    finding = law.findings[ADOPTION_RELAXATION.name]
    if finding.rule is None or finding.value is None:
        raise Impossible("no rule provides a relaxation")
    return law.rulebook.with_rule(relaxed(law.rulebook.rules[finding.rule]))


def _rule_change(change: Change | None) -> RuleChange:
    if not isinstance(change, RuleChange):
        raise Impossible("the proposal is no rule-change")
    return change


def _players(players: Mapping[str, Player], event: Event, change: Change | None) -> Mapping[str, Player]:
    if event.kind is EventKind.JOINED:
        if not isinstance(change, JoinRequest):
            raise Impossible("the proposal is no request to join")
        return MappingProxyType({**players, change.login: seated_player(change.login, change.source, event.account)})
    if event.kind is EventKind.FORFEITED:
        login = (event.player or "").casefold()
        return MappingProxyType({key: one for key, one in players.items() if key.casefold() != login})
    if event.kind in {EventKind.AWAY, EventKind.BACK}:
        if not isinstance(change, Absence):
            raise Impossible("the proposal says nothing of an absence")
        player = read_player(change.login, change.source)
        if player.away is not (event.kind is EventKind.AWAY):
            raise Impossible("the player's file says otherwise")
        return MappingProxyType({**players, change.login: player})
    if event.kind is EventKind.SURNAMED:
        if not isinstance(change, NewSurname):
            raise Impossible("the proposal gives no surname")
        return MappingProxyType({**players, change.login: read_player(change.login, change.source)})
    return players


def state_after(position: Position, event: Event, under: Law) -> State:
    """Return where the game stands after an event under a law; the law of `position` is the one that it leaves.

    Raises Impossible where it does not fit the position.
    """
    state = replace(position.state, time=event.time)
    if event.kind in _RESOLVING:
        state = _resolving(state, event, position.law)
    match event.kind:
        case EventKind.PROPOSED:
            return _numbering(state, event)
        case EventKind.ADOPTED | EventKind.DEFEATED:
            return _ending_turn(position, state, event, under)
        case EventKind.WITHDRAWN:
            return _freeing(position, state, event)
        case EventKind.JOINED:
            return _seating(state, event, position.law)
        case EventKind.FORFEITED:
            return _unseating(replace(position, state=state), event)
        case EventKind.AWAY | EventKind.BACK:
            return _absent(state, event)
    return _ruled(position, state, event)


def _ruled(position: Position, state: State, event: Event) -> State:
    """Return the state after an event that no proposal's vote leads to."""
    if event.kind is EventKind.PASSED:
        return replace(after_turn(position, state, event.player or "", event.time, position.law), lately=None)
    if event.kind is EventKind.VOIDED:
        return replace(_taking_back(state, dict(event.points)), lately=None)
    if event.kind is EventKind.WON:
        stuck = event.player if _is_by_stalemate(state, event, position.law) else None
        return replace(state, winner=event.player, stuck=stuck)
    return _judging(state, event, position.law) if event.kind in OF_JUDGMENT else state


def _taking_back(state: State, points: Mapping[str, int]) -> State:
    """Return the state with the points of a voided move taken back, also from who has left since and may return."""
    left = {login: state.left(login) for login in points if state.seat(login) is None}
    former = (
        replace(one, points=one.points + points[one.login]) if left.get(one.login) is one else one
        for one in state.former
    )
    return replace(state.scoring(points), former=tuple(former))


def _is_by_stalemate(state: State, event: Event, law: Law) -> bool:
    """Return whether the game was won since play could not go on (213): one rule can provide for points as well."""
    if event.rule is None or event.rule != law.rule(STALEMATE_WINNER.name):
        return False
    seat, target = state.seat(event.player or ""), law.value(VICTORY_POINTS)
    has_points = seat is not None and target is not None and seat.points >= target
    return state.stuck is not None or law.rule(VICTORY_POINTS.name) != event.rule or not has_points


def _judging(state: State, event: Event, law: Law) -> State:
    """Return the state after a step of a judgment, and what its end leads to (212, 213)."""
    old = state.judgment
    state = replace(state, judgment=after_step(old, event))
    if event.kind is not EventKind.SETTLED or old is None:
        return state
    state = _released(state, old.invoked)
    lately = state.lately if state.lately is not None and state.lately.proposal == old.proposal else None
    if event.ruling is Ruling.ILLEGAL and lately is not None:
        return replace(state, lately=replace(lately, illegal=True))
    if event.ruling is Ruling.ILLEGAL and event.text is not None:
        return replace(state, struck=(*state.struck, (old.proposal, event.text)))
    if event.ruling is Ruling.UNDECIDED and law.value(STALEMATE_WINNER) is not None:
        return replace(state, stuck=old.mover)
    return state


def _released(state: State, invoked: int) -> State:
    """Return the state with a judgment over that was invoked then: what it kept from beginning begins now (212).

    What no seat's next turn can begin as early as is forgotten.
    """
    oldest = min((seat.free for seat in state.seats), default=state.time)
    held = tuple(one for one in state.held if one[1] > oldest)
    return replace(state, judgment=None, held=(*held, (invoked, state.time)))


def _resolving(state: State, event: Event, law: Law) -> State:
    """Return the state with a proposal resolved and its number given, also where the forge gave it alone (108)."""
    if event.proposal is None:
        raise Impossible("the event names no proposal")
    numbered = tuple(one for one in state.numbered if one[0] != event.proposal)
    by_forge = not isinstance(law.value(PROPOSALS_NUMBERING), Successive)
    number = event.proposal if event.number is None and by_forge else event.number
    given = state.given if number is None else state.given.adding(number)
    struck = tuple(one for one in state.struck if one[0] != event.proposal)
    if state.judgment is not None and state.is_judged(event.proposal):
        state = _released(state, state.judgment.invoked)
    return replace(
        state,
        resolved=state.resolved.adding(event.proposal),
        numbered=numbered,
        given=given,
        struck=struck,
    )


def _numbering(state: State, event: Event) -> State:
    if event.proposal is None or event.number is None or event.number in state.given:
        raise Impossible("a number is given once, to one proposal")
    numbered = tuple(sorted((*state.numbered, (event.proposal, event.number))))
    return replace(state, numbered=numbered, given=state.given.adding(event.number))


def _seated(state: State, login: str | None) -> Seat:
    seat = state.seat(login or "")
    if seat is None:
        raise Impossible(f"{login} is not a player")
    return seat


def _ending_turn(position: Position, state: State, event: Event, under: Law) -> State:
    state = state.scoring(dict(event.points))
    if event.change is None:
        return state
    seat = _seated(state, event.player)
    state = after_turn(position, state, seat.login, event.time, under)
    if state.lately is not None and state.is_judged(state.lately.proposal):
        return state  # Where turns overlap, the one that is being judged stays the one that can be undone.
    if position.law.value(JUDGMENT_JUDGE) is None:
        return replace(state, lately=None)
    change = event.change if event.kind is EventKind.ADOPTED else None
    turn = Turn(event.proposal or 0, event.number, seat.login, change, event.points)
    return replace(state, lately=turn)


def _freeing(position: Position, state: State, event: Event) -> State:
    """End the proposer's turn without its having been one, if voting had opened (design section 3).

    It had begun all the same: the turn before is judged no more (212).
    """
    lately, ended = state.lately, state.ended
    begun = event.opened is not None and ended is not None and event.opened >= ended
    begun = begun or has_begun(position, event.proposal or 0, event.player or "")
    if begun and lately is not None and not state.is_judged(lately.proposal):
        state = replace(state, lately=None)
    seat = state.seat(event.player or "")
    if seat is None or event.opened is None:
        return state
    return state.with_seat(replace(seat, free=event.time))


def _seating(state: State, event: Event, law: Law) -> State:
    login = event.player or ""
    if state.seat(login) is not None:
        raise Impossible(f"{login} is a player already")
    before = state.left(login, event.account)
    seat = Seat(
        login=login,
        points=before.points if before else law.value(PLAYERS_INITIAL_POINTS),
        turns=before.turns if before else 0,
        moved=before.moved if before else 0,
        joined=event.time,
        free=event.time,
    )
    seats = (*state.seats, seat)
    former = tuple(one for one in state.former if one is not before)
    playing = event.time if len(seats) == 2 else state.playing
    return replace(state, seats=seats, former=former, playing=playing)


def _unseating(position: Position, event: Event) -> State:
    state = after_leaving(position, _seated(position.state, event.player).login, event.time)
    seat = _seated(state, event.player)
    seats = tuple(one for one in state.seats if one is not seat)
    # The file with the id goes now, and by it the points are found again under whatever login (section 2).
    file = position.file_of(seat.login)
    left = replace(seat, free=event.time, absences=(), account=file.id if file is not None else None)
    former = (*state.former, left)
    return replace(state, seats=seats, former=former, playing=state.playing if len(seats) > 1 else None)


def _absent(state: State, event: Event) -> State:
    """Begin or end a player's absence."""
    seat = _seated(state, event.player)
    if seat.is_away is (event.kind is EventKind.AWAY):
        raise Impossible(f"{seat.login} is {'' if seat.is_away else 'not '}away")
    if not seat.is_away:
        return _without_old_absences(state.with_seat(replace(seat, absences=(*seat.absences, (event.time, None)))))
    since, _ = seat.absences[-1]
    ended = ((since, event.time),) if since < event.time else ()
    return _without_old_absences(state.with_seat(replace(seat, absences=(*seat.absences[:-1], *ended))))


def _without_old_absences(state: State) -> State:
    """Return the state without the absences that were over when nothing that is voted on can have been opened yet.

    No rule-change is opened before its author's last turn is over.
    """
    oldest = min(seat.free for seat in state.seats)
    kept = (tuple(one for one in seat.absences if one[1] is None or one[1] > oldest) for seat in state.seats)
    seats = zip(state.seats, kept, strict=True)
    return replace(state, seats=tuple(replace(seat, absences=absences) for seat, absences in seats))


def founded(law: Law, players: Mapping[str, Player], time: int, language: str = "en") -> Position:
    """Return the position at the founding of a game, in seconds since the epoch.

    `language` is the game's, as a BCP 47 tag. Everybody named then sits in the order given, with
    `players.initial-points` (201). The numbers that the rules have and had are given: no proposal gets one of
    them (108). Who is away by the own file is so from the first.
    """
    points = law.value(PLAYERS_INITIAL_POINTS)
    seats = tuple(Seat(login, points, 0, time, time, absences=_away(one, time)) for login, one in players.items())
    given = numbers((number, number) for rule in law.rulebook for number in rule.numbers)
    playing = time if len(seats) > 1 else None
    return Position(law, players, State(time=time, playing=playing, seats=seats, given=given), language=language)


def _away(player: Player, time: int) -> tuple[tuple[int, int | None], ...]:
    return ((time, None),) if player.away else ()


def record(change: RuleChange, number: int | None, *, adopted: bool) -> ChangeRecord:
    """Return a rule-change as the record has it once its proposal is resolved."""
    becomes = number if adopted and change.kind is not ChangeKind.REPEAL else None
    return ChangeRecord(change.kind, change.rule, becomes)
