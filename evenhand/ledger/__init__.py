"""Whether the ledger is what was written: signed checkpoints kept elsewhere, and the check of every event."""

from evenhand.ledger.checkpoints import (
    Checkpoint,
    append_checkpoint,
    last_checkpoint,
    read_checkpoints,
    send_checkpoint,
)
from evenhand.ledger.findings import Finding
from evenhand.ledger.keys import SigningKey, public_key_of
from evenhand.ledger.verifying import Table, verify

__all__ = [
    "Checkpoint",
    "Finding",
    "SigningKey",
    "Table",
    "append_checkpoint",
    "last_checkpoint",
    "public_key_of",
    "read_checkpoints",
    "send_checkpoint",
    "verify",
]
