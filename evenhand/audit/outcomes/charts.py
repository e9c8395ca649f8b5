"""Charts of rates, ratios, sweeps and drift as Vega-Lite, each with its own data and with its words."""

from __future__ import annotations

from typing import Any

import numpy as np

from evenhand.audit.outcomes.counting import MINIMUM
from evenhand.audit.outcomes.measuring import Drift, ThresholdSweep
from evenhand.audit.outcomes.rates import RateTable, decimal, percent, percent_span, span, variable_words
from evenhand.records.report import Chart
from evenhand.text.wording import join_and

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#8a8a8a")
"""Told apart by those who see few colours too; lines have different dashes besides."""
DASHES = ([1, 0], [6, 3], [2, 2], [8, 3, 2, 3], [4, 4], [1, 3], [10, 4], [3, 1])
GREY, MARK = "#6b7280", "#b91c1c"
WIDTH = 520
FOUR_FIFTHS = 0.8
MAX_RATIO = 2.5  # an interval of few people may reach so far that nothing else could be seen
Spec = dict[str, Any]


def rates_chart(table: RateTable, title: str) -> Chart:
    """A bar per group with its interval."""
    rows = [
        {
            "group": _label(rate.group, rate.n),
            "rate": rate.rate,
            "low": rate.rate_interval.low,
            "high": rate.rate_interval.high,
        }
        for rate in table.rates
        if rate.rate is not None and rate.rate_interval is not None
    ]
    words = "; ".join(
        f"{rate.group}: {percent(rate.rate)} ({percent_span(rate.rate_interval)}) of {rate.n:,}"
        for rate in table.rates
        if rate.n
    )
    axis = {"title": "rate, with its 95% interval", "format": ".0%"}
    shape: Spec = {
        "width": WIDTH,
        "height": {"step": 30},
        "data": {"values": rows},
        "encoding": {"y": _groups_axis()},
        "layer": [
            {
                "mark": {"type": "bar", "height": 16, "color": COLOURS[0]},
                "encoding": {"x": {"field": "rate", "type": "quantitative", "axis": axis}},
            },
            _whiskers(),
        ],
    }
    return Chart(title, shape, f"{words}.")


def ratios_chart(table: RateTable, title: str) -> Chart:
    """A point per group with its interval, and the line of four fifths."""
    rows = [
        {
            "group": _label(rate.group, rate.n),
            "ratio": rate.ratio,
            "low": rate.ratio_interval.low if rate.ratio_interval else rate.ratio,
            "high": min(rate.ratio_interval.high, MAX_RATIO) if rate.ratio_interval else rate.ratio,
        }
        for rate in table.rates
        if rate.ratio is not None
    ]
    words = "; ".join(f"{rate.group}: {decimal(rate.ratio)} ({span(rate.ratio_interval)})" for rate in table.compared)
    axis = {"title": f"impact ratio to {table.reference}, with its 95% interval"}
    point = {"field": "ratio", "type": "quantitative", "axis": axis, "scale": {"zero": True, "nice": False}}
    shape: Spec = {
        "width": WIDTH,
        "height": {"step": 30},
        "data": {"values": rows},
        "layer": [
            _line_at_four_fifths("x"),
            {"encoding": {"y": _groups_axis()}, "layer": [_whiskers(), _points(point)]},
        ],
    }
    return Chart(title, shape, f"Impact ratios to {table.reference}: {words}. The line is at 0.8.")


def sweep_chart(sweep: ThresholdSweep, title: str, *, shortlist: int | None = None) -> Chart:
    """The impact ratio of every group for every length of the shortlist."""
    rows = [
        {"size": int(sweep.sizes[row]), "group": name, "ratio": float(sweep.ratios[row, at])}
        for row in sweep.shown()
        for at, name in enumerate(sweep.names)
        if not np.isnan(sweep.ratios[row, at])
    ]
    y = {"title": "impact ratio"}
    x = {"title": "length of the shortlist", "format": ",d", "tickMinStep": 1}
    layers: list[Spec] = [
        _line_at_four_fifths("y"),
        {
            "mark": {"type": "line", "interpolate": "step-after", "strokeWidth": 1.8},
            "encoding": {
                "x": {"field": "size", "type": "quantitative", "axis": x, "scale": {"nice": False}},
                "y": {"field": "ratio", "type": "quantitative", "axis": y, "scale": {"domain": [0, 1.02]}},
                **_by_group(sweep.names),
            },
        },
    ]
    if shortlist:
        layers.append(_line_at(shortlist))
    shape: Spec = {"width": WIDTH, "height": 240, "data": {"values": rows}, "layer": layers}
    return Chart(title, shape, _sweep_words(sweep, shortlist))


def drift_chart(drift: Drift, title: str) -> Chart:
    """The rate of every group from period to period."""
    names = _larger(drift)
    rows = [
        {
            "period": period,
            "group": rate.group,
            "rate": rate.rate,
            "low": rate.rate_interval.low,
            "high": rate.rate_interval.high,
        }
        for period, table in zip(drift.periods, drift.tables, strict=True)
        for rate in table.rates
        if rate.group in names and rate.rate is not None and rate.rate_interval is not None
    ]
    x = {"field": "period", "type": "ordinal", "axis": {"title": drift.step, "labelAngle": -40}}
    y = {"title": "rate, with its 95% interval", "format": ".0%"}
    shape: Spec = {
        "width": WIDTH,
        "height": 240,
        "data": {"values": rows},
        "encoding": {"x": x, **_by_group(names)},
        "layer": [
            {
                "mark": {"type": "rule", "opacity": 0.45},
                "encoding": {
                    "y": {"field": "low", "type": "quantitative", "axis": y},
                    "y2": {"field": "high"},
                },
            },
            {
                "mark": {"type": "line", "point": True},
                "encoding": {"y": {"field": "rate", "type": "quantitative", "axis": y}},
            },
        ],
    }
    ends = dict.fromkeys((0, len(drift.periods) - 1))
    said = [f"{drift.periods[at]}: {_rates_said(drift.tables[at], names)}" for at in ends]
    return Chart(title, shape, "; ".join(said) + ".")


def _larger(drift: Drift) -> list[str]:
    """Groups with enough people over all; all of them where none has."""
    groups = [rate.group for rate in drift.tables[0].rates]
    n = {group: sum(table.of(group).n for table in drift.tables) for group in groups}
    return [group for group in groups if n[group] >= MINIMUM] or groups


def _rates_said(table: RateTable, names: list[str]) -> str:
    rates = [rate for rate in table.rates if rate.n and rate.group in names]
    return ", ".join(f"{rate.group} {percent(rate.rate)} of {rate.n:,}" for rate in rates) or "nobody"


def _sweep_words(sweep: ThresholdSweep, shortlist: int | None) -> str:
    places = sorted({sweep.at(round(share * sweep.sizes[-1])) for share in (0.05, 0.1, 0.25, 0.5)})
    if shortlist:
        places = sorted({*places, sweep.at(shortlist)})
    said = []
    for row in places:
        lowest = sweep.lowest()[row]
        if np.isnan(lowest):
            continue
        group = sweep.names[int(np.nanargmin(sweep.ratios[row]))]
        said.append(f"{decimal(float(lowest))} ({group}) for a list of {int(sweep.sizes[row]):,}")
    if not said:
        return "No list has anybody of a known group on it."
    return f"The lowest impact ratio of {variable_words(sweep.variable)} is {join_and(said)}. The line is at 0.8."


def _label(group: str, n: int) -> str:
    return f"{group} ({n:,})"


def _groups_axis() -> Spec:
    return {"field": "group", "type": "nominal", "sort": None, "axis": {"title": None, "ticks": False}}


def _whiskers() -> Spec:
    return {
        "mark": {"type": "rule", "color": "#111827", "strokeWidth": 1.5},
        "encoding": {"x": {"field": "low", "type": "quantitative"}, "x2": {"field": "high"}},
    }


def _points(x: Spec) -> Spec:
    return {
        "mark": {"type": "point", "filled": True, "size": 70, "color": COLOURS[0], "opacity": 1},
        "encoding": {"x": x},
    }


def _by_group(names: tuple[str, ...] | list[str]) -> Spec:
    many = len(names)
    colours = [COLOURS[at % len(COLOURS)] for at in range(many)]
    dashes = [DASHES[at % len(DASHES)] for at in range(many)]
    legend = {"title": None, "orient": "bottom", "columns": 2, "labelLimit": 300}
    return {
        "color": {
            "field": "group",
            "type": "nominal",
            "scale": {"domain": list(names), "range": colours},
            "legend": legend,
        },
        "strokeDash": {
            "field": "group",
            "type": "nominal",
            "scale": {"domain": list(names), "range": dashes},
            "legend": legend,
        },
    }


def _line_at_four_fifths(channel: str) -> Spec:
    return {
        "mark": {"type": "rule", "color": MARK, "strokeDash": [4, 3], "strokeWidth": 1.5},
        "encoding": {channel: {"datum": FOUR_FIFTHS}},
    }


def _line_at(size: int) -> Spec:
    return {"mark": {"type": "rule", "color": GREY}, "encoding": {"x": {"datum": size}}}
