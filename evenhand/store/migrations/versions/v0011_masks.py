"""Masks are kept: what is to be masked of each application, found again by whoever opens it next."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    op.create_table(
        "mined_masks",
        sa.Column("application", sa.String(length=32), nullable=False),
        sa.Column("sha256", sa.String(length=64), nullable=False),
        sa.Column("content", sa.BigInteger(), nullable=False),
        sa.Column("version", sa.Text(), nullable=False),
        sa.Column("masks", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("application", name="pk_mined_masks"),
    )
    op.create_index("ix_mined_masks_sha256", "mined_masks", ["sha256"])
