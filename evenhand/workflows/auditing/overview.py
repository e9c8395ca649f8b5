"""What the list of audits tells: each with its worst finding, and whether that is better or worse than before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from evenhand.audit.pages.charts import chart_svg
from evenhand.audit.pages.page import charts_of
from evenhand.audit.pages.wording import SYMBOLS, WORDS
from evenhand.errors import NotFound
from evenhand.records.report import Report
from evenhand.store import Store
from evenhand.store.audit_rows import DONE, KeptAudit
from evenhand.workflows.auditing.combining import BADNESS

TRENDS = {
    "first": "the first of its kind",
    "same": "as before",
    "worse": "worse than before",
    "better": "better than before",
}


@dataclass(frozen=True, slots=True)
class AuditLine:
    audit: KeptAudit
    title: str  # of the job
    who: str
    worst: str  # in words
    symbol: str
    trend: str  # a key of TRENDS; "" while it is not done


def audit_lines(store: Store, audits: Sequence[KeptAudit]) -> list[AuditLine]:
    titles = {job.id: job.title or "Job without a title" for job in store.jobs(closed=True)}
    names = store.user_names([each.actor for each in audits])
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


def _trend(store: Store, audit: KeptAudit, worst: dict[str, str | None]) -> str:
    if audit.state != DONE:
        return ""
    if audit.previous is None:
        return "first"
    before = worst[audit.previous] if audit.previous in worst else store.audit(audit.previous).worst
    change = BADNESS[audit.worst or "clear"] - BADNESS[before or "clear"]
    return "worse" if change > 0 else "better" if change < 0 else "same"


def chart_picture(report: Report, number: int) -> str:
    """As SVG."""
    charts = charts_of(report)
    if not 0 <= number < len(charts):
        raise NotFound("There is no such chart.")
    return chart_svg(charts[number])
