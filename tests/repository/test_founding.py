"""Founding a game: in a new folder, in a repository that has other files, and where it is refused (section 2)."""

from __future__ import annotations

from pathlib import Path

import pytest
from scene import START, git, rules

from nomic_git.game.event import EventKind
from nomic_git.game.player import write_player
from nomic_git.law.errors import Unreadable
from nomic_git.law.rule import Status, read_rule
from nomic_git.law.rulebook import Rulebook, rulebook
from nomic_git.repository.audit import Audit, audit
from nomic_git.repository.clone import Clone, NotHere, Refused, open_clone
from nomic_git.repository.founding import CannotFound, found, rulesets, shipped
from nomic_git.repository.history import events
from nomic_git.repository.settings import ForgeName, Settings

PLAYERS = {login: write_player(login, name=login.title()) for login in ("alice", "bob")}


def start(folder: Path, book: Rulebook | None = None, settings: Settings | None = None) -> Clone:
    return found(folder, book or shipped("github", "en"), PLAYERS, settings or Settings(), START)


def repository(folder: Path, branch: str = "main") -> Path:
    """A repository with two files in a commit."""
    folder.mkdir(parents=True)
    git(folder, "init", "-q", "-b", branch)
    git(folder, "config", "user.name", "A")
    git(folder, "config", "user.email", "a@example.org")
    (folder / "src").mkdir()
    (folder / "src" / "a.py").write_text("1\n")
    (folder / "README.md").write_text("Hello\n")
    git(folder, "add", ".")
    git(folder, "commit", "-q", "-m", "Begin")
    return folder


def numbered(*numbers: int, numbering: str = "") -> Rulebook:
    provisions = f"---\nprovisions:\n  proposals.numbering: {numbering}\n---\n".encode() if numbering else b""
    return rulebook(read_rule(number, Status.MUTABLE, provisions + b"Words.\n") for number in numbers)


def test_a_new_folder_becomes_a_repository_with_one_event_checked_out(tmp_path):
    clone = start(tmp_path / "deep" / "game", settings=Settings("Our game", "en", ForgeName.LOCAL))
    assert [one.event.kind for one in events(clone)] == [EventKind.FOUNDED]
    assert clone.tip.parent_ids == []
    assert git(clone.folder, "status", "--porcelain") == ""
    assert sorted(one.name for one in clone.folder.iterdir() if one.name != ".git") == [
        "SCORES.md",
        "nomic.toml",
        "players",
        "rules",
        "scores.json",
    ]
    assert open_clone(clone.folder / "rules").settings.name == "Our game"
    assert audit(clone) == Audit(1, (), True)


def test_the_same_game_is_the_same_commit(tmp_path):
    assert start(tmp_path / "one").tip.id == start(tmp_path / "two").tip.id


def test_a_repository_with_other_files_gets_a_game_beside_them(tmp_path):
    folder = repository(tmp_path / "code")
    (folder / "untracked.txt").write_text("mine")
    (folder / "README.md").write_text("Hello, changed\n")
    (folder / "staged.txt").write_text("staged")
    git(folder, "add", "staged.txt")
    old = git(folder, "rev-parse", "HEAD").strip()
    clone = start(folder)
    assert [str(one) for one in clone.tip.parent_ids] == [old]
    assert git(folder, "show", "HEAD:src/a.py") == "1\n"
    assert git(folder, "status", "--porcelain").splitlines() == [" M README.md", "A  staged.txt", "?? untracked.txt"]
    assert (folder / "README.md").read_text() == "Hello, changed\n"
    assert audit(clone) == Audit(1, (), True)


def test_what_is_staged_and_in_no_commit_yet_is_not_lost(tmp_path):
    git(tmp_path, "init", "-q", "-b", "main")
    (tmp_path / "precious.txt").write_text("mine")
    git(tmp_path, "add", ".")
    clone = start(tmp_path)
    assert (tmp_path / "precious.txt").read_text() == "mine"
    assert git(tmp_path, "status", "--porcelain") == "A  precious.txt\n"
    assert clone.trees.entry(clone.tip.tree_id.raw, "precious.txt") is None


def test_an_untracked_file_in_the_way_is_kept_and_named(tmp_path):
    git(tmp_path, "init", "-q", "-b", "main")
    (tmp_path / "SCORES.md").write_text("mine")
    with pytest.raises(Refused, match=r"uncommitted changes in SCORES.md are in the way"):
        start(tmp_path)
    assert (tmp_path / "SCORES.md").read_text() == "mine"
    assert not (tmp_path / "rules").exists()
    (tmp_path / "SCORES.md").unlink()
    assert audit(start(tmp_path)).events == 1


@pytest.mark.parametrize("unborn", [True, False])
def test_the_game_is_on_the_branch_that_is_checked_out(tmp_path, unborn):
    folder = tmp_path / "game"
    if unborn:
        folder.mkdir()
        git(folder, "init", "-q", "-b", "trunk/games")
    else:
        repository(folder, "trunk/games")
    clone = start(folder)
    assert clone.branch == "refs/heads/trunk/games"
    assert open_clone(folder).settings.branch == "trunk/games"
    assert git(folder, "branch", "--show-current") == "trunk/games\n"


def test_a_branch_whose_name_could_not_be_written_down_is_refused_before_anything_is_done(tmp_path):
    folder = repository(tmp_path / "game", "what@home")
    before = git(folder, "rev-parse", "HEAD")
    with pytest.raises(Unreadable, match="'what@home' is no name of a branch"):
        start(folder)
    assert git(folder, "rev-parse", "HEAD") == before
    assert git(folder, "status", "--porcelain") == ""


def test_a_name_that_could_not_be_read_again_is_refused_before_a_folder_is_made(tmp_path):
    with pytest.raises(Unreadable, match="one line"):
        start(tmp_path / "game", settings=Settings(name="two\nlines"))
    assert not (tmp_path / "game").exists()


@pytest.mark.parametrize(
    ("book", "needed"),
    [
        (numbered(1), 301),
        (numbered(-5, 350), 351),
        (numbered(101, numbering="forge"), 301),
        (numbered(350, numbering="{successive: 301}"), 351),
        (numbered(101, numbering="{successive: 102}"), 301),
    ],
)
def test_positive_numbers_need_a_series_above_them(tmp_path, book, needed):
    with pytest.raises(CannotFound, match=rf"proposals\.numbering: \{{successive: {needed}\}}"):
        start(tmp_path / "game", book)
    assert not (tmp_path / "game").exists()


@pytest.mark.parametrize(
    "book",
    [numbered(-1, 0), numbered(101, numbering="{successive: 301}"), numbered(400, numbering="{successive: 401}")],
)
def test_other_numbers_can_be_played_with(tmp_path, book):
    assert audit(start(tmp_path / "game", book)) == Audit(1, (), True)


def test_an_earlier_number_counts_as_one_of_the_rules(tmp_path):
    old = rulebook([read_rule(-1, Status.MUTABLE, b"---\nformerly: [203]\n---\nWords.\n")])
    with pytest.raises(CannotFound, match="a rule has the number 203"):
        start(tmp_path / "game", old)


def test_a_second_game_is_refused_and_the_first_is_left_as_it_is(tmp_path):
    clone = start(tmp_path)
    with pytest.raises(CannotFound, match="here already, so a game; see where it stands: nomic-git scores"):
        start(tmp_path)
    assert len(list(events(open_clone(clone.folder)))) == 1


def test_a_folder_with_something_in_it_that_is_no_repository_is_refused(tmp_path):
    (tmp_path / "a.txt").write_text("mine")
    with pytest.raises(CannotFound, match="is not empty and no repository of its own"):
        start(tmp_path)
    assert [one.name for one in tmp_path.iterdir()] == ["a.txt"]


def test_a_folder_inside_a_repository_is_no_repository_of_its_own(tmp_path):
    folder = repository(tmp_path / "code")
    with pytest.raises(CannotFound, match="no repository of its own"):
        start(folder / "src")
    clone = start(folder / "game")
    assert clone.folder.resolve() == (folder / "game").resolve()


def test_a_file_where_the_folder_should_be_is_one_clear_line(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(CannotFound, match="cannot be made"):
        start(tmp_path / "file" / "game")
    with pytest.raises(CannotFound, match="cannot be made"):
        start(tmp_path / "file")


def test_neither_a_bare_repository_nor_a_detached_head_can_have_a_game_founded(tmp_path):
    (tmp_path / "bare").mkdir()
    git(tmp_path / "bare", "init", "-q", "--bare")
    with pytest.raises(NotHere, match="bare; start the game in a clone of it"):
        start(tmp_path / "bare")
    folder = repository(tmp_path / "code")
    git(folder, "checkout", "-q", "--detach")
    with pytest.raises(NotHere, match="a detached head"):
        start(folder)


def test_a_game_without_players_waits_for_them(tmp_path):
    clone = found(tmp_path / "game", rules(), {}, Settings(), START)
    assert audit(clone) == Audit(1, (), True)
    assert (clone.folder / "players").is_dir()


def test_every_rulebook_that_ships_can_be_founded_in_every_language(tmp_path):
    for ruleset in rulesets():
        for language in ruleset.languages:
            folder = tmp_path / f"{ruleset.name}-{language}"
            clone = found(folder, shipped(ruleset.name, language), PLAYERS, Settings(language=language), START)
            assert audit(clone) == Audit(1, (), True)


def test_a_rulebook_that_does_not_ship_is_named_with_those_that_do():
    with pytest.raises(CannotFound, match="there is no rulebook 'chess' to start from; there are github"):
        shipped("chess", "en")
    with pytest.raises(CannotFound, match="github is not there in 'tlh'; it is in en"):
        shipped("github", "tlh")
