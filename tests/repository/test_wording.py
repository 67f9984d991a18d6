"""What a vote for a head belongs to, read from real repositories; and heads that cannot be read (106)."""

from __future__ import annotations

from pathlib import Path

import pygit2
import pytest
from scene import Scene, game

from nomic_git.repository.branch import GameBranch
from nomic_git.repository.clone import NotHere
from nomic_git.repository.wording import Illegible, legible_branch, text_at

RULE = "rules/mutable/new.md"


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    return game(tmp_path / "game")


def branch(scene: Scene) -> GameBranch:
    return GameBranch(scene.clone.repository, scene.clone.trees, scene.tip)


def text(scene: Scene, head: str, author: str = "alice") -> str | None:
    return text_at(branch(scene), head, author)


def malformed(scene: Scene, lines: str) -> str:
    raw = f"{lines}\nauthor x <x> 1 +0000\ncommitter x <x> 1 +0000\n\nx".encode()
    return str(scene.clone.repository.odb.write(pygit2.enums.ObjectType.COMMIT, raw))


def test_the_text_is_the_kind_of_change_the_rule_and_the_resulting_file(scene):
    head = scene.commit({RULE: b"Be kind.\n"})
    entry = scene.clone.trees.entry(scene.clone.repository[head].tree_id.raw, RULE)
    assert entry is not None
    assert text(scene, head) == f"enact - {entry.id.hex()}"
    assert text(scene, scene.commit({"rules/mutable/-105.md": None})) == "repeal -105 -"


def test_a_rebase_and_a_merge_of_the_game_branch_leave_the_text_as_it_was(scene):
    head = scene.commit({RULE: b"Be kind.\n"})
    before = text(scene, head)
    scene.clone.git("update-ref", scene.clone.branch, scene.commit({"README.md": b"x\n"}))
    rebased = scene.commit({RULE: b"Be kind.\n"})
    merged = scene.commit({"README.md": b"x\n"}, on=head, more=(scene.tip,))
    assert before is not None
    assert text(scene, head) == text(scene, rebased) == text(scene, merged) == before
    assert text(scene, scene.commit({RULE: b"Be nice.\n"}, on=head)) != before


def test_what_is_no_lawful_change_has_no_text(scene):
    for files in (
        {"README.md": b"x\n"},
        {RULE: b"x\n", "rules/mutable/two.md": b"y\n"},
        {"rules/immutable/-205.md": None},
    ):
        assert text(scene, scene.commit(files)) is None
    assert text(scene, scene.tip) is None


def test_a_seat_is_its_authors_own(scene):
    head = scene.commit({"players/erin.md": b"---\nname: Erin\n---\n"})
    assert (text(scene, head, "Erin") or "").startswith("join erin ")
    assert text(scene, head, "alice") is None


def test_a_head_that_is_not_in_this_clone_is_told_apart_from_one_that_cannot_be_read(scene):
    blob = str(scene.clone.repository.create_blob(b"x"))
    for head in ("1" * 40, blob):
        with pytest.raises(NotHere):
            text(scene, head)
    heads = [
        malformed(scene, f"tree {'1' * 40}\nparent {scene.tip}"),
        malformed(scene, f"tree {blob}\nparent {scene.tip}"),
        malformed(scene, f"tree {scene.clone.tip.tree_id}\nparent {'1' * 40}"),
    ]
    for head in heads:
        with pytest.raises(Illegible, match=r"."):
            text(scene, head)
        with pytest.raises(Illegible, match=r"."):
            legible_branch(branch(scene), head, {})


def test_a_tree_that_is_cut_short_cannot_be_read(scene):
    cut = scene.clone.repository.odb.write(pygit2.enums.ObjectType.TREE, b"40000 rules")
    with pytest.raises(Illegible, match=r"."):
        text(scene, malformed(scene, f"tree {cut}\nparent {scene.tip}"))
