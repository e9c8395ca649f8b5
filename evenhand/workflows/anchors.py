"""Places in a text that can be found again when the text was read anew and has shifted a little."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from evenhand.records import Education, Position

KEPT = 200  # characters by which a place is known again
Span = tuple[int, int]
Anchor = Mapping[str, Any]
Entry = TypeVar("Entry", Position, Education)


def make_anchor(text: str, span: Span, *, page: int) -> dict[str, Any]:
    start, end = span
    return {"start": start, "end": end, "page": page, "words": text[start : min(end, start + KEPT)]}


def settle(anchor: Anchor, text: str) -> Span | None:
    """Where it is now: at its old place if the words still stand there, else where they stand nearest to it."""
    start, end, words = anchor["start"], anchor["end"], anchor["words"]
    if text[start : start + len(words)] == words:
        return start, min(end, len(text))
    places = [match.start() for match in re.finditer(re.escape(words), text)] if words else []
    if not places:
        return None
    nearest = min(places, key=lambda at: abs(at - start))
    return nearest, min(nearest + end - start, len(text))


def entry_at(entries: Sequence[Entry], anchor: Anchor, text: str) -> int | None:
    """The entry that shares most with a place; None where none does, or where the place is gone."""
    span = settle(anchor, text)
    if span is None:
        return None
    shared = [_shared(span, (each.evidence.start, each.evidence.end)) for each in entries]
    best = max(range(len(entries)), key=shared.__getitem__, default=None)
    return best if best is not None and shared[best] > 0 else None


def find_words(text: str, words: str, *, near: Span | None = None) -> Span | None:
    """Where words stand, however they are spaced and capitalised; the place nearest to `near` of several."""
    parts = words.split()
    if not parts:
        return None
    pattern = r"\s+".join(map(re.escape, parts))
    found = [match.span() for match in re.finditer(rf"(?<!\w){pattern}(?!\w)", text, re.IGNORECASE)]
    if not found:
        return None
    if near is None:
        return found[0]
    inside = [span for span in found if near[0] <= span[0] < near[1]]
    return inside[0] if inside else min(found, key=lambda span: abs(span[0] - near[0]))


def _shared(one: Span, other: Span) -> int:
    return max(0, min(one[1], other[1]) - max(one[0], other[0]))
