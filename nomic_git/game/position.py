"""A position of the game: the law, the roll call and where the game stands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from nomic_git.game.player import Player
    from nomic_git.game.state import State
    from nomic_git.law.precedence import Law


@dataclass(frozen=True, slots=True)
class Position:
    """The law in force, who plays (by login) and where the game stands.

    `last` is the id of the commit of the event that ended the last turn, or founded the game, empty where nobody knows
    it; the die is thrown from it (202).
    `language` is the game's, as a BCP 47 tag: surnames are sorted as it sorts them (201).
    """

    law: Law
    players: Mapping[str, Player]
    state: State
    last: str = ""
    language: str = "en"

    def file_of(self, login: str) -> Player | None:
        """Return the player whom a file seats, by login in whatever case; None where there is no such file."""
        file = self.players.get(login)
        if file is not None:
            return file
        folded = login.casefold()
        return next((one for name, one in self.players.items() if name.casefold() == folded), None)

    def seat_of(self, account: int | None) -> str | None:
        """Return the login of the seat whose file has this account's id, None where there is none (section 2)."""
        if account is None:
            return None
        return next((login for login, player in self.players.items() if player.id == account), None)
