"""Several audits as one report, and what has changed since the last: worked out by hand."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from evenhand.audit.history import DRIFT, combine, compare, not_measured, severities, with_drift
from evenhand.audit.run import AuditRequest
from evenhand.errors import UsageError
from evenhand.records.report import Finding, Report
from tests.rendering.reports import outcomes, swaps

SINCE = "2026-11-01T02:00:00+00:00"


@pytest.mark.parametrize(
    ("before", "now", "change"),
    [
        ("clear", "concern", "worse"),
        ("watch", "concern", "worse"),
        ("unknown", "watch", "worse"),
        ("concern", "watch", "better"),
        ("concern", "clear", "better"),
        ("clear", "unknown", "lost"),
        ("watch", "unknown", "lost"),
        ("concern", "unknown", "lost"),
        ("unknown", "unknown", None),
        ("unknown", "clear", None),
        (None, "unknown", None),
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
    found = with_drift(report(a="concern", b="watch", c="clear"), {"a": "clear", "c": "watch"}, made_before=SINCE)
    drift = found.findings[-1]
    assert (drift.code, drift.severity, drift.figures) == (DRIFT, "concern", {"changed": 2})
    assert drift.sentence == "New or worse than in the audit of 1 November 2026, 02:00 UTC: B; A."
    [grid] = found.sections[-1].blocks
    assert [row[0] for row in grid.rows] == ["B", "A", "C"]  # type: ignore[union-attr]
    calm = with_drift(report(a="concern"), {"a": "concern"}, made_before=SINCE)
    assert (calm.findings[-1].severity, calm.findings[-1].title) == ("clear", "Nothing has become worse")


def test_what_cannot_be_told_any_more_is_neither_better_nor_calm() -> None:
    found = with_drift(report(a="unknown", b="clear"), {"a": "concern", "b": "watch"}, made_before=SINCE)
    [grid] = found.sections[-1].blocks
    assert [row[:2] for row in grid.rows] == [  # type: ignore[union-attr]
        ("A", "inconclusive now"),
        ("B", "better than before"),
    ]
    drift = found.findings[-1]
    assert (drift.severity, drift.title) == ("unknown", "Some findings are now inconclusive")
    assert drift.sentence == (
        "No finding is new or worse than in the audit of 1 November 2026, 02:00 UTC, but these are now inconclusive: A."
    )
    worse = with_drift(report(a="unknown", b="watch"), {"a": "clear", "b": "clear"}, made_before=SINCE)
    assert (worse.findings[-1].severity, worse.findings[-1].figures) == ("watch", {"changed": 1})
    assert worse.findings[-1].sentence.endswith(": B. These are now inconclusive: A.")


def swapped(**severities: str) -> Report:
    """What moved is told by itself, the rest together; the data have every comparison."""
    told = [
        Finding(f"swap.names.{group}.ranker.best", severity, f"{group} moves", "")  # type: ignore[arg-type]
        for group, severity in severities.items()
        if severity in ("concern", "watch")
    ]
    together = [
        Finding(f"swap.{severity}.ranker.best", severity, severity, "")
        for severity in ("unknown", "clear")
        if severity in severities.values()
    ]
    comparisons = [
        {
            "code": f"swap.names.{group}.ranker.best",
            "severity": severity,
            "judge": "ranker best",
            "family": "names",
            "group": group,
            "reference": "white_men",
        }
        for group, severity in severities.items()
    ]
    return Report("swaps", "", "", "", (*told, *together), (), data={"comparisons": comparisons})


@pytest.mark.parametrize("with_outcomes", [False, True])
def test_swaps_that_are_told_together_are_compared_one_by_one(with_outcomes: bool) -> None:
    def whole(swaps: Report) -> Report:
        others = {"outcomes": report()} if with_outcomes else {}
        return combine({"swaps": swaps, **others}, subject="", made=SINCE)

    before = whole(swapped(women="concern", black_men="watch", old="clear", young="clear"))
    now = whole(swapped(women="clear", black_men="unknown", old="unknown", young="watch"))
    kept = {finding.code: finding.severity for finding in before.findings}  # what the store has at hand
    assert [(each["code"], each["change"]) for each in changes_of(now, kept)] == [
        ("swap.names.young.ranker.best", "new"),
        ("swap.names.black_men.ranker.best", "lost"),
        ("swap.names.women.ranker.best", "better"),
    ]
    assert [(each["code"], each["change"]) for each in changes_of(now, severities(before))] == [
        ("swap.names.young.ranker.best", "worse"),
        ("swap.names.black_men.ranker.best", "lost"),
        ("swap.names.old.ranker.best", "lost"),
        ("swap.names.women.ranker.best", "better"),
    ]
    [grid] = with_drift(now, kept, made_before=SINCE).sections[-1].blocks
    assert [row[0] for row in grid.rows] == [  # type: ignore[union-attr]
        "young moves",
        "Names: black men instead of white men (ranker best)",
        "Names: women instead of white men (ranker best)",
    ]


def changes_of(now: Report, before: Mapping[str, str]) -> list[dict[str, str | None]]:
    found: list[dict[str, str | None]] = with_drift(now, before, made_before=SINCE).data["drift"]["changes"]
    return found


def test_parts_of_a_combined_report_say_what_they_are_of() -> None:
    found = combine({"swaps": swaps(), "outcomes": outcomes()}, subject="Accountant", made=SINCE)
    assert (found.kind, found.subject, found.worst) == ("audit", "Accountant", "concern")
    assert [section.title for section in found.sections] == ["Changed resumes: Names", "Outcomes by group: Selection"]
    assert found.facts[0] == ("Changed resumes: Seed", "0")
    assert found.data == {"swaps": swaps().data, "outcomes": {}}
    assert combine({"swaps": swaps()}, subject="x", made=SINCE) == swaps()


def test_what_could_not_be_measured_is_told() -> None:
    found = combine(
        {"swaps": swaps(), "outcomes": not_measured("outcomes", "Nobody was asked.")}, subject="", made=SINCE
    )
    assert [each.sentence for each in found.findings if each.code == "outcomes.not_measured"] == ["Nobody was asked."]


def test_requests_are_checked_and_kept_as_json() -> None:
    asked = AuditRequest("job", ("outcomes", "swaps"), families=("age",), most=20)
    assert asked.kind == "swaps+outcomes"
    assert AuditRequest.from_json(asked.to_json()) == asked
    for wrong in ({"kinds": ("x",)}, {"kinds": ()}, {"ranker": "semantic"}, {"most": 0}):
        with pytest.raises(UsageError):
            AuditRequest("job", **wrong)
