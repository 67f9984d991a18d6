"""Everything that the referee has to know of GitHub's pull requests, asked in as few requests as there can be.

One query brings a hundred open pull requests with all that counts, and those closed lately. Whatever has more than a
page is asked for again, of all pull requests together, until it is complete (design section 11).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from nomic_git.forges import queries
from nomic_git.forges.answers import MALFORMED, read_pull, read_viewer
from nomic_git.forges.connection import Denied, Missing, Uncertain
from nomic_git.forges.forge import ForgeError
from nomic_git.forges.pull_request import PullRequest, Snapshot

if TYPE_CHECKING:
    from nomic_git.forges.connection import Answer
    from nomic_git.game.player import Account

    Ask = Callable[[str, Mapping[str, Any]], Answer]
    """Puts a GraphQL question with its variables. Raises Uncertain where GitHub does not answer."""

    Question = tuple[str, Mapping[str, Any]]

MOST_ITEMS = 5000
"""How many of one pull request's reviews or turns are read; one that has more is unread."""

MOST_COMMENTS = 1000
"""How many of its comments are read, the oldest; what is said later is not heard, and nothing else is lost by it."""


@dataclass(frozen=True, slots=True)
class Page:
    """How many pull requests one query asks for, and how many reviews, turns and comments of each."""

    pulls: int
    parts: int


LARGE = Page(pulls=100, parts=50)
MEDIUM = Page(pulls=30, parts=50)
SMALL = Page(pulls=10, parts=30)
"""What is asked for once GitHub could not answer the larger queries in time."""

_SMALLER = {LARGE: MEDIUM, MEDIUM: SMALL}

MOST_FAILURES = 10
"""How many pull requests GitHub may have no answer for, each asked about alone; with more it is GitHub that fails."""


def take(ask: Ask, repository: str, numbers: Iterable[int] = ()) -> Snapshot:
    """Return all open pull requests of a repository (`owner/name`), those closed lately, and those of some numbers.

    A number that is no pull request's is left out. A pull request that cannot be read, or not completely, is marked
    and stops no other. Its time is that of the first answer: nothing that came later counts as there. Raises
    ForgeError where GitHub does not answer, also not when asked for less at a time.
    """
    asking = _Asking(ask, repository)
    try:
        asking.all_open()
    except (Uncertain, Denied) as error:
        asking.each_open(error)
    asking.by_number(number for number in numbers if number not in asking.found)
    asking.further()
    return asking.snapshot()


def look(ask: Ask, repository: str, number: int) -> PullRequest | None:
    """Return one pull request of a repository, None where there is none of that number. Raises as `take`."""
    asking = _Asking(ask, repository)
    asking.by_number([number])
    if asking.failures:
        raise asking.failures[0]
    if not asking.found:
        return None
    asking.further()
    return asking.snapshot().pulls.get(number)


_NOT_AS_PUBLISHED = "GitHub's answer is not as its published schema has it; try again later"


def _page_of(query: str, after: str | None) -> Callable[[Page], Question]:
    """Return the question for a page of open pull requests, as large as the page is by then."""
    return lambda page: (query, {"pulls": page.pulls, "after": after})


def _numbers_after(after: str | None) -> Callable[[Page], Question]:
    return lambda _: (queries.NUMBERS, {"after": after})


def _first_of(numbers: Sequence[int], question: Callable[[Sequence[int]], Question]) -> Callable[[Page], Question]:
    """Return the question about as many of some numbers as a page holds."""
    return lambda page: question(numbers[: page.pulls])


@dataclass(slots=True)
class _Found:
    """A pull request as GitHub gave it, with all the pages of its parts so far, and where the next ones begin."""

    raw: Mapping[str, Any]
    parts: dict[str, list[Any]] = field(default_factory=dict)
    cursors: dict[str, str] = field(default_factory=dict)
    is_torn: bool = False

    def join(self, part: str, connection: Any) -> None:
        """Join the next page of a part. One that is malformed, or leads nowhere new, leaves it torn."""
        before = self.cursors.pop(part, None)
        try:
            nodes, has_next, after = (
                list(connection["nodes"]),
                connection["pageInfo"]["hasNextPage"],
                connection["pageInfo"]["endCursor"],
            )
        except MALFORMED:
            self.is_torn = True
            return
        self.parts.setdefault(part, []).extend(nodes)
        if has_next and isinstance(after, str) and after != before:
            self.cursors[part] = after
        elif has_next is not False:
            self.is_torn = True

    def pull(self, viewer: Account) -> PullRequest:
        """Return what it is, unread where a page is missing."""
        pull = read_pull(self.raw, self.parts, viewer)
        is_cut = any(part != "comments" for part in self.cursors)
        return replace(pull, unread=pull.unread or self.is_torn or is_cut, has_more_comments="comments" in self.cursors)

    @property
    def lacking(self) -> tuple[str, ...]:
        """The parts of which more is to be read."""
        most = {"comments": MOST_COMMENTS}
        return tuple(part for part in self.cursors if len(self.parts[part]) < most.get(part, MOST_ITEMS))


@dataclass(slots=True)
class _Asking:
    """A snapshot while it is taken."""

    ask: Ask
    repository: str
    page: Page = LARGE
    found: dict[int, _Found] = field(default_factory=dict)
    time: int | None = None
    viewer: Account | None = None
    left: int | None = None
    failures: list[ForgeError] = field(default_factory=list)

    def snapshot(self) -> Snapshot:
        """Return what was found."""
        if self.time is None or self.viewer is None:
            raise ForgeError(_NOT_AS_PUBLISHED)
        viewer = self.viewer
        pulls = {number: self.found[number].pull(viewer) for number in sorted(self.found)}
        return Snapshot(self.time, viewer, pulls, self.left)

    def all_open(self) -> None:
        """Ask for the open pull requests, page after page, and with the first for those closed lately."""
        query, after = queries.FIRST, None
        while True:
            there = self._answer(_page_of(query, after))
            try:
                listed = [*(there["closed"]["nodes"] if query == queries.FIRST else ()), *there["open"]["nodes"]]
                has_next, at = there["open"]["pageInfo"]["hasNextPage"], there["open"]["pageInfo"]["endCursor"]
            except MALFORMED:
                raise ForgeError(_NOT_AS_PUBLISHED) from None
            for raw in listed:
                self._find(raw)
            if not has_next:
                return
            if at is None or at == after:
                raise ForgeError(_NOT_AS_PUBLISHED)
            query, after = queries.NEXT, at

    def each_open(self, failed: ForgeError) -> None:
        """Ask for all that `all_open` does by number, where GitHub has no answer for all: it may be for want of one.

        Raises `failed` where GitHub does not even list the numbers.
        """
        numbers: list[int] = []
        after = None
        while True:
            try:
                there = self._answer(_numbers_after(after))
                listed, page = [*there["numbers"]["nodes"], *there["lately"]["nodes"]], there["numbers"]["pageInfo"]
                numbers += [one["number"] for one in listed]
                has_next, at = page["hasNextPage"], page["endCursor"]
            except (Uncertain, Denied, *MALFORMED):
                raise failed from None
            if not has_next:
                break
            if at is None or at == after:
                raise failed
            after = at
        self.by_number(number for number in numbers if number not in self.found)

    def by_number(self, numbers: Iterable[int]) -> None:
        """Ask for pull requests by their numbers; what is no pull request's is left out."""
        for _, raw in self._each(sorted(set(numbers)), lambda some: (queries.by_number(some), {})):
            self._find(raw)

    def further(self) -> None:
        """Ask for the next page of whatever has one, of all pull requests together, until nothing has."""
        for _ in range(MOST_ITEMS // SMALL.parts + 1):
            lacking = {number: one.lacking for number, one in self.found.items() if one.lacking}
            if not lacking:
                return
            for number, raw in self._each(sorted(lacking), self._question_of_parts):
                for part in lacking[number]:
                    self.found[number].join(part, (raw or {}).get(part))

    def _question_of_parts(self, numbers: Sequence[int]) -> Question:
        found = {number: self._cursors(number) for number in numbers}
        cursors = {queries.cursor(number, part): at for number, parts in found.items() for part, at in parts.items()}
        return queries.further({number: tuple(parts) for number, parts in found.items()}), cursors

    def _cursors(self, number: int) -> Mapping[str, str]:
        found = self.found[number]
        return {part: found.cursors[part] for part in found.lacking}

    def _each(
        self, numbers: Sequence[int], question: Callable[[Sequence[int]], Question]
    ) -> Iterator[tuple[int, Mapping[str, Any] | None]]:
        """Ask about pull requests by number, a page full at a time; yield what there is of each, None for nothing.

        GitHub does not answer at all about several of which one is not there: then they are asked about apart. Of one
        that it has no answer for, the number is all there is.
        """
        rest = list(numbers)
        while rest:
            try:
                there = self._answer(_first_of(rest, question))
            except (Missing, Denied, Uncertain) as error:
                some = rest[: self.page.pulls]
                if len(some) > 1:
                    for half in (some[: len(some) // 2], some[len(some) // 2 :]):
                        yield from self._each(half, question)
                elif isinstance(error, Missing):
                    yield some[0], None
                else:
                    self.failures.append(error)
                    if len(self.failures) > MOST_FAILURES:
                        raise
                    yield some[0], {"number": some[0]}
            else:
                some = rest[: self.page.pulls]
                yield from ((number, there.get(f"p{number}")) for number in some)
            rest = rest[len(some) :]

    def _answer(self, question: Callable[[Page], Question]) -> Mapping[str, Any]:
        """Return what the repository has to a question, put again for less where it cannot be answered in time."""
        query, variables = question(self.page)
        owner, _, name = self.repository.partition("/")
        try:
            parts = {} if query == queries.NUMBERS else {"parts": self.page.parts}
            answer = self.ask(query, {"owner": owner, "name": name, **parts, **variables})
        except Uncertain:
            if self.page not in _SMALLER:
                raise
            self.page = _SMALLER[self.page]
            return self._answer(question)
        try:
            self.viewer = self.viewer or read_viewer(answer.data["viewer"])
            self.left = (answer.data.get("rateLimit") or {}).get("remaining", self.left)
            there = answer.data["repository"]
        except MALFORMED:
            raise ForgeError(_NOT_AS_PUBLISHED) from None
        if not isinstance(there, Mapping):
            raise Missing(f"GitHub shows no repository {self.repository} to this token")
        self.time = answer.time if self.time is None else self.time
        return there

    def _find(self, raw: Any) -> None:
        """Take a pull request as it was given; one without a number cannot be told from another and is left out."""
        if not isinstance(raw, Mapping) or not isinstance(raw.get("number"), int):
            return
        found = self.found[raw["number"]] = _Found(raw)
        for part in queries.PARTS:
            found.join(part, raw.get(part))
