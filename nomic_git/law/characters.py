"""Which characters can be seen, by every Python alike: what is on the record must not depend on who reads it."""

from __future__ import annotations

_UNSEEN = frozenset({"Cc", "Cf", "Co", "Cs", "Zl", "Zp", "Zs"})


def is_seen(character: str) -> bool:
    """Return whether a character can be seen; the space can, and so can one that this Python does not know yet.

    For those, str.isprintable() would answer otherwise as soon as a newer Python knows them.
    """
    if character.isascii():
        return character.isprintable()
    import unicodedata  # costs start-up time, and most words that commands read are ASCII

    return unicodedata.category(character) not in _UNSEEN


def are_seen(text: str) -> bool:
    """Return whether every character of a text can be seen."""
    return all(is_seen(one) for one in text)
