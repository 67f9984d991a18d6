"""The provisions: every key by which a rule tells the referee something (design section 6).

This is the whole table, and the one place that knows a key's values, its default and its meaning. A default
adds no law: it is what holds when no rule in force says anything.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Generic, TypeAlias, TypeVar

from nomic_git.law.duration import PATTERN, read_duration, write_duration
from nomic_git.law.errors import Unreadable
from nomic_git.law.expression import LONGEST, Expression, read_expression
from nomic_git.law.kinds import ChangeKind
from nomic_git.law.threshold import THRESHOLDS, Agreement, Threshold
from nomic_git.law.values import LARGEST, Values, integers, or_none, or_word, shown, some_of, words

if TYPE_CHECKING:
    from nomic_git.law.plain import Plain

V = TypeVar("V")


class ForgeNumbers(StrEnum):
    """Proposals have the numbers that the forge gives them."""

    FORGE = "forge"


@dataclass(frozen=True, slots=True)
class Successive:
    """Proposals have the numbers of a series of the rulebook's own (108): `first` is its first, 1 or more."""

    first: int


Numbering: TypeAlias = ForgeNumbers | Successive


class RelaxesAfter(StrEnum):
    """What is counted until the threshold relaxes (203, -110)."""

    CIRCUITS = "after-circuits"
    """Circuits of turns that are complete."""
    TURNS_EACH = "after-turns-each"
    """Turns that each player has had."""


@dataclass(frozen=True, slots=True)
class Relaxation:
    """When `count` circuits, or turns each, are over, `threshold` takes the place of adoption.threshold."""

    after: RelaxesAfter
    count: int
    threshold: Threshold


class Joining(StrEnum):
    """How somebody comes into the game: at once, by a vote, or not at all."""

    OPEN = "open"
    VOTE = "vote"
    CLOSED = "closed"


class Leave(StrEnum):
    """Whether players may be away for a while without leaving the game."""

    ALLOWED = "allowed"
    FORBIDDEN = "forbidden"


class Consulting(StrEnum):
    """Whether players may consult each other between turns (210)."""

    ALLOWED = "allowed"
    FORBIDDEN = "forbidden"


class Participation(StrEnum):
    """Whether every eligible voter must vote (105)."""

    REQUIRED = "required"
    OPTIONAL = "optional"


class Closing(StrEnum):
    """When a vote is complete: with the last voter, or as soon as the outcome is settled."""

    ALL_VOTED = "all-voted"
    DECIDED = "decided"


class Absent(StrEnum):
    """What a vote counts as that was not cast before the deadline."""

    ABSTAIN = "abstain"
    AGAINST = "against"
    FOR = "for"


class TurnOrder(StrEnum):
    """Whose turn it is (201): in the order of joining, by surname, or anyone's, one open proposal each."""

    CLOCKWISE = "clockwise"
    BY_SURNAME = "by-surname"
    OPEN = "open"


class Die(StrEnum):
    """The points of a turn are thrown with a die (202)."""

    DIE = "die"


TurnPoints: TypeAlias = Die | Expression


class Safeguard(StrEnum):
    """What no change may lead to: a game that points do not win (112), or that cannot change (114)."""

    POINTS_WIN = "points-win"
    CHANGEABLE = "changeable"


class ConflictsOrder(StrEnum):
    """Which of two rules of one status prevails when nothing else decides (211)."""

    LOWEST = "lowest"
    HIGHEST = "highest"


class Judge(StrEnum):
    """Who judges when judgment is invoked (212, -102)."""

    PRECEDING_PLAYER = "preceding-player"
    CHOSEN_BY_MOVER = "chosen-by-mover"


class StalemateWinner(StrEnum):
    """Who wins when play cannot go on (213, -101)."""

    FIRST_UNABLE_TO_COMPLETE_A_TURN = "first-unable-to-complete-a-turn"


@dataclass(frozen=True, slots=True)
class Key(Generic[V]):
    """One key that a rule may provide. Two keys are the same when they have the same name."""

    name: str
    default: V = field(compare=False)
    values: Values[V] = field(compare=False, repr=False)
    meaning: str = field(compare=False, repr=False)
    """One sentence for people, with the rules of the documents that it comes from."""

    def read(self, found: Plain) -> V:
        """Return the value that a rule provides.

        Raises Unreadable, in one line without the key's name: what was found and what is allowed.
        """
        return self.values.read(found)

    def plain(self, value: V) -> Plain:
        """Return a value as a rule would write it and as JSON shows it; `read` gives the value again."""
        return self.values.plain(value)

    @property
    def schema(self) -> Mapping[str, Plain]:
        """The JSON Schema of the key's values, as far as a schema can tell."""
        return self.values.schema


def _read_numbering(found: Plain) -> Numbering:
    if found == ForgeNumbers.FORGE:
        return ForgeNumbers.FORGE
    if isinstance(found, Mapping) and found.keys() == {"successive"}:
        return Successive(_FROM_ONE.read(found["successive"]))
    raise Unreadable(f"{shown(found)} is no numbering: write forge, or {{successive: 301}} for a series")


def _plain_numbering(numbering: Numbering) -> Plain:
    return {"successive": numbering.first} if isinstance(numbering, Successive) else numbering.value


def _read_relaxation(found: Plain) -> Relaxation:
    if isinstance(found, Mapping):
        for after in RelaxesAfter:
            if found.keys() == {after.value, "threshold"}:
                count = _FROM_ONE.read(found[after.value])
                return Relaxation(after, count, THRESHOLDS.read(found["threshold"]))
    raise Unreadable(
        f"{shown(found)} is no relaxation: write {{after-circuits: 2, threshold: simple-majority}}, "
        "{after-turns-each: 2, threshold: simple-majority}"
    )


def _plain_relaxation(relaxation: Relaxation) -> Plain:
    return {relaxation.after.value: relaxation.count, "threshold": THRESHOLDS.plain(relaxation.threshold)}


def _read_points(found: Plain) -> Expression:
    if isinstance(found, str):
        points = read_expression(found)
        if points.is_number:
            return points
        raise Unreadable(f"{shown(found)} gives true or false, not points: write points if … else points")
    try:
        return Expression(str(_WHOLE.read(found)))
    except Unreadable as refused:
        raise Unreadable(f"{refused}, or an expression") from None


def _plain_points(points: Expression) -> Plain:
    whole = _WHOLE_NUMBER.fullmatch(points.source)
    return int(points.source) if whole and abs(int(points.source)) <= LARGEST else points.source


def _read_turn_points(found: Plain) -> TurnPoints:
    if found == Die.DIE:
        return Die.DIE
    try:
        return _read_points(found)
    except Unreadable as refused:
        raise Unreadable(f"{refused}; or write die") from None


def _plain_turn_points(points: TurnPoints) -> Plain:
    return points.value if isinstance(points, Die) else _plain_points(points)


def _object(**properties: Plain) -> Mapping[str, Plain]:
    named = {name.replace("_", "-"): schema for name, schema in properties.items()}
    return {"type": "object", "properties": named, "required": list(named), "additionalProperties": False}


_WHOLE_NUMBER = re.compile(r"0|-?[1-9][0-9]*")
_WHOLE = integers()
_FROM_ONE = integers(1)
_FROM_ZERO = integers(0)
_NUMBERING = Values(
    _read_numbering,
    _plain_numbering,
    {"anyOf": [{"const": "forge"}, _object(successive=_FROM_ONE.schema)]},
)
_RELAXATIONS = Values(
    _read_relaxation,
    _plain_relaxation,
    {
        "anyOf": [
            _object(after_circuits=_FROM_ONE.schema, threshold=THRESHOLDS.schema),
            _object(after_turns_each=_FROM_ONE.schema, threshold=THRESHOLDS.schema),
        ]
    },
)
_DURATIONS = Values(read_duration, write_duration, {"type": "string", "pattern": f"^{PATTERN}$"})
_POINTS = Values(
    _read_points,
    _plain_points,
    {
        "anyOf": [
            # YAML readers other than ours take 2.5 for a number, and it is an expression.
            {"type": "number", "minimum": -LARGEST, "maximum": LARGEST},
            {"type": "string", "pattern": "[a-z0-9]", "maxLength": LONGEST},
        ]
    },
)
_TURN_POINTS = Values(_read_turn_points, _plain_turn_points, _POINTS.schema)

_NOTHING = Expression("0")

PROPOSALS_NUMBERING: Key[Numbering] = Key(
    "proposals.numbering",
    ForgeNumbers.FORGE,
    _NUMBERING,
    "Where the number of a proposal comes from: the forge, or a series of the rulebook's own (108).",
)
CHANGES_KINDS: Key[frozenset[ChangeKind]] = Key(
    "changes.kinds", frozenset(ChangeKind), some_of(ChangeKind), "Which kinds of rule-change there are (103)."
)
DEBATE_MINIMUM: Key[int | None] = Key(
    "debate.minimum",
    None,
    or_none(_DURATIONS),
    "How long a draft or an open proposal must have been readable before a vote on it closes (111).",
)
PLAYERS_JOINING: Key[Joining] = Key(
    "players.joining",
    Joining.VOTE,
    words(Joining),
    "Whether a new player comes in at once, by a vote or not at all.",
)
PLAYERS_ADMISSION: Key[Threshold] = Key(
    "players.admission",
    Agreement.SIMPLE_MAJORITY,
    THRESHOLDS,
    "How much agreement lets a new player in, where joining is put to the vote.",
)
PLAYERS_INITIAL_POINTS: Key[int] = Key(
    "players.initial-points", 0, _WHOLE, "How many points a player starts with (201)."
)
PLAYERS_CONSULTING: Key[Consulting] = Key(
    "players.consulting",
    Consulting.ALLOWED,
    words(Consulting),
    "Whether players may consult each other out of turn (210).",
)
PLAYERS_LEAVE: Key[Leave] = Key(
    "players.leave",
    Leave.FORBIDDEN,
    words(Leave),
    "Whether a player may be away, and is then no voter on what is opened meanwhile.",
)
VOTES_EACH: Key[int] = Key("votes.each", 1, _FROM_ONE, "How many votes each player has (207).")
VOTES_PARTICIPATION: Key[Participation] = Key(
    "votes.participation",
    Participation.OPTIONAL,
    words(Participation),
    "Whether every eligible voter must vote (105).",
)
VOTES_CLOSING: Key[Closing] = Key(
    "votes.closing",
    Closing.ALL_VOTED,
    words(Closing),
    "Whether a vote closes when all have voted, or as soon as its outcome is decided.",
)
VOTES_DEADLINE: Key[int | None] = Key(
    "votes.deadline", None, or_none(_DURATIONS), "How long a vote is open at most (105 knows no such end)."
)
VOTES_ABSENT: Key[Absent] = Key(
    "votes.absent",
    Absent.ABSTAIN,
    words(Absent),
    "What a vote counts as that was not cast before the deadline.",
)
ADOPTION_THRESHOLD: Key[Threshold] = Key(
    "adoption.threshold", Agreement.UNANIMOUS, THRESHOLDS, "How much agreement adopts a rule-change (203)."
)
ADOPTION_RELAXATION: Key[Relaxation | None] = Key(
    "adoption.relaxation",
    None,
    or_none(_RELAXATIONS),
    "When the threshold for adoption relaxes, and to what (203, -110).",
)
ADOPTION_TRANSMUTATION: Key[Threshold | None] = Key(
    "adoption.transmutation",
    None,
    or_word("adoption.threshold", THRESHOLDS),
    "How much agreement makes an immutable rule mutable (109).",
)
TURNS_ORDER: Key[TurnOrder] = Key("turns.order", TurnOrder.OPEN, words(TurnOrder), "Whose turn it is (201).")
TURNS_DEADLINE: Key[int | None] = Key(
    "turns.deadline", None, or_none(_DURATIONS), "After how long a turn passes on (201 knows no such end)."
)
TURNS_PAUSE: Key[int | None] = Key(
    "turns.pause",
    None,
    or_none(_DURATIONS),
    "How long after the end of a turn the next begins, so that judgment can be invoked (212).",
)
TURNS_POINTS: Key[TurnPoints] = Key(
    "turns.points",
    _NOTHING,
    _TURN_POINTS,
    "How many points the mover has at the end of a turn: die, or an expression over the result (202).",
)
DISSENT_POINTS: Key[Expression] = Key(
    "dissent.points",
    _NOTHING,
    _POINTS,
    "How many points each vote against an adopted proposal brings where unanimity was not required (204).",
)
DEFEAT_POINTS: Key[Expression] = Key(
    "defeat.points",
    _NOTHING,
    _POINTS,
    "How many points the proposer of a defeated proposal has for it (206).",
)
VICTORY_POINTS: Key[int | None] = Key("victory.points", None, or_none(_FROM_ONE), "How many points win the game (208).")
RULES_MUTABLE_MINIMUM: Key[int] = Key(
    "rules.mutable.minimum", 0, _FROM_ZERO, "How many mutable rules there are at least (114)."
)
RULES_MUTABLE_MAXIMUM: Key[int | None] = Key(
    "rules.mutable.maximum", None, or_none(_FROM_ZERO), "How many mutable rules there are at most (209)."
)
SAFEGUARDS: Key[frozenset[Safeguard]] = Key(
    "safeguards",
    frozenset(),
    some_of(Safeguard),
    "What no change may take away: that points win (112), that the rules can still be changed (114).",
)
CONFLICTS_ORDER: Key[ConflictsOrder] = Key(
    "conflicts.order",
    ConflictsOrder.LOWEST,
    words(ConflictsOrder),
    "Which of two conflicting rules of one status prevails: the lowest or the highest number (211).",
)
JUDGMENT_JUDGE: Key[Judge | None] = Key(
    "judgment.judge", None, or_none(words(Judge)), "Who judges when judgment is invoked (212, -102)."
)
JUDGMENT_OVERRULING: Key[Threshold] = Key(
    "judgment.overruling",
    Agreement.UNANIMOUS,
    THRESHOLDS,
    "How much agreement of the other players overrules the Judge (212, -102).",
)
JUDGMENT_CONSENT: Key[Threshold] = Key(
    "judgment.consent",
    Agreement.SIMPLE_MAJORITY,
    THRESHOLDS,
    "How much agreement of the other players lets the next turn begin while judgment is open (212, -102).",
)
STALEMATE_WINNER: Key[StalemateWinner | None] = Key(
    "stalemate.winner",
    None,
    or_none(words(StalemateWinner)),
    "Who wins when play cannot go on (213, -101).",
)

KEYS: Mapping[str, Key[Any]] = {
    key.name: key
    for key in (
        PROPOSALS_NUMBERING,
        CHANGES_KINDS,
        DEBATE_MINIMUM,
        PLAYERS_JOINING,
        PLAYERS_ADMISSION,
        PLAYERS_INITIAL_POINTS,
        PLAYERS_CONSULTING,
        PLAYERS_LEAVE,
        VOTES_EACH,
        VOTES_PARTICIPATION,
        VOTES_CLOSING,
        VOTES_DEADLINE,
        VOTES_ABSENT,
        ADOPTION_THRESHOLD,
        ADOPTION_RELAXATION,
        ADOPTION_TRANSMUTATION,
        TURNS_ORDER,
        TURNS_DEADLINE,
        TURNS_PAUSE,
        TURNS_POINTS,
        DISSENT_POINTS,
        DEFEAT_POINTS,
        VICTORY_POINTS,
        RULES_MUTABLE_MINIMUM,
        RULES_MUTABLE_MAXIMUM,
        SAFEGUARDS,
        CONFLICTS_ORDER,
        JUDGMENT_JUDGE,
        JUDGMENT_OVERRULING,
        JUDGMENT_CONSENT,
        STALEMATE_WINNER,
    )
}
"""Every key by its name, in the order of the design's table."""
