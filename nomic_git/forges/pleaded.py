"""Whether anybody said anything about a judgment on the local forge, found without reading what else was done there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nomic_git.forges.deed import Deed
from nomic_git.forges.log import read_log
from nomic_git.forges.refs import look_up, scan
from nomic_git.law.errors import Unreadable

if TYPE_CHECKING:
    from nomic_git.game.state import State
    from nomic_git.repository.clone import Clone


def is_pleaded(clone: Clone, state: State) -> bool:
    """Return whether somebody has, on what is open or on the proposal whose turn ended last, be they a player or not.

    Only then can judgment come of it (212). What cannot be read may say it. Raises Refused where git fails.
    """
    last = () if state.lately is None else (state.lately.proposal,)
    every = [*dict(scan(clone, state.resolved)).values(), *look_up(clone, last).values()]
    logs = {id_ for refs in every for log in refs.logs.values() for id_ in (log.here, log.there) if id_ is not None}
    return any(_speaks_of_judgment(clone, id_) for id_ in logs)


def _speaks_of_judgment(clone: Clone, log: str) -> bool:
    try:
        return any(entry.deed is Deed.JUDGMENT for entry in read_log(clone.repository, log, with_words=False))
    except Unreadable:
        return True
