"""What a page is made of: pieces that are stacked, each with the shapes to draw in it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from evenhand.corpora.files.pdf.lines import TextLine


@dataclass(frozen=True, slots=True)
class Text:
    """A line whose baseline begins at (x, y); y is measured downwards from the top of the piece."""

    x: float
    y: float
    line: TextLine


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle, filled or ruled or both."""

    x: float
    y: float
    width: float
    height: float
    fill: str | None = None
    stroke: str | None = None
    thickness: float = 0.5
    radius: float = 0.0


@dataclass(frozen=True, slots=True)
class Rule:
    x: float
    y: float
    to_x: float
    to_y: float
    color: str
    thickness: float = 0.6


@dataclass(frozen=True, slots=True)
class Dot:
    x: float
    y: float
    radius: float
    fill: str | None = None
    stroke: str | None = None


Shape = Text | Box | Rule | Dot


@dataclass(frozen=True, slots=True)
class Piece:
    """`before` is space above, dropped at the top of a column; `glued` forbids a page break below."""

    height: float
    shapes: tuple[Shape, ...]
    before: float = 0.0
    glued: bool = False


def spaced(pieces: Sequence[Piece], before: float) -> list[Piece]:
    """The same pieces with this much space above the first."""
    if not pieces:
        return []
    return [replace(pieces[0], before=max(before, pieces[0].before)), *pieces[1:]]


def kept(pieces: Sequence[Piece]) -> list[Piece]:
    """The same pieces, of which neither the first nor the last line stands alone on a page."""
    count = len(pieces)
    return [
        replace(piece, glued=True) if count > 1 and index in (0, count - 2) else piece
        for index, piece in enumerate(pieces)
    ]


def glued(pieces: Iterable[Piece]) -> list[Piece]:
    """The same pieces, kept together with what follows."""
    return [replace(piece, glued=True) for piece in pieces]


def shifted(shape: Shape, x: float, y: float) -> Shape:
    if isinstance(shape, Rule):
        return replace(shape, x=shape.x + x, to_x=shape.to_x + x, y=shape.y + y, to_y=shape.to_y + y)
    return replace(shape, x=shape.x + x, y=shape.y + y)


def moved(pieces: Iterable[Piece], x: float) -> list[Piece]:
    """The same pieces, further to the right."""
    return [replace(piece, shapes=tuple(shifted(shape, x, 0) for shape in piece.shapes)) for piece in pieces]


def height_of(pieces: Sequence[Piece]) -> float:
    """Stacked, without the space above the first."""
    return sum(piece.height + (piece.before if index else 0.0) for index, piece in enumerate(pieces))
