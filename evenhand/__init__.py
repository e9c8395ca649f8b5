"""Resume screening that can be checked: `evenhand.read(file)` gives a Document, `evenhand.mine(file)` a Profile,
`evenhand.rank(job, files)` a Ranking."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from evenhand.version import __version__

if TYPE_CHECKING:
    from evenhand.workflows.mining import mine, mine_many
    from evenhand.workflows.ranking import rank
    from evenhand.workflows.reading import read, read_many

__all__ = ["__version__", "mine", "mine_many", "rank", "read", "read_many"]


def __getattr__(name: str) -> Any:
    # Loaded on first use: records and the command line's help must not pay for the process pool.
    if name in ("read", "read_many"):
        from evenhand.workflows import reading  # noqa: PLC0415

        return getattr(reading, name)
    if name in ("mine", "mine_many"):
        from evenhand.workflows import mining  # noqa: PLC0415

        return getattr(mining, name)
    if name == "rank":
        from evenhand.workflows import ranking  # noqa: PLC0415

        return ranking.rank
    raise AttributeError(f"module 'evenhand' has no attribute {name!r}")
