"""Corrections, erasures, backups and rules of retention."""

from __future__ import annotations

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    return
