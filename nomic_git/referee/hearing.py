"""A hearing: what the forge has of each proposal, made into what the game can judge (design sections 3 and 4)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import pairwise
from typing import TYPE_CHECKING

from nomic_git.forges.forge import Pushed
from nomic_git.forges.refs import descends
from nomic_git.game.proposal import Earlier, Proposal
from nomic_git.game.vote import Ballot, Vote
from nomic_git.law.provisions import CHANGES_KINDS
from nomic_git.law.reason import Reason
from nomic_git.law.rule_change import Branch, Improper, JoinRequest, NoProposal, RuleChange, read_change, voted_text
from nomic_git.repository.branch import GameBranch
from nomic_git.repository.clone import NotHere
from nomic_git.repository.wording import Illegible, legible_branch

if TYPE_CHECKING:
    from nomic_git.forges.forge import Submission
    from nomic_git.game.event import Event
    from nomic_git.game.position import Position
    from nomic_git.law.precedence import Law
    from nomic_git.law.rule_change import Reading
    from nomic_git.repository.clone import Clone


class Unheard(StrEnum):
    """Why a proposal could not be heard; a key of the message catalogue."""

    BRANCH = "branch-unreadable"


@dataclass(slots=True)
class Hearing:
    """The open proposals, heard against one tip of the game branch. Each branch is read once."""

    clone: Clone
    tip: str
    submissions: Sequence[Submission]
    _branches: dict[tuple[str, int], Branch | Reason] = field(default_factory=dict)
    _texts: dict[tuple[str, str], str | None] = field(default_factory=dict)
    _heard: tuple[Position, tuple[Proposal, ...]] | None = None
    _strange: frozenset[int] = frozenset()
    _game: GameBranch | None = None
    _numbers: dict[str, list[int]] | None = None

    def proposals(self, position: Position) -> tuple[Proposal, ...]:
        """Return the proposals under the law of a position, which says what rule-changes there are (103)."""
        if self._heard is None or self._heard[0] is not position:
            self._strange = frozenset(one.number for one in self.submissions if self._is_strange(one, position))
            self._heard = (position, tuple(self._proposal(one, position.law) for one in self.submissions))
        return self._heard[1]

    def _is_strange(self, submission: Submission, position: Position) -> bool:
        """Return whether a proposal is neither a player's nor a request to join: it stands in nobody's way."""
        state, account = position.state, submission.account
        left = state.left(submission.author, account.id if account is not None else None)
        if state.seat(submission.author) is not None or left is not None:
            return False
        branch = self._branch(submission.head, submission.number)
        if isinstance(branch, Reason):
            return True
        kinds = position.law.value(CHANGES_KINDS)
        return not isinstance(read_change(replace(branch, contains=()), submission.author, kinds), JoinRequest)

    def is_outdated_by(self, adoption: Event) -> bool:
        """Return whether a head of another proposal has commits of its own that an adoption brought in."""
        others = (head for head, number in self._branches if number != adoption.proposal)
        return any(self._game_branch().share(adoption.head or "", other) for other in others)

    def _proposal(self, submission: Submission, law: Law) -> Proposal:
        reading = self._reading(submission, submission.head, law)
        return Proposal(
            forge=submission.number,
            author=submission.author,
            head=submission.head,
            reading=reading,
            submitted=submission.submitted,
            ready=submission.ready,
            ballots=tuple(sorted(self._ballots(submission), key=lambda one: one.time)),
            # Whether withdrawing conceded the vote cannot be said while a log cannot be read.
            withdrawn=None if submission.unread else submission.withdrawn,
            earlier=tuple(self._earlier(submission, law)),
            moved=submission.moved,
            account=submission.account,
            pleas=submission.pleas,
        )

    def _earlier(self, submission: Submission, law: Law) -> Iterable[Earlier]:
        """Yield the heads before the last while which another player voted: with no other could a vote be complete.

        And the last lawful one, where the head is none: the votes against stand on it whenever they were cast.
        """
        others = [one.time for one in submission.votes if one.voter.casefold() != submission.author.casefold()]
        heads = list(pairwise(submission.heads)) if others else []
        lawful = None
        if heads and not isinstance(self._reading(submission, submission.head, law), RuleChange):
            read = (one for one, _ in reversed(heads) if self._is_lawful(submission, one, law))
            lawful = next(read, None)
        seen = 0
        for pushed, later in heads:
            # Between two sightings nobody knows which of both heads it was: such a vote is looked at with each.
            since, until = (pushed.time or 0, later.time) if pushed.until is None else (seen, pushed.until)
            supposed = self._supposed(submission, pushed, later, others, law)
            last = until if until is None or supposed is None else max(until, supposed)
            if pushed is lawful or any(since <= time and (last is None or time <= last) for time in others):
                yield Earlier(pushed.commit, self._reading(submission, pushed.commit, law), until, supposed)
            seen = until or seen

    def _supposed(
        self, submission: Submission, pushed: Pushed, later: Pushed, others: Iterable[int], law: Law
    ) -> int | None:
        """Return until when a head may have been the head after it was last seen: a vote is one on lawful words."""
        if pushed.until is None:
            return None
        before = later.time if later.time is not None else math.inf
        between = [time for time in others if pushed.until < time <= before]
        if not between or self._is_lawful(submission, later, law):
            return pushed.supposed
        return max(*between, pushed.supposed or 0)

    def _is_lawful(self, submission: Submission, pushed: Pushed, law: Law) -> bool:
        return isinstance(self._reading(submission, pushed.commit, law), RuleChange)

    def _reading(self, submission: Submission, head: str, law: Law) -> Reading:
        """Return what a head would change; what could not be read makes it improper, whatever else it is."""
        branch = self._branch(head, submission.number)
        if isinstance(branch, Reason):
            return Improper((branch, *submission.unread))
        inside = [one for one in branch.contains if one not in self._strange]
        kinds = law.value(CHANGES_KINDS)
        reading = read_change(replace(branch, contains=inside), submission.author, kinds)
        if not submission.unread or isinstance(reading, NoProposal):
            return reading
        also = reading.reasons if isinstance(reading, Improper) else ()
        return Improper((*submission.unread, *(one for one in also if one not in submission.unread)))

    def _ballots(self, submission: Submission) -> Iterable[Ballot]:
        for cast in submission.votes:
            text = cast.text if cast.commit is None else self._text(cast.commit, submission)
            yield Ballot(cast.voter, cast.vote, cast.time, text, id=cast.id)
        for login in submission.unheard:
            yield Ballot(login, Vote.NONE, submission.submitted, None, unread=True)
        if submission.moved:
            # The author is for the last text that is known to be the author's own (106).
            own = submission.heads[-2].commit
            yield Ballot(submission.author, Vote.FOR, submission.submitted, self._text(own, submission))

    def _text(self, commit: str, submission: Submission) -> str | None:
        """Return what was voted on at a head, whatever is odd about the history behind it (106)."""
        key = (commit, submission.author)
        if key not in self._texts:
            branch = self._branch(commit, submission.number)
            self._texts[key] = None if isinstance(branch, Reason) else voted_text(branch, submission.author)
        return self._texts[key]

    def _branch(self, head: str, number: int) -> Branch | Reason:
        """Return a proposal's branch, or why it cannot be read: one bad proposal does not stop the others."""
        key = (head, number)
        if key not in self._branches:
            try:
                branch = legible_branch(self._game_branch(), head, self._heads())
                inside = [one for one in branch.contains if self._was_first(one, number, head)]
                self._branches[key] = replace(branch, contains=inside)
            except (NotHere, Illegible) as error:
                self._branches[key] = Reason(Unheard.BRANCH, {"problem": str(error)})
        return self._branches[key]

    def _game_branch(self) -> GameBranch:
        if self._game is None:
            self._game = GameBranch(self.clone.repository, self.clone.trees, self.tip)
        return self._game

    def _heads(self) -> Mapping[str, Sequence[int]]:
        """Return every head that an open proposal has or had, with the numbers of the proposals."""
        if self._numbers is None:
            self._numbers = {}
            for one in self.submissions:
                for commit in dict.fromkeys([*(pushed.commit for pushed in one.heads), one.head]):
                    self._numbers.setdefault(commit, []).append(one.number)
        return self._numbers

    def _was_first(self, other: int, number: int, head: str) -> bool:
        """Return whether a head contains one of another proposal's that the other had before this one had it.

        So a copy blames itself, be it of a head that the original has left behind.
        """
        if other == number:
            return False
        one, this = self._submission(other), self._submission(number)
        for commit in {pushed.commit for pushed in one.heads} | {one.head}:
            own = descends(self.clone, head, commit) and not descends(self.clone, self.tip, commit)
            if own and self._since(one, commit, this) < self._since(this, commit, one):
                return True
        return False

    def _since(self, submission: Submission, commit: str, beside: Submission) -> tuple[float, int]:
        """Return since when a proposal has had a commit; one of a higher number was not opened earlier."""
        heads = submission.heads or (Pushed(submission.head, submission.submitted),)
        times = (self._had(one, commit) for one in heads if descends(self.clone, one.commit, commit))
        first = min(times, default=math.inf)
        least = beside.submitted if submission.number > beside.number else 0
        return max(first, least), submission.number

    def _had(self, head: Pushed, commit: str) -> float:
        """Return since when the branch of a head has had a commit in it, or what that commit stands on.

        Where the branch has only grown, what it had at first is below its head: below the commit too where that is
        the head, or where all that the branch has of its own stands on one commit. Else it is known when it was seen.
        """
        seen = math.inf if head.time is None else head.time
        if head.grown is None:
            return seen
        if head.commit == commit or self._stands_on_one(head.commit):
            return head.grown
        return max(seen, head.grown)

    def _stands_on_one(self, head: str) -> bool:
        """Return whether a head's own commits all stand on one of them."""
        own = self._game_branch().own(head)
        inside = {one.id for one in own}
        return sum(inside.isdisjoint(one.parent_ids) for one in own) == 1

    def _submission(self, number: int) -> Submission:
        return next(one for one in self.submissions if one.number == number)


def heard_again(clone: Clone, tip: str, submission: Submission, head: str | None) -> Hearing:
    """Return a hearing of one resolved proposal against the tip that it was resolved on, with its head then."""
    head = head or submission.head
    commits = [one.commit for one in submission.heads]
    heads = submission.heads[: commits.index(head) + 1] if head in commits else ()
    moved = submission.moved and len(heads) == len(commits)
    return Hearing(clone, tip, (replace(submission, head=head, heads=heads, moved=moved),))
