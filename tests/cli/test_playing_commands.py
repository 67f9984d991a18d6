"""Commands that play: proposing, voting, taking back, joining, leaving, starting a game."""

from __future__ import annotations

from pathlib import Path

import pytest
from program import FOUNDED, Game, ask, git

from nomic_git.game.player import read_player


def test_a_founder_may_write_logins_in_capitals_and_addresses(tmp_path: Path) -> None:
    seats = ("--player", "Ann=Ann Example <ann@example.org>", "--player", "BEN= Ben  < ben@example.org > ")
    assert "Players: Ann, BEN." in ask("new", tmp_path / "ours", *seats).out
    files = [read_player(one, (tmp_path / f"ours/players/{one}.md").read_bytes()) for one in ("Ann", "BEN")]
    assert [(one.name, one.email) for one in files] == [("Ann Example", "ann@example.org"), ("Ben", "ben@example.org")]


def test_new_founds_a_game_with_its_players_in_one_commit(tmp_path: Path) -> None:
    answer = ask("new", tmp_path / "ours", "--rules", "suber-1982", "--player", "ann=Ann Example", "--player", "ben")
    assert (answer.code, answer.err) == (0, "")
    assert "Players: ann, ben." in answer.out
    assert git(tmp_path / "ours", "rev-list", "--count", "HEAD") == "1"
    assert git(tmp_path / "ours", "status", "--porcelain") == ""
    assert [one["name"] for one in ask("-C", tmp_path / "ours", "players", "--json").json] == ["Ann Example", "ben"]
    assert {one["number"] for one in ask("-C", tmp_path / "ours", "rules", "--json").json} >= {101, 201, 213}


@pytest.mark.parametrize("name", ["github", "suber", "suber-1982", "suber-mail"])
def test_a_game_starts_from_every_rulebook_that_ships(tmp_path: Path, name: str) -> None:
    players = ("--player", "anna=Åberg, Anna", "--player", "ben=Bell, Ben")
    assert ask("new", tmp_path / "ours", "--rules", name, *players).code == 0
    assert ask("-C", tmp_path / "ours", "check").code == 0
    assert ask("-C", tmp_path / "ours", "audit", "--json").json["irregular"] == []


def test_new_adds_a_game_to_a_repository_that_has_none(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q", "-b", "trunk")
    (tmp_path / "code.c").write_text("int main;\n")
    git(tmp_path, "add", "code.c")
    git(tmp_path, "-c", "user.name=A", "-c", "user.email=a@x.invalid", "commit", "-q", "-m", "Begin")
    assert ask("-C", tmp_path, "new", ".").code == 0
    assert (tmp_path / "code.c").read_text() == "int main;\n"
    assert git(tmp_path, "status", "--porcelain") == ""
    assert git(tmp_path, "symbolic-ref", "--short", "HEAD") == "trunk"
    assert ask("-C", tmp_path, "scores").code == 0
    assert "Join the game" in ask("new", tmp_path / "other").out


def test_demo_plays_to_a_winner_in_the_folder_given(tmp_path: Path) -> None:
    answer = ask("demo", tmp_path / "show")
    assert (answer.code, answer.err) == (0, "")
    assert "has won." in answer.out
    assert ask("-C", tmp_path / "show", "scores", "--json").json["winner"] is not None


def test_words_alone_amend_a_rule_and_leave_its_provisions(game: Game) -> None:
    words = game.write("words.md", "Whoever first has two hundred points wins.\n")
    said = game.does("propose", "amend", "-105", words, "--title", "Say it shorter", "--as", "bob")
    assert said.startswith("Proposal 1: amend rule -105, by bob \N{EM DASH} Say it shorter\nIt is being voted on.\n")
    file = game.git("show", "refs/nomic/proposals/1/head:rules/mutable/-105.md")
    assert "victory.points: 200" in file
    assert file.endswith("---\n\nWhoever first has two hundred points wins.")


def test_a_file_with_front_matter_is_the_whole_rule(game: Game) -> None:
    rule = game.write("rule.md", "---\nprovisions:\n  victory.points: 90\n---\n\nNinety points win.\n")
    game.does("propose", "amend", "-105", rule, "--as", "bob")
    game.vote(1, alice="for", carol="for")
    game.does("referee")
    assert game.json("show", "1")["provisions"] == {"victory.points": 90}
    assert game.json("show", "1")["formerly"] == [-105]
    assert game.json("scores")["target"] == 90


def test_the_words_may_come_from_standard_input(game: Game) -> None:
    game.does("propose", "enact", "-", "--as", "bob", given=b"There is tea.\n")
    assert game.git("show", "refs/nomic/proposals/1/head:rules/mutable/new-rule.md") == "There is tea."


def test_a_file_is_found_from_where_the_player_stands(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    (game.folder / "drafts").mkdir()
    (game.folder / "drafts" / "tea.md").write_text("There is tea.\n")
    game.does("propose", "enact", "drafts/tea.md", "--as", "bob")
    monkeypatch.chdir(game.folder / "drafts")
    assert ask("propose", "enact", "tea.md", "--as", "carol").code == 0


def test_proposing_changes_neither_the_branch_nor_the_work_tree(game: Game) -> None:
    before = game.everything()
    game.does("propose", "repeal", "-106", "--as", "bob")
    after = game.everything()
    assert {key for key in after if after[key] != before.get(key)} == {"refs"}


def test_repeal_and_transmute_take_negative_numbers(game: Game) -> None:
    assert "repeal rule -106" in game.does("propose", "repeal", "-106", "--as", "bob")
    assert "transmute rule -206" in game.does("propose", "transmute", "-206", "--as", "carol")


def test_update_gives_a_proposal_other_words_and_voids_votes_for_the_old(game: Game) -> None:
    file = game.write("tea.md", "There is tea.\n")
    game.does("propose", "enact", file, "--as", "bob")
    game.vote(1, alice="for")
    file.write_text("There is coffee.\n")
    said = game.does("propose", "enact", file, "--update", "1", "--as", "bob")
    assert said.startswith("Proposal 1:")
    found = game.json("tally", "1")
    assert (found["for"], found["uncounted"][0]["player"]) == (["bob"], "alice")
    assert [one["proposal"] for one in game.json("proposals")] == [1]


def test_a_draft_is_debated_until_its_author_says_it_is_ready(game: Game) -> None:
    file = game.write("tea.md", "There is tea.\n")
    assert "It is in debate" in game.does("propose", "enact", file, "--draft", "--as", "bob")
    said = "Said on proposal 1; everybody can read it with: nomic-git read 1\n"
    assert game.does("comment", "1", "Green tea?", "--as", "alice") == said
    assert "Green tea?" in game.does("read", "1")
    assert "It is being voted on" in game.does("ready", "1", "--as", "bob")
    assert "It is in debate" in game.does("ready", "1", "--draft", "--as", "bob")
    game.does("ready", "1", "--as", "bob")
    game.vote(1, alice="for", carol="for")
    game.does("referee")
    assert game.json("tally", "1")["outcome"] == "adopted"


def test_making_it_a_draft_again_concedes_once_another_has_voted(game: Game) -> None:
    game.does("propose", "repeal", "-106", "--as", "bob")
    game.vote(1, alice="for")
    assert "defeated" in game.does("ready", "1", "--draft", "--as", "bob")
    game.does("referee")
    assert game.json("tally", "1")["outcome"] == "defeated"


def test_no_vote_counts_in_a_debate(game: Game) -> None:
    game.does("propose", "repeal", "-106", "--draft", "--as", "bob")
    game.vote(1, alice="for")
    found = game.json("tally", "1")
    assert (found["stage"], found["for"], found["outcome"]) == ("debate", [], None)


def test_a_comment_keeps_its_words_even_where_they_look_like_a_number(game: Game) -> None:
    game.does("propose", "repeal", "-106", "--as", "bob", "--title", "-7")
    assert "\N{EM DASH} -7\n" in game.does("tally", "1")
    game.does("comment", "1", "-12", "--as", "alice")
    assert game.git("grep", "-h", "-e", "-12", "refs/nomic/proposals/1/log/alice") == "-12"


def test_a_vote_can_be_changed_and_taken_back(game: Game) -> None:
    game.does("propose", "repeal", "-106", "--as", "bob")
    game.vote(1, alice="for")
    assert game.json("tally", "1")["for"] == ["alice", "bob"]
    game.vote(1, alice="none")
    found = game.json("tally", "1")
    assert found["for"] == ["bob"]
    assert found["waiting_for"] == ["alice", "carol"]
    assert found["uncounted"] == [{"player": "alice", "vote": "none", "reason": "taken back by its voter"}]
    game.vote(1, alice="against")
    assert game.json("tally", "1")["outcome"] == "defeated"


def test_an_author_may_vote_against_the_own_proposal(game: Game) -> None:
    game.does("propose", "repeal", "-106", "--as", "bob")
    game.vote(1, bob="against")
    found = game.json("tally", "1")
    assert (found["for"], found["against"]) == ([], ["bob"])


def test_withdrawing_is_free_until_another_has_voted(game: Game) -> None:
    game.does("propose", "repeal", "-106", "--as", "bob")
    game.does("withdraw", "1", "--as", "bob")
    game.does("referee")
    assert game.json("log")[-1]["event"] == "withdrawn"
    game.does("propose", "repeal", "-106", "--as", "bob")
    game.vote(2, carol="for")
    game.does("withdraw", "2", "--as", "bob")
    game.does("referee")
    assert game.json("log")[-1]["event"] == "defeated"
    assert {one["login"]: one["points"] for one in game.json("scores")["players"]}["bob"] == 11 - 10


def test_a_login_is_compared_without_regard_to_case(game: Game) -> None:
    game.does("propose", "repeal", "-106", "--as", "BOB")
    game.does("vote", "1", "for", "--as", "Alice")
    assert game.json("tally", "1")["for"] == ["alice", "bob"]


def test_the_player_whose_file_has_the_address_of_git_acts(game: Game) -> None:
    game.git("config", "user.email", "Dora@Example.invalid")
    game.does("join", "--as", "dora", "--name", "Dora")
    game.vote(1, alice="for", bob="for")
    game.does("referee")
    game.does("propose", "repeal", "-106")
    assert game.git("log", "-1", "--format=%an <%ae>", "refs/nomic/proposals/2/head") == "Dora <Dora@Example.invalid>"
    game.git("config", "user.email", "dora@example.INVALID")
    assert game.does("proposals", "--mine") == "No proposal waits for dora's vote; 1 open in all.\n"
    game.does("withdraw", "2")


def test_teams_and_who_may_consult_are_shown_with_the_players(tmp_path: Path) -> None:
    at = ("-C", tmp_path / "ours")
    assert ask("new", tmp_path / "ours", "--rules", "suber-1982", "--player", "ann").code == 0
    assert "Team " not in ask(*at, "players").out
    assert ask(*at, "join", "--as", "ben", "--team", "Red").code == 0
    assert ask(*at, "referee").code == 0
    assert [one["team"] for one in ask(*at, "players", "--json").json] == [None, "Red"]
    said = ask(*at, "players").out.splitlines()
    assert said[0].split() == ["Player", "Name", "Team", "E-mail", "Joined"]
    assert said[-1] == "Only team-mates may consult each other about rule-changes that are yet to be made (rule 210)."
    assert ask(*at, "law", "--json").json["players.consulting"]["rule"] == 210


def test_joining_is_put_to_the_vote(game: Game) -> None:
    said = game.does("join", "--as", "dave", "--name", "Dave", "--surname", "Example", "--email", "d@x.invalid")
    assert "let dave join" in said
    assert game.json("tally", "1")["change"] == {"kind": "join", "rule": None}
    game.does("referee")
    assert len(game.json("players")) == 3
    game.vote(1, alice="for", bob="for")
    game.does("referee")
    assert game.json("players")[-1]["name"] == "Dave"
    assert (game.folder / "players" / "dave.md").read_text() == (
        '---\nname: Dave\nsurname: Example\nemail: "d@x.invalid"\n---\n'
    )


def test_joining_is_open_while_nobody_plays(tmp_path: Path) -> None:
    game = Game(tmp_path / "game", FOUNDED)
    game.folder.mkdir()
    game.does("new", ".")
    assert game.does("players") == "Nobody is in the game; to join it: nomic-git join\n"
    game.does("join", "--as", "ann")
    game.does("referee")
    game.does("join", "--as", "ben")
    game.does("referee")
    assert [one["login"] for one in game.json("players")] == ["ann", "ben"]


def test_forfeiting_is_always_allowed(game: Game) -> None:
    assert "let carol forfeit" in game.does("forfeit", "--as", "carol")
    game.does("referee")
    assert [one["login"] for one in game.json("players")] == ["alice", "bob"]
    assert not (game.folder / "players" / "carol.md").exists()
    assert game.json("log")[-1]["event"] == "forfeited"


def test_a_player_goes_away_and_comes_back(game: Game) -> None:
    assert "takes a rule-change first" in game.ask("away", "--as", "carol").err
    rule = game.write("leave.md", "---\nprovisions:\n  players.leave: allowed\n---\n\nTravel.\n")
    game.does("propose", "enact", rule, "--as", "alice")
    game.vote(1, bob="for", carol="for")
    game.does("referee")
    said = game.ask("back", "--as", "carol").err
    assert said == "nomic-git: carol is not away, so there is nothing to come back from\n"
    before = (game.folder / "players" / "carol.md").read_text()
    assert game.does("away", "--as", "carol").startswith("Proposal 2: note that carol is away, by carol\n")
    assert "carol has asked to be away already: proposal 2;" in game.ask("away", "--as", "carol").err
    game.does("referee")
    assert "away: true\n" in (game.folder / "players" / "carol.md").read_text()
    assert [one["away"] for one in game.json("players")] == [False, False, True]
    assert "carol has been away since 20" in game.does("players")
    assert game.does("tally", "2").splitlines()[1:] == ["It is adopted."]
    assert "carol is away already" in game.ask("away", "--as", "carol").err
    game.does("propose", "repeal", "-106", "--as", "alice")
    game.does("referee")
    assert game.json("tally", "3")["waiting_for"] == ["bob"]
    assert game.does("back", "--as", "carol").startswith("Proposal 4: note that carol is back, by carol\n")
    game.does("referee")
    assert (game.folder / "players" / "carol.md").read_text() == before
    assert [one["away"] for one in game.json("players")] == [False, False, False]
    assert "been away" not in game.does("players")
    assert [one["event"] for one in game.json("log")[-3:]] == ["adopted", "away", "back"]
    assert game.json("audit")["irregular"] == []


def test_a_change_that_would_be_an_absence_is_checked(game: Game) -> None:
    file = game.folder / "players" / "carol.md"
    game.git("switch", "-q", "-c", "away")
    file.write_text(file.read_text().replace("---\n", "---\naway: true\n", 1))
    game.git("-c", "user.name=C", "-c", "user.email=c@x.invalid", "commit", "-q", "-a", "-m", "Away")
    assert "carol cannot be away in this game" in game.ask("check", "away").out
    file.write_text(file.read_text().replace("away: true", "away: soon"))
    assert "away is to be true or false" in game.ask("check").out


def test_a_proposal_that_goes_stale_is_blocked_and_says_why(game: Game) -> None:
    game.does("propose", "amend", "-105", game.write("a.md", "One.\n"), "--as", "alice")
    game.does("propose", "amend", "-105", game.write("b.md", "Two.\n"), "--as", "bob")
    game.vote(1, bob="for", carol="for")
    game.does("referee")
    found = game.json("tally", "2")
    assert found["stage"] == "blocked"
    assert "is now rule 1" in found["reasons"][0]


def test_a_winner_ends_the_game(game: Game) -> None:
    rule = game.write("rule.md", "---\nprovisions:\n  victory.points: 5\n---\n\nFive points win.\n")
    game.does("propose", "amend", "-105", rule, "--as", "bob")
    game.vote(1, alice="for", carol="for")
    game.does("referee")
    assert game.json("scores")["winner"] == "bob"
    said = game.does("scores")
    assert said.endswith("bob has won.\nThe game is over (rule 1); another round begins with: nomic-git new-round\n")


def test_where_all_have_left_nothing_is_told_that_was_otherwise(tmp_path: Path) -> None:
    game = Game(tmp_path / "game")
    game.folder.mkdir()
    game.does("new", ".", "--player", "alice")
    game.does("propose", "enact", game.write("tea.md", "Tea.\n"), "--as", "alice")
    game.does("forfeit", "--as", "alice")
    game.does("referee")
    assert game.does("players") == "Nobody is in the game; to join it: nomic-git join\n"
    said = game.does("tally", "1")
    assert said.startswith("Proposal 1: enact a rule, by alice\nIt is withdrawn.\n")
    assert "no lawful rule-change" not in said


def test_on_a_complete_vote_nothing_is_changed_any_more(game: Game) -> None:
    game.does("propose", "enact", game.write("tea.md", "Tea.\n"), "--as", "bob")
    game.vote(1, alice="for", carol="for")
    before, words = game.everything(), game.write("gin.md", "Gin.\n")
    for late, call in {
        "give it other words": ("propose", "enact", words, "--update", "1", "--as", "bob"),
        "take it back": ("withdraw", "1", "--as", "bob"),
        "make it a draft": ("ready", "1", "--draft", "--as", "bob"),
        "vote": ("vote", "1", "against", "--as", "carol"),
    }.items():
        answer = game.ask(*call)
        assert (answer.code, answer.out) == (2, "")
        assert answer.err.startswith(
            f"nomic-git: proposal 1 is decided: adopted; it is too late to {late}: the vote was complete at 2023-11-1"
        )
        assert answer.err.endswith(" UTC (rule -110)\n")
    assert game.everything() == before
    game.does("referee")
    assert "+Tea.\n" in game.does("read", "1")


def test_a_vote_of_the_second_in_which_it_is_complete_counts_with_the_others(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    game.does("propose", "enact", game.write("tea.md", "Tea.\n"), "--as", "bob")
    game.vote(1, alice="for", carol="for")
    monkeypatch.setenv("GIT_COMMITTER_DATE", f"@{game.clock} +0000")
    answer = ask("-C", game.folder, "vote", "1", "against", "--as", "carol")
    assert (answer.code, answer.err) == (0, "")
    assert game.json("tally", "1")["against"] == ["carol"]
