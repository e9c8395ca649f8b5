"""Words to pieces of lines: runs of words that no wide gap parts."""

from __future__ import annotations

import numpy as np

from evenhand.documents.pdf.rows import Piece, group_rows
from evenhand.documents.pdf.words import Words

WIDE = 1.0  # of the line's height: a wider gap may be a gutter, a narrower one is a space
MARKER_REACH = 3.0  # a list marker may stand this many heights before its text


def form_pieces(words: Words, keep: np.ndarray) -> list[Piece]:
    """Pieces of the words marked in `keep`, in drawing order, neighbours on a line joined."""
    chosen = np.flatnonzero(keep)
    if len(chosen) == 0:
        return []
    boxes = words.boxes[chosen]
    heights = boxes[:, 3] - boxes[:, 1]
    gaps = boxes[1:, 0] - boxes[:-1, 2]
    apart = words.line_start[chosen][1:] | (np.diff(chosen) > 1)
    apart |= gaps > WIDE * np.minimum(heights[1:], heights[:-1])
    first = np.concatenate(([0], np.flatnonzero(apart) + 1))
    last = np.append(first[1:], len(chosen)).tolist()
    x0 = np.minimum.reduceat(boxes[:, 0], first).tolist()
    y0 = np.minimum.reduceat(boxes[:, 1], first).tolist()
    x1 = np.maximum.reduceat(boxes[:, 2], first).tolist()
    y1 = np.maximum.reduceat(boxes[:, 3], first).tolist()
    numbers = chosen.tolist()
    pieces = [
        Piece(*edges, numbers[begin:end], goes_on=words.text[numbers[begin]][:1].islower())
        for edges, begin, end in zip(zip(x0, y0, x1, y1, strict=True), first.tolist(), last, strict=True)
    ]
    return join_neighbours(pieces, words.text)


def join_neighbours(pieces: list[Piece], text: list[str]) -> list[Piece]:
    """Join what a change of font or colour drew separately on one line, and list markers with their text."""
    joined: list[Piece] = []
    for row in group_rows(pieces):
        current = row.pieces[0]
        for piece in row.pieces[1:]:
            reach = MARKER_REACH if is_marker(current, text) else WIDE
            if piece.x0 - current.x1 <= reach * min(piece.height, current.height):
                current = merge(current, piece)
            else:
                joined.append(current)
                current = piece
        joined.append(current)
    return joined


def is_marker(piece: Piece, text: list[str]) -> bool:
    """A lone sign before a text: a bullet or icon of whatever shape."""
    sign = text[piece.words[0]]
    return len(piece.words) == 1 and len(sign) <= 1 and not sign.isalnum()


def merge(first: Piece, second: Piece) -> Piece:
    return Piece(
        min(first.x0, second.x0),
        min(first.y0, second.y0),
        max(first.x1, second.x1),
        max(first.y1, second.y1),
        first.words + second.words,
        goes_on=first.goes_on,
    )
