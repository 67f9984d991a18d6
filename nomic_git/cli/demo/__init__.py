"""Whole games, played by the real commands and told step by step (`nomic-git demo`)."""

from __future__ import annotations

import shlex
import shutil
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from nomic_git.cli.demo.stage import BETWEEN_STEPS, Stage
from nomic_git.cli.desk import Misunderstood, now
from nomic_git.cli.paper import say

if TYPE_CHECKING:
    from nomic_git.cli.demo.script import Script

FOLDER = "nomic-demo"
RULEBOOKS = ("github", "suber-1982", "suber", "suber-mail")
"""The rulebooks of which there is a demo, each a module of this package."""


def play_demo(here: Path, folder: Path | None, rules: str, run: Callable[[list[str]], int]) -> None:
    """Play the demo of a rulebook in a folder, a new one below `here` where none is given, by `run`ning commands.

    Raises Misunderstood where there is no such demo or the folder is not empty, DemoFailed where a step does not do
    what it says.
    """
    script = _script(rules)
    target = _fresh(here) if folder is None else here / folder
    if target.exists() and any(target.iterdir()):
        raise Misunderstood(f"{folder} is not empty; name a new folder for the demo")
    target.mkdir(parents=True, exist_ok=True)
    say(f"A game by the rulebook `{rules}`, as its players type it. Answers that tell nothing new are left out.")
    with TemporaryDirectory() as drawer:
        stage = Stage(target, Path(drawer), now() - 80 * BETWEEN_STEPS, run)
        for act in script.acts:
            act.play(stage)
    _farewell(target if folder is None else folder, script)


def _script(rules: str) -> Script:
    if rules not in RULEBOOKS:
        raise Misunderstood(f"there is no demo of a rulebook {rules!r}; there are {', '.join(RULEBOOKS)}")
    script: Script = import_module(f"{__name__}.{rules.replace('-', '_')}").SCRIPT
    return script


def _fresh(here: Path) -> Path:
    names = (FOLDER, *(f"{FOLDER}-{number}" for number in range(2, 1000)))
    return next(here / name for name in names if not (here / name).exists())


def _farewell(folder: Path, script: Script) -> None:
    say()
    say(f"The game is in {folder}. Look around in it:")
    say()
    if shutil.which("nomic-git") is None:
        say(f'  export PATH="{Path(sys.argv[0]).resolve().parent}:$PATH"')
    say(f"  cd {shlex.quote(str(folder))}")
    for command, what in script.afterwards:
        say(f"  {command:<25}  {what}")
    say("  git log --first-parent     the same game, as Git tells it")
    say()
    others = ", ".join(name for name in RULEBOOKS if name != script.rules)
    say(f"The other rulebooks: nomic-git demo --rules NAME, of {others}")
    say("To start a game of your own: nomic-git new DIR --player LOGIN --player LOGIN")
