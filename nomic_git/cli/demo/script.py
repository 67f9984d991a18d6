"""What a demo is made of: acts, one after the other. The scripts are made of these, and hold no other code."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from nomic_git.cli.paper import Strong, say

if TYPE_CHECKING:
    from nomic_git.cli.demo.stage import Stage

LONGEST_GAME = 100
"""Turns after which a game that goes on until somebody wins has gone on too long."""


class Act(Protocol):
    """Something that happens on the stage."""

    def play(self, stage: Stage) -> None:
        """Let it happen, and tell it. Raises DemoFailed where it does not do what it says."""


@dataclass(frozen=True, slots=True)
class Script:
    """A game of one rulebook: its acts, and what to look at afterwards, each a command and what it shows."""

    rules: str
    acts: tuple[Act, ...]
    afterwards: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Chapter:
    """A new chapter, with what it is about."""

    title: str
    words: str = ""

    def play(self, stage: Stage) -> None:
        """Print the title under the next number, and the words."""
        stage.chapters += 1
        say()
        say(Strong(f"{stage.chapters}. {self.title}"))
        if self.words:
            say(self.words)
        say()


@dataclass(frozen=True, slots=True)
class Says:
    """What the narrator says between two commands."""

    words: str

    def play(self, stage: Stage) -> None:
        """Print the words."""
        del stage
        say(self.words)


@dataclass(frozen=True, slots=True)
class Types:
    """A command that somebody types, with words `piped` into it. What it prints is shown unless it is `silent`."""

    command: str
    silent: bool = False
    piped: str | None = None

    def play(self, stage: Stage) -> None:
        """Type it."""
        stage.types([self.command], self.piped, silent=self.silent)


def enacts(login: str, title: str, words: str, *options: str, silent: bool = False) -> Types:
    """Return how somebody proposes a new rule of few words."""
    command = shlex.join(["propose", "enact", "-", "--title", title, *options, "--as", login])
    return Types(command, silent, words)


def judges(login: str, proposal: int, move: str, *words: str, silent: bool = False) -> Types:
    """Return a move of a player about a judgment on a proposal, with a question or a ruling where it has one."""
    return Types(shlex.join(["judgment", move, str(proposal), *words, "--as", login]), silent)


@dataclass(frozen=True, slots=True)
class Votes:
    """Players vote on a proposal; the count after the last of them is shown where it is to be `counted`."""

    proposal: int
    votes: Mapping[str, str]
    counted: bool = False

    def play(self, stage: Stage) -> None:
        """Have them vote, one after the other."""
        commands = [f"vote {self.proposal} {vote} --as {login}" for login, vote in self.votes.items()]
        stage.types(commands, silent=not self.counted)


def agree(proposal: int, logins: str, *, counted: bool = False) -> Votes:
    """Return the votes of these players, with spaces between them, for a proposal."""
    return Votes(proposal, dict.fromkeys(logins.split(), "for"), counted)


REFEREE = Types("referee")


@dataclass(frozen=True, slots=True)
class Edits:
    """Somebody copies a rule's file, and in the copy replaces words by others, or adds some at its end (`old` empty).

    `told` is what is said of it where the file is not to be shown.
    """

    path: str
    name: str
    old: str
    new: str
    told: str = ""

    def play(self, stage: Stage) -> None:
        """Write the copy."""
        text = (stage.folder / self.path).read_text(encoding="utf-8")
        if self.old not in text:
            raise stage.failure(f"{self.path} does not read as the story needs it")
        text = text.replace(self.old, self.new) if self.old else text + self.new
        (stage.drawer / self.name).write_text(text, encoding="utf-8")
        if self.told:
            say(self.told)
            return
        say(f"{self.name}:")
        for line in text.rstrip("\n").split("\n"):
            say(f"    {line}")
        say()


@dataclass(frozen=True, slots=True)
class OpensByHand:
    """Somebody commits and opens, with git alone, what `nomic-git propose` would have refused."""

    login: str
    path: str
    old: str
    new: str

    def play(self, stage: Stage) -> None:
        """Commit it on a branch of its own, and open that."""
        from nomic_git.repository.drafting import Draft, commit

        at = stage.at()
        source = (stage.folder / self.path).read_bytes().replace(self.old.encode(), self.new.encode())
        address = f"{self.login}@players.invalid"
        with stage.at_next_time() as time:
            head = commit(at.clone, Draft({self.path: source}, f"Edit {self.path}"), self.login, address, time)
            at.forge.propose(self.login, head, "", time, draft=False)


@dataclass(frozen=True, slots=True)
class ThrowsAgain:
    """Somebody throws the die of the last turn again, from what `nomic-git log` tells of it (202)."""

    def play(self, stage: Stage) -> None:
        """Show the log, and then what its command prints, and what the die shows by that."""
        from nomic_git.game.die import cast, thrown
        from nomic_git.game.event import ends_turn
        from nomic_git.locales import throw_text
        from nomic_git.repository.history import events

        told = events(stage.at().clone)
        event = next((one.event for one in told if one.event.die is not None), None)
        before = next((one for one in told if ends_turn(one.event)), None)
        if event is None or before is None:
            raise stage.failure("no die was thrown")
        text = cast(before.commit, event.proposal or 0, event.ballots)
        stage.types(["log"])
        say(Strong(f"$ {throw_text(text)}"))
        say(str(thrown(before.commit, event.proposal or 0, event.ballots)))


@dataclass(frozen=True, slots=True)
class PlayOn:
    """Turn after turn until somebody has won: whoever is to move amends one rule, saying what is on the table.

    `rule` is what the rule is called by now; `served` are the words that follow each other in it, round and round.
    Whoever is the `dissenter` votes against; the others vote for.
    """

    rule: int
    title: str
    sentence: str
    served: tuple[str, ...]
    dissenter: str = ""

    def play(self, stage: Stage) -> None:
        """Play turns, one after the other. What the die shows decides how many there are."""
        rule = self.rule
        for turn in range(LONGEST_GAME):
            if stage.at().position.state.winner is not None:
                return
            rule = self._turn(stage, rule, self.served[turn % len(self.served)])
        raise stage.failure(f"nobody has won in {LONGEST_GAME} turns")

    def _turn(self, stage: Stage, rule: int, served: str) -> int:
        """Have whoever is to move take a turn, and return the number that the rule has then."""
        from nomic_git.game.turns import mover, playing_order

        position = stage.at().position
        login = mover(position) or ""
        title, words = f"{self.title}: {served}", self.sentence.format(served=served)
        command = shlex.join(["propose", "amend", str(rule), "-", "--title", title, "--as", login])
        Types(command, silent=True, piped=words).play(stage)
        proposal = stage.at().forge.last or 0
        others = [one for one in playing_order(position) if one != login]
        votes = {one: "against" if one == self.dissenter else "for" for one in others}
        Votes(proposal, votes).play(stage)
        REFEREE.play(stage)
        amended = stage.at().position.law.rulebook.named(rule)
        return rule if amended is None else amended.number


def founding(rules: str, players: Mapping[str, str]) -> Types:
    """Return the founding of a game with these players, their names by login."""
    seats = " ".join(f"--player {shlex.quote(f'{login}={name}')}" for login, name in players.items())
    return Types(f"new . --rules {rules} {seats}")


ITS_COMMITS = (Chapter("Every event is one commit, and anybody can check them all"), Types("log"), Types("audit"))
