"""All first names that the project's lexicons know, and which of them are common words too."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from evenhand.corpora import lexicon


@cache
def first_names() -> frozenset[str]:
    """Of every origin and gender, without telling which."""
    groups = [group for group in lexicon.table("names.toml").values() if isinstance(group, dict)]
    listed = {name for group in groups for key in ("female", "male") for name in group[key]}
    return frozenset(listed | {name for line in _lines() for name in line.split()}) - {"*"}


@cache
def doubtful_names() -> frozenset[str]:
    """Those that are also a month, a place, a plant, a trade or a verb: only what stands around them tells."""
    return frozenset(name for line in _lines() if line.startswith("* ") for name in line[2:].split())


def _lines() -> Iterator[str]:
    return (line for line in lexicon.text("first_names.txt").splitlines() if not line.startswith("#"))
