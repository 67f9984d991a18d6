"""The life of a rule: told by the record alone, whatever else a message says of numbers (108)."""

from __future__ import annotations

from pathlib import Path

import pytest
from scene import Scene, another, game, git

from nomic_git.repository.lives import life

AMENDED = "Nomic-Event: adopted\nNomic-Proposal: 9\nNomic-Change: amend -105 9"


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    """A game in which rule -105 was amended, and has been rule 1 since."""
    made = game(tmp_path / "game")
    made.vote(made.amend("bob", -105, b"200", b"190"), "for", "alice", "carol", "dave")
    made.sit()
    return made


def told(scene: Scene, number: int) -> list[tuple[int, str]]:
    return [(one.number, one.kind) for one in life(another(scene.folder, scene).clone, number)]


def test_a_life_is_found_by_any_number_of_it(scene):
    assert told(scene, -105) == told(scene, 1) == [(-105, "founded"), (1, "amend")]


def test_no_rule_has_no_life(scene):
    assert told(scene, 77) == []


@pytest.mark.parametrize(
    "message",
    [
        f"See:\n\n{AMENDED}\n\nThat was a quotation.",
        f"{AMENDED}\nNomic-Change: amend -105 9",
        AMENDED.replace("adopted", "defeated"),
        AMENDED.replace("-105 9", "-105 nine"),
        "Nomic-Change: amend -105 9",
    ],
)
def test_what_is_no_record_is_no_part_of_a_life(scene, message):
    before = told(scene, -105)
    founding = git(scene.folder, "rev-list", "--max-parents=0", "--first-parent", "main").strip()
    tree = git(scene.folder, "rev-parse", f"{founding}^{{tree}}").strip()
    below = git(scene.folder, "commit-tree", tree, "-p", founding, "-m", message).strip()
    moved = git(scene.folder, "cat-file", "commit", "main").replace(f"parent {founding}", f"parent {below}", 1)
    (scene.folder / "moved").write_text(moved)
    made = git(scene.folder, "hash-object", "-t", "commit", "-w", "moved").strip()
    git(scene.folder, "update-ref", scene.clone.branch, made)
    assert [kind for _, kind in told(scene, -105)] == [kind for _, kind in before]
    assert told(scene, 9) == []
