"""What an audit finds in real histories: nothing where the referee played, each tampering where somebody else did."""

from __future__ import annotations

from dataclasses import replace

import pygit2
import pytest
from forgery import advance, forge
from scene import PLAYERS, START, Scene, another, game, git, rules, shared

from nomic_git.forges.log import Deed
from nomic_git.game.docket import docket
from nomic_git.game.event import ChangeRecord, Event, EventKind
from nomic_git.game.player import write_player
from nomic_git.game.proposal import Stage
from nomic_git.game.resolution import next_event
from nomic_git.law.kinds import ChangeKind
from nomic_git.law.rule_change import Change, Impropriety
from nomic_git.referee.hearing import Hearing
from nomic_git.repository.audit import Audit, audit
from nomic_git.repository.clone import Clone, NotHere, open_clone
from nomic_git.repository.history import events
from nomic_git.repository.record import event_commit
from nomic_git.repository.settings import ForgeName, Settings, write_settings
from nomic_git.repository.tree import Trees, graft

BY_HAND = "changed by hand"
MAJORITY = (-110, b"---\nprovisions:\n  adoption.threshold: simple-majority\n---\n\nMost decide.\n")
SERIES = (-113, b"---\nprovisions:\n  proposals.numbering: {successive: 301}\n---\n\nFrom 301 on.\n")
VOTED = (-113, b"---\nprovisions:\n  players.joining: vote\n---\n\nVote on whoever comes.\n")

GOAL = (-113, b"---\nprovisions:\n  victory.points: 15\n---\n\nFifteen points win.\n")


def what(found: Audit) -> list[str]:
    return [one.what for one in found.irregular]


def by_hand(scene: Scene, files: dict[str, bytes | None], message: str = "Tidy up") -> str:
    return advance(scene, scene.commit(files, who="mallory", message=message))


def due(scene: Scene) -> tuple[Event, Change]:
    """The event that the referee would write next, and what its proposal would change."""
    hearing = Hearing(scene.clone, scene.tip, scene.forge.submissions(scene.state.resolved))
    position = scene.position
    found = next_event(position, docket(position, hearing.proposals(position), now := scene.tick()), now)
    assert found is not None, "an event is due"
    event, standing = found
    assert standing is not None, "it is about a proposal"
    return event, standing.proposal.reading


def carried(folder, *logins: str, book=None) -> tuple[Scene, Event, Change]:
    """A game in which bob's enactment has every vote and the referee has not come by."""
    scene = game(folder, *logins, book=book)
    number = scene.enact("bob")
    scene.vote(number, "for", *(one for one in logins or PLAYERS if one != "bob"))
    return scene, *due(scene)


def a_long_game(folder) -> Scene:
    """Adoptions of every kind, a defeat, a concession, a withdrawal, a joining, a forfeit."""
    scene = game(folder)
    scene.vote(scene.enact("alice"), "for", "bob", "carol", "dave")
    scene.sit()
    scene.vote(scene.amend("bob", -105, b"200", b"190"), "for", "alice", "carol", "dave")
    scene.sit()
    scene.vote(scene.amend("carol", -106, b"e", b"a"), "against", "alice")
    scene.sit()
    path, source = "rules/mutable/1.md", scene.file("rules/mutable/1.md")
    scene.vote(scene.propose("dave", {path: None, "rules/immutable/1.md": source}), "for", "alice", "bob", "carol")
    scene.sit()
    conceded = scene.enact("alice", "Another.")
    scene.vote(conceded, "for", "bob")
    scene.do("alice", conceded, Deed.WITHDRAWN)
    scene.sit()
    scene.do("bob", scene.enact("bob", "Yet another."), Deed.WITHDRAWN)
    scene.sit()
    scene.vote(scene.propose("carol", {"rules/mutable/-107.md": None}), "for", "alice", "bob", "dave")
    scene.sit()
    scene.propose("erin", {"players/erin.md": write_player("erin", name="Erin").source})
    scene.sit()
    scene.propose("dave", {"players/dave.md": None})
    scene.sit()
    return scene


def test_a_game_that_the_referee_kept_has_nothing_irregular(tmp_path):
    scene = a_long_game(tmp_path / "game")
    kinds = [one.event.kind for one in events(scene.clone)]
    assert len({*kinds}) >= 5
    assert audit(scene.clone) == Audit(len(kinds), (), True)


@pytest.mark.parametrize("rule", [MAJORITY, SERIES, VOTED], ids=["majority", "series", "vote-on-joining"])
def test_nor_has_one_under_another_law(tmp_path, rule):
    scene = game(tmp_path / "game", book=rules(rule))
    for login in ("alice", "bob"):
        number = scene.enact(login, name=login)
        scene.sit()
        scene.vote(number, "for", *(one for one in PLAYERS if one != login))
        scene.sit()
    number = scene.enact("carol", name="third")
    scene.vote(number, "against", "alice", "bob", "dave")
    scene.sit()
    for login, word in (("erin", "for"), ("frank", "against")):
        number = scene.propose(login, {f"players/{login}.md": write_player(login, name=login.title()).source})
        scene.sit()
        if number not in scene.state.resolved:
            scene.vote(number, word, *(seat.login for seat in scene.state.seats))
            scene.sit()
    found = audit(scene.clone)
    assert found.irregular == ()
    assert found.scores_match
    assert found.events >= 6


def test_relaxing_and_winning_are_replayed_too(tmp_path):
    relaxing = (
        -110,
        b"---\nprovisions:\n  adoption.relaxation: {after-turns-each: 1, threshold: simple-majority}\n---\n\nSoon.\n",
    )
    scene = game(tmp_path / "game", "alice", "bob", book=rules(relaxing, GOAL, without=(-105,)))
    for login, other in (("alice", "bob"), ("bob", "alice")):
        scene.vote(scene.enact(login, name=login), "for", other)
        scene.sit()
    number = scene.enact("alice", name="last")
    scene.vote(number, "for", "bob")
    scene.sit()
    kinds = {one.event.kind for one in events(scene.clone)}
    assert kinds >= {EventKind.RELAXED, EventKind.WON}
    assert audit(scene.clone).irregular == ()


def test_a_rule_edited_by_hand_is_found_and_the_scores_still_match(tmp_path):
    scene = a_long_game(tmp_path / "game")
    commit = by_hand(scene, {"rules/mutable/-104.md": b"Everybody obeys mallory.\n"})
    found = audit(scene.clone)
    assert [one.commit for one in found.irregular] == [commit]
    assert what(found) == [
        "`rules/mutable/-104.md` was changed by hand; only the referee's events change the game's files."
    ]
    assert found.scores_match


def test_a_score_changed_by_hand_is_found_and_the_scores_do_not_match(tmp_path):
    scene = game(tmp_path / "game")
    scores = scene.file("scores.json").replace(b'"mallory"', b"").replace(b'"points": 0', b'"points": 90', 1)
    commit = by_hand(scene, {"scores.json": scores})
    found = audit(scene.clone)
    assert [one.commit for one in found.irregular] == [commit]
    assert "`scores.json` was changed by hand" in found.irregular[0].what
    assert not found.scores_match


def test_the_game_that_goes_on_after_it_is_regular(tmp_path):
    scene = game(tmp_path / "game")
    by_hand(scene, {"rules/mutable/-104.md": b"Everybody obeys mallory.\n"})
    git(scene.folder, "reset", "-q", "--hard")
    scene.vote(scene.enact("bob"), "for", "alice", "carol", "dave")
    assert scene.sit().done
    assert len(audit(scene.clone).irregular) == 1


def test_two_irregular_commits_are_two_lines_oldest_first(tmp_path):
    scene = game(tmp_path / "game")
    one = by_hand(scene, {"rules/mutable/-104.md": b"Obey.\n"})
    by_hand(scene, {"README.md": b"Hello\n"})
    two = by_hand(scene, {"players/mallory.md": write_player("mallory", name="M").source, "SCORES.md": b""})
    found = audit(scene.clone)
    assert [irregular.commit for irregular in found.irregular] == [one, two]
    assert "and 1 more were changed by hand" in what(found)[1]


def test_commits_outside_the_games_paths_are_none_of_its_business(tmp_path):
    scene = a_long_game(tmp_path / "game")
    by_hand(scene, {"README.md": b"Hello\n", "docs/rules/1.md": b"x", "nomic.toml": scene.file("nomic.toml") + b"\n"})
    side = scene.commit({"src/a.py": b"1\n"}, message="Begin\n\nNomic-Points: alice +3")
    advance(scene, scene.commit({"src/a.py": b"1\n"}, more=(side,), message="Merge"))
    git(scene.folder, "reset", "-q", "--hard")
    scene.vote(scene.enact("bob", "One more."), "for", "alice", "carol", "erin")
    scene.sit()
    assert audit(scene.clone).irregular == ()


def test_what_was_before_the_founding_is_none_of_its_business(tmp_path):
    git(tmp_path, "init", "-q", "-b", "main")
    (tmp_path / "old.txt").write_text("old")
    git(tmp_path, "add", ".")
    words = "Begin\n\nNomic-Event: adopted\nNomic-Event: adopted"
    git(tmp_path, "-c", "user.name=A", "-c", "user.email=a@b", "commit", "-q", "-m", words)
    assert audit(game(tmp_path).clone) == Audit(1, (), True)


def points(event: Event) -> Event:
    return replace(event, points=(("bob", 150),))


FORGED = {
    "too few votes": (lambda one: replace(one, supporters=("bob",)), "1 for and 0 against of 4 did not adopt it"),
    "a stranger's vote": (lambda one: replace(one, supporters=(*one.supporters, "mallory")), "mallory is counted"),
    "a vote twice": (lambda one: replace(one, opponents=("dave",)), "dave is counted both for and against"),
    "the order of the votes": (lambda one: replace(one, supporters=one.supporters[::-1]), "`Nomic-For: dave,"),
    "points": (points, "`Nomic-Points: bob +150`; the position before it leads to bob +10"),
    "no points": (lambda one: replace(one, points=()), "`Nomic-Points: nothing`"),
    "a number": (
        lambda one: replace(one, number=7, change=replace(one.change, becomes=7)),
        "`Nomic-Change: enact 7`; the position before it leads to enact 1",
    ),
    "another change": (
        lambda one: replace(one, change=ChangeRecord(ChangeKind.AMEND, -105, 1)),
        "`Nomic-Change: amend -105 1`; the position before it leads to enact 1",
    ),
    "another mover": (lambda one: replace(one, player="carol"), "leads to"),
    "a mover who is no player": (lambda one: replace(one, player="mallory"), "mallory was not a player then"),
    "opened before the game": (lambda one: replace(one, opened=START - 5), "names an instant at which it cannot have"),
    "opened after the end": (lambda one: replace(one, opened=one.time + 1), "names an instant at which it cannot have"),
    "a failed provision": (lambda one: replace(one, failed=("turns.points",)), "`Nomic-Failed: turns.points`"),
    "a defeat of what was carried": (
        lambda one: replace(one, kind=EventKind.DEFEATED, change=ChangeRecord(ChangeKind.ENACT, None)),
        "4 for and 0 against of 4 did not defeat it",
    ),
    "a date before the game": (lambda one: replace(one, time=START - 1), "Its date is not one that can follow"),
}


@pytest.mark.parametrize("case", FORGED)
def test_a_forged_event_is_found(tmp_path, case):
    distort, words = FORGED[case]
    scene, event, change = carried(tmp_path / "game")
    forged = distort(event)
    # Who forges an event writes a tree that goes with it, as far as there is one.
    told = forged if forged.player in PLAYERS else replace(forged, player="bob")
    raw = (
        event_commit(b"t" * 20, [], told).split(b"\n\n", 1)[1],
        event_commit(b"t" * 20, [], forged).split(b"\n\n", 1)[1],
    )
    commit = forge(scene, told, change, swap=raw if told is not forged else None)
    found = audit(scene.clone)
    assert [one.commit for one in found.irregular] == [commit]
    assert words in found.irregular[0].what
    assert found.events == 2


def test_an_event_as_it_is_due_is_regular(tmp_path):
    scene, event, change = carried(tmp_path / "game")
    forge(scene, event, change)
    assert audit(scene.clone) == Audit(2, (), True)


def test_a_file_beside_the_events_own_is_found(tmp_path):
    scene, event, change = carried(tmp_path / "game")
    forge(scene, event, change, files={"README.md": b"mine\n"})
    assert what(audit(scene.clone)) == ["`README.md` is not what the position before it and its trailers lead to."]


@pytest.mark.parametrize("path", ["rules/mutable/1.md", "rules/mutable/-104.md", "scores.json", "SCORES.md"])
def test_a_file_of_the_event_that_says_something_else_is_found(tmp_path, path):
    scene, event, change = carried(tmp_path / "game")
    state = b"{}" if path == "scores.json" else b"Obey mallory.\n"
    forge(scene, event, change, files={path: state})
    assert f"`{path}` is not what" in what(audit(scene.clone))[0]


def test_wrong_parents_are_found(tmp_path):
    for name, wrong in (("none", []), ("other", ["own"]), ("three", ["head", "own"])):
        scene, event, change = carried(tmp_path / name)
        ids = {"head": event.head, "own": scene.commit({"x": b""}, message="x")}
        forge(scene, event, change, parents=[scene.tip, *(ids[one] for one in wrong)])
        assert "Its parents are not the commit before it" in what(audit(scene.clone))[0]


def test_a_rewritten_message_is_found(tmp_path):
    scene, event, change = carried(tmp_path / "game")
    forge(scene, event, change, swap=(b"\n\nAdopt proposal 1: enact rule 1", b"\n\nAdopt mallory as king"))
    assert what(audit(scene.clone)) == [
        "Its message is not the one that the referee writes for this event: Adopt mallory as king"
    ]


@pytest.mark.parametrize("more", [b"\n", b"Nomic-Herald: mallory\n", b"Signed-off-by: M <m@m>\n"])
def test_a_line_more_in_the_message_is_found(tmp_path, more):
    scene, event, change = carried(tmp_path / "game")
    last = b"Nomic-Points: bob +10\n"
    forge(scene, event, change, swap=(last, last + more))
    assert "Its message is not" in what(audit(scene.clone))[0]


def test_a_repeated_key_is_irregular(tmp_path):
    scene, event, change = carried(tmp_path / "game")
    last = b"Nomic-Points: bob +10\n"
    forge(scene, event, change, swap=(last, last + b"Nomic-Points: dave +90\n"))
    assert what(audit(scene.clone)) == ["Its trailers cannot be read: the trailer Nomic-Points is repeated."]


def test_an_amended_date_is_found(tmp_path):
    scene, event, change = carried(tmp_path / "game")
    time = f" {event.time} +0000".encode()
    forge(scene, event, change, swap=(time, f" {event.time + 86_400} +0000".encode()))
    assert "Its date is not the time of its event" in what(audit(scene.clone))[0]


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        (b"author nomic-git referee", b"author mallory", "Its author or committer is not the referee"),
        (b"committer nomic-git referee", b"committer mallory", "Its author or committer is not the referee"),
        (b"+0000\ncommitter", b"+0100\ncommitter", "Its author or committer is not the referee"),
        (b"\n\nAdopt", b"\nencoding ISO-8859-1\n\nAdopt", "Its header has lines that the referee does not write"),
    ],
)
def test_a_commit_signed_otherwise_is_found(tmp_path, old, new, words):
    scene, event, change = carried(tmp_path / "game")
    forge(scene, event, change, swap=(old, new))
    assert words in what(audit(scene.clone))[0]


def test_a_proposal_cannot_be_resolved_twice(tmp_path):
    scene, event, change = carried(tmp_path / "game")
    forge(scene, event, change)
    forge(scene, replace(event, kind=EventKind.WITHDRAWN, change=None, supporters=(), points=(), number=1))
    assert what(audit(scene.clone)) == ["Proposal 1 had been resolved before."]


def test_a_head_that_was_adopted_cannot_be_adopted_again(tmp_path):
    scene, event, change = carried(tmp_path / "game")
    forge(scene, event, change)
    forge(scene, replace(event, proposal=2, number=2, change=replace(event.change, becomes=2)), change)
    [only] = what(audit(scene.clone))
    assert only.startswith("It was not in order. The game branch contains its branch already")


def test_old_law_cannot_be_brought_back_by_a_stale_head(tmp_path):
    scene = game(tmp_path / "game", "alice", "bob")
    stale = scene.amend("alice", -105, b"200", b"100")
    scene.vote(stale, "for", "bob")
    event, change = due(scene)
    scene.do("alice", stale, Deed.WITHDRAWN)
    by_hand(scene, {"rules/mutable/-105.md": scene.file("rules/mutable/-105.md") + b"\nMore.\n"})
    forge(scene, event, change)
    assert "Rule -105 is no longer as it was when this proposal was written" in what(audit(scene.clone))[1]


def test_a_head_that_is_no_lawful_change_cannot_have_been_adopted(tmp_path):
    scene, event, change = carried(tmp_path / "game")
    head = scene.commit({"rules/mutable/new.md": b"Be kind.\n", "README.md": b"x"}, who="bob")
    forge(scene, replace(event, head=head), change)
    assert "It was not in order. It also changes `README.md`" in what(audit(scene.clone))[0]
    assert len(audit(scene.clone).irregular) == 1


@pytest.mark.parametrize(
    ("event", "words"),
    [
        (Event(EventKind.WON, START, player="alice", rule=-105), "Nothing had led to it"),
        (Event(EventKind.RELAXED, START, rule=-110), "Nothing had led to it"),
        (Event(EventKind.FOUNDED, START), "which had been founded before"),
        (Event(EventKind.PROPOSED, START, proposal=9, number=301, player="alice"), "had no series of numbers"),
        (Event(EventKind.WITHDRAWN, START, proposal=9, player="mallory", head="a" * 40), "mallory was not a player"),
        (Event(EventKind.FORFEITED, START, proposal=9, player="bob", head=None), "Nomic-Head is missing"),
        (Event(EventKind.DEFEATED, START, proposal=9, player="bob", head="a" * 40), "Nomic-Opened is missing"),
    ],
)
def test_an_event_that_nothing_led_to_is_found(tmp_path, event, words):
    scene = game(tmp_path / "game")
    forge(scene, event)
    assert words in what(audit(scene.clone))[0]


def test_an_event_of_a_kind_that_cannot_be_replayed_is_said_to_be(tmp_path):
    scene = game(tmp_path / "game")
    by_hand(scene, {}, "Crown\n\nNomic-Event: crowned")
    assert "Nomic-Event: 'crowned' is an event that this nomic-git cannot read" in what(audit(scene.clone))[0]


def test_nothing_follows_a_winner(tmp_path):
    low = (-105, b"---\nprovisions:\n  victory.points: 5\n---\n\nFive points win.\n")
    scene, event, _ = carried(tmp_path / "game", "alice", "bob", book=rules(low))
    scene.sit()
    assert scene.state.winner == "bob"
    forge(scene, Event(EventKind.WITHDRAWN, scene.now, proposal=9, player="alice", head=event.head))
    assert what(audit(scene.clone)) == ["bob had won before, and after that nothing happens but that players leave."]


def test_a_winner_is_declared_before_anything_else(tmp_path):
    low = (-105, b"---\nprovisions:\n  victory.points: 5\n---\n\nFive points win.\n")
    scene, event, change = carried(tmp_path / "game", "alice", "bob", book=rules(low))
    forge(scene, event, change)
    forge(scene, Event(EventKind.WITHDRAWN, scene.now, proposal=9, player="alice", head=event.head))
    assert what(audit(scene.clone)) == ["bob had won, and that is recorded first."]


def test_a_defeated_proposals_head_may_be_gone(tmp_path):
    scene = a_long_game(tmp_path / "game")
    bare = shared(tmp_path, scene)
    git(tmp_path, "clone", "-q", "--bare", "--single-branch", f"file://{bare}", "other.git")
    there = open_clone(tmp_path / "other.git")
    defeated = next(one.event.head for one in events(there) if one.event.kind is EventKind.DEFEATED)
    assert defeated not in there.repository
    assert audit(there) == audit(scene.clone)


OPEN = (-113, b"---\nprovisions:\n  players.joining: open\n---\n\nWhoever comes may play.\n")


def asked(folder, source: bytes = b"Hello.\n") -> tuple[Scene, Event, Change]:
    """A game in which erin asks to join and the referee has not come by."""
    scene = game(folder, book=rules(OPEN))
    scene.propose("erin", {"players/erin.md": source})
    return scene, *due(scene)


SEATED = b"---\nid: 77\n---\nHello.\n"


@pytest.mark.parametrize("source", [b"Hello.\n", SEATED, b"---\nid: 5\n---\nHello.\n"])
@pytest.mark.parametrize("gone", [False, True])
def test_a_joining_by_an_account_is_regular_whatever_id_the_request_named(tmp_path, source, gone):
    scene, event, change = asked(tmp_path / "game", source)
    forge(scene, replace(event, account=77), change)
    assert scene.file("players/erin.md") == SEATED
    assert audit(without_heads(tmp_path, scene) if gone else scene.clone) == Audit(2, (), True)


def without_heads(folder, scene: Scene) -> Clone:
    """A clone of the game branch alone, in which no request to join is."""
    git(folder, "clone", "-q", "--bare", "--single-branch", f"file://{shared(folder, scene)}", "other.git")
    return open_clone(folder / "other.git")


@pytest.mark.parametrize("gone", [False, True])
@pytest.mark.parametrize("file", [b"---\nid: 78\n---\nHello.\n", b"Hello.\n"], ids=["another id", "no id"])
def test_a_seat_whose_file_has_not_the_id_of_its_event_is_found(tmp_path, file, gone):
    scene, event, change = asked(tmp_path / "game")
    forge(scene, replace(event, account=77), change, files={"players/erin.md": file})
    found = what(audit(without_heads(tmp_path, scene) if gone else scene.clone))
    assert found == ["`players/erin.md` is not what the position before it and its trailers lead to."]


def test_an_id_that_no_trailer_names_is_found(tmp_path):
    scene, event, change = asked(tmp_path / "game")
    forge(scene, event, change, files={"players/erin.md": SEATED})
    assert "`players/erin.md` is not what" in what(audit(scene.clone))[0]


@pytest.mark.parametrize("gone", [False, True])
def test_a_joining_on_github_that_names_no_account_is_found(tmp_path, gone):
    scene, event, change = asked(tmp_path / "game", SEATED)
    by_hand(scene, {"nomic.toml": write_settings(Settings(forge=ForgeName.GITHUB))})
    forge(scene, event, change)
    found = what(audit(without_heads(tmp_path, scene) if gone else scene.clone))
    assert found == ["It seats erin without the id of an account, which every joining on GitHub records."]


def test_an_account_cannot_have_been_seated_twice(tmp_path):
    scene, event, change = asked(tmp_path / "game")
    forge(scene, replace(event, account=77), change)
    scene.propose("frank", {"players/frank.md": b"Hello.\n"})
    event, change = due(scene)
    raw = event_commit(b"", [], event), event_commit(b"", [], replace(event, account=77))
    forge(scene, event, change, swap=tuple(one.split(b"\n\n", 1)[1] for one in raw))
    (said,) = what(audit(scene.clone))
    assert said == (
        "It was not in order. Its author sits here already, as erin, whatever the account is called now. "
        "Nobody sits twice, and nobody joins for another. Withdraw it."
    )


def test_only_a_joining_names_an_account(tmp_path):
    scene, event, change = carried(tmp_path / "game")
    forge(scene, event, change, swap=(b"Nomic-Player: bob\n", b"Nomic-Player: bob\nNomic-Account: 7\n"))
    assert "Nomic-Account is not a trailer of an event adopted" in what(audit(scene.clone))[0]


def test_a_rule_made_unreadable_does_not_end_the_audit(tmp_path):
    scene = game(tmp_path / "game")
    whole = scene.file("rules/mutable/-104.md")
    by_hand(scene, {"rules/mutable/-104.md": b"---\nno: such key\n---\n"})
    by_hand(scene, {"README.md": b"x"})
    by_hand(scene, {"rules/mutable/-104.md": whole})
    git(scene.folder, "reset", "-q", "--hard")
    scene.vote(scene.enact("bob"), "for", "alice", "carol", "dave")
    scene.sit()
    found = audit(another(scene.folder, scene).clone)
    assert len(found.irregular) == 2
    assert "From then on the game's files cannot be read (rules/mutable/-104.md: the key" in found.irregular[0].what
    assert found.scores_match


def test_a_tip_whose_scores_cannot_be_read_matches_nothing(tmp_path):
    scene = game(tmp_path / "game")
    by_hand(scene, {"scores.json": b"[]"})
    assert not audit(scene.clone).scores_match


def test_a_founding_that_is_none_is_found(tmp_path):
    scene = game(tmp_path / "game")
    founding = scene.clone.tip
    rich = scene.file("scores.json").replace(b'"points": 0', b'"points": 50', 1)
    tree = graft(scene.clone.trees, founding.tree_id.raw, {"scores.json": rich})
    tree.write(scene.clone.repository)
    raw = event_commit(tree.tree, [], Event(EventKind.FOUNDED, START))
    advance(scene, str(scene.clone.repository.odb.write(pygit2.enums.ObjectType.COMMIT, raw)))
    assert "is not that of a game just founded" in what(audit(scene.clone))[0]


def test_a_history_without_a_founding_is_irregular(tmp_path):
    scene = game(tmp_path / "game")
    tree = scene.clone.tip.tree_id
    other = pygit2.Signature("mallory", "m@example.org", START, 0)
    advance(scene, str(scene.clone.repository.create_commit(None, other, other, "Begin", tree, [])))
    found = audit(scene.clone)
    assert what(found) == ["No event founds this game, so there is nothing to replay."]
    assert not found.scores_match


def test_a_shallow_clone_is_refused_and_a_bare_one_is_not(tmp_path):
    scene = a_long_game(tmp_path / "game")
    bare = shared(tmp_path, scene)
    assert audit(open_clone(bare)).irregular == ()
    git(tmp_path, "clone", "-q", "--depth", "1", f"file://{bare}", "shallow")
    with pytest.raises(NotHere, match="git fetch --unshallow"):
        audit(open_clone(tmp_path / "shallow"))


def test_progress_is_told_and_nothing_is_written(tmp_path):
    scene = a_long_game(tmp_path / "game")
    before = sorted((scene.folder / ".git").rglob("*"))
    seen: list[tuple[int, int]] = []
    audit(scene.clone, lambda done, total: seen.append((done, total)))
    assert seen == [(one, len(seen)) for one in range(1, len(seen) + 1)]
    assert sorted((scene.folder / ".git").rglob("*")) == before


def merged(scene: Scene, *parents: str) -> str:
    """Put the game branch at a merge by hand whose tree is that of its first parent."""
    tree = git(scene.folder, "rev-parse", f"{parents[0]}^{{tree}}").strip()
    options = [word for one in parents for word in ("-p", one)]
    return advance(scene, git(scene.folder, "commit-tree", tree, *options, "-m", "Merge").strip())


def test_history_that_a_swapped_merge_hides_is_found(tmp_path):
    scene = game(tmp_path / "game")
    founding = scene.tip
    number = scene.enact("alice")
    scene.vote(number, "against", "bob")
    scene.sit()
    real = scene.tip
    beside = scene.commit({"README.md": b"Hello.\n"}, on=founding)
    commit = merged(scene, beside, real)
    found = audit(scene.clone)
    assert [one.commit for one in found.irregular] == [commit]
    assert what(found) == [
        f"It leaves out 1 of the game's events, which stand on another parent of it; one is {real[:12]}."
    ]


def test_a_merge_of_what_is_none_of_the_games_is_regular(tmp_path):
    scene = game(tmp_path / "game")
    beside = scene.commit({"README.md": b"Hello.\n"})
    number = scene.enact("alice")
    scene.vote(number, "for", "bob", "carol", "dave")
    scene.sit()
    joined = scene.commit({"README.md": b"Hello, you.\n"}, more=(beside,))
    merged(scene, scene.tip, beside, joined)
    assert audit(scene.clone).irregular == ()


def test_a_proposal_merged_by_hand_does_not_vanish(tmp_path):
    """Its head is in the game branch's history then, with none of its changes and no event."""
    scene = game(tmp_path / "game")
    number = scene.enact("alice")
    scene.vote(number, "against", "bob")
    commit = merged(scene, scene.tip, scene.forge.head(number))
    [standing] = scene.sit().standings
    assert (standing.stage, [one.what for one in standing.reasons]) == (
        Stage.IMPROPER,
        [Impropriety.MERGED_UNADOPTED],
    )
    found = audit(scene.clone)
    assert [one.commit for one in found.irregular] == [commit]
    assert what(found) == ["It merges a change of `rules/mutable/new.md` that no event adopted."]


@pytest.mark.parametrize("folder", ["rules", "docs"])
def test_trees_without_end_that_somebody_merged_are_noted_and_not_followed(tmp_path, folder, monkeypatch):
    scene = game(tmp_path / "game")
    repository = scene.clone.repository
    at = repository.TreeBuilder().write()
    for _ in range(12):
        builder = repository.TreeBuilder()
        for one in range(10):
            builder.insert(f"d{one}", at, pygit2.enums.FileMode.TREE)
        at = builder.write()
    top = repository.TreeBuilder(scene.clone.tip.tree)
    top.insert(folder, at, pygit2.enums.FileMode.TREE)
    who = pygit2.Signature("mallory", "m@example.org", scene.tick(), 0)
    tip, tree = scene.clone.tip, top.write()
    aside = repository.create_commit(None, who, who, "Aside", tree, [tip.id])
    bad = advance(scene, str(repository.create_commit(None, who, who, "Merge", tree, [tip.id, aside])))
    advance(scene, str(repository.create_commit(None, who, who, "Back", tip.tree_id, [pygit2.Oid(hex=bad)])))
    opened = []
    real = Trees.entries
    monkeypatch.setattr(Trees, "entries", lambda self, tree: opened.append(tree) or real(self, tree))
    found = audit(scene.clone)
    assert [one.commit for one in found.irregular][:1] == ([bad] if folder == "rules" else [])
    assert len(opened) < 500_000
