"""What each concept weighs for the task and for the sensitive variable, and in which order concepts go (Fig 2)."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, sqrt
from typing import Any

from evenhand.debias.pictures.drawing import BLUE, ORANGE, SCHEMA, titled
from evenhand.debias.pictures.labels import place_labels
from evenhand.debias.ranking import Concept
from evenhand.records.report import Chart

SIDE = 460  # pixels
RADIUS = 6.0
MIDDLE = "#b9b6a8"


def co_importance(
    concepts: Sequence[Concept], *, sensitive_name: str = "gender", task_name: str = "occupation"
) -> Chart:
    """A point per concept with its turn in the removal; the colour is 90 degrees minus its angle."""
    title = f"Concepts by what they tell of {sensitive_name} and of {task_name}"
    return Chart(
        title,
        {
            "$schema": SCHEMA,
            "title": titled(
                title,
                "The number is the turn in which a concept is removed. On the dotted line it tells as much of both.",
            ),
            "width": SIDE,
            "height": SIDE,
            "layer": [
                _diagonal(_most(concepts)),
                _points(concepts, sensitive_name, task_name),
                _numbers(concepts),
            ],
        },
        _words(concepts, sensitive_name, task_name),
    )


def _most(concepts: Sequence[Concept]) -> float:
    """Of both axes, so that the diagonal is where a concept tells as much of one as of the other."""
    largest = max((max(each.sensitive, each.task) for each in concepts), default=1.0)
    return ceil(largest * 1.08 * 50) / 50 or 1.0


def _diagonal(most: float) -> dict[str, Any]:
    return {
        "data": {"values": [{"sensitive": 0, "task": 0}, {"sensitive": most, "task": most}]},
        "mark": {"type": "line", "strokeDash": [2, 4], "color": "#8a8a8a", "strokeWidth": 1},
        "encoding": {
            "x": {"field": "sensitive", "type": "quantitative"},
            "y": {"field": "task", "type": "quantitative"},
        },
    }


def _points(concepts: Sequence[Concept], sensitive_name: str, task_name: str) -> dict[str, Any]:
    """Roots on both axes: most concepts weigh little, and would lie on one heap."""
    ticks = [
        value for value in (0, 0.01, 0.05, 0.1, 0.2, 0.3, 0.4, 0.6, 0.8, 1.0) if value <= _most(concepts)
    ]
    axis = {"values": ticks, "format": ".0%"}
    scale = {"type": "sqrt", "domain": [0, _most(concepts)]}
    return {
        "data": {"values": _rows(concepts)},
        "mark": {"type": "circle", "size": 4 * RADIUS**2 * 0.785, "opacity": 1},
        "encoding": {
            "x": {
                "field": "sensitive",
                "type": "quantitative",
                "scale": scale,
                "axis": {**axis, "title": f"{sensitive_name} importance"},
            },
            "y": {
                "field": "task",
                "type": "quantitative",
                "scale": scale,
                "axis": {**axis, "title": f"{task_name} importance"},
            },
            "color": {
                "field": "a",
                "type": "quantitative",
                "scale": {"domain": [0, 45, 90], "range": [BLUE, MIDDLE, ORANGE], "interpolate": "rgb"},
                "legend": {
                    "title": ["angle a in degrees:", "large goes first"],
                    "gradientLength": 220,
                    "values": [0, 15, 30, 45, 60, 75, 90],
                },
            },
        },
    }


def _rows(concepts: Sequence[Concept]) -> list[dict[str, Any]]:
    return [
        {
            "concept": each.index,
            "order": each.order,
            "sensitive": max(each.sensitive, 0.0),  # estimates of nothing can fall below it
            "task": max(each.task, 0.0),
            "a": each.colour,
        }
        for each in concepts
    ]


def _numbers(concepts: Sequence[Concept]) -> dict[str, Any]:
    most = sqrt(_most(concepts))
    rows = _rows(concepts)
    places = [(SIDE * sqrt(row["sensitive"]) / most, SIDE - SIDE * sqrt(row["task"]) / most) for row in rows]
    placed = place_labels(places, [str(each.order) for each in concepts], radius=RADIUS, size=(SIDE, SIDE))
    rows = [row | {"dx": at.dx, "dy": at.dy} for row, at in zip(rows, placed, strict=True)]
    return {
        "data": {"values": rows},
        "mark": {
            "type": "text",
            "fontSize": 12,
            "dx": {"expr": "datum.dx"},
            "dy": {"expr": "datum.dy"},
        },
        "encoding": {
            "x": {"field": "sensitive", "type": "quantitative"},
            "y": {"field": "task", "type": "quantitative"},
            "text": {"field": "order", "type": "nominal"},
        },
    }


def _words(concepts: Sequence[Concept], sensitive_name: str, task_name: str) -> str:
    first = [
        f"concept {each.order} tells {each.sensitive:.1%} of {sensitive_name} and {each.task:.1%} of {task_name}"
        for each in sorted(concepts, key=lambda each: each.order)[:3]
    ]
    return (
        f"{len(concepts)} concepts, in the order of removal: {'; '.join(first)}." if first else "No concept."
    )
