"""The docket as a player at the command line meets it: what is open, whose it is, and how it stands."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from nomic_git.cli.desk import Misunderstood
from nomic_git.cli.paper import say
from nomic_git.cli.prospect import prospect
from nomic_git.law.errors import NomicError

if TYPE_CHECKING:
    from nomic_git.cli.desk import Desk
    from nomic_git.cli.prospect import Matter, Prospect
    from nomic_git.forges.forge import Submission
    from nomic_git.referee.account import Account


def open_accounts(at: Desk) -> tuple[Prospect, list[Account]]:
    """Return where the game stands, and the accounts of what is not yet resolved or withdrawn, by number."""
    from nomic_git.game.proposal import Stage

    there = prospect(at)
    accounts = (open_account_of(at, one) for one in there.matters)
    return there, [one for one in accounts if one.stage is not Stage.WITHDRAWN]


def open_account_of(at: Desk, matter: Matter) -> Account:
    """Return the account of an open proposal; a number of a series that no event has given yet is none."""
    from nomic_git.game.opening import number_of
    from nomic_git.referee.account import open_account

    account = open_account(matter.position, matter.standing, matter.title)
    return replace(account, number=number_of(at.position, matter.standing.proposal), is_due=matter.is_due)


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

    for standing in prospect(at).standings:
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
    there = prospect(at)
    account = account_among(at, there, proposal)
    return replace(account, judgment=there.text) if there.proposal == proposal else account


def account_among(at: Desk, there: Prospect, proposal: int) -> Account:
    """Return the account of a proposal, with those that are open `there`. Raises Misunderstood where there is none."""
    from nomic_git.referee.account import closed_account, left_account, left_behind, resolving
    from nomic_git.referee.clock import clock
    from nomic_git.referee.rereading import retold

    position, matter = at.position, there.matter(proposal)
    if matter is not None:
        left = clock(matter.position, matter.standing, there.standings, at.now(), at.forge.next_look)
        return replace(open_account_of(at, matter), clock=left)
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
    from nomic_git.referee.account import ABOUT_SEATS

    submission = at.forge.submission(proposal)
    if submission is None or proposal in at.position.state.resolved:
        account = account_of(at, proposal)
        if account.winner is not None:
            command = account.kind if account.kind in ABOUT_SEATS else "propose"
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
    from nomic_git.game.victory import won_by

    position = at.position
    winner = position.state.winner
    if winner is not None:
        rule = position.law.rule(won_by(position.state).name)
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
