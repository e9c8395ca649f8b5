"""Options of the test suite, and the databases its tests run on."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from evenhand.bench.postgres import Postgres


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--data", default=None, help="folder with the real labelled sets, to check their readers on"
    )


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    server = Postgres()
    server.start()
    yield server
    server.stop()


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty database; a test that asks for it runs on both."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'evenhand.db'}"
    server: Postgres = request.getfixturevalue("postgres")  # started only when a test needs it
    return server.new_database()
