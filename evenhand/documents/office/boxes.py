"""The order in which a person reads text boxes that stand side by side or below each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

MANY = 300  # boxes; beyond this a plain sort must do
TOLERANCE = 2.0  # points that two boxes may overlap and still stand apart
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Rect:
    """A place on the page in points, from its top left corner."""

    x: float
    y: float
    width: float
    height: float
    floating: bool = False  # y counts from the anchor's line, whose place on the page is unknown

    @property
    def right(self) -> float:
        return self.x + self.width

    @property
    def bottom(self) -> float:
        return self.y + self.height

    def overlap(self, other: Rect) -> float:
        """The share of `other` that lies within this place."""
        across = min(self.right, other.right) - max(self.x, other.x)
        down = min(self.bottom, other.bottom) - max(self.y, other.y)
        area = other.width * other.height
        return max(across, 0.0) * max(down, 0.0) / area if area > 0 else 0.0


def reading_order(items: Sequence[tuple[Rect | None, T]]) -> list[T]:
    """Rows cut from top to bottom, columns within them from left to right; unplaced ones come first."""
    unplaced = [item for rect, item in items if rect is None]
    placed = [(rect, item) for rect, item in items if rect is not None]
    return unplaced + _cut(placed)


def _cut(items: list[tuple[Rect, T]]) -> list[T]:
    if len(items) < 2:
        return [item for _, item in items]
    for vertical in (True, False) if len(items) <= MANY else ():
        groups = _groups(items, vertical=vertical)
        if len(groups) > 1:
            return [item for group in groups for item in _cut(group)]
    ordered = sorted(items, key=lambda pair: (round(pair[0].y / 6), pair[0].x))
    return [item for _, item in ordered]


def _groups(items: list[tuple[Rect, T]], *, vertical: bool) -> list[list[tuple[Rect, T]]]:
    """Items parted wherever a straight cut meets none of them."""

    def extent(rect: Rect) -> tuple[float, float]:
        return (rect.y, rect.bottom) if vertical else (rect.x, rect.right)

    groups: list[list[tuple[Rect, T]]] = []
    reach = float("-inf")
    for rect, item in sorted(items, key=lambda pair: extent(pair[0])):
        start, end = extent(rect)
        if not groups or start >= reach - TOLERANCE:
            groups.append([])
        groups[-1].append((rect, item))
        reach = max(reach, end)
    return groups
