"""What programs get: the same words as on the pages, times in ISO 8601, unknown as null."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import PurePath
from typing import Any, TypeVar

from evenhand.screening.candidate_career import DemandRow, TimelineEntry
from evenhand.screening.candidate_comparison import ComparedCandidate, ComparedPart, DiffSide, ResumeDiff, SideBySide
from evenhand.screening.candidate_history import FlagRow, HistoryEntry
from evenhand.screening.candidate_list import CandidateRow
from evenhand.screening.candidate_page import CandidatePage, ResumeView
from evenhand.screening.candidate_rank import ScoreView
from evenhand.screening.decisions import BulkPlan
from evenhand.screening.jobs import JobSummary, version_of
from evenhand.search.matching import CandidateFacts
from evenhand.store.accounts import UserAccount
from evenhand.store.decisions import BatchOutcome
from evenhand.store.imports import STATES, ImportBatch, ImportedFile
from evenhand.store.jobs import StoredJob
from evenhand.store.notes import CandidateNote
from evenhand.store.searches import StoredSearch
from evenhand.store.sign_in import AccessToken
from evenhand.store.watchlist import WatchlistEntry

Json = dict[str, Any]
T = TypeVar("T")


def user(found: UserAccount) -> Json:
    return {
        "id": found.id,
        "login": found.login,
        "name": found.name,
        "role": found.role,
        "disabled": found.disabled,
        "created": found.created.isoformat(),
    }


def job_line(line: JobSummary) -> Json:
    return {
        "id": line.job.id,
        "title": line.job.title,
        "applications": line.total,
        "statuses": dict(line.counts),
        "created": line.job.created.isoformat(),
        "closed": line.job.closed.isoformat() if line.job.closed else None,
    }


def job(found: StoredJob) -> Json:
    return {
        "id": found.id,
        "version": version_of(found),
        "requirements": found.requirements.to_json(),
        "created": found.created.isoformat(),
        "closed": found.closed.isoformat() if found.closed else None,
    }


def outcome(found: BatchOutcome) -> Json:
    return {
        "batch": found.batch,
        "changed": list(found.changed),
        "skipped": [{"application": each.application, "reason": each.reason} for each in found.skipped],
    }


def plan(found: BulkPlan) -> Json:
    return {
        "action": found.action,
        "listed": found.listed,
        "changed": len(found.changed),
        "statuses": dict(found.statuses),
        "left": dict(found.left),
        "version": found.version,
    }


def member(found: UserAccount) -> Json:
    return {"id": found.id, "login": found.login, "name": found.name}


def token(found: AccessToken) -> Json:
    return {
        "id": found.id,
        "name": found.name,
        "created": found.created.isoformat(),
        "expires": found.expires.isoformat(),
        "used": found.used.isoformat() if found.used else None,
    }


def saved_search(found: StoredSearch) -> Json:
    return {
        "id": found.id,
        "name": found.name,
        "query": found.query,
        "created": found.created.isoformat(),
    }


def watch_entry(found: WatchlistEntry) -> Json:
    return {
        "list": found.list,
        "name": found.name,
        "note": found.note,
        "added": found.added.isoformat(),
    }


def import_line(found: ImportBatch) -> Json:
    return {
        "id": found.id,
        "source": found.source,
        "created": found.created.isoformat(),
        "sealed": found.sealed is not None,
        "finished": found.finished.isoformat() if found.finished else None,
        "counts": {state: found.count(state) for state in STATES},
    }


def import_(found: ImportBatch, *, first: int = 0, size: int = 20) -> Json:
    files = paged(found.files, _file, first=first, size=size)
    return {**import_line(found), "job": found.job, "files": files}


def _file(found: ImportedFile) -> Json:
    return {
        "number": found.number,
        "file": found.file,
        "state": found.state,
        "code": found.code,
        "message": found.message,
    }


def paged(found: Sequence[T], shape: Callable[[T], Json], *, first: int, size: int) -> Json:
    shown = [shape(each) for each in found[first : first + size]]
    return page(shown, total=len(found), first=first, size=size)


def page(items: list[Json], *, total: int, first: int, size: int) -> Json:
    """`next` is the `first` of the following page."""
    following = first + size if first + size < total else None
    return {"items": items, "total": total, "first": first, "size": size, "next": following}


# Candidates as JSON. What comes in here has been through the viewer's lens.

MAX_INLINE_ITEMS = (
    20  # notes and lines of the history that come with a candidate; the others have addresses of their own
)


def candidate(shown: CandidatePage) -> Json:
    application, own, read = shown.application, shown.own, shown.read
    return {
        "id": application.id,
        "job": shown.job.id,
        "candidate": shown.name,
        "file": shown.file_name,
        "masked": shown.is_masked,
        "status": application.status,
        "source": application.source,
        "received": application.received.isoformat(),
        "rank": own.rank,
        "total": own.total,
        "before": shown.standing.before,
        "after": shown.standing.after,
        "ranking": own.sequence,
        "score": score(shown.score) if shown.score else None,
        "facts": facts(read.facts) if read else None,
        "demands": [demand(row) for row in read.demands] if read else None,
        "profile": _profile(read, shown.file_name) if read else None,
        "hidden": [_fields(each, "text", "reason", "page") for each in read.hidden] if read else [],
        "warnings": [_fields(each, "code", "message") for each in read.warnings] if read else [],
        "flags": [flag(row) for row in shown.findings.flags],
        "related": [
            _fields(each, "application", "job", "job_title", "status", "link", "resemblance")
            for each in shown.findings.kin.seen
        ],
        "related_unseen": shown.findings.kin.unseen,
        "form": [{"label": label, "value": value} for label, value in shown.form],
        "tags": [{"key": key, "tag": tag} for tag, key in shown.remarks.tags],
        "notes": notes(shown.remarks.notes),
        "history": history(shown.history),
    }


def _profile(read: ResumeView, file: str | None) -> Json:
    profile = read.profile
    return replace(profile, document=replace(profile.document, file=file)).to_json()


def score(found: ScoreView) -> Json:
    parts = [_fields(part, "name", "value", "reason") for part in (*found.parts, *found.rest)]
    return {"value": found.value, "full": found.full, "parts": parts}


def facts(found: CandidateFacts) -> Json:
    return _fields(found, *found.__slots__)


def demand(row: DemandRow) -> Json:
    return _fields(row, "name", "must", "state", "months", "required_months")


def flag(row: FlagRow) -> Json:
    return _fields(row, *row.__slots__)


def notes(found: Sequence[tuple[CandidateNote, str]], *, first: int = 0, size: int = MAX_INLINE_ITEMS) -> Json:
    items = [
        {"id": note.id, "text": note.text, "by": by, "time": note.time.isoformat()}
        for note, by in found[first : first + size]
    ]
    return page(items, total=len(found), first=first, size=size)


def history(found: Sequence[HistoryEntry], *, first: int = 0, size: int = MAX_INLINE_ITEMS) -> Json:
    items = [
        {
            **_fields(each, "who", "what", "why", "undone", "times"),
            "time": each.time.isoformat(),
            "event": each.sequence,
        }
        for each in found[first : first + size]
    ]
    return page(items, total=len(found), first=first, size=size)


def line(found: CandidateRow) -> Json:
    """One of a list. Where its file lay before it was taken in is nobody's business."""
    file = found.listed.result.file
    return {
        **found.listed.to_json(),
        "candidate": found.name,
        "file": PurePath(file).name if file else None,
        "flags": [flag(row) for row in found.flags],
        "tags": list(found.tags),
    }


def comparison(sides: SideBySide) -> Json:
    return {
        "job": sides.job.id,
        "total": sides.total,
        "columns": [_column(column) for column in sides.columns],
        "common": list(sides.common),
        "steps": [
            {
                "above": step.above,
                "below": step.below,
                "difference": step.value,
                "telling": [_telling(each) for each in step.telling],
            }
            for step in sides.steps
        ],
    }


def apart(found: ResumeDiff) -> Json:
    return {
        "first": _side(found.first),
        "second": _side(found.second),
        **_fields(found, "resemblance", "words_only_first", "words_only_second"),
    }


def _column(column: ComparedCandidate) -> Json:
    return {
        "application": column.application.id,
        "candidate": column.name,
        "status": column.application.status,
        "rank": column.standing.rank,
        "score": score(column.score),
        "facts": facts(column.facts),
        "demands": [demand(row) for row in column.demands],
        "jobs": _stretches(column.jobs),
        "studies": _stretches(column.studies),
        "skills": list(column.skills),
        "only": list(column.only),
        "flags": [flag(row) for row in column.flags],
    }


def _telling(found: ComparedPart) -> Json:
    return _fields(found, "name", "value", "above", "below")


def _stretches(found: Iterable[TimelineEntry]) -> list[Json]:
    return [_fields(each, "name", "dates", "months") for each in found]


def _side(side: DiffSide) -> Json:
    return {
        "application": side.application.id,
        "job": side.job.id,
        "candidate": side.name,
        "segments": [each.to_json() for each in side.segments],
    }


def _fields(found: Any, *names: str) -> Json:
    return {name: getattr(found, name) for name in names}
