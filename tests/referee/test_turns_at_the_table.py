"""Turns in an order, in real repositories: who waits is told why, and is taken up when the turn comes (201)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scene import START, Scene, game

from nomic_git import locales
from nomic_git.law.rule import read_rule
from nomic_git.repository.audit import audit
from nomic_git.repository.founding import shipped

if TYPE_CHECKING:
    from pathlib import Path

    from nomic_git.referee.sitting import Report

DAY = 86_400


def at_a_table(folder: Path, *logins: str, within: str = "none") -> Scene:
    """A game by the rulebook `suber`, clockwise; a turn passes on `within` a duration."""
    book = shipped("suber", "en")
    old = book.rules[201]
    source = old.source.replace(b"turns.deadline: none", f"turns.deadline: {within}".encode())
    return game(folder, *logins, book=book.with_rule(read_rule(201, old.status, source)))


def turn(it: Scene, login: str, words: str, *, name: str = "new") -> Report:
    """Somebody proposes something and everybody else votes for it."""
    number = it.enact(login, words, name=name)
    it.vote(number, "for", *(seat.login for seat in it.state.seats if seat.login != login))
    return it.sit()


def kinds(report: Report) -> list[str]:
    return [one.event.kind.value for one in report.done]


def is_clean(it: Scene) -> bool:
    found = audit(it.clone)
    return found.irregular == () and found.scores_match


def test_a_proposal_out_of_turn_says_whose_turn_it_is_and_is_taken_up_by_itself(tmp_path: Path) -> None:
    it = at_a_table(tmp_path / "game", "alice", "bob", "carol")
    early = it.enact("bob", "Be brief.", name="brief")
    it.vote(early, "for", "alice", "carol")
    assert kinds(it.sit()) == []
    assert "It is the turn of alice. This one is taken up by itself when the turn of bob comes. (rule 201)" in it.said(
        early
    )
    report = turn(it, "alice", "Be kind.")
    assert kinds(report) == ["proposed", "adopted", "proposed", "adopted"]
    assert [one.event.player for one in report.done] == ["alice", "alice", "bob", "bob"]
    assert (it.state.turn, it.state.circuit) == ("carol", 1)
    assert is_clean(it)


def test_everybody_has_to_vote_and_who_is_waited_for_is_named(tmp_path: Path) -> None:
    it = at_a_table(tmp_path / "game", "alice", "bob", "carol", "dave")
    number = it.enact("alice")
    it.vote(number, "for", "bob")
    it.sit()
    assert "Everybody must vote, and it waits for carol and dave (rule 105)." in it.said(number)
    it.vote(number, "for", "carol")
    it.sit()
    assert "Everybody must vote, and it waits for dave (rule 105)." in it.said(number)


def test_a_mover_who_forfeits_in_mid_turn_passes_the_turn_to_the_next(tmp_path: Path) -> None:
    it = at_a_table(tmp_path / "game", "alice", "bob", "carol")
    number = it.enact("alice")
    later = it.enact("bob", "Be brief.", name="brief")
    it.sit()
    it.propose("alice", {"players/alice.md": None})
    assert kinds(it.sit()) == ["forfeited", "withdrawn", "proposed"]
    assert "what they had proposed lapsed with that" in it.said(number)
    assert "It is **being voted on**." in it.said(later)
    assert (it.state.turn, it.state.circuit) == ("bob", 1)
    assert is_clean(it)


def test_a_newcomer_comes_in_between_turns_and_sits_last(tmp_path: Path) -> None:
    it = at_a_table(tmp_path / "game", "alice", "bob")
    number = it.enact("alice")
    it.sit()
    seat = it.propose("carol", {"players/carol.md": b"---\nname: Carol\n---\n"})
    it.vote(seat, "for", "alice", "bob")
    assert kinds(it.sit()) == []
    assert "Newcomers come in between turns, and alice has begun one. It is taken up by itself" in it.said(seat)
    it.vote(number, "for", "bob")
    assert kinds(it.sit()) == ["adopted", "joined"]
    assert it.state.turn == "bob"
    assert kinds(turn(it, "bob", "Be brief.", name="brief")) == ["proposed", "adopted"]
    assert (it.state.turn, it.state.circuit) == ("carol", 1)
    assert kinds(turn(it, "carol", "Be quiet.", name="quiet")) == ["proposed", "adopted"]
    assert (it.state.turn, it.state.circuit) == ("alice", 2)
    assert is_clean(it)


def test_a_turn_that_is_let_go_by_passes_on_at_its_deadline_however_late_the_look_is(tmp_path: Path) -> None:
    it = at_a_table(tmp_path / "game", "alice", "bob", "carol", within="2d")
    number = it.enact("bob")
    it.sit()
    assert "The turn of alice passes on to bob at 2023-11-16 22:13:20 UTC, in about 2 days" in it.said(number)
    it.now = START + 3 * DAY + 1234
    report = it.sit()
    assert kinds(report) == ["passed", "proposed"]
    passed = report.done[0].event
    assert (passed.time, passed.player, passed.rule) == (START + 2 * DAY, "alice", 201)
    assert locales.happened(passed, it.position) == (
        "The turn of alice has passed on, since none had begun in time (rule 201)"
    )
    assert it.state.turn == "bob"
    assert "passes on" not in it.said(number)
    assert is_clean(it)


def test_nobody_is_hurried_who_has_begun_the_turn(tmp_path: Path) -> None:
    it = at_a_table(tmp_path / "game", "alice", "bob", "carol", within="2d")
    number, later = it.enact("alice"), it.enact("bob", "Be brief.", name="brief")
    it.now += 9 * DAY
    assert kinds(it.sit()) == ["proposed"]
    assert "passes on" not in it.said(number) + it.said(later)
    assert is_clean(it)
