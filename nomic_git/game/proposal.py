"""A proposal as the forge and the repository show it, before anything is decided (design section 3)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from nomic_git.law.rule_change import Improper, NoProposal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from nomic_git.game.judgment import Plea
    from nomic_git.game.player import Account
    from nomic_git.game.vote import Ballot
    from nomic_git.law.rule_change import Reading


class Stage(StrEnum):
    """How far a proposal has come; the last four are final."""

    DEBATE = "debate"
    WAITING = "waiting"
    VOTING = "voting"
    BLOCKED = "blocked"
    IMPROPER = "improper"
    ADOPTED = "adopted"
    DEFEATED = "defeated"
    WITHDRAWN = "withdrawn"
    VOIDED = "voided"


@dataclass(frozen=True, slots=True)
class Period:
    """A time during which a proposal was ready to be voted on, in seconds; `until` None while it is."""

    since: int
    until: int | None = None


@dataclass(frozen=True, slots=True)
class Earlier:
    """A head that a proposal had, what that would have changed, and until when it was the head.

    `until` is an instant in seconds since the epoch, None where nobody knows when another head took its place.
    `supposed` is a later instant until which it may have been the head, None for none: nothing is adopted on that.
    """

    head: str
    reading: Reading
    until: int | None
    supposed: int | None = None


@dataclass(frozen=True, slots=True)
class Proposal:
    """A proposal at the forge: who made it, what it would change, when it was ready, who said what.

    `forge` is the forge's number and `head` Git's id of the branch's last commit. `ready` are the periods
    in which it was open and no draft, oldest first; withdrawing ends the last one. `ballots` are all that
    were cast, in the order of time. `submitted` and `withdrawn` are instants in seconds since the epoch.
    `earlier` are the heads before this one while which another player voted, oldest first. Where the head was
    `moved`, it is not known to be the author's own, whose vote for it is then not taken for granted.
    `account` is the author's account at the forge, None where the forge has none. `pleas` are what players said about
    judgments on it, in the order of time.
    """

    forge: int
    author: str
    head: str
    reading: Reading
    submitted: int
    ready: tuple[Period, ...]
    ballots: tuple[Ballot, ...] = ()
    withdrawn: int | None = None
    earlier: tuple[Earlier, ...] = ()
    moved: bool = False
    account: Account | None = None
    pleas: tuple[Plea, ...] = ()

    def at(self, now: int) -> Proposal:
        """Return the proposal as it is at `now`, without what is dated later (a clock may be wrong)."""
        if not any(instant > now for instant in self._instants()):
            return self
        ready = tuple(
            replace(one, until=None) if one.until is not None and one.until > now else one
            for one in self.ready
            if one.since <= now
        )
        withdrawn = None if self.withdrawn is None or self.withdrawn > now else self.withdrawn
        return replace(self, ready=ready, withdrawn=withdrawn)

    def _instants(self) -> Iterator[int]:
        for period in self.ready:
            yield period.since if period.until is None else period.until
        if self.withdrawn is not None:
            yield self.withdrawn

    @property
    def is_ready(self) -> bool:
        """Whether it is open and no draft now."""
        return bool(self.ready) and self.ready[-1].until is None

    @property
    def is_by_a_person(self) -> bool:
        """Whether its author may sit: no bot, no deleted account; anybody where the forge has no accounts."""
        return self.account is None or (self.account.is_person and self.account.id is not None)

    @property
    def account_id(self) -> int | None:
        """The id of the author's account, None where the forge has no accounts or the account was deleted."""
        return None if self.account is None else self.account.id

    @property
    def text(self) -> str | None:
        """What a vote for belongs to (106); None where the head is no lawful change."""
        reading = self.reading
        return None if isinstance(reading, Improper | NoProposal) else reading.text
