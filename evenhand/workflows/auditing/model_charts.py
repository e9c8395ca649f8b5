"""Charts of a model audit: gaps with their intervals, reliability by group, what a probe reads against its floor."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from evenhand.audit.models.leakage import Probe
from evenhand.records.report import Chart
from evenhand.workflows.auditing.model_findings import points, word
from evenhand.workflows.auditing.model_measures import ModelMeasures, VariableMeasures

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7")  # told apart by those who see few colours too
GREY = "#8a8a8a"
MOST_CURVES = len(COLOURS)
WIDTH = 420


def gap_chart(measures: ModelMeasures) -> Chart | None:
    rows = [
        {
            "group": f"{word(each.variable)}: {word(gap.group)}",
            "gap": 100 * (gap.like_for_like.value or 0.0),
            "low": 100 * (gap.like_for_like.low or 0.0),
            "high": 100 * (gap.like_for_like.high or 0.0),
        }
        for each in measures.variables
        for gap in each.gaps
        if gap.is_enough
    ]
    if not rows:
        return None
    title = "How much more or less often the true label is said, by group"
    y = {"field": "group", "type": "nominal", "sort": None, "axis": {"title": None}}
    axis = {"title": "points of a hundred against all others with the same true label, 95% interval"}
    spec: dict[str, Any] = {
        "title": title,
        "width": WIDTH,
        "height": {"step": 20},
        "data": {"values": rows},
        "layer": [
            {
                "mark": {"type": "rule", "color": GREY, "strokeDash": [4, 3]},
                "encoding": {"x": {"datum": 0, "type": "quantitative"}},
            },
            {
                "mark": {"type": "rule", "color": COLOURS[0], "strokeWidth": 2},
                "encoding": {
                    "y": y,
                    "x": {"field": "low", "type": "quantitative", "axis": axis},
                    "x2": {"field": "high"},
                },
            },
            {
                "mark": {"type": "point", "filled": True, "size": 60, "color": COLOURS[0]},
                "encoding": {"y": y, "x": {"field": "gap", "type": "quantitative"}},
            },
        ],
    }
    told = [
        f"{word(each.variable)} {word(gap.group)} {points(gap.like_for_like.value)} "
        f"({points(gap.like_for_like.low)} to {points(gap.like_for_like.high)})"
        for each in measures.variables
        for gap in each.gaps
        if gap.is_enough
    ]
    return Chart(title, spec, "; ".join(told) + ".")


def reliability_chart(each: VariableMeasures) -> Chart | None:
    """Of variables with few groups: more curves than four cannot be told apart."""
    groups = [one for one in each.calibration if one.is_enough]
    if not 2 <= len(groups) <= MOST_CURVES:
        return None
    rows = [
        {
            "group": word(one.group),
            "confidence": 100 * bin.confidence,
            "right": 100 * (bin.accuracy.value or 0.0),
            "low": 100 * (bin.accuracy.low or 0.0),
            "high": 100 * (bin.accuracy.high or 0.0),
            "resumes": bin.accuracy.whole,
        }
        for one in groups
        for bin in one.bins
    ]
    title = f"How often the model is right by how sure it is, by {word(each.variable)}"
    return Chart(title, _reliability(title, rows), _reliability_words(each))


def _reliability(title: str, rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    whole = {"domain": [0, 100]}
    x = {"field": "confidence", "type": "quantitative", "scale": whole, "axis": {"title": "how sure, %"}}
    y = {"field": "right", "type": "quantitative", "scale": whole, "axis": {"title": "how often right, %"}}
    names = list(dict.fromkeys(row["group"] for row in rows))
    colour = {
        "field": "group",
        "type": "nominal",
        "scale": {"domain": names, "range": list(COLOURS[: len(names)])},
        "legend": {"title": None, "orient": "bottom"},
    }
    diagonal = [{"confidence": 0, "right": 0}, {"confidence": 100, "right": 100}]
    return {
        "title": title,
        "width": 320,
        "height": 280,
        "layer": [
            {
                "data": {"values": diagonal},
                "mark": {"type": "line", "color": GREY, "strokeDash": [4, 3]},
                "encoding": {"x": x, "y": y},
            },
            {
                "data": {"values": list(rows)},
                "mark": {"type": "rule", "opacity": 0.5},
                "encoding": {
                    "x": x,
                    "y": {"field": "low", "type": "quantitative"},
                    "y2": {"field": "high"},
                    "color": colour,
                },
            },
            {
                "data": {"values": list(rows)},
                "mark": {"type": "line", "point": True},
                "encoding": {"x": x, "y": y, "color": colour},
            },
        ],
    }


def _reliability_words(each: VariableMeasures) -> str:
    told = [
        f"{word(one.group)}: surer than right by {points(one.over.value)} points"
        for one in each.calibration
        if one.is_enough
    ]
    return "; ".join(told) + "."


def leakage_chart(measures: ModelMeasures) -> Chart | None:
    best = [
        (f"{word(each.variable)}, {name}", max(probes, key=lambda probe: probe.balanced.value or 0.0))
        for each in measures.variables
        for name, probes in each.probes.items()
        if probes
    ]
    if not best:
        return None
    title = "How well groups can be read from what the model sees"
    rows = [_leak_row(name, probe) for name, probe in best]
    y = {"field": "what", "type": "nominal", "sort": None, "axis": {"title": None}}
    axis = {"title": "balanced accuracy of the best reader, %; the mark is the best floor"}
    spec: dict[str, Any] = {
        "title": title,
        "width": WIDTH,
        "height": {"step": 20},
        "data": {"values": rows},
        "layer": [
            {
                "mark": {"type": "bar", "height": 11, "color": COLOURS[0]},
                "encoding": {"y": y, "x": {"field": "read", "type": "quantitative", "axis": axis}},
            },
            {
                "mark": {"type": "rule"},
                "encoding": {"y": y, "x": {"field": "low", "type": "quantitative"}, "x2": {"field": "high"}},
            },
            {
                "mark": {"type": "tick", "color": COLOURS[1], "thickness": 3, "size": 16},
                "encoding": {"y": y, "x": {"field": "floor", "type": "quantitative"}},
            },
        ],
    }
    told = [f"{row['what']}: {row['read']:.0f}% against a floor of {row['floor']:.0f}%" for row in rows]
    return Chart(title, spec, "; ".join(told) + ".")


def _leak_row(name: str, probe: Probe) -> dict[str, Any]:
    return {
        "what": name,
        "read": 100 * (probe.balanced.value or 0.0),
        "low": 100 * (probe.balanced.low or 0.0),
        "high": 100 * (probe.balanced.high or 0.0),
        "floor": 100 * max(probe.chance, probe.label_floor, probe.shuffled),
    }
