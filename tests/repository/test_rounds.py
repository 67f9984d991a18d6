"""Rounds in a real repository: played to a winner, begun again, audited, and told apart afterwards."""

from __future__ import annotations

from pathlib import Path

import pytest
from scene import START, Scene, cloned, game, git, rules, shared

from nomic_git.forges.forge import Deed
from nomic_git.game.docket import docket
from nomic_git.game.event import Event, EventKind
from nomic_git.game.round import founding, next_round
from nomic_git.law.precedence import read_law
from nomic_git.law.rulebook import Rulebook
from nomic_git.referee.account import left_account, left_behind, resolving
from nomic_git.referee.beginning import NotOver, begin_round
from nomic_git.referee.hearing import Hearing
from nomic_git.repository.audit import audit
from nomic_git.repository.clone import Refused
from nomic_git.repository.founding import CannotFound, shipped
from nomic_git.repository.lives import life
from nomic_git.repository.record import event_commit, tree_after
from nomic_git.repository.rounds import NoSuchRound, events_of, round_of, rounds
from nomic_git.repository.tree import graft

GOAL = (-105, b"---\nprovisions:\n  victory.points: 10\n---\n\nTen points win.\n")
SERIES = (-216, b"---\nprovisions:\n  proposals.numbering: {successive: 301}\n---\n\nFrom 301 on.\n")


def to_a_winner(scene: Scene) -> int:
    """Alice enacts a rule and has won; the number of it at the forge."""
    number = scene.enact("alice")
    scene.vote(number, "for", "bob", "carol")
    scene.sit()
    assert scene.state.winner == "alice"
    return number


def won(folder: Path, *changed: tuple[int, bytes]) -> Scene:
    scene = game(folder, "alice", "bob", "carol", book=rules(GOAL, *changed))
    to_a_winner(scene)
    return scene


def begin(scene: Scene, rulebook: Rulebook | None = None, language: str = "en") -> Event:
    return begin_round(scene.clone, scene.forge, scene.tick(), rulebook, language)


def is_clean(scene: Scene) -> bool:
    found = audit(scene.clone)
    return not found.irregular and found.scores_match


def test_a_round_from_the_rules_as_they_stand_is_played_to_another_winner(tmp_path):
    scene = won(tmp_path / "game")
    law = scene.position.law.rulebook
    begin(scene)
    assert scene.position.law.rulebook.rules == law.rules
    assert [(seat.login, seat.points, seat.turns) for seat in scene.state.seats] == [
        ("alice", 0, 0),
        ("bob", 0, 0),
        ("carol", 0, 0),
    ]
    assert to_a_winner(scene) == 2
    assert is_clean(scene)
    assert scene.clean()


def test_who_leaves_after_the_winner_is_not_seated_in_the_next_round(tmp_path):
    scene = won(tmp_path / "game")
    going = scene.propose("carol", {"players/carol.md": None})
    winner = scene.propose("alice", {"players/alice.md": None})
    assert [one.event.kind for one in scene.sit().done] == ["forfeited", "forfeited"]
    assert scene.history()[:2] == [
        f"Let alice go, who forfeits by proposal {winner}",
        f"Let carol go, who forfeits by proposal {going}",
    ]
    assert "It was **adopted**; carol has left the game." in scene.said(going)
    assert scene.sit().done == ()
    assert scene.state.winner == "alice"
    assert is_clean(scene)
    begin(scene)
    assert [seat.login for seat in scene.state.seats] == ["bob"]
    assert is_clean(scene)
    assert scene.clean()


def test_a_founding_changes_nothing_but_rules_and_scores(tmp_path):
    scene = won(tmp_path / "game")
    begin(scene)
    assert git(scene.folder, "show", "--format=%P", "--name-only", "HEAD").split()[1:] == ["SCORES.md", "scores.json"]
    to_a_winner(scene)
    begin(scene, shipped("suber-1982", "en"))
    changed = git(scene.folder, "show", "--format=", "--name-only", "HEAD").split()
    assert {path.partition("/")[0] for path in changed} == {"SCORES.md", "scores.json", "rules"}
    assert is_clean(scene)


def test_a_round_from_a_rulebook_that_ships_has_its_rules_and_its_numbers(tmp_path):
    scene = won(tmp_path / "game")
    begin(scene, shipped("suber-1982", "en"))
    assert scene.position.law.rulebook.rules == shipped("suber-1982", "en").rules
    number = scene.enact("alice")
    scene.sit()
    assert scene.state.numbered == ((number, 301),)
    assert is_clean(scene)


def test_a_series_begins_anew_and_the_numbers_of_two_rounds_stay_apart(tmp_path):
    scene = won(tmp_path / "game", SERIES)
    assert 301 in scene.position.law.rulebook.rules
    begin(scene, rules(GOAL, SERIES))
    second = to_a_winner(scene)
    assert 301 in scene.position.law.rulebook.rules
    first, last = (round_of(scene.clone, number) for number in (1, 2))
    assert [one.proposal for one in life(scene.clone, 301, first)] == [1]
    assert [one.proposal for one in life(scene.clone, 301, last)] == [second]
    assert is_clean(scene)


def test_a_series_goes_on_above_the_rules_as_they_stand(tmp_path):
    scene = won(tmp_path / "game", SERIES)
    begin(scene)
    to_a_winner(scene)
    assert {301, 302} <= set(scene.position.law.rulebook.rules)
    assert is_clean(scene)


def test_a_rule_that_stays_begins_its_new_life_with_the_round(tmp_path):
    scene = won(tmp_path / "game")
    begun = begin(scene)
    first, last = (round_of(scene.clone, number) for number in (1, 2))
    assert [(one.kind, one.time) for one in life(scene.clone, 1, last)] == [("founded", begun.time)]
    assert [one.kind for one in life(scene.clone, 1, first)] == ["enact"]
    assert life(scene.clone, 2, last) == ()


def test_each_round_has_its_events(tmp_path):
    scene = won(tmp_path / "game")
    begin(scene)
    to_a_winner(scene)
    kinds = [[one.event.kind.value for one in events_of(scene.clone, each)][::-1] for each in rounds(scene.clone)]
    assert kinds == [["founded", "adopted", "won"], ["founded", "adopted", "won"]]


@pytest.mark.parametrize("number", [0, -1, 2, 99])
def test_a_round_that_never_was_is_said_to_be_none(tmp_path, number):
    scene = won(tmp_path / "game")
    with pytest.raises(NoSuchRound, match=f"no round {number}; this game has had one round so far"):
        round_of(scene.clone, number)


def test_no_round_begins_before_somebody_has_won(tmp_path):
    scene = game(tmp_path / "game", "alice", "bob")
    tip = scene.tip
    with pytest.raises(NotOver, match="nobody has won it yet"):
        begin(scene)
    assert scene.tip == tip


def test_a_survivor_waits_for_others_to_join_instead(tmp_path):
    scene = game(tmp_path / "game", "alice")
    with pytest.raises(NotOver):
        begin(scene)


def test_a_winner_is_recorded_first(tmp_path):
    start = b"---\nprovisions:\n  players.initial-points: 12\n---\n\nTwelve at once.\n"
    scene = game(tmp_path / "game", "alice", "bob", book=rules(GOAL, (-112, start)))
    with pytest.raises(NotOver, match="the referee does that first: nomic-git referee"):
        begin(scene)


def test_a_rulebook_whose_numbers_collide_with_proposals_is_refused(tmp_path):
    scene = won(tmp_path / "game")
    tip, book = scene.tip, scene.position.law.rulebook
    with pytest.raises(CannotFound, match="proposals need numbers of their own"):
        begin(scene, book)
    assert scene.tip == tip


def test_what_was_open_is_left_behind_with_its_votes(tmp_path):
    scene = game(tmp_path / "game", "alice", "bob", "carol", book=rules(GOAL))
    left = scene.enact("bob", "Old.")
    scene.vote(left, "for", "alice")
    to_a_winner(scene)
    begin(scene)
    scene.vote(left, "for", "carol")
    assert scene.sit().done == ()
    assert scene.forge.submissions(scene.state.resolved) == []
    behind = left_behind(scene.clone, scene.heard(left))
    assert behind is not None
    account = left_account(behind, "")
    assert account.stage == "blocked"
    assert account.reasons[0].startswith("alice has won, and the game is over.")
    assert "Round 2 has begun since" in account.reasons[1]
    assert resolving(scene.clone, left) is None
    assert scene.enact("bob", "New.") == 3
    assert is_clean(scene)


def test_a_proposal_dated_before_the_round_opens_with_it(tmp_path):
    scene = won(tmp_path / "game")
    begun = begin(scene)
    scene.now = begun.time - 500
    number = scene.enact("bob", "Dated by a clock that is slow.")
    position = scene.position
    hearing = Hearing(scene.clone, scene.tip, scene.forge.submissions(position.state.resolved))
    (standing,) = docket(position, hearing.proposals(position), begun.time + 60)
    assert (standing.proposal.forge, standing.opened) == (number, begun.time)


def test_comments_left_unwritten_are_written_in_the_next_round(tmp_path):
    scene = game(tmp_path / "game", "alice", "bob", "carol", book=rules(GOAL))
    number = to_a_winner(scene)
    said = scene.said(number)
    git(scene.folder, "update-ref", "-d", f"refs/nomic/proposals/{number}/tally")
    begin(scene)
    scene.sit()
    assert scene.said(number) == said


def test_everybody_sees_the_round_that_one_of_them_began(tmp_path):
    alice = won(tmp_path / "alice")
    bare = shared(tmp_path, alice)
    bob = cloned(tmp_path, bare, "bob", alice.now)
    begin(bob)
    assert git(bare, "rev-parse", "main").strip() == bob.tip
    # Alice's clone does not know yet: she is brought there, and told that nobody has won this one.
    with pytest.raises(NotOver, match="round 2 goes on"):
        begin(alice)
    assert alice.tip == bob.tip
    assert alice.clean()
    assert is_clean(alice)


def test_two_who_begin_a_round_at_once_begin_one(tmp_path):
    alice = won(tmp_path / "alice")
    bare = shared(tmp_path, alice)
    bob = cloned(tmp_path, bare, "bob", alice.now + 60)
    fetch = alice.forge.fetch

    def overtaken() -> None:
        fetch()
        alice.forge.__class__.fetch = originally
        begin(bob)

    originally = alice.forge.__class__.fetch
    alice.forge.__class__.fetch = lambda self: overtaken() if self is alice.forge else originally(self)
    try:
        with pytest.raises(NotOver, match="round 2 goes on"):
            begin(alice)
    finally:
        alice.forge.__class__.fetch = originally
    assert alice.tip == bob.tip
    assert len(rounds(alice.clone)) == 2


def test_changes_in_the_way_stop_it_before_anything_is_written(tmp_path):
    scene = won(tmp_path / "game")
    tip = scene.tip
    (scene.folder / "scores.json").write_text("{}\n")
    with pytest.raises(Refused, match=r"uncommitted changes in scores\.json"):
        begin(scene)
    assert scene.tip == tip


def test_another_language_is_written_into_the_settings_and_is_regular(tmp_path):
    scene = won(tmp_path / "game")
    begin(scene, shipped("suber", "en"), "hu")
    assert 'language = "hu"' in (scene.folder / "nomic.toml").read_text()
    assert is_clean(scene)


# What the audit makes of foundings that the referee did not write.


def forged(scene: Scene, event: Event, files: dict[str, bytes | None] | None = None) -> None:
    """Put the founding of another round on the game branch, with these files beside what it should change."""
    position = scene.position
    made = tree_after(
        scene.clone.trees, scene.clone.tip.tree_id.raw, position, next_round(position, position.law, event)
    )
    made.write(scene.clone.repository)
    if files:
        made = graft(scene.clone.trees, made.tree, files)
        made.write(scene.clone.repository)
    raw = event_commit(made.tree, [scene.clone.tip.id], event)
    commit = git_object(scene.folder, raw)
    git(scene.folder, "update-ref", scene.clone.branch, commit)


def git_object(folder: Path, raw: bytes) -> str:
    path = folder.parent / "object"
    path.write_bytes(raw)
    return git(folder, "hash-object", "-t", "commit", "-w", str(path)).strip()


def due(scene: Scene) -> Event:
    return founding(scene.state, scene.tick(), scene.forge.last)


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ({"players/bob.md": b"---\nname: Robert\n---\n"}, "`players/bob.md` is not what"),
        ({"players/mallory.md": b""}, "`players/mallory.md` is not what"),
        ({"README.md": b"Mine.\n"}, "`README.md` is not what"),
        ({"SCORES.md": b"Mine.\n"}, "`SCORES.md` is not what"),
        ({"rules/mutable/400.md": b"Mine.\n"}, "a rule has the number 400"),
        ({"rules/mutable/mine.md": b"Mine.\n"}, "It founds the game with files that no founding makes"),
    ],
)
def test_a_founding_that_brings_something_else_is_irregular(tmp_path, files, words):
    scene = won(tmp_path / "game")
    forged(scene, due(scene), files)
    (found,) = audit(scene.clone).irregular
    assert words in found.what


def test_any_rulebook_that_could_be_founded_is_regular(tmp_path):
    scene = won(tmp_path / "game")
    event = due(scene)
    position = scene.position
    law = read_law(rules(without=(-201,)))
    made = tree_after(scene.clone.trees, scene.clone.tip.tree_id.raw, position, next_round(position, law, event))
    made.write(scene.clone.repository)
    commit = git_object(scene.folder, event_commit(made.tree, [scene.clone.tip.id], event))
    git(scene.folder, "update-ref", scene.clone.branch, commit)
    assert is_clean(scene)


def test_a_founding_of_the_wrong_round_is_irregular(tmp_path):
    scene = won(tmp_path / "game")
    forged(scene, Event(EventKind.FOUNDED, scene.tick(), round=7, left=1))
    assert "It says `Nomic-Round: 7`" in audit(scene.clone).irregular[0].what


def test_a_founding_dated_before_the_winner_is_irregular(tmp_path):
    scene = won(tmp_path / "game")
    forged(scene, Event(EventKind.FOUNDED, START, round=2, left=1))
    assert "Its date is not one that can follow" in audit(scene.clone).irregular[0].what


def test_each_round_is_audited_alone(tmp_path):
    scene = won(tmp_path / "game")
    (scene.folder / "rules/mutable/1.md").write_text("By hand.\n")
    git(scene.folder, "commit", "-qam", "Tidy up")
    begin(scene)
    to_a_winner(scene)
    first, last = rounds(scene.clone)
    everything, one, two = audit(scene.clone), audit(scene.clone, only=first), audit(scene.clone, only=last)
    assert [len(each.irregular) for each in (everything, one, two)] == [1, 1, 0]
    assert [each.events for each in (everything, one, two)] == [6, 3, 3]
    assert everything.scores_match
    assert one.scores_match
    assert two.scores_match


def test_scores_changed_by_hand_before_a_round_do_not_match_in_the_end(tmp_path):
    scene = won(tmp_path / "game")
    scores = scene.folder / "scores.json"
    scores.write_bytes(scores.read_bytes().replace(b'"points": 10', b'"points": 99'))
    git(scene.folder, "commit", "-qam", "Tidy up")
    begin(scene)
    first, last = rounds(scene.clone)
    assert not audit(scene.clone).scores_match
    assert not audit(scene.clone, only=first).scores_match
    assert audit(scene.clone, only=last).scores_match


def test_progress_is_told_to_the_end_for_a_round_alone(tmp_path):
    scene = won(tmp_path / "game")
    begin(scene)
    told: list[tuple[int, int]] = []
    audit(scene.clone, lambda done, total: told.append((done, total)), only=rounds(scene.clone)[1])
    assert told[-1] == (4, 4)


def test_a_former_player_is_forgotten_and_may_come_back_as_a_newcomer(tmp_path):
    scene = game(tmp_path / "game", "alice", "bob", "carol", "dave", book=rules(GOAL))
    scene.forge.note("dave", scene.propose("dave", {"players/dave.md": None}), Deed.COMMENT, scene.tick(), words="Bye")
    scene.sit()
    assert scene.state.left("dave") is not None
    to_a_winner(scene)
    begin(scene)
    assert scene.state.left("dave") is None
    assert scene.state.seat("dave") is None
