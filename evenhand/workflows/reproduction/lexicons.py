"""Features 22 to 26: whether a word is similar to one of a lexicon, by Jaro-Winkler as published."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache

from rapidfuzz import process
from rapidfuzz.distance import JaroWinkler

from evenhand.mining import lexicon
from evenhand.mining.features.published import Lexicons

SIMILAR = 0.92  # the published threshold is not known
SHORTEST = 4  # letters: shorter words must be equal, since any two of them are similar


@cache
def published_lexicons() -> Lexicons:
    """By number of the feature. Of phrases only single words: a word of a phrase tells nothing alone."""
    return {
        22: similar_to(single(lexicon.skills().keys())),
        23: similar_to(lexicon.words("title head")),
        24: similar_to(single(lexicon.degrees().forms)),
        25: similar_to(single(lexicon.fields().table)),
        26: similar_to(lexicon.words("institution") | lexicon.words("organisation")),
    }


def single(phrases: Iterable[str]) -> frozenset[str]:
    return frozenset(phrase for phrase in phrases if " " not in phrase)


def similar_to(known: frozenset[str]) -> Callable[[str], bool]:
    long = sorted(word for word in known if len(word) >= SHORTEST)

    @cache
    def is_similar(low: str) -> bool:
        if low in known or len(low) < SHORTEST:
            return low in known
        return process.extractOne(low, long, scorer=JaroWinkler.similarity, score_cutoff=SIMILAR) is not None

    return lambda word: is_similar(word.lower())
