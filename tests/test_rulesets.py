"""The shipped rulebooks, read as plain files: nothing of the project's own code takes part."""

from __future__ import annotations

import os
import re
import tomllib
import unicodedata
from pathlib import Path
from typing import Any

import pytest
import yaml

HERE = Path(__file__).resolve()
RULESETS = HERE.parents[1] / "nomic_git" / "rulesets"
SHARED = HERE.parents[2] / "shared"

NUMBERS = {
    "github": {"immutable": range(-216, -200), "mutable": range(-112, -100)},
    "suber-1982": {"immutable": range(101, 117), "mutable": range(201, 214)},
    "suber": {"immutable": range(101, 117), "mutable": range(201, 214)},
    "suber-mail": {"immutable": range(101, 117), "mutable": range(201, 214)},
}

KINDS = ["enact", "amend", "repeal", "transmute"]
SAFEGUARDS = ["points-win", "changeable"]

# -205 and -203 (112 and 114) each ask for one of the safeguards. Rules that give one key different values
# conflict, so both give the same list: neither voids the other, and both hold while either rule stands.
PROVISIONS: dict[str, dict[int, dict[str, Any]]] = {
    "github": {
        -214: {"changes.kinds": KINDS},
        -209: {"proposals.numbering": "forge"},
        -208: {"adoption.transmutation": "unanimous"},
        -205: {"safeguards": SAFEGUARDS},
        -203: {"rules.mutable.minimum": 1, "safeguards": SAFEGUARDS},
        -112: {"turns.order": "open", "players.initial-points": 0},
        -111: {"turns.points": "(proposal + 9) * votes_for / votes_cast"},
        -110: {
            "adoption.threshold": "unanimous",
            "adoption.relaxation": {"after-turns-each": 2, "threshold": "simple-majority"},
            "votes.closing": "decided",
            "votes.participation": "optional",
        },
        -109: {"dissent.points": 10},
        -107: {"defeat.points": -10},
        -106: {"votes.each": 1},
        -105: {"victory.points": 200},
        -104: {"rules.mutable.maximum": 25},
        -103: {"conflicts.order": "lowest"},
        -102: {
            "judgment.judge": "chosen-by-mover",
            "judgment.overruling": "unanimous",
            "judgment.consent": "simple-majority",
        },
        -101: {"stalemate.winner": "first-unable-to-complete-a-turn"},
    },
    "suber-1982": {
        103: {"changes.kinds": KINDS},
        105: {"votes.participation": "required", "votes.closing": "all-voted", "votes.deadline": "none"},
        108: {"proposals.numbering": {"successive": 301}},
        109: {"adoption.transmutation": "unanimous"},
        112: {"safeguards": SAFEGUARDS},
        114: {"rules.mutable.minimum": 1, "safeguards": SAFEGUARDS},
        201: {"turns.order": "clockwise", "turns.deadline": "none", "players.initial-points": 0},
        202: {"turns.points": "die"},
        203: {"adoption.threshold": "unanimous"},
        204: {"dissent.points": 10},
        206: {"defeat.points": -10},
        207: {"votes.each": 1},
        208: {"victory.points": 100},
        209: {"rules.mutable.maximum": 25},
        210: {"players.consulting": "forbidden"},
        211: {"conflicts.order": "lowest"},
        212: {
            "judgment.judge": "preceding-player",
            "judgment.overruling": "unanimous",
            "judgment.consent": "simple-majority",
        },
        213: {"stalemate.winner": "first-unable-to-complete-a-turn"},
    },
}
# The later sets provide what the first did, but for this.
PROVISIONS["suber"] = PROVISIONS["suber-1982"] | {
    203: {
        "adoption.threshold": "unanimous",
        "adoption.relaxation": {"after-circuits": 2, "threshold": "simple-majority"},
    },
}
PROVISIONS["suber-mail"] = PROVISIONS["suber"] | {
    201: {"turns.order": "by-surname", "turns.deadline": "none", "players.initial-points": 0},
    202: {"turns.points": "(proposal - 291) * votes_for / votes_cast"},
    208: {"victory.points": 200},
    210: {"players.consulting": "allowed"},
}

# What the design asks of every rulebook that ships, and of the three sets that are Suber's (its section 10).
ALL_PROVIDE = {
    "dissent.points": 10,
    "defeat.points": -10,
    "votes.each": 1,
    "rules.mutable.minimum": 1,
    "rules.mutable.maximum": 25,
    "safeguards": SAFEGUARDS,
    "adoption.transmutation": "unanimous",
    "players.initial-points": 0,
    "stalemate.winner": "first-unable-to-complete-a-turn",
}
SUBER_PROVIDES = {
    "proposals.numbering": {"successive": 301},
    "votes.participation": "required",
    "votes.closing": "all-voted",
    "votes.deadline": "none",
    "turns.deadline": "none",
}

# What is particular about 212 and -102: which standard the Judge turns to where the rules leave a question open.
GUIDES = {
    "github": (-102, "custom of the game and its spirit before any other"),
    "suber-1982": (212, "by common morality, by common logic and by the spirit of the game, and by nothing else"),
    "suber": (212, "custom of the game and its spirit before any other"),
    "suber-mail": (212, "custom of the game and its spirit before any other"),
}

CLAIMS = {
    "github": {-101: {"over": ["victory.points"]}},
    "suber-1982": {213: {"over": ["victory.points"]}},
    "suber": {213: {"over": ["victory.points"]}},
    "suber-mail": {213: {"over": ["victory.points"]}},
}

SHAPE = re.compile(r"---\n(?P<matter>title: [^\n]+\n(?:[a-z ][^\n]*\n)*)---\n\n(?P<words>\S.*\S)\n", re.DOTALL)


def rule_files(name: str) -> list[Path]:
    return sorted((RULESETS / name / "en").rglob("*.md"))


def parted(path: Path) -> tuple[dict[str, Any], str]:
    match = SHAPE.fullmatch(path.read_text(encoding="utf-8"))
    assert match is not None, f"{path} is not front matter, a blank line and words"
    return yaml.safe_load(match["matter"]), match["words"]


def shingles(text: str) -> set[tuple[str, ...]]:
    words = re.findall(r"[^\W_]+", unicodedata.normalize("NFKC", text).casefold())
    return {tuple(words[at : at + 7]) for at in range(len(words) - 6)}


@pytest.fixture(params=sorted(NUMBERS))
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="session")
def documents() -> dict[str, set[tuple[str, ...]]]:
    found = sorted((SHARED / "seeds").glob("*.txt"))
    if not found:
        if os.environ.get("NOMIC_GIT_TEST_ALL") == "1":
            pytest.fail("the documents that the rulebooks follow are not beside this checkout")
        pytest.skip("the documents that the rulebooks follow are not beside this checkout")
    return {path.name: shingles(path.read_text(encoding="utf-8")) for path in found}


def test_every_rulebook_on_the_disk_is_held_to_these_tests() -> None:
    assert {path.parent.name for path in RULESETS.glob("*/ruleset.toml")} == set(NUMBERS)


def test_a_rulebook_has_exactly_its_numbers_each_in_its_folder(name: str) -> None:
    there = {path.relative_to(RULESETS / name / "en").as_posix() for path in rule_files(name)}
    wanted = {f"{status}/{n}.md" for status, numbers in NUMBERS[name].items() for n in numbers}
    assert there == wanted


def test_every_rule_has_a_title_of_its_own_and_words_and_no_stray_key(name: str) -> None:
    titles = []
    for path in rule_files(name):
        matter, words = parted(path)
        assert set(matter) <= {"title", "provisions", "precedence"}, path
        assert isinstance(matter["title"], str), path
        assert words, path
        titles.append(matter["title"])
    assert len(set(titles)) == len(titles)


def test_every_rule_is_utf_8_with_plain_line_ends_wrapped_at_a_hundred_columns(name: str) -> None:
    for path in rule_files(name):
        raw = path.read_bytes()
        assert b"\r" not in raw, path
        assert b"\t" not in raw, path
        assert not raw.startswith(b"\xef\xbb\xbf"), path
        lines = raw.decode("utf-8").split("\n")
        assert lines[-1] == "", path
        assert lines[-2] != "", path
        assert max(map(len, lines)) <= 100, path
        assert all(line == line.rstrip() for line in lines), path


def test_the_provisions_are_those_of_the_table_rule_by_rule(name: str) -> None:
    provided = {int(path.stem): parted(path)[0].get("provisions") for path in rule_files(name)}
    assert {n: p for n, p in provided.items() if p is not None} == PROVISIONS[name]


def test_every_rulebook_provides_what_the_design_asks_of_all(name: str) -> None:
    wanted = ALL_PROVIDE if name == "github" else ALL_PROVIDE | SUBER_PROVIDES
    provided = {key: value for path in rule_files(name) for key, value in parted(path)[0].get("provisions", {}).items()}
    assert wanted.items() <= provided.items()


def test_the_judge_is_guided_as_the_rulebook_has_it(name: str) -> None:
    number, guide = GUIDES[name]
    _, words = parted(RULESETS / name / "en" / "mutable" / f"{number}.md")
    assert guide in " ".join(words.split())


def test_where_two_of_the_sets_that_are_suber_s_say_the_same_they_say_it_in_the_same_words() -> None:
    differing = {
        ("suber-1982", "suber"): {103, 108, 109, 110, 111, 112, 116, 203, 212},
        ("suber", "suber-mail"): {201, 202, 208, 210},
    }
    for (one, other), numbers in differing.items():
        theirs = {path.stem: path.read_bytes() for path in rule_files(other)}
        assert {int(path.stem) for path in rule_files(one) if path.read_bytes() != theirs[path.stem]} == numbers


def test_no_rule_of_a_rulebook_is_a_link_to_another_s(name: str) -> None:
    assert not any(path.is_symlink() for path in [RULESETS / name, *(RULESETS / name).rglob("*")])


def test_only_the_stalemate_rule_claims_precedence(name: str) -> None:
    claims = {int(path.stem): parted(path)[0].get("precedence") for path in rule_files(name)}
    assert {n: claim for n, claim in claims.items() if claim is not None} == CLAIMS[name]


def test_no_two_rules_of_a_rulebook_give_one_key_different_values(name: str) -> None:
    values: dict[str, Any] = {}
    for path in rule_files(name):
        for key, value in parted(path)[0].get("provisions", {}).items():
            assert values.setdefault(key, value) == value, (key, path)


def test_the_words_name_no_software_and_no_forge_by_name(name: str) -> None:
    for path in rule_files(name):
        _, words = parted(path)
        assert re.search(r"github|gitlab|yaml|nomic-git|provision|pull request|software", words, re.I) is None, path


def test_the_rulebook_says_what_it_is_in_one_sentence(name: str) -> None:
    about = tomllib.loads((RULESETS / name / "ruleset.toml").read_text(encoding="utf-8"))
    assert set(about) == {"name", "title", "summary"}
    assert about["name"] == name
    assert re.fullmatch(r"[A-Z][^\n.]+\.", about["summary"])


def test_seven_words_in_a_row_are_never_those_of_a_document(
    name: str, documents: dict[str, set[tuple[str, ...]]]
) -> None:
    files = [*rule_files(name), RULESETS / name / "ruleset.toml"]
    for path in files:
        ours = shingles(path.read_text(encoding="utf-8"))
        for document, theirs in documents.items():
            assert not ours & theirs, f"{path.name} shares words with {document}"


def test_nor_are_they_on_the_page_that_tells_of_every_rule(documents: dict[str, set[tuple[str, ...]]]) -> None:
    page = shingles((RULESETS.parents[1] / "docs" / "law.md").read_text(encoding="utf-8"))
    for document, theirs in documents.items():
        assert not page & theirs, f"the page shares words with {document}"


def test_the_comparison_with_the_documents_would_find_a_copied_sentence(
    documents: dict[str, set[tuple[str, ...]]],
) -> None:
    copied = shingles("AT NO TIME may there be -- more than 25\nmutable rules!")
    assert any(copied & theirs for theirs in documents.values())
