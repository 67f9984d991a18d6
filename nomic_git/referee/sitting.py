"""A sitting: one pass of the referee, which reads the world and makes it right (design sections 1, 4 and 5).

Everything that can be resolved is resolved, in the order in which the votes were completed, and the law is
read afresh after each. Running it again changes nothing that was already done; after a crash at any point,
running it again ends where a pass without the crash would have ended.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING

import pygit2

from nomic_git.forges.forge import ForgeError, Objection
from nomic_git.game.die import thrown_from
from nomic_git.game.docket import Hindrance, Standing, docket
from nomic_git.game.event import Event, EventKind, ends_turn
from nomic_git.game.position import Position
from nomic_git.game.proposal import Stage
from nomic_git.game.resolution import next_event
from nomic_git.game.transition import after
from nomic_git.law.errors import Unreadable
from nomic_git.law.reason import Reason
from nomic_git.law.rule_change import Improper, JoinRequest, NoProposal
from nomic_git.referee.account import Account, closed_account, open_account, resolved_by, resolving
from nomic_git.referee.clock import clock
from nomic_git.referee.comment import closed_comment, final_mark, open_comment
from nomic_git.referee.hearing import Hearing
from nomic_git.referee.judgments import Proceedings
from nomic_git.referee.publication import publish
from nomic_git.referee.talk import notes
from nomic_git.repository.clone import Clone, Moved
from nomic_git.repository.history import Recorded, events, rule_before
from nomic_git.repository.position import position_at
from nomic_git.repository.record import event_commit, tree_after, write_event
from nomic_git.repository.tree import object_id

if TYPE_CHECKING:
    from pygit2 import Oid

    from nomic_git.forges.forge import Forge, Submission
    from nomic_git.game.judgment import Plea
    from nomic_git.game.proposal import Proposal
    from nomic_git.game.state import State
    from nomic_git.law.rule import Rule
    from nomic_git.law.rule_change import Change

_BRINGING = frozenset({EventKind.ADOPTED, EventKind.JOINED, EventKind.AWAY, EventKind.BACK, EventKind.SURNAMED})
"""The events that bring into the game branch what a proposal's head has; a forge may object to no other."""

MOST_TRIES = 5
"""How often a pass starts again because the branch moved under it."""


class Refusal(StrEnum):
    """Who else may refuse what the game has decided; a key of the message catalogue."""

    FORGE = "forge-refuses"


@dataclass(frozen=True, slots=True)
class Done:
    """One event of the pass and its commit, None where the pass was dry; `before` is the position that led to it.

    `standing` is where the proposal stood that it is about, None where it is about none that was open.
    """

    event: Event
    commit: str | None
    before: Position
    standing: Standing | None = None


@dataclass(frozen=True, slots=True)
class Report:
    """What a pass did: the events, how many comments it wrote, how many requests it made, where it ended.

    `silent` are those of the open proposals, by the forge's number, that are strangers' and on which it says nothing.
    `failure` is why not all of it could be told at the forge: what was decided stands, and the next pass tells it.
    `titles` are those of the proposals that were heard, by the forge's number.
    """

    done: tuple[Done, ...]
    comments: int
    requests: int
    position: Position
    standings: tuple[Standing, ...]
    failure: ForgeError | None = None
    silent: frozenset[int] = frozenset()
    titles: Mapping[int, str] = field(default_factory=dict)


def foresee(clone: Clone, forge: Forge, now: int) -> Report:
    """Return what a pass would decide at `now`, in seconds since the epoch, from what is in this clone.

    Nothing is written, fetched or said. Raises as `sit` does.
    """
    return _Sitting(clone, forge, _present(forge, now), True, id).decide()


def sit(
    clone: Clone,
    forge: Forge,
    now: int,
    *,
    dry_run: bool = False,
    progress: Callable[[Event], object] = id,
) -> Report:
    """Make one pass at `now`, in seconds since the epoch, and return what it did.

    Where the forge has a clock of its own, that is what votes go by, and `now` is of no consequence. With `dry_run`
    nothing is written anywhere, and nothing fetched. `progress` is told each event. Raises Moved where the branch
    keeps moving, Refused where Git will not write, ForgeError where the forge fails before all is decided, Unreadable
    where the rulebook on the branch cannot be read.
    """
    if dry_run:
        return _Sitting(clone, forge, _present(forge, now), True, progress).hold()
    done: list[Done] = []
    for attempt in range(1, MOST_TRIES + 1):
        forge.fetch()
        try:
            return _Sitting(clone, forge, _present(forge, now), False, progress, done).hold()
        except Moved:
            if attempt == MOST_TRIES:
                raise
    raise AssertionError("the last try returns or raises")


def _present(forge: Forge, now: int) -> int:
    return now if forge.time is None else forge.time


@dataclass(slots=True)
class _Sitting:
    clone: Clone
    forge: Forge
    now: int
    dry: bool
    progress: Callable[[Event], object]
    done: list[Done] = field(default_factory=list)
    comments: int = 0
    objections: dict[tuple[int, str], str] = field(default_factory=dict)
    pleas: dict[int, tuple[Plea, ...]] = field(default_factory=dict)
    before: Position | None = None
    imagined: tuple[Oid, bytes] | None = None

    def decide(self) -> Report:
        """Return what is decided, before anything is said of it."""
        hearing, position, standings = self._heard()
        titles = {one.number: one.title for one in hearing.submissions}
        return Report(tuple(self.done), 0, self.forge.requests, position, standings, titles=titles)

    def _heard(self) -> tuple[Hearing, Position, tuple[Standing, ...]]:
        """Carry out all that is due; return what was heard of what is open then, the position and the docket."""
        tip = self.clone.tip.id
        position = self._position()
        while True:
            hearing = Hearing(self.clone, str(tip), self._submissions(position.state))
            before = tip
            tip, position, standings = self._resolve(hearing, tip, position)
            if tip == before:
                return hearing, position, standings

    def hold(self) -> Report:
        """Decide, say it on the proposals, and return what came of it."""
        hearing, position, standings = self._heard()
        silent = {one.proposal.forge for one in standings if not self._is_for_players(position, one)}
        failure = None
        try:
            spoken_of = [one for one in standings if one.proposal.forge not in silent]
            self._speak(hearing, position, spoken_of, standings)
        except ForgeError as error:
            failure = error
        return Report(
            tuple(self.done), self.comments, self.forge.requests, position, standings, failure, frozenset(silent)
        )

    def _submissions(self, state: State) -> Sequence[Submission]:
        """Return what is open, and note what was said of judgments, also on the proposal whose turn ended last."""
        judged = state.resolved if state.lately is None else state.resolved.without(state.lately.proposal)
        submissions = self.forge.submissions(judged)
        self.pleas = {one.number: one.pleas for one in submissions}
        return [one for one in submissions if one.number not in state.resolved]

    def _position(self) -> Position:
        try:
            position = position_at(self.clone.trees, self.clone.tip.tree_id.raw)
            last = next((one.commit for one in events(self.clone) if ends_turn(one.event)), "")
            return replace(position, last=last)
        except Unreadable as error:
            raise Unreadable(f"{error}. No vote can be counted while that is so") from None

    def _resolve(self, hearing: Hearing, tip: Oid, position: Position) -> tuple[Oid, Position, tuple[Standing, ...]]:
        """Carry out one event after another until none is due of what was heard."""
        while True:
            standings = self._standings(hearing, position)
            about = position.state.judgment or position.state.lately
            pleas = self.pleas.get(about.proposal, ()) if about is not None else ()
            due = next_event(position, standings, self.now, pleas)
            if due is None:
                return tip, position, standings
            event, standing = due
            try:
                new, position = self._carry_out(tip, position, event, standing)
            except Objection as error:
                self._object(event, error)
                continue
            self.progress(event)
            if new != tip and event.kind is EventKind.ADOPTED and hearing.is_outdated_by(event):
                # What was heard of the others is no longer so: part of their branches is the game's now.
                return new, position, standings
            tip = new

    def _object(self, event: Event, error: Objection) -> None:
        """Note that the forge will not have what a head brings; raise it where the event brings nothing of a head's."""
        if event.kind not in _BRINGING or event.proposal is None or event.head is None:
            raise error
        self.objections[event.proposal, event.head] = str(error)

    def _standings(self, hearing: Hearing, position: Position) -> tuple[Standing, ...]:
        """Return the docket, with what the forge would not have blocked in its own words."""
        proposals = [self._made_again(one) for one in hearing.proposals(position)]
        return tuple(self._objected(one) for one in docket(position, proposals, self.now))

    def _made_again(self, proposal: Proposal) -> Proposal:
        """Return a proposal without the heads that the forge would not have: the next may be without the fault."""
        refused = [at for at, one in enumerate(proposal.earlier, 1) if (proposal.forge, one.head) in self.objections]
        return replace(proposal, earlier=proposal.earlier[refused[-1] :]) if refused else proposal

    def _objected(self, standing: Standing) -> Standing:
        """Return a standing blocked where the forge would not have its head; what is blocked is withdrawn freely."""
        proposal = standing.proposal
        words = self.objections.get((proposal.forge, proposal.head))
        if words is None:
            return standing
        if proposal.withdrawn is not None:
            return replace(standing, stage=Stage.WITHDRAWN)
        return replace(standing, stage=Stage.BLOCKED, reasons=(Reason(Refusal.FORGE, {"words": words}),))

    def _carry_out(self, tip: Oid, position: Position, event: Event, standing: Standing | None) -> tuple[Oid, Position]:
        undone = self._undone(event) if event.kind is EventKind.VOIDED else None
        there = after(position, event, _change(standing), undone)
        lately = there.state.lately
        if event.kind is EventKind.ADOPTED and lately is not None and lately.proposal == event.proposal:
            self.before = position
        tip_tree = self.clone.repository[tip].peel(pygit2.Tree).id.raw
        parent, old_tree = self.imagined or (tip, tip_tree)
        parents = [parent]
        if event.kind is EventKind.ADOPTED and event.head is not None:
            parents.append(pygit2.Oid(hex=event.head))
        graft = tree_after(self.clone.trees, old_tree, position, there)
        if self.dry:
            # What is thrown for later depends on the id that the commit would have (202).
            imagined = object_id(b"commit", event_commit(graft.tree, parents, event))
            self.imagined = pygit2.Oid(raw=imagined), graft.tree
            self.done.append(Done(event, None, position, standing))
            return tip, replace(there, last=thrown_from(position.last, event, imagined.hex()))
        tree = graft.write(self.clone.repository)
        new = write_event(self.clone, parents, tree, event)
        publish(self.clone, self.forge, tip, new, event)
        self.done.append(Done(event, str(new), position, standing))
        last = thrown_from(position.last, event, str(new))
        return new, replace(position_at(self.clone.trees, tree.raw), last=last)

    def _undone(self, voiding: Event) -> Rule | None:
        """Return a rule as it was before the adoption that is taken back, None where there was none or none is."""
        rule = voiding.change.rule if voiding.change is not None else None
        if rule is None:
            return None
        if self.before is not None:
            return self.before.law.rulebook.rules.get(rule)
        return rule_before(self.clone, voiding.proposal or 0, rule)

    def _speak(
        self, hearing: Hearing, position: Position, standings: Sequence[Standing], every: tuple[Standing, ...]
    ) -> None:
        submissions = {one.number: one for one in hearing.submissions}
        proceedings = self._proceedings(position, every)
        for recorded in reversed(self._ended(position)):
            self._tell_end(recorded, proceedings)
        for standing in standings:
            number = standing.proposal.forge
            submission = submissions[number]
            account = open_account(position, standing, submission.title)
            account = replace(account, clock=clock(position, standing, standings, self.now, self.forge.next_look))
            told = (*notes(position, standing, standings, submission), *proceedings.in_vain(number))
            judged = proceedings.told_of(standing)
            self._tell(account, open_comment(position, standing, account, told, self.forge.advice, judged))
        if not self.dry:
            self.forge.finish()

    def _proceedings(self, position: Position, standings: tuple[Standing, ...]) -> Proceedings:
        imagined = [Recorded(one.event, "", ()) for one in self.done] if self.dry else []
        return Proceedings(self.clone, position, standings, self.pleas, self.now, self.forge.commands, imagined)

    def _ended(self, position: Position) -> list[Recorded]:
        """Return what has ended and is to be told of, newest first.

        With what is unfinished, that is the turn that ended last, if something was said of it: until the next has ended
        it may be judged, and nobody has to look for it where nothing was said.
        """
        unfinished, lately = self._unfinished(), position.state.lately
        if lately is None or not self.pleas.get(lately.proposal):
            return unfinished
        if any(one.event.proposal == lately.proposal for one in unfinished):
            return unfinished
        recorded = resolving(self.clone, lately.proposal)
        return unfinished if recorded is None else [*unfinished, recorded]

    def _tell_end(self, recorded: Recorded, proceedings: Proceedings) -> None:
        account = closed_account(self.clone, recorded, None, recorded.event.time)
        number = account.proposal
        judged, told = proceedings.told(number, account.opened), proceedings.in_vain(number)
        text = closed_comment(self.clone, recorded, account, told, judged)
        if self.forge.comment(number) != text:
            self._tell(account, text)

    def _tell(self, account: Account, text: str) -> None:
        """Say and show how a proposal stands; what is shown comes first, lest what is said be not done yet."""
        if not self.dry:
            self.forge.show(account.proposal, account.stage, account.summary)
        self._say(account.proposal, text)

    def _is_for_players(self, position: Position, standing: Standing) -> bool:
        """Return whether the proposal is a player's, or a request to join that is in order (section 3).

        Where the referee has spoken once, what it said is kept true.
        """
        proposal, state = standing.proposal, position.state
        author, account = proposal.author, proposal.account_id
        if state.seat(author) is not None or state.left(author, account) is not None:
            return True
        # A newcomer cannot know that surnames are asked for here, and is told; what else is wrong is not answered.
        faults = {one.what for one in standing.reasons} - {Hindrance.SURNAME_MISSING}
        waits = standing.stage is Stage.WAITING
        in_order = isinstance(proposal.reading, JoinRequest) and (waits or not faults)
        return in_order or self.forge.comment(proposal.forge) is not None

    def _unfinished(self) -> list[Recorded]:
        """Return the resolved proposals whose comment does not say so yet, newest first.

        Comments are written oldest first, so that the first finished one means that those before it are. One that was
        voided is told of its end, and no more of what went before.
        """
        found: dict[int, Recorded] = {}
        for recorded in events(self.clone):
            number = recorded.event.proposal
            if number is None or number in found or not resolved_by(self.clone, recorded):
                continue
            submission = self.forge.submission(number)
            if submission is None or submission.submitted > recorded.event.time:
                break  # In a fork of a game, the forge gives the numbers of its proposals to others again.
            if (self.forge.comment(number) or "").rstrip().endswith(final_mark(recorded)):
                break
            found[number] = recorded
        return [*found.values()]

    def _say(self, number: int, text: str) -> None:
        if self.forge.comment(number) == text:
            return
        self.comments += 1
        if not self.dry:
            self.forge.say(number, text)


def _change(standing: Standing | None) -> Change | None:
    reading = standing.proposal.reading if standing is not None else None
    return None if isinstance(reading, Improper | NoProposal) else reading
