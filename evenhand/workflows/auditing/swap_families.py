"""The families of swaps by name, with the question that each asks, for who chooses among them."""

from __future__ import annotations

import tomllib
from functools import cache

from evenhand.audit.swaps.values import SHIPPED


@cache
def family_words() -> dict[str, str]:
    """Without the values themselves, which take a while to load."""
    return {
        name: str(told["question"])
        for name, told in tomllib.loads(SHIPPED.read_text(encoding="utf-8")).items()
    }
