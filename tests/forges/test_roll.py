"""The roll call: ids decide, and no account gets a name that is another's seat."""

from __future__ import annotations

from dataclasses import replace

import pytest
from pulls import ALICE, BOB, STRANGER, seats

from nomic_git.forges.roll import Roll, same
from nomic_git.game.player import Account, is_login

ROLL = seats(ALICE, BOB, without_id=("Carol", "Ghost"))


@pytest.mark.parametrize(
    ("account", "name"),
    [
        (ALICE, "alice"),
        (replace(ALICE, login="Alicia"), "alice"),
        (replace(ALICE, login="bob"), "alice"),
        (replace(ALICE, login="carol"), "alice"),
        (Account("carol", 3, is_person=True), "Carol"),
        (STRANGER, "mallory"),
    ],
)
def test_an_account_is_called_by_its_seat_or_else_by_its_login(account: Account, name: str) -> None:
    assert ROLL.name(account) == name


@pytest.mark.parametrize(
    ("account", "name"),
    [
        (Account("ALICE", 9, is_person=True), "ALICE@9"),
        (Account("alice", None, is_person=True), "alice@None"),
        (Account("alice", 1, is_person=False), "alice[bot]"),
        (Account("carol[bot]", 3, is_person=False), "carol[bot]"),
        (None, "ghost@deleted"),
    ],
)
def test_whoever_only_looks_like_a_seat_is_called_what_no_seat_can_be(account: Account | None, name: str) -> None:
    assert ROLL.seat(account) is None
    assert ROLL.name(account) == name
    assert not is_login(name)


def test_a_deleted_account_is_a_ghost() -> None:
    assert seats(ALICE).name(None) == "ghost"


@pytest.mark.parametrize(
    ("one", "other", "are"),
    [
        (ALICE, replace(ALICE, login="alicia"), True),
        (ALICE, replace(BOB, login="alice"), False),
        (ALICE, Account("Alice", None, is_person=True), True),
        (ALICE, None, False),
        (None, None, False),
    ],
)
def test_two_accounts_are_the_same_by_id_or_else_by_login(one: Account, other: Account, are: bool) -> None:
    assert same(one, other) is are


def test_a_seat_is_meant_by_its_own_login_first_and_then_by_the_one_that_its_account_has_now() -> None:
    renamed = (replace(ALICE, login="Alicia"), replace(BOB, login="alice"), STRANGER)
    roll = Roll(ROLL.players, renamed)
    assert [roll.meant(one) for one in ("alicia", "Alice", "CAROL", "mallory", "nobody")] == [
        "alice",
        "alice",
        "Carol",
        "mallory",
        "nobody",
    ]
    assert ROLL.meant("alicia") == "alicia"
