"""Where in the document each term stands that a joined model counts."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from evenhand.explain.places import NOWHERE, Offsets, Place, PlacedResume, PlacedText
from evenhand.models.joined.blocks import Counted
from evenhand.models.joined.sources import REACH_WORDS, Source, places_before_periods
from evenhand.models.joined.words import find_words

Occurrence = tuple[Place | None, ...]
"""The places of a term's words; None for a word that stands nowhere in the document."""

_FILLED = re.compile(r"\S+")
_GAP = np.full(1, NOWHERE, np.int32)


@dataclass(frozen=True, slots=True, eq=False)
class Traced:
    """A text that a joined model counts the words of, with the place of each character in the document."""

    text: str
    offsets: Offsets

    def place(self, start: int, end: int) -> Place | None:
        known = self.offsets[start:end]
        known = known[known != NOWHERE]
        return (int(known[0]), int(known[-1]) + 1) if len(known) else None


def trace(placed: PlacedResume, counted: Counted) -> Mapping[str, Sequence[Occurrence]]:
    """Every occurrence of every term, by term: as many as `TermReading.count` counts."""
    source, longest, stops = counted
    found: dict[str, list[Occurrence]] = defaultdict(list)
    for text in traced_texts(placed, source):
        words = list(find_words(text.text, stops=stops))
        places = [text.place(word.start, word.end) for word in words]
        for length in range(1, longest + 1):
            for start in range(len(words) - length + 1):
                term = " ".join(word.text for word in words[start : start + length])
                found[term].append(tuple(places[start : start + length]))
    return found


def traced_texts(placed: PlacedResume, source: Source) -> list[Traced]:
    """Those of `texts_of`, in the same order."""
    match source:
        case "body":
            return [_body(placed)]
        case "current":
            return _titles(placed.titles[:1])
        case "past":
            return _titles(placed.titles[1:])
        case "titles":
            return _titles(placed.titles)
        case "stated":
            return [*_titles(placed.titles), *_before_periods(_body(placed))]


def _titles(titles: Sequence[PlacedText]) -> list[Traced]:
    return [Traced(title.text, title.offsets) for title in titles]


def _body(placed: PlacedResume) -> Traced:
    """Sections joined by breaks, as `ResumeInput.text` joins them."""
    offsets = [part for section in placed.sections for part in (_GAP, section.offsets)]
    return Traced(placed.resume.text, np.concatenate(offsets[1:]) if offsets else np.zeros(0, np.int32))


def _before_periods(body: Traced) -> Iterator[Traced]:
    """As `before_periods`: the last words, one blank between two."""
    for start, end in places_before_periods(body.text):
        words = list(_FILLED.finditer(body.text, start, end))[-REACH_WORDS:]
        if words:
            offsets = [part for word in words for part in (_GAP, body.offsets[word.start() : word.end()])]
            yield Traced(" ".join(word[0] for word in words), np.concatenate(offsets[1:]))
