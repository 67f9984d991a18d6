"""Comments as commands: what is one, who may give it, and that each is answered once."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pulls import ALICE, BOB, CAROL, REFEREE, STRANGER, comment, pull, seats

from nomic_git.forges.command import (
    MOST_NOTES,
    Answer,
    Word,
    commands_in,
    notes,
    own_votes,
    pleas,
    reactions,
    read_commands,
    withdrawals,
)
from nomic_git.forges.forge import MARKER
from nomic_git.game.judgment import Move, Plea
from nomic_git.game.vote import Vote

SEATS = seats(ALICE, BOB, CAROL)


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("/nomic tally", ["tally"]),
        ("/nomic", [""]),
        ("/nomic  \t for  ", ["for"]),
        ("/nomic withdraw it, please", ["withdraw it, please"]),
        ("Sorry.\r\n\r\n/nomic withdraw\r\n", ["withdraw"]),
        ("/nomic against\n/nomic tally", ["against", "tally"]),
        ("/Nomic tally", ["tally"]),
        ("/NOMIC", [""]),
        ("/nomic: tally", ["tally"]),
        ("/nomic:tally", ["tally"]),
        ("/nomic:", [""]),
        ("/nomical tally", []),
        ("/nom\u0131c tally", []),
        ("I say /nomic tally", []),
        (" /nomic tally", []),
        ("`/nomic tally`", []),
        ("> /nomic tally", []),
        (">/nomic tally\n/nomic tally", []),
        ("> so you say\nand on\n/nomic tally", []),
        ("> so you say\n\n/nomic tally", ["tally"]),
        ("```\n/nomic tally\n```\n/nomic help", ["help"]),
        ("~~~ text\n/nomic tally\n```\n/nomic tally\n~~~~\n/nomic help", ["help"]),
        ("```\n/nomic tally", []),
        ("````\n```\n/nomic tally\n````", []),
        ("> quoted\n```\n/nomic tally\n```\n/nomic help", ["help"]),
        ("``` a ` b\n/nomic tally", ["tally"]),
        ("<!-- how to\n/nomic withdraw\n-->\n/nomic tally", ["tally"]),
        ("<!-- short -->\n/nomic tally", ["tally"]),
        ("", []),
    ],
)
def test_a_command_is_a_line_that_begins_with_it_and_is_shown_as_said(body: str, said: list[str]) -> None:
    assert list(commands_in(body)) == said


@given(st.text(alphabet="/nomic \n\r\t>`~<!-abc"))
def test_no_comment_stops_the_reading(body: str) -> None:
    assert all("\n" not in one for one in commands_in(body))


ASKED = [
    (ALICE, "withdraw", Answer.HEARD),
    (ALICE, "Against", Answer.HEARD),
    (ALICE, "for", Answer.HEARD),
    (ALICE, "tally", Answer.HEARD),
    (ALICE, "help", Answer.HELP),
    (ALICE, "dance", Answer.NOT_UNDERSTOOD),
    (ALICE, "for once", Answer.NOT_UNDERSTOOD),
    (ALICE, "", Answer.NOT_UNDERSTOOD),
    (BOB, "tally", Answer.HEARD),
    (BOB, "help", Answer.HELP),
    (BOB, "withdraw", Answer.AUTHOR_ALONE),
    (BOB, "for", Answer.REVIEW_INSTEAD),
    (BOB, "against", Answer.REVIEW_INSTEAD),
    (BOB, "dance", Answer.NOT_UNDERSTOOD),
    (STRANGER, "tally", Answer.NOT_A_PLAYER),
    (STRANGER, "dance", Answer.NOT_A_PLAYER),
    (None, "tally", Answer.NOT_A_PLAYER),
]


@pytest.mark.parametrize(("author", "said", "answer"), ASKED)
def test_a_command_is_answered(author: object, said: str, answer: Answer) -> None:
    asked = pull(comments=(comment(1, author, f"/nomic {said}"),))  # type: ignore[arg-type]
    (one,) = read_commands(asked, SEATS)
    assert one.answer is answer
    assert reactions(asked, (one,)) == {1: "+1" if answer in {Answer.HEARD, Answer.HELP} else "confused"}


@pytest.mark.parametrize(
    ("said", "answer"),
    [("withdraw", Answer.HEARD), ("tally", Answer.HEARD), ("against", Answer.NOT_A_PLAYER)],
)
def test_who_asks_to_join_may_take_it_back_and_has_no_vote(said: str, answer: Answer) -> None:
    asked = pull(author=STRANGER, comments=(comment(1, STRANGER, f"/nomic {said}"),))
    assert [one.answer for one in read_commands(asked, SEATS)] == [answer]


def test_an_author_who_has_another_name_now_is_the_author() -> None:
    renamed = comment(1, type(ALICE)("alicia", ALICE.id, is_person=True), "/nomic withdraw")
    (one,) = read_commands(pull(comments=(renamed,)), SEATS)
    assert (one.author, one.answer) == ("alice", Answer.HEARD)


def test_neither_the_referee_nor_a_bot_gives_commands() -> None:
    said = (
        comment(1, REFEREE, "/nomic withdraw", mine=True),
        comment(2, REFEREE, "/nomic tally"),
        comment(3, ALICE, f"{MARKER}\n/nomic withdraw", mine=True),
    )
    assert read_commands(pull(comments=said), SEATS) == ()


def test_somebody_elses_marker_makes_no_referee_and_a_player_whose_token_the_referee_has_still_plays() -> None:
    said = (comment(1, BOB, f"{MARKER}\n/nomic tally"), comment(2, ALICE, "/nomic withdraw", mine=True))
    assert [one.answer for one in read_commands(pull(comments=said), SEATS)] == [Answer.HEARD, Answer.HEARD]


def test_words_that_somebody_else_put_into_a_comment_are_nobodys() -> None:
    said = comment(1, ALICE, "/nomic withdraw", edited=300, by_another=True)
    commands = read_commands(pull(comments=(said,)), SEATS)
    assert [one.answer for one in commands] == [Answer.EDITED]
    assert withdrawals(commands) == ()


def test_a_command_is_as_old_as_its_words() -> None:
    said = (comment(1, ALICE, "/nomic for", 200, edited=400), comment(2, ALICE, "/nomic against", 300))
    commands = read_commands(pull(comments=said), SEATS)
    assert [(one.word, one.time) for one in commands] == [(Word.AGAINST, 300), (Word.FOR, 400)]
    assert [(one.voter, one.vote, one.time) for one in own_votes(commands)] == [
        ("alice", Vote.AGAINST, 300),
        ("alice", Vote.FOR, 400),
    ]


def test_only_what_is_heard_counts() -> None:
    said = (comment(1, BOB, "/nomic against\n/nomic withdraw"), comment(2, ALICE, "/nomic withdraw", 250))
    commands = read_commands(pull(comments=said), SEATS)
    assert list(own_votes(commands)) == []
    assert withdrawals(commands) == (250,)


def test_a_comment_is_answered_by_one_picture_and_only_once() -> None:
    said = (
        comment(1, ALICE, "/nomic tally\n/nomic dance\n/nomic tally"),
        comment(2, ALICE, "/nomic tally", answered=True),
        comment(3, ALICE, "Hello."),
    )
    asked = pull(comments=said)
    assert reactions(asked, read_commands(asked, SEATS)) == {1: "confused"}


def test_what_was_understood_and_came_too_late_puzzles_nobody() -> None:
    said = (
        comment(1, BOB, "/nomic against"),
        comment(2, ALICE, "/nomic tally"),
        comment(3, BOB, "/nomic dance"),
        comment(4, STRANGER, "/nomic tally"),
    )
    asked = pull(comments=said)
    commands = read_commands(asked, SEATS)
    assert reactions(asked, commands, is_over=True) == {1: "eyes", 2: "+1", 3: "confused", 4: "eyes"}


def test_who_asks_often_is_answered_once_in_words_and_only_the_last_answers_are_shown() -> None:
    spam = tuple(comment(number, STRANGER, f"/nomic {number}\n" * 50, number) for number in range(200, 240))
    many = tuple(comment(number, BOB, f"/nomic {number}", number) for number in range(300, 310))
    commands = read_commands(pull(comments=(*spam, *many)), SEATS)
    assert [note.what for note in notes(commands[:40])] == ["command-not-a-player"]
    last = notes(commands)
    assert len(last) == MOST_NOTES
    assert [note.facts["words"] for note in last] == [f"/nomic {number}" for number in range(305, 310)]


def test_what_was_not_understood_is_told_in_short() -> None:
    (note,) = notes(read_commands(pull(comments=(comment(1, BOB, "/nomic " + "x" * 65_000),)), SEATS))
    assert len(str(note.facts["words"])) <= 61


def test_of_one_comment_ten_commands_are_read_and_of_a_strangers_one() -> None:
    body = "/nomic tally\n" * 1000
    made = pull(comments=(comment(1, BOB, body), comment(2, STRANGER, body), comment(3, STRANGER, body)))
    commands = read_commands(made, seats(ALICE, BOB))
    assert [[one.comment for one in commands].count(number) for number in (1, 2, 3)] == [10, 1, 1]
    assert len(notes(commands)) == 2
    assert reactions(made, commands) == {1: "+1", 2: "confused"}
    answered = replace(made, comments=(*made.comments[:2], replace(made.comments[2], answered=True)))
    assert reactions(answered, read_commands(answered, seats(ALICE, BOB))) == {1: "+1"}


# Judgment.


SAID_OF_JUDGMENT = [
    ("judgment Is  rule 203\tin force?", Move.INVOKE, "Is rule 203 in force?"),
    ("Judgment", Move.INVOKE, ""),
    ("ask @Carol", Move.ASK, "carol"),
    ("ask carol, please", Move.ASK, "carol"),
    ("ask", Move.ASK, ""),
    ("ask 阿明", Move.ASK, "阿明"),
    ("rule Legal, by rule 112", Move.RULE, "Legal, by rule 112"),
    ("uphold", Move.UPHOLD, ""),
    ("OVERRULE since it is wrong", Move.OVERRULE, "since it is wrong"),
    ("consent", Move.CONSENT, ""),
]


@pytest.mark.parametrize(("said", "move", "words"), SAID_OF_JUDGMENT)
def test_a_player_speaks_of_a_judgment_and_is_heard_without_a_word(said: str, move: Move, words: str) -> None:
    asked = pull(comments=(comment(1, BOB, f"/nomic {said}", 250),))
    commands = read_commands(asked, SEATS)
    assert pleas(commands) == (Plea("bob", move, 250, words),)
    assert reactions(asked, commands) == {1: "+1"}
    assert reactions(asked, commands, is_over=True) == {1: "+1"}
    assert notes(commands) == ()


def test_only_seated_accounts_speak_of_judgments_by_id_and_in_their_own_words() -> None:
    robert, impostor = replace(BOB, login="robert"), replace(BOB, id=99)
    asked = pull(
        author=STRANGER,
        comments=(
            comment(1, robert, "/nomic uphold"),
            comment(2, impostor, "/nomic overrule"),
            comment(3, STRANGER, "/nomic judgment Why?"),
            comment(4, None, "/nomic judgment Why?"),
            comment(5, REFEREE, "/nomic consent"),
            comment(6, CAROL, "/nomic consent", edited=300, by_another=True),
            comment(7, CAROL, "> /nomic consent"),
        ),
    )
    commands = read_commands(asked, SEATS)
    assert pleas(commands) == (Plea("bob", Move.UPHOLD, 200),)
    assert [one.answer for one in commands] == [Answer.HEARD, *[Answer.NOT_A_PLAYER] * 3, Answer.EDITED]


def test_pleas_stand_in_the_order_of_time_then_of_comments_and_lines() -> None:
    said = (
        comment(1, ALICE, "/nomic ask bob\n/nomic consent", 200, edited=300),
        comment(3, CAROL, "/nomic overrule", 300),
        comment(2, BOB, "/nomic rule legal\n\n/nomic uphold", 300),
        comment(4, BOB, "/nomic judgment Why?", 250),
    )
    assert [(one.player, one.move, one.time) for one in pleas(read_commands(pull(comments=said), SEATS))] == [
        ("bob", Move.INVOKE, 250),
        ("alice", Move.ASK, 300),
        ("alice", Move.CONSENT, 300),
        ("bob", Move.RULE, 300),
        ("bob", Move.UPHOLD, 300),
        ("carol", Move.OVERRULE, 300),
    ]


def test_of_a_flood_no_more_is_heard_than_of_other_commands() -> None:
    asked = pull(comments=(comment(1, BOB, "/nomic consent\n" * 1000),))
    assert len(pleas(read_commands(asked, SEATS))) == 10


def test_an_authors_vote_is_called_by_its_comment() -> None:
    commands = read_commands(pull(comments=(comment(123, ALICE, "/nomic against"),)), SEATS)
    assert [one.id for one in own_votes(commands)] == ["c123"]
