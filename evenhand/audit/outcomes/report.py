"""The report of outcomes by group: tables, charts, and in words how it was measured and what it cannot tell."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from evenhand.audit.methods import method_texts
from evenhand.audit.outcomes.counting import BY, MINIMUM
from evenhand.audit.outcomes.findings import find
from evenhand.audit.outcomes.measuring import BandComparison, Drift, Outcomes, ThresholdSweep
from evenhand.audit.outcomes.rates import (
    FOUR_FIFTHS,
    NONE,
    GroupRate,
    RateTable,
    decimal,
    measure_words,
    p_cell,
    percent,
    percent_span,
    span,
    variable_words,
)
from evenhand.records.report import Block, Chart, Report, ReportParagraph, ReportSection, ReportTable
from evenhand.rendering.charts import COLOURS, Spec, interval, layer, layered, nominal, quantitative
from evenhand.text.wording import capitalised, count, join_and

COLUMNS = ("Group", "People", "Chosen", "Rate", "95% interval", "Impact ratio", "95% interval", "p", "Note")
NUMERIC = frozenset({1, 2, 3, 4, 5, 6, 7})


def outcome_report(
    outcomes: Outcomes,
    *,
    title: str,
    subject: str,
    made: str,
    chosen: str,
    band_name: str = "experience",
    facts: tuple[tuple[str, str], ...] = (),
    first: tuple[ReportSection, ...] = (),
    data: dict[str, Any] | None = None,
) -> Report:
    """`first` are sections that stand before the tables."""
    return Report(
        kind="outcomes",
        title=title,
        subject=subject,
        made=made,
        findings=find(outcomes, chosen=chosen),
        sections=(*first, *_sections(outcomes, band_name)),
        method=method_texts("outcomes", "method", chosen=chosen, minimum=MINIMUM),
        limits=method_texts("outcomes", "limits"),
        facts=(("people", f"{outcomes.size:,}"), *facts),
        data={**outcomes.to_json(), **(data or {})},
    )


def _sections(outcomes: Outcomes, band_name: str) -> Iterator[ReportSection]:
    for table in outcomes.tables:
        title = f"{capitalised(variable_words(table.variable))}: {measure_words(table.measure)}"
        yield ReportSection(title, tuple(_table_blocks(table, outcomes.shortlist)))
    if outcomes.sweeps:
        heading = "impact ratio by length of the shortlist"
        blocks = [
            sweep_chart(
                sweep, f"{capitalised(variable_words(sweep.variable))}: {heading}", shortlist=outcomes.shortlist
            )
            for sweep in outcomes.sweeps
        ]
        about = ReportParagraph(
            "How the impact ratio would be with a shorter or longer shortlist, taken from the top of the ranking. "
            "At the left end lists are so short that a single person moves the curve. Groups of fewer than "
            f"{MINIMUM} people are not drawn where larger ones are."
        )
        yield ReportSection("Other lengths of the shortlist", (about, *blocks))
    for banded in outcomes.banded:
        yield ReportSection(
            f"{capitalised(variable_words(banded.variable))} within bands of {band_name}",
            tuple(_band_blocks(banded, band_name)),
        )
    for drift in outcomes.drifts:
        yield ReportSection(f"{capitalised(variable_words(drift.variable))} over time", tuple(_drift_blocks(drift)))


def _table_blocks(table: RateTable, shortlist: int | None) -> Iterator[Block]:
    name = capitalised(variable_words(table.variable))
    if table.measure == "shortlist":
        yield ReportParagraph(
            f"As if the {shortlist or 0:,} ranked highest were the shortlist, and those equal to the last."
        )
    yield rates_grid(table)
    if BY not in table.variable and any(rate.n for rate in table.rates):
        yield rates_chart(table, f"{name}: rates")
        if table.compared:
            yield ratios_chart(table, f"{name}: impact ratios")


def rates_grid(table: RateTable) -> ReportTable:
    rows = []
    for rate in table.rates:
        if rate.n:
            remarks = (
                f"left out: {rate.left_out}" if rate.left_out is not None else "",
                "highest" if rate.group == table.reference else "",
                f"below four fifths by {count(rate.changes, 'outcome')}" if rate.changes is not None else "",
                "few people" if rate.is_small else "",
            )
            counts = (rate.group, f"{rate.n:,}", f"{rate.selected:,}")
            rates = (percent(rate.rate), percent_span(rate.rate_interval))
            ratios = (decimal(rate.ratio), span(rate.ratio_interval), p_cell(rate.p))
            rows.append((*counts, *rates, *ratios, "; ".join(filter(None, remarks))))
    notes = [f"Unknown, and in no rate: {table.unknown:,}."]
    if absent := sum(not rate.n for rate in table.rates):
        notes.append(f"Of {absent:,} more groups there is nobody.")
    if table.median is not None:
        notes.append(f"The median score is {table.median:.4g}.")
    return ReportTable("Rates and impact ratios", COLUMNS, tuple(rows), NUMERIC, " ".join(notes))


def _band_blocks(banded: BandComparison, band_name: str) -> Iterator[Block]:
    rows = tuple(
        (
            pooled.group,
            pooled.reference,
            decimal(pooled.ratio),
            span(pooled.ratio_interval),
            p_cell(pooled.p),
            str(pooled.bands),
        )
        for pooled in banded.pooled
    )
    columns = ("Group", "Against", "Impact ratio", "95% interval", "p", "Bands with both")
    note = f"Without a band, and left out: {banded.unknown_band:,}." if banded.unknown_band else None
    title = "All bands together, people compared within their own"
    yield ReportTable(title, columns, rows, frozenset({2, 3, 4, 5}), note)
    lines = tuple(
        (band, rate.group, f"{rate.n:,}", f"{rate.selected:,}", percent(rate.rate), decimal(rate.ratio))
        for band, table in zip(banded.bands, banded.tables, strict=True)
        for rate in table.rates
        if rate.n
    )
    heads = (capitalised(band_name), "Group", "People", "Chosen", "Rate", "Impact ratio")
    yield ReportTable("Band by band", heads, lines, frozenset({2, 3, 4, 5}))


def _drift_blocks(drift: Drift) -> Iterator[Block]:
    yield drift_chart(drift, f"{capitalised(variable_words(drift.variable))}: rates by {drift.step}")
    rows = tuple(
        (trend.group, trend.reference, factor, p_cell(trend.p), str(trend.periods))
        for trend in drift.trends
        for factor in [NONE if trend.factor is None else f"{trend.factor:.3f}"]
    )
    enough = f"{capitalised(drift.step)}s with enough people"
    columns = ("Group", "Against", f"Ratio multiplied each {drift.step} by", "p", enough)
    note = f"A {drift.step} counts with at least {MINIMUM} people of both groups; a trend needs three of them."
    yield ReportTable("Whether the impact ratio goes one way", columns, rows, frozenset({2, 3, 4}), note)


# Charts of rates, ratios, sweeps and drift, each with its own data and with its words.

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
