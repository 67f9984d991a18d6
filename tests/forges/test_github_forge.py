"""The GitHub forge over the fake GitHub, with PyGithub itself and real git: what a pass costs, writes and survives."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from github_scene import RULE, GitHubScene, git

from nomic_git.forges import github
from nomic_git.forges.connection import Busy, Connection, Denied
from nomic_git.forges.forge import MARKER, ForgeError
from nomic_git.forges.github import GitHubForge
from nomic_git.forges.remote import Allowance, OwnCommits, Remote
from nomic_git.law.errors import NomicError
from nomic_git.referee.comment import RESOLVED
from nomic_git.referee.sitting import sit
from nomic_git.repository.clone import Moved, NotHere, open_clone

if TYPE_CHECKING:
    from pathlib import Path

    from fake_github import FakeGitHub
    from fake_github.world import World


@pytest.fixture
def scene(github: FakeGitHub, tmp_path: Path, foundings: Path) -> GitHubScene:
    return GitHubScene(github, tmp_path, foundings=foundings)


# What a pass costs, and what it shows.


def test_a_first_pass_shows_the_stage_and_one_comment(scene: GitHubScene) -> None:
    number = scene.propose("alice")
    scene.referee()
    pull = scene.pull(number)
    assert pull.label_names == ["nomic: voting"]
    status = pull.status("nomic")
    assert status is not None
    assert (status.state, status.creator.login) == ("pending", "github-actions[bot]")
    assert "bob, carol, dave" in scene.text(number)


def test_a_pass_with_nothing_new_asks_once_and_writes_nothing(scene: GitHubScene) -> None:
    scene.propose("alice")
    scene.referee()
    assert scene.costs() == 1
    assert [one.method for one in scene.github.log] == ["POST"]


def test_a_vote_that_decides_nothing_costs_three_requests(scene: GitHubScene) -> None:
    number = scene.propose("alice")
    scene.referee()
    scene.approve(number, "bob")
    assert scene.costs() <= 3
    assert "| alice, bob | nobody | carol, dave |" in scene.text(number)


def test_an_adoption_is_one_merge_commit_by_which_github_marks_the_pull_request_merged(scene: GitHubScene) -> None:
    number = scene.propose("alice")
    scene.referee()
    scene.approve(number, "bob", "carol", "dave")
    assert scene.costs() <= 6
    pull = scene.pull(number)
    assert pull.merged
    assert pull.merge_commit == scene.github.tip()
    assert pull.label_names == ["nomic: adopted"]
    assert RESOLVED in scene.text(number)
    assert scene.events() == ["founded", f"adopted {number}"]
    assert scene.github.read(f"rules/mutable/{number}.md").decode().endswith("Each proposal rhymes.\n")


def test_a_defeat_closes_the_pull_request_and_says_why(scene: GitHubScene) -> None:
    number = scene.propose("alice")
    scene.referee()
    scene.refuse(number, "bob")
    assert scene.costs() <= 6
    pull = scene.pull(number)
    assert (pull.state, pull.label_names) == ("CLOSED", ["nomic: defeated"])
    status = pull.status("nomic")
    assert status is not None
    assert status.state == "failure"
    assert "**defeated**" in scene.text(number)
    assert scene.costs() == 1


def test_its_author_withdraws_by_closing(scene: GitHubScene) -> None:
    number = scene.propose("alice")
    scene.referee()
    scene.github.close(scene.account("alice"), number)
    scene.referee()
    assert scene.events() == ["founded", f"withdrawn {number}"]
    assert RESOLVED in scene.text(number)


def test_its_author_withdraws_by_command_and_is_answered(scene: GitHubScene) -> None:
    number = scene.propose("alice")
    command = scene.github.comment(scene.account("alice"), number, "/nomic withdraw")
    scene.referee()
    assert scene.pull(number).state == "CLOSED"
    assert scene.events() == ["founded", f"withdrawn {number}"]
    assert [one.content for one in command.reactions] == ["+1"]
    assert scene.costs() == 1


def test_a_command_that_nobody_understands_is_answered_once(scene: GitHubScene) -> None:
    number = scene.propose("alice")
    command = scene.github.comment(scene.account("bob"), number, "/nomic frobnicate")
    scene.referee()
    assert [one.content for one in command.reactions] == ["confused"]
    assert scene.costs() == 1


def test_one_pass_writes_no_more_than_its_share(scene: GitHubScene) -> None:
    numbers = [scene.propose("alice", name=f"rule{at}") for at in range(20)]
    scene.referee()
    assert scene.forge is not None
    assert "wait for the next pass" in scene.forge.troubles[0]
    assert not scene.said(numbers[-1])
    scene.referee()
    assert all(len(scene.said(number)) == 1 for number in numbers)


def test_a_dry_run_reads_all_and_writes_nothing_anywhere(scene: GitHubScene) -> None:
    number = scene.propose("alice")
    scene.referee()
    scene.approve(number, "bob", "carol", "dave")
    tip, log = scene.github.tip(), len(scene.github.log)
    clone = scene.clone()
    connection = Connection(scene.github.full_name, scene.github.actions.token, scene.github.url, pause=0)
    report = sit(clone, GitHubForge(clone, connection), scene.github.clock.now, dry_run=True)
    assert [(one.event.kind.value, one.commit) for one in report.done] == [("adopted", None)]
    assert report.requests == 1
    assert [one.operation for one in scene.github.log[log:]] == ["Snapshot"]
    assert scene.github.tip() == tip


# Its own comment, and others that look like it.


def test_a_players_comment_with_the_marker_is_not_the_referees(scene: GitHubScene) -> None:
    number = scene.propose("alice")
    forged = f"{MARKER}\nAdopted!\n{RESOLVED}"
    theirs = scene.github.comment(scene.account("bob"), number, forged)
    scene.github.describe(scene.account("alice"), number, forged)
    scene.referee()
    assert theirs.body == forged
    assert "being voted on" in scene.text(number)


def test_of_twins_the_oldest_is_kept(scene: GitHubScene) -> None:
    number = scene.propose("alice")
    scene.referee()
    first = scene.pull(number).comments[0]
    scene.github.comment(scene.github.actions, number, f"{MARKER}\nA twin")
    scene.referee()
    assert [one.id for one in scene.pull(number).comments] == [first.id]
    assert scene.costs() == 1


def test_a_pass_by_hand_goes_on_with_the_comment_of_the_workflow(scene: GitHubScene) -> None:
    number = scene.propose("alice")
    scene.referee()
    scene.approve(number, "bob")
    scene.token = scene.github.owner.token
    scene.referee()
    assert "| alice, bob | nobody |" in scene.text(number)
    assert len(scene.pull(number).comments) == 1


def test_what_somebody_else_made_of_the_comment_is_mended(scene: GitHubScene) -> None:
    number = scene.propose("alice")
    scene.referee()
    scene.github.edit_comment(scene.github.owner, number, scene.pull(number).comments[0], f"{MARKER}\nAdopted!")
    scene.referee()
    assert "being voted on" in scene.text(number)


def test_a_comment_of_sixty_five_thousand_characters_is_read(scene: GitHubScene) -> None:
    number = scene.propose("alice")
    scene.github.comment(scene.account("bob"), number, ("/nomic tally\n" + "x" * 65_536)[:65_536])
    scene.referee()
    assert "being voted on" in scene.text(number)


def test_other_labels_and_statuses_are_left_alone(scene: GitHubScene) -> None:
    number = scene.propose("alice")
    scene.github.label(scene.github.owner, number, "good first rule", "nomic: debate")
    scene.github.set_status(scene.github.owner, scene.pull(number).head, "success", "ci", "fine")
    scene.referee()
    assert sorted(scene.pull(number).label_names) == ["good first rule", "nomic: voting"]
    assert sorted(one.context for one in scene.pull(number).statuses) == ["ci", "nomic"]


def test_a_status_that_somebody_else_set_is_set_right(scene: GitHubScene) -> None:
    number = scene.propose("alice")
    scene.referee()
    scene.github.set_status(scene.github.owner, scene.pull(number).head, "success", "nomic", "adopted")
    scene.referee()
    status = scene.pull(number).status("nomic")
    assert status is not None
    assert status.state == "pending"


def test_a_head_that_two_proposals_share_shows_the_status_of_the_first(scene: GitHubScene) -> None:
    github = scene.github
    number = scene.propose("alice")
    branch = scene.pull(number).head_branch
    source = scene.pull(number).head_repository
    assert source is not None
    source.store.point("refs/heads/copy", source.store.branch(branch))
    other = github.open_pull(scene.account("alice"), "copy", "The same")
    scene.referee()
    status = scene.pull(number).status("nomic")
    assert status is not None
    shown = status.description
    assert scene.pull(other).head == scene.pull(number).head
    assert scene.costs() == 1
    scene.refuse(number, "bob")
    scene.referee()
    scene.referee()
    status = scene.pull(other).status("nomic")
    assert status is not None
    assert (status.state, status.description) == ("pending", shown)


def test_nothing_is_written_for_a_stranger(scene: GitHubScene) -> None:
    stranger = scene.github.account("eve")
    branch = scene.github.edit(stranger, "rules/mutable/mine.md", RULE)
    number = scene.github.open_pull(stranger, branch, "Mine")
    scene.github.comment(stranger, number, "/nomic for")
    scene.referee()
    pull = scene.pull(number)
    assert len(pull.comments) == 1
    assert not pull.label_names
    assert not pull.statuses


# The branch, pushes and what GitHub refuses.


@pytest.mark.parametrize("code", ["GH006", "GH013"])
def test_a_protected_branch_says_what_to_give_the_referee(scene: GitHubScene, code: str) -> None:
    number = scene.propose("alice")
    scene.approve(number, "bob", "carol", "dave")
    scene.github.protect("main", code)
    with pytest.raises(ForgeError, match=r"deploy key .* bypass list: docs/github\.md"):
        scene.referee()
    scene.github.unprotect("main")
    scene.referee()
    assert scene.pull(number).merged


def test_a_push_that_github_refuses_blocks_that_proposal_and_the_pass_goes_on(scene: GitHubScene) -> None:
    secret = "ghp_0123456789abcdefghij"
    bad = scene.propose("alice", f"---\ntitle: Key\n---\n\nThe key is {secret}.\n", name="key")
    good = scene.propose("bob", name="rhyme")
    scene.github.switches.secrets.append(secret.encode())
    scene.approve(bad, "bob", "carol", "dave")
    scene.approve(good, "alice", "carol", "dave")
    scene.referee()
    assert scene.pull(good).merged
    assert scene.pull(bad).state == "OPEN"
    assert "nomic: blocked" in scene.pull(bad).label_names
    assert "Push cannot contain secrets" in scene.text(bad)
    said = scene.text(bad)
    scene.referee()
    assert scene.text(bad) == said


def test_a_game_branch_that_moves_in_mid_pass_is_followed(scene: GitHubScene) -> None:
    number = scene.propose("alice")
    scene.approve(number, "bob", "carol", "dave")
    github = scene.github
    github.before(
        lambda: github.push(github.owner, "main", github.objects({"README.md": "Hello"})),
        matching=lambda request: request.path == "/graphql",
    )
    scene.referee()
    assert scene.pull(number).merged
    assert github.read("README.md") == b"Hello"
    assert scene.events() == ["founded", f"adopted {number}"]


def test_a_game_branch_that_keeps_moving_ends_the_pass(scene: GitHubScene) -> None:
    number = scene.propose("alice")
    scene.approve(number, "bob", "carol", "dave")
    github = scene.github
    for at in range(1, 8):
        github.before(
            lambda at=at: github.push(github.owner, "main", github.objects({"README.md": f"{at}"})),
            nth=at,
            matching=lambda request: request.path == "/graphql",
        )
    with pytest.raises(Moved):
        scene.referee()
    github.heal()
    scene.referee()
    assert scene.pull(number).merged


def test_a_head_that_moves_in_mid_pass_is_judged_as_it_was_read(scene: GitHubScene) -> None:
    number = scene.propose("alice")
    scene.approve(number, "bob", "carol", "dave")
    pull, github = scene.pull(number), scene.github
    branch = pull.head_branch
    github.after(
        lambda: github.edit(scene.account("alice"), "rules/mutable/rhyme.md", f"{RULE}Always.\n", branch),
        matching=lambda request: request.path == "/graphql",
    )
    scene.referee()
    assert b"Always" not in github.read(f"rules/mutable/{number}.md")
    assert scene.events() == ["founded", f"adopted {number}"]
    scene.referee()
    assert pull.state == "CLOSED"


def test_a_branch_that_was_rewritten_in_mid_pass_is_left_for_the_next(scene: GitHubScene) -> None:
    number = scene.propose("alice")
    scene.referee()
    pull, github = scene.pull(number), scene.github
    head = pull.head
    scene.approve(number, "bob", "carol", "dave")
    commit = github.objects({"rules/mutable/rhyme.md": f"{RULE}Never.\n"})
    github.after(
        lambda: github.force_push(scene.account("alice"), pull.head_branch, commit),
        matching=lambda request: request.path == "/graphql",
    )
    with contextlib.suppress(NomicError):
        scene.referee()
    assert head != pull.head
    scene.referee()
    assert b"Never" not in b"".join(scene.github.read(f"rules/mutable/{number}.md") for _ in range(int(pull.merged)))


def test_own_commits_on_the_game_branch_stop_the_pass(scene: GitHubScene) -> None:
    clone = scene.clone()
    git(clone.folder, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "--allow-empty", "-m", "Mine")
    with pytest.raises(OwnCommits, match="Set them aside"):
        scene.referee(open_clone(clone.folder))


def test_a_shallow_clone_is_refused_with_the_remedy(scene: GitHubScene) -> None:
    number = scene.propose("alice")
    scene.approve(number, "bob", "carol", "dave")
    scene.referee()
    folder = scene.folder / "shallow"
    git(scene.folder, "clone", "-q", "--depth", "1", f"file://{scene.github.path}", str(folder))
    with pytest.raises(NotHere, match="git fetch --unshallow"):
        scene.referee(open_clone(folder))


def test_what_stands_in_a_remotes_address_beside_it_is_not_shown(scene: GitHubScene) -> None:
    clone = scene.clone()
    git(clone.folder, "remote", "set-url", "origin", "http://x-access-token:ghs_secret@127.0.0.1:1/nomic/game.git")
    with pytest.raises(ForgeError, match="nothing could be fetched from origin") as error:
        scene.referee(clone)
    assert "ghs_secret" not in str(error.value)


def test_what_could_be_read_only_in_part_is_neither_decided_nor_written_on(
    scene: GitHubScene, monkeypatch: pytest.MonkeyPatch
) -> None:
    from nomic_git.forges import github

    good, bad = scene.propose("alice"), scene.propose("bob", name="other")
    scene.approve(bad, "alice", "carol", "dave")
    take = github.take

    def partly(*arguments: object) -> object:
        snapshot = take(*arguments)  # type: ignore[arg-type]
        pulls = {**snapshot.pulls, bad: replace(snapshot.pulls[bad], unread=True, comments=())}
        return replace(snapshot, pulls=pulls)

    monkeypatch.setattr(github, "take", partly)
    report = scene.referee()
    assert scene.forge is not None
    assert [one for one in scene.forge.troubles if f"proposal {bad} could not be read completely" in one]
    assert report.failure is None
    assert len(scene.said(good)) == 1
    assert scene.said(bad) == []
    monkeypatch.undo()
    scene.referee()
    assert scene.pull(bad).merged


def test_votes_are_counted_by_githubs_clock_and_not_by_the_machines(scene: GitHubScene) -> None:
    number = scene.propose("alice")
    scene.approve(number, "bob", "carol", "dave")
    connection = Connection(scene.github.full_name, scene.github.actions.token, scene.github.url, pause=0)
    clone = scene.clone()
    sit(clone, GitHubForge(clone, connection), 0)
    assert scene.pull(number).merged


def test_a_pull_request_that_has_a_resolved_proposals_number_in_a_fork_is_left_alone(scene: GitHubScene) -> None:
    number = scene.propose("alice")
    scene.refuse(number, "bob")
    scene.referee()
    pull = scene.pull(number)
    scene.github.reopen(scene.account("alice"), number)
    pull.comments.clear()
    pull.labels.clear()
    pull.created_at = scene.github.clock.now
    scene.referee()
    assert (scene.said(number), pull.label_names, pull.state) == ([], [], "OPEN")


def test_a_malformed_branch_makes_its_own_proposal_unreadable_and_no_other(scene: GitHubScene) -> None:
    good = scene.propose("bob")
    bad = scene.propose("alice", name="other")
    store = scene.github.repository.store
    pull = scene.pull(bad)
    raw = store.git[pull.head].read_raw()
    zone = raw.index(b"\ncommitter") - 5
    broken = str(store.git.odb.write(1, raw[:zone] + b"+00000000" + raw[zone + 5 :]))
    pull.head = broken
    store.point(f"refs/pull/{bad}/head", broken)
    scene.approve(good, "alice", "carol", "dave")
    scene.referee()
    assert scene.pull(good).merged
    assert scene.pull(bad).state == "OPEN"
    assert "nomic: improper" in scene.pull(bad).label_names


def test_a_proposal_that_its_author_reopens_after_the_end_is_closed_again(scene: GitHubScene) -> None:
    number = scene.propose("alice")
    scene.refuse(number, "bob")
    scene.referee()
    scene.github.reopen(scene.account("alice"), number)
    assert scene.costs() == 2
    assert scene.pull(number).state == "CLOSED"
    assert scene.events() == ["founded", f"defeated {number}"]


def test_a_pull_request_that_only_has_a_resolved_ones_number_is_not_closed(github: FakeGitHub, tmp_path: Path) -> None:
    """As in a fork that is played on: the history has resolved numbers that the fork's pull requests get again."""
    scene = GitHubScene(github, tmp_path)
    number = scene.propose("alice")
    scene.refuse(number, "bob")
    scene.referee()
    other = scene.propose("carol", name="other")
    scene.refuse(other, "bob")
    scene.referee()
    scene.pull(number).comments.clear()
    github.reopen(scene.account("alice"), number)
    scene.referee()
    assert scene.pull(number).state == "OPEN"


# What goes wrong.


FAULTS = (("BAD_GATEWAY", "DROPPED"), ("BAD_GATEWAY_AFTER", "TIMEOUT_AFTER"), ("SECONDARY_LIMIT",))
"""How a request fails. Those of a pair are alike to whoever asked (`test_connection.py`), and take turns."""

STEPS = range(1, 15)
"""The requests and pushes of a pass that adopts one proposal and defeats another."""


def both_decided(scene: GitHubScene) -> tuple[int, int]:
    """Two proposals of which the referee has spoken, and whose votes are complete now: one for, the other against."""
    adopted, defeated = scene.propose("alice"), scene.propose("bob", name="other")
    scene.referee()
    scene.approve(adopted, "bob", "carol", "dave")
    scene.refuse(defeated, "carol")
    scene.github.forget()
    return adopted, defeated


@pytest.fixture(scope="module")
def where_both_are_decided(tmp_path_factory: pytest.TempPathFactory) -> World:
    """The world of that, made once for all that can go wrong from there on."""
    from fake_github import FakeGitHub

    folder = tmp_path_factory.mktemp("decided")
    with FakeGitHub(folder / "github") as github:
        assert both_decided(GitHubScene(github, folder)) == (1, 2)
    return github.world


@pytest.fixture
def decided(where_both_are_decided: World, tmp_path: Path) -> Iterator[GitHubScene]:
    """A copy of it: alice's proposal 1 is to be adopted, bob's proposal 2 to be defeated."""
    from fake_github import FakeGitHub

    with FakeGitHub(tmp_path / "github", like=where_both_are_decided) as github:
        yield GitHubScene(github, tmp_path)


def all_is_done(scene: GitHubScene, adopted: int, defeated: int) -> None:
    """Hold that each has one event, one comment, one label, and is merged or closed once; and no more is to do."""
    assert scene.events() == ["founded", f"adopted {adopted}", f"defeated {defeated}"]
    assert scene.scores() == {"alice": 10, "bob": -4, "carol": 0, "dave": 0}
    for number, state, label, status in (
        (adopted, "MERGED", "nomic: adopted", "success"),
        (defeated, "CLOSED", "nomic: defeated", "failure"),
    ):
        pull = scene.pull(number)
        shown = pull.status("nomic")
        assert (pull.state, pull.label_names, shown and shown.state) == (state, [label], status)
        assert RESOLVED in scene.text(number)
        assert sum(one.kind == "ClosedEvent" for one in pull.events) == 1
    assert scene.costs() == 1


def test_a_pass_that_adopts_one_and_defeats_another_has_so_many_steps(scene: GitHubScene) -> None:
    adopted, defeated = both_decided(scene)
    scene.referee()
    assert len(scene.github.log) == STEPS[-1]
    all_is_done(scene, adopted, defeated)


@pytest.mark.parametrize(("fault", "step"), [(alike[step % len(alike)], step) for alike in FAULTS for step in STEPS])
def test_after_any_fault_one_more_pass_leaves_all_done(decided: GitHubScene, fault: str, step: int) -> None:
    from fake_github import Fault

    decided.github.server.patience = 0.2
    decided.github.server.retry_after = 600
    trap = decided.github.fail(Fault[fault], nth=step)
    with contextlib.suppress(NomicError):
        decided.referee()
    assert trap.seen >= step
    decided.github.heal()
    decided.referee()
    all_is_done(decided, 1, 2)


@pytest.mark.parametrize("step", STEPS)
def test_after_being_killed_one_more_pass_leaves_all_done(decided: GitHubScene, step: int) -> None:
    with decided.github.killed_after(step) as life:
        decided.referee()
    assert life.ended
    decided.referee()
    all_is_done(decided, 1, 2)


@pytest.mark.parametrize("fault", ["BAD_GATEWAY_AFTER", "DROPPED_AFTER"])
def test_a_comment_whose_answer_was_lost_has_no_twin(scene: GitHubScene, fault: str) -> None:
    from fake_github import Fault

    number = scene.propose("alice")
    scene.github.fail(Fault[fault], matching=lambda request: request.path.endswith("/comments"))
    scene.referee()
    assert len(scene.said(number)) == 1
    assert scene.costs() == 1


def test_a_push_whose_answer_was_lost_is_made_once(scene: GitHubScene) -> None:
    from fake_github import Fault

    adopted, defeated = both_decided(scene)
    scene.github.fail(Fault.DROPPED_AFTER, matching=lambda request: request.path == "refs/heads/main")
    scene.referee()
    all_is_done(scene, adopted, defeated)


def test_a_pause_that_github_asks_for_ends_the_pass_and_the_next_goes_on(scene: GitHubScene) -> None:
    from fake_github import Fault

    adopted, defeated = both_decided(scene)
    scene.github.server.retry_after = 600
    scene.github.fail(Fault.SECONDARY_LIMIT, matching=lambda request: request.writes)
    failure = scene.referee().failure
    assert isinstance(failure, Busy)
    assert "the next pass goes on" in str(failure)
    assert scene.pull(adopted).merged
    scene.github.heal()
    scene.referee()
    all_is_done(scene, adopted, defeated)


def test_one_proposal_that_github_will_not_write_on_stops_no_other(scene: GitHubScene) -> None:
    from fake_github import Refusal

    first, second = scene.propose("alice"), scene.propose("bob", name="other")
    world, comment = scene.github.world, scene.github.world.comment

    def locked(actor: object, thread: object, body: str) -> object:
        if thread is scene.pull(first) and body.startswith(MARKER):
            raise Refusal(403, "Unable to create comment because issue is locked.")
        return comment(actor, thread, body)  # type: ignore[arg-type]

    world.comment = locked  # type: ignore[method-assign, assignment]
    assert scene.referee().failure is None
    assert scene.forge is not None
    assert "issue is locked" in scene.forge.troubles[0]
    assert len(scene.said(second)) == 1
    assert "issue is locked" in str(scene.referee().failure), "nothing else was to be written"


# What strangers do.


def fetches(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """What each call of git fetch is to bring, beside the game branch and the witness."""
    made: list[list[str]] = []
    once = Remote._fetch_once

    def counted(remote: Remote, arguments: Sequence[str], allowance: Allowance | None) -> None:
        if allowance is not None:
            made.append([*arguments])
        once(remote, arguments, allowance)

    monkeypatch.setattr(Remote, "_fetch_once", counted)
    return made


def test_what_strangers_push_is_fetched_only_where_it_may_be_a_request_to_join(
    scene: GitHubScene, monkeypatch: pytest.MonkeyPatch
) -> None:
    eve, mallory = scene.account("eve"), scene.account("mallory")
    scene.github.open_pull(mallory, scene.github.edit(mallory, "README.md", "Mine.\n"))
    asks = scene.github.open_pull(eve, scene.github.edit(eve, "players/eve.md", f"---\nid: {eve.id}\n---\n"))
    again = scene.github.open_pull(eve, scene.github.edit(eve, "players/eve.md", "---\nname: Eve\n---\n"))
    own = scene.propose("alice")
    made = fetches(monkeypatch)
    scene.referee()
    assert made == [[f"+refs/pull/{number}/head:refs/nomic/pulls/{number}"] for number in (own, asks)]
    assert not scene.said(again)
    assert not scene.pull(again).label_names


def test_the_witness_keeps_nothing_of_what_does_not_concern_the_game(scene: GitHubScene) -> None:
    mallory = scene.account("mallory")
    for at in range(3):
        number = scene.github.open_pull(mallory, scene.github.edit(mallory, f"players/{at}.md", "Hi.\n"))
        own = scene.github.edit(scene.account("alice"), f"README{at}.md", "Hi.\n")
        scene.github.open_pull(scene.account("alice"), own)
        scene.referee()
        scene.github.close(mallory, number)
    kept = scene.propose("alice")
    scene.referee()
    assert scene.forge is not None
    assert [*scene.forge._heard().numbers] == [kept]


def test_heads_that_git_refuses_cost_no_more_than_the_allowance_and_stop_nothing(
    scene: GitHubScene, monkeypatch: pytest.MonkeyPatch
) -> None:
    numbers = [scene.propose("bob", name=f"rule{at}") for at in range(6)]
    for number in numbers[1:]:
        scene.github.repository.store.point(f"refs/pull/{number}/head", None)
    monkeypatch.setattr(github, "_OURS", (6, 60.0))
    made = fetches(monkeypatch)
    scene.referee()
    assert len([one for one in made if one[0].startswith("+refs/pull/")]) == 6
    assert scene.pull(numbers[0]).label_names == ["nomic: voting"]
    assert scene.forge is not None
    assert any("left for the next pass" in one for one in scene.forge.troubles)


def test_a_fetch_that_takes_too_long_is_given_up(scene: GitHubScene) -> None:
    number = scene.propose("alice")
    remote = Remote(scene.clone(), "origin")
    spec = f"+refs/pull/{number}/head:refs/nomic/pulls/{number}"
    (why,) = remote.bring_sound([spec], Allowance(5, 0.001)).values()
    assert "given up after" in why
    assert remote.bring_sound([spec], Allowance(5, 60.0)) == {}


def test_strangers_requests_that_github_will_not_write_on_silence_nobody(
    scene: GitHubScene, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = Connection.write
    asking = []
    for login in ("eve", "mallory", "trudy"):
        account = scene.account(login)
        branch = scene.github.edit(account, f"players/{login}.md", f"---\nid: {account.id}\n---\n")
        asking.append(scene.github.open_pull(account, branch, "Join"))
    number = scene.propose("alice")

    def refusing(connection: Connection, verb: str, path: str, body: object = None) -> object:
        if any(path.startswith(f"/issues/{one}/") for one in asking):
            raise Denied("GitHub refuses (403: Blocked)")
        return write(connection, verb, path, body)

    monkeypatch.setattr(Connection, "write", refusing)
    assert scene.referee().failure is None
    assert scene.forge is not None
    assert len([one for one in scene.forge.troubles if "Blocked" in one]) == 3
    assert scene.pull(number).label_names == ["nomic: voting"]


def test_a_strangers_older_pull_request_with_the_same_head_takes_no_status_away(scene: GitHubScene) -> None:
    mallory = scene.account("mallory")
    branch = scene.github.edit(mallory, "README.md", "Mine.\n")
    scene.github.open_pull(mallory, branch, "Older")
    number = scene.propose("alice")
    scene.github.force_push(mallory, branch, scene.pull(number).head)
    scene.referee()
    status = scene.pull(number).status("nomic")
    assert status is not None
    assert status.state == "pending"
