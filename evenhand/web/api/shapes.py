"""What programs get: the same words as on the pages, times in ISO 8601, unknown as null."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from evenhand.store import KeptJob, Outcome
from evenhand.store.account_rows import Token, User
from evenhand.store.rows import WatchEntry
from evenhand.store.workspace_rows import STATES, Import, ImportFile, SavedSearch
from evenhand.workflows.desk_rest import Plan
from evenhand.workflows.job_desk import JobLine, version_of

Json = dict[str, Any]
T = TypeVar("T")


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


def member(found: User) -> Json:
    return {"id": found.id, "login": found.login, "name": found.name}


def token(found: Token) -> Json:
    return {
        "id": found.id,
        "name": found.name,
        "created": found.created.isoformat(),
        "expires": found.expires.isoformat(),
        "used": found.used.isoformat() if found.used else None,
    }


def saved_search(found: SavedSearch) -> Json:
    return {
        "id": found.id,
        "name": found.name,
        "query": found.query,
        "created": found.created.isoformat(),
    }


def watch_entry(found: WatchEntry) -> Json:
    return {
        "list": found.list,
        "name": found.name,
        "note": found.note,
        "added": found.added.isoformat(),
    }


def import_line(found: Import) -> Json:
    return {
        "id": found.id,
        "source": found.source,
        "created": found.created.isoformat(),
        "sealed": found.sealed is not None,
        "finished": found.finished.isoformat() if found.finished else None,
        "counts": {state: found.count(state) for state in STATES},
    }


def import_(found: Import, *, first: int = 0, size: int = 20) -> Json:
    files = paged(found.files, _file, first=first, size=size)
    return {**import_line(found), "job": found.job, "files": files}


def _file(found: ImportFile) -> Json:
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
