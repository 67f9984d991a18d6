"""What no rule-change may take away: that points win (112), and that the rules can still be changed (114).

A safeguard is asked of the law that a change would leave, and only what the change itself would take away is
blocked: a game that never had it, as one founded or imported without points to win by, is not stopped for that.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import TYPE_CHECKING

from nomic_git.game import limits
from nomic_git.game.tally import Count, judge, names_of, required_for
from nomic_git.game.transition import adopting, relaxing
from nomic_git.law.errors import NomicError
from nomic_git.law.expression import Expression
from nomic_git.law.kinds import ChangeKind
from nomic_git.law.precedence import Law, read_law
from nomic_git.law.provisions import (
    ADOPTION_RELAXATION,
    ADOPTION_THRESHOLD,
    CHANGES_KINDS,
    DEBATE_MINIMUM,
    PROPOSALS_NUMBERING,
    RULES_MUTABLE_MAXIMUM,
    RULES_MUTABLE_MINIMUM,
    SAFEGUARDS,
    TURNS_PAUSE,
    VICTORY_POINTS,
    VOTES_EACH,
    Safeguard,
    Successive,
)
from nomic_git.law.reason import Reason
from nomic_git.law.rule import Rule, Status, providing, reworded
from nomic_git.law.rule_change import RuleChange

if TYPE_CHECKING:
    from nomic_git.game.position import Position
    from nomic_git.game.state import State
    from nomic_git.game.tally import Requirement

PATIENCE = 25
"""In how many circuits of turns, from any moment on, it must be possible to adopt some rule-change."""

MOMENTS = (0, 1_000, 1_000_000)
"""How many circuits from now on that is asked: at once, after any game that was played, and for good."""

LONGEST_WAIT = 366 * 86400
"""The longest debate, and the longest pause between turns, that still lets anything be adopted, in seconds."""


class Breach(StrEnum):
    """What a change would take away; each is a key of the message catalogue."""

    POINTS = "points-win-no-more"
    WAIT = "nothing-adoptable-for-waiting"
    NO_CHANGE = "nothing-changeable"
    NOW = "nothing-adoptable"
    LATER = "nothing-adoptable-later"


def broken(position: Position, law: Law) -> tuple[Reason, ...]:
    """Return the limits and the safeguards that a rule-change would break; `law` is the one that would result.

    Both are the resulting law's own (design section 3): repealing 112 or 114 takes them away.
    """
    kept = law.value(SAFEGUARDS)
    return (
        limits.broken(law)
        or (_without_points(position.law, law) if Safeguard.POINTS_WIN in kept else ())
        or (_unchangeable(position, law) if Safeguard.CHANGEABLE in kept else ())
    )


def is_changeable_at_all(law: Law, state: State) -> bool:
    """Return whether any rule-change can lawfully be proposed; where none can, play cannot go on (213, -101)."""
    return _has_room(law) or next(_ways(law, state), None) is not None


def _has_room(law: Law) -> bool:
    """Return whether a rule that provides nothing can come or go: that changes nothing but how many there are."""
    kinds, mutable = law.value(CHANGES_KINDS), law.rulebook.of(Status.MUTABLE)
    least, most = law.value(RULES_MUTABLE_MINIMUM), law.value(RULES_MUTABLE_MAXIMUM)

    def is_lawful(count: int) -> bool:
        return least <= count and (most is None or count <= most)

    if ChangeKind.ENACT in kinds and is_lawful(len(mutable) + 1):
        return True
    can_go = ChangeKind.REPEAL in kinds and is_lawful(len(mutable) - 1)
    return can_go and any(not rule.provisions for rule in mutable)


def _is_by_expression(law: Law) -> bool:
    """Return whether an expression says, or comes to say, how much agreement adopts a rule-change."""
    thresholds = [one for _, one in law.values(ADOPTION_THRESHOLD)]
    thresholds += [one.threshold for _, one in law.values(ADOPTION_RELAXATION) if one is not None]
    return any(isinstance(one, Expression) for one in thresholds)


def _without_points(before: Law, law: Law) -> tuple[Reason, ...]:
    if law.value(VICTORY_POINTS) is not None or before.value(VICTORY_POINTS) is None:
        return ()
    return (Reason(Breach.POINTS, {}, SAFEGUARDS.name),)


def _unchangeable(position: Position, law: Law) -> tuple[Reason, ...]:
    found = breaches(law, position.state)
    new = found - breaches(position.law, position.state) if found else found
    if not new:
        return ()
    first = next(one for one in Breach if one in new)
    facts = {"players": len(position.state.seats), "circuits": PATIENCE}
    return (Reason(first, facts, SAFEGUARDS.name),)


def breaches(law: Law, state: State) -> frozenset[Breach]:
    """Return why no rule-change could be adopted under a law, or none from some moment on; empty where some can.

    It is tried: with changes that are lawful by the law's kinds and limits, with everybody in the game for them, in
    the turns to come, under the law and under what its relaxations make of it. Whether such a change would in turn
    leave a law that can be changed is not asked, but where it makes an immutable rule mutable.
    """
    if any((law.value(key) or 0) > LONGEST_WAIT for key in (DEBATE_MINIMUM, TURNS_PAUSE)):
        return frozenset({Breach.WAIT})
    if state.seats and _has_room(law) and not _is_by_expression(law):
        return frozenset()  # As nearly always: a rule can come or go, and no moment comes at which all are too few.
    if next(_ways(law, state), None) is None:
        return frozenset({Breach.NO_CHANGE})
    shut = (after for one in _relaxing(law) for after in _shut(one, state))
    return frozenset(Breach.LATER if after else Breach.NOW for after in shut)


def _shut(law: Law, state: State) -> tuple[int, ...]:
    """Return those of the moments from which on nothing can be adopted under a law, in circuits from now."""
    left: tuple[int, ...] = MOMENTS
    for way in _ways(law, state):
        left = tuple(after for after in left if not all(_adoptable(*step, state, after) for step in way))
        if not left:
            break
    return left


def _ways(law: Law, state: State) -> Iterator[tuple[tuple[Law, Requirement], ...]]:
    """Yield how rules could be changed: the steps, each with the law that it is voted under and what that requires.

    Making immutable rules mutable is a way where it leads to another. By itself it is used up with the last of them.
    """
    direct = _direct(law, state)
    if direct is not None:
        yield ((law, direct),)
    if ChangeKind.TRANSMUTE not in law.value(CHANGES_KINDS):
        return
    first = required_for(law, ChangeKind.TRANSMUTE, Status.IMMUTABLE)
    for there in _lawful(law, state, ChangeKind.TRANSMUTE, Status.IMMUTABLE):
        then = _direct(there, state)
        if then is not None:
            yield ((law, first), (there, then))


def _direct(law: Law, state: State) -> Requirement | None:
    """Return what is required of a change that makes no immutable rule mutable, None where none can be made."""
    kinds = (kind for kind in ChangeKind if kind in law.value(CHANGES_KINDS))
    possible = (next(_lawful(law, state, kind, Status.MUTABLE), None) is not None for kind in kinds)
    # Of mutable rules, every kind of change requires the same.
    return required_for(law, ChangeKind.AMEND, Status.MUTABLE) if _has_room(law) or any(possible) else None


def _lawful(law: Law, state: State, kind: ChangeKind, status: Status) -> Iterator[Law]:
    """Yield the laws that lawful changes of one kind would leave; they break no limit, and keep points to win by."""
    number = 1 + max((_next(law, state), *law.rulebook.rules))
    for change in _changes(law, kind, status):
        try:
            there = adopting(law, change, number)
        except NomicError:
            continue
        keeps_points = Safeguard.POINTS_WIN not in there.value(SAFEGUARDS) or not _without_points(law, there)
        if keeps_points and not limits.broken(there):
            yield there


_WORDS = b"Words.\n"
_LIFTING = f"---\nprovisions:\n  {RULES_MUTABLE_MAXIMUM.name}: none\n  {RULES_MUTABLE_MINIMUM.name}: 0\n"
_ENACTED = (
    _WORDS,
    # At the limits, a rule can still be enacted that lifts them and prevails: limits are the resulting law's.
    f"{_LIFTING}precedence: {{over: [all]}}\n---\n\nWords.\n".encode(),
    f"{_LIFTING}  conflicts.order: highest\nprecedence: {{over: [all]}}\n---\n\nWords.\n".encode(),
)


def _changes(law: Law, kind: ChangeKind, status: Status) -> Iterator[RuleChange]:
    """Yield changes of one kind, for rules of one status: if any of that kind is lawful, one of these should be."""
    if kind is ChangeKind.ENACT:
        yield from (RuleChange(kind, None, status, None, source, None) for source in _ENACTED)
        return
    for rule in law.rulebook.of(status):
        for after in _afterwards(rule, kind):
            yield RuleChange(kind, rule.number, status, rule.source, after, None)


def _afterwards(rule: Rule, kind: ChangeKind) -> Iterator[bytes | None]:
    """Yield files that a change of this kind may leave of a rule."""
    if kind is not ChangeKind.AMEND:
        yield rule.source if kind is ChangeKind.TRANSMUTE else None
        return
    yield reworded(rule, _WORDS)
    lifted = {**rule.provisions, RULES_MUTABLE_MAXIMUM.name: None, RULES_MUTABLE_MINIMUM.name: 0}
    try:
        yield providing(rule, lifted).source
    except NomicError:
        return


def _relaxing(law: Law) -> Iterator[Law]:
    """Yield a law and what its relaxations make of it; those to a threshold that can be reached change nothing here."""
    yield law
    by_expression = any(
        one is not None and isinstance(one.threshold, Expression) for _, one in law.values(ADOPTION_RELAXATION)
    )
    # Carrying one out takes it out of its rule, so there are no more of them than rules.
    while by_expression and law.value(ADOPTION_RELAXATION) is not None:
        try:
            law = read_law(relaxing(law))
        except NomicError:
            return
        yield law


def _adoptable(law: Law, required: Requirement, state: State, after: int) -> bool:
    """Return whether everybody's votes suffice at some moment within PATIENCE, `after` that many circuits."""
    everybody = tuple(seat.login for seat in state.seats)
    count = Count(everybody, everybody, (), law.value(VOTES_EACH))
    return any(judge(required, count, names).suffices for names in _moments(law, state, count, after))


def _moments(law: Law, state: State, count: Count, after: int) -> Iterator[dict[str, int]]:
    """Yield what an expression may use in the turns to come, as if they went round and each had its proposal."""
    many, first = len(state.seats), _next(law, state)
    for at in range(after * many, (after + PATIENCE) * many):
        seat, rounds = state.seats[at % many], at // many
        names = names_of(state, count, proposal=first + at, author=seat.login)
        yield {**names, "turn": names["turn"] + rounds, "circuit": names["circuit"] + rounds}


def _next(law: Law, state: State) -> int:
    """Return the number that a proposal may have next; a forge's numbers go on however many it spends otherwise."""
    numbering = law.value(PROPOSALS_NUMBERING)
    if isinstance(numbering, Successive):
        return max(numbering.first, (state.given.last or 0) + 1)
    return (state.resolved.last or 0) + 1
