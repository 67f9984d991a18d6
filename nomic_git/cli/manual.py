"""The manual page, written from the program itself: `python -m nomic_git.cli.manual > docs/man/nomic-git.1`."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from typing import Any

import typer

from nomic_git import __version__
from nomic_git.cli.main import app

_DESCRIPTION = """\
Nomic is the game in which changing the rules is the move. nomic-git keeps the rulebook in a Git repository, one \
Markdown file a rule. A proposal is a branch, players vote on it, and the referee counts the votes, merges what is \
adopted, renumbers the rule and keeps the scores. Every event of the game is one commit, so that anybody can replay \
the history and has to get the same scores.

What a rule tells the referee stands in that rule's own front matter, beside its words: amending the rule amends \
the machine. The program is also called as a command of Git: git nomic scores."""

_EXIT = (
    ("0", "What was asked for is done."),
    ("1", "The answer is no: a check or an audit found something that is not in order."),
    ("2", "The call cannot be understood or carried out; one line on standard error says why, and what to do."),
)

_ENVIRONMENT = (
    ("NO_COLOR", "Where it is set, nothing is printed in bold type, on a terminal either."),
    ("GIT_COMMITTER_DATE", "The time that the program goes by, in place of the clock."),
    ("GITHUB_TOKEN, GH_TOKEN", "The token for a game on GitHub; else what gh auth token says."),
    ("GITHUB_REPOSITORY", "The game's repository on GitHub, OWNER/NAME; else what the remote's address says."),
    ("GITHUB_API_URL", "Where GitHub answers programs, of an Enterprise Server; else what the remote's address says."),
    ("GITHUB_ACTIONS, GITHUB_STEP_SUMMARY", "Set by GitHub's runner; the referee then writes the run's page there."),
    ("NOMIC_GIT_TRACE", "Where it is set, an error of the program itself is shown with where it happened."),
)

_FILES = (
    ("rules/immutable/, rules/mutable/", "The rules in force; a rule's number is its file's name."),
    ("players/", "The players, a file each, named by login."),
    ("scores.json, SCORES.md", "Where the game stands, for programs and for people."),
    ("nomic.toml", "What is not law: the game's name, its language, its forge, its branch."),
    ("refs/nomic/proposals/", "Proposals, votes and comments of a game on the local forge."),
)

_EXAMPLES = (
    ("nomic-git demo", "Play a whole game, told step by step."),
    ("nomic-git new game --player alice --player bob", "Start a game of two."),
    ("nomic-git propose amend -105 words.md --as alice", "Propose other words for rule -105."),
    ("nomic-git vote 1 for --as bob", "Vote for proposal 1."),
    ("nomic-git referee", "Count the votes and carry out what is decided."),
)


def manual() -> str:
    """Return the manual page in the language of man(7)."""
    return "\n".join([*_head(), *_options_of_all(), *_commands(), *_tail()]) + "\n"


def _head() -> Iterator[str]:
    yield f'.TH NOMIC\\-GIT 1 "" "nomic\\-git {__version__}" "Nomic in Git"'
    yield ".SH NAME"
    yield "nomic\\-git \\- play Nomic in Git: a referee and a rulebook manager"
    yield ".SH SYNOPSIS"
    yield ".B nomic\\-git"
    yield "[\\fIOPTIONS\\fR] \\fICOMMAND\\fR [\\fIARGUMENTS\\fR]"
    yield ".br"
    yield ".B git nomic"
    yield "[\\fIOPTIONS\\fR] \\fICOMMAND\\fR [\\fIARGUMENTS\\fR]"
    yield ".SH DESCRIPTION"
    yield _roff(_DESCRIPTION).replace("\n\n", "\n.PP\n")


def _options_of_all() -> Iterator[str]:
    command: Any = typer.main.get_command(app)
    context = command.make_context("nomic-git", [], resilient_parsing=True)
    yield ".SH OPTIONS"
    yield from _options(command, context)
    yield from _item(*command.get_help_option(context).get_help_record(context))


def _options(command: Any, context: Any) -> Iterator[str]:
    """Yield the arguments and the options of a command, each with what it does; `--help` goes without saying."""
    for param in command.params:
        term, text = param.get_help_record(context)
        yield from _item(term, text)


def _item(term: str, text: str) -> Iterator[str]:
    yield ".TP"
    yield f"\\fB{_roff(term)}\\fR"
    yield _roff(text)


def _commands() -> Iterator[str]:
    yield ".SH COMMANDS"
    for words, command, context in _walk(typer.main.get_command(app), "nomic-git", None):
        pieces = re.sub("[{}]", "", " ".join(command.collect_usage_pieces(context)))
        yield f".SS {_roff(words)} {_roff(pieces)}"
        yield _roff(command.help or "")
        yield from _options(command, context)


def _walk(group: Any, name: str, parent: Any) -> Iterator[tuple[str, Any, Any]]:
    """Yield every command that does something, with the words that call it and its context."""
    here = group.make_context(name, [], parent=parent, resilient_parsing=True)
    for one in group.list_commands(here):
        command = group.get_command(here, one)
        if hasattr(command, "list_commands"):
            yield from ((f"{one} {words}", *rest) for words, *rest in _walk(command, one, here))
        else:
            yield one, command, command.make_context(one, [], parent=here, resilient_parsing=True)


def _tail() -> Iterator[str]:
    for title, items in (("EXIT STATUS", _EXIT), ("ENVIRONMENT", _ENVIRONMENT), ("FILES", _FILES)):
        yield f".SH {title}"
        for term, text in items:
            yield from _item(term, text)
    yield ".SH EXAMPLES"
    for call, text in _EXAMPLES:
        yield from _item(call, text)
    yield ".SH SEE ALSO"
    yield ".BR git (1),"
    yield ".BR git\\-interpret\\-trailers (1)"


def _roff(text: str) -> str:
    """Return text in which man(7) finds nothing to act upon."""
    quiet = text.replace("\\", "\\e").replace("-", "\\-")
    return re.sub(r"^([.'])", r"\\&\1", quiet, flags=re.MULTILINE)


if __name__ == "__main__":
    sys.stdout.write(manual())
