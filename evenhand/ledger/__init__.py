"""Whether the ledger is what was written: signed checkpoints kept elsewhere, and the check of every event."""
