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
        typer.Option("--player", metavar="LOGIN[=NAME <EMAIL>]", help="Seat a player from the start; may be repeated."),
    ] = None,
) -> None:
    """Start a game in a new folder, or add one to a repository."""
    from nomic_git.game.player import Player, write_player
    from nomic_git.law.precedence import read_law
    from nomic_git.locales import unrefereed_text
    from nomic_git.repository.founding import found, shipped
    from nomic_git.repository.settings import ForgeName, Settings

    if forge not in {*ForgeName}:
        raise Misunderstood(f"{forge!r} is no forge; there are {', '.join(ForgeName)}")
    if forge == ForgeName.GITHUB:
        raise Misunderstood("this version of nomic-git plays on the local forge only: --forge local")
    seats: dict[str, Player] = {}
    for one in player or []:
        login, name, email = _seat(one)
        if login.casefold() in {seat.casefold() for seat in seats}:
            raise Misunderstood(f"--player names {login} twice")
        seats[login] = write_player(login, name=name, email=email)
    target = desk(context).folder / folder
    title = target.resolve().name if target.resolve().name.isprintable() else "Nomic"
    settings = Settings(name=title or "Nomic", language=language, forge=ForgeName(forge))
    clone = found(target, shipped(rules, language), seats, settings, now())
    rulebook = shipped(rules, language)
    say(f"A game of Nomic is founded in {clone.folder}: the {rules} rulebook, {len(rulebook)} rules.")
    say("Players: " + (", ".join(seats) or "nobody yet") + ".")
    left = unrefereed_text(read_law(rulebook))
    if left:
        say(left)
    say()
    say("Look around:    nomic-git rules, nomic-git law, nomic-git scores")
    if len(seats) < 2:
        say("Join the game:  nomic-git join --as LOGIN, then nomic-git referee")
    else:
        say(f"Propose:        nomic-git propose enact FILE --as {next(iter(seats))}")


def _seat(text: str) -> tuple[str, str | None, str | None]:
    """Return the login, the name and the e-mail of `LOGIN=NAME <EMAIL>`, of which the login alone is needed."""
    login, _, rest = text.partition("=")
    name, _, email = rest.rstrip(">").partition("<")
    return login, name.strip() or None, email.strip() or None


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
