"""A game with turns, a die and a Judge, played twice, on the local forge and on GitHub's pages: it ends the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from github_scene import GitHubScene
from scene import game
from test_whole_game import AtGitHub, AtHome, another_pass_has_nothing_to_do, enacting, joining, rules

from nomic_git.forges.forge import Deed
from nomic_git.repository.audit import audit
from nomic_git.repository.founding import shipped
from nomic_git.repository.history import events
from nomic_git.repository.position import position_at

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from fake_github import FakeGitHub

    from nomic_git.game.event import Event
    from nomic_git.repository.clone import Clone


class Home(AtHome):
    """The local forge, where judgment is spoken of in the logs."""

    def says(self, who: str, number: int, move: str, words: str = "") -> None:
        self.scene.forge.note(who, number, Deed.JUDGMENT, self.scene.tick(), word=move, words=words)
        self.referee()


class Pages(AtGitHub):
    """GitHub's pages, where judgment is spoken of in comments."""

    def says(self, who: str, number: int, move: str, words: str = "") -> None:
        self.scene.github.comment(self.scene.account(who), number, f"/nomic {move} {words}".rstrip())
        self.goes_on()


def play(table: Home | Pages) -> None:
    """Play the whole game."""
    early = they_sit_down(table)
    a_judge_is_overruled(table, early)
    what_is_illegal_is_mended(table, early)
    what_was_illegal_is_undone(table)
    somebody_comes_and_somebody_goes(table)
    nobody_can_say(table)


def they_sit_down(table: Home | Pages) -> int:
    table.opens("bob", joining("bob"))
    carol = table.opens("carol", joining("carol"))
    table.votes(carol, "for", "alice", "bob")
    early = table.opens("bob", enacting("Early", "Who is early waits."))
    assert table.stage(early) == "waiting"
    return early


def a_judge_is_overruled(table: Home | Pages, early: int) -> None:
    tea = table.opens("alice", enacting("Tea", "There is tea for everybody."))
    table.says("bob", tea, "judgment", "Is this one rule-change by rule 103?")
    table.says("alice", tea, "rule", "legal, of course")  # She is not the Judge: carol precedes her.
    table.says("carol", tea, "rule", "illegal, since rule 103 knows no tea")
    table.votes(tea, "for", "bob", "carol")
    table.says("alice", tea, "overrule")
    assert table.stage(tea) == "voting"
    table.says("bob", tea, "overrule")
    table.says("bob", tea, "rule", "Legal: 103 does not say what rules are about")
    table.says("carol", tea, "uphold")
    assert b"tea" in table.file("rules/mutable/301.md")
    assert table.stage(early) == "voting"


def what_is_illegal_is_mended(table: Home | Pages, early: int) -> None:
    table.says("carol", early, "judgment", "Does it say anything?")
    table.says("alice", early, "rule", "illegal")
    table.says("carol", early, "uphold")
    assert table.stage(early) == "improper"
    table.pushes(early, enacting("Early", "Who is early waits for the others."))
    table.votes(early, "for", "alice")
    table.votes(early, "against", "carol")
    assert table.stage(early) == "defeated"


def what_was_illegal_is_undone(table: Home | Pages) -> None:
    noise = table.opens("carol", enacting("Noise", "Players sing."))
    table.votes(noise, "for", "alice", "bob")
    assert b"sing" in table.file("rules/mutable/303.md")
    table.says("bob", noise, "judgment", "May rules make us sing?")
    waits = table.opens("alice", enacting("Silence", "Players keep silent."))
    assert table.stage(waits) == "waiting"
    table.says("bob", noise, "rule", "illegal by rule 116")
    table.says("alice", noise, "uphold")
    assert table.stage(waits) == "voting"
    table.votes(waits, "for", "bob", "carol")


def somebody_comes_and_somebody_goes(table: Home | Pages) -> None:
    coffee = table.opens("bob", enacting("Coffee", "There is coffee."))
    dave = table.opens("dave", joining("dave"))
    table.votes(dave, "for", "alice", "bob", "carol")
    assert table.stage(dave) == "waiting"
    table.votes(coffee, "for", "alice", "carol")
    cake = table.opens("carol", enacting("Cake", "There is cake."))
    table.votes(cake, "for", "alice", "bob")
    assert table.stage(cake) == "voting"  # Dave came in before this turn, and has a vote on it.
    table.opens("carol", {"players/carol.md": None})


def nobody_can_say(table: Home | Pages) -> None:
    last = table.opens("dave", enacting("Last", "This rule is not in force."))
    table.says("alice", last, "judgment", "Is it in force?")
    table.says("bob", last, "rule", "undecided: as much as it is not")
    table.says("dave", last, "uphold")


@pytest.fixture(scope="module")
def at_home(tmp_path_factory: pytest.TempPathFactory) -> Home:
    table = Home(game(tmp_path_factory.mktemp("home") / "game", "alice", book=shipped("suber", "en")))
    play(table)
    return table


@pytest.fixture
def at_github(github: FakeGitHub, tmp_path: Path) -> Pages:
    table = Pages(GitHubScene(github, tmp_path, shipped("suber", "en"), logins=("alice",)), 1)
    play(table)
    table.is_up_to_date()
    return table


def happened(clone: Clone) -> list[tuple[object, ...]]:
    """What the events of a game say, oldest first, without times, ids, and what the die showed."""
    return [_gist(one.event) for one in reversed([*events(clone)])]


def _gist(event: Event) -> tuple[object, ...]:
    return (
        *(str(event.kind), event.proposal, event.number, event.player, event.change, event.rule),
        *(event.supporters, event.opponents, event.mover, event.judge, event.ruling, event.words, event.cites),
        event.die is None,
    )


def standings(clone: Clone) -> Mapping[str, object]:
    state = position_at(clone.trees, clone.tip.tree_id.raw).state
    return {
        "seats": [(one.login, one.turns) for one in state.seats],
        "former": [one.login for one in state.former],
        "turn": (state.turn, state.circuit),
        "winner": state.winner,
    }


def test_the_game_has_all_that_turns_and_judges_can_bring(at_home: Home) -> None:
    clone = at_home.scene.clone
    told = [one.event for one in reversed([*events(clone)])]
    kinds = {str(one.kind) for one in told}
    assert kinds >= {"invoked", "judged", "overruled", "settled", "voided", "proposed", "forfeited", "won"}
    assert [one.player for one in told if one.kind == "overruled"] == ["carol"]
    assert [one.cites for one in told if one.kind == "judged"] == [(103,), (103,), (), (116,), ()]
    assert told[-1].player == "dave"
    assert told[-1].rule == 213
    rulebook = position_at(clone.trees, clone.tip.tree_id.raw).law.rulebook.rules
    assert {301, 304, 305} <= rulebook.keys()
    assert 303 not in rulebook
    seats = position_at(clone.trees, clone.tip.tree_id.raw).state.seats
    dice = {one.player: one.die for one in told if one.kind == "adopted" and one.number != 303}
    assert {seat.login: seat.points for seat in seats} == {
        "alice": sum(one.die or 0 for one in told if one.player == "alice" and one.kind == "adopted"),
        "bob": (dice["bob"] or 0) + sum((one.die or 0) - 10 for one in told if one.kind == "defeated"),
        "dave": 0,
    }


@pytest.mark.long
def test_it_ends_on_github_as_it_does_on_the_local_forge(at_home: Home, at_github: Pages) -> None:
    here, there = at_home.scene.clone, at_github.scene.clone()
    assert happened(there) == happened(here)
    assert standings(there) == standings(here)
    assert rules(there) == rules(here)
    for clone in (here, there):
        found = audit(clone)
        assert (found.irregular, found.scores_match) == ((), True)
    another_pass_has_nothing_to_do(at_github)
