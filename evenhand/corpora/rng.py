"""Chance that can be repeated: one generator per seed, number and purpose, whatever else was drawn before."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

T = TypeVar("T")

Stream = Callable[[str], random.Random]
"""Gives the generator for a purpose ("name", "jobs"...): a new choice in one part then moves no other part."""


def stream(seed: int, number: int, purpose: str) -> random.Random:
    digest = hashlib.blake2b(f"{seed}/{number}/{purpose}".encode(), digest_size=8).digest()
    return random.Random(int.from_bytes(digest, "big"))  # noqa: S311 - nothing here is a secret


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
