"""How groups are spread over the labels of a task: counts (Fig 6) and shares (Fig 7)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from evenhand.debias.pictures.drawing import BLUE, GREEN, ORANGE, PURPLE, SCHEMA, titled
from evenhand.debias.shares import LabelShares
from evenhand.records.report import Chart

COLOURS = (ORANGE, BLUE, GREEN, PURPLE, "#56b4e9", "#a6761d", "#8a8a8a")
STEP = 21
WIDTH = 460


def counts_by_label(
    shares: Sequence[LabelShares], *, task_name: str = "occupation", group_name: str = "gender"
) -> Chart:
    """Fig 6: a bar per label, the most frequent first, one colour per group."""
    title = f"Texts per {task_name}, by {group_name}"
    bars = {
        "data": {"values": _rows(shares)},
        "mark": {"type": "bar", "height": STEP - 6},
        "encoding": {
            "y": _labels(shares),
            "x": {
                "field": "count",
                "type": "quantitative",
                "stack": "zero",
                "axis": {"title": "texts", "format": ",d", "tickCount": 6},
            },
            "color": _colours(shares, group_name),
            "order": {"field": "turn", "type": "quantitative"},
        },
    }
    totals = {
        "data": {"values": [{"label": _name(each), "total": each.total} for each in shares]},
        "mark": {"type": "text", "align": "left", "dx": 5, "fontSize": 11},
        "encoding": {
            "y": _labels(shares),
            "x": {"field": "total", "type": "quantitative"},
            "text": {"field": "total", "type": "quantitative", "format": ",d", "tickCount": 6},
        },
    }
    spec = {
        "$schema": SCHEMA,
        "title": titled(title),
        "width": WIDTH,
        "height": {"step": STEP},
        "layer": [bars, totals],
    }
    return Chart(title, spec, _words(shares))


def shares_by_group(
    shares: Sequence[LabelShares], *, task_name: str = "occupation", group_name: str = "gender"
) -> Chart:
    """Fig 7: the share of each group in per cent, the label with most of the first group first."""
    title = f"Share of each {group_name}, by {task_name}"
    first = shares[0].counts[0][0] if shares else ""
    ordered = sorted(shares, key=lambda each: -each.percent(first))
    bars = {
        "data": {"values": _rows(ordered)},
        "mark": {"type": "bar", "height": STEP - 6},
        "encoding": {
            "y": _labels(ordered),
            "x": {
                "field": "percent",
                "type": "quantitative",
                "stack": "zero",
                "scale": {"domain": [0, 100]},
                "axis": {"title": "% of the texts", "values": [0, 25, 50, 75, 100]},
            },
            "color": _colours(shares, group_name),
            "order": {"field": "turn", "type": "quantitative"},
        },
    }
    spec = {
        "$schema": SCHEMA,
        "title": titled(title, f"The numbers are the share of {first}."),
        "width": WIDTH,
        "height": {"step": STEP},
        "layer": [bars, _half(), _percents(ordered, first)],
    }
    return Chart(title, spec, _words(ordered))


def _half() -> dict[str, Any]:
    return {
        "data": {"values": [{"percent": 50}]},
        "mark": {"type": "rule", "strokeDash": [4, 4], "color": "white", "strokeWidth": 1.2},
        "encoding": {"x": {"field": "percent", "type": "quantitative"}},
    }


def _percents(shares: Sequence[LabelShares], first: str) -> dict[str, Any]:
    """Of the first group, beside the bars: a number on a colour would be read by few."""
    rows = [{"label": _name(each), "at": 100, "shown": f"{each.percent(first):.1f} %"} for each in shares]
    return {
        "data": {"values": rows},
        "mark": {"type": "text", "align": "left", "dx": 6, "fontSize": 11},
        "encoding": {
            "y": _labels(shares),
            "x": {"field": "at", "type": "quantitative"},
            "text": {"field": "shown", "type": "nominal"},
        },
    }


def _rows(shares: Sequence[LabelShares]) -> list[dict[str, Any]]:
    return [
        {"label": _name(each), "group": group, "turn": turn, "count": count, "percent": each.percent(group)}
        for each in shares
        for turn, (group, count) in enumerate(each.counts)
    ]


def _labels(shares: Sequence[LabelShares]) -> dict[str, Any]:
    order = [_name(each) for each in shares]
    return {
        "field": "label",
        "type": "nominal",
        "sort": order,
        "axis": {"title": None, "ticks": False, "domain": False},
    }


def _colours(shares: Sequence[LabelShares], group_name: str) -> dict[str, Any]:
    groups = [group for group, _ in shares[0].counts] if shares else []
    colours = [COLOURS[at % len(COLOURS)] for at in range(len(groups))]
    return {
        "field": "group",
        "type": "nominal",
        "scale": {"domain": groups, "range": colours},
        "legend": {"title": group_name, "orient": "top", "titleOrient": "left", "offset": 4},
    }


def _name(shares: LabelShares) -> str:
    return shares.label.replace("_", " ")


def _words(shares: Sequence[LabelShares]) -> str:
    parts = [
        f"{_name(each)}: {each.total:,} ("
        + ", ".join(f"{group} {each.percent(group):.1f} %" for group, _ in each.counts)
        + ")"
        for each in shares
    ]
    return "; ".join(parts) + "." if parts else "No texts."
