"""What all tests share: this folder on the path, and the option that renews the golden files."""

from __future__ import annotations

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--renew-golden",
        action="store_true",
        help="write what the referee says now into tests/referee/golden/; read the difference before committing it",
    )
