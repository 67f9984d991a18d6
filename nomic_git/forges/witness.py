"""The witness: which text each review was given to, kept by the referee itself (106; design section 11).

GitHub may move a review's commit id forward when the head moves, or lose it, and commit dates are the author's to
set. So the referee keeps `refs/nomic/witness`: its own commits, with one file `NUMBER.json` for each pull request,
in which stand the texts that it saw at the head with the server's time, and each review's id with the text that it
was bound to at first sight. That never changes: what GitHub does to a commit id later is of no consequence.

What remains possible. A vote for can be bound to a text that it was not given to in one case alone: after the
review and before any pass saw it, another text was pushed without force, and GitHub moved the review's commit id
forward to it. From what GitHub tells, that cannot be told from a push that came before the review: a stricter rule
would refuse everybody who reviews sooner than a pass looks. But where GitHub is seen to have moved another review of
the pull request from an earlier text to the head's, an id proves nothing, and a review binds only if the referee had
seen this very commit at the head before it. Any pass between the review and the push rules the case out, and the
review's own event asks for one.

Anybody who can push to the repository can write this ref. A forged file makes no votes, and adopts nothing by
itself; but it can make the votes for that were given to one text count for another, or silence them. Losing the
ref, or a file of it, costs reviews, which are then bound anew by what GitHub tells; it never costs an event.
"""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import pygit2

from nomic_git.forges.forge import ForgeError
from nomic_git.forges.pull_request import ReviewState
from nomic_git.forges.refs import is_commit
from nomic_git.forges.remote import Rejected, was_first
from nomic_git.law.errors import Unreadable
from nomic_git.repository.clone import NotHere, Refused, explained
from nomic_git.repository.history import REFEREE
from nomic_git.repository.tree import FILE, graft
from nomic_git.repository.wording import MALFORMED, Illegible, text_at

if TYPE_CHECKING:
    from pygit2 import Oid

    from nomic_git.forges.pull_request import Happening, PullRequest, Review
    from nomic_git.forges.remote import Remote
    from nomic_git.game.numbers import Numbers
    from nomic_git.repository.branch import GameBranch
    from nomic_git.repository.clone import Clone

WITNESS = "refs/nomic/witness"

MOST_SIGHTINGS = 100
"""Sightings of one pull request that are kept, the latest; the rule needs no more than two of them."""

MOST_BINDINGS = 5000
"""Reviews of one pull request that are bound. Further ones are not: nobody's flood displaces a vote that is there."""

LARGEST_FILE = 1024 * 1024
"""Bytes of one pull request's file."""

_MESSAGE = "What the referee saw of the pull requests\n"
_MOST_TRIES = 5
_FILE = re.compile(r"([1-9][0-9]{0,9})\.json")
_COMMIT = re.compile(r"[0-9a-f]{40}")
_VOTES = frozenset({ReviewState.APPROVED, ReviewState.CHANGES_REQUESTED, ReviewState.DISMISSED})


@dataclass(frozen=True, slots=True)
class Sighting:
    """A text at the head of a pull request, and when the referee saw it there first and last.

    `text` is None where the head was no lawful change; `commit` is the head at `last`. Instants are the server's, in
    seconds since the epoch. A text that came back after another has a sighting of its own.
    """

    text: str | None
    commit: str
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Testimony:
    """What the referee knows of one pull request: the sightings, oldest first, and what each review was given to.

    `bindings` have the text by the review's id, None for one that was given to an earlier text.
    """

    sightings: tuple[Sighting, ...] = ()
    bindings: Mapping[int, str | None] = field(default_factory=lambda: MappingProxyType({}))


@dataclass(frozen=True, slots=True)
class Opinion:
    """A review as it is bound: its id, when it was submitted, and the change at its commit id as that is now.

    `text` is None where that is no lawful change, is malformed, or GitHub has lost the id. In the last case too the
    review was given to an earlier text: with nothing to compare, nobody can say that it was given to this one.
    """

    id: int
    time: int
    text: str | None


@dataclass(frozen=True, slots=True)
class ForcedPush:
    """A forced push: the server's time, and the texts at both sides, None where one could not be read.

    One that could not be read counts as another text, whatever it was.
    """

    time: int
    before: str | None
    after: str | None


@dataclass(frozen=True, slots=True)
class Look:
    """What a pass found at a pull request: the head, its text (None: no lawful change), and the server's time then."""

    text: str | None
    commit: str
    time: int
    opinions: tuple[Opinion, ...] = ()
    forced: tuple[ForcedPush, ...] = ()


def bind(testimony: Testimony, look: Look, opinion: Opinion) -> str | None:
    """Return the text that a review which nobody has bound yet was given to, None for an earlier one (106).

    It was given to the head's text only if the change at its commit id is that text, and it was submitted after the
    last moment at which another text is known to have been the head; in the same second is not after. Where GitHub
    has moved ids of this pull request, the referee must also have seen the head as it is before that.
    """
    if look.text is None or opinion.text != look.text or opinion.time <= _last_of_another(testimony, look):
        return None
    if _has_moved_ids(testimony, look) and not _was_seen_before(testimony, look, opinion.time):
        return None
    return look.text


def _last_of_another(testimony: Testimony, look: Look) -> int:
    """Return the last moment at which another text than the head's is known to have been the head, -1 for none."""
    seen = (one.last for one in testimony.sightings if one.text != look.text)
    pushed = (one.time for one in look.forced if not one.before == one.after == look.text)
    return max((*seen, *pushed), default=-1)


def _has_moved_ids(testimony: Testimony, look: Look) -> bool:
    """Return whether a review that was given to another text is at the head's now: only GitHub can have moved it."""
    bound = testimony.bindings
    return any(one.text == look.text and bound.get(one.id) not in {None, look.text} for one in look.opinions)


def _was_seen_before(testimony: Testimony, look: Look, time: int) -> bool:
    """Return whether the head's commit was seen there before an instant: without force nothing else was there since."""
    latest = testimony.sightings[-1] if testimony.sightings else None
    return latest is not None and _is_at(latest, look) and latest.last < time


def _is_at(sighting: Sighting, look: Look) -> bool:
    return (sighting.text, sighting.commit) == (look.text, look.commit)


def observed(testimony: Testimony, look: Look) -> Testimony:
    """Return what is known after a pass, the very same testimony where the pass learned nothing.

    Reviews that are bound stay so. When a text was last seen is brought forward only when something else is
    written: an idle game writes nothing, and whoever reviews after a pass is bound by a later one. A review
    submitted after `look.time` waits for the next pass: the head was read before it. A look that is older than
    somebody else's, who saw another head, adds nothing.
    """
    latest = testimony.sightings[-1] if testimony.sightings else None
    is_known = latest is not None and _is_at(latest, look)
    if latest is not None and not is_known and look.time < latest.last:
        return testimony
    room = MOST_BINDINGS - len(testimony.bindings)
    new = [one for one in look.opinions if one.id not in testimony.bindings and one.time <= look.time][:room]
    if is_known and not new:
        return testimony
    bindings = {**testimony.bindings, **{one.id: bind(testimony, look, one) for one in new}}
    return Testimony(_seen(testimony.sightings, look), MappingProxyType(bindings))


def _seen(sightings: tuple[Sighting, ...], look: Look) -> tuple[Sighting, ...]:
    """Return the sightings with a pass's own; where the text is still the same, the latest of them goes on."""
    if sightings and sightings[-1].text == look.text:
        latest = sightings[-1]
        return (*sightings[:-1], replace(latest, commit=look.commit, last=max(latest.last, look.time)))
    return (*sightings, Sighting(look.text, look.commit, look.time, look.time))[-MOST_SIGHTINGS:]


def write_testimony(testimony: Testimony) -> bytes:
    """Return the file of one pull request: JSON with sorted keys."""
    said = {
        "reviews": {str(id_): text for id_, text in testimony.bindings.items()},
        "sightings": [
            {"commit": one.commit, "first": one.first, "last": one.last, "text": one.text}
            for one in testimony.sightings
        ],
    }
    return (json.dumps(said, indent=1, sort_keys=True) + "\n").encode()


def read_testimony(source: bytes) -> Testimony:
    """Return what the file of one pull request says. Raises Unreadable where it is none of ours."""
    if len(source) > LARGEST_FILE:
        raise Unreadable(f"it is longer than {LARGEST_FILE} bytes")
    try:
        said = json.loads(source)
        reviews, sightings = _exactly(said, "reviews", "sightings")
        if not isinstance(sightings, list) or len(sightings) > MOST_SIGHTINGS or len(reviews) > MOST_BINDINGS:
            raise Unreadable("it is no list of sightings, or there are more entries than there may be")
        bindings = {int(id_): _text(text) for id_, text in reviews.items()}
        return Testimony(tuple(_sighting(one) for one in sightings), MappingProxyType(bindings))
    except (ValueError, TypeError, AttributeError, RecursionError) as error:
        raise Unreadable(str(error)) from None


def _exactly(said: Any, *keys: str) -> list[Any]:
    if not isinstance(said, dict) or said.keys() != set(keys):
        raise Unreadable(f"it has not exactly the keys {', '.join(keys)}")
    return [said[key] for key in keys]


def _sighting(said: Any) -> Sighting:
    commit, first, last, text = _exactly(said, "commit", "first", "last", "text")
    if not (type(first) is type(last) is int and 0 <= first <= last and _COMMIT.fullmatch(commit)):
        raise Unreadable("a sighting is not in order")
    return Sighting(_text(text), commit, first, last)


def _text(said: Any) -> str | None:
    if said is not None and not isinstance(said, str):
        raise Unreadable("a text is no text")
    return said


def fetched(remote: str) -> str:
    """Return where the witness stands in this clone as it was fetched from a remote.

    Neither a branch of the remote's nor what the local forge fetches can come to stand there.
    """
    return f"refs/nomic-git/{remote}/witness"


def refspec(remote: str) -> str:
    """Return what to fetch so that the witness is here as the remote has it; with `--prune` it goes where it is gone.

    It is a pattern, so that a remote without a witness is no error.
    """
    return f"+{WITNESS}*:{fetched(remote)}*"


@dataclass(slots=True)
class Witness:
    """The witness of one clone, as it was fetched, and what this pass adds to it.

    In a pass: `load` after fetching with `refspec`; `numbers` says of which pull requests something is known; `wanted`
    which commits to try to fetch, one by one; `hear` adds what the pass saw; `save` sends it, before anything is
    decided on it.
    """

    remote: Remote
    _before: Oid | None = None
    _known: dict[int, Testimony] = field(default_factory=dict)
    _looks: dict[int, Look] = field(default_factory=dict)
    _texts: dict[tuple[str, str, str], str | None] = field(default_factory=dict)

    @classmethod
    def load(cls, remote: Remote) -> Witness:
        """Return the witness as it was fetched. What cannot be read of it is as if it were not there."""
        witness = cls(remote)
        witness._read()
        return witness

    @property
    def clone(self) -> Clone:
        """The clone that it was fetched into."""
        return self.remote.clone

    def _read(self) -> None:
        reference = self.clone.repository.references.get(fetched(self.remote.name))
        target = None if reference is None else reference.target
        self._before = target if isinstance(target, pygit2.Oid) else None
        self._known = read_testimonies(self.clone, self._before)

    @property
    def numbers(self) -> Collection[int]:
        """The numbers of the pull requests of which something is known."""
        return self._known.keys()

    def testimony(self, number: int) -> Testimony:
        """Return what is known of a pull request, what this pass has heard included."""
        return self._known.get(number, Testimony())

    def wanted(self, pull: PullRequest) -> Sequence[str]:
        """Return the commits that this clone lacks and that `hear` would read, to be fetched one by one.

        They are the head, the commits of reviews that are not bound yet, and both sides of the forced pushes since.
        What cannot be had is done without: a side counts as another text, a review waits for a later pass.
        """
        new = self._unbound(pull)
        sides = (side for one in _forced(pull, new) for side in (one.before, one.after))
        ids = dict.fromkeys([pull.head, *(one.commit for one in new), *sides])
        return [one for one in ids if one is not None and not is_commit(self.clone, one)]

    def _unbound(self, pull: PullRequest) -> list[Review]:
        bound = self.testimony(pull.number).bindings
        return [one for one in pull.reviews if one.state in _VOTES and one.id not in bound]

    def hear(self, game: GameBranch, pull: PullRequest, author: str, time: int) -> Testimony:
        """Bind the new reviews of a pull request, note the text at its head, and return what is known then.

        `author` is the login of its author as `text_at` compares it, `time` the server's time of the snapshot in
        seconds since the epoch. Give it the reviews of players only: nobody else's need be kept. Where the head
        or a part of the pull request cannot be read, nothing is added, and the reviews stay unbound until it can; nor
        is anything while nobody has voted on what never was a change of the game's law.
        """
        if pull.unread:
            return self.testimony(pull.number)
        with contextlib.suppress(NotHere, Illegible):
            look = self._look(game, pull, author, time)
            if look.text is None and not look.opinions and not self.testimony(pull.number).sightings:
                return self.testimony(pull.number)
            self._looks[pull.number] = look
            self._known[pull.number] = observed(self.testimony(pull.number), look)
        return self.testimony(pull.number)

    def _look(self, game: GameBranch, pull: PullRequest, author: str, time: int) -> Look:
        """Return what a pass sees of a pull request. Raises NotHere or Illegible where its head cannot be read."""
        text = self._text(game, pull.head, author)
        new = self._unbound(pull)
        if not new:
            return Look(text, pull.head, time)
        forced = [
            ForcedPush(one.time, self._side(game, one.before, author), self._side(game, one.after, author))
            for one in _forced(pull, new)
        ]
        return Look(text, pull.head, time, tuple(self._opinions(game, pull, author)), tuple(forced))

    def _opinions(self, game: GameBranch, pull: PullRequest, author: str) -> Iterator[Opinion]:
        """Yield the reviews that are votes, less those whose commit is not in this clone and may be later."""
        for review in pull.reviews:
            if review.state not in _VOTES:
                continue
            try:
                text = None if review.commit is None else self._text(game, review.commit, author)
            except Illegible:
                text = None
            except NotHere:
                continue
            yield Opinion(review.id, review.time, text)

    def _side(self, game: GameBranch, commit: str | None, author: str) -> str | None:
        """Return the text at one side of a forced push, None where it cannot be read."""
        try:
            return None if commit is None else self._text(game, commit, author)
        except (NotHere, Illegible):
            return None

    def _text(self, game: GameBranch, commit: str, author: str) -> str | None:
        key = (game.tip, commit, author)
        if key not in self._texts:
            self._texts[key] = text_at(game, commit, author)
        return self._texts[key]

    def save(self, time: int, resolved: Numbers) -> None:
        """Send what this pass has heard, as a fast-forward, less the files of pull requests that are resolved.

        `time` is the server's, in seconds since the epoch. Nothing is sent where nothing changed. Where another
        pass was first, theirs is read, and what this one saw is added to it: what they have bound stays bound.
        Raises ForgeError where the remote cannot be reached or refuses, Refused where Git will not write.
        """
        for _ in range(_MOST_TRIES):
            kept = {number: one for number, one in self._known.items() if number not in resolved}
            new = written(self.clone, self._before, kept, time)
            if new is None or self._sent(new):
                return
            self._see_again()
        name = self.remote.name
        raise Rejected(
            f"{WITNESS} at {name} keeps moving, or is nothing of the referee's; "
            f"run the command again, or take it away: git push {name} :{WITNESS}"
        )

    def _sent(self, new: Oid) -> bool:
        """Push a commit; return whether it came first. Raises ForgeError."""
        self.remote.requests += 1
        try:
            self.clone.git("push", "-q", self.remote.name, f"{new}:{WITNESS}")
        except Refused as error:
            if was_first(error):
                return False
            raise ForgeError(
                f"{WITNESS} cannot be written at {self.remote.name}; there the referee keeps what each review was "
                f"given to. Who runs the referee needs permission to push, contents: write ({error})"
            ) from None
        self.clone.repository.references.create(fetched(self.remote.name), new, force=True)
        self._before = new
        return True

    def _see_again(self) -> None:
        """Read what another pass has sent meanwhile, and add to it what this one saw. Raises ForgeError."""
        self.remote.bring([refspec(self.remote.name)])
        self._read()
        for number, look in self._looks.items():
            self._known[number] = observed(self.testimony(number), look)


def _forced(pull: PullRequest, new: Iterable[Review]) -> list[Happening]:
    """Return the forced pushes that matter to these reviews: none is of consequence to a later review."""
    since = min((one.time for one in new), default=None)
    if since is None:
        return []
    return [one for one in pull.forced_pushes if one.time >= since]


def read_testimonies(clone: Clone, commit: Oid | None) -> dict[int, Testimony]:
    """Return what the files of one commit of the witness say, by number.

    A file that is none of ours or cannot be read is as if it were not there, and so is all of a malformed commit.
    """
    if commit is None:
        return {}
    try:
        tree = clone.repository[commit].peel(pygit2.Tree).id.raw
        entries = list(clone.trees.entries(tree).values())
    except MALFORMED:
        return {}
    found = {}
    for entry in entries:
        name = _FILE.fullmatch(entry.name.decode("ascii", "replace"))
        if name is not None and entry.mode == FILE:
            with contextlib.suppress(Unreadable, *MALFORMED):
                found[int(name.group(1))] = _testimony(clone, entry.id)
    return found


def _testimony(clone: Clone, blob: bytes) -> Testimony:
    if clone.trees.size(blob) > LARGEST_FILE:
        raise Unreadable(f"it is longer than {LARGEST_FILE} bytes")
    return read_testimony(clone.trees.blob(blob))


def written(clone: Clone, before: Oid | None, testimonies: Mapping[int, Testimony], time: int) -> Oid | None:
    """Write the witness as one commit on top of the one before, on no ref, and return its id.

    None where the one before says just that, or there is nothing to say yet. `time` is in seconds since the epoch.
    Raises Refused where Git will not write.
    """
    files: dict[str, bytes | None] = {f"{number}.json": write_testimony(one) for number, one in testimonies.items()}
    tree = graft(clone.trees, None, files)
    there = clone.repository[before] if before is not None and is_commit(clone, str(before)) else None
    below = there if isinstance(there, pygit2.Commit) else None
    if tree.tree == below.tree_id.raw if below is not None else not files:
        return None
    signature = pygit2.Signature(*REFEREE, time, 0)
    root = tree.write(clone.repository)
    parents: list[Oid] = [] if below is None else [below.id]
    try:
        return clone.repository.create_commit(None, signature, signature, _MESSAGE, root, parents)
    except (pygit2.GitError, OSError) as error:
        raise Refused(explained("commit", str(error))) from None
