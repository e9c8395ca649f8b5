"""Corrections, erasures, backups and rules of retention."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"

MOMENT = sa.DateTime().with_variant(sa.DateTime(timezone=True), "postgresql")


def upgrade() -> None:
    create_corrections()
    create_erasures()
    create_retention()


def create_corrections() -> None:
    op.create_table(
        "corrections",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("document", sa.String(length=64), nullable=False),
        sa.Column("application", sa.String(length=32), nullable=True),
        sa.Column("field", sa.String(length=32), nullable=False),
        sa.Column("change", sa.Text(), nullable=False),
        sa.Column("old", sa.Text(), nullable=True),
        sa.Column("new", sa.Text(), nullable=True),
        sa.Column("actor", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("time", MOMENT, nullable=False),
        sa.Column("undone", MOMENT, nullable=True),
        sa.Column("undone_by", sa.Text(), nullable=True),
        sa.Column("ranks", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_corrections"),
        _of_document("corrections"),
        sa.ForeignKeyConstraint(
            ["application"], ["applications.id"], name="fk_corrections_application", ondelete="SET NULL"
        ),
    )
    op.create_index("ix_corrections_document", "corrections", ["document"])
    op.create_index("ix_corrections_application", "corrections", ["application"])
    op.create_table(
        "readings",
        sa.Column("document", sa.String(length=64), nullable=False),
        sa.Column("miner", sa.Text(), nullable=False),
        sa.Column("profile", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("document", name="pk_readings"),
        _of_document("readings"),
    )


def create_erasures() -> None:
    op.create_table(
        "erasures",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("begun", MOMENT, nullable=False),
        sa.Column("finished", MOMENT, nullable=True),
        sa.Column("actor", sa.Text(), nullable=False),
        sa.Column("applications", sa.Text(), nullable=False),
        sa.Column("certificate", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_erasures"),
    )
    op.create_table(
        "backups",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("place", sa.Text(), nullable=False),
        sa.Column("made", MOMENT, nullable=False),
        sa.Column("expires", MOMENT, nullable=True),
        sa.Column("gone", MOMENT, nullable=True),
        sa.Column("actor", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_backups"),
    )


def create_retention() -> None:
    op.create_table(
        "retention_rules",
        sa.Column("job", sa.String(length=32), nullable=False),
        sa.Column("status", sa.String(length=16), nullable=False),
        sa.Column("days", sa.Integer(), nullable=False),
        sa.Column("actor", sa.Text(), nullable=False),
        sa.Column("time", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("job", "status", name="pk_retention_rules"),
    )
    op.create_table(
        "holds",
        sa.Column("application", sa.String(length=32), nullable=False),
        sa.Column("actor", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("time", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("application", name="pk_holds"),
        sa.ForeignKeyConstraint(["application"], ["applications.id"], name="fk_holds_application", ondelete="CASCADE"),
    )


def _of_document(table: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(["document"], ["documents.sha256"], name=f"fk_{table}_document", ondelete="CASCADE")
