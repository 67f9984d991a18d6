"""Facts about words that machines act upon, played on GitHub's pages: titles, bodies, comments and messages."""

from __future__ import annotations

import pygit2
import pytest
from github_game import NEW, OTHER, Game
from github_scene import RULE, git

from nomic_git.forges.forge import MARKER
from nomic_git.referee.comment import RESOLVED
from nomic_git.repository.audit import audit

HOSTILE = (
    "x\r---\n---\n::set-output name=a::b\n::error::no\n\n---\nReviewed-by: mallory\n\rNomic-\x01Event: adopted\n\0"
)


def test_a_title_and_a_message_that_machines_act_upon_are_in_no_event_and_no_comment(it: Game) -> None:
    """With NUL, CR, dashes, runner's commands and trailers: the record is made of numbers, kinds and logins."""
    store = it.github.repository.store.git
    made = it.github.objects({NEW: RULE}, "x")
    raw = store[made].read_raw().replace(b"\n\nx", b"\n\n" + HOSTILE.replace("\0", "").encode())
    odd = str(store.odb.write(pygit2.enums.ObjectType.COMMIT, raw))
    number = it.on("alice", odd, HOSTILE)
    it.referee()
    open_ = it.text(number)
    it.approve(number, "bob", "carol")
    it.referee()
    assert it.pull(number).merged
    clone = it.clone()
    message = git(clone.folder, "log", "-1", "--format=%B", "origin/main")
    assert message.startswith(f"Adopt proposal {number}: enact rule {number}\n\nNomic-Event: adopted\n")
    (clone.folder / ".git" / "words").write_text(message)
    parsed = git(clone.folder, "interpret-trailers", "--parse", "--no-divider", ".git/words")
    assert all(line.startswith("Nomic-") for line in parsed.splitlines())
    assert "mallory" not in message
    for text in (open_, it.text(number)):
        assert not any(line.startswith("::") or line == "---" for line in text.splitlines())
        assert not set(text) & set("\0\r\x01")
    assert audit(clone).irregular == ()


def test_a_branch_whose_message_has_a_nul_in_it_stops_no_other(it: Game) -> None:
    """Git warns of it, and an old one may refuse it: that proposal is read or is not, the others go on."""
    store = it.github.repository.store.git
    raw = store[it.github.objects({NEW: RULE}, "x")].read_raw().replace(b"\n\nx", b"\n\nx\0closes #1")
    odd = it.on("alice", str(store.odb.write(pygit2.enums.ObjectType.COMMIT, raw)))
    other = it.propose("bob", name="other")
    it.approve(other, "carol", "dave")
    it.referee()
    assert it.pull(other).merged
    assert it.stage(odd) in {"voting", "improper"}
    assert it.events() == ["founded", f"adopted {other}"]


@pytest.mark.parametrize(
    "words", ["Be kind, closes #1", "Fixes #1\r\n\r\nNomic-Event: adopted", "Be kind\n\n[skip ci]"]
)
def test_a_message_that_github_would_act_upon_makes_the_proposal_improper(it: Game, words: str) -> None:
    """It would be in the game branch with the head, and GitHub reads each commit there."""
    issue = it.github.open_issue(it.account("eve"))
    alice = it.account("alice")
    number = it.github.open_pull(alice, it.github.edit(alice, NEW, RULE, message=words), "Be kind")
    it.approve(number, "bob", "carol", "dave")
    it.referee()
    assert (it.stage(number), it.pull(number).state) == ("improper", "OPEN")
    assert "which a forge would act upon" in it.text(number)
    assert it.github.repository.issues[issue].open
    assert it.rests()


def test_a_title_that_closes_an_issue_closes_none(it: Game) -> None:
    issue = it.github.open_issue(it.account("eve"))
    alice = it.account("alice")
    branch = it.github.edit(alice, NEW, RULE)
    number = it.github.open_pull(alice, branch, f"closes #{issue}\nand fixes #{issue}, @bob [skip ci]")
    it.approve(number, "bob", "carol")
    it.referee()
    assert it.pull(number).merged
    assert it.github.repository.issues[issue].open
    message = it.github.repository.store.git[it.github.tip()].message
    assert not any(one in message for one in ("closes", "#", "@bob", "[skip ci]"))


def test_a_body_with_the_referees_own_marker_is_not_its_comment(it: Game) -> None:
    alice = it.account("alice")
    body = f"{MARKER}\n### Proposal 1\n\nIt was **adopted**.\n\n{RESOLVED}\n/nomic against\n"
    number = it.github.open_pull(alice, it.github.edit(alice, NEW, RULE), "Rhyme", body)
    it.referee()
    assert it.pull(number).body == body
    assert it.votes(number) == ("alice", "nobody", "bob, carol, dave")
    assert it.rests()


@pytest.mark.parametrize("login", ["bob", "helper[bot]"])
def test_a_comment_with_the_marker_by_somebody_else_is_left_as_it_is(it: Game, login: str) -> None:
    """Somebody else's comment was taken for the bot's elsewhere: marker and author are both matched."""
    number = it.propose("alice")
    forged = it.github.comment(it.account(login), number, f"{MARKER}\nIt was **adopted**.\n\n{RESOLVED}\n")
    it.referee()
    ours = [one for one in it.pull(number).comments if one.author is it.github.actions]
    assert len(ours) == 1
    assert "being voted on" in ours[0].body
    it.approve(number, "bob", "carol")
    it.referee()
    assert it.pull(number).comments == [forged, *ours]
    assert forged.body == f"{MARKER}\nIt was **adopted**.\n\n{RESOLVED}\n"
    assert "It was **adopted**" in ours[0].body
    assert it.rests()


def test_a_comment_of_65536_characters_is_read_to_its_end(it: Game) -> None:
    number = it.propose("alice")
    command = "\n/nomic against"
    it.github.comment(it.account("alice"), number, "x" * (65_536 - len(command)) + command)
    it.github.comment(it.account("bob"), number, "/nomic " + "y" * (65_536 - 7))
    it.referee()
    assert it.votes(number) == ("nobody", "alice", "bob, carol, dave")
    assert len(it.text(number)) < 5_000
    assert it.rests()


def test_the_referees_own_comment_on_a_very_long_rule_is_no_longer_than_github_holds(it: Game) -> None:
    number = it.propose("alice", "`" * 40 + "\n" + "All rules rhyme.\n" * 10_000)
    it.referee()
    assert len(it.text(number)) <= 65_536
    assert it.votes(number) == ("alice", "nobody", "bob, carol, dave")
    it.approve(number, "bob", "carol")
    it.referee()
    assert it.pull(number).merged
    assert RESOLVED in it.text(number)
    assert it.rests()


def test_words_that_do_not_show_are_made_visible_in_the_difference(it: Game) -> None:
    number = it.propose("alice", "Be kind\N{RIGHT-TO-LEFT OVERRIDE} to\N{ZERO WIDTH SPACE} all.\n")
    it.referee()
    assert not set(it.text(number)) & set("\N{RIGHT-TO-LEFT OVERRIDE}\N{ZERO WIDTH SPACE}")


@pytest.mark.parametrize("approved", [True, False])
def test_the_referees_marks_in_a_rules_words_end_no_comment(it: Game, approved: bool) -> None:
    earlier = it.propose("bob", OTHER, name="earlier")
    number = it.propose("alice", f"{RULE}\n{RESOLVED}\n")
    it.referee()
    assert RESOLVED not in it.text(number)
    it.approve(earlier, "carol", "dave")
    (it.approve if approved else it.refuse)(number, "bob", "carol", "dave")
    it.referee()
    assert it.stage(earlier) == "adopted"
    assert it.stage(number) == ("adopted" if approved else "defeated")
    assert it.text(earlier).rstrip().endswith(RESOLVED)
    assert it.text(number).rstrip().endswith(RESOLVED)
    assert it.rests()
