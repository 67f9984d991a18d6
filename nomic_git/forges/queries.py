"""The GraphQL that GitHub is asked: its text, and nothing of what becomes of the answers (design section 11).

By GitHub's formula the first query costs 7 points and 30,360 nodes, of 1,000 points an hour and 500,000 nodes a
query: 100 open pull requests and 20 closed ones with 50 reviews, 50 turns, 50 comments and 100 labels each. A further
page of open ones costs 6, a hundred by number 6, further pages of reviews, turns and comments of a hundred 3 at most.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from nomic_git.forges.pull_request import Turn

CONTEXT = "nomic"
"""What the referee's commit status is called."""

CLOSED = 20
"""How many closed pull requests are looked at, those updated last."""

# An Actor has no id; of an EnterpriseUserAccount, which is no person's, none is asked.
_WHO = """
fragment who on Actor {
  __typename login
  ... on User { databaseId }
  ... on Bot { databaseId }
  ... on Mannequin { databaseId }
  ... on Organization { databaseId }
}"""

_TURNS = {
    "READY_FOR_REVIEW_EVENT": (Turn.READY, ""),
    "CONVERT_TO_DRAFT_EVENT": (Turn.DRAFT, ""),
    "CLOSED_EVENT": (Turn.CLOSED, ""),
    "REOPENED_EVENT": (Turn.REOPENED, ""),
    "MERGED_EVENT": (Turn.MERGED, ""),
    "BASE_REF_CHANGED_EVENT": (Turn.RETARGETED, "before: previousRefName after: currentRefName"),
    "AUTOMATIC_BASE_CHANGE_SUCCEEDED_EVENT": (Turn.RETARGETED_BY_GITHUB, "before: oldBase after: newBase"),
    "HEAD_REF_FORCE_PUSHED_EVENT": (Turn.FORCE_PUSHED, "beforeCommit { oid } afterCommit { oid }"),
    "REVIEW_DISMISSED_EVENT": (Turn.DISMISSED, "review { fullDatabaseId } previousReviewState"),
}
"""The turns by the names that a query selects them with, and what is asked of each but when and by whom."""

PARTS: Mapping[str, tuple[str, str]] = {
    "reviews": ("", "fullDatabaseId state submittedAt author { ...who } commit { oid }"),
    "timelineItems": (
        f", itemTypes: [{', '.join(_TURNS)}]",
        "__typename "
        + " ".join(f"... on {turn} {{ createdAt actor {{ ...who }} {more} }}" for turn, more in _TURNS.values()),
    ),
    "comments": (
        "",
        """fullDatabaseId body createdAt author { ...who } viewerDidAuthor lastEditedAt editor { ...who }
        reactionGroups { viewerHasReacted }""",
    ),
}
"""What a pull request may have more of than a page: what of it is selected, and what is asked of each."""


def _part(name: str, cursor: str | None = None) -> str:
    selected, of_each = PARTS[name]
    after = "" if cursor is None else f", after: ${cursor}"
    return f"{name}(first: $parts{after}{selected}) {{ pageInfo {{ hasNextPage endCursor }} nodes {{ {of_each} }} }}"


_PULL = f"""
fragment pull on PullRequest {{
  id number title state isDraft createdAt headRefOid baseRefName author {{ ...who }}
  labels(first: 100) {{ nodes {{ name }} }}
  changedFiles files(first: 1) {{ nodes {{ path }} }}
  commits(last: 1) {{
    totalCount
    nodes {{ commit {{ oid status {{ context(name: "{CONTEXT}") {{ state description creator {{ ...who }} }} }} }} }}
  }}
  {" ".join(_part(name) for name in PARTS)}
}}{_WHO}"""

_PAGE = ", $pulls: Int!, $after: String"

_OPEN = """
    open: pullRequests(states: OPEN, first: $pulls, after: $after, orderBy: {field: CREATED_AT, direction: ASC}) {
      pageInfo { hasNextPage endCursor } nodes { ...pull }
    }"""

_LATELY_CLOSED = f"""
    closed: pullRequests(states: [CLOSED, MERGED], first: {CLOSED}, orderBy: {{field: UPDATED_AT, direction: DESC}}) {{
      nodes {{ ...pull }}
    }}"""


def _query(variables: str, asked: str, fragments: str) -> str:
    return f"""query Snapshot($owner: String!, $name: String!, $parts: Int!{variables}) {{
  rateLimit {{ cost remaining resetAt }}
  viewer {{ login databaseId }}
  repository(owner: $owner, name: $name) {{{asked}
  }}
}}{fragments}
"""


FIRST = _query(_PAGE, _OPEN + _LATELY_CLOSED, _PULL)
"""Asks for the first open pull requests, and for the closed ones that were updated last.

Its variables: `owner` and `name` of the repository, `pulls` and `parts`, how many open pull requests and how many
reviews, turns and comments of each, and `after`, null here.
"""

NEXT = _query(_PAGE, _OPEN, _PULL)
"""Asks for further open pull requests, those after `after`; the variables are the same."""


NUMBERS = _query(
    ", $after: String",
    f"""
    numbers: pullRequests(states: OPEN, first: 100, after: $after, orderBy: {{field: CREATED_AT, direction: ASC}}) {{
      pageInfo {{ hasNextPage endCursor }} nodes {{ number }}
    }}
    lately: pullRequests(states: [CLOSED, MERGED], first: {CLOSED}, orderBy: {{field: UPDATED_AT, direction: DESC}}) {{
      nodes {{ number }}
    }}""",
    "",
).replace("$parts: Int!, ", "")
"""Asks for the numbers alone of the open pull requests, and of those closed lately; its variable is `after`."""


def by_number(numbers: Iterable[int]) -> str:
    """Return the query for pull requests by their numbers; number 7 is `p7` in the answer."""
    return _query("", "".join(f"\n    p{one}: pullRequest(number: {one}) {{ ...pull }}" for one in numbers), _PULL)


def further(lacking: Mapping[int, Sequence[str]]) -> str:
    """Return the query for the next page of some parts, by the number of the pull request, as in `by_number`.

    Each begins after what its own variable says, whose name is `cursor`.
    """
    variables = "".join(f", ${cursor(one, part)}: String!" for one, parts in lacking.items() for part in parts)
    asked = "".join(
        f"\n    p{one}: pullRequest(number: {one}) {{ {' '.join(_part(part, cursor(one, part)) for part in parts)} }}"
        for one, parts in lacking.items()
    )
    return _query(variables, asked, _WHO)


def cursor(number: int, part: str) -> str:
    """Return the name of the variable that says where the next page of a part begins."""
    return f"{part}{number}"
