"""What the comment says of how a vote will end: true for every count, and never of more voters than there are."""

from __future__ import annotations

import re

import pytest

from nomic_git.game.poll import Result
from nomic_git.game.tally import Count, judge, required_for, settled
from nomic_git.law.kinds import ChangeKind
from nomic_git.law.precedence import read_law
from nomic_git.law.provisions import VOTES_CLOSING
from nomic_git.law.rule import Status, read_rule
from nomic_git.law.rulebook import rulebook
from nomic_git.referee.comment import endings

THRESHOLDS = ["unanimous", "simple-majority", "1/2", "2/3", '"votes_for > votes_against"', '"1 / (votes_for - 1)"']


def said(threshold: str, yes: int, no: int, of: int, closing: str = "decided") -> list[str]:
    """The sentences without what they rest on."""
    source = f"---\nprovisions:\n  adoption.threshold: {threshold}\n  votes.closing: {closing}\n---\n\nVote.\n"
    law = read_law(rulebook([read_rule(-101, Status.MUTABLE, source.encode())]))
    voters = tuple(f"p{number}" for number in range(1, of + 1))
    votes = Count(voters, voters[:yes], voters[yes : yes + no], 1)
    names = {"proposal": 1, "players": of, "turn": 1, "circuit": 1}
    cast = {"votes_for": yes, "votes_against": no, "votes_cast": yes + no, "eligible": of}
    required = required_for(law, ChangeKind.ENACT, Status.MUTABLE)
    outcome = settled(required, law.value(VOTES_CLOSING), votes, names | cast)
    result = Result(votes, required, judge(required, votes, names | cast), outcome, None)
    return [one.removesuffix(" (rule -101).") for one in endings(law, result, names)]


@pytest.mark.parametrize(
    ("threshold", "yes", "no", "of", "sentences"),
    [
        (
            "simple-majority",
            0,
            1,
            2,
            ["p2 is the last to vote; as the other votes stand, it is defeated whatever that vote is"],
        ),
        ("simple-majority", 1, 0, 2, ["p2 is the last to vote, and that vote decides"]),
        ("unanimous", 3, 0, 4, ["p4 is the last to vote, and that vote decides"]),
        (
            "simple-majority",
            2,
            1,
            5,
            [
                "It is adopted at once with 1 more for, and defeated with 2 more against",
                "The vote ends when everybody has voted; 2 still to vote",
            ],
        ),
        (
            "simple-majority",
            0,
            2,
            4,
            [
                "As the votes stand it cannot be adopted any more, and it is defeated at once with 1 more against",
                "The vote ends when everybody has voted; 2 still to vote",
            ],
        ),
        (
            "unanimous",
            1,
            0,
            4,
            [
                "One vote against ends it at once, in defeat",
                "The vote ends when everybody has voted; 3 still to vote",
            ],
        ),
        ('"1 / (votes_for - 1)"', 1, 0, 4, ["The vote ends when everybody has voted; 3 still to vote"]),
        ("simple-majority", 3, 0, 5, []),
    ],
)
def test_the_sentences_on_how_a_vote_will_end(threshold: str, yes: int, no: int, of: int, sentences: list[str]) -> None:
    assert said(threshold, yes, no, of) == sentences


@pytest.mark.parametrize("threshold", ["unanimous", "simple-majority"])
def test_where_all_are_to_vote_whatever_is_decided_the_last_one_may_change_nothing(threshold: str) -> None:
    assert said(threshold, 0, 2, 4, "all-voted") == ["The vote ends when everybody has voted; 2 still to vote"]
    assert said(threshold, 1, 2, 4, "all-voted") == [
        "p4 is the last to vote; as the other votes stand, it is defeated whatever that vote is"
    ]
    assert said("simple-majority", 3, 0, 4, "all-voted") == [
        "p4 is the last to vote; as the other votes stand, it is adopted whatever that vote is"
    ]


@pytest.mark.parametrize("threshold", THRESHOLDS)
def test_no_sentence_asks_for_more_votes_than_are_still_to_come(threshold: str) -> None:
    for of in range(1, 8):
        for yes in range(of + 1):
            for no in range(of - yes + 1):
                for closing in ("decided", "all-voted"):
                    text = " ".join(said(threshold, yes, no, of, closing))
                    asked = [int(one) for one in re.findall(r"with (\d+) more", text)]
                    assert all(1 <= one <= of - yes - no for one in asked), (yes, no, of, closing)
