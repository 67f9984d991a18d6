"""A player, and the file that seats the player (design section 2, "A player file")."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from nomic_git.law import front_matter
from nomic_git.law.errors import Unreadable
from nomic_git.law.player_file import AWAY, SURNAME, read_away
from nomic_git.law.values import CONTROL, shown

if TYPE_CHECKING:
    from nomic_git.law.plain import Plain

_LOGIN = re.compile(r"[A-Za-z0-9_-]{1,100}", re.ASCII)
_ADDRESS = re.compile(r"[^\s@]+@[^\s@]+")
_KEYS = ("name", SURNAME, "id", "email", "team", AWAY)
_LONGEST = 200


@dataclass(frozen=True, slots=True)
class Player:
    """A player's file. `id` is the forge's numeric id; where it is known, it counts and not the login."""

    login: str
    source: bytes
    name: str | None = None
    surname: str | None = None
    id: int | None = None
    email: str | None = None
    team: str | None = None
    away: bool = False

    @property
    def called(self) -> str:
        """What to call the player: the name, or the login where there is none."""
        return self.name or self.login


@dataclass(frozen=True, slots=True)
class Account:
    """An account at a forge: its login now, its numeric id, which stays, and whether it is a person's.

    `id` is None for one that was deleted.
    """

    login: str
    id: int | None
    is_person: bool


def is_login(text: str) -> bool:
    """Return whether `text` can be a login: letters, digits, `_` and `-` of ASCII, at most a hundred."""
    return _LOGIN.fullmatch(text) is not None


def is_address(text: str) -> bool:
    """Return whether `text` can be an e-mail by which a player is known."""
    return _ADDRESS.fullmatch(text) is not None


def player_path(login: str) -> str:
    """Return where in the game's tree the file of a player stands."""
    return f"players/{login}.md"


def read_player_path(path: str) -> str | None:
    """Return the login that a path names, or None where it is no player's path."""
    login = path.removeprefix("players/").removesuffix(".md")
    return login if path == player_path(login) and is_login(login) else None


def read_player(login: str, source: bytes) -> Player:
    """Return the player that a file's bytes seat. Raises Unreadable with what is wrong in it."""
    if not is_login(login):
        raise Unreadable(f"{login!r} can be no login: letters A to Z, digits, _ and - only")
    matter = {key: entry.value for key, entry in front_matter.entries(front_matter.split(source)).items()}
    unknown = [key for key in matter if key not in _KEYS]
    if unknown:
        raise Unreadable(f"the key {shown(unknown[0])} is not one that a player has: {', '.join(_KEYS)}")
    return Player(
        login=login,
        source=source,
        name=_line("name", matter.get("name")),
        surname=_line("surname", matter.get("surname")),
        id=_id(matter.get("id")),
        email=_line("email", matter.get("email")),
        team=_line("team", matter.get("team")),
        away=read_away(matter.get(AWAY)),
    )


def seated_player(login: str, source: bytes, account: int | None) -> Player:
    """Return the player whom a request seats: its file, with the id of the account in it (design section 2).

    The id is the referee's to write: one that the file names gives way to it. Where the forge has no accounts,
    `account` is None and the file stays as it is. Raises Unreadable with what is wrong in the file; nobody joins to be
    away, since that is for players to say while the law allows it.
    """
    player = read_player(login, source)
    if player.away:
        raise Unreadable("a newcomer is not away; take `away` out")
    if account is None or player.id == account:
        return player
    document = front_matter.written(front_matter.split(source), "id", account, after=("name", "surname"))
    return read_player(login, document.source)


def absent(player: Player, *, away: bool) -> Player:
    """Return the player with a file that says whether they are away, and is otherwise what it was.

    Raises Unreadable where that line cannot be rewritten.
    """
    document = front_matter.split(player.source)
    keys = [key for key in reversed(_KEYS) if key != AWAY]
    return read_player(player.login, front_matter.written(document, AWAY, away or None, after=keys).source)


def surnamed(player: Player, surname: str) -> Player:
    """Return the player with a file that gives this surname, and is otherwise what it was.

    Raises Unreadable where it is none, or that line cannot be written.
    """
    document = front_matter.split(player.source)
    return read_player(player.login, front_matter.written(document, SURNAME, surname, after=("name",)).source)


def _line(key: str, value: Plain | None) -> str | None:
    if isinstance(value, int) and not isinstance(value, bool):
        value = str(value)
    if value is None:
        return None
    if not isinstance(value, str) or CONTROL.search(value) or not 0 < len(value.strip()) <= _LONGEST:
        raise Unreadable(
            f"{key} is to be one line of text, not empty, at most {_LONGEST} characters, no control characters"
        )
    return value.strip()


def _id(value: Plain | None) -> int | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int) or value <= 0:
        raise Unreadable("id is to be the number of the account at the forge")
    return value


def write_player(
    login: str,
    *,
    name: str | None = None,
    surname: str | None = None,
    id: int | None = None,  # noqa: A002 - as the key is called in the file
    email: str | None = None,
    team: str | None = None,
) -> Player:
    """Return the player whose file has these lines and no words yet. Raises Unreadable for a bad login or id."""
    document = front_matter.split(b"")
    given: dict[str, Plain | None] = {"name": name, "surname": surname, "id": id, "email": email, "team": team}
    for key, value in reversed([(key, value) for key, value in given.items() if value]):
        document = front_matter.written(document, key, value)
    return read_player(login, document.source)
