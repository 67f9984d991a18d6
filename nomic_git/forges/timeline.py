"""When a pull request was put to the vote, and whether its author took it back (104, 111; design section 4)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from nomic_git.forges.pull_request import Happening, Turn
from nomic_git.forges.roll import same
from nomic_git.game.proposal import Period
from nomic_git.law.reason import Reason

if TYPE_CHECKING:
    from nomic_git.forges.pull_request import PullRequest
    from nomic_git.forges.roll import Roll


class Aside(StrEnum):
    """What somebody else did to a proposal and its author alone can do; each is a key of the message catalogue."""

    CLOSED = "closed-by-another"
    REOPENED = "reopened-by-another"
    DRAFT = "made-draft-by-another"
    READY = "made-ready-by-another"
    RETARGETED = "pointed-elsewhere-by-another"


_ASIDES = {
    Turn.CLOSED: Aside.CLOSED,
    Turn.REOPENED: Aside.REOPENED,
    Turn.DRAFT: Aside.DRAFT,
    Turn.READY: Aside.READY,
    Turn.RETARGETED: Aside.RETARGETED,
}


@dataclass(frozen=True, slots=True)
class Course:
    """How a pull request fared. `ready` are the periods in which it was put to the vote, oldest first.

    `withdrawn` is when its author closed it for good, in seconds since the epoch, None where that was not done.
    `notes` tell what others did that changes nothing.
    """

    ready: tuple[Period, ...]
    withdrawn: int | None = None
    notes: tuple[Reason, ...] = ()


def course(pull: PullRequest, branch: str, roll: Roll, withdrawals: Iterable[int] = ()) -> Course:
    """Return when a pull request was open, no draft, and pointed at the game branch, by the name of that.

    Only its author ends a proposal, puts it to the vote or takes it back to debate (104, 111): nobody escapes the
    vote, or loses it, by what an owner of the repository does. Anybody may point it at the game branch. A merge by
    hand adopts nothing and ends it like a pause. `withdrawals` are when its author took it back by a command.
    """
    commands = (Happening(Turn.CLOSED, time, pull.author) for time in withdrawals)
    walk = _Walk(pull, branch, roll, _as_opened(pull))
    walk.settle(pull.created)
    for one in sorted([*pull.timeline, *commands], key=lambda one: one.time):
        walk.take(one)
    return walk.course()


@dataclass(frozen=True, slots=True)
class _State:
    is_draft: bool
    base: str
    is_open: bool = True
    is_merged: bool = False


def _as_opened(pull: PullRequest) -> _State:
    """Return how a pull request was when it was opened, which only its later turns tell."""
    drafted = next((one.turn is Turn.READY for one in pull.timeline if one.turn in {Turn.READY, Turn.DRAFT}), None)
    turns = {Turn.RETARGETED, Turn.RETARGETED_BY_GITHUB}
    base = next((one.before for one in pull.timeline if one.turn in turns), None)
    return _State(pull.is_draft if drafted is None else drafted, pull.base if base is None else base)


@dataclass(slots=True)
class _Walk:
    """One pull request's turns, taken one after another."""

    pull: PullRequest
    branch: str
    roll: Roll
    state: _State
    periods: list[Period] = field(default_factory=list)
    since: int | None = None
    withdrawn: int | None = None
    asides: dict[Turn, Reason] = field(default_factory=dict)

    def take(self, one: Happening) -> None:
        """Take one turn, or pass it over and note it."""
        after = self._after(one)
        if self.state.is_merged or after is None:
            return
        for told in _SAME_MATTER.get(one.turn, ()):
            self.asides.pop(told, None)
        if after == self.state:
            return
        if self._is_for_the_author(one):
            self.asides[one.turn] = Reason(_ASIDES[one.turn], {"login": self.roll.name(one.actor)})
            return
        if after.is_open != self.state.is_open:
            self.withdrawn = None if after.is_open else one.time
        self.state = after
        self.settle(one.time)

    def _after(self, one: Happening) -> _State | None:
        """Return what a turn would make of the state, None where it is no turn of that kind."""
        state = self.state
        return {
            Turn.CLOSED: replace(state, is_open=False),
            Turn.REOPENED: replace(state, is_open=True),
            Turn.DRAFT: replace(state, is_draft=True),
            Turn.READY: replace(state, is_draft=False),
            Turn.MERGED: replace(state, is_merged=True),
            Turn.RETARGETED: replace(state, base=one.after or ""),
            Turn.RETARGETED_BY_GITHUB: replace(state, base=one.after or ""),
        }.get(one.turn)

    def _is_for_the_author(self, one: Happening) -> bool:
        """Return whether a turn is one that only the author can make, and somebody else made it."""
        if one.turn not in _ASIDES or (one.turn is Turn.RETARGETED and one.after == self.branch):
            return False
        author = self.pull.author
        return not (same(one.actor, author) or (one.actor is None and author is None))

    def settle(self, time: int) -> None:
        """Begin or end a period where the state says so."""
        state = self.state
        is_ready = state.is_open and not state.is_draft and not state.is_merged and state.base == self.branch
        if is_ready and self.since is None:
            self.since = time
        elif not is_ready and self.since is not None:
            self.periods.append(Period(self.since, time))
            self.since = None

    def course(self) -> Course:
        """Return what it came to."""
        running = () if self.since is None else (Period(self.since),)
        return Course((*self.periods, *running), self.withdrawn, tuple(self.asides.values()))


_SAME_MATTER = {
    Turn.CLOSED: (Turn.CLOSED, Turn.REOPENED),
    Turn.REOPENED: (Turn.CLOSED, Turn.REOPENED),
    Turn.DRAFT: (Turn.DRAFT, Turn.READY),
    Turn.READY: (Turn.DRAFT, Turn.READY),
    Turn.RETARGETED: (Turn.RETARGETED,),
    Turn.RETARGETED_BY_GITHUB: (Turn.RETARGETED,),
}
"""The turns whose note is out of date once another turn of the same matter comes."""
