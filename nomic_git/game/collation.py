"""How a language sorts words: the collation of ICU, with the tailorings of CLDR.

ICU comes with icu4py, compiled for every platform, but icu4py has no class for collators yet. So they are asked for
in ICU's own C interface (https://unicode-org.github.io/icu-docs/apidoc/released/icu4c/ucol_8h.html), which is stable:
each name in it ends in the number of the release, so that what is there is what was meant. The reasons for this
library stand in docs/design.md, "Libraries". Importing this module loads ICU; it is imported only where words are
sorted.
"""

from __future__ import annotations

import ctypes
from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from nomic_git.law.errors import NomicError

_MISSING = "sorting by surname needs the ICU that icu4py brings: pip install 'icu4py>=1.2,<2'"
_LONGEST_LOCALE = 157  # ULOC_FULLNAME_CAPACITY in uloc.h
_NORMALIZATION_MODE, _ON = 4, 17  # UCOL_NORMALIZATION_MODE and UCOL_ON in ucol.h
_ERROR = ctypes.POINTER(ctypes.c_int)
_WRITTEN = ctypes.POINTER(ctypes.c_int32)


class NoCollation(NomicError):
    """ICU is not there, or not in a form in which it can be asked."""


class _Icu:
    """The functions of ICU that are needed, with the types of their arguments. Raises NoCollation."""

    def __init__(self) -> None:
        try:
            from icu4py import icu_version_info, messageformat

            # A symbol is looked for in what a library was linked with as well: messages are formatted by the same
            # part of ICU that collates.
            self._library = ctypes.CDLL(messageformat.__file__)
            self._release = icu_version_info[0]
            text = ctypes.c_char_p
            self.locale = self._function("uloc_forLanguageTag", text, text, ctypes.c_int32, _WRITTEN, _ERROR)
            self.open = self._function("ucol_open", text, _ERROR, result=ctypes.c_void_p)
            self.set = self._function("ucol_setAttribute", ctypes.c_void_p, ctypes.c_int, ctypes.c_int, _ERROR)
            self.key = self._function("ucol_getSortKey", ctypes.c_void_p, text, ctypes.c_int32, text, ctypes.c_int32)
            self.close = self._function("ucol_close", ctypes.c_void_p, result=None)
        except (ImportError, OSError, AttributeError) as error:
            raise NoCollation(f"{_MISSING} ({error})") from None

    def _function(self, name: str, *arguments: Any, result: Any = ctypes.c_int32) -> Any:
        function = getattr(self._library, f"{name}_{self._release}")
        function.argtypes, function.restype = arguments, result
        return function


# The same players are sorted again at every look at whose turn it is.
@lru_cache(maxsize=64)
def sort_keys(words: tuple[str, ...], language: str) -> Mapping[str, bytes]:
    """Return for each word the bytes by which it is sorted in a language, a BCP 47 tag.

    Words that differ in nothing that the language looks at have the same key. A language that ICU does not know, and
    a tag that is none, give CLDR's root collation; what the machine is set to is never asked. Raises NoCollation
    where ICU is missing.
    """
    icu = _icu()
    collator = _open(icu, language)
    try:
        return MappingProxyType({word: _key(icu, collator, word) for word in words})
    finally:
        icu.close(collator)


@lru_cache(maxsize=1)
def _icu() -> _Icu:
    return _Icu()


def _open(icu: _Icu, language: str) -> ctypes.c_void_p:
    locale = ctypes.create_string_buffer(_LONGEST_LOCALE)
    status = ctypes.c_int(0)
    icu.locale(language.encode("ascii", "replace"), locale, _LONGEST_LOCALE, None, status)
    for name in (locale.value if status.value <= 0 else b"", b""):
        status = ctypes.c_int(0)
        collator: ctypes.c_void_p | None = icu.open(name, status)
        if collator and status.value <= 0:
            # The same letters written with other code points, an A with a ring after it for an Å, are the same.
            icu.set(collator, _NORMALIZATION_MODE, _ON, status)
            return collator
    raise NoCollation(f"{_MISSING} (its root collation cannot be opened: error {status.value})")


def _key(icu: _Icu, collator: ctypes.c_void_p, word: str) -> bytes:
    units = word.encode("utf-16", "surrogatepass")[2:]  # in the machine's order of bytes, which the first two tell
    length = icu.key(collator, units, len(units) // 2, None, 0)
    key = ctypes.create_string_buffer(length)
    icu.key(collator, units, len(units) // 2, key, length)
    return key.raw
