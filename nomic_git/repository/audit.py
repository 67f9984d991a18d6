"""An audit: the history replayed from its founding, and where it is not what the rules led to (section 5).

Each event's commit follows, byte for byte, from the position before it, its trailers and its proposal's
head. What it should have been is reckoned in memory and compared by id; nothing is written.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING, TypeAlias

import pygit2

from nomic_git import locales
from nomic_git.game.die import thrown_from
from nomic_git.game.event import Event, EventKind
from nomic_git.game.instant import LATEST, write_instant
from nomic_git.game.position import Position
from nomic_git.game.replay import begun, follow
from nomic_git.game.transition import founded
from nomic_git.law.errors import NomicError, Unreadable
from nomic_git.law.provisions import CHANGES_KINDS
from nomic_git.law.reason import Reason
from nomic_git.law.rule_change import (
    MOST_COMMITS,
    Absence,
    Improper,
    JoinRequest,
    NewSurname,
    NoProposal,
    is_the_games,
    read_change,
)
from nomic_git.repository.branch import different, read_branch
from nomic_git.repository.clone import GAME_FILES, NotHere
from nomic_git.repository.founding import beside_the_law, check_numbers
from nomic_git.repository.history import claimed_event, first_parents
from nomic_git.repository.position import language_at, position_at, state_at
from nomic_git.repository.record import event_commit, tree_after
from nomic_git.repository.rulebook import ByHand
from nomic_git.repository.settings import NOMIC_TOML, ForgeName, read_settings
from nomic_git.repository.tree import Trees, graft, object_id

if TYPE_CHECKING:
    from pygit2 import Commit, Oid, Repository

    from nomic_git.game.state import Seat
    from nomic_git.law.rule import Rule
    from nomic_git.law.rule_change import Change, Reading
    from nomic_git.repository.clone import Clone
    from nomic_git.repository.rounds import Round


class Flaw(StrEnum):
    """What a commit is not, of what it should be; each is a key of the message catalogue."""

    NO_FOUNDING = "no-founding"
    BY_HAND = "by-hand"
    BY_HAND_TOO = "by-hand-too"
    UNREADABLE_TRAILERS = "unreadable-trailers"
    NO_POSITION = "no-position"
    NOT_A_FOUNDING = "not-a-founding"
    SCORES_OF_FOUNDING = "scores-of-founding"
    GAME_THERE_BEFORE = "game-there-before"
    LEAVES_OUT = "leaves-out"
    MERGES_UNADOPTED = "merges-unadopted"
    HEAD_MISSING = "head-missing"
    NO_ACCOUNT = "no-account"
    HEAD_IS_NO_PROPOSAL = "head-is-no-proposal"
    PARENTS = "parents"
    TREE = "tree"
    DATE = "date"
    MESSAGE = "message"
    SIGNATURE = "signature"
    HEADER = "header"
    GOES_ON = "goes-on"


_TOUCHED = (b"rules", b"players", *(name.encode() for name in GAME_FILES))
"""What stands at the top of a game's tree and is changed by events alone."""

_ABSENCES = frozenset({EventKind.AWAY, EventKind.BACK})

_OF_A_FILE = frozenset({EventKind.JOINED, EventKind.SURNAMED, *_ABSENCES})

_READ = frozenset({EventKind.ADOPTED, EventKind.DEFEATED, EventKind.FORFEITED, *_OF_A_FILE})
"""The events that depend on what their proposal's head would change."""


@dataclass(frozen=True, slots=True)
class Irregular:
    """A commit of the game branch that is not what the rules led to, and what is wrong with it, in a sentence."""

    commit: str
    what: str


@dataclass(frozen=True, slots=True)
class Audit:
    """What an audit found.

    `events` is how many events the history records, irregular ones included. `scores_match` is whether the
    points of the regular events add up to those of `scores.json` at the tip.
    """

    events: int
    irregular: tuple[Irregular, ...]
    scores_match: bool


def _unwatched(done: int, total: int) -> None:
    """Take no notice of the progress."""


def audit(clone: Clone, progress: Callable[[int, int], object] = _unwatched, *, only: Round | None = None) -> Audit:
    """Replay the first-parent history from its founding and return where it is irregular, oldest first.

    Commits before the founding, and those that touch nothing of the game's, are none of its business. Where `only` one
    round is asked for, what was there before it is taken as it stands. `progress` is told how many commits are done,
    of how many. Raises NotHere where the clone is shallow.
    """
    clone.needs_history()
    end = clone.tip if only is None else only.end
    commits = [commit.id for commit in first_parents(clone, end)]
    commits.reverse()
    replay = _Replay(clone.repository, clone.trees, str(end.id))
    begins = commits.index(only.founding.id) if only is not None and only.founding is not None else 0
    for done, id_ in enumerate(commits, 1):
        commit = clone.repository[id_]
        assert isinstance(commit, pygit2.Commit), "the first parents of a commit are commits"
        if done <= begins:
            replay.pass_by(commit)
        else:
            if done == begins + 1 and begins:
                replay.resume()
            replay.take(commit)
        progress(done, len(commits))
    if not replay.begun:
        what = locales.irregular_text(Reason(Flaw.NO_FOUNDING))
        return Audit(0, (Irregular(str(clone.tip.id), what),), False)
    return Audit(replay.events, tuple(replay.irregular), replay.adds_up())


def _points(trees: Trees, tree: bytes) -> dict[str, int] | None:
    """Return the points in `scores.json` in a tree by whose they are, None where it cannot be read."""
    try:
        state = state_at(trees, tree)
    except Unreadable:
        return None
    return {_whose(seat): seat.points for seat in (*state.former, *state.seats)}


def _whose(seat: Seat) -> str:
    """Return whose the points of a seat are: a former player's login may be another's by now, and the id is not."""
    login = seat.login.casefold()
    return login if seat.account is None else f"{login} {seat.account}"


Finding: TypeAlias = Position | Reason
"""The position that a regular commit left, or what is wrong with the commit."""


@dataclass(slots=True)
class _Replay:
    """The game branch as far as it has been replayed: `tip` is the last commit, `tree` its tree.

    `reached` are the commits that the line reaches through the heads it adopted. `before` is the position that the
    adoption changed which can be undone, and `last` the id of the commit of the event that ended the last turn.
    """

    repository: Repository
    trees: Trees
    tip: str
    tree: bytes | None = None
    position: Position | None = None
    before: Position | None = None
    last: str = ""
    begun: bool = False
    events: int = 0
    irregular: list[Irregular] = field(default_factory=list)
    points: dict[str, int] = field(default_factory=dict)
    did_add_up: bool = True
    line: set[str] = field(default_factory=set)
    reached: set[str] = field(default_factory=set)

    def has(self, commit: str) -> bool:
        """Return whether a commit is on the first-parent line that has been replayed."""
        return commit in self.line

    def own(self, head: str) -> Sequence[Commit]:
        """Return the commits below a head that the line does not reach, one more than there may be at most."""
        own: dict[str, Commit] = {}
        waiting = [head]
        while waiting and len(own) <= MOST_COMMITS:
            id_ = waiting.pop()
            if id_ in own or id_ in self.line or id_ in self.reached:
                continue
            commit = self.repository[id_]
            assert isinstance(commit, pygit2.Commit), "a commit's parent is a commit"
            own[id_] = commit
            waiting.extend(str(parent) for parent in commit.parent_ids)
        return tuple(own.values())

    def take(self, commit: Commit) -> None:
        """Take the next commit of the line."""
        finding = self._examine(commit)
        if isinstance(finding, Reason):
            self._note(commit, finding)
        elif finding is not None:
            self.position = finding
        self.pass_by(commit)

    def resume(self) -> None:
        """Begin with what is there: the rounds before are not asked about."""
        self.begun = True
        if self.tree is not None:
            self.points = _points(self.trees, self.tree) or {}
            with contextlib.suppress(Unreadable):
                self.position = position_at(self.trees, self.tree)

    def adds_up(self) -> bool:
        """Return whether the points are those of the scores, at the last commit and at the end of each round before."""
        return self.did_add_up and self.tree is not None and self.points == _points(self.trees, self.tree)

    def pass_by(self, commit: Commit) -> None:
        """Go on to the next commit of the line, whatever it is."""
        self.tip, self.tree = str(commit.id), commit.tree_id.raw
        self.line.add(self.tip)
        self.reached.update(str(one.id) for one in self._beside([str(parent) for parent in commit.parent_ids[1:]]))

    def _beside(self, waiting: list[str]) -> list[Commit]:
        """Return these commits and all below them that the line has not reached yet."""
        found: dict[str, Commit] = {}
        while waiting:
            id_ = waiting.pop()
            if id_ in found or id_ in self.line or id_ in self.reached or id_ not in self.repository:
                continue
            commit = self.repository[id_]
            assert isinstance(commit, pygit2.Commit), "a commit's parent is a commit"
            found[id_] = commit
            waiting.extend(str(parent) for parent in commit.parent_ids)
        return list(found.values())

    def _note(self, commit: Commit, reason: Reason) -> None:
        """Note an irregular commit, and go on from what its tree says, so that it is one line in the end."""
        what = locales.irregular_text(reason)
        try:
            self.position = position_at(self.trees, commit.tree_id.raw)
        except Unreadable as error:
            problem = error.problem if isinstance(error, ByHand) else str(error)
            what = f"{what} {locales.irregular_text(Reason(Flaw.GOES_ON, {'problem': problem}))}"
        self.irregular.append(Irregular(str(commit.id), what))

    def _examine(self, commit: Commit) -> Finding | None:
        """Return what a commit leaves or what is wrong with it, None where it is no business of the game's."""
        try:
            event = claimed_event(commit)
        except Unreadable as error:
            return Reason(Flaw.UNREADABLE_TRAILERS, {"problem": str(error)}) if self.begun else None
        if event is None:
            return (self._merge(commit) or self._by_hand(commit)) if self.begun else None
        if not self.begun and event.kind is not EventKind.FOUNDED:
            return None
        self.events += 1
        found = self._founding(commit, event) if not self.begun else self._event(commit, event)
        self.last = thrown_from(self.last, event, str(commit.id))
        self.begun = True
        if isinstance(found, Position):
            self._count(event, found)
        return found

    def _merge(self, commit: Commit) -> Reason | None:
        """Return what a merge by hand does to the game although its tree is the line's: what it hides or takes in.

        A fast-forward to it is one to anybody, and yet events of its other parents are no longer on the line.
        """
        for parent in commit.parent_ids[1:]:
            beside = [one for one in self._beside([str(parent)]) if _claims_event(one)]
            if beside:
                return Reason(Flaw.LEAVES_OUT, {"events": len(beside), "commit": str(beside[0].id)[:12]})
            branch = read_branch(self, str(parent), {})
            paths = (one.path for one in branch.changes if is_the_games(one.path) and not branch.is_merged)
            path = next(paths, None) if branch.merge_bases else None
            if path is not None:
                return Reason(Flaw.MERGES_UNADOPTED, {"path": path})
        return None

    def _by_hand(self, commit: Commit) -> Reason | None:
        old, new = self.trees.entries(self.tree), self.trees.entries(commit.tree_id.raw)
        touched = [name.decode() for name in _TOUCHED if old.get(name) != new.get(name)]
        if not touched:
            return None
        changed = (path for path, _, _ in different(self.trees, self.tree, commit.tree_id.raw))
        first, *more = sorted(path for path in changed if path.partition("/")[0] in touched) or touched
        if not more:
            return Reason(Flaw.BY_HAND, {"path": first})
        return Reason(Flaw.BY_HAND_TOO, {"path": first, "more": len(more)})

    def _founding(self, commit: Commit, event: Event) -> Finding:
        """Return the position that a founding leaves: what its rules and players are is not ours to judge."""
        tree = commit.tree_id.raw
        there = next((name for name in _TOUCHED if name in self.trees.entries(self.tree)), None)
        if there is not None:
            return Reason(Flaw.GAME_THERE_BEFORE, {"path": there.decode()})
        try:
            found = position_at(self.trees, tree)
            check_numbers(found.law.rulebook)
        except ByHand as error:
            return Reason(Flaw.NOT_A_FOUNDING, {"problem": error.problem})
        except NomicError as error:
            return Reason(Flaw.NOT_A_FOUNDING, {"problem": str(error)})
        seated = {seat.login: found.players.get(seat.login) for seat in found.state.seats}
        players = {login: player for login, player in seated.items() if player is not None}
        # The order of the seats is the founder's to choose, so it is taken from the scores.
        position = founded(found.law, players, min(event.time, LATEST), found.language)
        if position.state != found.state or len(players) != len(found.players) or event.time > LATEST:
            return Reason(Flaw.SCORES_OF_FOUNDING)
        settings = graft(self.trees, self.tree, beside_the_law(self.trees.file(tree, NOMIC_TOML), players))
        expected = tree_after(self.trees, settings.tree, None, position).tree
        parents = [commit.parent_ids[0]] if commit.parent_ids else []
        return self._flaw(commit, Event(EventKind.FOUNDED, event.time), expected, parents) or position

    def _round(self, commit: Commit, event: Event, before: Position) -> Finding:
        """Return the position with which another round begins: it has the rules before, or any that can be founded."""
        tree = commit.tree_id.raw
        try:
            law = position_at(self.trees, tree).law
            if self.trees.id(tree, "rules") != self.trees.id(self.tree or b"", "rules"):
                check_numbers(law.rulebook)
        except ByHand as error:
            return Reason(Flaw.NOT_A_FOUNDING, {"problem": error.problem})
        except NomicError as error:
            return Reason(Flaw.NOT_A_FOUNDING, {"problem": str(error)})
        before = replace(before, language=language_at(self.trees, tree))
        position = begun(before, law, event)
        if isinstance(position, Reason):
            return position
        settings = graft(self.trees, self.tree, {NOMIC_TOML: self.trees.file(tree, NOMIC_TOML)})
        expected = tree_after(self.trees, settings.tree, before, position).tree
        return self._flaw(commit, event, expected, [commit.parent_ids[0]]) or position

    def _event(self, commit: Commit, event: Event) -> Finding:
        if self.position is None:
            return Reason(Flaw.NO_POSITION)
        if event.kind is EventKind.FOUNDED:
            return self._round(commit, event, self.position)
        if event.kind is EventKind.JOINED and event.account is None and self._is_on_github():
            return Reason(Flaw.NO_ACCOUNT, {"player": event.player or ""})
        # The language is no law: it changes between two events, without one of its own.
        before = replace(self.position, last=self.last, language=language_at(self.trees, self.tree))
        change = self._change(commit, event, before)
        if isinstance(change, Reason):
            return change
        position = follow(before, event, change, self._undone(event))
        if isinstance(position, Reason):
            return position
        lately = position.state.lately
        if event.kind is EventKind.ADOPTED and lately is not None and lately.proposal == event.proposal:
            self.before = before
        expected = tree_after(self.trees, self.tree, before, position).tree
        parents = [commit.parent_ids[0]]
        if event.kind is EventKind.ADOPTED:
            parents.append(pygit2.Oid(hex=event.head or ""))
        return self._flaw(commit, event, expected, parents) or position

    def _undone(self, event: Event) -> Rule | None:
        """Return a rule as it was before the adoption that an event takes back, None where there was none."""
        rule = event.change.rule if event.kind is EventKind.VOIDED and event.change is not None else None
        return self.before.law.rulebook.rules.get(rule) if self.before is not None and rule is not None else None

    def _is_on_github(self) -> bool:
        """Return whether the game was on GitHub before the commit that is examined, so far as it says."""
        source = self.trees.file(self.tree, NOMIC_TOML) if self.tree is not None else None
        try:
            return source is not None and read_settings(source).forge is ForgeName.GITHUB
        except Unreadable:
            return False

    def _change(self, commit: Commit, event: Event, position: Position) -> Change | Reason | None:
        """Return what the head of an event's proposal would change, None where it does not matter or is gone.

        A head that was not adopted hangs on no branch, and Git may have dropped it. Who joined, went away
        or gave a surname then sits by the file in the event's own tree, in which the id is to be the trailer's.
        """
        if event.kind not in _READ or event.head is None:
            return None
        try:
            branch = read_branch(self, event.head, {})
        except (NotHere, KeyError):
            if event.kind is EventKind.ADOPTED:
                return Reason(Flaw.HEAD_MISSING, {"head": event.head})
            return self._seat(commit, event)
        kinds = position.law.value(CHANGES_KINDS)
        reading: Reading = read_change(branch, event.player or "", kinds)
        if isinstance(reading, Improper):
            return reading.reasons[0]
        return Reason(Flaw.HEAD_IS_NO_PROPOSAL) if isinstance(reading, NoProposal) else reading

    def _seat(self, commit: Commit, event: Event) -> JoinRequest | Absence | NewSurname | None:
        entry = self.trees.entry(commit.tree_id.raw, f"players/{event.player}.md")
        if entry is None or event.kind not in _OF_A_FILE:
            return None
        file = self.trees.blob(entry.id)
        if event.kind in _ABSENCES:
            return Absence(event.player or "", file, event.kind is EventKind.AWAY)
        if event.kind is EventKind.SURNAMED:
            return NewSurname(event.player or "", file)
        return JoinRequest(event.player or "", file, entry.id.hex())

    def _flaw(self, commit: Commit, event: Event, tree: bytes, parents: list[Oid]) -> Reason | None:
        """Return what is wrong with a commit whose event is in order, None where every byte is right."""
        expected = event_commit(tree, parents, event)
        if object_id(b"commit", expected) == commit.id.raw:
            return None
        if commit.parent_ids != parents:
            return Reason(Flaw.PARENTS)
        if commit.tree_id.raw != tree:
            return self._wrong_tree(commit, event, tree)
        return _wrong_words(commit, expected)

    def _wrong_tree(self, commit: Commit, event: Event, tree: bytes) -> Reason:
        try:
            state = state_at(self.trees, commit.tree_id.raw)
        except Unreadable:
            state = None
        if state is not None and state.time != event.time:
            return Reason(Flaw.DATE, {"time": write_instant(state.time)})
        path = min((path for path, _, _ in different(self.trees, tree, commit.tree_id.raw)), default="")
        return Reason(Flaw.TREE, {"path": path})

    def _count(self, event: Event, position: Position) -> None:
        """Add a regular event's points to those that the events add up to."""
        login = (event.player or "").casefold()
        if event.kind is EventKind.FORFEITED and login in self.points:
            left = position.state.left(login)
            self.points[_whose(left) if left is not None else login] = self.points.pop(login)
        back = self.position.state.left(login, event.account) if self.position is not None else None
        if event.kind is EventKind.JOINED and back is not None and _whose(back) in self.points:
            self.points[login] = self.points.pop(_whose(back))
        if event.kind is EventKind.FOUNDED and event.round is not None:
            self._end_round()
        if event.kind in {EventKind.FOUNDED, EventKind.JOINED}:
            for seat in position.state.seats:
                self.points.setdefault(seat.login.casefold(), seat.points)
        for player, more in event.points:
            if position.state.seat(player) is not None:
                self.points[player.casefold()] = self.points.get(player.casefold(), 0) + more

    def _end_round(self) -> None:
        """Note whether the points of the round before are those of its last scores, and begin to count anew."""
        self.did_add_up = self.adds_up()
        self.points.clear()


def _claims_event(commit: Commit) -> bool:
    try:
        return claimed_event(commit) is not None
    except Unreadable:
        return True


def _wrong_words(commit: Commit, expected: bytes) -> Reason:
    head, _, words = expected.partition(b"\n\n")
    if commit.raw_message != words:
        there = commit.raw_message.decode("utf-8", "replace").split("\n")
        due = words.decode().split("\n")
        line = next((one for one, other in zip(there, due, strict=False) if one != other), "")
        return Reason(Flaw.MESSAGE, {"line": line})
    lines = commit.read_raw().partition(b"\n\n")[0].split(b"\n")
    signed = [line for line in head.split(b"\n") if line.startswith((b"author ", b"committer "))]
    return Reason(Flaw.HEADER if all(line in lines for line in signed) else Flaw.SIGNATURE)
