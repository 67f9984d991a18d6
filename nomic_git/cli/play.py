"""Commands that players play with: proposing, voting, joining, leaving, and seeing what is open."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from nomic_git.cli.desk import (
    AsJson,
    AsPlayer,
    Misunderstood,
    ProposalNumber,
    RuleNumber,
    as_typed,
    desk,
    now,
    plain_instant,
)
from nomic_git.cli.options import Commands
from nomic_git.cli.paper import say, say_json, table

if TYPE_CHECKING:
    from nomic_git.cli.desk import Desk
    from nomic_git.forges.forge import Submission
    from nomic_git.repository.drafting import Draft

Title = Annotated[str, typer.Option("--title", metavar="T", help="What the proposal is called; one line.")]
AsDraft = Annotated[bool, typer.Option("--draft", help="Open it for debate; nobody votes until it is ready.")]
Instead = Annotated[
    int | None,
    typer.Option("--update", metavar="P", help="Give proposal P this text, instead of making a new one."),
]
SourceFile = Annotated[Path, typer.Argument(metavar="FILE", help="The rule's file, or its words alone; - reads input.")]

propose = typer.Typer(cls=Commands, add_completion=False, rich_markup_mode=None, help="Propose one rule-change.")


def lay(app: typer.Typer) -> None:
    """Put the commands on the program."""
    app.add_typer(propose, name="propose")
    app.command("sync")(sync)
    app.command("proposals")(proposals)
    app.command("tally")(tally)
    app.command("vote")(vote)
    app.command("withdraw")(withdraw)
    app.command("ready")(ready)
    app.command("comment")(comment)
    app.command("players")(players)
    app.command("join")(join)
    app.command("forfeit")(forfeit)


@propose.command("enact")
def enact(
    context: typer.Context,
    file: SourceFile,
    login: AsPlayer = None,
    title: Title = "",
    draft: AsDraft = False,
    update: Instead = None,
) -> None:
    """Propose a new rule."""
    from nomic_git.repository.drafting import enactment

    at = _writing(context)
    _propose(at, login, enactment(_bytes(at, file)), title, draft=draft, update=update)


@propose.command("amend")
def amend(
    context: typer.Context,
    number: RuleNumber,
    file: SourceFile,
    login: AsPlayer = None,
    title: Title = "",
    draft: AsDraft = False,
    update: Instead = None,
) -> None:
    """Propose other words, or another file, for a mutable rule."""
    from nomic_git.repository.drafting import amendment

    at = _writing(context)
    _propose(at, login, amendment(at.clone, number, _bytes(at, file)), title, draft=draft, update=update)


@propose.command("repeal")
def repeal(
    context: typer.Context,
    number: RuleNumber,
    login: AsPlayer = None,
    title: Title = "",
    draft: AsDraft = False,
    update: Instead = None,
) -> None:
    """Propose to repeal a mutable rule."""
    from nomic_git.repository.drafting import repeal as repealing

    at = _writing(context)
    _propose(at, login, repealing(at.clone, number), title, draft=draft, update=update)


@propose.command("transmute")
def transmute(
    context: typer.Context,
    number: RuleNumber,
    login: AsPlayer = None,
    title: Title = "",
    draft: AsDraft = False,
    update: Instead = None,
) -> None:
    """Propose to make an immutable rule mutable, or the reverse."""
    from nomic_git.repository.drafting import transmutation

    at = _writing(context)
    _propose(at, login, transmutation(at.clone, number), title, draft=draft, update=update)


def _writing(context: typer.Context) -> Desk:
    """Return the desk for a command that writes. Raises NotHere in a clone that is bare, shallow or detached."""
    at = desk(context)
    at.clone.needs_work_tree().needs_history()
    return at


def _bytes(at: Desk, file: Path) -> bytes:
    if str(file) == "-":
        return sys.stdin.buffer.read()
    path = file if file.is_file() else at.folder / file
    if path.is_dir():
        raise Misunderstood(f"{file} is a folder; name the file that has the rule's words")
    if not path.is_file():
        raise Misunderstood(f"there is no file {file}; write the rule's words into one and name it")
    return path.read_bytes()


def _propose(at: Desk, named: str | None, change: Draft, title: str, *, draft: bool, update: int | None) -> None:
    from nomic_git.repository.drafting import commit

    login = at.who(named)
    title = as_typed(title)
    if not title.isprintable() or len(title) > 120:
        raise Misunderstood("a title is one line of at most 120 characters")
    old = _own(at, update, login) if update is not None else None
    head = commit(at.clone, change, *_signature(at, login), now(), instead_of=old.head if old else None)
    _refuse_improper(at, head, login)
    if old is not None:
        at.forge.push(login, old.number, head, now())
        number = old.number
    else:
        number = at.forge.propose(login, head, title, now(), draft=draft)
    _tell(at, number)


def _signature(at: Desk, login: str) -> tuple[str, str]:
    player = at.position.players.get(login)
    email = (player.email if player else None) or f"{login}@players.invalid"
    return (player.called if player else login), email


def _refuse_improper(at: Desk, head: str, login: str) -> None:
    from nomic_git.law.provisions import CHANGES_KINDS
    from nomic_git.law.rule_change import Improper, read_change
    from nomic_git.locales import reason_text
    from nomic_git.repository.branch import GameBranch, read_branch

    law = at.position.law
    game = GameBranch(at.clone.repository, at.clone.trees, str(at.clone.tip.id))
    kinds = law.value(CHANGES_KINDS)
    reading = read_change(read_branch(game, head, {}), login, kinds)
    if isinstance(reading, Improper):
        reasons = " ".join(reason_text(reason, law) for reason in reading.reasons)
        raise Misunderstood(f"nothing was proposed. {reasons}")


def _tell(at: Desk, number: int) -> None:
    from nomic_git.cli.telling import account_of, tell

    tell(account_of(at, number, now()))


def sync(context: typer.Context) -> None:
    """Bring what others did, and the game branch, into this clone."""
    from nomic_git.cli.telling import open_standings

    at = desk(context)
    remote = at.clone.needs_work_tree().needs_history().remote
    if remote is None:
        say("This game is in this clone alone; there is nothing to bring.")
        return
    at.forge.fetch()
    _, standings = open_standings(at, now())
    open_ = sum(one.stage not in {"withdrawn"} for one, _ in standings)
    say(f"Up to date with {remote}: {open_} proposal{'' if open_ == 1 else 's'} open.")


def proposals(
    context: typer.Context,
    mine: Annotated[bool, typer.Option("--mine", help="Only those that wait for my vote.")] = False,
    login: AsPlayer = None,
    as_json: AsJson = False,
) -> None:
    """List the proposals that are not yet resolved."""
    from nomic_git.cli.telling import open_standings, tell_docket
    from nomic_git.game.proposal import Stage
    from nomic_git.referee.account import open_account

    at = desk(context)
    at.clone.needs_history()
    position, standings = open_standings(at, now())
    accounts = [open_account(position, standing, title) for standing, title in standings]
    accounts = [one for one in accounts if one.stage is not Stage.WITHDRAWN]
    if mine:
        me = at.who(login)
        accounts = [one for one in accounts if me in one.waiting_for and one.stage is Stage.VOTING]
    if as_json:
        say_json([one.plain() for one in accounts])
    else:
        tell_docket(accounts)


def tally(context: typer.Context, proposal: ProposalNumber, as_json: AsJson = False) -> None:
    """Count the votes on one proposal. What is not counted is listed with the reason."""
    from nomic_git.cli.telling import account_of, tell

    at = desk(context)
    at.clone.needs_history()
    account = account_of(at, proposal, now())
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
    from nomic_git.forges.log import Deed
    from nomic_git.game.vote import Vote

    if choice not in {*Vote}:
        raise Misunderstood(f"a vote is for, against or none (to take it back), not {choice!r}")
    at = _writing(context)
    voter = at.who(login)
    submission = _open(at, proposal)
    at.forge.note(voter, proposal, Deed.VOTE, now(), word=choice, head=submission.head)
    _tell(at, proposal)


def _open(at: Desk, proposal: int) -> Submission:
    """Return an open proposal. Raises Misunderstood where it is resolved, withdrawn or not there."""
    from nomic_git.cli.telling import account_of

    submission = at.forge.submission(proposal)
    if submission is None or proposal in at.position.state.resolved:
        account = account_of(at, proposal, now())
        raise Misunderstood(f"proposal {proposal} is {account.stage} already; nomic-git tally {proposal} tells how")
    if submission.withdrawn is not None:
        raise Misunderstood(f"proposal {proposal} has been withdrawn")
    return submission


def _own(at: Desk, proposal: int, login: str) -> Submission:
    submission = _open(at, proposal)
    if submission.author.casefold() != login.casefold():
        raise Misunderstood(f"proposal {proposal} is {submission.author}'s; only {submission.author} can do that")
    return submission


def withdraw(context: typer.Context, proposal: ProposalNumber, login: AsPlayer = None) -> None:
    """Withdraw a proposal of yours. Once another player has voted, that concedes it."""
    from nomic_git.forges.log import Deed

    at = _writing(context)
    author = _author(at, proposal, login)
    _own(at, proposal, author)
    at.forge.note(author, proposal, Deed.WITHDRAWN, now())
    _tell(at, proposal)


def _author(at: Desk, proposal: int, named: str | None) -> str:
    """Return who acts on a proposal: a player, or the one who asks to join and is none yet."""
    submission = at.forge.submission(proposal)
    if named is not None and submission is not None and submission.author.casefold() == named.casefold():
        return submission.author
    return at.who(named)


def ready(
    context: typer.Context,
    proposal: ProposalNumber,
    login: AsPlayer = None,
    draft: Annotated[bool, typer.Option("--draft", help="Make it a draft again instead.")] = False,
) -> None:
    """End the debate on a draft of yours and put it to the vote."""
    from nomic_git.forges.log import Deed

    at = _writing(context)
    author = _author(at, proposal, login)
    submission = _own(at, proposal, author)
    is_ready = bool(submission.ready) and submission.ready[-1].until is None
    if is_ready is not draft:
        raise Misunderstood(f"proposal {proposal} is {'ready' if is_ready else 'a draft'} already")
    at.forge.note(author, proposal, Deed.DRAFT if draft else Deed.READY, now())
    _tell(at, proposal)


def comment(
    context: typer.Context,
    proposal: ProposalNumber,
    text: Annotated[str, typer.Argument(metavar="TEXT", help="What you have to say.")],
    login: AsPlayer = None,
) -> None:
    """Say something on a proposal."""
    from nomic_git.forges.log import Deed

    at = _writing(context)
    author = _author(at, proposal, login)
    _open(at, proposal)
    if not text.strip():
        raise Misunderstood("a comment has words; give some after the number")
    at.forge.note(author, proposal, Deed.COMMENT, now(), words=as_typed(text))
    say(f"Said on proposal {proposal}.")


def players(context: typer.Context, as_json: AsJson = False) -> None:
    """List the players in the order of joining."""
    position = desk(context).position
    files = {login.casefold(): player for login, player in position.players.items()}
    rows = [(seat, files.get(seat.login.casefold())) for seat in position.state.seats]
    if as_json:
        say_json(
            [
                {
                    "login": seat.login,
                    "name": player.called if player else seat.login,
                    "points": seat.points,
                    "turns": seat.turns,
                    "joined": plain_instant(seat.joined),
                }
                for seat, player in rows
            ]
        )
        return
    if not rows:
        say("Nobody has joined yet: nomic-git join")
        return
    table(
        ("Player", "Name", "E-mail", "Joined"),
        [
            (
                seat.login,
                player.called if player else "",
                (player.email if player else "") or "",
                plain_instant(seat.joined),
            )
            for seat, player in rows
        ],
    )


def join(
    context: typer.Context,
    login: AsPlayer = None,
    name: Annotated[str | None, typer.Option("--name", help="What to call you; else git config user.name.")] = None,
    surname: Annotated[str | None, typer.Option("--surname", help="For games that are played by surname.")] = None,
    email: Annotated[str | None, typer.Option("--email", help="How you are known; else git config user.email.")] = None,
) -> None:
    """Ask to join the game."""
    from nomic_git.game.player import player_path, write_player
    from nomic_git.repository.drafting import Draft, commit

    at = _writing(context)
    if login is None:
        raise Misunderstood("say under which login you join: nomic-git join --as LOGIN")
    login = as_typed(login)
    position = at.position
    if position.state.seat(login) is not None:
        raise Misunderstood(f"{login} is a player already")
    _refuse_twice(at, login, "join")
    known = {one.email.lower() for one in position.players.values() if one.email}
    mine = email or (at.email() if at.email().lower() not in known else None)
    player = write_player(login, name=name, surname=surname, email=mine)
    draft = Draft({player_path(login): player.source}, f"Let {login} join")
    head = commit(at.clone, draft, player.called, mine or f"{login}@players.invalid", now())
    _tell(at, at.forge.propose(login, head, "", now(), draft=False))


def forfeit(context: typer.Context, login: AsPlayer = None) -> None:
    """Leave the game; always allowed (113)."""
    from nomic_git.game.player import player_path
    from nomic_git.repository.drafting import Draft, commit

    at = _writing(context)
    player = at.who(login)
    _refuse_twice(at, player, "forfeit")
    path = next(player_path(one) for one in at.position.players if one.casefold() == player.casefold())
    head = commit(at.clone, Draft({path: None}, f"Let {player} go"), *_signature(at, player), now())
    _tell(at, at.forge.propose(player, head, "", now(), draft=False))


def _refuse_twice(at: Desk, login: str, wish: str) -> None:
    """Raise Misunderstood where somebody who would join or leave has asked for it already."""
    from nomic_git.cli.telling import open_standings
    from nomic_git.game.proposal import Stage
    from nomic_git.referee.account import kind_of

    for standing, _ in open_standings(at, now())[1]:
        asked = standing.proposal
        same = kind_of(asked.reading) == wish and asked.author.casefold() == login.casefold()
        if same and standing.stage in {Stage.WAITING, Stage.VOTING}:
            raise Misunderstood(
                f"{asked.author} has asked to {wish} already: proposal {asked.forge}; next: nomic-git referee"
            )
