"""The JSON Schemas: that they are shipped as they are made, and that they agree with the readers."""

from importlib.resources import files

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from test_provisions import BAD, GOOD, PLAINS, POINT_KEYS, REFUSED_THRESHOLDS, THRESHOLD_KEYS

from nomic_git.law.errors import Unreadable
from nomic_git.law.provisions import KEYS
from nomic_git.law.schema import player_schema, rule_schema, text

RULE = Draft202012Validator(rule_schema())
PLAYER = Draft202012Validator(player_schema())
VALUES = {name: Draft202012Validator(key.schema) for name, key in KEYS.items()}


@pytest.mark.parametrize(("name", "schema"), [("rule.schema.json", rule_schema), ("player.schema.json", player_schema)])
def test_the_shipped_file_is_what_the_code_makes(name, schema):
    assert (files("nomic_git.law") / name).read_bytes() == (text(schema()) + "\n").encode()


@pytest.mark.parametrize("schema", [rule_schema(), player_schema()])
def test_they_are_schemas(schema):
    Draft202012Validator.check_schema(schema)


def test_every_provision_is_described_with_its_default():
    provisions = rule_schema()["properties"]["provisions"]
    assert list(provisions["properties"]) == list(KEYS)
    for name, key in KEYS.items():
        described = provisions["properties"][name]
        assert described["description"] == key.meaning
        assert VALUES[name].is_valid(described["default"])


@pytest.mark.parametrize(("key", "found", "value"), GOOD)
def test_what_a_reader_allows_the_schema_allows(key, found, value):
    assert RULE.is_valid({"provisions": {key.name: found}})
    assert RULE.is_valid({"provisions": {key.name: key.plain(value)}})


UNSEEN = [*REFUSED_THRESHOLDS, "dice", "none", "votes_for > 3"]
RECKONED = [*THRESHOLD_KEYS, *POINT_KEYS]


@pytest.mark.parametrize(
    ("key", "found"), [(key, found) for key, found, _ in BAD if not (key in RECKONED and found in UNSEEN)]
)
def test_what_a_reader_refuses_without_reckoning_the_schema_refuses(key, found):
    assert not VALUES[key.name].is_valid(found)


@given(st.sampled_from(list(KEYS.values())), PLAINS)
def test_no_value_that_is_read_is_underlined_in_an_editor(key, found):
    try:
        key.read(found)
    except Unreadable:
        return
    assert VALUES[key.name].is_valid(found)


@pytest.mark.parametrize(
    "matter",
    [
        {},
        {"title": "Hur ett förslag antas"},
        {"title": "T", "formerly": [203, 305, -7], "provisions": {}},
        {"precedence": {"over": [203, -110, "mutable", "all", "adoption.threshold"]}},
        {"precedence": {"defers-to": ["immutable"], "over": [1]}},
        {"provisions": {"adoption.threshold": 0.5, "turns.points": 2.5}},
    ],
)
def test_the_front_matter_of_a_rule(matter):
    assert RULE.is_valid(matter)


@pytest.mark.parametrize(
    "matter",
    [
        [],
        {"titel": "T"},
        {"title": ""},
        {"title": "a\nb"},
        {"title": "a\u2028b"},
        {"title": 3},
        {"formerly": 203},
        {"formerly": ["203"]},
        {"formerly": [203, 203]},
        {"provisions": {"votes.many": 1}},
        {"provisions": []},
        {"precedence": {}},
        {"precedence": {"under": [203]}},
        {"precedence": {"over": ["some"]}},
        {"precedence": {"over": [2.5]}},
    ],
)
def test_what_is_no_front_matter_of_a_rule(matter):
    assert not RULE.is_valid(matter)


def test_the_front_matter_of_a_player():
    assert PLAYER.is_valid({})
    assert PLAYER.is_valid(
        {"name": "Ada Lovelace", "surname": "Lovelace", "id": 42, "email": "ada@example.org", "team": "blue"}
    )
    for matter in ({"id": "42"}, {"id": -1}, {"id": True}, {"name": 3}, {"team": "a\nb"}, {"login": "ada"}):
        assert not PLAYER.is_valid(matter)
