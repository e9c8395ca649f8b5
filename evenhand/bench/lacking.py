"""Why a word of another reader is not among ours, as far as the two texts can tell."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator

from evenhand.bench.words import Words, distinct_words
from evenhand.records.document import Document

SINGLE = "single characters (icons, initials)"
HYPHEN = "parts of words hyphenated at a line end"
ENCODED = "characters we normalise (look-alikes, private use)"
SPLIT = "parted by the peer, one word with us"
GLUED = "one word with the peer, parted by us"
LONGER = "one letter longer with the peer"
MARKUP = "control words that the peer took for text"
UNKNOWN = "not found"

_CONTROL_WORD = re.compile(r"\\([a-z]+-?\d*)")
_HYPHENATED = re.compile(r"(\w+)[-\u00ad\u2010]\s*\n\s*(\w+)")


def causes_of(missing: Iterable[str], document: Document, peer_text: str) -> Iterator[str]:
    """One cause for each missing word."""
    missing = sorted(missing)
    if not missing:
        return
    texts = [document.text, *(item.text for item in document.hidden)]
    ours = distinct_words(*texts)
    raw = distinct_words(*(line.raw for line in document.lines if line.raw))
    halves = hyphen_halves(peer_text)
    letters = running_letters("\n".join(texts))
    markup = distinct_words(*_CONTROL_WORD.findall(peer_text))
    joined = "\n".join(sorted(ours))
    for word in missing:
        if len(word) == 1:
            yield SINGLE
        elif word in halves:
            yield HYPHEN
        elif word in raw:
            yield ENCODED
        elif word in joined:
            yield SPLIT
        elif word in letters:
            yield GLUED
        elif word in markup:
            yield MARKUP
        elif word[:-1] in ours:
            yield LONGER
        else:
            yield UNKNOWN


def hyphen_halves(text: str) -> Words:
    return distinct_words(*(half for pair in _HYPHENATED.findall(text) for half in pair))


def running_letters(text: str) -> str:
    """All words of the text without the gaps between them."""
    folded = unicodedata.normalize("NFKC", text.casefold())
    return "".join(re.findall(r"\w+", folded))
