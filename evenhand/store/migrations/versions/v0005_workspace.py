"""What screeners keep beside decisions: notes, tags, saved searches, imports, job settings."""

from __future__ import annotations

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    return
