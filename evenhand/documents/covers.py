"""Opaque shapes in front of flowing text (RTF, DOC): which paragraphs nobody can see behind them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from evenhand.documents.flow import Run

MEAN_WIDTH = 0.5  # of the size, for one character
LINE_HEIGHT = 1.2  # of the size
TEXT_WIDTH = 468.0  # points between usual margins
USUAL_SIZE = 10.0
MOST = 0.9  # of a text that must lie behind a shape
MANY = 100


class Cover(NamedTuple):
    """A shape, in points from the upper left corner of the paragraph that comes next."""

    left: float
    top: float
    right: float
    bottom: float

    def share_of(self, width: float, height: float) -> float:
        across = min(self.right, width) - max(self.left, 0.0)
        down = min(self.bottom, height) - max(self.top, 0.0)
        return max(across, 0.0) * max(down, 0.0) / (width * height)


class Covers:
    """Follows the paragraphs down the page.

    Where a line falls is only estimated, so a paragraph counts as covered only when nearly all of it is.
    """

    def __init__(self) -> None:
        self._shapes: list[Cover] = []

    def add(self, cover: Cover) -> None:
        self._shapes = [*self._shapes, cover][-MANY:]

    def pass_over(self, runs: Sequence[Run], space: float) -> Sequence[Run]:
        """The runs of the next paragraph, marked where they are covered; `space` is its distance to the next."""
        if not self._shapes:
            return runs
        width, height = extent(runs)
        if any(shape.share_of(width, height) >= MOST for shape in self._shapes):
            runs = [(text, look._replace(hidden=look.hidden or "covered")) for text, look in runs]
        step = height + space
        moved = (shape._replace(top=shape.top - step, bottom=shape.bottom - step) for shape in self._shapes)
        self._shapes = [shape for shape in moved if shape.bottom > 0]
        return runs


def extent(runs: Sequence[Run]) -> tuple[float, float]:
    """How wide and high the text of a paragraph should be."""
    size = next((look.size for text, look in runs if look.size and text.strip()), USUAL_SIZE)
    widest, lines = 1.0, 0
    for line in "".join(text for text, look in runs if look.hidden is None).rstrip().split("\n"):
        length = TEXT_WIDTH if "\t" in line.strip() else len(line.strip()) * size * MEAN_WIDTH
        widest = max(widest, min(length, TEXT_WIDTH))
        lines += max(1, math.ceil(length / TEXT_WIDTH))
    return widest, lines * size * LINE_HEIGHT
