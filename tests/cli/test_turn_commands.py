"""Whose turn it is and how much time is left, as the commands tell it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from program import FOUNDED, Game

from nomic_git.forges.local import LocalForge
from nomic_git.repository.clone import open_clone

TABLE = ("alice=Zorn, Alice", "bob=Moss, Bob", "carol=Ash, Carol")
SOON = "---\nprovisions:\n  votes.deadline: soon\n---\n\nSoon.\n"
NO_DURATION = (
    "is no length of time as it is written here: ten years at most, in minutes, hours, days or weeks such as 90m"
)


def founded(folder: Path, book: str) -> Game:
    game = Game(folder / "game")
    game.folder.mkdir()
    game.does("new", ".", "--rules", book, *(word for name in TABLE for word in ("--player", name)))
    return game


@pytest.fixture
def table(tmp_path: Path) -> Game:
    """A game by the rulebook `suber`, clockwise."""
    return founded(tmp_path, "suber")


@pytest.fixture
def mail(tmp_path: Path) -> Game:
    """A game by the rulebook `suber-mail`, by surname."""
    return founded(tmp_path, "suber-mail")


def test_scores_and_players_say_whose_turn_it_is(table: Game) -> None:
    said = "It is the turn of alice (rule 201); no circuit is complete yet."
    assert said in table.does("scores")
    assert said in table.does("players")
    assert table.json("scores")["turn"] == {"player": "alice", "circuit": 1}
    for at, login in enumerate(("alice", "bob", "carol"), start=1):
        rule = table.write(f"{login}.md", f"{login} was here.\n")
        table.does("propose", "enact", rule, "--as", login)
        table.vote(at, **{other: "for" for other in ("alice", "bob", "carol") if other != login})
        table.does("referee")
    assert table.json("scores")["turn"] == {"player": "alice", "circuit": 2}
    assert "It is the turn of alice (rule 201); 1 circuit is complete." in table.does("scores")
    assert "It is the turn of alice, in circuit 2." in (table.folder / "SCORES.md").read_text("utf-8")
    assert table.json("audit")["irregular"] == []


def test_scores_and_players_say_when_the_turn_passes_on(table: Game) -> None:
    assert "passes on" not in table.does("scores")
    day = "---\nprovisions:\n  turns.order: clockwise\n  turns.deadline: 1d\n---\n\nA turn lasts a day.\n"
    table.does("propose", "amend", "201", table.write("day.md", day), "--as", "alice")
    table.vote(1, bob="for", carol="for")
    table.does("referee")
    for command in ("scores", "players"):
        said = table.does(command)
        assert re.search(
            r"It passes on at \S+ \S+ UTC unless a proposal by bob opens to the vote by then \(rule 301\)", said
        )


def test_by_surname_whoever_is_first_by_surname_begins(mail: Game) -> None:
    assert mail.json("scores")["turn"] == {"player": "carol", "circuit": 1}
    assert "It is the turn of carol (rule 201)" in mail.does("players")


def test_where_turns_have_no_order_it_is_nobodys(game: Game) -> None:
    assert game.json("scores")["turn"] == {"player": None, "circuit": 1}
    assert "turn of" not in game.does("scores") + game.does("players")


def test_founding_says_who_begins(tmp_path: Path) -> None:
    words = (word for name in TABLE for word in ("--player", name))
    said = Game(tmp_path).does("new", "mail", "--rules", "suber-mail", *words)
    assert "nomic-git propose enact FILE --as carol\nIt is the turn of carol (rule 201)" in said
    alone = Game(tmp_path).does("new", "empty", "--rules", "suber-mail")
    assert "nomic-git join --as LOGIN --surname SURNAME" in alone


def test_the_docket_and_the_tally_say_what_a_proposal_waits_for(table: Game) -> None:
    said = table.does("propose", "enact", table.write("tea.md", "Tea.\n"), "--as", "bob")
    reason = "It is the turn of alice. This one is taken up by itself when the turn of bob comes. (rule 201)"
    assert reason in said
    assert f"Proposal 1 waits: {reason}" in table.does("proposals")
    assert reason in table.does("tally", "1")
    tally = table.json("tally", "1")
    assert (tally["stage"], tally["reasons"]) == ("waiting", [reason])
    assert table.json("proposals") == [tally]


def test_the_tally_counts_down_to_a_deadline(game: Game) -> None:
    week = game.write("week.md", "---\nprovisions:\n  votes.deadline: 7d\n---\n\nA week is enough.\n")
    game.does("propose", "enact", week, "--as", "alice")
    game.vote(1, bob="for", carol="for")
    game.does("referee")
    game.does("propose", "enact", game.write("tea.md", "Tea.\n"), "--as", "bob")
    said = game.does("tally", "2")
    assert "Time:        The vote ends at 2023-11-2" in said
    assert "in about 7 days, whoever has voted (rule 1); it waits for alice and carol." in said
    assert said.count("Time:") == 1
    game.clock += 8 * 86_400
    game.does("referee")
    resolved = game.json("log")[-1]
    assert (resolved["event"], resolved["proposal"]) == ("defeated", 2)
    assert "alice and carol had not voted in time (rule 1)" in game.does("read", "2")
    assert "Time:" not in game.does("tally", "2")
    assert game.json("audit")["irregular"] == []


def test_a_deadline_that_does_not_parse_gets_one_clear_answer(game: Game) -> None:
    soon = game.write("soon.md", SOON)
    answer = game.ask("check", soon)
    assert (answer.code, answer.err) == (1, "")
    assert len(answer.out.splitlines()) == 1
    assert f"votes.deadline: 'soon' {NO_DURATION}" in answer.out
    refused = game.ask("propose", "enact", soon, "--as", "alice")
    assert (refused.code, refused.out) == (2, "")
    assert NO_DURATION in refused.err
    assert len(refused.err.splitlines()) == 1


def test_a_proposal_with_a_deadline_that_does_not_parse_is_improper_and_says_why(game: Game) -> None:
    game.git("switch", "-q", "-c", "hasty")
    (game.folder / "rules" / "mutable" / "soon.md").write_text(SOON, "utf-8")
    game.git("add", "-A")
    game.git("-c", "user.name=A", "-c", "user.email=a@x.invalid", "commit", "-q", "-m", "Be hasty")
    game.git("switch", "-q", "-")
    game.ask("propose", "branch", "hasty", "--as", "alice")
    assert game.json("proposals") == []
    head = game.git("rev-parse", "hasty")
    LocalForge(open_clone(game.folder)).propose("alice", head, "", FOUNDED + 1, draft=False)
    tally = game.json("tally", "1")
    assert tally["stage"] == "improper"
    [reason] = tally["reasons"]
    assert NO_DURATION in reason
    assert "cannot be read as a rule" in reason


def test_a_join_with_its_majority_says_why_it_waits(tmp_path: Path) -> None:
    table = Game(tmp_path / "table")
    table.folder.mkdir()
    seats = (word for login in ("alice", "bob", "carol") for word in ("--player", login))
    table.does("new", ".", "--rules", "suber", *seats)
    rule = table.write("vote.md", "---\nprovisions:\n  players.joining: vote\n---\n\nVote on whoever comes.\n")
    table.does("propose", "enact", rule, "--as", "alice")
    table.does("referee")
    table.vote(1, bob="for", carol="for")
    table.does("referee")
    table.does("join", "--as", "dora")
    table.does("referee")
    table.vote(2, alice="for", bob="for")
    assert "Ends:        Everybody must vote, and it waits for carol (rule 105).\n" in table.does("tally", "2")
    table.vote(2, carol="against")
    assert "Everybody must vote" not in table.does("tally", "2")


def test_a_vote_that_only_the_debate_keeps_open_waits_for_nobody(table: Game) -> None:
    rule = table.write("debate.md", "---\nprovisions:\n  debate.minimum: 7d\n---\n\nDebate for a week.\n")
    table.does("propose", "enact", rule, "--as", "alice")
    table.vote(1, bob="for", carol="for")
    table.does("referee")
    table.does("propose", "enact", table.write("tea.md", "Tea.\n"), "--as", "bob")
    table.vote(2, alice="for", carol="for")
    tallied = table.does("tally", "2")
    assert "Waiting for: nobody\n" in tallied
    assert "it waits for" not in tallied
    passed = table.does("referee")
    assert "All have voted on proposal 2 (number 302 of the rulebook). The vote ends at " in passed
    assert "there is time to debate it (rule 301)." in passed
    assert "waits for the vote of" not in passed


def test_a_tally_says_whose_vote_the_deadline_cast(tmp_path: Path) -> None:
    game = founded(tmp_path, "github")
    rule = game.write("end.md", "---\nprovisions:\n  votes.deadline: 1d\n  votes.absent: for\n---\n\nA day.\n")
    game.does("propose", "enact", rule, "--as", "alice")
    game.vote(1, bob="for", carol="for")
    game.does("referee")
    game.does("propose", "enact", game.write("tea.md", "Tea.\n"), "--as", "bob")
    game.vote(2, carol="for")
    said = "alice had not voted in time (rule 1), and that counted as a vote for (rule 1)."
    assert said not in game.does("tally", "2")
    game.clock += 2 * 24 * 60 * 60
    assert "It is decided: adopted; " in (before := game.does("tally", "2"))
    assert f"\n  {said}\n" in before
    game.does("referee")
    assert f"It is adopted.\n  {said}\nFor:         alice (had not voted in time), bob, carol\n" in game.does(
        "tally", "2"
    )
    assert game.json("tally", "2")["reasons"] == [said]
    assert game.does("read", "2").count(said) == 1


def test_the_tally_puts_no_vote_in_the_mouth_of_who_has_not_voted(game: Game) -> None:
    words = "---\nprovisions:\n  votes.deadline: 7d\n  votes.absent: against\n---\n\nA week is enough.\n"
    game.does("propose", "enact", game.write("week.md", words), "--as", "alice")
    game.vote(1, bob="for", carol="for")
    game.does("referee")
    game.does("propose", "enact", game.write("tea.md", "Tea.\n"), "--as", "bob")
    game.vote(2, alice="for")
    game.clock += 8 * 86_400
    absent = "For:         alice, bob\nAgainst:     carol (had not voted in time)\n"
    assert absent in game.does("tally", "2")
    late = game.ask("vote", "2", "against", "--as", "carol").err
    assert "it is too late to vote: the vote was over at 2023-11-2" in late
    assert late.endswith(", its deadline (rule 1)\n")
    game.does("referee")
    assert absent in game.does("tally", "2")
    assert game.json("tally", "2")["against"] == ["carol"]


HURRIED = (
    "---\nprovisions:\n  turns.order: clockwise\n  turns.deadline: 1h\n  votes.deadline: 60m\n"
    "  votes.absent: against\n---\n\nTurns and votes take an hour.\n"
)


@pytest.fixture
def hurried(game: Game) -> Game:
    """A game in which turns and votes have an hour each: it is bob's turn, and carol's proposal 2 waits."""
    game.does("propose", "amend", "-112", game.write("hurried.md", HURRIED), "--as", "alice")
    game.vote(1, bob="for", carol="for")
    game.does("referee")
    game.does("propose", "enact", game.write("tea.md", "Tea.\n"), "--as", "carol")
    return game


def test_a_vote_when_the_time_is_up_is_told_as_the_referee_will_count_it(hurried: Game) -> None:
    assert hurried.json("tally", "2")["stage"] == "waiting"
    hurried.clock += 2 * 3_600
    before = hurried.json("tally", "2")
    assert (before["stage"], before["outcome"]) == ("voting", "defeated")
    answer = hurried.ask("vote", "2", "for", "--as", "alice")
    assert (answer.code, answer.out) == (2, "")
    assert "proposal 2 is decided: defeated; it is too late to vote: " in answer.err
    told = hurried.json("tally", "2")
    hurried.does("referee")
    after = hurried.json("tally", "2")
    for key in ("for", "against", "uncounted", "outcome", "eligible", "threshold"):
        assert told[key] == after[key], key
    assert after["stage"] == "defeated"
    assert hurried.json("audit")["irregular"] == []


def test_the_turn_is_told_as_it_is_when_the_time_is_up(hurried: Game) -> None:
    assert "It is the turn of bob" in hurried.does("scores")
    hurried.clock += 2_400
    for command in ("scores", "players"):
        said = hurried.does(command)
        assert "It is the turn of carol (rule 1); no circuit is complete yet. That is not in the history yet;" in said
        assert "passes on at" not in said
        assert "A proposal by carol is in the vote, so that the turn has begun and does not pass on (rule 1)" in said
    assert "It is being voted on." in hurried.does("tally", "2")
    assert "passes on" not in hurried.does("tally", "2")
    assert hurried.json("scores")["turn"]["player"] == "bob"


def test_what_is_decided_is_told_alike_by_every_command(table: Game) -> None:
    table.does("propose", "enact", table.write("tea.md", "Tea.\n"), "--as", "alice")
    table.vote(1, bob="for", carol="for")
    said = "decided: adopted"
    assert f"It is {said}; the referee's next pass carries it out" in table.does("tally", "1")
    assert f"It is {said}; the referee's next pass carries it out" in table.does("read", "1")
    assert said in table.does("proposals")
    [plain] = table.json("proposals")
    assert (plain["stage"], plain["outcome"], plain["number"]) == ("voting", "adopted", None)
    table.does("forfeit", "--as", "carol")
    assert "granted" in table.does("proposals")
    assert "It is granted; the referee's next pass" in table.does("read", "2")


def test_what_is_proposed_after_somebody_went_away_does_not_wait_for_them(game: Game) -> None:
    leave = "---\nprovisions:\n  players.leave: allowed\n---\n\nPlayers may be away.\n"
    game.does("propose", "enact", game.write("leave.md", leave), "--as", "alice")
    game.vote(1, bob="for", carol="for")
    game.does("referee")
    game.does("away", "--as", "bob")
    game.does("propose", "enact", game.write("tea.md", "Tea.\n"), "--as", "alice")
    before = game.json("tally", "3")
    assert before["waiting_for"] == ["carol"]
    game.does("referee")
    assert game.json("tally", "3") == before


def test_what_is_withdrawn_is_in_nobodys_way_before_the_referee_has_looked(game: Game) -> None:
    game.does("propose", "enact", game.write("tea.md", "Tea.\n"), "--as", "alice")
    game.does("withdraw", "1", "--as", "alice")
    said = game.does("propose", "enact", game.write("more.md", "More tea.\n"), "--as", "alice")
    assert "has proposal 1 open" not in said
    assert "It is being voted on." in said
    before = game.json("tally", "2")
    game.does("referee")
    assert game.json("tally", "2") == before


def test_a_proposal_is_called_by_both_its_numbers_throughout(table: Game) -> None:
    tea = table.write("tea.md", "There is tea.\n")
    table.does("propose", "enact", tea, "--as", "alice")
    passed = table.does("referee")
    both = "1 (number 301 of the rulebook)"
    assert f"\nProposal {both} waits for the vote of bob, carol.\n" in passed
    assert table.does("proposals").splitlines()[:2] == [
        "Proposal  Number  What it would do  By     Stage   For  Against  Waiting for",
        "       1     301  enact a rule      alice  voting    1        0  bob, carol",
    ]
    table.vote(1, bob="for", carol="for")
    done = f"Adopt proposal {both}: enact rule 301"
    assert table.does("referee").startswith(done)
    assert done in table.does("log")
    # The message of the event is as it ever was.
    assert table.git("log", "-1", "--format=%s") == "Adopt proposal 301: enact rule 301"


def test_a_deadline_and_that_everybody_must_vote_do_not_contradict_each_other(game: Game) -> None:
    both = "---\nprovisions:\n  votes.participation: required\n  votes.deadline: 7d\n---\n\nVote within a week.\n"
    game.does("propose", "amend", "-110", game.write("both.md", both), "--as", "alice")
    game.vote(1, bob="for", carol="for")
    game.does("referee")
    game.does("propose", "enact", game.write("tea.md", "Tea.\n"), "--as", "bob")
    said = game.does("tally", "2")
    assert (
        "Ends:        Until the time is up, it waits for alice and carol, since everybody must vote (rule 1).\n" in said
    )
    assert "whoever has voted (rule 1)" in said


def test_a_login_is_read_without_the_blanks_around_it(game: Game) -> None:
    assert game.does("propose", "enact", game.write("tea.md", "Tea.\n"), "--as", "alice ")


def test_a_file_without_effect_as_a_new_rule_is_told_as_the_amendment_that_it_may_be(table: Game) -> None:
    turns = table.write("turns.md", "---\nprovisions:\n  turns.order: open\n---\n\nAnybody begins.\n")
    said = table.does("check", turns)
    assert "would have no effect" in said
    assert "As an amendment it would take the place of rule 201: nomic-git propose amend 201 turns.md\n" in said


def test_one_point_wins_and_a_game_elsewhere_is_pointed_to(game: Game) -> None:
    goal = game.write("goal.md", "---\nprovisions:\n  victory.points: 1\n---\n\nOne point wins.\n")
    points = game.write("points.md", "---\nprovisions:\n  turns.points: 0\n---\n\nNo points.\n")
    for number, (rule, file) in enumerate((("-111", points), ("-105", goal)), 1):
        game.does("propose", "amend", rule, file, "--as", "bob")
        game.vote(number, alice="for", carol="for")
        game.does("referee")
    scores = game.does("scores")
    assert "1 point wins (rule 2)." in scores or "has won" in scores
    answer = Game(game.folder.parent).ask("scores")
    assert "nomic-git -C DIR" in answer.err
