"""docs/law.md: a row for each rule of each document and rulebook, and in each row a test that there is."""

from __future__ import annotations

import ast
import os
import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import yaml

from nomic_git.law.provisions import KEYS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

HERE = Path(__file__).resolve()
ROOT = HERE.parents[1]
PAGE = ROOT / "docs" / "law.md"
RULESETS = ROOT / "nomic_git" / "rulesets"
SEEDS = HERE.parents[2] / "shared" / "seeds"

ON_A_FORGE = frozenset(range(-216, -200)) | frozenset(range(-112, -100))
AT_A_TABLE = frozenset(range(101, 117)) | frozenset(range(201, 214))

# How each document writes the number of a rule at the head of it, and the numbers that are in it.
DOCUMENTS = {
    "000": (r"^_(\d{3})\._ ", AT_A_TABLE),  # the later set, English and Hungarian
    "001": (r"^- (\d{3}) ", AT_A_TABLE),  # the later set, Swedish
    "002": (r"^### Rule (-\d{3})\.$", ON_A_FORGE),
    "003": (r"^ +\d+\. (\d{3})\. ", AT_A_TABLE),  # the first set
    "004": (r"^### (\d{3})$", AT_A_TABLE),  # the later set, Chinese
}

NUMBERS = re.compile(r"(?:-?\d{3})(?:, -?\d{3})*")
CITED = re.compile(r"`(tests/[\w/]+\.py)::(test_\w+)`")
KEY = re.compile(rf"`((?:{'|'.join(sorted({key.split('.')[0] for key in KEYS}))})(?:\.[a-z-]+)*)(?::[^`]*)?`")


def rows(page: str) -> list[list[str]]:
    """The rows of all tables of the page, each as its cells, without the heads of the tables."""
    found: list[list[str]] = []
    for line in page.splitlines():
        if re.fullmatch(r"\|(?:-+\|)+", line):
            found.pop()
        elif line.startswith("|"):
            found.append([cell.strip() for cell in line.strip().strip("|").split(" | ")])
    return found


def numbers(row: list[str]) -> list[int]:
    """The rules that a row is about; none where it is about a reading."""
    return [int(one) for one in row[0].split(", ")] if NUMBERS.fullmatch(row[0]) else []


@cache
def functions_of(path: Path) -> frozenset[str]:
    tree = ast.parse(path.read_bytes())
    return frozenset(one.name for one in ast.walk(tree) if isinstance(one, ast.FunctionDef))


def unproven(page: str) -> list[str]:
    """What is wrong with what the rows rest on: a row without a test, a test that there is not."""
    faults = []
    for row in rows(page):
        cited = CITED.findall(row[-1])
        if not cited:
            faults.append(f"{row[0]}: no test")
        for path, name in cited:
            there = (ROOT / path).is_file() and name in functions_of(ROOT / path)
            faults += [] if there else [f"{row[0]}: there is no {path}::{name}"]
    return faults


def untold(page: str, wanted: Iterable[int]) -> list[str]:
    """The rules of which the page has no row, or more than one."""
    told = [number for row in rows(page) for number in numbers(row)]
    return [f"{number}: {told.count(number)} rows" for number in sorted(wanted) if told.count(number) != 1]


def unnamed(page: str, provided: Mapping[int, Iterable[str]]) -> list[str]:
    """The keys that rules provide and that their rows do not name."""
    named = {number: set(KEY.findall(" ".join(row))) for row in rows(page) for number in numbers(row)}
    return [
        f"{number}: {key}"
        for number, keys in sorted(provided.items())
        for key in keys
        if key not in named.get(number, set())
    ]


def shipped() -> dict[int, set[str]]:
    """The keys that each rule of the shipped rulebooks provides in any of them, by its number."""
    found: dict[int, set[str]] = {}
    for path in RULESETS.glob("*/*/*/*.md"):
        matter = yaml.safe_load(path.read_text(encoding="utf-8").split("---\n")[1])
        found.setdefault(int(path.stem), set()).update(matter.get("provisions", {}))
    return found


@pytest.fixture(scope="session", params=sorted(DOCUMENTS))
def document(request: pytest.FixtureRequest) -> set[int]:
    """The numbers of the rules of one document."""
    pattern, _ = DOCUMENTS[request.param]
    found = sorted(SEEDS.glob(f"{request.param}_*.txt"))
    if not found:
        if os.environ.get("NOMIC_GIT_TEST_ALL") == "1":
            pytest.fail("the documents whose rules the page tells are not beside this checkout")
        pytest.skip("the documents whose rules the page tells are not beside this checkout")
    text = found[0].read_text(encoding="utf-8")
    there = [int(one) for one in re.findall(pattern, text, re.MULTILINE)]
    assert len(there) == len(set(there))
    assert set(there) == DOCUMENTS[request.param][1]
    return set(there)


@pytest.fixture(scope="module")
def page() -> str:
    return PAGE.read_text(encoding="utf-8")


def test_every_rule_of_a_document_has_one_row(page: str, document: set[int]) -> None:
    assert untold(page, document) == []


def test_every_rule_of_every_rulebook_that_ships_has_one_row(page: str) -> None:
    assert untold(page, shipped()) == []


def test_no_row_is_about_a_rule_that_is_nowhere(page: str) -> None:
    assert {number for row in rows(page) for number in numbers(row)} == ON_A_FORGE | AT_A_TABLE


def test_every_row_names_tests_that_there_are(page: str) -> None:
    assert unproven(page) == []


def test_a_row_names_every_key_that_its_rule_provides_where_it_ships(page: str) -> None:
    assert unnamed(page, shipped()) == []


def test_every_key_is_on_the_page_and_none_that_there_is_not(page: str) -> None:
    assert set(KEY.findall(page)) == set(KEYS)


def test_every_row_has_as_many_cells_as_the_head_of_its_table(page: str) -> None:
    width = None
    for line in page.splitlines():
        width = (
            (len(line.strip().strip("|").split(" | ")) if width is None else width) if line.startswith("|") else None
        )
        if width is not None and not line.startswith("|-"):
            assert len(line.strip().strip("|").split(" | ")) == width, line


A_TEST = "tests/test_law_page.py::test_a_rule_without_a_row_is_found"
ANOTHER = "tests/test_law_page.py::test_a_row_without_its_test_is_found"
SMALL = f"""\
| rule | the referee | proven by |
|---|---|---|
| 105, -212 | waits: `votes.closing` | `{A_TEST}` |
| 106 | binds votes to texts | `{A_TEST}`<br>`{ANOTHER}` |
"""


def test_a_page_in_order_has_no_fault() -> None:
    assert untold(SMALL, [105, -212, 106]) == []
    assert unproven(SMALL) == []
    assert unnamed(SMALL, {105: ["votes.closing"], 106: []}) == []


def test_a_rule_without_a_row_is_found() -> None:
    assert untold(SMALL, [-212, 106, 107]) == ["107: 0 rows"]
    assert untold(SMALL.replace("| 106 |", "| Of 106 |"), [105, 106]) == ["106: 0 rows"]


def test_a_rule_with_two_rows_is_found() -> None:
    assert untold(SMALL.replace("| 106 |", "| 106, 105 |"), [105, 106]) == ["105: 2 rows"]


def test_a_row_without_its_test_is_found() -> None:
    assert unproven(SMALL.replace(f"`{A_TEST}`<br>`{ANOTHER}`", "believe it")) == ["106: no test"]


@pytest.mark.parametrize(
    "gone",
    [
        "tests/test_law_page.py::test_a_rule_that_nobody_wrote",
        "tests/test_no_room.py::test_a_row_without_its_test_is_found",
    ],
)
def test_a_row_whose_test_there_is_not_is_found(gone: str) -> None:
    assert unproven(SMALL.replace(ANOTHER, gone)) == [f"106: there is no {gone}"]


def test_a_key_that_a_row_does_not_name_is_found() -> None:
    assert unnamed(SMALL, {105: ["votes.closing", "votes.deadline"], 106: ["votes.each"]}) == [
        "105: votes.deadline",
        "106: votes.each",
    ]
