"""What the refs of one proposal of the local forge say, as the referee asks for it (design section 11)."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import pygit2

from nomic_git.forges.forge import Cast, Pushed, Remark, Submission, Unread
from nomic_git.forges.log import ADDRESS, Deed, LogEntry, in_order, read_log
from nomic_git.forges.plea import words_said
from nomic_git.forges.refs import descends, is_commit
from nomic_git.forges.title import read_title
from nomic_git.game.judgment import Move, Plea
from nomic_git.game.player import player_path, read_player
from nomic_git.game.proposal import Period
from nomic_git.game.vote import Vote
from nomic_git.law.errors import Unreadable
from nomic_git.law.reason import Reason
from nomic_git.repository.branch import GameBranch
from nomic_git.repository.position import state_at

if TYPE_CHECKING:
    from nomic_git.forges.refs import Copies, ProposalRefs
    from nomic_git.repository.clone import Clone


def read_submission(clone: Clone, number: int, refs: ProposalRefs, *, with_words: bool) -> Submission | None:
    """Return a proposal as its refs have it, None where nobody opened it.

    A log that cannot be read does not hide the proposal, and nothing of that log counts: it is named in `unread`
    where it is the author's, else in `unheard`.
    """
    logs, unread = _read_logs(clone, refs, with_words=with_words)
    head = refs.head.latest(clone)
    author = None if head is None else _author(clone, head, logs, unread)
    if head is None or author is None:
        return None
    own = logs.get(author, ())
    opened = next((entry for entry in own if entry.deed is Deed.OPENED), None)
    votes = tuple(_votes(logs))
    ready, withdrawn = _periods(own)
    heads = [Pushed(one.head, one.time) for one in own if one.deed in {Deed.OPENED, Deed.PUSHED} and one.head]
    moved = bool(heads) and heads[-1].commit != head
    if moved:
        heads.append(Pushed(head, min((cast.time for cast in votes if cast.commit == head), default=None)))
    return Submission(
        number=number,
        author=author,
        head=head,
        title=read_title(opened.words) if opened else "",
        submitted=opened.time if opened else 0,
        ready=ready,
        votes=votes,
        remarks=tuple(_remarks(logs)),
        withdrawn=withdrawn,
        unread=() if opened else tuple(unread[login] for login in unread if login == author),
        heads=tuple(heads),
        moved=moved,
        unheard=tuple(login for login in unread if opened or login != author),
        pleas=_pleas(clone, logs),
    )


def _author(
    clone: Clone, head: str, logs: Mapping[str, Sequence[LogEntry]], unread: Mapping[str, Reason]
) -> str | None:
    """Return who opened a proposal, None where nobody did.

    Where several say so, it is the one who opened it with a commit of this proposal, then the one by whom the
    commit is, then the first. So nobody takes over a proposal by saying that it is theirs.
    """
    opened = {login: next((one for one in log if one.deed is Deed.OPENED), None) for login, log in logs.items()}
    claims = {login: entry for login, entry in opened.items() if entry is not None}
    if len(claims) == 1 and not unread:
        return next(iter(claims))

    def weight(login: str) -> tuple[bool, bool, int, str]:
        entry = claims[login]
        return (
            not _is_new_in(clone, head, entry.head),
            entry.head is None or not _is_by(clone, entry.head, login),
            entry.time,
            login,
        )

    best = min(claims, key=weight, default=None)
    if best is not None and not weight(best)[1]:
        return best
    unknown = [login for login in sorted(unread) if _is_by(clone, head, login)]
    return unknown[0] if unknown else best


def _is_new_in(clone: Clone, head: str, commit: str | None) -> bool:
    """Return whether a commit is one of a proposal's own, and not of the game branch."""
    if commit is None or not descends(clone, head, commit):
        return False
    return not GameBranch(clone.repository, clone.trees, str(clone.tip.id)).has(commit)


def _is_by(clone: Clone, id_: str, login: str) -> bool:
    """Return whether a commit was made by a player, known by e-mail."""
    if not is_commit(clone, id_):
        return False
    source = clone.trees.file(clone.tip.tree_id.raw, player_path(login))
    known = {login.casefold() + ADDRESS}
    with contextlib.suppress(Unreadable):
        known.add(((read_player(login, source).email if source is not None else None) or "").casefold())
    return clone.repository[id_].peel(pygit2.Commit).committer.email.casefold() in known


def _read_logs(
    clone: Clone, refs: ProposalRefs, *, with_words: bool
) -> tuple[Mapping[str, Sequence[LogEntry]], Mapping[str, Reason]]:
    """Return what each player did, by login, and whose logs cannot be read.

    Of logins that differ in case alone, as one, in the order of time.
    """
    logs: dict[str, list[LogEntry]] = {}
    unread = {}
    for spelt in sorted(refs.logs):
        login = next((one for one in logs if one.casefold() == spelt.casefold()), spelt)
        try:
            entries = union(clone, refs.logs[spelt], with_words=with_words)
        except Unreadable as error:
            unread[spelt] = Reason(Unread.LOG, {"login": spelt, "problem": str(error)})
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
                yield Cast(login, Vote(entry.word), entry.time, entry.head, id=entry.id)


def _pleas(clone: Clone, logs: Mapping[str, Sequence[LogEntry]]) -> tuple[Plea, ...]:
    """Return what players said about judgments, in the order of time.

    Logs are of whole seconds: in one, a question comes before a ruling, and a ruling before what others say of it.
    """
    said = {
        login: [one for one in log if one.deed is Deed.JUDGMENT and one.word in {*Move}] for login, log in logs.items()
    }
    if not any(said.values()):
        return ()
    state = state_at(clone.trees, clone.tip.tree_id.raw)
    seats = {login: state.seat(login) for login in sorted(said, key=str.casefold)}
    pleas = (
        Plea(seat.login, Move(one.word), one.time, words_said(Move(one.word), one.words))
        for login, seat in seats.items()
        if seat is not None
        for one in said[login]
    )
    return tuple(sorted(pleas, key=lambda one: (one.time, [*Move].index(one.move))))


def _remarks(logs: Mapping[str, Sequence[LogEntry]]) -> list[Remark]:
    said = [
        Remark(login, entry.time, entry.words)
        for login, log in logs.items()
        for entry in log
        if entry.deed is Deed.COMMENT
    ]
    return sorted(said, key=lambda one: one.time)
