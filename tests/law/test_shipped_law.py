"""The law of the shipped rulebooks: they are read, nothing in them conflicts, and each key has its rule."""

from importlib.resources import files

import pytest

from nomic_git.law.precedence import Why, read_law
from nomic_git.law.provisions import KEYS, VICTORY_POINTS
from nomic_git.law.rule import Status, read_rule, renumbered
from nomic_git.law.rule_change import Blob, Branch, FileChange, RuleChange, read_change
from nomic_git.law.rulebook import read_rulebook

RULESETS = files("nomic_git") / "rulesets"
SAFEGUARDS = ["points-win", "changeable"]
KINDS = ["enact", "amend", "repeal", "transmute"]
RELAXED = {"after-turns-each": 2, "threshold": "simple-majority"}

# For each key: the value that holds, and the rule that it rests on; None where the default holds.
LAW = {
    "proposals.numbering": {"github": ("forge", -209), "suber-1982": ({"successive": 301}, 108)},
    "changes.kinds": {"github": (KINDS, -214), "suber-1982": (KINDS, 103)},
    "debate.minimum": {"github": ("none", None), "suber-1982": ("none", None)},
    "players.joining": {"github": ("vote", None), "suber-1982": ("vote", None)},
    "players.admission": {"github": ("simple-majority", None), "suber-1982": ("simple-majority", None)},
    "players.initial-points": {"github": (0, -112), "suber-1982": (0, 201)},
    "players.consulting": {"github": ("allowed", None), "suber-1982": ("forbidden", 210)},
    "players.leave": {"github": ("forbidden", None), "suber-1982": ("forbidden", None)},
    "votes.each": {"github": (1, -106), "suber-1982": (1, 207)},
    "votes.participation": {"github": ("optional", -110), "suber-1982": ("required", 105)},
    "votes.closing": {"github": ("decided", -110), "suber-1982": ("all-voted", 105)},
    "votes.deadline": {"github": ("none", None), "suber-1982": ("none", 105)},
    "votes.absent": {"github": ("abstain", None), "suber-1982": ("abstain", None)},
    "adoption.threshold": {"github": ("unanimous", -110), "suber-1982": ("unanimous", 203)},
    "adoption.relaxation": {"github": (RELAXED, -110), "suber-1982": ("none", None)},
    "adoption.transmutation": {"github": ("unanimous", -208), "suber-1982": ("unanimous", 109)},
    "turns.order": {"github": ("open", -112), "suber-1982": ("clockwise", 201)},
    "turns.deadline": {"github": ("none", None), "suber-1982": ("none", 201)},
    "turns.pause": {"github": ("none", None), "suber-1982": ("none", None)},
    "turns.points": {
        "github": ("(proposal + 9) * votes_for / votes_cast", -111),
        "suber-1982": ("die", 202),
    },
    "dissent.points": {"github": (10, -109), "suber-1982": (10, 204)},
    "defeat.points": {"github": (-10, -107), "suber-1982": (-10, 206)},
    "victory.points": {"github": (200, -105), "suber-1982": (100, 208)},
    "rules.mutable.minimum": {"github": (1, -203), "suber-1982": (1, 114)},
    "rules.mutable.maximum": {"github": (25, -104), "suber-1982": (25, 209)},
    "safeguards": {"github": (SAFEGUARDS, -205), "suber-1982": (SAFEGUARDS, 112)},
    "conflicts.order": {"github": ("lowest", -103), "suber-1982": ("lowest", 211)},
    "judgment.judge": {"github": ("chosen-by-mover", -102), "suber-1982": ("preceding-player", 212)},
    "judgment.overruling": {"github": ("unanimous", -102), "suber-1982": ("unanimous", 212)},
    "judgment.consent": {"github": ("simple-majority", -102), "suber-1982": ("simple-majority", 212)},
    "stalemate.winner": {
        "github": ("first-unable-to-complete-a-turn", -101),
        "suber-1982": ("first-unable-to-complete-a-turn", 213),
    },
}
# The later sets have the law of the first, but for this.
LATER = {
    "adoption.relaxation": ({"after-circuits": 2, "threshold": "simple-majority"}, 203),
}
BY_MAIL = LATER | {
    "turns.order": ("by-surname", 201),
    "turns.points": ("(proposal - 291) * votes_for / votes_cast", 202),
    "victory.points": (200, 208),
    "players.consulting": ("allowed", 210),
}
for key, row in LAW.items():
    row["suber"] = LATER.get(key, row["suber-1982"])
    row["suber-mail"] = BY_MAIL.get(key, row["suber-1982"])
NAMES = sorted({name for row in LAW.values() for name in row})


def sources(folder, at="rules"):
    """Return the files below a folder by their path in a game's tree."""
    found = {}
    for one in folder.iterdir():
        path = f"{at}/{one.name}"
        found.update(sources(one, path) if one.is_dir() else {path: one.read_bytes()})
    return found


def shipped():
    return [
        (ruleset.name, language.name)
        for ruleset in RULESETS.iterdir()
        if (ruleset / "ruleset.toml").is_file()
        for language in ruleset.iterdir()
        if language.is_dir()
    ]


def law_of(name, language="en"):
    return read_law(read_rulebook(sources(RULESETS / name / language)))


def test_every_shipped_rulebook_and_every_provision_has_its_place_in_the_table():
    assert sorted({name for name, _ in shipped()}) == NAMES
    assert list(LAW) == list(KEYS)
    assert all(sorted(row) == NAMES for row in LAW.values())


@pytest.mark.parametrize(("name", "language"), sorted(shipped()))
def test_every_shipped_rulebook_is_read_without_a_conflict(name, language):
    law = law_of(name, language)
    assert len(law.rulebook) > 0
    assert law.void == {}
    for finding in law.findings.values():
        assert finding.overrides == ()
        assert finding.why in {Why.DEFAULT, Why.ONLY, Why.AGREED}


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("key", KEYS)
def test_each_key_has_its_value_from_its_rule(name, key):
    finding = law_of(name).findings[key]
    assert (KEYS[key].plain(finding.value), finding.rule) == LAW[key][name]


@pytest.mark.parametrize("name", NAMES)
def test_only_the_safeguards_are_provided_by_two_rules(name):
    findings = law_of(name).findings
    assert [key for key, finding in findings.items() if len(finding.standing) > 1] == ["safeguards"]
    assert findings["safeguards"].why is Why.AGREED


@pytest.mark.parametrize("name", NAMES)
def test_either_of_the_two_rules_upholds_both_safeguards(name):
    law = law_of(name)
    for number in law.findings["safeguards"].standing:
        alone = read_law(law.rulebook.without(number)).findings["safeguards"]
        assert (KEYS["safeguards"].plain(alone.value), alone.why) == (SAFEGUARDS, Why.ONLY)


@pytest.mark.parametrize("name", NAMES)
def test_the_stalemate_rule_stands_over_the_rule_of_victory_even_after_that_is_renumbered(name):
    law = law_of(name)
    stalemate = law.rule("stalemate.winner")
    claimant = law.rulebook.rules[stalemate]
    assert claimant.precedence.over == (VICTORY_POINTS.name,)
    with_points = read_rule(
        stalemate, Status.MUTABLE, claimant.source.replace(b"provisions:", b"provisions:\n  victory.points: 7")
    )
    victory = law.rulebook.rules[law.rule(VICTORY_POINTS.name)]
    book = law.rulebook.with_rule(with_points).with_rule(renumbered(victory, -999), instead_of=victory.number)
    finding = read_law(book).findings[VICTORY_POINTS.name]
    assert (finding.rule, finding.overrides, finding.why) == (stalemate, (-999,), Why.CLAIM)


@pytest.mark.parametrize("name", NAMES)
def test_renumbering_every_rule_in_turn_leaves_the_law_what_it_was(name):
    law = law_of(name)
    book = law.rulebook
    for number, rule in enumerate(law.rulebook, start=1000):
        book = book.with_rule(renumbered(rule, number), instead_of=rule.number)
    after = read_law(book)
    assert {key: finding.value for key, finding in after.findings.items()} == {
        key: finding.value for key, finding in law.findings.items()
    }
    assert {rule.numbers[0]: rule.words for rule in book} == {rule.number: rule.words for rule in law.rulebook}


def test_no_mutable_rule_slips_a_deadline_past_the_immutable_rule_on_voting():
    source = b"---\nprovisions:\n  votes.deadline: 7d\n  victory.points: 1\n---\nHaste.\n"
    law = read_law(law_of("suber-1982").rulebook.with_rule(read_rule(301, Status.MUTABLE, source)))
    assert law.void == {301: (105,)}
    assert law.findings["votes.deadline"].value is None
    assert law.value(VICTORY_POINTS) == 100


@pytest.mark.parametrize(("name", "language"), sorted(shipped()))
def test_every_mutable_rule_can_be_repealed_and_every_rule_transmuted(name, language):
    for rule in law_of(name, language).rulebook:
        here = Blob(0o100644, "id", rule.source)
        moved = rule.path.replace(f"/{rule.status}/", f"/{rule.status.other}/")
        transmuted = [FileChange(rule.path, here, None), FileChange(moved, None, here)]
        assert isinstance(read_change(Branch(transmuted), "alice"), RuleChange)
        if rule.status is Status.MUTABLE:
            assert isinstance(read_change(Branch([FileChange(rule.path, here, None)]), "alice"), RuleChange)
