"""Which room has which command: a room is loaded when a command of its is called, and all when they are listed."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

import typer

from nomic_git.cli.options import Commands

ROOMS: Mapping[str, str] = {
    **dict.fromkeys(("new", "new-round", "rulesets", "demo"), "begin"),
    **dict.fromkeys(("rules", "show", "history", "law"), "rulebook"),
    "check": "check",
    **dict.fromkeys(("proposals", "read", "tally", "vote", "withdraw", "ready", "comment"), "voting"),
    "judgments": "judgment",
    **dict.fromkeys(("sync", "players", "join", "forfeit", "away", "back", "surname"), "seats"),
    **dict.fromkeys(("referee", "scores", "log", "audit"), "results"),
    "propose": "proposing",
    "judgment": "judgment",
}
"""The module that has each command, in the order of the help text: a function of its name, or a group of commands."""


class Program(Commands):
    """All commands, each loaded and made when it is first asked for: to load and make them all takes a while."""

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the names of all commands, in the order of the help text."""
        del ctx
        return [*ROOMS]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return the command of a name, None where there is none."""
        # For a name that is none, typer looks among the commands that are made for one that is meant.
        for name in [cmd_name] if cmd_name in ROOMS else ROOMS:
            if name not in self.commands:
                self.commands[name] = _made(name)
        return super().get_command(ctx, cmd_name)


def _made(name: str) -> Any:
    found = getattr(import_module(f"nomic_git.cli.{ROOMS[name]}"), name.replace("-", "_"))
    if isinstance(found, typer.Typer):
        return typer.main.get_command(found)
    alone = typer.Typer(add_completion=False, rich_markup_mode=None)
    alone.command(name)(found)
    return typer.main.get_command(alone)
