"""The order of players by their surnames, as the game's language sorts them (201)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from nomic_git.law.provisions import TURNS_ORDER, TurnOrder

if TYPE_CHECKING:
    from nomic_git.game.player import Player
    from nomic_git.game.position import Position
    from nomic_git.game.state import Seat
    from nomic_git.law.precedence import Law

_SURNAME_FIRST = frozenset({"hu", "ja", "ko", "vi", "yue", "zh"})
"""The languages in which a name is written with the surname first, by their subtags."""

_UNSPACED = r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3\uf900-\ufaff\U00020000-\U0003ffff]+"
"""Kana, Han characters and Hangul, in which the parts of a name are put together without a space."""


def by_surname(surnames: Mapping[str, str], language: str) -> tuple[str, ...]:
    """Return the logins that surnames are given for, in the order of the surnames.

    `language` is a BCP 47 tag: its collation decides, with what CLDR has for it, as Á, Å and Ö stand where a
    Hungarian or a Swede looks for them, and Chinese surnames are sorted by stroke or by pinyin. A language that is
    not known, and a tag that is none, give CLDR's root collation. Equal surnames go by login, without regard to
    case. Raises NoCollation where ICU is missing.
    """
    from nomic_git.game.collation import sort_keys  # loads ICU, which only these games need

    keys = sort_keys(tuple(surnames.values()), language)
    return tuple(sorted(surnames, key=lambda login: (keys[surnames[login]], login.casefold(), login)))


def is_by_surname(law: Law) -> bool:
    """Return whether turns go by surname (201)."""
    return law.value(TURNS_ORDER) is TurnOrder.BY_SURNAME


def seats_by_surname(position: Position) -> tuple[Seat, ...]:
    """Return the seats in the order of the surnames of who sits there (201). Raises NoCollation."""
    seats = {seat.login: seat for seat in position.state.seats}
    players = {login: position.file_of(login) for login in seats}
    surnames = {login: login if player is None else surname_of(player) for login, player in players.items()}
    return tuple(seats[login] for login in by_surname(surnames, position.language))


def surname_of(player: Player) -> str:
    """Return what a player is sorted by: the surname, or the login where the file gives none.

    Nobody joins a game that is by surname without one, but a rule can make a game so later, and then nobody is to be
    without a turn. The login stands in and not a part of the name, since which part is the surname differs from
    language to language, and from person to person; nobody should sit where a guess has put them.
    """
    return player.surname or player.login


def by_login(position: Position) -> tuple[str, ...]:
    """Return the players whose login stands in for the surname that their files do not give, in the order of joining.

    Nobody where turns do not go by surname.
    """
    if not is_by_surname(position.law):
        return ()
    files = ((seat, position.file_of(seat.login)) for seat in position.state.seats)
    return tuple(seat.login for seat, file in files if file is None or file.surname is None)


def read_name(text: str, language: str) -> tuple[str, str | None]:
    """Return the name and the surname that somebody wrote: `Åberg, Anna` has both, `Anna Åberg` is a name alone.

    The name comes out as the language has it. Of a name with several commas nobody can say where it is to be
    parted, and somebody who has one name only writes `Sukarno,`.
    """
    surname, comma, given = (part.strip() for part in text.partition(","))
    if not comma or not surname or "," in given:
        return text.strip(), None
    return (spoken(surname, given, language) if given else surname), surname


def spoken(surname: str, given: str, language: str) -> str:
    """Return a name as a language (a BCP 47 tag) has it: `Anna Åberg`, in Hungarian or Chinese `Kovács Anna`.

    Where both parts are in Chinese, Japanese or Korean script, no space stands between them.
    """
    if language.partition("-")[0].lower() not in _SURNAME_FIRST:
        return f"{given} {surname}"
    space = "" if re.fullmatch(_UNSPACED, surname + given) else " "
    return f"{surname}{space}{given}"
