"""What an audit tells people: findings in plain words first, then the tables, charts and texts that they rest on.

A report is built once by whoever measured and shown in many ways: page, PDF, JSON, a table in a terminal.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Literal

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
class Finding:
    """One thing a person from HR can act on. `code` stays the same from audit to audit, so that two can be compared."""

    code: str  # "swap.names_gender.best", "impact.sex.selection"
    severity: Severity
    title: str  # a few words
    sentence: str  # what was seen and how sure it is, with its numbers, in plain words
    action: str | None = None  # what to do next
    figures: Figures = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        return {
            "code": self.code,
            "severity": self.severity,
            "title": self.title,
            "sentence": self.sentence,
            "action": self.action,
            "figures": dict(self.figures),
        }


@dataclass(frozen=True, slots=True)
class ReportParagraph:
    text: str

    def to_json(self) -> dict[str, Any]:
        return {"type": "paragraph", "text": self.text}


@dataclass(frozen=True, slots=True)
class ReportTable:
    """A table as it is shown: words, already rounded. `numeric` columns stand to the right."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    numeric: frozenset[int] = frozenset()
    note: str | None = None

    def to_json(self) -> dict[str, Any]:
        return {
            "type": "table",
            "title": self.title,
            "columns": list(self.columns),
            "rows": [list(row) for row in self.rows],
            "numeric": sorted(self.numeric),
            "note": self.note,
        }


@dataclass(frozen=True, slots=True)
class Chart:
    """A Vega-Lite specification that holds its own data, and the same in words for who cannot see it."""

    title: str
    spec: dict[str, Any]
    words: str

    def to_json(self) -> dict[str, Any]:
        return {"type": "chart", "title": self.title, "spec": self.spec, "words": self.words}


@dataclass(frozen=True, slots=True)
class MarkedText:
    """A text in which some places are marked; half-open code point offsets."""

    text: str
    marks: tuple[tuple[int, int], ...] = ()

    def to_json(self) -> dict[str, Any]:
        return {"text": self.text, "marks": [list(mark) for mark in self.marks]}


@dataclass(frozen=True, slots=True)
class TextPair:
    """Two texts side by side that differ in what is marked, and what became of each."""

    title: str
    left: MarkedText
    right: MarkedText
    left_outcome: str
    right_outcome: str

    def to_json(self) -> dict[str, Any]:
        return {
            "type": "pair",
            "title": self.title,
            "left": self.left.to_json(),
            "right": self.right.to_json(),
            "left_outcome": self.left_outcome,
            "right_outcome": self.right_outcome,
        }


Block = ReportParagraph | ReportTable | Chart | TextPair


@dataclass(frozen=True, slots=True)
class ReportSection:
    title: str
    blocks: tuple[Block, ...]

    def to_json(self) -> dict[str, Any]:
        return {"title": self.title, "blocks": [block.to_json() for block in self.blocks]}


@dataclass(frozen=True, slots=True)
class Report:
    """`data` is everything that was measured, unrounded, for programs; `facts` says how: versions, seeds, numbers."""

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
        return {
            "kind": self.kind,
            "title": self.title,
            "subject": self.subject,
            "made": self.made,
            "worst": self.worst,
            "findings": [finding.to_json() for finding in self.findings],
            "sections": [section.to_json() for section in self.sections],
            "method": list(self.method),
            "limits": list(self.limits),
            "facts": [list(fact) for fact in self.facts],
            "data": self.data,
        }


# A report from its JSON form: what was kept or written to a file becomes the record again.


def report_from_json(value: dict[str, Any]) -> Report:
    """Raises ValueError, KeyError or TypeError for what is none."""
    return Report(
        kind=str(value["kind"]),
        title=str(value["title"]),
        subject=str(value["subject"]),
        made=str(value["made"]),
        findings=tuple(map(_finding, value["findings"])),
        sections=tuple(map(_section, value["sections"])),
        method=tuple(map(str, value["method"])),
        limits=tuple(map(str, value["limits"])),
        facts=tuple((str(name), str(fact)) for name, fact in value["facts"]),
        data=dict(value["data"]),
    )


def _finding(value: dict[str, Any]) -> Finding:
    severity = value["severity"]
    if severity not in SEVERITIES:
        raise ValueError(f"There is no severity {severity!r}.")
    return Finding(value["code"], severity, value["title"], value["sentence"], value["action"], dict(value["figures"]))


def _section(value: dict[str, Any]) -> ReportSection:
    return ReportSection(value["title"], tuple(map(_block, value["blocks"])))


def _block(value: dict[str, Any]) -> Block:
    match value["type"]:
        case "paragraph":
            return ReportParagraph(value["text"])
        case "table":
            rows = tuple(tuple(map(str, row)) for row in value["rows"])
            numeric = frozenset(value.get("numeric", ()))
            return ReportTable(value["title"], tuple(value["columns"]), rows, numeric=numeric, note=value["note"])
        case "chart":
            return Chart(value["title"], value["spec"], value["words"])
        case "pair":
            sides = _stretch(value["left"]), _stretch(value["right"])
            return TextPair(value["title"], *sides, value["left_outcome"], value["right_outcome"])
        case other:
            raise ValueError(f"There is no block {other!r}.")


def _stretch(value: dict[str, Any]) -> MarkedText:
    return MarkedText(value["text"], tuple((int(start), int(end)) for start, end in value["marks"]))
