"""The trailers by which a commit records an event, and the kinds of events that there are (design section 5)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import StrEnum

from nomic_git.law.errors import Unreadable

_TRAILER = re.compile(r"(Nomic-[A-Za-z]+): (.*)")


class EventKind(StrEnum):
    """The events that there are."""

    FOUNDED = "founded"
    PROPOSED = "proposed"
    ADOPTED = "adopted"
    DEFEATED = "defeated"
    WITHDRAWN = "withdrawn"
    JOINED = "joined"
    FORFEITED = "forfeited"
    RELAXED = "relaxed"
    PASSED = "passed"
    INVOKED = "invoked"
    ASKED = "asked"
    JUDGED = "judged"
    OVERRULED = "overruled"
    SETTLED = "settled"
    VOIDED = "voided"
    AWAY = "away"
    BACK = "back"
    SURNAMED = "surnamed"
    WON = "won"


def find_trailers(message: str) -> Mapping[str, str] | None:
    """Return the `Nomic-` trailers in the last paragraph of a commit's message, None where there are none.

    Raises Unreadable where a key is repeated.
    """
    if "Nomic-" not in message:
        return None
    found: dict[str, str] = {}
    for line in message.rstrip("\n").rpartition("\n\n")[2].split("\n"):
        trailer = _TRAILER.fullmatch(line)
        if trailer is None:
            continue
        if trailer.group(1) in found:
            raise Unreadable(f"the trailer {trailer.group(1)} is repeated")
        found[trailer.group(1)] = trailer.group(2)
    return found if "Nomic-Event" in found else None
