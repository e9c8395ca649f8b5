"""Several audits of one job as one report, and what has changed since the one before."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from evenhand.errors import NotFound
from evenhand.records.report import Finding, Report, ReportParagraph, ReportSection, ReportTable, Severity
from evenhand.rendering.charts import chart_svg
from evenhand.rendering.report_page import SYMBOLS, WORDS, charts_of, day
from evenhand.store.audits import DONE, StoredAudit
from evenhand.store.store import Store
from evenhand.text.wording import capitalised

DRIFT = "drift.findings"
BADNESS = {"clear": 0, "unknown": 0, "watch": 1, "concern": 2}
CHANGES = ("new", "worse", "lost", "better", "gone")
CHANGE_WORDS = {
    "new": "found now, not looked at or not there before",
    "worse": "worse than before",
    "lost": "cannot be told any more",
    "better": "better than before",
    "gone": "no longer looked at",
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
        findings=tuple(finding for each in reports.values() for finding in each.findings),
        sections=tuple(_named(section, kind) for kind, each in reports.items() for section in each.sections),
        method=_each(each.method for each in reports.values()),
        limits=_each(each.limits for each in reports.values()),
        facts=tuple(
            (f"{NAMES.get(kind, kind)}: {name}", fact) for kind, each in reports.items() for name, fact in each.facts
        ),
        data={kind: each.data for kind, each in reports.items()},
    )


def _named(section: ReportSection, kind: str) -> ReportSection:
    return replace(section, title=f"{NAMES.get(kind, kind)}: {section.title}")


def _each(texts: Iterable[tuple[str, ...]]) -> tuple[str, ...]:
    """In order, none twice."""
    return tuple(dict.fromkeys(text for some in texts for text in some))


def not_measured(kind: str, why: str) -> Report:
    """A part that could not be measured is a finding that says so, and not silence."""
    name = NAMES.get(kind, kind)
    finding = Finding(
        f"{kind}.not_measured",
        "unknown",
        f"{name} could not be measured",
        why,
        "Put right what is missing and run the audit again; until then nobody knows.",
    )
    return Report(kind, name, "", "", (finding,), ())


def with_drift(report: Report, before: Mapping[str, str], *, made_before: str) -> Report:
    """With what has changed since: `before` are severities by code."""
    changes = compare(before, severities(report))
    titles = _titles(report)
    since = day(made_before)
    section = ReportSection("Since the last audit", (_grid(changes, titles, since) or _nothing(since),))
    return replace(
        report,
        findings=(*report.findings, _finding(changes, titles, since)),
        sections=(*report.sections, section),
        data={**report.data, "drift": {"since": made_before, "changes": changes}},
    )


def severities(report: Report) -> dict[str, str]:
    """By code: of every finding, and of every swap, also of those that are told together in one finding."""
    swaps = {each["code"]: each["severity"] for each in _swaps(report)}
    return swaps | {finding.code: finding.severity for finding in report.findings}


def _titles(report: Report) -> dict[str, str]:
    swaps = {each["code"]: _swap_title(each) for each in _swaps(report)}
    return swaps | {finding.code: finding.title for finding in report.findings}


def _swaps(report: Report) -> list[dict[str, Any]]:
    """Under their kind where the report has several."""
    data = report.data.get("swaps", {}) if report.kind == "audit" else report.data
    return list(data.get("comparisons", ())) if report.kind in ("audit", "swaps") else []


def _swap_title(swap: Mapping[str, str]) -> str:
    family, group, reference = (swap[name].replace("_", " ") for name in ("family", "group", "reference"))
    return f"{capitalised(family)}: {group} instead of {reference} ({swap['judge']})"


def compare(before: Mapping[str, str], now: Mapping[str, str]) -> list[dict[str, str | None]]:
    """The codes whose severity has changed, the worst first."""
    codes = [code for code in (*now, *(code for code in before if code not in now)) if code != DRIFT]
    changes: list[dict[str, str | None]] = []
    for code in codes:
        change = _change(before.get(code), now.get(code))
        if change:
            changes.append({"code": code, "change": change, "before": before.get(code), "now": now.get(code)})
    return sorted(changes, key=lambda each: CHANGES.index(each["change"] or ""))


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
    bad = [each for each in changes if each["change"] in ("new", "worse")]
    lost = _named_changes([each for each in changes if each["change"] == "lost"], titles)
    if not bad:
        return _nothing_worse(lost, since)
    untold = f" This cannot be told any more: {lost}." if lost else ""
    is_concern = any(each["now"] == "concern" for each in bad)
    severity: Severity = "concern" if is_concern else "watch"
    return Finding(
        DRIFT,
        severity,
        "Something has become worse" if len(bad) == 1 else f"{len(bad)} things have become worse",
        f"New or worse than in the audit of {since}: {_named_changes(bad, titles)}.{untold}",
        "Look at what has changed since: the requirements of the job, the ranker's weights, who has applied.",
        {"changed": len(bad)},
    )


def _nothing_worse(lost: str, since: str) -> Finding:
    same = f"No finding is new or worse than in the audit of {since}"
    if not lost:
        return Finding(DRIFT, "clear", "Nothing has become worse", f"{same}.")
    return Finding(
        DRIFT,
        "unknown",
        "Something cannot be told any more",
        f"{same}, but this cannot be told any more: {lost}.",
        "Audit again with more people; until then what was found before is neither confirmed nor gone.",
    )


def _named_changes(changes: Sequence[Mapping[str, str | None]], titles: Mapping[str, str]) -> str:
    return "; ".join(titles.get(each["code"] or "", each["code"] or "") for each in changes)


def _grid(changes: Sequence[Mapping[str, str | None]], titles: Mapping[str, str], since: str) -> ReportTable | None:
    if not changes:
        return None
    rows = tuple(
        (
            titles.get(each["code"] or "", each["code"] or ""),
            CHANGE_WORDS[each["change"] or ""],
            _words(each["before"]),
            _words(each["now"]),
        )
        for each in changes
    )
    return ReportTable(f"Compared with {since}", ("Finding", "Change", "Before", "Now"), rows)


def _words(severity: str | None) -> str:
    return next((words for name, words in WORDS.items() if name == severity), "")


def _nothing(since: str) -> ReportParagraph:
    return ReportParagraph(f"Every finding is as bad as it was on {since}.")


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
    names = store.accounts.names([each.actor for each in audits])
    worst = {each.id: each.worst for each in audits}
    return [
        AuditLine(
            each,
            titles.get(each.job or "", "all jobs"),
            names[each.actor],
            next((words for name, words in WORDS.items() if name == each.worst), ""),
            next((sign for name, sign in SYMBOLS.items() if name == each.worst), ""),
            _trend(store, each, worst),
        )
        for each in audits
    ]


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
