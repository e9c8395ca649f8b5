"""What applicants said of the groups they belong to, apart from everything else that is kept of them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"

MOMENT = sa.DateTime().with_variant(sa.DateTime(timezone=True), "postgresql")


def upgrade() -> None:
    op.create_table(
        "self_identifications",
        sa.Column("application", sa.String(length=32), nullable=False),
        sa.Column("variable", sa.String(length=64), nullable=False),
        sa.Column("value", sa.Text(), nullable=True),
        sa.Column("time", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("application", "variable", name="pk_self_identifications"),
        sa.ForeignKeyConstraint(
            ["application"], ["applications.id"], name="fk_self_identifications_application", ondelete="CASCADE"
        ),
    )
