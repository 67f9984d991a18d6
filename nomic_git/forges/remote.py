"""The remote of a game: its branch followed, one's own refs sent, everybody's brought (design section 11).

Transport is the git binary, which knows credentials and locks. Nothing is ever forced at the remote.
"""

from __future__ import annotations

import contextlib
import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, count
from typing import TYPE_CHECKING

import pygit2

from nomic_git.forges.forge import ForgeError
from nomic_git.forges.refs import HERE, descends, fetched, in_the_way
from nomic_git.repository.clone import Refused

if TYPE_CHECKING:
    from nomic_git.repository.clone import Clone

_TRIES = 5
_A_MOMENT = 0.05
"""Seconds to wait for another command, longer each time."""

_BUSY = re.compile(r"but expected|reference already exists|\.lock")
"""What git says where another command writes the same refs of this clone."""

_UNSOUND = re.compile(
    r"fsck error|couldn't find remote ref|not our ref|did not send all necessary|is not a valid object"
)
"""What git says where one of the things to fetch is malformed or not there; the rest may be sound."""

_OTHERS_WERE_FIRST = re.compile(
    r"! \[rejected\]"
    r"|! \[remote rejected\][^!]*\((?:failed to update ref|cannot lock ref|incorrect old value|reference already"
    r"|fetch first|non-fast-forward|atomic)",
)


LEFT = "left for the next pass"
"""Why something was not fetched that nobody could be asked for any more."""


class Rejected(ForgeError):
    """The remote has something else at a ref than was taken for granted: somebody was first."""


class OwnCommits(ForgeError):
    """The game branch of this clone has commits that the others lack."""


class Obstructed(ForgeError):
    """The remote has a ref where Git needs a folder, or the reverse, so that one's own cannot be written."""


@dataclass(slots=True)
class Allowance:
    """What may be spent on fetching what may be malformed or endless: calls of git, and seconds in all."""

    calls: int
    seconds: float

    @property
    def is_spent(self) -> bool:
        """Whether nothing is left of it."""
        return self.calls < 1 or self.seconds <= 0


@dataclass(slots=True)
class Remote:
    """The remote that the game branch of a clone follows.

    `requests` counts the calls made to it; `refused` is what the last fetch left there by its name, and why.
    """

    clone: Clone
    name: str
    requests: int = 0
    refused: dict[str, str] = field(default_factory=dict)

    @property
    def branch(self) -> str:
        """Where the game branch stands as it was fetched."""
        return f"refs/remotes/{self.name}/{self.clone.settings.branch}"

    def follow(self) -> None:
        """Fast-forward this clone's game branch to where the remote's was fetched.

        Raises OwnCommits where they have parted, Refused where uncommitted changes are in the way.
        """
        there = self.clone.repository.references.get(self.branch)
        here = self.clone.tip
        if there is None or there.target == here.id or not isinstance(there.target, pygit2.Oid):
            return
        self.check_published()
        self.clone.advance(here.id, there.target)

    def check_published(self) -> None:
        """Raise OwnCommits where this clone's game branch has commits that the remote's lacks.

        The game is what everybody sees: what one player committed by hand would become law with the next event.
        """
        there = self.clone.repository.references.get(self.branch)
        if there is None or descends(self.clone, str(there.target), str(self.clone.tip.id)):
            return
        branch, both = self.clone.settings.branch, f"{self.name}/{self.clone.settings.branch}"
        mine = self._free_branch()
        aside = f"git branch {mine} && git reset --keep {both}"
        if not self.clone.is_checked_out:
            aside = f"git branch {mine} {branch} && git branch -f {branch} {both}"
        raise OwnCommits(
            f"{branch} here has commits that {both} lacks, the last of them {str(self.clone.tip.id)[:12]}. "
            f"Set them aside: {aside}"
        )

    def _free_branch(self) -> str:
        """Return a name for a branch that this clone has none of."""
        taken = {
            one.split("/")[2].casefold() for one in self.clone.repository.references if one.startswith("refs/heads/")
        }
        names = chain(["mine"], (f"mine-{number}" for number in count(2)))
        return next(one for one in names if one not in taken)

    def fetch(self, *, branch: bool) -> None:
        """Bring the refs of all proposals of a local game into this clone, and the game branch.

        What Git's own checks refuse does not arrive, the rest does; `refused` then says what. Copies of refs that
        the remote no longer has go. Raises ForgeError.
        """
        self.refused.clear()
        specs = [f"+{HERE}*:{fetched(self.name, HERE)}*"]
        if branch:
            specs.append(self.branch_spec)
        try:
            self._fetch("--prune", *specs)
        except Refused as error:
            if not _UNSOUND.search(error.words):
                raise self._failed(error) from None
            self._fetch_sound(specs[1:])

    @property
    def branch_spec(self) -> str:
        """What brings the game branch."""
        return f"+{self.clone.branch}:{self.branch}"

    def bring(self, specs: Sequence[str]) -> None:
        """Bring refs into this clone, all or none; copies of those that the remote no longer has go.

        Raises ForgeError.
        """
        try:
            self._fetch("--prune", *specs)
        except Refused as error:
            raise self._failed(error) from None

    def bring_sound(self, specs: Sequence[str], allowance: Allowance | None = None) -> Mapping[str, str]:
        """Bring what the remote has and Git's own checks pass, by halves until each bad one is alone.

        Return why not for each of the others, also for those that the allowance left nothing for. Raises ForgeError
        where the remote cannot be reached: then it is none of theirs that is bad.
        """
        if not specs:
            return {}
        if allowance is not None and allowance.is_spent:
            return dict.fromkeys(specs, LEFT)
        try:
            self._fetch(*specs, allowance=allowance)
        except Refused as error:
            if _BUSY.search(str(error)):
                raise self._failed(error) from None
            if not _UNSOUND.search(error.words):
                self.has(self.clone.branch)
            if len(specs) == 1:
                return {specs[0]: str(error)}
            middle = len(specs) // 2
            return {**self.bring_sound(specs[:middle], allowance), **self.bring_sound(specs[middle:], allowance)}
        return {}

    def _fetch(self, *arguments: str, allowance: Allowance | None = None) -> None:
        """Fetch, trying again while another command writes the same refs. Raises Refused."""
        for attempt in range(1, _TRIES + 1):
            self.requests += 1
            try:
                self._fetch_once(arguments, allowance)
            except Refused as error:
                if attempt == _TRIES or not _BUSY.search(str(error)):
                    raise
                time.sleep(attempt * _A_MOMENT)
            else:
                return

    def _fetch_once(self, arguments: Sequence[str], allowance: Allowance | None) -> None:
        timeout = None if allowance is None else allowance.seconds
        began = time.monotonic()
        try:
            self.clone.git(
                "fetch", "-q", "--no-tags", "--no-recurse-submodules", self.name, *arguments, timeout=timeout
            )
        finally:
            if allowance is not None:
                allowance.calls -= 1
                allowance.seconds -= time.monotonic() - began

    def _fetch_sound(self, branch: Sequence[str]) -> None:
        """Fetch what is sound: the game branch, then the refs that are new here.

        Raises ForgeError where the game branch is not sound, or the remote cannot be reached.
        """
        try:
            if branch:
                self._fetch(*branch)
            self.requests += 1
            listed = self.clone.git("ls-remote", self.name, f"{HERE}*")
        except Refused as error:
            raise self._failed(error) from None
        lines = (line.split("\t") for line in listed.splitlines())
        names = {f"+{name}:{fetched(self.name, name)}": name for id_, name in lines if self._there(name) != id_}
        for spec, why in self.bring_sound([*names]).items():
            name = names[spec]
            self.refused[name] = f"{name} at {self.name} is malformed and was left there ({why})"

    def _there(self, name: str) -> str | None:
        reference = self.clone.repository.references.get(fetched(self.name, name))
        return None if reference is None else str(reference.target)

    def _failed(self, error: Refused) -> ForgeError:
        if self.clone.repository.references.get(f"refs/remotes/{self.name}/nomic") is not None:
            return ForgeError(
                f"a branch called nomic is where the copies of {self.name}'s proposals belong; "
                f"rename it: git push {self.name} {self.name}/nomic:refs/heads/nomic-branch :refs/heads/nomic "
                f"&& git fetch --prune {self.name}"
            )
        if _BUSY.search(str(error)):
            return ForgeError(f"other commands are fetching from {self.name} into this clone; try again")
        return ForgeError(f"nothing could be fetched from {self.name}; see: git fetch {self.name} ({error})")

    def send(self, refs: Mapping[str, str], *, new: str | None = None) -> None:
        """Push ids to refs, all or none, as fast-forwards. The ref `new` is to be one that the remote lacks.

        Raises Rejected where somebody was first, ForgeError where the remote cannot be reached or refuses.
        """
        lease = [f"--force-with-lease={new}:"] if new is not None else []
        try:
            self.push(refs, *lease)
        except Refused as error:
            if "cannot create" in str(error):
                raise self._obstructed(refs, error) from None
            if was_first(error):
                raise Rejected(f"{self.name} has moved on meanwhile: {error}") from None
            what = "refuses it" if "[remote rejected]" in str(error) else "cannot be reached"
            raise ForgeError(f"{self.name} {what} ({error})") from None

    def push(self, refs: Mapping[str, str], *options: str) -> None:
        """Push ids to refs, all or none, as fast-forwards. Raises Refused with all that git said."""
        self.requests += 1
        atomic = ["--atomic"] if len(refs) > 1 else []
        self.clone.git(
            "push",
            "-q",
            "--no-follow-tags",
            "--no-recurse-submodules",
            *atomic,
            *options,
            self.name,
            *[f"{id_}:{name}" for name, id_ in refs.items()],
        )
        self._note(refs)

    def _obstructed(self, refs: Mapping[str, str], error: Refused) -> Obstructed:
        with contextlib.suppress(ForgeError):
            self.fetch(branch=False)
        for name in refs:
            other = in_the_way(self.clone, name)
            if other is not None:
                return Obstructed(
                    f"{other} at {self.name} is in the way of {name}; delete it: git push {self.name} --delete {other}"
                )
        return Obstructed(f"something at {self.name} is in the way ({error})")

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


def was_first(error: Refused) -> bool:
    """Return whether a push was refused because somebody else's came first."""
    return _OTHERS_WERE_FIRST.search(error.words) is not None


def push_by_hand(remote: str, refs: Sequence[str] = (f"{HERE}*",)) -> str:
    """Return the command with which a player sends by hand what is only in this clone."""
    return f"git push {remote} " + " ".join(f"'{one}:{one}'" for one in refs)
