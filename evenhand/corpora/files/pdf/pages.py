"""Pieces are stacked into columns, page after page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from evenhand.corpora.files.pdf.pieces import Piece, Shape, shifted


@dataclass(frozen=True, slots=True)
class Column:
    """Where a stream of pieces runs on every page; the first page may begin lower."""

    x: float
    top: float
    bottom: float
    first_top: float


@dataclass(slots=True)
class Page:
    shapes: list[Shape] = field(default_factory=list)


def fill(pages: list[Page], column: Column, pieces: Sequence[Piece]) -> float:
    """Stack the pieces into the column, adding pages as needed; returns where the last page's text ends."""
    number = 0
    y = column.first_top
    at_top = True
    for group in groups_of(pieces):
        need = sum(piece.height + piece.before for piece in group) - (group[0].before if at_top else 0)
        if not at_top and y + need > column.bottom and fits_better(group, column):
            number, y, at_top = number + 1, column.top, True
        for piece in group:
            before = 0.0 if at_top else piece.before
            if not at_top and y + before + piece.height > column.bottom:
                number, y, before = number + 1, column.top, 0.0
            while len(pages) <= number:
                pages.append(Page())
            y += before
            pages[number].shapes += [shifted(shape, column.x, y) for shape in piece.shapes]
            y += piece.height
            at_top = False
    return y


def groups_of(pieces: Sequence[Piece]) -> list[list[Piece]]:
    """Runs of pieces without a permitted break between them."""
    groups: list[list[Piece]] = []
    open_group = False
    for piece in pieces:
        if open_group:
            groups[-1].append(piece)
        else:
            groups.append([piece])
        open_group = piece.glued
    return groups


def fits_better(group: Sequence[Piece], column: Column) -> bool:
    """A group that would fill most of a page is broken where the page ends instead."""
    return sum(piece.height + piece.before for piece in group) < 0.6 * (column.bottom - column.top)
