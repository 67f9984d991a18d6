"""Facts about what the referee writes, played on GitHub's pages: commands, labels, statuses, and nothing twice."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from fake_github import Permission
from github_game import OTHER

if TYPE_CHECKING:
    from fake_github import Comment
    from github_game import Game


def said(it: Game, login: str, number: int, words: str) -> Comment:
    return it.github.comment(it.account(login), number, words)


def answer(comment: Comment) -> list[str]:
    """The pictures under a comment, which are the referee's."""
    assert all(one.account.is_app for one in comment.reactions)
    return [one.content for one in comment.reactions]


def test_the_author_withdraws_by_a_command(it: Game) -> None:
    number = it.propose("alice")
    comment = said(it, "alice", number, "I give up.\r\n\r\n/nomic withdraw\r\n")
    it.referee()
    assert (it.stage(number), it.pull(number).state) == ("withdrawn", "CLOSED")
    assert answer(comment) == ["+1"]
    assert it.rests()


def test_the_author_votes_against_and_for_by_commands(strict: Game) -> None:
    number = strict.propose("alice", draft=True)
    said(strict, "alice", number, "/nomic against")
    comment = said(strict, "alice", number, "/nomic for")
    strict.github.ready(strict.account("alice"), number)
    strict.referee()
    assert strict.votes(number) == ("alice", "nobody", "bob, carol, dave")
    assert answer(comment) == ["+1"]
    last = said(strict, "alice", number, "/nomic against")
    strict.referee()
    assert (strict.stage(number), strict.votes(number)) == ("defeated", ("nobody", "alice"))
    assert answer(last) == ["+1"]
    assert strict.rests()


def test_a_tally_on_command_is_what_the_last_pass_said(it: Game) -> None:
    number = it.propose("alice")
    it.referee()
    comment = said(it, "bob", number, "/nomic tally")
    it.approve(number, "bob")
    it.referee()
    assert it.votes(number) == ("alice, bob", "nobody", "carol, dave")
    assert answer(comment) == ["+1"]
    assert "comment `/nomic tally`, and the referee looks again" in it.text(number)
    assert it.rests()


def test_help_lists_the_commands(it: Game) -> None:
    number = it.propose("alice")
    comment = said(it, "bob", number, "/nomic help")
    it.referee()
    assert all(f"`/nomic {one}`" in it.text(number) for one in ("withdraw", "against", "for", "tally", "help"))
    assert answer(comment) == ["+1"]
    assert it.rests()


@pytest.mark.parametrize(
    ("login", "words", "told"),
    [
        ("eve", "/nomic withdraw", "eve is not a player, and only players give commands."),
        ("eve", "/nomic tally", "eve is not a player, and only players give commands."),
        ("bob", "/nomic withdraw", "bob said `/nomic withdraw`, which only the author of a proposal can."),
        ("bob", "/nomic against", "Review the pull request instead: approve it, or request changes."),
        (
            "alice",
            "/nomic frobnicate",
            "alice said `/nomic frobnicate`, which is no command; `/nomic help` lists them.",
        ),
        ("alice", "/nomic", "alice said `/nomic`, which is no command; `/nomic help` lists them."),
        ("alice", "/nomic withdraw please", "alice said `/nomic withdraw please`, which is no command"),
    ],
)
def test_a_command_that_is_not_followed_gets_one_clear_answer(it: Game, login: str, words: str, told: str) -> None:
    number = it.propose("alice")
    comment = said(it, login, number, words)
    it.referee()
    assert it.stage(number) == "voting"
    assert told in it.text(number)
    assert answer(comment) == ["confused"]
    assert len(it.pull(number).comments) == 2
    assert it.rests()


@pytest.mark.parametrize(
    "words",
    ["> /nomic withdraw", "```\n/nomic withdraw\n```", "Say /nomic withdraw to give up.", "    /nomic withdraw"],
    ids=["a quotation", "a code block", "within a line", "indented"],
)
def test_what_is_quoted_is_no_command(it: Game, words: str) -> None:
    number = it.propose("alice")
    comment = said(it, "alice", number, words)
    it.referee()
    assert it.stage(number) == "voting"
    assert answer(comment) == []
    assert it.rests()


def test_a_command_that_its_author_edits_in_counts_from_then_on(it: Game) -> None:
    number = it.propose("alice")
    comment = said(it, "alice", number, "Hm.")
    it.referee()
    it.approve(number, "bob")
    it.github.edit_comment(it.account("alice"), number, comment, "/nomic against")
    it.referee()
    assert it.votes(number) == ("bob", "alice", "carol, dave")
    assert answer(comment) == ["+1"]
    assert it.rests()


def test_a_command_that_somebody_else_writes_into_a_comment_is_nobodys(it: Game) -> None:
    number = it.propose("alice")
    comment = said(it, "alice", number, "Hm.")
    it.github.edit_comment(it.github.owner, number, comment, "/nomic withdraw")
    it.referee()
    assert it.stage(number) == "voting"
    assert "Somebody else has changed a comment of alice with a command in it" in it.text(number)
    assert answer(comment) == ["confused"]
    assert it.rests()


def test_a_strangers_flood_of_commands_does_not_use_up_what_github_allows(it: Game) -> None:
    """GitHub allows eighty writes a minute to everybody together."""
    number = it.propose("alice")
    for at in range(150):
        said(it, "eve", number, f"/nomic flood {at}")
    comment = said(it, "bob", number, "/nomic tally")
    it.github.forget()
    it.referee()
    assert sum(one.writes for one in it.github.log) == 5
    assert answer(comment) == ["+1"]
    assert it.votes(number) == ("alice", "nobody", "bob, carol, dave")
    it.github.forget()
    it.referee()
    assert not any(one.writes for one in it.github.log)
    assert sum(len(one.reactions) for one in it.pull(number).comments) == 2


def test_a_bots_command_is_not_heard(it: Game) -> None:
    number = it.propose("alice")
    comment = said(it, "helper[bot]", number, "/nomic tally\n/nomic frobnicate")
    it.referee()
    assert answer(comment) == []
    assert "/nomic frobnicate" not in it.text(number)
    assert it.rests()


def test_a_hundred_and_fifty_comments_leave_no_command_unheard(it: Game) -> None:
    number = it.propose("alice")
    for at in range(149):
        said(it, "eve", number, f"Thought {at}")
    comment = said(it, "alice", number, "/nomic withdraw")
    it.referee()
    assert it.stage(number) == "withdrawn"
    assert answer(comment) == ["+1"]
    assert len(it.said(number)) == 1
    it.referee()
    assert len(it.said(number)) == 1


def test_what_people_wrote_and_labelled_is_left_alone(it: Game) -> None:
    number = it.propose("alice")
    comment = said(it, "bob", number, "I like it.")
    it.github.label(it.github.owner, number, "good first rule", "nomic: fun")
    it.github.describe(it.account("alice"), number, "As discussed.")
    it.github.react(it.account("carol"), comment, "heart")
    it.referee()
    it.approve(number, "bob", "carol")
    it.referee()
    pull = it.pull(number)
    assert sorted(pull.label_names) == ["good first rule", "nomic: adopted", "nomic: fun"]
    assert (comment.body, [one.content for one in comment.reactions]) == ("I like it.", ["heart"])
    assert (pull.title, pull.body) == ("Rhyme", "As discussed.")
    assert it.rests()


def test_a_label_that_somebody_put_there_or_took_away_is_set_right(it: Game) -> None:
    number = it.propose("alice")
    it.referee()
    it.github.unlabel(it.github.owner, number, "nomic: voting")
    it.github.label(it.github.owner, number, "Nomic: Adopted")
    it.referee()
    assert it.pull(number).label_names == ["nomic: voting"]
    assert it.rests()


def test_a_status_that_somebody_else_set_is_set_right_and_other_contexts_are_left_alone(it: Game) -> None:
    """Any writer can set one."""
    number = it.propose("alice")
    bob = it.account("bob")
    it.github.permit(bob, Permission.WRITE)
    it.referee()
    head = it.pull(number).head
    it.github.set_status(bob, head, "success", "nomic", "adopted")
    it.github.set_status(bob, head, "failure", "ci", "3 failed")
    it.referee()
    assert it.status(number) == ("pending", "1 for, 0 against, 3 still to vote")
    ci = it.pull(number).status("ci")
    assert ci is not None
    assert (ci.state, ci.description) == ("failure", "3 failed")
    assert it.rests()


def test_the_status_goes_with_the_head(it: Game) -> None:
    number = it.propose("alice")
    it.referee()
    before = it.pull(number).head
    it.file(number, OTHER)
    it.referee()
    assert it.pull(number).head != before
    assert it.status(number) == ("pending", "1 for, 0 against, 3 still to vote")
    assert it.rests()


def test_the_referees_comment_is_written_anew_where_somebody_changed_or_deleted_it(it: Game) -> None:
    number = it.propose("alice")
    it.referee()
    (comment,) = it.pull(number).comments
    words = comment.body
    it.github.edit_comment(it.github.owner, number, comment, f"{words}\nAdopted.\n")
    it.referee()
    assert it.text(number) == words
    it.github.delete_comment(it.github.owner, number, comment)
    it.referee()
    assert it.text(number) == words
    assert it.rests()


def test_an_idle_game_commits_nothing_and_writes_nothing(it: Game) -> None:
    """15,450 of 15,843 commits of ndelangen/nomic were an idle game's turn flips."""
    it.propose("alice")
    it.propose("bob", OTHER, "other", draft=True)
    it.referee()
    moves = len(it.github.moves)
    for _ in range(3):
        it.github.clock.move(86_400)
        assert it.rests()
    assert len(it.github.moves) == moves


def test_a_token_that_is_a_persons_goes_on_with_the_workflows_comment(it: Game) -> None:
    number = it.propose("alice")
    it.referee()
    it.approve(number, "bob")
    it.token = it.github.owner.token
    it.referee()
    assert it.votes(number) == ("alice, bob", "nobody", "carol, dave")
    assert len(it.pull(number).comments) == 1
    assert it.rests()
