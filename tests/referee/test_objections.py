"""What the forge will not have: that proposal is blocked in the forge's words, and the pass goes on (section 3)."""

from __future__ import annotations

from pathlib import Path

import pytest
from scene import Scene, game, git, shared

from nomic_git.forges.forge import ForgeError, Objection
from nomic_git.forges.local import LocalForge
from nomic_git.forges.log import Deed
from nomic_git.game.proposal import Stage
from nomic_git.referee.sitting import Refusal, Report
from nomic_git.repository.audit import audit

SECRET = b"The password is sesame.\n"
NO_SECRETS = """#!/bin/sh
if [ "$1" = refs/heads/main ] && git grep -q sesame "$3"; then echo "Push cannot contain secrets" >&2; exit 1; fi
"""
NO_WITHDRAWING = """#!/bin/sh
case "$(git log -1 --format=%s "$3")" in Withdraw*) echo "Nobody withdraws here" >&2; exit 1;; esac
"""


class Objecting(LocalForge):
    """The local forge, on which what the remote's hook refuses is an objection, as it is at GitHub."""

    def publish(self, old: str, new: str) -> None:
        try:
            LocalForge.publish(self, old, new)
        except ForgeError as error:
            raise Objection(str(error)) from None


def hook(bare: Path, script: str) -> None:
    path = bare / "hooks" / "update"
    path.parent.mkdir(exist_ok=True)
    path.write_text(script)
    path.chmod(0o755)


@pytest.fixture
def it(tmp_path: Path) -> Scene:
    """A game at a remote that takes no secrets, in which alice's proposal has one and every vote."""
    scene = game(tmp_path / "game")
    hook(shared(tmp_path, scene), NO_SECRETS)
    scene.forge = Objecting(scene.clone)
    number = scene.propose("alice", {"rules/mutable/new.md": SECRET})
    scene.vote(number, "for", "bob", "carol", "dave")
    return scene


def told(report: Report) -> list[str]:
    return [f"{one.event.kind} {one.event.proposal}" for one in report.done]


def test_it_is_blocked_in_the_forges_words_and_the_pass_goes_on(it: Scene, tmp_path: Path) -> None:
    other = it.enact("bob", name="other")
    it.vote(other, "for", "alice", "carol", "dave")
    report = it.sit()
    assert told(report) == [f"adopted {other}"]
    [blocked] = report.standings
    assert (blocked.proposal.forge, blocked.stage) == (1, Stage.BLOCKED)
    assert [one.what for one in blocked.reasons] == [Refusal.FORGE]
    assert "Push cannot contain secrets" in it.said(1)
    assert "blocked" in it.said(1)
    assert git(tmp_path / "bare.git", "rev-parse", "main").strip() == it.tip
    assert "sesame" not in git(tmp_path / "bare.git", "log", "-p", "main")
    assert it.clean()
    assert audit(it.clone).irregular == ()


def test_the_next_pass_tries_again_and_says_nothing_twice(it: Scene, tmp_path: Path) -> None:
    it.sit()
    report = it.sit()
    assert (told(report), report.comments) == ([], 0)
    (tmp_path / "bare.git" / "hooks" / "update").unlink()
    assert told(it.sit()) == ["adopted 1"]
    assert audit(it.clone).irregular == ()


def test_a_head_without_the_fault_takes_its_place(it: Scene) -> None:
    it.sit()
    head = it.commit({"rules/mutable/new.md": b"There is no password.\n"}, on=it.forge.head(1))
    it.forge.push("alice", 1, head, it.tick())
    it.vote(1, "for", "bob", "carol")
    [standing] = it.sit().standings
    assert (standing.stage, standing.proposal.head) == (Stage.VOTING, head)
    it.vote(1, "for", "dave")
    assert told(it.sit()) == ["adopted 1"]
    assert it.file("rules/mutable/1.md") == b"There is no password.\n"
    assert audit(it.clone).irregular == ()


def test_a_head_with_the_fault_again_is_blocked_again(it: Scene) -> None:
    it.sit()
    it.forge.push("alice", 1, it.commit({"rules/mutable/new.md": SECRET * 2}, on=it.forge.head(1)), it.tick())
    it.vote(1, "for", "bob", "carol", "dave")
    it.forge.push("alice", 1, it.commit({"rules/mutable/new.md": SECRET * 3}, on=it.forge.head(1)), it.tick())
    it.vote(1, "for", "bob", "carol", "dave")
    [standing] = it.sit().standings
    assert (standing.stage, standing.proposal.head) == (Stage.BLOCKED, it.forge.head(1))


def test_it_is_withdrawn_freely_and_the_next_gets_its_turn(it: Scene) -> None:
    following = it.enact("alice", name="following")
    it.vote(following, "for", "bob", "carol", "dave")
    assert told(it.sit()) == []
    it.do("alice", 1, Deed.WITHDRAWN)
    assert told(it.sit()) == ["withdrawn 1", f"adopted {following}"]
    assert it.scores()["alice"] == 11
    assert audit(it.clone).irregular == ()


def test_it_lapses_when_its_author_leaves(it: Scene) -> None:
    it.sit()
    left = it.propose("alice", {"players/alice.md": None})
    assert told(it.sit()) == [f"forfeited {left}", "withdrawn 1"]
    assert audit(it.clone).irregular == ()


def test_a_forge_that_refuses_what_brings_nothing_stops_the_pass(it: Scene, tmp_path: Path) -> None:
    hook(tmp_path / "bare.git", NO_SECRETS + NO_WITHDRAWING.partition("\n")[2])
    it.propose("alice", {"players/alice.md": None})
    with pytest.raises(Objection, match="Nobody withdraws here"):
        it.sit()
    assert it.history()[0].startswith("Let alice go")


def test_a_request_to_join_that_the_forge_will_not_have_stops_nothing_either(tmp_path: Path) -> None:
    scene = game(tmp_path / "game", "alice")
    hook(shared(tmp_path, scene), NO_SECRETS)
    scene.forge = Objecting(scene.clone)
    scene.propose("eve", {"players/eve.md": SECRET})
    frank = scene.propose("frank", {"players/frank.md": b"Hello.\n"})
    assert told(scene.sit()) == [f"joined {frank}"]
    assert [one.login for one in scene.state.seats] == ["alice", "frank"]
