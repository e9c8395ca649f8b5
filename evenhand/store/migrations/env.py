"""What Alembic runs: the steps, on the connection it is handed."""

from __future__ import annotations

from alembic import context

from evenhand.store.mined import MINED
from evenhand.store.store import VERSION_TABLE
from evenhand.store.tables import MASTER

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=[MASTER, MINED],
    version_table=VERSION_TABLE,
    transactional_ddl=True,
    render_as_batch=True,  # SQLite alters a table by writing it anew
)
context.run_migrations()
