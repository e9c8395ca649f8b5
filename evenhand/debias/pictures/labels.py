"""Where labels stand beside their points, so that none covers another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

LINE = 13.0  # pixels, for letters of 12
_NARROW, _DIGIT, _OTHER, _WIDE = 3.3, 6.7, 6.3, 9.5
_CORNERS = ((1, 0), (1, -1), (0, -1), (1, 1), (0, 1), (-1, 0), (-1, -1), (-1, 1))


@dataclass(frozen=True, slots=True)
class Box:
    left: float
    top: float
    right: float
    bottom: float

    def overlap(self, other: Box) -> float:
        width = min(self.right, other.right) - max(self.left, other.left)
        height = min(self.bottom, other.bottom) - max(self.top, other.top)
        return max(width, 0.0) * max(height, 0.0)


@dataclass(frozen=True, slots=True)
class Placed:
    """Offsets in pixels from the point to the middle of its label."""

    dx: float
    dy: float


def text_width(text: str) -> float:
    """About so many pixels, in letters of 12."""
    return sum(
        _NARROW
        if letter in " iljft.,:;'|I()"
        else _DIGIT
        if letter.isdigit()
        else _WIDE
        if letter in "mwMW%@" or not letter.isascii()
        else _OTHER
        for letter in text
    )


def along(points: Sequence[tuple[float, float]], *, step: float = 5.0) -> list[Box]:
    """Small boxes on the line through the points: what a label must not cover either."""
    boxes = []
    for (x, y), (to_x, to_y) in pairwise(points):
        number = max(1, int(max(abs(to_x - x), abs(to_y - y)) / step))
        for at in range(number + 1):
            here, there = x + (to_x - x) * at / number, y + (to_y - y) * at / number
            boxes.append(Box(here - 2, there - 2, here + 2, there + 2))
    return boxes


def spread(places: Sequence[float], *, apart: float = LINE + 1) -> list[float]:
    """The same places, moved as little as needed to lie that far apart; for names at the ends of lines."""
    moved = dict(enumerate(places))
    order = sorted(moved, key=lambda at: places[at])
    for _ in range(40):
        for one, two in pairwise(order):
            lack = apart - (moved[two] - moved[one])
            if lack > 0:
                moved[one] -= lack / 2
                moved[two] += lack / 2
    return [moved[at] for at in range(len(places))]


def place_labels(
    points: Sequence[tuple[float, float]],
    texts: Sequence[str],
    *,
    radius: float,
    size: tuple[float, float],
    obstacles: Sequence[Box] = (),
) -> tuple[Placed, ...]:
    """Greedy, in the given order: the first of eight corners, near or a little farther, that covers nothing."""
    taken = [*(Box(x - radius, y - radius, x + radius, y + radius) for x, y in points), *obstacles]
    placed: list[Placed] = []
    for (x, y), text in zip(points, texts, strict=True):
        if not text:
            placed.append(Placed(0.0, 0.0))
            continue
        tries = list(_tries(x, y, text, radius))
        costs = [
            (_cost(box, taken, size) + rank * 0.01, offset, box) for rank, (offset, box) in enumerate(tries)
        ]
        _, offset, box = min(costs, key=lambda cost: cost[0])
        placed.append(offset)
        taken.append(box)
    return tuple(placed)


def _tries(x: float, y: float, text: str, radius: float) -> Iterator[tuple[Placed, Box]]:
    half = text_width(text) / 2
    for farther in (0.0, 6.0, 13.0):
        for across, down in _CORNERS:
            slant = 0.8 if across and down else 1.0
            dx = across * (radius + half + 2 + farther) * slant
            dy = down * (radius + LINE / 2 + farther) * slant
            yield Placed(dx, dy), Box(x + dx - half, y + dy - LINE / 2, x + dx + half, y + dy + LINE / 2)


def _cost(box: Box, taken: Sequence[Box], size: tuple[float, float]) -> float:
    width, height = size
    is_outside = box.left < 0 or box.top < 0 or box.right > width + 30 or box.bottom > height
    return sum(box.overlap(other) for other in taken) + (1000.0 if is_outside else 0.0)
