"""Two clones through a bare repository: who plays where, nothing is lost (design section 11)."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import pytest
from scene import Scene, cloned, game, git, shared

from nomic_git.forges.forge import ForgeError
from nomic_git.forges.log import Deed
from nomic_git.forges.remote import OwnCommits


class Table(NamedTuple):
    """Alice's clone and Bob's, and the bare repository between them."""

    alice: Scene
    bob: Scene
    bare: Path


@pytest.fixture
def table(tmp_path: Path) -> Table:
    alice = game(tmp_path / "alice", "alice", "bob", "carol")
    bare = shared(tmp_path, alice)
    return Table(alice, cloned(tmp_path, bare, "bob", alice.now), bare)


def refs(folder: Path, below: str = "refs/nomic/") -> dict[str, str]:
    lines = git(folder, "for-each-ref", "--format=%(refname) %(objectname)", below).splitlines()
    return dict(line.split(" ") for line in lines)


def test_two_people_play_from_different_clones_and_both_see_the_result(table: Table) -> None:
    alice, bob, bare = table
    number = alice.enact("alice")
    bob.now = alice.now
    bob.forge.fetch()
    assert bob.heard(number).author == "alice"
    bob.vote(number, "for", "bob", "carol")
    report = bob.sit()
    assert [one.event.kind.value for one in report.done] == ["adopted"]
    assert git(bare, "rev-parse", "main").strip() == bob.tip
    alice.forge.fetch()
    assert alice.tip == bob.tip
    assert alice.clean()
    assert bob.clean()
    assert (alice.folder / f"rules/mutable/{number}.md").read_bytes() == b"Be kind.\n"
    assert alice.said(number) == bob.said(number)
    assert "adopted" in alice.said(number)


def test_votes_cast_at_the_same_time_in_two_clones_both_count(table: Table) -> None:
    alice, bob, _ = table
    number = alice.enact("alice")
    bob.forge.fetch()
    bob.now = alice.now
    with ThreadPoolExecutor(2) as at_once:
        mine = at_once.submit(alice.vote, number, "for", "carol")
        theirs = at_once.submit(bob.vote, number, "for", "bob")
        mine.result()
        theirs.result()
    alice.forge.fetch()
    bob.forge.fetch()
    for one in (alice, bob):
        assert sorted(cast.voter for cast in one.heard(number).votes) == ["bob", "carol"]
    assert alice.sit().done[0].event.supporters == ("alice", "bob", "carol")


def test_of_two_who_take_one_number_the_loser_takes_the_next(table: Table) -> None:
    alice, bob, bare = table
    assert alice.enact("alice") == 1
    assert bob.enact("bob") == 2, "Bob's clone has not fetched proposal 1, and still does not overwrite it"
    assert bob.heard(1).author == "alice"
    alice.forge.fetch()
    assert alice.heard(2).author == "bob"
    assert set(refs(bare)) == {
        "refs/nomic/proposals/1/head",
        "refs/nomic/proposals/1/log/alice",
        "refs/nomic/proposals/2/head",
        "refs/nomic/proposals/2/log/bob",
    }


def test_numbers_taken_at_the_same_instant_are_all_different(table: Table) -> None:
    alice, bob, bare = table
    with ThreadPoolExecutor(2) as at_once:
        mine = at_once.submit(lambda: [alice.enact("alice", name=f"a{at}") for at in range(4)])
        theirs = at_once.submit(lambda: [bob.enact("bob", name=f"b{at}") for at in range(4)])
        taken = [*mine.result(), *theirs.result()]
    assert sorted(taken) == list(range(1, 9))
    assert len([name for name in refs(bare) if name.endswith("/head")]) == 8


def test_a_number_is_not_taken_again_after_its_refs_are_gone(table: Table) -> None:
    alice, bob, bare = table
    number = alice.enact("alice")
    alice.vote(number, "for", "bob", "carol")
    alice.sit()
    for name in refs(bare):
        git(bare, "update-ref", "-d", name)
    bob.now = alice.now
    bob.forge.fetch()
    assert refs(bob.folder, "refs/remotes/origin/nomic/") == {}
    assert bob.enact("bob", name="other") == number + 1


def test_a_log_that_grew_in_two_clones_of_one_player_keeps_every_entry(table: Table) -> None:
    alice, bob, bare = table
    number = alice.enact("alice")
    bob.forge.fetch()
    bob.now = alice.now + 1
    alice.vote(number, "for", "carol")
    bob.vote(number, "against", "carol")
    bob.do("carol", number, Deed.COMMENT, "On second thoughts, no.")
    alice.forge.fetch()
    for one in (alice, bob):
        assert [cast.vote.value for cast in one.heard(number).votes] == ["for", "against"]
        assert [remark.text for remark in one.heard(number).remarks] == ["On second thoughts, no."]
    assert (
        refs(bare)[f"refs/nomic/proposals/{number}/log/carol"]
        == refs(bob.folder)[f"refs/nomic/proposals/{number}/log/carol"]
    )


def test_an_entry_made_out_of_reach_reads_the_same_before_and_after_it_is_sent(table: Table) -> None:
    alice, bob, bare = table
    number = alice.enact("alice")
    alice.vote(number, "for", "carol")
    bob.now = alice.now
    bob.forge.fetch()
    away = bare.rename(bare.with_name("away.git"))
    with pytest.raises(ForgeError, match="what you did is kept in this clone"):
        bob.vote(number, "against", "carol")
    away.rename(bare)
    alice.tick()
    alice.vote(number, "for", "carol")
    bob.forge.fetch()
    before = [(cast.vote, cast.time) for cast in bob.heard(number).votes]
    bob.do("carol", number, Deed.COMMENT, "Now it is sent.")
    assert [(cast.vote, cast.time) for cast in bob.heard(number).votes] == before
    alice.forge.fetch()
    assert [(cast.vote, cast.time) for cast in alice.heard(number).votes] == before
    assert [cast.vote.value for cast in alice.heard(number).votes] == ["for", "for", "against"]


def test_a_head_that_grew_in_two_clones_is_refused_and_nothing_is_dropped(table: Table) -> None:
    alice, bob, _ = table
    number = alice.enact("alice")
    bob.forge.fetch()
    old = alice.heard(number).head
    mine = alice.commit({"rules/mutable/new.md": b"Be very kind.\n"}, on=old)
    other = bob.commit({"rules/mutable/new.md": b"Be unkind.\n"}, on=old)
    alice.forge.push("alice", number, mine, alice.tick())
    with pytest.raises(ForgeError, match=f"another head at origin by now, {mine[:12]}"):
        bob.forge.push("alice", number, other, bob.tick())
    bob.forge.fetch()
    assert bob.heard(number).head == mine
    again = bob.commit({"rules/mutable/new.md": b"Be unkind.\n"}, on=mine)
    bob.forge.push("alice", number, again, bob.tick())
    alice.forge.fetch()
    assert alice.heard(number).head == again


def test_a_head_that_does_not_stand_on_the_old_one_is_refused(table: Table) -> None:
    number = table.alice.enact("alice")
    old = table.alice.heard(number).head
    with pytest.raises(ForgeError, match="does not stand on the old one"):
        table.alice.forge.push("alice", number, table.alice.tip, table.alice.tick())
    assert table.alice.heard(number).head == old


def test_what_is_pushed_and_fetched_by_hand_is_seen(table: Table) -> None:
    alice, bob, bare = table
    number = bob.enact("bob")
    alice.forge.fetch()
    away = bare.rename(bare.with_name("away.git"))
    for one, voter in ((alice, "alice"), (bob, "carol")):
        with pytest.raises(ForgeError, match="Send it later: git push origin 'refs/nomic/"):
            one.vote(number, "for", voter)
    away.rename(bare)
    for one in (alice, bob):
        git(one.folder, "push", "-q", "origin", "refs/nomic/*:refs/nomic/*")
    for one in (alice, bob):
        git(one.folder, "fetch", "-q", "origin", "+refs/nomic/*:refs/remotes/origin/nomic/*")
        assert [cast.voter for cast in one.heard(number).votes] == ["alice", "carol"]
    assert alice.sit().done[0].event.supporters == ("alice", "bob", "carol")


def test_a_clone_that_only_fetched_sees_and_referees_everything(table: Table, tmp_path: Path) -> None:
    alice, _, bare = table
    number = alice.enact("alice")
    alice.vote(number, "for", "bob", "carol")
    carol = cloned(tmp_path, bare, "carol", alice.now)
    git(carol.folder, "fetch", "-q", "origin", "+refs/nomic/*:refs/remotes/origin/nomic/*")
    assert refs(carol.folder) == {}
    assert carol.forge.head(number) == alice.forge.head(number)
    assert [one.number for one in carol.forge.submissions(carol.state.resolved)] == [number]
    assert carol.sit().done[0].event.proposal == number
    assert refs(carol.folder) == {
        f"refs/nomic/proposals/{number}/tally": refs(bare)[f"refs/nomic/proposals/{number}/tally"]
    }


def test_two_referees_come_to_one_history_and_one_comment(table: Table) -> None:
    alice, bob, bare = table
    number = alice.enact("alice")
    alice.vote(number, "for", "bob", "carol")
    bob.now = alice.now
    with ThreadPoolExecutor(2) as at_once:
        passes = [at_once.submit(one.sit) for one in (alice, bob)]
        for one in passes:
            one.result()
    alice.sit()
    bob.sit()
    assert alice.tip == bob.tip == git(bare, "rev-parse", "main").strip()
    assert alice.history() == ["Adopt proposal 1: enact rule 1", "Found the game"]
    assert alice.said(number) == bob.said(number)


def test_the_loser_of_a_race_for_the_branch_starts_again_from_the_winners_tip(table: Table) -> None:
    alice, bob, _ = table
    number = alice.enact("alice")
    alice.vote(number, "for", "bob", "carol")
    (bob.folder / "README.md").write_text("Our game.\n")
    git(bob.folder, "add", "README.md")
    git(bob.folder, "-c", "user.name=Bob", "-c", "user.email=bob@example.org", "commit", "-qm", "Say what this is")
    git(bob.folder, "push", "-q", "origin", "main")
    alice.sit()
    assert alice.history() == ["Adopt proposal 1: enact rule 1", "Say what this is", "Found the game"]
    assert alice.clean()


def test_a_game_branch_that_has_parted_is_left_alone(table: Table) -> None:
    alice, bob, _ = table
    for one, name in ((alice, "ONE"), (bob, "OTHER")):
        (one.folder / name).write_text("Mine.\n")
        git(one.folder, "add", name)
        git(one.folder, "-c", "user.name=A", "-c", "user.email=a@example.org", "commit", "-qm", name)
    git(bob.folder, "push", "-q", "origin", "main")
    tip = alice.tip
    with pytest.raises(OwnCommits, match="Set them aside: git branch mine && git reset --keep origin/main"):
        alice.sit()
    assert alice.tip == tip
    git(alice.folder, "branch", "mine")
    git(alice.folder, "branch", "mine-2/again")
    with pytest.raises(OwnCommits, match="Set them aside: git branch mine-3 && git reset --keep origin/main"):
        alice.sit()


def test_an_unreachable_remote_is_named_and_nothing_is_taken(table: Table) -> None:
    alice, _, bare = table
    bare.rename(bare.with_name("away.git"))
    with pytest.raises(ForgeError, match="origin cannot be reached"):
        alice.enact("alice")
    with pytest.raises(ForgeError, match="nothing could be fetched from origin"):
        alice.sit()
    assert refs(alice.folder) == {}


def test_a_remote_that_refuses_is_not_taken_for_a_race(table: Table) -> None:
    alice, _, bare = table
    hook = bare / "hooks" / "pre-receive"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\necho no entry >&2\nexit 1\n")
    hook.chmod(0o755)
    with pytest.raises(ForgeError, match=r"origin refuses it .*no entry"):
        alice.enact("alice")
    assert refs(bare) == {}


def test_a_game_branch_that_the_remote_protects_is_a_clear_error(table: Table) -> None:
    alice, _, bare = table
    number = alice.enact("alice")
    alice.vote(number, "for", "bob", "carol")
    hook = bare / "hooks" / "update"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text('#!/bin/sh\ntest "$1" != refs/heads/main\n')
    hook.chmod(0o755)
    tip = alice.tip
    with pytest.raises(ForgeError, match="origin refuses it"):
        alice.sit()
    assert alice.tip == tip
    assert alice.clean()
