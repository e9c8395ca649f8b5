"""How job ads are worded, from lexicons/job_ads.toml; read once."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from typing import Any

from evenhand.mining.lexicon.files import FOLDER


@cache
def wording() -> dict[str, Any]:
    return tomllib.loads((FOLDER / "job_ads.toml").read_text(encoding="utf-8"))


def words(name: str) -> tuple[str, ...]:
    """A list of words."""
    found = wording()["words"][name]
    return tuple(found.split()) if isinstance(found, str) else tuple(found)


def any_of(patterns: list[str]) -> str:
    return f"(?:{'|'.join(patterns)})"


@cache
def cue(name: str) -> re.Pattern[str]:
    """ "must" or "wish", with the group `before` or `behind` that says on which side of a skill it stands."""
    sides = wording()[name]
    before, behind = any_of(sides["before"]), any_of(sides["behind"])
    return re.compile(f"(?P<before>{before})|(?P<behind>{behind})", re.IGNORECASE)


def typed(name: str) -> list[tuple[str, float, re.Pattern[str]]]:
    """Type of passage, weight and pattern of each entry of "headings" or "voices"."""
    return [
        (entry["type"], float(entry.get("weight", 1)), re.compile(any_of(entry["any"]), re.IGNORECASE))
        for entry in wording()[name]
    ]
