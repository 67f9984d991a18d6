"""Judgment from the command line: a game in two clones, and every bad input with its one answer (212, 213)."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from program import Game

from nomic_git.referee import sitting

if TYPE_CHECKING:
    from nomic_git.forges.forge import Forge
    from nomic_git.referee.sitting import Report
    from nomic_git.repository.clone import Clone

TEA = "---\ntitle: Tea\n---\n\nThere should be tea.\n"


def founded(folder: Path, rules: str = "suber-1982", *logins: str) -> Game:
    it = Game(folder)
    it.folder.mkdir()
    seats = [word for login in logins or ("alice", "bob", "carol", "dave") for word in ("--player", login)]
    it.does("new", ".", "--rules", rules, *seats)
    return it


@pytest.fixture
def table(tmp_path: Path) -> Game:
    """A game of four who move clockwise; the player before the mover is the Judge."""
    return founded(tmp_path / "table")


@pytest.fixture
def opened(table: Game) -> Game:
    """The same with alice's proposal, which bob is for, open: 1 at the forge, 301 in the rulebook."""
    return propose(table)


def propose(it: Game, who: str = "alice", name: str = "tea") -> Game:
    it.does("propose", "enact", it.write(f"{name}.md", TEA), "--as", who)
    it.does("referee")
    return it


def adopt(it: Game, proposal: int = 1, *logins: str) -> None:
    it.vote(proposal, **dict.fromkeys(logins or ("bob", "carol", "dave"), "for"))
    it.does("referee")


def judge(it: Game, who: str, *words: str) -> str:
    return it.does("judgment", *words, "--as", who)


class Hasty(Game):
    """A game in which one thing is done right after another, by the clock of the machine."""

    def ready(self) -> None:
        os.environ.pop("GIT_COMMITTER_DATE", None)


def events(it: Game) -> list[str]:
    return [one["event"] for one in it.json("log")]


def is_clean(it: Game) -> bool:
    found = it.json("audit")
    return found["irregular"] == [] and bool(found["scores_match"])


def refused(it: Game, *words: str) -> str:
    """What is said where a command does nothing, which is one line; nothing is written."""
    before = it.everything()
    answer = it.ask("judgment", *words)
    assert (answer.code, answer.out, answer.err.count("\n")) == (2, "", 1), answer
    assert it.everything() == before
    return answer.err.removeprefix("nomic-git: ").strip()


def test_each_step_says_what_comes_of_it_and_who_can_do_what_next(opened: Game) -> None:
    said = judge(opened, "bob", "invoke", "301", "Is", "tea", "a", "rule?")
    assert said.startswith("bob invokes judgment on proposal 1: `Is tea a rule?`; dave is the Judge. The referee's")
    assert "dave is the Judge, and is to rule: nomic-git judgment rule 1 legal|illegal|undecided REASONS" in said
    said = judge(opened, "dave", "rule", "1", "illegal", "since", "of", "112")
    assert "dave rules that proposal 1 is illegal: `since of 112`" in said
    assert "Any other player can uphold what dave ruled, which makes it final: nomic-git judgment uphold 1" in said
    said = judge(opened, "alice", "overrule", "1")
    assert "takes the votes of all: nomic-git judgment overrule 1 (rule 212); so far said by alice." in said


def test_a_game_in_two_clones_goes_through_an_overruling_to_the_next_judge(tmp_path: Path, table: Game) -> None:
    subprocess.run(["git", "init", "-q", "--bare", "-b", "main", str(tmp_path / "bare.git")], check=True)
    table.git("remote", "add", "origin", str(tmp_path / "bare.git"))
    table.git("push", "-q", "-u", "origin", "main")
    subprocess.run(["git", "clone", "-q", str(tmp_path / "bare.git"), str(tmp_path / "other")], check=True)
    propose(table)
    other = Game(tmp_path / "other", table.clock + 60)
    other.does("sync")
    judge(other, "bob", "invoke", "301", "Is it one rule?")
    judge(other, "dave", "rule", "301", "illegal", "it is two, by rule 103")
    table.clock = other.clock + 60
    table.does("sync")
    for login in ("alice", "bob", "carol"):
        said = judge(table, login, "overrule", "1")
    assert "alice, bob, carol overrule dave, the Judge of proposal 1; carol is the Judge" in said
    table.does("referee")
    other.clock = table.clock + 60
    other.does("sync")
    judge(other, "carol", "rule", "1", "legal")
    judge(other, "alice", "uphold", "1")
    other.does("referee")
    assert events(other)[2:] == ["invoked", "judged", "overruled", "judged", "settled"]
    (case,) = other.json("judgments")
    assert [(one["judge"], one["verdict"], one["became"]) for one in case["judges"]] == [
        ("dave", "illegal", "overruled"),
        ("carol", "legal", "final"),
    ]
    assert (case["state"], case["verdict"], case["settled_by"]) == ("upheld", "legal", ["alice"])
    assert case["judges"][0]["overruled_by"] == ["alice", "bob", "carol"]
    assert case["judges"][0]["cites"] == [103]
    assert is_clean(other)
    adopt(other)
    assert other.json("tally", "1")["stage"] == "adopted"


def test_what_is_illegal_before_its_resolution_is_improper_until_it_changes(opened: Game) -> None:
    judge(opened, "bob", "invoke", "1", "Is it legal?")
    judge(opened, "dave", "rule", "1", "Illegal:", "no tea")
    judge(opened, "carol", "uphold", "1")
    opened.does("referee")
    account = opened.json("tally", "1")
    assert account["stage"] == "improper"
    (reason,) = account["reasons"]
    assert reason.startswith("A Judge has found it illegal as it stands. The turn goes on: change")
    assert reason.endswith(
        "(`nomic-git propose ... --update 1`; at GitHub, push another commit), or withdraw it. (rule 212)"
    )
    text = opened.does("read", "1")
    assert "bob asked: `Is it legal?`. dave ruled it illegal: `no tea`. carol upheld that, and it is final." in text
    other = opened.write("other.md", "There should be coffee.\n")
    opened.does("propose", "enact", other, "--update", "1", "--as", "alice")
    opened.does("referee")
    assert opened.json("tally", "1")["stage"] == "voting"
    assert is_clean(opened)


def test_what_is_illegal_after_its_resolution_is_voided_rule_and_points(opened: Game) -> None:
    before = {one["login"]: one["points"] for one in opened.json("scores")["players"]}
    rules = opened.json("rules")
    adopt(opened)
    assert [one["number"] for one in opened.json("rules")] == [*(one["number"] for one in rules), 301]
    judge(opened, "carol", "invoke", "301", "Was it legal?")
    judge(opened, "dave", "rule", "301", "illegal", "by rule 101")
    judge(opened, "bob", "uphold", "301")
    said = opened.does("referee")
    assert "Void proposal 1, which was illegal" in said
    assert opened.json("rules") == rules
    assert {one["login"]: one["points"] for one in opened.json("scores")["players"]} == before
    account = opened.json("tally", "1")
    assert (account["stage"], account["outcome"]) == ("voided", None)
    assert account["for"] == ["alice", "bob", "carol", "dave"]
    assert "It was voided, since it was illegal; rule 301 is gone again." in opened.does("read", "1")
    assert "It is voided." in opened.does("tally", "1")
    assert opened.json("judgments")[0]["voided"] == opened.json("log")[-1]["commit"]
    answer = refused(opened, "invoke", "1", "Was it?", "--as", "alice")
    assert answer == "proposal 1 was illegal and has been voided; it is judged no more"
    assert opened.json("proposals") == []
    assert is_clean(opened)


@pytest.mark.parametrize(
    ("words", "changed", "lived"),
    [
        (["enact", "tea.md"], 301, [(301, "enact"), (301, "voided")]),
        (["amend", "209", "tea.md"], 209, [(209, "founded"), (301, "amend"), (209, "voided")]),
        (["repeal", "209"], 209, [(209, "founded"), (209, "repeal"), (209, "voided")]),
        (["transmute", "101"], 101, [(101, "founded"), (301, "transmute"), (101, "voided")]),
    ],
)
def test_the_life_of_a_rule_has_what_was_taken_back(
    table: Game, words: list[str], changed: int, lived: list[tuple[int, str]]
) -> None:
    table.write("tea.md", TEA)
    table.does(
        "propose", *[str(table.folder.parent / one) if one == "tea.md" else one for one in words], "--as", "alice"
    )
    table.does("referee")
    adopt(table)
    judge(table, "carol", "invoke", "301", "Was it legal?")
    judge(table, "dave", "rule", "301", "illegal", "by rule 101")
    judge(table, "bob", "uphold", "301")
    assert "Void proposal 1" in table.does("referee")
    life = table.json("history", str(changed))
    assert [(one["number"], one["kind"]) for one in life] == lived
    assert life[-1]["proposal"] == 1
    assert life[-1]["commit"] == table.json("log")[-1]["commit"]
    assert table.does("history", "301" if len(lived) == 3 and lived[1][0] == 301 else str(changed)).count("voided") == 1


def test_a_rule_lives_on_after_a_change_of_it_was_taken_back(table: Game) -> None:
    tea = table.write("tea.md", TEA)
    table.does("propose", "amend", "209", tea, "--as", "alice")
    table.does("referee")
    adopt(table)
    judge(table, "carol", "invoke", "301", "Was it legal?")
    judge(table, "dave", "rule", "301", "illegal", "by rule 101")
    judge(table, "bob", "uphold", "301")
    table.does("referee")
    table.does("propose", "amend", "209", tea, "--as", "bob")
    table.does("referee")
    adopt(table, 2, "alice", "carol", "dave")
    lived = [(209, "founded"), (301, "amend"), (209, "voided"), (302, "amend")]
    for number in ("209", "301", "302"):
        assert [(one["number"], one["kind"]) for one in table.json("history", number)] == lived


def test_undecided_and_final_is_a_stalemate_that_the_mover_wins(opened: Game) -> None:
    judge(opened, "bob", "invoke", "1", "This sentence is false?")
    judge(opened, "dave", "rule", "1", "undecided")
    judge(opened, "bob", "uphold", "1")
    assert "alice has won" in opened.does("referee")
    assert opened.json("scores")["winner"] == "alice"
    assert "alice has won, and the game is over. (rule 213)" in opened.does("tally", "1")
    assert "the game is over: alice has won (rule 213)" in refused(opened, "invoke", "1", "And now?", "--as", "bob")
    assert is_clean(opened)


def test_consent_lets_the_game_go_on_and_drops_a_question_without_a_verdict(opened: Game) -> None:
    judge(opened, "bob", "invoke", "1", "Is it wise?")
    said = judge(opened, "bob", "consent", "1")
    assert "so far said by bob" in said
    judge(opened, "dave", "consent", "1")
    opened.does("referee")
    (case,) = opened.json("judgments")
    assert (case["state"], case["verdict"], case["settled_by"]) == ("consented", None, ["bob", "dave"])
    assert "bob, dave consented that the game goes on, and the question was dropped." in opened.does("judgments")
    assert is_clean(opened)


def test_where_the_mover_chooses_the_judge_is_asked(tmp_path: Path) -> None:
    it = founded(tmp_path / "game", "github")
    propose(it)
    said = judge(it, "bob", "invoke", "1", "Is it one rule?")
    assert "alice is to ask a player to be the Judge: nomic-git judgment ask 1 LOGIN (rule -102)." in said
    assert refused(it, "ask", "1", "carol", "--as", "bob").startswith("It is for alice to ask somebody")
    assert refused(it, "ask", "1", "eve", "--as", "alice").startswith("`eve` is not a player")
    assert refused(it, "ask", "1", "alice", "--as", "alice").startswith("alice is the mover")
    assert refused(it, "rule", "1", "legal", "--as", "carol").startswith("There is no Judge yet; alice is to ask")
    assert "alice asks carol to be the Judge" in judge(it, "alice", "ask", "1", "@carol")
    judge(it, "carol", "rule", "1", "It is one rule, by -110.")
    it.does("referee")
    (case,) = it.json("judgments")
    assert case["judges"][0]["verdict"] == "words"
    assert case["judges"][0]["cites"] == [-110]
    assert [one["question"] for one in it.json("show", "-110")["judgments"]] == ["Is it one rule?"]
    assert "Proposal 1: carol answered: It is one rule, by -110." in it.does("show", "-110")


def test_a_judgment_is_found_by_the_rule_that_it_cited_under_its_number_then(opened: Game) -> None:
    judge(opened, "bob", "invoke", "1", "Is it legal?")
    judge(opened, "dave", "rule", "1", "legal by 203")
    judge(opened, "bob", "uphold", "1")
    adopt(opened)
    words = opened.write("how.md", "Everybody is to agree.\n")
    opened.does("propose", "amend", "203", words, "--as", "bob")
    opened.does("referee")
    adopt(opened, 2, "alice", "carol", "dave")
    assert [one["proposal"] for one in opened.json("show", "302")["judgments"]] == [1]


def test_of_an_open_judgment_it_is_said_first_what_it_waits_for(opened: Game) -> None:
    assert opened.does("judgments") == "Nobody has invoked judgment.\n"
    judge(opened, "bob", "invoke", "1", "Is it legal?")
    opened.does("referee")
    lines = opened.does("judgments").splitlines()
    assert lines[0] == "Proposal 1 (number 301 of the rulebook), by alice: judgment invoked by bob"
    assert lines[2].startswith("  dave is the Judge, and is to rule: nomic-git judgment rule 1 ")
    assert lines[-1] == "  Question: Is it legal?"
    assert opened.json("judgments", "--round", "1")[0]["state"] == "open"


def test_what_an_open_judgment_waits_for_is_not_said_of_an_earlier_one_on_the_same_proposal(opened: Game) -> None:
    judge(opened, "bob", "invoke", "1", "Is it legal?")
    judge(opened, "dave", "rule", "1", "legal")
    judge(opened, "bob", "uphold", "1")
    opened.does("referee")
    judge(opened, "carol", "invoke", "1", "Is it kind?")
    opened.does("referee")
    first, second = opened.json("judgments")
    assert (first["state"], first["waits_for"], second["state"]) == ("upheld", [], "open")
    assert second["waits_for"][0].startswith("dave is the Judge, and is to rule")
    assert opened.does("judgments").count("is to rule") == 1


def test_what_the_referee_has_not_recorded_yet_is_told_as_waiting_for_its_next_pass(opened: Game) -> None:
    judge(opened, "bob", "invoke", "1", "Is it legal?")
    lines = opened.does("judgments").splitlines()
    assert lines[0].endswith("by alice: judgment invoked by bob")
    assert lines[1].endswith(", not in the history yet")
    assert lines[2].startswith("  bob invokes judgment on proposal 1: `Is it legal?`; dave is the Judge. The referee's")
    (case,) = opened.json("judgments")
    assert (case["state"], case["commit"]) == ("open", None)
    opened.does("referee")
    judge(opened, "dave", "rule", "1", "legal")
    said = opened.does("judgments")
    assert "dave rules that proposal 1 is legal. The referee's next pass records it" in said
    assert "Any other player can uphold what dave ruled" in said


def test_read_tells_of_a_judgment_before_the_referee_has_recorded_it(opened: Game) -> None:
    judge(opened, "bob", "invoke", "1", "Is tea lawful?")
    said = opened.does("read", "1")
    assert "Judgment:\n\n- bob invoked judgment and asks: `Is tea lawful?`.\n" in said
    assert "- dave is the Judge, and is to rule: `nomic-git judgment rule 1 legal|illegal|undecided REASONS`" in said
    opened.does("referee")
    assert opened.does("read", "1").partition("Judgment:")[2] == said.partition("Judgment:")[2]
    judge(opened, "dave", "rule", "1", "legal", "by", "101")
    assert "- dave ruled it legal: `by 101`.\n" in opened.does("read", "1")
    judge(opened, "carol", "uphold", "1")
    said = opened.does("read", "1")
    assert "dave ruled it legal: `by 101`. carol upheld that, and it is final.\n" in said
    assert "is to rule" not in said


@pytest.mark.parametrize("slip", ["ilegal", "Ilegal: no tea", "undecide", "legaly, by 203", "yes", "No."])
def test_a_verdict_that_was_mistyped_is_no_answer_in_words(opened: Game, slip: str) -> None:
    judge(opened, "bob", "invoke", "1", "Is it legal?")
    answer = refused(opened, "rule", "1", *slip.split(), "--as", "dave")
    assert "is no verdict, which is legal, illegal or undecided; " in answer
    assert ("did you mean" in answer) is (slip not in {"yes", "No."})


@pytest.mark.parametrize("words", ["No, rule 110 forbids it.", "It is one rule.", "legal", "Illegal:", "yes it is"])
def test_an_answer_in_words_stays_one(opened: Game, words: str) -> None:
    judge(opened, "bob", "invoke", "1", "Is it legal?")
    assert "dave " in judge(opened, "dave", "rule", "1", *words.split())


TO_RULE = "Judgment is open on proposal 1: dave is the Judge, and is to rule (rule 212)."
UNRECORDED = f"{TO_RULE} That is not in the history yet; the referee's next pass records it (nomic-git referee)."


def test_where_judgment_holds_a_vote_that_is_complete_no_command_says_it_is_decided(opened: Game) -> None:
    opened.vote(1, bob="for", carol="for")
    judge(opened, "carol", "invoke", "1", "Is it legal?")
    said = opened.does("vote", "1", "for", "--as", "dave")
    assert "It is being voted on." in said
    assert f"  {UNRECORDED}\n" in said
    assert f"  {UNRECORDED}\n" in opened.does("tally", "1")
    assert opened.json("tally", "1")["outcome"] == "open"
    for command in ("proposals", "scores", "players"):
        assert f"{UNRECORDED}\n" in opened.does(command)
    opened.does("referee")
    assert f"  {TO_RULE}\n" in opened.does("tally", "1")
    for command in ("proposals", "scores", "players"):
        assert f"{TO_RULE}\n" in opened.does(command)


def test_of_a_vote_that_was_complete_before_judgment_was_invoked_both_are_told(opened: Game) -> None:
    opened.vote(1, bob="for", carol="for", dave="for")
    said = judge(opened, "carol", "invoke", "1", "Is it legal?")
    assert "carol invokes judgment on proposal 1: `Is it legal?`; dave is the Judge." in said
    said = opened.does("tally", "1")
    assert "It is decided: adopted; the referee's next pass carries it out (nomic-git referee).\n" in said
    assert f"  {UNRECORDED}\n" in said
    assert opened.json("tally", "1")["outcome"] == "adopted"
    assert opened.does("proposals").endswith(f"{UNRECORDED}\n")
    opened.does("referee")
    assert events(opened)[2:] == ["adopted", "invoked"]
    assert f"  {TO_RULE}\n" in opened.does("tally", "1")


def test_what_the_next_pass_finds_illegal_is_not_told_as_decided(opened: Game) -> None:
    judge(opened, "bob", "invoke", "1", "Is it legal?")
    judge(opened, "dave", "rule", "1", "illegal")
    opened.vote(1, bob="for", carol="for", dave="for")
    judge(opened, "carol", "uphold", "1")
    said = opened.does("tally", "1")
    assert "It is improper" in said
    assert "A Judge has found it illegal as it stands." in said
    settled = "It is settled that proposal 1 is illegal, by carol; the referee's next pass records it"
    assert f"  {settled}" in said
    assert settled in opened.does("scores")
    opened.does("referee")
    assert events(opened)[2:] == ["invoked", "judged", "settled"]
    assert opened.json("tally", "1")["stage"] == "improper"


@pytest.mark.parametrize("command", [("tally", "1"), ("proposals",), ("read", "1"), ("scores",), ("players",)])
def test_a_command_foresees_the_referees_pass_once(
    opened: Game, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...]
) -> None:
    judge(opened, "bob", "invoke", "1", "Is it legal?")
    opened.does("referee")
    sat: list[Report] = []

    def foresee(clone: Clone, forge: Forge, now: int) -> Report:
        sat.append(held(clone, forge, now))
        return sat[-1]

    held = sitting.foresee
    monkeypatch.setattr(sitting, "foresee", foresee)
    opened.does(*command)
    assert len(sat) == 1


def test_the_referee_says_who_is_to_do_what_where_judgment_is_open(opened: Game) -> None:
    judge(opened, "bob", "invoke", "1", "Is it legal?")
    said = opened.does("referee")
    assert f"{TO_RULE}\nMeanwhile bob, carol, dave can vote on it.\n" in said
    opened.vote(1, bob="for", carol="for", dave="for")
    assert f"{TO_RULE}\nAll have voted on it.\n" in opened.does("referee")
    judge(opened, "dave", "rule", "1", "legal")
    said = opened.does("referee")
    assert "on proposal 1: dave has ruled, and the others can uphold or overrule that (rule 212).\n" in said
    assert "waits for the vote" not in said
    judge(opened, "bob", "uphold", "1")
    settled = "It is settled that proposal 1 is legal, by bob; the referee's next pass records it"
    for command in (("tally", "1"), ("proposals",), ("scores",), ("players",)):
        assert settled in opened.does(*command)


def test_a_turn_that_is_over_and_judged_is_told_by_all_commands_too(opened: Game) -> None:
    adopt(opened)
    judge(opened, "carol", "invoke", "1", "Was it legal?")
    for command in (("tally", "1"), ("proposals",), ("scores",), ("players",)):
        assert UNRECORDED in opened.does(*command)
    assert TO_RULE in opened.does("referee")
    assert "Nothing is due" not in opened.does("referee")


def test_whoever_overrules_the_last_judge_is_told_beforehand_that_it_leaves_the_question_undecided(
    tmp_path: Path,
) -> None:
    it = propose(founded(tmp_path / "game", "suber-1982", "alice", "bob", "carol"))
    last = "If bob is overruled, nobody is left to judge, and the question is undecided (rule 213)."
    judge(it, "bob", "invoke", "1", "Is it legal?")
    assert "nobody is left" not in judge(it, "carol", "rule", "1", "legal")
    judge(it, "alice", "overrule", "1")
    judge(it, "bob", "overrule", "1")
    assert last in judge(it, "bob", "rule", "1", "illegal")
    it.does("referee")
    assert last in it.does("judgments")
    assert last in it.does("read", "1")


WRONG = [
    (("rule", "1", "legal", "--as", "bob"), "bob is not the Judge and cannot rule; dave is the Judge. (rule 212)"),
    (("invoke", "1", "Once more?", "--as", "carol"), "Judgment on proposal 1 is open, and there is one at a time"),
    (("uphold", "1", "--as", "bob"), "The Judge, dave, has not ruled yet"),
    (("ask", "1", "bob", "--as", "alice"), "Nobody asks for a Judge in this game"),
    (("consent", "1", "--as", "alice"), "The question is about the turn of alice"),
    (("overrule", "1", "--as", "dave"), "dave is the Judge, whom only the other players overrule. (rule 212)"),
    (("uphold", "7", "--as", "bob"), "there is no proposal 7"),
    (("uphold", "1", "--as", "eve"), "eve is not a player here"),
]


@pytest.mark.parametrize(("words", "answer"), WRONG, ids=lambda one: " ".join(one)[:40])
def test_what_does_nothing_is_refused_in_one_line_that_cites_the_rule(
    opened: Game, words: tuple[str, ...], answer: str
) -> None:
    judge(opened, "bob", "invoke", "1", "Is it legal?")
    assert answer in refused(opened, *words)


def test_whoever_rules_without_a_word_is_told(opened: Game) -> None:
    judge(opened, "bob", "invoke", "1", "Is it legal?")
    assert refused(opened, "rule", "1", "@", "--as", "dave").startswith("dave ruled without a word")
    assert refused(opened, "invoke", "1", " ", "--as", "carol").startswith("Judgment on proposal 1 is open")


def test_a_question_has_words_and_a_draft_is_judged_by_nobody(table: Game) -> None:
    table.does("propose", "enact", table.write("tea.md", TEA), "--draft", "--as", "alice")
    early = "Judgment on it can be invoked when its turn has begun"
    assert refused(table, "invoke", "1", "Is it legal?", "--as", "bob").startswith(early)
    table.does("ready", "1", "--as", "alice")
    assert refused(table, "invoke", "1", "", "--as", "bob").startswith("bob invoked judgment without a question")
    assert refused(table, "uphold", "1", "--as", "bob").startswith("No judgment is open on it")


def test_what_is_said_within_one_second_is_heard_in_the_order_in_which_it_is_said(tmp_path: Path) -> None:
    """Ann is before cy in the order of names, but answers cy's ruling, and ben says two things."""
    it = Hasty(tmp_path / "table")
    it.folder.mkdir()
    it.does("new", ".", "--rules", "suber-1982", *("--player", "ann", "--player", "ben", "--player", "cy"))
    propose(it, "ann")
    judge(it, "ben", "invoke", "1", "Is tea a drink?")
    judge(it, "cy", "rule", "1", "illegal", "It is a leaf.")
    judge(it, "ann", "overrule", "1")
    judge(it, "ben", "overrule", "1")
    judge(it, "ben", "rule", "1", "legal", "It is poured.")
    it.does("referee")
    assert events(it)[1:] == ["proposed", "invoked", "judged", "overruled", "judged"]


def test_when_the_next_turn_has_begun_nothing_is_invoked_or_overruled(opened: Game) -> None:
    adopt(opened)
    propose(opened, "bob", "coffee")
    assert refused(opened, "invoke", "1", "Late?", "--as", "carol") == (
        "The next turn has begun, and judgment on this one can no longer be invoked. (rule 212)"
    )
    late = "No judgment is open on it: none was invoked, or it is over."
    assert refused(opened, "overrule", "1", "--as", "carol").startswith(late)
    adopt(opened, 2, "alice", "carol", "dave")
    assert refused(opened, "overrule", "1", "--as", "carol").startswith(late)
    assert refused(opened, "invoke", "1", "Late?", "--as", "carol").startswith("The next turn has begun")


@pytest.mark.parametrize(("rules", "rule"), [("suber", 212), ("github", -102)])
def test_judgment_is_about_turns_and_not_about_who_joins(tmp_path: Path, rules: str, rule: int) -> None:
    table = founded(tmp_path / "table", rules)
    table.does("join", "--as", "erin")
    said = refused(table, "invoke", "1", "May she?", "--as", "bob")
    assert said == f"judgment is about turns, and proposal 1 changes no rule (rule {rule})"


def test_where_no_rule_provides_a_judge_that_is_said(tmp_path: Path) -> None:
    it = founded(tmp_path / "game", "github", "alice", "bob")
    it.does("propose", "repeal", "-102", "--as", "alice")
    it.vote(1, bob="for")
    it.does("referee")
    propose(it, "bob")
    assert refused(it, "invoke", "2", "Why?", "--as", "alice").startswith("No rule provides a Judge")


def test_the_log_tells_a_judgment_in_sentences_and_how_to_throw_a_die_again(opened: Game) -> None:
    judge(opened, "bob", "invoke", "1", "Is it legal?")
    judge(opened, "dave", "rule", "1", "legal", "by 203")
    judge(opened, "bob", "uphold", "1")
    adopt(opened)
    log = opened.does("log")
    assert "bob invokes judgment on proposal 1: Is it legal?; dave is the Judge" in log
    assert "dave rules that proposal 1 is legal: by 203" in log
    assert "It is settled that proposal 1 is legal, by bob" in log
    (line,) = (one.strip() for one in log.splitlines() if one.strip().startswith("die "))
    shown, _, command = line.removeprefix("die ").partition(": ")
    printed = subprocess.run(["sh", "-c", command], check=True, capture_output=True, text=True).stdout
    assert printed == f"{shown}\n"
    said = [one for one in opened.json("log") if one["event"] == "adopted"]
    assert said[0]["die"]["shows"] == int(shown) == said[0]["points"]["alice"]
    assert said[0]["die"]["cast"] in command
    ruled = next(one for one in opened.json("log") if one["event"] == "judged")
    assert (ruled["player"], ruled["verdict"], ruled["words"], ruled["cites"]) == ("dave", "legal", "by 203", [203])


def test_what_several_say_together_is_told_first_with_who_they_are(opened: Game) -> None:
    judge(opened, "bob", "invoke", "1", "Is it legal?")
    opened.does("referee")
    judge(opened, "dave", "rule", "1", "legal")
    said = judge(opened, "alice", "overrule", "1").splitlines()
    assert said[0] == "alice is for overruling dave, the Judge of proposal 1."
    assert said[1] == "dave rules that proposal 1 is legal. The referee's next pass records it (nomic-git referee)."
    assert "  The other players, alice, bob and carol, can overrule dave, which takes the votes of all: " in "\n".join(
        said
    )
    said = judge(opened, "bob", "consent", "1").splitlines()
    assert said[0] == "bob consents that the game goes on in spite of the question about proposal 1."
    assert "  All but alice, who are bob, carol and dave, can consent that the game goes on" in "\n".join(said)
    assert "nobody rules twice" not in opened.ask("judgment", "rule", "1", "illegal", "--as", "dave").err


def test_a_move_is_taken_back_when_the_referee_has_done_so_and_no_sooner(opened: Game) -> None:
    adopt(opened)
    judge(opened, "bob", "invoke", "1", "Is it legal?")
    judge(opened, "dave", "rule", "1", "illegal", "it has no title")
    judge(opened, "bob", "uphold", "1")
    said = opened.does("judgments")
    assert "  The move was illegal and is about to be taken back.\n" in said
    assert "commit ." not in said
    assert opened.json("judgments")[0]["voided"] is None
    opened.does("referee")
    commit = opened.json("judgments")[0]["voided"]
    assert f"  The move was illegal and has been taken back, commit {commit[:12]}.\n" in opened.does("judgments")
