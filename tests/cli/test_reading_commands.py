"""Commands that read: what they print for people, and the documents that other programs rely on."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from program import Game, ask

from nomic_git.law.provisions import KEYS

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


def test_rules_lists_the_rules_in_force_by_number(played: Game) -> None:
    rules = played.json("rules")
    assert all(set(one) == {"number", "status", "title", "provisions", "formerly"} for one in rules)
    numbers = [one["number"] for one in rules]
    assert numbers == sorted(numbers)
    by_number = {one["number"]: one for one in rules}
    assert by_number[6]["formerly"] == [-105, 2]
    assert by_number[6]["provisions"] == {"victory.points": 200}
    assert (by_number[3]["status"], by_number[-216]["status"]) == ("mutable", "immutable")
    assert -105 not in by_number


def test_rules_for_people_has_a_line_a_rule(played: Game) -> None:
    lines = played.does("rules").splitlines()
    assert lines[0].split() == ["Rule", "Status", "Title", "Formerly"]
    assert lines[-1].split() == ["6", "mutable", "Victory", "at", "200", "points", "-105,", "2"]
    assert len(lines) == 1 + len(played.json("rules"))


def test_show_takes_a_negative_number_for_a_number(played: Game) -> None:
    said = played.does("show", "-110")
    assert said.startswith("Rule -110: How a rule-change is adopted\nmutable\n")
    assert "  adoption.threshold: unanimous\n" in said


def test_show_finds_a_rule_by_a_number_that_it_had(played: Game) -> None:
    assert played.does("show", "-105").startswith("Rule 6: Victory at 200 points\nmutable, formerly -105, 2\n")
    document = played.json("show", "2")
    assert set(document) == {"number", "status", "title", "provisions", "formerly", "words", "judgments"}
    assert document["judgments"] == []
    assert document["words"] == "\nThe first to have two hundred points wins the game.\n"


def test_history_tells_the_life_of_a_rule_through_its_numbers(played: Game) -> None:
    for number in ("-105", "2", "6"):
        lived = played.json("history", number)
        assert all(set(one) == {"number", "proposal", "kind", "commit", "time"} for one in lived)
        assert [(one["number"], one["proposal"], one["kind"]) for one in lived] == [
            (-105, None, "founded"),
            (2, 2, "amend"),
            (6, 6, "amend"),
        ]
    assert lived[0]["time"] == "2023-11-14T22:23:20Z"
    assert lived[1]["commit"] == played.git("rev-list", "--first-parent", "--reverse", "HEAD").split()[2]
    assert "amended" in played.does("history", "-110".replace("110", "105"))


def test_history_tells_of_a_rule_that_was_repealed(played: Game) -> None:
    played.does("propose", "repeal", "1", "--as", "carol")
    number = played.json("proposals")[-1]["proposal"]
    played.vote(number, alice="for", bob="for")
    played.does("referee")
    assert [one["kind"] for one in played.json("history", "1")] == ["enact", "repeal"]


def test_law_answers_for_every_provision_that_there_is(played: Game) -> None:
    law = played.json("law")
    assert list(law) == list(KEYS)
    assert all(set(one) == {"value", "rule", "overrides", "why"} for one in law.values())
    assert (law["victory.points"]["value"], law["victory.points"]["rule"]) == (200, 6)
    assert law["votes.deadline"] == {
        "value": "none",
        "rule": None,
        "overrides": [],
        "why": "no rule provides it",
    }


def test_law_names_what_a_rule_overrides(game: Game) -> None:
    file = game.write("points.md", "---\nprovisions:\n  victory.points: 300\n---\n\nThree hundred win.\n")
    game.does("propose", "enact", file, "--as", "alice")
    game.vote(1, bob="for", carol="for")
    game.does("referee")
    found = game.json("law")["victory.points"]
    assert (found["value"], found["rule"], found["overrides"]) == (200, -105, [1])
    row = next(line for line in game.does("law").splitlines() if line.startswith("victory.points"))
    assert row.split() == ["victory.points", "200", "-105", "1", "by", "number"]


def test_scores_are_best_first_with_the_target(played: Game) -> None:
    scores = played.json("scores")
    assert set(scores) == {"players", "target", "winner", "turn"}
    assert scores["players"] == [
        {"login": "carol", "name": "Carol", "points": 27, "turns": 2},
        {"login": "bob", "name": "Bob", "points": 11, "turns": 1},
        {"login": "alice", "name": "Alice", "points": 7, "turns": 2},
    ]
    assert (scores["target"], scores["winner"]) == (200, None)
    assert set(scores["turn"]) == {"player", "circuit"}
    said = played.does("scores").splitlines()
    assert said[1].split() == ["carol", "Carol", "27", "2"]
    assert said[-1] == "200 points win (rule 6)."


def test_log_tells_every_event_oldest_first(played: Game) -> None:
    log = played.json("log")
    keys = {"event", "proposal", "number", "change", "for", "against", "points", "commit", "time"}
    keys |= {"player", "die", "judge", "verdict", "words", "cites"}
    assert all(set(one) == keys for one in log)
    assert [one["event"] for one in log] == [
        "founded",
        "adopted",
        "adopted",
        "adopted",
        "defeated",
        "withdrawn",
        "adopted",
    ]
    assert log[0]["change"] is None
    assert log[4] == {
        "event": "defeated",
        "proposal": 4,
        "number": 4,
        "change": {"kind": "repeal", "rule": 1},
        "for": ["alice"],
        "against": ["bob"],
        "points": {"alice": -3},
        "player": "alice",
        "die": None,
        "judge": None,
        "verdict": None,
        "words": None,
        "cites": [],
        "commit": log[4]["commit"],
        "time": "2023-11-15T00:43:20Z",
    }
    assert [one["commit"] for one in log] == played.git("rev-list", "--first-parent", "--reverse", "HEAD").split()
    assert "Defeat proposal 4: repeal rule 1" in played.does("log").splitlines()[5]


def test_proposals_is_the_docket(played: Game) -> None:
    found = played.json("proposals")
    assert [set(one) for one in found] == [TALLY, TALLY]
    assert [(one["proposal"], one["stage"], one["outcome"]) for one in found] == [
        (7, "voting", "open"),
        (8, "debate", None),
    ]
    lines = played.does("proposals").splitlines()
    assert lines[1].split() == ["7", "enact", "a", "rule:", "Coffee", "alice", "voting", "2", "0", "carol"]
    assert len(lines) == 3


def test_proposals_mine_are_those_that_wait_for_my_vote(played: Game) -> None:
    assert [one["proposal"] for one in played.json("proposals", "--mine", "--as", "carol")] == [7]
    assert played.json("proposals", "--mine", "--as", "bob") == []
    assert played.does("proposals", "--mine", "--as", "alice") == "No proposal waits for alice's vote; 2 open in all.\n"


@pytest.mark.parametrize(
    ("proposal", "expected"),
    [
        (
            7,
            {
                "number": 7,
                "stage": "voting",
                "change": {"kind": "enact", "rule": None},
                "for": ["alice", "bob"],
                "waiting_for": ["carol"],
                "threshold": "unanimous",
                "threshold_rule": -110,
                "eligible": 3,
                "outcome": "open",
            },
        ),
        (1, {"stage": "adopted", "for": ["alice", "bob", "carol"], "outcome": "adopted", "eligible": 3}),
        (2, {"change": {"kind": "amend", "rule": -105}, "outcome": "adopted"}),
        (
            4,
            {
                "number": 4,
                "stage": "defeated",
                "change": {"kind": "repeal", "rule": 1},
                "for": ["alice"],
                "against": ["bob"],
                "waiting_for": [],
                "outcome": "defeated",
                "threshold_rule": -110,
            },
        ),
        (5, {"number": 5, "stage": "withdrawn", "change": {"kind": "enact", "rule": None}, "outcome": None}),
        (8, {"stage": "debate", "outcome": None, "for": [], "waiting_for": []}),
    ],
)
def test_tally_answers_for_open_and_for_resolved_proposals(
    played: Game, proposal: int, expected: dict[str, Any]
) -> None:
    found = played.json("tally", str(proposal))
    assert set(found) == TALLY
    assert found["proposal"] == proposal
    assert {key: found[key] for key in expected} == expected


def test_tally_lists_what_is_not_counted_and_why(played: Game) -> None:
    words = played.write("coffee2.md", "There should be very good coffee.\n")
    played.does("propose", "enact", words, "--update", "7", "--as", "alice")
    found = played.json("tally", "7")
    assert [set(one) for one in found["uncounted"]] == [{"player", "vote", "reason"}]
    assert (found["uncounted"][0]["player"], found["uncounted"][0]["vote"]) == ("bob", "for")
    assert "earlier text" in found["uncounted"][0]["reason"]
    assert found["waiting_for"] == ["bob", "carol"]
    assert "Not counted: bob (for): given to an earlier text" in played.does("tally", "7")


def test_players_are_listed_in_the_order_of_joining(played: Game) -> None:
    assert [one["login"] for one in played.json("players")] == ["alice", "bob", "carol"]
    assert played.does("players").splitlines()[1].split()[:2] == ["alice", "Alice"]


def test_rulesets_names_what_a_game_can_start_from() -> None:
    names = [one["name"] for one in ask("rulesets", "--json").json]
    assert names == ["github", "suber", "suber-1982", "suber-mail"]
    shown = ask("rulesets").out.splitlines()
    assert [line.split()[:2] for line in shown[1:]] == [[name, "en"] for name in names]


def test_audit_finds_a_played_game_in_order(played: Game) -> None:
    found = played.json("audit")
    assert found == {"events": 7, "irregular": [], "scores_match": True}
    assert "everything is in order" in played.does("audit")


def test_audit_says_no_where_somebody_wrote_a_score_by_hand(played: Game) -> None:
    scores = played.folder / "scores.json"
    changed = scores.read_text().replace('"points": 27', '"points": 199')
    assert changed != scores.read_text()
    scores.write_text(changed)
    played.git("-c", "user.name=C", "-c", "user.email=c@x.invalid", "commit", "-q", "-am", "Well deserved")
    answer = played.ask("audit", "--json")
    assert (answer.code, answer.err) == (1, "")
    assert answer.json["irregular"][0]["commit"] == played.git("rev-parse", "HEAD")
    assert set(answer.json["irregular"][0]) == {"commit", "what"}
    assert answer.json["scores_match"] is False
    assert played.ask("audit").code == 1


def test_referee_says_what_it_resolved_and_only_once(played: Game) -> None:
    played.vote(7, carol="for")
    before = played.everything()
    dry = played.json("referee", "--dry-run")
    assert set(dry) == {"resolved", "comments", "requests"}
    assert dry["resolved"] == [{"proposal": 7, "outcome": "adopted", "commit": None}]
    assert played.everything() == before
    done = played.json("referee")
    commit = played.git("rev-parse", "HEAD")
    assert done["resolved"] == [{"proposal": 7, "outcome": "adopted", "commit": commit}]
    assert done["requests"] == 0
    again = played.json("referee")
    assert (again["resolved"], again["comments"]) == ([], 0)
    assert played.does("referee") == "Nothing is due.\n"


def test_json_is_one_document_and_nothing_else(played: Game) -> None:
    calls = ("rules", "law", "scores", "log", "players", "proposals", "rulesets", "audit", "check")
    for call in (*((one,) for one in calls), ("show", "-110"), ("tally", "7"), ("history", "3")):
        answer = played.ask(*call, "--json")
        assert (answer.code, answer.err) == (0, ""), call
        assert json.loads(answer.out) is not None


def test_the_folder_may_be_any_below_the_top_and_any_way_of_naming_it(
    played: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = played.json("scores")
    assert ask("-C", played.folder / "rules" / "mutable", "scores", "--json").json == expected
    monkeypatch.chdir(played.folder)
    assert ask("scores", "--json").json == expected
    monkeypatch.chdir(played.folder.parent)
    assert ask("-C", Path("game"), "scores", "--json").json == expected
