"""A game at GitHub for the tests of the facts page: what players do on the pages, and what they then see there."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pygit2
from github_scene import RULE, GitHubScene

from nomic_git.referee.account import closed_account, resolving
from nomic_git.repository.clone import open_clone

if TYPE_CHECKING:
    from collections.abc import Mapping

    from nomic_git.referee.sitting import Report
    from nomic_git.repository.clone import Clone

MAJORITY = (
    -110,
    b"---\nprovisions:\n  adoption.threshold: simple-majority\n  votes.closing: decided\n---\n\nMost decide.\n",
)
NEW = "rules/mutable/rhyme.md"
OTHER = RULE.replace("rhymes", "scans")

EARLIER_TEXT = "given to an earlier text; vote again on the words as they stand"
AFRESH = "Begin afresh from the tip of the game branch, with one commit"


@dataclass
class Game(GitHubScene):
    """A game of four players in which each pass of the referee is one of a workflow's, in a new clone."""

    @property
    def founding(self) -> str:
        """The commit that founded the game."""
        return next(one.new for one in self.github.moves if one.ref == "refs/heads/main" and one.new is not None)

    # What players do on the pages.

    def file(self, number: int, text: str, path: str = NEW) -> None:
        """The author edits a file on the branch of the pull request, on the web pages."""
        pull = self.pull(number)
        self.github.edit(pull.author, path, text, pull.head_branch)

    def on(self, author: str, commit: str, title: str = "A proposal", *, branch: str = "made") -> int:
        """Open a pull request for a commit that was made elsewhere and pushed; its number."""
        account = self.account(author)
        self.github.force_push(account, branch, commit)
        return self.github.open_pull(account, branch, title)

    def by_hand(self, changes: dict[str, bytes | str | None], *more: str) -> str:
        """The owner commits to the game branch past the game; `more` are further parents."""
        commit = self.github.objects(changes, "By hand", [self.github.tip(), *more])
        self.github.push(self.github.owner, "main", commit)
        return commit

    # The referee.

    def clone(self) -> Clone:
        """A new clone, made without a process of its own: there are hundreds of passes here."""
        self.passes += 1
        folder = self.folder / f"pass-{self.passes}"
        pygit2.clone_repository(f"file://{self.github.path}", str(folder))
        return open_clone(folder)

    def referee(self, clone: Clone | None = None) -> Report:
        """One pass, which takes a while: nobody does the next thing in the same second."""
        try:
            return super().referee(clone)
        finally:
            self.github.clock.tick()

    # What they see there.

    def stage(self, number: int) -> str:
        """What the one label of the referee's says."""
        (label,) = (one for one in self.pull(number).label_names if one.startswith("nomic: "))
        return label.removeprefix("nomic: ")

    def votes(self, number: int) -> tuple[str, ...]:
        """The comment's count: who is for, who against and, while it is open, who has still to vote."""
        lines = self.text(number).splitlines()
        row = next(line for above, line in pairwise(lines) if above.startswith("| :--"))
        return tuple(one.strip() for one in row.strip("|").split("|"))

    def account_of(self, number: int) -> Mapping[str, Any]:
        """What `tally P --json` says of a resolved proposal, asked from a new clone."""
        clone = self.clone()
        self.referee(clone)
        assert self.forge is not None
        recorded = resolving(clone, number)
        assert recorded is not None
        return closed_account(clone, recorded, self.forge.submission(number), self.github.clock.now).plain()

    def status(self, number: int) -> tuple[str, str]:
        """The commit status of the head: its state and what it says."""
        status = self.pull(number).status("nomic")
        assert status is not None
        return status.state, status.description or ""

    def is_silent_on(self, number: int) -> bool:
        """Whether nothing of the referee's is on a pull request."""
        pull = self.pull(number)
        by_referee = [one for one in pull.comments if one.author.is_app]
        return not (by_referee or pull.label_names or pull.statuses) and pull.state == "OPEN"

    def rests(self) -> bool:
        """Whether two more passes find that all is done: they ask once each, write nothing and push nothing."""
        clone = self.clone()
        self.github.forget()
        self.referee(clone)
        self.referee(clone)
        return [one.path for one in self.github.log] == ["/graphql"] * 2
