"""Facts about what the referee says where nothing is voted on: in debate, once it is over, and of strangers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from github_game import MAJORITY, OTHER, Game
from github_scene import RULE
from scene import rules

from nomic_git.referee.summary import run_page

if TYPE_CHECKING:
    from pathlib import Path

    from fake_github import FakeGitHub

ADVICE = "A vote that is not shown here within five minutes"


def test_an_empty_file_from_the_web_editor_becomes_no_rule(strict: Game) -> None:
    number = strict.propose("alice", "")
    strict.approve(number, "bob", "carol", "dave")
    strict.referee()
    assert strict.stage(number) == "improper"
    assert "a rule has words, and there are none in it" in strict.text(number)
    assert strict.events() == ["founded"]
    strict.file(number, RULE)
    strict.approve(number, "bob", "carol", "dave")
    strict.referee()
    assert strict.pull(number).merged


def test_votes_on_a_draft_are_shown_and_count_when_it_is_ready(it: Game) -> None:
    number = it.propose("alice", draft=True)
    it.approve(number, "bob")
    it.refuse(number, "carol")
    it.referee()
    assert "Given before the vote: bob for, carol against. They count when voting opens" in it.text(number)
    assert "Still to vote" not in it.text(number)
    it.file(number, OTHER)
    it.referee()
    assert "Given before the vote: carol against." in it.text(number)
    it.file(number, RULE)
    it.github.ready(it.account("alice"), number)
    it.referee()
    assert it.votes(number) == ("alice, bob", "carol", "dave")


def test_the_advice_on_votes_stands_where_votes_are_taken_alone(it: Game) -> None:
    draft = it.propose("alice", name="draft", draft=True)
    improper = it.propose("bob", "---\ntitle: Tea\n---\n", name="improper")
    voted = it.propose("carol", name="voted")
    it.referee()
    assert [ADVICE in it.text(number) for number in (draft, improper, voted)] == [False, False, True]


def test_after_the_end_an_open_proposal_says_who_has_won_and_no_more(
    github: FakeGitHub, tmp_path: Path, foundings: Path
) -> None:
    soon = (-105, b"---\nprovisions:\n  victory.points: 5\n---\n\nFive win.\n")
    it = Game(github, tmp_path, rules(MAJORITY, soon), foundings=foundings)
    first = it.propose("alice", name="first")
    late = it.propose("bob", name="late")
    draft = it.propose("carol", name="draft", draft=True)
    wrong = it.propose("dave", "", name="wrong")
    it.approve(late, "carol")
    it.approve(first, "bob", "carol")
    it.referee()
    assert it.position().state.winner == "alice"
    for number in (late, draft, wrong):
        said = it.text(number)
        assert "- alice has won, and the game is over." in said
        assert not [one for one in ("Still to vote", "It needs", "diff", ADVICE) if one in said]
        assert it.status(number) == ("failure", "the game is over: alice has won")
        assert it.stage(number) == "blocked"
    assert it.rests()


def test_a_conceded_proposal_says_why_it_is_over(strict: Game) -> None:
    number = strict.propose("alice")
    strict.approve(number, "bob")
    strict.github.close(strict.account("alice"), number)
    strict.referee()
    assert strict.stage(number) == "defeated"
    why = "alice took it back (closed it, or made it a draft) after others had voted"
    assert f"- {why}" in strict.text(number)
    assert [one for one in strict.account_of(number)["reasons"] if why in one]


def test_the_runs_page_does_not_name_the_voters_of_what_is_blocked(
    github: FakeGitHub, tmp_path: Path, foundings: Path
) -> None:
    full = rules().rules[-104].source.replace(b"maximum: 25", b"maximum: 10")
    it = Game(github, tmp_path, rules((-104, full)), foundings=foundings)
    number = it.propose("alice")
    page = run_page(it.referee(), {}, name="game", web=None)
    assert "| blocked | blocked; the comment says what to do |" in page
    assert "That is 3 too many: repeal as many first, or make them immutable." in it.text(number)
