"""Whatever the law provides: the same history whenever the referee looks, and the audit follows every event."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st
from schedules import END, MOMENTS, law_of, laws, line, look, looks, schedules, table_of

FORGE = "proposals.numbering: forge"
SERIES = "proposals.numbering: {successive: 301}"


@settings(max_examples=1000, deadline=None)
@given(st.data(), laws(), st.sets(MOMENTS), st.integers(2, 4))
def test_whenever_the_referee_comes_by_the_history_is_the_same(data, drawn, visits, players):
    """What was taken back freely before anybody saw it never was: no request met at once, no invocation, no number.

    So requests stay here, and what judgment is spoken of; and numbers are the forge's, which are given anyway.
    """
    under = law_of(drawn, FORGE)
    the_same(under, data.draw(schedules(under)), visits, players)


@settings(max_examples=500, deadline=None)
@given(st.data(), laws(), st.sets(MOMENTS), st.integers(2, 4))
def test_so_it_is_with_the_numbers_of_a_series_where_no_vote_opens_and_ends_unseen(data, drawn, visits, players):
    under = law_of(drawn, SERIES)
    the_same(under, data.draw(schedules(under, steady=True)), visits, players)


def the_same(under, proposals, visits, players):
    position = table_of(under, players)
    there, at_once = look(position, proposals, END)
    other, events = looks(position, proposals, sorted({*visits, END}))
    assert [line(one) for one in events] == [line(one) for one in at_once]
    assert other.state == there.state


@settings(max_examples=500, deadline=None)
@given(st.data(), laws(), st.sets(MOMENTS), st.integers(2, 4))
def test_the_audit_follows_every_event_of_a_series_too(data, drawn, visits, players):
    under = law_of(drawn, SERIES)
    position, _ = looks(table_of(under, players), data.draw(schedules(under, judged_too=True)), sorted({*visits, END}))
    assert position.state.time <= END
