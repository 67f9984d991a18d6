"""The judgment that is open as a player at the command line meets it, also before the referee has recorded it."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from nomic_git.cli.desk import now
from nomic_git.cli.paper import say
from nomic_git.law.errors import NomicError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nomic_git.cli.desk import Desk
    from nomic_git.forges.forge import Submission
    from nomic_git.game.event import Event
    from nomic_git.game.position import Position
    from nomic_git.referee.sitting import Report


@dataclass(frozen=True, slots=True)
class Prospect:
    """Where the game stands, with what the referee's next pass will find out about judgments.

    `text` says in a line that judgment is open on `proposal`, by the forge's number, and who is to do what next, or
    that the next pass settles it; both are None where there is neither. `due` are the events of that pass, oldest
    first, where they are about a judgment that is open then, or settled.
    """

    position: Position
    proposal: int | None = None
    text: str | None = None
    due: tuple[Event, ...] = ()


def foreseen(at: Desk) -> Report:
    """Return what the referee would do now: what was said before and is not in the history yet counts."""
    from nomic_git.referee.sitting import sit

    return sit(at.clone, at.forge, now(), dry_run=True)


def prospect(at: Desk, submissions: Sequence[Submission]) -> Prospect:
    """Return where the game stands, and what is to be told of judgment; `submissions` are the open proposals.

    Where something was said of one, that is as a pass would find it. What a pass would resolve before it is judged, or
    once that is over, is held by nothing, and can be told as decided.
    """
    position = at.position
    if not _is_pleaded(at, position, submissions):
        return _open(position)
    report, state = foreseen(at), position.state
    then = report.position.state
    judged = then.judgment
    is_over = judged is not None and judged.proposal in then.resolved and judged.proposal not in state.resolved
    held = replace(state, judgment=None if is_over else judged, held=then.held, struck=then.struck)
    there = replace(position, state=held)
    due = () if is_over else tuple(one.event for one in report.done)
    if judged is None:
        return replace(_settled(at, report, there), due=due)
    told = _open(report.position)
    if judged != state.judgment and told.text is not None:
        told = replace(told, text=f"{told.text} That is not in the history yet; {at.next_pass}.")
    return replace(told, position=there, due=due)


def _open(position: Position) -> Prospect:
    from nomic_git.referee.judgments import open_judgment

    text, judged = open_judgment(position), position.state.judgment
    return Prospect(position) if text is None or judged is None else Prospect(position, judged.proposal, text)


def _settled(at: Desk, report: Report, position: Position) -> Prospect:
    """Return the position with what is to be told of a judgment that the next pass settles, if it settles one."""
    from nomic_git.game.event import EventKind
    from nomic_git.locales import told

    settled = next((one.event for one in reversed(report.done) if one.event.kind is EventKind.SETTLED), None)
    if settled is None:
        return Prospect(position)
    return Prospect(position, settled.proposal, f"{told(settled)}; {at.next_pass}.")


def _is_pleaded(at: Desk, position: Position, submissions: Sequence[Submission]) -> bool:
    """Return whether anybody said what judgment could come of; GitHub is not asked for what is over."""
    state = position.state
    if not _can_be_judged(position):
        return False
    last = None if at.is_on_github or state.lately is None else at.forge.submission(state.lately.proposal)
    return any(one.pleas for one in submissions) or (last is not None and bool(last.pleas))


def _can_be_judged(position: Position) -> bool:
    """Return whether judgment is open, or the rules let somebody invoke it."""
    from nomic_git.law.provisions import JUDGMENT_JUDGE

    state = position.state
    return state.winner is None and (state.judgment is not None or position.law.value(JUDGMENT_JUDGE) is not None)


def tell_open_now(at: Desk, position: Position) -> None:
    """Print the line on judgment, for commands that read no proposals: of GitHub, what the history has."""
    is_here = not at.is_on_github and not at.clone.repository.is_shallow
    if position.state.judgment is None and not (is_here and _is_said_here(at, position)):
        return
    found = _open(position)
    if is_here:
        # The history can be told without the git program, which what was said since cannot be read without.
        with suppress(NomicError):
            found = prospect(at, at.forge.submissions(position.state.resolved))
    if found.text is not None:
        say(found.text)


def _is_said_here(at: Desk, position: Position) -> bool:
    """Return whether judgment can have been invoked in this clone; where nobody spoke of it, no proposal is read."""
    from nomic_git.forges.pleaded import is_pleaded

    with suppress(NomicError):
        return _can_be_judged(position) and is_pleaded(at.clone, position.state)
    return False
