"""The judgment that is open as a player at the command line meets it, also before the referee has recorded it."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from nomic_git.cli.desk import now
from nomic_git.cli.paper import say
from nomic_git.law.errors import NomicError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nomic_git.cli.desk import Desk
    from nomic_git.forges.forge import Submission
    from nomic_git.game.position import Position
    from nomic_git.game.state import State
    from nomic_git.referee.sitting import Report


def foreseen(at: Desk) -> Report:
    """Return what the referee would do now: what was said before and is not in the history yet counts."""
    from nomic_git.referee.sitting import sit

    return sit(at.clone, at.forge, now(), dry_run=True)


def with_what_was_said(at: Desk, position: Position, submissions: Sequence[Submission]) -> Position:
    """Return the position with the judgment that the referee's next pass will find open.

    `submissions` are the open proposals: one that the next pass resolves before it is judged is not held yet.
    """
    state = position.state
    if not _is_pleaded(at, position, submissions):
        return position
    then = foreseen(at).position.state
    if then.judgment is None or _is_over_by_then(then.judgment.proposal, state, then):
        return position
    return replace(position, state=replace(state, judgment=then.judgment, held=then.held))


def _is_over_by_then(proposal: int, state: State, then: State) -> bool:
    return proposal in then.resolved and proposal not in state.resolved


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


def open_text(at: Desk, position: Position) -> str | None:
    """Return that judgment is open, on what, and who is to do what next, in a line; None where none is."""
    from nomic_git.referee.judgments import open_judgment

    text, question = open_judgment(position), position.state.judgment
    if text is None or question is None:
        return None
    if question != at.position.state.judgment:
        return f"{text} That is not in the history yet; {at.next_pass}."
    return _settled_text(at, question.proposal) or text


def _settled_text(at: Desk, proposal: int) -> str | None:
    """Return that the next pass settles the judgment on a proposal, None where it does not."""
    from nomic_git.game.event import EventKind
    from nomic_git.locales import told

    due = (one.event for one in foreseen(at).done)
    settled = next((one for one in due if one.kind is EventKind.SETTLED and one.proposal == proposal), None)
    return None if settled is None else f"{told(settled)}; {at.next_pass}."


def tell_open(at: Desk, position: Position) -> None:
    """Print the line on the judgment that is open, if one is."""
    text = open_text(at, position)
    if text is not None:
        say(text)


def tell_open_now(at: Desk) -> None:
    """Print the same of the game as it stands, for commands that read no proposals: of GitHub, what the history has."""
    position = at.position
    is_here = not at.is_on_github and not at.clone.repository.is_shallow
    if position.state.judgment is None and not (is_here and _is_said_here(at, position)):
        return
    from nomic_git.referee.judgments import open_judgment

    text = open_judgment(position)
    if is_here:
        # The history can be told without the git program, which what was said since cannot be read without.
        with suppress(NomicError):
            text = open_text(at, with_what_was_said(at, position, at.forge.submissions(position.state.resolved)))
    if text is not None:
        say(text)


def _is_said_here(at: Desk, position: Position) -> bool:
    """Return whether judgment can have been invoked in this clone; where nobody spoke of it, no proposal is read."""
    from nomic_git.forges.pleaded import is_pleaded

    with suppress(NomicError):
        return _can_be_judged(position) and is_pleaded(at.clone, position.state)
    return False
