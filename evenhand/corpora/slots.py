"""Phrases with slots: "{n:3-12}" is a number, "{city}" a word of a list; what is drawn makes no two alike."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence

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
        return rng.choice(
            [f"{sign}{value}M", f"{sign}{value} million", f"{sign}{value}.{rng.randint(1, 9)}M"]
        )
    return rng.choice([f"{sign}{value}K", f"{sign}{value},000", f"{sign}{value}k"])


def digits(rng: random.Random, pattern: str) -> str:
    """Every "#" becomes a digit."""
    return "".join(str(rng.randrange(10)) if letter == "#" else letter for letter in pattern)
