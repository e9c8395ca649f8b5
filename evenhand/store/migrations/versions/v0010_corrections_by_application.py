"""Corrections belong to applications: what was corrected for a file becomes so for every application with it."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0008"

MOMENT = sa.DateTime().with_variant(sa.DateTime(timezone=True), "postgresql")
COPIED = ("id", "document", "field", "change", "old", "new", "actor", "reason", "time", "undone", "undone_by")


def upgrade() -> None:
    op.add_column("mined_versions", sa.Column("application", sa.String(length=32), nullable=True))
    op.create_table(
        "corrected_profiles",
        sa.Column("application", sa.String(length=32), nullable=False),
        sa.Column("sha256", sa.String(length=64), nullable=False),
        sa.Column("profile", sa.LargeBinary(), nullable=False),
        sa.Column("version", sa.Text(), nullable=False),
        sa.Column("digest", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("application", name="pk_corrected_profiles"),
    )
    op.create_index("ix_corrected_profiles_sha256", "corrected_profiles", ["sha256"])
    move_corrected()
    share_corrections()


def move_corrected() -> None:
    """What is in force stays so, byte by byte; a file of which nothing was corrected for somebody is as it was read."""
    op.execute(
        "INSERT INTO corrected_profiles (application, sha256, profile, version, digest) "
        "SELECT applications.id, applications.document, mined_profiles.profile, mined_digests.version, "
        "mined_digests.digest FROM applications "
        "JOIN readings ON readings.document = applications.document "
        "JOIN mined_profiles ON mined_profiles.sha256 = applications.document "
        "JOIN mined_digests ON mined_digests.sha256 = applications.document"
    )
    op.execute(
        "UPDATE mined_profiles SET profile = (SELECT readings.profile FROM readings "
        "WHERE readings.document = mined_profiles.sha256) WHERE sha256 IN (SELECT document FROM readings)"
    )
    # Features of what was read are made from it when somebody needs them, as for features of another version.
    digests = sa.table(
        "mined_digests", sa.column("sha256"), sa.column("version"), sa.column("digest", sa.LargeBinary())
    )
    readings = sa.table("readings", sa.column("document"))
    is_read = digests.c.sha256.in_(sa.select(readings.c.document))
    op.execute(sa.update(digests).where(is_read).values(version="", digest=b""))
    op.drop_table("readings")


def share_corrections() -> None:
    old = sa.table("corrections", *(sa.column(name) for name in COPIED), sa.column("application"), sa.column("ranks"))
    holders = sa.table("applications", sa.column("id"), sa.column("document"), sa.column("received"))
    # One that was taken back before somebody came was never theirs.
    query = (
        sa.select(old, holders.c.id.label("holder"))
        .join(holders, holders.c.document == old.c.document)
        .where(sa.or_(old.c.undone.is_(None), old.c.undone >= holders.c.received))
    )
    rows = [
        {
            **{name: row._mapping[name] for name in COPIED},
            "application": row.holder,
            "action": "correct" if row.application == row.holder else "carry",
            "ranks": row.ranks if row.application == row.holder else None,  # those of a list that others may not see
        }
        for row in op.get_bind().execute(query)
    ]
    op.drop_table("corrections")
    op.create_table(
        "corrections",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("application", sa.String(length=32), nullable=False),
        sa.Column("document", sa.String(length=64), nullable=False),
        sa.Column("action", sa.String(length=16), nullable=False),
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
        sa.PrimaryKeyConstraint("id", "application", name="pk_corrections"),
        sa.ForeignKeyConstraint(
            ["application"], ["applications.id"], name="fk_corrections_application", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["document"], ["documents.sha256"], name="fk_corrections_document", ondelete="CASCADE"),
    )
    op.create_index("ix_corrections_application", "corrections", ["application"])
    op.create_index("ix_corrections_document", "corrections", ["document"])
    untyped = sa.table("corrections", *(sa.column(name) for name in (*COPIED, "application", "action", "ranks")))
    if rows:
        op.get_bind().execute(sa.insert(untyped), rows)
