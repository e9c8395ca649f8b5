"""What removing k concepts costs: the accuracy of both heads over k (Fig 3a)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from math import ceil, floor

from evenhand.debias.pictures.co_importance import MOVED, along, place_labels, spread
from evenhand.records.report import Chart
from evenhand.rendering.charts import (
    BLUE,
    GREEN,
    GREY,
    ORANGE,
    PURPLE,
    Spec,
    figure,
    interval,
    layer,
    nominal,
    quantitative,
)

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
        if any(len(values) != len(self.ks) for values in (*series, *ranges)):
            raise ValueError("A sweep needs one value of each kind for every k.")

    def words(self) -> str:
        """For who cannot see the figures."""
        first, last = (
            f"{self.sensitive[at]:.1f} % {self.sensitive_name} and {self.task[at]:.1f} % {self.task_name}"
            for at in (0, -1)
        )
        compared = "; ".join(
            f"{point.name}: {point.sensitive:.1f} and {point.task:.1f} %"
            for point in (self.original, *([self.reference] if self.reference else []), *self.rivals)
        )
        kept = "" if self.recommended is None else f" Recommended: k = {self.recommended}."
        return (
            f"Accuracy with {self.ks[0]} concepts removed: {first}; with {self.ks[-1]} removed: {last}. {compared}. "
            f"The label alone tells {self.floor:.1f} % of {self.sensitive_name}.{kept}"
        )


WIDTH, HEIGHT = 500, 200
OTHERS = (GREEN, PURPLE, "#56b4e9", "#a6761d")
DASHED = (6, 4)
AT_K = {"x": quantitative("k"), "y": quantitative("accuracy")}

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
    return Chart(title, figure(title, *lines, vconcat=panels, spacing=22), sweep.words())


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

    def spec(self) -> Spec:
        ks, bands, levels, recommended = self.sweep.ks, [], [], []
        if self.ranges:
            rows = [{"k": k, "least": least, "most": most} for k, (least, most) in zip(ks, self.ranges, strict=True)]
            places = {"x": quantitative("k"), **interval("least", "most", channel="y")}
            bands = [layer("area", places, rows=rows, color=self.lines[0][2], opacity=0.22)]
        for _, value, dash in self.levels:  # lines across the whole panel
            dashed = {"strokeDash": list(dash)} if dash else {}
            rows = [{"accuracy": value}]
            levels.append(layer("rule", {"y": quantitative("accuracy")}, rows=rows, strokeWidth=1.5, **dashed))
        if self.sweep.recommended is not None:
            dotted = {"strokeDash": [1, 3], "strokeWidth": 2, "color": GREY}
            recommended = [layer("rule", {"x": quantitative("k")}, rows=[{"k": self.sweep.recommended}], **dotted)]
        layers = [
            self._axes(),
            *bands,
            *levels,
            *recommended,
            *(self._line(values, colour) for _, values, colour in self.lines),
            *self._original(),
            *self._names(),
        ]
        return {"width": WIDTH, "height": HEIGHT, "layer": layers}

    def _axes(self) -> Spec:
        """Nothing is drawn: the scales of all parts are said once."""
        ks = self.sweep.ks
        every = max(1, ceil(len(ks) / 20))
        axis = {
            "title": "concepts removed, k",
            "values": list(ks[::every]),
            "format": "d",
            "grid": False,
            "labelOverlap": False,
            "tickCount": len(ks),  # fewer would thin the values out
        }
        height = {"domain": [self.low, self.high], "nice": False, "zero": False}
        places = {
            "x": quantitative("k", scale={"domain": [ks[0], ks[-1]], "nice": False}, axis=axis),
            "y": quantitative("accuracy", scale=height, axis={"title": self.title, "tickCount": 6}),
        }
        return layer("point", places, rows=[{"k": ks[0], "accuracy": self.low}], opacity=0)

    def _line(self, values: Sequence[float], colour: str) -> Spec:
        rows = [{"k": k, "accuracy": value} for k, value in zip(self.sweep.ks, values, strict=True)]
        point = {"color": colour, "size": 30}
        return layer("line", AT_K, rows=rows, color=colour, strokeWidth=2.2, point=point)

    def _original(self) -> list[Spec]:
        """At k = 0 beside the line's own point: truncation to r concepts is not removal."""
        rows = [{"k": self.sweep.ks[0], "accuracy": self.original, "name": self.sweep.original.name}]
        diamond = {"shape": "diamond", "filled": False, "size": 130, "strokeWidth": 2, "opacity": 1, "color": GREY}
        return [
            layer("point", AT_K, rows=rows, **diamond),
            layer("text", {**AT_K, "text": nominal("name")}, rows=rows, align="left", dx=11, dy=-8, fontSize=12),
        ]

    def _names(self) -> list[Spec]:
        """At the right end: those of lines in their colour, those of levels as all letters are."""
        named: list[tuple[str, float, Spec]] = [
            *((f"{name}, {value:.2f}", value, {}) for name, value, _ in self.levels),
            *((name, values[-1], {"color": colour}) for name, values, colour in self.lines if name),
        ]
        heights = [HEIGHT * (self.high - value) / (self.high - self.low) for _, value, _ in named]
        moves = [moved - height for height, moved in zip(heights, spread(heights), strict=True)]
        return [
            layer(
                "text",
                {**AT_K, "text": nominal("name")},
                rows=[{"k": self.sweep.ks[-1], "accuracy": value, "name": name}],
                **{"align": "left", "dx": 8, "dy": move, "fontSize": 12, **colour},
            )
            for (name, value, colour), move in zip(named, moves, strict=True)
        ]


# How much of the task is left when the sensitive variable is told less well (Fig 3b), with other methods beside.

TRADE_OFF_WIDTH, TRADE_OFF_HEIGHT = 560, 340
LABELLED = (0, 1, 12, 15, 18)
RADIUS = 4.0
AT_DROP = {"x": quantitative("drop"), "y": quantitative("task")}


def trade_off(sweep: SweepSeries, *, labelled: Collection[int] = LABELLED) -> Chart:
    """x is the drop against the original model in points, y the task's accuracy. To the right and up is better."""
    title = f"What less {sweep.sensitive_name} costs in {sweep.task_name}"
    plot = _Plot(sweep)
    rows: list[Spec] = [{"drop": plot.floor_drop}]
    bottom = layer("rule", {"x": quantitative("drop")}, rows=rows, strokeDash=list(DASHED), strokeWidth=1.5)
    cross = {"shape": "cross", "filled": True, "size": 130, "angle": 45, "opacity": 1}
    crosses = [
        layer("point", AT_DROP, rows=[{"drop": x, "task": method.task}], **cross, color=colour)
        for method, colour in plot.methods
        for x in [plot.drop(method.sensitive)]
    ]
    spec = figure(
        title,
        "Numbers are k, how many concepts were removed. At the dashed line the label alone",
        f"tells {sweep.sensitive_name} as well: what keeps the task cannot get past it.",
        width=TRADE_OFF_WIDTH,
        height=TRADE_OFF_HEIGHT,
        layer=[plot.curve(), bottom, *crosses, *plot.labels(labelled)],
    )
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

    def curve(self) -> Spec:
        rows = [{"k": k, "drop": x, "task": y} for k, (x, y) in zip(self.sweep.ks, self.points, strict=True)]
        name, original = self.sweep.sensitive_name, self.sweep.original.name
        across = {"title": f"drop of {name} accuracy against {original}, points", "tickCount": 9}
        up = {"title": f"{self.sweep.task_name} accuracy, %", "tickCount": 7}
        places = {
            "x": quantitative("drop", scale={"domain": list(self.domain_x), "nice": False}, axis=across),
            "y": quantitative("task", scale={"domain": list(self.domain_y), "nice": False, "zero": False}, axis=up),
            "order": quantitative("k"),
        }
        point = {"color": BLUE, "size": 4 * RADIUS**2 * 0.785}
        return layer("line", places, rows=rows, color=BLUE, strokeWidth=2, point=point)

    def labels(self, labelled: Collection[int]) -> list[Spec]:
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
            {"drop": x, "task": y, "text": text, "dx": dx, "dy": dy}
            for (x, y), text, (dx, dy) in zip(points, texts, placed, strict=True)
            if text
        ]
        side = -1 if across > TRADE_OFF_WIDTH * 0.7 else 1
        beside = {"align": "right" if side < 0 else "left", "dx": 6 * side, "dy": -10}
        foot = [{"drop": self.floor_drop, "task": self.domain_y[0], "text": dashed}]
        places = {**AT_DROP, "text": nominal("text")}
        return [
            layer("text", places, rows=rows, fontSize=12, **MOVED),
            layer("text", places, rows=foot, fontSize=12, **beside),
        ]

    def pixels(self, x: float, y: float) -> tuple[float, float]:
        (left, right), (low, high) = self.domain_x, self.domain_y
        return TRADE_OFF_WIDTH * (x - left) / (right - left), TRADE_OFF_HEIGHT * (high - y) / (high - low)
