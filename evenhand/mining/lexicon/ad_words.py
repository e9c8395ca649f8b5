"""How common words are in job ads: by that the words of one ad are told from those of every ad."""

from __future__ import annotations

import math
from functools import cache, lru_cache

from evenhand.mining.lexicon.phrases import rows

MIN_ROOT = 4  # letters
_ENDINGS = (
    *("ications", "ication", "iations", "iation", "ations", "ation", "itions", "ition", "ments", "ment", "ings", "ing"),
    *("ances", "ance", "ences", "ence", "ities", "ity", "ions", "ion", "ives", "ive", "als", "al", "ers", "er", "ors"),
    *("or", "ies", "ied", "ed", "es", "s", "ly", "y", "e"),
)
RARE_SHARE = 0.005  # of the ads; words that are rarer are not listed


@lru_cache(maxsize=100_000)
def root(word: str) -> str:
    """What "reconcile", "reconciles" and "reconciliation" have in common."""
    plain = word.lower().replace("’", "'").removesuffix("'s").removesuffix("'")
    for _ in range(3):  # "implementing" and "implement"
        ending = next((one for one in _ENDINGS if plain.endswith(one) and len(plain) - len(one) >= MIN_ROOT), "")
        if not ending or not plain.isalpha():
            break
        plain = plain.removesuffix(ending)
    return plain


@cache
def _shares() -> dict[str, float]:
    """By root, of the ads that were counted."""
    (_, total), *counts = rows("ad_words.tsv")
    return {word: int(count) / int(total) for word, count in counts}


def rarity(word: str) -> float:
    """How much a word tells, as the logarithm of the number of ads among which one has it: 0 to about 5."""
    return -math.log(max(_shares().get(root(word), RARE_SHARE), RARE_SHARE))
