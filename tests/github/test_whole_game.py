"""One game played twice, on the local forge and on GitHub's pages: it ends with the same scores and rulebook."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

import pytest
from github_scene import GitHubScene
from scene import Scene, game

from nomic_git.forges.forge import Deed
from nomic_git.game.player import write_player
from nomic_git.referee.comment import RESOLVED
from nomic_git.repository.audit import audit
from nomic_git.repository.history import events
from nomic_git.repository.position import position_at

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from fake_github import FakeGitHub

    from nomic_git.game.event import Event
    from nomic_git.referee.sitting import Report
    from nomic_git.repository.clone import Clone

Files = dict[str, bytes | None]


class Table(Protocol):
    """Where the script is played: what players do there, and the referee after each of it."""

    def opens(self, who: str, files: Files, *, draft: bool = False) -> int:
        """Propose these files changed on the game branch's tip; the proposal's number at the forge."""

    def pushes(self, number: int, files: Files) -> None:
        """Put one fresh commit from the game branch in place of a proposal's own."""

    def votes(self, number: int, word: str, *voters: str) -> None:
        """Vote `for` or `against`, or take the vote back (`none`), one after another."""

    def dissents(self, number: int) -> None:
        """Vote against a proposal of one's own."""

    def closes(self, number: int) -> None:
        """Take a proposal of one's own back."""

    def debates(self, number: int) -> None:
        """Make a proposal of one's own a draft again."""

    def readies(self, number: int) -> None:
        """Put a draft of one's own to the vote."""

    def file(self, path: str) -> bytes:
        """A file as the game branch has it now."""

    def stage(self, number: int) -> str:
        """What the referee says that a proposal's stage is."""


@dataclass
class AtHome:
    """The script's table on the local forge."""

    scene: Scene
    authors: dict[int, str] = field(default_factory=dict)
    report: Report | None = None

    def opens(self, who: str, files: Files, *, draft: bool = False) -> int:
        number = self.scene.propose(who, files, draft=draft)
        self.authors[number] = who
        self.referee()
        return number

    def pushes(self, number: int, files: Files) -> None:
        author = self.authors[number]
        # Here a branch only goes forward: the fresh commit stands on the old one as well.
        head = self.scene.commit(files, who=author, more=(self.scene.forge.head(number),))
        self.scene.forge.push(author, number, head, self.scene.tick())
        self.referee()

    def votes(self, number: int, word: str, *voters: str) -> None:
        for voter in voters:
            self.scene.vote(number, word, voter)
            self.referee()

    def dissents(self, number: int) -> None:
        self.votes(number, "against", self.authors[number])

    def closes(self, number: int) -> None:
        self._does(number, Deed.WITHDRAWN)

    def debates(self, number: int) -> None:
        self._does(number, Deed.DRAFT)

    def readies(self, number: int) -> None:
        self._does(number, Deed.READY)

    def _does(self, number: int, deed: Deed) -> None:
        self.scene.do(self.authors[number], number, deed)
        self.referee()

    def file(self, path: str) -> bytes:
        return self.scene.file(path)

    def stage(self, number: int) -> str:
        return stage_in(self.report, number)

    def referee(self) -> None:
        self.report = self.scene.sit()


@dataclass
class AtGitHub:
    """The script's table on GitHub's pages.

    The referee makes a pass after every so many things that happen: always in one clone, as on a maintainer's
    machine, or where there is none, each time in a new one, as in a workflow.
    """

    scene: GitHubScene
    every: int
    clone: Clone | None = None
    authors: dict[int, str] = field(default_factory=dict)
    happened: int = 0
    report: Report | None = None

    def opens(self, who: str, files: Files, *, draft: bool = False) -> int:
        author = self.scene.account(who)
        branch = self.scene.github.commit(author, files)
        number = self.scene.github.open_pull(author, branch, f"By {who}", draft=draft)
        self.authors[number] = who
        self.goes_on()
        return number

    def pushes(self, number: int, files: Files) -> None:
        github, pull = self.scene.github, self.scene.pull(number)
        github.commit(pull.author, files, pull.head_branch, parents=[github.tip()])
        self.goes_on()

    def votes(self, number: int, word: str, *voters: str) -> None:
        for voter in voters:
            self._votes(number, word, voter)
            self.goes_on()

    def _votes(self, number: int, word: str, voter: str) -> None:
        if word == "none":
            account = self.scene.account(voter)
            mine = [one for one in self.scene.pull(number).reviews if one.author is account]
            self.scene.github.dismiss(account, number, mine[-1])
        elif word == "for":
            self.scene.approve(number, voter)
        else:
            self.scene.refuse(number, voter)

    def dissents(self, number: int) -> None:
        self.scene.github.comment(self.scene.pull(number).author, number, "I have second thoughts.\n/nomic against")
        self.goes_on()

    def closes(self, number: int) -> None:
        self.scene.github.close(self.scene.pull(number).author, number)
        self.goes_on()

    def debates(self, number: int) -> None:
        self.scene.github.draft(self.scene.pull(number).author, number)
        self.goes_on()

    def readies(self, number: int) -> None:
        self.scene.github.ready(self.scene.pull(number).author, number)
        self.goes_on()

    def file(self, path: str) -> bytes:
        self.is_up_to_date()
        return self.scene.github.read(path)

    def stage(self, number: int) -> str:
        self.is_up_to_date()
        return stage_in(self.report, number)

    def goes_on(self) -> None:
        self.happened += 1
        if self.happened >= self.every:
            self.is_up_to_date()

    def is_up_to_date(self) -> None:
        """Have the referee make its pass where something happened since the last."""
        if self.happened:
            self.happened = 0
            self.report = self.scene.referee(self.clone)


def stage_in(report: Report | None, number: int) -> str:
    assert report is not None
    resolved = [one.event.kind for one in report.done if one.event.proposal == number]
    standing = [one.stage for one in report.standings if one.proposal.forge == number]
    return str([*standing, *resolved][0])


# The script, a chapter a function.

WORDS = "---\ntitle: {title}\n---\n\n{words}\n"


def enacting(title: str, words: str) -> Files:
    return {f"rules/mutable/{title.lower()}.md": WORDS.format(title=title, words=words).encode()}


def amending(table: Table, number: int, old: str, new: str) -> Files:
    path = f"rules/mutable/{number}.md"
    before = table.file(path)
    assert old.encode() in before
    return {path: before.replace(old.encode(), new.encode())}


def joining(login: str) -> Files:
    return {f"players/{login}.md": write_player(login, name=login.title()).source}


def play(table: Table) -> None:
    """Play the whole game."""
    they_sit_down(table)
    rules_change(table)
    some_fail(table)
    words_change_under_the_vote(table)
    some_are_mended(table)
    unanimity_is_relaxed(table)
    somebody_wins(table)


def they_sit_down(table: Table) -> None:
    table.opens("bob", joining("bob"))
    carol = table.opens("carol", joining("carol"))
    table.votes(carol, "for", "alice", "bob")
    dave = table.opens("dave", joining("dave"))
    table.votes(dave, "against", "carol")
    table.votes(dave, "for", "bob", "alice")
    stranger = table.opens("erin", joining("erin"))
    table.votes(stranger, "against", "alice", "bob", "carol")


def rules_change(table: Table) -> None:
    tea = table.opens("alice", enacting("Tea", "There is tea for everybody."))
    table.votes(tea, "for", "bob", "carol", "dave")
    victory = table.opens("bob", amending(table, -105, "200", "80"))
    table.votes(victory, "for", "alice", "carol", "dave")
    immutable = "rules/immutable/-206.md"
    debate = table.opens("carol", {immutable: None, "rules/mutable/-206.md": table.file(immutable)})
    table.votes(debate, "for", "alice", "bob", "dave")
    assert b"tea" in table.file(f"rules/mutable/{tea}.md")
    no_tea = table.opens("dave", {f"rules/mutable/{tea}.md": None})
    table.votes(no_tea, "for", "bob", "carol", "alice")


def some_fail(table: Table) -> None:
    silence = table.opens("alice", enacting("Silence", "Players keep silent on Sundays."), draft=True)
    assert table.stage(silence) == "debate"
    table.votes(silence, "for", "bob")
    table.closes(silence)
    noise = table.opens("alice", enacting("Noise", "Players sing on Sundays."), draft=True)
    table.readies(noise)
    table.votes(noise, "for", "carol")
    table.votes(noise, "against", "bob")
    coffee = table.opens("bob", enacting("Coffee", "There is coffee."))
    table.dissents(coffee)
    biscuits = table.opens("carol", enacting("Biscuits", "There are biscuits."))
    table.votes(biscuits, "for", "dave")
    table.closes(biscuits)


def words_change_under_the_vote(table: Table) -> None:
    cake = table.opens("bob", enacting("Cake", "There is cake on Sundays."))
    second = table.opens("bob", enacting("Pie", "There is pie on Mondays."))
    assert table.stage(second) == "waiting"
    table.votes(cake, "for", "alice", "carol")
    table.pushes(cake, enacting("Cake", "There is cake every day."))
    table.votes(cake, "for", "dave", "alice")
    assert table.stage(cake) == "voting"
    table.votes(cake, "for", "carol")
    assert table.stage(second) == "voting"
    table.votes(second, "for", "alice", "carol")
    table.votes(second, "none", "carol")
    table.votes(second, "for", "dave")
    assert table.stage(second) == "voting"
    table.debates(second)


def some_are_mended(table: Table) -> None:
    immutable = "rules/immutable/-213.md"
    whim = table.opens("dave", {immutable: table.file(immutable) + b"\nOr on a whim.\n"})
    assert table.stage(whim) == "improper"
    table.pushes(whim, enacting("Whim", "Nobody acts on a whim."))
    assert table.stage(whim) == "voting"
    table.votes(whim, "for", "alice", "bob")
    late = table.opens("carol", amending(table, -106, "no more and no fewer", "never more or fewer"))
    table.votes(whim, "for", "carol")
    early = table.opens("alice", amending(table, -106, "At all times", "Always"))
    table.votes(early, "for", "bob", "carol", "dave")
    assert table.stage(late) == "blocked"
    table.pushes(late, amending(table, early, "no more and no fewer", "never more or fewer"))
    table.votes(late, "for", "dave", "alice", "bob")


def unanimity_is_relaxed(table: Table) -> None:
    minutes = table.opens("dave", enacting("Minutes", "Somebody keeps minutes."))
    table.votes(minutes, "against", "alice")
    table.votes(minutes, "for", "bob", "carol")
    table.opens("erin", joining("erin"))
    table.opens("bob", {"players/bob.md": None})


def somebody_wins(table: Table) -> None:
    open_ = table.opens("dave", enacting("Bells", "Bells are rung."), draft=True)
    last = table.opens("carol", enacting("End", "Whoever wins has won."))
    table.votes(last, "for", "alice")
    table.votes(open_, "for", "alice")


# Two players of the script.


@pytest.fixture(scope="module")
def at_home(tmp_path_factory: pytest.TempPathFactory) -> AtHome:
    table = AtHome(game(tmp_path_factory.mktemp("home") / "game", "alice"))
    play(table)
    return table


@pytest.fixture(params=["after each event", "now and then"])
def at_github(request: pytest.FixtureRequest, github: FakeGitHub, tmp_path: Path) -> AtGitHub:
    scene = GitHubScene(github, tmp_path, logins=("alice",))
    for login in ("alice", "carol"):
        # Who may write has branches in the repository itself, and may dismiss reviews; the others have forks.
        github.permit(github.account(login), "WRITE")
    table = AtGitHub(scene, 1, scene.clone()) if request.param == "after each event" else AtGitHub(scene, 7)
    play(table)
    table.is_up_to_date()
    return table


def happened(clone: Clone) -> list[tuple[object, ...]]:
    """What the events of a game say, oldest first, without the times and the ids of the forge."""
    return [_gist(one.event) for one in reversed([*events(clone)])]


def _gist(event: Event) -> tuple[object, ...]:
    return (
        *(str(event.kind), event.proposal, event.number, event.player, event.change, event.rule),
        *(event.supporters, event.opponents, event.points, event.failed),
    )


def standings(clone: Clone) -> Mapping[str, object]:
    state = position_at(clone.trees, clone.tip.tree_id.raw).state
    return {
        "seats": [(one.login, one.points, one.turns) for one in state.seats],
        "former": [(one.login, one.points) for one in state.former],
        "winner": state.winner,
    }


def rules(clone: Clone) -> Mapping[str, bytes]:
    tree = clone.tip.tree_id.raw
    return {path: clone.trees.blob(entry.id) for path, entry in clone.trees.files(tree, "rules")}


def test_the_game_has_all_that_a_game_can_have(at_home: AtHome) -> None:
    told = [one.event for one in events(at_home.scene.clone)]
    assert {str(one.kind) for one in told} == {
        *("founded", "joined", "adopted", "defeated", "withdrawn", "relaxed", "forfeited", "won")
    }
    assert {str(one.change.kind) for one in told if one.change} == {"enact", "amend", "repeal", "transmute"}
    assert any(one.kind == "adopted" and one.opponents and ("alice", 10) in one.points for one in told)
    assert any(one.kind == "defeated" and one.opponents == (one.player,) for one in told)
    assert any(one.kind == "defeated" and one.supporters and not one.opponents for one in told)
    assert any(one.kind == "joined" and one.opponents for one in told)


@pytest.mark.long
def test_it_ends_on_github_as_it_does_on_the_local_forge(at_home: AtHome, at_github: AtGitHub) -> None:
    here, there = at_home.scene.clone, at_github.scene.clone()
    assert happened(there) == happened(here)
    assert standings(there) == standings(here)
    assert rules(there) == rules(here)
    for clone in (here, there):
        found = audit(clone)
        assert (found.irregular, found.scores_match) == ((), True)
    every_pull_request_shows_what_became_of_it(at_github)
    another_pass_has_nothing_to_do(at_github)


def every_pull_request_shows_what_became_of_it(table: AtGitHub) -> None:
    scene = table.scene
    told = {one.event.proposal: str(one.event.kind) for one in events(scene.clone())}
    for number in table.authors:
        pull, kind = scene.pull(number), told.get(number)
        # Nothing is written for a stranger whose request was never in order when the referee looked.
        assert len(scene.said(number)) == 1 or (kind is None and pull.author.login == "erin"), number
        ours = [one for one in pull.label_names if one.startswith("nomic: ")]
        if kind is None:
            assert (pull.state, ours) == ("OPEN", ["nomic: blocked"] if scene.said(number) else []), number
        else:
            assert pull.state == ("MERGED" if kind == "adopted" else "CLOSED"), number
            assert len(ours) == 1, number
            assert RESOLVED in scene.text(number)


def another_pass_has_nothing_to_do(table: AtGitHub) -> None:
    tip = table.scene.github.tip()
    assert table.scene.costs() == 1
    assert table.scene.github.tip() == tip
