"""Games to measure: long ones that were played to the end, and one with a full docket.

Every game is made by the code that plays real ones (heard, put on the docket, resolved, written as one
commit an event), so that `audit` finds nothing irregular in it. Only what travels through the git binary is
done in bulk: refs, packing, the work tree. The same size always gives the same commits.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pygit2

from benchmarks.memory import Memory
from nomic_git.forges.forge import Cast, Submission
from nomic_git.forges.log import Deed, append
from nomic_git.game.docket import docket
from nomic_git.game.event import EventKind
from nomic_git.game.player import player_path, write_player
from nomic_git.game.position import Position
from nomic_git.game.proposal import Period
from nomic_git.game.resolution import next_event
from nomic_git.game.transition import after
from nomic_git.game.vote import Vote
from nomic_git.law.provisions import ADOPTION_RELAXATION, ADOPTION_THRESHOLD, VICTORY_POINTS
from nomic_git.law.rule import Rule, Status, providing, reworded, rule_path
from nomic_git.law.rule_change import Forfeit, JoinRequest, RuleChange
from nomic_git.law.rulebook import Rulebook
from nomic_git.referee.account import closed_account
from nomic_git.referee.comment import closed_comment
from nomic_git.referee.hearing import Hearing
from nomic_git.repository.clone import Clone, open_clone
from nomic_git.repository.founding import found, shipped
from nomic_git.repository.history import recorded_event
from nomic_git.repository.position import position_at
from nomic_git.repository.record import tree_after, write_event
from nomic_git.repository.settings import Settings
from nomic_git.repository.tree import graft

FOUNDED = 1_600_000_000
"""When every game was founded, in seconds since the epoch."""

AMENDED = -106
"""The rule that a long game amends again and again, by its first number."""

AMENDMENTS = 100
"""How often it does so; in a game of fewer than two hundred proposals, every other proposal."""

_STEP = 900
_SEATED = ("alice", "bob", "carol", "dave", "erin", "frank")
_GUEST = "grace"


def long_game(folder: Path, size: int) -> None:
    """Play a game of `size` resolved proposals in a new folder, packed as `git gc` leaves a clone."""
    table = _Table(_seat(folder, _SEATED)).in_memory()
    for number in range(1, size + 1):
        table.play(number, *_move(table.position, number, size))
    table.finish()


def busy_game(folder: Path, players: int, proposals: int, voters: int) -> None:
    """Found a game with a docket of open proposals on each of which `voters` players voted, never all of them.

    Unanimity is asked for, so none of them is due: while anybody's vote is missing, the referee can only say
    where each stands. The players propose in turn, the proposals beyond the first of a player wait for theirs.
    """
    table = _Table(_seat(folder, [f"player-{one:03}" for one in range(players)], relaxes=False)).in_memory()
    seated = list(table.position.players)
    for number in range(1, proposals + 1):
        author = seated[(number - 1) % players]
        head = table.commit(author, _enactment(number), FOUNDED + number)
        others = [login for login in seated if login != author][: min(voters, players - 1) - 1]
        table.submit(number, author, head, [(login, Vote.FOR) for login in others], FOUNDED + number)
    table.finish()


def decided(clone: Clone, number: int) -> None:
    """Add one proposal to a game, an enactment that everybody has voted for: the next pass adopts it."""
    table = _Table(clone)
    author, *others = (seat.login for seat in table.position.state.seats)
    time = table.position.state.time + _STEP
    head = table.commit(author, _enactment(number), time)
    table.submit(number, author, head, [(login, Vote.FOR) for login in others], time)
    clone.git("update-ref", "--stdin", stdin="".join(f"create {name} {id_}\n" for name, id_ in table.refs.items()))


def _seat(folder: Path, logins: Sequence[str], *, relaxes: bool = True) -> Clone:
    """Found a `github` game whose target nobody reaches, and which relaxes its threshold only if asked."""
    rulebook = _with(shipped("github", "en"), VICTORY_POINTS.name, 10**9)
    if not relaxes:
        rulebook = _with(rulebook, ADOPTION_RELAXATION.name, None)
    players = {login: write_player(login, name=login.title()) for login in logins}
    return found(folder, rulebook, players, Settings(name="A game to measure"), FOUNDED)


def _with(rulebook: Rulebook, name: str, value: int | None) -> Rulebook:
    rule = next(one for one in rulebook if name in one.provisions)
    kept = {key: one for key, one in rule.provisions.items() if key != name}
    return rulebook.with_rule(providing(rule, kept if value is None else {**kept, name: value}))


Files = Mapping[str, bytes | None]


def _move(position: Position, number: int, size: int) -> tuple[str, Files, bool]:
    """Return the author of a long game's next proposal, the files that it changes, and whether it succeeds."""
    seats = position.state.seats
    author = seats[number % len(seats)].login
    every = max(2, size // AMENDMENTS)
    if number % every == 0:
        return author, _amendment(position, AMENDED, number), True
    if number % 97 == 50:
        return _GUEST, {player_path(_GUEST): _guest_file(position)}, True
    if number % 41 == 7:
        return author, _transmutation(position), True
    match number % 5:
        case 1 | 3:
            return author, _enactment_or_repeal(position, number), True
        case 2:
            return author, _amendment(position, -109, number), False
        case _:
            return author, _amendment_of_a_custom(position, number), True


def _guest_file(position: Position) -> bytes | None:
    return None if _GUEST in position.players else write_player(_GUEST, name=_GUEST.title()).source


def _amendment(position: Position, first: int, number: int) -> Files:
    rule = position.law.rulebook.named(first)
    assert rule is not None, "the rule is never repealed"
    return _reworded(rule, number)


def _amendment_of_a_custom(position: Position, number: int) -> Files:
    """Amend a rule that will be repealed before long: few rules of a real game are amended again and again."""
    customs = _customs(position, Status.MUTABLE)
    return _reworded(customs[number // 5 % len(customs)], number)


def _reworded(rule: Rule, number: int) -> Files:
    words = f"{_words(rule)}\nAs proposal {number} has it, this is to be read kindly.\n".encode()
    return {rule.path: reworded(rule, words)}


def _words(rule: Rule) -> str:
    """Return the words of a rule without the last sentence that an amendment here added."""
    return rule.words.partition("\nAs proposal")[0]


def _enactment(number: int) -> Files:
    text = f"---\ntitle: Custom {number}\n---\n\nEvery player greets proposal {number} by name.\n"
    return {f"rules/mutable/custom-{number}.md": text.encode()}


def _customs(position: Position, status: Status) -> list[Rule]:
    return [rule for rule in position.law.rulebook.of(status) if (rule.title or "").startswith("Custom")]


def _enactment_or_repeal(position: Position, number: int) -> Files:
    customs = _customs(position, Status.MUTABLE)
    if len(customs) < 8 or (len(customs) < 12 and number % 2):
        return _enactment(number)
    return {customs[number % len(customs)].path: None}


def _transmutation(position: Position) -> Files:
    """Make a custom immutable, or mutable again the one that is."""
    there = _customs(position, Status.IMMUTABLE) or _customs(position, Status.MUTABLE)
    rule = there[0]
    return {rule.path: None, rule_path(rule.number, rule.status.other): rule.source}


@dataclass(slots=True)
class _Table:
    """A game that is being played: its clone, where it stands, and the refs that are still to be written."""

    clone: Clone
    position: Position = field(init=False)
    tip: pygit2.Oid = field(init=False)
    refs: dict[str, str] = field(default_factory=dict)
    memory: Memory = field(default_factory=Memory)

    def __post_init__(self) -> None:
        self.tip = self.clone.tip.id
        self.position = position_at(self.clone.trees, self.clone.tip.tree_id.raw)

    def in_memory(self) -> _Table:
        """Keep from now on in memory what is written, until `finish`."""
        self.clone.repository.odb.add_backend(self.memory, 1000)
        return self

    def play(self, number: int, author: str, files: Files, succeeds: bool) -> None:
        """Propose, vote and resolve, each event as the referee would make it."""
        time = self.position.state.time + _STEP
        head = self.commit(author, files, time)
        submission = self.submit(number, author, head, list(self._votes(number, author, succeeds)), time)
        hearing = Hearing(self.clone, str(self.tip), (submission,))
        while self._resolve(hearing, time + _STEP):
            pass
        assert number in self.position.state.resolved, f"proposal {number} was to be resolved"

    def _votes(self, number: int, author: str, succeeds: bool) -> Iterator[tuple[str, Vote]]:
        """Yield who votes how: with a dissenter now and then, once the majority decides."""
        unanimous = self.position.law.value(ADOPTION_THRESHOLD) == "unanimous"
        others = [seat.login for seat in self.position.state.seats if seat.login != author]
        dissenters = {others[number % len(others)]} if number % 4 == 0 and not unanimous else set()
        for login in others:
            yield login, Vote.FOR if succeeds and login not in dissenters else Vote.AGAINST

    def commit(self, author: str, files: Files, time: int) -> str:
        """Return a commit on the tip with these files changed, as a player would push it."""
        repository = self.clone.repository
        old = repository[self.tip].peel(pygit2.Tree).id.raw
        tree = graft(self.clone.trees, old, files).write(repository)
        signature = pygit2.Signature(author, f"{author}@players.invalid", time, 0)
        return str(repository.create_commit(None, signature, signature, "A proposal\n", tree, [self.tip]))

    def submit(self, number: int, author: str, head: str, votes: Sequence[tuple[str, Vote]], time: int) -> Submission:
        """Write the logs that opening and voting leave, and return the proposal as the forge would show it."""
        repository, title = self.clone.repository, f"Proposal {number} of a long game"
        self._ref(number, "head", head)
        opened = append(repository, None, author, number, Deed.OPENED, time, head=head, words=title)
        self._ref(number, f"log/{author}", str(opened))
        casts = []
        for place, (login, vote) in enumerate(votes, 1):
            cast = Cast(login, vote, time + place, head)
            entry = append(repository, None, login, number, Deed.VOTE, cast.time, word=vote.value, head=head)
            self._ref(number, f"log/{login}", str(entry))
            casts.append(cast)
        return Submission(number, author, head, title, time, (Period(time),), tuple(casts))

    def _resolve(self, hearing: Hearing, now: int) -> bool:
        """Carry out the next event, if one is due, and say whether one was."""
        due = next_event(self.position, docket(self.position, hearing.proposals(self.position), now), now)
        if due is None:
            return False
        event, standing = due
        reading = standing.proposal.reading if standing is not None else None
        there = after(
            self.position, event, reading if isinstance(reading, RuleChange | JoinRequest | Forfeit) else None
        )
        repository = self.clone.repository
        parents = [self.tip]
        if event.kind is EventKind.ADOPTED and event.head is not None:
            parents.append(pygit2.Oid(hex=event.head))
        old = repository[self.tip].peel(pygit2.Tree).id.raw
        tree = tree_after(self.clone.trees, old, self.position, there).write(repository)
        self.tip = write_event(self.clone, parents, tree, event)
        self.position = there
        if standing is not None:
            self._comment()
        return True

    def _comment(self) -> None:
        """Write the referee's last comment on the proposal that the tip resolved."""
        recorded = recorded_event(self.clone.repository[self.tip].peel(pygit2.Commit))
        assert recorded is not None, "the tip is an event"
        number = recorded.event.proposal
        assert number is not None, "it resolved a proposal"
        account = closed_account(self.clone, recorded, None, recorded.event.time)
        words = closed_comment(self.clone, recorded, account)
        time = self.position.state.time
        said = append(self.clone.repository, None, "referee", number, Deed.COMMENT, time, words=words)
        self._ref(number, "tally", str(said))

    def _ref(self, number: int, what: str, id_: str) -> None:
        self.refs[f"refs/nomic/proposals/{number}/{what}"] = id_

    def finish(self) -> None:
        """Write the refs as `git pack-refs` would have, pack everything, and check the game branch out."""
        self.memory.write_pack(Path(self.clone.repository.path))
        self.refs[self.clone.branch] = str(self.tip)
        lines = [f"{id_} {name}\n" for name, id_ in sorted(self.refs.items())]
        folder = Path(self.clone.repository.path)
        header = "# pack-refs with: peeled fully-peeled sorted \n"
        (folder / "packed-refs").write_text(header + "".join(lines), encoding="utf-8")
        (folder / self.clone.branch).unlink(missing_ok=True)
        self.clone.git("gc", "-q")
        self.clone.git("reset", "-q", "--hard")


def main(name: str, folder: Path, *arguments: int) -> None:
    """Make a game: `long FOLDER SIZE` or `busy FOLDER PLAYERS PROPOSALS VOTERS`; `decided FOLDER N` adds to one."""
    match name:
        case "long":
            long_game(folder, *arguments)
        case "busy":
            busy_game(folder, *arguments)
        case "decided":
            decided(open_clone(folder), *arguments)


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), *map(int, sys.argv[3:]))
