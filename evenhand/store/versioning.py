"""Which version of the tables a database has, and bringing it to ours."""

from __future__ import annotations

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, text

from evenhand.errors import StoreError
from evenhand.store.database import Database
from evenhand.version import __version__

VERSION_TABLE = "evenhand_version"
MIGRATIONS = Path(__file__).parent / "migrations"
LOCK = 0x65_76_65_6E  # any number, but always this one


def upgrade(database: Database) -> None:
    """Brings an older database to our version; refuses one that a newer Evenhand has changed."""
    scripts = ScriptDirectory(str(MIGRATIONS))
    with database.reading() as connection:
        if current_version(connection) == scripts.get_current_head():
            return
    with database.transaction() as connection:
        # SQLite has locked the file; in PostgreSQL a second process that opens waits here and finds all done.
        if connection.dialect.name == "postgresql":
            connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": LOCK})
        _refuse_unknown(current_version(connection), scripts, database.name)
        command.upgrade(configuration(connection), "head")


def current_version(connection: Connection) -> str | None:
    context = MigrationContext.configure(connection, opts={"version_table": VERSION_TABLE})
    return context.get_current_revision()


def configuration(connection: Connection) -> Config:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    return config


def _refuse_unknown(version: str | None, scripts: ScriptDirectory, name: str) -> None:
    known = {script.revision for script in scripts.walk_revisions()}
    if version is not None and version not in known:
        raise StoreError(
            f"The database {name} was written by a newer Evenhand (its tables are at {version}); "
            f"this is {__version__}, which must be updated to open it."
        )
