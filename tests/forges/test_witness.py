"""The witness: a review stays with the text that it was given to, whatever GitHub does to its id (106; section 11)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import pygit2
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pulls import APPROVED, BOB, CAROL, CHANGES, COMMENTED, PENDING, pull, turn
from scene import START, Scene, cloned, game, git, shared

from nomic_git.forges.forge import ForgeError
from nomic_git.forges.pull_request import PullRequest, Review, Turn
from nomic_git.forges.remote import Rejected, Remote
from nomic_git.forges.witness import (
    LARGEST_FILE,
    MOST_BINDINGS,
    MOST_SIGHTINGS,
    WITNESS,
    ForcedPush,
    Look,
    Opinion,
    Sighting,
    Witness,
    fetched,
    observed,
    read_testimonies,
    read_testimony,
    refspec,
    write_testimony,
)
from nomic_git.forges.witness import Testimony as Known
from nomic_git.game.numbers import NONE, Numbers
from nomic_git.law.errors import Unreadable
from nomic_git.repository.branch import GameBranch
from nomic_git.repository.clone import open_clone
from nomic_git.repository.history import REFEREE
from nomic_git.repository.tree import graft

A, B = "amend 203 " + "a" * 40, "amend 203 " + "b" * 40

# A pull request at GitHub, as the rule sees it.


@dataclass
class Given:
    """A review in the world: when it was given, to which text, where GitHub has it now, and what befell it unseen."""

    time: int
    text: str | None
    commit: str | None
    overtaken: bool = False
    carried: bool = False
    seen: bool = False


@dataclass
class World:
    """One pull request, the truth about it, and what the witness makes of what GitHub shows."""

    now: int = 0
    head: str = f"{0:040x}"
    texts: dict[str, str | None] = field(default_factory=lambda: {f"{0:040x}": A})
    reviews: list[Given] = field(default_factory=list)
    forced: list[ForcedPush] = field(default_factory=list)
    known: Known = field(default_factory=Known)

    def push(self, text: str | None, *, force: bool = False, ids: str = "stay") -> None:
        before, self.head = self.head, f"{len(self.texts):040x}"
        self.texts[self.head] = text
        if force:
            self.forced.append(ForcedPush(self.now, None if ids == "lose" else self.texts[before], text))
        for one in self.reviews:
            one.overtaken = one.overtaken or (not force and not one.seen and text != one.text)
            one.carried = one.carried or (one.overtaken and not one.seen and ids == "move")
            if ids != "stay":
                one.commit = self.head if ids == "move" and one.commit is not None else None

    def review(self) -> int:
        self.reviews.append(Given(self.now, self.texts[self.head], self.head))
        return len(self.reviews) - 1

    def look(self) -> Look:
        opinions = (
            Opinion(id_, one.time, self.texts[one.commit] if one.commit is not None else None)
            for id_, one in enumerate(self.reviews)
        )
        return Look(self.texts[self.head], self.head, self.now, tuple(opinions), tuple(self.forced))

    def see(self) -> None:
        self.known = observed(self.known, self.look())
        for one in self.reviews:
            one.seen = True

    def bound(self, review: int) -> str | None:
        return self.known.bindings[review]


TEXTS = st.sampled_from([A, B, None])
IDS = st.sampled_from(["stay", "move", "lose"])
PUSHES = st.tuples(st.just("push"), TEXTS, st.booleans(), IDS)
STEPS = st.lists(
    st.tuples(
        st.one_of(PUSHES, PUSHES, st.just(("review",)), st.just(("review",)), st.just(("see",))), st.integers(0, 2)
    ),
    max_size=25,
)


def step(world: World, what: Sequence, seconds: int) -> None:
    world.now += seconds
    match what:
        case ("push", text, force, ids):
            world.push(text, force=force, ids=ids)
        case ("review",):
            world.review()
        case ("see",):
            world.see()


@settings(max_examples=200)
@given(STEPS)
def test_a_review_is_bound_to_its_own_text_or_to_none_but_for_the_one_case_that_the_witness_tells_of(steps):
    world = World()
    for what, seconds in [*steps, (("see",), 1)]:
        step(world, what, seconds)
    for id_, one in enumerate(world.reviews):
        assert world.bound(id_) in {None, one.text} or (one.overtaken and one.carried)


@settings(max_examples=200)
@given(STEPS)
def test_where_github_is_seen_to_move_ids_no_new_review_is_bound_to_a_text_it_was_not_given_to(steps):
    world = World()
    for what, seconds in [*steps, (("see",), 1)]:
        before, text = world.known, world.texts[world.head]
        moves = any(
            before.bindings.get(id_) not in {None, text} and one.commit is not None and world.texts[one.commit] == text
            for id_, one in enumerate(world.reviews)
        )
        step(world, what, seconds)
        if what == ("see",) and moves:
            new = world.known.bindings.keys() - before.bindings.keys()
            assert all(world.bound(id_) in {None, world.reviews[id_].text} for id_ in new)


@given(STEPS)
def test_a_binding_never_changes(steps):
    world = World()
    for what, seconds in steps:
        before = world.known.bindings
        step(world, what, seconds)
        assert before.items() <= world.known.bindings.items()


ROUNDS = st.lists(st.tuples(TEXTS, st.booleans(), IDS, st.integers(0, 3)), max_size=10)


@settings(max_examples=150)
@given(ROUNDS, st.booleans())
def test_a_review_that_a_pass_sees_before_the_next_push_counts_for_its_own_text(rounds, looks_at_once):
    world = World()
    for text, force, ids, reviews in [(A, False, "stay", 2), *rounds]:
        world.now += 1
        # Where GitHub moves ids, a pass must have seen the push as well before somebody reviews.
        world.push(text, force=force, ids=ids if looks_at_once or ids != "move" else "stay")
        if looks_at_once:
            world.see()
        for _ in range(reviews):
            world.now += 1
            world.review()
            world.see()
    assert [world.bound(id_) for id_ in range(len(world.reviews))] == [one.text for one in world.reviews]


@given(STEPS)
def test_looking_twice_at_the_same_thing_learns_nothing(steps):
    world = World()
    for what, seconds in steps:
        step(world, what, seconds)
    world.see()
    known = world.known
    world.now += 1000
    world.see()
    assert world.known is known


def test_opened_reviewed_and_looked_at_once_a_review_binds():
    world = World()
    world.now = 10
    review = world.review()
    world.see()
    assert world.bound(review) == A


def test_a_review_right_after_a_push_without_force_binds_before_any_pass_saw_the_push():
    world = World()
    world.see()
    world.now = 10
    world.push(B)
    world.now = 11
    review = world.review()
    world.see()
    assert world.bound(review) == B


@pytest.mark.parametrize("force", [False, True])
@pytest.mark.parametrize("ids", ["stay", "move", "lose"])
def test_a_push_that_leaves_the_text_as_it_was_keeps_the_vote_that_was_seen(force, ids):
    world = World()
    review = world.review()
    world.see()
    world.push(A, force=force, ids=ids)
    world.see()
    assert world.bound(review) == A


@pytest.mark.parametrize("ids", ["stay", "move"])
def test_a_rebase_before_any_pass_saw_the_vote_keeps_it(ids):
    world = World()
    review = world.review()
    world.now = 5
    world.push(A, force=True, ids=ids)
    world.see()
    assert world.bound(review) == A


def test_a_vote_is_good_again_when_its_text_comes_back_but_one_that_nobody_saw_is_not():
    world = World()
    seen = world.review()
    world.see()
    world.now = 1
    unseen = world.review()
    world.now = 2
    world.push(B)
    world.see()
    world.now = 3
    world.push(A)
    world.see()
    assert world.bound(seen) == A
    assert world.bound(unseen) is None


def test_an_id_moved_forward_by_force_deceives_nobody():
    world = World()
    review = world.review()
    world.now = 5
    world.push(B, force=True, ids="move")
    world.see()
    assert world.bound(review) is None


@pytest.mark.parametrize(("second", "text"), [(5, None), (6, B)])
def test_in_the_same_second_as_a_forced_push_is_not_after_it(second, text):
    world = World(now=5)
    world.push(B, force=True)
    world.now = second
    review = world.review()
    world.see()
    assert world.bound(review) == text


@pytest.mark.parametrize(("second", "text"), [(5, None), (6, B)])
def test_in_the_same_second_as_another_text_was_seen_is_not_after_it(second, text):
    world = World(now=5)
    world.see()
    world.push(B)
    world.now = second
    review = world.review()
    world.see()
    assert world.bound(review) == text


def test_a_side_of_a_forced_push_that_cannot_be_read_counts_as_another_text():
    world = World(now=1)
    early = world.review()
    world.now = 5
    world.forced.append(ForcedPush(5, None, A))
    world.now = 6
    late = world.review()
    world.see()
    assert world.bound(early) is None
    assert world.bound(late) == A


def test_a_review_whose_commit_github_has_lost_before_anybody_saw_it_was_given_to_an_earlier_text():
    world = World(now=1)
    review = world.review()
    world.reviews[review].commit = None
    world.see()
    assert world.bound(review) is None


def test_a_review_of_what_was_no_lawful_change_is_bound_to_nothing():
    world = World(now=1)
    world.push(None)
    review = world.review()
    world.see()
    assert world.bound(review) is None
    world.now = 2
    world.push(A, ids="move")
    world.see()
    assert world.bound(review) is None


def test_the_one_case_in_which_a_review_is_bound_to_a_text_it_was_not_given_to():
    world = World()
    world.see()
    world.now = 10
    review = world.review()
    world.push(B, ids="move")
    world.see()
    assert world.reviews[review].text == A
    assert world.bound(review) == B


def test_the_one_case_is_none_where_another_review_shows_that_github_moves_ids():
    world = World()
    other = world.review()
    world.see()
    world.now = 10
    review = world.review()
    world.push(B, ids="move")
    world.see()
    assert world.bound(other) == A
    assert world.bound(review) is None
    world.now = 20
    again = world.review()
    world.see()
    assert world.bound(again) == B


def test_where_github_moves_ids_a_text_that_came_back_in_another_commit_was_not_seen_before():
    world = World()
    world.review()
    world.see()
    world.now = 5
    world.push(B, ids="move")
    world.see()
    world.now = 6
    world.push(None, ids="move")
    review = world.review()
    world.push(B, ids="move")
    world.now = 7
    world.see()
    assert world.bound(review) is None


@pytest.mark.parametrize(("second", "text"), [(19, None), (20, None), (21, B)])
def test_where_github_moves_ids_the_head_must_have_been_seen_before_the_review(second, text):
    known = Known((Sighting(A, "a" * 40, 1, 4), Sighting(B, "b" * 40, 5, 20)), {1: A})
    look = Look(B, "b" * 40, 30, (Opinion(1, 2, B), Opinion(2, second, B)))
    assert observed(known, look).bindings == {1: A, 2: text}


@pytest.mark.parametrize(("before", "after"), [(A, B), (B, A), (B, B), (None, None)])
@pytest.mark.parametrize(("second", "text"), [(4, None), (5, None), (6, A)])
def test_either_side_of_a_forced_push_was_another_text_at_its_moment(before, after, second, text):
    look = Look(A, "a" * 40, 9, (Opinion(1, second, A),), (ForcedPush(5, before, after),))
    assert observed(Known(), look).bindings == {1: text}


def test_a_look_that_came_late_at_the_same_head_takes_no_moment_back():
    theirs = Known((Sighting(A, "a" * 40, 20, 25),))
    late = observed(theirs, Look(A, "a" * 40, 24, (Opinion(2, 23, A),)))
    assert late == Known((Sighting(A, "a" * 40, 20, 25),), {2: A})


def test_a_review_submitted_after_the_head_was_read_waits_for_the_next_pass():
    world = World(now=10)
    review = world.review()
    seen = observed(Known(), replace(world.look(), time=9))
    assert review not in seen.bindings
    assert observed(seen, replace(world.look(), time=10)).bindings == {review: A}


def test_a_look_that_is_older_than_somebody_elses_adds_nothing():
    theirs = Known((Sighting(B, "b" * 40, 20, 25),), {1: B})
    assert observed(theirs, Look(A, "a" * 40, 24, (Opinion(2, 23, A),))) is theirs


def test_the_last_moment_is_brought_forward_by_news_alone():
    world = World(now=10)
    world.see()
    world.now = 20
    world.see()
    assert world.known.sightings == (Sighting(A, world.head, 10, 10),)
    world.review()
    world.now = 30
    world.see()
    assert world.known.sightings == (Sighting(A, world.head, 10, 30),)


def test_a_flood_displaces_no_vote_that_is_there():
    world = World()
    first = world.review()
    world.see()
    flood = tuple(Opinion(id_, 0, A) for id_ in range(1, MOST_BINDINGS + 10))
    known = observed(world.known, replace(world.look(), opinions=flood))
    assert len(known.bindings) == MOST_BINDINGS
    assert known.bindings[first] == A
    assert observed(known, replace(world.look(), opinions=flood)) is known


def test_an_author_who_pushes_for_ever_does_not_make_the_file_grow_for_ever():
    world = World()
    for second in range(2 * MOST_SIGHTINGS):
        world.now = second
        world.push(A if second % 2 else B)
        world.see()
    assert len(world.known.sightings) == MOST_SIGHTINGS
    assert world.known.sightings[-1].last == world.now


# The file of one pull request.

SIGHTINGS = st.builds(
    lambda text, commit, first, more: Sighting(text, commit, first, first + more),
    st.none() | st.text(max_size=80),
    st.from_regex(r"[0-9a-f]{40}", fullmatch=True),
    st.integers(0, 4 * 10**9),
    st.integers(0, 10**6),
)
TESTIMONIES = st.builds(
    Known,
    st.lists(SIGHTINGS, max_size=5).map(tuple),
    st.dictionaries(st.integers(1, 10**12), st.none() | st.text(max_size=80), max_size=8),
)


@given(TESTIMONIES)
def test_what_is_written_is_read_again(testimony):
    assert read_testimony(write_testimony(testimony)) == testimony


def test_the_largest_testimony_is_not_too_large_to_be_read():
    longest = "transmute -" + "9" * 18 + " " + "a" * 40
    seen = tuple(Sighting(longest, "a" * 40, at, at) for at in range(MOST_SIGHTINGS))
    largest = Known(seen, {10**12 + at: longest for at in range(MOST_BINDINGS)})
    assert read_testimony(write_testimony(largest)) == largest


FOREIGN = [
    b"",
    b"null",
    b"[]",
    b"\xff\xfe",
    b"{}",
    b'{"reviews": {}}',
    b'{"reviews": {}, "sightings": [], "more": 1}',
    b'{"reviews": [], "sightings": []}',
    b'{"reviews": {"x": null}, "sightings": []}',
    b'{"reviews": {"1": 1}, "sightings": []}',
    b'{"reviews": {}, "sightings": {}}',
    b'{"reviews": {}, "sightings": 7}',
    b'{"reviews": {}, "sightings": [null]}',
    b'{"reviews": {}, "sightings": [{"commit": "x", "first": 1, "last": 1, "text": null}]}',
    b'{"reviews": {}, "sightings": [{"commit": "' + b"a" * 40 + b'", "first": true, "last": 1, "text": null}]}',
    b'{"reviews": {}, "sightings": [{"commit": "' + b"a" * 40 + b'", "first": 2, "last": 1, "text": null}]}',
    b'{"reviews": {}, "sightings": [{"commit": "' + b"a" * 40 + b'", "first": 1, "last": 1, "text": []}]}',
    b'{"reviews": {}, "sightings": [{"commit": "' + b"a" * 40 + b'", "first": NaN, "last": NaN, "text": null}]}',
    b"[" * 100_000,
    b'{"reviews": {"' + b"1" * 5000 + b'": null}, "sightings": []}',
    b'{"reviews": {}, "sightings": []}' + b" " * LARGEST_FILE,
]


@pytest.mark.parametrize("source", FOREIGN, ids=lambda source: repr(source[:60]))
def test_a_file_that_is_none_of_ours_is_refused(source):
    with pytest.raises(Unreadable):
        read_testimony(source)


@given(st.binary(max_size=200))
def test_no_bytes_stop_the_reader(source):
    with pytest.raises(Unreadable):
        read_testimony(source)


# The ref, in real repositories.


@dataclass
class Place:
    """A clone at which the referee runs, and a remote that it shares with others."""

    scene: Scene
    bare: Path

    @property
    def remote(self) -> Remote:
        return Remote(self.scene.clone, "origin")

    def witness(self) -> Witness:
        """The witness as a pass begins: fetched, with what is gone at the remote gone here."""
        git(self.scene.folder, "fetch", "-q", "--prune", "origin", refspec("origin"))
        return Witness.load(Remote(open_clone(self.scene.folder), "origin"))

    def game(self) -> GameBranch:
        clone = self.scene.clone
        return GameBranch(clone.repository, clone.trees, self.scene.tip)

    def text(self, head: str) -> str:
        """What a vote for a head that adds a rule belongs to."""
        entry = self.scene.clone.trees.entry(self.scene.clone.repository[head].tree_id.raw, "rules/mutable/new.md")
        assert entry is not None
        return f"enact - {entry.id.hex()}"

    def head(self, words: str = "Be kind.", on: str | None = None) -> str:
        return self.scene.commit({"rules/mutable/new.md": f"{words}\n".encode()}, on=on)

    def there(self) -> str:
        """What the remote has, empty where it has none."""
        return git(self.bare, "for-each-ref", "--format=%(objectname)", WITNESS).strip()

    def files(self) -> dict[str, str]:
        names = git(self.bare, "ls-tree", "--name-only", WITNESS).split()
        return {name: git(self.bare, "show", f"{WITNESS}:{name}") for name in names}


@pytest.fixture
def place(tmp_path: Path) -> Place:
    scene = game(tmp_path / "game")
    return Place(scene, shared(tmp_path, scene))


def approved(number: int, head: str | None, time: int = START) -> Review:
    return Review(number, BOB, APPROVED, time, head)


def test_what_one_pass_has_bound_the_next_one_knows_in_another_clone(place, tmp_path):
    head = place.head()
    first = place.witness()
    first.hear(place.game(), pull(head=head, reviews=(approved(1, head),)), "alice", START + 5)
    first.save(START + 5, NONE)

    other = Place(cloned(tmp_path, place.bare, "other", START), place.bare)
    known = other.witness()
    assert set(known.numbers) == {7}
    assert known.testimony(7).bindings == {1: place.text(head)}
    assert known.testimony(7).sightings == (Sighting(place.text(head), head, START + 5, START + 5),)


def test_the_ref_is_one_commit_of_the_referees_own_with_one_small_file_for_each_pull_request(place):
    head = place.head()
    witness = place.witness()
    for number in (7, 12):
        witness.hear(place.game(), pull(number=number, head=head, reviews=(approved(number, head),)), "alice", START)
    witness.save(START + 9, NONE)
    assert sorted(place.files()) == ["12.json", "7.json"]
    assert all(len(one) < 500 for one in place.files().values())
    who = git(place.bare, "log", "--format=%an <%ae> %at %cn <%ce> %ct", WITNESS).strip()
    assert who == f"{REFEREE[0]} <{REFEREE[1]}> {START + 9} {REFEREE[0]} <{REFEREE[1]}> {START + 9}"


def test_the_witness_is_seen_by_the_pass_that_wrote_it_without_fetching(place):
    head = place.head()
    witness = place.witness()
    witness.hear(place.game(), pull(head=head), "alice", START)
    witness.save(START, NONE)
    assert Witness.load(place.remote).testimony(7) == witness.testimony(7)
    assert place.scene.clone.repository.references[fetched("origin")].target == pygit2.Oid(hex=place.there())


def test_an_idle_game_sends_nothing(place):
    head = place.head()
    witness = place.witness()
    witness.hear(place.game(), pull(head=head, reviews=(approved(1, head),)), "alice", START)
    witness.save(START, NONE)
    was = place.there()
    later = place.witness()
    later.hear(place.game(), pull(head=head, reviews=(approved(1, head),)), "alice", START + 3600)
    later.save(START + 3600, NONE)
    assert place.there() == was
    assert later.remote.requests == 0


def test_a_game_without_pull_requests_begins_no_witness(place):
    witness = place.witness()
    witness.save(START, NONE)
    assert place.there() == ""
    assert witness.remote.requests == 0


def test_files_of_resolved_pull_requests_go_and_others_stay(place):
    head = place.head()
    witness = place.witness()
    for number in (7, 12):
        witness.hear(place.game(), pull(number=number, head=head), "alice", START)
    witness.save(START, NONE)
    place.witness().save(START + 5, Numbers(((7, 7),)))
    assert list(place.files()) == ["12.json"]
    place.witness().save(START + 6, Numbers(((7, 12),)))
    assert place.files() == {}
    assert git(place.bare, "rev-list", "--count", WITNESS).strip() == "3"


def test_a_witness_that_is_gone_at_the_remote_is_forgotten_here_and_begun_again(place):
    head = place.head()
    witness = place.witness()
    witness.hear(place.game(), pull(head=head), "alice", START)
    witness.save(START, NONE)
    git(place.bare, "update-ref", "-d", WITNESS)
    again = place.witness()
    assert not again.numbers
    again.hear(place.game(), pull(head=head), "alice", START + 1)
    again.save(START + 1, NONE)
    assert git(place.bare, "rev-list", "--count", WITNESS).strip() == "1"


def test_of_two_passes_at_once_the_second_keeps_what_the_first_has_bound(place, tmp_path):
    old, new = place.head("Be kind."), place.head("Be nicer.")
    other = Place(cloned(tmp_path, place.bare, "other", START), place.bare)
    git(other.scene.folder, "fetch", "-q", str(place.scene.folder), f"{old}", f"{new}")
    one, two = place.witness(), other.witness()
    # The first sees bob's review at the old head. The second looks later: GitHub has moved its id to the new one.
    one.hear(place.game(), pull(head=old, reviews=(approved(1, old),)), "alice", START + 5)
    reviews = (approved(1, new), Review(2, CAROL, APPROVED, START + 8, new))
    two.hear(other.game(), pull(head=new, reviews=reviews), "alice", START + 9)
    two.hear(other.game(), pull(number=12, head=new), "alice", START + 9)
    assert two.testimony(7).bindings[1] == place.text(new)
    one.save(START + 5, NONE)
    two.save(START + 9, NONE)
    assert two.testimony(7).bindings[1] == place.text(old)
    known = place.witness()
    assert known.testimony(7) == two.testimony(7)
    assert [sighting.text for sighting in known.testimony(7).sightings] == [place.text(old), place.text(new)]
    assert set(known.numbers) == {7, 12}
    assert git(place.bare, "rev-list", "--count", WITNESS).strip() == "2"


def test_where_somebody_is_always_first_the_pass_gives_up_and_says_so(place):
    head = place.head()
    hook = place.scene.folder / ".git" / "hooks" / "pre-push"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(
        "#!/bin/sh\n"
        f"tree=$(git rev-parse {head}^{{tree}})\n"
        'theirs=$(git -c user.name=x -c user.email=x@x commit-tree -m "$$" "$tree")\n'
        f'cd "{place.bare}" && unset GIT_DIR && git fetch -q "{place.scene.folder}" +$theirs:{WITNESS}\n'
    )
    hook.chmod(0o755)
    git(place.bare, "config", "uploadpack.allowAnySHA1InWant", "true")
    git(place.scene.folder, "config", "uploadpack.allowAnySHA1InWant", "true")
    witness = place.witness()
    witness.hear(place.game(), pull(head=head), "alice", START)
    with pytest.raises(Rejected, match="keeps moving"):
        witness.save(START, NONE)
    assert witness.testimony(7).sightings


def test_a_remote_that_refuses_is_told_with_the_permission_that_is_missing(place):
    hook = place.bare / "hooks" / "pre-receive"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\necho no such luck >&2\nexit 1\n")
    hook.chmod(0o755)
    witness = place.witness()
    witness.hear(place.game(), pull(head=place.head()), "alice", START)
    with pytest.raises(ForgeError, match="permission to push, contents: write"):
        witness.save(START, NONE)


def put(place: Place, files: dict[str, bytes | None]) -> None:
    """Have the remote's witness be what somebody else wrote."""
    repository, trees = place.scene.clone.repository, place.scene.clone.trees
    tree = graft(trees, None, files).write(repository)
    who = pygit2.Signature("mallory", "mallory@example.org", START, 0)
    commit = repository.create_commit(None, who, who, "x", tree, [])
    git(place.scene.folder, "push", "-q", "-f", "origin", f"{commit}:{WITNESS}")


def test_a_file_that_cannot_be_read_is_as_if_it_were_not_there_and_the_others_are_read(place):
    good = Known((Sighting(A, "a" * 40, 1, 2),), {1: A})
    put(
        place,
        {
            "7.json": b"what?",
            "8.json": write_testimony(good),
            "08.json": write_testimony(good),
            "9.json/x": write_testimony(good),
            "10.json": b" " * (LARGEST_FILE + 1),
            "README.md": b"Hello.\n",
        },
    )
    witness = place.witness()
    assert set(witness.numbers) == {8}
    assert witness.testimony(8) == good
    assert witness.testimony(7) == Known()
    witness.save(START, NONE)
    assert list(place.files()) == ["8.json"]


@pytest.mark.parametrize("what", ["blob", "tree"])
def test_a_ref_that_is_no_commit_is_as_if_it_were_not_there_and_the_remedy_is_told(place, what):
    repository = place.scene.clone.repository
    id_ = repository.create_blob(b"x") if what == "blob" else repository.TreeBuilder().write()
    git(place.scene.folder, "push", "-q", "origin", f"{id_}:{WITNESS}")
    witness = place.witness()
    assert not witness.numbers
    witness.hear(place.game(), pull(head=place.head()), "alice", START)
    with pytest.raises(Rejected, match=f"git push origin :{WITNESS}"):
        witness.save(START, NONE)


def test_a_commit_whose_tree_is_cut_short_is_as_if_it_were_not_there(place):
    repository = place.scene.clone.repository
    tree = repository.odb.write(pygit2.enums.ObjectType.TREE, b"100644 7.json\0short")
    raw = f"tree {tree}\nauthor x <x> 1 +0000\ncommitter x <x> 1 +0000\n\nx".encode()
    commit = repository.odb.write(pygit2.enums.ObjectType.COMMIT, raw)
    assert read_testimonies(place.scene.clone, commit) == {}
    assert read_testimonies(place.scene.clone, pygit2.Oid(hex="1" * 40)) == {}


@pytest.mark.parametrize("branch", ["nomic-witness", "nomic", "nomic/witness", "witness"])
def test_no_branch_of_the_remotes_comes_to_stand_where_the_witness_does(place, branch):
    git(place.scene.folder, "push", "-q", "origin", f"main:refs/heads/{branch}")
    witness = place.witness()
    witness.hear(place.game(), pull(head=place.head()), "alice", START)
    witness.save(START, NONE)
    git(place.scene.folder, "fetch", "-q", "--prune", "origin")
    assert set(place.witness().numbers) == {7}


# What is read of a pull request.


def forced(time: int, before: str | None, after: str | None):
    return turn(Turn.FORCE_PUSHED, time, before=before, after=after)


def heard(place: Place, seen: PullRequest, time: int = START + 100) -> dict[int, str | None]:
    return dict(place.witness().hear(place.game(), seen, "alice", time).bindings)


def test_votes_are_bound_and_comments_are_not(place):
    head = place.head()
    states = [APPROVED, CHANGES, COMMENTED, PENDING]
    reviews = tuple(Review(id_, BOB, state, START, head) for id_, state in enumerate(states, 1))
    assert heard(place, pull(head=head, reviews=reviews)) == {1: place.text(head), 2: place.text(head)}


def test_a_review_at_another_head_was_given_to_an_earlier_text_and_one_at_a_rebased_head_was_not(place):
    old, head = place.head("Be nice."), place.head()
    place.scene.clone.git("update-ref", place.scene.clone.branch, place.scene.commit({"README.md": b"x\n"}))
    rebased = place.head()
    assert rebased != head
    reviews = (approved(1, old), approved(2, head), approved(3, None))
    assert heard(place, pull(head=rebased, reviews=reviews)) == {1: None, 2: place.text(head), 3: None}


def test_both_sides_of_a_forced_push_are_read_from_the_clone(place):
    old, head = place.head("Be nice."), place.head()
    reviews = (approved(1, head, START + 1), approved(2, head, START + 10))
    bad = pull(head=head, reviews=reviews, timeline=(forced(START + 5, old, head),))
    lost = pull(head=head, reviews=reviews, timeline=(forced(START + 5, None, head),))
    away = pull(head=head, reviews=reviews, timeline=(forced(START + 5, "1" * 40, head),))
    same = pull(head=head, reviews=reviews, timeline=(forced(START + 5, head, head),))
    for one in (bad, lost, away):
        assert heard(place, one) == {1: None, 2: place.text(head)}
    assert heard(place, same) == {1: place.text(head), 2: place.text(head)}


def test_a_head_that_is_not_here_leaves_everything_as_it_was(place):
    head = place.head()
    witness = place.witness()
    witness.hear(place.game(), pull(head=head), "alice", START)
    known = witness.testimony(7)
    assert witness.hear(place.game(), pull(head="1" * 40, reviews=(approved(1, head),)), "alice", START + 5) == known


def test_a_pull_request_of_which_a_part_is_unread_leaves_everything_as_it_was(place):
    head = place.head()
    assert heard(place, pull(head=head, reviews=(approved(1, head),), unread=True)) == {}


def test_a_review_whose_commit_is_not_here_waits_until_it_is(place):
    head = place.head()
    witness = place.witness()
    witness.hear(place.game(), pull(head=head, reviews=(approved(1, "1" * 40),)), "alice", START)
    assert 1 not in witness.testimony(7).bindings
    witness.hear(place.game(), pull(head=head, reviews=(approved(1, head),)), "alice", START)
    assert witness.testimony(7).bindings == {1: place.text(head)}


def test_a_review_of_a_malformed_commit_was_given_to_an_earlier_text(place):
    head = place.head()
    repository = place.scene.clone.repository
    raw = f"tree {'1' * 40}\nparent {place.scene.tip}\nauthor x <x> 1 +0000\ncommitter x <x> 1 +0000\n\nx".encode()
    bad = str(repository.odb.write(pygit2.enums.ObjectType.COMMIT, raw))
    assert heard(place, pull(head=head, reviews=(approved(1, bad),))) == {1: None}


def test_the_commits_to_fetch_are_those_that_new_reviews_ask_about(place):
    head = place.head()
    reviews = (approved(1, "1" * 40, START + 5), approved(2, head, START + 6), approved(3, None, START + 7))
    sides = (
        turn(Turn.RETARGETED, START + 8, before="main", after="other"),
        forced(START + 1, "2" * 40, "3" * 40),
        forced(START + 5, "4" * 40, head),
        forced(START + 9, None, "5" * 40),
    )
    witness = place.witness()
    assert witness.wanted(pull(head=head, reviews=reviews, timeline=sides)) == ["1" * 40, "4" * 40, "5" * 40]
    assert witness.wanted(pull(head="6" * 40, timeline=sides)) == ["6" * 40]
    witness.hear(place.game(), pull(head=head, reviews=reviews[1:], timeline=sides), "alice", START + 20)
    assert witness.wanted(pull(head=head, reviews=reviews[1:], timeline=sides)) == []
