"""The kinds of rule-change that there are (rule 103 of the documents, design section 3)."""

from __future__ import annotations

from enum import StrEnum


class ChangeKind(StrEnum):
    """What one proposal may do to one rule; `changes.kinds` says which of them a game has."""

    ENACT = "enact"
    AMEND = "amend"
    REPEAL = "repeal"
    TRANSMUTE = "transmute"
