"""What screeners keep beside decisions: notes, tags, saved searches, imports, job settings."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"

MOMENT = sa.DateTime().with_variant(sa.DateTime(timezone=True), "postgresql")


def upgrade() -> None:
    create_remarks()
    create_pages()
    create_imports()
    op.create_index("ix_applications_job_status", "applications", ["job", "status"])


def create_remarks() -> None:
    op.create_table(
        "notes",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("application", sa.String(length=32), nullable=False),
        sa.Column("actor", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("time", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_notes"),
        _of_application("notes"),
    )
    op.create_index("ix_notes_application", "notes", ["application"])
    op.create_table(
        "tags",
        sa.Column("application", sa.String(length=32), nullable=False),
        sa.Column("tag", sa.Text(), nullable=False),
        sa.Column("actor", sa.Text(), nullable=False),
        sa.Column("time", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("application", "tag", name="pk_tags"),
        _of_application("tags"),
    )
    op.create_table(
        "flag_overrides",
        sa.Column("application", sa.String(length=32), nullable=False),
        sa.Column("flag", sa.String(length=64), nullable=False),
        sa.Column("code", sa.String(length=32), nullable=False),
        sa.Column("actor", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("time", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("application", "flag", name="pk_flag_overrides"),
        _of_application("flag_overrides"),
    )


def create_pages() -> None:
    op.create_table(
        "saved_searches",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("job", sa.String(length=32), nullable=False),
        sa.Column("actor", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("query", sa.Text(), nullable=False),
        sa.Column("created", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_saved_searches"),
        _of_job("saved_searches"),
        sa.UniqueConstraint("job", "actor", "name", name="uq_saved_searches_job_actor_name"),
    )
    op.create_table(
        "job_settings",
        sa.Column("job", sa.String(length=32), nullable=False),
        sa.Column("blind", sa.Boolean(), nullable=False, server_default=sa.false()),
        sa.Column("hide_schools", sa.Boolean(), nullable=False, server_default=sa.false()),
        sa.PrimaryKeyConstraint("job", name="pk_job_settings"),
        _of_job("job_settings"),
    )


def create_imports() -> None:
    op.create_table(
        "imports",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("job", sa.String(length=32), nullable=False),
        sa.Column("actor", sa.Text(), nullable=False),
        sa.Column("source", sa.Text(), nullable=True),
        sa.Column("created", MOMENT, nullable=False),
        sa.Column("sealed", MOMENT, nullable=True),
        sa.Column("finished", MOMENT, nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_imports"),
        _of_job("imports"),
    )
    op.create_index("ix_imports_job", "imports", ["job"])
    op.create_table(
        "import_files",
        sa.Column("import", sa.String(length=32), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("file", sa.Text(), nullable=False),
        sa.Column("sha256", sa.String(length=64), nullable=True),
        sa.Column("size_bytes", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("code", sa.String(length=32), nullable=True),
        sa.Column("message", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("import", "number", name="pk_import_files"),
        sa.ForeignKeyConstraint(["import"], ["imports.id"], name="fk_import_files_import", ondelete="CASCADE"),
    )
    op.create_index("ix_import_files_state", "import_files", ["state"])


def _of_application(table: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(
        ["application"], ["applications.id"], name=f"fk_{table}_application", ondelete="CASCADE"
    )


def _of_job(table: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(["job"], ["jobs.id"], name=f"fk_{table}_job")
