"""What GitHub's GraphQL answers are: values, or marked as unread. Nothing is asked here (design section 11)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Any, TypeVar

from nomic_git.forges.pull_request import (
    Extent,
    Happening,
    PullComment,
    PullRequest,
    Review,
    ReviewState,
    ShownStatus,
    Turn,
)
from nomic_git.forges.roll import BOT, same
from nomic_git.game.player import Account

NOWHERE = "0" * 40
"""Stands for a commit that is not known: no commit has this id."""

MALFORMED = (LookupError, TypeError, ValueError, AttributeError)
"""What reading an answer raises that is not as GitHub's schema has it."""

_T = TypeVar("_T")


def read_pull(raw: Mapping[str, Any], parts: Mapping[str, Sequence[Any]], viewer: Account) -> PullRequest:
    """Return a pull request from what GitHub gives of it, and of the parts that have pages all nodes by name.

    `viewer` is the account that asked. What is missing or malformed leaves the rest as it is and marks it unread.
    Raises LookupError, TypeError or ValueError where not even its number can be read.
    """
    number, sound = int(raw["number"]), [True]
    nothing = PullRequest(number, "", "", None, NOWHERE, "", 0, is_open=True, is_merged=False, is_draft=False)
    core = _or(lambda: _core(number, raw), nothing, sound)
    labels: tuple[str, ...] = ()
    return replace(
        core,
        reviews=_all(parts.get("reviews"), read_review, sound),
        timeline=_all(parts.get("timelineItems"), read_happening, sound),
        comments=_all(parts.get("comments"), lambda one: read_comment(one, viewer), sound),
        labels=_or(lambda: _labels(raw), labels, sound),
        status=_or(lambda: _status(raw, viewer), None, sound),
        extent=_or(lambda: _extent(raw), None, [True]),
        unread=not sound[0],
    )


def _or(read: Callable[[], _T], default: _T, sound: list[bool]) -> _T:
    try:
        return read()
    except MALFORMED:
        sound[0] = False
        return default


def _all(nodes: Sequence[Any] | None, read: Callable[[Any], _T | None], sound: list[bool]) -> tuple[_T, ...]:
    """Return what each node is, less those that are to be passed over; one that cannot be read marks the whole."""
    if nodes is None:
        sound[0] = False
        return ()
    found = (_or(partial(read, node), None, sound) for node in nodes)
    return tuple(one for one in found if one is not None)


def _core(number: int, raw: Mapping[str, Any]) -> PullRequest:
    state = raw["state"]
    if state not in {"OPEN", "CLOSED", "MERGED"}:
        raise ValueError(f"no pull request is {state}")
    return PullRequest(
        number=number,
        node=_text(raw["id"]),
        title=_text(raw["title"]),
        author=read_account(raw["author"]),
        head=_text(raw["headRefOid"]),
        base=_text(raw["baseRefName"]),
        created=read_time(raw["createdAt"]),
        is_open=state == "OPEN",
        is_merged=state == "MERGED",
        is_draft=_flag(raw["isDraft"]),
    )


def read_review(raw: Mapping[str, Any]) -> Review | None:
    """Return a review, None for one that is not submitted yet. Raises as `read_pull` where it is malformed."""
    state = ReviewState(raw["state"])
    if state is ReviewState.PENDING:
        return None
    return Review(
        id=_id(raw["fullDatabaseId"]),
        author=read_account(raw["author"]),
        state=state,
        time=read_time(raw["submittedAt"]),
        commit=_oid(raw["commit"]),
    )


def read_happening(raw: Mapping[str, Any]) -> Happening:
    """Return an entry of the timeline. Raises as `read_pull` where it is malformed or of another kind."""
    turn = Turn(raw["__typename"])
    time, actor = read_time(raw["createdAt"]), read_account(raw["actor"])
    if turn in {Turn.RETARGETED, Turn.RETARGETED_BY_GITHUB}:
        return Happening(turn, time, actor, _text(raw["before"]), _text(raw["after"]))
    if turn is Turn.FORCE_PUSHED:
        return Happening(turn, time, actor, _oid(raw["beforeCommit"]), _oid(raw["afterCommit"]))
    if turn is Turn.DISMISSED:
        review, state = raw["review"], ReviewState(raw["previousReviewState"])
        return Happening(turn, time, actor, review=_id(review["fullDatabaseId"]) if review else None, state=state)
    return Happening(turn, time, actor)


def read_comment(raw: Mapping[str, Any], viewer: Account) -> PullComment:
    """Return a comment, as `viewer` sees it. Raises as `read_pull` where it is malformed."""
    author, edited = read_account(raw["author"]), raw["lastEditedAt"]
    return PullComment(
        id=_id(raw["fullDatabaseId"]),
        author=author,
        mine=_flag(raw["viewerDidAuthor"]) or same(author, viewer),
        body=_text(raw["body"]),
        created=read_time(raw["createdAt"]),
        edited=None if edited is None else read_time(edited),
        answered=any(_flag(one["viewerHasReacted"]) for one in raw["reactionGroups"] or ()),
        by_another=edited is not None and not same(read_account(raw["editor"]), author),
    )


def read_account(raw: Mapping[str, Any] | None) -> Account | None:
    """Return who an actor is, None for a deleted account; of a bot GraphQL leaves out what its login ends in."""
    if raw is None:
        return None
    login, kind, number = _text(raw["login"]), raw["__typename"], raw.get("databaseId")
    if kind == "Bot" and not login.endswith(BOT):
        login += BOT
    return Account(login, None if number is None else int(number), is_person=kind == "User")


def read_viewer(raw: Mapping[str, Any]) -> Account:
    """Return the account that asked; GitHub says that each is a user's, and of a bot the login tells."""
    login, number = _text(raw["login"]), raw["databaseId"]
    return Account(login, None if number is None else int(number), is_person=not login.endswith(BOT))


def read_time(text: str) -> int:
    """Return an instant of GitHub's in seconds since the epoch."""
    time = datetime.fromisoformat(text)
    if time.tzinfo is None:
        raise ValueError(f"{text} has no time zone")
    return int(time.timestamp())


def _labels(raw: Mapping[str, Any]) -> tuple[str, ...]:
    labels = raw["labels"]
    return () if labels is None else tuple(_text(one["name"]) for one in labels["nodes"])


def _extent(raw: Mapping[str, Any]) -> Extent | None:
    """Return how much it changes, None where GitHub has not worked that out."""
    files, commits, paths = raw["changedFiles"], raw["commits"]["totalCount"], raw["files"]
    if paths is None:
        return None
    return Extent(int(files), next((_text(one["path"]) for one in paths["nodes"]), ""), int(commits))


def _status(raw: Mapping[str, Any], viewer: Account) -> ShownStatus | None:
    """Return our status of the head, in lower case as it is written."""
    commit = next((node["commit"] for node in raw["commits"]["nodes"]), None)
    status = commit["status"] if commit is not None and commit["oid"] == raw["headRefOid"] else None
    context = status["context"] if status is not None else None
    if context is None:
        return None
    is_mine = same(read_account(context["creator"]), viewer)
    return ShownStatus(_text(context["state"]).lower(), context["description"] or "", is_mine)


def _id(number: object) -> int:
    """Return an id, which GitHub writes as a string: it may be longer than numbers are in JSON."""
    if not isinstance(number, str | int):
        raise TypeError(f"{number!r} is no id")
    return int(number)


def _oid(raw: Mapping[str, Any] | None) -> str | None:
    return None if raw is None else _text(raw["oid"])


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is no text")
    return value


def _flag(value: object) -> bool:
    if not isinstance(value, bool):
        raise TypeError(f"{value!r} is neither true nor false")
    return value
