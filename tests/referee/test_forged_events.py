"""Commits on the game branch whose messages claim events that never happened: no command takes them for any."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scene import Scene, game, git

from nomic_git import locales
from nomic_git.game.event import EventKind
from nomic_git.game.instant import write_instant
from nomic_git.referee.account import closed_account, resolving
from nomic_git.repository.audit import audit
from nomic_git.repository.history import events
from nomic_git.repository.lives import life

INSTANTS = st.sampled_from([write_instant(0), write_instant(1_700_000_005), "9999-12-31T23:59:59Z", "yesterday"])
LOGINS = st.sampled_from(["alice", "bob", "nobody", "alice, bob", "alice, alice", ""])
NUMBERS = st.sampled_from(["1", "2", "3", "-110", "0", "999999999999999999", "one"])
TRAILERS = {
    "Nomic-Proposal": NUMBERS,
    "Nomic-Number": NUMBERS,
    "Nomic-Player": LOGINS,
    "Nomic-Change": st.sampled_from(
        ["enact 1", "amend -110 1", "repeal -110", "repeal 77", "transmute 77 1", "enact", "amend 77"]
    ),
    "Nomic-Rule": NUMBERS,
    "Nomic-Head": st.sampled_from(["0" * 40, "a" * 39 + "1"]),
    "Nomic-Opened": INSTANTS,
    "Nomic-For": LOGINS,
    "Nomic-Against": LOGINS,
    "Nomic-Points": st.sampled_from(["alice +1", "alice +1, alice -2", "nobody +999999999999999999", "alice 1"]),
    "Nomic-Failed": st.sampled_from(["turns.points", "x.y", "adoption.threshold, turns.points"]),
    "Nomic-Judge": st.just("bob"),
}
FORGED = st.builds(
    lambda kind, trailers: {"Nomic-Event": kind, **trailers},
    st.sampled_from(EventKind),
    st.fixed_dictionaries({}, optional=TRAILERS),
)
ALL = dict.fromkeys(TRAILERS)


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory) -> Scene:
    """A game with a defeated proposal and an open one."""
    made = game(tmp_path_factory.mktemp("forged") / "game")
    first = made.enact("alice")
    made.vote(first, "against", "bob")
    made.sit()
    made.vote(made.enact("bob", name="b"), "for", "alice")
    made.sit()
    return made


def forge(scene: Scene, trailers: dict[str, str]) -> None:
    words = "".join(f"{key}: {value}\n" for key, value in trailers.items())
    git(scene.folder, "update-ref", scene.clone.branch, scene.commit({}, message=f"Claim\n\n{words}"))


def check_that_nothing_happened(scene: Scene, before: str) -> None:
    comments = [scene.forge.comment(number) for number in (1, 2)]
    for _ in range(2):
        report = scene.sit()
        assert (report.done, report.comments) == ((), 0)
    assert [scene.forge.comment(number) for number in (1, 2)] == comments
    for recorded in events(scene.clone):
        assert locales.subject(recorded.event)
    recorded = resolving(scene.clone, 1)
    assert recorded is not None
    assert recorded.event.kind is EventKind.DEFEATED
    assert closed_account(scene.clone, recorded, scene.forge.submission(1), scene.now).outcome == "defeated"
    assert resolving(scene.clone, 2) is None
    for number in (1, 77, -110):
        life(scene.clone, number)
    assert scene.tip != before
    assert [one.commit for one in audit(scene.clone).irregular] == [scene.tip]


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(trailers=FORGED)
def test_trailers_that_somebody_made_up_change_nothing_and_stop_nothing(scene, trailers):
    before = scene.tip
    forge(scene, trailers)
    try:
        check_that_nothing_happened(scene, before)
    finally:
        git(scene.folder, "update-ref", scene.clone.branch, before)


@pytest.mark.parametrize("number", [1, 2])
@pytest.mark.parametrize("kind", ["adopted", "defeated", "joined", "forfeited", "withdrawn"])
def test_a_resolution_that_somebody_made_up_is_none(scene: Scene, kind: str, number: int) -> None:
    before = scene.tip
    trailers = {"Nomic-Event": kind, "Nomic-Proposal": str(number), "Nomic-Player": "alice", "Nomic-Head": "a" * 40}
    if kind in {"adopted", "defeated"}:
        trailers |= {"Nomic-Opened": write_instant(scene.now), "Nomic-For": "alice, bob"}
        trailers["Nomic-Change"] = f"enact {number}" if kind == "adopted" else "enact"
    forge(scene, trailers)
    assert next(iter(events(scene.clone))).event.kind == kind
    try:
        check_that_nothing_happened(scene, before)
    finally:
        git(scene.folder, "update-ref", scene.clone.branch, before)
