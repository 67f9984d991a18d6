"""Talk out of turn is pointed out in the comment, and debate is not (210, 111)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scene import game, rules

from nomic_git.forges.forge import Remark, Submission
from nomic_git.forges.log import Deed
from nomic_git.game.docket import docket
from nomic_git.game.proposal import Period
from nomic_git.referee.hearing import Hearing
from nomic_git.referee.talk import notes

if TYPE_CHECKING:
    from pathlib import Path

QUIET = (-120, b"---\nprovisions:\n  players.consulting: forbidden\n---\n\nNo plotting.\n")
SAYS = "talked of it before its turn. Only team-mates may consult each other about rule-changes"


def test_the_comment_names_who_talked_out_of_turn_and_blocks_nothing(tmp_path: Path) -> None:
    it = game(tmp_path, book=rules(QUIET))
    first, second = it.enact("alice", name="first"), it.enact("alice", name="second")
    for number in (first, second):
        it.do("bob", number, Deed.COMMENT, "I would word it so.")
    it.sit()
    assert SAYS not in it.said(first)
    assert f"- bob {SAYS}" in it.said(second)
    assert "(rule -120)" in it.said(second)
    assert it.sit().comments == 0
    it.vote(first, "for", "bob", "carol", "dave")
    it.sit()
    assert SAYS not in it.said(second), "its turn has come"
    it.vote(second, "for", "bob", "carol", "dave")
    it.sit()
    assert "was **adopted**" in it.said(second)


def test_a_command_is_no_talk(tmp_path: Path) -> None:
    it = game(tmp_path, book=rules(QUIET))
    number = [it.enact("alice", name=name) for name in ("first", "second")][1]
    position = it.position
    hearing = Hearing(it.clone, it.tip, it.forge.submissions(position.state.resolved))
    standings = docket(position, hearing.proposals(position), it.now)
    for words, told in (("/nomic tally\n\n/nomic help", 0), ("/nomic tally\n\nI like it.", 1), ("I like it.", 1)):
        heard = it.heard(number)
        said = Submission(number, "alice", heard.head, "", 1, (Period(1),), remarks=(Remark("bob", it.now, words),))
        assert len(notes(position, standings[1], standings, said)) == told
