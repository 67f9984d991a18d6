"""JSON Schemas of the front matter of rules and players, so that editors check it while a player types.

The files beside this module are made from it. After a change to the provisions, make them again here:

    python -c 'from nomic_git.law.schema import *; print(text(rule_schema()))' > rule.schema.json
    python -c 'from nomic_git.law.schema import *; print(text(player_schema()))' > player.schema.json

The schema of a provision allows every value that its reader allows, and refuses most of what it refuses: it
does not parse expressions, and does not see that a fraction such as 3/2 is above 1.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from nomic_git.law.provisions import KEYS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from nomic_git.law.plain import Plain
    from nomic_git.law.provisions import Key

_DRAFT = "https://json-schema.org/draft/2020-12/schema"
_LINE: Mapping[str, Plain] = {
    "type": "string",
    "minLength": 1,
    "pattern": "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$",
}


def rule_schema() -> Mapping[str, Plain]:
    """Return the JSON Schema (draft 2020-12) of a rule's front matter (design sections 2, 6 and 7)."""
    return _front_matter(
        "The front matter of a rule of Nomic",
        title=_described("What the rule is called, on one line.", _LINE),
        formerly={
            "description": "The rule's earlier numbers, oldest first; the referee alone writes them.",
            "type": "array",
            "items": {"type": "integer"},
            "uniqueItems": True,
        },
        provisions={
            "description": "What the rule tells the referee.",
            "type": "object",
            "properties": {name: _provision(key) for name, key in KEYS.items()},
            "additionalProperties": False,
        },
        precedence={
            "description": "Over which rules or provisions this rule claims to prevail; to which it defers.",
            "type": "object",
            "properties": {"over": _targets(), "defers-to": _targets()},
            "additionalProperties": False,
            "minProperties": 1,
        },
    )


def player_schema() -> Mapping[str, Plain]:
    """Return the JSON Schema (draft 2020-12) of a player file's front matter (design section 2)."""
    number: Mapping[str, Plain] = {"type": "integer", "minimum": 0}
    return _front_matter(
        "The front matter of a player of Nomic",
        name=_described("What the player is called.", _LINE),
        surname=_described("By what the player is sorted where turns go by surname.", _LINE),
        id=_described("The forge's number for the player; the referee writes it on joining.", number),
        email=_described("By which the local forge knows the player.", _LINE),
        team=_described("The team that the player belongs to.", _LINE),
        away=_described("Whether the player is away, where players.leave is allowed.", {"type": "boolean"}),
    )


def text(schema: Mapping[str, Plain]) -> str:
    """Return the text of a schema's file, without its last line end."""
    return json.dumps(schema, indent=2, ensure_ascii=False)


def _front_matter(about: str, /, **properties: Plain) -> Mapping[str, Plain]:
    return {
        "$schema": _DRAFT,
        "title": about,
        "type": "object",
        "properties": properties,
        "additionalProperties": False,
    }


def _described(description: str, schema: Mapping[str, Plain]) -> Plain:
    return {"description": description, **schema}


def _provision(key: Key[Any]) -> Plain:
    return {"description": key.meaning, "default": key.plain(key.default), **key.schema}


def _targets() -> Plain:
    return {
        "type": "array",
        "items": {"anyOf": [{"type": "integer"}, {"enum": ["mutable", "immutable", "all", *KEYS]}]},
        "uniqueItems": True,
    }
