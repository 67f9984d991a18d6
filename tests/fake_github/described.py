"""GitHub's own descriptions of its API, as Octokit's npm packages carry them: what may be asked, and how it answers."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import graphql
from jsonschema import Draft4Validator, ValidationError, validators
from referencing import Registry
from referencing.jsonschema import DRAFT4

PACKAGES = Path(__file__).parent.parent / "octokit" / "node_modules" / "@octokit"
OPENAPI = PACKAGES / "openapi" / "generated" / "api.github.com.json"
SCHEMA = PACKAGES / "graphql-schema" / "schema.graphql"
DOCUMENT = "urn:github"


def missing() -> str | None:
    """Why the descriptions cannot be read, and what to do; None where they are there."""
    absent = [str(path) for path in (OPENAPI, SCHEMA) if not path.exists()]
    return f"{' and '.join(absent)} missing: run `npm ci` in tests/octokit" if absent else None


@cache
def schema() -> graphql.GraphQLSchema:
    """GitHub's GraphQL schema; read once a process, in about 0.7 s."""
    document = graphql.parse(SCHEMA.read_text(encoding="utf-8"), no_location=True)
    return graphql.build_ast_schema(document, assume_valid=True, assume_valid_sdl=True)


@cache
def openapi() -> dict[str, Any]:
    """GitHub's description of its REST API; read once a process, in about 0.2 s."""
    document: dict[str, Any] = json.loads(OPENAPI.read_bytes())
    return document


def _nullable(keyword: str) -> Any:
    """A keyword of JSON Schema that lets null through where OpenAPI 3.0's `nullable` stands beside it."""
    check = Draft4Validator.VALIDATORS[keyword]

    def checked(validator: Any, value: Any, instance: Any, given: Any) -> Any:
        if not (instance is None and given.get("nullable")):
            yield from check(validator, value, instance, given) or ()

    return checked


OpenApiValidator = validators.extend(
    Draft4Validator, {keyword: _nullable(keyword) for keyword in ("type", "enum", "oneOf", "anyOf", "allOf")}
)


@cache
def _registry() -> Registry[Any]:
    registry: Registry[Any] = Registry()
    return registry.with_resource(DOCUMENT, DRAFT4.create_resource(openapi()))


@cache
def _validator(*pointer: str) -> Any:
    """A validator for the schema at that place of the document."""
    escaped = "/".join(each.replace("~", "~0").replace("/", "~1") for each in pointer)
    return OpenApiValidator({"$ref": f"{DOCUMENT}#/{escaped}"}, registry=_registry())


@dataclass(frozen=True, slots=True)
class Operation:
    """One path of the description with its method, and what the path's parameters were."""

    method: str
    template: str
    parameters: dict[str, str]

    @property
    def described(self) -> dict[str, Any]:
        found: dict[str, Any] = openapi()["paths"][self.template][self.method.lower()]
        return found

    def wrong_body(self, body: Any) -> str | None:
        """What is wrong with a request's body; None where it is in order."""
        described = self.described.get("requestBody")
        if described is None:
            return None if body in (None, {}) else f"{self.template} takes no body"
        if body is None:
            return "the body is missing" if described.get("required") else None
        if self.template.endswith("/labels") and isinstance(body, list):
            # The page of that request: "you can pass an array of labels directly".
            body = {"labels": body}
        if self.method == "PUT" and body == {"labels": []}:
            # The same page: "you can pass an empty array to remove all labels".
            return None
        pointer = ("paths", self.template, self.method.lower(), "requestBody", "content", "application/json", "schema")
        return _first_error(_validator(*pointer), body) or self._unknown(body)

    def _unknown(self, body: Any) -> str | None:
        given = self.described["requestBody"]["content"]["application/json"]["schema"]
        forms = given.get("oneOf") or given.get("anyOf") or [given]
        known = {name for form in forms for name in form.get("properties", {})}
        unknown = sorted(set(body) - known) if known and isinstance(body, dict) else []
        return f"{', '.join(map(repr, unknown))} not known to {self.method} {self.template}" if unknown else None

    def wrong_query(self, names: list[str]) -> str | None:
        """The parameters of a query that GitHub does not know of, in words."""
        known = {_resolved(each)["name"] for each in self.described.get("parameters", []) if _in_query(each)}
        unknown = sorted(set(names) - known)
        return f"{', '.join(map(repr, unknown))} not known to {self.method} {self.template}" if unknown else None

    def wrong_answer(self, status: int, answer: Any) -> str | None:
        """What is wrong with an answer of the fake's own; None where GitHub could have given it."""
        responses = self.described["responses"]
        if str(status) not in responses:
            # GitHub answers 401, 403, 404 and 422 everywhere, and describes them in some places only.
            return None if status >= 400 else f"{self.method} {self.template} never answers {status}"
        found = _resolved(responses[str(status)])
        if "application/json" not in found.get("content", {}):
            return None
        if "$ref" in responses[str(status)]:
            name = responses[str(status)]["$ref"].rpartition("/")[2]
            pointer: tuple[str, ...] = ("components", "responses", name)
        else:
            pointer = ("paths", self.template, self.method.lower(), "responses", str(status))
        return _first_error(_validator(*pointer, "content", "application/json", "schema"), answer)


def _in_query(parameter: dict[str, Any]) -> bool:
    return bool(_resolved(parameter)["in"] == "query")


def _resolved(item: dict[str, Any]) -> dict[str, Any]:
    if "$ref" not in item:
        return item
    found: Any = openapi()
    for step in item["$ref"].removeprefix("#/").split("/"):
        found = found[step]
    return dict(found)


def _left_out(error: ValidationError) -> bool:
    """Is that an answer which GitHub gives though its description says otherwise? A deleted fork is null."""
    return error.instance is None and list(error.absolute_path)[-2:] == ["head", "repo"]


def _first_error(validator: Any, instance: Any) -> str | None:
    error = next((each for each in validator.iter_errors(instance) if not _left_out(each)), None)
    if error is None:
        return None
    inner = error.context[0].message if error.context else ""
    return f"{error.json_path}: {error.message[:300]} {inner[:300]}".strip()


@cache
def _templates() -> list[tuple[re.Pattern[str], str]]:
    """All paths, those with fewer parameters first: /issues/comments/{id} before /issues/{number}/comments."""
    found = []
    for template in sorted(openapi()["paths"], key=lambda path: (path.count("{"), path)):
        # A ref and a label may have slashes in them.
        pattern = re.sub(r"\\{(ref|name)\\}", r"(?P<\1>.+)", re.escape(template))
        found.append((re.compile(re.sub(r"\\{(\w+)\\}", r"(?P<\1>[^/]+)", pattern)), template))
    return found


def operation(method: str, path: str) -> Operation | None:
    """The operation that GitHub describes for that path; None where there is none."""
    for pattern, template in _templates():
        match = pattern.fullmatch(path)
        if match and method.lower() in openapi()["paths"][template]:
            return Operation(method, template, match.groupdict())
    return None


def example(name: str) -> dict[str, Any]:
    """A fresh copy of an example of the description, to be filled in."""
    found: dict[str, Any] = json.loads(_example(name))
    return found


@cache
def _example(name: str) -> str:
    return json.dumps(openapi()["components"]["examples"][name]["value"])
