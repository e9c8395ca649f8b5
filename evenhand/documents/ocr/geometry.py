"""What an engine gives back for a picture, and what every engine can do."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Grey = NDArray[np.uint8]
"""Rows of pixels, 0 black to 255 white."""

PixelBox = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class OcrWord:
    """A word where the engine saw it; words of one printed line share `line`, left to right."""

    text: str
    box: PixelBox  # x0, y0, x1, y1; as high as the size of its line's print
    confidence: float  # 0 to 1
    line: int


@dataclass(frozen=True, slots=True)
class OcrResult:
    """All words of a picture, in coordinates of the picture turned upright and straight."""

    words: list[OcrWord]
    quarter_turns: int = 0  # counterclockwise turns that made the picture upright
    complete: bool = True  # False: time ran out and words are missing


class Engine(Protocol):
    """Someone who can read a picture."""

    @property
    def name(self) -> str: ...

    def read(self, image: Grey, *, dpi: float, deadline: float) -> OcrResult:
        """Read until `deadline` (of `time.monotonic`) at the latest."""
        ...


# Words of a crooked page put where they would be on a straight one, each line with one top and one bottom.

Boxes = NDArray[np.float64]

LONG_LINE = 10.0  # length to height from which a line tells how the page slants
STRAIGHT, CROOKED = math.radians(0.1), math.radians(10)  # slants between these are put right


def level_lines(words: list[OcrWord], *, centre: tuple[float, float], size_per_height: float) -> list[OcrWord]:
    """The words on a page turned straight around `centre`, as high as the size of their print.

    `size_per_height` is an engine's own: how large print is for each pixel of the height it gives to lines.
    """
    if not words:
        return []
    boxes = np.array([word.box for word in words])
    lines = np.array([word.line for word in words])
    angle = slant(boxes, lines)
    if STRAIGHT < abs(angle) < CROOKED:
        # Where the boxes would be without the slant; their sizes stay.
        x = (boxes[:, 0] + boxes[:, 2]) / 2 - centre[0]
        y = (boxes[:, 1] + boxes[:, 3]) / 2 - centre[1]
        right = x * math.cos(angle) + y * math.sin(angle) - x
        down = y * math.cos(angle) - x * math.sin(angle) - y
        boxes = boxes + np.stack((right, down, right, down), axis=1)
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


# Where text is: a map of text probability to slanted boxes, one for each run of print on a line.

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Map = NDArray[np.float32]

TEXT = 0.3  # probability from which a pixel counts
SURE = 0.55  # mean probability from which a box counts
# The model marks only the core of a line. Growing it back by too much lets the lines above and below in.
GROWTH_ALONG, GROWTH_ACROSS = 1.5, 1.15
MIN_BOX_PIXELS = 3.0  # pixels
MAX_BOXES = 1_000
LONG = 3.0  # length to height from which a box has a direction of its own


@dataclass(frozen=True, slots=True)
class SlantedBox:
    """A rectangle around its centre; `angle` in radians, positive when the right end is lower."""

    x: float
    y: float
    width: float
    height: float
    angle: float

    def point(self, along: float, across: float) -> tuple[float, float]:
        """The place at these shares (0 to 1) of width and height, from the top left corner."""
        right, down = (along - 0.5) * self.width, (across - 0.5) * self.height
        cos, sin = np.cos(self.angle), np.sin(self.angle)
        return float(self.x + right * cos - down * sin), float(self.y + right * sin + down * cos)


@dataclass(frozen=True, slots=True)
class PixelRuns:
    """Horizontal runs of marked pixels, sorted by row and start; `end` is exclusive."""

    row: Ints
    start: Ints
    end: Ints


def find_boxes(text_map: Map) -> list[SlantedBox]:
    """Boxes from top to bottom, then left to right."""
    runs = find_runs(thickened(text_map > TEXT))
    if len(runs.row) == 0:
        return []
    labels = connect(runs, text_map.shape[1])
    order = np.argsort(labels, kind="stable")
    first = np.flatnonzero(np.diff(labels[order], prepend=-1))
    runs = PixelRuns(runs.row[order], runs.start[order], runs.end[order])
    sums = np.cumsum(np.pad(text_map, ((0, 0), (1, 0))), axis=1, dtype=np.float64)
    marked = sums[runs.row, runs.end] - sums[runs.row, runs.start]
    sure = np.add.reduceat(marked, first) / np.add.reduceat(runs.end - runs.start, first)
    boxes = [
        grown(box)
        for box, sureness in zip(fit_boxes(runs, first), sure.tolist(), strict=True)
        if sureness >= SURE and min(box.width, box.height) >= MIN_BOX_PIXELS
    ]
    largest = sorted(boxes, key=lambda box: -box.width * box.height)[:MAX_BOXES]
    return sorted(largest, key=lambda box: (box.y, box.x))


def thickened(mask: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Each pixel spreads one to the right and one down, which joins what a hair's breadth parts."""
    thick = mask.copy()
    thick[:, 1:] |= mask[:, :-1]
    thick[1:] |= thick[:-1].copy()
    return thick


def find_runs(mask: NDArray[np.bool_]) -> PixelRuns:
    edges = np.diff(np.pad(mask, ((0, 0), (1, 1))).astype(np.int8), axis=1)
    row, start = np.nonzero(edges == 1)
    return PixelRuns(row, start, np.nonzero(edges == -1)[1])


def connect(runs: PixelRuns, width: int) -> Ints:
    """A number for each run that all runs touching it share, directly or through others."""
    stride = width + 2
    below = (runs.row + 1) * stride
    low = np.searchsorted(runs.row * stride + runs.end, below + runs.start)
    high = np.searchsorted(runs.row * stride + runs.start, below + runs.end, side="right")
    touching = np.maximum(high - low, 0)
    upper = np.repeat(np.arange(len(low)), touching)
    offsets = np.arange(len(upper)) - np.repeat(np.cumsum(touching) - touching, touching)
    lower = np.repeat(low, touching) + offsets
    labels = np.arange(len(low))
    while True:
        smaller = np.minimum(labels[upper], labels[lower])
        if np.array_equal(smaller, labels[upper]) and np.array_equal(smaller, labels[lower]):
            return labels
        # A run takes the smallest number it touches; so does the run whose number it had until now.
        for other in (labels[upper], labels[lower], upper, lower):
            np.minimum.at(labels, other, smaller)
        labels = labels[labels]


def fit_boxes(runs: PixelRuns, first: Ints) -> list[SlantedBox]:
    """The tightest rectangle in the direction of each group of runs; `first` is where each group begins."""
    angles = directions(runs, first)
    group = np.repeat(np.arange(len(first)), np.diff(first, append=len(runs.row)))
    cos, sin = np.cos(angles)[group], np.sin(angles)[group]
    ends = (runs.start, runs.end - 1)  # thickening put the right end and the last row one further
    corners = [(x * cos + runs.row * sin, runs.row * cos - x * sin) for x in ends]
    left, top, right, bottom = (
        function.reduceat(function.reduce([corner[axis] for corner in corners]), first)
        for function in (np.minimum, np.maximum)
        for axis in (0, 1)
    )
    along, across = (left + right) / 2, (top + bottom) / 2
    x = along * np.cos(angles) - across * np.sin(angles)
    y = along * np.sin(angles) + across * np.cos(angles)
    columns = (x, y, right - left, bottom - top, angles)
    return [SlantedBox(*values) for values in zip(*(column.tolist() for column in columns), strict=True)]


def directions(runs: PixelRuns, first: Ints) -> Floats:
    """The main axis of each group where it is clearly longer than wide; else 0."""

    def total(values: Floats) -> Floats:
        return np.add.reduceat(values, first)

    length = (runs.end - runs.start).astype(np.float64)
    middle = (runs.start + runs.end) / 2
    level = runs.row + 0.5
    area = total(length)
    mean_x, mean_y = total(length * middle) / area, total(length * level) / area
    var_x = total(length * (middle**2 + length**2 / 12)) / area - mean_x**2
    var_y = total(length * level**2) / area - mean_y**2
    cov = total(length * middle * level) / area - mean_x * mean_y
    lying = var_x > LONG**2 * var_y
    standing = var_y > LONG**2 * var_x
    slope_lying = np.arctan(cov / np.maximum(var_x, 1e-9))
    slope_standing = -np.arctan(cov / np.maximum(var_y, 1e-9))
    angles: Floats = np.where(lying, slope_lying, np.where(standing, slope_standing, 0.0))
    return angles


def grown(box: SlantedBox) -> SlantedBox:
    margin = box.width * box.height / (box.width + box.height)
    width, height = box.width + GROWTH_ALONG * margin, box.height + GROWTH_ACROSS * margin
    return SlantedBox(box.x, box.y, width, height, box.angle)
