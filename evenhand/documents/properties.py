"""Formatting properties that cannot hide text, by format and by what they format."""

from __future__ import annotations

import tomllib
from functools import cache, lru_cache
from importlib import resources

UNKNOWN = "unknown_style"
"""The reason given for text whose formatting a reader does not know and that may hide it."""


@cache
def harmless(format_name: str, holder: str) -> frozenset[str]:
    """The names of such properties, as the table has them."""
    return frozenset(_table()[format_name][holder].split())


@lru_cache(maxsize=4096)
def is_harmless(format_name: str, holder: str, name: str) -> bool:
    """Whether the table has this name, or a beginning of it."""
    names = harmless(format_name, holder)
    return name in names or any(start.endswith("*") and name.startswith(start[:-1]) for start in names)


@cache
def _table() -> dict[str, dict[str, str]]:
    text = resources.files("evenhand.documents").joinpath("properties.toml").read_text("utf-8")
    return tomllib.loads(text)
