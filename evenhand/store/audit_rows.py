"""Audits and their schedules as they come out of the store."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

WAITING, RUNNING, DONE, FAILED = "waiting", "running", "done", "failed"
DAILY, WEEKLY, MONTHLY = "daily", "weekly", "monthly"
EVERY = (DAILY, WEEKLY, MONTHLY)
HOUR = 2  # UTC: when few people work and the pages do not mind


@dataclass(frozen=True, slots=True)
class KeptAudit:
    """Without its report, which may be long. `findings` are severities by code; `scrubbed` says since when somebody
    whom it quoted is erased."""

    id: str
    kind: str
    job: str | None
    request: Mapping[str, Any]
    state: str
    actor: str
    asked: datetime
    schedule: str | None
    due: datetime | None
    done: int
    total: int
    doing: str | None
    message: str | None
    made: datetime | None
    worst: str | None
    findings: Mapping[str, str]
    hash: str | None
    scrubbed: datetime | None
    previous: str | None

    def to_json(self) -> dict[str, Any]:
        moments = ("asked", "due", "made", "scrubbed")
        shown = {name: getattr(self, name) for name in self.__slots__ if name not in moments}
        times = {name: _told(getattr(self, name)) for name in moments}
        return {**shown, **times, "request": dict(self.request), "findings": dict(self.findings)}


@dataclass(frozen=True, slots=True)
class AuditSchedule:
    id: str
    job: str | None  # None: every open job
    every: str
    request: Mapping[str, Any]
    due: datetime
    actor: str
    made: datetime

    def to_json(self) -> dict[str, Any]:
        shown = {"id": self.id, "job": self.job, "every": self.every, "request": dict(self.request)}
        return {**shown, "due": _told(self.due), "made": _told(self.made)}


def first_due(now: datetime) -> datetime:
    """The coming night."""
    tonight = now.replace(hour=HOUR, minute=0, second=0, microsecond=0)
    return tonight if tonight > now else tonight + timedelta(days=1)


def next_due(due: datetime, every: str, now: datetime) -> datetime:
    """The first date of the schedule after now: what was missed while no server ran is made up for once."""
    step = 1
    while (found := _stepped(due, every, step)) <= now:
        step += 1
    return found


def _stepped(due: datetime, every: str, steps: int) -> datetime:
    """From the first date, so that a schedule of the 31st does not become one of the 28th for ever."""
    if every == MONTHLY:
        month = due.month - 1 + steps
        year, month = due.year + month // 12, month % 12 + 1
        return due.replace(year=year, month=month, day=min(due.day, _days(year, month)))
    return due + timedelta(days=steps * (1 if every == DAILY else 7))


def _days(year: int, month: int) -> int:
    following = datetime(year + month // 12, month % 12 + 1, 1)
    return (following - timedelta(days=1)).day


def _told(moment: datetime | None) -> str | None:
    return moment.isoformat() if moment else None
