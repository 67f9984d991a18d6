"""Events as the trailers of their commits record them (section 5)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from table import tried

from nomic_git.game.event import ChangeRecord, Event, EventKind, find_trailers, read_event, total, write_trailers
from nomic_git.game.instant import read_instant, write_instant
from nomic_git.game.judgment import Ruling, on_record
from nomic_git.law.characters import are_seen
from nomic_git.law.errors import Unreadable
from nomic_git.law.kinds import ChangeKind

NUMBERS = st.integers(-(10**18) + 1, 10**18 - 1)
LOGINS = st.from_regex(r"[A-Za-z0-9_-]{1,20}", fullmatch=True)
TIMES = st.integers(0, 4_000_000_000)
MANY = st.lists(LOGINS, max_size=4).map(tuple)
POINTS = st.lists(st.tuples(LOGINS, st.integers(-(10**17), 10**17)), max_size=3).map(tuple)
HEADS = st.from_regex(r"[0-9a-f]{40}", fullmatch=True)
FAILED = st.lists(st.sampled_from(["adoption.threshold", "turns.points"]), max_size=2).map(tuple)
RENUMBERED = st.sampled_from([ChangeKind.AMEND, ChangeKind.TRANSMUTE])
REPEALS = st.builds(ChangeRecord, st.just(ChangeKind.REPEAL), NUMBERS)
ADOPTED = st.one_of(
    st.builds(ChangeRecord, st.just(ChangeKind.ENACT), st.none(), NUMBERS),
    st.builds(ChangeRecord, RENUMBERED, NUMBERS, NUMBERS),
    REPEALS,
)
DEFEATED = st.one_of(
    st.builds(ChangeRecord, st.just(ChangeKind.ENACT), st.none()), st.builds(ChangeRecord, RENUMBERED, NUMBERS), REPEALS
)
PROPOSED = {"proposal": NUMBERS, "player": LOGINS}
MADE = {**PROPOSED, "head": HEADS}
VOTED = {**MADE, "opened": TIMES, "supporters": MANY, "opponents": MANY, "failed": FAILED}
TURN = {
    **VOTED,
    "number": NUMBERS,
    "points": POINTS,
    "absent": MANY,
    "readable": st.none() | TIMES,
    "die": st.none() | st.integers(1, 6),
    "ballots": st.lists(st.from_regex(r"[A-Za-z0-9]{1,40}", fullmatch=True), max_size=3).map(tuple),
}
WORDS = st.none() | st.text(min_size=1, max_size=80).map(on_record).filter(bool)
RULINGS = st.sampled_from(Ruling)
CITES = st.lists(NUMBERS, max_size=3).map(tuple)
RULE = {"rule": st.none() | NUMBERS}
JUDGING = {**PROPOSED, **RULE, "said": st.none() | TIMES}
FIELDS: dict[EventKind, dict[str, st.SearchStrategy[object]]] = {
    EventKind.FOUNDED: {"round": st.none() | NUMBERS, "left": st.none() | NUMBERS},
    EventKind.PROPOSED: {**PROPOSED, "number": NUMBERS},
    EventKind.ADOPTED: {**TURN, "change": ADOPTED},
    EventKind.DEFEATED: {**TURN, "change": DEFEATED},
    EventKind.WITHDRAWN: {**MADE, "number": st.none() | NUMBERS, "opened": st.none() | TIMES},
    EventKind.JOINED: {**VOTED, "opened": st.none() | TIMES, "account": st.none() | st.integers(1, 10**18 - 1)},
    EventKind.FORFEITED: MADE,
    EventKind.RELAXED: {"rule": NUMBERS},
    EventKind.PASSED: {"player": LOGINS, **RULE},
    EventKind.INVOKED: {**JUDGING, "mover": LOGINS, "words": WORDS, "judge": st.none() | LOGINS},
    EventKind.ASKED: {**JUDGING, "judge": LOGINS},
    EventKind.JUDGED: {**JUDGING, "ruling": RULINGS, "words": WORDS, "cites": CITES},
    EventKind.OVERRULED: {**JUDGING, "supporters": MANY.filter(bool), "judge": st.none() | LOGINS},
    EventKind.SETTLED: {
        **JUDGING,
        "player": st.none() | LOGINS,
        "ruling": st.none() | RULINGS,
        "supporters": MANY,
        "text": st.none() | st.just("amend 203 -"),
    },
    EventKind.VOIDED: {**PROPOSED, **RULE, "number": NUMBERS, "change": ADOPTED, "points": POINTS},
    EventKind.AWAY: {**MADE, **RULE},
    EventKind.BACK: {**MADE, **RULE},
    EventKind.SURNAMED: {**MADE, **RULE},
    EventKind.WON: {"player": LOGINS, "rule": st.none() | NUMBERS},
}


@st.composite
def events(draw: st.DrawFn) -> Event:
    kind = draw(st.sampled_from(list(FIELDS)))
    return Event(kind=kind, time=draw(TIMES), **{name: draw(one) for name, one in FIELDS[kind].items()})


ADOPTION = Event(
    kind=EventKind.ADOPTED,
    time=0,
    proposal=12,
    number=12,
    player="alice",
    change=ChangeRecord(ChangeKind.AMEND, 203, 12),
    head="5f2c" * 10,
    opened=1_795_255_602,
    supporters=("alice", "bob", "carol"),
    opponents=("dave",),
    points=(("alice", 16), ("dave", -10)),
)


def message(event: Event, *, before: str = "Adopt proposal 12\n\n") -> str:
    return before + "".join(f"{key}: {value}\n" for key, value in write_trailers(event))


@given(events())
def test_trailers_give_back_the_event_whatever_its_kind(event):
    found = find_trailers(message(event))
    assert found is not None
    assert read_event(found, event.time) == event


def test_trailers_are_the_ones_that_the_design_shows():
    assert message(ADOPTION, before="").splitlines() == [
        "Nomic-Event: adopted",
        "Nomic-Proposal: 12",
        "Nomic-Player: alice",
        "Nomic-Change: amend 203 12",
        f"Nomic-Head: {'5f2c' * 10}",
        "Nomic-Opened: 2026-11-21T10:06:42Z",
        "Nomic-For: alice, bob, carol",
        "Nomic-Against: dave",
        "Nomic-Points: alice +16, dave -10",
    ]


def test_whoever_joins_by_an_account_is_recorded_with_its_id():
    event = Event(EventKind.JOINED, 9, proposal=7, player="alice", account=583231, head="5f2c" * 10)
    assert message(event, before="").splitlines()[2:4] == ["Nomic-Player: alice", "Nomic-Account: 583231"]


@pytest.mark.parametrize("value", ["0", "-5", "583,231", "alice", "007", "1" * 30])
def test_what_can_be_no_id_of_an_account_is_refused(value):
    event = Event(EventKind.JOINED, 9, proposal=7, player="alice", account=583231, head="5f2c" * 10)
    with pytest.raises(Unreadable, match="Nomic-Account"):
        read_event({**dict(write_trailers(event)), "Nomic-Account": value}, 9)


def test_the_number_that_a_withdrawn_proposal_had_is_not_lost():
    for number in (None, 7, 301):
        event = Event(EventKind.WITHDRAWN, 9, proposal=7, number=number, player="alice", head="5f2c" * 10, opened=3)
        assert read_event(dict(write_trailers(event)), 9) == event


@pytest.mark.parametrize(
    "words",
    [
        "",
        "A commit like any other",
        "Mention Nomic-Event: adopted in the subject",
        "Subject\n\nNomic-Event: adopted\n\nand then words",
        "Subject\n\nNomic-Proposal: 3",
        "Subject\n\n nomic-Event: adopted",
    ],
)
def test_other_commits_are_no_events(words):
    assert find_trailers(words) is None


def test_a_repeated_key_is_refused():
    with pytest.raises(Unreadable, match="Nomic-Event is repeated"):
        find_trailers("Subject\n\nNomic-Event: adopted\nNomic-Event: defeated\n")


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("Nomic-Event", "celebrated"),
        ("Nomic-Event", ""),
        ("Nomic-Proposal", "012"),
        ("Nomic-Proposal", "+3"),
        ("Nomic-Number", "three"),
        ("Nomic-Rule", "-0"),
        ("Nomic-Player", "alice; rm"),
        ("Nomic-Head", "HEAD"),
        ("Nomic-Opened", "yesterday"),
        ("Nomic-Opened", "2026-11-21 10:06:42"),
        ("Nomic-Opened", "2026-11-21T10:06:42+01:00"),
        ("Nomic-For", "alice,bob"),
        ("Nomic-Against", "alice, "),
        ("Nomic-Points", "alice 16"),
        ("Nomic-Points", "alice +016"),
        ("Nomic-Change", "burn 203"),
        ("Nomic-Change", "amend"),
        ("Nomic-Change", "amend 203 12 13"),
        ("Nomic-Change", "amend x"),
        ("Nomic-Change", "enact 12 13"),
        ("Nomic-Change", "enact"),
        ("Nomic-Change", "amend 203"),
        ("Nomic-Change", "repeal 203 12"),
        ("Nomic-Failed", "no.such"),
        ("Nomic-Rule", "3"),
        ("Nomic-Account", "583231"),
        ("Nomic-Event", "forfeited"),
    ],
)
def test_a_trailer_that_says_nothing_or_has_no_place_there_is_refused(key, value):
    trailers = dict(write_trailers(ADOPTION))
    assert read_event(trailers, 0) == ADOPTION
    with pytest.raises(Unreadable):
        read_event({**trailers, key: value}, 0)


@pytest.mark.parametrize("key", ["Nomic-Proposal", "Nomic-Player", "Nomic-Change", "Nomic-Head", "Nomic-Opened"])
def test_a_trailer_that_an_event_of_the_kind_has_may_not_be_missing(key):
    trailers = {one: value for one, value in write_trailers(ADOPTION) if one != key}
    with pytest.raises(Unreadable, match=f"{key} is missing"):
        read_event(trailers, 0)


def test_events_of_every_kind_are_tried():
    assert {*FIELDS} == {*EventKind}


def test_an_event_that_only_a_newer_nomic_git_writes_is_refused_by_name():
    with pytest.raises(Unreadable, match="'celebrated' is an event that this nomic-git cannot read"):
        read_event({"Nomic-Event": "celebrated"}, 0)


@given(st.text(max_size=600))
def test_words_on_the_record_are_one_line_that_stays_as_it_is(said):
    kept = on_record(said)
    assert on_record(kept) == kept
    assert are_seen(kept)
    assert len(kept.splitlines()) <= 1
    assert not {*"#@[]<>`"} & {*kept}


@pytest.mark.parametrize("time", [-1, 253_402_300_800])
def test_an_instant_that_cannot_be_written_is_refused(time):
    with pytest.raises(Unreadable):
        read_event(dict(write_trailers(ADOPTION)), time)


def test_trailers_without_an_event_are_refused():
    with pytest.raises(Unreadable):
        read_event({"Nomic-Proposal": "3"}, 0)


KEYS = st.sampled_from([key for key, _ in write_trailers(Event(EventKind.WON, 0, 1, 2, "a", head="b"))])


@given(st.dictionaries(KEYS | st.sampled_from(["Nomic-Change", "Nomic-Points", "Nomic-Opened"]), st.text()))
def test_any_values_give_an_event_or_a_clear_error(trailers):
    found = tried(read_event, {"Nomic-Event": "adopted", **trailers}, 0)
    assert isinstance(found, Event | str)


@given(st.text())
def test_any_message_gives_trailers_none_or_a_clear_error(words):
    for made in (words, f"{words}\n\nNomic-Event: won", f"Nomic-{words}"):
        found = tried(find_trailers, made)
        assert found is None or isinstance(found, str) or "Nomic-Event" in found


@given(TIMES)
def test_instants_are_written_one_way_only(seconds):
    assert read_instant(write_instant(seconds)) == seconds


@given(st.text() | st.from_regex(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z", fullmatch=True))
def test_any_text_gives_an_instant_or_a_clear_error(words):
    found = tried(read_instant, words)
    assert isinstance(found, str) or write_instant(found) == words


def test_points_of_one_player_are_added_up_and_nothing_is_left_out_but_nought():
    assert total((("alice", -10), ("bob", 10), ("alice", 11), ("carol", 4), ("carol", -4))) == (
        ("alice", 1),
        ("bob", 10),
    )
