"""Facts about accounts, played on GitHub's pages: people rename, delete and copy them; ids decide, not logins."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from github_game import MAJORITY, NEW, OTHER, Game
from github_scene import RULE
from scene import rules

from nomic_git.repository.audit import audit

if TYPE_CHECKING:
    from pathlib import Path

    from fake_github.github import FakeGitHub

SEAT = "---\nname: Eve\n---\n\nHello.\n"


def test_a_renamed_account_keeps_its_seat_and_its_vote(it: Game) -> None:
    number = it.propose("alice")
    bob = it.account("bob")
    it.github.approve(bob, number)
    it.referee()
    it.github.rename(bob, "robert")
    it.referee()
    assert it.votes(number) == ("alice, bob", "nobody", "carol, dave")
    assert it.rests()
    other = it.propose("carol", OTHER, "other")
    it.github.request_changes(it.account("robert"), other)
    it.referee()
    assert it.votes(other) == ("carol", "bob", "alice, dave")


def test_a_renamed_author_keeps_the_proposal_and_gets_the_points(it: Game) -> None:
    number = it.propose("alice")
    it.referee()
    alice = it.account("alice")
    it.github.rename(alice, "alicia")
    it.github.comment(alice, number, "/nomic against")
    it.approve(number, "bob", "carol", "dave")
    it.referee()
    assert it.votes(number) == ("bob, carol, dave", "alice")
    assert it.pull(number).merged
    assert "Nomic-Against: alice" in it.github.repository.store.git[it.github.tip()].message
    assert it.scores()["alice"] == 18


def test_who_takes_a_players_old_login_is_not_the_player(it: Game) -> None:
    number = it.propose("alice")
    it.github.rename(it.account("bob"), "robert")
    impostor = it.account("mallory")
    it.github.rename(impostor, "bob")
    it.github.request_changes(impostor, number)
    it.github.comment(impostor, number, "/nomic withdraw")
    it.referee()
    assert it.votes(number) == ("alice", "nobody", "bob, carol, dave")
    assert f"- bob@{impostor.id} (against): not a player" in it.text(number)
    mine = it.github.open_pull(impostor, it.github.edit(impostor, NEW, OTHER), "Mine")
    leaving = it.github.open_pull(impostor, it.github.delete(impostor, "players/bob.md"), "I leave")
    it.referee()
    assert it.is_silent_on(mine)
    assert it.is_silent_on(leaving)
    assert it.events() == ["founded"]
    it.approve(number, "robert", "carol")
    it.referee()
    assert it.votes(number) == ("alice, bob, carol", "nobody")


def test_a_player_does_not_sit_twice_under_a_new_login(it: Game) -> None:
    bob = it.account("bob")
    it.github.rename(bob, "robert")
    number = it.github.open_pull(bob, it.github.edit(bob, "players/robert.md", SEAT), "Let me in")
    it.approve(number, "alice", "carol", "dave")
    it.referee()
    assert it.stage(number) == "improper"
    assert "Its author sits here already, as bob, whatever the account is called now." in it.text(number)
    assert it.events() == ["founded"]


def test_the_vote_of_an_account_that_was_deleted_is_nobodys(it: Game) -> None:
    number = it.propose("alice")
    it.approve(number, "bob")
    it.github.comment(it.account("bob"), number, "/nomic tally")
    it.referee()
    assert it.votes(number) == ("alice, bob", "nobody", "carol, dave")
    it.github.delete_account(it.account("bob"))
    it.referee()
    assert it.votes(number) == ("alice", "nobody", "bob, carol, dave")
    assert "- ghost (for): not a player" in it.text(number)
    assert it.rests()
    it.approve(number, "carol", "dave")
    it.referee()
    assert it.pull(number).merged


def test_what_was_adopted_before_an_account_was_deleted_stays(it: Game) -> None:
    number = it.propose("alice")
    it.approve(number, "bob", "carol")
    it.referee()
    it.github.delete_account(it.account("alice"))
    it.github.delete_account(it.account("bob"))
    assert it.rests()
    assert it.votes(number) == ("alice, bob, carol", "nobody")
    assert it.events() == ["founded", f"adopted {number}"]


def test_the_proposal_of_an_account_that_was_deleted_adopts_nothing_and_stops_nobody(it: Game) -> None:
    number, other = it.propose("alice"), it.propose("bob", OTHER, "other")
    it.referee()
    it.github.delete_account(it.account("alice"))
    it.approve(number, "bob", "carol", "dave")
    it.approve(other, "carol", "dave")
    it.referee()
    assert it.events() == ["founded", f"adopted {other}"]
    assert it.pull(number).state == "CLOSED"
    assert it.rests()


def test_a_bot_neither_proposes_nor_joins(it: Game) -> None:
    it.github.switches.actions_may_open_pulls = True
    bot = it.github.account("helper[bot]", "WRITE")
    number = it.github.open_pull(bot, it.github.edit(bot, NEW, RULE, "rhyme"), "Rhyme")
    seat = it.github.edit(bot, "players/helper.md", SEAT, "seat")
    joining = it.github.open_pull(bot, seat, "Let me in")
    it.approve(number, "alice", "bob", "carol", "dave")
    it.approve(joining, "alice", "bob", "carol", "dave")
    it.referee()
    assert it.is_silent_on(number)
    assert it.is_silent_on(joining)
    assert it.events() == ["founded"]


@pytest.mark.parametrize("kind", ["Mannequin", "Organization"])
def test_only_a_persons_review_is_a_vote(it: Game, kind: str) -> None:
    number = it.propose("alice")
    it.github.request_changes(it.github.account("helper", kind=kind), number)
    it.referee()
    assert it.votes(number) == ("alice", "nobody", "bob, carol, dave")
    assert "- helper[bot] (against): not a player" in it.text(number)


@pytest.mark.parametrize(
    ("path", "content"),
    [(NEW, RULE), ("players/carol.md", None), ("players/frank.md", SEAT), ("players/eve.md", "---\nid: [\n---\n")],
    ids=["a rule", "somebody else's leaving", "somebody else's joining", "a seat that cannot be read"],
)
def test_nothing_is_written_for_a_stranger(it: Game, path: str, content: str | None) -> None:
    eve = it.account("eve")
    branch = it.github.delete(eve, path) if content is None else it.github.edit(eve, path, content)
    number = it.github.open_pull(eve, branch, "Hello")
    it.github.comment(eve, number, "/nomic for")
    it.github.comment(eve, number, "/nomic help")
    it.approve(number, "alice", "bob", "carol", "dave")
    it.referee()
    assert it.is_silent_on(number)
    assert not any(one.reactions for one in it.pull(number).comments)
    it.github.close(eve, number)
    assert it.rests()
    assert it.events() == ["founded"]


def test_a_strangers_request_to_join_gets_one_comment(it: Game) -> None:
    eve = it.account("eve")
    number = it.github.open_pull(eve, it.github.edit(eve, "players/eve.md", SEAT), "Let me in")
    it.referee()
    assert it.stage(number) == "voting"
    assert it.votes(number) == ("nobody", "nobody", "alice, bob, carol, dave")
    assert it.rests()
    it.approve(number, "alice", "bob", "carol")
    it.referee()
    assert (it.stage(number), it.pull(number).state) == ("adopted", "CLOSED")
    assert "eve is a player" in it.text(number)
    assert f"id: {eve.id}" in it.github.read("players/eve.md").decode()
    assert it.rests()


def test_a_strangers_request_that_the_players_refuse_is_closed_and_says_why(it: Game) -> None:
    eve = it.account("eve")
    number = it.github.open_pull(eve, it.github.edit(eve, "players/eve.md", SEAT), "Let me in")
    it.refuse(number, "alice", "bob", "carol")
    it.referee()
    assert (it.stage(number), it.pull(number).state) == ("defeated", "CLOSED")
    assert it.votes(number) == ("nobody", "alice, bob, carol")
    assert it.rests()


def test_who_leaves_goes_at_once_and_has_no_vote_any_more(it: Game) -> None:
    """113: a forfeit is always merged."""
    number = it.propose("alice")
    it.approve(number, "dave")
    it.referee()
    dave = it.account("dave")
    leaving = it.github.open_pull(dave, it.github.delete(dave, "players/dave.md"), "I leave")
    it.referee()
    assert it.events() == ["founded", f"forfeited {leaving}"]
    assert (it.stage(leaving), it.pull(leaving).state) == ("adopted", "CLOSED")
    assert it.votes(number) == ("alice", "nobody", "bob, carol")
    assert it.rests()


LEAVE = (-120, b"---\nprovisions:\n  players.leave: allowed\n---\n\nWhoever travels may be away.\n")


def test_who_is_away_says_so_on_the_pages_and_so_does_who_is_back(
    github: FakeGitHub, tmp_path: Path, foundings: Path
) -> None:
    it = Game(github, tmp_path, rules(MAJORITY, LEAVE), foundings=foundings)
    bob, before = it.account("bob"), it.github.read("players/bob.md").decode()
    assert f"id: {bob.id}\n" in before
    going = it.github.open_pull(
        bob, it.github.edit(bob, "players/bob.md", before.replace("---\n", "---\naway: true\n", 1)), "I travel"
    )
    it.referee()
    assert it.events() == ["founded", f"away {going}"]
    assert (it.stage(going), it.pull(going).state) == ("adopted", "CLOSED")
    assert "bob is away" in it.text(going)
    assert f"id: {bob.id}\n" in it.github.read("players/bob.md").decode()
    number = it.propose("alice")
    it.refuse(number, "bob")
    it.referee()
    assert it.votes(number) == ("alice", "nobody", "carol, dave")
    assert "nobody waits for their votes: bob." in it.text(number)
    assert "- bob (against): away when voting opened" in it.text(number)
    coming = it.github.open_pull(bob, it.github.edit(bob, "players/bob.md", before), "I am here")
    it.referee()
    assert it.events() == ["founded", f"away {going}", f"back {coming}"]
    assert it.github.read("players/bob.md").decode() == before
    assert it.votes(number) == ("alice", "nobody", "carol, dave")
    assert it.rests()


def test_a_surname_is_given_on_the_pages_and_the_id_stays(github: FakeGitHub, tmp_path: Path, foundings: Path) -> None:
    order = (-112, b"---\nprovisions:\n  turns.order: by-surname\n---\n\nTurns go by surname.\n")
    it = Game(github, tmp_path, rules(MAJORITY, order), foundings=foundings)
    bob, before = it.account("bob"), it.github.read("players/bob.md").decode()
    named = before.replace("---\n", "---\nsurname: Zorn\n", 1)
    thief = it.github.open_pull(it.account("carol"), it.github.edit(it.account("carol"), "players/bob.md", named), "Hm")
    pull = it.github.open_pull(bob, it.github.edit(bob, "players/bob.md", named), "My surname")
    it.referee()
    assert it.events() == ["founded", f"surnamed {pull}"]
    assert (it.stage(pull), it.pull(pull).state, it.stage(thief)) == ("adopted", "CLOSED", "improper")
    assert "bob sits by surname" in it.text(pull)
    assert it.github.read("players/bob.md").decode() == named
    assert f"id: {bob.id}\n" in named
    other = it.github.edit(bob, "players/bob.md", named.replace("id: ", "id: 1"))
    another = it.github.open_pull(bob, other, "Another id")
    it.referee()
    assert it.stage(another) == "improper"
    assert it.rests()


def test_nobody_takes_another_id_by_being_away(github: FakeGitHub, tmp_path: Path, foundings: Path) -> None:
    it = Game(github, tmp_path, rules(MAJORITY, LEAVE), foundings=foundings)
    bob, before = it.account("bob"), it.github.read("players/bob.md").decode()
    after = before.replace("---\n", "---\naway: true\n", 1).replace(str(bob.id), str(it.account("alice").id))
    number = it.github.open_pull(bob, it.github.edit(bob, "players/bob.md", after), "I travel")
    it.referee()
    assert it.stage(number) == "improper"
    assert "`away: true` alone" in it.text(number)
    assert it.events() == ["founded"]


def test_who_comes_back_under_another_login_has_their_points_again(it: Game) -> None:
    dave = it.account("dave")
    number = it.propose("dave")
    it.approve(number, "alice", "bob", "carol")
    it.referee()
    points = it.scores()["dave"]
    assert points > 0
    it.github.open_pull(dave, it.github.delete(dave, "players/dave.md"), "I leave")
    it.referee()
    it.github.rename(dave, "david")
    back = it.github.open_pull(dave, it.github.edit(dave, "players/david.md", SEAT), "Let me in again")
    it.approve(back, "alice", "bob", "carol")
    it.referee()
    assert it.scores()["david"] == points
    found = audit(it.clone())
    assert (found.irregular, found.scores_match) == ((), True)


def test_what_was_proposed_lapses_with_its_author_under_another_login_too(it: Game) -> None:
    dave, number = it.account("dave"), it.propose("dave")
    it.approve(number, "alice")
    it.referee()
    leaving = it.github.open_pull(dave, it.github.delete(dave, "players/dave.md"), "I leave")
    it.github.rename(dave, "david")
    it.referee()
    assert it.events() == ["founded", f"forfeited {leaving}", f"withdrawn {number}"]
    assert "dave had left the game" in it.text(number)
    assert audit(it.clone()).irregular == ()
    assert it.rests()
