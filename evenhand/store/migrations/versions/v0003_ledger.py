"""The ledger: events in a hash chain, the salts of its seals, and superseded versions for replay."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"

NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")

# Whoever may change tables may also drop these. They stop mistakes; the chain and its checkpoints find the rest.
SQLITE_TRIGGERS = [
    f"CREATE TRIGGER ledger_refuses_{change} BEFORE {change} ON ledger "
    "BEGIN SELECT RAISE(ABORT, 'the ledger is appended to, and nothing else'); END"
    for change in ("UPDATE", "DELETE")
]
POSTGRESQL_TRIGGERS = [
    "CREATE FUNCTION ledger_refuses() RETURNS trigger LANGUAGE plpgsql AS "
    "$$ BEGIN RAISE EXCEPTION 'the ledger is appended to, and nothing else'; END $$",
    "CREATE TRIGGER ledger_refuses_change BEFORE UPDATE OR DELETE ON ledger "
    "FOR EACH ROW EXECUTE FUNCTION ledger_refuses()",
    "CREATE TRIGGER ledger_refuses_emptying BEFORE TRUNCATE ON ledger "
    "FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuses()",
]


def upgrade() -> None:
    create_ledger()
    create_beside()
    create_versions()
    op.add_column("decisions", sa.Column("sequence", sa.BigInteger(), nullable=True))
    op.create_index("ix_decisions_sequence", "decisions", ["sequence"])
    is_sqlite = op.get_bind().dialect.name == "sqlite"
    for statement in SQLITE_TRIGGERS if is_sqlite else POSTGRESQL_TRIGGERS:
        op.execute(statement)


def create_ledger() -> None:
    op.create_table(
        "ledger",
        sa.Column("sequence", NUMBER, nullable=False, autoincrement=False),
        sa.Column("time", sa.String(length=40), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("actor", sa.String(length=64), nullable=False),
        sa.Column("job", sa.String(length=32), nullable=True),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("previous", sa.String(length=64), nullable=False),
        sa.Column("hash", sa.String(length=64), nullable=False),
        sa.PrimaryKeyConstraint("sequence", name="pk_ledger"),
    )
    op.create_index("ix_ledger_job_sequence", "ledger", ["job", "sequence"])
    op.create_index("ix_ledger_kind_sequence", "ledger", ["kind", "sequence"])
    op.create_index("ix_ledger_job_kind_sequence", "ledger", ["job", "kind", "sequence"])


def create_beside() -> None:
    op.create_table(
        "seals",
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("salt", sa.String(length=32), nullable=False),
        sa.Column("seal", sa.String(length=64), nullable=False),
        sa.PrimaryKeyConstraint("kind", "key", name="pk_seals"),
        sa.UniqueConstraint("seal", name="uq_seals_seal"),
    )
    op.create_table(
        "openings",
        sa.Column("sequence", sa.BigInteger(), nullable=False),
        sa.Column("name", sa.String(length=32), nullable=False),
        sa.Column("application", sa.String(length=32), nullable=True),
        sa.Column("salt", sa.String(length=32), nullable=False),
        sa.Column("value", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("sequence", "name", name="pk_openings"),
    )
    op.create_index("ix_openings_application", "openings", ["application"])
    op.create_table(
        "mentions",
        sa.Column("application", sa.String(length=32), nullable=False),
        sa.Column("sequence", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("application", "sequence", name="pk_mentions"),
    )


def create_versions() -> None:
    op.create_table(
        "job_versions",
        sa.Column("job", sa.String(length=32), nullable=False),
        sa.Column("sequence", sa.BigInteger(), nullable=False),
        sa.Column("until", sa.BigInteger(), nullable=False),
        sa.Column("hash", sa.String(length=64), nullable=False),
        sa.Column("requirements", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("job", "sequence", name="pk_job_versions"),
    )
    op.create_table(
        "mined_versions",
        sa.Column("id", NUMBER, nullable=False),
        sa.Column("sha256", sa.String(length=64), nullable=False),
        sa.Column("sequence", sa.BigInteger(), nullable=True),
        sa.Column("until", sa.BigInteger(), nullable=True),
        sa.Column("hash", sa.String(length=64), nullable=False),
        sa.Column("miner", sa.Text(), nullable=True),
        sa.Column("text", sa.LargeBinary(), nullable=True),
        sa.Column("profile", sa.LargeBinary(), nullable=True),
        sa.Column("digest_version", sa.Text(), nullable=True),
        sa.Column("digest", sa.LargeBinary(), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_mined_versions"),
    )
    op.create_index("ix_mined_versions_sha256_until", "mined_versions", ["sha256", "until"])
