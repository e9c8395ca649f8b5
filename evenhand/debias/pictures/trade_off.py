"""How much of the task is left when the sensitive variable is told less well (Fig 3b), with other methods beside."""

from __future__ import annotations

from collections.abc import Collection
from math import ceil, floor
from typing import Any

from evenhand.debias.pictures.drawing import BLUE, GREY, ORANGE, SCHEMA, titled
from evenhand.debias.pictures.labels import along, place_labels
from evenhand.debias.pictures.series import Sweep
from evenhand.records.report import Chart

WIDTH, HEIGHT = 560, 340
LABELLED = (0, 1, 12, 15, 18)
RADIUS = 4.0


def trade_off(sweep: Sweep, *, labelled: Collection[int] = LABELLED) -> Chart:
    """x is the drop against the original model in points, y the task's accuracy. To the right and up is better."""
    title = f"What less {sweep.sensitive_name} costs in {sweep.task_name}"
    plot = _Plot(sweep)
    spec = {
        "$schema": SCHEMA,
        "title": titled(
            title,
            "Numbers are k, how many concepts were removed. At the dashed line the label alone",
            f"tells {sweep.sensitive_name} as well: what keeps the task cannot get past it.",
        ),
        "width": WIDTH,
        "height": HEIGHT,
        "layer": [plot.curve(), plot.floor(), *plot.crosses(), *plot.labels(labelled)],
    }
    return Chart(title, spec, sweep.words())


class _Plot:
    """The parts of one figure, which share their scales."""

    def __init__(self, sweep: Sweep) -> None:
        self.sweep = sweep
        self.floor_drop = sweep.original.sensitive - sweep.floor
        self.methods = [
            *([(sweep.reference, ORANGE)] if sweep.reference else []),
            *((rival, GREY) for rival in sweep.rivals),
        ]
        self.points = [
            (self.drop(value), task) for value, task in zip(sweep.sensitive, sweep.task, strict=True)
        ]
        shown = [*self.points, *((self.drop(method.sensitive), method.task) for method, _ in self.methods)]
        drops = [*(x for x, _ in shown), self.floor_drop, 0.0]
        self.domain_x = (floor(min(drops)), ceil(max(drops) + 0.5))
        low, high = min(y for _, y in shown), max(y for _, y in shown)
        room = max((high - low) * 0.08, 0.5)
        self.domain_y = (low - room, high + room)

    def drop(self, sensitive: float) -> float:
        return self.sweep.original.sensitive - sensitive

    def curve(self) -> dict[str, Any]:
        rows = [{"k": k, "drop": x, "task": y} for k, (x, y) in zip(self.sweep.ks, self.points, strict=True)]
        name = self.sweep.sensitive_name
        return {
            "data": {"values": rows},
            "mark": {
                "type": "line",
                "color": BLUE,
                "strokeWidth": 2,
                "point": {"color": BLUE, "size": 4 * RADIUS**2 * 0.785},
            },
            "encoding": {
                "x": {
                    "field": "drop",
                    "type": "quantitative",
                    "scale": {"domain": list(self.domain_x), "nice": False},
                    "axis": {
                        "title": f"drop of {name} accuracy against {self.sweep.original.name}, points",
                        "tickCount": 9,
                    },
                },
                "y": {
                    "field": "task",
                    "type": "quantitative",
                    "scale": {"domain": list(self.domain_y), "nice": False, "zero": False},
                    "axis": {"title": f"{self.sweep.task_name} accuracy, %", "tickCount": 7},
                },
                "order": {"field": "k", "type": "quantitative"},
            },
        }

    def floor(self) -> dict[str, Any]:
        return {
            "data": {"values": [{"drop": self.floor_drop}]},
            "mark": {"type": "rule", "strokeDash": [6, 4], "strokeWidth": 1.5},
            "encoding": {"x": {"field": "drop", "type": "quantitative"}},
        }

    def crosses(self) -> list[dict[str, Any]]:
        return [
            {
                "data": {"values": [{"drop": self.drop(method.sensitive), "task": method.task}]},
                "mark": {
                    "type": "point",
                    "shape": "cross",
                    "filled": True,
                    "size": 130,
                    "angle": 45,
                    "color": colour,
                    "opacity": 1,
                },
                "encoding": _at(),
            }
            for method, colour in self.methods
        ]

    def labels(self, labelled: Collection[int]) -> list[dict[str, Any]]:
        """Placed together with all points, so that none is covered."""
        numbers = [str(k) if k in labelled else "" for k in self.sweep.ks]
        names = [method.name for method, _ in self.methods]
        dashed = f"floor, {self.floor_drop:.2f}"
        points = [*self.points, *((self.drop(method.sensitive), method.task) for method, _ in self.methods)]
        pixels = [self.pixels(x, y) for x, y in points]
        across = self.pixels(self.floor_drop, 0)[0]
        lines = [*along(pixels[: len(numbers)]), *along([(across, 0), (across, HEIGHT)])]
        texts = [*numbers, *names]
        placed = place_labels(pixels, texts, radius=RADIUS + 2, size=(WIDTH, HEIGHT), obstacles=lines)
        rows = [
            {"drop": x, "task": y, "text": text, "dx": at.dx, "dy": at.dy}
            for (x, y), text, at in zip(points, texts, placed, strict=True)
            if text
        ]
        side = -1 if across > WIDTH * 0.7 else 1
        return [
            {
                "data": {"values": rows},
                "mark": {
                    "type": "text",
                    "fontSize": 12,
                    "dx": {"expr": "datum.dx"},
                    "dy": {"expr": "datum.dy"},
                },
                "encoding": _at() | {"text": {"field": "text", "type": "nominal"}},
            },
            {
                "data": {"values": [{"drop": self.floor_drop, "task": self.domain_y[0], "text": dashed}]},
                "mark": {
                    "type": "text",
                    "fontSize": 12,
                    "align": "right" if side < 0 else "left",
                    "dx": 6 * side,
                    "dy": -10,
                },
                "encoding": _at() | {"text": {"field": "text", "type": "nominal"}},
            },
        ]

    def pixels(self, x: float, y: float) -> tuple[float, float]:
        (left, right), (low, high) = self.domain_x, self.domain_y
        return WIDTH * (x - left) / (right - left), HEIGHT * (high - y) / (high - low)


def _at() -> dict[str, Any]:
    return {"x": {"field": "drop", "type": "quantitative"}, "y": {"field": "task", "type": "quantitative"}}
