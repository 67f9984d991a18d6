"""The refs of the local forge: what they are called, where each stands, how one is moved (design section 11).

`refs/nomic/proposals/<n>/head` is a proposal's head, `.../log/<login>` what one player did on it, and
`.../tally` the referee's comment. What was fetched stands in `refs/remotes/<remote>/nomic/`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pygit2

from nomic_git.repository.clone import Refused, explained

if TYPE_CHECKING:
    from nomic_git.game.numbers import Numbers
    from nomic_git.repository.clone import Clone

HERE = "refs/nomic/"
LOOK_AHEAD = 64
"""Numbers past the last one known that are looked up at a time; a number is taken in order."""

_NAME = re.compile(r"proposals/([1-9][0-9]{0,9})/(head|tally|log/([A-Za-z0-9_-]{1,100}))")
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
    remote = clone.remote
    roots = [HERE, *([fetched(remote, HERE)] if remote else [])]
    patterns = [f"{root}proposals/{number}/" for number in numbers for root in roots]
    found: dict[int, ProposalRefs] = {}
    for at in range(0, len(patterns), _PATTERNS_AT_A_TIME):
        some = patterns[at : at + _PATTERNS_AT_A_TIME]
        for line in clone.git("for-each-ref", "--format=%(objectname) %(refname)", *some).splitlines():
            id_, _, name = line.partition(" ")
            _sort(found, id_, name)
    return found


def _sort(found: dict[int, ProposalRefs], id_: str, name: str) -> None:
    here = name.startswith(HERE)
    match = _NAME.fullmatch(name.removeprefix(HERE) if here else name.split("/nomic/", 1)[-1])
    if match is None:
        return
    refs = found.setdefault(int(match.group(1)), ProposalRefs())
    login = match.group(3)
    if login is not None:
        copies = refs.logs.setdefault(login, Copies())
    else:
        copies = refs.head if match.group(2) == "head" else refs.tally
    if here:
        copies.here = id_
    else:
        copies.there = id_


def scan(clone: Clone, resolved: Numbers) -> Iterator[tuple[int, ProposalRefs]]:
    """Yield the refs of every proposal that the history has not resolved, as far as numbers go in order."""
    last = resolved.last or 0
    numbers = [*resolved.missing(1), *range(last + 1, last + 1 + LOOK_AHEAD)]
    while numbers:
        found = look_up(clone, numbers)
        yield from found.items()
        end = numbers[-1]
        numbers = list(range(end + 1, end + 1 + LOOK_AHEAD)) if any(one > last for one in found) else []
        last = end


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
    return isinstance(clone.repository.get(pygit2.Oid(hex=id_)), pygit2.Commit)
