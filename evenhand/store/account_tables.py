"""The tables of accounts. Whatever lets its holder in is kept as a hash only: who reads them gets in nowhere."""

from __future__ import annotations

from sqlalchemy import Column, ForeignKey, Index, Integer, String, Table

from evenhand.store.columns import CleanText, UtcTime
from evenhand.store.tables import MASTER

users = Table(
    "users",
    MASTER,
    Column("id", String(32), primary_key=True),
    Column("login", CleanText, nullable=False, unique=True),  # as `accounts.normal_login` writes it
    Column("name", CleanText, nullable=False),
    Column("role", String(16), nullable=False),
    Column("password", CleanText),  # argon2id, with its parameters; None: no password signs this user in
    Column("created", UtcTime, nullable=False),
    Column("disabled", UtcTime),
)

sessions = Table(
    "sessions",
    MASTER,
    Column("hash", String(64), primary_key=True),
    Column("id", String(32), nullable=False, unique=True),
    Column("user", ForeignKey("users.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("opened", UtcTime, nullable=False),
    Column("seen", UtcTime, nullable=False),
)

links = Table(
    "links",
    MASTER,
    Column("hash", String(64), primary_key=True),
    Column("kind", String(16), nullable=False),
    Column("user", ForeignKey("users.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("expires", UtcTime, nullable=False),
)

tokens = Table(
    "tokens",
    MASTER,
    Column("id", String(32), primary_key=True),
    Column("hash", String(64), nullable=False, unique=True),
    Column("user", ForeignKey("users.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("name", CleanText, nullable=False),
    Column("created", UtcTime, nullable=False),
    Column("expires", UtcTime, nullable=False),
    Column("used", UtcTime),
)

throttle = Table(
    "throttle",
    MASTER,
    Column("kind", String(16), primary_key=True),  # login or address
    # A hash: people type passwords into the wrong field, and an address of the network is personal data.
    Column("hash", String(64), primary_key=True),
    Column("failures", Integer, nullable=False),
    Column("last", UtcTime, nullable=False),
    Column("until", UtcTime, nullable=False),
    Index("ix_throttle_last", "last"),
)

job_access = Table(
    "job_access",
    MASTER,
    Column("job", ForeignKey("jobs.id", ondelete="CASCADE"), primary_key=True),
    Column("user", ForeignKey("users.id", ondelete="CASCADE"), primary_key=True, index=True),
    Column("given", UtcTime, nullable=False),
)

identities = Table(
    "identities",
    MASTER,
    # Both as the provider wrote them: a subject is unique only within its issuer.
    Column("issuer", CleanText, primary_key=True),
    Column("subject", CleanText, primary_key=True),
    Column("user", ForeignKey("users.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("connected", UtcTime, nullable=False),
)

pending_sign_ins = Table(
    "pending_sign_ins",
    MASTER,
    Column("state", String(64), primary_key=True),  # a hash, as is the browser's
    Column("browser", String(64), nullable=False),
    Column("issuer", CleanText, nullable=False),
    Column("nonce", String(64), nullable=False),
    Column("verifier", String(128), nullable=False),
    Column("user", ForeignKey("users.id", ondelete="CASCADE"), index=True),
    Column("target", CleanText, nullable=False),
    Column("expires", UtcTime, nullable=False),
)
