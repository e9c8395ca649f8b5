"""Words of a crooked page put where they would be on a straight one, each line with one top and one bottom."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from evenhand.documents.ocr.words import SeenWord

Boxes = NDArray[np.float64]

LONG_LINE = 10.0  # length to height from which a line tells how the page slants
STRAIGHT, CROOKED = math.radians(0.1), math.radians(10)  # slants between these are put right


def level_lines(
    words: list[SeenWord], *, centre: tuple[float, float], size_per_height: float
) -> list[SeenWord]:
    """The words on a page turned straight around `centre`, as high as the size of their print.

    `size_per_height` is an engine's own: how large print is for each pixel of the height it gives to lines.
    """
    if not words:
        return []
    boxes = np.array([word.box for word in words])
    lines = np.array([word.line for word in words])
    angle = slant(boxes, lines)
    if STRAIGHT < abs(angle) < CROOKED:
        boxes = turned_back(boxes, angle, centre)
    for line in np.unique(lines):
        here = lines == line
        top, bottom = boxes[here, 1].min(), boxes[here, 3].max()
        middle, half = (top + bottom) / 2, (bottom - top) / 2 * size_per_height
        boxes[here, 1], boxes[here, 3] = middle - half, middle + half
    return [
        replace(word, box=(left, top, right, bottom))
        for word, (left, top, right, bottom) in zip(words, boxes.tolist(), strict=True)
    ]


def slant(boxes: Boxes, lines: NDArray[np.int64]) -> float:
    """The angle of the page in radians, positive when right ends are lower: the median of its long lines."""
    x, y = (boxes[:, 0] + boxes[:, 2]) / 2, (boxes[:, 1] + boxes[:, 3]) / 2
    angles = []
    for line in np.unique(lines):
        here = lines == line
        if np.ptp(x[here]) > LONG_LINE * np.median(boxes[here, 3] - boxes[here, 1]):
            angles.append(math.atan(np.polyfit(x[here], y[here], 1)[0]))
    return float(np.median(angles)) if angles else 0.0


def turned_back(boxes: Boxes, angle: float, centre: tuple[float, float]) -> Boxes:
    """Boxes moved to where they would be without the slant; their sizes stay."""
    x = (boxes[:, 0] + boxes[:, 2]) / 2 - centre[0]
    y = (boxes[:, 1] + boxes[:, 3]) / 2 - centre[1]
    right = x * math.cos(angle) + y * math.sin(angle) - x
    down = y * math.cos(angle) - x * math.sin(angle) - y
    return boxes + np.stack((right, down, right, down), axis=1)
