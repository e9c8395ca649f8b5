"""What a card says about a Document's layout, counted from its lines."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from evenhand.records import Document
from evenhand.records.document import Box


def count(number: int, thing: str) -> str:
    return f"{number:,} {thing}" if number == 1 else f"{number:,} {thing}s"


def columns(document: Document) -> int:
    """How many columns of text stand side by side, at most, on any page."""
    placed = [
        (line.page, line.box)
        for line in document.lines
        if line.box and line.table is None and not line.furniture
    ]
    pages = groupby(placed, lambda item: item[0])
    return max((_abreast(_runs([box for _, box in lines])) for _, lines in pages), default=1)


def _runs(boxes: list[Box]) -> list[tuple[float, float]]:
    """Top and bottom of each stretch that is read downwards; a column ends where reading jumps up again."""
    runs: list[tuple[float, float]] = []
    for _, top, _, bottom in boxes:
        height = bottom - top
        if runs and bottom > runs[-1][1] - height:
            runs[-1] = (runs[-1][0], max(runs[-1][1], bottom))
        else:
            runs.append((top, bottom))
    return runs


def _abreast(runs: list[tuple[float, float]]) -> int:
    return max(
        (sum(top < middle < bottom for top, bottom in runs) for middle in map(_middle, runs)), default=1
    )


def _middle(run: tuple[float, float]) -> float:
    return (run[0] + run[1]) / 2


def layout(document: Document) -> Iterator[str]:
    """Short facts, only those worth telling."""
    if (abreast := columns(document)) > 1:
        yield count(abreast, "column")
    if document.tables:
        sizes = ", ".join(f"{table.rows} x {table.columns}" for table in document.tables[:4])
        yield f"{count(len(document.tables), 'table')} ({sizes}{', ...' if len(document.tables) > 4 else ''})"
    if items := sum(line.list is not None for line in document.lines):
        yield count(items, "list item")
    if furniture := sum(line.furniture is not None for line in document.lines):
        yield f"{count(furniture, 'line')} in page headers and footers"
    confidences = [line.confidence for line in document.lines if line.confidence is not None]
    if confidences:
        mean = sum(confidences) / len(confidences)
        yield f"{count(len(confidences), 'line')} recognised from a scan, {mean:.0%} sure"
