"""Commands that begin a game: `new`, `new-round`, `rulesets`, `demo`."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from nomic_git.cli.desk import AsJson, Misunderstood, desk, now, writing
from nomic_git.cli.paper import say, say_json, table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nomic_git.game.player import Player
    from nomic_git.game.position import Position
    from nomic_git.game.state import State
    from nomic_git.law.rulebook import Rulebook
    from nomic_git.repository.clone import Clone

_NAMED = re.compile(r"([^<>]*)(?:<([^<>]*)>)?")
_AS_IN = '--player "alice=Alice <alice@example.org>"'


def new(
    context: typer.Context,
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A new folder, or `.` for this repository.")],
    rules: Annotated[str, typer.Option("--rules", metavar="NAME", help="The rulebook to start from.")] = "github",
    language: Annotated[str, typer.Option("--lang", metavar="LANG", help="The language of the rules.")] = "en",
    forge: Annotated[
        str, typer.Option("--forge", metavar="NAME", help="Where proposals live: local or github.")
    ] = "local",
    source: Annotated[
        str | None,
        typer.Option(
            "--source",
            metavar="REQ",
            help="What pip installs the referee from on GitHub; this release from PyPI if not given.",
        ),
    ] = None,
    player: Annotated[
        list[str] | None,
        typer.Option(
            "--player",
            metavar="LOGIN[=NAME <EMAIL>]",
            help="Seat a player from the start; may be repeated. NAME can be `Surname, Given`.",
        ),
    ] = None,
) -> None:
    """Start a game in a new folder, or add one to a repository."""
    from nomic_git.cli.turn import tell_turn
    from nomic_git.game.surname import is_by_surname
    from nomic_git.game.turns import mover
    from nomic_git.law.precedence import read_law
    from nomic_git.repository.founding import found, shipped
    from nomic_git.repository.position import position_at
    from nomic_git.repository.settings import ForgeName, Settings
    from nomic_git.repository.workflows import checked_source

    if forge not in {*ForgeName}:
        raise Misunderstood(f"{forge!r} is no forge; there are {', '.join(ForgeName)}")
    if source is not None and forge != ForgeName.GITHUB:
        raise Misunderstood("--source is for a game on GitHub, where a workflow installs the referee: --forge github")
    if source is not None:
        checked_source(source)
    rulebook = shipped(rules, language)
    seats = _seats(player or [], language)
    _refuse_without_surname(rulebook, seats)
    if forge == ForgeName.GITHUB:
        seats = _with_accounts(seats)
    target = desk(context).folder / folder
    title = target.resolve().name if target.resolve().name.isprintable() else "Nomic"
    settings = Settings(name=title or "Nomic", language=language, forge=ForgeName(forge))
    clone = found(target, rulebook, seats, settings, now(), source)
    say(f"A game of Nomic is founded in {clone.folder}: the {rules} rulebook, {len(rulebook)} rules.")
    say("Players: " + (", ".join(seats) or "nobody yet") + ".")
    say()
    say("Look around:    nomic-git rules, nomic-git law, nomic-git scores")
    if forge == ForgeName.GITHUB:
        _say_how_to_play_on_github(clone, len(seats))
    elif len(seats) < 2:
        surname = " --surname SURNAME" if is_by_surname(read_law(rulebook)) else ""
        say(f"Join the game:  nomic-git join --as LOGIN{surname}, then nomic-git referee")
    else:
        position = position_at(clone.trees, clone.tip.tree_id.raw)
        say(f"Propose:        nomic-git propose enact FILE --as {mover(position) or next(iter(seats))}")
        tell_turn(desk(context), position)


def _seats(texts: list[str], language: str) -> dict[str, Player]:
    """Return the players that `--player` names, by login, with names as the game's language has them."""
    from nomic_git.game.player import write_player
    from nomic_git.game.surname import read_name

    seats: dict[str, Player] = {}
    for text in texts:
        login, name, email = _seat(text)
        if login.casefold() in {seat.casefold() for seat in seats}:
            raise Misunderstood(f"--player names {login} twice")
        named = {one.email.lower(): one.login for one in seats.values() if one.email}
        if email is not None and email.lower() in named:
            other = named[email.lower()]
            raise Misunderstood(f"--player gives {other} and {login} one address, {email}; each is known by their own")
        called, surname = read_name(name or "", language)
        seats[login] = write_player(login, name=called or None, surname=surname, email=email)
    return seats


def _refuse_without_surname(rulebook: Rulebook, seats: dict[str, Player]) -> None:
    """Raise Misunderstood where turns are to go by surname and somebody has none (201)."""
    from nomic_git.game.docket import surname_missing
    from nomic_git.law.precedence import read_law

    law = read_law(rulebook)
    missing = [(one.login, reason) for one in seats.values() if (reason := surname_missing(law, one)) is not None]
    if missing:
        login, reason = missing[0]
        rule = law.rule(reason.rests_on or "")
        wanted = f'--player "{login}=Surname, Given"'
        names = ", ".join(login for login, _ in missing)
        raise Misunderstood(f"turns go by surname in this game (rule {rule}); give one for {names}: {wanted}")


def _with_accounts(seats: dict[str, Player]) -> dict[str, Player]:
    """Return these players with the ids of their accounts, by which a game on GitHub knows them."""
    from nomic_git.forges.accounts import account_id
    from nomic_git.game.player import seated_player

    return {login: seated_player(login, one.source, account_id(login)) for login, one in seats.items()}


def _say_how_to_play_on_github(clone: Clone, seated: int) -> None:
    """Say what is left to do, once, for somebody who has never done it."""
    folder, branch = shlex.quote(str(clone.folder)), clone.settings.branch
    push = f"git -C {folder} push -u origin {branch}"
    if "origin" in set(clone.repository.remotes.names()):
        publish = [f"Bring the game to GitHub:  {push}", f"The repository's default branch there has to be {branch}."]
    else:
        publish = [
            "Make an empty repository at https://github.com/new: no README, no licence, no .gitignore.",
            "Bring the game to it, with your own OWNER and NAME:",
            f"  git -C {folder} remote add origin https://github.com/OWNER/NAME.git",
            f"  {push}",
        ]
    settings = [
        "On the repository's page, under Settings > Actions > General, actions have to be allowed. Leave Workflow",
        "permissions as they are: the referee's workflow asks for what it needs, and for nothing else.",
    ]
    who = "Others join" if seated else "You and everybody else join"
    joining = [
        f"{who} by a pull request: on the repository's page, Add file > Create new file, name it",
        "players/YOUR-LOGIN.md, write a line about yourself, and propose it as a pull request.",
        "The referee gives the seat within a minute or two. "
        + ("It takes two players to begin." if seated < 2 else "To propose something: nomic-git propose --help"),
    ]
    say()
    say("To play it on GitHub:")
    for number, (first, *more) in enumerate((publish, settings, joining), start=1):
        say(f"{number}. {first}")
        for line in more:
            say(f"   {line}")


def _seat(text: str) -> tuple[str, str | None, str | None]:
    """Return the login, the name and the e-mail of `LOGIN=NAME <EMAIL>`, of which the login alone is needed.

    Raises Misunderstood where it is written otherwise.
    """
    from nomic_git.game.player import is_address

    login, gives, rest = text.partition("=")
    if not gives and re.search(r"[\s<>@]", login):
        raise Misunderstood(f"--player {text!r}: behind the login stands =, as in {_AS_IN}")
    if not login:
        raise Misunderstood(f"--player {text!r} gives no login before the =, as in {_AS_IN}")
    if not gives:
        return login, None, None
    named = _NAMED.fullmatch(rest.strip())
    if named is None:
        raise Misunderstood(f"--player {text!r}: behind the name stands one address between < and >, as in {_AS_IN}")
    name, email = named[1].strip(), named[2]
    if not name:
        instead = "leave the = out, or write one behind it" if email is None else "write one before the <"
        raise Misunderstood(f"--player {text!r} gives no name; {instead}")
    if email is not None and not is_address(email.strip()):
        raise Misunderstood(f"--player {text!r}: {email!r} is no address such as alice@example.org")
    return login, name, None if email is None else email.strip()


def new_round(
    context: typer.Context,
    rules: Annotated[
        str | None,
        typer.Option("--rules", metavar="NAME", help="What to start from; the rules as they stand if not given."),
    ] = None,
    language: Annotated[
        str | None,
        typer.Option("--lang", metavar="LANG", help="The language of that rulebook; the game's own if not given."),
    ] = None,
) -> None:
    """Begin another round after the winner: everybody keeps the seat, and the points begin anew."""
    from nomic_git.cli.turn import tell_turn
    from nomic_git.referee.beginning import begin_round
    from nomic_git.repository.founding import shipped

    if language is not None and rules is None:
        raise Misunderstood("--lang is for a rulebook that ships: --rules NAME; the rules as they stand have theirs")
    at = writing(context)
    if at.github is not None and at.github.may_only_read:
        raise Misunderstood(
            f"{at.github.me().login} may not write to {at.github.connection.repository}; somebody who may has to begin "
            "the round"
        )
    spoken, before = language or at.clone.settings.language, at.position.state
    left = [one.number for one in at.forge.submissions(before.resolved) if one.withdrawn is None]
    begun = begin_round(at.clone, at.forge, now(), None if rules is None else shipped(rules, spoken), spoken)
    position = at.position
    book = "the rulebook as it stands" if rules is None else f"the {rules} rulebook"
    say(f"Round {begun.round} begins: {book}, {len(position.law.rulebook)} rules.")
    say("Players: " + (", ".join(f"{one.login} ({one.points})" for one in position.state.seats) or "nobody") + ".")
    _tell_who_goes_by_login(position)
    _tell_what_is_left(before, left)
    tell_turn(at, position)
    say(f"Of the round before: nomic-git scores --round {before.round}")


def _tell_who_goes_by_login(position: Position) -> None:
    """Print whose surname is missing where turns go by surname, and how it is given (201)."""
    from nomic_git.game.surname import by_login
    from nomic_git.law.provisions import TURNS_ORDER
    from nomic_git.locales import names_text, rests_on

    missing = by_login(position)
    if missing:
        rule = rests_on(position.law.rule(TURNS_ORDER.name))
        say(
            f"Turns go by surname {rule}. Until they give theirs, the login stands in for {names_text(missing)}: "
            "nomic-git surname SURNAME"
        )


def _tell_what_is_left(before: State, left: Sequence[int]) -> None:
    """Print what the round before leaves behind: the open proposals, by the forge's numbers, and the judgment."""
    if left:
        told = ", ".join(str(number) for number in left)
        say(
            f"Left behind: proposal{'s' if len(left) > 1 else ''} {told}. What these rules allow can be proposed again."
        )
    if before.judgment is not None:
        say(f"The judgment on proposal {before.judgment.proposal} was dropped when round {before.round} was won.")


def rulesets(as_json: AsJson = False) -> None:
    """List the rulebooks that a game can start from."""
    from nomic_git.repository.founding import rulesets as shipped_rulesets

    found = shipped_rulesets()
    if as_json:
        say_json(
            [
                {"name": one.name, "title": one.title, "summary": one.summary, "languages": list(one.languages)}
                for one in found
            ]
        )
        return
    table(
        ("Name", "Languages", "What is particular"),
        [(one.name, ", ".join(one.languages), one.summary) for one in found],
    )


def demo(
    context: typer.Context,
    folder: Annotated[Path | None, typer.Argument(metavar="DIR", help="Where; a new folder if not given.")] = None,
    rules: Annotated[str, typer.Option("--rules", metavar="NAME", help="The rulebook to play by.")] = "github",
) -> None:
    """Play a whole game, told step by step. It is left on the local forge to look around in."""
    from nomic_git.cli.demo import play_demo
    from nomic_git.cli.main import run

    play_demo(desk(context).folder, folder, rules, run)
