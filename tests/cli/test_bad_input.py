"""Bad input gets one clear line that says what is wrong and what to do, and loses nothing."""

from __future__ import annotations

import os
import resource
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from program import FOUNDED, Answer, Game, ask, git

READING = ("rules", "law", "scores", "log", "players", "proposals", "audit")
BROKEN = "---\nprovisions:\n  victory.ponts: 12\n---\n\nWords.\n"


def one_clear_line(answer: Answer, *says: str, code: int = 2) -> None:
    """Assert that an answer is a refusal as the design has it (section 13)."""
    assert answer.out == ""
    assert answer.err.startswith("nomic-git: ")
    assert answer.err.count("\n") == 1
    assert answer.err.endswith("\n")
    assert "Traceback" not in answer.err
    assert answer.code == code
    for words in says:
        assert words in answer.err


@dataclass(frozen=True)
class Case:
    """Arguments, and words of the line that they get."""

    arguments: str
    says: tuple[str, ...]

    def __str__(self) -> str:
        return self.arguments or "nothing"


def case(arguments: str, *says: str) -> Case:
    return Case(arguments, says)


CALLS = [
    # The call itself.
    case("scroes", "No such command 'scroes'", "Did you mean 'scores'? See: nomic-git --help"),
    case("show", "Missing argument 'N'", "nomic-git show --help"),
    case("tally", "Missing argument 'P'"),
    case("vote 7", "Missing argument"),
    case("scores --jsno", "No such option", "--json"),
    case("propose enakt FILE", "No such command 'enakt'", "enact"),
    case("scores and more", "unexpected"),
    case("-C", "-C", "requires an argument"),
    case("log --round", "requires an argument", "See: nomic-git log --help"),
    case("propose amend -110 FILE --title", "requires an argument", "See: nomic-git propose amend --help"),
    case("propose amend -110", "Missing argument 'FILE'"),
    # Numbers.
    case("show 12a", "'12a' is not a number such as 203 or -110"),
    case("show \u0663", "is not a number"),
    case("show 007", "'007' is not a number"),
    case("show -0", "is not a number"),
    case("show EMPTY", "'' is not a number"),
    case("history 1e3", "is not a number"),
    case("tally 7.0", "is not a number"),
    case("vote x for --as bob", "is not a number"),
    # What is not there.
    case("show 999", "there is no rule 999 in force", "nomic-git history 999"),
    case("history 999", "there is no rule 999, and never was"),
    case("tally 99", "there is no proposal 99", "nomic-git proposals"),
    case("tally -7", "there is no proposal -7"),
    case("tally 99999999999999999999", "is not a number"),
    case("propose repeal 999 --as bob", "there is no rule 999", "nomic-git rules"),
    case("propose repeal -105 --as bob", "rule -105 is rule 6 now"),
    case("propose transmute 999 --as bob", "there is no rule 999"),
    case("vote 99 for --as bob", "there is no proposal 99"),
    case("withdraw 99 --as bob", "there is no proposal 99"),
    case("ready 99 --as bob", "there is no proposal 99"),
    case("comment 99 Hello --as bob", "there is no proposal 99"),
    case("check nowhere", "nowhere is no file, no folder and no commit here"),
    case("new ../other --rules chess", "there is no rulebook 'chess'", "github"),
    case("new ../other --lang xx", "github is not there in 'xx'", "en"),
    case("new ../other --forge gitlab", "'gitlab' is no forge", "local"),
    # Players.
    case("vote 7 for --as mallory", "mallory is not a player here", "alice, bob, carol", "nomic-git join"),
    case("vote 7 for", "git config user.email", "--as LOGIN"),
    case("vote 7 for --as EMPTY", "nobody (an empty name) is not a player here"),
    case("propose repeal 6 --as m\u00e9", "is not a player"),
    case("proposals --mine", "--as LOGIN"),
    case("join", "nomic-git join --as LOGIN"),
    case("join --as alice", "alice is a player already"),
    case("join --as ALICE", "is a player already"),
    case("join --as m\u00e9lanie", "can be no login", "letters"),
    case("join --as ../etc", "can be no login"),
    case("join --as EMPTY", "'' can be no login"),
    case("forfeit --as mallory", "mallory is not a player"),
    case("forfeit --as EMPTY", "nobody (an empty name) is not a player here"),
    case("new ../other --player al=", "--player 'al=' gives no name; leave the = out"),
    case("propose repeal -201 --as bob", "Propose to transmute it first: `nomic-git propose transmute -201`"),
    case("new ../other --player a/b", "can be no login"),
    case("new ../other --player al --player AL", "--player names AL twice"),
    # Votes and proposals.
    case("vote 7 maybe --as bob", "for, against or none", "'maybe'"),
    case("vote for 7 --as bob", "'for' is not a number such as 7. See", "nomic-git vote --help"),
    case("tally -x", "-x"),
    case("vote 1 for --as bob", "proposal 1 is adopted already", "nomic-git tally 1"),
    case("vote 4 for --as bob", "proposal 4 is defeated already"),
    case("vote 5 for --as bob", "proposal 5 is withdrawn already"),
    case("withdraw 1 --as alice", "proposal 1 is adopted already"),
    case("withdraw 7 --as bob", "proposal 7 is alice's", "only alice"),
    case("ready 7 --as alice", "proposal 7 is ready already"),
    case("ready 8 --draft --as bob", "proposal 8 is a draft already"),
    case("ready 8 --as alice", "proposal 8 is bob's"),
    case("comment 7 EMPTY --as bob", "a comment has words"),
    case("comment 1 Late --as bob", "proposal 1 is adopted already"),
    case("propose repeal 6 --title TWO_LINES --as bob", "a title is one line"),
    case("propose repeal 6 --title BELL --as bob", "a title is one line"),
    case("propose repeal 6 --title LONG --as bob", "a title is one line of at most 120 characters"),
    case("propose repeal -110 --update 99 --as bob", "there is no proposal 99"),
    case("propose repeal -110 --update 7 --as bob", "proposal 7 is alice's"),
    case("propose repeal -110 --update 1 --as alice", "proposal 1 is adopted already"),
    # Improper changes.
    case("propose repeal -216 --as bob", "nothing was proposed", "immutable", "transmute"),
    case("propose amend -216 ../words.md --as bob", "nothing was proposed", "immutable"),
    # Files.
    case("propose enact ../gone.md --as bob", "there is no file ../gone.md"),
    case("propose enact .. --as bob", "folder"),
    case("propose enact ../broken.md --as bob", "'victory.ponts' is no provision", "victory.points"),
    case("propose amend 6 ../broken.md --as bob", "'victory.ponts' is no provision"),
    case("propose enact ../open.md --as bob", "---"),
    case("propose enact ../binary.md --as bob", "UTF-8"),
    case("propose enact ../huge.md --as bob", "bytes"),
    case("propose amend 6 ../huge.md --as bob", "bytes"),
    case("propose amend 6 rules/mutable/6.md --as bob", "nothing would change"),
    case("check ../bare", "there are no rules in"),
]


@pytest.mark.parametrize("call", CALLS, ids=str)
def test_a_call_that_cannot_be_carried_out_says_why_and_changes_nothing(
    played: Game, call: Case, monkeypatch: pytest.MonkeyPatch
) -> None:
    played.write("words.md", "Other words.\n")
    played.write("broken.md", BROKEN)
    played.write("open.md", "---\ntitle: Never closed\n")
    played.write("binary.md", b"\x89PNG\r\n\x1a\n\xff\xfe\x00")
    played.write("huge.md", "x" * 3_000_000)
    (played.folder.parent / "bare").mkdir()
    stand_ins = {"EMPTY": "", "TWO_LINES": "One\ntwo", "BELL": "Ding\a", "LONG": "x" * 121}
    arguments = [stand_ins.get(word, word) for word in call.arguments.split(" ")]
    monkeypatch.chdir(played.folder)
    before = played.everything()
    one_clear_line(ask(*arguments), *call.says)
    assert played.everything() == before
    assert not (played.folder.parent / "other").exists()


NO_SEATS = [
    (("al=<a@x>",), "--player 'al=<a@x>' gives no name; write one before the <"),
    (("al=<>",), "--player 'al=<>' gives no name; write one before the <"),
    (("al=Al <>",), "'' is no address such as alice@example.org"),
    (("al=Al <al>",), "'al' is no address such as alice@example.org"),
    (("al=Al <a b@x>",), "'a b@x' is no address"),
    (("al=Al <a@x",), "one address between < and >"),
    (("al=Al a@x>",), "one address between < and >"),
    (("al=Al <a@x> <b@x>",), "one address between < and >"),
    (("al=Al <a@x> Jr",), "one address between < and >"),
    (("al <a@x>",), "--player 'al <a@x>': behind the login stands =, as in"),
    (("al bert",), "--player 'al bert': behind the login stands ="),
    (("=Al",), "--player '=Al' gives no login before the ="),
    (("",), "--player '' gives no login before the ="),
    (("al =Al",), "'al ' can be no login"),
    (("al=Al <a@x>", "bo=Bo <A@x>"), "gives al and bo one address, A@x"),
]


@pytest.mark.parametrize(("seats", "words"), NO_SEATS, ids=[" ".join(seats) for seats, _ in NO_SEATS])
def test_a_player_who_is_named_badly_is_not_seated(tmp_path: Path, seats: tuple[str, ...], words: str) -> None:
    options = (word for seat in seats for word in ("--player", seat))
    one_clear_line(ask("new", tmp_path / "other", *options), words)
    assert not (tmp_path / "other").exists()


@pytest.mark.parametrize(("vote", "login"), [("FOR", "Bob"), ("Against", "BOB")])
def test_capitals_matter_neither_in_a_vote_nor_in_a_login(played: Game, vote: str, login: str) -> None:
    played.does("vote", "7", vote, "--as", login)
    assert "bob" in played.json("tally", "7")[vote.lower()]


def test_no_command_at_all_shows_what_there_is() -> None:
    answer = ask()
    assert (answer.code, answer.out) == (2, "")
    assert answer.err == ask("--help").out
    one_clear_line(ask("propose"), "Missing command", "nomic-git propose --help")


@pytest.mark.parametrize("command", [*READING, "show -110", "tally 1", "check", "referee", "forfeit --as a"])
def test_a_folder_in_no_repository_is_named(tmp_path: Path, command: str) -> None:
    one_clear_line(ask("-C", tmp_path, *command.split()), "is not in a Git repository", "nomic-git new")


@pytest.mark.parametrize("command", [*READING, "show -110", "vote 1 for --as alice", "referee"])
def test_a_repository_without_a_game_is_told_how_to_get_one(tmp_path: Path, command: str) -> None:
    git(tmp_path, "init", "-q", "-b", "main")
    one_clear_line(ask("-C", tmp_path, *command.split()), "nomic-git new .")
    git(tmp_path, "-c", "user.name=A", "-c", "user.email=a@x.invalid", "commit", "-q", "--allow-empty", "-m", "Begin")
    one_clear_line(ask("-C", tmp_path, *command.split()), "there is no game", "nomic-git new .")


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    one_clear_line(ask("-C", tmp_path / "gone", "scores"), "gone", "is no folder")
    (tmp_path / "file").write_text("")
    one_clear_line(ask("-C", tmp_path / "file", "scores"), "file", "is no folder")


WRITING = [
    "vote 7 for --as carol",
    "propose repeal 6 --as carol",
    "withdraw 7 --as alice",
    "ready 8 --as bob",
    "comment 7 Hello --as carol",
    "join --as dave",
    "forfeit --as carol",
    "referee",
]


@pytest.mark.parametrize("command", WRITING)
def test_what_writes_refuses_a_bare_clone_and_a_detached_head(played: Game, command: str, tmp_path: Path) -> None:
    git(tmp_path, "clone", "-q", "--bare", "--mirror", str(played.folder), "bare.git")
    before = git(tmp_path / "bare.git", "for-each-ref")
    one_clear_line(ask("-C", tmp_path / "bare.git", *command.split()), "this clone is bare", "git clone")
    assert git(tmp_path / "bare.git", "for-each-ref") == before
    played.git("switch", "-q", "--detach")
    state = played.everything()
    one_clear_line(played.ask(*command.split()), "detached head", "git switch main")
    assert played.everything() == state


ANYWHERE = ["rules", "law", "scores", "players", "show -110"]
BY_HISTORY = ["log", "audit", "history -105", "tally 1", "proposals", "tally 7"]


def test_reading_works_in_a_bare_clone_and_on_a_detached_head(played: Game, tmp_path: Path) -> None:
    git(tmp_path, "clone", "-q", "--mirror", str(played.folder), "bare.git")
    for command in (*ANYWHERE, *BY_HISTORY):
        expected = played.does(*command.split())
        assert ask("-C", tmp_path / "bare.git", *command.split()) == Answer(0, expected, "")
    expected = {command: played.does(*command.split()) for command in (*ANYWHERE, *BY_HISTORY)}
    played.git("switch", "-q", "--detach", "HEAD~2")
    for command, said in expected.items():
        assert played.does(*command.split()) == said


def test_a_shallow_clone_is_read_as_far_as_it_goes(played: Game, tmp_path: Path) -> None:
    git(tmp_path, "clone", "-q", "--depth", "1", f"file://{played.folder}", "shallow")
    for command in ANYWHERE:
        assert ask("-C", tmp_path / "shallow", *command.split()) == Answer(0, played.does(*command.split()), "")
    for command in (*BY_HISTORY, "check HEAD", *WRITING):
        answer = ask("-C", tmp_path / "shallow", *command.split())
        one_clear_line(answer, "this clone is shallow", "git fetch --unshallow")


def commit(game: Game, path: str, text: str | None) -> None:
    """Commit a file on the game branch by hand, or take it away."""
    if text is None:
        (game.folder / path).unlink()
    else:
        (game.folder / path).write_text(text)
    game.git("add", "-A")
    game.git("-c", "user.name=A", "-c", "user.email=a@x.invalid", "commit", "-q", "-m", "By hand")


EVERY_READER = [*READING, "show -110", "tally 7", "proposals --mine --as bob", *WRITING]


@pytest.mark.parametrize("command", [one for one in EVERY_READER if one not in {"log", "audit"}])
def test_a_rule_on_the_branch_that_does_not_parse_is_named(played: Game, command: str) -> None:
    commit(played, "rules/mutable/6.md", BROKEN)
    before = played.everything()
    one_clear_line(played.ask(*command.split()), "rules/mutable/6.md", "'victory.ponts' is no provision")
    assert played.everything() == before


@pytest.mark.parametrize(
    ("path", "text", "says"),
    [
        ("scores.json", "{", "scores.json"),
        ("scores.json", "[]", "scores.json"),
        ("scores.json", '{"players": 3}', "scores.json"),
        ("nomic.toml", "name = ", "nomic.toml"),
        ("nomic.toml", 'colour = "red"', "'colour' is no setting"),
        ("nomic.toml", 'forge = "elsewhere"', "'elsewhere' is no forge"),
        ("nomic.toml", 'branch = "elsewhere"', "elsewhere"),
        ("players/bob.md", "---\nnmae: Bob\n---\n", "players/bob.md"),
        ("players/b b.md", "", "players/b b.md"),
        ("rules/mutable/notes.txt", "Notes", "rules/mutable/notes.txt"),
        ("rules/mutable/six.md", "Words", "rules/mutable/six.md"),
    ],
)
def test_a_broken_file_of_the_game_is_named(played: Game, path: str, text: str, says: str) -> None:
    commit(played, path, text)
    one_clear_line(played.ask("scores"), says)
    one_clear_line(played.ask("referee"), says)


def test_a_game_whose_scores_are_gone_loses_nothing_more(played: Game) -> None:
    commit(played, "scores.json", None)
    before = played.everything()
    one_clear_line(played.ask("scores"))
    one_clear_line(played.ask("new", "."), "already")
    assert played.everything() == before


def test_a_game_on_github_of_which_nothing_says_where_it_is(played: Game) -> None:
    commit(played, "nomic.toml", 'forge = "github"\n')
    assert played.ask("scores").code == 0
    one_clear_line(played.ask("proposals"), "this clone has no remote", "git remote add origin", "GITHUB_REPOSITORY")


def test_uncommitted_changes_in_the_way_are_kept(played: Game) -> None:
    played.vote(7, carol="for")
    (played.folder / "scores.json").write_text("mine")
    before = played.everything()
    one_clear_line(played.ask("referee"), "uncommitted changes in scores.json", "git stash")
    assert played.everything() == before
    played.git("checkout", "scores.json")
    played.does("referee")


def test_a_file_that_stands_where_a_new_rule_would_is_kept(played: Game) -> None:
    played.vote(7, carol="for")
    (played.folder / "rules" / "mutable" / "7.md").write_text("mine")
    before = played.everything()
    one_clear_line(played.ask("referee"), "rules/mutable/7.md", "in the way")
    assert played.everything() == before


def test_changes_that_are_not_in_the_way_are_none_of_our_business(played: Game) -> None:
    played.vote(7, carol="for")
    (played.folder / "notes.txt").write_text("mine")
    (played.folder / "nomic.toml").write_text((played.folder / "nomic.toml").read_text() + "\n# mine\n")
    played.does("referee")
    assert (played.folder / "notes.txt").read_text() == "mine"
    assert (played.folder / "nomic.toml").read_text().endswith("# mine\n")


def test_a_locked_index_says_what_to_wait_for(played: Game) -> None:
    played.vote(7, carol="for")
    (played.folder / ".git" / "index.lock").write_text("")
    before = played.everything()
    one_clear_line(played.ask("referee"), "index.lock", "another git command")
    assert played.everything() == before
    (played.folder / ".git" / "index.lock").unlink()
    played.does("referee")


@pytest.mark.parametrize(
    ("command", "lock"),
    [
        ("referee", "refs/heads/main.lock"),
        ("vote 7 for --as carol", "refs/nomic/proposals/7/log/carol.lock"),
        ("propose repeal 6 --as carol", "refs/nomic/proposals/9/head.lock"),
    ],
)
def test_a_locked_ref_says_what_to_wait_for(played: Game, command: str, lock: str) -> None:
    if command == "referee":
        played.vote(7, carol="for")
    path = played.folder / ".git" / lock
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("")
    before = played.git("for-each-ref")
    one_clear_line(played.ask(*command.split()), "lock")
    assert played.git("for-each-ref") == before
    path.unlink()
    played.does(*command.split())


FULL = """#!/bin/sh
case "$*" in
  *{command}*) echo "fatal: unable to write new index file: No space left on device" >&2; exit 128 ;;
esac
exec {git} "$@"
"""


def _git_that(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> None:
    room = tmp_path / "bin"
    room.mkdir()
    (room / "git").write_text(script)
    (room / "git").chmod(0o755)
    monkeypatch.setenv("PATH", str(room), prepend=":")


@pytest.mark.parametrize("command", ["read-tree", "update-ref"])
def test_a_full_disk_is_said_to_be_full(
    played: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    played.vote(7, carol="for")
    before = played.git("for-each-ref")
    real = shutil.which("git")
    with monkeypatch.context() as patch:
        _git_that(tmp_path, patch, FULL.format(command=command, git=real))
        one_clear_line(played.ask("referee"), "the disk is full", "Make room")
    assert played.git("for-each-ref") == before
    played.does("referee")


def test_missing_git_is_named(played: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    played.vote(7, carol="for")
    scores = played.does("scores")
    with monkeypatch.context() as patch:
        patch.setenv("PATH", str(tmp_path / "nothing"))
        assert played.does("scores") == scores
        one_clear_line(played.ask("referee"), "git program is not installed")


@contextmanager
def nobody() -> Iterator[None]:
    """Be somebody whom permissions bind: root goes through every door."""
    if os.getuid() == 0:
        os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(os.getuid())


def test_a_folder_that_may_not_be_entered_or_written_is_named(played: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    played.vote(7, carol="for")
    played.does("scores")
    with TemporaryDirectory() as room:
        monkeypatch.chdir("/")
        Path(room).chmod(0o555)
        with nobody():
            one_clear_line(ask("new", Path(room, "game")), room, "ermission denied")
            one_clear_line(ask("-C", room, "new", "."), room, "ermission denied")
        shutil.copytree(played.folder, Path(room, "game"))
        Path(room, "game").chmod(0o000)
        with nobody():
            one_clear_line(ask("-C", Path(room, "game"), "scores"), room)
            one_clear_line(ask("-C", Path(room, "game"), "referee"), room)


@contextmanager
def full_disk() -> Iterator[None]:
    """Have no file grow by a single byte, as on a disk that is full."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.mark.parametrize("command", WRITING)
def test_a_disk_that_takes_nothing_more_loses_nothing(played: Game, command: str) -> None:
    if command == "referee":
        played.vote(7, carol="for")
    before = played.everything()
    with full_disk():
        answer = played.ask(*command.split())
    one_clear_line(answer)
    assert played.everything() == before
    played.does(*command.split())


def test_a_new_game_does_not_write_over_anything(played: Game, tmp_path: Path) -> None:
    before = played.everything()
    one_clear_line(ask("new", played.folder), "already", "nomic-git scores")
    one_clear_line(ask("-C", played.folder, "new", "."), "already")
    assert played.everything() == before
    full = tmp_path / "full"
    full.mkdir()
    (full / "letter.txt").write_text("Dear")
    one_clear_line(ask("new", full), "is not empty")
    assert [path.name for path in full.iterdir()] == ["letter.txt"]
    one_clear_line(ask("new", full / "letter.txt"), "letter.txt")
    one_clear_line(ask("new", full / "letter.txt" / "game"), "letter.txt")
    one_clear_line(ask("demo", full), "is not empty")
    git(tmp_path, "init", "-q", "--bare", "bare.git")
    one_clear_line(ask("new", tmp_path / "bare.git"), "bare")


def test_a_new_game_on_a_detached_head_is_refused(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q", "-b", "main")
    git(tmp_path, "-c", "user.name=A", "-c", "user.email=a@x.invalid", "commit", "-q", "--allow-empty", "-m", "Begin")
    git(tmp_path, "switch", "-q", "--detach")
    one_clear_line(ask("-C", tmp_path, "new", "."), "detached head")
    assert [path.name for path in tmp_path.iterdir()] == [".git"]


def test_two_players_with_one_address_are_asked_who_acts(game: Game) -> None:
    for login in ("dave", "erin"):
        game.does("join", "--as", login, "--email", "shared@x.invalid")
        number = game.json("proposals")[-1]["proposal"]
        game.vote(number, **dict.fromkeys(("alice", "bob", "carol")[: number + 1], "for"))
        game.does("referee")
    game.git("config", "user.email", "shared@x.invalid")
    one_clear_line(game.ask("propose", "repeal", "-110"), "more than one player has", "shared@x.invalid", "--as LOGIN")


def test_joining_and_leaving_twice_is_refused(played: Game) -> None:
    played.does("join", "--as", "dave")
    one_clear_line(played.ask("join", "--as", "dave"), "dave", "proposal 9")
    played.does("forfeit", "--as", "carol")
    one_clear_line(played.ask("forfeit", "--as", "carol"), "carol", "proposal 10")
    played.does("referee")
    one_clear_line(played.ask("forfeit", "--as", "carol"), "carol is not a player")


@pytest.mark.parametrize(
    "date", ["yesterday", "@99999999999999", "@999999999999", "1969-12-31T00:00:00Z", "2026-13-01", "@-5", "١٢"]
)
def test_a_clock_that_is_none_is_named(played: Game, monkeypatch: pytest.MonkeyPatch, date: str) -> None:
    before = played.everything()
    monkeypatch.setenv("GIT_COMMITTER_DATE", date)
    for command in ("referee", "vote 7 for --as carol"):
        one_clear_line(ask("-C", played.folder, *command.split()), "GIT_COMMITTER_DATE")
    assert played.everything() == before


@pytest.mark.parametrize(
    "date",
    [f"@{FOUNDED + 90000} +0000", f"{FOUNDED + 90000} +0100", "2023-11-16T10:00:00Z", "2023-11-16", "9999-12-31"],
)
def test_a_clock_that_is_one_is_read_as_git_reads_it(played: Game, monkeypatch: pytest.MonkeyPatch, date: str) -> None:
    monkeypatch.setenv("GIT_COMMITTER_DATE", date)
    assert ask("-C", played.folder, "vote", "7", "for", "--as", "carol").code == 0
    assert ask("-C", played.folder, "referee").code == 0
    assert played.json("audit")["irregular"] == []


def test_asking_twice_is_answered_with_what_the_first_request_waits_for(played: Game) -> None:
    played.does("join", "--as", "dave")
    one_clear_line(played.ask("join", "--as", "dave"), "proposal 9; nomic-git tally 9 tells what it waits for")
    played.vote(9, alice="for", bob="for")
    one_clear_line(played.ask("join", "--as", "dave"), "proposal 9; the referee's next pass carries it out")


def test_a_file_is_looked_for_in_the_folder_that_is_named(game: Game, tmp_path: Path) -> None:
    (tmp_path / "tea.md").write_text("Not this one.\n")
    one_clear_line(game.ask("propose", "enact", "tea.md", "--as", "bob"), "there is no file tea.md")
    (game.folder / "tea.md").write_text("This one.\n")
    assert "+This one." in game.does("propose", "enact", "tea.md", "--as", "bob") + game.does("read", "1")


def test_what_is_there_becomes_no_draft_by_another_text(game: Game) -> None:
    game.does("propose", "enact", game.write("tea.md", "Tea.\n"), "--as", "bob")
    before = game.everything()
    again = game.ask("propose", "enact", game.write("tea.md", "Cake.\n"), "--update", "1", "--draft", "--as", "bob")
    one_clear_line(again, "nomic-git ready 1 --draft")
    assert game.everything() == before


@pytest.mark.parametrize("command", ["comment 1", "judgment invoke 1"])
def test_words_that_nobody_could_read_are_refused(game: Game, command: str) -> None:
    game.does("propose", "enact", game.write("tea.md", "Tea.\n"), "--as", "bob")
    before = game.everything()
    one_clear_line(
        game.ask(*command.split(), "\u00e9" * 40_000, "--as", "carol"), "at most 65536 bytes; this has 80000"
    )
    assert game.everything() == before


def test_what_is_there_keeps_its_title(game: Game) -> None:
    game.does("propose", "repeal", "-105", "--title", "Play on", "--as", "bob")
    words = game.write("words.md", "Play on.\n")
    again = ("propose", "amend", "-105", words, "--update", "1", "--as", "bob")
    one_clear_line(game.ask(*again, "--title", "On and on"), "proposal 1 keeps the title that it has")
    assert "Play on" in game.does(*again)


def test_who_joins_gives_an_address_that_can_be_one(game: Game) -> None:
    before = game.everything()
    one_clear_line(game.ask("join", "--as", "dave", "--email", "no mail"), "'no mail' is no address such as")
    assert game.everything() == before


def test_a_title_beside_an_update_is_the_new_rules_or_is_refused(game: Game) -> None:
    tea = game.write("tea.md", "Tea.\n")
    whole = game.write("whole.md", "---\ntitle: Gin\n---\n\nGin.\n")
    game.does("propose", "enact", tea, "--title", "Tea", "--as", "bob")
    again = ("--update", "1", "--title", "Gin and tonic", "--as", "bob")
    one_clear_line(game.ask("propose", "enact", whole, *again), "proposal 1 keeps the title that it has")
    game.does("propose", "enact", tea, *again)
    assert "+title: Gin and tonic" in game.does("read", "1")
