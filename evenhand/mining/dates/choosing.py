"""Which of the dates inside an entry is the entry's own: the one in its head, not one told of in a sentence."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence

from evenhand.mining.dates.moments import DateSpan

_ORDER = {"range": 0, "point": 1, "duration": 2}
_LABEL = re.compile(
    r"(?:duration|period|tenure|dates?|time\s?(?:line|frame|period)|from|since|employed|worked|zeitraum|periodo|période)"
    r"[^\w\n]{0,12}\Z",
    re.IGNORECASE,
)
_BULLETS = " \t\xa0•·-–—*▪●(["
_CLOSING = " \t\xa0.,;:)]-–—"


def own_span(text: str, spans: Sequence[DateSpan], *, start: int, head_end: int, end: int) -> DateSpan | None:
    """The time of the entry text[start:end] whose head is text[start:head_end].

    A range in the head comes first, then a point, then a length. Below the head a range counts only where it stands
    alone in its line or behind a label such as "Duration:"; a range in a sentence is about something else.
    """
    first = bisect_left(spans, start, key=lambda span: span.start)
    after = bisect_left(spans, end, key=lambda span: span.start)
    inside = [span for span in spans[first:after] if span.end <= end and span.kind in _ORDER]
    head = [span for span in inside if span.start < head_end]
    ranges = [span for span in head if span.kind == "range"]
    if ranges:
        return ranges[0]
    below = [
        span
        for span in inside
        if span.start >= head_end and span.kind in ("range", "duration") and _stands_apart(text, span)
    ]
    below.sort(key=lambda span: _ORDER[span.kind])
    if below and below[0].kind == "range":
        return below[0]
    head.sort(key=lambda span: _ORDER[span.kind])
    return next(iter([*head, *below]), None)


def _stands_apart(text: str, span: DateSpan) -> bool:
    line_start = text.rfind("\n", 0, span.start) + 1
    line_end = text.find("\n", span.end)
    before = text[line_start : span.start].strip(_BULLETS)
    after = text[span.end : line_end if line_end >= 0 else len(text)].strip(_CLOSING)
    if _LABEL.search(text[max(0, span.start - 40) : span.start]):
        return len(before) <= 24
    return not before and not after
