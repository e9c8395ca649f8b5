"""A database as version 0.1.0 made it: the statements it sent."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import Connection, create_engine, make_url

STATEMENTS = Path(__file__).parent / "release_0_1_0"


@contextmanager
def released_tables(url: str) -> Iterator[Connection]:
    """In the transaction in which they are made, for rows to be added."""
    engine = create_engine(url)
    path = STATEMENTS / f"{make_url(url).get_backend_name()}.sql"
    with engine.begin() as connection:
        for statement in path.read_text().split(";\n\n"):
            connection.exec_driver_sql(statement)
        yield connection
    engine.dispose()
