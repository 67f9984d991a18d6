"""The GitHub forge: pull requests are proposals, reviews are votes (design section 11; docs/github.md).

One pass asks GitHub once, into one snapshot, and decides on that. What it has to show is written at the end, each
thing once and only where it differs from what is there.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, takewhile, zip_longest
from typing import TYPE_CHECKING

from nomic_git.forges.board import Notice, Write, answering, closing, own_comments, writes
from nomic_git.forges.command import Answer, reactions, read_commands
from nomic_git.forges.connection import Denied, Missing, Uncertain
from nomic_git.forges.forge import ForgeError, Objection, Pushed, Submission
from nomic_git.forges.plea import over
from nomic_git.forges.pleading import given_away, merged_by_hand, plead
from nomic_git.forges.pull_request import Turn
from nomic_git.forges.refs import descends, is_commit
from nomic_git.forges.refusal import Meaning, meaning, words_of
from nomic_git.forges.remote import LEFT, Allowance, Remote
from nomic_git.forges.roll import Roll
from nomic_git.forges.snapshot import look, take
from nomic_git.forges.witness import Witness, refspec
from nomic_git.game.event import EventKind
from nomic_git.game.proposal import Stage
from nomic_git.repository.branch import GameBranch
from nomic_git.repository.clone import Moved, Refused
from nomic_git.repository.history import events
from nomic_git.repository.position import position_at
from nomic_git.repository.workflows import next_run

if TYPE_CHECKING:
    from nomic_git.forges.connection import Connection
    from nomic_git.forges.pull_request import PullRequest, Snapshot
    from nomic_git.game.numbers import Numbers
    from nomic_git.game.position import Position
    from nomic_git.game.state import State
    from nomic_git.repository.clone import Clone

MOST_WRITES = 40
"""Writes of one pass; what is left waits for the next. GitHub allows eighty a minute to everybody together."""

_MOST_IDS = 50
"""Commits that no ref leads to, which one pass tries to get for the witness, of all pull requests in turn."""

_OURS = (100, 600.0)
"""Calls of git and seconds that a pass spends on fetching the heads of players' pull requests, and as much on ids."""

_STRANGERS = (20, 120.0)
"""The same for strangers' requests to join, after those."""

PULLS = "refs/nomic/pulls/"
"""Where the heads of the pull requests stand in a clone, by number."""

_COMMIT = re.compile(r"[0-9a-f]{40}")

_MOST_REFUSALS = 3
"""Refusals after which a pass writes no more: they are not of one proposal then."""

_TRIES = 2


@dataclass(slots=True)
class GitHubForge:
    """The GitHub forge of one clone."""

    clone: Clone
    connection: Connection

    troubles: tuple[str, ...] = ()
    """What of this pass went wrong, or was left for the next, and stopped nothing else, a line each."""

    sent: int = 0
    """Nothing is ever kept in the clone to be sent later."""

    snapshot: Snapshot | None = None
    """What GitHub had when it was last read."""

    _witness: Witness | None = None
    _notices: dict[int, Notice] = field(default_factory=dict)
    _texts: dict[int, str] = field(default_factory=dict)
    _missing: set[int] = field(default_factory=set)
    _recalled: set[int] = field(default_factory=set)
    _is_kept: bool = False
    _concerning: frozenset[int] = frozenset()
    _refused: set[str] = field(default_factory=set)
    _position: tuple[str, Position] | None = None
    _called: tuple[Position, Snapshot | None, Roll] | None = None
    _writes: int = 0

    @property
    def requests(self) -> int:
        """How many requests were made of GitHub's programming interface; what git fetches and pushes is not limited."""
        return self.connection.requests

    @property
    def time(self) -> int | None:
        """When GitHub was as it was last read, by its own clock, in seconds since the epoch; None before."""
        return self.snapshot.time if self.snapshot is not None else None

    @property
    def last(self) -> int | None:
        """The highest number among the pull requests that were read and those that are resolved, None without any."""
        return max([self._state().resolved.last or 0, *self._taken().pulls]) or None

    @property
    def advice(self) -> Sequence[str]:
        """That a vote which is not shown yet can be asked about."""
        return ("look-again",)

    @property
    def commands(self) -> str:
        """That commands are given in comments."""
        return "commented"

    def next_look(self, after: int) -> int:
        """Return when the workflow next runs by its schedule, at or after an instant, in seconds since the epoch."""
        return next_run(after)

    # What the referee asks.

    def fetch(self) -> None:
        """Read GitHub, bring the game branch and the proposals' heads into this clone, and hear the witness.

        Raises NotHere in a shallow or partial clone, ForgeError where GitHub or its repository cannot be reached,
        OwnCommits where this clone's game branch and GitHub's have parted.
        """
        self._notices.clear()
        self._texts.clear()
        self._missing.clear()
        self._recalled.clear()
        self._refused.clear()
        self.troubles = ()
        remote = self._bring_branch()
        remote.follow()
        self._look(remote)

    def submissions(self, resolved: Numbers) -> Sequence[Submission]:
        """Return every proposal that is not among those resolved, what was closed or merged by hand included.

        What an event has resolved all the same comes with what was said on it (see Forge). It is mostly among what was
        read before; else it costs a request.
        """
        over_now = self._state().resolved
        found = [(pull, self._plead(pull)) for pull in self._pending(resolved) if pull.number not in over_now]
        pending = [self._merged(pull, plea) if pull.is_merged else plea for pull, plea in found]
        recalled = [over(self._plead(pull)) for pull in self._recall(resolved)]
        return sorted([*pending, *recalled], key=lambda one: one.number)

    def _recall(self, resolved: Numbers) -> Iterator[PullRequest]:
        """Yield the pull requests that the history has resolved and that are asked for all the same."""
        for number in self._state().resolved.beyond(resolved):
            pull = self._found(number)
            ended = next((one.event.time for one in events(self.clone) if one.event.proposal == number), None)
            # In a fork of a game, the numbers of its proposals are given to others again.
            if pull is not None and ended is not None and pull.created <= ended:
                self._recalled.add(number)
                yield pull

    def submission(self, number: int) -> Submission | None:
        """Return one proposal whether it is resolved or not, None where there is none of that number."""
        pull = self._found(number)
        return None if pull is None else self._plead(pull)

    def comment(self, number: int) -> str | None:
        """Return the referee's own comment on a proposal, None where there is none yet."""
        pull = self._found(number)
        return next((one.body for one in own_comments(pull)), None) if pull is not None else None

    def say(self, number: int, text: str) -> None:
        """Have the referee's one comment on a proposal say this, once the pass is finished."""
        self._texts[number] = text

    def show(self, number: int, stage: Stage, summary: str) -> None:
        """Have a proposal's label and status say this, and a resolved one closed, once the pass is finished."""
        self._notices[number] = Notice(stage, summary)

    def publish(self, old: str, new: str) -> None:
        """Push the game branch as a fast-forward, once the witness has kept what was decided on.

        Raises Moved where the branch is no longer at `old`, Objection where GitHub will not have what `new` brings,
        ForgeError where it lets nobody push, or not this token.
        """
        if not self._is_kept:
            self._save_witness()
        remote = self._at()
        for _ in range(_TRIES):
            try:
                remote.push({self.clone.branch: new})
            except Refused as error:
                # What was said to it may have been lost, or be about something else: what counts is where it is.
                if self._has_arrived(remote, old, new):
                    return
                self._explain(error)
            else:
                return
        raise ForgeError(f"{remote.name} does not answer while the game branch is pushed; try again later")

    def _has_arrived(self, remote: Remote, old: str, new: str) -> bool:
        """Return whether the remote's game branch has a commit by now. Raises Moved where it is no longer at `old`."""
        with contextlib.suppress(ForgeError):
            remote.bring([remote.branch_spec])
        there = str(self.clone.repository.references[remote.branch].target)
        if there != old and not descends(self.clone, there, new):
            raise Moved(f"{remote.name} has moved past {old[:12]} meanwhile; run the command again")
        return there != old

    def finish(self) -> None:
        """Write what is to be shown and is not yet: resolved proposals first, as they were told.

        Raises Moved where another pass was at work meanwhile, ForgeError where GitHub does not take something; what
        was decided stays decided, and the next pass writes what is missing.
        """
        self._save_witness()
        refused: dict[int, Denied] = {}
        written = waiting = 0
        # Players' proposals first: what a stranger does is to keep nobody waiting.
        board = sorted(self._board(), key=lambda one: not self._is_spoken_of_first(one[0]))
        for number, notice in board:
            if self._writes >= MOST_WRITES:
                waiting += 1
                continue
            before = self._writes
            try:
                self._settle(number, _without_answers(notice))
            except Denied as error:
                refused[number] = error
                written += self._writes > before + 1  # The last of them is what was refused.
                if not written and len(refused) == _MOST_REFUSALS:
                    break
            else:
                written += self._writes > before
        self._answer(self._answers(notice for number, notice in board if number not in refused))
        if waiting:
            self.troubles += (f"{waiting} proposals' comments wait for the next pass: one writes {MOST_WRITES} things",)
        words = "What was decided stands; the next pass writes what is missing"
        if not written and any(self._is_spoken_of_first(number) for number in refused):
            raise ForgeError(f"{next(iter(refused.values()))}. {words}")
        self.troubles += tuple(f"proposal {number}: {error}. {words}" for number, error in refused.items())

    def _answers(self, notices: Iterable[Notice | None]) -> Iterator[tuple[int, str]]:
        """Yield the comments that are still to be answered with the pictures, also players' on what is recalled."""
        for notice in notices:
            if notice is not None and notice.stage not in _FINAL:
                yield from notice.reactions.items()
        for number in sorted(self._recalled - self._notices.keys()):
            pull = self._found(number)
            if pull is not None and not pull.unread:
                heard = [one for one in read_commands(pull, self._roll()) if one.answer is not Answer.NOT_A_PLAYER]
                yield from reactions(pull, heard, is_over=True).items()

    def _answer(self, answers: Iterable[tuple[int, str]]) -> None:
        """Answer comments, last of all and as far as there are writes left; what GitHub will not have waits."""
        for comment, content in answers:
            if self._writes < MOST_WRITES:
                with contextlib.suppress(Denied, Uncertain, Missing):
                    self._put([answering(comment, content)])

    def _is_spoken_of_first(self, number: int) -> bool:
        """Return whether a proposal is resolved or a player's, and no stranger's request."""
        pull = self._found(number)
        return number in self._state().resolved or (pull is not None and self._is_ours(pull))

    # The repository.

    def _at(self) -> Remote:
        name = self.clone.remote
        if name is None:
            raise ForgeError(self._without_remote())
        return Remote(self.clone, name)

    def _without_remote(self) -> str:
        """Return what to do where the game branch follows no remote: mostly, it has never been pushed."""
        branch = self.clone.settings.branch
        names = [one for one in self.clone.repository.remotes.names() if one]
        name = next((one for one in names if one == "origin"), names[0] if names else "origin")
        if f"refs/remotes/{name}/{branch}" in self.clone.repository.references:
            remedy = f"set it: git branch --set-upstream-to {name}/{branch} {branch}"
        else:
            remedy = f"bring the game there: git push -u {name} {branch}"
        return f"{branch} follows no remote, so that there is nowhere to send events; {remedy}"

    def _bring_branch(self) -> Remote:
        """Bring the game branch and the witness as the remote has them."""
        remote = self._at()
        self.clone.needs_history()
        remote.bring([remote.branch_spec, refspec(remote.name)])
        return remote

    def _look(self, remote: Remote) -> None:
        """Take the snapshot, bring the heads of what is in it, and bind the reviews that are new."""
        resolved = self._state().resolved
        witness = Witness.load(remote)
        closed = [number for number in witness.numbers if number not in resolved]
        self.snapshot = take(self.connection.ask, self.connection.repository, closed)
        self._witness = witness
        self._is_kept = False
        self._concerning = frozenset(self._concerned())
        pulls = [self._with_seats_alone(pull) for pull in self._pending(resolved)]
        self.troubles += tuple(
            f"proposal {pull.number} could not be read completely; nothing is decided on it, and nothing written there"
            for pull in pulls
            if pull.unread
        )
        ours = [pull for pull in pulls if self._is_ours(pull)]
        self._bring_heads(remote, ours, Allowance(*_OURS))
        self._bring_heads(remote, [pull for pull in pulls if pull not in ours], Allowance(*_STRANGERS))
        unasked = self._bring_ids(remote, pulls)
        game = GameBranch(self.clone.repository, self.clone.trees, str(self.clone.tip.id))
        for pull in (one for one in pulls if not one.is_merged):
            # What nobody asked for is not lost: the reviews are bound by a pass that has it.
            heard = replace(pull, reviews=()) if pull.number in unasked else pull
            witness.hear(game, heard, self._roll().name(pull.author), self.snapshot.time)

    def _with_seats_alone(self, pull: PullRequest) -> PullRequest:
        """Return a pull request without the reviews that are nobody's votes."""
        roll = self._roll()
        return replace(pull, reviews=tuple(one for one in pull.reviews if roll.seat(one.author)))

    def _is_ours(self, pull: PullRequest) -> bool:
        """Return whether a pull request is a player's, or somebody's who was one."""
        roll, author = self._roll(), pull.author
        left = self._state().left(roll.name(author), author.id if author is not None else None)
        return roll.seat(author) is not None or left is not None

    def _concerned(self) -> Iterator[int]:
        """Yield the pull requests that concern the game: players', those they voted on, and requests to join.

        Of an account's requests to join that is the first which is open, and all that the referee has spoken on. What
        else strangers do is not even fetched.
        """
        roll, asking = self._roll(), set[object]()
        for number, pull in sorted(self._taken().pulls.items()):
            is_known = pull.unread or self._is_ours(pull) or any(roll.seat(one.author) for one in pull.reviews)
            if is_known or own_comments(pull):
                yield number
            elif pull.is_open and pull.may_ask_to_join:
                key = None if pull.author is None else pull.author.id or pull.author.login
                if key not in asking:
                    yield number
                asking.add(key)

    def _bring_heads(self, remote: Remote, pulls: Sequence[PullRequest], allowance: Allowance) -> None:
        """Bring the heads that are not here. One that cannot be had makes its own proposal unreadable, no other."""
        away = {f"+refs/pull/{one.number}/head:{PULLS}{one.number}": one for one in pulls if self._is_away(one.head)}
        for spec, why in remote.bring_sound([*away], allowance).items():
            self._refused.add(away[spec].head)
            self.troubles += (f"the branch of proposal {away[spec].number} cannot be fetched ({why})",)

    def _bring_ids(self, remote: Remote, pulls: Iterable[PullRequest]) -> Collection[int]:
        """Bring the commits that the witness asks about and no ref may lead to, as far as GitHub gives them.

        No pull request has more of them than its share: return the numbers of those that had to leave some.
        """
        wanted = {pull.number: self._wanted(pull) for pull in pulls}
        turns = zip_longest(*wanted.values())
        ids = [one for one in dict.fromkeys(chain.from_iterable(turns)) if one is not None]
        asked = frozenset(ids[:_MOST_IDS])
        refused = remote.bring_sound([one for one in ids if one in asked], Allowance(*_OURS))
        asked -= {one for one, why in refused.items() if why == LEFT}
        return {number for number, some in wanted.items() if not asked.issuperset(some)}

    def _wanted(self, pull: PullRequest) -> Sequence[str]:
        """Return the ids to be asked for, each once; those that were refused as heads are not."""
        found = () if pull.unread else (*self._heard().wanted(pull), *self._earlier_heads(pull))
        return [one for one in dict.fromkeys(found) if _COMMIT.fullmatch(one) and one not in self._refused]

    def _is_away(self, commit: str) -> bool:
        return not is_commit(self.clone, commit)

    def _earlier_heads(self, pull: PullRequest) -> Iterator[str]:
        """Yield the heads that were seen and are not here: by then a vote may have been complete."""
        for one in self._heard().testimony(pull.number).sightings:
            if self._is_away(one.commit):
                yield one.commit

    def _explain(self, error: Refused) -> None:
        """Raise what a refused push means; return where nobody knows what became of it."""
        remote, branch = self._at(), self.clone.settings.branch
        words = words_of(error.words)
        match meaning(error.words):
            case Meaning.OTHERS_FIRST:
                raise Moved(f"{branch} has moved meanwhile at {remote.name}; run the command again") from None
            case Meaning.CONTENT:
                raise Objection(words) from None
            case Meaning.PROTECTED:
                raise ForgeError(
                    f"{branch} is protected, and the referee may not push to it ({words}); give it a deploy key with "
                    "write access and put that key on the ruleset's bypass list: docs/github.md, Protected branches"
                ) from None
            case Meaning.FORBIDDEN:
                raise ForgeError(
                    f"the referee may not push to {branch} ({words}); it needs the permission contents: write, which "
                    "the workflow gives, or a token or key with write access: docs/github.md, Permissions"
                ) from None

    # The witness.

    def _heard(self) -> Witness:
        assert self._witness is not None, "the witness is heard with the snapshot"
        return self._witness

    def _save_witness(self) -> None:
        """Have the witness keep what this pass saw. Raises Moved where another pass has bound a review otherwise."""
        witness, snapshot, resolved = self._heard(), self._taken(), self._state().resolved
        numbers = [pull.number for pull in self._pending(resolved) if not pull.is_merged]
        before = [witness.testimony(number).bindings for number in numbers]
        over = resolved
        merged = [pull for pull in self._pending(resolved) if pull.is_merged]
        given = {pull.number for pull in merged if self._given_away(pull, self._plead(pull)) is not None}
        for number, pull in snapshot.pulls.items():
            if (pull.is_merged and number not in given) or not (pull.is_open or number in self._concerning):
                over = over.adding(number)
        witness.save(snapshot.time, over)
        if before != [witness.testimony(number).bindings for number in numbers]:
            raise Moved("another pass of the referee is at work; run the command again")
        self._is_kept = True

    # The snapshot.

    def _taken(self) -> Snapshot:
        """Return the snapshot; without `fetch` it is taken with this clone's game branch left where it is."""
        if self.snapshot is None:
            self._look(self._bring_branch())
        assert self.snapshot is not None, "looking takes it"
        return self.snapshot

    def _pending(self, resolved: Numbers) -> Iterator[PullRequest]:
        """Yield what the history has not resolved and concerned the game when it was read.

        What somebody merged by hand is among that only where it was spoken of before.
        """
        for number, pull in sorted(self._taken().pulls.items()):
            is_pending = number in self._concerning and number not in resolved
            if is_pending and (not pull.is_merged or own_comments(pull)):
                yield pull

    def _found(self, number: int) -> PullRequest | None:
        """Return a pull request as it was when it was last read; one that is not in the snapshot is asked for once."""
        snapshot = self._taken()
        if number not in snapshot.pulls and number not in self._missing:
            self._read(number)
        return self._taken().pulls.get(number)

    def _read(self, number: int) -> None:
        """Read one pull request anew."""
        found = look(self.connection.ask, self.connection.repository, number)
        pulls = {key: one for key, one in self._taken().pulls.items() if key != number}
        if found is None:
            self._missing.add(number)
        else:
            pulls[number] = found
        self.snapshot = replace(self._taken(), pulls=pulls)

    # The game.

    def _now(self) -> Position:
        """Return the position at the tip of this clone's game branch."""
        tip = self.clone.tip
        if self._position is None or self._position[0] != str(tip.id):
            self._position = str(tip.id), position_at(self.clone.trees, tip.tree_id.raw)
        return self._position[1]

    def _state(self) -> State:
        return self._now().state

    def _roll(self) -> Roll:
        """Return the roll call of the players there are, with the accounts that were read."""
        position, snapshot = self._now(), self.snapshot
        if self._called is None or self._called[0] is not position or self._called[1] is not snapshot:
            pulls = snapshot.pulls.values() if snapshot is not None else ()
            accounts = chain.from_iterable(one.accounts for one in pulls)
            self._called = position, snapshot, Roll(position.players, tuple(accounts))
        return self._called[2]

    def _plead(self, pull: PullRequest) -> Submission:
        known = self._heard().testimony(pull.number)
        sightings = [Pushed(one.commit, one.first, one.last) for one in known.sightings]
        return plead(pull, self._roll(), known.bindings, self.clone.settings.branch, sightings)

    def _merged(self, pull: PullRequest, plea: Submission) -> Submission:
        """Return what is left of a proposal that GitHub has as merged and no event resolved."""
        time = self._given_away(pull, plea)
        return merged_by_hand(plea) if time is None else given_away(plea, time)

    def _given_away(self, pull: PullRequest, plea: Submission) -> int | None:
        """Return when a proposal was merged by its author's own doing, others having voted, None where it was not.

        It has left a head behind that the game branch lacks, and its last one came in as another's, by an event.
        """
        time = next((one.time for one in pull.timeline if one.turn is Turn.MERGED), None)
        state, tip = self._state(), str(self.clone.tip.id)
        voters = {one.voter for one in plea.votes if time is not None and one.time <= time and state.seat(one.voter)}
        if plea.moved or not voters - {plea.author}:
            return None
        left = (one.commit for one in plea.heads[:-1] if is_commit(self.clone, one.commit))
        if all(descends(self.clone, tip, one) for one in left):
            return None
        for one in takewhile(lambda one: descends(self.clone, one.commit, pull.head), events(self.clone)):
            if one.event.kind is EventKind.ADOPTED and not descends(self.clone, one.parents[0], pull.head):
                return time
        return None

    # The board.

    def _board(self) -> Iterator[tuple[int, Notice | None]]:
        """Yield what is to be shown where, None for a resolved proposal that is open and only to be closed."""
        owners = self._owners()
        for number, notice in self._notices.items():
            pull = self._found(number)
            if pull is not None and not pull.unread:
                yield (
                    number,
                    replace(
                        notice,
                        text=self._texts.get(number),
                        has_status=owners.get(pull.head, number) == number,
                        is_closed=notice.stage in _FINAL and not self._has_landed(pull),
                        reactions=reactions(pull, read_commands(pull, self._roll()), is_over=notice.stage in _FINAL),
                    ),
                )
        resolved = self._state().resolved
        for number, pull in sorted(self._taken().pulls.items()):
            was_ended = number in resolved and number not in self._notices and own_comments(pull)
            if was_ended and pull.is_open and not self._has_landed(pull):
                yield number, None

    def _owners(self) -> Mapping[str, int]:
        """Return whose status a head shows: once it is adopted that one's, else the lowest of those open and shown."""
        resolved, pulls = self._state().resolved, [one for _, one in sorted(self._taken().pulls.items(), reverse=True)]
        shown = [pull for pull in pulls if pull.number in self._notices and pull.number not in resolved]
        owners = {pull.head: pull.number for pull in shown if pull.is_open}
        return owners | {pull.head: pull.number for pull in pulls if pull.number in resolved and self._has_landed(pull)}

    def _has_landed(self, pull: PullRequest) -> bool:
        """Return whether GitHub marks a pull request as merged by itself."""
        return pull.base == self.clone.settings.branch and descends(self.clone, str(self.clone.tip.id), pull.head)

    def _settle(self, number: int, notice: Notice | None) -> None:
        """Write what a pull request does not show yet. Where it is not known what became of a write, look again."""
        for attempt in range(1, _TRIES + 1):
            pull = self._found(number)
            if pull is None:
                return
            try:
                self._put(_closed(pull) if notice is None else writes(pull, notice))
            except (Uncertain, Missing) as error:
                if attempt == _TRIES:
                    raise Denied(str(error)) from None
                self._read(number)
            else:
                return

    def _put(self, wanted: Iterable[Write]) -> None:
        for one in wanted:
            self._writes += 1
            try:
                self.connection.write(one.verb, one.path, one.body)
            except Missing:
                if one.verb != "DELETE":
                    raise


_FINAL = frozenset({Stage.ADOPTED, Stage.DEFEATED, Stage.WITHDRAWN, Stage.VOIDED})


def _without_answers(notice: Notice | None) -> Notice | None:
    """Return a notice with its answers left for later; once a final comment is there, nothing more is written."""
    return notice if notice is None or notice.stage in _FINAL else replace(notice, reactions={})


def _closed(pull: PullRequest) -> Iterator[Write]:
    if pull.is_open:
        yield closing(pull.number)
