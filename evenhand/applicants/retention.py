"""Who has been kept long enough: shown first, and erased only when somebody says so, or has set a timer that does."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from evenhand.applicants.erasure import erase
from evenhand.errors import UsageError
from evenhand.records.event import EventDraft
from evenhand.search.service import Service
from evenhand.store.erasures import StoredErasure
from evenhand.store.retention import RetentionPeriod

BATCH_SIZE = 1_000  # applications of one erasure
REASON = "Kept as long as the rules of retention allow."


@dataclass(frozen=True, slots=True)
class DueApplications:
    """Those whose time is over; who is on hold is named, and spared."""

    due: tuple[RetentionPeriod, ...]
    held: tuple[RetentionPeriod, ...]


@dataclass(frozen=True, slots=True)
class RetentionRun:
    erasures: tuple[StoredErasure, ...]
    erased: int
    held: int


def find_due(service: Service, *, job: str | None = None, now: datetime | None = None) -> DueApplications:
    """The longest overdue first."""
    periods = sorted(
        service.store.retention.due(job=job, now=now),
        key=lambda period: (period.until or period.since, period.application),
    )
    return DueApplications(
        tuple(period for period in periods if period.hold is None),
        tuple(period for period in periods if period.hold is not None),
    )


def run_retention(
    service: Service, *, actor: str, job: str | None = None, expected: int | None = None, now: datetime | None = None
) -> RetentionRun:
    """Erases everyone who is due. `expected` is the number somebody has seen: with another one nothing is done."""
    periods = find_due(service, job=job, now=now)
    if expected is not None and expected != len(periods.due):
        raise UsageError(f"The list has changed: {len(periods.due)} are due now, not {expected}. Reload the page.")
    ids = [period.application for period in periods.due]
    made = tuple(
        erase(service, ids[start : start + BATCH_SIZE], actor=actor, reason=REASON, ground="retention")
        for start in range(0, len(ids), BATCH_SIZE)
    )
    body = {
        "action": "run",
        "erased": len(periods.due),
        "held": len(periods.held),
        "certificates": [erasure.id for erasure in made],
    }
    service.store.ledger.append([EventDraft("retention", actor, job, body=body)])
    return RetentionRun(made, len(periods.due), len(periods.held))
