"""Cases: the judgments of the history, each put together from its events (212, -102; design section 8)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from nomic_git.game.event import EventKind

if TYPE_CHECKING:
    from nomic_git.game.event import Event
    from nomic_git.game.judgment import Ruling
    from nomic_git.repository.history import Recorded


class Fate(StrEnum):
    """What has become of a Judge's part in a case."""

    PENDING = "pending"
    STANDING = "standing"
    OVERRULED = "overruled"
    FINAL = "final"
    LEFT = "left"
    DROPPED = "dropped"


class End(StrEnum):
    """How a case ended: `open` has not, and `dropped` says that it was over before any end of its own."""

    OPEN = "open"
    UPHELD = "upheld"
    CONSENTED = "consented"
    EXHAUSTED = "exhausted"
    LAPSED = "lapsed"
    DROPPED = "dropped"


@dataclass(frozen=True, slots=True)
class Verdict:
    """One Judge's part: what was ruled and why, None and empty before; the rules that the reasons cite.

    `by` are the players who overruled it. `ruled` is in seconds since the epoch.
    """

    judge: str
    ruling: Ruling | None = None
    reasons: str = ""
    cites: tuple[int, ...] = ()
    ruled: int | None = None
    fate: Fate = Fate.PENDING
    by: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Case:
    """One judgment: on which proposal (the forge's number and the rulebook's), invoked by whom, with what question.

    `verdicts` are those of its Judges, in their order. `ruling` is what it ended with, None while it is open and where
    it ended without. `settled_by` are the players who made it final. `commit` is that of its invocation, `voided` that
    of the event that took the move back, None where none did. Instants are in seconds since the epoch.
    """

    proposal: int
    mover: str
    invoker: str
    question: str
    invoked: int
    commit: str
    number: int | None = None
    verdicts: tuple[Verdict, ...] = ()
    end: End = End.OPEN
    ruling: Ruling | None = None
    settled_by: tuple[str, ...] = ()
    ended: int | None = None
    voided: str | None = None

    @property
    def cites(self) -> frozenset[int]:
        """The rules that its Judges cited."""
        return frozenset(number for one in self.verdicts for number in one.cites)


@dataclass(slots=True)
class _Docket:
    """The cases as far as the events have been read, the last of which may be open."""

    cases: list[Case] = field(default_factory=list)
    numbers: dict[int, int] = field(default_factory=dict)

    def open(self) -> Case | None:
        return self.cases[-1] if self.cases and self.cases[-1].end is End.OPEN else None

    def take(self, recorded: Recorded) -> None:
        event = recorded.event
        if event.proposal is not None and event.number is not None:
            self.numbers[event.proposal] = event.number
        if event.kind is EventKind.VOIDED:
            self._void(event, recorded.commit)
            return
        case = self.open()
        if case is not None:
            self.cases[-1] = _after(case, event)
        if event.kind is EventKind.INVOKED:
            self.cases.append(_invoked(event, recorded.commit))

    def _void(self, event: Event, commit: str) -> None:
        for at in reversed(range(len(self.cases))):
            if self.cases[at].proposal == event.proposal:
                self.cases[at] = replace(self.cases[at], voided=commit)
                return

    def numbered(self) -> Iterator[Case]:
        return (replace(one, number=self.numbers.get(one.proposal, one.proposal)) for one in self.cases)


def cases(recorded: Iterable[Recorded]) -> tuple[Case, ...]:
    """Return the judgments in events that are given oldest first, in the order of their invocations."""
    found = _Docket()
    for one in recorded:
        found.take(one)
    return tuple(found.numbered())


def _invoked(event: Event, commit: str) -> Case:
    verdicts = () if event.judge is None else (Verdict(event.judge),)
    return Case(
        proposal=event.proposal or 0,
        mover=event.mover or "",
        invoker=event.player or "",
        question=event.words or "",
        invoked=event.time,
        commit=commit,
        verdicts=verdicts,
    )


_ENDS_ALL = frozenset({EventKind.FOUNDED, EventKind.WON, EventKind.INVOKED})
_RESOLVES = frozenset({EventKind.ADOPTED, EventKind.DEFEATED, EventKind.WITHDRAWN})


def _after(case: Case, event: Event) -> Case:
    """Return an open case after an event of the game."""
    if event.kind in _ENDS_ALL or (event.kind in _RESOLVES and event.proposal == case.proposal):
        return _ended(replace(case, end=End.DROPPED, ended=event.time))
    match event.kind:
        case EventKind.ASKED:
            return _with_judge(case, event.judge)
        case EventKind.JUDGED:
            verdict = Verdict(
                event.player or "", event.ruling, event.words or "", event.cites, event.time, Fate.STANDING
            )
            return _with_last(_with_judge(case, event.player), verdict)
        case EventKind.OVERRULED:
            last = replace(case.verdicts[-1], fate=Fate.OVERRULED, by=event.supporters)
            return _with_judge(_with_last(case, last), event.judge)
        case EventKind.SETTLED:
            by, ruling = event.supporters, event.ruling
            return _ended(replace(case, end=_end(case, event), ruling=ruling, settled_by=by, ended=event.time))
    return case


def _end(case: Case, event: Event) -> End:
    """Return how a settlement came about; one other player who lets a verdict stand upholds it."""
    if not event.supporters:
        return End.LAPSED if event.ruling is None else End.EXHAUSTED
    ruled = bool(case.verdicts) and case.verdicts[-1].fate is Fate.STANDING
    alone = len(event.supporters) == 1 and event.supporters[0] != event.player
    return End.UPHELD if ruled and alone else End.CONSENTED


def _with_judge(case: Case, judge: str | None) -> Case:
    """Return a case with this Judge, who takes the place of one who has not ruled."""
    last = case.verdicts[-1] if case.verdicts else None
    pending = last is not None and last.fate is Fate.PENDING
    if judge is None or (pending and last is not None and last.judge == judge):
        return case
    if pending and last is not None:
        case = _with_last(case, replace(last, fate=Fate.LEFT))
    return replace(case, verdicts=(*case.verdicts, Verdict(judge)))


def _with_last(case: Case, verdict: Verdict) -> Case:
    return replace(case, verdicts=(*case.verdicts[:-1], verdict))


def _ended(case: Case) -> Case:
    """Return a case that is over, with what that makes of the last Judge's part."""
    last = case.verdicts[-1] if case.verdicts else None
    if last is None or last.fate not in {Fate.PENDING, Fate.STANDING}:
        return case
    is_final = last.fate is Fate.STANDING and case.end in {End.UPHELD, End.CONSENTED}
    return _with_last(case, replace(last, fate=Fate.FINAL if is_final else Fate.DROPPED))
