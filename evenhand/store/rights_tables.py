"""What applicants have a right to: corrections, erasures, how long they are kept, and where copies of them lie."""

from __future__ import annotations

from sqlalchemy import Column, ForeignKey, Integer, LargeBinary, String, Table

from evenhand.store.columns import CleanText, JsonText, UtcTime
from evenhand.store.tables import MASTER

corrections = Table(
    "corrections",
    MASTER,
    Column("id", String(32), primary_key=True),
    # What was misread stands in the file: it is put right for everyone who sent it, and goes when the file goes.
    Column("document", ForeignKey("documents.sha256", ondelete="CASCADE"), nullable=False, index=True),
    Column("application", ForeignKey("applications.id", ondelete="SET NULL"), index=True),
    Column("field", String(32), nullable=False),
    Column("change", JsonText, nullable=False),  # the new value, and where in the text it and its entry stand
    Column("old", JsonText),
    Column("new", JsonText),
    Column("actor", CleanText, nullable=False),
    Column("reason", CleanText, nullable=False),
    Column("time", UtcTime, nullable=False),
    Column("undone", UtcTime),
    Column("undone_by", CleanText),
    Column("ranks", JsonText),  # in the job's list before and after, and after it was taken back
)

readings = Table(
    "readings",
    MASTER,
    Column("document", ForeignKey("documents.sha256", ondelete="CASCADE"), primary_key=True),
    Column("miner", CleanText, nullable=False),
    Column("profile", LargeBinary, nullable=False),  # packed, as the program read it, before any correction
)
"""Kept while corrections stand on them, so that one can be taken back without the others."""

erasures = Table(
    "erasures",
    MASTER,
    Column("id", String(32), primary_key=True),
    Column("begun", UtcTime, nullable=False),
    Column("finished", UtcTime),  # None: cut off, to be finished by whoever opens the store next
    Column("actor", CleanText, nullable=False),
    Column("applications", JsonText, nullable=False),  # ids, which mean nothing any more
    Column("certificate", JsonText, nullable=False),  # as far as it is known; signed when finished
)

backups = Table(
    "backups",
    MASTER,
    Column("id", String(32), primary_key=True),
    Column("place", CleanText, nullable=False),
    Column("made", UtcTime, nullable=False),
    Column("expires", UtcTime),
    Column("gone", UtcTime),
    Column("actor", CleanText, nullable=False),
)

retention_rules = Table(
    "retention_rules",
    MASTER,
    Column("job", String(32), primary_key=True),  # "" for every job without a rule of its own
    Column("status", String(16), primary_key=True),
    Column("days", Integer, nullable=False),
    Column("actor", CleanText, nullable=False),
    Column("time", UtcTime, nullable=False),
)

holds = Table(
    "holds",
    MASTER,
    Column("application", ForeignKey("applications.id", ondelete="CASCADE"), primary_key=True),
    Column("actor", CleanText, nullable=False),
    Column("reason", CleanText, nullable=False),
    Column("time", UtcTime, nullable=False),
)
"""Applications that must not be erased, such as while a court has to decide."""
