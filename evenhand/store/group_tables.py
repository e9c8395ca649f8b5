"""Who said which group they belong to: a table that nothing which finds, ranks or shows applicants may import."""

from __future__ import annotations

from sqlalchemy import Column, ForeignKey, String, Table

from evenhand.store.columns import CleanText, UtcTime
from evenhand.store.tables import MASTER

self_identifications = Table(
    "self_identifications",
    MASTER,
    Column("application", ForeignKey("applications.id", ondelete="CASCADE"), primary_key=True),
    Column("variable", String(64), primary_key=True),  # sex, race, ...
    Column("value", CleanText),  # None: asked, and not answered
    Column("time", UtcTime, nullable=False),
)
