"""The line on judgment for commands that read no proposals: what is open, and who does what next (212)."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from nomic_git.cli.paper import say
from nomic_git.law.errors import NomicError

if TYPE_CHECKING:
    from nomic_git.cli.desk import Desk
    from nomic_git.game.position import Position


def tell_open_now(at: Desk, position: Position) -> None:
    """Print the line on judgment, for commands that read no proposals: of GitHub, what the history has."""
    is_here = not at.is_on_github and not at.clone.repository.is_shallow
    if position.state.judgment is None and not (is_here and _is_said_here(at, position)):
        return
    from nomic_git.cli.prospect import prospect
    from nomic_git.referee.judgments import open_judgment

    text = open_judgment(position)
    if is_here:
        # The history can be told without the git program, which what was said since cannot be read without.
        with suppress(NomicError):
            text = prospect(at).text
    if text is not None:
        say(text)


def _is_said_here(at: Desk, position: Position) -> bool:
    """Return whether judgment can have been invoked in this clone; where nobody spoke of it, no proposal is read."""
    from nomic_git.forges.pleaded import is_pleaded

    with suppress(NomicError):
        return _can_be_judged(position) and is_pleaded(at.clone, position.state)
    return False


def _can_be_judged(position: Position) -> bool:
    """Return whether judgment is open, or the rules let somebody invoke it."""
    from nomic_git.law.provisions import JUDGMENT_JUDGE

    state = position.state
    return state.winner is None and (state.judgment is not None or position.law.value(JUDGMENT_JUDGE) is not None)
