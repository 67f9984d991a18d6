"""Cases: the judgments of a history, put together from its events (212; design section 8)."""

from __future__ import annotations

from nomic_git.game.event import Event, EventKind
from nomic_git.game.judgment import Ruling
from nomic_git.repository.cases import Case, End, Fate, cases
from nomic_git.repository.history import Recorded


def of(*events: Event) -> tuple[Case, ...]:
    return cases(Recorded(one, f"{at:040x}", ()) for at, one in enumerate(events))


def invoked(time: int = 10, proposal: int = 7, judge: str | None = "dave") -> Event:
    return Event(
        EventKind.INVOKED, time, proposal=proposal, player="bob", mover="alice", judge=judge, words="Is it legal?"
    )


def ruled(judge: str, ruling: Ruling = Ruling.LEGAL, time: int = 20) -> Event:
    return Event(EventKind.JUDGED, time, proposal=7, player=judge, ruling=ruling, words="by 112", cites=(112,))


def settled(*by: str, player: str | None = "dave", ruling: Ruling | None = Ruling.LEGAL) -> Event:
    return Event(EventKind.SETTLED, 30, proposal=7, player=player, ruling=ruling, supporters=by)


def test_an_open_case_has_its_judge_pending() -> None:
    (case,) = of(invoked())
    assert (case.end, case.mover, case.invoker, case.question) == (End.OPEN, "alice", "bob", "Is it legal?")
    assert [(one.judge, one.fate) for one in case.verdicts] == [("dave", Fate.PENDING)]


def test_the_rulebooks_number_is_the_one_that_any_event_gives() -> None:
    number = Event(EventKind.PROPOSED, 5, proposal=7, number=301, player="alice")
    assert [one.number for one in of(number, invoked())] == [301]
    assert [one.number for one in of(invoked())] == [7]


def test_one_other_player_upholds_and_several_consent() -> None:
    assert of(invoked(), ruled("dave"), settled("carol"))[0].end is End.UPHELD
    assert of(invoked(), ruled("dave"), settled("carol", "bob"))[0].end is End.CONSENTED
    assert of(invoked(), ruled("dave"), settled("dave"))[0].end is End.CONSENTED
    (without,) = of(invoked(), settled("carol", "bob", ruling=None))
    assert (without.end, without.ruling, without.verdicts[0].fate) == (End.CONSENTED, None, Fate.DROPPED)


def test_where_nobody_is_left_it_is_exhausted_or_lapses() -> None:
    assert of(invoked(), settled(player=None, ruling=Ruling.UNDECIDED))[0].end is End.EXHAUSTED
    assert of(invoked(judge=None), settled(player=None, ruling=None))[0].end is End.LAPSED


def test_a_judge_who_left_makes_room_without_an_event() -> None:
    (case,) = of(invoked(), ruled("carol"), settled("bob", player="carol"))
    assert [(one.judge, one.fate) for one in case.verdicts] == [("dave", Fate.LEFT), ("carol", Fate.FINAL)]
    assert case.cites == {112}


def test_the_end_of_the_proposal_or_the_game_drops_what_is_open() -> None:
    for kind in (EventKind.WITHDRAWN, EventKind.DEFEATED):
        (case,) = of(invoked(), ruled("dave"), Event(kind, 40, proposal=7, player="alice"))
        assert (case.end, case.ended, case.verdicts[0].fate) == (End.DROPPED, 40, Fate.DROPPED)
    assert of(invoked(), Event(EventKind.WON, 50, player="alice"))[0].end is End.DROPPED
    assert of(invoked(), Event(EventKind.DEFEATED, 40, proposal=8, player="carol"))[0].end is End.OPEN


def test_a_voiding_belongs_to_the_last_case_on_its_proposal() -> None:
    first, last, other = of(
        invoked(),
        settled("carol", "bob", ruling=None),
        invoked(40),
        ruled("dave", Ruling.ILLEGAL),
        settled("carol", ruling=Ruling.ILLEGAL),
        Event(EventKind.VOIDED, 60, proposal=7, player="alice"),
        invoked(70, proposal=8),
    )
    assert (first.voided, last.voided, other.voided) == (None, f"{5:040x}", None)
