"""The one tree of exceptions of the project: what could not be done, never what was answered "no"."""

from __future__ import annotations


class NomicError(Exception):
    """Something that could not be done, said in one line: what is wrong, and what to do about it.

    Every exception that the project raises on purpose descends from this one. The command line prints
    its text as it is and exits with 2.
    """


class Unreadable(NomicError):
    """Bytes that are not what their place in the game says they are (a rule, a player, a setting)."""
