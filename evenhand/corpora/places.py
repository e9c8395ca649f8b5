"""Real cities with their region and country, and how addresses and phone numbers look there."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from evenhand.corpora import lexicon
from evenhand.corpora.rng import weighted
from evenhand.corpora.slots import digits, fill


@dataclass(frozen=True, slots=True)
class City:
    name: str
    region: str
    country: str
    place: str  # urban, rural
    weight: int


@cache
def cities(country: str) -> tuple[City, ...]:
    return tuple(
        City(row["name"], row["region"], row["country"], row["place"], int(row["weight"]))
        for row in lexicon.rows("cities.csv")
        if row["country"] == country
    )


@cache
def _by_place(country: str) -> dict[str, tuple[tuple[City, ...], tuple[int, ...]]]:
    found = {}
    for place in ("urban", "rural"):
        chosen = tuple(city for city in cities(country) if city.place == place)
        found[place] = (chosen, tuple(city.weight for city in chosen))
    return found


def sample_city(rng: random.Random, country: str, *, rural: float = 0.15) -> City:
    """A city of the country; `rural` is the share of people outside the cities."""
    place = "rural" if rng.random() < rural else "urban"
    chosen, weights = _by_place(country)[place]
    if not chosen:
        chosen, weights = _by_place(country)["urban"]
    return rng.choices(chosen, weights)[0]


def sample_country(rng: random.Random, weights: Mapping[str, float]) -> str:
    return weighted(rng, weights)


@cache
def cities_near(city: City) -> tuple[City, ...]:
    """Cities of the same region and, so that nobody is stuck, the two largest of the country."""
    same = [other for other in cities(city.country) if other.region == city.region]
    large = sorted(cities(city.country), key=lambda other: -other.weight)[:2]
    return tuple(dict.fromkeys(same + large))


def sample_phone(rng: random.Random, country: str) -> str:
    return digits(rng, rng.choice(lexicon.table("places.toml")[country]["phones"]))


def sample_street(rng: random.Random, country: str) -> str:
    table = lexicon.table("places.toml")
    words = {
        name.removesuffix("s"): values for name, values in {**table["everywhere"], **table[country]}.items()
    }
    words["colony"] = words.get("colonie", [])
    return fill(rng, rng.choice(table[country]["streets"]), words)


def sample_code(rng: random.Random, country: str) -> str | None:
    codes = lexicon.table("places.toml")[country]["codes"]
    return digits(rng, rng.choice(codes)) if codes else None
