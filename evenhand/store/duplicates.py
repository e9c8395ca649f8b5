"""Sketches of documents, and the pairs that were found to be nearly the same."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, delete, insert, select, update

from evenhand.store.applications import existing_applications
from evenhand.store.base import SLICE, StoreBase, select_in, slices
from evenhand.store.mined import mined_duplicates, mined_sketches
from evenhand.store.statuses import OFFERED, REJECTED, STATUS_NAMES
from evenhand.store.tables import applications, jobs


@dataclass(frozen=True, slots=True)
class RelatedApplication:
    """Another application of the same person, as far as files and ids tell."""

    application: str
    job: str
    job_title: str | None
    status: str
    link: str  # same_candidate, same_document, near_duplicate
    resemblance: float | None  # of the texts, for near duplicates


@dataclass(frozen=True, slots=True)
class Alert:
    """rejected_before (for this job), offered_elsewhere or other_applications, with the applications meant."""

    code: str
    message: str
    related: tuple[RelatedApplication, ...]


Pair = tuple[str, str, float]
"""Two documents and the resemblance of their texts, 0 to 1."""


class DuplicateStore(StoreBase):
    def sketches(self, *, compared: bool | None = None) -> Iterator[tuple[str, bytes]]:
        """(SHA-256, sketch) in order of the hash: all, or only those compared, or not yet compared, with others."""
        after = ""
        while True:
            query = (
                select(mined_sketches.c.sha256, mined_sketches.c.sketch)
                .where(mined_sketches.c.sha256 > after)
                .order_by(mined_sketches.c.sha256)
                .limit(SLICE)
            )
            if compared is not None:
                query = query.where(mined_sketches.c.compared == compared)
            rows = self._rows(query)
            if not rows:
                return
            yield from ((row.sha256, row.sketch) for row in rows)
            after = rows[-1].sha256

    def add(self, pairs: Iterable[Pair], *, compared: Iterable[str]) -> None:
        """Keeps the pairs and, in the same transaction, that these documents need not be compared again."""
        resemblances = {(min(a, b), max(a, b)): resemblance for a, b, resemblance in pairs if a != b}
        rows = [{"first": a, "second": b, "resemblance": value} for (a, b), value in sorted(resemblances.items())]
        with self._database.writing() as connection:
            for some in slices(rows):
                _forget_pairs(connection, [(row["first"], row["second"]) for row in some])
                connection.execute(insert(mined_duplicates), list(some))
            for hashes in slices(sorted(set(compared))):
                connection.execute(
                    update(mined_sketches).where(mined_sketches.c.sha256.in_(hashes)).values(compared=True)
                )

    def of_document(self, sha256: str) -> list[tuple[str, float]]:
        """(SHA-256, resemblance) of nearly the same documents, the most similar first."""
        with self._database.reading() as connection:
            pairs = select_pairs(connection, [sha256])
        others = [(b if a == sha256 else a, resemblance) for a, b, resemblance in pairs]
        return sorted(others, key=lambda other: (-other[1], other[0]))

    def alerts(self, ids: Sequence[str]) -> dict[str, tuple[Alert, ...]]:
        """For each application, the most pressing alert first; none for who applied once."""
        with self._database.reading() as connection:
            asked = {row.id: row for row in existing_applications(connection, ids)}
            near = _near(connection, sorted({row.document for row in asked.values()}))
            others = _others(connection, list(asked.values()), near)
        return {id: _alerts(asked[id], others, near) for id in ids}


def select_pairs(connection: Connection, sha256s: Sequence[str]) -> list[Pair]:
    """Every pair of which one is among the documents."""
    return sorted(
        {
            (row.first, row.second, row.resemblance)
            for column in (mined_duplicates.c.first, mined_duplicates.c.second)
            for row in select_in(connection, select(mined_duplicates), column, sha256s)
        }
    )


def _forget_pairs(connection: Connection, pairs: Sequence[tuple[object, object]]) -> None:
    known = set(pairs)
    firsts = sorted({str(first) for first, _ in pairs})
    query = select(mined_duplicates.c.first, mined_duplicates.c.second)
    rows = connection.execute(query.where(mined_duplicates.c.first.in_(firsts))).all()
    for first, second in rows:
        if (first, second) in known:
            connection.execute(
                delete(mined_duplicates).where(mined_duplicates.c.first == first, mined_duplicates.c.second == second)
            )


NAMED = 3  # others in one sentence
Near = dict[str, dict[str, float]]
"""By document, the nearly same ones and their resemblance."""


def _near(connection: Connection, sha256s: Sequence[str]) -> Near:
    near: Near = defaultdict(dict)
    for first, second, resemblance in select_pairs(connection, sha256s):
        near[first][second] = near[second][first] = resemblance
    return near


def _others(connection: Connection, asked: Sequence[Row[Any]], near: Near) -> list[Row[Any]]:
    hashes = sorted({row.document for row in asked} | set(near))
    candidates = sorted({row.candidate for row in asked})
    query = select(applications, jobs.c.title).join(jobs, jobs.c.id == applications.c.job)
    others: dict[str, Row[Any]] = {}
    for column, values in ((applications.c.document, hashes), (applications.c.candidate, candidates)):
        others |= {row.id: row for row in select_in(connection, query, column, values)}
    return sorted(others.values(), key=lambda row: (row.received, row.revision))


def _alerts(asked: Row[Any], others: Sequence[Row[Any]], near: Near) -> tuple[Alert, ...]:
    related = tuple(
        RelatedApplication(
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


def _codes(job: str, related: tuple[RelatedApplication, ...]) -> Iterator[Alert]:
    rejected = tuple(other for other in related if other.job == job and other.status == REJECTED)
    offered = tuple(other for other in related if other.status == OFFERED)
    if rejected:
        yield Alert("rejected_before", f"Rejected for this job before: {_named(rejected, job)}.", rejected)
    if offered:
        message = f"A position has been offered already: {_named(offered, job)}."
        yield Alert("offered_elsewhere", message, offered)
    if related:
        yield Alert("other_applications", f"Applied more than once: {_named(related, job)}.", related)


def _named(related: Sequence[RelatedApplication], job: str) -> str:
    """Each with its job, its status and what links it, so that nobody has to look for it."""
    words = "; ".join(_one(other, job) for other in related[:NAMED])
    more = len(related) - NAMED
    return f"{words}; and {more:,} more" if more > 0 else words


def _one(other: RelatedApplication, job: str) -> str:
    where = "this job" if other.job == job else other.job_title or f"job {other.job}"
    links = {
        "same_candidate": "the same candidate",
        "same_document": "the same file under another name",
        "near_duplicate": f"{min(round(100 * (other.resemblance or 0)), 99)}% of the text in common",
    }
    return f"{where}, {STATUS_NAMES[other.status]}, {links[other.link]}"
