"""The ledger: events written as commits and read again, positions read from commits (section 5)."""

from __future__ import annotations

import pygit2
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scene import START, Scene, another, cloned, game, git, shared

from nomic_git.game.event import ChangeRecord, Event, EventKind, write_trailers
from nomic_git.law.errors import Unreadable
from nomic_git.law.kinds import ChangeKind
from nomic_git.repository.clone import open_clone
from nomic_git.repository.history import REFEREE, events, first_parents, recorded_event
from nomic_git.repository.position import position_at
from nomic_git.repository.record import event_commit, message, write_event
from nomic_git.repository.tree import Trees, object_id

LOGINS = st.from_regex(r"[A-Za-z0-9_-]{1,20}", fullmatch=True)
NUMBERS = st.integers(-(10**9), 10**9)
EVENTS = st.builds(
    Event,
    kind=st.just(EventKind.ADOPTED),
    time=st.integers(0, 4 * 10**9),
    proposal=st.integers(1, 10**9),
    number=NUMBERS,
    player=LOGINS,
    change=st.builds(ChangeRecord, st.just(ChangeKind.AMEND), NUMBERS, NUMBERS),
    head=st.from_regex(r"[0-9a-f]{40}", fullmatch=True),
    opened=st.integers(0, 4 * 10**9),
    supporters=st.lists(LOGINS, max_size=4).map(tuple),
    opponents=st.lists(LOGINS, max_size=4).map(tuple),
    points=st.lists(st.tuples(LOGINS, NUMBERS), max_size=3).map(tuple),
    failed=st.lists(st.sampled_from(["turns.points", "dissent.points"]), max_size=2).map(tuple),
)


def played(folder) -> Scene:
    scene = game(folder)
    scene.vote(scene.enact("alice", "Be kind."), "for", "bob", "carol", "dave")
    scene.sit()
    scene.vote(scene.amend("bob", -105, b"200", b"190"), "against", "alice")
    scene.sit()
    return scene


def test_trailers_are_read_by_git_itself(tmp_path):
    scene = played(tmp_path / "game")
    for recorded in events(scene.clone):
        words = git(scene.folder, "log", "-1", "--format=%B", recorded.commit)
        (tmp_path / "words").write_text(words)
        read = git(scene.folder, "interpret-trailers", "--parse", "--no-divider", str(tmp_path / "words"))
        assert read.splitlines() == [f"{key}: {value}" for key, value in write_trailers(recorded.event)]


@settings(deadline=None, max_examples=50)
@given(EVENTS)
def test_an_event_is_read_as_it_was_written(tmp_path_factory, event):
    repository = pygit2.init_repository(str(tmp_path_factory.mktemp("event")), bare=True)
    tree = repository.TreeBuilder().write()
    raw = event_commit(tree.raw, [], event)
    id_ = repository.odb.write(pygit2.enums.ObjectType.COMMIT, raw)
    assert id_.raw == object_id(b"commit", raw)
    recorded = recorded_event(repository[id_])
    assert recorded is not None
    assert recorded.event == event


def test_an_event_is_the_commit_that_git_would_make(tmp_path):
    scene = game(tmp_path / "game")
    event = Event(EventKind.WON, START + 5, player="alice", rule=-105)
    tip = scene.clone.tip
    written = write_event(scene.clone, [tip.id], tip.tree_id, event)
    who = pygit2.Signature(*REFEREE, event.time, 0)
    assert scene.clone.repository.create_commit(None, who, who, message(event), tip.tree_id, [tip.id]) == written
    assert "error" not in git(scene.folder, "fsck", "--strict")


def test_the_same_world_makes_the_same_commit_in_every_clone(tmp_path):
    scene = game(tmp_path / "game")
    bare = shared(tmp_path, scene)
    scene.vote(scene.enact("alice"), "for", "bob", "carol", "dave")
    git(scene.folder, "push", "-q", "origin", "refs/nomic/*:refs/nomic/*")
    other = cloned(tmp_path, bare, "other", scene.now)
    git(other.folder, "fetch", "-q", "origin", "+refs/nomic/*:refs/remotes/origin/nomic/*")
    there = [one.commit for one in scene.sit().done]
    git(bare, "update-ref", "refs/heads/main", git(other.folder, "rev-parse", "main").strip())
    other.now = scene.now + 500
    assert [one.commit for one in other.sit().done] == there


def test_each_event_is_one_commit_of_the_referees_at_the_time_of_the_event(tmp_path):
    scene = played(tmp_path / "game")
    told = git(scene.folder, "log", "--first-parent", "--format=%an|%ae|%at|%cn|%ce|%ct|%p", "main").splitlines()
    for line, recorded in zip(told, events(scene.clone), strict=True):
        author, mail, at, committer, its_mail, its_time, parents = line.split("|")
        assert (author, mail) == (committer, its_mail) == REFEREE
        assert int(at) == int(its_time) == recorded.event.time
        assert len(parents.split()) == {"adopted": 2, "founded": 0}.get(recorded.event.kind, 1)


def test_an_event_changes_its_rule_and_the_scores_and_nothing_else(tmp_path):
    scene = played(tmp_path / "game")
    changed = git(scene.folder, "log", "--first-parent", "--format=", "--name-only", "-m", "-2", "main").split()
    assert changed == ["SCORES.md", "scores.json", "SCORES.md", "rules/mutable/1.md", "scores.json"]


def test_the_position_is_read_at_any_commit_without_a_checkout(tmp_path):
    scene = played(tmp_path / "game")
    bare = open_clone(shared(tmp_path, scene))
    sizes = [len(position_at(bare.trees, one.tree_id.raw).law.rulebook) for one in first_parents(bare)]
    assert sizes == [29, 29, 28]
    assert position_at(bare.trees, bare.tip.tree_id.raw) == scene.position
    points = [position_at(bare.trees, one.tree_id.raw).state.seats[1].points for one in first_parents(bare)]
    assert points == [6 - 10, 0, 0]


def test_a_position_is_read_afresh_where_anything_under_it_changed(tmp_path):
    scene = game(tmp_path / "game")
    before = scene.position
    changed = scene.commit({"rules/mutable/-104.md": b"Other words.\n"})
    tree = scene.clone.repository[changed].peel(pygit2.Tree).id.raw
    after = position_at(scene.clone.trees, tree)
    assert after.law.rulebook.rules[-104].source == b"Other words.\n"
    assert before.law.rulebook.rules[-104].source != b"Other words.\n"
    assert after == position_at(Trees(scene.clone.repository), tree)


def test_a_rules_file_that_has_not_changed_is_not_read_again(tmp_path):
    scene = game(tmp_path / "game")
    before = scene.position.law.rulebook.rules
    changed = scene.commit({"rules/mutable/-104.md": b"Other words.\n"})
    tree = scene.clone.repository[changed].peel(pygit2.Tree).id.raw
    after = position_at(scene.clone.trees, tree).law.rulebook.rules
    assert [number for number in before if after[number] is not before[number]] == [-104]


def test_a_file_is_no_rule_for_having_been_one_with_the_same_bytes(tmp_path):
    scene = game(tmp_path / "game")
    path = scene.position.law.rulebook.rules[-104].path
    (scene.folder / path).chmod(0o755)
    git(scene.folder, "update-index", "--chmod=+x", path)
    tree = scene.clone.repository[git(scene.folder, "write-tree").strip()].id.raw
    with pytest.raises(Unreadable, match=rf"{path} is no plain file"):
        position_at(scene.clone.trees, tree)


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ({"rules/mutable/203x.md": b"x"}, "rules/mutable/203x.md: a rule's file is"),
        ({"rules/mutable/-104.md": b"\xff"}, "rules/mutable/-104.md: byte 0 is not UTF-8"),
        ({"rules/immutable/-104.md": b"x"}, "there are two rules -104"),
        ({"rules/mutable/-104.md": b"x" * 300_000}, "rules/mutable/-104.md is longer than 262144 bytes"),
        ({"players/a b.md": b""}, "players/a b.md is no player's file"),
        ({"players/alice.md": b"---\nage: 9\n---\n"}, "players/alice.md: the key 'age'"),
        ({"scores.json": None}, "scores.json is missing; restore it from the last event's commit"),
        ({"scores.json": b"{"}, "scores.json is no JSON"),
    ],
)
def test_what_cannot_be_read_is_named(tmp_path, files, words):
    scene = game(tmp_path / "game")
    tree = scene.clone.repository[scene.commit(files)].peel(pygit2.Tree).id.raw
    with pytest.raises(Unreadable) as refused:
        position_at(scene.clone.trees, tree)
    assert words in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    "words",
    [
        "Nomic-Event: adopted\n\nThat was a quotation.",
        "See:\n\nNomic-Event: no such event",
        "See:\n\nNomic-Event: won\nNomic-Event: won",
        "See:\n\nNomic-Event : won",
        "See:\n\n Nomic-Event: won",
        "See:\n\nNomic-Proposal: 1",
    ],
)
def test_words_that_record_nothing_are_no_event(tmp_path, words):
    scene = game(tmp_path / "game")
    git(scene.folder, "update-ref", "refs/heads/main", scene.commit({}, message=words))
    assert len(list(events(another(scene.folder, scene).clone))) == 1


def test_an_encoding_cannot_hide_a_record_nor_make_one(tmp_path):
    scene = game(tmp_path / "game")
    repository = scene.clone.repository
    for words, recorded in ((b"Nomic-Event: founded", True), (b"+AE4-omic-Event: founded", False)):
        raw = repository[scene.commit({}, message="x")].read_raw()
        raw = raw.replace(b"\n\nx", b"\nencoding UTF-7\n\nA\n\n" + words)
        commit = repository[repository.odb.write(pygit2.enums.ObjectType.COMMIT, raw)]
        assert (recorded_event(commit) is not None) is recorded
