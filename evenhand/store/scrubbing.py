"""After rows were deleted: so that what they held is nowhere in the database's files any more."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from sqlalchemy import text

from evenhand.errors import StoreError
from evenhand.store.database import Database

REWRITTEN_BYTES = 1_000_000_000
"""Larger databases are not written anew while people work with them."""

REWRITTEN = "rewritten"  # the whole database, or the whole table, was written anew
OVERWRITTEN = "overwritten"  # with zeros, in its place
VACUUMED = "vacuumed"  # the space is free and will be written over


def scrub(database: Database, *, tables: tuple[str, ...], limit_bytes: int = REWRITTEN_BYTES) -> str:
    """How it was done: one of the words above."""
    if database.url.get_backend_name() == "sqlite":
        with database.alone() as connection:
            return _scrub_sqlite(connection, Path(str(database.url.database)), limit_bytes)
    return _scrub_postgresql(database, tables, limit_bytes)


def _scrub_sqlite(connection: sqlite3.Connection, path: Path, limit_bytes: int) -> str:
    """Deleted rows have been zeroed (secure_delete), but older versions of Evenhand did not ask for that, and the log
    still holds pages as they were."""
    is_small = path.stat().st_size <= limit_bytes
    if is_small:
        connection.execute("VACUUM").close()
    is_busy = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]  # waits for readers
    if is_busy:
        raise StoreError(
            "Somebody has been reading the database for so long that its log cannot be emptied yet."
        )
    return REWRITTEN if is_small else OVERWRITTEN


def _scrub_postgresql(database: Database, tables: tuple[str, ...], limit_bytes: int) -> str:
    """A rewritten table is a new file, and the old one is removed from the disk."""
    with database.autocommitting() as connection:
        sizes = [
            connection.execute(text("SELECT pg_total_relation_size(:name)"), {"name": name}).scalar_one()
            for name in tables
        ]
        is_small = sum(sizes) <= limit_bytes
        for name in tables:
            connection.execute(text(f'VACUUM {"(FULL) " if is_small else ""}"{name}"'))
    return REWRITTEN if is_small else VACUUMED
