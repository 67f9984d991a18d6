"""What the referee says of talk out of turn, where the rules forbid consulting (210)."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from nomic_git.game.consulting import consulted
from nomic_git.law.provisions import PLAYERS_CONSULTING
from nomic_git.law.reason import Reason

if TYPE_CHECKING:
    from collections.abc import Iterable

    from nomic_git.forges.forge import Submission
    from nomic_git.game.docket import Standing
    from nomic_git.game.position import Position


class Talk(StrEnum):
    """What is pointed out; a key of the message catalogue."""

    OUT_OF_TURN = "consulted-out-of-turn"


def notes(
    position: Position, standing: Standing, others: Iterable[Standing], submission: Submission
) -> tuple[Reason, ...]:
    """Return what players should be told of a proposal: what the forge has to tell, and who talked out of turn.

    `others` are the open proposals, this one among them. Nothing is blocked by talk.
    """
    said = ((one.author, one.time) for one in submission.remarks if not _is_command(one.text))
    players = consulted(position, standing, others, said)
    if not players:
        return submission.notes
    return (*submission.notes, Reason(Talk.OUT_OF_TURN, {"players": ", ".join(players)}, PLAYERS_CONSULTING.name))


def _is_command(text: str) -> bool:
    lines = [line for line in text.splitlines() if line.strip()]
    return bool(lines) and all(line.lstrip().startswith("/nomic") for line in lines)
