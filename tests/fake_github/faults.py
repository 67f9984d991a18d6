"""What goes wrong between a program and GitHub, and what happens in the meantime."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum


class Fault(Enum):
    """How a request fails. Those with AFTER take effect first."""

    BAD_GATEWAY = "502, without effect"
    BAD_GATEWAY_AFTER = "502, after it took effect"
    TIMEOUT = "no answer, without effect"
    TIMEOUT_AFTER = "no answer, after it took effect"
    DROPPED = "the connection closed, without effect"
    DROPPED_AFTER = "the connection closed, after it took effect"
    SECONDARY_LIMIT = "403 with Retry-After, without effect"
    RATE_LIMIT = "403 with no requests remaining; for GraphQL, its own error"

    @property
    def takes_effect(self) -> bool:
        return self.name.endswith("_AFTER")


@dataclass(frozen=True, slots=True)
class Request:
    """One line of the log. `operation` is GraphQL's, `status` 0 where no answer was given.

    A push is in the log too, with the method PUSH and its refs in place of the path.
    """

    method: str
    path: str
    operation: str | None
    status: int
    account: str | None
    fault: Fault | None = None

    @property
    def writes(self) -> bool:
        return self.method not in ("GET", "PUSH") and self.path != "/graphql"


Matching = Callable[[Request], bool]


@dataclass
class Trap:
    """What is to happen at some request: `nth` counts those that match, from 1; `times` is how often, None for ever."""

    nth: int
    times: int | None
    matching: Matching
    fault: Fault | None = None
    before: Callable[[], object] | None = None
    after: Callable[[], object] | None = None
    seen: int = 0

    def springs(self, request: Request) -> bool:
        """Is this one of the requests? Counts it."""
        if not self.matching(request):
            return False
        self.seen += 1
        return self.seen >= self.nth and (self.times is None or self.seen < self.nth + self.times)


class Killed(BaseException):
    """The program is dead: no handler of errors sees it."""
