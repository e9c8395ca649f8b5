"""Finds in a resume's text what is wanted, with its place."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from evenhand.search.analysis import spans
from evenhand.search.snippets.wanted import Sought, Wanted

_CHUNK = re.compile(r"\S+")
_LONGEST_CHUNK = 64  # longer ones are rarely met twice and would fill the cache


class Found(NamedTuple):
    """A tuple, since hundreds are made for every resume shown."""

    start: int
    end: int
    sought: Sought


def find(
    text: str, wanted: Wanted, places: Mapping[str, Iterable[tuple[int, int]]] | None = None
) -> list[Found]:
    """In the order of the text. `places` are those of the canonical skills that mining found."""
    words = _words(text)
    found: list[Found] = []
    by_first = wanted.by_first
    for at, (term, start, end) in enumerate(words):
        for sought in by_first.get(term, ()):
            if len(sought.terms) == 1:
                found.append(Found(start, end, sought))
            elif _stands(words, at, sought.terms):
                found.append(Found(start, words[at + len(sought.terms) - 1][2], sought))
    for skill, spots in (places or {}).items():
        if demanded := wanted.skills.get(skill):
            found += [Found(start, end, demanded) for start, end in spots if 0 <= start < end <= len(text)]
    return sorted(found, key=lambda match: (match.start, match.end, match.sought.key))


def _stands(words: Sequence[tuple[str, int, int]], at: int, phrase: tuple[str, ...]) -> bool:
    """Stop words between two terms are passed over, as the analyzer does in the phrase itself."""
    return tuple(word[0] for word in words[at : at + len(phrase)]) == phrase


def _words(text: str) -> list[tuple[str, int, int]]:
    """`analysis.spans`, several times as fast: no term crosses white space, so each chunk is analyzed once ever."""
    words: list[tuple[str, int, int]] = []
    for chunk in _CHUNK.finditer(text):
        start, end = chunk.span()
        analyze = _remembered if end - start <= _LONGEST_CHUNK else _analyzed
        for term, first, last in analyze(chunk[0]):
            words.append((term, start + first, start + last))
    return words


def _analyzed(chunk: str) -> tuple[tuple[str, int, int], ...]:
    return tuple((span.term, span.start, span.end) for span in spans(chunk))


_remembered = lru_cache(maxsize=1 << 16)(_analyzed)
