"""Every provision of section 6 can be amended in play, and from then on something else happens."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import pytest
from table import (
    AGAINST,
    FOR,
    amend,
    enact,
    join,
    law,
    play,
    proposal,
    repeal,
    rule,
    scores,
    seated,
    standing,
    told,
    transmute,
    with_seats,
)

from nomic_git.game.consulting import consulted
from nomic_git.game.docket import docket
from nomic_git.game.judgment import Move, Plea
from nomic_git.game.player import read_player
from nomic_git.game.proposal import Stage
from nomic_git.law.provisions import ADOPTION_THRESHOLD, CHANGES_KINDS, KEYS
from nomic_git.law.rule import Status
from nomic_git.law.rule_change import Absence, Blob, Branch, FileChange, Improper, RuleChange, read_change
from nomic_git.law.threshold import Agreement

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from nomic_git.game.event import Event
    from nomic_git.game.position import Position
    from nomic_git.law.rule import Rule
    from nomic_git.law.rule_change import Change

PLAYERS = ("alice", "bob", "carol")
ALL = (("alice", FOR, 12), ("bob", FOR, 12), ("carol", FOR, 12))
ONE_AGAINST = (("alice", FOR, 12), ("bob", FOR, 12), ("carol", AGAINST, 12))


def voted(position: Position, change: Change, *votes: tuple) -> tuple[Position, list[Event]]:
    """What comes of a proposal of bob's that is voted on like this."""
    return play(position, [proposal(10, "bob", change, *votes, ready=10)])


def outcome(*votes: tuple) -> Callable[[Position], list[str]]:
    return lambda position: told(voted(position, enact(), *votes)[1])


def stage_of(change: Callable[[Position], Change]) -> Callable[[Position], Stage]:
    def found(position: Position) -> Stage:
        return standing(position, [proposal(10, "bob", change(position), ready=10)])[10].stage

    return found


def number_given(position: Position) -> int:
    before, after = position.law.rulebook.rules, voted(position, enact(), *ALL)[0].law.rulebook.rules
    (number,) = after.keys() - before.keys()
    return number


def is_lawful(position: Position) -> bool:
    """Whether a repeal of rule 202 is read as a rule-change."""
    old = position.law.rulebook.rules[202]
    deleted = FileChange(old.path, Blob(0o100644, "a" * 40, old.source), None)
    reading = read_change(Branch((deleted,), (old.path,)), "bob", position.law.value(CHANGES_KINDS))
    assert isinstance(reading, Improper | RuleChange)
    return isinstance(reading, RuleChange)


def admitted(*votes: tuple) -> Callable[[Position], list[str]]:
    return lambda position: told(play(position, [proposal(10, "eve", join("eve"), *votes, ready=10)])[1])


def points_of_a_newcomer(position: Position) -> int:
    return scores(play(position, [proposal(10, "eve", join("eve"), ready=10)])[0])["eve"]


def who_is_named(position: Position) -> tuple[str, ...]:
    two = [proposal(10, "bob", ready=10), proposal(11, "bob", enact(words="More."), ready=20)]
    standings = docket(position, two, 60)
    return consulted(position, standings[1], standings, [("carol", 50)])


def stage_of_an_absence(position: Position) -> Stage:
    files = {login: read_player(login, b"") for login in PLAYERS}
    away = Absence("bob", b"---\naway: true\n---\n", away=True)
    return standing(replace(position, players=files), [proposal(10, "bob", away, ready=10)])[10].stage


def votes_for(position: Position) -> int:
    result = standing(position, [proposal(10, "bob", enact(), ("alice", FOR, 12), ready=10)])[10].result
    assert result is not None
    return result.count.votes_for


def threshold(position: Position) -> object:
    return play(position, [])[0].law.value(ADOPTION_THRESHOLD)


def transmuted(position: Position) -> list[str]:
    return told(voted(position, transmute(position.law, 101), *ONE_AGAINST)[1])


def gained(login: str, *votes: tuple) -> Callable[[Position], int]:
    return lambda position: scores(voted(position, enact(), *votes)[0])[login] - scores(position)[login]


def winner(position: Position) -> str | None:
    return play(position, [])[0].state.winner


def ended(*votes: tuple) -> Callable[[Position], int]:
    return lambda position: voted(position, enact(), *votes)[1][0].time


def stage_out_of_turn(position: Position) -> Stage:
    """How far a proposal of carol's comes, after alice's turn."""
    return standing(position, [proposal(10, "carol", ready=10)])[10].stage


def passed(position: Position) -> list[str]:
    return told(play(position, [])[1])


def opened(position: Position) -> int | None:
    return standing(position, [proposal(10, "bob", ready=10)])[10].opened


def judged(*moves: tuple[str, Move, str]) -> Callable[[Position], tuple[list[str], str | None]]:
    """What comes of a proposal of bob's, on which these moves are made one after another, and who wins by it."""

    def found(position: Position) -> tuple[list[str], str | None]:
        pleas = tuple(Plea(login, move, 15 + at, said) for at, (login, move, said) in enumerate(moves))
        there, events = play(position, [replace(proposal(10, "bob", ready=10), pleas=pleas)])
        return told(events), there.state.winner

    return found


INVOKED = ("carol", Move.INVOKE, "Is this one rule-change?")
OVERRULED_BY_ONE = (INVOKED, ("alice", Move.RULE, "legal"), ("bob", Move.OVERRULE, ""))
CONSENTED_BY_ONE = (INVOKED, ("alice", Move.CONSENT, ""))
UNDECIDED = (INVOKED, ("alice", Move.RULE, "undecided"), ("carol", Move.UPHOLD, ""))
PRECEDING = "judgment.judge: preceding-player"


@dataclass(frozen=True)
class Row:
    """A value and another that a rule is amended to, what then happens each time, and which other rules there are."""

    old: str
    new: str
    happens: Callable[[Position], object]
    at_first: object
    then: object
    beside: Sequence[str] = ()


ROWS = {
    "proposals.numbering": Row("forge", "{successive: 400}", number_given, 10, 400),
    "changes.kinds": Row("[enact, amend]", "[enact, amend, repeal]", is_lawful, False, True),
    "players.joining": Row("closed", "open", admitted(), [], ["joined 10"]),
    "players.admission": Row(
        "unanimous",
        "1/3",
        admitted(("alice", FOR, 12), ("bob", AGAINST, 12), ("carol", AGAINST, 12)),
        ["defeated 10"],
        ["joined 10"],
    ),
    "players.initial-points": Row("3", "7", points_of_a_newcomer, 3, 7, ["players.joining: open"]),
    "players.consulting": Row("allowed", "forbidden", who_is_named, (), ("carol",)),
    "players.leave": Row("forbidden", "allowed", stage_of_an_absence, Stage.IMPROPER, Stage.VOTING),
    "votes.each": Row("1", "3", votes_for, 2, 6),
    "votes.closing": Row("all-voted", "decided", outcome(("alice", AGAINST, 12)), [], ["defeated 10"]),
    "adoption.threshold": Row("unanimous", "simple-majority", outcome(*ONE_AGAINST), ["defeated 10"], ["adopted 10"]),
    "adoption.relaxation": Row(
        "none",
        "{after-turns-each: 1, threshold: simple-majority}",
        threshold,
        Agreement.UNANIMOUS,
        Agreement.SIMPLE_MAJORITY,
    ),
    "adoption.transmutation": Row("unanimous", "1/2", transmuted, ["defeated 10"], ["adopted 10"]),
    "turns.points": Row("0", '"proposal + 2"', gained("bob", *ALL), 0, 12),
    "dissent.points": Row("0", "4", gained("carol", *ONE_AGAINST), 0, 4, ["adoption.threshold: 1/2"]),
    "defeat.points": Row("0", "-4", gained("bob", *ONE_AGAINST), 0, -4),
    "victory.points": Row("100", "15", winner, None, "alice"),
    "rules.mutable.minimum": Row("0", "2", stage_of(lambda at: repeal(at.law, 202)), Stage.VOTING, Stage.BLOCKED),
    "rules.mutable.maximum": Row("none", "2", stage_of(lambda _: enact()), Stage.VOTING, Stage.BLOCKED),
    "safeguards": Row(
        "[]", "[changeable]", stage_of(lambda _: enact("changes.kinds: []")), Stage.VOTING, Stage.BLOCKED
    ),
    "debate.minimum": Row("none", "1m", ended(*ALL), 12, 70),
    "votes.participation": Row(
        "optional", "required", outcome(("alice", AGAINST, 12)), ["defeated 10"], [], ["votes.closing: decided"]
    ),
    "votes.deadline": Row("none", "1m", outcome(("alice", FOR, 12)), [], ["defeated 10"]),
    "votes.absent": Row(
        "abstain", "for", outcome(("alice", FOR, 12)), ["defeated 10"], ["adopted 10"], ["votes.deadline: 1m"]
    ),
    "turns.order": Row("open", "clockwise", stage_out_of_turn, Stage.VOTING, Stage.WAITING),
    "turns.deadline": Row("none", "1m", passed, [], ["passed"], ["turns.order: clockwise"]),
    "turns.pause": Row("none", "1m", opened, 10, 62),
    "judgment.judge": Row("none", "preceding-player", judged(INVOKED), ([], None), (["invoked 10"], None)),
    "judgment.overruling": Row(
        "unanimous",
        "1/2",
        judged(*OVERRULED_BY_ONE),
        (["invoked 10", "judged 10"], None),
        (["invoked 10", "judged 10", "overruled 10"], None),
        [PRECEDING],
    ),
    "judgment.consent": Row(
        "1/2",
        "unanimous",
        judged(*CONSENTED_BY_ONE),
        (["invoked 10", "settled 10"], None),
        (["invoked 10"], None),
        [PRECEDING],
    ),
    "stalemate.winner": Row(
        "none",
        "first-unable-to-complete-a-turn",
        judged(*UNDECIDED),
        (["invoked 10", "judged 10", "settled 10"], None),
        (["invoked 10", "judged 10", "settled 10", "won"], "bob"),
        [PRECEDING],
    ),
    "conflicts.order": Row("lowest", "highest", votes_for, 4, 10, ["votes.each: 2", "votes.each: 5"]),
}


def test_every_key_has_its_row():
    assert ROWS.keys() == KEYS.keys()


@pytest.mark.parametrize("key", ROWS)
def test_an_amendment_changes_what_happens(key: str):
    row = ROWS[key]
    others: list[Rule] = [rule(at, one) for at, one in enumerate(row.beside, 302)]
    under = law(rule(101, status=Status.IMMUTABLE), rule(201, f"{key}: {row.old}"), rule(202), *others)
    seats = {login: {"turns": 1, "points": 20 if login == "alice" else 0} for login in PLAYERS}
    before = with_seats(seated(under, *PLAYERS), **seats)
    assert row.happens(before) == row.at_first
    change = amend(under, 201, f"{key}: {row.new}")
    amended, events = play(before, [proposal(1, "alice", change, ("bob", FOR, 2), ("carol", FOR, 2))], now=5)
    assert events[0].kind == "adopted"
    assert amended.law.rule(key) == 1 or key == "adoption.relaxation"
    assert row.happens(amended) == row.then
