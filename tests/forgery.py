"""What somebody with the right to push writes in the referee's place."""

from __future__ import annotations

import pygit2
from scene import Scene, git

from nomic_git.game.event import Event, EventKind
from nomic_git.game.transition import after
from nomic_git.law.rule_change import Change
from nomic_git.repository.record import event_commit, tree_after
from nomic_git.repository.tree import graft


def advance(scene: Scene, commit: str) -> str:
    """Put the game branch where somebody with the right to push put it."""
    git(scene.folder, "update-ref", scene.clone.branch, commit)
    return commit


def forge(
    scene: Scene,
    event: Event,
    change: Change | None = None,
    *,
    files: dict[str, bytes | None] | None = None,
    parents: list[str] | None = None,
    swap: tuple[bytes, bytes] | None = None,
) -> str:
    """Write an event as the referee would, but for what the test wants otherwise."""
    repository, trees = scene.clone.repository, scene.clone.trees
    made = tree_after(trees, scene.clone.tip.tree_id.raw, scene.position, after(scene.position, event, change))
    made.write(repository)
    if files is not None:
        made = graft(trees, made.tree, files)
        made.write(repository)
    if parents is None:
        parents = [scene.tip, *([event.head] if event.kind is EventKind.ADOPTED and event.head else [])]
    raw = event_commit(made.tree, [pygit2.Oid(hex=one) for one in parents], event)
    if swap is not None:
        assert swap[0] in raw, f"the commit has {swap[0]!r}"
        raw = raw.replace(*swap)
    return advance(scene, str(repository.odb.write(pygit2.enums.ObjectType.COMMIT, raw)))
