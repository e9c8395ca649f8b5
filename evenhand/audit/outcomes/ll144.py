"""The figures that Local Law 144 of New York City wants published (6 RCNY 5-300 to 304), and nothing but them.

Both ways: selection rates where people were chosen, scoring rates where they got a score. For sex, for race or
ethnicity, and for their intersections; with how many are unknown, the dates, and where the data come from.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from evenhand.audit.outcomes.counting import Counts, Sample, above_median, count_selected, cross, encode
from evenhand.audit.outcomes.measuring import LeftOut
from evenhand.audit.outcomes.rates import NONE, Measure, RateTable, percent, rate_table, variable_words
from evenhand.errors import UsageError
from evenhand.records import canonical_json
from evenhand.records.report import ReportParagraph, ReportSection, ReportTable
from evenhand.rendering.cells import BYTE_ORDER_MARK, Cell, csv_lines
from evenhand.rendering.html import resource
from evenhand.text.wording import capitalised

# The categories of `categories.toml`, and the spellings that people use for them.

SEX, RACE = "sex", "race"
_CATEGORIES: dict[str, dict[str, list[str]]] = tomllib.loads(resource("evenhand.audit", "categories.toml"))
SEXES = ("female", "male")
RACES = tuple(_CATEGORIES[RACE])
_NAMES = {
    table: {spelling: name for name, spellings in names.items() for spelling in spellings}
    for table, names in _CATEGORIES.items()
}
"""By variable, and for the variables themselves, the name of each spelling."""
_UNKNOWN = re.compile(
    "unknown|nan?|null|missing|refused|withheld|undisclosed|unspecified|noanswer|didnotanswer"
    "|not(stated|specified|known|given|disclosed|answered)|.*prefernot(to.*)?|declined?(to.*)?"
    "|i?(choose|chose)not.*|i?(do|did)(not|nt)wish.*"
)
"""In letters alone. "none" is not among them: no school and no gap are answers."""


def variable_named(header: str) -> str:
    """sex and race under these names, whatever the header; others in small letters."""
    plain = " ".join(header.split())
    return _NAMES["variable"].get(letters(plain)) or re.sub(r"[\s\-/]+", "_", plain.lower()).strip("_")


def group_named(variable: str, value: str) -> str:
    """The category's own name where the spelling is known; else as it was written."""
    return _NAMES.get(variable, {}).get(letters(value), value)


def is_unknown(value: str) -> bool:
    """Nothing, or the words of somebody who would rather not say."""
    return not (plain := letters(value)) or _UNKNOWN.fullmatch(plain) is not None


def letters(text: str) -> str:
    return re.sub(r"[\W_]+", "", text.casefold())


HEADS = ("variable", "category", "applicants", "selected", "rate", "impact_ratio", "measure", "left_out")
MEASURE_WORDS = {"selection": "selection rate", "scoring": "scoring rate"}
MEDIAN_WORDS = "A scoring rate is the share of a category that scored above the median of all, {median:.6g}."
NEEDED = (SEX, RACE)


@dataclass(frozen=True, slots=True)
class Ll144Summary:
    """What the public page shows. Dates are ISO 8601; `distributed` is when the tool was first used."""

    tool: str
    audited: str
    distributed: str
    data_statement: str
    tables: tuple[RateTable, ...]
    unknown: Mapping[str, int]  # people assessed who are in no category, by variable

    def to_json(self) -> dict[str, Any]:
        return {
            "tool": self.tool,
            "audit_date": self.audited,
            "distribution_date": self.distributed,
            "data_statement": self.data_statement,
            "unknown": dict(self.unknown),
            "tables": [
                {
                    "variable": table.variable,
                    "measure": table.measure,
                    "median": table.median,
                    "highest": table.reference,
                    "unknown": table.unknown,
                    "categories": [_category(table, at) for at in range(len(table.rates))],
                }
                for table in self.tables
            ],
        }

    def rows(self) -> list[tuple[str | int | float | None, ...]]:
        """For a CSV file: the heads, then a row for each category; figures unrounded."""
        return [
            HEADS,
            *(
                (table.variable, r.group, r.n, r.selected, r.rate, r.ratio, table.measure, r.left_out)
                for table in self.tables
                for r in table.rates
            ),
        ]

    def sections(self) -> tuple[ReportSection, ...]:
        unknown = ", ".join(f"{variable_words(name)} of {many:,}" for name, many in self.unknown.items())
        about = ReportSection(
            "About this bias audit",
            (
                ReportParagraph(
                    f"Tool: {self.tool}. Date of the audit: {self.audited}. In use since: {self.distributed}."
                ),
                ReportParagraph(self.data_statement),
                ReportParagraph(f"People assessed who are not in the figures because it is unknown: {unknown}."),
            ),
        )
        return about, *(_section(table) for table in self.tables)


def ll144_summary(
    sample: Sample, *, tool: str, audited: str, distributed: str, data_statement: str, left_out: LeftOut | None = None
) -> Ll144Summary:
    """Needs sex and race; every category of the rules is in the tables, also those of which there is nobody."""
    for name in NEEDED:
        if name not in sample.groups:
            raise UsageError(f"Local Law 144 asks for sex and race; nobody was asked for {name}.")
    sex = encode(SEX, sample.groups[SEX], names=SEXES)
    race = encode(RACE, sample.groups[RACE], names=RACES)
    variables = (sex, race, cross(sex, race))
    reasons = left_out or {}
    tables: list[RateTable] = []
    for coded in variables:
        own = reasons.get(coded.variable)
        if sample.selected is not None:
            tables.append(rate_table(count_selected(coded, sample.selected), "selection", left_out=own))
        if sample.scores is not None and not np.isnan(sample.scores).all():
            scored = ~np.isnan(sample.scores)
            above, median = above_median(sample.scores[scored])
            counts: Counts = count_selected(coded.only(scored), above)
            tables.append(rate_table(counts, "scoring", left_out=own, median=median))
    unknown = {coded.variable: coded.unknown for coded in variables}
    return Ll144Summary(tool, audited, distributed, data_statement, tuple(tables), unknown)


def _category(table: RateTable, at: int) -> dict[str, Any]:
    rate = table.rates[at]
    return {
        "category": rate.group,
        "applicants": rate.n,
        "selected": rate.selected,
        "rate": rate.rate,
        "impact_ratio": rate.ratio,
        "left_out": rate.left_out,
    }


def _section(table: RateTable) -> ReportSection:
    measure: Measure = table.measure
    rate_words = MEASURE_WORDS[measure]
    counted = "Selected" if measure == "selection" else "Above the median"
    rows = tuple(
        (
            rate.group,
            f"{rate.n:,}",
            f"{rate.selected:,}",
            percent(rate.rate),
            "left out" if rate.left_out else NONE if rate.ratio is None else f"{rate.ratio:.3f}",
        )
        for rate in table.rates
    )
    notes = [f"{rate.group} was left out of the ratios: {rate.left_out}" for rate in table.rates if rate.left_out]
    if table.median is not None:
        notes.insert(0, MEDIAN_WORDS.format(median=table.median))
    title = f"{variable_words(table.variable)}: {rate_words} and impact ratio"
    columns = ("Category", "Applicants", counted, rate_words.capitalize(), "Impact ratio")
    grid = ReportTable(capitalised(title), columns, rows, frozenset({1, 2, 3, 4}), " ".join(notes) or None)
    return ReportSection(capitalised(title), (grid,))


# The public figures of Local Law 144 as files: JSON with everything, CSV for whoever puts them on a page.


def ll144_bytes(summary: Ll144Summary, *, is_csv: bool) -> bytes:
    if not is_csv:
        return (canonical_json(summary.to_json()) + "\n").encode("utf-8", "backslashreplace")
    unknown: list[list[Cell]] = [[f"unknown: {name}", many] for name, many in summary.unknown.items()]
    rows: list[list[Cell]] = [
        ["tool", summary.tool],
        ["audit_date", summary.audited],
        ["distribution_date", summary.distributed],
        ["data_statement", summary.data_statement],
        *unknown,
        [],
        *(list(row) for row in summary.rows()),
    ]
    return (BYTE_ORDER_MARK + "".join(csv_lines(rows))).encode("utf-8", "replace")
