"""Commands about proposals that are there: seeing, reading, voting, debating, taking back."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from nomic_git.cli.desk import AsJson, AsPlayer, Misunderstood, ProposalNumber, as_typed, now, reading, writing
from nomic_git.cli.docket import (
    account_of,
    acting,
    catch_up,
    concerns_the_players,
    open_accounts,
    open_submission,
    own_submission,
    proposal_number,
    refuse_after_the_end,
    refuse_when_complete,
    tell_after,
)
from nomic_git.cli.paper import say, say_json

if TYPE_CHECKING:
    from nomic_git.cli.desk import Desk


def proposals(
    context: typer.Context,
    mine: Annotated[bool, typer.Option("--mine", help="Only those that wait for my vote.")] = False,
    login: AsPlayer = None,
    as_json: AsJson = False,
) -> None:
    """List the proposals that are not yet resolved."""
    from nomic_git.cli.telling import tell_docket
    from nomic_git.game.proposal import Stage

    at = reading(context)
    there, all_ = open_accounts(at)
    accounts = all_
    if mine:
        me = at.who(login)
        accounts = [one for one in accounts if me in one.waiting_for and one.stage is Stage.VOTING]
    if as_json:
        say_json([one.plain() for one in accounts])
    elif mine and not accounts:
        open_ = sum(concerns_the_players(at, one) for one in all_)
        say(f"No proposal waits for {me}'s vote; {open_} open in all.")
    else:
        shown = [one for one in accounts if concerns_the_players(at, one)]
        tell_docket(shown)
        if there.text is not None:
            say(there.text)
        _say_how_many_others(len(accounts) - len(shown))


def _say_how_many_others(count: int) -> None:
    if count:
        are = (
            "1 proposal of somebody who does not play here is"
            if count == 1
            else (f"{count} proposals of people who do not play here are")
        )
        say(f"Besides, {are} improper: nomic-git proposals --json")


def read(context: typer.Context, proposal: ProposalNumber) -> None:
    """Read a proposal: what it changes, what that would do to the law, what players said of it."""
    from nomic_git.cli.telling import tell_whole

    at = reading(context)
    tell_whole(at, proposal_number(at, proposal))


def tally(context: typer.Context, proposal: ProposalNumber, as_json: AsJson = False) -> None:
    """Count the votes on one proposal. What is not counted is listed with the reason."""
    from nomic_git.cli.telling import tell

    at = reading(context)
    account = account_of(at, proposal_number(at, proposal))
    if as_json:
        say_json(account.plain())
    else:
        tell(at, account)


def vote(
    context: typer.Context,
    proposal: ProposalNumber,
    choice: Annotated[str, typer.Argument(metavar="for|against|none", help="none takes your vote back.")],
    login: AsPlayer = None,
) -> None:
    """Vote on a proposal, on its words as they stand in this clone."""
    from nomic_git.forges.forge import Deed
    from nomic_git.game.proposal import Stage
    from nomic_git.game.vote import Vote

    if choice.lower() not in {*Vote}:
        raise Misunderstood(f"a vote is for, against or none (to take it back), not {choice!r}")
    at = writing(context)
    voter = at.who(login)
    number = proposal_number(at, proposal)
    submission = open_submission(at, number)
    refuse_after_the_end(at)
    before = account_of(at, number)
    if before.stage is Stage.IMPROPER and choice.lower() != Vote.NONE:
        raise Misunderstood(
            f"proposal {number} is improper, and no vote on it counts until its author has mended it; "
            f"nomic-git tally {number} tells why"
        )
    refuse_when_complete(before, "vote", at.now())
    at.forge.note(voter, number, Deed.VOTE, now(), word=choice.lower(), head=submission.head)
    if before.stage in {Stage.DEBATE, Stage.WAITING}:
        say("Voting on it has not opened yet. Your vote will count then; one for it, if it has the same words.")
    tell_after(at, number)


def withdraw(context: typer.Context, proposal: ProposalNumber, login: AsPlayer = None) -> None:
    """Withdraw a proposal of yours. Once another player has voted, that concedes it."""
    from nomic_git.cli.telling import tell
    from nomic_git.forges.forge import Deed
    from nomic_git.game.proposal import Stage
    from nomic_git.game.tally import Outcome

    at = writing(context)
    number = proposal_number(at, proposal)
    author = acting(at, number, login)
    own_submission(at, number, author)
    before = account_of(at, number)
    refuse_when_complete(before, "take it back")
    at.forge.note(author, number, Deed.WITHDRAWN, now())
    if catch_up(at, number):
        account = replace(before, stage=Stage.WITHDRAWN) if _is_forgotten(at, number) else account_of(at, number)
        if account.stage is Stage.VOTING and account.outcome == Outcome.DEFEATED:
            say(f"Another player had voted, so that {author} has conceded: the proposal is defeated, not withdrawn.")
        elif account.stage is Stage.VOTING:
            say(f"It was decided before: {account.outcome}. It was too late to take it back.")
        tell(at, account)


def _is_forgotten(at: Desk, number: int) -> bool:
    """Return whether the game has nothing to do with a proposal since its author took it back."""
    pending = {one.number for one in at.forge.submissions(at.position.state.resolved)}
    return number not in pending and number not in at.position.state.resolved


def ready(
    context: typer.Context,
    proposal: ProposalNumber,
    login: AsPlayer = None,
    draft: Annotated[bool, typer.Option("--draft", help="Make it a draft again instead.")] = False,
) -> None:
    """End the debate on a draft of yours and put it to the vote."""
    from nomic_git.forges.forge import Deed

    at = writing(context)
    number = proposal_number(at, proposal)
    author = acting(at, number, login)
    submission = own_submission(at, number, author)
    is_ready = bool(submission.ready) and submission.ready[-1].until is None
    if is_ready is not draft:
        raise Misunderstood(f"proposal {number} is {'ready' if is_ready else 'a draft'} already")
    if draft:
        refuse_when_complete(account_of(at, number), "make it a draft")
    at.forge.note(author, number, Deed.DRAFT if draft else Deed.READY, now())
    tell_after(at, number)


def comment(
    context: typer.Context,
    proposal: ProposalNumber,
    text: Annotated[str, typer.Argument(metavar="TEXT", help="What you have to say.")],
    login: AsPlayer = None,
) -> None:
    """Say something on a proposal."""
    from nomic_git.forges.forge import Deed

    at = writing(context)
    number = proposal_number(at, proposal)
    author = acting(at, number, login)
    open_submission(at, number)
    if not text.strip():
        raise Misunderstood("a comment has words; give some after the number")
    at.forge.note(author, number, Deed.COMMENT, now(), words=as_typed(text))
    say(f"Said on proposal {number}; everybody can read it with: nomic-git read {number}")
