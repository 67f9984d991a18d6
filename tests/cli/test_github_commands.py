"""Every command from a clone of a game at GitHub, on a player's own machine, with that player's token."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import pytest
from fake_github import Account, FakeGitHub, Fault
from program import Asking, ask, git

TALLY = {
    "proposal",
    "number",
    "stage",
    "change",
    "for",
    "against",
    "waiting_for",
    "uncounted",
    "eligible",
    "threshold",
    "threshold_rule",
    "outcome",
    "reasons",
}
TEA = "---\ntitle: Tea\n---\n\nThere should be tea.\n"


@dataclass
class Player(Asking):
    """Somebody with an account, a token, and a clone of the game."""

    github: FakeGitHub
    account: Account

    def ready(self) -> None:
        self.github.clock.move(600)
        os.environ["GITHUB_TOKEN"] = self.account.token
        # What this machine takes for the present is of no consequence.
        os.environ["GIT_COMMITTER_DATE"] = f"@{self.github.clock.now} +0000"

    def fails(self, *arguments: str | Path) -> str:
        """Run a command that cannot be carried out, and return the one line that says why."""
        answer = self.ask(*arguments)
        assert (answer.code, answer.out) == (2, "")
        assert answer.err.count("\n") == 1
        assert "Traceback" not in answer.err
        assert "this should not have happened" not in answer.err
        assert self.account.token not in answer.err
        return answer.err


@dataclass
class Game:
    """A game at GitHub of alice, who may write to its repository, and of bob and carol, who may not."""

    github: FakeGitHub
    room: Path

    def player(self, login: str, permission: str = "READ") -> Player:
        folder = self.room / login
        account = self.github.account(login, permission)
        if not folder.exists():
            self.github.clone(folder)
            git(folder, "config", "user.email", f"{login}@home.example")
        return Player(folder, self.github, account)

    @property
    def alice(self) -> Player:
        return self.player("alice", "WRITE")

    @property
    def bob(self) -> Player:
        return self.player("bob")

    @property
    def carol(self) -> Player:
        return self.player("carol")

    def referee(self) -> str:
        return Player(self.player("nomic").folder, self.github, self.github.actions).does("referee")


@pytest.fixture
def game(github: FakeGitHub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Game:
    made = Game(github, tmp_path)
    settings = tmp_path / "gitconfig"
    # Pushes go over HTTP at GitHub; here, to the repository itself.
    settings.write_text(f'[url "{github.path.parents[1]}/"]\n\tinsteadOf = {github.url}/html/\n')
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(settings))
    # GitHub asks for a second between two writes; this one does not.
    monkeypatch.setattr(time, "sleep", lambda _: None)
    monkeypatch.setenv("GITHUB_API_URL", github.url)
    monkeypatch.setenv("GITHUB_REPOSITORY", github.full_name)
    monkeypatch.setenv("GITHUB_TOKEN", github.owner.token)
    monkeypatch.setenv("GIT_COMMITTER_DATE", f"@{github.clock.now} +0000")
    for login, permission in (("alice", "WRITE"), ("bob", "READ"), ("carol", "READ")):
        github.account(login, permission)
    seats = [word for login in ("alice", "bob", "carol") for word in ("--player", f"{login}={login.title()}")]
    assert ask("new", tmp_path / "founded", "--forge", "github", *seats).err == ""
    git(tmp_path / "founded", "push", "-q", str(github.path), "main")
    github.forget()
    return made


def test_a_round_is_played_from_the_command_line_alone(game: Game) -> None:
    alice, bob, carol = game.alice, game.bob, game.carol
    said = alice.does("propose", "enact", alice.write("tea.md", TEA), "--title", "Tea for everybody")
    assert "Proposal 1: enact a rule, by alice \N{EM DASH} Tea for everybody" in said
    waiting = bob.json("proposals", "--mine")
    assert [one["proposal"] for one in waiting] == [1]
    assert set(waiting[0]) == TALLY
    assert "There should be tea." in bob.does("read", "1")
    assert "For:         alice, bob" in bob.does("vote", "1", "for")
    assert bob.does("proposals", "--mine") == "No proposal waits for bob's vote; 1 open in all.\n"
    carol.does("sync")
    carol.does("vote", "1", "for")
    assert "Adopt proposal 1: enact rule 1" in game.referee()
    assert game.github.pull(1).merged
    for player in (alice, bob, carol):
        assert player.does("sync") == "Up to date with GitHub: 0 proposals open.\n"
        assert player.json("tally", "1")["outcome"] == "adopted"
        assert player.json("show", "1")["title"] == "Tea"
    assert {one["login"]: one["points"] for one in bob.json("scores")["players"]}["alice"] == 10
    assert [one["event"] for one in bob.json("log")] == ["founded", "adopted"]
    assert bob.json("audit") == {"events": 2, "irregular": [], "scores_match": True}


def test_every_kind_of_change_is_proposed_with_a_title_of_its_own(game: Game) -> None:
    alice = game.alice
    alice.does("propose", "enact", alice.write("tea.md", TEA), "--draft")
    alice.does("propose", "amend", "-105", alice.write("v.md", "The first to have two hundred points wins.\n"))
    alice.does("propose", "repeal", "-106")
    alice.does("propose", "transmute", "-206")
    git(alice.folder, "switch", "-q", "-c", "mine")
    (alice.folder / "rules/mutable/cake.md").write_text("There should be cake.\n")
    git(alice.folder, "add", "rules")
    git(alice.folder, "-c", "user.name=Alice", "commit", "-q", "-m", "Have cake")
    git(alice.folder, "switch", "-q", "main")
    alice.does("propose", "branch", "mine")
    kinds = {one["proposal"]: (one["change"]["kind"], one["stage"]) for one in alice.json("proposals")}
    assert kinds == {
        1: ("enact", "debate"),
        2: ("amend", "voting"),
        3: ("repeal", "waiting"),
        4: ("transmute", "waiting"),
        5: ("enact", "waiting"),
    }
    titles = [game.github.pull(number).title for number in range(1, 6)]
    assert titles == [
        "Enact a rule: Tea",
        "Amend rule -105",
        "Repeal rule -106",
        "Transmute rule -206",
        "Enact a rule",
    ]


def test_who_may_not_write_proposes_from_a_fork_of_their_own(game: Game) -> None:
    bob = game.bob
    bob.does("propose", "enact", bob.write("tea.md", TEA))
    bob.does("propose", "repeal", "-106", "--draft")
    pulls = [game.github.pull(number) for number in (1, 2)]
    assert [pull.author.login for pull in pulls] == ["bob", "bob"]
    assert {pull.head_repository.full_name for pull in pulls if pull.head_repository} == {"bob/game"}
    assert not [one for one in game.github.repository.store.branches if one != "main"]


def test_a_fork_is_waited_for(game: Game) -> None:
    bob = game.bob
    asked = game.github.fail(Fault.BAD_GATEWAY, 2, matching=lambda one: one.path == "/graphql")
    bob.does("propose", "enact", bob.write("tea.md", TEA))
    assert asked is not None
    assert game.github.pull(1).head_branch.startswith("nomic/")


def test_other_words_are_given_to_a_proposal_where_its_branch_is(game: Game) -> None:
    for player in (game.alice, game.bob):
        path = player.write("tea.md", TEA)
        player.does("propose", "enact", path)
        number = max(game.github.repository.pulls)
        before = game.github.pull(number).head
        path.write_text(TEA.replace("tea", "coffee"))
        player.does("propose", "enact", path, "--update", str(number))
        assert game.github.pull(number).head != before
        assert "There should be coffee." in player.does("read", str(number))
        assert not any(event.kind == "HeadRefForcePushedEvent" for event in game.github.pull(number).events)


def test_a_pull_request_that_was_opened_without_an_answer_is_found(game: Game) -> None:
    alice = game.alice
    game.github.fail(Fault.BAD_GATEWAY_AFTER, matching=lambda one: one.method == "POST" and one.path.endswith("/pulls"))
    assert "Proposal 1:" in alice.does("propose", "repeal", "-106")
    assert len(game.github.repository.pulls) == 1


def test_the_commits_show_no_email_but_the_one_that_GitHub_gives(game: Game) -> None:  # noqa: N802
    bob = game.bob
    bob.does("propose", "repeal", "-106")
    pull = game.github.pull(1)
    author = game.github.repository.store.git[pull.head].author
    assert (author.name, author.email) == (
        "Bob",
        f"{bob.account.id}+bob@users.noreply.{game.github.url[7:].split(':')[0]}",
    )


def _watched(room: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Put a git on the path that writes down how it is called."""
    real, seen = shutil.which("git"), room / "calls"
    program = room / "bin" / "git"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\necho "$*" >> {seen}\necho "$GIT_CONFIG_VALUE_1" >> {seen}.env\nexec {real} "$@"\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:{os.environ['PATH']}")
    return seen


def test_the_token_is_on_no_command_line(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    import base64

    bob = game.bob
    seen = _watched(game.room, monkeypatch)
    bob.does("propose", "repeal", "-106")
    secret = base64.b64encode(f"x-access-token:{bob.account.token}".encode()).decode()
    assert "push" in seen.read_text()
    assert bob.account.token not in seen.read_text()
    assert secret not in seen.read_text()
    assert f"Authorization: Basic {secret}" in Path(f"{seen}.env").read_text()
    stored = subprocess.run(["grep", "-r", secret, str(bob.folder)], capture_output=True, check=False)
    assert stored.returncode == 1


def test_a_push_that_is_refused_is_said_without_the_token(game: Game) -> None:
    alice = game.alice
    game.github.switches.refused["*"] = "GH013: Repository rule violations found."
    said = alice.fails("propose", "repeal", "-106")
    assert "could not be pushed" in said
    assert "rule violations" in said
    assert not game.github.repository.pulls


def test_nobody_acts_for_somebody_else(game: Game) -> None:
    bob = game.bob
    game.alice.does("propose", "repeal", "-106")
    said = bob.fails("vote", "1", "for", "--as", "carol")
    assert said == "nomic-git: GitHub knows you as bob, and nobody can act for carol there; leave out --as\n"
    bob.does("sync")
    bob.does("vote", "1", "for", "--as", "Bob")
    assert "GitHub knows you as bob" in bob.fails("propose", "repeal", "-107", "--as", "alice")
    assert "GitHub knows you as bob" in bob.fails("join", "--as", "dave")


def test_somebody_without_a_seat_is_told_how_to_join(game: Game) -> None:
    dave = game.player("dave")
    assert "dave is not a player here; players are: alice, bob, carol" in dave.fails("propose", "repeal", "-106")
    assert "dave is not a player here" in dave.fails("proposals", "--mine")


def test_a_renamed_account_keeps_its_seat(game: Game) -> None:
    bob = game.bob
    game.alice.does("propose", "repeal", "-106")
    game.github.rename(bob.account, "robert")
    assert [one["proposal"] for one in bob.json("proposals", "--mine")] == [1]
    assert "For:         alice, bob" in bob.does("vote", "1", "for")
    thief = game.player("thief")
    game.github.rename(thief.account, "bob")
    assert f"bob@{thief.account.id} is not a player here" in thief.fails("vote", "1", "against")
    assert "or another does already" in thief.fails("join")


def test_a_renamed_player_is_asked_to_judge_by_the_login_of_now(game: Game) -> None:
    bob = game.bob
    game.alice.does("propose", "repeal", "-106")
    game.github.rename(bob.account, "robert")
    bob.does("comment", "1", "I am called otherwise now.")
    game.carol.does("judgment", "invoke", "1", "Is it wise?")
    assert "alice asks bob to be the Judge" in game.alice.does("judgment", "ask", "1", "@robert")


def test_judgments_are_told_as_github_has_them_though_the_clone_is_behind(game: Game) -> None:
    alice, bob, carol = game.alice, game.bob, game.carol
    alice.does("propose", "repeal", "-106")
    carol.does("judgment", "invoke", "1", "Is it wise?")
    game.referee()
    assert [one["state"] for one in bob.json("judgments")] == ["open"]
    alice.does("judgment", "ask", "1", "bob")
    game.github.comment(bob.account, 1, "/nomic rule legal")
    game.github.comment(carol.account, 1, "/nomic uphold")
    game.referee()
    (case,) = bob.json("judgments")
    assert (case["state"], case["verdict"], case["waits_for"]) == ("upheld", "legal", [])


def test_one_joins_under_ones_own_account_and_is_given_no_email(game: Game) -> None:
    dave = game.player("dave")
    dave.account.name = "Dave of Dover"
    dave.does("join")
    pull = game.github.pull(1)
    path = "players/dave.md"
    joined = game.github.repository.store.read(pull.head, path).decode()
    assert joined == "---\nname: Dave of Dover\n---\n"
    assert (pull.author.login, pull.title) == ("dave", "Let dave join")
    assert "dave has asked to join already: proposal 1" in dave.fails("join")
    game.github.close(dave.account, 1)
    dave.does("join", "--name", "Dave", "--email", "dave@example.org")
    joined = game.github.repository.store.read(game.github.pull(2).head, path).decode()
    assert joined == '---\nname: Dave\nemail: "dave@example.org"\n---\n'


def test_one_who_asks_to_join_may_withdraw_that(game: Game) -> None:
    dave = game.player("dave")
    dave.does("join")
    assert "It is withdrawn." in dave.does("withdraw", "1")
    assert game.github.pull(1).state == "CLOSED"


def test_one_leaves_by_a_pull_request(game: Game) -> None:
    bob = game.bob
    game.carol.does("forfeit")
    assert "carol" in game.referee()
    assert [one["login"] for one in bob.json("players")] == ["alice", "bob", "carol"]
    bob.does("sync")
    assert [one["login"] for one in bob.json("players")] == ["alice", "bob"]


def test_one_is_away_by_a_pull_request(game: Game) -> None:
    assert "takes a rule-change first" in game.bob.fails("away")
    path = game.alice.write("leave.md", "---\nprovisions:\n  players.leave: allowed\n---\n\nTravel.\n")
    game.alice.does("propose", "enact", path)
    for player in (game.bob, game.carol):
        player.does("read", "1")
        player.does("vote", "1", "for")
    game.referee()
    bob, carol = game.bob, game.carol
    for command, is_away, title in (("away", True, "carol is away"), ("back", False, "carol is back")):
        carol.does("sync")
        carol.does(command)
        assert game.github.pull(max(game.github.repository.pulls)).title == f"Note that {title}"
        game.referee()
        bob.does("sync")
        assert [one["away"] for one in bob.json("players")] == [False, False, is_away]
    assert bob.json("audit")["irregular"] == []


def test_a_vote_is_a_review_of_what_the_clone_has(game: Game) -> None:
    alice, bob, carol = game.alice, game.bob, game.carol
    path = alice.write("tea.md", TEA)
    alice.does("propose", "enact", path)
    first = game.github.pull(1).head
    assert "read what you vote on first: nomic-git read 1" in bob.fails("vote", "1", "for")
    carol.does("read", "1")
    path.write_text(TEA.replace("tea", "coffee"))
    alice.does("propose", "enact", path, "--update", "1")
    said = carol.does("vote", "1", "for")
    assert [(one.state, one.commit) for one in game.github.pull(1).reviews] == [("APPROVED", first)]
    assert "Not counted: carol (for): given to an earlier text" in said
    assert "For:         alice, carol" in carol.does("vote", "1", "for")
    assert game.github.pull(1).reviews[-1].commit == game.github.pull(1).head


def test_a_vote_against_says_so_in_words(game: Game) -> None:
    game.alice.does("propose", "repeal", "-106")
    game.bob.does("sync")
    assert "Against:     bob" in game.bob.does("vote", "1", "against")
    review = game.github.pull(1).reviews[0]
    assert review.state == "CHANGES_REQUESTED"
    assert review.body.startswith("A vote against")


def test_who_may_write_takes_a_vote_back_and_who_may_not_is_told_so(game: Game) -> None:
    alice, bob = game.alice, game.bob
    game.carol.does("propose", "repeal", "-106")
    alice.does("sync")
    assert "there is no vote of yours on proposal 1" in alice.fails("vote", "1", "none")
    alice.does("vote", "1", "for")
    assert "Waiting for: alice, bob" in alice.does("vote", "1", "none")
    assert [one.state for one in game.github.pull(1).reviews] == ["DISMISSED"]
    bob.does("sync")
    bob.does("vote", "1", "for")
    assert "vote the other way instead: nomic-git vote 1 for|against" in bob.fails("vote", "1", "none")


def test_authors_vote_by_comment(game: Game) -> None:
    bob = game.bob
    bob.does("propose", "repeal", "-106")
    assert "For:         bob" in bob.does("vote", "1", "for")
    bob.does("vote", "1", "none")
    # While unanimity is needed, that ends it at once.
    assert "Against:     bob" in bob.does("vote", "1", "against")
    assert "it is too late to vote: the vote was complete at " in bob.fails("vote", "1", "for")
    assert [one.body for one in game.github.pull(1).comments] == ["/nomic for", "/nomic for", "/nomic against"]
    assert not game.github.pull(1).reviews


def test_a_draft_is_made_ready_and_a_draft_again(game: Game) -> None:
    bob = game.bob
    bob.does("propose", "repeal", "-106", "--draft")
    assert game.github.pull(1).draft
    assert "proposal 1 is a draft already" in bob.fails("ready", "1", "--draft")
    bob.does("ready", "1")
    assert not game.github.pull(1).draft
    assert "proposal 1 is ready already" in bob.fails("ready", "1")
    assert "only bob can do that" in game.carol.fails("ready", "1", "--draft")
    bob.does("ready", "1", "--draft")
    assert game.github.pull(1).draft


def test_words_are_said_on_a_proposal(game: Game) -> None:
    game.alice.does("propose", "repeal", "-106")
    assert game.bob.does("comment", "1", "Why not?").startswith("Said on proposal 1;")
    assert [(one.author.login, one.body) for one in game.github.pull(1).comments] == [("bob", "Why not?")]
    assert "Why not?" in game.carol.does("read", "1")
    assert "at most 65536 characters" in game.bob.fails("comment", "1", "x" * 65_537)


def test_a_proposal_is_withdrawn_by_its_author_alone(game: Game) -> None:
    game.bob.does("propose", "repeal", "-106")
    assert "only bob can do that" in game.alice.fails("withdraw", "1")
    said = game.bob.does("withdraw", "1")
    assert "It is withdrawn." in said
    assert "conceded" not in said
    assert game.github.pull(1).state == "CLOSED"
    game.referee()
    assert game.bob.json("tally", "1")["stage"] == "withdrawn"


def test_who_withdraws_after_a_vote_concedes(game: Game) -> None:
    game.bob.does("propose", "repeal", "-106")
    game.carol.does("sync")
    game.carol.does("vote", "1", "for")
    assert "bob has conceded" in game.bob.does("withdraw", "1")
    assert "Defeat proposal 1" in game.referee()


def test_what_is_done_is_said_to_be_done_though_github_goes_away(game: Game) -> None:
    alice = game.alice
    github = game.github
    github.server.retry_after = 3600
    github.after(
        lambda: github.fail(Fault.SECONDARY_LIMIT, times=None),
        matching=lambda one: one.method == "POST" and one.path.endswith("/pulls"),
    )
    said = alice.does("propose", "repeal", "-106")
    assert said.startswith("That is done, on proposal 1. How it stands is not known yet: GitHub's limit of requests")


def test_the_clock_of_ones_own_machine_is_not_asked(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    game.alice.does("propose", "repeal", "-106")
    game.bob.does("sync")
    game.bob.does("vote", "1", "for")
    monkeypatch.setattr("nomic_git.cli.desk.now", lambda: 1_000_000_000)
    assert game.carol.json("tally", "1")["for"] == ["alice", "bob"]


def test_a_server_of_ones_own_is_asked_where_it_answers(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_API_URL", game.github.enterprise_url)
    game.bob.does("propose", "repeal", "-106")
    assert [one["proposal"] for one in game.carol.json("proposals", "--mine")] == [1]


def test_the_referee_tells_what_it_asked_and_the_document_is_as_ever(game: Game) -> None:
    game.alice.does("propose", "repeal", "-106")
    referee = Player(game.player("nomic").folder, game.github, game.github.actions)
    dry = referee.ask("referee", "--dry-run")
    assert dry.code == 0
    assert "The referee's comments would be brought up to date: 1." in dry.out
    assert not game.github.pull(1).comments
    said = referee.does("referee")
    assert "Proposal 1 waits for the vote of bob, carol." in said
    assert re.search(r"^GitHub was asked \d+ times; in this hour it still allows \d+ points", said, re.MULTILINE)
    document = referee.json("referee")
    assert set(document) == {"resolved", "comments", "requests"}
    assert document["requests"] > 0


def test_the_page_of_a_run_links_to_the_proposals(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    game.alice.does("propose", "repeal", "-106", "--title", "Fewer rules")
    page = game.room / "summary.md"
    for name, value in (
        ("GITHUB_ACTIONS", "true"),
        ("GITHUB_STEP_SUMMARY", str(page)),
        ("GITHUB_SERVER_URL", "https://github.com"),
    ):
        monkeypatch.setenv(name, value)
    game.referee()
    said = page.read_text()
    assert "| [1](https://github.com/nomic/game/pull/1) | repeal rule -106: `Fewer rules` | `alice` | voting |" in said
    assert "GitHub was asked" in said


@pytest.mark.parametrize("command", [("proposals",), ("tally", "1"), ("read", "1"), ("sync",), ("referee",)])
def test_without_github_one_line_says_so(game: Game, command: tuple[str, ...]) -> None:
    bob = game.bob
    game.github.stop()
    assert "cannot be reached" in bob.fails(*command)
    assert bob.json("scores")["winner"] is None


def test_without_a_token_it_is_said_how_to_get_one(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    bob = game.bob
    bob.account.token = ""
    git_alone = game.room / "bin"
    git_alone.mkdir()
    (git_alone / "git").symlink_to(shutil.which("git") or "")
    monkeypatch.setenv("PATH", str(git_alone))
    os.environ["GITHUB_TOKEN"] = ""
    answer = bob.ask("proposals")
    assert answer.code == 2
    assert "gh auth login" in answer.err


def test_a_look_at_the_docket_asks_github_once(game: Game) -> None:
    game.alice.does("propose", "repeal", "-106")
    game.bob.does("proposals")
    for command in (("proposals",), ("proposals", "--mine"), ("tally", "1"), ("read", "1")):
        game.github.forget()
        game.bob.does(*command)
        assert len(game.github.requests) == 1, command


def test_what_needs_no_github_does_not_load_it(game: Game) -> None:
    script = (
        "import sys; from nomic_git.cli.main import run; code = run(sys.argv[1:]); "
        "sys.exit(code or 10 * ('github' in sys.modules or 'requests' in sys.modules))"
    )
    for command in ("scores", "rules", "log", "players", "law"):
        done = subprocess.run(
            [sys.executable, "-c", script, "-C", str(game.bob.folder), command], capture_output=True, check=False
        )
        assert done.returncode == 0, (command, done.stderr)


def test_a_clone_of_a_fork_in_which_nobody_plays_is_said_to_be_one(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    game.alice.does("propose", "repeal", "-106")
    bob = game.github.account("bob")
    git(game.room, "clone", "-q", "--no-local", str(game.github.place(bob).store.folder), "forked")
    forked = Player(game.room / "forked", game.github, bob)
    monkeypatch.setenv("GITHUB_REPOSITORY", "bob/game")
    answer = forked.ask("proposals")
    assert (answer.code, answer.out) == (0, "No proposal is open.\n")
    assert answer.err.startswith("nomic-git: bob/game is a fork of nomic/game, and there are no proposals in it; ")
    assert "git remote set-url origin" in answer.err


def test_nobody_takes_back_what_is_decided(game: Game) -> None:
    game.bob.does("propose", "repeal", "-106")
    for one in (game.alice, game.carol):
        one.does("sync")
        one.does("vote", "1", "for")
    said = game.bob.fails("withdraw", "1")
    assert said.startswith("nomic-git: proposal 1 is decided: adopted; it is too late to take it back: the vote was ")
    assert said.endswith(" UTC (rule -110)\n")
    assert game.github.pull(1).state == "OPEN"
    assert "Adopt proposal 1" in game.referee()


def test_who_loses_a_race_to_withdraw_is_not_told_to_have_conceded(game: Game) -> None:
    game.bob.does("propose", "repeal", "-106")
    game.github.approve(game.alice.account, 1)
    game.github.before(lambda: game.github.approve(game.carol.account, 1), matching=lambda one: one.method == "PATCH")
    said = game.bob.does("withdraw", "1")
    assert "It was decided before: adopted. It was too late to take it back." in said
    assert "conceded" not in said


def test_who_may_not_write_is_sent_to_no_referee(game: Game) -> None:
    game.bob.does("propose", "repeal", "-106")
    for one in (game.alice, game.carol):
        one.does("sync")
        said = one.does("vote", "1", "for")
    assert "It is decided: adopted; the referee's workflow sees to it within minutes." in said
    refused = game.bob.fails("referee")
    assert refused.startswith(
        "nomic-git: bob may not write to nomic/game and need not run this: the workflow there does"
    )
    assert not [one for one in game.github.requests if one.method in {"POST", "PATCH"} and "/issues" in one.path]
    assert "Adopt proposal 1" in game.bob.does("referee", "--dry-run")
    assert "Adopt proposal 1" in game.alice.does("referee")


def test_who_has_asked_to_join_is_told_that_the_request_waits(game: Game) -> None:
    game.alice.does("propose", "repeal", "-106")
    dave = game.player("dave")
    dave.does("join")
    again = dave.fails("join")
    assert again.endswith("dave has asked to join already: proposal 2; nomic-git tally 2 tells what it waits for\n")
    for command in (("vote", "1", "for"), ("proposals", "--mine"), ("propose", "repeal", "-107")):
        said = dave.fails(*command)
        assert "dave is not a player yet: the request to join waits, proposal 2; nomic-git tally 2" in said


def test_what_strangers_get_wrong_is_counted_and_not_listed(game: Game) -> None:
    game.alice.does("propose", "repeal", "-106")
    for login in ("mallory", "trudy"):
        stranger = game.github.account(login)
        branch = game.github.edit(stranger, f"players/{login}.md", "---\nname: [\n---\n")
        game.github.open_pull(stranger, branch, "Mine")
    game.player("dave").does("join")
    said = game.bob.does("proposals")
    assert [line.split()[0] for line in said.splitlines()[1:-1]] == ["1", "4"]
    assert said.splitlines()[-1] == (
        "Besides, 2 proposals of people who do not play here are improper: nomic-git proposals --json"
    )
    assert [one["proposal"] for one in game.bob.json("proposals")] == [1, 2, 3, 4]
    assert "2 proposals open." in game.bob.does("sync")


def test_what_was_merged_by_hand_is_said_to_be(game: Game) -> None:
    game.bob.does("propose", "amend", "-105", game.bob.write("v.md", "The first to have two hundred points wins.\n"))
    game.alice.does("sync")
    game.github.merge(game.github.owner, 1)
    for command in (("tally", "1"), ("read", "1"), ("vote", "1", "for")):
        said = game.alice.fails(*command)
        assert "proposal 1 was merged by hand, and no event adopted it; it is over" in said
    assert not game.github.pull(1).reviews


def test_nobody_votes_on_what_is_improper(game: Game) -> None:
    stranger = game.github.account("mallory")
    branch = game.github.edit(stranger, "players/mallory.md", "---\nname: [\n---\n")
    game.github.open_pull(stranger, branch, "Mine")
    branch = game.github.edit(game.carol.account, "rules/immutable/-105.md", "I win.\n")
    game.github.open_pull(game.carol.account, branch, "Mine")
    bob = game.bob
    bob.does("sync")
    for number in ("1", "2"):
        said = bob.fails("vote", number, "for")
        assert f"proposal {number} is improper, and no vote on it counts until its author has mended it" in said
        assert not game.github.pull(int(number)).reviews


def test_a_vote_on_a_draft_counts_once_it_is_ready_and_is_said_to(game: Game) -> None:
    bob, carol = game.bob, game.carol
    path = bob.write("tea.md", TEA)
    bob.does("propose", "enact", path, "--draft")
    carol.does("sync")
    said = carol.does("vote", "1", "for")
    assert said.startswith("Voting on it has not opened yet. Your vote will count then; one for it, if")
    bob.does("ready", "1")
    assert bob.json("tally", "1")["for"] == ["bob", "carol"]
    bob.does("ready", "1", "--draft")


def test_nothing_is_opened_in_a_fork_in_which_nobody_plays(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    game.alice.does("propose", "repeal", "-106")
    bob = game.github.account("bob")
    fork = game.github.place(bob)
    settings = game.room / "gitconfig"
    settings.write_text(settings.read_text() + "\tinsteadOf = https://github.com/\n")
    git(game.room, "clone", "-q", "--no-local", str(fork.store.folder), "forked")
    git(game.room / "forked", "remote", "set-url", "origin", "https://github.com/bob/game.git")
    monkeypatch.delenv("GITHUB_REPOSITORY")
    forked = Player(game.room / "forked", game.github, bob)
    for command in (("propose", "repeal", "-106"), ("forfeit",)):
        said = forked.fails(*command)
        assert "bob/game is a fork of nomic/game, and there are no proposals in it" in said
        assert "git remote set-url origin" in said
        assert said.endswith("to play in the fork itself: export GITHUB_REPOSITORY=bob/game\n")
    assert not fork.pulls
    assert forked.ask("proposals").code == 0
    monkeypatch.setenv("GITHUB_REPOSITORY", "bob/game")
    assert forked.ask("propose", "repeal", "-106").code == 0
    assert len(fork.pulls) == 1


def test_before_the_first_push_it_is_said_to_push(game: Game) -> None:
    owner = Player(game.room / "founded", game.github, game.github.owner)
    git(owner.folder, "remote", "add", "origin", str(game.github.path))
    for command in ("referee", "proposals"):
        said = owner.fails(command)
        assert said.endswith("nowhere to send events; bring the game there: git push -u origin main\n")
    git(owner.folder, "fetch", "-q", "origin")
    git(owner.folder, "remote", "add", "other", str(game.github.path))
    git(owner.folder, "fetch", "-q", "other")
    said = owner.fails("proposals")
    assert said.endswith("set it: git branch --set-upstream-to origin/main main\n")
    git(owner.folder, "branch", "-q", "--set-upstream-to", "origin/main", "main")
    assert owner.does("proposals") == "No proposal is open.\n"


def test_a_command_just_before_the_end_is_not_taken_for_nonsense(game: Game) -> None:
    game.alice.does("propose", "repeal", "-106")
    for one in (game.bob, game.carol):
        one.does("sync")
        one.does("vote", "1", "for")
    said = game.github.comment(game.bob.account, 1, "/nomic against")
    game.referee()
    assert game.github.pull(1).merged
    assert [one.content for one in said.reactions] == ["eyes"]


def test_a_fork_of_a_played_game_is_played_when_its_numbers_have_passed(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    game.alice.does("propose", "repeal", "-106")
    game.bob.does("sync")
    game.bob.does("vote", "1", "against")
    assert "Defeat proposal 1" in game.referee()
    bob = game.github.account("bob")
    fork = game.github.place(bob)
    git(game.room, "clone", "-q", "--no-local", str(fork.store.folder), "forked")
    forked = Player(game.room / "forked", game.github, bob)
    monkeypatch.setenv("GITHUB_REPOSITORY", "bob/game")
    said = forked.ask("propose", "repeal", "-107").out
    assert said.startswith("GitHub has given it the number 1, and the game has resolved that already: it will never be")
    assert forked.ask("proposals").out == "No proposal is open.\n"
    assert "Proposal 2: repeal rule -107" in forked.ask("propose", "repeal", "-107").out
    assert [one["proposal"] for one in forked.ask("proposals", "--json").json] == [2]


def test_a_round_begins_from_the_clone_of_whoever_may_push(game: Game) -> None:
    alice, bob, carol = game.alice, game.bob, game.carol
    goal = alice.write("goal.md", "---\nprovisions:\n  victory.points: 10\n---\n\nTen points win.\n")
    alice.does("propose", "amend", "-105", goal)
    for voter in (bob, carol):
        voter.does("sync")
        voter.does("vote", "1", "for")
    game.referee()
    assert "bob may not write to" in bob.fails("new-round")
    assert alice.does("new-round").startswith("Round 2 begins: the rulebook as it stands, 28 rules.\n")
    assert "round 2 goes on" in alice.fails("new-round")
    carol.does("sync")
    assert [one["event"] for one in carol.json("log")] == ["founded", "adopted", "won", "founded"]
    assert carol.json("scores", "--round", "1")["winner"] == "alice"
    assert carol.json("audit") == {"events": 4, "irregular": [], "scores_match": True}


def test_what_was_defeated_can_be_read_in_a_clone_that_never_had_it(game: Game) -> None:
    alice, bob = game.alice, game.bob
    bob.does("propose", "enact", bob.write("tea.md", TEA))
    alice.does("read", "1")
    alice.does("vote", "1", "against")
    game.referee()
    carol = game.carol
    git(carol.folder, "gc", "-q", "--prune=now")
    said = carol.does("read", "1")
    head = game.github.pull(1).head
    assert f"To bring it: git fetch origin {head}\n" in said
    git(carol.folder, "fetch", "-q", "origin", head)
    assert "+There should be tea.\n" in carol.does("read", "1")
