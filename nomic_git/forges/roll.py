"""The roll call: which seat an account at GitHub has (design sections 2 and 11)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from nomic_git.game.player import Account, Player

GHOST = "ghost"
"""What GitHub calls a deleted account."""

BOT = "[bot]"
"""What GitHub puts after a bot's login."""


@dataclass(frozen=True, slots=True)
class Roll:
    """The seats, by login. Ids decide, not logins: a renamed account keeps its seat.

    `accounts` are those that are known by the logins that they have now.
    """

    players: Mapping[str, Player]
    accounts: Iterable[Account] = ()
    _by_id: Mapping[int, str] = field(init=False, repr=False)
    _by_login: Mapping[str, str] = field(init=False, repr=False)
    _renamed: Mapping[str, str] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        ids = {player.id: login for login, player in self.players.items() if player.id is not None}
        object.__setattr__(self, "_by_id", ids)
        object.__setattr__(self, "_by_login", {login.casefold(): login for login in self.players})
        seats = ((one.login.casefold(), self.seat(one)) for one in self.accounts)
        object.__setattr__(self, "_renamed", {login: seat for login, seat in seats if seat is not None})

    def seat(self, account: Account | None) -> str | None:
        """Return the login of the seat that a person's account has, None where it has none.

        That is the seat whose file has the account's id; by login only where the seat's file has no id.
        """
        if account is None or not account.is_person:
            return None
        if account.id is not None and account.id in self._by_id:
            return self._by_id[account.id]
        login = self._by_login.get(account.login.casefold())
        return login if login is not None and self.players[login].id is None else None

    def meant(self, login: str) -> str:
        """Return the login of the seat that a player means by one: the seat's own, else that of a renamed account's.

        Where neither is known, that is the login as it was given.
        """
        folded = login.casefold()
        return self._by_login.get(folded) or self._renamed.get(folded) or login

    def name(self, account: Account | None) -> str:
        """Return what to call an account: its seat's login, else a name that no other account's seat has.

        A bot is `login[bot]` and a deleted account `ghost`; whoever goes by the login of a seat that is another's
        is `login@id`.
        """
        seat = self.seat(account)
        if seat is not None:
            return seat
        if account is None:
            return GHOST if GHOST not in self._by_login else f"{GHOST}@deleted"
        if not account.is_person:
            return account.login if account.login.endswith(BOT) else f"{account.login}{BOT}"
        taken = account.login.casefold() in self._by_login
        return f"{account.login}@{account.id}" if taken else account.login


def same(one: Account | None, other: Account | None) -> bool:
    """Return whether two accounts are one and the same: by id, or by login where an id is not known.

    Nobody can say so of deleted ones.
    """
    if one is None or other is None:
        return False
    if one.id is not None and other.id is not None:
        return one.id == other.id
    return one.login.casefold() == other.login.casefold()
