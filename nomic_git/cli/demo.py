"""A whole game, played by the real commands and told step by step (`nomic-git demo`)."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from nomic_git.cli.desk import Desk, Misunderstood, now
from nomic_git.cli.paper import Strong, say
from nomic_git.law.errors import NomicError

FOLDER = "nomic-demo"
_BETWEEN_STEPS = 600

PLAYERS = {"alice": "Alice", "bob": "Bob", "carol": "Carol", "dave": "Dave"}


class DemoFailed(NomicError):
    """A step of the demo that did not do what the story says."""


@dataclass(slots=True)
class _Story:
    """The game as it is told: the folder, the drawer that files are written in, and the story's own clock."""

    folder: Path
    drawer: Path
    clock: int
    run: Callable[[list[str]], int]
    told: int = field(default=0)

    def chapter(self, title: str, *lines: str) -> None:
        self.told += 1
        say()
        say(Strong(f"{self.told}. {title}"))
        for line in lines:
            say(line)
        say()

    def types(self, command: str) -> None:
        """Type a command as a player would, and show what it prints."""
        say(Strong(f"$ nomic-git {command}"))
        with self._hour():
            code = self.run(["-C", str(self.folder), *self._words(command)])
        if code:
            raise DemoFailed(f"the step `nomic-git {command}` failed; the game so far is in {self.folder}")

    def votes(self, proposal: int, **votes: str) -> None:
        """Have players vote, and show the count after the last of them."""
        logins = list(votes)
        for login in logins:
            command = f"vote {proposal} {votes[login]} --as {login}"
            if login == logins[-1]:
                self.types(command)
            else:
                say(Strong(f"$ nomic-git {command}"))
                self._quietly(command)

    def writes(self, name: str, text: str) -> None:
        """Have a player write a file with an editor."""
        (self.drawer / name).write_text(text, encoding="utf-8")
        say(f"{name}:")
        for line in text.rstrip("\n").split("\n"):
            say(f"    {line}")
        say()

    def edits(self, path: str, name: str, old: str, new: str) -> None:
        """Have a player copy a rule's file and change some words in it."""
        text = (self.folder / path).read_text(encoding="utf-8")
        if old not in text:
            raise DemoFailed(f"{path} does not read as the story needs it; the game so far is in {self.folder}")
        self.writes(name, text.replace(old, new))

    def opens_by_hand(self, login: str, path: str, old: str, new: str) -> int:
        """Have a player commit and open, with git alone, what `nomic-git propose` would have refused."""
        from nomic_git.repository.drafting import Draft, commit

        at = Desk(self.folder)
        source = (self.folder / path).read_bytes().replace(old.encode(), new.encode())
        with self._hour():
            head = commit(at.clone, Draft({path: source}, f"Edit {path}"), login, f"{login}@players.invalid", now())
            return at.forge.propose(login, head, "", now(), draft=False)

    def _words(self, command: str) -> list[str]:
        drawn = {path.name: str(path) for path in self.drawer.iterdir()}
        return [drawn.get(word, word) for word in shlex.split(command)]

    def _quietly(self, command: str) -> None:
        from contextlib import redirect_stdout
        from io import StringIO

        with self._hour(), redirect_stdout(StringIO()):
            code = self.run(["-C", str(self.folder), *self._words(command)])
        if code:
            raise DemoFailed(f"the step `nomic-git {command}` failed; the game so far is in {self.folder}")

    @contextmanager
    def _hour(self) -> Iterator[None]:
        """Let the commands read the story's clock: GIT_COMMITTER_DATE, as Git's own commands do."""
        before = os.environ.get("GIT_COMMITTER_DATE")
        self.clock += _BETWEEN_STEPS
        os.environ["GIT_COMMITTER_DATE"] = f"@{self.clock} +0000"
        try:
            yield
        finally:
            if before is None:
                del os.environ["GIT_COMMITTER_DATE"]
            else:
                os.environ["GIT_COMMITTER_DATE"] = before


def play_demo(here: Path, folder: Path | None, run: Callable[[list[str]], int]) -> None:
    """Play the demo in a folder, a new one below `here` where none is given, by `run`ning commands.

    Raises Misunderstood where the folder is not empty, DemoFailed where a step does not do what it says.
    """
    target = _fresh(here) if folder is None else here / folder
    if target.exists() and any(target.iterdir()):
        raise Misunderstood(f"{folder} is not empty; name a new folder for the demo")
    with TemporaryDirectory() as drawer:
        story = _Story(target, Path(drawer), now() - 80 * _BETWEEN_STEPS, run)
        for part in (_founding, _first_changes, _votes_that_fail, _words_that_change, _second_turns, _majority, _end):
            part(story)
    _farewell(target if folder is None else folder)


def _fresh(here: Path) -> Path:
    names: Sequence[str] = (FOLDER, *(f"{FOLDER}-{number}" for number in range(2, 1000)))
    return next(here / name for name in names if not (here / name).exists())


def _founding(story: _Story) -> None:
    story.chapter(
        "The game is founded",
        "Nomic is the game in which changing the rules is the move. Four players start from the `github`",
        "rulebook: every rule a file, every proposal a branch, every event of the game one commit.",
    )
    story.folder.mkdir(parents=True, exist_ok=True)
    seats = " ".join(f"--player {login}={name}" for login, name in PLAYERS.items())
    story.types(f"new . --rules github {seats}")


def _first_changes(story: _Story) -> None:
    story.chapter("A rule is enacted", "Alice writes the words of a new rule and proposes it.")
    story.writes(
        "tea.md", "---\ntitle: Tea\n---\n\nWhoever proposes a rule-change should offer the other players tea.\n"
    )
    story.types("propose enact tea.md --title 'Tea for everybody' --as alice")
    story.votes(1, bob="for", carol="for", dave="for")
    say("Everybody has voted, so the vote is complete. The referee makes a pass and carries it out:")
    story.types("referee")
    story.chapter(
        "A rule is amended, and gets a new number",
        "Two hundred points are many. Bob copies rule -105 and changes its words AND its provision: the words",
        "are for the players, the provision tells the referee. Amending the rule amends the machine.",
    )
    story.edits("rules/mutable/-105.md", "victory.md", "200", "60")
    story.types("propose amend -105 victory.md --title 'A shorter game' --as bob")
    say("Carol reads what it would change, and what the referee has to say of it:")
    story.types("read 2")
    story.votes(2, alice="for", carol="for", dave="for")
    story.types("referee")
    story.types("show -105")
    story.chapter(
        "An immutable rule is transmuted",
        "Rule -206, on debate, is immutable: it can neither be amended nor repealed, only made mutable first.",
    )
    story.types("propose transmute -206 --title 'Let us be able to change how we debate' --as carol")
    story.votes(3, alice="for", bob="for", dave="for")
    story.types("referee")


def _votes_that_fail(story: _Story) -> None:
    story.chapter(
        "A proposal is defeated",
        "Dave wants to be rid of the tea. While unanimity is needed, one vote against ends the vote at once,",
        "and whoever proposes in vain loses ten points.",
    )
    story.types("propose repeal 1 --title 'No tea' --as dave")
    story.votes(4, bob="against")
    story.types("referee")
    story.chapter("A proposal is withdrawn", "Alice opens a draft, listens, and takes it back. That costs nothing.")
    story.writes("silence.md", "Players keep silent on Sundays.\n")
    story.types("propose enact silence.md --title Silence --draft --as alice")
    story.types("comment 5 'Not on Sundays, please!' --as bob")
    story.types("withdraw 5 --as alice")
    story.types("referee")
    story.chapter(
        "A proposal is improper",
        "Bob edits an immutable rule on a branch of his own, with git alone, and opens it as a proposal.",
    )
    number = story.opens_by_hand("bob", "rules/immutable/-213.md", "rule-change", "whim")
    story.types(f"tally {number}")
    story.types(f"withdraw {number} --as bob")
    story.types("referee")


def _words_that_change(story: _Story) -> None:
    story.chapter(
        "A vote belongs to the words that it was given to",
        "Carol amends rule 3, and two players agree. Then she changes a word.",
    )
    text = (story.folder / "rules/mutable/3.md").read_text(encoding="utf-8")
    words = text.split("---\n", 2)[2].strip("\n")
    story.writes("debate.md", words + "\n\nOne day is a reasonable time.\n")
    story.types("propose amend 3 debate.md --title 'How long we debate' --as carol")
    story.votes(7, alice="for", bob="for")
    say("In debate.md, the last line becomes: One hour is a reasonable time.")
    say()
    (story.drawer / "debate.md").write_text(words + "\n\nOne hour is a reasonable time.\n", encoding="utf-8")
    story.types("propose amend 3 debate.md --update 7 --as carol")
    say("The two votes were for other words, and count no longer. All three read again, and vote again.")
    story.votes(7, alice="for", bob="for", dave="for")
    story.types("referee")


def _second_turns(story: _Story) -> None:
    story.chapter("A rule is repealed", "Dave tries again to be rid of the tea, and this time has argued for it.")
    story.types("propose repeal 1 --title 'No tea, again' --as dave")
    story.votes(8, alice="for", bob="for", carol="for")
    story.types("referee")
    story.chapter(
        "Unanimity is relaxed",
        "Rule -110 says: if it is not amended before each player has had two turns, a simple majority is enough.",
        "Alice and Bob take their second turns.",
    )
    story.writes("coffee.md", "Whoever proposes a rule-change should offer the other players coffee.\n")
    story.types("propose enact coffee.md --title Coffee --as alice")
    story.votes(9, bob="for", carol="for", dave="for")
    story.writes("biscuits.md", "There should be biscuits.\n")
    story.types("propose enact biscuits.md --title Biscuits --as bob")
    story.votes(10, alice="for", carol="for", dave="for")
    story.types("referee")
    story.types("scores")


def _majority(story: _Story) -> None:
    story.chapter(
        "Dissent is worth something",
        "Three of four are a majority, so one vote against no longer ends anything. Whoever votes against a",
        "proposal that is adopted without unanimity gets ten points for it (rule -109).",
    )
    story.writes("minutes.md", "Somebody keeps minutes of every debate.\n")
    story.types("propose enact minutes.md --title Minutes --as carol")
    story.votes(11, dave="against", alice="for", bob="for")
    story.types("referee")
    story.chapter("A player leaves", "A player may always forfeit (rule -204).")
    story.types("forfeit --as dave")
    story.types("referee")


def _end(story: _Story) -> None:
    story.chapter("Somebody wins", "Carol is close to the sixty points that rule 2 now asks for.")
    story.writes("cake.md", "Whoever wins brings cake.\n")
    story.types("propose enact cake.md --title Cake --as carol")
    story.votes(13, alice="for")
    story.types("referee")
    story.chapter("What it came to")
    story.types("scores")
    story.chapter("Every event is one commit, and anybody can check them all")
    story.types("log")
    story.types("audit")


def _farewell(folder: Path) -> None:
    say()
    say(f"The game is in {folder}. Look around in it:")
    say()
    if shutil.which("nomic-git") is None:
        say(f'  export PATH="{Path(sys.argv[0]).resolve().parent}:$PATH"')
    say(f"  cd {shlex.quote(str(folder))}")
    say("  nomic-git rules            the rules in force, with the numbers they have now")
    say("  nomic-git show -110        the rule that was relaxed")
    say("  nomic-git history 7        the life of the rule on debate, through its numbers")
    say("  nomic-git law              what the rules tell the referee, and which rule prevails")
    say("  nomic-git tally 11         how a vote went")
    say("  git log --first-parent     the same game, as Git tells it")
    say()
    say("To start a game of your own: nomic-git new DIR --player LOGIN --player LOGIN")
