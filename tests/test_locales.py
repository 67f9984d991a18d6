"""What the program says of events, points and reasons, in words."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from scene import rules

from nomic_git import locales
from nomic_git.game.event import ChangeRecord, Event, EventKind
from nomic_git.game.player import read_player
from nomic_git.game.position import Position
from nomic_git.game.transition import founded
from nomic_git.law.kinds import ChangeKind
from nomic_git.law.precedence import read_law
from nomic_git.law.rule_change import Impropriety, improper
from nomic_git.locales.sentences import REASONS


def position(threshold: str = "simple-majority") -> Position:
    """A game of alice with 65 points and bob, in which rule -110 asks for this threshold."""
    source = f"---\nprovisions:\n  adoption.threshold: {threshold}\n---\n\nSo be it.\n".encode()
    players = {login: read_player(login, b"") for login in ("alice", "bob")}
    made = founded(read_law(rules((-110, source))), players, 0)
    alice, bob = made.state.seats
    return replace(made, state=replace(made.state, seats=(replace(alice, points=65), bob)))


@pytest.mark.parametrize(
    ("threshold", "asks"),
    [
        ("simple-majority", "a simple majority"),
        ("unanimous", "the votes of all"),
        ("2/3", "at least 2/3 of the votes"),
        ("votes_for > 2", "that `votes_for > 2`"),
    ],
)
def test_a_relaxation_says_what_the_rule_asks_for_now(threshold: str, asks: str) -> None:
    event = Event(EventKind.RELAXED, 1, rule=-110)
    assert locales.happened(event, position(threshold)) == f"Rule -110 now asks for {asks}"


def test_a_relaxed_rule_that_is_gone_is_told_as_it_is_recorded() -> None:
    event = Event(EventKind.RELAXED, 1, rule=7)
    assert locales.happened(event, position()) == locales.subject(event) == "Relax rule 7, as it provides"


def test_a_winner_is_told_with_the_points_and_the_rule() -> None:
    event = Event(EventKind.WON, 1, player="alice", rule=-105)
    assert locales.happened(event, position()) == "alice has won with 65 points (rule -105)"


def test_all_else_is_told_as_the_history_has_it() -> None:
    change = ChangeRecord(ChangeKind.ENACT, None, 3)
    event = Event(EventKind.ADOPTED, 1, proposal=3, number=3, player="alice", change=change)
    assert locales.happened(event, position()) == "Adopt proposal 3: enact rule 3"


def test_points_are_told_part_by_part() -> None:
    assert locales.points_text("dave", [(-10, -107), (7, -111)]) == "dave -10 (rule -107) and +7 (rule -111)"
    assert locales.points_text("dave", [(3, None)]) == "dave +3"


@pytest.mark.parametrize("key", REASONS)
def test_what_players_may_write_stands_in_code_spans_in_every_reason(key: str) -> None:
    outside = re.sub(r"`[^`]*`", "", REASONS[key])
    assert not re.search(r"\{(path|problem|words)\}", outside)
    assert REASONS[key].count("`") % 2 == 0


def test_a_path_does_not_break_out_of_its_code_span() -> None:
    path = "rules/mutable/a` <img src=x> @bob #1 [x](http://y) `\n.md"
    text = locales.reason_text(improper(Impropriety.BESIDE_THE_RULE, path=path))
    assert text.count("`") == 2
    assert "\n" not in text
    assert "@bob" not in re.sub(r"`[^`]*`", "", text)
