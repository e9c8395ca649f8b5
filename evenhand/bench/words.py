"""The words of two readings, compared: what both have, and what one lacks."""

from __future__ import annotations

import re
import unicodedata

_WORD = re.compile(r"\w+")

Words = frozenset[str]


def distinct_words(*texts: str) -> Words:
    """The different words of all texts, without regard to case or to how characters are encoded."""
    joined = "\n".join(texts)
    # Folding can undo the composition ("ŉ" becomes two characters), so it comes first.
    return frozenset(_WORD.findall(unicodedata.normalize("NFKC", joined.casefold())))


def share_found(wanted: Words, found: Words) -> float:
    """The share of the wanted words that are among the found; everything when nothing is wanted."""
    return len(wanted & found) / len(wanted) if wanted else 1.0


def jaccard(first: Words, second: Words) -> float:
    """Words in both against words in either."""
    either = first | second
    return len(first & second) / len(either) if either else 1.0
