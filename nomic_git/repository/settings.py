"""`nomic.toml`: what is not law, such as the game's name, its language and its forge (design section 2)."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, fields
from enum import StrEnum
from typing import Any

from nomic_git.law.characters import are_seen
from nomic_git.law.errors import Unreadable

NOMIC_TOML = "nomic.toml"
_LANGUAGE = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]{1,8})*", re.ASCII)
_BRANCH = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_./-]*", re.ASCII)


class ForgeName(StrEnum):
    """Where proposals, votes and comments live."""

    LOCAL = "local"
    GITHUB = "github"


@dataclass(frozen=True, slots=True)
class Settings:
    """A game's settings. A missing `nomic.toml` gives the defaults."""

    name: str = "Nomic"
    language: str = "en"
    forge: ForgeName = ForgeName.LOCAL
    branch: str = "main"


def read_settings(source: bytes) -> Settings:
    """Return the settings in the bytes of `nomic.toml`. Raises Unreadable with what is wrong in them."""
    import tomllib  # only where there is something to read

    try:
        plain = tomllib.loads(source.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise Unreadable(f"nomic.toml: byte {error.start} is not UTF-8") from None
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise Unreadable(f"nomic.toml is no TOML: {error}") from None
    unknown = [key for key in plain if key not in Settings.__dataclass_fields__]
    if unknown:
        known = ", ".join(Settings.__dataclass_fields__)
        raise Unreadable(f"nomic.toml: {unknown[0]!r} is no setting; there are {known}")
    return Settings(**{key: _read(key, value) for key, value in plain.items()})


def _read(key: str, value: Any) -> Any:
    if not isinstance(value, str):
        raise Unreadable(f"nomic.toml: {key} is to be text in quotes")
    match key:
        case "forge" if value not in {*ForgeName}:
            raise Unreadable(f"nomic.toml: {value!r} is no forge; there are {', '.join(ForgeName)}")
        case "forge":
            return ForgeName(value)
        case "language" if not _LANGUAGE.fullmatch(value):
            raise Unreadable(f"nomic.toml: {value!r} is no language such as en or zh-Hant")
        case "branch" if not _BRANCH.fullmatch(value) or ".." in value or value.endswith(("/", ".", ".lock")):
            raise Unreadable(f"nomic.toml: {value!r} is no name of a branch")
        case "name" if not 0 < len(value.strip()) <= 100 or not are_seen(value):
            raise Unreadable("nomic.toml: name is to be one line of at most 100 characters")
    return value


def checked(settings: Settings) -> Settings:
    """Return these settings. Raises Unreadable where one of them could not be read again once written."""
    for field in fields(settings):
        _read(field.name, getattr(settings, field.name))
    return settings


def write_settings(settings: Settings) -> bytes:
    """Return the bytes of `nomic.toml` with these settings."""
    lines = [
        "# What is not law in this game of Nomic. The law is in rules/.",
        f"name = {json.dumps(settings.name, ensure_ascii=False)}",
        f'language = "{settings.language}"',
        f'forge = "{settings.forge}"',
        f'branch = "{settings.branch}"',
    ]
    return ("\n".join(lines) + "\n").encode()
