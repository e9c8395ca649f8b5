"""Finds in a resume's text what is wanted, with its place."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from evenhand.search.analysis import spans, terms
from evenhand.search.snippets.wanted import Sought, Wanted, start_of

_CHUNK = re.compile(r"""[^\s(),;:!?"/|<>\[\]{}&@*=~%$^\\`•–—-]+""")
"""What no term reaches beyond: each chunk can be analyzed by itself."""
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
    words = _words(text, wanted)
    found: list[Found] = []
    by_first = wanted.by_first
    for at, (term, start, end) in enumerate(words):
        for sought in by_first.get(term, ()):
            if len(sought.terms) == 1:
                found.append(Found(start, end, sought))
            elif last := _end_of(sought.terms, text, words, at):
                found.append(Found(start, last, sought))
    for skill, spots in (places or {}).items():
        if demanded := wanted.skills.get(skill):
            found += [Found(start, end, demanded) for start, end in spots if 0 <= start < end <= len(text)]
    return sorted(found, key=lambda match: (match.start, match.end, match.sought.key))


def _end_of(phrase: tuple[str, ...], text: str, words: Sequence[tuple[str, int, int]], at: int) -> int | None:
    """Where the phrase ends that begins at this word, if it does. Stop words in between are passed over."""
    following = words[at : at + len(phrase)]
    if tuple(word[0] for word in following) != phrase:
        return None
    start, end = following[0][1], following[-1][2]
    return end if tuple(terms(text[start:end])) == phrase else None


def _words(text: str, wanted: Wanted) -> list[tuple[str, int, int]]:
    """The terms of `analysis.spans` that are wanted, many times as fast: each chunk is looked at once a page."""
    words: list[tuple[str, int, int]] = []
    known = wanted.known
    for match in _CHUNK.finditer(text):
        chunk = match[0]
        found = known.get(chunk)
        if found is None:
            found = known[chunk] = _wanted_terms(chunk, wanted)
        if found:
            start = match.start()
            for term, first, last in found:
                words.append((term, start + first, start + last))
    return words


def _wanted_terms(chunk: str, wanted: Wanted) -> tuple[tuple[str, int, int], ...]:
    """Few words begin as one that is wanted, and those that do are analyzed once ever."""
    word = chunk.rstrip(".")
    if word.isalnum() and word.isascii() and start_of(word.lower()) not in wanted.starts:
        return ()
    analyzed = (_remembered if len(word) <= _LONGEST_CHUNK else _analyzed)(word)
    return tuple(found for found in analyzed if found[0] in wanted.terms)


def _analyzed(chunk: str) -> tuple[tuple[str, int, int], ...]:
    return tuple((span.term, span.start, span.end) for span in spans(chunk))


_remembered = lru_cache(maxsize=1 << 16)(_analyzed)
