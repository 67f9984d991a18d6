"""Any bytes as a log: a value or a clear error, and one player's log never stops the pass for the others."""

from __future__ import annotations

import tempfile
from contextlib import suppress
from functools import cache
from pathlib import Path

import pygit2
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from scene import Scene, game

from nomic_git.forges.log import in_order, read_log
from nomic_git.game.instant import LATEST
from nomic_git.law.errors import Unreadable

DEEDS = ["begun", "opened", "pushed", "ready", "draft", "vote for", "vote against", "comment", "withdrawn", "dance"]
DEEDS += ["judgment rule", "judgment dance", "judgment"]

words = st.sampled_from(DEEDS).map(lambda deed: f"Proposal 1, bob: {deed}\n\nNomic-Log: {deed}\n".encode())
messages = st.one_of(words, words, st.binary(max_size=80))
times = st.one_of(st.just(b"1700000100"), st.integers(-(2**40), 2**70).map(lambda one: str(one).encode()))


@cache
def table() -> tuple[Scene, int]:
    """A game in which alice has one proposal open, on which everybody but bob has voted."""
    scene = game(Path(tempfile.mkdtemp()) / "game")
    number = scene.enact("alice")
    scene.vote(number, "for", "carol", "dave")
    return scene, number


def written(scene: Scene, data: bytes) -> str:
    """The id of a commit object made of these very bytes."""
    return str(scene.clone.repository.odb.write(pygit2.enums.ObjectType.COMMIT, data))


def entry(scene: Scene, parents: list[str], time: bytes, message: bytes) -> str:
    """The id of a commit with these parents, this time and this message."""
    tree = scene.clone.repository.TreeBuilder().write()
    who = b"bob <bob@players.invalid> " + time + b" +0000"
    lines = [b"tree " + str(tree).encode(), *(b"parent " + one.encode() for one in parents)]
    return written(scene, b"\n".join([*lines, b"author " + who, b"committer " + who, b"", message]))


def judged(scene: Scene, number: int, last: str) -> None:
    """The log that ends there is read or refused, and the pass goes on with whatever it said."""
    with suppress(Unreadable):
        entries = read_log(scene.clone.repository, last, with_words=True)
        said = [one.time for one in in_order(entries)]
        assert said == sorted(said)
    name = f"refs/nomic/proposals/{number}/log/bob"
    scene.clone.repository.references.create(name, pygit2.Oid(hex=last), force=True)
    report = scene.sit(dry_run=True)
    assert [one.proposal.forge for one in report.standings if one.proposal.forge != number] == []
    assert scene.forge.submission(number) is not None


@pytest.mark.parametrize(("time", "read"), [(253_402_300_799_999, LATEST), (-(10**14), 0)])
def test_a_year_that_no_calendar_has_is_the_last_or_the_first_there_is(time: int, read: int) -> None:
    """So that whatever was said then can be shown."""
    scene, _ = table()
    last = entry(scene, [], str(time).encode(), b"Proposal 1, bob: begun\n\nNomic-Log: begun\n")
    assert [one.time for one in read_log(scene.clone.repository, last, with_words=True)] == [read]


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.tuples(times, messages, st.booleans()), min_size=1, max_size=5))
def test_any_chain_of_entries_is_read_or_refused_and_stops_nothing(
    chain: list[tuple[bytes, bytes, bool]],
) -> None:
    scene, number = table()
    head = scene.forge.head(number) or ""
    last = entry(scene, [], b"1700000050", b"Proposal 1, bob: begun\n\nNomic-Log: begun\n")
    for time, message, speaks_of_the_head in chain:
        last = entry(scene, [last, *([head] if speaks_of_the_head else [])], time, message)
    judged(scene, number, last)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.binary(max_size=200))
@example(b"")
@example(b"tree 4b825dc642cb6eb9a060e54bf8d69288fbee4904\n\nNomic-Log: vote for\n")
def test_any_bytes_as_a_log_are_read_or_refused_and_stop_nothing(data: bytes) -> None:
    scene, number = table()
    judged(scene, number, written(scene, data))
