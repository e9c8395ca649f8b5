"""Answers that are put together from several records. A record whose attributes are the fields is sent as it is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import PurePath
from typing import Any, TypeVar

from evenhand.screening.candidate_comparison import ComparedCandidate, DiffSide, ResumeDiff, SideBySide
from evenhand.screening.candidate_list import CandidateRow
from evenhand.screening.candidate_page import CandidatePage
from evenhand.screening.candidate_rank import ScoreView
from evenhand.screening.decisions import BulkPlan
from evenhand.screening.jobs import JobSummary, version_of
from evenhand.store.imports import STATES, ImportBatch
from evenhand.store.jobs import StoredJob
from evenhand.store.notes import CandidateNote

Json = dict[str, Any]
T = TypeVar("T")


def job_line(line: JobSummary) -> Json:
    return {
        "id": line.job.id,
        "title": line.job.title,
        "applications": line.total,
        "statuses": line.counts,
        "created": line.job.created,
        "closed": line.job.closed,
    }


def job(found: StoredJob) -> Json:
    return {
        "id": found.id,
        "version": version_of(found),
        "requirements": found.requirements.to_json(),
        "created": found.created,
        "closed": found.closed,
    }


def plan(found: BulkPlan) -> Json:
    return {
        "action": found.action,
        "listed": found.listed,
        "changed": len(found.changed),
        "statuses": found.statuses,
        "left": found.left,
        "version": found.version,
    }


def import_line(found: ImportBatch) -> Json:
    return {
        "id": found.id,
        "source": found.source,
        "created": found.created,
        "sealed": found.sealed is not None,
        "finished": found.finished,
        "counts": {state: found.count(state) for state in STATES},
    }


def import_(found: ImportBatch, *, first: int = 0, size: int = 20) -> Json:
    files = paged(found.files, first=first, size=size)
    return {**import_line(found), "job": found.job, "files": files}


def paged(found: Sequence[T], shape: Callable[[T], Json] | None = None, *, first: int, size: int) -> Json:
    """`next` is the `first` of the following page."""
    page = found[first : first + size]
    return {
        "items": list(map(shape, page)) if shape else page,
        "total": len(found),
        "first": first,
        "size": size,
        "next": first + size if first + size < len(found) else None,
    }


# Candidates. What comes in here is redacted already.

MAX_INLINE_ITEMS = 20  # notes and lines of the history; all of them have addresses of their own


def candidate(shown: CandidatePage) -> Json:
    application, own, read = shown.application, shown.own, shown.read
    document = replace(read.profile.document, file=shown.file_name) if read else None
    profile = replace(read.profile, document=document) if read and document else None
    return {
        "id": application.id,
        "job": shown.job.id,
        "candidate": shown.name,
        "file": shown.file_name,
        "masked": shown.is_masked,
        "status": application.status,
        "source": application.source,
        "received": application.received,
        "rank": own.rank,
        "total": own.total,
        "before": shown.standing.before,
        "after": shown.standing.after,
        "ranking": own.sequence,
        "score": score(shown.score) if shown.score else None,
        "facts": read.facts if read else None,
        "demands": read.demands if read else None,
        "profile": profile.to_json() if profile else None,
        "hidden": read.hidden if read else (),
        "warnings": read.warnings if read else (),
        "flags": shown.findings.flags,
        "related": shown.findings.kin.seen,
        "related_unseen": shown.findings.kin.unseen,
        "form": [{"label": label, "value": value} for label, value in shown.form],
        "tags": [{"key": key, "tag": tag} for tag, key in shown.remarks.tags],
        "notes": paged(shown.remarks.notes, note, first=0, size=MAX_INLINE_ITEMS),
        "history": paged(shown.history, first=0, size=MAX_INLINE_ITEMS),
    }


def score(found: ScoreView) -> Json:
    return {"value": found.value, "full": found.full, "parts": (*found.parts, *found.rest)}


def note(found: tuple[CandidateNote, str]) -> Json:
    written, by = found
    return {"id": written.id, "text": written.text, "by": by, "time": written.time}


def line(found: CandidateRow) -> Json:
    """One of a list. Where its file lay before it was taken in is nobody's business."""
    file = found.listed.result.file
    return {
        **found.listed.to_json(),
        "candidate": found.name,
        "file": PurePath(file).name if file else None,
        "flags": found.flags,
        "tags": found.tags,
    }


def comparison(sides: SideBySide) -> Json:
    return {
        "job": sides.job.id,
        "total": sides.total,
        "columns": [_column(column) for column in sides.columns],
        "common": sides.common,
        "steps": [
            {
                "above": step.above,
                "below": step.below,
                "difference": step.value,
                "telling": [difference.to_json() for difference in step.largest.differences],
            }
            for step in sides.steps
        ],
    }


def apart(found: ResumeDiff) -> Json:
    return {
        "first": _side(found.first),
        "second": _side(found.second),
        "resemblance": found.resemblance,
        "words_only_first": found.words_only_first,
        "words_only_second": found.words_only_second,
    }


def _column(column: ComparedCandidate) -> Json:
    return {
        "application": column.application.id,
        "candidate": column.name,
        "status": column.application.status,
        "rank": column.standing.rank,
        "score": score(column.score),
        "facts": column.facts,
        "demands": column.demands,
        "jobs": column.jobs,
        "studies": column.studies,
        "skills": column.skills,
        "only": column.only,
        "flags": column.flags,
    }


def _side(side: DiffSide) -> Json:
    return {"application": side.application.id, "job": side.job.id, "candidate": side.name, "segments": side.segments}
