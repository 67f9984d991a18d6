"""The docket as a player at the command line meets it: what is open, whose it is, and how it stands."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from nomic_git.cli.court import prospect
from nomic_git.cli.desk import Misunderstood
from nomic_git.cli.paper import say
from nomic_git.law.errors import NomicError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nomic_git.cli.court import Prospect
    from nomic_git.cli.desk import Desk
    from nomic_git.forges.forge import Submission
    from nomic_git.game.docket import Standing
    from nomic_git.game.position import Position
    from nomic_git.referee.account import Account


def open_standings(at: Desk, now: int) -> tuple[Prospect, tuple[tuple[Standing, str], ...]]:
    """Return where the game stands, and where each open proposal stands with its title; read, not judged.

    Of what the referee has not recorded yet, it has the judgment that is open: whoever is judged is not decided.
    """
    from nomic_git.game.docket import docket
    from nomic_git.referee.hearing import Hearing

    submissions = at.forge.submissions(at.position.state.resolved)
    there = prospect(at, submissions)
    hearing = Hearing(at.clone, str(at.clone.tip.id), submissions)
    titles = {one.number: one.title for one in submissions}
    standings = docket(there.position, hearing.proposals(there.position), now)
    return there, tuple((one, titles[one.proposal.forge]) for one in standings)


def open_accounts(at: Desk) -> tuple[Prospect, list[Account]]:
    """Return where the game stands, and the accounts of what is not yet resolved or withdrawn, by number."""
    from nomic_git.game.proposal import Stage
    from nomic_git.referee.account import open_account

    there, standings = open_standings(at, at.now())
    accounts = (open_account(there.position, standing, title) for standing, title in standings)
    return there, [one for one in accounts if one.stage is not Stage.WITHDRAWN]


def concerns_the_players(at: Desk, account: Account) -> bool:
    """Return whether an open proposal is for players to see to: not so what strangers got wrong."""
    from nomic_git.game.proposal import Stage

    state = at.position.state
    is_known = state.seat(account.author) is not None or state.left(account.author) is not None
    return is_known or account.stage is not Stage.IMPROPER


def asked(at: Desk, login: str, wish: str) -> int | None:
    """Return the proposal by which somebody asks to `join` or to `forfeit`, None where none waits or is voted on."""
    from nomic_git.game.proposal import Stage
    from nomic_git.referee.account import kind_of

    for standing, _ in open_standings(at, at.now())[1]:
        one = standing.proposal
        is_theirs = kind_of(one.reading) == wish and one.author.casefold() == login.casefold()
        if is_theirs and standing.stage in {Stage.WAITING, Stage.VOTING}:
            return one.forge
    return None


def proposal_number(at: Desk, number: int) -> int:
    """Return the forge's number of the proposal that a player means: by it, or by the rulebook's number."""
    state = at.position.state
    if number in state.resolved or at.forge.submission(number) is not None:
        return number
    open_ = next((forge for forge, given in state.numbered if given == number), None)
    if open_ is not None or (number not in state.given and state.round == 1):
        return number if open_ is None else open_
    from nomic_git.repository.history import events

    recorded = (one.event for one in events(at.clone.needs_history()))
    return next((one.proposal or number for one in recorded if one.number == number), number)


def account_of(at: Desk, proposal: int) -> Account:
    """Return the account of a proposal, open or resolved. Raises Misunderstood where there is none."""
    there, standings = open_standings(at, at.now())
    account = account_among(at, there.position, standings, proposal)
    return replace(account, judgment=there.text) if there.proposal == proposal else account


def account_among(at: Desk, position: Position, standings: Sequence[tuple[Standing, str]], proposal: int) -> Account:
    """Return the account of a proposal, with `standings` of the open ones. Raises Misunderstood where there is none."""
    from nomic_git.referee.account import closed_account, left_account, left_behind, open_account, resolving
    from nomic_git.referee.clock import clock
    from nomic_git.referee.rereading import retold

    now = at.now()
    for standing, title in standings:
        if standing.proposal.forge == proposal:
            left = clock(position, standing, [one for one, _ in standings], now, at.forge.next_look)
            return replace(open_account(position, standing, title), clock=left)
    if proposal in position.state.resolved:
        recorded = resolving(at.clone.needs_history(), proposal)
        if recorded is not None:
            account = closed_account(at.clone, recorded, at.forge.submission(proposal), at.now())
            return retold(at.clone, recorded, account)
    submission = at.forge.submission(proposal)
    if submission is not None and proposal in position.state.resolved:
        behind = left_behind(at.clone, submission)
        if behind is not None:
            return left_account(behind, submission.title)
    if submission is not None:
        if at.github is not None and at.github.was_merged(proposal):
            raise Misunderstood(f"proposal {proposal} was merged by hand, and no event adopted it; it is over")
        raise Misunderstood(
            f"the game leaves proposal {proposal} alone: it changes neither rules nor players, or is a stranger's and "
            "asks for no seat"
        )
    hint = "; if somebody else made it, run nomic-git sync first" if at.clone.remote else ""
    raise Misunderstood(f"there is no proposal {proposal}; nomic-git proposals lists those that are open{hint}")


def open_submission(at: Desk, proposal: int) -> Submission:
    """Return an open proposal. Raises Misunderstood where it is resolved, withdrawn or not there."""
    from nomic_git.locales import again_text

    submission = at.forge.submission(proposal)
    if submission is None or proposal in at.position.state.resolved:
        account = account_of(at, proposal)
        if account.winner is not None:
            command = account.kind if account.kind in {"join", "forfeit", "away", "back", "surname"} else "propose"
            raise Misunderstood(
                f"proposal {proposal} was left behind when {account.winner} had won and another round began; "
                f"{again_text(account.kind)}: nomic-git {command}"
            )
        raise Misunderstood(f"proposal {proposal} is {account.stage} already; nomic-git tally {proposal} tells how")
    if submission.withdrawn is not None:
        raise Misunderstood(f"proposal {proposal} has been withdrawn")
    return submission


def own_submission(at: Desk, proposal: int, login: str) -> Submission:
    """Return an open proposal of a player's own. Raises Misunderstood where it is somebody else's."""
    submission = open_submission(at, proposal)
    if submission.author.casefold() != login.casefold():
        raise Misunderstood(f"proposal {proposal} is {submission.author}'s; only {submission.author} can do that")
    return submission


def refuse_when_complete(before: Account, late: str, now: int | None = None) -> None:
    """Raise Misunderstood where the vote on a proposal was complete before `now`, and it is too `late` for something.

    A vote of the very second in which it was complete counts with the others of that second (design section 4): so
    `now`, in seconds since the epoch, is given for votes, and None for what that second cannot change.
    """
    from nomic_git.game.proposal import Stage

    is_complete = before.stage is Stage.VOTING and before.closed is not None
    if is_complete and (now is None or now > (before.closed or 0)):
        raise Misunderstood(
            f"proposal {before.proposal} is decided: {before.outcome}; it is too late to {late}: {before.completion}"
        )


def acting(at: Desk, proposal: int, named: str | None) -> str:
    """Return who acts on a proposal: a player, or the one who asks to join and is none yet."""
    submission = at.forge.submission(proposal)
    name = at.called(named) or named
    if name is not None and submission is not None and submission.author.casefold() == name.casefold():
        return submission.author
    return at.who(named)


def refuse_after_the_end(at: Desk) -> None:
    """Raise Misunderstood where the game has been won: after that, every proposal is over (section 5)."""
    from nomic_git.game.docket import over

    position = at.position
    winner = position.state.winner
    if winner is not None:
        rule = position.law.rule(over(position.state, winner)[0].rests_on or "")
        raise Misunderstood(
            f"the game is over: {winner} has won (rule {rule}); begin another round with: nomic-git new-round"
        )


def tell_after(at: Desk, proposal: int) -> None:
    """Tell how a proposal stands after a player has acted on it, with what others did meanwhile."""
    from nomic_git.cli.telling import tell

    if proposal in at.position.state.resolved:
        # In a fork of a game that has been played, GitHub begins at 1 again.
        say(
            f"GitHub has given it the number {proposal}, and the game has resolved that already: it will never be a "
            "proposal. Close it, at GitHub; docs/github.md, Forks, says what to do."
        )
    elif catch_up(at, proposal):
        tell(at, account_of(at, proposal))


def catch_up(at: Desk, proposal: int) -> bool:
    """Bring what others did while a player acted on a proposal; return whether there is something to tell of it.

    What the player did is done, whatever becomes of this. At GitHub nothing is known of it before GitHub is asked.
    """
    if not at.is_on_github and at.clone.remote is None:
        return True
    try:
        at.forge.fetch()
    except NomicError as error:
        if at.is_on_github:
            say(f"That is done, on proposal {proposal}. How it stands is not known yet: {error}")
        else:
            say(f"What others did meanwhile is not here yet: {error}")
        return not at.is_on_github
    return True
