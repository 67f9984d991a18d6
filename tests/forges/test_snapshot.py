"""What is asked of GitHub: queries that its schema allows, every page of the answers, and one bad one among good."""

from __future__ import annotations

import copy
import re
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pytest

from nomic_git.forges import queries
from nomic_git.forges.answers import NOWHERE
from nomic_git.forges.connection import Answer, Connection, Denied, Missing, Uncertain
from nomic_git.forges.forge import ForgeError
from nomic_git.forges.pull_request import PullRequest, ReviewState, ShownStatus, Turn
from nomic_git.forges.snapshot import LARGE, MOST_COMMENTS, MOST_ITEMS, SMALL, look, take
from nomic_git.game.player import Account

if TYPE_CHECKING:
    from pathlib import Path

    from fake_github import FakeGitHub

# ------------------------------------------------------------------------------------------- the text of the queries

QUERIES = {
    "first": queries.FIRST,
    "next": queries.NEXT,
    "by number": queries.by_number(range(1, 101)),
    "numbers": queries.NUMBERS,
    "further": queries.further({number: tuple(queries.PARTS) for number in range(1, 101)}),
}
COSTS = {
    "first": (7, 30_360),
    "next": (6, 25_300),
    "by number": (6, 25_200),
    "numbers": (1, 120),
    "further": (3, 15_000),
}


@pytest.mark.parametrize("name", QUERIES)
def test_a_query_is_one_that_github_would_run_and_asks_for_nothing_that_is_going_away(name: str) -> None:
    graphql = pytest.importorskip("graphql")
    from fake_github.described import missing, schema
    from fake_github.limits import size_of

    if missing() is not None:
        pytest.skip(missing() or "")
    document = graphql.parse(QUERIES[name])
    rules = [*graphql.specified_rules, graphql.NoDeprecatedCustomRule]
    assert graphql.validate(schema(), document, rules, max_errors=5) == []
    size = size_of(schema(), document, document.definitions[0], {"pulls": LARGE.pulls, "parts": LARGE.parts})
    assert (size.cost, size.nodes) == COSTS[name]


# -------------------------------------------------------------------------------------------- answers as plain data

ALICE = {"__typename": "User", "login": "alice", "databaseId": 1}
BOB = {"__typename": "User", "login": "bob", "databaseId": 2}
STAMP = "2026-01-02T03:04:05Z"
TIME = 1767323045


def raw_review(number: int, **given: Any) -> dict[str, Any]:
    facts = {"fullDatabaseId": str(number), "state": "APPROVED", "submittedAt": STAMP, "author": BOB, "commit": None}
    return {**facts, **given}


def raw_comment(number: int, **given: Any) -> dict[str, Any]:
    facts = {
        "fullDatabaseId": str(number),
        "body": "Hm.",
        "createdAt": STAMP,
        "lastEditedAt": None,
        "viewerDidAuthor": False,
        "author": BOB,
        "editor": None,
        "reactionGroups": [{"viewerHasReacted": False}],
    }
    return {**facts, **given}


def raw_turn(kind: Turn, **given: Any) -> dict[str, Any]:
    return {"__typename": kind.value, "createdAt": STAMP, "actor": ALICE, **given}


def raw_pull(number: int, **given: Any) -> dict[str, Any]:
    """A pull request; its parts are all their nodes, which the table below makes pages of."""
    facts: dict[str, Any] = {
        "id": f"PR_{number}",
        "number": number,
        "title": "Be brief",
        "state": "OPEN",
        "isDraft": False,
        "createdAt": STAMP,
        "headRefOid": "a" * 40,
        "baseRefName": "main",
        "author": ALICE,
        "labels": {"nodes": [{"name": "nomic: voting"}]},
        "commits": {"nodes": [{"commit": {"oid": "a" * 40, "status": None}}]},
        "reviews": [],
        "timelineItems": [],
        "comments": [],
    }
    return {**facts, **given}


@dataclass
class Table:
    """Answers queries from plain data, page by page, as GitHub does; `asked` are the variables of each."""

    pulls: dict[int, dict[str, Any]]
    asked: list[Mapping[str, Any]] = field(default_factory=list)
    too_slow: Callable[[Mapping[str, Any]], bool] = lambda _: False
    broken: set[int] = field(default_factory=set)
    time: int = 1000

    def ask(self, query: str, variables: Mapping[str, Any]) -> Answer:
        self.asked.append(variables)
        if self.too_slow(variables):
            raise Uncertain("GitHub failed (Something went wrong); try again later")
        there: dict[str, Any] = {}
        if "open: pullRequests" in query:
            opened = [one for one in self.pulls.values() if one.get("state", "OPEN") == "OPEN"]
            there["open"] = self._page(opened, variables["after"], variables["pulls"], variables)
        if "closed: pullRequests" in query:
            closed = [one for one in self.pulls.values() if one.get("state", "OPEN") != "OPEN"]
            there["closed"] = {"nodes": [self._pull(one, variables) for one in closed[: queries.CLOSED]]}
        if "numbers: pullRequests" in query:
            there["numbers"] = self._page([*self.pulls.values()], variables["after"], 100, None)
            there["lately"] = {"nodes": []}
        numbers = [int(number) for number in re.findall(r"p\d+: pullRequest\(number: (\d+)\)", query)]
        if self.broken.intersection(numbers) or (self.broken and "pulls" in variables):
            raise Denied("GitHub refuses (400: it has no answer)")
        gone = [number for number in numbers if number not in self.pulls]
        if gone:
            raise (Missing if len(gone) == 1 else Denied)("GitHub refuses: Could not resolve to a PullRequest")
        for number in numbers:
            there[f"p{number}"] = self._one(number, query, variables)
        return self._answer(there)

    def _answer(self, there: Any) -> Answer:
        self.time += 1
        left = 1000 - len(self.asked)
        viewer = {"login": "github-actions[bot]", "databaseId": 41898282}
        return Answer({"rateLimit": {"remaining": left}, "viewer": viewer, "repository": there}, self.time)

    def _one(self, number: int, query: str, variables: Mapping[str, Any]) -> dict[str, Any]:
        found = self.pulls[number]
        asked = re.findall(rf"(\w+)\(first: \$parts, after: \$(\w+{number})\b", query)
        if not asked:
            return self._pull(found, variables)
        return {part: self._part(found[part], variables[cursor], variables) for part, cursor in asked}

    def _pull(self, one: dict[str, Any], variables: Mapping[str, Any]) -> dict[str, Any]:
        return {
            key: self._part(value, None, variables) if key in queries.PARTS else value for key, value in one.items()
        }

    def _part(self, nodes: Any, after: str | None, variables: Mapping[str, Any]) -> Any:
        return self._page(nodes, after, variables["parts"], None) if isinstance(nodes, list) else nodes

    def _page(self, nodes: list[Any], after: str | None, most: int, variables: Mapping[str, Any] | None) -> Any:
        begin = int(after or 0)
        some = nodes[begin : begin + most]
        info = {"hasNextPage": begin + most < len(nodes), "endCursor": str(begin + len(some)) if some else None}
        return {"pageInfo": info, "nodes": some if variables is None else [self._pull(one, variables) for one in some]}


def table(*pulls: dict[str, Any]) -> Table:
    return Table({one["number"]: one for one in pulls})


def the_only(made: Table) -> PullRequest:
    (pull,) = take(made.ask, "nomic/game").pulls.values()
    return pull


def test_one_request_brings_everything() -> None:
    made = table(raw_pull(1, reviews=[raw_review(9)]), raw_pull(2, state="CLOSED"), raw_pull(3, state="MERGED"))
    found = take(made.ask, "nomic/game", [1, 2, 3])
    assert [(one.number, one.is_open, one.is_merged) for one in found.pulls.values()] == [
        (1, True, False),
        (2, False, False),
        (3, False, True),
    ]
    assert found.viewer == Account("github-actions[bot]", 41898282, is_person=False)
    assert (found.time, found.left) == (1001, 999)
    assert made.asked == [{"owner": "nomic", "name": "game", "pulls": 100, "parts": 50, "after": None}]


def test_150_open_pull_requests_are_all_seen() -> None:
    made = table(*(raw_pull(number) for number in range(1, 151)))
    assert list(take(made.ask, "nomic/game").pulls) == list(range(1, 151))
    assert [one["after"] for one in made.asked] == [None, "100"]


def test_a_hundred_with_thirty_reviews_each_take_one_request() -> None:
    made = table(*(raw_pull(number, reviews=[raw_review(n) for n in range(30)]) for number in range(100)))
    found = take(made.ask, "nomic/game")
    assert {len(one.reviews) for one in found.pulls.values()} == {30}
    assert len(made.asked) == 1


def test_every_page_of_everything_is_read_of_several_together() -> None:
    made = table(
        raw_pull(1, reviews=[raw_review(number) for number in range(250)]),
        raw_pull(
            2,
            reviews=[raw_review(number) for number in range(150)],
            timelineItems=[raw_turn(Turn.READY)] * 101,
            comments=[raw_comment(number) for number in range(220)],
        ),
        raw_pull(3),
    )
    found = take(made.ask, "nomic/game")
    assert [one.id for one in found.pulls[1].reviews] == list(range(250))
    assert [one.id for one in found.pulls[2].reviews] == list(range(150))
    assert [one.id for one in found.pulls[2].comments] == list(range(220))
    assert len(found.pulls[2].timeline) == 101
    assert not any(one.unread for one in found.pulls.values())
    assert len(made.asked) == 5
    assert found.time == 1001


def test_those_asked_for_by_number_come_with_one_request_more_and_what_is_none_is_left_out() -> None:
    made = table(*(raw_pull(number, state="CLOSED") for number in range(1, 31)))
    assert list(take(made.ask, "nomic/game").pulls) == list(range(1, 21))
    made.asked.clear()
    assert list(take(made.ask, "nomic/game", [1, 25, 28, 25]).pulls) == [*range(1, 21), 25, 28]
    assert len(made.asked) == 2
    assert list(take(made.ask, "nomic/game", [25, 77, 28, 78, 79]).pulls) == [*range(1, 21), 25, 28]


def test_one_is_looked_at_by_itself() -> None:
    made = table(raw_pull(1), raw_pull(7, comments=[raw_comment(number) for number in range(150)]))
    found = look(made.ask, "nomic/game", 7)
    assert found is not None
    assert (found.number, len(found.comments)) == (7, 150)
    assert look(made.ask, "nomic/game", 8) is None


def test_what_cannot_be_answered_in_time_is_asked_for_in_smaller_pages() -> None:
    made = table(*(raw_pull(number, reviews=[raw_review(n) for n in range(70)]) for number in range(1, 26)))
    made.too_slow = lambda variables: variables["parts"] > SMALL.parts
    found = take(made.ask, "nomic/game")
    assert {len(one.reviews) for one in found.pulls.values()} == {70}
    assert list(found.pulls) == list(range(1, 26))
    assert [one.get("pulls") for one in made.asked[:4]] == [100, 30, 10, 10]
    assert [len(one) - 3 for one in made.asked[5:]] == [10, 10, 5, 10, 10, 5]


def test_a_further_page_that_cannot_be_answered_in_time_is_asked_for_in_parts() -> None:
    made = table(*(raw_pull(number, reviews=[raw_review(n) for n in range(150)]) for number in range(1, 26)))
    made.too_slow = lambda variables: len(variables) > 20
    found = take(made.ask, "nomic/game")
    assert {len(one.reviews) for one in found.pulls.values()} == {150}
    assert not any(one.unread for one in found.pulls.values())


def test_a_server_that_never_answers_is_asked_for_less_each_time() -> None:
    made = table(raw_pull(1))
    made.too_slow = lambda _: True
    with pytest.raises(Uncertain):
        take(made.ask, "nomic/game")
    assert [one.get("pulls") for one in made.asked] == [100, 30, 10, None]


def test_what_github_will_not_answer_is_asked_for_by_number_if_there_are_numbers() -> None:
    asked = []

    def ask(query: str, variables: Mapping[str, Any]) -> Answer:
        asked.append((query, variables))
        raise Denied("GitHub refuses (403)")

    with pytest.raises(Denied):
        take(ask, "nomic/game")
    assert [query for query, _ in asked] == [queries.FIRST, queries.NUMBERS]


def test_one_that_github_has_no_answer_for_is_unread_and_all_others_are_read() -> None:
    made = table(*(raw_pull(number, reviews=[raw_review(9)]) for number in range(1, 121)))
    made.broken = {7}
    found = take(made.ask, "nomic/game")
    assert [*found.pulls] == [*range(1, 121)]
    assert [one.number for one in found.pulls.values() if one.unread] == [7]
    assert all(one.reviews for one in found.pulls.values() if one.number != 7)
    with pytest.raises(Denied):
        look(made.ask, "nomic/game", 7)


def test_where_github_has_an_answer_for_none_it_is_github_that_fails() -> None:
    made = table(*(raw_pull(number) for number in range(1, 121)))
    made.broken = set(range(1, 121))
    with pytest.raises(Denied):
        take(made.ask, "nomic/game")
    assert len(made.asked) < 40


def test_a_repository_that_the_token_does_not_see_is_said_to_be_missing() -> None:
    viewer = {"login": "alice", "databaseId": 1}
    with pytest.raises(Missing, match="nomic/game"):
        take(lambda *_: Answer({"viewer": viewer, "repository": None}, 1), "nomic/game")


@pytest.mark.parametrize(
    "there",
    [
        {},
        {"open": None, "closed": None},
        {"open": {"nodes": []}, "closed": {"nodes": []}},
        {"open": {"nodes": [], "pageInfo": {"hasNextPage": True, "endCursor": None}}, "closed": {"nodes": []}},
        {"open": {"nodes": [], "pageInfo": {"hasNextPage": True, "endCursor": "x"}}, "closed": {"nodes": []}},
    ],
)
def test_a_list_that_is_not_as_published_is_not_taken_for_all_there_is(there: dict[str, Any]) -> None:
    viewer = {"login": "alice", "databaseId": 1}
    with pytest.raises(ForgeError):
        take(lambda *_: Answer({"viewer": viewer, "repository": there}, 1), "nomic/game")


def test_more_reviews_than_are_read_leave_their_own_pull_request_unread() -> None:
    flood = [raw_review(number) for number in range(MOST_ITEMS + 1)]
    found = take(table(raw_pull(1, reviews=flood), raw_pull(2, reviews=flood[:-1])).ask, "nomic/game")
    assert [one.unread for one in found.pulls.values()] == [True, False]
    assert len(found.pulls[2].reviews) == MOST_ITEMS


def test_in_small_pages_as_many_are_read() -> None:
    made = table(raw_pull(1, reviews=[raw_review(number) for number in range(MOST_ITEMS)]))
    made.too_slow = lambda variables: variables.get("parts", 0) > SMALL.parts
    found = take(made.ask, "nomic/game").pulls[1]
    assert (len(found.reviews), found.unread) == (MOST_ITEMS, False)


def test_more_comments_than_are_read_lose_what_they_say_and_nothing_else() -> None:
    flood = [raw_comment(number) for number in range(MOST_COMMENTS + 1)]
    reviews = [raw_review(number) for number in range(MOST_COMMENTS + 100)]
    found = take(
        table(raw_pull(1, comments=flood, reviews=reviews), raw_pull(2, comments=flood[:-1])).ask, "nomic/game"
    )
    assert not any(one.unread for one in found.pulls.values())
    assert [one.has_more_comments for one in found.pulls.values()] == [True, False]
    assert [len(one.comments) for one in found.pulls.values()] == [MOST_COMMENTS] * 2
    assert len(found.pulls[1].reviews) == len(reviews)


# ------------------------------------------------------------------------------------------------ what is in a pull


def test_everything_of_a_pull_request_is_read() -> None:
    mine = {"__typename": "Bot", "login": "github-actions", "databaseId": 41898282}
    status = {"context": {"state": "PENDING", "description": "1 for", "creator": mine}}
    one = the_only(
        table(
            raw_pull(
                7,
                isDraft=True,
                commits={"nodes": [{"commit": {"oid": "a" * 40, "status": status}}]},
                reviews=[
                    raw_review(3_500_000_000, commit={"oid": "b" * 40}),
                    raw_review(2, state="PENDING", submittedAt=None),
                    raw_review(3, author=None, state="DISMISSED"),
                ],
                timelineItems=[
                    raw_turn(Turn.RETARGETED, before="other", after="main"),
                    raw_turn(Turn.FORCE_PUSHED, beforeCommit=None, afterCommit={"oid": "a" * 40}, actor=None),
                    raw_turn(Turn.DISMISSED, review={"fullDatabaseId": "3"}, previousReviewState="APPROVED"),
                    raw_turn(Turn.DISMISSED, review=None, previousReviewState="APPROVED"),
                ],
                comments=[
                    raw_comment(5, author=mine, viewerDidAuthor=True, lastEditedAt=STAMP, editor=mine),
                    raw_comment(6, reactionGroups=None, lastEditedAt=STAMP, editor=ALICE),
                    raw_comment(7, reactionGroups=[{"viewerHasReacted": False}, {"viewerHasReacted": True}]),
                ],
            )
        )
    )
    assert not one.unread
    assert (one.node, one.title, one.head, one.base, one.created, one.is_draft) == (
        "PR_7",
        "Be brief",
        "a" * 40,
        "main",
        TIME,
        True,
    )
    assert one.author == Account("alice", 1, is_person=True)
    assert one.labels == ("nomic: voting",)
    assert one.status == ShownStatus("pending", "1 for", mine=True)
    assert [(each.id, each.state, each.commit) for each in one.reviews] == [
        (3_500_000_000, ReviewState.APPROVED, "b" * 40),
        (3, ReviewState.DISMISSED, None),
    ]
    assert one.reviews[1].author is None
    assert [(each.before, each.after, each.review, each.state) for each in one.timeline] == [
        ("other", "main", None, None),
        (None, "a" * 40, None, None),
        (None, None, 3, ReviewState.APPROVED),
        (None, None, None, ReviewState.APPROVED),
    ]
    assert [(each.mine, each.edited, each.by_another, each.answered) for each in one.comments] == [
        (True, TIME, False, False),
        (False, TIME, True, False),
        (False, None, False, True),
    ]


@pytest.mark.parametrize(
    ("actor", "account"),
    [
        (ALICE, Account("alice", 1, is_person=True)),
        ({"__typename": "Bot", "login": "helper", "databaseId": 7}, Account("helper[bot]", 7, is_person=False)),
        ({"__typename": "Bot", "login": "helper[bot]", "databaseId": 7}, Account("helper[bot]", 7, is_person=False)),
        ({"__typename": "Mannequin", "login": "alice", "databaseId": 8}, Account("alice", 8, is_person=False)),
        ({"__typename": "Organization", "login": "acme", "databaseId": 9}, Account("acme", 9, is_person=False)),
        ({"__typename": "EnterpriseUserAccount", "login": "alice"}, Account("alice", None, is_person=False)),
        ({"__typename": "User", "login": "alice", "databaseId": None}, Account("alice", None, is_person=True)),
        (None, None),
    ],
)
def test_an_actor_is_an_account(actor: dict[str, Any] | None, account: Account | None) -> None:
    one = the_only(table(raw_pull(7, author=actor)))
    assert one.author == account
    assert not one.unread


def test_a_status_of_another_commit_than_the_head_is_not_the_heads() -> None:
    status = {"context": {"state": "SUCCESS", "description": None, "creator": None}}
    of_another = raw_pull(7, commits={"nodes": [{"commit": {"oid": "b" * 40, "status": status}}]})
    assert the_only(table(of_another)).status is None
    forged = raw_pull(7, commits={"nodes": [{"commit": {"oid": "a" * 40, "status": status}}]})
    assert the_only(table(forged)).status == ShownStatus("success", "", mine=False)


BAD: dict[str, dict[str, Any]] = {
    "no reviews": {"reviews": None},
    "reviews without pages": {"reviews": {"nodes": []}},
    "reviews that lead nowhere": {"reviews": {"nodes": [], "pageInfo": {"hasNextPage": True, "endCursor": None}}},
    "a review that is null": {"reviews": [None]},
    "a review without an id": {"reviews": [raw_review(1, fullDatabaseId=None)]},
    "a review at no time": {"reviews": [raw_review(1, submittedAt=None)]},
    "a review at no time of the world": {"reviews": [raw_review(1, submittedAt="2026-01-02T03:04:05")]},
    "a review of a new kind": {"reviews": [raw_review(1, state="ENDORSED")]},
    "a review by nobody knows whom": {"reviews": [raw_review(1, author={"login": "bob"})]},
    "a turn of another kind": {"timelineItems": [{"__typename": "LockedEvent", "createdAt": STAMP, "actor": ALICE}]},
    "a turn with nothing in it": {"timelineItems": [{}]},
    "a retargeting to nowhere": {"timelineItems": [raw_turn(Turn.RETARGETED, before="main")]},
    "a dismissal of nothing": {"timelineItems": [raw_turn(Turn.DISMISSED)]},
    "a comment without words": {"comments": [raw_comment(1, body=None)]},
    "no labels to speak of": {"labels": {"nodes": [None]}},
    "commits of another shape": {"commits": []},
    "a state that there is not": {"state": "ASLEEP"},
    "no head": {"headRefOid": None},
    "neither draft nor not": {"isDraft": None},
    "no author at all": {"author": {}},
}


@pytest.mark.parametrize("bad", BAD.values(), ids=BAD)
def test_a_bad_pull_request_is_marked_and_stops_no_other(bad: dict[str, Any]) -> None:
    made = table(raw_pull(1, reviews=[raw_review(4)]), raw_pull(2), raw_pull(3, reviews=[raw_review(5)]))
    good = take(made.ask, "nomic/game").pulls
    made.pulls[2] = raw_pull(2, **copy.deepcopy(bad))
    # One of no known state is open all the same as far as the list of open ones goes.
    listed = Table({**made.pulls, 2: {**made.pulls[2]}})
    found = take(_listing_all(listed), "nomic/game").pulls
    assert found[2].unread
    assert (found[1], found[3]) == (good[1], good[3])


def _listing_all(made: Table) -> Callable[[str, Mapping[str, Any]], Answer]:
    def ask(query: str, variables: Mapping[str, Any]) -> Answer:
        answer = made.ask(query, variables)
        there = answer.data["repository"]
        there["open"]["nodes"] += there["closed"]["nodes"]
        there["closed"]["nodes"] = []
        return answer

    return ask


@pytest.mark.parametrize("key", [key for key in raw_pull(2) if key != "number"])
def test_what_is_missing_altogether_is_marked_too(key: str) -> None:
    lacking = {name: value for name, value in raw_pull(2).items() if name != key}
    found = take(table(raw_pull(1), lacking).ask, "nomic/game").pulls
    assert [one.unread for one in found.values()] == [False, True]
    assert found[2].head in {"a" * 40, NOWHERE}


def test_what_has_no_number_is_left_out() -> None:
    made = table(raw_pull(1), raw_pull(2))
    made.pulls[2]["number"] = None
    assert list(take(made.ask, "nomic/game").pulls) == [1]


# --------------------------------------------------------------------------------------- over HTTP, through PyGithub


@pytest.fixture
def connection(github: FakeGitHub, tmp_path: Path) -> Connection:
    folder = tmp_path / "work"
    run = ["git", "-c", "user.name=owner", "-c", "user.email=owner@example.org", "-C", str(folder)]
    subprocess.run(["git", "init", "-q", "-b", "main", str(folder)], check=True)
    (folder / "rule.md").write_text("A rule.\n")
    subprocess.run([*run, "add", "rule.md"], check=True)
    subprocess.run([*run, "commit", "-q", "-m", "Found"], check=True)
    subprocess.run([*run, "push", "-q", str(github.path), "main"], check=True)
    return Connection(github.full_name, github.actions.token, github.url, pause=0)


def test_what_happened_on_the_web_pages_is_in_the_snapshot(github: FakeGitHub, connection: Connection) -> None:
    alice, bob = github.account("alice"), github.account("bob", "WRITE")
    number = github.open_pull(alice, github.edit(alice, "rule.md", "Another.\n"), "Change the rule")
    review = github.review(bob, number, "REQUEST_CHANGES")
    github.dismiss(github.owner, number, review)
    said = github.comment(bob, number, "/nomic tally")
    github.edit_comment(github.owner, number, said, "/nomic help")
    github.draft(alice, number)
    github.close(github.owner, number)
    github.rename(bob, "robert")
    found = take(connection.ask, connection.repository, [number])
    pull = found.pulls[number]
    assert connection.requests == 1
    assert found.time == github.clock.now
    assert not pull.unread
    assert (pull.is_open, pull.is_draft, pull.base, pull.head) == (False, True, "main", github.pull(number).head)
    assert pull.author == Account("alice", alice.id, is_person=True)
    assert [(one.author, one.state) for one in pull.reviews] == [
        (Account("robert", bob.id, is_person=True), ReviewState.DISMISSED)
    ]
    assert [one.turn for one in pull.timeline] == [Turn.DISMISSED, Turn.DRAFT, Turn.CLOSED]
    assert (pull.timeline[0].review, pull.timeline[0].state) == (review.id, ReviewState.CHANGES_REQUESTED)
    assert [(one.body, one.by_another, one.mine) for one in pull.comments] == [("/nomic help", True, False)]


def test_150_reviews_and_the_comments_of_a_deleted_account_are_read(github: FakeGitHub, connection: Connection) -> None:
    alice, gone = github.account("alice"), github.account("gone")
    number = github.open_pull(alice, github.edit(alice, "rule.md", "Another.\n"))
    for index in range(150):
        github.approve(github.account(f"player-{index}"), number)
    github.comment(gone, number, "Farewell.")
    github.delete_account(gone)
    pull = take(connection.ask, connection.repository).pulls[number]
    assert {one.author.login for one in pull.reviews if one.author} == {f"player-{index}" for index in range(150)}
    assert [one.author for one in pull.comments] == [None]
    assert connection.requests == 3


def test_120_open_pull_requests_are_read_over_http(github: FakeGitHub, connection: Connection) -> None:
    alice = github.account("alice", "WRITE")
    numbers = [
        github.open_pull(alice, github.edit(alice, f"{index}.md", "New.\n", branch=f"new-{index}"))
        for index in range(120)
    ]
    assert list(take(connection.ask, connection.repository).pulls) == numbers
    assert connection.requests == 2


def test_an_issue_is_no_pull_request(github: FakeGitHub, connection: Connection) -> None:
    alice = github.account("alice")
    issue = github.open_issue(alice, "Where is everybody?")
    number = github.open_pull(alice, github.edit(alice, "rule.md", "Another.\n"))
    found = take(connection.ask, connection.repository, [issue, 99, number])
    assert list(found.pulls) == [number]
    assert look(connection.ask, connection.repository, issue) is None
