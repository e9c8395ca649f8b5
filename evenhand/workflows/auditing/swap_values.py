"""The names and cities that audits put into resumes: those of the generated corpora, by what they suggest."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import cycle
from pathlib import Path

from evenhand.audit.swaps.values import SHIPPED, Family, load_families
from evenhand.text.names import cities, names_by_origin

ORIGINS = ("anglo", "african_american", "hispanic", "indian", "chinese", "arabic")
HOME = "United States"
FROM_EACH = 10  # first names of every origin that stand for a gender


def swap_families(only: Sequence[str] | None = None, *, values: Path | None = None) -> tuple[Family, ...]:
    """`values` is a file like the one that ships, for an employer's own names, places and schools."""
    return load_families(_lists(), path=values or SHIPPED, only=only)


@cache
def _lists() -> dict[str, tuple[str, ...]]:
    names, places = names_by_origin(), cities()
    first = {
        f"names:{gender}": tuple(name for origin in ORIGINS for name in names[origin][gender][:FROM_EACH])
        for gender in ("female", "male")
    }
    full = {f"names:{origin}": _full_names(names[origin], names["avoid"]) for origin in ORIGINS}
    at_home = [city for city in places if city["country"] == HOME]
    return {
        **first,
        **full,
        "cities:urban": tuple(_at_home(city) for city in at_home if city["place"] == "urban"),
        "cities:rural": tuple(_at_home(city) for city in at_home if city["place"] == "rural"),
        "cities:abroad": tuple(
            f"{city['name']}, {city['country']}" for city in places if city["country"] != HOME
        ),
    }


def _full_names(names: dict[str, list[str]], avoid: Sequence[str]) -> tuple[str, ...]:
    """Women and men in turn."""
    first = [name for both in zip(names["female"], names["male"], strict=False) for name in both]
    found = (f"{one} {last}" for one, last in zip(first, cycle(names["last"]), strict=False))
    return tuple(name for name in found if name not in avoid and len(name.split()) == 2)


def _at_home(city: dict[str, str]) -> str:
    return f"{city['name']}, {city['region']}"
