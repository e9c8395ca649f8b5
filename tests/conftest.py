"""Options of the test suite."""

from __future__ import annotations

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--data", default=None, help="folder with the real labelled sets, to check their readers on"
    )
