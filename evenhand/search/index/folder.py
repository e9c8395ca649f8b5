"""Where the parts of the index lie, and whether they can be used."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import tantivy

from evenhand.search.analysis import register
from evenhand.search.index.digest_file import size_of
from evenhand.search.index.schema import build_schema
from evenhand.search.index.state import State, read_state

_TANTIVY = "tantivy"


def usable_state(folder: Path) -> State | None:
    """None where the index is missing, of another version, or lacks what it says it has."""
    state = read_state(folder)
    if state is None or not state.current or size_of(folder) < state.digest_bytes:
        return None
    # Opening would quietly begin an empty index where tantivy's own list of segments is lost.
    return state if (folder / _TANTIVY / "meta.json").exists() else None


def committed_opstamp(folder: Path) -> int | None:
    """Of the newest commit, as tantivy itself has written it down."""
    try:
        found = json.loads((folder / _TANTIVY / "meta.json").read_bytes()).get("opstamp")
    except (OSError, ValueError, AttributeError):
        return None
    return found if isinstance(found, int) else None


def open_tantivy(folder: Path) -> tantivy.Index:
    """With the shared analyzer. Raises ValueError or OSError where tantivy finds its files damaged."""
    index = tantivy.Index(build_schema(), str(folder / _TANTIVY), reuse=True)
    register(index)
    index.config_reader(reload_policy="manual")
    index.reload()
    # Some files are opened only when something is looked for.
    index.searcher().search(tantivy.Query.term_query(index.schema, "application", ""), limit=1, count=False)
    return index


def begin_tantivy(folder: Path) -> tantivy.Index:
    (folder / _TANTIVY).mkdir()
    return open_tantivy(folder)


def remove_tantivy(folder: Path) -> None:
    shutil.rmtree(folder / _TANTIVY, ignore_errors=True)


def has_deletions(folder: Path) -> bool:
    """Whether any segment still holds entries that were removed or replaced."""
    meta = json.loads((folder / _TANTIVY / "meta.json").read_bytes())
    return any(segment["deletes"] for segment in meta["segments"])
