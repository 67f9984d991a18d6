"""How a proposal is told to a player: one account, or the whole docket."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from nomic_git import locales
from nomic_git.cli.desk import as_text, plain_instant
from nomic_git.cli.paper import Strong, say, table
from nomic_git.game.proposal import Stage

if TYPE_CHECKING:
    from nomic_git.cli.desk import Desk
    from nomic_git.cli.prospect import Prospect
    from nomic_git.referee.account import Account
    from nomic_git.referee.judgments import Proceedings


def tell(at: Desk, account: Account) -> None:
    """Print what is to be said of one proposal."""
    title = f" \N{EM DASH} {account.title}" if account.title else ""
    number = locales.numbers_text(account.proposal, account.number)
    # The record of a withdrawal does not say what it had been, and the head that does can be gone.
    is_told = account.kind is not None or account.stage is not Stage.WITHDRAWN
    change = f": {_change(account)}" if is_told else ""
    say(Strong(f"Proposal {number}{change}"), f", by {account.author}{title}")
    say(f"It is {_stage(at, account)}.")
    for reason in account.reasons:
        say(f"  {reason}")
    if account.absent:
        say(f"  {account.absent}")
    if account.judgment is not None:
        say(f"  {account.judgment}")
    is_counted = account.outcome is not None or account.stage is Stage.VOIDED
    if is_counted and account.threshold is not None:
        _tell_votes(account)
    if account.outcome == "open" and account.judgment is None:
        _tell_must_vote(at, account)
    for sentence in account.clock:
        say(f"Time:        {sentence}")
    if account.scored:
        say("Points:      " + ", ".join(locales.points_text(one.player, one.parts) for one in account.scored))


def _stage(at: Desk, account: Account) -> str:
    """Return the stage in words; what is decided or granted waits for nothing but the referee."""
    decided = _decided(account)
    return locales.STAGES[account.stage] if decided is None else f"{decided}; {at.next_pass}"


def _decided(account: Account) -> str | None:
    """Return what was decided of a proposal that is carried out with the next pass, None where nothing was."""
    if account.stage is not Stage.VOTING or not account.is_due:
        return None
    return "granted" if account.outcome is None else f"decided: {account.outcome}"


def _tell_votes(account: Account) -> None:
    resolved = account.stage in {Stage.ADOPTED, Stage.DEFEATED, Stage.VOIDED}
    say(f"For:         {_voters(account, account.supporters)}")
    say(f"Against:     {_voters(account, account.opponents)}")
    if account.outcome == "open":
        say(f"Waiting for: {_names(account.waiting_for)}")
    for one in account.uncounted:
        vote = f" ({one.vote})" if one.vote != "none" else ""
        say(f"Not counted: {one.player}{vote}: {locales.REASONS[one.reason]}")
    if account.threshold is not None:
        needs = locales.needs_text(account.threshold, account.eligible)
        say(f"{'Needed:' if resolved else 'Needs:'}".ljust(13) + f"{needs} {locales.rests_on(account.threshold_rule)}")


def _tell_must_vote(at: Desk, account: Account) -> None:
    """Print that it waits for everybody, however the votes stand, where the law has it so (105)."""
    from nomic_git.referee.comment import must_vote

    for sentence in must_vote(at.position.law, account.waiting_for):
        say(f"Ends:        {sentence}")


def tell_docket(accounts: Sequence[Account]) -> None:
    """Print the proposals that are open, a line each."""
    if not accounts:
        say("No proposal is open.")
        return
    # A series gives numbers of its own; with them, proposals are called in the rulebook.
    number = ("Number",) if any(one.number not in {None, one.proposal} for one in accounts) else ()
    table(
        ("Proposal", *number, "What it would do", "By", "Stage", "For", "Against", "Waiting for"),
        [
            (
                one.proposal,
                *(as_text(one.number) for _ in number),
                _change(one) + (f": {one.title}" if one.title else ""),
                one.author,
                _decided(one) or one.stage.value,
                len(one.supporters),
                len(one.opponents),
                ", ".join(one.waiting_for),
            )
            for one in accounts
        ],
        right=(0, 1, 5, 6) if number else (0, 4, 5),
    )
    waiting = [one for one in accounts if one.stage is Stage.WAITING and one.reasons]
    if waiting:
        say()
    for one in waiting:
        say(f"Proposal {locales.numbers_text(one.proposal, one.number)} waits: {' '.join(one.reasons)}")


def _change(account: Account) -> str:
    return locales.change_text(account.kind, account.rule, account.author)


def _voters(account: Account, logins: Sequence[str]) -> str:
    """Return who voted one way, and of whom it counted so because they had not voted in time."""
    return _names([f"{one} ({locales.NOT_IN_TIME})" if one in account.absentees else one for one in logins])


def _names(logins: Sequence[str]) -> str:
    return ", ".join(logins) or "nobody"


def tell_whole(at: Desk, proposal: int) -> None:
    """Print all that there is to read of a proposal: the referee's comment, and what players said."""
    from nomic_git.cli.docket import account_among
    from nomic_git.cli.prospect import prospect

    there = prospect(at)
    account = account_among(at, there, proposal)
    title = f" \N{EM DASH} {account.title}" if account.title else ""
    heading, _, rest = _as_text(_comment(at, there, account)).partition("\n")
    say(Strong(heading + title))
    # The referee's comment is written once it is carried out, and has no words for what is due.
    say(rest.replace(f"It is {locales.STAGES[account.stage]}.", f"It is {_stage(at, account)}.", 1))
    submission = at.forge.submission(proposal)
    for remark in submission.remarks if submission is not None else ():
        say()
        say(Strong(f"{remark.author}, {plain_instant(remark.time)}:"))
        say(remark.text.strip("\n"))
    if account.commit is not None:
        _tell_text(at, account.commit)
        say()
        say(f"What it changed: git show --first-parent {account.commit[:12]}")


def _tell_text(at: Desk, commit: str) -> None:
    """Print the text that an event resolved, or where it can be had."""
    from nomic_git.referee.account import resolution_in
    from nomic_git.referee.difference import fence
    from nomic_git.referee.rereading import proposed
    from nomic_git.repository.clone import NotHere

    recorded = resolution_in(at.clone, commit)
    head = recorded.event.head or ""
    try:
        text = proposed(at.clone, recorded)
    except NotHere:
        say()
        say(f"What was proposed is not in this clone: it is commit {head}. {_where(at, head)}")
        return
    if text is not None:
        say()
        say(f"{fence(text)}diff\n{text}\n{fence(text)}")


def _where(at: Desk, head: str) -> str:
    """Return how a head that only its proposal's own refs lead to can be brought into this clone."""
    if at.is_on_github:
        return f"To bring it: git fetch {at.clone.remote or 'origin'} {head}"
    if at.clone.remote is not None:
        return f"If {at.clone.remote} still has it, this brings it: nomic-git sync"
    return "Somebody who has it in another clone can push it here."


def _comment(at: Desk, there: Prospect, account: Account) -> str:
    from nomic_git.referee.account import left_behind, resolving
    from nomic_git.referee.comment import closed_comment, open_comment
    from nomic_git.referee.talk import notes

    matter, submission = there.matter(account.proposal), at.forge.submission(account.proposal)
    proceedings = _proceedings(at, there)
    if matter is not None:
        position, standing = matter.position, matter.standing
        told = notes(position, standing, there.standings, submission) if submission is not None else ()
        told = (*told, *proceedings.in_vain(account.proposal))
        return open_comment(position, standing, account, told, judged=proceedings.told_of(standing))
    recorded = resolving(at.clone, account.proposal)
    if recorded is not None:
        judged = proceedings.told(account.proposal, account.opened)
        return closed_comment(at.clone, recorded, account, proceedings.in_vain(account.proposal), judged)
    left = left_behind(at.clone, submission) if submission is not None else None
    return open_comment(left.position, left.standing, account) if left is not None else ""


def _proceedings(at: Desk, there: Prospect) -> Proceedings:
    """Return the judgments, with what was said of them and the referee has not recorded yet."""
    from nomic_git.referee.judgments import Proceedings
    from nomic_git.repository.history import Recorded

    state = there.position.state
    elsewhere = {one.proposal for one in (state.lately, state.judgment) if one is not None}
    found = [*map(at.forge.submission, elsewhere)]
    pleas = {one.proposal.forge: one.proposal.pleas for one in there.standings}
    pleas |= {one.number: one.pleas for one in found if one is not None}
    imagined = [Recorded(one, "", ()) for one in there.due]
    return Proceedings(at.clone, there.position, there.standings, pleas, at.now(), at.forge.commands, imagined)


def _as_text(comment: str) -> str:
    """Return the referee's comment without what only a web page needs: marks of HTML and of emphasis."""
    lines = [line for line in comment.split("\n") if not line.startswith(("<", "| :--"))]
    kept = [line.removeprefix("### ").replace("**", "") for line in lines]
    text = "\n".join(kept).strip("\n")
    while "\n\n\n" in text:
        text = text.replace("\n\n\n", "\n\n")
    return text
