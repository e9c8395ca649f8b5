"""Candidates as JSON. What comes in here has been through the viewer's lens."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import PurePath
from typing import Any

from evenhand.store.workspace_rows import Note
from evenhand.web.api.shapes import Json, page
from evenhand.workflows.candidate_comparison import Column, SideBySide, Telling
from evenhand.workflows.candidate_difference import Apart, Side
from evenhand.workflows.candidate_facts import CandidateFacts
from evenhand.workflows.candidate_flags import FlagRow
from evenhand.workflows.candidate_history import Happening
from evenhand.workflows.candidate_page import CandidatePage, Read
from evenhand.workflows.candidate_score import ScoreView
from evenhand.workflows.candidate_skills import DemandRow
from evenhand.workflows.candidate_timeline import Stretch
from evenhand.workflows.desk import Line

FEW = 20  # notes and lines of the history that come with a candidate; the others have addresses of their own


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


def _profile(read: Read, file: str | None) -> Json:
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


def notes(found: Sequence[tuple[Note, str]], *, first: int = 0, size: int = FEW) -> Json:
    items = [
        {"id": note.id, "text": note.text, "by": by, "time": note.time.isoformat()}
        for note, by in found[first : first + size]
    ]
    return page(items, total=len(found), first=first, size=size)


def history(found: Sequence[Happening], *, first: int = 0, size: int = FEW) -> Json:
    items = [
        {
            **_fields(each, "who", "what", "why", "undone", "times"),
            "time": each.time.isoformat(),
            "event": each.sequence,
        }
        for each in found[first : first + size]
    ]
    return page(items, total=len(found), first=first, size=size)


def line(found: Line) -> Json:
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


def apart(found: Apart) -> Json:
    return {
        "first": _side(found.first),
        "second": _side(found.second),
        **_fields(found, "resemblance", "words_only_first", "words_only_second"),
    }


def _column(column: Column) -> Json:
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


def _telling(found: Telling) -> Json:
    return _fields(found, "name", "value", "above", "below")


def _stretches(found: Iterable[Stretch]) -> list[Json]:
    return [_fields(each, "name", "dates", "months") for each in found]


def _side(side: Side) -> Json:
    return {
        "application": side.application.id,
        "job": side.job.id,
        "candidate": side.name,
        "segments": [each.to_json() for each in side.segments],
    }


def _fields(found: Any, *names: str) -> Json:
    return {name: getattr(found, name) for name in names}
