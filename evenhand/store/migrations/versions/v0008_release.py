"""The tables of version 0.1.0, where the steps begin. A new database is made from the tables of today instead."""

revision = "0008"
down_revision = None


def upgrade() -> None:
    """Whoever is here has these tables."""
