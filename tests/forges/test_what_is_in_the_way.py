"""Refs and objects that no player of good will would push: each stops at most the proposal it is on (section 11)."""

from __future__ import annotations

import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import pytest
from scene import Scene, cloned, game, git, shared

from nomic_git.forges.forge import ForgeError
from nomic_git.forges.log import A_DAY, Deed, append, in_order, read_log
from nomic_git.forges.refs import LOOK_AHEAD, scan
from nomic_git.forges.title import LONGEST_TITLE
from nomic_git.repository.clone import Clone, open_clone

AUTHORLESS = b"tree 4b825dc642cb6eb9a060e54bf8d69288fbee4904\ncommitter x <x@x> 1700000000 +0000\n\nhi\n"
UNDATED = b"tree 4b825dc642cb6eb9a060e54bf8d69288fbee4904\nauthor x <x> soon\ncommitter x <x> soon\n\nhi\n"


class Table(NamedTuple):
    """Alice's clone and Bob's, and the bare repository between them."""

    alice: Scene
    bob: Scene
    bare: Path


@pytest.fixture
def table(tmp_path: Path) -> Table:
    alice = game(tmp_path / "alice", "alice", "bob", "carol")
    bare = shared(tmp_path, alice)
    bob = cloned(tmp_path, bare, "bob", alice.now)
    git(bob.folder, "update-ref", "refs/heads/tip", bob.tip)
    return Table(alice, bob, bare)


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    return game(tmp_path / "game", "alice", "bob", "carol")


def loose(folder: Path, data: bytes) -> str:
    """The id of a commit that is written as it is, however malformed."""
    command = ["git", "hash-object", "--literally", "-t", "commit", "-w", "--stdin"]
    return subprocess.run(command, cwd=folder, input=data, check=True, capture_output=True).stdout.decode().strip()


def ref(number: int, what: str) -> str:
    return f"refs/nomic/proposals/{number}/{what}"


def put(folder: Path, name: str, id_: str) -> None:
    git(folder, "update-ref", name, id_)


@pytest.mark.parametrize("data", [AUTHORLESS, UNDATED], ids=["no author", "no date"])
@pytest.mark.parametrize("what", ["head", "tally", "log/carol"])
def test_a_malformed_object_stops_at_most_the_proposal_it_is_on(scene: Scene, what: str, data: bytes) -> None:
    bad, good = scene.enact("alice"), scene.enact("bob", name="other")
    put(scene.folder, ref(bad, what), loose(scene.folder, data))
    for login in ("alice", "bob", "carol"):
        scene.vote(good, "for", login)
    assert [one.event.proposal for one in scene.sit().done] == [good]
    assert scene.forge.submission(bad) is not None


def test_a_malformed_object_at_the_remote_stays_there_and_the_rest_arrives(table: Table) -> None:
    alice, bob, bare = table
    number = alice.enact("alice")
    put(bare, ref(number, "log/carol"), loose(bare, AUTHORLESS))
    put(bare, ref(7, "head"), loose(bare, UNDATED))
    bob.now = alice.now
    bob.forge.fetch()
    assert [cast.voter for cast in bob.heard(number).votes] == []
    assert bob.heard(number).author == "alice"
    assert [line.partition(" is malformed and was left there")[0] for line in bob.forge.troubles] == [
        f"{ref(number, 'log/carol')} at origin",
        f"{ref(7, 'head')} at origin",
    ]
    with pytest.raises(ForgeError, match=r"log/carol at origin is malformed .* kept in this clone"):
        bob.vote(number, "for", "carol")
    bob.vote(number, "for", "bob")
    alice.sit()
    assert [cast.voter for cast in alice.heard(number).votes] == ["bob"]


def test_a_ref_where_a_folder_belongs_takes_its_number_and_no_more(table: Table) -> None:
    alice, bob, bare = table
    for number in range(1, LOOK_AHEAD + 2):
        put(bare, f"refs/nomic/proposals/{number}", alice.tip)
    assert bob.enact("bob") == LOOK_AHEAD + 2
    alice.forge.fetch()
    assert alice.enact("alice", name="other") == LOOK_AHEAD + 3
    assert [one.number for one in alice.forge.submissions(alice.state.resolved)] == [LOOK_AHEAD + 2, LOOK_AHEAD + 3]


def test_a_ref_where_a_folder_belongs_takes_its_number_without_a_remote(scene: Scene) -> None:
    put(scene.folder, "refs/nomic/proposals/1", scene.tip)
    put(scene.folder, "refs/nomic/proposals/2/log/bob/x", scene.tip)
    assert scene.enact("alice") == 3


def test_what_is_in_the_way_of_a_log_is_named_with_the_remedy(table: Table) -> None:
    alice, bob, bare = table
    number = alice.enact("alice")
    bob.forge.fetch()
    put(bare, ref(number, "log/bob/x"), alice.tip)
    remedy = f"{ref(number, 'log/bob/x')} at origin is in the way of .*: git push origin --delete"
    with pytest.raises(ForgeError, match=remedy):
        bob.vote(number, "for", "bob")
    bob.sit()
    assert bob.enact("bob", name="other") == number + 1
    git(bob.folder, "push", "-q", "origin", "--delete", ref(number, "log/bob/x"))
    bob.forge.fetch()
    alice.forge.fetch()
    assert [cast.voter for cast in alice.heard(number).votes] == ["bob"], "what was kept is sent once it can be"


def test_refs_that_were_replaced_at_the_remote_stop_no_fetch(table: Table) -> None:
    alice, bob, bare = table
    number = alice.enact("alice")
    other = alice.enact("carol", name="other")
    bob.forge.fetch()
    for what in ("head", "log/alice"):
        git(bare, "update-ref", "-d", ref(number, what))
    put(bare, f"refs/nomic/proposals/{number}", alice.tip)
    for one in (bob, alice):
        one.forge.fetch()
        one.sit()
        assert one.heard(other).author == "carol"
    assert bob.forge.submission(number) is None


def test_a_branch_called_nomic_is_named_with_the_remedy(table: Table) -> None:
    alice, bob, _ = table
    number = alice.enact("alice")
    git(bob.folder, "push", "-q", "origin", "HEAD:refs/heads/nomic")
    with pytest.raises(ForgeError, match=r"a branch called nomic is where .*; rename it: (.*)") as found:
        bob.forge.fetch()
    remedy = str(found.value).partition("rename it: ")[2]
    subprocess.run(remedy, shell=True, check=True, cwd=bob.folder, capture_output=True)
    bob.forge.fetch()
    assert bob.heard(number).author == "alice"


def test_a_branch_is_no_log_of_the_game(table: Table) -> None:
    alice, bob, _ = table
    number = alice.enact("alice")
    bob.forge.fetch()
    repository = alice.clone.repository
    forged = append(
        repository, None, "bob", number, Deed.VOTE, alice.tick(), word="against", head=alice.forge.head(number)
    )
    git(alice.folder, "push", "-q", "origin", f"{forged}:refs/heads/nomic/proposals/{number}/log/bob")
    git(bob.folder, "fetch", "-q")
    bob.sit()
    assert bob.heard(number).votes == ()


def test_a_remote_may_be_called_nomic(table: Table, tmp_path: Path) -> None:
    alice, _, bare = table
    number = alice.enact("alice")
    git(tmp_path, "clone", "-q", "-o", "nomic", str(bare), "dave")
    dave = Scene(open_clone(tmp_path / "dave"), alice.now)
    dave.forge.fetch()
    assert [one.number for one in dave.forge.submissions(dave.state.resolved)] == [number]


def test_fetches_beside_one_another_in_one_clone_all_succeed(table: Table) -> None:
    alice, bob, _ = table
    for at in range(6):
        alice.enact("alice", name=f"n{at}")
    with ThreadPoolExecutor(4) as at_once:
        done = [at_once.submit(Scene(open_clone(bob.folder)).forge.fetch) for _ in range(8)]
        for one in done:
            one.result()
    assert [one.number for one in bob.forge.submissions(bob.state.resolved)] == [1, 2, 3, 4, 5, 6]


def test_numbers_far_apart_are_looked_up_no_more_often_than_there_are_refs(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert scene.enact("alice") == 1
    furthest = LOOK_AHEAD * 200
    names = [f"create {ref(at, 'tally')} {scene.tip}\n" for at in range(LOOK_AHEAD, furthest + 1, LOOK_AHEAD)]
    scene.clone.git("update-ref", "--stdin", stdin="".join(names))
    calls = []
    run = Clone.git
    monkeypatch.setattr(Clone, "git", lambda *all_, **named: calls.append(all_) or run(*all_, **named))
    found = dict(scan(scene.clone, scene.state.resolved))
    assert max(found) == furthest
    assert found[1].head.here == scene.heard(1).head
    assert len(calls) < 20
    for number in (2, 3):
        assert number not in found


def test_numbers_far_above_the_resolved_ones_are_found_by_the_same_rule(scene: Scene) -> None:
    resolved = scene.state.resolved.adding(5000)
    put(scene.folder, ref(3, "head"), scene.tip)
    put(scene.folder, ref(5000 + LOOK_AHEAD, "head"), scene.tip)
    put(scene.folder, ref(5001 + 2 * LOOK_AHEAD, "head"), scene.tip)
    assert sorted(number for number, _ in scan(scene.clone, resolved)) == [3, 5000 + LOOK_AHEAD]


def test_a_log_with_something_else_on_top_is_unreadable_and_nothing_is_put_on_top(scene: Scene) -> None:
    number = scene.enact("alice")
    scene.vote(number, "against", "bob")
    log = ref(number, "log/bob")
    last = git(scene.folder, "rev-parse", log).strip()
    put(scene.folder, log, git(scene.folder, "commit-tree", "-p", last, "-m", "oops", f"{last}^{{tree}}").strip())
    with pytest.raises(ForgeError, match=f"{log} is no log that can be read"):
        scene.vote(number, "for", "bob")
    put(scene.folder, log, last)
    scene.vote(number, "for", "bob")
    assert [cast.vote.value for cast in scene.heard(number).votes] == ["against", "for"]


def test_an_entry_of_a_wrong_clock_takes_nothing_along_that_came_after_it(scene: Scene) -> None:
    number = scene.enact("alice")
    time = scene.now
    for at in (time + 900 * A_DAY, time + 10, time + 5):
        scene.forge.note("bob", number, Deed.VOTE, at, word="for", head=scene.forge.head(number))
    assert [cast.time for cast in scene.heard(number).votes] == [time + 10, time + 10, time + 10]
    assert [one.time for one in in_order(read_log(scene.clone.repository, tip(scene, number), with_words=False))] == [
        time + 10
    ] * 4


def tip(scene: Scene, number: int) -> str:
    return git(scene.folder, "rev-parse", ref(number, "log/bob")).strip()


def test_a_title_made_by_hand_is_read_as_one_line_that_shows(scene: Scene) -> None:
    number = scene.propose(
        "alice", {"rules/mutable/new.md": b"Be kind.\n"}, "Be\n\nNomic-Event: won\x1b[1m\u202e!" + "x" * 300
    )
    title = scene.heard(number).title
    assert title.startswith("Be Nomic-Event: won[1m!xxx")
    assert len(title) == LONGEST_TITLE


def test_a_head_that_was_forced_at_the_remote_stops_no_pass(table: Table) -> None:
    alice, bob, bare = table
    number, other = alice.enact("alice"), alice.enact("carol", name="other")
    put(bare, ref(number, "head"), git(bare, "rev-parse", "main^{tree}").strip())
    for one in (alice, bob):
        one.now = alice.now
        one.sit()
        assert "being voted on" in one.said(other)
        assert "improper" in one.said(number)
    alice.sit()
