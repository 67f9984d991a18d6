"""Where the game stands as a player at the command line meets it, with what the referee's next pass will make of it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from nomic_git.cli.desk import now

if TYPE_CHECKING:
    from collections.abc import Iterator

    from nomic_git.cli.desk import Desk
    from nomic_git.game.docket import Standing
    from nomic_git.game.event import Event
    from nomic_git.game.position import Position
    from nomic_git.referee.sitting import Report


@dataclass(frozen=True, slots=True)
class Matter:
    """A proposal that the history has not resolved, where it stands, and the position that it is to be told by.

    What the next pass resolves stands as it does just before that; `is_due` says so.
    """

    standing: Standing
    title: str
    position: Position
    is_due: bool = False


@dataclass(frozen=True, slots=True)
class Prospect:
    """Where the game stands with what the referee's next pass will find out, which is nothing where nothing is due.

    `position` is the one that the pass leads to, `matters` are the proposals that are open now, by number, and `due`
    the events of the pass, oldest first. `text` says in a line that judgment is open on `proposal`, by the forge's
    number, and who is to do what next, or that the next pass settles it; both are None where there is neither.
    """

    position: Position
    matters: tuple[Matter, ...]
    due: tuple[Event, ...]
    proposal: int | None = None
    text: str | None = None

    @property
    def standings(self) -> tuple[Standing, ...]:
        """Where each proposal stands that is open now, by number."""
        return tuple(one.standing for one in self.matters)

    def matter(self, proposal: int) -> Matter | None:
        """Return an open proposal by the forge's number, None where none is open of that number."""
        return next((one for one in self.matters if one.standing.proposal.forge == proposal), None)


def foreseen(at: Desk) -> Report:
    """Return what the referee would decide now: all that players did and the history does not have yet counts."""
    from nomic_git.referee.sitting import foresee

    return foresee(at.clone, at.forge, now())


def prospect(at: Desk) -> Prospect:
    """Return where the game stands as a pass would find it now, and each open proposal as it would count it.

    What it would resolve is told as it stands when that happens: decided by the votes in time, and by no later ones.
    """
    report = foreseen(at)
    matters = [*_resolved(report), *(_open(report, one) for one in report.standings)]
    return Prospect(
        report.position,
        tuple(sorted(matters, key=lambda one: one.standing.proposal.forge)),
        tuple(one.event for one in report.done),
        *_judgment(at, report),
    )


def _open(report: Report, standing: Standing) -> Matter:
    return Matter(standing, report.titles.get(standing.proposal.forge, ""), report.position)


def _resolved(report: Report) -> Iterator[Matter]:
    """Yield the proposals that the pass would resolve."""
    from nomic_git.game.event import OF_JUDGMENT, EventKind
    from nomic_git.game.proposal import Stage

    for one in report.done:
        standing = one.standing
        number = None if standing is None else standing.proposal.forge
        if standing is None or number is None or one.event.kind in {EventKind.PROPOSED, *OF_JUDGMENT}:
            continue
        if one.event.kind is EventKind.WITHDRAWN:
            standing = replace(standing, stage=Stage.WITHDRAWN)
        yield Matter(standing, report.titles.get(number, ""), one.before, is_due=True)


def _judgment(at: Desk, report: Report) -> tuple[int | None, str | None]:
    """Return the proposal on which judgment is open once the pass is made, or which it settles, and what to tell."""
    from nomic_git.game.event import EventKind
    from nomic_git.locales import told
    from nomic_git.referee.judgments import open_judgment

    text, judged = open_judgment(report.position), report.position.state.judgment
    if text is not None and judged is not None:
        is_recorded = judged == at.position.state.judgment
        return judged.proposal, text if is_recorded else f"{text} That is not in the history yet; {at.next_record}."
    settled = next((one.event for one in reversed(report.done) if one.event.kind is EventKind.SETTLED), None)
    return (None, None) if settled is None else (settled.proposal, f"{told(settled)}; {at.next_record}.")
