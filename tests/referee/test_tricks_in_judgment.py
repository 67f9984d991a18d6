"""Tricks with judgments, turns and leaving: what they would have won or stopped, played in real repositories."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pygit2
import pytest
from scene import START, Scene, game

from nomic_git.forges.log import Deed
from nomic_git.game.docket import Hindrance
from nomic_git.game.event import Event, EventKind
from nomic_git.game.judgment import Move
from nomic_git.game.position import Position
from nomic_git.game.replay import follow
from nomic_git.law.reason import Reason
from nomic_git.law.rule import Status, read_rule
from nomic_git.law.rulebook import rulebook
from nomic_git.repository.audit import audit
from nomic_git.repository.history import events

if TYPE_CHECKING:
    from collections.abc import Callable

    from nomic_git.game.judgment import Judgment
    from nomic_git.law.rulebook import Rulebook

JUDGED = (
    "judgment.judge: preceding-player",
    "adoption.threshold: simple-majority",
    "votes.closing: decided",
    "defeat.points: -10",
)
STALEMATE = "stalemate.winner: first-unable-to-complete-a-turn"
IN_ORDER = (*JUDGED, "turns.order: clockwise")


def book(*provisions: str) -> Rulebook:
    """A rulebook with each of these provisions in a rule of its own, numbered from -301 up."""
    sources = (f"---\nprovisions:\n  {one}\n---\n\nWords.\n".encode() for one in provisions)
    return rulebook([read_rule(at - 301, Status.MUTABLE, source) for at, source in enumerate(sources)])


def table(folder: Path, *provisions: str, players: int = 3) -> Scene:
    return game(folder / "game", *("alice", "bob", "carol", "dave")[:players], book=book(*provisions))


def says(scene: Scene, number: int, move: Move, *logins: str, words: str = "") -> None:
    for login in logins:
        scene.forge.note(login, number, Deed.JUDGMENT, scene.tick(), word=str(move), words=words)


def invoked(scene: Scene, number: int, login: str) -> Judgment:
    """Have a player invoke judgment on a proposal, and the referee hear it."""
    says(scene, number, Move.INVOKE, login, words="Is that so?")
    scene.sit()
    judgment = scene.state.judgment
    assert judgment is not None
    return judgment


def history(scene: Scene) -> list[str]:
    """What happened, oldest first, once the audit has found it in order."""
    found = audit(scene.clone)
    assert found.irregular == ()
    assert found.scores_match
    return [str(one.event.kind) for one in events(scene.clone)][::-1]


def test_a_judgment_goes_on_though_the_player_whose_turn_is_next_leaves(tmp_path: Path) -> None:
    it = table(tmp_path, *IN_ORDER, players=4)
    one = it.enact("alice")
    it.vote(one, "for", "bob", "carol", "dave")
    it.sit()
    invoked(it, one, "carol")
    it.propose("bob", {"players/bob.md": None})
    it.sit()
    says(it, one, Move.CONSENT, "carol", "dave")
    it.sit()
    assert history(it)[2:] == ["invoked", "forfeited", "settled"]


def test_nobody_saves_the_turn_before_from_judgment_by_leaving(tmp_path: Path) -> None:
    it = table(tmp_path, *IN_ORDER, players=4)
    one = it.enact("alice")
    it.vote(one, "for", "bob", "carol", "dave")
    it.sit()
    it.propose("bob", {"players/bob.md": None})
    it.sit()
    assert invoked(it, one, "carol").mover == "alice"
    assert history(it)[2:] == ["forfeited", "invoked"]


@pytest.mark.parametrize("deed", [Deed.WITHDRAWN, Deed.DRAFT])
def test_nobody_escapes_the_vote_by_having_it_judged(tmp_path: Path, deed: Deed) -> None:
    it = table(tmp_path, *JUDGED)
    one = it.enact("alice")
    it.vote(one, "against", "bob")
    invoked(it, one, "alice")
    it.do("alice", one, deed)
    it.sit()
    assert history(it) == ["founded", "invoked"]
    says(it, one, Move.CONSENT, "bob", "carol")
    it.sit()
    assert history(it)[2:] == ["settled", "defeated"]
    assert it.scores()["alice"] == -10


@pytest.mark.parametrize("at_once", [True, False])
def test_what_is_undone_is_as_it_was_though_another_turn_has_ended_since(tmp_path: Path, *, at_once: bool) -> None:
    it = table(tmp_path, *JUDGED, "proposals.numbering: forge")
    before = it.file("rules/mutable/-297.md")
    one = it.amend("alice", -297, b"Words", b"Other words")
    two = it.enact("bob")
    acts = (
        lambda: it.vote(one, "for", "bob"),
        lambda: says(it, one, Move.INVOKE, "carol", words="Is that so?"),
        lambda: it.vote(two, "for", "carol"),
        lambda: says(it, one, Move.RULE, "carol", words="illegal"),
        lambda: says(it, one, Move.UPHOLD, "bob"),
    )
    for act in acts:
        act()
        if not at_once:
            it.sit()
    it.sit()
    assert history(it)[1:] == ["adopted", "invoked", "adopted", "judged", "settled", "voided"]
    assert it.file("rules/mutable/-297.md") == before


@pytest.mark.parametrize("path", ["rules/mutable/too.md", "readme"])
def test_a_judgment_goes_on_whatever_becomes_of_the_head(tmp_path: Path, path: str) -> None:
    it = table(tmp_path, *JUDGED)
    one = it.enact("alice")
    it.sit()
    invoked(it, one, "bob")
    files = {"rules/mutable/new.md": None if path == "readme" else b"Be good.\n", path: b"More.\n"}
    it.forge.push("alice", one, it.commit(files, on=it.forge.head(one)), it.tick())
    it.sit()
    says(it, one, Move.CONSENT, "bob", "carol")
    it.sit()
    assert history(it)[1:] == ["invoked", "settled"]


def test_a_judgment_goes_on_though_the_rule_that_provides_judges_is_repealed(tmp_path: Path) -> None:
    it = table(tmp_path, *JUDGED)
    one, two = it.enact("alice"), it.propose("bob", {"rules/mutable/-301.md": None})
    it.vote(one, "for", "bob")
    invoked(it, one, "carol")
    it.vote(two, "for", "carol")
    it.sit()
    says(it, one, Move.CONSENT, "bob", "carol")
    it.sit()
    assert history(it)[1:] == ["adopted", "invoked", "adopted", "settled"]


def test_a_ruling_in_letters_that_only_look_like_a_verdict_is_words(tmp_path: Path) -> None:
    it = table(tmp_path, *JUDGED)
    one = it.enact("alice")
    it.sit()
    judge = invoked(it, one, "bob").judge
    assert judge is not None
    says(it, one, Move.RULE, judge, words="\N{LATIN SMALL LETTER DOTLESS I}llegal")
    it.sit()
    assert it.state.judgment is not None
    assert it.state.judgment.ruling == "words"


def test_what_comes_to_light_while_a_judgment_is_open_is_numbered_after_it(tmp_path: Path) -> None:
    it = table(tmp_path, *IN_ORDER, "proposals.numbering: {successive: 301}")
    one = it.enact("alice")
    it.vote(one, "for", "bob", "carol")
    it.sit()
    judge = invoked(it, one, "carol").judge
    says(it, one, Move.RULE, judge or "", words="legal")
    it.sit()
    late = it.commit({"rules/mutable/late.md": b"Late.\n"}, who="bob")
    it.forge.propose("bob", late, "", START + 5, draft=False)
    it.sit()
    assert history(it)[1:] == ["proposed", "adopted", "invoked", "judged"]
    says(it, one, Move.UPHOLD, "bob")
    it.sit()
    assert history(it)[5:] == ["settled", "proposed"]


def test_when_a_vote_opened_does_not_change_with_a_second_judgment(tmp_path: Path) -> None:
    it = table(tmp_path, *JUDGED, "players.joining: open")
    one = it.enact("alice")
    it.sit()
    invoked(it, one, "carol")
    two = it.enact("bob")
    it.propose("erin", {"players/erin.md": b"---\nname: Erin\n---\n"})
    says(it, one, Move.CONSENT, "bob", "carol", "erin")
    opened = next(found.opened for found in it.sit().standings if found.proposal.forge == two)
    invoked(it, one, "carol")
    says(it, one, Move.CONSENT, "bob", "carol", "erin")
    again = next(found.opened for found in it.sit().standings if found.proposal.forge == two)
    assert again == opened
    assert history(it)[1:] == ["invoked", "joined", "settled", "invoked", "settled"]


def test_what_is_withdrawn_in_judgment_opens_no_vote_in_the_past(tmp_path: Path) -> None:
    it = table(tmp_path, *JUDGED)
    one = it.enact("alice")
    it.sit()
    invoked(it, one, "carol")
    two = it.enact("bob")
    it.do("alice", one, Deed.WITHDRAWN)
    (found,) = it.sit().standings
    assert (found.proposal.forge, found.opened) == (two, it.state.time)
    assert history(it)[1:] == ["invoked", "withdrawn"]


def test_what_is_found_illegal_is_the_text_that_was_judged_not_the_one_there_when_it_is_upheld(tmp_path: Path) -> None:
    it = table(tmp_path, *JUDGED)
    one = it.enact("alice", "Bad.")
    it.sit()
    judge = invoked(it, one, "bob").judge
    says(it, one, Move.RULE, judge or "", words="illegal")
    it.sit()
    for words in ("Good.", "Bad."):
        head = it.commit({"rules/mutable/new.md": f"{words}\n".encode()}, on=it.forge.head(one))
        it.forge.push("alice", one, head, it.tick())
        if words == "Good.":
            says(it, one, Move.UPHOLD, "bob")
            it.sit()
    it.vote(one, "for", "bob", "carol")
    (found,) = it.sit().standings
    assert [reason.what for reason in found.reasons] == [Hindrance.ILLEGAL]
    assert history(it)[1:] == ["invoked", "judged", "settled"]


UNREADABLE = {
    "two rules at once": {"rules/mutable/too.md": b"More.\n"},
    "no change": {"rules/mutable/new.md": None},
    "an absence that the rules forbid": {
        "rules/mutable/new.md": None,
        "players/alice.md": b"---\nname: Alice\naway: true\n---\n",
    },
}


@pytest.mark.parametrize("files", UNREADABLE.values(), ids=UNREADABLE)
@pytest.mark.parametrize("overruled", [False, True])
def test_who_makes_the_head_no_rule_change_while_it_is_judged_saves_its_text_by_nothing(
    tmp_path: Path, files: dict[str, bytes | None], *, overruled: bool
) -> None:
    it = table(tmp_path, *JUDGED, players=4)
    one = it.enact("alice", "Bad.")
    lawful = it.forge.head(one)
    it.sit()
    judge = invoked(it, one, "bob").judge
    it.forge.push("alice", one, it.commit(files, on=lawful), it.tick())
    it.sit()
    if overruled:
        says(it, one, Move.RULE, judge or "", words="illegal")
        says(it, one, Move.OVERRULE, *(login for login in ("alice", "bob", "carol", "dave") if login != judge))
        it.sit()
        judge = it.state.judgment.judge if it.state.judgment is not None else None
    says(it, one, Move.RULE, judge or "", words="illegal")
    it.sit()
    says(it, one, Move.UPHOLD, "alice")
    it.sit()
    trees, before = it.clone.trees, it.clone.repository[lawful].peel(pygit2.Tree).id.raw
    restored = {path: trees.file(before, path) for path in files}
    it.forge.push("alice", one, it.commit(restored, on=it.forge.head(one)), it.tick())
    (found,) = it.sit().standings
    assert [reason.what for reason in found.reasons] == [Hindrance.ILLEGAL]
    assert history(it)[1:] == ["invoked", "judged", *(["overruled", "judged"] if overruled else []), "settled"]


def _spoilt(it: Scene, two: int) -> None:
    it.forge.push("bob", two, it.commit({"rules/mutable/too.md": b"More.\n"}, on=it.forge.head(two)), it.tick())


def _withdrawn(it: Scene, two: int) -> None:
    it.do("bob", two, Deed.WITHDRAWN)


def _drafted(it: Scene, two: int) -> None:
    it.do("bob", two, Deed.DRAFT)


def _left(it: Scene, _: int) -> None:
    it.propose("bob", {"players/bob.md": None})


ORDERS = {
    "open": (),
    "clockwise": ("turns.order: clockwise",),
    "a series": ("turns.order: clockwise", "proposals.numbering: {successive: 301}"),
}
GIVEN_BACK = [
    (order, back)
    for order in ORDERS
    for back in ([_withdrawn], [_drafted], [_drafted, _withdrawn], [_left], [_spoilt], [_spoilt, _withdrawn])
    # That a head was a rule-change once, and what became of a player's turn who left, numbers of a series alone tell.
    if order == "a series" or (back[0] is not _spoilt and (order, back) != ("clockwise", [_left]))
]


@pytest.mark.parametrize("at_once", [True, False])
@pytest.mark.parametrize(("order", "back"), GIVEN_BACK)
def test_what_came_too_late_stays_so_though_the_next_turn_is_given_back(
    tmp_path: Path, order: str, back: list[Callable[[Scene, int], None]], *, at_once: bool
) -> None:
    it = table(tmp_path, *JUDGED, *ORDERS[order], players=4)
    one = it.enact("alice")
    it.vote(one, "for", "bob", "carol", "dave")
    it.sit()
    two = it.enact("bob", name="two")
    if not at_once or order == "a series":
        it.sit()
    says(it, one, Move.INVOKE, "dave", words="Is that so?")
    for act in (lambda: None, *(lambda act=act: act(it, two) for act in back)):
        act()
        if not at_once:
            it.sit()
    it.sit()
    says(it, one, Move.INVOKE, "carol", words="And now?")
    it.sit()
    assert "invoked" not in history(it)


def test_who_is_left_alone_with_a_question_has_not_won_by_it(tmp_path: Path) -> None:
    it = table(tmp_path, *JUDGED, STALEMATE, players=2)
    one = it.enact("alice")
    it.sit()
    invoked(it, one, "alice")
    it.propose("bob", {"players/bob.md": None})
    it.propose("erin", {"players/erin.md": b"---\nname: Erin\n---\n"})
    it.sit()
    assert history(it)[1:] == ["invoked", "forfeited", "settled", "joined"]
    assert it.state.winner is None


def test_who_leaves_before_a_stalemate_does_not_win_by_coming_back(tmp_path: Path) -> None:
    it = table(tmp_path, *JUDGED, STALEMATE, "players.joining: open")
    one = it.enact("alice")
    it.vote(one, "for", "bob")
    judge = invoked(it, one, "bob").judge
    it.propose("alice", {"players/alice.md": None})
    says(it, one, Move.RULE, judge or "", words="undecided")
    says(it, one, Move.UPHOLD, "bob")
    it.sit()
    assert history(it)[1:] == ["adopted", "invoked", "forfeited", "judged", "settled", "won"]
    assert it.state.winner == "bob"


@pytest.mark.parametrize("mover", ["bob", "nobody"])
def test_a_judgment_written_by_hand_is_of_the_players_turn_whose_it_is(tmp_path: Path, mover: str) -> None:
    it = table(tmp_path, *IN_ORDER, STALEMATE)
    forged = Event(EventKind.INVOKED, it.tick(), proposal=7, player="carol", mover=mover, judge="alice", words="Why?")
    forged = replace(forged, rule=-301)
    assert isinstance(follow(it.position, forged, None), Reason)
    assert isinstance(follow(it.position, replace(forged, mover="alice", judge="carol"), None), Position)
