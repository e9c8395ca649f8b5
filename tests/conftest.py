"""Options of the test suite, and the databases its tests run on."""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, create_engine, event

from evenhand.store.database import Database, upgrade
from evenhand_lab.benchmarks.postgres import Postgres

BOTH = ["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)]
Said = list[tuple[str, Any]]
MEMORY, ROOM_BYTES = Path("/dev/shm"), 4_000_000_000  # a run leaves a tenth of that


def pytest_configure() -> None:
    # A shell without job control makes what it starts in the background deaf to Ctrl-C, its children included.
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if "TMPDIR" not in os.environ and _is_roomy(MEMORY):
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Files with slow tests first: one of them begun last would run alone and leave a core idle."""
    slow = {item.path for item in items if item.get_closest_marker("slow")}
    items.sort(key=lambda item: item.path not in slow)


def _is_roomy(folder: Path) -> bool:
    """Every commit of a database or an index waits for the disk, and there are tens of thousands of them."""
    if not os.access(folder, os.W_OK | os.X_OK) or os.statvfs(folder).f_flag & os.ST_NOEXEC:
        return False
    return shutil.disk_usage(folder).free >= ROOM_BYTES


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    server = Postgres()
    server.start()
    yield server
    server.stop()


@pytest.fixture(params=BOTH)
def bare_database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of a database without tables; a test that asks for it runs on both."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'evenhand.db'}"
    server: Postgres = request.getfixturevalue("postgres")  # started only when a test needs it
    return server.new_database()


@pytest.fixture(params=BOTH)
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of a database with all tables and nothing in them; a test that asks for it runs on both.

    The migrations run once for all tests: hundreds of times over they would take minutes.
    """
    if request.param == "sqlite":
        shutil.copy(request.getfixturevalue("sqlite_tables"), tmp_path / "evenhand.db")
        return f"sqlite:///{tmp_path / 'evenhand.db'}"
    said: Said = request.getfixturevalue("postgres_tables")
    server: Postgres = request.getfixturevalue("postgres")
    url = server.new_database()
    engine = create_engine(url)
    with engine.begin() as connection:
        for statement, parameters in said:
            connection.exec_driver_sql(statement, parameters)
    engine.dispose()
    return url


@pytest.fixture(scope="session")
def sqlite_tables(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file to copy."""
    path = tmp_path_factory.mktemp("tables") / "evenhand.db"
    _make_tables(f"sqlite:///{path}")
    return path


@pytest.fixture(scope="session")
def postgres_tables(postgres: Postgres) -> Said:
    """What the migrations say to the server, to be said again."""
    url = postgres.new_database()
    said: Said = []

    def note(_: Any, __: Any, statement: str, parameters: Any, *___: Any) -> None:
        if not statement.lstrip().startswith("SELECT"):
            said.append((statement, parameters))

    event.listen(Engine, "before_cursor_execute", note)
    try:
        _make_tables(url)
    finally:
        event.remove(Engine, "before_cursor_execute", note)
    return said


def _make_tables(url: str) -> None:
    database = Database(url)
    upgrade(database)
    database.close()
