"""Commands about proposals that are there: seeing, reading, voting, debating, taking back."""

from __future__ import annotations

from typing import Annotated

import typer

from nomic_git.cli.desk import AsJson, AsPlayer, Misunderstood, ProposalNumber, as_typed, now, reading, writing
from nomic_git.cli.docket import (
    account_of,
    acting,
    catch_up,
    open_accounts,
    open_submission,
    own_submission,
    proposal_number,
    refuse_after_the_end,
    tell_after,
)
from nomic_git.cli.paper import say, say_json


def lay(app: typer.Typer) -> None:
    """Put the commands on the program."""
    app.command("proposals")(proposals)
    app.command("read")(read)
    app.command("tally")(tally)
    app.command("vote")(vote)
    app.command("withdraw")(withdraw)
    app.command("ready")(ready)
    app.command("comment")(comment)


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
    accounts = all_ = open_accounts(at)
    if mine:
        me = at.who(login)
        accounts = [one for one in accounts if me in one.waiting_for and one.stage is Stage.VOTING]
    if as_json:
        say_json([one.plain() for one in accounts])
    elif mine and not accounts:
        say(f"No proposal waits for {me}'s vote; {len(all_)} open in all.")
    else:
        tell_docket(accounts)


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
        tell(account)


def vote(
    context: typer.Context,
    proposal: ProposalNumber,
    choice: Annotated[str, typer.Argument(metavar="for|against|none", help="none takes your vote back.")],
    login: AsPlayer = None,
) -> None:
    """Vote on a proposal, on its words as they stand in this clone."""
    from nomic_git.forges.forge import Deed
    from nomic_git.game.vote import Vote

    if choice.lower() not in {*Vote}:
        raise Misunderstood(f"a vote is for, against or none (to take it back), not {choice!r}")
    at = writing(context)
    voter = at.who(login)
    number = proposal_number(at, proposal)
    submission = open_submission(at, number)
    refuse_after_the_end(at)
    at.forge.note(voter, number, Deed.VOTE, now(), word=choice.lower(), head=submission.head)
    tell_after(at, number)


def withdraw(context: typer.Context, proposal: ProposalNumber, login: AsPlayer = None) -> None:
    """Withdraw a proposal of yours. Once another player has voted, that concedes it."""
    from nomic_git.cli.telling import tell
    from nomic_git.forges.forge import Deed
    from nomic_git.game.proposal import Stage

    at = writing(context)
    number = proposal_number(at, proposal)
    author = acting(at, number, login)
    own_submission(at, number, author)
    at.forge.note(author, number, Deed.WITHDRAWN, now())
    if catch_up(at, number):
        account = account_of(at, number)
        if account.stage is Stage.VOTING:
            say(f"Another player had voted, so that {author} has conceded: the proposal is defeated, not withdrawn.")
        tell(account)


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
