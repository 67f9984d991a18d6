"""What can go wrong with a clone, whatever was to be done in it."""

from __future__ import annotations

from nomic_git.law.errors import NomicError


class NotHere(NomicError):
    """There is no repository, no game or no work tree where one is needed."""


class Refused(NomicError):
    """Git refused to write: something is in the way, locked or full. `words` are all that it said."""

    def __init__(self, message: str, words: str = "") -> None:
        super().__init__(message)
        self.words = words or message


class Moved(NomicError):
    """The branch is no longer where it was when the decision was made."""
