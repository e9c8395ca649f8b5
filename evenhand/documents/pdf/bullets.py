"""Bullets that are drawn as small shapes instead of being set as characters."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable

from evenhand.documents.draft import DraftLine
from evenhand.documents.pdf.shapes import Shape

BULLET = "•"
SMALLEST, LARGEST = 1.0, 7.0  # points
FARTHEST = 25.0  # points from the bullet to its text


def drawn_bullets(shapes: Iterable[Shape]) -> list[tuple[float, float]]:
    """Height on the page and right edge of each small, square shape, from the top down."""
    bullets = []
    for shape in shapes:
        width, height = shape.width, shape.height
        if shape.is_image or not (SMALLEST < width < LARGEST and SMALLEST < height < LARGEST):
            continue
        if 0.6 < width / height < 1.7:
            bullets.append(((shape.box[1] + shape.box[3]) / 2, shape.box[2]))
    return sorted(bullets)


def mark_bullets(lines: list[DraftLine], bullets: list[tuple[float, float]]) -> None:
    """Give the lines that a drawn bullet stands before their marker; one lone dot is no list."""
    found: list[tuple[DraftLine, float]] = []
    for line in lines:
        if line.box is None or line.list is not None or line.table is not None:
            continue
        left, top, _, bottom = line.box
        middle, slack = (top + bottom) / 2, 0.35 * (bottom - top)
        near = bullets[bisect_left(bullets, (middle - slack,)) : bisect_right(bullets, (middle + slack, 1e9))]
        edges = [edge for _, edge in near if 1 < left - edge < FARTHEST]
        if edges:
            found.append((line, round(max(edges))))
    shared = Counter(edge for _, edge in found)
    for line, edge in found:
        if shared[int(edge)] >= 2:
            line.list = BULLET
            line.text = f"{BULLET} {line.text}"
