"""What the refs of one proposal of the local forge say, as the referee asks for it (design section 11)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from nomic_git.forges.forge import Cast, Remark, Submission, Unread
from nomic_git.forges.log import Deed, LogEntry, in_order, read_log
from nomic_git.game.proposal import Period
from nomic_git.game.vote import Vote
from nomic_git.law.errors import Unreadable
from nomic_git.law.reason import Reason

if TYPE_CHECKING:
    from nomic_git.forges.refs import Copies, ProposalRefs
    from nomic_git.repository.clone import Clone

LONGEST_TITLE = 120
"""Characters of a title that are read."""


def read_submission(clone: Clone, number: int, refs: ProposalRefs, *, with_words: bool) -> Submission | None:
    """Return a proposal as its refs have it, None where nobody opened it.

    A log that cannot be read does not hide the proposal, and nothing of that log counts: it is named in `unread`.
    """
    logs, unread = _read_logs(clone, refs, with_words=with_words)
    opened = [(entry.time, login) for login, log in logs.items() for entry in log if entry.deed is Deed.OPENED]
    head = refs.head.latest(clone)
    if not opened or head is None:
        return None
    submitted, author = min(opened)
    others = sorted({login for _, login in opened} - {author})
    if others:
        unread.append(Reason(Unread.TWO_AUTHORS, {"one": author, "other": others[0], "proposal": number}))
    ready, withdrawn = _periods(logs[author])
    return Submission(
        number=number,
        author=author,
        head=head,
        title=_title(next(entry.words for entry in logs[author] if entry.deed is Deed.OPENED)),
        submitted=submitted,
        ready=ready,
        votes=tuple(_votes(logs)),
        remarks=tuple(_remarks(logs)),
        withdrawn=withdrawn,
        unread=tuple(unread),
    )


def _read_logs(
    clone: Clone, refs: ProposalRefs, *, with_words: bool
) -> tuple[Mapping[str, Sequence[LogEntry]], list[Reason]]:
    """Return what each player did, by login; of logins that differ in case alone, as one, in the order of time."""
    logs: dict[str, list[LogEntry]] = {}
    unread = []
    for spelt in sorted(refs.logs):
        login = next((one for one in logs if one.casefold() == spelt.casefold()), spelt)
        try:
            entries = union(clone, refs.logs[spelt], with_words=with_words)
        except Unreadable as error:
            unread.append(Reason(Unread.LOG, {"login": spelt, "problem": str(error)}))
            continue
        logs[login] = sorted([*logs[login], *entries], key=lambda one: one.time) if login in logs else entries
    return logs, unread


def union(clone: Clone, copies: Copies, *, with_words: bool) -> list[LogEntry]:
    """Return the entries of one log as the remote has them, then those that only this clone has.

    That is what the log will be once this clone has sent it: what reaches the others later is later. Raises
    Unreadable where either copy cannot be read.
    """
    entries: dict[str, LogEntry] = {}
    for id_ in dict.fromkeys(one for one in (copies.there, copies.here) if one is not None):
        for entry in read_log(clone.repository, id_, with_words=with_words):
            entries.setdefault(entry.id, entry)
    return in_order(list(entries.values()))


def _title(words: str) -> str:
    """Return a title as the program would have taken it: one line, nothing in it that does not show."""
    return "".join(one for one in " ".join(words.split()) if one.isprintable())[:LONGEST_TITLE]


def _periods(own: Sequence[LogEntry]) -> tuple[tuple[Period, ...], int | None]:
    """Return when the proposal was open and no draft, and when it was withdrawn, by its author's log."""
    periods: list[Period] = []
    since: int | None = None
    for entry in own:
        opens = entry.deed is Deed.READY or (entry.deed is Deed.OPENED and entry.word != "draft")
        if opens and since is None:
            since = entry.time
        elif entry.deed in {Deed.DRAFT, Deed.WITHDRAWN}:
            if since is not None:
                periods.append(Period(since, entry.time))
                since = None
            if entry.deed is Deed.WITHDRAWN:
                return tuple(periods), entry.time
    if since is not None:
        periods.append(Period(since))
    return tuple(periods), None


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
