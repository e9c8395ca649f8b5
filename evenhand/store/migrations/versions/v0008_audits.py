"""Bias audits are kept, and run by a schedule."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"

MOMENT = sa.DateTime().with_variant(sa.DateTime(timezone=True), "postgresql")


def upgrade() -> None:
    op.create_table(
        "audit_schedules",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("job", sa.String(length=32), nullable=True),
        sa.Column("every", sa.String(length=16), nullable=False),
        sa.Column("request", sa.Text(), nullable=False),
        sa.Column("due", MOMENT, nullable=False),
        sa.Column("actor", sa.Text(), nullable=False),
        sa.Column("made", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_audit_schedules"),
        sa.ForeignKeyConstraint(["job"], ["jobs.id"], name="fk_audit_schedules_job"),
        sa.UniqueConstraint("job", name="uq_audit_schedules_job"),
    )
    op.create_table(
        "audits",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("kind", sa.String(length=64), nullable=False),
        sa.Column("job", sa.String(length=32), nullable=True),
        sa.Column("request", sa.Text(), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("actor", sa.Text(), nullable=False),
        sa.Column("asked", MOMENT, nullable=False),
        sa.Column("schedule", sa.String(length=32), nullable=True),
        sa.Column("due", MOMENT, nullable=True),
        sa.Column("alive", MOMENT, nullable=True),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("done", sa.Integer(), nullable=False),
        sa.Column("total", sa.Integer(), nullable=False),
        sa.Column("doing", sa.Text(), nullable=True),
        sa.Column("message", sa.Text(), nullable=True),
        sa.Column("made", MOMENT, nullable=True),
        sa.Column("worst", sa.String(length=16), nullable=True),
        sa.Column("findings", sa.Text(), nullable=True),
        sa.Column("report", sa.LargeBinary(), nullable=True),
        sa.Column("hash", sa.String(length=64), nullable=True),
        sa.Column("scrubbed", MOMENT, nullable=True),
        sa.Column("previous", sa.String(length=32), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_audits"),
        sa.ForeignKeyConstraint(["job"], ["jobs.id"], name="fk_audits_job"),
        sa.UniqueConstraint("schedule", "due", "job", name="uq_audits_schedule_due_job"),
    )
    op.create_index("ix_audits_job", "audits", ["job"])
    op.create_index("ix_audits_state", "audits", ["state"])
