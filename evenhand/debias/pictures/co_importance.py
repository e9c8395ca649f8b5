"""What each concept weighs for the task and for the sensitive variable, and in which order concepts go (Fig 2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise, product
from math import ceil, sqrt

from evenhand.debias.weighing import Concept
from evenhand.records.report import Chart
from evenhand.rendering.charts import BLUE, GREY, ORANGE, Spec, figure, layer, nominal, quantitative

# Where labels stand beside their points, so that none covers another.

LINE = 13.0  # pixels, for letters of 12
_NARROW, _DIGIT, _OTHER, _WIDE = 3.3, 6.7, 6.3, 9.5
_CORNERS = ((1, 0), (1, -1), (0, -1), (1, 1), (0, 1), (-1, 0), (-1, -1), (-1, 1))


@dataclass(frozen=True, slots=True)
class LabelBox:
    left: float
    top: float
    right: float
    bottom: float

    def overlap(self, other: LabelBox) -> float:
        width = min(self.right, other.right) - max(self.left, other.left)
        height = min(self.bottom, other.bottom) - max(self.top, other.top)
        return max(width, 0.0) * max(height, 0.0)


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


def along(points: Sequence[tuple[float, float]], *, step: float = 5.0) -> list[LabelBox]:
    """Small boxes on the line through the points: what a label must not cover either."""
    boxes = []
    for (x, y), (to_x, to_y) in pairwise(points):
        number = max(1, int(max(abs(to_x - x), abs(to_y - y)) / step))
        for at in range(number + 1):
            here, there = x + (to_x - x) * at / number, y + (to_y - y) * at / number
            boxes.append(LabelBox(here - 2, there - 2, here + 2, there + 2))
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
    obstacles: Sequence[LabelBox] = (),
) -> tuple[tuple[float, float], ...]:
    """Offsets in pixels from each point to the middle of its label.

    Greedy, in the given order: the first of eight corners, near or a little farther, that covers nothing.
    """
    taken = [*(LabelBox(x - radius, y - radius, x + radius, y + radius) for x, y in points), *obstacles]
    placed: list[tuple[float, float]] = []
    for (x, y), text in zip(points, texts, strict=True):
        half = text_width(text) / 2
        tries: list[tuple[float, tuple[float, float], LabelBox]] = []
        for rank, (farther, (across, down)) in enumerate(product((0.0, 6.0, 13.0), _CORNERS if text else ())):
            slant = 0.8 if across and down else 1.0
            dx = across * (radius + half + 2 + farther) * slant
            dy = down * (radius + LINE / 2 + farther) * slant
            box = LabelBox(x + dx - half, y + dy - LINE / 2, x + dx + half, y + dy + LINE / 2)
            is_outside = box.left < 0 or box.top < 0 or box.right > size[0] + 30 or box.bottom > size[1]
            cost = sum(box.overlap(other) for other in taken) + (1000.0 if is_outside else 0.0)
            tries.append((cost + rank * 0.01, (dx, dy), box))
        if tries:
            _, offset, box = min(tries, key=lambda attempt: attempt[0])
            taken.append(box)
        placed.append(offset if tries else (0.0, 0.0))
    return tuple(placed)


SIDE = 460  # pixels
RADIUS = 6.0
MIDDLE = "#b9b6a8"
PLACES = {"x": quantitative("sensitive"), "y": quantitative("task")}
MOVED = {"dx": {"expr": "datum.dx"}, "dy": {"expr": "datum.dy"}}  # a label, from its point


def co_importance(
    concepts: Sequence[Concept], *, sensitive_name: str = "gender", task_name: str = "occupation"
) -> Chart:
    """A point per concept with its turn in the removal; the colour is 90 degrees minus its angle."""
    title = f"Concepts by information about {sensitive_name} and of {task_name}"
    about = "The number is the turn in which a concept is removed. On the dotted line it tells as much of both."
    most = _most(concepts)
    ends: list[Spec] = [{"sensitive": 0, "task": 0}, {"sensitive": most, "task": most}]
    diagonal = layer("line", PLACES, rows=ends, strokeDash=[2, 4], color=GREY, strokeWidth=1)
    layers = [diagonal, _points(concepts, sensitive_name, task_name), _numbers(concepts)]
    spec = figure(title, about, width=SIDE, height=SIDE, layer=layers)
    return Chart(title, spec, _words(concepts, sensitive_name, task_name))


def _most(concepts: Sequence[Concept]) -> float:
    """Of both axes, so that the diagonal is where a concept tells as much of one as of the other."""
    largest = max((max(concept.sensitive, concept.task) for concept in concepts), default=1.0)
    return ceil(largest * 1.08 * 50) / 50 or 1.0


def _points(concepts: Sequence[Concept], sensitive_name: str, task_name: str) -> Spec:
    """Roots on both axes: most concepts weigh little, and would lie on one heap."""
    ticks = [value for value in (0, 0.01, 0.05, 0.1, 0.2, 0.3, 0.4, 0.6, 0.8, 1.0) if value <= _most(concepts)]
    axis = {"values": ticks, "format": ".0%"}
    scale = {"type": "sqrt", "domain": [0, _most(concepts)]}
    colours = {"domain": [0, 45, 90], "range": [BLUE, MIDDLE, ORANGE], "interpolate": "rgb"}
    legend = {
        "title": ["angle a in degrees:", "large goes first"],
        "gradientLength": 220,
        "values": [0, 15, 30, 45, 60, 75, 90],
    }
    places = {
        "x": quantitative("sensitive", scale=scale, axis={**axis, "title": f"{sensitive_name} importance"}),
        "y": quantitative("task", scale=scale, axis={**axis, "title": f"{task_name} importance"}),
        "color": quantitative("a", scale=colours, legend=legend),
    }
    return layer("circle", places, rows=_rows(concepts), size=4 * RADIUS**2 * 0.785, opacity=1)


def _rows(concepts: Sequence[Concept]) -> list[Spec]:
    return [
        {
            "concept": concept.index,
            "order": concept.order,
            "sensitive": max(concept.sensitive, 0.0),  # estimates of nothing can fall below it
            "task": max(concept.task, 0.0),
            "a": concept.colour,
        }
        for concept in concepts
    ]


def _numbers(concepts: Sequence[Concept]) -> Spec:
    most = sqrt(_most(concepts))
    rows = _rows(concepts)
    places = [(SIDE * sqrt(row["sensitive"]) / most, SIDE - SIDE * sqrt(row["task"]) / most) for row in rows]
    placed = place_labels(places, [str(concept.order) for concept in concepts], radius=RADIUS, size=(SIDE, SIDE))
    rows = [row | {"dx": dx, "dy": dy} for row, (dx, dy) in zip(rows, placed, strict=True)]
    return layer("text", {**PLACES, "text": nominal("order")}, rows=rows, fontSize=12, **MOVED)


def _words(concepts: Sequence[Concept], sensitive_name: str, task_name: str) -> str:
    first = [
        f"concept {concept.order} tells {concept.sensitive:.1%} of {sensitive_name}"
        f" and {concept.task:.1%} of {task_name}"
        for concept in sorted(concepts, key=lambda concept: concept.order)[:3]
    ]
    return f"{len(concepts)} concepts, in the order of removal: {'; '.join(first)}." if first else "No concept."
