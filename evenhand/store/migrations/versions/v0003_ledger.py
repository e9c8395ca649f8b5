"""The ledger: events in a hash chain, the salts of its seals, and superseded versions for replay."""

from __future__ import annotations

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    return
