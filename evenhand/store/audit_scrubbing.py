"""Reports of audits quote resumes: when somebody is erased, so is what is quoted and whatever names them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any

from sqlalchemy import ColumnElement, Connection, func, or_, select, update

from evenhand.records import canonical_json
from evenhand.store.audit_tables import audits
from evenhand.store.columns import pack, unpack
from evenhand.store.keeper import Clock

ERASED = "(erased)"
OURS = (
    "type",
    "severity",
    "worst",
    "kind",
    "code",
    "made",
)  # words of ours, which somebody may be called as well


def count_reports(connection: Connection, job: str) -> int:
    """Those that may quote somebody of the job; which of its applicants nobody noted, so that all are taken."""
    query = select(func.count()).where(_may_quote(job), audits.c.report.is_not(None))
    return int(connection.execute(query).scalar_one())


def scrub_reports(connection: Connection, job: str, names: Iterable[str], clock: Clock) -> None:
    """In every report of the job no resume is quoted any more, and no text has one of the names."""
    named = sorted({name for name in names if name.strip()}, key=len, reverse=True)
    pattern = re.compile("|".join(rf"(?<!\w){re.escape(name)}(?!\w)" for name in named))
    query = select(audits.c.id, audits.c.report).where(_may_quote(job), audits.c.report.is_not(None))
    for row in connection.execute(query).all():
        before = json.loads(unpack(row.report))
        after = _without(before, pattern)
        if after != before:
            values = {"report": pack(canonical_json(after)), "scrubbed": clock()}
            connection.execute(update(audits).where(audits.c.id == row.id).values(values))


def _may_quote(job: str) -> ColumnElement[bool]:
    """Reports of the job, and those about no job: they came from elsewhere and may quote anybody."""
    return or_(audits.c.job == job, audits.c.job.is_(None))


def _without(value: Any, names: re.Pattern[str]) -> Any:
    if isinstance(value, dict):
        if value.get("type") == "pair":
            empty = {"text": ERASED, "marks": []}
            value = {**value, "left": empty, "right": empty}
        return {
            ERASED if names.fullmatch(key) else key: each if key in OURS else _without(each, names)
            for key, each in value.items()
        }
    if isinstance(value, list):
        return [_without(each, names) for each in value]
    return names.sub(ERASED, value) if isinstance(value, str) else value
