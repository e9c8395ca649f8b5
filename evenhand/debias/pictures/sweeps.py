"""What removing k concepts costs: the accuracy of both heads over k (Fig 3a)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from math import ceil, floor
from typing import Any

from evenhand.debias.pictures.co_importance import along, place_labels, spread
from evenhand.records.report import Chart
from evenhand.rendering.charts import BLUE, GREEN, GREY, ORANGE, PURPLE, SCHEMA, titled

# What a sweep over k found, as figures show it.


@dataclass(frozen=True, slots=True)
class MethodAccuracy:
    """Where a method stands, in per cent: how well the sensitive variable and the task are told from its rows."""

    name: str
    sensitive: float
    task: float


@dataclass(frozen=True, slots=True)
class SweepSeries:
    """Accuracies in per cent for each k. `ranges`, where given, are the least and the most over seeds.

    `original` is the model before anything (Baseline1), `reference` what removal is compared with (Baseline2), and
    `rivals` are other methods. `floor` is what the task's labels alone tell of the sensitive variable.
    """

    ks: tuple[int, ...]
    sensitive: tuple[float, ...]
    task: tuple[float, ...]
    floor: float
    original: MethodAccuracy
    reference: MethodAccuracy | None = None
    rivals: tuple[MethodAccuracy, ...] = ()
    probe: str = ""  # which one measured `sensitive`, where there are several
    probes: tuple[tuple[str, tuple[float, ...]], ...] = ()  # others, as further lines
    sensitive_ranges: tuple[tuple[float, float], ...] = ()
    task_ranges: tuple[tuple[float, float], ...] = ()
    recommended: int | None = None
    sensitive_name: str = "gender"
    task_name: str = "occupation"

    def __post_init__(self) -> None:
        series = (self.sensitive, self.task, *(values for _, values in self.probes))
        ranges = (self.sensitive_ranges or self.sensitive, self.task_ranges or self.task)
        if any(len(each) != len(self.ks) for each in (*series, *ranges)):
            raise ValueError("A sweep needs one value of each kind for every k.")

    def words(self) -> str:
        """For who cannot see the figures."""
        first, last = (
            f"{self.sensitive[at]:.1f} % {self.sensitive_name} and {self.task[at]:.1f} % {self.task_name}"
            for at in (0, -1)
        )
        compared = "; ".join(
            f"{each.name}: {each.sensitive:.1f} and {each.task:.1f} %"
            for each in (self.original, *([self.reference] if self.reference else []), *self.rivals)
        )
        kept = "" if self.recommended is None else f" Recommended: k = {self.recommended}."
        return (
            f"Accuracy with {self.ks[0]} concepts removed: {first}; with {self.ks[-1]} removed: {last}. {compared}. "
            f"The label alone tells {self.floor:.1f} % of {self.sensitive_name}.{kept}"
        )


WIDTH, HEIGHT = 500, 200
OTHERS = (GREEN, PURPLE, "#56b4e9", "#a6761d")
DASHED = (6, 4)

Line = tuple[str, Sequence[float], str]
"""A name, a value for each k, a colour."""


def accuracies_over_k(sweep: SweepSeries) -> Chart:
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
        sweep: SweepSeries,
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


# How much of the task is left when the sensitive variable is told less well (Fig 3b), with other methods
# beside.

TRADE_OFF_WIDTH, TRADE_OFF_HEIGHT = 560, 340
LABELLED = (0, 1, 12, 15, 18)
RADIUS = 4.0


def trade_off(sweep: SweepSeries, *, labelled: Collection[int] = LABELLED) -> Chart:
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
        "width": TRADE_OFF_WIDTH,
        "height": TRADE_OFF_HEIGHT,
        "layer": [plot.curve(), plot.floor(), *plot.crosses(), *plot.labels(labelled)],
    }
    return Chart(title, spec, sweep.words())


class _Plot:
    """The parts of one figure, which share their scales."""

    def __init__(self, sweep: SweepSeries) -> None:
        self.sweep = sweep
        self.floor_drop = sweep.original.sensitive - sweep.floor
        self.methods = [
            *([(sweep.reference, ORANGE)] if sweep.reference else []),
            *((rival, GREY) for rival in sweep.rivals),
        ]
        self.points = [(self.drop(value), task) for value, task in zip(sweep.sensitive, sweep.task, strict=True)]
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
                "encoding": _trade_off_at(),
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
        lines = [*along(pixels[: len(numbers)]), *along([(across, 0), (across, TRADE_OFF_HEIGHT)])]
        texts = [*numbers, *names]
        placed = place_labels(
            pixels, texts, radius=RADIUS + 2, size=(TRADE_OFF_WIDTH, TRADE_OFF_HEIGHT), obstacles=lines
        )
        rows = [
            {"drop": x, "task": y, "text": text, "dx": at.dx, "dy": at.dy}
            for (x, y), text, at in zip(points, texts, placed, strict=True)
            if text
        ]
        side = -1 if across > TRADE_OFF_WIDTH * 0.7 else 1
        return [
            {
                "data": {"values": rows},
                "mark": {
                    "type": "text",
                    "fontSize": 12,
                    "dx": {"expr": "datum.dx"},
                    "dy": {"expr": "datum.dy"},
                },
                "encoding": _trade_off_at() | {"text": {"field": "text", "type": "nominal"}},
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
                "encoding": _trade_off_at() | {"text": {"field": "text", "type": "nominal"}},
            },
        ]

    def pixels(self, x: float, y: float) -> tuple[float, float]:
        (left, right), (low, high) = self.domain_x, self.domain_y
        return TRADE_OFF_WIDTH * (x - left) / (right - left), TRADE_OFF_HEIGHT * (high - y) / (high - low)


def _trade_off_at() -> dict[str, Any]:
    return {"x": {"field": "drop", "type": "quantitative"}, "y": {"field": "task", "type": "quantitative"}}
