"""Judgment: who judges, what comes of what players say, and what does nothing (212, -102; design section 8)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from table import github, law

from nomic_git import locales
from nomic_git.game.bench import (
    Court,
    after_step,
    asker,
    check_step,
    could_judge,
    next_step,
    present_judge,
    refusals,
    refused,
)
from nomic_git.game.event import Event, EventKind, read_event, write_trailers
from nomic_git.game.judgment import Judgment, Move, Plea, Refusal, Ruling, cited, on_record, read_ruling
from nomic_git.law.reason import Reason
from nomic_git.locales.sentences import REASONS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from nomic_git.law.precedence import Law

PLAYERS = ("alice", "bob", "carol", "dave")
PRECEDING = law("judgment.judge: preceding-player")
CHOSEN = law("judgment.judge: chosen-by-mover")
INVOKE, ASK, RULE, UPHOLD, OVERRULE, CONSENT = Move


def court(under: Law = PRECEDING, **facts) -> Court:
    """The court on proposal 7 of carol's, whose vote opened at 10, in a game of four."""
    usual = {"order": PLAYERS, "mover": "carol", "teams": {}, "proposal": 7, "judgment": None}
    return Court(law=under, **{**usual, "since": 10, "until": None, "heard": 10, **facts})


def plea(line: str, time: int) -> Plea:
    """A plea from a line such as `bob rule legal: by 110`."""
    player, move, *said = line.split(" ", 2)
    return Plea(player, {"invoke": INVOKE}.get(move) or Move(move), time, " ".join(said))


def pleas(*lines: str, since: int = 11) -> list[Plea]:
    """One plea a second."""
    return [plea(line, since + at) for at, line in enumerate(lines)]


def following(there: Court, event: Event) -> Court:
    """The court after an event, as the game's state goes on."""
    settled = event.time if event.kind is EventKind.SETTLED else there.settled
    return replace(there, judgment=after_step(there.judgment, event), heard=event.time, settled=settled)


def heard(there: Court, said: Sequence[Plea], now: int = 1000) -> tuple[list[Event], Court]:
    """All steps that follow, each of them one that the audit lets pass, and the court after the last."""
    steps: list[Event] = []
    while (step := next_step(there, said, now)) is not None:
        assert len(steps) <= 3 * len(said) + 3, "it never ends"
        assert check_step(there, step) is None
        steps.append(step)
        there = following(there, step)
    return steps, there


def told(steps: Iterable[Event]) -> list[str]:
    """Each step in a line: its kind, whose it is, and what it says."""
    lines = []
    for step in steps:
        parts = [step.kind, step.player, step.ruling, *step.supporters, step.judge and f"-> {step.judge}"]
        lines.append(" ".join(part for part in parts if part))
    return lines


def after(*lines: str, **facts) -> Court:
    """The court after these pleas."""
    return heard(court(**facts), pleas(*lines))[1]


def why(there: Court, line: str, time: int = 500) -> Reason | None:
    return refused(there, plea(line, time))


# What comes of what players say.


def test_the_player_preceding_the_mover_is_the_judge_and_another_player_upholds():
    said = pleas("dave invoke May this be?", "bob rule legal: 1 and -101 allow it", "dave uphold")
    steps, there = heard(court(), said)
    assert told(steps) == ["invoked dave -> bob", "judged bob legal", "settled bob legal dave"]
    assert [one.time for one in steps] == [11, 12, 13]
    assert steps[0].words == "May this be?"
    assert (steps[1].words, steps[1].cites) == ("1 and -101 allow it", (-101,))
    assert [one.rule for one in steps] == [-101, -101, -101]
    assert there.judgment is None


def test_judgment_can_be_invoked_from_when_voting_opens_to_before_the_next_turn_begins():
    there = court(mover="Carol", until=20)
    assert [next_step(there, [plea("dave invoke Why?", time)], 100) is not None for time in (9, 10, 19, 20)] == [
        False,
        True,
        True,
        False,
    ]
    event = next_step(there, [plea("Dave invoke Why?", 10)], 100)
    assert event is not None
    assert (event.player, event.mover) == ("dave", "carol")


def test_a_judgment_knows_its_judges_and_the_verdict_that_stands():
    there = after("dave invoke Why?", "bob rule legal").judgment
    assert there == Judgment(7, "carol", "dave", 11, ("bob",), False, Ruling.LEGAL, 12, Plea("bob", RULE, 12))
    lines = ("dave invoke Why?", "bob rule legal", "dave overrule", "alice overrule", "carol overrule")
    there = after(*lines).judgment
    assert there == Judgment(7, "carol", "dave", 11, ("bob", "alice"), last=Plea("carol", OVERRULE, 15))


def test_the_others_overrule_unanimously_and_the_player_before_judges_anew():
    said = pleas(
        "dave invoke Why?",
        "bob rule illegal",
        "alice overrule",
        "carol overrule",
        "dave overrule",
        "alice rule undecided",
        "bob uphold",
    )
    assert told(heard(court(), said)[0]) == [
        "invoked dave -> bob",
        "judged bob illegal",
        "overruled bob alice carol dave -> alice",
        "judged alice undecided",
        "settled alice undecided bob",
    ]


def test_when_nobody_is_left_to_judge_the_question_is_undecided_at_once():
    said = pleas("bob invoke Why?", "alice rule legal", "bob overrule", "carol overrule")
    teams = {"bob": "red", "carol": "red"}
    steps, _ = heard(court(order=("alice", "bob", "carol"), teams=teams), said)
    assert told(steps)[2:] == ["overruled alice bob carol", "settled undecided"]
    assert [one.time for one in steps][2:] == [14, 14]


def test_the_mover_asks_and_then_the_overruled_judge_does():
    said = pleas(
        "bob invoke Why?",
        "carol ask @Dave",
        "dave rule It means what 110 says",
        "alice overrule",
        "bob overrule",
        "carol overrule",
        "dave ask alice, please",
        "alice rule legal",
        "carol uphold",
    )
    assert told(heard(court(CHOSEN), said)[0]) == [
        "invoked bob",
        "asked carol -> dave",
        "judged dave words",
        "overruled dave alice bob carol",
        "asked dave -> alice",
        "judged alice legal",
        "settled alice legal carol",
    ]


def test_when_nobody_is_left_to_ask_the_question_is_undecided_at_once():
    said = pleas("alice invoke Why?", "carol ask bob", "bob rule legal", "alice overrule", "carol overrule")
    steps, _ = heard(court(CHOSEN, order=("alice", "bob", "carol"), teams={"alice": "x", "carol": "x"}), said)
    assert told(steps)[3:] == ["overruled bob alice carol", "settled undecided"]


def test_a_majority_of_the_others_consents_to_go_on():
    there = after("bob invoke Why?")
    assert told(heard(there, pleas("alice consent", "bob consent", since=20))[0]) == ["settled bob alice bob"]
    there = after("bob invoke Why?", "bob rule illegal")
    assert told(heard(there, pleas("dave consent", "bob consent", since=20))[0]) == ["settled bob illegal dave bob"]
    there = after("bob invoke Why?", under=CHOSEN)
    step = heard(there, pleas("dave consent", "dave consent", "alice consent", since=20))[0]
    assert told(step) == ["settled dave alice"]
    assert step[0].rule is None


def test_who_consented_before_the_verdict_says_so_again():
    said = pleas("bob invoke Why?", "alice consent", "bob rule illegal", "dave consent")
    steps, there = heard(court(), said)
    assert told(steps)[1:] == ["judged bob illegal"]
    assert told(heard(there, [*said, plea("alice consent", 30)])[0]) == ["settled bob illegal dave alice"]


@pytest.mark.parametrize(
    ("threshold", "enough"),
    [("unanimous", 3), ("simple-majority", 2), ("1/3", 1), ("votes_for >= players - 2", 2), ("1/(players-4)", 3)],
)
def test_the_rules_say_how_many_overrule(threshold: str, enough: int):
    under = law("judgment.judge: preceding-player", f"judgment.overruling: {threshold}")
    said = pleas("dave invoke Why?", "bob rule legal", "dave overrule", "carol overrule", "alice overrule")
    steps = heard(court(under, names={"players": 4}), said)[0]
    assert len(steps[2].supporters) == enough
    assert steps[2].rule == -100


def test_two_verdicts_of_one_comment_are_one():
    said = [plea("dave invoke Why?", 11), plea("bob rule legal", 12), plea("bob rule illegal", 12)]
    assert told(heard(court(), said)[0])[1:] == ["judged bob legal"]


def test_pleas_of_one_instant_count_in_the_order_given():
    said = [plea(line, 11) for line in ("carol invoke Why?", "carol ask bob", "bob rule legal", "dave uphold")]
    steps, _ = heard(court(CHOSEN), said)
    assert [one.kind for one in steps] == ["invoked", "asked", "judged", "settled"]
    assert told(heard(court(CHOSEN), said[::-1])[0]) == ["invoked carol"]


def test_what_was_said_before_the_step_that_makes_it_possible_does_nothing():
    said = pleas("alice overrule", "carol overrule", "dave overrule", "bob rule legal", "dave invoke Why?")
    assert told(heard(court(), said)[0]) == ["invoked dave -> bob"]
    said = pleas("dave invoke Why?", "alice overrule", "carol overrule", "bob rule legal", "dave overrule")
    assert told(heard(court(), said)[0])[1:] == ["judged bob legal"]


def test_what_comes_to_light_late_counts_from_the_last_event_on():
    said = [plea("carol invoke Why?", 11), plea("carol ask bob", 11), plea("bob rule legal", 12)]
    steps, _ = heard(court(CHOSEN, heard=50), said)
    assert [(one.kind, one.time) for one in steps] == [("invoked", 50), ("asked", 50), ("judged", 50)]
    assert [one.said for one in steps] == [11, 11, 12]


def test_what_is_dated_later_than_now_waits():
    said = pleas("dave invoke Why?", "bob rule legal")
    assert told(heard(court(), said, now=11)[0]) == ["invoked dave -> bob"]
    assert next_step(court(), said, 10) is None


def test_a_judgment_that_is_over_is_not_opened_by_the_same_words_again():
    said = pleas("dave invoke Why?", "alice invoke Why not?", "bob rule legal", "dave uphold")
    steps, there = heard(court(), said)
    assert len(steps) == 3
    assert told(heard(there, [*said, plea("alice invoke Once more?", 60)])[0]) == ["invoked alice -> bob"]


def test_a_judgment_all_in_one_second_opens_once():
    said = [plea(line, 11) for line in ("dave invoke Why?", "bob rule legal", "dave uphold")]
    assert len(heard(court(), said)[0]) == 3


def test_a_deleted_plea_leaves_what_came_of_it():
    said = pleas("dave invoke Why?", "alice consent", "bob rule legal", "dave uphold")
    there = heard(court(), said[:3])[1]
    assert told(heard(there, [said[0], said[1], said[3]])[0]) == ["settled bob legal dave"]


# Who judges.


@pytest.mark.parametrize(
    ("mover", "teams", "judges", "found"),
    [
        ("carol", {}, (), ("bob", "alice", "dave")),
        ("alice", {}, (), ("dave", "carol", "bob")),
        ("Carol", {}, (), ("bob", "alice", "dave")),
        ("carol", {"bob": "red", "carol": "red"}, (), ("alice", "dave")),
        ("carol", {"bob": "red", "carol": "blue"}, (), ("bob", "alice", "dave")),
        ("carol", {"bob": "red", "alice": "red"}, (), ("bob", "alice", "dave")),
        ("carol", {}, ("bob",), ("alice", "dave")),
        ("carol", {}, ("bob", "alice"), ("dave",)),
        ("carol", {}, ("dave",), ("bob", "alice")),
        ("carol", {}, ("erin",), ("bob", "alice", "dave")),
        ("erin", {}, (), ("dave", "carol", "bob", "alice")),
        ("carol", {}, ("bob", "alice", "dave"), ()),
    ],
)
def test_who_can_be_the_next_judge(mover: str, teams: dict[str, str], judges: tuple[str, ...], found: tuple[str, ...]):
    there = court(mover=mover, teams=teams, judgment=Judgment(7, "carol", "dave", 11, judges))
    assert could_judge(there) == found


def test_the_judges_of_another_question_can_judge_this_one():
    assert could_judge(court(judgment=Judgment(8, "dave", "dave", 11, ("bob",)))) == ("bob", "alice", "dave")


def test_the_place_of_a_judge_who_left_falls_to_the_player_before():
    there = replace(after("dave invoke Why?"), order=("alice", "carol", "dave"))
    assert present_judge(there) == "alice"
    steps, there = heard(there, pleas("alice rule legal", "dave uphold", since=20))
    assert told(steps) == ["judged alice legal", "settled alice legal dave"]


def test_when_the_judge_leaves_two_players_alone_and_nobody_can_judge_the_question_is_undecided():
    there = after("alice invoke Why?", order=("alice", "bob", "carol"), teams={"alice": "x", "carol": "x"})
    assert told(heard(replace(there, order=("alice", "carol"), heard=40), [])[0]) == ["settled undecided"]


def test_when_the_asked_judge_leaves_the_mover_asks_again():
    there = after("dave invoke Why?", "carol ask bob", under=CHOSEN)
    there = replace(there, order=("alice", "carol", "dave"))
    assert (present_judge(there), asker(there)) == (None, "carol")
    assert told(heard(there, pleas("carol ask alice", since=20))[0]) == ["asked carol -> alice"]


def test_when_the_overruled_judge_leaves_the_mover_asks():
    lines = ("dave invoke Why?", "carol ask bob", "bob rule legal", "alice overrule", "carol overrule", "dave overrule")
    there = after(*lines, under=CHOSEN)
    assert asker(there) == "bob"
    assert asker(replace(there, order=("alice", "carol", "dave"))) == "carol"


def test_when_the_mover_has_left_and_a_judge_is_sought_the_question_lapses():
    there = replace(after("dave invoke Why?", under=CHOSEN), order=("alice", "bob", "dave"), heard=40)
    steps = heard(there, pleas("dave consent", since=20))[0]
    assert told(steps) == ["settled"]
    assert steps[0].time == 40


def test_when_no_rule_provides_a_judge_any_more_a_judge_who_is_there_goes_on():
    assert told(heard(replace(after("dave invoke Why?"), law=law()), pleas("bob rule legal", since=20))[0]) == [
        "judged bob legal"
    ]
    assert told(heard(replace(after("dave invoke Why?", under=CHOSEN), law=law()), [])[0]) == ["settled"]


def test_a_verdict_stands_though_its_judge_has_left():
    there = after("dave invoke Why?", "bob rule legal")
    there = replace(there, order=("alice", "carol", "dave"))
    assert present_judge(there) == "bob"
    said = pleas("alice overrule", "carol overrule", "dave overrule", since=20)
    assert told(heard(there, said)[0]) == ["overruled bob alice carol dave -> alice"]
    assert told(heard(there, pleas("dave uphold", since=20))[0]) == ["settled bob legal dave"]


# What does nothing, and why.

ASKED = {"under": CHOSEN}


@pytest.mark.parametrize(
    ("before", "facts", "line", "what", "named"),
    [
        ([], {}, "erin invoke Why?", Refusal.NOT_A_PLAYER, "erin"),
        ([], {"under": law()}, "dave invoke Why?", Refusal.NOT_PROVIDED, "No rule provides"),
        (["dave invoke Why?"], {}, "alice invoke Why?", Refusal.OPEN, "proposal 7"),
        ([], {"judgment": Judgment(4, "bob", "bob", 3)}, "alice invoke Why?", Refusal.OPEN, "proposal 4"),
        ([], {"since": 501}, "dave invoke Why?", Refusal.TOO_EARLY, "voting"),
        ([], {"since": None}, "dave invoke Why?", Refusal.TOO_EARLY, "voting"),
        ([], {"until": 500}, "dave invoke Why?", Refusal.TOO_LATE, "next turn"),
        ([], {"until": 600, "heard": 600}, "dave invoke Why?", Refusal.TOO_LATE, "next turn"),
        ([], {}, "dave invoke", Refusal.NO_QUESTION, "dave"),
        ([], {}, "dave invoke <#@>", Refusal.NO_QUESTION, "question"),
        ([], {"order": ("carol",)}, "carol invoke Why?", Refusal.NOBODY_CAN_JUDGE, "carol"),
        ([], {"order": ("bob", "dave"), **ASKED}, "bob invoke Why?", Refusal.NOBODY_ASKS, "carol"),
        ([], {}, "dave uphold", Refusal.NONE_OPEN, "No judgment"),
        ([], {}, "dave overrule", Refusal.NONE_OPEN, "No judgment"),
        ([], {}, "dave ask bob", Refusal.NONE_OPEN, "No judgment"),
        ([], {}, "dave rule legal", Refusal.NONE_OPEN, "No judgment"),
        ([], {}, "dave consent", Refusal.NONE_OPEN, "No judgment"),
        ([], {"until": 500}, "dave overrule", Refusal.NONE_OPEN, "No judgment"),
        (["dave invoke Why?", "bob rule legal", "dave uphold"], {}, "alice overrule", Refusal.NONE_OPEN, "over"),
        ([], {"judgment": Judgment(4, "bob", "bob", 3)}, "dave overrule", Refusal.ELSEWHERE, "proposal 4"),
        (["dave invoke Why?"], {}, "carol ask bob", Refusal.NOT_CHOSEN, "preceding"),
        (["dave invoke Why?", "carol ask bob"], ASKED, "carol ask dave", Refusal.HAS_JUDGE, "bob"),
        (["dave invoke Why?"], ASKED, "dave ask bob", Refusal.NOT_THE_ASKER, "carol"),
        (["dave invoke Why?"], ASKED, "carol ask", Refusal.ASKED_NOBODY, "carol"),
        (["dave invoke Why?"], ASKED, "carol ask erin", Refusal.ASKED_STRANGER, "`erin`"),
        (["dave invoke Why?"], ASKED, "carol ask Carol", Refusal.ASKED_MOVER, "carol"),
        (
            ["dave invoke Why?"],
            {**ASKED, "teams": {"bob": "x", "carol": "x"}},
            "carol ask bob",
            Refusal.ASKED_TEAM_MATE,
            "bob",
        ),
        (["dave invoke Why?"], ASKED, "bob rule legal", Refusal.NO_JUDGE_YET, "carol"),
        (["dave invoke Why?"], ASKED, "bob uphold", Refusal.NO_JUDGE_YET, "carol"),
        (["dave invoke Why?"], {}, "alice rule legal", Refusal.NOT_THE_JUDGE, "bob is the Judge"),
        (["dave invoke Why?", "bob rule legal"], {}, "bob rule illegal", Refusal.RULED_ALREADY, "bob"),
        (["dave invoke Why?", "bob rule legal"], {}, "dave rule illegal", Refusal.NOT_THE_JUDGE, "bob is the Judge"),
        (["dave invoke Why?"], {}, "bob rule", Refusal.NO_REASONS, "bob"),
        (["dave invoke Why?"], {}, "dave uphold", Refusal.NO_VERDICT, "bob"),
        (["dave invoke Why?"], {}, "dave overrule", Refusal.NO_VERDICT, "bob"),
        (["dave invoke Why?", "bob rule legal"], {}, "bob uphold", Refusal.OWN_VERDICT, "bob"),
        (["dave invoke Why?", "bob rule legal"], {}, "bob overrule", Refusal.JUDGE_OVERRULES, "bob"),
        (
            ["bob invoke Why?", "bob rule legal"],
            {"order": ("bob", "carol")},
            "carol overrule",
            Refusal.TWO_PLAYERS,
            "two players",
        ),
        (["dave invoke Why?"], {}, "carol consent", Refusal.MOVER_CONSENTS, "carol"),
    ],
)
def test_what_does_nothing_gets_one_clear_answer(before, facts, line, what, named):
    reason = why(after(*before, **facts), line)
    assert reason is not None
    assert reason.what is what
    text = locales.reason_text(reason)
    assert named in text
    assert text.endswith(".")


def test_who_was_judge_of_the_question_is_not_asked_again():
    lines = ("dave invoke Why?", "carol ask bob", "bob rule legal", "alice overrule", "carol overrule", "dave overrule")
    again = why(after(*lines, under=CHOSEN), "bob ask Bob")
    assert again is not None
    assert (again.what, again.facts["judge"]) == (Refusal.ASKED_AGAIN, "bob")


@pytest.mark.parametrize("move", Move)
def test_every_answer_cites_the_rule(move: Move):
    reason = refused(court(github()), Plea("erin", move, 500))
    assert reason is not None
    assert reason.rests_on in {"judgment.judge", "judgment.overruling", "judgment.consent"}
    assert locales.reason_text(reason, github()).endswith("(rule -102)")


def test_every_refusal_has_its_sentence():
    assert {one.value for one in Refusal} == {key for key in REASONS if key.startswith("judgment-")}


def test_the_answers_are_of_what_was_said_since_the_last_step():
    said = pleas("bob rule legal", "dave invoke Why?", "alice rule legal", "dave consent", "dave uphold")
    assert [(one.said, reason.what) for one, reason in refusals(court(), said, 100)] == [("legal", Refusal.NONE_OPEN)]
    there = heard(court(), said)[1]
    answers = refusals(there, said, 100)
    assert [(one.player, reason.what) for one, reason in answers] == [
        ("alice", Refusal.NOT_THE_JUDGE),
        ("dave", Refusal.NO_VERDICT),
    ]


def test_beside_a_judgment_elsewhere_only_what_was_said_since_is_answered():
    there = court(judgment=Judgment(4, "bob", "bob", 20))
    said = [plea(line, time) for time in (19, 20, 21) for line in ("bob invoke Why?", "alice invoke Why?")]
    answers = refusals(there, said[:5], 100)
    assert [(one.time, reason.what) for one, reason in answers] == [(21, Refusal.OPEN)]


# What the audit lets pass.

VERDICT = ("dave invoke Why?", "bob rule legal")


@pytest.mark.parametrize(
    ("before", "event", "what"),
    [
        (
            [],
            Event(EventKind.INVOKED, 40, 7, player="dave", mover="carol", words="Why?", judge="alice"),
            Refusal.OTHERWISE,
        ),
        (
            [],
            Event(EventKind.INVOKED, 40, 8, player="dave", mover="carol", words="Why?", judge="bob"),
            Refusal.OTHERWISE,
        ),
        ([], Event(EventKind.INVOKED, 40, 7, player="dave", mover="carol", judge="bob"), Refusal.NO_QUESTION),
        (
            VERDICT,
            Event(EventKind.INVOKED, 40, 7, player="dave", mover="carol", words="Why?", judge="bob"),
            Refusal.OPEN,
        ),
        ([], Event(EventKind.JUDGED, 40, 7, player="bob", ruling=Ruling.LEGAL), Refusal.NONE_OPEN),
        (VERDICT[:1], Event(EventKind.JUDGED, 40, 7, player="dave", ruling=Ruling.LEGAL), Refusal.NOT_THE_JUDGE),
        (VERDICT, Event(EventKind.JUDGED, 40, 7, player="bob", ruling=Ruling.LEGAL), Refusal.RULED_ALREADY),
        (VERDICT[:1], Event(EventKind.JUDGED, 9, 7, player="bob", ruling=Ruling.LEGAL), Refusal.OTHERWISE),
        (
            VERDICT[:1],
            Event(EventKind.JUDGED, 40, 7, player="bob", ruling=Ruling.WORDS, words="Legal, since so it is"),
            Refusal.OTHERWISE,
        ),
        (
            VERDICT,
            Event(EventKind.OVERRULED, 40, 7, player="bob", supporters=("dave", "alice"), judge="alice"),
            Refusal.OTHERWISE,
        ),
        (
            VERDICT,
            Event(EventKind.SETTLED, 40, 7, player="bob", ruling=Ruling.ILLEGAL, supporters=("dave",)),
            Refusal.OTHERWISE,
        ),
        (
            VERDICT,
            Event(EventKind.SETTLED, 40, 7, player="bob", ruling=Ruling.LEGAL, supporters=("bob",)),
            Refusal.OWN_VERDICT,
        ),
        (VERDICT, Event(EventKind.SETTLED, 12, 7, ruling=Ruling.UNDECIDED), Refusal.OTHERWISE),
        (VERDICT, Event(EventKind.WITHDRAWN, 40, 7, player="dave"), Refusal.OTHERWISE),
    ],
)
def test_a_recorded_step_that_cannot_have_followed_is_found(before, event, what):
    there = after(*before)
    reason = check_step(there, replace(event, rule=-101))
    assert reason is not None
    assert reason.what is what


def test_the_text_that_a_settlement_finds_illegal_is_the_callers():
    there = after("dave invoke Why?", "bob rule illegal")
    step = next_step(there, pleas("dave uphold", since=20), 100)
    assert step is not None
    assert check_step(there, replace(step, text="0" * 40)) is None


def test_an_illegal_ruling_names_a_text_where_the_question_was_about_one():
    judgment = after("dave invoke Why?").judgment
    assert judgment is not None
    there = court(judgment=replace(judgment, subject="enact - 1"))
    step = next_step(there, pleas("bob rule illegal", since=20), 100)
    assert step is not None
    assert step.text == "enact - 1"
    assert check_step(there, replace(step, text="enact - 2")) is None
    without = check_step(there, replace(step, text=None))
    assert without is not None
    assert without.what is Refusal.OTHERWISE


def test_other_events_leave_a_judgment_as_it_is():
    there = after("dave invoke Why?").judgment
    assert after_step(there, Event(EventKind.RELAXED, 60, rule=1)) == there
    assert after_step(None, Event(EventKind.RELAXED, 60, rule=1)) is None


# What a Judge says.


@pytest.mark.parametrize(
    ("said", "ruling"),
    [
        ("legal", (Ruling.LEGAL, "")),
        ("ILLEGAL: 110 forbids it", (Ruling.ILLEGAL, "110 forbids it")),
        ("**Undecided** - who knows?", (Ruling.UNDECIDED, "who knows?")),
        ("illegal \N{EM DASH} see -110", (Ruling.ILLEGAL, "see -110")),
        ("illegal, -110 forbids it", (Ruling.ILLEGAL, "-110 forbids it")),
        ("legal.\nIt is so", (Ruling.LEGAL, "It is so")),
        ("Legally speaking, yes", (Ruling.WORDS, "Legally speaking, yes")),
        ("It is legal", (Ruling.WORDS, "It is legal")),
        ("", None),
        (" \n#", None),
    ],
)
def test_a_ruling_begins_with_its_verdict_or_is_words(said: str, ruling: tuple[Ruling, str] | None):
    assert read_ruling(said) == ruling


@pytest.mark.parametrize(
    ("words", "numbers"),
    [
        ("by 110 and -110, and 110 again", (110, -110)),
        ("rules 101-116", (101, 116)),
        ("(\N{MINUS SIGN}110)", (-110,)),
        ("rule110, 1101, 0110 and 999", ()),
        ("1982, 116.", (116,)),
        ("\u898f\u5247110\u898f\u5b9a", (110,)),
        ("9" * 400, ()),
    ],
)
def test_the_rules_that_reasons_name_are_cited(words: str, numbers: tuple[int, ...]):
    assert cited(words, {101, 110, 116, -110}) == numbers


@given(st.text())
def test_what_is_on_the_record_is_read_there_as_it_was_said(said: str):
    ruling = read_ruling(said)
    if ruling is not None and ruling[0] is not Ruling.WORDS:
        assert on_record(ruling[1]) == ruling[1]
        assert read_ruling(f"{ruling[0]} {ruling[1]}") == ruling


# Whatever players say.

WORDS = ("", "alice", "bob", "carol", "dave", "erin", "legal", "illegal: 7", "undecided", "So be it")
LAWS = st.sampled_from(
    [
        PRECEDING,
        CHOSEN,
        law("judgment.judge: preceding-player", "judgment.overruling: 1/2"),
        law("judgment.judge: chosen-by-mover", "judgment.overruling: simple-majority", "judgment.consent: unanimous"),
    ]
)
TEAMS = st.sampled_from([{}, {}, {"alice": "red", "carol": "red"}, {"alice": "red", "bob": "blue", "carol": "blue"}])
ORDERS = st.permutations(PLAYERS).flatmap(
    lambda order: st.sampled_from([4, 4, 3, 2]).map(lambda few: tuple(order[:few]))
)
COURTS = st.builds(
    court, LAWS, order=ORDERS, teams=TEAMS, until=st.none() | st.integers(20, 60), heard=st.sampled_from([8, 10, 15])
)
SAID = {INVOKE: ("Why?",), ASK: PLAYERS, RULE: ("legal", "illegal: 7", "undecided", "So be it")}
SENSIBLE = [Plea(player, move, 0, said) for player in PLAYERS for move in Move for said in SAID.get(move, ("",))]


def a_plea(draw: st.DrawFn, there: Court, time: int) -> Plea:
    """Mostly one that does something, and rather an overruling than what would end the judgment."""
    if draw(st.integers(0, 5)) == 0:
        player, move = draw(st.sampled_from([*PLAYERS, "erin", "Bob"])), draw(st.sampled_from(Move))
        return Plea(player, move, time, draw(st.sampled_from(WORDS)))
    made = [replace(one, time=time) for one in SENSIBLE]
    can: dict[Move, list[Plea]] = {}
    for one in made:
        if refused(there, one) is None:
            can.setdefault(one.move, []).append(one)
    liked = OVERRULE if OVERRULE in can and draw(st.integers(0, 9)) else draw(st.sampled_from([*can, INVOKE]))
    return draw(st.sampled_from(can.get(liked, made)))


@st.composite
def talks(draw: st.DrawFn, there: Court | None = None, time: int = 9) -> tuple[Court, list[Plea]]:
    """A court and what was said there, in the order of time."""
    start = there = draw(COURTS) if there is None else there
    said: list[Plea] = []
    for _ in range(draw(st.integers(1, 25))):
        time += draw(st.integers(0, 2))
        said.append(a_plea(draw, there, time))
        there = heard(there, said)[1]
    return start, said


@settings(max_examples=100, deadline=None)
@given(talks())
def test_all_at_once_or_one_at_a_time_comes_to_the_same(talk: tuple[Court, list[Plea]]):
    there, said = talk
    steps, end = heard(there, said)
    one_by_one: list[Event] = []
    for many in range(1, len(said) + 1):
        more, there = heard(there, said[:many])
        one_by_one += more
    assert (one_by_one, there) == (steps, end)
    assert heard(there, said) == ([], there)


@settings(max_examples=100, deadline=None)
@given(talks())
def test_whatever_is_said_every_judgment_keeps_the_rules(talk: tuple[Court, list[Plea]]):
    there, said = talk
    judges: list[str] = []
    for step in heard(there, said)[0]:
        assert step.time >= there.heard
        assert (there.judgment is None) == (step.kind is EventKind.INVOKED)
        if step.kind is EventKind.INVOKED:
            judges = []
        if step.kind is EventKind.OVERRULED:
            assert step.player == judges[-1]
            assert step.player not in step.supporters
            unanimous = there.law in (PRECEDING, CHOSEN)
            assert not unanimous or len(step.supporters) == len(there.order) - 1
            assert len(there.order) > 2
        if step.judge is not None:
            assert step.judge in there.order
            assert step.judge not in judges
            assert step.judge != there.mover
            assert there.teams.get(step.judge, step.judge) != there.teams.get(there.mover)
            judges.append(step.judge)
        if step.kind is EventKind.JUDGED:
            assert step.player == judges[-1]
        there = following(there, step)


@settings(max_examples=100, deadline=None)
@given(talks(), st.data())
def test_judgments_end_also_when_players_come_and_go(talk: tuple[Court, list[Plea]], data: st.DataObject):
    start, said = talk
    there = replace(heard(start, said)[1], order=data.draw(ORDERS))
    said = [*said, *data.draw(talks(there=there, time=80))[1]]
    there = heard(there, said)[1]
    if there.judgment is not None:
        consents = [Plea(one, CONSENT, 200) for one in there.order if one != there.mover]
        assert heard(there, [*said, *consents])[1].judgment is None


@settings(max_examples=100, deadline=None)
@given(talks())
def test_every_step_can_be_written_and_read(talk: tuple[Court, list[Plea]]):
    for step in heard(*talk)[0]:
        assert read_event(dict(write_trailers(step)), step.time) == step


@settings(deadline=None)
@given(talks(), st.data())
def test_two_proposals_never_take_turns_for_ever(talk: tuple[Court, list[Plea]], data: st.DataObject):
    # What is said on both in one second may look alike; judgment still comes to an end.
    one = talk[0]
    said = [replace(plea, time=11) for plea in talk[1]]
    other = replace(one, proposal=8, mover=data.draw(st.sampled_from(PLAYERS)))
    more = data.draw(st.permutations(said))
    count = 0
    while due := next_step(one, said, 100) or next_step(other, more, 100):
        there = following(one, due)
        state = {"judgment": there.judgment, "heard": there.heard, "settled": there.settled}
        one, other = replace(one, **state), replace(other, **state)
        count += 1
        assert count <= 4 * len(said) + 4


def test_where_the_mover_has_left_the_judge_is_who_sat_before_them():
    without = ("alice", "bob", "dave")  # Carol sat between bob and dave, whose turn it is.
    assert could_judge(court(order=without, following="dave")) == ("bob", "alice", "dave")
    assert could_judge(court(order=without)) == ("dave", "bob", "alice")
