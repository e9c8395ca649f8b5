"""Text cut at offsets into what is marked and what is not, so that a template escapes every piece by itself."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TextPiece:
    text: str
    marked: bool


def pieces(text: str, places: Iterable[tuple[int, int]]) -> list[TextPiece]:
    """In order, together the whole text. Places that overlap become one; what lies outside the text is left out."""
    cut: list[TextPiece] = []
    at = 0
    for start, end in _merged(places, len(text)):
        cut += [TextPiece(text[at:start], False)] if start > at else []
        cut.append(TextPiece(text[start:end], True))
        at = end
    return [*cut, TextPiece(text[at:], False)] if at < len(text) else cut


def _merged(places: Iterable[tuple[int, int]], length: int) -> list[tuple[int, int]]:
    merged: list[tuple[int, int]] = []
    for start, end in sorted((max(start, 0), min(end, length)) for start, end in places):
        if start >= end:
            continue
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(merged[-1][1], end))
        else:
            merged.append((start, end))
    return merged
