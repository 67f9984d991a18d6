"""Facts about what players say of judgments in comments, also once the proposal is closed or merged."""

from __future__ import annotations

from dataclasses import replace

from github_game import Game
from github_scene import RULE

from nomic_git.forges import queries
from nomic_git.forges.connection import Connection
from nomic_git.forges.forge import Deed, Submission, Unread
from nomic_git.forges.github import GitHubForge
from nomic_git.forges.github_table import GitHubTable
from nomic_git.game.judgment import Move, Plea


def says(it: Game, login: str, number: int, *lines: str) -> int:
    """A player comments; when."""
    return it.github.comment(it.account(login), number, "\n".join(lines)).created_at


def asking(it: Game, token: str = "") -> GitHubForge:
    """A forge that has read GitHub, in a new clone."""
    connection = Connection(it.github.full_name, token or it.github.actions.token, it.github.url, pause=0, timeout=30)
    forge = GitHubForge(it.clone(), connection)
    forge.fetch()
    return forge


def recalled(it: Game, number: int, forge: GitHubForge | None = None) -> Submission:
    """What the forge has of a resolved proposal that is not left out."""
    forge = forge or asking(it)
    resolved = it.position().state.resolved
    assert number in resolved
    assert number not in {one.number for one in forge.submissions(resolved)}
    (found,) = (one for one in forge.submissions(resolved.without(number)) if one.number == number)
    return found


def adopted(it: Game, author: str = "alice", text: str = RULE, name: str = "rhyme") -> int:
    number = it.propose(author, text, name)
    it.referee()
    it.approve(number, *(one for one in ("bob", "carol", "dave") if one != author))
    it.referee()
    assert it.pull(number).merged
    return number


def reactions(it: Game, number: int) -> list[str]:
    return [one.content for comment in it.pull(number).comments for one in comment.reactions]


def test_what_players_say_is_heard_answered_by_a_picture_and_told_in_the_comment(it: Game) -> None:
    number = it.propose("alice")
    it.referee()
    first = says(it, "carol", number, "I wonder.", "", "/nomic judgment Does it rhyme?")
    second = says(it, "alice", number, "/nomic ask @bob")
    assert it.costs() == 4
    assert reactions(it, number) == ["+1", "+1"]
    assert "What else was said" not in it.text(number)
    assert "- carol invoked judgment and asks: `Does it rhyme?`." in it.text(number)
    assert "- bob is the Judge, and is to rule: `/nomic rule legal" in it.text(number)
    (heard,) = asking(it).submissions(it.position().state.resolved)
    assert heard.pleas == (
        Plea("carol", Move.INVOKE, first, "Does it rhyme?"),
        Plea("alice", Move.ASK, second, "bob"),
    )
    assert it.rests()


def test_votes_are_called_by_what_github_calls_them(it: Game) -> None:
    number = it.propose("alice")
    it.refuse(number, "bob")
    says(it, "alice", number, "/nomic against")
    (heard,) = asking(it).submissions(it.position().state.resolved)
    review, comment = it.pull(number).reviews[0], it.pull(number).comments[0]
    assert [(one.voter, one.id) for one in heard.votes] == [("bob", str(review.id)), ("alice", f"c{comment.id}")]
    assert all(one.id.isalnum() and one.id.isascii() and len(one.id) <= 64 for one in heard.votes)


def test_a_proposal_that_we_merged_comes_with_what_was_said_before_and_since_and_as_nothing_else(it: Game) -> None:
    number = it.propose("alice")
    before = says(it, "bob", number, "/nomic uphold")
    it.approve(number, "bob", "carol")
    it.referee()
    assert it.pull(number).merged
    since = says(it, "dave", number, "/nomic rule illegal, it does not rhyme")
    found = recalled(it, number)
    assert found.pleas == (
        Plea("bob", Move.UPHOLD, before),
        Plea("dave", Move.RULE, since, "illegal, it does not rhyme"),
    )
    assert (found.author, found.head) == ("alice", it.pull(number).head)
    assert (found.unread, found.withdrawn, found.notes) == ((), None, ())


def test_a_proposal_that_was_adopted_before_the_referee_ever_spoke_is_none_that_was_merged_by_hand(it: Game) -> None:
    number = it.propose("alice")
    it.approve(number, "bob", "carol", "dave")
    forge = asking(it)
    it.referee(forge.clone)
    assert it.forge is not None
    assert recalled(it, number, it.forge).unread == ()


def test_one_that_the_referee_closed_was_withdrawn_by_nobody_whoever_the_referee_is(it: Game) -> None:
    number = it.propose("alice")
    it.refuse(number, "bob", "carol", "dave")
    it.token = it.account("alice").token
    it.github.permit(it.account("alice"), "WRITE")
    it.referee()
    assert it.pull(number).state == "CLOSED"
    at = says(it, "bob", number, "/nomic judgment Was that a defeat?")
    found = recalled(it, number)
    assert (found.withdrawn, found.notes) == (None, ())
    assert found.pleas == (Plea("bob", Move.INVOKE, at, "Was that a defeat?"),)


def test_nothing_is_decided_or_written_about_it_but_the_answer_to_a_player(it: Game) -> None:
    number = adopted(it)
    comment = it.text(number)
    says(it, "dave", number, "/nomic judgment Does it rhyme?")
    says(it, "eve", number, "/nomic judgment Does it scan?")
    says(it, "bob", number, "/nomic overule")
    said = len(it.pull(number).comments)
    moves = len(it.github.moves)
    it.github.forget()
    forge = asking(it)
    recalled(it, number, forge)
    forge.finish()
    assert reactions(it, number) == ["+1", "confused"]
    assert [one.path for one in it.github.requests if one.method != "POST" or "graphql" not in one.path] == [
        f"/repos/{it.github.full_name}/issues/comments/{one.id}/reactions"
        for one in it.pull(number).comments
        if one.reactions
    ]
    assert (it.text(number), it.stage(number), len(it.pull(number).comments)) == (comment, "adopted", said)
    it.github.forget()
    again = asking(it)
    recalled(it, number, again)
    again.finish()
    assert [one.path for one in it.github.log] == ["/graphql"]
    assert len(it.github.moves) == moves


def test_one_that_was_not_updated_lately_is_asked_for_by_its_number(it: Game) -> None:
    number = adopted(it)
    at = says(it, "dave", number, "/nomic judgment Does it rhyme?")
    for _ in range(queries.CLOSED):
        it.github.close(it.account("eve"), _stray(it))
    it.github.forget()
    found = recalled(it, number)
    assert found.pleas == (Plea("dave", Move.INVOKE, at, "Does it rhyme?"),)
    assert len(it.github.requests) == 2


def _stray(it: Game) -> int:
    eve = it.account("eve")
    return it.github.open_pull(eve, it.github.edit(eve, "README.md", "Mine."), "Mine")


def test_another_pull_request_with_its_number_as_a_fork_of_the_game_has_it_is_not_it(it: Game) -> None:
    number = adopted(it)
    it.pull(number).created_at = it.github.clock.now
    forge = asking(it)
    assert forge.submissions(it.position().state.resolved.without(number)) == []


def test_what_cannot_be_read_completely_says_nothing_about_judgments(it: Game) -> None:
    number = it.propose("alice")
    says(it, "bob", number, "/nomic judgment Why?")
    forge = asking(it)
    assert forge.snapshot is not None
    torn = replace(forge.snapshot.pulls[number], unread=True)
    forge.snapshot = replace(forge.snapshot, pulls={number: torn})
    (heard,) = forge.submissions(it.position().state.resolved)
    assert [one.what for one in heard.unread] == [Unread.PULL]
    assert heard.pleas == ()


def test_it_is_said_from_the_command_line_by_a_comment_also_on_what_is_merged(it: Game) -> None:
    number = adopted(it)
    bob = it.account("bob")
    table = GitHubTable(it.clone(), Connection(it.github.full_name, bob.token, it.github.url, pause=0, timeout=30))
    table.fetch()
    now = it.github.clock.now
    table.note("bob", number, Deed.JUDGMENT, now, word="judgment", words="Does it\nrhyme?\u2028/nomic withdraw")
    table.note("bob", number, Deed.JUDGMENT, now, word="ask", words="@carol")
    table.note("bob", number, Deed.JUDGMENT, now, word="consent")
    said = [one.body for one in it.pull(number).comments if one.author == bob]
    assert said == ["/nomic judgment Does it rhyme? /nomic withdraw", "/nomic ask @carol", "/nomic consent"]
    assert [(one.player, one.move, one.said) for one in recalled(it, number).pleas] == [
        ("bob", Move.INVOKE, "Does it rhyme? /nomic withdraw"),
        ("bob", Move.ASK, "carol"),
        ("bob", Move.CONSENT, ""),
    ]


def test_the_next_look_is_the_next_scheduled_run(it: Game) -> None:
    forge = asking(it)
    start = 1_700_000_000 // 3600 * 3600
    looks = [(after, forge.next_look(start + after)) for after in (0, 23 * 60, 23 * 60 + 1, 3600)]
    assert looks == [
        (0, start + 23 * 60),
        (23 * 60, start + 23 * 60),
        (23 * 60 + 1, start + 3600 + 23 * 60),
        (3600, start + 3600 + 23 * 60),
    ]
