"""Resume screening that can be checked: `evenhand.read(file)` gives a Document, `evenhand.mine(file)` a Profile,
`evenhand.rank(job, files)` a Ranking."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from evenhand.version import __version__

if TYPE_CHECKING:
    from evenhand.documents.reading import read, read_many
    from evenhand.mining.pipeline import mine, mine_many
    from evenhand.search.ranking import rank

__all__ = ["__version__", "mine", "mine_many", "rank", "read", "read_many"]


def __getattr__(name: str) -> Any:
    # Loaded on first use: records and the command line's help must not pay for the process pool.
    if name in ("read", "read_many"):
        from evenhand.documents import reading  # noqa: PLC0415

        return getattr(reading, name)
    if name in ("mine", "mine_many"):
        from evenhand.mining import pipeline  # noqa: PLC0415

        return getattr(pipeline, name)
    if name == "rank":
        from evenhand.search import ranking  # noqa: PLC0415

        return ranking.rank
    raise AttributeError(f"module 'evenhand' has no attribute {name!r}")
