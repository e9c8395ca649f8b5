"""The words of a document as people see them, and scores gathered by word, section and line.

Models read pieces; people read words. Every character that a model read and that is not blank belongs to one word.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from evenhand.explain.attribution import Attribution
from evenhand.explain.places import NOWHERE, PlacedResume
from evenhand.models.inputs import KINDS
from evenhand.records.explanation import SectionScore, WordScore

Floats = NDArray[np.float64]
Numbers = NDArray[np.int32]
NO_WORD = -1

# The ideographs that BERT reads one by one.
_IDEOGRAPHS = (
    (0x4E00, 0x9FFF),
    (0x3400, 0x4DBF),
    (0x20000, 0x2A6DF),
    (0x2A700, 0x2B73F),
    (0x2B740, 0x2B81F),
    (0x2B820, 0x2CEAF),
    (0xF900, 0xFAFF),
    (0x2F800, 0x2FA1F),
)
_JOINING = frozenset(".&'’@-‐‑\u00ad\u200c\u200d")  # within "node.js", "R&D", "co-ordinator"
_TAILS = frozenset("+#")  # behind "C++", "C#", "10+"
_LETTER, _IDEOGRAPH, _JOINER, _TAIL, _OTHER, _BLANK = "wcjt. "
_RUN = re.compile(r"[^ ]+")
_CORE = re.compile(r"c|w+(?:jw+)*t*")


@dataclass(frozen=True, slots=True)
class Span:
    """Half-open code point offsets into the text of the document."""

    start: int
    end: int


@dataclass(frozen=True, eq=False)
class Words:
    """The words that a model read of a document, in the order of the document."""

    text: str
    spans: tuple[Span, ...]
    placed: PlacedResume

    @cached_property
    def at(self) -> Numbers:
        """For each character of the document the number of its word, or NO_WORD."""
        found = np.full(len(self.text), NO_WORD, np.int32)
        for number, span in enumerate(self.spans):
            found[span.start : span.end] = number
        return found

    @cached_property
    def line_of(self) -> Numbers:
        """The number of the line that each word stands in, from 0."""
        breaks = np.array([at for at, character in enumerate(self.text) if character == "\n"], np.int64)
        return np.searchsorted(breaks, [span.start for span in self.spans]).astype(np.int32)

    @cached_property
    def kind_of(self) -> Numbers:
        """The place in KINDS of the section that each word stands in."""
        kinds = np.full(len(self.text), len(KINDS) - 1, np.int32)
        for section, placed in zip(self.placed.resume.sections, self.placed.sections, strict=True):
            offsets = placed.offsets
            kinds[offsets[offsets != NOWHERE]] = KINDS.index(section.kind)
        return kinds[[span.start for span in self.spans]]

    def gather(self, attribution: Attribution) -> tuple[Floats, float]:
        """The score of each word, and what is left over for `special`: scores whose place holds no word."""
        return self._summed(attribution, np.array([each.score for each in attribution.scores], np.float64))

    def spread(self, attribution: Attribution) -> tuple[float, ...]:
        """The standard deviation of each word's score over random baselines; empty where there are none."""
        if attribution.draws is None or len(attribution.draws) < 2:
            return ()
        rows = np.array([self._summed(attribution, draw)[0] for draw in attribution.draws])
        return tuple(rows.std(axis=0, ddof=1).tolist())

    def _summed(self, attribution: Attribution, values: Floats) -> tuple[Floats, float]:
        """A score over several words is shared by their characters."""
        found = np.zeros(len(self.spans))
        left = 0.0
        for each, value in zip(attribution.scores, values.tolist(), strict=True):
            numbers = self.at[each.start : each.end]
            first = numbers[0] if len(numbers) else NO_WORD
            if first != NO_WORD and first == numbers[-1]:
                found[first] += value
                continue
            numbers = numbers[numbers != NO_WORD]
            if len(numbers):
                np.add.at(found, numbers, value / len(numbers))
            else:
                left += value
        return found, left

    def scored(self, scores: Floats) -> tuple[WordScore, ...]:
        return tuple(
            WordScore(self.text[span.start : span.end], span.start, span.end, score)
            for span, score in zip(self.spans, scores.tolist(), strict=True)
        )

    def sections(self, scores: Floats) -> tuple[SectionScore, ...]:
        """Those that the resume has, in the order of KINDS."""
        totals = np.bincount(self.kind_of, weights=scores, minlength=len(KINDS))
        present = set(self.kind_of.tolist())
        return tuple(SectionScore(KINDS[kind], float(totals[kind])) for kind in sorted(present))

    def lines(self, scores: Floats) -> tuple[WordScore, ...]:
        """Those with words, from their first word to their last."""
        return tuple(
            WordScore(
                self.text[self.spans[first].start : self.spans[last].end],
                self.spans[first].start,
                self.spans[last].end,
                float(scores[first : last + 1].sum()),
            )
            for first, last in self.line_words
        )

    @cached_property
    def line_words(self) -> tuple[tuple[int, int], ...]:
        """The first and the last word of each line that has any."""
        if not len(self.line_of):
            return ()
        starts = np.flatnonzero(np.diff(self.line_of, prepend=NO_WORD))
        ends = [*(starts[1:] - 1).tolist(), len(self.spans) - 1]
        return tuple(zip(starts.tolist(), ends, strict=True))


def words_of(text: str, placed: PlacedResume) -> Words:
    """`text` is that of the document."""
    read = "".join(
        character if seen else " " for character, seen in zip(text, placed.is_read.tolist(), strict=True)
    )
    return Words(text, tuple(find_spans(read)), placed)


def find_spans(text: str) -> list[Span]:
    """Cores such as "C++", "R&D" and "node.js", each with the punctuation that follows it up to the next blank or
    core, the first of a run also with what stands before it. A run of nothing but punctuation is a word of its own."""
    classes = "".join(map(_class_of, text))
    found: list[Span] = []
    for run in _RUN.finditer(classes):
        starts = [core.start() for core in _CORE.finditer(classes, run.start(), run.end())]
        borders = [run.start(), *starts[1:], run.end()]
        found += [Span(start, end) for start, end in pairwise(borders)]
    return found


@cache
def _class_of(character: str) -> str:
    if character.isspace():
        return _BLANK
    if character in _JOINING:
        return _JOINER
    if character in _TAILS:
        return _TAIL
    if any(low <= ord(character) <= high for low, high in _IDEOGRAPHS):
        return _IDEOGRAPH
    return _LETTER if character == "_" or unicodedata.category(character)[0] in "LMN" else _OTHER


def top_words(words: Sequence[WordScore], number: int) -> list[WordScore]:
    """The strongest by size, whatever their sign; every occurrence for itself, the earlier first among equals."""
    return sorted(words, key=lambda word: (-abs(word.score), word.start))[:number]
