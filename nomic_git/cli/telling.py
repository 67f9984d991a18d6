"""How a proposal is told to a player: one account, or the whole docket."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from nomic_git import locales
from nomic_git.cli.paper import Strong, say, table
from nomic_git.game.proposal import Stage

if TYPE_CHECKING:
    from nomic_git.cli.desk import Desk
    from nomic_git.game.docket import Standing
    from nomic_git.game.position import Position
    from nomic_git.referee.account import Account


def tell(account: Account) -> None:
    """Print what is to be said of one proposal."""
    title = f" \N{EM DASH} {account.title}" if account.title else ""
    number = "" if account.number in {None, account.proposal} else f" (number {account.number} of the rulebook)"
    say(Strong(f"Proposal {account.proposal}{number}: {_change(account)}"), f", by {account.author}{title}")
    say(f"It is {_stage(account)}.")
    for reason in account.reasons:
        say(f"  {reason}")
    if account.outcome is not None:
        _tell_votes(account)
    if account.points:
        say("Points:      " + ", ".join(f"{login} {points:+d}" for login, points in account.points))


def _stage(account: Account) -> str:
    """Return the stage in words; a vote that is complete waits for nothing but the referee."""
    if account.stage is not Stage.VOTING or account.outcome == "open":
        return locales.STAGES[account.stage]
    decided = f"decided: {account.outcome}" if account.outcome is not None else "granted"
    return f"{decided}; the referee's next pass carries it out (nomic-git referee)"


def _tell_votes(account: Account) -> None:
    resolved = account.stage in {Stage.ADOPTED, Stage.DEFEATED}
    say(f"For:         {_names(account.supporters)}")
    say(f"Against:     {_names(account.opponents)}")
    if not resolved:
        say(f"Waiting for: {_names(account.waiting_for)}")
    for one in account.uncounted:
        vote = f" ({one.vote})" if one.vote != "none" else ""
        say(f"Not counted: {one.player}{vote}: {locales.REASONS[one.reason]}")
    if account.threshold is not None:
        rule = f"rule {account.threshold_rule}" if account.threshold_rule is not None else "no rule says otherwise"
        needs = locales.needs_text(account.threshold, account.eligible)
        say(f"{'Needed:' if resolved else 'Needs:'}".ljust(13) + f"{needs} ({rule})")


def tell_docket(accounts: Sequence[Account]) -> None:
    """Print the proposals that are open, a line each."""
    if not accounts:
        say("No proposal is open.")
        return
    table(
        ("Proposal", "What it would do", "By", "Stage", "For", "Against", "Waiting for"),
        [
            (
                one.proposal,
                _change(one) + (f": {one.title}" if one.title else ""),
                one.author,
                one.stage.value,
                len(one.supporters),
                len(one.opponents),
                ", ".join(one.waiting_for),
            )
            for one in accounts
        ],
        right=(0, 4, 5),
    )


def _change(account: Account) -> str:
    return locales.change_text(account.kind, account.rule, account.author)


def _names(logins: Sequence[str]) -> str:
    return ", ".join(logins) or "nobody"


def open_standings(at: Desk, now: int) -> tuple[Position, tuple[tuple[Standing, str], ...]]:
    """Return the position, and where each open proposal stands with its title; read, not judged."""
    from nomic_git.game.docket import docket
    from nomic_git.referee.hearing import Hearing

    position = at.position
    submissions = at.forge.submissions(position.state.resolved)
    hearing = Hearing(at.clone, str(at.clone.tip.id), submissions)
    titles = {one.number: one.title for one in submissions}
    standings = docket(position, hearing.proposals(position), now)
    return position, tuple((one, titles[one.proposal.forge]) for one in standings)


def account_of(at: Desk, proposal: int, now: int) -> Account:
    """Return the account of a proposal, open or resolved. Raises Misunderstood where there is none."""
    from nomic_git.cli.desk import Misunderstood
    from nomic_git.referee.account import closed_account, open_account, resolving

    position, standings = open_standings(at, now)
    for standing, title in standings:
        if standing.proposal.forge == proposal:
            return open_account(position, standing, title)
    if proposal in position.state.resolved:
        recorded = resolving(at.clone.needs_history(), proposal)
        if recorded is not None:
            return closed_account(at.clone, recorded, at.forge.submission(proposal), now)
    if at.forge.submission(proposal) is not None:
        raise Misunderstood(f"proposal {proposal} changes neither rules nor players; the game leaves it alone")
    hint = "; if somebody else made it, run nomic-git sync first" if at.clone.remote else ""
    raise Misunderstood(f"there is no proposal {proposal}; nomic-git proposals lists those that are open{hint}")
