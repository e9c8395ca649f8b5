"""Phrases of several words found in a sequence of words: the longest first, never overlapping, never inside a word."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from evenhand.mining.tokens import words_of

HYPHENS = frozenset("-‐‑‒–")


class Found(NamedTuple):
    """Words `first` up to but not including `last` are a form of `name`."""

    first: int
    last: int
    name: str


def key_of(phrase: str) -> str:
    """The form in which phrases are compared: words in lower case, one blank between, hyphens left out."""
    plain = phrase.lower()
    if plain.replace(" ", "").isalnum():  # most are, and it spares them the tokeniser
        return plain
    return " ".join(word for word in words_of(plain.replace("’", "'")) if word not in HYPHENS)


def both_apostrophes(key: str) -> tuple[str, ...]:
    """Texts have "bachelor's" and "bachelor’s"."""
    return (key, key.replace("'", "’")) if "'" in key else (key,)


def without_hyphens(lower: Sequence[str]) -> tuple[Sequence[str], Sequence[int] | None]:
    """The words that are no hyphen, and where each stood (None: where it stands)."""
    if HYPHENS.isdisjoint(lower):
        return lower, None
    places = [at for at, word in enumerate(lower) if word not in HYPHENS]
    return [lower[at] for at in places], places


class Phrases:
    """A look-up by the first word: what does not begin a phrase costs one dictionary access."""

    def __init__(self, table: Mapping[str, str]) -> None:
        self.table = dict(table)
        self.reach = reach_of(self.table)

    @classmethod
    def of(cls, phrases: Iterable[str]) -> Phrases:
        return cls({key_of(phrase): phrase for phrase in phrases})

    def __len__(self) -> int:
        return len(self.table)

    def __contains__(self, phrase: object) -> bool:
        return isinstance(phrase, str) and key_of(phrase) in self.table

    def get(self, phrase: str) -> str | None:
        """The name the whole phrase stands for."""
        return self.table.get(key_of(phrase))

    def find(self, lower: Sequence[str]) -> list[Found]:
        """All phrases among words in lower case. "e-commerce", "e commerce" and "e - commerce" are the same."""
        plain, places = without_hyphens(lower)
        found = [
            Found(at, at + length, self.table[" ".join(plain[at : at + length])])
            for at, length in spans(self.table, self.reach, plain)
        ]
        if places is None:
            return found
        return [Found(places[first], places[last - 1] + 1, name) for first, last, name in found]


def reach_of(keys: Iterable[str]) -> dict[str, int]:
    """For each first word, and for each first two, the number of words of the longest phrase they begin."""
    reach: dict[str, int] = {}
    for key in keys:
        words = key.count(" ") + 1
        first, _, rest = key.partition(" ")
        if reach.get(first, 0) < words:
            reach[first] = words
        if words > 1:
            pair = key if words == 2 else f"{first} {rest[: rest.index(' ')]}"
            if reach.get(pair, 0) < words:
                reach[pair] = words
    return reach


def spans(
    table: Mapping[str, object], reach: Mapping[str, int], lower: Sequence[str]
) -> Iterator[tuple[int, int]]:
    """Where phrases begin and how many words they have; the longest at each place, from left to right."""
    free = 0
    for at in [at for at, word in enumerate(lower) if word in reach]:  # few do, and this loop is the fast one
        if at >= free and (length := longest(table, reach, lower, at)):
            free = at + length
            yield at, length


def longest(table: Mapping[str, object], reach: Mapping[str, int], lower: Sequence[str], at: int) -> int:
    """How many words the longest phrase that begins here has; 0 when none does."""
    words = reach.get(lower[at], 0)
    if words > 1 and at + 1 < len(lower):
        words = min(reach.get(f"{lower[at]} {lower[at + 1]}", 0), len(lower) - at)
        while words > 1:
            if " ".join(lower[at : at + words]) in table:
                return words
            words -= 1
    return 1 if lower[at] in table else 0
