"""A document laid out for mining: its lines with their words, and how each line looks beside the rest of the resume."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TypeVar

from evenhand.mining.tokens import Tokens, tokenise
from evenhand.mining.wrapping import mark_wraps
from evenhand.records.document import Document, Line

_T = TypeVar("_T")


@dataclass(slots=True)
class SheetLine:
    """One line; its words are `tokens[first:last]` of the sheet."""

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
class Sheet:
    document: Document
    tokens: Tokens
    lines: list[SheetLine]
    lower: list[str]  # the words in lower case
    line_of: list[int]  # the line of each word
    looks: Counter[tuple[object, ...]] = field(default_factory=Counter)

    def words(self, line: SheetLine) -> list[str]:
        return self.tokens.words[line.first : line.last]

    def page_at(self, place: int) -> int:
        """The page on which a place of the text stands."""
        low, high = 0, len(self.lines)
        while low < high:
            middle = (low + high) // 2
            if self.lines[middle].start <= place:
                low = middle + 1
            else:
                high = middle
        return self.lines[low - 1].line.page if low else 1


def lay_out(document: Document) -> Sheet:
    """The lines that belong to the text; page headers and footers only where nothing else repeats them."""
    text = document.text
    body = [line for line in document.lines if text[line.start : line.end].strip()]
    size = _most_common([(line.size, line.end - line.start) for line in body if line.size])
    color = _most_common([(line.color, line.end - line.start) for line in body if line.color])
    words: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    line_of: list[int] = []
    lines: list[SheetLine] = []
    before: Line | None = None
    for line in body:
        line_words = tokenise(text, line.start, line.end)
        first = len(words)
        words += line_words.words
        starts += line_words.starts
        ends += line_words.ends
        line_of += [len(lines)] * len(line_words)
        lines.append(_sheet_line(document, line, before, first, len(words), size, color))
        before = line
    sheet = Sheet(document, Tokens(words, starts, ends), lines, [word.lower() for word in words], line_of)
    for each in lines:
        sheet.looks[each.look] += 1
    mark_wraps(lines)
    return sheet


def _sheet_line(
    document: Document,
    line: Line,
    before: Line | None,
    first: int,
    last: int,
    size: float | None,
    color: str | None,
) -> SheetLine:
    text = document.text[line.start : line.end]
    between = document.text[before.end : line.start] if before else ""
    ratio = line.size / size if line.size and size else 1.0
    is_caps = text.upper() == text and any(letter.isalpha() for letter in text)
    return SheetLine(
        line=line,
        text=text,
        first=first,
        last=last,
        gap_before=between.count("\n") > 1 or before is None,
        new_block=_new_block(line, before, between),
        size_ratio=ratio,
        odd_color=line.color is not None and color is not None and line.color != color,
        is_caps=is_caps,
        look=(round(ratio, 2), line.bold, line.italic, line.color, is_caps),
    )


def _new_block(line: Line, before: Line | None, between: str) -> bool:
    if before is None or line.list or between.count("\n") > 1 or line.table != before.table:
        return True
    return line.box is None  # in formats that flow every line is a paragraph


def _most_common(weighted: list[tuple[_T, int]]) -> _T | None:
    counts: Counter[_T] = Counter()
    for value, weight in weighted:
        counts[value] += weight
    return max(counts, key=lambda value: counts[value]) if counts else None
