"""Employers that do not exist, named as such employers are named in their country and trade."""

from __future__ import annotations

import random
from collections.abc import Sequence

from evenhand.corpora import lexicon
from evenhand.corpora.places import City
from evenhand.corpora.slots import fill


def sample_employer(rng: random.Random, kinds: Sequence[str], city: City) -> str:
    """An employer of one of the kinds ("bank", "hospital"...) in the city."""
    table = lexicon.table("employers.toml")
    pattern: str = rng.choice(table["kinds"][rng.choice(kinds)])
    local = {"stem": _stems(rng, city.country), "city": [city.name], "surname": surnames(city.country)}
    name = fill(rng, pattern.rstrip("~"), {**table["words"], **local})
    return name if pattern.endswith("~") else name + rng.choice(table["suffixes"][city.country])


def _stems(rng: random.Random, country: str) -> list[str]:
    table = lexicon.table("employers.toml")
    stems: list[str] = table["stems"][rng.choice(table["mix"][country])]
    return stems


def surnames(country: str) -> list[str]:
    """Family names for firms: rare ones, and where English would be odd the common ones of the country."""
    local = {
        "India": "indian",
        "Germany": "german",
        "Nigeria": "nigerian",
        "Brazil": "brazilian",
        "China": "chinese",
    }
    if country in local:
        names: list[str] = lexicon.table("names.toml")[local[country]]["last"]
        return names
    rare: list[str] = lexicon.table("employers.toml")["words"]["surname"]
    return rare
