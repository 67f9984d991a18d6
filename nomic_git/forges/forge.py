"""What the referee asks of a forge, and what it gets (design section 11)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol

from nomic_git.forges.deed import Deed as Deed
from nomic_git.law.errors import NomicError

if TYPE_CHECKING:
    from nomic_git.game.judgment import Plea
    from nomic_git.game.numbers import Numbers
    from nomic_git.game.player import Account
    from nomic_git.game.proposal import Period, Stage
    from nomic_git.game.vote import Vote
    from nomic_git.law.reason import Reason


MARKER = "<!-- nomic-git: tally -->"
"""The first line of the referee's comment; with its author, how the referee finds it again."""


class ForgeError(NomicError):
    """The forge could not be reached, or would not do what was asked."""


class Objection(ForgeError):
    """The forge will not have what one event would bring into the game branch; the words are its own."""


@dataclass(frozen=True, slots=True)
class Cast:
    """A vote as the forge has it; `time` in seconds since the epoch.

    `commit` is the head that the voter had before them. Where the forge itself has kept what the vote was given
    to, `text` is that and `commit` None; with neither, it was given to an earlier text (106). `id` is what the forge
    calls this vote by, letters and digits; empty where it has no name for it.
    """

    voter: str
    vote: Vote
    time: int
    commit: str | None
    text: str | None = None
    id: str = ""


class Unread(StrEnum):
    """What of a proposal could not be read; each is a key of the message catalogue."""

    LOG = "log-unreadable"
    PULL = "pull-unreadable"


@dataclass(frozen=True, slots=True)
class Remark:
    """Somebody's words on a proposal; `time` in seconds since the epoch."""

    author: str
    time: int
    text: str


@dataclass(frozen=True, slots=True)
class Pushed:
    """A head of a proposal and since when it was the head, in seconds since the epoch; None where nobody knows.

    `until` is the last moment at which it is known to have been the head, None where that is when the next came.
    `supposed` is until when it may still have been, as a vote given to it or a forced push makes believe, or None.
    `grown` is since when the branch had only grown until then, by no forced push; None where the forge does not tell.
    """

    commit: str
    time: int | None
    until: int | None = None
    grown: int | None = None
    supposed: int | None = None


@dataclass(frozen=True, slots=True)
class Submission:
    """A proposal as the forge has it, before anybody has looked at what it would change.

    `ready` are the periods in which it was open and no draft; instants are seconds since the epoch. `heads` are
    all that it had, oldest first, none where the forge does not tell; with `moved`, the last one is not known
    to be the author's own. `unread` is what its author did and could not be read: nothing is decided then.
    `unheard` are the others whose votes could not be read. `account` is the author's at the forge, None where
    the forge has none. `notes` are what players should be told of what was done at the forge: answers to
    commands, and what others did that does not count. `pleas` are what players said about judgments on it, in the
    order of time.
    """

    number: int
    author: str
    head: str
    title: str
    submitted: int
    ready: tuple[Period, ...]
    votes: tuple[Cast, ...] = ()
    remarks: tuple[Remark, ...] = ()
    withdrawn: int | None = None
    unread: tuple[Reason, ...] = ()
    heads: tuple[Pushed, ...] = ()
    moved: bool = False
    unheard: tuple[str, ...] = ()
    account: Account | None = None
    notes: tuple[Reason, ...] = ()
    pleas: tuple[Plea, ...] = ()


class Forge(Protocol):
    """A forge, as the referee sees it. Every method raises ForgeError where the forge fails."""

    def fetch(self) -> None:
        """Bring what others have said, and the game branch, into this clone."""

    def submissions(self, resolved: Numbers) -> Sequence[Submission]:
        """Return every proposal that is not among `resolved` and concerns the game, by number.

        Those are the open ones, and what others closed or merged past the game. One that the history has resolved
        comes too where `resolved` lacks its number, as that of the last turn may while judgment can be invoked on it
        (design section 8). Of such a one the referee may rely on `number`, `author`, `title`, `submitted`, `account`,
        and on `pleas`: all that players said about judgments on it, before its resolution and since. Of `unread`
        too: where anything is there, nothing is decided on it, and `pleas` are none. How it was closed or merged is
        its event's doing, so that `withdrawn` is None and there are no `notes`. Its votes may have lost what they
        were given to, and its head may be in the game branch, or not in this clone at all: nothing is to be counted
        on it again, and it is not to be set beside the heads of open ones. Where another proposal has its number
        by now, as in a fork of a game, it is left out. The forge writes nothing about it of its own accord; a forge
        that answers commands answers those of players on it.
        """

    def submission(self, number: int) -> Submission | None:
        """Return one proposal whether it is resolved or not, None where there is none of that number."""

    def comment(self, number: int) -> str | None:
        """Return the referee's own comment on a proposal, None where there is none yet."""

    def say(self, number: int, text: str) -> None:
        """Make the referee's one comment on a proposal say this."""

    def show(self, number: int, stage: Stage, summary: str) -> None:
        """Show how far a proposal has come where the forge has a place for that: a label, a status, closed or open.

        `summary` says it in a line of at most 140 characters.
        """

    def publish(self, old: str, new: str) -> None:
        """Move the game branch from one commit to the next at the forge, by fast-forward only.

        Raises nomic_git.repository.clone.Moved where the branch is no longer at `old`, Objection where the forge
        will not have what `new` brings.
        """

    def finish(self) -> None:
        """Send what was said and shown and is not at the forge yet."""

    @property
    def advice(self) -> Sequence[str]:
        """What players of this forge should know at the end of each comment: keys of the message catalogue."""

    @property
    def commands(self) -> str:
        """How players of this forge give commands about judgments: a key of the message catalogue."""

    @property
    def time(self) -> int | None:
        """When the forge was as it was last read, by its own clock, in seconds since the epoch; None without one."""

    def next_look(self, after: int) -> int | None:
        """Return when the forge will have the referee look by itself at or after an instant, both in seconds.

        None where somebody has to run the referee. A forge may be late, and an event brings a look before that.
        """

    @property
    def last(self) -> int | None:
        """The highest number that is known here to have been given to a proposal, None where none is."""

    @property
    def requests(self) -> int:
        """How many requests to a server were made."""


class Table(Forge, Protocol):
    """A forge, as a player at the command line sees it."""

    troubles: tuple[str, ...]
    """What of the last fetch went wrong and stopped nothing else, a line each."""

    sent: int
    """How many things were sent late, because the forge could not be reached when they were done."""

    def me(self) -> Account | None:
        """Return the account that the forge takes this user for, None where it knows nobody."""

    def meant(self, login: str) -> str:
        """Return the login of the seat that a player means by one, also where its account is called so only now."""

    def propose(self, login: str, head: str, title: str, time: int, *, draft: bool) -> int:
        """Open a proposal and return the number that the forge gives it."""

    def push(self, login: str, number: int, head: str, time: int) -> None:
        """Give a proposal a new head."""

    def note(
        self,
        login: str,
        number: int,
        deed: Deed,
        time: int,
        *,
        word: str = "",
        head: str | None = None,
        words: str = "",
    ) -> None:
        """Do what a player does on a proposal; a vote's `word` is for, against or none, given to `head`.

        Of a judgment, `word` is the value of a nomic_git.game.judgment.Move and `words` what is said with it.
        """
