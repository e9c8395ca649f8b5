"""The first tables: master data, mined data and the counter of revisions."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

# Spelled out, not imported: a step stays as it was when the tables of today move on.
MOMENT = sa.DateTime().with_variant(sa.DateTime(timezone=True), "postgresql")
NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    create_counters()
    create_people_and_jobs()
    create_applications()
    create_decisions()
    create_refusals()
    create_mined()


def create_counters() -> None:
    op.create_table(
        "counters",
        sa.Column("name", sa.String(length=32), nullable=False),
        sa.Column("value", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_counters"),
    )
    counters = sa.table("counters", sa.column("name"), sa.column("value"))
    op.bulk_insert(counters, [{"name": "revision", "value": 0}])


def create_people_and_jobs() -> None:
    op.create_table(
        "jobs",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("title", sa.Text(), nullable=True),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("requirements", sa.Text(), nullable=False),
        sa.Column("created", MOMENT, nullable=False),
        sa.Column("closed", MOMENT, nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_jobs"),
    )
    op.create_table(
        "candidates",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("form", sa.Text(), nullable=False),
        sa.Column("created", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_candidates"),
    )
    op.create_table(
        "documents",
        sa.Column("sha256", sa.String(length=64), nullable=False),
        sa.Column("size_bytes", sa.BigInteger(), nullable=False),
        sa.Column("format", sa.String(length=16), nullable=True),
        sa.Column("file", sa.Text(), nullable=True),
        sa.Column("received", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("sha256", name="pk_documents"),
    )
    op.create_table(
        "watch_entries",
        sa.Column("list", sa.String(length=32), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("note", sa.Text(), nullable=True),
        sa.Column("added", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("list", "name", name="pk_watch_entries"),
    )


def create_applications() -> None:
    op.create_table(
        "applications",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("job", sa.String(length=32), nullable=False),
        sa.Column("candidate", sa.String(length=32), nullable=False),
        sa.Column("document", sa.String(length=64), nullable=False),
        sa.Column("source", sa.Text(), nullable=True),
        sa.Column("status", sa.String(length=16), nullable=False),
        sa.Column("file", sa.Text(), nullable=True),
        sa.Column("received", MOMENT, nullable=False),
        sa.Column("revision", sa.BigInteger(), nullable=False),
        sa.Column("content", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["candidate"], ["candidates.id"], name="fk_applications_candidate"),
        sa.ForeignKeyConstraint(["document"], ["documents.sha256"], name="fk_applications_document"),
        sa.ForeignKeyConstraint(["job"], ["jobs.id"], name="fk_applications_job"),
        sa.PrimaryKeyConstraint("id", name="pk_applications"),
        sa.UniqueConstraint("job", "document", name="uq_applications_job_document"),
        sa.UniqueConstraint("revision", name="uq_applications_revision"),
    )
    op.create_index("ix_applications_candidate", "applications", ["candidate"])
    op.create_index("ix_applications_document", "applications", ["document"])
    op.create_table(
        "labels",
        sa.Column("application", sa.String(length=32), nullable=False),
        sa.Column("user", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("label", sa.String(length=32), nullable=False),
        sa.Column("time", MOMENT, nullable=False),
        sa.ForeignKeyConstraint(["application"], ["applications.id"], name="fk_labels_application", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("application", "user", "version", name="pk_labels"),
    )
    op.create_table(
        "removed",
        sa.Column("application", sa.String(length=32), nullable=False),
        sa.Column("revision", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("application", name="pk_removed"),
    )
    op.create_index("ix_removed_revision", "removed", ["revision"])


def create_decisions() -> None:
    op.create_table(
        "decisions",
        sa.Column("id", NUMBER, nullable=False),
        sa.Column("application", sa.String(length=32), nullable=False),
        sa.Column("action", sa.String(length=16), nullable=False),
        sa.Column("from_status", sa.String(length=16), nullable=False),
        sa.Column("to_status", sa.String(length=16), nullable=False),
        sa.Column("actor", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("batch", sa.String(length=32), nullable=False),
        sa.Column("time", MOMENT, nullable=False),
        sa.Column("undone_by", NUMBER, nullable=True),
        sa.ForeignKeyConstraint(["undone_by"], ["decisions.id"], name="fk_decisions_undone_by"),
        sa.PrimaryKeyConstraint("id", name="pk_decisions"),
    )
    op.create_index("ix_decisions_application", "decisions", ["application"])
    op.create_index("ix_decisions_batch_application", "decisions", ["batch", "application"])


def create_refusals() -> None:
    op.create_table(
        "refusals",
        sa.Column("id", NUMBER, nullable=False),
        sa.Column("job", sa.String(length=32), nullable=False),
        sa.Column("file", sa.Text(), nullable=False),
        sa.Column("sha256", sa.String(length=64), nullable=True),
        sa.Column("code", sa.String(length=32), nullable=False),
        sa.Column("message", sa.Text(), nullable=False),
        sa.Column("received", MOMENT, nullable=False),
        sa.ForeignKeyConstraint(["job"], ["jobs.id"], name="fk_refusals_job"),
        sa.PrimaryKeyConstraint("id", name="pk_refusals"),
    )
    op.create_index("ix_refusals_job", "refusals", ["job"])


def create_mined() -> None:
    op.create_table(
        "mined_documents",
        sa.Column("sha256", sa.String(length=64), nullable=False),
        sa.Column("status", sa.String(length=16), nullable=False),
        sa.Column("error_code", sa.String(length=32), nullable=True),
        sa.Column("error_message", sa.Text(), nullable=True),
        sa.Column("warnings", sa.Text(), nullable=False),
        sa.Column("text", sa.LargeBinary(), nullable=False),
        sa.Column("document", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("sha256", name="pk_mined_documents"),
    )
    op.create_table(
        "mined_profiles",
        sa.Column("sha256", sa.String(length=64), nullable=False),
        sa.Column("as_of", sa.String(length=16), nullable=False),
        sa.Column("miner", sa.Text(), nullable=False),
        sa.Column("profile", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("sha256", name="pk_mined_profiles"),
    )
    op.create_table(
        "mined_digests",
        sa.Column("sha256", sa.String(length=64), nullable=False),
        sa.Column("version", sa.Text(), nullable=False),
        sa.Column("digest", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("sha256", name="pk_mined_digests"),
    )
    op.create_table(
        "mined_sketches",
        sa.Column("sha256", sa.String(length=64), nullable=False),
        sa.Column("sketch", sa.LargeBinary(), nullable=False),
        sa.Column("compared", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("sha256", name="pk_mined_sketches"),
    )
    op.create_index("ix_mined_sketches_compared_sha256", "mined_sketches", ["compared", "sha256"])
    op.create_table(
        "mined_duplicates",
        sa.Column("first", sa.String(length=64), nullable=False),
        sa.Column("second", sa.String(length=64), nullable=False),
        sa.Column("resemblance", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("first", "second", name="pk_mined_duplicates"),
    )
    op.create_index("ix_mined_duplicates_second", "mined_duplicates", ["second"])
