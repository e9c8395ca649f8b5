"""Several audits as one report, and what has changed since the last: worked out by hand."""

from __future__ import annotations

import pytest

from evenhand.errors import UsageError
from evenhand.records.report import Finding, Report
from evenhand.workflows.auditing.combining import DRIFT, combine, compare, not_measured, with_drift
from evenhand.workflows.auditing.requests import AuditRequest
from tests.audit.pages.reports import outcomes, swaps

SINCE = "2026-11-01T02:00:00+00:00"


@pytest.mark.parametrize(
    ("before", "now", "change"),
    [
        ("clear", "concern", "worse"),
        ("watch", "concern", "worse"),
        ("unknown", "watch", "worse"),
        ("concern", "watch", "better"),
        ("concern", "clear", "better"),
        ("clear", "unknown", None),
        ("watch", "watch", None),
        (None, "watch", "new"),
        (None, "clear", None),
        ("concern", None, "gone"),
        ("clear", None, None),
    ],
)
def test_what_changed(before: str | None, now: str | None, change: str | None) -> None:
    found = compare({"a": before} if before else {}, {"a": now} if now else {})
    assert [each["change"] for each in found] == ([change] if change else [])


def test_the_comparison_itself_is_not_compared() -> None:
    assert compare({DRIFT: "clear"}, {DRIFT: "concern"}) == []


def report(**severities: str) -> Report:
    findings = tuple(Finding(code, severity, code.title(), "") for code, severity in severities.items())  # type: ignore[arg-type]
    return Report("swaps", "", "", "", findings, ())


def test_new_and_worse_are_a_finding_as_bad_as_the_worst_of_them() -> None:
    found = with_drift(
        report(a="concern", b="watch", c="clear"), {"a": "clear", "c": "watch"}, made_before=SINCE
    )
    drift = found.findings[-1]
    assert (drift.code, drift.severity, drift.figures) == (DRIFT, "concern", {"changed": 2})
    assert drift.sentence == "New or worse than in the audit of 1 November 2026, 02:00 UTC: B; A."
    [grid] = found.sections[-1].blocks
    assert [row[0] for row in grid.rows] == ["B", "A", "C"]  # type: ignore[union-attr]
    calm = with_drift(report(a="concern"), {"a": "concern"}, made_before=SINCE)
    assert (calm.findings[-1].severity, calm.findings[-1].title) == ("clear", "Nothing has become worse")


def test_parts_of_a_combined_report_say_what_they_are_of() -> None:
    found = combine({"swaps": swaps(), "outcomes": outcomes()}, subject="Accountant", made=SINCE)
    assert (found.kind, found.subject, found.worst) == ("audit", "Accountant", "concern")
    assert [section.title for section in found.sections] == [
        "Changed resumes: Names",
        "Outcomes by group: Selection",
    ]
    assert found.facts[0] == ("Changed resumes: Seed", "0")
    assert found.data == {"swaps": swaps().data, "outcomes": {}}
    assert combine({"swaps": swaps()}, subject="x", made=SINCE) == swaps()


def test_what_could_not_be_measured_is_told() -> None:
    found = combine(
        {"swaps": swaps(), "outcomes": not_measured("outcomes", "Nobody was asked.")}, subject="", made=SINCE
    )
    assert [each.sentence for each in found.findings if each.code == "outcomes.not_measured"] == [
        "Nobody was asked."
    ]


def test_requests_are_checked_and_kept_as_json() -> None:
    asked = AuditRequest("job", ("outcomes", "swaps"), families=("age",), most=20)
    assert asked.kind == "swaps+outcomes"
    assert AuditRequest.from_json(asked.to_json()) == asked
    for wrong in ({"kinds": ("x",)}, {"kinds": ()}, {"ranker": "semantic"}, {"most": 0}):
        with pytest.raises(UsageError):
            AuditRequest("job", **wrong)
