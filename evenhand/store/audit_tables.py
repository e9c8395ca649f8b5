"""Bias audits that are asked for, under way and done, and when they are due again."""

from __future__ import annotations

from sqlalchemy import Column, ForeignKey, Integer, LargeBinary, String, Table, UniqueConstraint

from evenhand.store.columns import CleanText, JsonText, UtcTime
from evenhand.store.tables import MASTER

audit_schedules = Table(
    "audit_schedules",
    MASTER,
    Column("id", String(32), primary_key=True),
    Column("job", ForeignKey("jobs.id"), unique=True),  # None: every open job
    Column("every", String(16), nullable=False),
    Column("request", JsonText, nullable=False),
    Column("due", UtcTime, nullable=False),
    Column("actor", CleanText, nullable=False),
    Column("made", UtcTime, nullable=False),
)

audits = Table(
    "audits",
    MASTER,
    Column("id", String(32), primary_key=True),
    Column("kind", String(64), nullable=False),  # what was measured: "swaps", "swaps+outcomes", "model"
    Column("job", ForeignKey("jobs.id"), index=True),
    Column("request", JsonText, nullable=False),
    Column("state", String(16), nullable=False, index=True),
    Column("actor", CleanText, nullable=False),
    Column("asked", UtcTime, nullable=False),
    Column("schedule", String(32)),
    Column("due", UtcTime),  # for which date of its schedule
    Column("alive", UtcTime),  # when whoever works on it last said so
    Column("attempts", Integer, nullable=False),
    Column("done", Integer, nullable=False),
    Column("total", Integer, nullable=False),
    Column("doing", CleanText),
    Column("message", CleanText),  # why it failed
    Column("made", UtcTime),
    Column("worst", String(16)),
    Column("findings", JsonText),  # severity by code: to compare without reading whole reports
    Column("report", LargeBinary),  # packed; it may quote resumes
    Column("hash", String(64)),  # of the report as it was made; the ledger has it too
    Column("scrubbed", UtcTime),  # since when somebody who was erased is no longer quoted in it
    Column("previous", String(32)),
    # Two servers may look at the same schedule at the same time; a date is run once for each job.
    UniqueConstraint("schedule", "due", "job"),
)
