"""Why the answer is "no": a value that says what, of what, and on which provision it rests."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum


@dataclass(frozen=True, slots=True)
class Reason:
    """One reason of a "no".

    `what` is the key of the sentence in the message catalogue and `facts` fills it in. `rests_on` is the
    key of the provision whose rule asks for this; the law says which rule that is at the moment. None
    where it is nomic-git itself that asks.
    """

    what: StrEnum
    facts: Mapping[str, str | int] = field(default_factory=dict)
    rests_on: str | None = None
