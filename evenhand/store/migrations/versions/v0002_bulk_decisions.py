"""Decisions that followed a list, not a look at each application, are marked."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.add_column("decisions", sa.Column("bulk", sa.Boolean(), nullable=False, server_default=sa.false()))
