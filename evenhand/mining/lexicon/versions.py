"""Versions and vendors around the name of a product: "Oracle 11g", "HTML5", "MS Excel 2010", "Apache Kafka"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from evenhand.mining.lexicon.lists import words

_NUMBER = re.compile(
    r"(?:v|r|x|cs|es|ver|version|release)?\.?\d{1,2}(?:r\d)?(?:\.(?:\d+|x))*(?:\.x)?[a-z]{0,2}"
)
_YEAR = re.compile(r"(?:19|20)\d\d")
_GLUED = re.compile(r"([a-z#.]*[a-z#])(\d{1,2}(?:\.\d+)*[a-z]?\+?)")
_WORDS = frozenset(
    {"xi", "mx", "cc", "ts", "edition", "version", "ver", "v", "release", "r2", "sp1", "sp2", "sp3"}
)

_ALONE = frozenset({"xi", "mx", "cc", "r2"})  # versions without a number


def is_version(word: str) -> bool:
    return _NUMBER.fullmatch(word) is not None


def is_yearly(word: str) -> bool:
    """Whether a product with this last word may be followed by its year; behind any other a year is a date."""
    return word in words("yearly product")


def version_length(lower: Sequence[str], at: int, name: str) -> int:
    """How many words from `at` on are the version of the product `name` that ends before it."""
    start, end = at, len(lower)
    while at < end and lower[at] in _WORDS:
        at += 1
    if at > start and lower[at - 1] in _ALONE and (at == end or not _is_release(lower[at], name)):
        return at - start
    if at < end and _is_release(lower[at], name):
        at += 1
        while at < end and lower[at] in _WORDS:
            at += 1
        # "Java 5 years", "SQL 10 +": a duration
        if at < end and lower[at] in words("duration"):
            return 0
        return at - start
    return 0


def _is_release(word: str, name: str) -> bool:
    if not word[0].isdigit() and word[0] not in "vrcsex":
        return False
    if _YEAR.fullmatch(word):
        return is_yearly(name.rsplit(" ", 1)[-1])
    return is_version(word) and not word.endswith(_TENS)


_TENS = ("st", "nd", "rd", "th", "k", "hr", "am", "pm", "yr", "+")


SHORTEST_GLUED = 3  # letters: "C2" is a level of a language


def unglued(word: str) -> str | None:
    """The name within "html5", "java8" or "python3.6"; None when nothing is glued to it."""
    match = _GLUED.fullmatch(word)
    return match.group(1) if match and len(match.group(1)) >= SHORTEST_GLUED else None
