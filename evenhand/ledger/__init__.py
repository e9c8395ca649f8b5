"""What the ledger means: recording what was shown, checkpoints, verification, replay of rankings, events in words."""
