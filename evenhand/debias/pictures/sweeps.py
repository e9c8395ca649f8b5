"""What removing k concepts costs: the accuracy of both heads over k (Fig 3a)."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, floor
from typing import Any

from evenhand.debias.pictures.drawing import BLUE, GREEN, GREY, ORANGE, PURPLE, SCHEMA, titled
from evenhand.debias.pictures.labels import spread
from evenhand.debias.pictures.series import Sweep
from evenhand.records.report import Chart

WIDTH, HEIGHT = 500, 200
OTHERS = (GREEN, PURPLE, "#56b4e9", "#a6761d")
DASHED = (6, 4)

Line = tuple[str, Sequence[float], str]
"""A name, a value for each k, a colour."""


def accuracies_over_k(sweep: Sweep) -> Chart:
    """Fig 3a: the task above, the sensitive variable below, and the lines that they are compared with."""
    title = f"Accuracy after removing k concepts: {sweep.task_name} and {sweep.sensitive_name}"
    task = _Panel(
        sweep,
        f"{sweep.task_name} accuracy, %",
        lines=[("", sweep.task, BLUE)],
        ranges=sweep.task_ranges,
        original=sweep.original.task,
        levels=[(sweep.reference.name, sweep.reference.task, ())] if sweep.reference else [],
    )
    others = [(name, values, colour) for (name, values), colour in zip(sweep.probes, OTHERS, strict=False)]
    sensitive = _Panel(
        sweep,
        f"{sweep.sensitive_name} accuracy, %",
        lines=[(sweep.probe, sweep.sensitive, ORANGE), *others],
        ranges=sweep.sensitive_ranges,
        original=sweep.original.sensitive,
        levels=[
            *([(sweep.reference.name, sweep.reference.sensitive, ())] if sweep.reference else []),
            ("floor: the label alone", sweep.floor, DASHED),
        ],
    )
    panels = [task.spec(), sensitive.spec()]
    lines = [] if sweep.recommended is None else [f"Dotted: the recommended k, {sweep.recommended}."]
    spec = {"$schema": SCHEMA, "title": titled(title, *lines), "vconcat": panels, "spacing": 22}
    return Chart(title, spec, sweep.words())


class _Panel:
    """One accuracy over k. The parts share their scales, and names at the right lie apart."""

    def __init__(
        self,
        sweep: Sweep,
        title: str,
        *,
        lines: Sequence[Line],
        ranges: Sequence[tuple[float, float]],
        original: float,
        levels: Sequence[tuple[str, float, Sequence[int]]],
    ) -> None:
        self.sweep, self.title, self.lines, self.ranges = sweep, title, lines, ranges
        self.original, self.levels = original, levels
        shown = [
            *(value for _, values, _ in lines for value in values),
            *(value for pair in ranges for value in pair),
            *(value for _, value, _ in levels),
            original,
        ]
        low, high = min(shown), max(shown)
        step = 5 if high - low > 15 else 1
        room = (high - low) * 0.04
        top = step * ceil((high + room) / step + 1e-9)
        self.high = min(top, 100) if high <= 100 else top
        self.low = min(step * floor((low - room) / step), self.high - step)

    def spec(self) -> dict[str, Any]:
        return {
            "width": WIDTH,
            "height": HEIGHT,
            "layer": [
                self._axes(),
                *([self._band()] if self.ranges else []),
                *(self._level(value, dash) for _, value, dash in self.levels),
                *([self._recommended()] if self.sweep.recommended is not None else []),
                *(self._line(values, colour) for _, values, colour in self.lines),
                *self._original(),
                *self._names(),
            ],
        }

    def _axes(self) -> dict[str, Any]:
        """Nothing is drawn: the scales of all parts are said once."""
        ks = self.sweep.ks
        every = max(1, ceil(len(ks) / 20))
        return {
            "data": {"values": [{"k": ks[0], "accuracy": self.low}]},
            "mark": {"type": "point", "opacity": 0},
            "encoding": {
                "x": {
                    "field": "k",
                    "type": "quantitative",
                    "scale": {"domain": [ks[0], ks[-1]], "nice": False},
                    "axis": {
                        "title": "concepts removed, k",
                        "values": list(ks[::every]),
                        "format": "d",
                        "grid": False,
                        "labelOverlap": False,
                        "tickCount": len(ks),  # fewer would thin the values out
                    },
                },
                "y": {
                    "field": "accuracy",
                    "type": "quantitative",
                    "scale": {"domain": [self.low, self.high], "nice": False, "zero": False},
                    "axis": {"title": self.title, "tickCount": 6},
                },
            },
        }

    def _line(self, values: Sequence[float], colour: str) -> dict[str, Any]:
        rows = [{"k": k, "accuracy": value} for k, value in zip(self.sweep.ks, values, strict=True)]
        point = {"color": colour, "size": 30}
        return {
            "data": {"values": rows},
            "mark": {"type": "line", "color": colour, "strokeWidth": 2.2, "point": point},
            "encoding": _at(),
        }

    def _band(self) -> dict[str, Any]:
        pairs = zip(self.sweep.ks, self.ranges, strict=True)
        return {
            "data": {"values": [{"k": k, "least": least, "most": most} for k, (least, most) in pairs]},
            "mark": {"type": "area", "color": self.lines[0][2], "opacity": 0.22},
            "encoding": {
                "x": {"field": "k", "type": "quantitative"},
                "y": {"field": "least", "type": "quantitative"},
                "y2": {"field": "most"},
            },
        }

    def _level(self, value: float, dash: Sequence[int]) -> dict[str, Any]:
        """A line across the whole panel."""
        return {
            "data": {"values": [{"accuracy": value}]},
            "mark": {"type": "rule", "strokeWidth": 1.5, **({"strokeDash": list(dash)} if dash else {})},
            "encoding": {"y": {"field": "accuracy", "type": "quantitative"}},
        }

    def _recommended(self) -> dict[str, Any]:
        return {
            "data": {"values": [{"k": self.sweep.recommended}]},
            "mark": {"type": "rule", "strokeDash": [1, 3], "strokeWidth": 2, "color": GREY},
            "encoding": {"x": {"field": "k", "type": "quantitative"}},
        }

    def _original(self) -> list[dict[str, Any]]:
        """At k = 0 beside the line's own point: truncation to r concepts is not removal."""
        place = {"k": self.sweep.ks[0], "accuracy": self.original, "name": self.sweep.original.name}
        diamond = {
            "type": "point",
            "shape": "diamond",
            "filled": False,
            "size": 130,
            "strokeWidth": 2,
            "opacity": 1,
        }
        return [
            {"data": {"values": [place]}, "mark": {**diamond, "color": GREY}, "encoding": _at()},
            {
                "data": {"values": [place]},
                "mark": {"type": "text", "align": "left", "dx": 11, "dy": -8, "fontSize": 12},
                "encoding": _at() | {"text": {"field": "name", "type": "nominal"}},
            },
        ]

    def _names(self) -> list[dict[str, Any]]:
        """At the right end: those of lines in their colour, those of levels as all letters are."""
        named = [
            *((f"{name}, {value:.2f}", value, "") for name, value, _ in self.levels),
            *((name, values[-1], colour) for name, values, colour in self.lines if name),
        ]
        heights = [HEIGHT * (self.high - value) / (self.high - self.low) for _, value, _ in named]
        moves = [moved - height for height, moved in zip(heights, spread(heights), strict=True)]
        return [
            {
                "data": {"values": [{"k": self.sweep.ks[-1], "accuracy": value, "name": name}]},
                "mark": {
                    "type": "text",
                    "align": "left",
                    "dx": 8,
                    "dy": move,
                    "fontSize": 12,
                    **({"color": colour} if colour else {}),
                },
                "encoding": _at() | {"text": {"field": "name", "type": "nominal"}},
            }
            for (name, value, colour), move in zip(named, moves, strict=True)
        ]


def _at() -> dict[str, Any]:
    return {"x": {"field": "k", "type": "quantitative"}, "y": {"field": "accuracy", "type": "quantitative"}}
