"""Rare words: real pools hold clients, products and misspellings by the hundred thousand, each in very few resumes."""

from __future__ import annotations

import math
from random import Random

from evenhand.bench.candidates.blocks import Block, pack

WORDS = 2_000_000
MEAN = 5  # words per resume
_ONSETS = (
    "b",
    "br",
    "d",
    "dr",
    "f",
    "fl",
    "g",
    "k",
    "kl",
    "l",
    "m",
    "n",
    "p",
    "pr",
    "r",
    "s",
    "t",
    "tr",
    "v",
    "z",
)
_VOWELS = ("a", "e", "i", "o", "u", "ai", "eo")


def make_tail(rng: Random) -> Block:
    """A line of clients. The r-th word of the list is drawn in proportion to 1/r (Zipf)."""
    names = [
        _name(int(math.exp(rng.random() * math.log(WORDS)))) for _ in range(rng.randint(1, 2 * MEAN - 1))
    ]
    text = f"Clients: {', '.join(names)}\n"
    return Block(text, *pack(text))


def _name(rank: int) -> str:
    """A word of its own for every rank."""
    word = ""
    while True:
        rank, onset = divmod(rank, len(_ONSETS))
        rank, vowel = divmod(rank, len(_VOWELS))
        word += _ONSETS[onset] + _VOWELS[vowel]
        if not rank:
            return word.capitalize() + "x"  # nothing for a stemmer to cut
