"""Several audits of one job as one report, and what has changed since the one before."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from evenhand.errors import NotFound
from evenhand.records.report import Block, Finding, Report, ReportParagraph, ReportSection, ReportTable, Severity
from evenhand.rendering.charts import chart_svg
from evenhand.rendering.report_page import SYMBOLS, WORDS, charts_of, day
from evenhand.store.audits import DONE, StoredAudit
from evenhand.store.store import Store
from evenhand.text.wording import capitalised

DRIFT = "drift.findings"
BADNESS = {"clear": 0, "unknown": 0, "watch": 1, "concern": 2}
CHANGES = ("new", "worse", "lost", "better", "gone")
CHANGE_WORDS = {
    "new": "new: not audited or not found before",
    "worse": "worse than before",
    "lost": "inconclusive now",
    "better": "better than before",
    "gone": "no longer audited",
}
NAMES = {"swaps": "Changed resumes", "outcomes": "Outcomes by group"}


def combine(reports: Mapping[str, Report], *, subject: str, made: str) -> Report:
    """By kind. One alone stays what it is."""
    if len(reports) == 1:
        return next(iter(reports.values()))
    return Report(
        kind="audit",
        title="Bias audit",
        subject=subject,
        made=made,
        findings=tuple(finding for report in reports.values() for finding in report.findings),
        sections=tuple(
            replace(section, title=f"{NAMES.get(kind, kind)}: {section.title}")
            for kind, report in reports.items()
            for section in report.sections
        ),
        method=tuple(dict.fromkeys(text for report in reports.values() for text in report.method)),
        limits=tuple(dict.fromkeys(text for report in reports.values() for text in report.limits)),
        facts=tuple(
            (f"{NAMES.get(kind, kind)}: {name}", fact)
            for kind, report in reports.items()
            for name, fact in report.facts
        ),
        data={kind: report.data for kind, report in reports.items()},
    )


def not_measured(kind: str, why: str) -> Report:
    """A part that could not be measured is a finding that says so, and not silence."""
    name = NAMES.get(kind, kind)
    finding = Finding(
        f"{kind}.not_measured",
        "unknown",
        f"{name} could not be measured",
        why,
        "Import what is missing, then run the audit again.",
    )
    return Report(kind, name, "", "", (finding,), ())


def with_drift(report: Report, before: Mapping[str, str], *, made_before: str) -> Report:
    """With what has changed since: `before` are severities by code."""
    changes = compare(before, severities(report))
    titles = {}
    for swap in _swaps(report):
        family, group, reference = (swap[name].replace("_", " ") for name in ("family", "group", "reference"))
        titles[swap["code"]] = f"{capitalised(family)}: {group} instead of {reference} ({swap['judge']})"
    titles |= {finding.code: finding.title for finding in report.findings}
    since = day(made_before)
    block: Block = ReportParagraph(f"No finding changed in severity since {since}.")
    if changes:
        rows = tuple(
            (
                titles.get(change["code"] or "", change["code"] or ""),
                CHANGE_WORDS[change["change"] or ""],
                *(_of_severity(WORDS, change[when]) for when in ("before", "now")),
            )
            for change in changes
        )
        block = ReportTable(f"Compared with {since}", ("Finding", "Change", "Before", "Now"), rows)
    section = ReportSection("Since the last audit", (block,))
    return replace(
        report,
        findings=(*report.findings, _finding(changes, titles, since)),
        sections=(*report.sections, section),
        data={**report.data, "drift": {"since": made_before, "changes": changes}},
    )


def severities(report: Report) -> dict[str, str]:
    """By code: of every finding, and of every swap, also of those that are told together in one finding."""
    swaps = {swap["code"]: swap["severity"] for swap in _swaps(report)}
    return swaps | {finding.code: finding.severity for finding in report.findings}


def _swaps(report: Report) -> list[dict[str, Any]]:
    """Under their kind where the report has several."""
    data = report.data.get("swaps", {}) if report.kind == "audit" else report.data
    return list(data.get("comparisons", ())) if report.kind in ("audit", "swaps") else []


def compare(before: Mapping[str, str], now: Mapping[str, str]) -> list[dict[str, str | None]]:
    """The codes whose severity has changed, the worst first."""
    codes = [code for code in (*now, *(code for code in before if code not in now)) if code != DRIFT]
    changes: list[dict[str, str | None]] = [
        {"code": code, "change": change, "before": before.get(code), "now": now.get(code)}
        for code in codes
        if (change := _change(before.get(code), now.get(code)))
    ]
    return sorted(changes, key=lambda change: CHANGES.index(change["change"] or ""))


def _change(before: str | None, now: str | None) -> str | None:
    if now is None:
        return "gone" if BADNESS[before or "clear"] else None
    if before is None:
        return "new" if BADNESS[now] else None
    if now == "unknown" and before != "unknown":
        return "lost"
    if BADNESS[now] == BADNESS[before]:
        return None
    return "worse" if BADNESS[now] > BADNESS[before] else "better"


def _finding(changes: Sequence[Mapping[str, str | None]], titles: Mapping[str, str], since: str) -> Finding:

    def named(*kinds: str) -> str:
        codes = [change["code"] or "" for change in changes if change["change"] in kinds]
        return "; ".join(titles.get(code, code) for code in codes)

    bad = [change for change in changes if change["change"] in ("new", "worse")]
    lost = named("lost")
    same = f"No finding is new or worse than in the audit of {since}"
    if not bad and not lost:
        return Finding(DRIFT, "clear", "Nothing has become worse", f"{same}.")
    if not bad:
        return Finding(
            DRIFT,
            "unknown",
            "Some findings are now inconclusive",
            f"{same}, but these are now inconclusive: {lost}.",
            "Audit again with more people; until then the earlier findings are neither confirmed nor ruled out.",
        )
    untold = f" These are now inconclusive: {lost}." if lost else ""
    severity: Severity = "concern" if any(change["now"] == "concern" for change in bad) else "watch"
    return Finding(
        DRIFT,
        severity,
        "Something has become worse" if len(bad) == 1 else f"{len(bad)} things have become worse",
        f"New or worse than in the audit of {since}: {named('new', 'worse')}.{untold}",
        "Look at what has changed since: the requirements of the job, the ranker's weights, who has applied.",
        {"changed": len(bad)},
    )


# What the list of audits tells: each with its worst finding, and whether that is better or worse than before.

TRENDS = {
    "first": "the first of its kind",
    "same": "as before",
    "worse": "worse than before",
    "better": "better than before",
}


@dataclass(frozen=True, slots=True)
class AuditLine:
    audit: StoredAudit
    title: str  # of the job
    who: str
    worst: str  # in words
    symbol: str
    trend: str  # a key of TRENDS; "" while it is not done


def audit_lines(store: Store, audits: Sequence[StoredAudit]) -> list[AuditLine]:
    titles = {job.id: job.title or "Job without a title" for job in store.jobs.all(closed=True)}
    names = store.accounts.names([audit.actor for audit in audits])
    worst = {audit.id: audit.worst for audit in audits}
    lines = []
    for audit in audits:
        title = titles.get(audit.job or "", "all jobs")
        words, symbol = (_of_severity(table, audit.worst) for table in (WORDS, SYMBOLS))
        lines.append(AuditLine(audit, title, names[audit.actor], words, symbol, _trend(store, audit, worst)))
    return lines


def _of_severity(table: Mapping[Severity, str], severity: str | None) -> str:
    """Nothing for what is no severity of today."""
    return next((words for name, words in table.items() if name == severity), "")


def _trend(store: Store, audit: StoredAudit, worst: dict[str, str | None]) -> str:
    if audit.state != DONE:
        return ""
    if audit.previous is None:
        return "first"
    before = worst[audit.previous] if audit.previous in worst else store.audits.get(audit.previous).worst
    change = BADNESS[audit.worst or "clear"] - BADNESS[before or "clear"]
    return "worse" if change > 0 else "better" if change < 0 else "same"


def chart_picture(report: Report, number: int) -> str:
    """As SVG."""
    charts = charts_of(report)
    if not 0 <= number < len(charts):
        raise NotFound("There is no such chart.")
    return chart_svg(charts[number])
