"""Options of the test suite, and the databases its tests run on."""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import hypothesis
import pytest
from hypothesis import HealthCheck
from sqlalchemy import Engine, create_engine, event

from evenhand.store.database import Database
from evenhand.store.store import upgrade
from evenhand_lab.benchmarks.postgres import Postgres

DATABASES = ["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)]
ON_BOTH = {"store", "ledger"}
"""Folders whose tests run on both databases: no other package writes SQL. A few files elsewhere are marked for both."""
Statements = list[tuple[str, Any]]
MEMORY, ROOM_BYTES = Path("/dev/shm"), 4_000_000_000  # a run leaves a tenth of that


def pytest_configure() -> None:
    # How long an example takes says how busy the machine is. What is slow is measured by benchmarks.
    hypothesis.settings.register_profile("suite", deadline=None, suppress_health_check=[HealthCheck.too_slow])
    hypothesis.settings.load_profile("suite")
    # A shell without job control makes what it starts in the background deaf to Ctrl-C, its children included.
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if "TMPDIR" not in os.environ and _is_roomy(MEMORY):
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Files with slow tests first: one of them begun last would run alone and leave a core idle."""
    slow = {item.path for item in items if item.get_closest_marker("slow")}
    items.sort(key=lambda item: item.path not in slow)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    folder = metafunc.definition.path.relative_to(Path(__file__).parent).parts[0]
    both = folder in ON_BOTH or metafunc.definition.get_closest_marker("both_databases")
    chosen = {mark.args[0] for mark in metafunc.definition.iter_markers("parametrize")}  # by the test itself
    for name in {"database_url", "bare_database_url"} & set(metafunc.fixturenames) - chosen:
        metafunc.parametrize(name, DATABASES if both else ["sqlite"], indirect=True)


def _is_roomy(folder: Path) -> bool:
    """Every commit of a database or an index waits for the disk, and there are tens of thousands of them."""
    if not os.access(folder, os.W_OK | os.X_OK) or os.statvfs(folder).f_flag & os.ST_NOEXEC:
        return False
    return shutil.disk_usage(folder).free >= ROOM_BYTES


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    # In memory where there is room: a schema per test is a hundred thousand files in the end, to be removed again.
    server = Postgres(folder=MEMORY if _is_roomy(MEMORY) else Path("/tmp"))
    server.start()
    yield server
    server.stop()


@pytest.fixture
def bare_database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of a database without tables."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'evenhand.db'}"
    server: Postgres = request.getfixturevalue("postgres")  # started only when a test needs it
    return server.new_database()


@pytest.fixture
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of a database with all tables and nothing in them.

    The migrations run once for all tests: hundreds of times over they would take minutes.
    """
    if request.param == "sqlite":
        shutil.copy(request.getfixturevalue("sqlite_tables"), tmp_path / "evenhand.db")
        return f"sqlite:///{tmp_path / 'evenhand.db'}"
    statements: Statements = request.getfixturevalue("postgres_tables")
    server: Postgres = request.getfixturevalue("postgres")
    url = server.new_database()
    engine = create_engine(url)
    with engine.begin() as connection:
        for statement, parameters in statements:
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
def postgres_tables(postgres: Postgres) -> Statements:
    """What the migrations send to the server, to be sent again."""
    url = postgres.new_database()
    statements: Statements = []

    def record(_: Any, __: Any, statement: str, parameters: Any, *___: Any) -> None:
        if not statement.lstrip().startswith("SELECT"):
            statements.append((statement, parameters))

    event.listen(Engine, "before_cursor_execute", record)
    try:
        _make_tables(url)
    finally:
        event.remove(Engine, "before_cursor_execute", record)
    return statements


def _make_tables(url: str) -> None:
    database = Database(url)
    upgrade(database)
    database.close()
