"""The rows that are about one application, wherever they lie: counted, and emptied of what is personal."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any
from urllib.parse import unquote_plus

from sqlalchemy import ColumnElement, Connection, Row, Table, and_, delete, func, or_, select, update

from evenhand.records import Profile, canonical_json
from evenhand.store.audits import audits
from evenhand.store.base import Clock
from evenhand.store.ledger_append import mined_versions, openings
from evenhand.store.mined import mined_documents, mined_duplicates, mined_profiles
from evenhand.store.rights import corrections
from evenhand.store.self_identifications import self_identifications
from evenhand.store.tables import applications, candidates, decisions, documents, labels, pack, refusals, unpack
from evenhand.store.workspace import WAITING, flag_overrides, import_files, imports, notes, saved_searches, tags

# Reports of audits quote resumes: when somebody is erased, so is what is quoted and whatever names them.


ERASED = "(erased)"
OURS = (
    "type",
    "severity",
    "worst",
    "kind",
    "code",
    "made",
)  # words of ours, which somebody may be called as well


def count_reports(connection: Connection, job: str) -> int:
    """Those that may quote somebody of the job; which of its applicants nobody noted, so that all are taken."""
    query = select(func.count()).where(_may_quote(job), audits.c.report.is_not(None))
    return int(connection.execute(query).scalar_one())


def scrub_reports(connection: Connection, job: str, names: Iterable[str], clock: Clock) -> None:
    """In every report of the job no resume is quoted any more, and no text has one of the names."""
    named = sorted({name for name in names if name.strip()}, key=len, reverse=True)
    pattern = re.compile("|".join(rf"(?<!\w){re.escape(name)}(?!\w)" for name in named))
    query = select(audits.c.id, audits.c.report).where(_may_quote(job), audits.c.report.is_not(None))
    for row in connection.execute(query).all():
        before = json.loads(unpack(row.report))
        after = _without(before, pattern)
        if after != before:
            values = {"report": pack(canonical_json(after)), "scrubbed": clock()}
            connection.execute(update(audits).where(audits.c.id == row.id).values(values))


def _may_quote(job: str) -> ColumnElement[bool]:
    """Reports of the job, and those about no job: they came from elsewhere and may quote anybody."""
    return or_(audits.c.job == job, audits.c.job.is_(None))


def _without(value: Any, names: re.Pattern[str]) -> Any:
    if isinstance(value, dict):
        if value.get("type") == "pair":
            empty = {"text": ERASED, "marks": []}
            value = {**value, "left": empty, "right": empty}
        return {
            ERASED if names.fullmatch(key) else key: each if key in OURS else _without(each, names)
            for key, each in value.items()
        }
    if isinstance(value, list):
        return [_without(each, names) for each in value]
    return names.sub(ERASED, value) if isinstance(value, str) else value


MIN_NAME_LENGTH = 6  # characters: a shorter name would be found in words that are about nobody
CRITERIA = "criteria"  # the sealed search of a ranking or an export
STEP = 500
OWN = {
    "notes": notes,
    "tags": tags,
    "labels": labels,
    "flags": flag_overrides,
    "groups": self_identifications,
}
"""Tables whose rows go with the application."""


def count_rows(connection: Connection, row: Row[Any], *, keeps_document: bool) -> Counter[str]:
    """Of each kind, those that `empty_rows` and the removal of the application reach."""
    counts = Counter({"applications": 1})
    for name, table in OWN.items():
        counts[name] = _count(connection, table, table.c.application == row.id)
    counts["decision reasons"] = _count(connection, decisions, _reasons(row))
    counts["import files"] = _count(connection, import_files, _imported(row, keeps_document))
    counts["refusals"] = _count(connection, refusals, _refused(row, keeps_document))
    counts["sealed values"] = _count(connection, openings, openings.c.application == row.id)
    counts["seals"] = 1
    counts["audit reports"] = count_reports(connection, row.job)
    if not keeps_document:
        same = row.document
        counts["documents"] = 1
        counts["texts and facts"] = _count(connection, mined_documents, mined_documents.c.sha256 == same)
        counts["earlier facts"] = _count(connection, mined_versions, mined_versions.c.sha256 == same)
        counts["corrections"] = _count(connection, corrections, corrections.c.document == same)
        pair = (mined_duplicates.c.first == same) | (mined_duplicates.c.second == same)
        counts["resemblances"] = _count(connection, mined_duplicates, pair)
    return counts


def empty_rows(connection: Connection, row: Row[Any], *, keeps_document: bool) -> None:
    """What stays is that something was decided, refused or imported; of whom is gone."""
    connection.execute(update(decisions).where(_reasons(row)).values(reason=""))
    connection.execute(update(import_files).where(_imported(row, keeps_document)).values(file=ERASED, sha256=None))
    connection.execute(delete(refusals).where(_refused(row, keeps_document)))
    if keeps_document:
        _rename_document(connection, row)


def forget_searches(connection: Connection, row: Row[Any]) -> int:
    """Searches somebody typed or saved in which the person is named; how many."""
    names = [name.casefold() for name in identity_of(connection, row) if len(name) >= MIN_NAME_LENGTH]
    if not names:
        return 0
    saved = [
        search.id
        for search in connection.execute(select(saved_searches.c.id, saved_searches.c.query))
        if _names(unquote_plus(search.query), names)
    ]
    for id in saved:
        connection.execute(delete(saved_searches).where(saved_searches.c.id == id))
    return len(saved) + _forget_typed(connection, names)


def _forget_typed(connection: Connection, names: list[str]) -> int:
    """In the ledger's openings that are nobody's in particular."""
    found, after = 0, 0
    while True:
        query = (
            select(openings.c.sequence, openings.c.value)
            .where(openings.c.name == CRITERIA, openings.c.application.is_(None), openings.c.sequence > after)
            .order_by(openings.c.sequence)
            .limit(STEP)
        )
        rows = connection.execute(query).all()
        if not rows:
            return found
        for opening in rows:
            if _names(unpack(opening.value), names):
                # With all that lies beside it: the words of a search are also among the statistics it asked for.
                same = and_(openings.c.sequence == opening.sequence, openings.c.application.is_(None))
                connection.execute(delete(openings).where(same))
                found += 1
        after = rows[-1].sequence


def identity_of(connection: Connection, row: Row[Any]) -> Iterator[str]:
    """Name and addresses, as the resume and the form give them."""
    mined = connection.execute(
        select(mined_profiles.c.profile, mined_documents.c.text)
        .join(mined_documents, mined_documents.c.sha256 == mined_profiles.c.sha256)
        .where(mined_profiles.c.sha256 == row.document)
    ).one_or_none()
    if mined is not None:
        profile = Profile.from_json(json.loads(unpack(mined.profile)), unpack(mined.text))
        yield from (fact.value for fact in (*profile.emails, *profile.phones, *profile.links))
        if profile.name:
            yield profile.name.value
    form = connection.execute(select(candidates.c.form).where(candidates.c.id == row.candidate)).scalar_one()
    for key, value in form.items():
        if isinstance(value, str) and any(word in key.casefold() for word in ("name", "mail", "phone")):
            yield value


def _names(text: str, names: list[str]) -> bool:
    folded = text.casefold()
    return any(name in folded for name in names)


def _reasons(row: Row[Any]) -> ColumnElement[bool]:
    return and_(decisions.c.application == row.id, decisions.c.reason != "")


def _imported(row: Row[Any], keeps_document: bool) -> ColumnElement[bool]:
    """A file that still waits its turn is another arrival of it."""
    same = and_(import_files.c.sha256 == row.document, import_files.c.state != WAITING)
    if not keeps_document:
        return same
    of_job = select(imports.c.id).where(imports.c.job == row.job)
    return and_(same, import_files.c["import"].in_(of_job))


def _refused(row: Row[Any], keeps_document: bool) -> ColumnElement[bool]:
    same = and_(refusals.c.sha256 == row.document)
    return and_(same, refusals.c.job == row.job) if keeps_document else same


def _rename_document(connection: Connection, row: Row[Any]) -> None:
    """The name under which the file first came may be this application's: another's takes its place."""
    query = select(applications.c.file).where(applications.c.document == row.document, applications.c.id != row.id)
    other = connection.execute(query.order_by(applications.c.received).limit(1)).scalar_one()
    connection.execute(update(documents).where(documents.c.sha256 == row.document).values(file=other))


def _count(connection: Connection, table: Table, condition: ColumnElement[bool]) -> int:
    query = select(func.count()).select_from(table).where(condition)
    return int(connection.execute(query).scalar_one())
