"""What went wrong for others, or was tried on them, in front of the whole referee (design section 3)."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import pygit2
import pytest
from scene import Scene, game, git, rules

from nomic_git.forges.forge import Submission
from nomic_git.forges.local import LocalForge
from nomic_git.game.docket import Hindrance
from nomic_git.game.numbers import Numbers
from nomic_git.game.proposal import Period, Stage
from nomic_git.law.rule_change import Impropriety
from nomic_git.referee.sitting import Report
from nomic_git.repository.audit import audit

MAJORITY = (
    -110,
    b"---\nprovisions:\n  adoption.threshold: simple-majority\n  votes.closing: decided\n---\n\nMost decide.\n",
)
POINTS = "rules/mutable/-105.md"
NEW = "rules/mutable/new.md"
WORKFLOW = ".github/workflows/referee.yml"


@pytest.fixture
def it(tmp_path: Path) -> Scene:
    return game(tmp_path / "game", book=rules(MAJORITY))


def told(report: Report) -> list[str]:
    return [f"{one.event.kind} {one.event.proposal}" for one in report.done]


def why(report: Report) -> list[tuple[int, Stage, str]]:
    return [(one.proposal.forge, one.stage, reason.what) for one in report.standings for reason in one.reasons]


def carry(it: Scene, number: int) -> None:
    """Give a proposal every vote that it needs."""
    author = it.heard(number).author
    it.vote(number, "for", *[login for login in ("alice", "bob", "carol") if login != author])


def by_hand(it: Scene, files: dict[str, bytes | None], *more: str) -> str:
    """A commit on the game branch by somebody with the right to push."""
    head = it.commit(files, more=more, message="By hand")
    git(it.folder, "update-ref", it.clone.branch, head)
    git(it.folder, "reset", "-q", "--hard")
    return head


def test_two_proposals_that_add_the_same_file_are_two_rules(it: Scene) -> None:
    """To Git they are no conflict if they say the same; each is adopted by its own votes and under its own number."""
    one, two = it.enact("alice", "Be kind."), it.enact("bob", "Be kind.")
    carry(it, one)
    assert told(it.sit()) == [f"adopted {one}"]
    assert [standing.stage for standing in it.sit().standings] == [Stage.VOTING]
    carry(it, two)
    assert told(it.sit()) == [f"adopted {two}"]
    assert it.file(f"rules/mutable/{one}.md") == it.file(f"rules/mutable/{two}.md") == b"Be kind.\n"
    assert it.clone.trees.file(it.clone.tip.tree_id.raw, NEW) is None
    assert audit(it.clone).irregular == ()


def test_of_two_with_the_same_head_only_the_first_is_adopted(it: Scene) -> None:
    head = it.commit({NEW: b"Be kind.\n"})
    one, two = it.propose("alice", head), it.propose("bob", head)
    carry(it, two)
    assert why(it.sit()) == [(two, Stage.IMPROPER, Impropriety.ANOTHER_PROPOSAL_INSIDE)]
    carry(it, one)
    assert told(it.sit()) == [f"adopted {one}"]
    assert why(it.sit()) == [(two, Stage.IMPROPER, Impropriety.MERGED_UNADOPTED)]
    assert audit(it.clone).irregular == ()


def test_a_proposal_does_not_bring_in_another_that_it_contains(it: Scene) -> None:
    other = it.enact("bob", "Everybody pays bob.", name="other")
    head = it.commit({"rules/mutable/other.md": None, NEW: b"Be kind.\n"}, on=it.forge.head(other))
    number = it.propose("alice", head)
    carry(it, number)
    report = it.sit()
    assert (told(report), why(report)) == ([], [(number, Stage.IMPROPER, Impropriety.ANOTHER_PROPOSAL_INSIDE)])


def test_a_branch_that_crosses_the_games_twice_is_not_adopted(it: Scene) -> None:
    root = it.tip
    aside = it.commit({"docs/a": b"1"}, on=root)
    below = by_hand(it, {"docs/b": b"1"})
    head = it.commit({NEW: b"Be kind.\n", "docs/b": b"1"}, on=aside, more=(below,))
    by_hand(it, {"docs/a": b"1"}, aside)
    number = it.propose("alice", head)
    carry(it, number)
    report = it.sit()
    assert told(report) == []
    assert (number, Stage.IMPROPER, Impropriety.SEVERAL_MERGE_BASES) in why(report)


def test_a_branch_from_a_commit_that_was_taken_back_does_not_bring_its_law_back(it: Scene) -> None:
    lawful = it.file(POINTS)
    low = lawful.replace(b"200", b"5")
    mistaken = by_hand(it, {POINTS: low})
    by_hand(it, {POINTS: lawful})
    amends = it.propose("alice", it.commit({POINTS: low + b"\nThat is all.\n"}, on=mistaken, who="alice"))
    enacts = it.propose("bob", it.commit({NEW: b"Be kind.\n"}, on=mistaken, who="bob"))
    carry(it, amends)
    carry(it, enacts)
    report = it.sit()
    assert told(report) == [f"adopted {enacts}"]
    assert why(report) == [(amends, Stage.BLOCKED, Hindrance.RULE_CHANGED)]
    assert it.file(POINTS) == lawful
    assert it.file(f"rules/mutable/{enacts}.md") == b"Be kind.\n"


@pytest.mark.parametrize(
    ("path", "source", "reason"),
    [
        ("docs/film", lambda: os.urandom(20 * 1024 * 1024), Impropriety.TOO_LARGE),
        (WORKFLOW, lambda: b"on: push\n", Impropriety.TOUCHES_WORKFLOWS),
    ],
    ids=["20 MB", "a workflow"],
)
def test_what_a_later_commit_hides_from_the_difference_is_seen(
    it: Scene, path: str, source: Callable[[], bytes], reason: Impropriety
) -> None:
    before = it.tip
    hiding = it.commit({NEW: b"Be kind.\n", path: source()})
    number = it.propose("alice", it.commit({path: None}, on=hiding))
    carry(it, number)
    report = it.sit()
    assert (told(report), why(report)) == ([], [(number, Stage.IMPROPER, reason)])
    assert it.tip == before
    assert "Begin afresh from the tip of the game branch, with one commit" in it.said(number)


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("rules/mutable/\N{FULLWIDTH HYPHEN-MINUS}105.md", Impropriety.SAME_NAME),
        ("rules/mutable/-10\N{FULLWIDTH DIGIT FIVE}.md", Impropriety.SAME_NAME),
        ("rules/mutable/-105.MD", Impropriety.SAME_NAME),
        ("rules/Mutable/-105.md", Impropriety.SAME_NAME),
        ("Rules/mutable/-105.md", Impropriety.SAME_NAME),
        ("RULES/mutable/new.md", Impropriety.WRONG_PLACE),
        ("\N{FULLWIDTH LATIN SMALL LETTER R}ules/mutable/new.md", Impropriety.WRONG_PLACE),
        ("Players/alice.md", Impropriety.SEAT_OF_ANOTHER),
    ],
)
def test_a_file_that_a_file_system_takes_for_another_is_not_added(it: Scene, path: str, reason: Impropriety) -> None:
    number = it.propose("alice", {path: b"Be kind.\n"})
    carry(it, number)
    report = it.sit()
    assert told(report) == []
    assert (number, Stage.IMPROPER, reason) in why(report)


@pytest.mark.parametrize("name", ["Alice", "\N{FULLWIDTH LATIN SMALL LETTER A}lice", "bo\N{COMBINING ACUTE ACCENT}b"])
def test_nobody_sits_under_a_login_that_only_looks_different(it: Scene, name: str) -> None:
    number = it.propose("erin", {f"players/{name}.md": b"Hello.\n"})
    assert why(it.sit()) == [(number, Stage.IMPROPER, Impropriety.SEAT_OF_ANOTHER)]


HOSTILE = "x\r---\n---\n::set-output name=a::b\n::error::no\n\n---\nReviewed-by: mallory\n\rNomic-\x01Event: adopted\n"


def test_a_title_and_a_message_that_a_machine_would_act_on_are_in_no_event(it: Scene) -> None:
    head = it.commit({NEW: b"Be kind.\n"}, message="x")
    raw = it.clone.repository[head].read_raw().replace(b"\n\nx", b"\n\n" + HOSTILE.encode() + b"\0closes #1")
    odd = str(it.clone.repository.odb.write(pygit2.enums.ObjectType.COMMIT, raw))
    number = it.forge.propose("alice", odd, HOSTILE, it.tick(), draft=False)
    carry(it, number)
    report = it.sit()
    assert told(report) == [f"adopted {number}"]
    message = git(it.folder, "log", "-1", "--format=%B")
    assert message.startswith(f"Adopt proposal {number}: enact rule {number}\n\nNomic-Event: adopted\n")
    (it.folder / ".git" / "words").write_text(message)
    parsed = git(it.folder, "interpret-trailers", "--parse", "--no-divider", ".git/words")
    assert all(line.startswith("Nomic-") for line in parsed.splitlines())
    assert "::" not in message
    comment = it.said(number)
    assert not any(line.startswith("::") or line == "---" for line in comment.splitlines())
    assert comment.isprintable() or not set(comment) & set("\0\r\x01")
    assert audit(it.clone).irregular == ()


def test_what_looks_like_the_referees_record_in_a_message_is_improper(it: Scene) -> None:
    head = it.commit({NEW: b"Be kind.\n"}, message="Be kind\r\n\r\nNomic-Event: adopted\r\nNomic-Points: alice +99\r\n")
    number = it.propose("alice", head)
    carry(it, number)
    assert why(it.sit()) == [(number, Stage.IMPROPER, Impropriety.MESSAGE_ACTS)]


@dataclass
class Pointed(LocalForge):
    """The local forge, on which proposals may have been pointed at another branch for a while."""

    periods: dict[int, tuple[Period, ...]] = field(default_factory=dict)

    def submissions(self, resolved: Numbers) -> Sequence[Submission]:
        found = LocalForge.submissions(self, resolved)
        return [replace(one, ready=self.periods.get(one.number, one.ready)) for one in found]


def test_votes_gathered_while_it_was_pointed_elsewhere_do_not_resolve_it(it: Scene) -> None:
    it.forge = Pointed(it.clone)
    number = it.enact("alice")
    it.forge.periods[number] = ()
    carry(it, number)
    assert [one.stage for one in it.sit().standings] == [Stage.DEBATE]
    back = it.tick()
    it.forge.periods[number] = (Period(back),)
    report = it.sit()
    assert told(report) == [f"adopted {number}"]
    # They count from the moment at which voting opened, and by the law then.
    assert (report.done[0].event.opened, report.done[0].event.time) == (back, back)


def test_who_points_it_elsewhere_after_others_have_voted_gives_it_up(it: Scene) -> None:
    it.forge = Pointed(it.clone)
    number = it.enact("alice")
    since = it.now
    it.vote(number, "against", "bob")
    it.forge.periods[number] = (Period(since, it.tick()), Period(it.tick()))
    it.vote(number, "for", "carol", "dave")
    assert told(it.sit()) == [f"defeated {number}"]
