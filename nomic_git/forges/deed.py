"""What somebody may do on a proposal."""

from __future__ import annotations

from enum import StrEnum


class Deed(StrEnum):
    """What somebody may do on a proposal; the local forge's logs are written in these words."""

    BEGUN = "begun"
    OPENED = "opened"
    PUSHED = "pushed"
    READY = "ready"
    DRAFT = "draft"
    VOTE = "vote"
    COMMENT = "comment"
    JUDGMENT = "judgment"
    WITHDRAWN = "withdrawn"
