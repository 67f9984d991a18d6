"""What every command needs: where the game is, what time it is, and who is acting."""

from __future__ import annotations

import os
import re
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from nomic_git.cli.paper import complain
from nomic_git.cli.runner import defused
from nomic_git.law.errors import NomicError
from nomic_git.law.number import read_number

if TYPE_CHECKING:
    from nomic_git.forges.forge import Table
    from nomic_git.forges.github_table import GitHubTable
    from nomic_git.game.player import Account
    from nomic_git.game.position import Position
    from nomic_git.repository.clone import Clone


class Misunderstood(NomicError):
    """A call that names somebody or something that is not there."""


@dataclass(slots=True)
class Desk:
    """The folder that `-C` names, and the clone that it is in, opened when first asked for."""

    folder: Path = field(default_factory=Path)
    _clone: Clone | None = None
    _forge: Table | None = None
    _github: GitHubTable | None = None

    @property
    def clone(self) -> Clone:
        """The clone of the game. Raises NotHere where there is none."""
        if self._clone is None:
            from nomic_git.repository.clone import open_clone

            self._clone = open_clone(self.folder)
        return self._clone

    @property
    def position(self) -> Position:
        """Where the game stands at the tip of the game branch."""
        from nomic_git.repository.position import position_at

        return position_at(self.clone.trees, self.clone.tip.tree_id.raw)

    @property
    def is_on_github(self) -> bool:
        """Whether the game's proposals are pull requests at GitHub."""
        return self.clone.settings.forge == "github"

    @property
    def forge(self) -> Table:
        """The game's forge, the same throughout a command. Raises ForgeError where there is no way to it."""
        if self._forge is None:
            self._forge = self.github or self._local()
        return self._forge

    def _local(self) -> Table:
        from nomic_git.forges.local import LocalForge

        return LocalForge(self.clone)

    @property
    def github(self) -> GitHubTable | None:
        """The forge of a game at GitHub, None where the game is not there."""
        if self._github is None and self.is_on_github:
            from nomic_git.forges.github_table import github_table

            self._github = github_table(self.clone)
        return self._github

    @property
    def next_pass(self) -> str:
        """Who makes the referee's next pass, for players to be told."""
        if self.is_on_github:
            return "the referee's workflow sees to it within minutes"
        return "the referee's next pass carries it out (nomic-git referee)"

    @property
    def next_record(self) -> str:
        """Who brings what players have said into the history, for players to be told."""
        return self.next_pass.replace("carries it out", "records it")

    def look(self, *, to_write: bool = False) -> None:
        """Bring what GitHub has, which is nowhere else. A local game is as this clone has it, until it is synced.

        Raises Misunderstood where somebody is `to_write` in a fork in which nobody plays, and has not said that it is
        to be the fork.
        """
        if self.github is None:
            return
        self.github.fetch()
        hint = self.github.hint
        if hint is not None and to_write and not os.environ.get("GITHUB_REPOSITORY"):
            here = self.github.connection.repository
            raise Misunderstood(f"{hint}; to play in the fork itself: export GITHUB_REPOSITORY={here}")
        for trouble in (*self.github.troubles, *filter(None, [hint])):
            complain(defused(trouble))

    def called(self, named: str | None) -> str | None:
        """Return the login in this game of the one whom the forge takes the user for, None where it knows nobody.

        Raises Misunderstood where `--as` names somebody else.
        """
        account = self.forge.me()
        if account is None:
            return None
        name = self._name(account)
        if named is not None and as_typed(named).casefold() not in {name.casefold(), account.login.casefold()}:
            raise Misunderstood(
                f"GitHub knows you as {account.login}, and nobody can act for {as_typed(named)} there; leave out --as"
            )
        return name

    def _name(self, account: Account) -> str:
        from nomic_git.forges.roll import Roll

        return Roll(self.position.players).name(account)

    def who(self, named: str | None) -> str:
        """Return the login of the player who acts: the one named, or whose file has the user's e-mail.

        At GitHub, that is the player whose file has the id of the user's account, or else its login. Raises
        Misunderstood where there is no such player.
        """
        position, called = self.position, self.called(named)
        if called is not None or named is not None:
            name = called if called is not None else as_typed(named or "").strip()
            seat = position.state.seat(name)
            if seat is None:
                self._refuse_who_waits(name)
                players = ", ".join(one.login for one in position.state.seats) or "nobody yet"
                whom = name or "nobody (an empty name)"
                raise Misunderstood(f"{whom} is not a player here; players are: {players}. To join: nomic-git join")
            return seat.login
        email = self.email()
        match = [one.login for one in position.players.values() if one.email and one.email.lower() == email.lower()]
        if len(match) != 1 or not email:
            whose = "more than one player has" if len(match) > 1 else "no player's file has"
            raise Misunderstood(
                f"{whose} the e-mail of git config user.email ({email or 'not set'}); say who acts: --as LOGIN"
            )
        return match[0]

    def _refuse_who_waits(self, name: str) -> None:
        """Raise Misunderstood for somebody without a seat who has asked for one and waits for it."""
        from nomic_git.cli.docket import asked

        waits = asked(self, name, "join")
        if waits is not None:
            raise Misunderstood(
                f"{name} is not a player yet: the request to join waits, proposal {waits}; "
                f"nomic-git tally {waits} tells for what"
            )

    def now(self) -> int:
        """Return the present in seconds since the epoch, by GitHub's clock where that is what votes go by."""
        time = self.github.time if self.github is not None else None
        return now() if time is None else time

    def email(self) -> str:
        """Return the e-mail of `git config user.email`, empty where none is set."""
        config = self.clone.repository.config
        found = config["user.email"] if "user.email" in config else None  # noqa: SIM401 - it has no get
        return found or ""


def desk(context: typer.Context) -> Desk:
    """Return the desk of a command's context."""
    found = context.find_object(Desk)
    assert found is not None, "the callback of the program lays the desk"
    return found


def reading(context: typer.Context) -> Desk:
    """Return the desk for a command that reads proposals. Raises NotHere in a clone that is shallow."""
    at = desk(context)
    at.clone.needs_history()
    at.look()
    return at


def writing(context: typer.Context) -> Desk:
    """Return the desk for a command that writes. Raises NotHere in a clone that is bare, shallow or detached."""
    at = keeping(context)
    at.look(to_write=True)
    return at


def keeping(context: typer.Context) -> Desk:
    """Return the desk for a command that brings this clone up to date itself. Raises NotHere as `writing` does."""
    at = desk(context)
    at.clone.needs_work_tree().needs_history()
    return at


def now() -> int:
    """Return the present in seconds since the epoch: GIT_COMMITTER_DATE where it is set, as in Git.

    Raises Misunderstood where that is no date, or one that no event can have.
    """
    given = os.environ.get("GIT_COMMITTER_DATE")
    if not given:
        return int(time.time())
    from nomic_git.game.instant import LATEST

    seconds = _seconds(given)
    if not 0 <= seconds <= LATEST:
        raise Misunderstood(f"GIT_COMMITTER_DATE is {given!r}; a game is played between the years 1970 and 9999")
    return seconds


def outwait(instant: int) -> None:
    """Return once an instant, in seconds since the epoch, is past, if it is in this very second; else at once.

    Where GIT_COMMITTER_DATE is set no time goes by.
    """
    if not os.environ.get("GIT_COMMITTER_DATE") and int(time.time()) == instant:
        time.sleep(max(0, instant + 1 - time.time()))


def _seconds(given: str) -> int:
    seconds = re.fullmatch(r"@?(\d{1,12})(?: [+-]\d{4})?", given, re.ASCII)
    if seconds:
        return int(seconds.group(1))
    from datetime import UTC, datetime

    try:
        moment = datetime.fromisoformat(given)
    except ValueError:
        raise Misunderstood(f"GIT_COMMITTER_DATE is {given!r}, which is no date such as 2026-11-21T10:00:00Z") from None
    return int((moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp())


MINUS = "\N{MINUS SIGN}"
"""Stands for the hyphen of a negative number on the command line, where a hyphen would begin an option."""


def as_typed(text: str) -> str:
    """Return an argument as the user typed it, with the hyphen in place of the stand-in."""
    return "-" + text[1:] if text[:1] == MINUS else text


def a_rule(text: str) -> int:
    """Return the number of a rule that an argument gives."""
    return _number(text, "203 or -110")


def a_proposal(text: str) -> int:
    """Return the number of a proposal that an argument gives."""
    return _number(text, "7")


def _number(text: str, such: str) -> int:
    number = read_number(as_typed(text).removeprefix("#"))
    if number is None:
        raise typer.BadParameter(f"{as_typed(text)!r} is not a number such as {such}")
    return number


def a_round(text: str) -> int:
    """Return the number of a round that an option gives."""
    return _number(text, "1 or 2")


RuleNumber = Annotated[
    int, typer.Argument(metavar="N", parser=a_rule, help="The number of a rule, such as 203 or -110.")
]
ProposalNumber = Annotated[int, typer.Argument(metavar="P", parser=a_proposal, help="The number of a proposal.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else.")]
InRound = Annotated[
    int | None,
    typer.Option("--round", metavar="N", parser=a_round, help="Of this round alone: 1 is the first game, 2 the next."),
]
AsPlayer = Annotated[
    str | None,
    typer.Option(
        "--as",
        metavar="LOGIN",
        help="Act for this player; else whose file has git's user.email, or at GitHub your account.",
    ),
]


def plain_instant(seconds: int) -> str:
    """Return an instant as it stands in JSON."""
    from nomic_git.game.instant import write_instant

    return write_instant(seconds)


def as_text(value: Any) -> str:
    """Return a value for a column of a table: nothing for None."""
    return "" if value is None else str(value)
