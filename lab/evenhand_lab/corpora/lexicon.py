"""The word lists that come with the package, each read once and only when something asks for it."""

from __future__ import annotations

import csv
import hashlib
import random
import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib import resources
from typing import Any, TypeVar

from evenhand.text.names import FILES as SHARED
from evenhand.text.names import lexicon_text


def text(name: str) -> str:
    """What a file of the lexicons folder holds; `name` may have folders ("mixed/nurse.toml")."""
    if name in SHARED:
        return lexicon_text(name)
    return resources.files("evenhand_lab.corpora").joinpath("lexicons", *name.split("/")).read_text("utf-8")


@cache
def table(name: str) -> dict[str, Any]:
    """A TOML lexicon. It is shared by everybody who asks: read it, never change it."""
    return tomllib.loads(text(name))


@cache
def rows(name: str) -> tuple[dict[str, str], ...]:
    """A CSV lexicon, one mapping per row."""
    return tuple(csv.DictReader(text(name).splitlines()))


@cache
def names(folder: str) -> tuple[str, ...]:
    """The TOML lexicons of a folder, without their ending, sorted."""
    entries = resources.files("evenhand_lab.corpora").joinpath("lexicons", folder).iterdir()
    return tuple(sorted(entry.name[:-5] for entry in entries if entry.name.endswith(".toml")))


def parts(cell: str, separator: str = "|") -> tuple[str, ...]:
    """The values in one cell of a CSV lexicon."""
    return tuple(part for part in cell.split(separator) if part)


def frozen(value: Any) -> Any:
    """A list of a lexicon, and the lists in it, as tuples."""
    return tuple(map(frozen, value)) if isinstance(value, list) else value


# Chance that can be repeated: one generator per seed, number and purpose, whatever else was drawn before.

T = TypeVar("T")

Stream = Callable[[str], random.Random]
"""Gives the generator for a purpose ("name", "jobs"...): a new choice in one part then moves no other part."""


def stream(seed: int, number: int, purpose: str) -> random.Random:
    digest = hashlib.blake2b(f"{seed}/{number}/{purpose}".encode(), digest_size=8).digest()
    return random.Random(int.from_bytes(digest, "big"))


def streams(seed: int, number: int) -> Stream:
    return lambda purpose: stream(seed, number, purpose)


def weighted(rng: random.Random, weights: Mapping[T, float]) -> T:
    """A key, with the chance its weight gives it; the mapping's order counts, so never pass one built from a set."""
    return rng.choices(list(weights), list(weights.values()))[0]


def chance(rng: random.Random, probability: float) -> bool:
    return rng.random() < probability


def some(rng: random.Random, values: Sequence[T], least: int, most: int) -> list[T]:
    """Between `least` and `most` distinct values, fewer where there are not so many; in random order."""
    count = min(len(values), rng.randint(least, most))
    return rng.sample(values, count)


# Phrases with slots: "{n:3-12}" is a number, "{city}" a word of a list; what is drawn makes no two alike.

_SLOT = re.compile(r"\{([a-z_]+)(?::([^{}]*))?\}")


def fill(rng: random.Random, pattern: str, words: Mapping[str, Sequence[str]]) -> str:
    """`pattern` with every lower-case slot filled; words that have slots themselves are filled in turn."""

    def replace(match: re.Match[str]) -> str:
        name, argument = match.groups()
        if name == "n":
            return number(rng, argument)
        if name == "d":  # a house or a room: without commas
            return number(rng, argument).replace(",", "")
        if name == "money":
            return money(rng, argument, rng.choice(words.get("currency", ("$",))))
        return fill(rng, rng.choice(words[name]), words)

    return _SLOT.sub(replace, pattern)


def number(rng: random.Random, argument: str) -> str:
    """ "3-12", or "200-5000/50" in steps of 50; thousands are parted by commas."""
    span, _, step = argument.partition("/")
    low, high = (int(part) for part in span.split("-"))
    value = rng.randrange(low, high + 1, int(step or 1))
    return f"{value:,}" if value >= 1000 else str(value)


def money(rng: random.Random, argument: str, sign: str) -> str:
    """ "20-900k" or "1-40m" in the currency, as people write it."""
    unit = argument[-1]
    low, high = (int(part) for part in argument[:-1].split("-"))
    value = rng.randint(low, high)
    if unit == "m":
        return rng.choice([f"{sign}{value}M", f"{sign}{value} million", f"{sign}{value}.{rng.randint(1, 9)}M"])
    return rng.choice([f"{sign}{value}K", f"{sign}{value},000", f"{sign}{value}k"])


def digits(rng: random.Random, pattern: str) -> str:
    """Every "#" becomes a digit."""
    return "".join(str(rng.randrange(10)) if letter == "#" else letter for letter in pattern)
