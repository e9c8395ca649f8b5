"""The ledger and what lies beside it: salts and sealed values that erasure deletes, and versions that replay needs."""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, Index, LargeBinary, String, Table, Text

from evenhand.store.columns import BigId, CleanText, JsonText
from evenhand.store.tables import MASTER

ledger = Table(
    "ledger",
    MASTER,
    Column("sequence", BigId, primary_key=True, autoincrement=False),
    Column("time", String(40), nullable=False),  # as it was hashed
    Column("kind", String(16), nullable=False),
    Column("actor", String(64), nullable=False),
    Column("job", String(32)),  # no foreign key: a record outlives what it is about
    Column("body", Text, nullable=False),
    Column("previous", String(64), nullable=False),
    Column("hash", String(64), nullable=False),
    Index("ix_ledger_job_sequence", "job", "sequence"),
    Index("ix_ledger_kind_sequence", "kind", "sequence"),
    # Decisions on a job are looked for on every page, among very many rankings that were shown.
    Index("ix_ledger_job_kind_sequence", "job", "kind", "sequence"),
)

seals = Table(
    "seals",
    MASTER,
    Column("kind", String(16), primary_key=True),  # application or actor
    Column("key", CleanText, primary_key=True),
    Column("salt", String(32), nullable=False),
    Column("seal", String(64), nullable=False, unique=True),
)

openings = Table(
    "openings",
    MASTER,
    Column("sequence", BigInteger, primary_key=True),
    Column("name", String(32), primary_key=True),
    Column("application", String(32), index=True),  # whose it is; None: nobody's in particular
    Column("salt", String(32), nullable=False),
    Column("value", LargeBinary, nullable=False),  # packed canonical JSON
)

mentions = Table(
    "mentions",
    MASTER,
    Column("application", String(32), primary_key=True),
    Column("sequence", BigInteger, primary_key=True),
)
"""Which events an application is in, so that its history need not be looked for in all of them."""

job_versions = Table(
    "job_versions",
    MASTER,
    Column("job", String(32), primary_key=True),
    Column("sequence", BigInteger, primary_key=True),  # of the event that superseded it
    Column("until", BigInteger, nullable=False),  # the last revision of the store at which it was in force
    Column("hash", String(64), nullable=False),
    Column("requirements", JsonText, nullable=False),
)

mined_versions = Table(
    "mined_versions",
    MASTER,
    Column("id", BigId, primary_key=True),
    Column("sha256", String(64), nullable=False),
    Column("sequence", BigInteger),  # the newest event when it was superseded
    Column(
        "until", BigInteger
    ),  # the last revision at which it was in force; None: dropped, and nothing new yet
    Column("hash", String(64), nullable=False),
    Column("miner", CleanText),
    Column("text", LargeBinary),  # None, as the next ones: nothing had been mined until then
    Column("profile", LargeBinary),
    Column("digest_version", CleanText),
    Column("digest", LargeBinary),
    Index("ix_mined_versions_sha256_until", "sha256", "until"),
)

LEDGER_TABLES = (ledger, seals, openings, mentions, job_versions, mined_versions)
