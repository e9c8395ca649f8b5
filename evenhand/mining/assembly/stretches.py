"""Stretches of text that can be asked what they touch without looking at each."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable

from evenhand.mining.dates import DateSpan
from evenhand.mining.sheet import SheetLine


class Stretches:
    """Half-open and without overlaps among themselves, as mentions of a text are."""

    def __init__(self, places: Iterable[tuple[int, int]]) -> None:
        self._places = sorted(places)
        self._ends = [end for _, end in self._places]

    def overlaps(self, start: int, end: int) -> bool:
        at = bisect_left(self._ends, start + 1)  # the first that ends behind `start`
        return at < len(self._places) and self._places[at][0] < end


class DatesByPlace:
    """The date expressions of a text, found by where they stand."""

    def __init__(self, spans: Iterable[DateSpan]) -> None:
        self._spans = sorted(spans, key=lambda span: span.start)
        self._starts = [span.start for span in self._spans]
        self._ends = [span.end for span in self._spans]

    def in_line(self, line: SheetLine) -> list[DateSpan]:
        """Those that begin in the line."""
        return self._spans[bisect_left(self._starts, line.start) : bisect_left(self._starts, line.end)]

    def touching(self, start: int, end: int) -> list[DateSpan]:
        """Those that share a letter with text[start:end]."""
        return self._spans[bisect_left(self._ends, start + 1) : bisect_left(self._starts, end)]
