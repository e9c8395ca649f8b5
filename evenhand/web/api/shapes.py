"""Answers that are put together from several records. A record whose attributes are the fields is sent as it is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import PurePath
from typing import Any, TypeVar

from evenhand.screening.candidate_comparison import SideBySide
from evenhand.screening.candidate_list import CandidateRow
from evenhand.screening.candidate_page import CandidatePage
from evenhand.screening.decisions import BulkPlan
from evenhand.screening.jobs import version_of
from evenhand.store.applications import Application
from evenhand.store.decisions import BatchOutcome
from evenhand.store.imports import STATES, ImportBatch
from evenhand.store.jobs import StoredJob, StoredSearch
from evenhand.store.notes import CandidateNote

Json = dict[str, Any]
T = TypeVar("T")


def job(stored: StoredJob) -> Json:
    return {
        "id": stored.id,
        "version": version_of(stored),
        "requirements": stored.requirements.to_json(),
        "created": stored.created,
        "closed": stored.closed,
        "external_id": stored.external_id,
    }


def plan(bulk: BulkPlan) -> Json:
    return {
        "action": bulk.action,
        "listed": bulk.listed,
        "changed": len(bulk.changed),
        "unopened": bulk.unopened,
        "statuses": bulk.statuses,
        "left": bulk.left,
        "understood": bulk.understood,
        "version": bulk.version,
    }


def saved_search(saved: tuple[StoredSearch, str]) -> Json:
    search, problem = saved
    return {
        "id": search.id,
        "name": search.name,
        "query": search.query,
        "created": search.created,
        "problem": problem or None,
    }


def application_lines(
    rows: Sequence[Application], total: int, *, first: int, size: int, shows_external_ids: bool
) -> Json:
    items = [row if shows_external_ids else replace(row, external_id=None) for row in rows]
    return _page(items, total, first, size)


def reversal(outcome: BatchOutcome, sentence: str) -> Json:
    return {
        "batch": outcome.batch,
        "changed": outcome.changed,
        "skipped": outcome.skipped,
        "action": outcome.action,
        "sentence": sentence,
    }


def import_line(batch: ImportBatch) -> Json:
    return {
        "id": batch.id,
        "source": batch.source,
        "created": batch.created,
        "sealed": batch.sealed is not None,
        "finished": batch.finished,
        "counts": {state: batch.count(state) for state in STATES},
    }


def import_(batch: ImportBatch, *, first: int = 0, size: int = 20) -> Json:
    files = paged(batch.files, first=first, size=size)
    return {**import_line(batch), "job": batch.job, "files": files}


def paged(rows: Sequence[T], shape: Callable[[T], Json] | None = None, *, first: int, size: int) -> Json:
    page = rows[first : first + size]
    return _page(list(map(shape, page)) if shape else page, len(rows), first, size)


def _page(items: Sequence[Any], total: int, first: int, size: int) -> Json:
    """`next` is the `first` of the following page."""
    following = first + size if first + size < total else None
    return {"items": items, "total": total, "first": first, "size": size, "next": following}


# Candidates. What comes in here is redacted already.

MAX_INLINE_ITEMS = 20  # notes and lines of the history; all of them have addresses of their own


def candidate(page: CandidatePage) -> Json:
    application, own, read = page.application, page.own, page.read
    document = replace(read.profile.document, file=page.file_name) if read else None
    profile = replace(read.profile, document=document) if read and document else None
    return {
        "id": application.id,
        "job": page.job.id,
        "candidate": page.name,
        "file": page.file_name,
        "masked": page.is_masked,
        "status": application.status,
        "source": application.source,
        "received": application.received,
        "external_id": None if page.is_masked else application.external_id,
        "rank": own.rank,
        "total": own.total,
        "before": page.standing.before,
        "after": page.standing.after,
        "ranking": own.sequence,
        "score": page.score,
        "facts": read.facts if read else None,
        "demands": read.demands if read else None,
        "profile": profile.to_json() if profile else None,
        "hidden": read.hidden if read else (),
        "warnings": read.warnings if read else (),
        "flags": page.findings.flags,
        "related": page.findings.kin.seen,
        "related_unseen": 0,
        "form": [{"label": label, "value": value} for label, value in page.form],
        "tags": [{"key": key, "tag": tag} for tag, key in page.remarks.tags],
        "notes": paged(page.remarks.notes, note, first=0, size=MAX_INLINE_ITEMS),
        "history": paged(page.history, first=0, size=MAX_INLINE_ITEMS),
    }


def note(signed_note: tuple[CandidateNote, str]) -> Json:
    written, by = signed_note
    return {"id": written.id, "text": written.text, "by": by, "time": written.time}


def line(row: CandidateRow) -> Json:
    """One of a list. Where its file lay before it was taken in is nobody's business."""
    file = row.listed.result.file
    return {
        **row.listed.to_json(),
        "candidate": row.name,
        "file": PurePath(file).name if file else None,
        "flags": row.flags,
        "tags": row.tags,
    }


def comparison(sides: SideBySide) -> Json:
    return {
        "job": sides.job.id,
        "total": sides.total,
        "columns": sides.columns,
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
