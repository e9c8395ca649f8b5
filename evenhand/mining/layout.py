"""A document laid out for mining: its lines with their words, and how each line looks beside the rest of the resume."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from typing import TypeVar

from evenhand.records.document import Document, Line
from evenhand.text.tokens import Tokens, tokenise

# Which lines of a page go on with the line before: its first word would not have fitted there.

SLACK = 3.0  # points by which a setter may stop short of the margin
INDENT = 40.0  # points between the left edges of lines of one column, bullets included
LEADING = 2.2  # line heights from the top of one line to the top of the next


def right_margins(lines: Sequence[LayoutLine]) -> dict[tuple[int, int], float]:
    """The right edge of each column of each page."""
    margins: dict[tuple[int, int], float] = {}
    for line in lines:
        if line.line.box is not None:
            key = column_of(line)
            margins[key] = max(margins.get(key, 0.0), line.line.box[2])
    return margins


def column_of(line: LayoutLine) -> tuple[int, int]:
    """The page and, roughly, the left edge: lines of one column share the right margin."""
    box = line.line.box
    return line.line.page, round(box[0] / INDENT) if box else 0


def _wraps(before: LayoutLine, line: LayoutLine, margins: dict[tuple[int, int], float]) -> bool:
    """In formats that flow a line is a paragraph, and nothing wraps."""
    box, above = line.line.box, before.line.box
    if box is None or above is None or line.line.list or line.line.table or before.line.table:
        return False
    if line.line.page != before.line.page or line.gap_before or abs(line.size_ratio - before.size_ratio) > 0.02:
        return False
    if not -2.0 <= box[0] - above[0] <= INDENT or box[1] - above[1] > LEADING * (above[3] - above[1]) + 1:
        return False
    text = line.text.strip()
    width = (box[2] - box[0]) / max(1, len(text))
    margin = max(margins.get(column_of(before), 0.0), margins.get(column_of(line), 0.0))
    return above[2] + width * (len(text.split()[0]) + 1) > margin - SLACK


_T = TypeVar("_T")

BREAKS = frozenset(",|;:()[]–—•·/\\→>")  # words that part a line; a hyphen does with a blank before it
GAP, BREAK = 1, 2  # a wide blank before the word; the word is a break itself
WIDE = 2  # more blanks than these, or a tab

LETTER, SMALL, LOW, LONG, CAPITAL = 1, 2, 4, 8, 16
"""Traits: begins with a letter; is then not all capitals; begins in lower case; has four letters or more; is then
written with a capital."""


@dataclass(slots=True)
class LayoutLine:
    """One line; its words are `tokens[first:last]` of the layout."""

    line: Line
    text: str
    first: int
    last: int
    gap_before: bool  # a blank line stands before it
    new_block: bool  # first line of a paragraph, list item or table cell
    size_ratio: float  # to the most common size of the resume; 1 where sizes are unknown
    odd_color: bool
    is_caps: bool
    look: tuple[object, ...]  # font, size, weight and case: lines that look alike have the same
    wraps: bool = False  # goes on with the sentence or list of the line before, which was full

    @property
    def start(self) -> int:
        return self.line.start

    @property
    def end(self) -> int:
        return self.line.end


@dataclass(slots=True)
class ResumeLayout:
    document: Document
    tokens: Tokens
    lines: list[LayoutLine]
    lower: list[str]  # the words in lower case
    line_of: list[int]  # the line of each word
    traits: bytes  # of each word
    cuts: list[int]  # words at which a line is parted
    cut_kinds: list[int]  # GAP, BREAK or both of each
    looks: Counter[tuple[object, ...]] = field(default_factory=Counter)
    line_starts: list[int] = field(default_factory=list)

    def words(self, line: LayoutLine) -> list[str]:
        return self.tokens.words[line.first : line.last]

    def page_at(self, place: int) -> int:
        """The page on which a place of the text stands."""
        number = bisect_right(self.line_starts, place)
        return self.lines[number - 1].line.page if number else 1


def lay_out(document: Document) -> ResumeLayout:
    """The lines that belong to the text; page headers and footers only where nothing else repeats them."""
    text = document.text
    body = [line for line in document.lines if text[line.start : line.end].strip()]
    size = _most_common([(line.size, line.end - line.start) for line in body if line.size])
    color = _most_common([(line.color, line.end - line.start) for line in body if line.color])
    words: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    line_of: list[int] = []
    lines: list[LayoutLine] = []
    before: Line | None = None
    for line in body:
        line_words = tokenise(text, line.start, line.end)
        first = len(words)
        words += line_words.words
        starts += line_words.starts
        ends += line_words.ends
        line_of += [len(lines)] * len(line_words)
        lines.append(_layout_line(document, line, before, first, len(words), size, color))
        before = line
    margins = right_margins(lines)
    for above, below in pairwise(lines):
        below.wraps = _wraps(above, below, margins)
    tokens = Tokens(words, starts, ends)
    cuts = find_cuts(text, tokens)
    return ResumeLayout(
        document,
        tokens,
        lines,
        lower=[word.lower() for word in words],
        line_of=line_of,
        traits=bytes(map(traits_of, words)),
        cuts=list(cuts),
        cut_kinds=list(cuts.values()),
        looks=Counter(laid_out.look for laid_out in lines),
        line_starts=[line.start for line in body],
    )


@lru_cache(maxsize=50_000)
def traits_of(word: str) -> int:
    first = word[0]
    if not first.isalpha():
        return LOW * first.islower()
    is_long = len(word) > 3
    return (
        LETTER
        + SMALL * (not word.isupper())
        + LOW * first.islower()
        + LONG * is_long
        + CAPITAL * (is_long and first.isupper())
    )


def find_cuts(text: str, tokens: Tokens) -> dict[int, int]:
    """Words that are breaks or have a wide blank before them, in order."""
    words, starts, ends = tokens.words, tokens.starts, tokens.ends
    has_tabs = "\t" in text
    gaps = {
        place: GAP
        for place, (end, start) in enumerate(zip(ends, starts[1:], strict=False), start=1)
        if start - end > WIDE or (has_tabs and start > end and "\t" in text[end:start])
    }
    breaks = {
        place: gaps.get(place, 0) + BREAK
        for place, word in enumerate(words)
        if word in BREAKS or (word == "-" and text[starts[place] - 1 : starts[place]].isspace())
    }
    return dict(sorted((gaps | breaks).items())) if gaps else breaks


def _layout_line(
    document: Document, line: Line, before: Line | None, first: int, last: int, size: float | None, color: str | None
) -> LayoutLine:
    text = document.text[line.start : line.end]
    is_apart = before is None or document.text.count("\n", before.end, line.start) > 1
    ratio = line.size / size if line.size and size else 1.0
    is_caps = text.upper() == text and any(letter.isalpha() for letter in text)
    return LayoutLine(
        line=line,
        text=text,
        first=first,
        last=last,
        gap_before=is_apart,
        # In formats that flow every line is a paragraph.
        new_block=is_apart or bool(line.list) or line.box is None or bool(before and line.table != before.table),
        size_ratio=ratio,
        odd_color=line.color is not None and color is not None and line.color != color,
        is_caps=is_caps,
        look=(round(ratio, 2), line.bold, line.italic, line.color, is_caps),
    )


def _most_common(weighted: list[tuple[_T, int]]) -> _T | None:
    counts: Counter[_T] = Counter()
    for value, weight in weighted:
        counts[value] += weight
    return max(counts, key=lambda value: counts[value]) if counts else None
