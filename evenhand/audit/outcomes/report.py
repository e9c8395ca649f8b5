"""The report of outcomes by group: tables, charts, and in words how it was measured and what it cannot tell."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from evenhand.audit.methods import method_texts
from evenhand.audit.outcomes.charts import drift_chart, rates_chart, ratios_chart, sweep_chart
from evenhand.audit.outcomes.counting import BY, MINIMUM
from evenhand.audit.outcomes.findings import find
from evenhand.audit.outcomes.measuring import BandComparison, Drift, Outcomes
from evenhand.audit.outcomes.rates import (
    NONE,
    RateTable,
    decimal,
    measure_words,
    p_cell,
    percent,
    percent_span,
    span,
    variable_words,
)
from evenhand.records.report import Block, Report, ReportParagraph, ReportSection, ReportTable
from evenhand.text.wording import capitalised, count

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
