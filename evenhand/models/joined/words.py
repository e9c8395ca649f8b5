"""Words of a text as the joined model reads them, and its terms: single words and runs of neighbours."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from evenhand.models.competence.stop_words import STOP_WORDS

# Begins with a letter, so that years, phones and amounts are no words; "c++", "c#", "r&d", "j2ee", "html5" are.
_WORD = re.compile(r"[^\W\d_]\w*(?:&\w+)*[+#]*")
SHORTEST = 2


@dataclass(frozen=True, slots=True)
class Word:
    """In lower case, with its half-open code point offsets."""

    text: str
    start: int
    end: int


def find_words(text: str, *, stops: bool = True) -> Iterator[Word]:
    """Single letters are none; stop words only with `stops`."""
    lower = text.lower()
    places = range(len(text) + 1) if len(lower) == len(text) else _places(text)
    for found in _WORD.finditer(lower):
        word = found[0]
        if len(word) >= SHORTEST and (stops or word not in STOP_WORDS):
            yield Word(word, places[found.start()], places[found.end() - 1] + 1)


def _places(text: str) -> Sequence[int]:
    """Where each character of the text in lower case comes from: a few become two."""
    return [place for place, character in enumerate(text) for _ in character.lower()]


def list_words(text: str, *, stops: bool = True) -> list[str]:
    """As `find_words`, for those who need no places: several times as fast."""
    found = [word for word in _WORD.findall(text.lower()) if len(word) >= SHORTEST]
    return found if stops else [word for word in found if word not in STOP_WORDS]


def written_words(text: str) -> list[str]:
    """In the case in which they are written."""
    return [word for word in _WORD.findall(text) if len(word) >= SHORTEST]


def count_terms(texts: Iterable[str], *, longest: int, stops: bool) -> Counter[str]:
    """Runs of up to `longest` words; none reaches from one text into the next."""
    counts: Counter[str] = Counter()
    for text in texts:
        words = list_words(text, stops=stops)
        counts.update(words)
        for length in range(2, longest + 1):
            counts.update(_runs(words, length))
    return counts


def _runs(words: Sequence[str], length: int) -> Iterator[str]:
    return map(" ".join, zip(*(words[start:] for start in range(length)), strict=False))
