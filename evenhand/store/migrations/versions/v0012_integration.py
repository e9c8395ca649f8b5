"""External ids of jobs and applications, the application that each imported file became, and answers to repeat."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"

MOMENT = sa.DateTime().with_variant(sa.DateTime(timezone=True), "postgresql")


def upgrade() -> None:
    for table in ("jobs", "applications", "import_files"):
        op.add_column(table, sa.Column("external_id", sa.Text(), nullable=True))
    # Unique indexes and no constraints, which SQLite could only add by copying the whole table.
    op.create_index("ix_jobs_external_id", "jobs", ["external_id"], unique=True)
    op.create_index("ix_applications_job_external_id", "applications", ["job", "external_id"], unique=True)
    op.add_column("import_files", sa.Column("application", sa.String(length=32), nullable=True))
    op.execute(
        "UPDATE import_files SET application = (SELECT applications.id FROM applications "
        'JOIN imports ON imports.job = applications.job WHERE imports.id = import_files."import" '
        "AND applications.document = import_files.sha256) WHERE state IN ('added', 'known')"
    )
    op.create_table(
        "repeatable_answers",
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("request", sa.String(length=64), nullable=False),
        sa.Column("begun", MOMENT, nullable=False),
        sa.Column("answer", sa.LargeBinary(), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_repeatable_answers"),
    )
    op.create_index("ix_repeatable_answers_begun", "repeatable_answers", ["begun"])
