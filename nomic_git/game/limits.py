"""What must hold of the rulebook that an adoption would leave (114, 209; design section 3)."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from nomic_git.law.provisions import RULES_MUTABLE_MAXIMUM, RULES_MUTABLE_MINIMUM
from nomic_git.law.reason import Reason
from nomic_git.law.rule import Status

if TYPE_CHECKING:
    from nomic_git.law.precedence import Law


class Limit(StrEnum):
    """The limits that there are; each is a key of the message catalogue."""

    TOO_FEW = "too-few-mutable-rules"
    TOO_MANY = "too-many-mutable-rules"


def broken(law: Law) -> tuple[Reason, ...]:
    """Return the limits that a rulebook breaks by its own law; the law is the one that would result."""
    mutable = len(law.rulebook.of(Status.MUTABLE))
    least, most = law.value(RULES_MUTABLE_MINIMUM), law.value(RULES_MUTABLE_MAXIMUM)
    if mutable < least:
        return (Reason(Limit.TOO_FEW, {"count": mutable, "least": least}, RULES_MUTABLE_MINIMUM.name),)
    if most is not None and mutable > most:
        facts = {"count": mutable, "most": most, "over": mutable - most}
        return (Reason(Limit.TOO_MANY, facts, RULES_MUTABLE_MAXIMUM.name),)
    return ()
