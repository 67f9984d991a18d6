"""Commands that propose a rule-change: `propose enact`, `amend`, `repeal`, `transmute`, `branch`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from nomic_git.cli.desk import AsPlayer, Misunderstood, RuleNumber, a_proposal, as_typed, now, writing
from nomic_git.cli.docket import (
    account_of,
    own_submission,
    proposal_number,
    refuse_after_the_end,
    refuse_when_complete,
    tell_after,
)
from nomic_git.cli.options import Commands

if TYPE_CHECKING:
    from collections.abc import Callable

    from nomic_git.cli.desk import Desk
    from nomic_git.law.rule_change import Change
    from nomic_git.repository.drafting import Draft

Title = Annotated[str, typer.Option("--title", metavar="T", help="What the proposal is called; one line.")]
AsDraft = Annotated[bool, typer.Option("--draft", help="Open it for debate; nobody votes until it is ready.")]
Instead = Annotated[
    int | None,
    typer.Option(
        "--update", metavar="P", parser=a_proposal, help="Give proposal P this text, instead of making a new one."
    ),
]
SourceFile = Annotated[Path, typer.Argument(metavar="FILE", help="The rule's file, or its words alone; - reads input.")]

propose = typer.Typer(cls=Commands, add_completion=False, rich_markup_mode=None, help="Propose one rule-change.")


@propose.command("enact")
def enact(
    context: typer.Context,
    file: SourceFile,
    login: AsPlayer = None,
    title: Title = "",
    draft: AsDraft = False,
    update: Instead = None,
) -> None:
    """Propose a new rule. A file without front matter gets the title as the rule's."""
    from nomic_git.repository.drafting import enactment

    at = writing(context)
    source = _bytes(at, file)
    made = enactment(source, as_typed(title))
    # Beside --update a title can be the rule's alone, where the file gives it none.
    is_the_rules = update is not None and made != enactment(source)
    _propose(at, login, made, "" if is_the_rules else title, draft=draft, update=update)


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

    at = writing(context)
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

    at = writing(context)
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

    at = writing(context)
    _propose(at, login, transmutation(at.clone, number), title, draft=draft, update=update)


@propose.command("branch")
def branch(
    context: typer.Context,
    revision: Annotated[str, typer.Argument(metavar="REV", help="A branch or a commit, made with git.")],
    login: AsPlayer = None,
    title: Title = "",
    draft: AsDraft = False,
) -> None:
    """Propose what a branch of your own changes, made with git and your editor."""
    from nomic_git.repository.drafting import commit_named

    at = writing(context)
    _open(at, login, title, lambda _: commit_named(at.clone, revision), draft=draft, update=None)


def _bytes(at: Desk, file: Path) -> bytes:
    if str(file) == "-":
        return sys.stdin.buffer.read()
    path = at.folder / file
    if path.is_dir():
        raise Misunderstood(f"{file} is a folder; name the file that has the rule's words")
    if not path.is_file():
        raise Misunderstood(f"there is no file {file}; write the rule's words into one and name it")
    return path.read_bytes()


def _propose(at: Desk, named: str | None, change: Draft, title: str, *, draft: bool, update: int | None) -> None:
    from nomic_git.repository.drafting import commit

    def head(old: str | None) -> str:
        return commit(at.clone, change, *signature(at, at.who(named)), now(), instead_of=old)

    _open(at, named, title, head, draft=draft, update=update)


def _open(
    at: Desk,
    named: str | None,
    title: str,
    head: Callable[[str | None], str],
    *,
    draft: bool,
    update: int | None,
) -> None:
    """Open a proposal with the head that `head` makes, or give that to one that is open already."""
    login = at.who(named)
    refuse_after_the_end(at)
    if draft and update is not None:
        raise Misunderstood(f"--draft is for a new proposal; for one that is there: nomic-git ready {update} --draft")
    if title and update is not None:
        raise Misunderstood(f"proposal {update} keeps the title that it has; leave out --title")
    title = as_typed(title)
    if not title.isprintable() or len(title) > 120:
        raise Misunderstood("a title is one line of at most 120 characters")
    old = own_submission(at, proposal_number(at, update), login) if update is not None else None
    if old is not None:
        refuse_when_complete(account_of(at, old.number), "give it other words")
    new = head(old.head if old is not None else None)
    reading = _reading(at, new, login)
    if old is not None:
        at.forge.push(login, old.number, new, now())
        number = old.number
    else:
        if at.is_on_github:
            # There, every proposal has a title.
            title = title or _title(reading, login)
        number = at.forge.propose(login, new, title, now(), draft=draft)
    tell_after(at, number)


def _title(reading: Change, login: str) -> str:
    """Return a title for a change that was given none: what it would do, and the title of a new rule."""
    from nomic_git.law.rule import Status, read_rule
    from nomic_git.law.rule_change import RuleChange
    from nomic_git.locales import change_text
    from nomic_git.referee.account import kind_of

    rule = reading.rule if isinstance(reading, RuleChange) else None
    words = change_text(kind_of(reading), rule, login)
    words = words[0].upper() + words[1:]
    if isinstance(reading, RuleChange) and rule is None and reading.after is not None:
        title = read_rule(0, Status.MUTABLE, reading.after).title
        return f"{words}: {title}" if title else words
    return words


def signature(at: Desk, login: str) -> tuple[str, str]:
    """Return the name and the e-mail that a player's commits are made with."""
    player = at.position.players.get(login)
    email = (player.email if player else None) or commit_email(at, login)
    return (player.called if player else login), email


def commit_email(at: Desk, login: str) -> str:
    """Return the e-mail of the commits of one who has told the game none; GitHub's own gives nothing away."""
    return at.github.email if at.github is not None else f"{login}@players.invalid"


def _reading(at: Desk, head: str, login: str) -> Change:
    """Return what a head would change. Raises Misunderstood where it is not one lawful change."""
    from nomic_git.law.provisions import CHANGES_KINDS
    from nomic_git.law.rule_change import Improper, NoProposal, read_change
    from nomic_git.locales import reason_text
    from nomic_git.repository.branch import GameBranch, read_branch

    law = at.position.law
    game = GameBranch(at.clone.repository, at.clone.trees, str(at.clone.tip.id))
    kinds = law.value(CHANGES_KINDS)
    reading = read_change(read_branch(game, head, {}), login, kinds)
    if isinstance(reading, NoProposal):
        raise Misunderstood("nothing was proposed: it changes neither a rule nor a player's file")
    if isinstance(reading, Improper):
        reasons = " ".join(reason_text(reason, law) for reason in reading.reasons)
        raise Misunderstood(f"nothing was proposed. {reasons}")
    return reading
