"""The remote of a local game: one's own refs sent to it, everybody's brought from it (design section 11).

Transport is the git binary, which knows credentials and locks. Nothing is ever forced at the remote.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pygit2

from nomic_git.forges.forge import ForgeError
from nomic_git.forges.refs import HERE, fetched
from nomic_git.repository.clone import Refused

if TYPE_CHECKING:
    from nomic_git.repository.clone import Clone

_OTHERS_WERE_FIRST = re.compile(
    r"! \[rejected\]"
    r"|! \[remote rejected\][^!]*\((?:failed to update ref|cannot lock ref|incorrect old value|reference already"
    r"|fetch first|non-fast-forward|atomic)",
)


class Rejected(ForgeError):
    """The remote has something else at a ref than was taken for granted: somebody was first."""


@dataclass(slots=True)
class Remote:
    """The remote that the game branch of a clone follows. `requests` counts the calls made to it."""

    clone: Clone
    name: str
    requests: int = 0

    @property
    def branch(self) -> str:
        """Where the game branch stands as it was fetched."""
        return f"refs/remotes/{self.name}/{self.clone.settings.branch}"

    def fetch(self, *, branch: bool) -> None:
        """Bring the refs of all proposals into this clone, and the game branch. Raises ForgeError."""
        specs = [f"+{HERE}*:{fetched(self.name, HERE)}*"]
        if branch:
            specs.append(f"+{self.clone.branch}:{self.branch}")
        self.requests += 1
        try:
            self.clone.git("fetch", "-q", "--no-tags", "--no-recurse-submodules", self.name, *specs)
        except Refused as error:
            raise ForgeError(
                f"nothing could be fetched from {self.name}; see: git fetch {self.name} ({error})"
            ) from None

    def send(self, refs: Mapping[str, str], *, new: str | None = None) -> None:
        """Push ids to refs, all or none, as fast-forwards. The ref `new` is to be one that the remote lacks.

        Raises Rejected where somebody was first, ForgeError where the remote cannot be reached or refuses.
        """
        lease = [f"--force-with-lease={new}:"] if new is not None else []
        self.requests += 1
        try:
            self.clone.git(
                "push", "-q", "--atomic", *lease, self.name, *[f"{id_}:{name}" for name, id_ in refs.items()]
            )
        except Refused as error:
            if _OTHERS_WERE_FIRST.search(str(error)):
                raise Rejected(f"{self.name} has moved on meanwhile: {error}") from None
            what = "refuses it" if "[remote rejected]" in str(error) else "cannot be reached"
            raise ForgeError(f"{self.name} {what} ({error})") from None
        self._note(refs)

    def _note(self, refs: Mapping[str, str]) -> None:
        """Remember what the remote now has, as a fetch would."""
        for name, id_ in refs.items():
            there = self.branch if name == self.clone.branch else fetched(self.name, name)
            self.clone.repository.references.create(there, pygit2.Oid(hex=id_), force=True)

    def has(self, name: str) -> bool:
        """Return whether the remote has a ref. Raises ForgeError where it cannot be asked."""
        self.requests += 1
        try:
            return bool(self.clone.git("ls-remote", self.name, name).strip())
        except Refused as error:
            raise ForgeError(f"{self.name} cannot be reached ({error})") from None


def push_by_hand(remote: str, refs: Sequence[str] = (f"{HERE}*",)) -> str:
    """Return the command with which a player sends by hand what is only in this clone."""
    return f"git push {remote} " + " ".join(f"'{one}:{one}'" for one in refs)
