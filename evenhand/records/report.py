"""What an audit tells people: findings in plain words first, then the tables, charts and texts that they rest on.

A report is built once by whoever measured and shown in many ways: page, PDF, JSON, a table in a terminal.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from evenhand.records.conversion import JsonRecord, from_json, to_json

Severity = Literal["concern", "watch", "clear", "unknown"]
SEVERITIES: tuple[Severity, ...] = ("concern", "watch", "clear", "unknown")
"""Somebody should act; somebody should keep looking; nothing was found by a test that could have found it; the test
could not tell, which is not the same as clear."""
WORST_FIRST: tuple[Severity, ...] = ("concern", "watch", "unknown", "clear")
Figures = dict[str, float | int | str | None]


def worst_of(severities: Iterable[Severity]) -> Severity:
    """Of none at all: unknown, not clear."""
    return min(severities, key=WORST_FIRST.index, default="unknown")


@dataclass(frozen=True, slots=True)
class Finding(JsonRecord):
    """One thing a person from HR can act on. `code` stays the same from audit to audit, so that two can be compared."""

    code: str  # "swap.names_gender.best", "impact.sex.selection"
    severity: Severity
    title: str  # a few words
    sentence: str  # what was seen and how sure it is, with its numbers, in plain words
    action: str | None = None  # what to do next
    figures: Figures = field(default_factory=dict)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Finding:
        if data["severity"] not in SEVERITIES:
            raise ValueError(f"There is no severity {data['severity']!r}.")
        return from_json(cls, data)


@dataclass(frozen=True, slots=True)
class ReportParagraph(JsonRecord):
    text: str

    def to_json(self) -> dict[str, Any]:
        return {"type": "paragraph", **to_json(self)}


@dataclass(frozen=True, slots=True)
class ReportTable(JsonRecord):
    """A table as it is shown: words, already rounded. `numeric` columns stand to the right."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    numeric: frozenset[int] = frozenset()
    note: str | None = None

    def to_json(self) -> dict[str, Any]:
        return {"type": "table", **to_json(self)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> ReportTable:
        return from_json(cls, {"numeric": (), **data})


@dataclass(frozen=True, slots=True)
class Chart(JsonRecord):
    """A Vega-Lite specification that holds its own data, and the same in words for who cannot see it."""

    title: str
    spec: dict[str, Any]
    words: str

    def to_json(self) -> dict[str, Any]:
        return {"type": "chart", **to_json(self)}


@dataclass(frozen=True, slots=True)
class MarkedText(JsonRecord):
    """A text in which some places are marked; half-open code point offsets."""

    text: str
    marks: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class TextPair(JsonRecord):
    """Two texts side by side that differ in what is marked, and what became of each."""

    title: str
    left: MarkedText
    right: MarkedText
    left_outcome: str
    right_outcome: str

    def to_json(self) -> dict[str, Any]:
        return {"type": "pair", **to_json(self)}


Block = ReportParagraph | ReportTable | Chart | TextPair
BLOCKS: dict[str, type[Block]] = {"paragraph": ReportParagraph, "table": ReportTable, "chart": Chart, "pair": TextPair}


def _block(data: Mapping[str, Any]) -> Block:
    if data["type"] not in BLOCKS:
        raise ValueError(f"There is no block {data['type']!r}.")
    return BLOCKS[data["type"]].from_json(data)


@dataclass(frozen=True, slots=True)
class ReportSection(JsonRecord):
    title: str
    blocks: tuple[Block, ...]

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> ReportSection:
        return cls(data["title"], tuple(map(_block, data["blocks"])))


@dataclass(frozen=True, slots=True)
class Report(JsonRecord):
    """`data` is everything that was measured, unrounded, for programs; `facts` says how: versions, seeds, numbers.

    Its `from_json` raises ValueError, KeyError or TypeError for what is no report.
    """

    kind: str  # swaps, outcomes, model, debias, audit
    title: str
    subject: str  # which job, pool, ranker or model
    made: str  # ISO 8601, UTC
    findings: tuple[Finding, ...]
    sections: tuple[ReportSection, ...]
    method: tuple[str, ...] = ()  # how it was measured, a paragraph each
    limits: tuple[str, ...] = ()  # what it cannot tell
    facts: tuple[tuple[str, str], ...] = ()
    data: dict[str, Any] = field(default_factory=dict)

    @property
    def worst(self) -> Severity:
        """Of all findings; a report without one is unknown, not clear."""
        return worst_of(finding.severity for finding in self.findings)

    def to_json(self) -> dict[str, Any]:
        values = to_json(self)
        first = {key: values[key] for key in ("kind", "title", "subject", "made")}
        return {**first, "worst": self.worst, **values}
