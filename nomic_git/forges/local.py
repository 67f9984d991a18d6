"""The local forge: proposals, votes and comments as refs of the repository itself, no server (section 11).

Each ref has one writer; readers take the union of what is in this clone and of what was fetched. Where the
game branch follows a remote, the forge is what the remote has, and whatever is done here is sent there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pygit2

from nomic_git.forges.forge import ForgeError, Submission
from nomic_git.forges.log import LONGEST_WORDS, Deed, append, last_words, read_log
from nomic_git.forges.plea import over
from nomic_git.forges.reading import read_submission
from nomic_git.forges.refs import (
    Copies,
    ProposalRefs,
    create_all,
    descends,
    fetched,
    in_the_way,
    is_commit,
    look_up,
    move,
    ref,
    scan,
)
from nomic_git.forges.remote import Obstructed, Rejected, Remote, push_by_hand
from nomic_git.game.player import is_login
from nomic_git.law.errors import Unreadable
from nomic_git.repository.clone import Clone, Moved, Refused
from nomic_git.repository.position import state_at

if TYPE_CHECKING:
    from nomic_git.forges.log import LogEntry
    from nomic_git.game.numbers import Numbers
    from nomic_git.game.proposal import Stage

_TRIES = 5


_REFEREE = "referee"


@dataclass(slots=True)
class LocalForge:
    """The local forge of one clone."""

    clone: Clone
    sent: int = 0
    """How many refs were sent late, because the remote could not be reached when they were written."""

    troubles: tuple[str, ...] = ()
    """What of the last fetch went wrong and stopped nothing else, a line each."""

    _said: set[int] = field(default_factory=set)
    _known: dict[int, ProposalRefs] = field(default_factory=dict)
    _remote: Remote | None = None

    @property
    def requests(self) -> int:
        """How many calls to the remote were made."""
        return self._remote.requests if self._remote is not None else 0

    # What the referee asks.

    def fetch(self) -> None:
        """Bring what others did, and the game branch, into this clone. Without a remote there is nothing to do.

        Raises ForgeError where the remote cannot be reached, OwnCommits where this clone's game branch and the
        remote's have parted, Refused where uncommitted changes are in the way of the remote's.
        """
        remote = self._at()
        if remote is None:
            return
        remote.fetch(branch=True)
        self._known.clear()
        remote.follow()
        self.troubles = tuple(remote.refused.values())
        self._send_kept(remote)

    def submissions(self, resolved: Numbers) -> Sequence[Submission]:
        """Return every proposal that is not among `resolved`, by number; of what is over all the same, see Forge."""
        self._known = dict(scan(self.clone, resolved))
        found = (read_submission(self.clone, number, refs, with_words=False) for number, refs in self._by_number())
        state = state_at(self.clone.trees, self.clone.tip.tree_id.raw)
        return [over(one) if one.number in state.resolved else one for one in found if one is not None]

    def submission(self, number: int) -> Submission | None:
        """Return one proposal with what was said on it, None where there is none of that number."""
        refs = look_up(self.clone, [number]).get(number)
        return read_submission(self.clone, number, refs, with_words=True) if refs is not None else None

    def comment(self, number: int) -> str | None:
        """Return the referee's comment on a proposal as the forge has it, None where there is none."""
        tally = self._refs(number).tally
        there = tally.here if self._at() is None else tally.there
        return None if there is None else self._words(there)

    def say(self, number: int, text: str) -> None:
        """Make the referee's comment say this, on top of what it said before. Its time is the game's own."""
        tally = self._refs(number).tally
        last = self._base(tally)
        if last is None or self._words(last) != text:
            time = self.clone.tip.commit_time
            on = pygit2.Oid(hex=last) if last is not None else None
            new = str(append(self.clone.repository, on, _REFEREE, number, Deed.COMMENT, time, words=text))
            if not move(self.clone, ref(number, "tally"), new, tally.here):
                raise ForgeError(f"another referee is writing on proposal {number} here; run the command again")
            tally.here = new
        # What is no commit at the remote could only be overwritten by force; the comment stays in this clone.
        if tally.there is None or is_commit(self.clone, tally.there):
            self._said.add(number)

    def show(self, number: int, stage: Stage, summary: str) -> None:
        """Show nothing: the comment says it all."""

    @property
    def advice(self) -> Sequence[str]:
        """Nothing: what is done here is seen at once."""
        return ()

    @property
    def commands(self) -> str:
        """That commands are given on the command line."""
        return "typed"

    @property
    def time(self) -> None:
        """None: the times of votes are those of the players' clocks."""

    @property
    def last(self) -> int | None:
        """The highest number that this clone knows of, None where it knows of none."""
        return self._next_number() - 1 or None

    def next_look(self, after: int) -> None:
        """Return None: the referee looks when somebody runs it."""
        del after

    def me(self) -> None:
        """Return None: this forge has no accounts."""

    def meant(self, login: str) -> str:
        """Return the login as it is: nobody has another one here."""
        return login

    def publish(self, old: str, new: str) -> None:
        """Push the game branch to the remote as a fast-forward. Raises Moved where it is not at `old` there."""
        remote = self._at()
        if remote is None:
            return
        try:
            remote.send({self.clone.branch: new})
        except Rejected:
            raise Moved(f"{remote.name} has moved past {old[:12]} meanwhile; run the command again") from None

    def finish(self) -> None:
        """Send the referee's comments to the remote, all or none; what has something in its way there, stays here."""
        remote = self._at()
        if remote is not None and self._said:
            self._send_comments(remote, sorted(self._said))
        self._said.clear()

    def _send_comments(self, remote: Remote, numbers: Sequence[int]) -> None:
        try:
            self._send(remote, {number: ["tally"] for number in numbers})
        except Obstructed:
            free = [number for number in numbers if in_the_way(self.clone, ref(number, "tally")) is None]
            if 0 < len(free) < len(numbers):
                self._send_comments(remote, free)

    # What players do.

    def propose(self, login: str, head: str, title: str, time: int, *, draft: bool) -> int:
        """Open a proposal and return its number, the next that nobody has taken (in this clone and the remote).

        Raises ForgeError where the remote cannot be reached: then no number can be taken.
        """
        self._check(login)
        remote = self._at()
        if remote is not None:
            remote.check_published()
        word = "draft" if draft else ""
        for _ in range(_TRIES * 4):
            number = self._next_number()
            entry = append(
                self.clone.repository, None, login, number, Deed.OPENED, time, word=word, head=head, words=title
            )
            if self._take(number, {ref(number, "head"): head, ref(number, f"log/{login}"): str(entry)}):
                self._known.pop(number, None)
                return number
        raise ForgeError("others take numbers faster than this clone can; try again")

    def push(self, login: str, number: int, head: str, time: int) -> None:
        """Give a proposal a new head, a descendant of the one it has. Raises ForgeError where it is none."""
        self._known.pop(number, None)
        remote = self._at()
        if remote is not None:
            remote.check_published()
        refs = self._refs(number)
        old = refs.head.latest(self.clone)
        if old is not None and not descends(self.clone, head, old):
            raise ForgeError(f"the new head does not stand on the old one, {old[:12]}; make the change on top of that")
        if not move(self.clone, ref(number, "head"), head, refs.head.here):
            raise ForgeError(f"proposal {number} is being changed by another command; try again")
        self._note(login, number, Deed.PUSHED, time, head=head, also=("head",))

    def note(
        self,
        login: str,
        number: int,
        deed: Deed,
        time: int,
        *,
        word: str = "",
        head: str | None = None,
        words: str = "",
    ) -> None:
        """Write down what a player did on a proposal, and send it where there is a remote.

        The log is one player's own. Where that player has written it from another clone too, this entry goes
        on top of what is there. Raises ForgeError where there is no such proposal, the words are longer than are read,
        or where the remote cannot be reached: then the entry is kept here.
        """
        size = len(words.encode("utf-8", "replace"))
        if size > LONGEST_WORDS:
            raise ForgeError(f"what is said on a proposal has at most {LONGEST_WORDS} bytes; this has {size}")
        self._note(login, number, deed, time, word=word, head=head, words=words)

    def head(self, number: int) -> str | None:
        """Return the head of a proposal, None where there is no such proposal."""
        refs = look_up(self.clone, [number]).get(number)
        return None if refs is None else refs.head.latest(self.clone)

    # Refs.

    def _at(self) -> Remote | None:
        name = self.clone.remote
        if name is None:
            self._remote = None
        elif self._remote is None or self._remote.name != name:
            self._remote = Remote(self.clone, name)
        return self._remote

    def _by_number(self) -> Sequence[tuple[int, ProposalRefs]]:
        return sorted(self._known.items(), key=lambda one: one[0])

    def _refs(self, number: int) -> ProposalRefs:
        if number not in self._known:
            self._known[number] = look_up(self.clone, [number]).get(number) or ProposalRefs()
        return self._known[number]

    def _base(self, tally: Copies) -> str | None:
        """Return the commit that the next comment goes on, None where there is none."""
        copies = (tally.latest(self.clone), tally.here)
        return next((one for one in copies if one is not None and is_commit(self.clone, one)), None)

    def _words(self, tally: str) -> str | None:
        try:
            return last_words(self.clone.repository, tally)
        except Unreadable:
            return None

    def _check(self, login: str) -> None:
        if not is_login(login):
            raise ForgeError(f"{login!r} can be no login: letters A to Z, digits, _ and - only")

    def _note(
        self,
        login: str,
        number: int,
        deed: Deed,
        time: int,
        *,
        word: str = "",
        head: str | None = None,
        words: str = "",
        also: Sequence[str] = (),
    ) -> None:
        self._check(login)
        for _ in range(_TRIES):
            self._known.pop(number, None)
            refs = self._refs(number)
            if refs.head.here is None and refs.head.there is None:
                raise ForgeError(f"there is no proposal {number} here; see: nomic-git proposals")
            log = f"log/{refs.spelt(login)}"
            copies = refs.logs.get(refs.spelt(login), Copies())
            last = self._end(number, log, copies)
            if last is not None:
                self._check_log(log, number, last)
            on = pygit2.Oid(hex=last) if last else None
            new = str(append(self.clone.repository, on, login, number, deed, time, word=word, head=head, words=words))
            if move(self.clone, ref(number, log), new, copies.here):
                break
        else:
            raise ForgeError(f"the log of {login} is being written by another command; try again")
        self._known.pop(number, None)
        remote = self._at()
        if remote is not None:
            self._send(remote, {number: [log, *also]})

    def _check_log(self, log: str, number: int, last: str) -> None:
        """Raise ForgeError where a log cannot be read: what would be put on top could not be read either."""
        try:
            read_log(self.clone.repository, last, with_words=False)
        except Unreadable as error:
            name = ref(number, log)
            raise ForgeError(
                f"{name} is no log that can be read ({error}); put it back to its last good commit: "
                f"git update-ref {name} COMMIT"
            ) from None

    # Numbers.

    def _next_number(self) -> int:
        """Return the number after every one that this clone knows of, resolved ones included."""
        resolved = state_at(self.clone.trees, self.clone.tip.tree_id.raw).resolved
        return max([resolved.last or 0, *(number for number, _ in scan(self.clone, resolved))]) + 1

    def _take(self, number: int, refs: dict[str, str]) -> bool:
        """Create the refs of a new proposal, at the remote first where there is one; the loser gets False."""
        remote = self._at()
        if remote is None:
            return create_all(self.clone, refs)
        head = ref(number, "head")
        try:
            remote.send(refs, new=head)
        except Obstructed:
            return False
        except Rejected:
            remote.fetch(branch=False)
            if not remote.has(head):
                raise
            return False
        create_all(self.clone, refs)
        return True

    # The remote.

    def _send_kept(self, remote: Remote) -> None:
        """Send what players did here while the remote could not be reached."""
        resolved = state_at(self.clone.trees, self.clone.tip.tree_id.raw).resolved
        for number, refs in scan(self.clone, resolved):
            logs = {f"log/{login}": copies for login, copies in refs.logs.items()}
            kept = {what: one for what, one in {"head": refs.head, **logs}.items() if self._is_kept(one)}
            if kept and not (refs.head.there is None and "head" not in kept):
                try:
                    self._send(remote, {number: sorted(kept)})
                except ForgeError as error:
                    self.troubles += (str(error),)
                else:
                    self.sent += len(kept)

    def _is_kept(self, copies: Copies) -> bool:
        here, there = copies.here, copies.there
        if here is None or here == there or not is_commit(self.clone, here):
            return False
        return there is None or not descends(self.clone, there, here)

    def _send(self, remote: Remote, what: dict[int, list[str]]) -> None:
        """Send refs of one's own; where another clone of the same writer was first, go on from there."""
        for _ in range(_TRIES):
            names = [ref(number, one) for number, ones in what.items() for one in ones]
            ids = {name: str(self.clone.repository.references[name].target) for name in names}
            try:
                remote.send(ids)
            except Rejected:
                remote.fetch(branch=False)
                self._known.clear()
                bad = next((remote.refused[name] for name in names if name in remote.refused), None)
                if bad is not None:
                    raise ForgeError(f"{bad}; what you did is kept in this clone") from None
                for number, ones in what.items():
                    for one in ones:
                        self._rejoin(remote, number, one)
            except Obstructed as error:
                raise Obstructed(f"{error}; what you did is kept in this clone") from None
            except ForgeError as error:
                kept = push_by_hand(remote.name)
                raise ForgeError(f"{error}; what you did is kept in this clone. Send it later: {kept}") from None
            else:
                self._known.clear()
                return
        raise ForgeError(f"{remote.name} keeps moving; what you did is kept in this clone, try again")

    def _rejoin(self, remote: Remote, number: int, what: str) -> None:
        """Put what only this clone has of a ref of one's own on top of what the remote has."""
        name = ref(number, what)
        references = self.clone.repository.references
        ours, theirs = references.get(name), references.get(fetched(remote.name, name))
        if ours is None or theirs is None or descends(self.clone, str(ours.target), str(theirs.target)):
            return
        if what == "head":
            move(self.clone, name, str(theirs.target), str(ours.target))
            raise ForgeError(
                f"proposal {number} has another head at {remote.name} by now, {str(theirs.target)[:12]}; "
                "make the change again on top of that"
            )
        new = self._replayed(number, what, str(ours.target), str(theirs.target))
        if not move(self.clone, name, new, str(ours.target)):
            raise Refused(f"{name} is being written by another command; try again")

    def _end(self, number: int, log: str, copies: Copies) -> str | None:
        """Return the commit that the next entry of a log goes on, None where it is the first."""
        here, there = copies.here, copies.there
        if here is None or there is None:
            return here or there
        return here if descends(self.clone, here, there) else self._replayed(number, log, here, there)

    def _replayed(self, number: int, what: str, ours: str, theirs: str) -> str:
        """Return the remote's log with the entries on top that it lacks; of comments, with the last alone."""
        try:
            there = {entry.id for entry in read_log(self.clone.repository, theirs, with_words=False)}
            entries = [one for one in read_log(self.clone.repository, ours, with_words=True) if one.id not in there]
        except Unreadable as error:
            raise ForgeError(f"{ref(number, what)} at the remote is no log of ours: {error}") from None
        if what == "tally":
            entries = [one for one in entries[-1:] if one.words != self._words(theirs)]
        for entry in entries:
            theirs = self._again(number, what, theirs, entry)
        return theirs

    def _again(self, number: int, what: str, last: str, entry: LogEntry) -> str:
        login = what.removeprefix("log/") if what != "tally" else _REFEREE
        if entry.deed is Deed.BEGUN:
            return last
        return str(
            append(
                self.clone.repository,
                pygit2.Oid(hex=last),
                login,
                number,
                entry.deed,
                entry.time,
                word=entry.word,
                head=entry.head,
                words=entry.words,
            )
        )
