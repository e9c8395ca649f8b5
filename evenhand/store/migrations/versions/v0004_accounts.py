"""Users, their sessions, links, tokens, and who may see which job."""

from __future__ import annotations

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    return
