"""Comments as commands: lines such as `/nomic withdraw`, and how each is answered (docs/github.md)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice
from typing import TYPE_CHECKING

from nomic_git.forges.forge import MARKER, Cast
from nomic_git.forges.plea import by_time, words_said
from nomic_git.forges.roll import same
from nomic_git.game.judgment import Move, Plea
from nomic_git.game.vote import Vote
from nomic_git.law.reason import Reason

if TYPE_CHECKING:
    from nomic_git.forges.pull_request import PullComment, PullRequest
    from nomic_git.forges.roll import Roll


class Word(StrEnum):
    """What a command says that is one word alone; the moves about judgments may have more behind theirs."""

    WITHDRAW = "withdraw"
    AGAINST = "against"
    FOR = "for"
    TALLY = "tally"
    HELP = "help"


class Answer(StrEnum):
    """How a command is answered; each is a key of the message catalogue."""

    HEARD = "command-heard"
    HELP = "command-help"
    NOT_A_PLAYER = "command-not-a-player"
    AUTHOR_ALONE = "command-author-alone"
    REVIEW_INSTEAD = "command-review-instead"
    NOT_UNDERSTOOD = "command-not-understood"
    EDITED = "command-edited-by-another"


MOST_NOTES = 5
"""How many answers the comment shows, the last ones."""

MOST_REACTIONS = 10
"""How many comments of one pull request a pass answers; a flood of them is not to use up what GitHub allows."""

MOST_COMMANDS = 10
"""How many commands of one comment are read, the first ones."""

_LONGEST = 60
"""Characters of what was not understood that are told again."""

_LINE = re.compile(r"/nomic(?::|[ \t]|$)(.*)", re.IGNORECASE | re.ASCII)
_BREAK = re.compile(r"\r\n|\n|\r")
_OPENS = re.compile(r" {0,3}(?:(`{3,})[^`]*|(~{3,}).*)")


@dataclass(frozen=True, slots=True)
class Command:
    """A command: in which comment, by whom as the roll call has them, what it says and how it is answered.

    `said` is all that stands behind `/nomic`, `word` None where that is not understood. `time` is when the comment
    got these words, in seconds since the epoch. `words` are what stands behind a move about a judgment.
    """

    comment: int
    author: str
    said: str
    word: Word | Move | None
    time: int
    answer: Answer
    words: str = ""

    @property
    def is_heard(self) -> bool:
        """Whether what it says is done."""
        return self.answer in {Answer.HEARD, Answer.HELP}


def read_commands(pull: PullRequest, roll: Roll) -> tuple[Command, ...]:
    """Return the commands on a pull request in the order of time, those that are refused too.

    What the referee itself or a bot says is never a command. Players say what they like, its author what concerns
    the proposal alone; words that somebody else put into a comment are nobody's.
    """
    said = (
        _command(pull, roll, comment, words)
        for comment in pull.comments
        if is_somebodys(comment)
        for words in islice(commands_in(comment.body), _most(pull, roll, comment))
    )
    return tuple(sorted(said, key=lambda one: (one.time, one.comment)))


def _most(pull: PullRequest, roll: Roll, comment: PullComment) -> int:
    """Return how many commands of one comment are read: of a stranger's the first tells all."""
    is_known = roll.seat(comment.author) is not None or same(comment.author, pull.author)
    return MOST_COMMANDS if is_known else 1


def is_somebodys(comment: PullComment) -> bool:
    """Return whether a comment is what a person said: not a bot, nor the referee with this token's account."""
    is_by_a_person = comment.author is None or comment.author.is_person
    return is_by_a_person and not (comment.mine and comment.body.startswith(MARKER))


def commands_in(body: str) -> Iterator[str]:
    """Yield what stands behind `/nomic` on each line of a comment that begins so.

    As the forge would show it: what is in a code block, a quotation or a hidden remark is not said.
    """
    fence, hidden, quoted = "", False, False
    for line in _BREAK.split(body):
        if hidden or fence:
            hidden = hidden and "-->" not in line
            fence = "" if fence and _closes(line, fence) else fence
            continue
        opens = _OPENS.fullmatch(line)
        quoted = line.lstrip(" ").startswith(">") or (quoted and bool(line.strip()) and opens is None)
        if opens is not None:
            fence = opens[1] or opens[2]
        elif line.lstrip(" ").startswith("<!--"):
            hidden = "-->" not in line
        elif not quoted and (said := _LINE.fullmatch(line.rstrip())) is not None:
            yield " ".join(said[1].split())


def _closes(line: str, fence: str) -> bool:
    text = line.strip()
    return len(text) >= len(fence) and set(text) == {fence[0]} and len(line) - len(line.lstrip(" ")) <= 3


def _command(pull: PullRequest, roll: Roll, comment: PullComment, said: str) -> Command:
    word, words = _read(said, roll)
    time = comment.created if comment.edited is None else comment.edited
    return Command(comment.id, roll.name(comment.author), said, word, time, _answer(pull, roll, comment, word), words)


def _read(said: str, roll: Roll) -> tuple[Word | Move | None, str]:
    """Return what a command says, None where that is not understood, and what is said with a move of a judgment.

    Who is asked may be called by the login that the account has now.
    """
    first, _, rest = said.partition(" ")
    folded = first.casefold()
    if folded in {*Move}:
        words = words_said(Move(folded), rest)
        return Move(folded), roll.meant(words) if folded == Move.ASK else words
    return (Word(folded) if folded in {*Word} and not rest else None), ""


def _answer(pull: PullRequest, roll: Roll, comment: PullComment, word: Word | Move | None) -> Answer:
    is_author, is_player = same(comment.author, pull.author), roll.seat(comment.author) is not None
    if comment.by_another:
        return Answer.EDITED
    if not is_player and not (is_author and word in {Word.WITHDRAW, Word.TALLY, Word.HELP, None}):
        return Answer.NOT_A_PLAYER
    if word is None:
        return Answer.NOT_UNDERSTOOD
    if word in {Word.FOR, Word.AGAINST} and not is_author:
        return Answer.REVIEW_INSTEAD
    if word is Word.WITHDRAW and not is_author:
        return Answer.AUTHOR_ALONE
    return Answer.HELP if word is Word.HELP else Answer.HEARD


def own_votes(commands: Sequence[Command]) -> Iterator[Cast]:
    """Yield the author's votes, given by command: nobody reviews their own pull request at GitHub."""
    votes = {Word.FOR: Vote.FOR, Word.AGAINST: Vote.AGAINST}
    for one in commands:
        if one.is_heard and isinstance(one.word, Word) and one.word in votes:
            # GitHub numbers comments and reviews apart.
            yield Cast(one.author, votes[one.word], one.time, None, id=f"c{one.comment}")


def withdrawals(commands: Sequence[Command]) -> tuple[int, ...]:
    """Return when the author took the proposal back by command, in seconds since the epoch."""
    return tuple(one.time for one in commands if one.is_heard and one.word is Word.WITHDRAW)


def pleas(commands: Sequence[Command]) -> tuple[Plea, ...]:
    """Return what players said about judgments, in the order of time, then of the comments and of their lines."""
    return by_time(
        Plea(one.author, one.word, one.time, one.words)
        for one in commands
        if one.is_heard and isinstance(one.word, Move)
    )


def notes(commands: Sequence[Command]) -> tuple[Reason, ...]:
    """Return the answers for the comment, each once and the last ones only; who asks often is answered once.

    What comes of a move about a judgment is for the game to say: that it was heard is no news.
    """
    answers: dict[tuple[object, ...], Reason] = {}
    for one in commands:
        if one.is_heard and isinstance(one.word, Move):
            continue
        note = _note(one)
        # Of strangers, who are as many as they like, only the last is told.
        key = (note.what,) if one.answer is Answer.NOT_A_PLAYER else (note.what, *note.facts.values())
        answers.pop(key, None)
        answers[key] = note
    return tuple(answers.values())[-MOST_NOTES:]


def _note(command: Command) -> Reason:
    if command.answer is Answer.HELP:
        return Reason(Answer.HELP)
    if command.answer in {Answer.NOT_A_PLAYER, Answer.EDITED}:
        return Reason(command.answer, {"login": command.author})
    said = f"/nomic {command.said}".rstrip()
    words = said if len(said) <= _LONGEST else said[:_LONGEST] + "\N{HORIZONTAL ELLIPSIS}"
    return Reason(command.answer, {"login": command.author, "words": words})


def reactions(pull: PullRequest, commands: Sequence[Command], *, is_over: bool = False) -> Mapping[int, str]:
    """Return the pictures that answer comments with commands, by the comment's id, in GitHub's words for them.

    Where the proposal `is_over`, no words say any more what was wrong with a command: one that is understood is taken
    note of, and puzzles nobody. Those that this token's account has answered are left out, and of very many those that
    only refuse something; they are left for later passes. Somebody who is no player is answered once.
    """
    answered = {one.id for one in pull.comments if one.answered}
    strangers = {one.author: one.comment for one in reversed(commands) if one.answer is Answer.NOT_A_PLAYER}
    strangers |= {one.author: one.comment for one in commands if one.author in strangers and one.comment in answered}
    found: dict[int, str] = {}
    for one in commands:
        if one.answer is Answer.NOT_A_PLAYER and strangers[one.author] != one.comment:
            continue
        if one.comment not in answered and found.get(one.comment) != "confused":
            found[one.comment] = _picture(one, is_over=is_over)
    heard_first = sorted(found.items(), key=lambda one: one[1] != "+1")
    return dict(heard_first[:MOST_REACTIONS])


def _picture(command: Command, *, is_over: bool) -> str:
    if command.is_heard:
        return "+1"
    return "eyes" if is_over and command.word is not None else "confused"
