"""A judgment at GitHub, by comments alone, told on the pull request (212, 213; docs/github.md)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from fake_github import Account
from github_game import Game
from test_facts_judgment import adopted, reactions, says

from nomic_git.forges.connection import Connection
from nomic_git.forges.forge import Deed
from nomic_git.forges.github_table import GitHubTable
from nomic_git.referee.comment import RESOLVED, VOIDED
from nomic_git.repository.audit import audit

if TYPE_CHECKING:
    from nomic_git.repository.clone import Clone


def judged(it: Game, login: str, number: int, said: str) -> None:
    """A player comments, and the referee passes."""
    says(it, login, number, f"/nomic {said}")
    it.referee()


def is_clean(it: Game) -> bool:
    clone: Clone = it.clone()
    return audit(clone).irregular == ()


@pytest.fixture
def number(it: Game) -> int:
    """A proposal of alice's that is voted on."""
    number = it.propose("alice")
    it.referee()
    return number


def test_a_question_goes_from_judge_to_judge_until_one_is_upheld(it: Game, number: int) -> None:
    judged(it, "bob", number, "judgment Does it rhyme, @carol?")
    assert "alice is to ask a player to be the Judge: `/nomic ask LOGIN` (rule -102)." in it.text(number)
    judged(it, "alice", number, "ask @carol")
    assert "carol is the Judge, and is to rule: `/nomic rule legal|illegal|undecided" in it.text(number)
    judged(it, "carol", number, "rule illegal, by rule -110")
    assert "Any other player can uphold what carol ruled, which makes it final: `/nomic uphold`" in it.text(number)
    for login in ("alice", "bob", "dave"):
        judged(it, login, number, "overrule")
    assert "overruled by alice, bob, dave." in it.text(number)
    assert "carol is to ask a player to be the Judge" in it.text(number)
    judged(it, "carol", number, "ask dave")
    judged(it, "dave", number, "rule legal")
    it.approve(number, "bob", "carol", "dave")
    it.referee()
    assert it.stage(number) == "voting"
    judged(it, "bob", number, "uphold")
    assert it.events()[1:] == [
        f"{kind} {number}"
        for kind in ("invoked", "asked", "judged", "overruled", "asked", "judged", "settled", "adopted")
    ]
    assert "dave ruled it legal. bob upheld that, and it is final." in it.text(number)
    assert it.rests()
    assert is_clean(it)


def test_what_is_found_illegal_is_improper_until_its_words_change(it: Game, number: int) -> None:
    for login, said in (("bob", "judgment Why?"), ("alice", "ask bob"), ("bob", "rule illegal"), ("dave", "uphold")):
        judged(it, login, number, said)
    assert it.stage(number) == "improper"
    assert "A Judge has found it illegal as it stands." in it.text(number)
    assert "dave upheld that, and it is final." in it.text(number)
    assert it.rests()
    assert is_clean(it)


def test_what_is_found_illegal_afterwards_is_voided_with_a_label_that_says_so(it: Game) -> None:
    rules, scores = set(it.position().law.rulebook.rules), it.scores()
    number = adopted(it)
    assert it.scores() != scores
    final = it.text(number)
    assert final.endswith(f"{RESOLVED}\n")
    judged(it, "dave", number, "judgment Was it legal?")
    assert "While that is open, the next turn does not begin (rule -102)." in it.text(number)
    assert it.rests()
    for login, said in (("alice", "ask carol"), ("carol", "rule illegal, by rule -101"), ("dave", "uphold")):
        judged(it, login, number, said)
    assert (set(it.position().law.rulebook.rules), it.scores()) == (rules, scores)
    assert it.events()[-1] == f"voided {number}"
    assert it.stage(number) == "voided"
    assert it.text(number).endswith(f"{VOIDED}\n")
    assert f"It was **voided**, since it was illegal; rule {number} is gone again." in it.text(number)
    assert len(it.said(number)) == 1
    assert it.rests()
    assert is_clean(it)


def test_undecided_is_a_stalemate_and_the_mover_wins(it: Game, number: int) -> None:
    for login, said in (
        ("bob", "judgment Is it?"),
        ("alice", "ask bob"),
        ("bob", "rule undecided"),
        ("dave", "uphold"),
    ):
        judged(it, login, number, said)
    assert it.position().state.winner == "alice"
    assert it.events()[-2:] == [f"settled {number}", "won"]
    assert it.rests()
    assert is_clean(it)


def test_the_others_consent_and_the_question_is_dropped(it: Game, number: int) -> None:
    judged(it, "bob", number, "judgment Is it?")
    judged(it, "bob", number, "consent")
    assert "so far said by bob." in it.text(number)
    judged(it, "carol", number, "consent")
    assert "bob, carol consented that the game goes on, and the question was dropped." in it.text(number)
    assert is_clean(it)


def test_what_does_nothing_is_answered_in_the_comment_with_its_rule(it: Game, number: int) -> None:
    judged(it, "bob", number, "uphold")
    assert "- No judgment is open on it: none was invoked, or it is over. (rule -102)" in it.text(number)
    judged(it, "bob", number, "judgment Is it?")
    judged(it, "dave", number, "judgment And this?")
    judged(it, "dave", number, "rule legal")
    assert "- Judgment on proposal 1 is open, and there is one at a time" in it.text(number)
    assert "- There is no Judge yet; alice is to ask somebody. (rule -102)" in it.text(number)
    assert reactions(it, number) == ["+1"] * 4
    assert it.rests()


def test_words_on_the_last_turn_cost_no_request_once_they_are_answered(it: Game) -> None:
    number = adopted(it)
    other = it.propose("bob", name="other")
    it.referee()
    judged(it, "dave", number, "overrule")
    assert "- No judgment is open on it" in it.text(number)
    assert it.costs() == 1
    it.approve(other, "alice", "carol", "dave")
    it.referee()
    before = it.text(number)
    judged(it, "dave", number, "overrule")
    assert it.text(number) == before
    assert it.rests()


def test_a_player_at_the_command_line_is_heard_as_in_a_comment(it: Game, number: int) -> None:
    bob: Account = it.account("bob")
    table = GitHubTable(it.clone(), Connection(it.github.full_name, bob.token, it.github.url, pause=0, timeout=30))
    table.fetch()
    table.note("bob", number, Deed.JUDGMENT, 0, word="judgment", words="Does it rhyme?")
    it.referee()
    assert "- bob invoked judgment and asks: `Does it rhyme?`." in it.text(number)


@pytest.mark.parametrize("where", ["here", "elsewhere"])
def test_a_player_whose_account_has_another_login_is_asked_by_either(it: Game, number: int, where: str) -> None:
    bob = it.account("bob")
    it.github.rename(bob, "robert")
    it.github.rename(it.account("eve"), "bob")
    told = number if where == "here" else it.propose("carol", name="other")
    it.github.comment(bob, told, "I am called otherwise now.")
    judged(it, "carol", number, "judgment Does it rhyme?")
    judged(it, "alice", number, "ask @Robert")
    assert "bob is the Judge, and is to rule" in it.text(number)
    it.github.comment(bob, number, "/nomic rule legal")
    it.referee()
    assert "bob ruled it legal." in it.text(number)
    assert is_clean(it)


def test_who_asks_for_somebody_that_nobody_here_knows_is_told_who_can_be_asked(it: Game, number: int) -> None:
    it.github.rename(it.account("bob"), "robert")
    judged(it, "carol", number, "judgment Does it rhyme?")
    judged(it, "alice", number, "ask robert")
    assert "- `robert` is not a player here, and only a player can be the Judge." in it.text(number)
    assert "To be asked, by the name of the seat: dave, carol, bob." in it.text(number)
    judged(it, "alice", number, "ask bob")
    assert "bob is the Judge, and is to rule" in it.text(number)


STEPS = (("bob", "judgment Why?"), ("alice", "ask carol"), ("carol", "rule illegal, by -101"), ("dave", "uphold"))


def test_what_an_event_has_recorded_stays_though_the_comment_is_deleted(it: Game, number: int) -> None:
    events = it.events()
    for (login, said), kind in zip(STEPS, ("invoked", "asked", "judged", "settled"), strict=True):
        comment = it.github.comment(it.account(login), number, f"/nomic {said}")
        it.referee()
        it.github.delete_comment(it.account(login), number, comment)
        it.referee()
        events.append(f"{kind} {number}")
        assert it.events() == events
    assert it.stage(number) == "improper"
    assert "carol ruled it illegal: `by -101`. dave upheld that, and it is final." in it.text(number)
    assert it.rests()
    assert is_clean(it)


def test_what_was_deleted_before_an_event_recorded_it_was_not_said(it: Game, number: int) -> None:
    for login, said in STEPS[:3]:
        judged(it, login, number, said)
    comment = it.github.comment(it.account("bob"), number, "/nomic overrule")
    it.referee()
    assert "so far said by bob." in it.text(number)
    it.github.delete_comment(it.account("bob"), number, comment)
    for login in ("alice", "dave"):
        judged(it, login, number, "overrule")
    assert "so far said by alice, dave." in it.text(number)
    judged(it, "bob", number, "overrule")
    assert it.events()[-1] == f"overruled {number}"
    assert is_clean(it)


def test_a_command_counts_as_it_was_edited_and_from_then(it: Game, number: int) -> None:
    bob, carol = it.account("bob"), it.account("carol")
    question = it.github.comment(bob, number, "/nomic judgment Does it rime?")
    it.github.edit_comment(bob, number, question, "/nomic judgment Does it rhyme?")
    judged(it, "alice", number, "ask carol")
    assert "- bob invoked judgment and asks: `Does it rhyme?`." in it.text(number)
    judgment = it.position().state.judgment
    assert judgment is not None
    assert judgment.invoked == question.last_edited_at
    ruling = it.github.comment(carol, number, "/nomic rule illegal")
    it.referee()
    it.github.edit_comment(carol, number, ruling, "/nomic rule legal")
    it.github.edit_comment(bob, number, question, "/nomic judgment Is it kind?")
    it.referee()
    assert "carol ruled it illegal." in it.text(number)
    assert "- carol is the Judge and has ruled;" in it.text(number)
    assert "- Judgment on proposal 1 is open, and there is one at a time" in it.text(number)
    judged(it, "dave", number, "uphold")
    assert it.rests()
    assert it.events()[1:] == [f"{kind} {number}" for kind in ("invoked", "asked", "judged", "settled")]
    assert is_clean(it)


def test_a_question_that_is_edited_when_its_judgment_is_over_is_asked_once_more(it: Game, number: int) -> None:
    bob = it.account("bob")
    question = it.github.comment(bob, number, "/nomic judgment Does it rhyme?")
    for login, said in (("alice", "ask carol"), ("carol", "rule legal"), ("dave", "uphold")):
        judged(it, login, number, said)
    it.github.edit_comment(bob, number, question, "/nomic judgment Is it kind?")
    it.referee()
    assert it.events()[-2:] == [f"settled {number}", f"invoked {number}"]
    assert "- bob invoked judgment and asks: `Is it kind?`." in it.text(number)
    assert is_clean(it)
