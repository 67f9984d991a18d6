"""Commands that begin a game: `new`, `rulesets`, `demo`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from nomic_git.cli.desk import AsJson, Misunderstood, desk, now
from nomic_git.cli.paper import say, say_json, table


def lay(app: typer.Typer) -> None:
    """Put the commands on the program."""
    app.command("new")(new)
    app.command("rulesets")(rulesets)
    app.command("demo")(demo)


def new(
    context: typer.Context,
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A new folder, or `.` for this repository.")],
    rules: Annotated[str, typer.Option("--rules", metavar="NAME", help="The rulebook to start from.")] = "github",
    language: Annotated[str, typer.Option("--lang", metavar="LANG", help="The language of the rules.")] = "en",
    forge: Annotated[
        str, typer.Option("--forge", metavar="NAME", help="Where proposals live: local or github.")
    ] = "local",
    player: Annotated[
        list[str] | None,
        typer.Option("--player", metavar="LOGIN[=NAME]", help="Seat a player from the start; may be repeated."),
    ] = None,
) -> None:
    """Start a game in a new folder, or add one to a repository."""
    from nomic_git.game.player import Player, write_player
    from nomic_git.repository.founding import found, shipped
    from nomic_git.repository.settings import ForgeName, Settings

    if forge not in {*ForgeName}:
        raise Misunderstood(f"{forge!r} is no forge; there are {', '.join(ForgeName)}")
    if forge == ForgeName.GITHUB:
        raise Misunderstood("this version of nomic-git plays on the local forge only: --forge local")
    seats: dict[str, Player] = {}
    for one in player or []:
        login, _, name = one.partition("=")
        if login.casefold() in {seat.casefold() for seat in seats}:
            raise Misunderstood(f"--player names {login} twice")
        seats[login] = write_player(login, name=name or None)
    target = desk(context).folder / folder
    title = target.resolve().name if target.resolve().name.isprintable() else "Nomic"
    settings = Settings(name=title or "Nomic", language=language, forge=ForgeName(forge))
    clone = found(target, shipped(rules, language), seats, settings, now())
    rulebook_size = len(shipped(rules, language))
    say(f"A game of Nomic is founded in {clone.folder}: the {rules} rulebook, {rulebook_size} rules.")
    say("Players: " + (", ".join(seats) or "nobody yet") + ".")
    say()
    say("Look around:    nomic-git rules, nomic-git law, nomic-git scores")
    if len(seats) < 2:
        say("Join the game:  nomic-git join --as LOGIN, then nomic-git referee")
    else:
        say(f"Propose:        nomic-git propose enact FILE --as {next(iter(seats))}")


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
) -> None:
    """Play a whole game, told step by step. It is left on the local forge to look around in."""
    from nomic_git.cli.demo import play_demo
    from nomic_git.cli.main import run

    play_demo(desk(context).folder, folder, run)
