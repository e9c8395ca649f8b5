"""Resume screening that can be checked: `evenhand.read(file)` gives a Document, `evenhand.mine(file)` a Profile,
`evenhand.rank(job, files)` a Ranking."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from evenhand.version import __version__

if TYPE_CHECKING:
    from evenhand.documents.reading import read, read_many
    from evenhand.mining.pipeline import mine, mine_many
    from evenhand.search.ranking import rank

__all__ = ["__version__", "mine", "mine_many", "rank", "read", "read_many"]


_MODULES = {
    "mine": "evenhand.mining.pipeline",
    "mine_many": "evenhand.mining.pipeline",
    "rank": "evenhand.search.ranking",
    "read": "evenhand.documents.reading",
    "read_many": "evenhand.documents.reading",
}


def __getattr__(name: str) -> Any:
    # Loaded on first use: records and the command line's help must not pay for the process pool.
    if name in _MODULES:
        return getattr(import_module(_MODULES[name]), name)
    raise AttributeError(f"module 'evenhand' has no attribute {name!r}")
