"""Drafts of events for what people looked at, took away or were refused."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from evenhand.records.event import Draft
from evenhand.store.appending import SUBJECTS


def view_draft(actor: str, job: str, application: str, *, what: str, seen: int | None = None) -> Draft:
    """Somebody opened an application; `what` of it: candidate, file, history."""
    return Draft("view", actor, job, subjects=(application,), body={"what": what, "seen": seen})


def export_drafts(
    actor: str, job: str, applications: Sequence[str], *, what: str, seen: int | None = None
) -> Iterator[Draft]:
    """Applications that left in a file (`what`: csv, xlsx, archive), in events of bearable size."""
    for start in range(0, max(len(applications), 1), SUBJECTS):
        some = tuple(applications[start : start + SUBJECTS])
        body = {"what": what, "count": len(some), "of": len(applications), "seen": seen}
        yield Draft("export", actor, job, subjects=some, body=body)


def receipt_draft(
    actor: str, job: str, application: str, *, what: str, sealed: Mapping[str, Any] | None = None
) -> Draft:
    """Something was made for the applicant: a letter, an archive of her data, a certificate."""
    return Draft("receipt", actor, job, subjects=(application,), body={"what": what}, sealed=sealed or {})


def denial_draft(actor: str, *, what: str, status: int, path: str, job: str | None = None) -> Draft:
    """Somebody asked for what she may not see or do. The path may hold anything, so it is sealed."""
    return Draft("denial", actor, job, body={"what": what, "status": status}, sealed={"path": path})
