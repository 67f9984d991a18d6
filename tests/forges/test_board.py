"""The notice board of a pull request: what is written for it to show what it is to show."""

from __future__ import annotations

from dataclasses import replace

from nomic_git.forges.board import LONGEST, Notice, Write, fitted, own_comments, writes
from nomic_git.forges.forge import MARKER
from nomic_git.forges.pull_request import PullComment, PullRequest, ShownStatus
from nomic_git.game.player import Account
from nomic_git.game.proposal import Stage

ACTIONS = Account("github-actions[bot]", 41898282, is_person=False)
ALICE = Account("alice", 1, is_person=True)
TEXT = f"{MARKER}\nTwo votes for.\n"
RESOLVED = "<!-- the end -->"


def comment(number: int, body: str = TEXT, author: Account = ACTIONS, *, mine: bool = True) -> PullComment:
    return PullComment(number, author, mine, body, created=number, edited=None, answered=False)


PULL = PullRequest(
    number=7,
    node="PR_7",
    title="Rhyme",
    author=ALICE,
    head="a" * 40,
    base="main",
    created=0,
    is_open=True,
    is_merged=False,
    is_draft=False,
    comments=(comment(10),),
    labels=("nomic: voting", "fun"),
    status=ShownStatus("pending", "2 for", mine=True),
)
NOTICE = Notice(Stage.VOTING, "2 for", TEXT)


def test_what_is_shown_already_is_not_written() -> None:
    assert list(writes(PULL, NOTICE)) == []


def test_what_github_makes_of_line_ends_and_blanks_is_no_difference() -> None:
    pull = replace(PULL, comments=(comment(10, TEXT.replace("\n", "\r\n").rstrip()),))
    assert list(writes(pull, NOTICE)) == []


def test_the_comment_is_written_last() -> None:
    notice = Notice(Stage.DEFEATED, "defeated", f"{MARKER}\nDefeated.\n", is_closed=True, reactions={5: "+1"})
    assert list(writes(PULL, notice)) == [
        Write("POST", "/issues/7/labels", {"labels": ["nomic: defeated"]}),
        Write("DELETE", "/issues/7/labels/nomic%3A%20voting"),
        Write(
            "POST",
            f"/statuses/{'a' * 40}",
            {"state": "failure", "description": "defeated", "context": "nomic"},
        ),
        Write("PATCH", "/issues/7", {"state": "closed"}),
        Write("POST", "/issues/comments/5/reactions", {"content": "+1"}),
        Write("PATCH", "/issues/comments/10", {"body": f"{MARKER}\nDefeated.\n"}),
    ]


def test_a_label_in_another_case_is_the_same_label() -> None:
    assert list(writes(replace(PULL, labels=("Nomic: Voting",)), NOTICE)) == []


def test_a_label_that_only_looks_like_ours_is_left_alone() -> None:
    assert list(writes(replace(PULL, labels=("nomic: voting", "nomic: fun")), NOTICE)) == []


def test_a_status_that_is_another_accounts_is_set_anew() -> None:
    pull = replace(PULL, status=ShownStatus("pending", "2 for", mine=False))
    assert [one.path for one in writes(pull, NOTICE)] == [f"/statuses/{'a' * 40}"]


def test_a_head_that_shows_another_proposals_status_gets_none() -> None:
    assert list(writes(replace(PULL, status=None), replace(NOTICE, has_status=False))) == []


def test_a_comment_is_ours_by_marker_and_author_both() -> None:
    theirs = comment(1, author=ALICE, mine=False)
    quoted = comment(2, body=f"> {TEXT}")
    bot = comment(3, author=Account("other[bot]", 9, is_person=False), mine=False)
    named = comment(4, author=Account("github-actions", 8, is_person=True), mine=False)
    assert own_comments(replace(PULL, comments=(theirs, quoted, bot, named))) == []


def test_of_twins_that_of_github_actions_is_kept_and_else_the_oldest() -> None:
    by_hand, first, second = comment(1, author=ALICE), comment(3), comment(2)
    pull = replace(PULL, comments=(by_hand, first, second))
    assert [one.id for one in own_comments(pull)] == [2, 3, 1]
    assert [(one.verb, one.path) for one in writes(pull, NOTICE)] == [
        ("DELETE", "/issues/comments/3"),
        ("DELETE", "/issues/comments/1"),
    ]


def test_a_comment_that_is_too_long_keeps_its_beginning_and_its_end() -> None:
    text = f"{MARKER}\nSaid.\n\n````diff\n" + "+ a line of a rule\n" * 5000 + f"````\n\n{RESOLVED}\n"
    short = fitted(text)
    assert len(short) <= LONGEST
    assert short.startswith(f"{MARKER}\nSaid.\n")
    assert short.endswith(f"{RESOLVED}\n")
    assert [line for line in short.split("\n") if line.startswith("````")] == ["````diff", "````"]


def test_a_comment_that_fits_is_left_as_it_is() -> None:
    assert fitted("x" * LONGEST) == "x" * LONGEST


def test_where_ours_may_be_among_comments_that_were_not_read_no_twin_is_written() -> None:
    pull = replace(PULL, comments=(), has_more_comments=True)
    assert list(writes(pull, NOTICE)) == []
    assert [one.verb for one in writes(replace(pull, has_more_comments=False), NOTICE)] == ["POST"]
