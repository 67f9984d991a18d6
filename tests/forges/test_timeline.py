"""When a pull request was put to the vote: by its author alone, whatever an owner of the repository does."""

from __future__ import annotations

import pytest
from pulls import ALICE, BOB, OWNER, REFEREE, pull, seats, turn

from nomic_git.forges.pull_request import Happening, PullRequest, Turn
from nomic_git.forges.timeline import course
from nomic_git.game.proposal import Period

SEATS = seats(ALICE, BOB)
Periods = tuple[tuple[int, int | None], ...]


def away(time: int, by: object = ALICE, kind: Turn = Turn.RETARGETED) -> Happening:
    return turn(kind, time, by, before="main", after="other")  # type: ignore[arg-type]


def back(time: int, by: object = ALICE, kind: Turn = Turn.RETARGETED) -> Happening:
    return turn(kind, time, by, before="other", after="main")  # type: ignore[arg-type]


CLOSED, REOPENED, DRAFT, READY = Turn.CLOSED, Turn.REOPENED, Turn.DRAFT, Turn.READY

TABLE: dict[str, tuple[dict[str, object], Periods, int | None, list[str]]] = {
    "open since it was made": ({}, ((100, None),), None, []),
    "a draft": ({"is_draft": True}, (), None, []),
    "a draft made ready": ({"timeline": (turn(READY, 150),)}, ((150, None),), None, []),
    "made a draft": ({"is_draft": True, "timeline": (turn(DRAFT, 150),)}, ((100, 150),), None, []),
    "a draft for a while": (
        {"timeline": (turn(DRAFT, 150), turn(READY, 170))},
        ((100, 150), (170, None)),
        None,
        [],
    ),
    "to another branch": ({"base": "other"}, (), None, []),
    "pointed elsewhere for a while": (
        {"timeline": (away(150), back(170))},
        ((100, 150), (170, None)),
        None,
        [],
    ),
    "pointed here later": ({"timeline": (back(170),)}, ((170, None),), None, []),
    "pointed here by an owner": ({"timeline": (back(170, OWNER),)}, ((170, None),), None, []),
    "pointed here by GitHub, when that branch was deleted": (
        {"timeline": (back(170, OWNER, Turn.RETARGETED_BY_GITHUB),)},
        ((170, None),),
        None,
        [],
    ),
    "pointed elsewhere by an owner": (
        {"base": "other", "timeline": (away(150, OWNER),)},
        ((100, None),),
        None,
        ["pointed-elsewhere-by-another"],
    ),
    "closed by its author": ({"is_open": False, "timeline": (turn(CLOSED, 150),)}, ((100, 150),), 150, []),
    "closed and reopened by its author": (
        {"timeline": (turn(CLOSED, 150), turn(REOPENED, 170))},
        ((100, 150), (170, None)),
        None,
        [],
    ),
    "reopened, and closed again": (
        {"timeline": (turn(CLOSED, 150), turn(REOPENED, 170), turn(CLOSED, 180))},
        ((100, 150), (170, 180)),
        180,
        [],
    ),
    "a draft closed by its author": (
        {"is_draft": True, "is_open": False, "timeline": (turn(CLOSED, 150),)},
        (),
        150,
        [],
    ),
    "closed by an owner": (
        {"is_open": False, "timeline": (turn(CLOSED, 150, OWNER),)},
        ((100, None),),
        None,
        ["closed-by-another"],
    ),
    "closed by a workflow": (
        {"is_open": False, "timeline": (turn(CLOSED, 150, REFEREE),)},
        ((100, None),),
        None,
        ["closed-by-another"],
    ),
    "closed by an owner for a while": (
        {"timeline": (turn(CLOSED, 150, OWNER), turn(REOPENED, 170, OWNER))},
        ((100, None),),
        None,
        [],
    ),
    "closed by its author, reopened by an owner": (
        {"timeline": (turn(CLOSED, 150), turn(REOPENED, 170, OWNER))},
        ((100, 150),),
        150,
        ["reopened-by-another"],
    ),
    "closed by its author after an owner had": (
        {"is_open": False, "timeline": (turn(CLOSED, 140, OWNER), turn(CLOSED, 150))},
        ((100, 150),),
        150,
        [],
    ),
    "made a draft by an owner": (
        {"is_draft": True, "timeline": (turn(DRAFT, 150, OWNER),)},
        ((100, None),),
        None,
        ["made-draft-by-another"],
    ),
    "made ready by an owner": (
        {"timeline": (turn(READY, 150, OWNER),)},
        (),
        None,
        ["made-ready-by-another"],
    ),
    "made ready by an owner, then by its author": (
        {"timeline": (turn(READY, 150, OWNER), turn(DRAFT, 160), turn(READY, 170))},
        ((170, None),),
        None,
        [],
    ),
    "merged by hand": (
        {"is_open": False, "is_merged": True, "timeline": (turn(Turn.MERGED, 150), turn(CLOSED, 150))},
        ((100, 150),),
        None,
        [],
    ),
    "listed in another order": (
        {"timeline": (turn(REOPENED, 170), turn(CLOSED, 150))},
        ((100, 150), (170, None)),
        None,
        [],
    ),
    "what concerns no stage": (
        {"timeline": (turn(Turn.FORCE_PUSHED, 150, OWNER), turn(Turn.DISMISSED, 160, OWNER))},
        ((100, None),),
        None,
        [],
    ),
}


@pytest.mark.parametrize(("given", "periods", "withdrawn", "notes"), TABLE.values(), ids=TABLE)
def test_a_pull_request_was_put_to_the_vote(
    given: dict[str, object], periods: Periods, withdrawn: int | None, notes: list[str]
) -> None:
    found = course(pull(**given), "main", SEATS)
    assert found.ready == tuple(Period(*one) for one in periods)
    assert found.withdrawn == withdrawn
    assert [note.what for note in found.notes] == notes
    assert all(dict(note.facts) == {"login": "owner"} or REFEREE.login in note.facts.values() for note in found.notes)


def test_a_command_takes_a_proposal_back_like_closing_it() -> None:
    found = course(pull(), "main", SEATS, [150])
    assert (found.ready, found.withdrawn) == ((Period(100, 150),), 150)


def test_closing_it_after_the_command_changes_nothing_and_reopening_it_puts_it_to_the_vote_again() -> None:
    closed = pull(is_open=False, timeline=(turn(CLOSED, 160, REFEREE),))
    assert course(closed, "main", SEATS, [150]).withdrawn == 150
    assert course(closed, "main", SEATS, [150]).notes == ()
    reopened = pull(timeline=(*closed.timeline, turn(REOPENED, 170)))
    assert course(reopened, "main", SEATS, [150]).ready == (Period(100, 150), Period(170))


def test_what_a_deleted_account_did_to_its_own_proposal_counts() -> None:
    closed: PullRequest = pull(author=None, is_open=False, timeline=(turn(CLOSED, 150, None),))
    assert course(closed, "main", SEATS).withdrawn == 150
    assert course(pull(timeline=(turn(CLOSED, 150, None),)), "main", SEATS).withdrawn is None
