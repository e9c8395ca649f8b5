"""Whether an applicant has applied before: other applications of the same candidate or of nearly the same file."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

from sqlalchemy import Connection, Row, select

from evenhand.store.applications import no_such_application, select_applications
from evenhand.store.duplicates import select_pairs
from evenhand.store.keeper import Keeper, slices
from evenhand.store.rows import Alert, Related
from evenhand.store.statuses import OFFERED, REJECTED, STATUS_NAMES
from evenhand.store.tables import applications, jobs

NAMED = 3  # others in one sentence
Near = dict[str, dict[str, float]]
"""By document, the nearly same ones and their resemblance."""


class Alerts(Keeper):
    def alerts(self, ids: Sequence[str]) -> dict[str, tuple[Alert, ...]]:
        """For each application, the most pressing alert first; none for who applied once."""
        with self._database.reading() as connection:
            asked = {row.id: row for row in select_applications(connection, ids)}
            for id in ids:
                if id not in asked:
                    raise no_such_application(id)
            near = _near(connection, sorted({row.document for row in asked.values()}))
            others = _others(connection, list(asked.values()), near)
        return {id: _alerts(asked[id], others, near) for id in ids}


def _near(connection: Connection, sha256s: Sequence[str]) -> Near:
    near: Near = defaultdict(dict)
    for first, second, resemblance in select_pairs(connection, sha256s):
        near[first][second] = near[second][first] = resemblance
    return near


def _others(connection: Connection, asked: Sequence[Row[Any]], near: Near) -> list[Row[Any]]:
    hashes = sorted({row.document for row in asked} | set(near))
    candidates = sorted({row.candidate for row in asked})
    query = select(applications, jobs.c.title).join(jobs, jobs.c.id == applications.c.job)
    found: dict[str, Row[Any]] = {}
    for column, values in ((applications.c.document, hashes), (applications.c.candidate, candidates)):
        for some in slices(values):
            found |= {row.id: row for row in connection.execute(query.where(column.in_(some)))}
    return sorted(found.values(), key=lambda row: (row.received, row.revision))


def _alerts(asked: Row[Any], others: Sequence[Row[Any]], near: Near) -> tuple[Alert, ...]:
    related = tuple(
        Related(
            other.id, other.job, other.title, other.status, link, near[asked.document].get(other.document)
        )
        for other in others
        if other.id != asked.id and (link := _link(asked, other, near))
    )
    return tuple(_codes(asked.job, related))


def _link(asked: Row[Any], other: Row[Any], near: Near) -> str | None:
    if other.candidate == asked.candidate:
        return "same_candidate"
    if other.document == asked.document:
        return "same_document"
    return "near_duplicate" if other.document in near[asked.document] else None


def _codes(job: str, related: tuple[Related, ...]) -> Iterator[Alert]:
    rejected = tuple(other for other in related if other.job == job and other.status == REJECTED)
    offered = tuple(other for other in related if other.status == OFFERED)
    if rejected:
        yield Alert("rejected_before", f"Rejected for this job before: {_named(rejected, job)}.", rejected)
    if offered:
        message = f"A position has been offered already: {_named(offered, job)}."
        yield Alert("offered_elsewhere", message, offered)
    if related:
        yield Alert("other_applications", f"Applied more than once: {_named(related, job)}.", related)


def _named(related: Sequence[Related], job: str) -> str:
    """Each with its job, its status and what links it, so that nobody has to look for it."""
    words = "; ".join(_one(other, job) for other in related[:NAMED])
    more = len(related) - NAMED
    return f"{words}; and {more:,} more" if more > 0 else words


def _one(other: Related, job: str) -> str:
    where = "this job" if other.job == job else other.job_title or f"job {other.job}"
    links = {
        "same_candidate": "the same candidate",
        "same_document": "the same file under another name",
        "near_duplicate": f"{min(round(100 * (other.resemblance or 0)), 99)}% of the text in common",
    }
    return f"{where}, {STATUS_NAMES[other.status]}, {links[other.link]}"
