"""Letters as names are compared by: small, without accents, whatever the apostrophe."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import NamedTuple

_MARKS = "\u0300-\u036f"
_APOSTROPHES = "'’‘ʼ`´"
WORD = re.compile(rf"[^\W\d_]+(?:[{_MARKS}]+[^\W\d_]*|[{_APOSTROPHES}][^\W\d_]+)*")
"""A word: letters, accents set apart, apostrophes inside."""
_POSSESSIVE = re.compile(rf"[{_APOSTROPHES}][sS]\Z")
_NOT_LETTERS = re.compile(rf"[{_MARKS}{_APOSTROPHES}]")
_SPECIAL = str.maketrans({"ß": "ss", "ł": "l", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i"})
_SPELLED_OUT = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa"})


class FoldedWord(NamedTuple):
    """A word of a text. `end` leaves out the possessive: Jane's is Jane."""

    start: int
    end: int
    key: str


def words(text: str) -> list[FoldedWord]:
    folded: list[FoldedWord] = []
    for match in WORD.finditer(text):
        key, cut = _key_and_cut(match[0])
        start, end = match.span()
        folded.append(FoldedWord(start, end - cut, key))
    return folded


def fold(word: str) -> str:
    """É is e, and ß is ss. Of a word or a short phrase; the length may change."""
    if word.isascii():
        return _NOT_LETTERS.sub("", word.lower())
    plain = unicodedata.normalize("NFKD", word.lower().translate(_SPECIAL))
    return _NOT_LETTERS.sub("", "".join(letter for letter in plain if not unicodedata.combining(letter)))


def spellings(word: str) -> frozenset[str]:
    """The keys under which a name may be met: Müller is muller and mueller."""
    spelled_out = unicodedata.normalize("NFC", word).lower().translate(_SPELLED_OUT)
    return frozenset({fold(word), fold(spelled_out)})


@lru_cache(maxsize=1 << 15)
def _key_and_cut(raw: str) -> tuple[str, int]:
    possessive = _POSSESSIVE.search(raw)
    cut = len(possessive[0]) if possessive else 0
    return fold(raw[: len(raw) - cut]), cut


def word_set(text: str) -> frozenset[str]:
    """The words of a text that stand between blanks: short to write, and each once."""
    return frozenset(text.split())
