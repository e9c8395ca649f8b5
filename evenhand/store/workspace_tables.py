"""What screeners keep beside decisions: notes, tags, saved searches, imports under way, how a job is to be shown."""

from __future__ import annotations

from sqlalchemy import Boolean, Column, ForeignKey, Index, Integer, String, Table, UniqueConstraint, false

from evenhand.store.columns import CleanText, UtcTime
from evenhand.store.tables import MASTER

notes = Table(
    "notes",
    MASTER,
    Column("id", String(32), primary_key=True),
    Column("application", ForeignKey("applications.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("actor", CleanText, nullable=False),
    Column("text", CleanText, nullable=False),
    Column("time", UtcTime, nullable=False),
)

tags = Table(
    "tags",
    MASTER,
    Column("application", ForeignKey("applications.id", ondelete="CASCADE"), primary_key=True),
    Column("tag", CleanText, primary_key=True),
    Column("actor", CleanText, nullable=False),
    Column("time", UtcTime, nullable=False),
)

saved_searches = Table(
    "saved_searches",
    MASTER,
    Column("id", String(32), primary_key=True),
    Column("job", ForeignKey("jobs.id"), nullable=False),
    Column("actor", CleanText, nullable=False),
    Column("name", CleanText, nullable=False),
    Column("query", CleanText, nullable=False),  # of the page's address: what is saved is what is shown
    Column("created", UtcTime, nullable=False),
    UniqueConstraint("job", "actor", "name"),
)

job_settings = Table(
    "job_settings",
    MASTER,
    Column("job", ForeignKey("jobs.id"), primary_key=True),
    Column("blind", Boolean, nullable=False, server_default=false()),
    Column("hide_schools", Boolean, nullable=False, server_default=false()),
)

flag_overrides = Table(
    "flag_overrides",
    MASTER,
    Column("application", ForeignKey("applications.id", ondelete="CASCADE"), primary_key=True),
    Column(
        "flag", String(64), primary_key=True
    ),  # hash of its code and message: a new finding is shown again
    Column("code", String(32), nullable=False),
    Column("actor", CleanText, nullable=False),
    Column("reason", CleanText, nullable=False),
    Column("time", UtcTime, nullable=False),
)

imports = Table(
    "imports",
    MASTER,
    Column("id", String(32), primary_key=True),
    Column("job", ForeignKey("jobs.id"), nullable=False, index=True),
    Column("actor", CleanText, nullable=False),
    Column("source", CleanText),
    Column("created", UtcTime, nullable=False),
    Column("sealed", UtcTime),  # no more files are coming: it may be called finished once all are done
    Column("finished", UtcTime),
)

import_files = Table(
    "import_files",
    MASTER,
    Column("import", ForeignKey("imports.id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("file", CleanText, nullable=False),
    Column("sha256", String(64)),  # None where the upload was refused before it was kept
    Column("size_bytes", Integer, nullable=False),
    Column("state", String(16), nullable=False),
    Column("code", String(32)),
    Column("message", CleanText),
    Index("ix_import_files_state", "state"),
)
