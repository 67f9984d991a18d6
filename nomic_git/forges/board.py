"""The notice board of a pull request: its label, its status, whether it is open, and the referee's one comment.

What differs from what is to be there becomes writes, in an order in which the comment comes last: so that a final
comment means that all is done (design section 11; docs/github.md).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from nomic_git.forges.forge import MARKER
from nomic_git.game.proposal import Stage

if TYPE_CHECKING:
    from nomic_git.forges.pull_request import PullComment, PullRequest

CONTEXT = "nomic"
"""What the commit status is called."""

LONGEST = 65_536
"""Characters that a comment holds at GitHub."""

_SHORT = 140
"""Characters that the description of a status holds."""

_PREFIX = "nomic: "
_ACTIONS = frozenset({"github-actions", "github-actions[bot]"})
_STATES = {Stage.DEBATE: "pending", Stage.WAITING: "pending", Stage.VOTING: "pending", Stage.ADOPTED: "success"}
_CUT = "\n\n(...)\n"


@dataclass(frozen=True, slots=True)
class Notice:
    """What is to be on the board. `text` is None where the comment says it already.

    `has_status` is False where the head is another proposal's too, which has the status; `is_closed` says that the
    referee closes it. `reactions` are the pictures that answer comments, by their ids, in GitHub's words for them.
    """

    stage: Stage
    summary: str
    text: str | None = None
    has_status: bool = True
    is_closed: bool = False
    reactions: Mapping[int, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Write:
    """One write below the repository's own path."""

    verb: str
    path: str
    body: Any = None


def own_comments(pull: PullRequest) -> Sequence[PullComment]:
    """Return the referee's own comments, the one that is kept first: by marker and author both.

    That is this token's account, or that of GitHub Actions, so that a pass made by hand writes no twin; of these the
    latter's is kept, and of one author's the oldest.
    """
    ours = (one for one in pull.comments if one.body.startswith(MARKER) and (one.mine or _is_of_actions(one)))
    return sorted(ours, key=lambda one: (not _is_of_actions(one), one.created, one.id))


def _is_of_actions(comment: PullComment) -> bool:
    author = comment.author
    return author is not None and not author.is_person and author.login in _ACTIONS


def writes(pull: PullRequest, notice: Notice) -> Iterator[Write]:
    """Yield what is to be written for a pull request to show a notice, nothing where it does."""
    number = pull.number
    yield from _labels(pull, f"{_PREFIX}{notice.stage}")
    if notice.has_status:
        yield from _status(pull, notice)
    if notice.is_closed and pull.is_open:
        yield closing(number)
    answered = {one.id for one in pull.comments if one.answered}
    for comment, content in notice.reactions.items():
        if comment not in answered:
            yield answering(comment, content)
    yield from _comment(pull, notice.text)


def answering(comment: int, content: str) -> Write:
    """Return the write that answers a comment with a picture."""
    return Write("POST", f"/issues/comments/{comment}/reactions", {"content": content})


def closing(number: int) -> Write:
    """Return the write that closes a pull request."""
    return Write("PATCH", f"/issues/{number}", {"state": "closed"})


def _labels(pull: PullRequest, wanted: str) -> Iterator[Write]:
    """Yield what gives a pull request one of our labels; everybody else's are left alone."""
    ours = {f"{_PREFIX}{stage}" for stage in Stage}
    here = {one.casefold(): one for one in pull.labels}
    if wanted not in here:
        yield Write("POST", f"/issues/{pull.number}/labels", {"labels": [wanted]})
    for key, name in here.items():
        if key in ours and key != wanted:
            yield Write("DELETE", f"/issues/{pull.number}/labels/{quote(name, safe='')}")


def _status(pull: PullRequest, notice: Notice) -> Iterator[Write]:
    state, description = _STATES.get(notice.stage, "failure"), notice.summary[:_SHORT]
    shown = pull.status
    if shown is None or not shown.mine or (shown.state.lower(), shown.description) != (state, description):
        body = {"state": state, "description": description, "context": CONTEXT}
        yield Write("POST", f"/statuses/{pull.head}", body)


def _comment(pull: PullRequest, text: str | None) -> Iterator[Write]:
    ours = own_comments(pull)
    if text is not None:
        body = fitted(text)
        # Among comments that were not read may be ours, which is to have no twin.
        if not ours and not pull.has_more_comments:
            yield Write("POST", f"/issues/{pull.number}/comments", {"body": body})
        elif ours and _plain(ours[0].body) != _plain(body):
            yield Write("PATCH", f"/issues/comments/{ours[0].id}", {"body": body})
    for twin in ours[1:]:
        yield Write("DELETE", f"/issues/comments/{twin.id}")


def fitted(text: str) -> str:
    """Return a comment of no more than GitHub holds; of a longer one, the middle is left out.

    Its end is what says that it is final.
    """
    if len(text) <= LONGEST:
        return text
    lines = text.rstrip("\n").split("\n")
    end = f"{lines[-1]}\n"
    start = text[: LONGEST - len(end) - len(_CUT) - 200]
    fences = [line for line in start.split("\n") if line.startswith("```")]
    closing_fence = f"\n{fences[-1].rstrip('abcdefghijklmnopqrstuvwxyz')}" if len(fences) % 2 else ""
    return f"{start}{closing_fence[:100]}{_CUT}{end[-90:]}"


def _plain(text: str) -> str:
    """Return what GitHub keeps of a text whoever sends it."""
    return text.replace("\r\n", "\n").strip()
