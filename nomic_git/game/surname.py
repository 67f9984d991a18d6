"""The order of players by their surnames, as the game's language sorts them (201)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from nomic_git.game.player import Player

_SURNAME_FIRST = frozenset({"hu", "ja", "ko", "vi", "yue", "zh"})
"""The languages in which a name is written with the surname first, by their subtags."""

_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3\uf900-\ufaff\U00020000-\U0003ffff]+")
"""Kana, Han characters and Hangul, in which the parts of a name are put together without a space."""


def by_surname(surnames: Mapping[str, str], language: str) -> tuple[str, ...]:
    """Return the logins that surnames are given for, in the order of the surnames.

    `language` is a BCP 47 tag: its collation decides, with what CLDR has for it, as Á, Å and Ö stand where a
    Hungarian or a Swede looks for them, and Chinese surnames are sorted by stroke or by pinyin. A language that is
    not known, and a tag that is none, give CLDR's root collation. Equal surnames go by login, without regard to
    case. Raises NoCollation where ICU is missing.
    """
    from nomic_git.game.collation import sort_keys  # loads ICU, which only these games need

    keys = sort_keys(surnames.values(), language)
    return tuple(sorted(surnames, key=lambda login: (keys[surnames[login]], login.casefold(), login)))


def surname_of(player: Player) -> str:
    """Return what a player is sorted by: the surname, or the login where the file gives none.

    Nobody joins a game that is by surname without one, but a rule can make a game so later, and then nobody is to be
    without a turn. The login stands in and not a part of the name, since which part is the surname differs from
    language to language, and from person to person; nobody should sit where a guess has put them.
    """
    return player.surname or player.login


def spoken(surname: str, given: str, language: str) -> str:
    """Return a name as a language (a BCP 47 tag) has it: `Anna Åberg`, in Hungarian or Chinese `Kovács Anna`.

    Where both parts are in Chinese, Japanese or Korean script, no space stands between them.
    """
    if language.partition("-")[0].lower() not in _SURNAME_FIRST:
        return f"{given} {surname}"
    space = "" if _UNSPACED.fullmatch(surname + given) else " "
    return f"{surname}{space}{given}"
