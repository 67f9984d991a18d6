"""Teams: who plays together (210, 212), as the players' own files say."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from nomic_git.game.position import Position


def teams(position: Position) -> Mapping[str, str]:
    """Return the team of each player who has one, by the login of the seat.

    Names of teams are compared as words are: without regard to case, or to how a letter is composed.
    """
    seated = ((seat.login, position.file_of(seat.login)) for seat in position.state.seats)
    return {login: _folded(player.team) for login, player in seated if player is not None and player.team}


def are_team_mates(position: Position, one: str, other: str) -> bool:
    """Return whether two players, by login in whatever case, are of one team; nobody is one's own team-mate."""
    by_login = {login.casefold(): team for login, team in teams(position).items()}
    first, second = one.casefold(), other.casefold()
    return first != second and first in by_login and by_login[first] == by_login.get(second)


def _folded(team: str) -> str:
    return unicodedata.normalize("NFKC", " ".join(team.split())).casefold()
