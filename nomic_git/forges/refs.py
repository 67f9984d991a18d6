"""The refs of the local forge: what they are called, where each stands, how one is moved (design section 11).

`refs/nomic/proposals/<n>/head` is a proposal's head, `.../log/<login>` what one player did on it, and
`.../tally` the referee's comment. What was fetched stands in `refs/remotes/<remote>/nomic/`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING

import pygit2

from nomic_git.repository.clone import Refused, explained

if TYPE_CHECKING:
    from nomic_git.game.numbers import Numbers
    from nomic_git.repository.clone import Clone

HERE = "refs/nomic/"
LOOK_AHEAD = 64
"""Numbers past the last one known that are looked up at a time; a number is taken in order."""

MOST_ASKED = 1000
"""Numbers that are looked up one by one; where more may be open, every ref is listed instead."""

_NAME = re.compile(r"proposals/([1-9][0-9]{0,9})(?:/(head|tally|log/([A-Za-z0-9_-]{1,100}))|/.*)?")
_PATTERNS_AT_A_TIME = 500


@dataclass(slots=True)
class Copies:
    """The ids that one ref has in this clone and as it was fetched from the remote, None where it is not."""

    here: str | None = None
    there: str | None = None

    def latest(self, clone: Clone) -> str | None:
        """Return this clone's where it goes on from the remote's, else the remote's: everybody sees that one."""
        if self.here is None or self.there is None:
            return self.here or self.there
        return self.here if descends(clone, self.here, self.there) else self.there


@dataclass(slots=True)
class ProposalRefs:
    """The refs of one proposal; the logs by the login as the ref spells it."""

    head: Copies = field(default_factory=Copies)
    tally: Copies = field(default_factory=Copies)
    logs: dict[str, Copies] = field(default_factory=dict)

    def spelt(self, login: str) -> str:
        """Return a login as the log that it already has spells it: logins differ by more than case."""
        alike = [one for one in self.logs if one.casefold() == login.casefold()]
        return min(alike, key=lambda one: (self.logs[one].here is None, one), default=login)


def ref(number: int, what: str) -> str:
    """Return the full name of a proposal's ref in this clone; `what` is `head`, `tally` or `log/LOGIN`."""
    return f"{HERE}proposals/{number}/{what}"


def fetched(remote: str, name: str) -> str:
    """Return where a ref of this clone's own stands as it was fetched from a remote."""
    return f"refs/remotes/{remote}/nomic/{name.removeprefix(HERE)}"


def look_up(clone: Clone, numbers: Iterable[int]) -> dict[int, ProposalRefs]:
    """Return the refs of these proposals, asking for no others: a long game has very many."""
    roots = _roots(clone)
    patterns = [f"{root}proposals/{number}/" for number in numbers for root in roots]
    found: dict[int, ProposalRefs] = {}
    for at in range(0, len(patterns), _PATTERNS_AT_A_TIME):
        _list(clone, found, patterns[at : at + _PATTERNS_AT_A_TIME])
    return found


def _roots(clone: Clone) -> list[str]:
    remote = clone.remote
    return [HERE, *([fetched(remote, HERE)] if remote else [])]


def _list(clone: Clone, found: dict[int, ProposalRefs], patterns: Iterable[str]) -> None:
    roots = _roots(clone)
    for line in clone.git("for-each-ref", "--format=%(objectname) %(refname)", *patterns).splitlines():
        id_, _, name = line.partition(" ")
        root = next(one for one in reversed(roots) if name.startswith(one))
        _sort(found, id_, name.removeprefix(root), here=root == HERE)


def _sort(found: dict[int, ProposalRefs], id_: str, name: str, *, here: bool) -> None:
    match = _NAME.fullmatch(name)
    if match is None:
        return
    refs = found.setdefault(int(match.group(1)), ProposalRefs())
    what, login = match.group(2), match.group(3)
    if what is None:
        return
    own = refs.head if what == "head" else refs.tally
    copies = own if login is None else refs.logs.setdefault(login, Copies())
    if here:
        copies.here = id_
    else:
        copies.there = id_


def scan(clone: Clone, resolved: Numbers) -> Iterator[tuple[int, ProposalRefs]]:
    """Yield the refs of every proposal that the history has not resolved, as far as numbers go in order.

    A number more than LOOK_AHEAD past the one before it was never taken by this program. One at which there is
    anything else, so that nobody can take it, has no refs of ours.
    """
    last = resolved.last or 0
    numbers = [*islice(resolved.missing(1), MOST_ASKED), *range(last + 1, last + 1 + LOOK_AHEAD)]
    found: dict[int, ProposalRefs] = {}
    asked = 0
    while numbers:
        asked += len(numbers)
        if asked > MOST_ASKED:
            found = _in_order(clone, resolved)
            break
        new = _blocked(clone, [one for one in numbers if one > last]) | look_up(clone, numbers)
        found |= new
        end, furthest = numbers[-1], max(new, default=0)
        numbers = list(range(end + 1, furthest + 1 + LOOK_AHEAD)) if furthest > last else []
    yield from found.items()


def _blocked(clone: Clone, numbers: Iterable[int]) -> dict[int, ProposalRefs]:
    """Return the numbers of which no ref can be made, because there is a ref where Git needs a folder."""
    roots, get = _roots(clone), clone.repository.references.get
    return {
        number: ProposalRefs()
        for number in numbers
        if any(get(f"{root}proposals/{number}") is not None for root in roots)
    }


def _in_order(clone: Clone, resolved: Numbers) -> dict[int, ProposalRefs]:
    """Return what `scan` does, by listing every ref once: it costs what there is, however odd the numbers are."""
    every: dict[int, ProposalRefs] = {}
    _list(clone, every, [f"{root}proposals/" for root in _roots(clone)])
    found: dict[int, ProposalRefs] = {}
    at = resolved.last or 0
    for number in sorted(every):
        if number > at + LOOK_AHEAD:
            break
        at = max(at, number)
        if number not in resolved:
            found[number] = every[number]
    return found


def in_the_way(clone: Clone, name: str) -> str | None:
    """Return a ref of the remote's, as it was fetched, that a ref of this name cannot stand beside; None for none.

    Git keeps no ref where another needs a folder: `proposals/7` is in the way of `proposals/7/head`, and
    `proposals/7/log/bob/x` in that of `proposals/7/log/bob`.
    """
    remote = clone.remote
    if remote is None:
        return None
    parts = name.removeprefix(HERE).split("/")
    above = {HERE + "/".join(parts[:at]) for at in range(1, len(parts))}
    root = fetched(remote, HERE)
    patterns = [fetched(remote, one) for one in (*above, name)]
    names = clone.git("for-each-ref", "--format=%(refname)", *patterns).split()
    there = (HERE + one.removeprefix(root) for one in names)
    return next((one for one in there if one in above or one.startswith(name + "/")), None)


def move(clone: Clone, name: str, new: str, old: str | None) -> bool:
    """Move a ref from one id to another, from None where it is new; False where it is no longer at `old`.

    Raises Refused where Git will not write it.
    """
    references = clone.repository.references
    try:
        reference = references.get(name)
        if (None if reference is None else str(reference.target)) != old:
            return False
        if reference is None:
            references.create(name, pygit2.Oid(hex=new))
        else:
            reference.set_target(pygit2.Oid(hex=new))
    except pygit2.AlreadyExistsError:
        return False
    except (pygit2.GitError, OSError) as error:
        raise Refused(explained("update-ref", str(error))) from None
    return True


def create_all(clone: Clone, names: dict[str, str]) -> bool:
    """Create several refs at once or none; False where one of them is there already. Raises Refused."""
    try:
        clone.git("update-ref", "--stdin", stdin="".join(f"create {name} {id_}\n" for name, id_ in names.items()))
    except Refused as error:
        if "already exists" in str(error) and ".lock" not in str(error):
            return False
        raise
    return True


def descends(clone: Clone, one: str, other: str) -> bool:
    """Return whether a commit is another or has it among its ancestors; False where either is no commit."""
    if one == other:
        return True
    try:
        return clone.repository.descendant_of(pygit2.Oid(hex=one), pygit2.Oid(hex=other))
    except (KeyError, ValueError, pygit2.GitError):
        return False


def is_commit(clone: Clone, id_: str) -> bool:
    """Return whether an id is a commit's that is in this clone."""
    try:
        return isinstance(clone.repository.get(pygit2.Oid(hex=id_)), pygit2.Commit)
    except (ValueError, pygit2.GitError):  # Git takes commits that libgit2 does not read.
        return False
