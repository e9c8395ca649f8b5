"""What an audit tells people: findings in plain words first, then the tables, charts and texts that they rest on.

A report is built once by whoever measured and shown in many ways: page, PDF, JSON, a table in a terminal.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

Severity = Literal["concern", "watch", "clear", "unknown"]
SEVERITIES: tuple[Severity, ...] = ("concern", "watch", "clear", "unknown")
"""Somebody should act; somebody should keep looking; nothing was found by a test that could have found it; the test
could not tell, which is not the same as clear."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing a person from HR can act on. `code` stays the same from audit to audit, so that two can be compared."""

    code: str  # "swap.names_gender.best", "impact.sex.selection"
    severity: Severity
    title: str  # a few words
    sentence: str  # what was seen and how sure it is, with its numbers, in plain words
    action: str | None = None  # what to do next
    figures: dict[str, float | int | str | None] = field(default_factory=dict)

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
class Paragraph:
    text: str

    def to_json(self) -> dict[str, Any]:
        return {"type": "paragraph", "text": self.text}


@dataclass(frozen=True, slots=True)
class Grid:
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
class Stretch:
    """A text in which some places are marked; half-open code point offsets."""

    text: str
    marks: tuple[tuple[int, int], ...] = ()

    def to_json(self) -> dict[str, Any]:
        return {"text": self.text, "marks": [list(mark) for mark in self.marks]}


@dataclass(frozen=True, slots=True)
class Pair:
    """Two texts side by side that differ in what is marked, and what became of each."""

    title: str
    left: Stretch
    right: Stretch
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


Block = Paragraph | Grid | Chart | Pair


@dataclass(frozen=True, slots=True)
class Section:
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
    sections: tuple[Section, ...]
    method: tuple[str, ...] = ()  # how it was measured, a paragraph each
    limits: tuple[str, ...] = ()  # what it cannot tell
    facts: tuple[tuple[str, str], ...] = ()
    data: dict[str, Any] = field(default_factory=dict)

    @property
    def worst(self) -> Severity:
        """Of all findings; a report without one is unknown, not clear."""
        found = [each.severity for each in self.findings]
        order: tuple[Severity, ...] = ("concern", "watch", "unknown", "clear")
        return next((severity for severity in order if severity in found), "unknown")

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
