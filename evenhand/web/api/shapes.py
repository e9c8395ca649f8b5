"""What programs get: the same words as on the pages, times in ISO 8601, unknown as null."""

from __future__ import annotations

from typing import Any

from evenhand.store import KeptJob, Outcome
from evenhand.store.account_rows import User
from evenhand.store.workspace_rows import Import, Note
from evenhand.workflows.desk_rest import Plan
from evenhand.workflows.job_desk import JobLine, version_of

Json = dict[str, Any]


def user(found: User) -> Json:
    return {
        "id": found.id,
        "login": found.login,
        "name": found.name,
        "role": found.role,
        "disabled": found.disabled,
        "created": found.created.isoformat(),
    }


def job_line(line: JobLine) -> Json:
    return {
        "id": line.job.id,
        "title": line.job.title,
        "applications": line.total,
        "statuses": dict(line.counts),
        "created": line.job.created.isoformat(),
        "closed": line.job.closed.isoformat() if line.job.closed else None,
    }


def job(found: KeptJob) -> Json:
    return {
        "id": found.id,
        "version": version_of(found),
        "requirements": found.requirements.to_json(),
        "created": found.created.isoformat(),
        "closed": found.closed.isoformat() if found.closed else None,
    }


def outcome(found: Outcome) -> Json:
    return {
        "batch": found.batch,
        "changed": list(found.changed),
        "skipped": [{"application": each.application, "reason": each.reason} for each in found.skipped],
    }


def plan(found: Plan) -> Json:
    return {
        "action": found.action,
        "listed": found.listed,
        "changed": len(found.changed),
        "statuses": dict(found.statuses),
        "left": dict(found.left),
        "version": found.version,
    }


def note(found: Note) -> Json:
    return {"id": found.id, "text": found.text, "by": found.actor, "time": found.time.isoformat()}


def import_(found: Import) -> Json:
    return {
        "id": found.id,
        "job": found.job,
        "source": found.source,
        "created": found.created.isoformat(),
        "sealed": found.sealed is not None,
        "finished": found.finished.isoformat() if found.finished else None,
        "files": [
            {
                "number": file.number,
                "file": file.file,
                "state": file.state,
                "code": file.code,
                "message": file.message,
            }
            for file in found.files
        ],
    }


def page(items: list[Json], *, total: int, first: int, size: int) -> Json:
    """`next` is the `first` of the following page."""
    following = first + size if first + size < total else None
    return {"items": items, "total": total, "first": first, "size": size, "next": following}
