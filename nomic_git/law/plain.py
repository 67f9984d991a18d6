"""Plain values: what front matter is read into and what JSON is written from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

Plain: TypeAlias = "bool | int | str | Sequence[Plain] | Mapping[str, Plain]"
"""A value of YAML's JSON schema without null and without floats: `0.5` is read as the text `0.5`."""
