"""What the referee says of judgments, when, and that it says nothing twice (212, -102; design section 8)."""

from __future__ import annotations

from pathlib import Path

import pytest
from scene import Scene, game, rules

from nomic_git.forges.forge import Deed
from nomic_git.game.judgment import Move
from nomic_git.referee.account import closed_account, resolving
from nomic_git.referee.comment import RESOLVED, VOIDED
from nomic_git.referee.summary import run_page
from nomic_git.repository.audit import audit

MAJORITY = (
    -110,
    b"---\nprovisions:\n  adoption.threshold: simple-majority\n  votes.closing: decided\n---\n\nMost decide.\n",
)
CLOCKWISE = (-112, b"---\nprovisions:\n  turns.order: clockwise\n---\n\nTurns go round.\n")
PRECEDING = (
    -102,
    (
        b"---\nprovisions:\n  judgment.judge: preceding-player\n  judgment.overruling: unanimous\n"
        b"  judgment.consent: simple-majority\n---\n\nThe player before judges.\n"
    ),
)


@pytest.fixture
def it(tmp_path: Path) -> Scene:
    """A game of alice, bob, carol and dave in which three decide, and dave judges what alice proposes."""
    return game(tmp_path / "game", book=rules(MAJORITY, CLOCKWISE, PRECEDING))


def says(it: Scene, number: int, login: str, move: Move, words: str = "") -> None:
    it.forge.note(login, number, Deed.JUDGMENT, it.tick(), word=move.value, words=words)
    it.sit()


def adopted(it: Scene, login: str = "alice", name: str = "new") -> int:
    number = it.enact(login, name=name)
    it.sit()
    it.vote(number, "for", *(one for one in ("bob", "carol", "dave", "alice") if one != login))
    it.sit()
    return number


def rests(it: Scene) -> bool:
    """Whether another pass writes nothing."""
    report = it.sit()
    return (report.done, report.comments) == ((), 0)


def section(it: Scene, number: int) -> list[str]:
    """The sentences about judgments in the comment."""
    said = it.said(number).partition("\nJudgment:\n\n")[2].partition("\n\n")[0]
    return [line.removeprefix("- ") for line in said.splitlines() if line.startswith("- ")]


def vain(it: Scene, number: int) -> list[str]:
    """The answers to what did nothing."""
    said = it.said(number).partition("\nWhat else was said and done:\n\n")[2].partition("\n\n")[0]
    return [line.removeprefix("- ") for line in said.splitlines() if line.startswith("- ")]


def test_an_open_judgment_is_told_step_by_step_with_who_can_do_what_next(it: Scene) -> None:
    number = it.enact("alice")
    it.sit()
    assert "Judgment:" not in it.said(number)
    says(it, number, "bob", Move.INVOKE, "Is it <b>kind</b>, @carol?")
    assert section(it, number) == [
        "bob invoked judgment and asks: `Is it b kind /b , carol?`.",
        "While that is open, the vote goes on and does not end, and no other turn begins (rule -102).",
        (
            "dave is the Judge, and is to rule: `nomic-git judgment rule 1 legal|illegal|undecided REASONS`, or the "
            "answer in words (rule -102)."
        ),
        (
            "All but alice, who are bob, carol and dave, can consent that the game goes on, which takes a simple "
            "majority: `nomic-git judgment consent 1` (rule -102); the question is dropped then."
        ),
    ]
    says(it, number, "dave", Move.RULE, "illegal: see -110")
    says(it, number, "alice", Move.OVERRULE)
    assert section(it, number)[2:5] == [
        "dave ruled it illegal: `see -110`.",
        "Any other player can uphold what dave ruled, which makes it final: `nomic-git judgment uphold 1` (rule -102).",
        (
            "The other players, alice, bob and carol, can overrule dave, which takes the votes of all: "
            "`nomic-git judgment overrule 1` (rule -102); so far said by alice."
        ),
    ]
    says(it, number, "bob", Move.OVERRULE)
    says(it, number, "carol", Move.OVERRULE)
    assert section(it, number)[2] == "dave ruled it illegal: `see -110`; overruled by alice, bob, carol."
    assert section(it, number)[3].startswith("carol is the Judge, and is to rule:")
    says(it, number, "carol", Move.RULE, "legal")
    says(it, number, "dave", Move.UPHOLD)
    assert section(it, number) == [
        (
            "bob asked: `Is it b kind /b , carol?`. dave ruled it illegal: `see -110`; overruled by alice, bob, carol. "
            "carol ruled it legal. dave upheld that, and it is final."
        )
    ]
    assert rests(it)
    assert audit(it.clone).irregular == ()


def test_words_that_do_nothing_are_answered_each_with_its_rule(it: Scene) -> None:
    number = it.enact("alice")
    it.sit()
    says(it, number, "bob", Move.UPHOLD)
    assert vain(it, number) == ["No judgment is open on it: none was invoked, or it is over. (rule -102)"]
    says(it, number, "bob", Move.INVOKE, "Is it kind?")
    assert vain(it, number) == []
    says(it, number, "carol", Move.RULE, "legal")
    says(it, number, "carol", Move.INVOKE, "Is it wise?")
    says(it, number, "alice", Move.CONSENT)
    says(it, number, "alice", Move.CONSENT)
    assert [one.partition(".")[0] for one in vain(it, number)] == [
        "carol is not the Judge and cannot rule; dave is the Judge",
        "Judgment on proposal 1 is open, and there is one at a time; invoke the next when that one is over",
        "The question is about the turn of alice, and it is for the other players to consent to the next one",
    ]
    assert all(one.endswith("(rule -102)") for one in vain(it, number))
    assert rests(it)


def test_the_last_turn_is_told_of_after_its_end_and_what_comes_too_late_is_answered(it: Scene) -> None:
    number = adopted(it)
    final = it.said(number)
    assert final.endswith(f"{RESOLVED}\n")
    assert rests(it)
    says(it, number, "bob", Move.INVOKE, "Was it kind?")
    assert section(it, number)[1] == "While that is open, the next turn does not begin (rule -102)."
    assert rests(it)
    says(it, number, "dave", Move.RULE, "legal")
    says(it, number, "alice", Move.UPHOLD)
    assert section(it, number) == [
        "bob asked: `Was it kind?`. dave ruled it legal. alice upheld that, and it is final."
    ]
    following = it.enact("bob", name="other")
    it.sit()
    says(it, number, "carol", Move.OVERRULE)
    assert vain(it, number) == ["No judgment is open on it: none was invoked, or it is over. (rule -102)"]
    assert it.said(number).endswith(f"{RESOLVED}\n")
    assert rests(it)
    it.vote(following, "for", "alice", "carol", "dave")
    it.sit()
    before = it.said(number)
    says(it, number, "carol", Move.OVERRULE)
    assert it.said(number) == before
    assert rests(it)


def test_a_voided_proposal_is_told_of_its_end_once_and_everything_is_as_before(it: Scene) -> None:
    rules_before, scores = set(it.position.law.rulebook.rules), it.scores()
    earlier = adopted(it)
    untouched = it.said(earlier)
    number = adopted(it, "bob", "other")
    assert it.scores() != scores
    says(it, number, "carol", Move.INVOKE, "Was it legal?")
    says(it, number, "alice", Move.RULE, "illegal, by -101")
    after_first = {**scores, **{login: points for login, points in it.scores().items() if login == "alice"}}
    says(it, number, "dave", Move.UPHOLD)
    assert it.scores() == after_first
    assert set(it.position.law.rulebook.rules) == rules_before | {earlier}
    said = it.said(number)
    assert f"It was **voided**, since it was illegal; rule {number} is gone again." in said
    assert "(rule -102)" in said.partition("Points: bob ")[2].partition("\n")[0]
    assert section(it, number)[0].endswith(
        "dave upheld that, and it is final. The move was illegal and has been taken back."
    )
    assert said.endswith(f"{VOIDED}\n")
    assert it.said(earlier) == untouched
    assert rests(it)
    recorded = resolving(it.clone, number)
    assert recorded is not None
    account = closed_account(it.clone, recorded, None, it.now)
    assert (account.stage, account.outcome, account.kind) == ("voided", None, "enact")
    assert audit(it.clone).irregular == ()


def test_a_proposal_that_is_adopted_and_voided_in_one_pass_is_told_of_its_end_alone(it: Scene) -> None:
    number = it.enact("alice")
    it.sit()
    it.vote(number, "for", "bob", "carol")
    for login, move, words in (
        ("bob", Move.INVOKE, "Was it legal?"),
        ("dave", Move.RULE, "illegal"),
        ("carol", Move.UPHOLD, ""),
    ):
        it.forge.note(login, number, Deed.JUDGMENT, it.tick(), word=move.value, words=words)
    report = it.sit()
    assert [str(one.event.kind) for one in report.done] == ["adopted", "invoked", "judged", "settled", "voided"]
    assert it.said(number).endswith(f"{VOIDED}\n")
    assert rests(it)
    assert audit(it.clone).irregular == ()


def test_a_dry_run_foresees_a_judgment_and_says_nothing(it: Scene) -> None:
    number = it.enact("alice")
    it.sit()
    it.forge.note("bob", number, Deed.JUDGMENT, it.tick(), word="judgment", words="Is it kind?")
    said = it.said(number)
    report = it.sit(dry_run=True)
    assert [str(one.event.kind) for one in report.done] == ["invoked"]
    assert report.comments == 1
    assert it.said(number) == said


def test_the_page_of_a_run_tells_the_steps_in_sentences(it: Scene) -> None:
    number = it.enact("alice")
    it.sit()
    it.forge.note("bob", number, Deed.JUDGMENT, it.tick(), word="judgment", words="Is it kind?")
    it.forge.note("dave", number, Deed.JUDGMENT, it.tick(), word="rule", words="undecided, I cannot tell")
    page = run_page(it.sit(), {}, name="A game", web=None)
    assert "- bob invokes judgment on proposal 1: `Is it kind?`; dave is the Judge" in page
    assert "- dave rules that proposal 1 is undecided, as legal as illegal: `I cannot tell`" in page
