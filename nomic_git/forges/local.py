"""The local forge: proposals, votes and comments as refs of the repository itself, no server (section 11).

`refs/nomic/proposals/<n>/head` is the proposal's head, `.../log/<login>` what one player did on it, and
`.../tally` the referee's comment. Each ref has one writer; readers take the union of what is in this clone
and of what was fetched to `refs/remotes/<remote>/nomic/`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pygit2

from nomic_git.forges.forge import Cast, ForgeError, Remark, Submission
from nomic_git.forges.log import Deed, LogEntry, append, read_log
from nomic_git.game.proposal import Period
from nomic_git.game.vote import Vote
from nomic_git.repository.clone import Clone, Moved, Refused

if TYPE_CHECKING:
    from pygit2 import Oid

    from nomic_git.game.numbers import Numbers

LOOK_AHEAD = 64
"""Numbers past the last resolved one that are looked up at a time; a number is taken in order."""

_REF = re.compile(r"refs/(?:remotes/[^/]+/)?nomic/proposals/([1-9][0-9]{0,9})/(head|tally|log/([A-Za-z0-9_-]+))")
_TRIES = 5


@dataclass(slots=True)
class _Refs:
    """The refs of one proposal, from this clone first and then as fetched."""

    heads: list[str] = field(default_factory=list)
    tallies: list[str] = field(default_factory=list)
    logs: dict[str, list[str]] = field(default_factory=dict)
    spelt: dict[str, str] = field(default_factory=dict)


@dataclass(slots=True)
class LocalForge:
    """The local forge of one clone. `requests` counts calls to a remote."""

    clone: Clone
    requests: int = 0
    _said: set[int] = field(default_factory=set)
    _known: dict[int, _Refs] = field(default_factory=dict)

    # What the referee asks.

    def fetch(self) -> None:
        """Bring what others did, and the game branch, into this clone. Without a remote there is nothing to do.

        Raises ForgeError where the remote cannot be reached, Moved where this clone's game branch and the
        remote's have parted.
        """
        remote = self.clone.remote
        if remote is None:
            return
        self._fetch(remote, self._refspec(remote), f"+{self.clone.branch}:{self._tracking(remote)}")
        self._follow(remote)

    def submissions(self, resolved: Numbers) -> Sequence[Submission]:
        """Return every proposal that the history has not resolved, by number."""
        self._known.clear()
        for number, refs in self._open(resolved):
            self._known[number] = refs
        found = (self._submission(number, refs, with_words=False) for number, refs in sorted(self._known.items()))
        return [one for one in found if one is not None]

    def submission(self, number: int) -> Submission | None:
        """Return one proposal with what was said on it, None where there is none of that number."""
        refs = self._look_up([number]).get(number)
        return self._submission(number, refs, with_words=True) if refs is not None else None

    def comment(self, number: int) -> str | None:
        """Return the referee's comment on a proposal, None where there is none."""
        last = self._last_tally(number)
        if last is None:
            return None
        entries = read_log(self.clone.repository, last, with_words=True)
        return entries[-1].words if entries else None

    def say(self, number: int, text: str) -> None:
        """Make the referee's comment say this, on top of what it said before. Its time is the game's own."""
        last = self._last_tally(number)
        tip = self.clone.tip
        repository = self.clone.repository
        new = append(
            repository,
            pygit2.Oid(hex=last) if last else None,
            "referee",
            number,
            Deed.COMMENT,
            tip.commit_time,
            words=text,
        )
        repository.references.create(_ref(number, "tally"), new, force=True)
        self._refs(number).tallies.insert(0, str(new))
        self._said.add(number)

    def publish(self, old: str, new: str) -> None:
        """Push the game branch to the remote as a fast-forward. Raises Moved where it is not at `old` there."""
        remote = self.clone.remote
        if remote is None:
            return
        self.requests += 1
        try:
            self.clone.git("push", "-q", remote, f"{new}:{self.clone.branch}")
        except Refused as error:
            if "non-fast-forward" in str(error) or "fetch first" in str(error) or "rejected" in str(error):
                raise Moved(f"{remote} has moved past {old[:12]} meanwhile") from None
            raise ForgeError(f"{remote} did not take the game branch: {error}") from None
        self.clone.repository.references.create(self._tracking(remote), pygit2.Oid(hex=new), force=True)

    def finish(self) -> None:
        """Push the referee's comments to the remote."""
        remote = self.clone.remote
        if remote is None or not self._said:
            return
        refs = [_ref(number, "tally") for number in sorted(self._said)]
        self._push_own(remote, refs)
        self._said.clear()

    # What players do.

    def propose(self, login: str, head: str, title: str, time: int, *, draft: bool) -> int:
        """Open a proposal and return its number, the next that nobody has taken (in this clone and the remote).

        Raises ForgeError where the remote cannot be reached: then no number can be taken.
        """
        number = self._next_number()
        for _ in range(_TRIES * 20):
            entry = append(
                self.clone.repository,
                None,
                login,
                number,
                Deed.OPENED,
                time,
                word="draft" if draft else "",
                head=head,
                words=title,
            )
            if self._take(number, {_ref(number, "head"): head, _ref(number, f"log/{login}"): str(entry)}):
                return number
            number += 1
        raise ForgeError("others take numbers faster than this clone can; try again")

    def push(self, login: str, number: int, head: str, time: int) -> None:
        """Give a proposal a new head, a descendant of the one it has. Raises ForgeError where it is none."""
        old = self._furthest(self._refs(number).heads)
        if old is not None and not self.clone.repository.descendant_of(pygit2.Oid(hex=head), pygit2.Oid(hex=old)):
            raise ForgeError(f"the new head does not stand on the old one, {old[:12]}")
        self.clone.repository.references.create(_ref(number, "head"), pygit2.Oid(hex=head), force=True)
        self.note(login, number, Deed.PUSHED, time, head=head, also=[_ref(number, "head")])

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
        also: Sequence[str] = (),
    ) -> None:
        """Write down what a player did on a proposal, and push it where there is a remote.

        The log is one player's own. Where that player has written it from another clone too, this entry goes
        on top of what is there. Raises ForgeError where the remote cannot be reached: the entry is kept here.
        """
        refs = self._refs(number)
        ref = _ref(number, f"log/{refs.spelt.get(login.casefold(), login)}")
        repository = self.clone.repository
        last = self._furthest(refs.logs.get(login.casefold(), []))
        new = append(
            repository,
            pygit2.Oid(hex=last) if last else None,
            login,
            number,
            deed,
            time,
            word=word,
            head=head,
            words=words,
        )
        self._move(ref, new)
        self._known.pop(number, None)
        remote = self.clone.remote
        if remote is not None:
            self._push_own(remote, [ref, *also])

    def head(self, number: int) -> str | None:
        """Return the head of a proposal, None where there is no such proposal."""
        refs = self._look_up([number]).get(number)
        return None if refs is None else self._furthest(refs.heads)

    # Refs.

    def _open(self, resolved: Numbers) -> Iterator[tuple[int, _Refs]]:
        last = resolved.last or 0
        numbers = [*resolved.missing(1), *range(last + 1, last + 1 + LOOK_AHEAD)]
        while numbers:
            found = self._look_up(numbers)
            yield from found.items()
            end = numbers[-1]
            numbers = list(range(end + 1, end + 1 + LOOK_AHEAD)) if any(one > last for one in found) else []
            last = end

    def _look_up(self, numbers: Iterable[int]) -> dict[int, _Refs]:
        """Return the refs of these proposals, asking for no others: a long game has very many."""
        roots = ["refs/nomic", *([f"refs/remotes/{self.clone.remote}/nomic"] if self.clone.remote else [])]
        patterns = [f"{root}/proposals/{number}/" for number in numbers for root in roots]
        found: dict[int, _Refs] = {}
        for at in range(0, len(patterns), 500):
            listed = self.clone.git("for-each-ref", "--format=%(objectname) %(refname)", *patterns[at : at + 500])
            for line in listed.splitlines():
                id_, _, name = line.partition(" ")
                self._sort(found, id_, name)
        return found

    def _sort(self, found: dict[int, _Refs], id_: str, name: str) -> None:
        match = _REF.fullmatch(name)
        if match is None:
            return
        refs = found.setdefault(int(match.group(1)), _Refs())
        match match.group(2):
            case "head":
                refs.heads.append(id_)
            case "tally":
                refs.tallies.append(id_)
            case _:
                login = match.group(3)
                refs.logs.setdefault(login.casefold(), []).append(id_)
                refs.spelt.setdefault(login.casefold(), login)

    def _refs(self, number: int) -> _Refs:
        if number not in self._known:
            self._known[number] = self._look_up([number]).get(number, _Refs())
        return self._known[number]

    def _last_tally(self, number: int) -> str | None:
        return self._furthest(self._refs(number).tallies)

    def _furthest(self, ids: Sequence[str]) -> str | None:
        """Return the one that descends from the others, this clone's own where none does."""
        best = ids[0] if ids else None
        for id_ in ids[1:]:
            if best is not None and id_ != best and self._descends(id_, best):
                best = id_
        return best

    def _descends(self, one: str, other: str) -> bool:
        try:
            return self.clone.repository.descendant_of(pygit2.Oid(hex=one), pygit2.Oid(hex=other))
        except (KeyError, pygit2.GitError):
            return False

    def _move(self, ref: str, new: Oid) -> None:
        try:
            self.clone.repository.references.create(ref, new, force=True)
        except (pygit2.GitError, OSError) as error:
            raise ForgeError(f"{ref} cannot be written: {error}") from None

    # Numbers.

    def _next_number(self) -> int:
        """Return a number past every one that this clone knows of."""
        roots = ["refs/nomic/proposals", f"refs/remotes/{self.clone.remote}/nomic/proposals"]
        listed = self.clone.git("for-each-ref", "--format=%(refname)", *[f"{root}/*/head" for root in roots])
        taken = [int(match.group(1)) for line in listed.splitlines() if (match := _REF.fullmatch(line))]
        return max(taken, default=0) + 1

    def _take(self, number: int, refs: Mapping[str, str]) -> bool:
        """Create the refs of a new proposal, at the remote first where there is one; the loser gets False."""
        remote = self.clone.remote
        if remote is not None and not self._take_at(remote, number, refs):
            return False
        commands = "".join(f"create {name} {id_}\n" for name, id_ in refs.items())
        try:
            self.clone.git("update-ref", "--stdin", stdin=commands)
        except Refused as error:
            if "already exists" in str(error):
                return False
            raise
        return True

    def _take_at(self, remote: str, number: int, refs: Mapping[str, str]) -> bool:
        self.requests += 1
        specs = [f"{id_}:{name}" for name, id_ in refs.items()]
        lease = f"--force-with-lease={_ref(number, 'head')}:"
        try:
            self.clone.git("push", "-q", "--atomic", lease, remote, *specs)
        except Refused as error:
            if "stale info" in str(error) or "rejected" in str(error):
                return False
            raise ForgeError(f"{remote} cannot be reached, so no number can be taken: {error}") from None
        return True

    # The remote.

    def _refspec(self, remote: str) -> str:
        return f"+refs/nomic/*:refs/remotes/{remote}/nomic/*"

    def _tracking(self, remote: str) -> str:
        return f"refs/remotes/{remote}/{self.clone.settings.branch}"

    def _fetch(self, remote: str, *refspecs: str) -> None:
        self.requests += 1
        try:
            self.clone.git("fetch", "-q", "--no-tags", "--no-recurse-submodules", remote, *refspecs)
        except Refused as error:
            raise ForgeError(f"{remote} cannot be reached: {error}") from None
        self._known.clear()

    def _follow(self, remote: str) -> None:
        """Fast-forward this clone's game branch to the remote's."""
        there = self.clone.repository.references.get(self._tracking(remote))
        here = self.clone.tip
        if there is None or there.target == here.id or not isinstance(there.target, pygit2.Oid):
            return
        if self.clone.repository.descendant_of(there.target, here.id):
            self.clone.advance(here.id, there.target)
        elif not self.clone.repository.descendant_of(here.id, there.target):
            branch = self.clone.settings.branch
            raise Moved(f"{branch} here and at {remote} have parted; join them: git pull --rebase {remote} {branch}")

    def _push_own(self, remote: str, refs: Sequence[str]) -> None:
        """Push refs of one's own, unforced; where another clone of the same writer was first, go on top of it."""
        for _ in range(_TRIES):
            self.requests += 1
            try:
                self.clone.git("push", "-q", remote, *[f"{ref}:{ref}" for ref in refs])
            except Refused as error:
                if "rejected" not in str(error) and "fetch first" not in str(error):
                    raise ForgeError(
                        f"{remote} cannot be reached; what you did is kept in this clone. "
                        f"Send it later: git push {remote} 'refs/nomic/*:refs/nomic/*' ({error})"
                    ) from None
            else:
                return
            self._fetch(remote, self._refspec(remote))
            for ref in refs:
                self._onto(remote, ref)
        raise ForgeError(f"{remote} keeps moving; try again")

    def _onto(self, remote: str, ref: str) -> None:
        """Put this clone's entries of a log that the remote lacks on top of the remote's."""
        repository = self.clone.repository
        theirs = repository.references.get(ref.replace("refs/nomic", f"refs/remotes/{remote}/nomic", 1))
        ours = repository.references.get(ref)
        if theirs is None or ours is None or theirs.target == ours.target:
            return
        if self._descends(str(ours.target), str(theirs.target)):
            return
        if self._descends(str(theirs.target), str(ours.target)):
            repository.references.create(ref, theirs.target, force=True)
            return
        known = {entry.id for entry in read_log(repository, str(theirs.target), with_words=False)}
        last = theirs.peel(pygit2.Commit).id
        match = _REF.fullmatch(ref)
        assert match is not None, "only refs of proposals are pushed"
        for entry in read_log(repository, str(ours.target), with_words=True):
            if entry.id not in known and entry.deed is not Deed.BEGUN:
                login = match.group(3) or "referee"
                last = append(
                    repository,
                    last,
                    login,
                    int(match.group(1)),
                    entry.deed,
                    entry.time,
                    word=entry.word,
                    head=entry.head,
                    words=entry.words,
                )
        repository.references.create(ref, last, force=True)

    # Reading.

    def _submission(self, number: int, refs: _Refs, *, with_words: bool) -> Submission | None:
        logs = {
            refs.spelt[login]: self._entries(ids, with_words=with_words) for login, ids in sorted(refs.logs.items())
        }
        opened = [(entry.time, login) for login, log in logs.items() for entry in log if entry.deed is Deed.OPENED]
        head = self._furthest(refs.heads)
        if not opened or head is None:
            return None
        submitted, author = min(opened)
        own = logs[author]
        first = next(entry for entry in own if entry.deed is Deed.OPENED)
        ready, withdrawn = _periods(own)
        return Submission(
            number=number,
            author=author,
            head=head,
            title=first.words,
            submitted=submitted,
            ready=ready,
            votes=tuple(_votes(logs)),
            remarks=tuple(_remarks(logs)),
            withdrawn=withdrawn,
        )

    def _entries(self, ids: Sequence[str], *, with_words: bool) -> list[LogEntry]:
        """Return the union of one player's log as it is here and as it was fetched."""
        furthest = self._furthest(ids)
        entries: dict[str, LogEntry] = {}
        for id_ in [one for one in ids if one == furthest or not self._descends(furthest or one, one)]:
            for entry in read_log(self.clone.repository, id_, with_words=with_words):
                entries.setdefault(entry.id, entry)
        return sorted(entries.values(), key=lambda one: one.time) if len(ids) > 1 else list(entries.values())


def _ref(number: int, what: str) -> str:
    return f"refs/nomic/proposals/{number}/{what}"


def _periods(own: Sequence[LogEntry]) -> tuple[tuple[Period, ...], int | None]:
    """Return when the proposal was open and no draft, and when it was withdrawn, by its author's log."""
    periods: list[Period] = []
    since: int | None = None
    withdrawn: int | None = None
    for entry in own:
        if withdrawn is not None:
            break
        opens = entry.deed is Deed.READY or (entry.deed is Deed.OPENED and entry.word != "draft")
        if opens and since is None:
            since = entry.time
        elif entry.deed in {Deed.DRAFT, Deed.WITHDRAWN}:
            if since is not None:
                periods.append(Period(since, entry.time))
                since = None
            withdrawn = entry.time if entry.deed is Deed.WITHDRAWN else None
    if since is not None:
        periods.append(Period(since))
    return tuple(periods), withdrawn


def _votes(logs: Mapping[str, Sequence[LogEntry]]) -> Iterator[Cast]:
    for login, log in logs.items():
        for entry in log:
            if entry.deed is Deed.VOTE and entry.word in {*Vote} and entry.head is not None:
                yield Cast(login, Vote(entry.word), entry.time, entry.head)


def _remarks(logs: Mapping[str, Sequence[LogEntry]]) -> list[Remark]:
    said = [
        Remark(login, entry.time, entry.words)
        for login, log in logs.items()
        for entry in log
        if entry.deed is Deed.COMMENT
    ]
    return sorted(said, key=lambda one: one.time)
