"""Sketches of documents, and the pairs that were found to be nearly the same."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, delete, insert, select, update

from evenhand.store.applications import OFFERED, REJECTED, STATUS_NAMES, existing_applications
from evenhand.store.base import StoreBase, pages, select_in, slices
from evenhand.store.mined import mined_duplicates, mined_sketches
from evenhand.store.tables import applications, jobs

MaySee = Callable[[str], bool]
"""Whether the viewer may see a job, by its id."""


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
        query = select(mined_sketches.c.sha256, mined_sketches.c.sketch)
        if compared is not None:
            query = query.where(mined_sketches.c.compared == compared)
        for rows in pages(self._rows, query, mined_sketches.c.sha256):
            yield from ((row.sha256, row.sketch) for row in rows)

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

    def alerts(self, ids: Sequence[str], *, may_see: MaySee = lambda job: True) -> dict[str, tuple[Alert, ...]]:
        """For each application, the most pressing alert first; none for who applied once.

        Applications for jobs that `may_see` refuses are left out altogether: a number, or a flag without one, would
        confirm to whoever uploads somebody's resume that the person applied elsewhere.
        """
        with self._database.reading() as connection:
            rows = existing_applications(connection, ids)
            near: Near = defaultdict(dict)
            for first, second, resemblance in select_pairs(connection, sorted({row.document for row in rows})):
                near[first][second] = near[second][first] = resemblance
            others = [other for other in _others(connection, rows, near) if may_see(other.job)]
        return {row.id: tuple(_alerts(row.job, _related(row, others, near))) for row in rows}


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
    firsts = sorted({str(first) for first, _ in pairs})
    query = select(mined_duplicates.c.first, mined_duplicates.c.second).where(mined_duplicates.c.first.in_(firsts))
    for first, second in {tuple(row) for row in connection.execute(query)} & set(pairs):
        same = (mined_duplicates.c.first == first) & (mined_duplicates.c.second == second)
        connection.execute(delete(mined_duplicates).where(same))


NAMED = 3  # others in one sentence
Near = dict[str, dict[str, float]]
"""By document, the nearly same ones and their resemblance."""


def _others(connection: Connection, rows: Sequence[Row[Any]], near: Near) -> list[Row[Any]]:
    hashes = sorted({row.document for row in rows} | set(near))
    candidates = sorted({row.candidate for row in rows})
    query = select(applications, jobs.c.title).join(jobs, jobs.c.id == applications.c.job)
    others: dict[str, Row[Any]] = {}
    for column, values in ((applications.c.document, hashes), (applications.c.candidate, candidates)):
        others |= {row.id: row for row in select_in(connection, query, column, values)}
    return sorted(others.values(), key=lambda row: (row.received, row.revision))


def _related(row: Row[Any], others: Sequence[Row[Any]], near: Near) -> tuple[RelatedApplication, ...]:
    def link(other: Row[Any]) -> str | None:
        if other.candidate == row.candidate:
            return "same_candidate"
        if other.document == row.document:
            return "same_document"
        return "near_duplicate" if other.document in near[row.document] else None

    return tuple(
        RelatedApplication(other.id, other.job, other.title, other.status, how, near[row.document].get(other.document))
        for other in others
        if other.id != row.id and (how := link(other))
    )


def _alerts(job: str, related: tuple[RelatedApplication, ...]) -> Iterator[Alert]:
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
    words = []
    for other in related[:NAMED]:
        where = "this job" if other.job == job else other.job_title or f"job {other.job}"
        links = {
            "same_candidate": "the same candidate",
            "same_document": "the same file under another name",
            "near_duplicate": f"{min(round(100 * (other.resemblance or 0)), 99)}% identical text",
        }
        words.append(f"{where}, {STATUS_NAMES[other.status]}, {links[other.link]}")
    more = len(related) - NAMED
    return "; ".join([*words, f"and {more:,} more"] if more > 0 else words)
