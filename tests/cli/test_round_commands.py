"""Another round from the command line: `new-round`, and `--round` of the commands that read."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from program import Game

RIVAL = "---\ntitle: Goal\nprovisions:\n  victory.points: 10\n---\n\nTen points win.\n"


@pytest.fixture(scope="session")
def _kept() -> dict[str, tuple[Path, int]]:
    return {}


@pytest.fixture
def over(
    game: Game, _kept: dict[str, tuple[Path, int]], tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> Game:
    """A game that alice has won by proposal 1, while bob's proposal 2 was being voted on."""
    if not _kept:
        room = tmp_path_factory.mktemp("over")
        shutil.copytree(game.folder, room / "game", symlinks=True)
        later = Game(room / "game", game.clock)
        later.does("propose", "amend", "-105", later.write("goal.md", RIVAL), "--as", "alice")
        later.does("propose", "enact", later.write("tea.md", "There should be tea.\n"), "--as", "bob")
        later.vote(2, carol="for")
        later.vote(1, bob="for", carol="for")
        later.does("referee")
        _kept["over"] = later.folder, later.clock
    shutil.rmtree(game.folder)
    folder, clock = _kept["over"]
    shutil.copytree(folder, tmp_path / "game", symlinks=True)
    return Game(tmp_path / "game", clock)


def fails(game: Game, *arguments: str | Path) -> str:
    """Run a command that cannot be carried out, and return the one line that says why."""
    before = game.everything()
    answer = game.ask(*arguments)
    assert (answer.code, answer.out) == (2, "")
    assert answer.err.count("\n") == 1
    assert "this should not have happened" not in answer.err
    assert game.everything() == before
    return answer.err


def again(game: Game) -> None:
    """A second round, which bob wins by proposal 3."""
    game.does("new-round")
    game.does("propose", "enact", game.write("tea.md", "There should be tea.\n"), "--as", "bob")
    game.vote(3, alice="for", carol="for")
    game.does("referee")


def test_a_round_begins_with_everybody_at_the_start(over: Game) -> None:
    said = over.does("new-round")
    assert said.splitlines()[:2] == [
        "Round 2 begins: the rulebook as it stands, 28 rules.",
        "Players: alice (0), bob (0), carol (0).",
    ]
    assert over.json("audit") == {"events": 4, "irregular": [], "scores_match": True}
    assert over.json("proposals") == []
    assert over.git("status", "--porcelain") == ""


def test_what_a_round_leaves_behind_is_told_where_there_is_something(over: Game) -> None:
    said = over.does("new-round")
    assert "\nLeft behind: proposal 2. What these rules allow can be proposed again.\n" in said
    assert said.endswith("\nOf the round before: nomic-git scores --round 1\n")
    over.does("propose", "enact", over.write("tea.md", "There should be tea.\n"), "--as", "bob")
    over.vote(3, alice="for", carol="for")
    over.does("referee")
    said = over.does("new-round")
    assert "Left behind" not in said
    assert "judgment" not in said


def test_a_judgment_that_is_open_when_somebody_wins_is_dropped_and_the_next_round_says_so(game: Game) -> None:
    game.does("propose", "amend", "-105", game.write("goal.md", RIVAL), "--as", "alice")
    game.does("propose", "enact", game.write("tea.md", "There should be tea.\n"), "--as", "bob")
    game.does("referee")
    game.does("judgment", "invoke", "2", "Is it tea?", "--as", "carol")
    game.does("referee")
    game.vote(1, bob="for", carol="for")
    game.does("referee")
    assert game.json("scores")["winner"] == "alice"
    said = game.does("new-round")
    assert "\nThe judgment on proposal 2 was dropped when round 1 was won.\n" in said
    assert [one["state"] for one in game.json("judgments")] == ["dropped"]
    assert "Judgment is open" not in game.does("scores")
    answer = fails(game, "judgment", "invoke", "2", "And now?", "--as", "carol")
    assert "proposal 2 was left behind when another round began, and nobody judges it any more" in answer


def test_whoever_has_had_enough_leaves_before_the_next_round(over: Game) -> None:
    number = over.json("proposals")[-1]["proposal"] + 1
    said = over.does("forfeit", "--as", "carol")
    assert said.startswith(f"Proposal {number}: let carol forfeit, by carol\nIt is granted;")
    assert "carol has asked to forfeit already" in fails(over, "forfeit", "--as", "carol")
    assert "Let carol go" in over.does("referee")
    assert "alice (0), bob (0).\n" in over.does("new-round")


def test_a_round_begins_from_a_rulebook_that_ships(over: Game) -> None:
    said = over.does("new-round", "--rules", "suber-1982", "--lang", "en")
    assert said.startswith("Round 2 begins: the suber-1982 rulebook, 29 rules.\n")
    assert [one["number"] for one in over.json("rules")][:2] == [101, 102]
    assert over.json("audit")["irregular"] == []
    assert over.json("scores")["target"] == 100


def test_each_round_is_looked_at_alone(over: Game) -> None:
    again(over)
    kinds = [[one["event"] for one in over.json("log", *words)] for words in ([], ["--round", "1"], ["--round", "2"])]
    assert kinds == [["founded", "adopted", "won"] * 2, ["founded", "adopted", "won"], ["founded", "adopted", "won"]]
    winners = [over.json("scores", *words)["winner"] for words in ([], ["--round", "1"], ["--round", "2"])]
    assert winners == ["bob", "alice", "bob"]
    audits = [over.json("audit", *words) for words in ([], ["--round", "1"], ["--round", "2"])]
    assert [one["events"] for one in audits] == [6, 3, 3]
    assert all(one["scores_match"] and not one["irregular"] for one in audits)


def test_the_log_of_all_rounds_says_where_each_begins(over: Game) -> None:
    again(over)
    told = over.does("log")
    assert told.index("Declare alice") < told.index("Begin round 2") < told.index("Declare bob")
    assert "Begin round" not in over.does("log", "--round", "1")


def test_a_rules_life_is_told_round_by_round(over: Game) -> None:
    again(over)
    assert [one["kind"] for one in over.json("history", "1")] == ["founded"]
    assert [one["kind"] for one in over.json("history", "1", "--round", "1")] == ["founded", "amend"]
    assert [one["kind"] for one in over.json("history", "-105", "--round", "1")] == ["founded", "amend"]
    assert [one["kind"] for one in over.json("history", "3")] == ["enact"]
    assert over.json("history", "-105") == over.json("history", "1")
    assert fails(over, "history", "77").endswith("there is no rule 77 in round 2, and never was\n")


def test_proposals_of_an_earlier_round_are_counted_as_ever(over: Game) -> None:
    before = over.json("tally", "1")
    again(over)
    assert over.json("tally", "1") == before
    assert over.json("tally", "3")["outcome"] == "adopted"


def test_what_was_left_behind_says_so(over: Game) -> None:
    over.does("new-round")
    told = over.json("tally", "2")
    assert (told["stage"], told["outcome"]) == ("blocked", None)
    assert told["reasons"][0].startswith("alice has won, and the game is over.")
    assert told["reasons"][1].startswith("Round 2 has begun since")
    assert "Round 2 has begun since" in over.does("read", "2")
    for command in ("vote 2 for --as alice", "withdraw 2 --as bob", "comment 2 Tea --as bob", "ready 2 --as bob"):
        assert "proposal 2 was left behind when alice had won" in fails(over, *command.split())
    assert over.does("referee") == "Nothing is due.\n"


def test_who_asked_to_join_is_told_to_join_again(game: Game) -> None:
    game.does("propose", "amend", "-105", game.write("goal.md", RIVAL), "--as", "alice")
    game.vote(1, bob="for", carol="for")
    game.does("join", "--as", "dora")
    game.does("referee")
    game.does("new-round")
    assert game.json("tally", "2")["reasons"][1].endswith("was left behind: join again.")
    assert "another round began; join again: nomic-git join" in fails(game, "withdraw", "2", "--as", "dora")


def test_a_number_of_the_rulebook_in_an_earlier_round_still_names_its_proposal(over: Game) -> None:
    over.does("new-round", "--rules", "suber-1982")
    over.does("propose", "enact", over.write("tea.md", "There should be tea.\n"), "--as", "alice")
    over.does("referee")
    assert over.json("tally", "301")["proposal"] == 3


@pytest.mark.parametrize("command", ["scores", "log", "audit", "history 1"])
@pytest.mark.parametrize(
    ("number", "why"),
    [
        ("0", "there is no round 0; this game has had one round so far"),
        ("99", "there is no round 99; this game has had one round so far"),
        ("-1", "there is no round -1; this game has had one round so far"),
        ("two", "'two' is not a number such as 1 or 2"),
        ("", "'' is not a number such as 1 or 2"),
    ],
)
def test_a_round_that_never_was_gets_one_clear_answer(over: Game, command: str, number: str, why: str) -> None:
    assert why in fails(over, *command.split(), "--round", number)


def test_round_one_of_a_game_without_another_is_the_game(played: Game) -> None:
    for command in (["log"], ["scores"], ["audit"], ["history", "2"]):
        assert played.json(*command, "--round", "1") == played.json(*command)


def test_no_round_begins_while_the_game_goes_on(played: Game) -> None:
    assert "round 1 goes on: nobody has won it yet" in fails(played, "new-round")


def test_a_second_round_in_a_row_is_refused(over: Game) -> None:
    over.does("new-round")
    assert "round 2 goes on: nobody has won it yet" in fails(over, "new-round")


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (["--rules", "chess"], "there is no rulebook 'chess' to start from"),
        (["--rules", "suber", "--lang", "xx"], "suber is not there in 'xx'"),
        (["--lang", "en"], "--lang is for a rulebook that ships"),
        (["--rules"], "requires an argument"),
        (["--force"], "No such option: --force"),
        (["here"], "unexpected extra argument"),
    ],
)
def test_a_round_that_cannot_begin_leaves_everything_as_it_was(over: Game, options: list[str], why: str) -> None:
    assert why in fails(over, "new-round", *options)


def test_in_a_round_by_surname_the_login_stands_in_until_a_surname_is_given(over: Game) -> None:
    said = over.does("new-round", "--rules", "suber-mail")
    assert said.startswith("Round 2 begins: the suber-mail rulebook")
    assert (
        "\nTurns go by surname (rule 201). Until they give theirs, the login stands in for alice, bob and carol: "
        "nomic-git surname SURNAME\n"
    ) in said
    assert over.json("scores")["turn"]["player"] == "alice"
    over.does("surname", "Zander", "--as", "alice")
    over.does("referee")
    assert over.json("scores")["turn"]["player"] == "bob"
    assert over.json("audit")["irregular"] == []


def test_of_surnames_nothing_is_said_in_a_round_that_does_not_go_by_them(over: Game) -> None:
    assert "surname" not in over.does("new-round", "--rules", "suber")


def test_after_the_end_players_are_told_how_to_go_on(over: Game) -> None:
    words = over.write("tea.md", "Tea.\n")
    assert "begin another round with: nomic-git new-round" in fails(over, "propose", "enact", words, "--as", "bob")


def test_no_round_begins_in_a_bare_clone_or_in_no_game(over: Game, tmp_path: Path) -> None:
    over.git("clone", "-q", "--bare", ".", str(tmp_path / "bare"))
    assert "this clone is bare" in Game(tmp_path / "bare", over.clock).ask("new-round").err
    (tmp_path / "empty").mkdir()
    assert Game(tmp_path / "empty", over.clock).ask("new-round").code == 2


def test_a_shared_game_gets_its_round_from_any_clone(over: Game, tmp_path: Path) -> None:
    over.git("clone", "-q", "--bare", ".", str(tmp_path / "shared"))
    over.git("clone", "-q", str(tmp_path / "shared"), str(tmp_path / "bob"))
    bob = Game(tmp_path / "bob", over.clock)
    bob.does("sync")
    bob.does("new-round")
    later = Game(tmp_path / "carol", bob.clock)
    over.git("clone", "-q", str(tmp_path / "shared"), str(tmp_path / "carol"))
    assert [one["event"] for one in later.json("log")][-1] == "founded"
    assert later.json("audit", "--round", "2") == {"events": 1, "irregular": [], "scores_match": True}


def test_a_shallow_clone_says_what_it_lacks(over: Game, tmp_path: Path) -> None:
    over.does("new-round")
    over.git("clone", "-q", "--depth", "1", f"file://{over.folder}", str(tmp_path / "shallow"))
    shallow = Game(tmp_path / "shallow", over.clock)
    assert shallow.json("scores")["winner"] is None
    for command in (["scores", "--round", "1"], ["log", "--round", "2"], ["history", "1"]):
        answer = shallow.ask(*command)
        assert (answer.code, "git fetch --unshallow" in answer.err) == (2, True)


def test_after_a_win_it_is_told_by_which_rule_and_how_to_go_on(over: Game) -> None:
    said = over.does("scores")
    assert said.endswith(
        "alice has won.\nThe game is over (rule 1); another round begins with: nomic-git new-round\n"
    ), said
    over.does("new-round")
    assert over.does("scores", "--round", "1").endswith("alice has won.\n")
    assert "In round 2 since" in over.does("players").splitlines()[0]


def test_a_new_round_says_whose_turn_it_is(over: Game) -> None:
    said = over.does("new-round", "--rules", "suber-1982", "--lang", "en")
    assert "\nIt is the turn of alice (rule 201); no circuit is complete yet.\n" in said


def test_a_rule_is_found_in_a_later_round_by_the_number_that_it_had_before(over: Game) -> None:
    over.does("new-round")
    assert over.does("show", "-105").startswith("Rule 1: Goal\n")
    lived = over.json("history", "-105")
    assert lived == over.json("history", "1")
    assert [one["number"] for one in lived] == [1]
    assert "in force when round 2 began" in over.does("history", "-105")
    assert "in force from the founding" in over.does("history", "-105", "--round", "1")
