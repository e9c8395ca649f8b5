"""Charts of rates, ratios, sweeps and drift, each with its own data and with its words."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from evenhand.audit.outcomes.counting import MINIMUM
from evenhand.audit.outcomes.measuring import Drift, ThresholdSweep
from evenhand.audit.outcomes.rates import (
    FOUR_FIFTHS,
    GroupRate,
    RateTable,
    decimal,
    percent,
    percent_span,
    span,
    variable_words,
)
from evenhand.records.report import Chart
from evenhand.rendering.charts import COLOURS, Spec, interval, layer, layered, nominal, quantitative
from evenhand.text.wording import join_and

DASHES = ([1, 0], [6, 3], [2, 2], [8, 3, 2, 3], [4, 4], [1, 3], [10, 4], [3, 1])
"""Lines differ in these as well as in their colours."""
GREY, MARK = "#6b7280", "#b91c1c"
WIDTH = 520
GROUP_STEP = {"step": 30}
MAX_RATIO = 2.5  # an interval of few people may reach so far that nothing else could be seen
GROUPS = nominal("group", sort=None, axis={"title": None, "ticks": False})
WHISKERS = layer("rule", interval(), color="#111827", strokeWidth=1.5)
RATE_AXIS = {"title": "rate, with its 95% interval", "format": ".0%"}


def rates_chart(table: RateTable, title: str) -> Chart:
    """A bar per group with its interval."""
    rows = [{"group": f"{rate.group} ({rate.n:,})", **row} for rate in table.rates if (row := _rate_row(rate))]
    words = "; ".join(
        f"{rate.group}: {percent(rate.rate)} ({percent_span(rate.rate_interval)}) of {rate.n:,}"
        for rate in table.rates
        if rate.n
    )
    bars = layer("bar", {"x": quantitative("rate", axis=RATE_AXIS)}, height=16, color=COLOURS[0])
    spec = layered(rows, [bars, WHISKERS], width=WIDTH, height=GROUP_STEP, encoding={"y": GROUPS})
    return Chart(title, spec, f"{words}.")


def ratios_chart(table: RateTable, title: str) -> Chart:
    """A point per group with its interval, and the line of four fifths."""
    rows = [
        {
            "group": f"{rate.group} ({rate.n:,})",
            "ratio": rate.ratio,
            "low": rate.ratio_interval.low if rate.ratio_interval else rate.ratio,
            "high": min(rate.ratio_interval.high, MAX_RATIO) if rate.ratio_interval else rate.ratio,
        }
        for rate in table.rates
        if rate.ratio is not None
    ]
    words = "; ".join(f"{rate.group}: {decimal(rate.ratio)} ({span(rate.ratio_interval)})" for rate in table.compared)
    axis = {"title": f"impact ratio to {table.reference}, with its 95% interval"}
    x = quantitative("ratio", axis=axis, scale={"zero": True, "nice": False})
    points = layer("point", {"x": x}, filled=True, size=70, color=COLOURS[0], opacity=1)
    layers = [_line_at_four_fifths("x"), {"encoding": {"y": GROUPS}, "layer": [WHISKERS, points]}]
    spec = layered(rows, layers, width=WIDTH, height=GROUP_STEP)
    return Chart(title, spec, f"Impact ratios to {table.reference}: {words}. The line is at 0.8.")


def sweep_chart(sweep: ThresholdSweep, title: str, *, shortlist: int | None = None) -> Chart:
    """The impact ratio of every group for every length of the shortlist."""
    rows = [
        {"size": int(sweep.sizes[row]), "group": name, "ratio": float(sweep.ratios[row, at])}
        for row in sweep.shown()
        for at, name in enumerate(sweep.names)
        if not np.isnan(sweep.ratios[row, at])
    ]
    axis = {"title": "length of the shortlist", "format": ",d", "tickMinStep": 1}
    places = {
        "x": quantitative("size", axis=axis, scale={"nice": False}),
        "y": quantitative("ratio", axis={"title": "impact ratio"}, scale={"domain": [0, 1.02]}),
        **_by_group(sweep.names),
    }
    layers = [_line_at_four_fifths("y"), layer("line", places, interpolate="step-after", strokeWidth=1.8)]
    if shortlist:
        layers.append(layer("rule", {"x": {"datum": shortlist}}, color=GREY))
    return Chart(title, layered(rows, layers, width=WIDTH, height=240), _sweep_words(sweep, shortlist))


def drift_chart(drift: Drift, title: str) -> Chart:
    """The rate of every group from period to period."""
    groups = [rate.group for rate in drift.tables[0].rates]
    n = {group: sum(table.of(group).n for table in drift.tables) for group in groups}
    names = [group for group in groups if n[group] >= MINIMUM] or groups  # those with enough people over all
    rows = [
        {"period": period, "group": rate.group, **row}
        for period, table in zip(drift.periods, drift.tables, strict=True)
        for rate in table.rates
        if rate.group in names and (row := _rate_row(rate))
    ]
    x = {"field": "period", "type": "ordinal", "axis": {"title": drift.step, "labelAngle": -40}}
    layers = [
        layer("rule", interval(channel="y", axis=RATE_AXIS), opacity=0.45),
        layer("line", {"y": quantitative("rate", axis=RATE_AXIS)}, point=True),
    ]
    spec = layered(rows, layers, width=WIDTH, height=240, encoding={"x": x, **_by_group(names)})
    words = []
    for at in dict.fromkeys((0, len(drift.periods) - 1)):
        rates = [rate for rate in drift.tables[at].rates if rate.n and rate.group in names]
        shares = ", ".join(f"{rate.group} {percent(rate.rate)} of {rate.n:,}" for rate in rates)
        words.append(f"{drift.periods[at]}: {shares or 'nobody'}")
    return Chart(title, spec, "; ".join(words) + ".")


def _rate_row(rate: GroupRate) -> Spec | None:
    if rate.rate is None or rate.rate_interval is None:
        return None
    return {"rate": rate.rate, "low": rate.rate_interval.low, "high": rate.rate_interval.high}


def _sweep_words(sweep: ThresholdSweep, shortlist: int | None) -> str:
    lengths = [round(share * sweep.sizes[-1]) for share in (0.05, 0.1, 0.25, 0.5)] + ([shortlist] if shortlist else [])
    words = []
    for row in sorted({sweep.at(length) for length in lengths}):
        if not np.isnan(sweep.ratios[row]).all():
            lowest = int(np.nanargmin(sweep.ratios[row]))
            ratio = decimal(float(sweep.ratios[row, lowest]))
            words.append(f"{ratio} ({sweep.names[lowest]}) for a list of {int(sweep.sizes[row]):,}")
    if not words:
        return "No list has anybody of a known group on it."
    return f"The lowest impact ratio of {variable_words(sweep.variable)} is {join_and(words)}. The line is at 0.8."


def _by_group(names: Sequence[str]) -> Spec:
    legend = {"title": None, "orient": "bottom", "columns": 2, "labelLimit": 300}
    looks = {"color": COLOURS, "strokeDash": DASHES}
    return {
        channel: nominal(
            "group",
            scale={"domain": list(names), "range": [values[at % len(values)] for at in range(len(names))]},
            legend=legend,
        )
        for channel, values in looks.items()
    }


def _line_at_four_fifths(channel: str) -> Spec:
    return layer("rule", {channel: {"datum": FOUR_FIFTHS}}, color=MARK, strokeDash=[4, 3], strokeWidth=1.5)
