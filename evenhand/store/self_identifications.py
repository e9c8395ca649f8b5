"""Keeping what applicants said of their groups.

This is not a part of `Store`, through which anyone who holds one could ask: who reads it has to import this module,
and import-linter lists who may.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Column, Connection, ForeignKey, Select, String, Table, delete, func, insert, select, tuple_

from evenhand.records.event import EventDraft
from evenhand.records.groups import GroupCounts, SavedGroups, SelfIdentification
from evenhand.store.applications import existing_applications
from evenhand.store.base import StoreBase, select_in, slices
from evenhand.store.ledger_append import append
from evenhand.store.tables import MASTER, CleanText, UtcTime, applications, clean

# Who said which group they belong to: a table that nothing which finds, ranks or shows applicants may import.
self_identifications = Table(
    "self_identifications",
    MASTER,
    Column("application", ForeignKey("applications.id", ondelete="CASCADE"), primary_key=True),
    Column("variable", String(64), primary_key=True),  # sex, race, ...
    Column("value", CleanText),  # None: asked, and not answered
    Column("time", UtcTime, nullable=False),
)

Answers = Mapping[tuple[str, str], str | None]
"""By application and variable."""


class SelfIdentificationStore(StoreBase):
    def save(self, given: Sequence[SelfIdentification], *, actor: str, job: str | None = None) -> SavedGroups:
        """The newest answer counts. The ledger learns how many, never who said what; nothing new, nothing learnt."""
        answers = {
            (answer.application, clean(variable)): None if value is None else clean(value)
            for answer in given
            for variable, value in answer.groups.items()
        }
        with self._database.writing() as connection:
            existing = {row.id for row in existing_applications(connection, [answer.application for answer in given])}
            rows = select_in(
                connection, select(self_identifications), self_identifications.c.application, list(existing)
            )
            had = {(row.application, row.variable): row.value for row in rows}
            new = [key for key in answers if key not in had]
            changed = [key for key, value in answers.items() if key in had and had[key] != value]
            now = self._now()
            _write(connection, answers, new, changed, now)
            if new or changed:
                append(connection, [_imported(answers, new, changed, actor, job)], now)
        return SavedGroups(len(new), len(changed), len(answers) - len(new) - len(changed))

    def read(self, job: str | None = None) -> dict[str, SelfIdentification]:
        """By application, of one job or of all; whoever was never asked is left out."""
        answers, query = self_identifications.c, _of_job(select(self_identifications), job)
        groups: dict[str, dict[str, str | None]] = defaultdict(dict)
        for row in self._rows(query.order_by(answers.application, answers.variable)):
            groups[row.application][row.variable] = row.value
        return {id: SelfIdentification(id, own) for id, own in groups.items()}

    def counts(self, job: str | None = None) -> list[GroupCounts]:
        many = func.count().label("many")
        query = _of_job(select(self_identifications.c.variable, self_identifications.c.value, many), job)
        counted: dict[str, Counter[str | None]] = defaultdict(Counter)
        for row in self._rows(query.group_by(self_identifications.c.variable, self_identifications.c.value)):
            counted[row.variable][row.value] = row.many
        return [_counts(variable, counted[variable]) for variable in sorted(counted)]

    def state(self, job: str) -> tuple[int, datetime | None]:
        """Differs whenever the answers of a job do: what was worked out from them can be kept until then."""
        query = _of_job(select(func.count().label("many"), func.max(self_identifications.c.time).label("newest")), job)
        with self._database.reading() as connection:
            row = connection.execute(query).one()
        return row.many, row.newest

    def remove(self, *, actor: str, job: str | None = None, ids: Sequence[str] | None = None) -> int:
        """The answers of a job, of some applications, or all; of how many applications."""
        query = _of_job(select(self_identifications.c.application).distinct(), job)
        with self._database.writing() as connection:
            answered = set(connection.scalars(query))
            leaving = sorted(answered if ids is None else answered & set(ids))
            rows = 0
            for some in slices(leaving):
                same = self_identifications.c.application.in_(some)
                rows += connection.execute(delete(self_identifications).where(same)).rowcount
            if leaving:
                body = {"action": "remove", "count": len(leaving), "rows": rows}
                append(connection, [EventDraft("groups", actor, job, body=body)], self._now())
        return len(leaving)


def _write(
    connection: Connection,
    answers: Answers,
    new: Sequence[tuple[str, str]],
    changed: Sequence[tuple[str, str]],
    now: datetime,
) -> None:
    for some in slices(changed):
        connection.execute(
            delete(self_identifications).where(
                tuple_(self_identifications.c.application, self_identifications.c.variable).in_(list(some))
            )
        )
    rows = [
        {"application": id, "variable": variable, "value": answers[id, variable], "time": now}
        for id, variable in (*changed, *new)
    ]
    if rows:
        connection.execute(insert(self_identifications), rows)


def _imported(
    answers: Answers, new: Sequence[tuple[str, str]], changed: Sequence[tuple[str, str]], actor: str, job: str | None
) -> EventDraft:
    written = [*new, *changed]
    body = {
        "action": "import",
        "count": len({id for id, _ in written}),
        "new": len(new),
        "changed": len(changed),
        "variables": dict(sorted(Counter(variable for _, variable in written).items())),
        "unknown": sum(answers[key] is None for key in written),
    }
    return EventDraft("groups", actor, job, body=body)


def _counts(variable: str, counted: Counter[str | None]) -> GroupCounts:
    unknown = counted.pop(None, 0)
    order = sorted(counted.items(), key=lambda item: (-item[1], str(item[0])))
    return GroupCounts(variable, {str(name): many for name, many in order}, unknown)


def _of_job(query: Select[*tuple[Any, ...]], job: str | None) -> Select[*tuple[Any, ...]]:
    if job is None:
        return query
    return query.join(applications, applications.c.id == self_identifications.c.application).where(
        applications.c.job == job
    )
