"""One pass of the referee over real repositories (design sections 1, 4 and 5)."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pygit2
import pytest
from scene import Scene, cloned, game, git, rules, shared

from nomic_git.forges.local import LocalForge
from nomic_git.forges.log import Deed
from nomic_git.game.proposal import Stage
from nomic_git.law.errors import Unreadable
from nomic_git.referee.sitting import MOST_TRIES, Report, sit
from nomic_git.repository.audit import audit
from nomic_git.repository.clone import Moved, Refused, open_clone
from nomic_git.repository.rulebook import rulebook_at

MAJORITY = (
    -110,
    b"---\nprovisions:\n  adoption.threshold: simple-majority\n  votes.closing: decided\n---\n\nMost decide.\n",
)


def told(report: Report) -> list[str]:
    return [
        str(one.event.kind) if one.event.proposal is None else f"{one.event.kind} {one.event.proposal}"
        for one in report.done
    ]


def bytes_below(folder: Path) -> dict[str, str]:
    """A sum of every file below a folder, Git's own among them, and of the times they were written at."""
    return {
        str(path.relative_to(folder)): f"{path.stat().st_mtime_ns} {hashlib.sha1(path.read_bytes()).hexdigest()}"
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def two_adoptions(it: Scene) -> tuple[int, int]:
    """Two proposals, of which the second is complete first."""
    first, second = it.enact("alice", name="a"), it.enact("bob", name="b")
    it.vote(second, "for", "alice", "carol", "dave")
    it.vote(first, "for", "bob", "carol", "dave")
    return first, second


def test_what_was_complete_first_is_resolved_first(tmp_path: Path) -> None:
    it = game(tmp_path / "game")
    first, second = two_adoptions(it)
    assert told(it.sit()) == [f"adopted {second}", f"adopted {first}"]


def test_the_law_is_read_again_after_each_resolution(tmp_path: Path) -> None:
    """The first adoption lowers the threshold, and by that the second, which had votes enough, is adopted too."""
    it = game(tmp_path / "game", book=rules((-110, rules().rules[-110].source)))
    lower = it.amend("alice", -110, b"adoption.threshold: unanimous", b"adoption.threshold: simple-majority")
    other = it.enact("bob")
    it.vote(other, "for", "carol", "dave")
    assert told(it.sit()) == []
    it.vote(lower, "for", "bob", "carol", "dave")
    report = it.sit()
    assert told(report) == [f"adopted {lower}", f"adopted {other}"]
    assert report.done[0].event.time == report.done[1].event.time


def with_a_commit_in_common(it: Scene) -> tuple[int, int]:
    """Two proposals whose branches begin with the same commit, which is the head of neither."""
    common = it.commit({"rules/mutable/draft.md": b"Draft.\n"})
    heads = [it.commit({"rules/mutable/draft.md": words}, on=common) for words in (b"One.\n", b"Two.\n")]
    first, second = it.propose("alice", heads[0]), it.propose("bob", heads[1])
    return first, second


def test_an_adoption_that_brings_in_part_of_another_branch_has_that_one_read_again(tmp_path: Path) -> None:
    """In two passes the second branch begins beside the game branch; in one pass it does so too."""
    ends = []
    for passes in (1, 2):
        it = game(tmp_path / str(passes))
        first, second = with_a_commit_in_common(it)
        it.vote(first, "for", "bob", "carol", "dave")
        if passes == 2:
            assert told(it.sit()) == [f"adopted {first}"]
        it.vote(second, "for", "alice", "carol", "dave")
        report = it.sit()
        ends.append((it.history(), report.standings[0].stage, [one.what for one in report.standings[0].reasons]))
        assert audit(it.clone).irregular == ()
    assert ends[0] == ends[1]
    assert ends[0][1] is Stage.IMPROPER


def test_a_dry_run_writes_nothing_anywhere(tmp_path: Path) -> None:
    it = game(tmp_path / "game")
    bare = shared(tmp_path, it)
    first, second = two_adoptions(it)
    it.enact("carol", name="c")
    before = bytes_below(it.folder), bytes_below(bare)
    report = it.sit(dry_run=True)
    assert told(report) == [f"adopted {second}", f"adopted {first}"]
    assert [one.commit for one in report.done] == [None, None]
    assert (bytes_below(it.folder), bytes_below(bare)) == before
    assert told(it.sit()) == told(report)


def test_a_second_pass_changes_nothing(tmp_path: Path) -> None:
    it = game(tmp_path / "game")
    two_adoptions(it)
    it.enact("carol", name="c")
    it.propose("dave", {"rules/immutable/-201.md": b"Nothing is free.\n"})
    assert it.sit().comments == 4
    before = bytes_below(it.folder)
    report = it.sit()
    assert (report.done, report.comments) == ((), 0)
    assert bytes_below(it.folder) == before


def test_a_comment_is_written_again_only_when_it_changes(tmp_path: Path) -> None:
    it = game(tmp_path / "game")
    mine, other = it.enact("alice", name="a"), it.enact("bob", name="b")
    assert it.sit().comments == 2
    it.do("carol", mine, Deed.COMMENT, "Hm.")
    assert it.sit().comments == 0
    it.vote(other, "for", "carol")
    assert it.sit().comments == 1
    assert "| bob, carol | nobody |" in it.said(other)


def test_one_event_is_one_commit_and_an_adoption_has_the_head_as_its_second_parent(tmp_path: Path) -> None:
    it = game(tmp_path / "game", book=rules(MAJORITY))
    founding = it.tip
    mine, bad = it.enact("alice", name="a"), it.enact("bob", name="b")
    head = it.heard(mine).head
    it.vote(mine, "for", "bob", "carol")
    it.vote(bad, "against", "alice", "carol", "dave")
    report = it.sit()
    adopted, defeated = (one.commit for one in report.done)
    assert git(it.folder, "rev-list", "--first-parent", "main").split() == [defeated, adopted, founding]
    assert git(it.folder, "log", "-1", "--format=%P", str(adopted)).split() == [founding, head]
    assert git(it.folder, "log", "-1", "--format=%P", str(defeated)).split() == [adopted]
    changed = git(it.folder, "diff", "--name-only", founding, str(adopted)).split()
    assert changed == ["SCORES.md", f"rules/mutable/{mine}.md", "scores.json"]
    assert git(it.folder, "diff", "--name-only", str(adopted), str(defeated)).split() == ["SCORES.md", "scores.json"]


def test_work_tree_and_index_follow_the_branch(tmp_path: Path) -> None:
    it = game(tmp_path / "game", book=rules(MAJORITY))
    number = it.amend("alice", -105, b"200", b"100")
    it.vote(number, "for", "bob", "carol")
    it.sit()
    assert it.clean()
    assert not (it.folder / "rules/mutable/-105.md").exists()
    assert b"100 points above zero" in (it.folder / f"rules/mutable/{number}.md").read_bytes()


def test_uncommitted_changes_elsewhere_are_kept(tmp_path: Path) -> None:
    it = game(tmp_path / "game", book=rules(MAJORITY))
    number = it.enact("alice")
    it.vote(number, "for", "bob", "carol")
    (it.folder / "rules/mutable/-104.md").write_bytes(b"My draft.\n")
    (it.folder / "notes.txt").write_bytes(b"My notes.\n")
    (it.folder / "staged.txt").write_bytes(b"Staged.\n")
    git(it.folder, "add", "staged.txt")
    assert told(it.sit()) == [f"adopted {number}"]
    assert (it.folder / "rules/mutable/-104.md").read_bytes() == b"My draft.\n"
    assert (it.folder / "notes.txt").read_bytes() == b"My notes.\n"
    assert git(it.folder, "status", "--porcelain").splitlines() == [
        " M rules/mutable/-104.md",
        "A  staged.txt",
        "?? notes.txt",
    ]


@pytest.mark.parametrize("staged", [False, True])
def test_uncommitted_changes_in_the_way_are_named_and_kept(tmp_path: Path, *, staged: bool) -> None:
    it = game(tmp_path / "game", book=rules(MAJORITY))
    number = it.amend("alice", -105, b"200", b"100")
    it.vote(number, "for", "bob", "carol")
    mine = it.folder / "rules/mutable/-105.md"
    mine.write_bytes(b"My draft.\n")
    if staged:
        git(it.folder, "add", "rules/mutable/-105.md")
    tip = it.tip
    with pytest.raises(Refused, match=r"uncommitted changes in rules/mutable/-105\.md .*git stash -u"):
        it.sit()
    assert mine.read_bytes() == b"My draft.\n"
    assert it.tip == tip
    git(it.folder, "stash", "-q", "-u")
    assert told(it.sit()) == [f"adopted {number}"]
    assert it.clean()


def test_an_untracked_file_in_the_way_is_named_and_kept(tmp_path: Path) -> None:
    it = game(tmp_path / "game", book=rules(MAJORITY))
    number = it.enact("alice")
    it.vote(number, "for", "bob", "carol")
    mine = it.folder / f"rules/mutable/{number}.md"
    mine.write_bytes(b"My draft.\n")
    with pytest.raises(Refused, match=r"uncommitted changes in rules/mutable/1\.md .*git stash -u"):
        it.sit()
    assert mine.read_bytes() == b"My draft.\n"
    git(it.folder, "stash", "-q", "-u")
    assert told(it.sit()) == [f"adopted {number}"]


def test_a_work_tree_that_a_killed_git_left_halfway_is_in_nobodys_way(tmp_path: Path) -> None:
    it = game(tmp_path / "game", book=rules(MAJORITY))
    mine, other = it.amend("alice", -105, b"200", b"100"), it.enact("bob")
    it.vote(mine, "for", "bob", "carol")
    done = it.sit()
    git(it.folder, "reset", "-q", "--hard", "HEAD~1")
    for path in (f"rules/mutable/{mine}.md", "scores.json"):
        content = it.clone.trees.file(it.clone.repository[str(done.done[0].commit)].peel(pygit2.Tree).id.raw, path)
        assert content is not None
        (it.folder / path).write_bytes(content)
    (it.folder / "rules/mutable/-105.md").unlink()
    assert told(it.sit()) == [f"adopted {mine}"]
    assert it.tip == done.done[0].commit
    assert it.clean()
    assert it.forge.comment(other) is not None


def test_a_clone_that_has_another_branch_checked_out_keeps_its_work_tree(tmp_path: Path) -> None:
    it = game(tmp_path / "game", book=rules(MAJORITY))
    number = it.enact("alice")
    it.vote(number, "for", "bob", "carol")
    git(it.folder, "switch", "-q", "-c", "drafts")
    before = git(it.folder, "rev-parse", "HEAD")
    again = Scene(open_clone(it.folder), it.now)
    assert told(again.sit()) == [f"adopted {number}"]
    assert git(it.folder, "rev-parse", "HEAD") == before
    assert again.clean()
    assert not (it.folder / f"rules/mutable/{number}.md").exists()
    git(it.folder, "switch", "-q", "main")
    assert (it.folder / f"rules/mutable/{number}.md").read_bytes() == b"Be kind.\n"


class Disturbed(LocalForge):
    """The local forge, on which somebody commits to the game branch just before an event is published."""

    def publish(self, old: str, new: str) -> None:
        path = self.clone.folder / "README.md"
        path.write_text((path.read_text() if path.exists() else "") + "One more line.\n")
        git(self.clone.folder, "add", "README.md")
        git(self.clone.folder, "-c", "user.name=A", "-c", "user.email=a@example.org", "commit", "-qm", "Meanwhile")
        LocalForge.publish(self, old, new)


class DisturbedOnce(Disturbed):
    """The same, once."""

    def publish(self, old: str, new: str) -> None:
        if not (self.clone.folder / "README.md").exists():
            super().publish(old, new)


def test_a_pass_under_which_the_branch_moves_starts_again(tmp_path: Path) -> None:
    it = game(tmp_path / "game", book=rules(MAJORITY))
    number = it.enact("alice")
    it.vote(number, "for", "bob", "carol")
    it.forge = DisturbedOnce(it.clone)
    assert told(it.sit()) == [f"adopted {number}"]
    assert it.history() == [f"Adopt proposal {number}: enact rule {number}", "Meanwhile", "Found the game"]
    assert it.clean()
    assert (it.folder / "README.md").read_text() == "One more line.\n"


def test_a_branch_that_keeps_moving_is_given_up_after_some_tries(tmp_path: Path) -> None:
    it = game(tmp_path / "game", book=rules(MAJORITY))
    number = it.enact("alice")
    it.vote(number, "for", "bob", "carol")
    it.forge = Disturbed(it.clone)
    with pytest.raises(Moved, match="main has moved meanwhile; run the command again"):
        it.sit()
    assert it.history() == [*["Meanwhile"] * MOST_TRIES, "Found the game"]
    it.forge = LocalForge(it.clone)
    assert told(it.sit()) == [f"adopted {number}"]
    assert it.clean()


def test_the_remote_gets_a_fast_forward_and_is_never_forced(tmp_path: Path) -> None:
    it = game(tmp_path / "game", book=rules(MAJORITY))
    bare = shared(tmp_path, it)
    git(bare, "config", "receive.denyNonFastForwards", "true")
    number = it.enact("alice")
    it.vote(number, "for", "bob", "carol")
    other = cloned(tmp_path, bare, "other", it.now)
    (other.folder / "README.md").write_text("Our game.\n")
    git(other.folder, "add", "README.md")
    git(other.folder, "-c", "user.name=B", "-c", "user.email=b@example.org", "commit", "-qm", "Say what this is")
    git(other.folder, "push", "-q", "origin", "main")
    published = git(bare, "rev-parse", "main").strip()
    it.sit()
    assert git(bare, "merge-base", "--is-ancestor", published, "main") == ""
    assert it.tip == git(bare, "rev-parse", "main").strip()


def test_comments_that_a_pass_did_not_get_to_are_written_by_the_next(tmp_path: Path) -> None:
    it = game(tmp_path / "game")
    first, second = two_adoptions(it)

    class Silent(LocalForge):
        def say(self, number: int, text: str) -> None:
            raise Refused(f"the disk is full, no room for {len(text)} characters on {number}")

    with pytest.raises(Refused):
        sit(it.clone, Silent(it.clone), it.tick())
    assert it.forge.comment(first) is None
    report = it.sit()
    assert (told(report), report.comments) == ([], 2)
    assert "adopted" in it.said(first)
    assert "adopted" in it.said(second)


def test_comments_that_were_not_sent_are_sent_by_the_next_pass(tmp_path: Path) -> None:
    it = game(tmp_path / "game")
    bare = shared(tmp_path, it)
    first, second = two_adoptions(it)

    class Unsent(LocalForge):
        def finish(self) -> None:
            raise Refused("the disk is full")

    with pytest.raises(Refused):
        sit(it.clone, Unsent(it.clone), it.tick())
    there = [f"refs/nomic/proposals/{number}/tally" for number in (first, second)]
    assert git(bare, "for-each-ref", "--format=%(refname)", *there) == ""
    it.sit()
    assert git(bare, "for-each-ref", "--format=%(refname)", *there).split() == there
    assert it.sit().comments == 0


def hostile_refs(it: Scene, number: int) -> list[dict[str, str]]:
    """Refs by which somebody who can push may try to stop the referee."""
    repository = it.clone.repository
    blob, tree = str(repository.create_blob(b"nothing")), str(it.clone.tip.tree_id)
    at = f"refs/nomic/proposals/{number}"
    return [
        {f"{at}/log/alice": blob},
        {f"{at}/log/mallory": blob},
        {f"{at}/log/mallory": tree},
        {f"{at}/log/mallory": it.tip},
        {f"{at}/log/referee": it.tip},
        {f"{at}/log/ALICE": blob},
        {f"{at}/head": blob},
        {f"{at}/head": tree},
        {f"{at}/tally": blob},
        {f"{at}/tally": it.tip},
        {f"{at}/log/not a login".replace(" ", "."): it.tip},
        {"refs/nomic/proposals/x/head": it.tip},
        {"refs/nomic/proposals/9999999999/head": it.tip},
        {"refs/nomic/elsewhere": blob},
    ]


@pytest.mark.parametrize("which", range(14))
def test_refs_that_are_no_logs_and_no_heads_stop_nothing_else(tmp_path: Path, which: int) -> None:
    it = game(tmp_path / "game", book=rules(MAJORITY))
    bad, good = it.enact("alice", name="a"), it.enact("bob", name="b")
    for name, id_ in hostile_refs(it, bad)[which].items():
        it.clone.repository.references.create(name, pygit2.Oid(hex=id_), force=True)
    it.vote(good, "for", "alice", "carol")
    assert told(it.sit()) == [f"adopted {good}"]
    assert it.enact("carol", name="c") == good + 1
    assert told(it.sit()) == []


def test_a_ref_whose_commit_is_missing_stops_nothing_else(tmp_path: Path) -> None:
    it = game(tmp_path / "game", book=rules(MAJORITY))
    bad, worse, good = it.enact("alice", name="a"), it.enact("bob", name="b"), it.enact("carol", name="c")
    for name in (f"{bad}/log/mallory", f"{worse}/head"):
        there = it.folder / ".git/refs/nomic/proposals" / name
        there.parent.mkdir(parents=True, exist_ok=True)
        there.write_text("1234567890" * 4 + "\n")
    it.vote(good, "for", "alice", "bob")
    assert told(it.sit()) == [f"adopted {good}"]
    assert "- mallory: what they did here cannot be read, so that no vote of theirs counts" in it.said(bad)
    assert "commit 123456789012 is not in this clone; run: git fetch" in it.said(worse)


def test_a_log_that_cannot_be_read_costs_its_owners_votes_and_no_more(tmp_path: Path) -> None:
    it = game(tmp_path / "game", book=rules(MAJORITY))
    number = it.enact("alice")
    it.vote(number, "for", "bob")
    name = f"refs/nomic/proposals/{number}/log/dave"
    it.clone.repository.references.create(name, it.clone.repository.create_blob(b"nothing"))
    assert told(it.sit()) == []
    assert "- dave: what they did here cannot be read, so that no vote of theirs counts" in it.said(number)
    it.vote(number, "for", "carol")
    assert told(it.sit()) == [f"adopted {number}"]


def test_nothing_is_decided_while_what_the_author_did_cannot_be_read(tmp_path: Path) -> None:
    it = game(tmp_path / "game", book=rules(MAJORITY))
    number = it.propose("alice", it.commit({"rules/mutable/new.md": b"x\n"}, email="ALICE@players.invalid"))
    it.vote(number, "for", "bob", "carol")
    it.forge.note("dave", number, Deed.OPENED, 0, head=it.heard(number).head, words="Mine!")
    name = f"refs/nomic/proposals/{number}/log/alice"
    log = it.clone.repository.references[name].target
    it.clone.repository.references.create(name, it.clone.repository.create_blob(b"nothing"), force=True)
    assert told(it.sit()) == []
    assert "What alice did on it cannot be read" in it.said(number)
    it.clone.repository.references.create(name, log, force=True)
    assert told(it.sit()) == [f"adopted {number}"]


def test_nobody_takes_over_a_proposal_by_saying_that_it_is_theirs(tmp_path: Path) -> None:
    it = game(tmp_path / "game", book=rules(MAJORITY))
    number = it.enact("bob")
    it.forge.note("carol", number, Deed.OPENED, 0, words="Mine!")
    it.forge.note("erin", number, Deed.OPENED, 0, head=it.tip, words="Mine!")
    other = it.propose("bob", it.commit({"rules/mutable/new.md": b"x\n"}, email="bob@players.invalid"))
    it.forge.note("carol", other, Deed.OPENED, 0, head=it.heard(other).head, words="Mine!")
    assert [it.heard(one).author for one in (number, other)] == ["bob", "bob"]
    it.vote(number, "for", "alice", "dave")
    assert told(it.sit()) == [f"adopted {number}"]
    assert it.heard(number).author == "bob", "also when its commits are the game's"


def test_logs_that_differ_in_case_alone_are_one_players(tmp_path: Path) -> None:
    it = game(tmp_path / "game", book=rules(MAJORITY))
    number = it.enact("alice")
    it.vote(number, "for", "bob")
    spare = it.enact("carol", name="spare")
    it.vote(spare, "against", "BOB")
    repository = it.clone.repository
    log = repository.references[f"refs/nomic/proposals/{spare}/log/BOB"].target
    assert isinstance(log, pygit2.Oid)
    repository.references.create(f"refs/nomic/proposals/{number}/log/BOB", log)
    it.vote(number, "for", "dave")
    it.sit()
    assert "| alice, dave | bob |" in it.said(number)


def test_a_log_that_is_longer_than_any_games_stops_nothing_else(tmp_path: Path) -> None:
    it = game(tmp_path / "game", book=rules(MAJORITY))
    bad, good = it.enact("alice", name="a"), it.enact("bob", name="b")
    it.vote(bad, "for", "mallory")
    repository = it.clone.repository
    last = repository.references[f"refs/nomic/proposals/{bad}/log/mallory"].peel(pygit2.Commit)
    who, message, tree, at = last.author, last.message, last.tree_id, last.id
    for _ in range(5000):
        at = repository.create_commit(None, who, who, message, tree, [at])
    repository.references.create(f"refs/nomic/proposals/{bad}/log/mallory", at, force=True)
    it.vote(good, "for", "alice", "carol")
    assert told(it.sit()) == [f"adopted {good}"]
    assert "- mallory: what they did here cannot be read" in it.said(bad)


def test_a_commit_whose_message_is_no_utf_8_is_read_all_the_same(tmp_path: Path) -> None:
    it = game(tmp_path / "game", book=rules(MAJORITY))
    head = it.commit({"rules/mutable/new.md": b"Be kind.\n"})
    raw = it.clone.repository[head].read_raw().replace(b"\n\nA change", b"\nencoding latin-1\n\n\xff\xfe change")
    odd = it.clone.repository.odb.write(pygit2.enums.ObjectType.COMMIT, raw)
    number = it.propose("alice", str(odd))
    it.vote(number, "for", "bob", "carol")
    assert told(it.sit()) == [f"adopted {number}"]


def test_a_vote_on_what_is_no_commit_of_a_game_does_not_count(tmp_path: Path) -> None:
    it = game(tmp_path / "game", book=rules(MAJORITY))
    number = it.enact("alice")
    signature = pygit2.Signature("bob", "bob@example.org", it.now, 0)
    empty = it.clone.repository.TreeBuilder().write()
    stray = str(it.clone.repository.create_commit(None, signature, signature, "Stray", empty, []))
    it.forge.note("bob", number, Deed.VOTE, it.tick(), word="for", head=stray)
    it.sit()
    assert "- bob (for): given to an earlier text" in it.said(number)


def test_of_two_branches_with_a_commit_in_common_one_pass_adopts_what_two_would(tmp_path: Path) -> None:
    it = game(tmp_path / "game")
    common = it.commit({"rules/mutable/draft.md": b"A draft.\n"})
    heads = [it.commit({"rules/mutable/draft.md": words}, on=common) for words in (b"This.\n", b"That.\n")]
    first, second = it.propose("alice", heads[0]), it.propose("bob", heads[1])
    it.vote(first, "for", "bob", "carol", "dave")
    it.vote(second, "for", "alice", "carol", "dave")
    report = it.sit()
    assert [(one.event.kind.value, one.event.proposal) for one in report.done] == [("adopted", first)]
    assert "improper" in it.said(second)
    assert audit(it.clone).irregular == ()


def test_a_rule_that_nobody_can_read_stops_the_referee_with_the_remedy(tmp_path: Path) -> None:
    it = game(tmp_path / "game")
    (it.folder / "rules" / "mutable" / "rhyme.md").write_text("Each proposal rhymes.\n")
    git(it.folder, "add", "rules")
    git(it.folder, "commit", "-qm", "Merge by hand")
    with pytest.raises(Unreadable, match=r"rhyme\.md: [^;]*; nomic-git audit names the commit .*git revert") as refused:
        it.sit()
    said = str(refused.value)
    assert said.endswith("No vote can be counted while that is so")
    assert said.count("git revert") == 1
    assert "move it" not in said
    # Whoever only wants to look is told the same.
    with pytest.raises(Unreadable, match=r"rhyme\.md: [^;]*; nomic-git audit names the commit .*git revert") as refused:
        rulebook_at(it.clone.trees, it.clone.tip.tree_id.raw)
    assert str(refused.value) in said
