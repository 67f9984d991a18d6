"""A game in a real repository that ends because play cannot go on (213, -101; design section 8)."""

from __future__ import annotations

from pathlib import Path

from scene import PLAYERS, Scene, game, rules

from nomic_git.repository.audit import audit

LAST_WORD = "---\nprovisions:\n  changes.kinds: []\n---\n\nNothing changes any more."
KINDS, GUARDS = (-214,), (-203, -205)


def played(scene: Scene) -> list[str]:
    """What comes of a rule that forbids every rule-change, when all are for it."""
    number = scene.enact("alice", LAST_WORD)
    scene.vote(number, "for", *PLAYERS[1:])
    return [one.event.kind.value for one in scene.sit().done]


def test_without_safeguards_whoever_is_next_wins_when_no_rule_change_is_lawful_any_more(tmp_path: Path) -> None:
    it = game(tmp_path / "game", book=rules(without=(*KINDS, *GUARDS)))
    assert played(it) == ["adopted", "won"]
    assert it.state.winner == "bob"
    assert it.scores() == dict.fromkeys(PLAYERS, 0), "the game was over before the turn brought its points"
    found = audit(it.clone)
    assert (found.irregular, found.scores_match) == ((), True)


def test_the_safeguard_keeps_play_from_coming_to_that(tmp_path: Path) -> None:
    it = game(tmp_path / "game", book=rules(without=KINDS))
    assert played(it) == []
    assert it.state.winner is None
    assert "It must always be possible to change the rules." in it.said(1)
    assert "(rules -205 and -203)" in it.said(1)
