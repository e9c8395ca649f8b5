"""Relevance feedback: what users thought of an application, every opinion kept."""

from __future__ import annotations

from sqlalchemy import func, insert, select

from evenhand.store.applications import no_such_application, select_applications
from evenhand.store.keeper import Keeper
from evenhand.store.rows import Label
from evenhand.store.tables import applications, labels


class Labels(Keeper):
    def add_label(self, application: str, *, user: str, label: str) -> int:
        """The version of this user's opinion: 1, then 2 when it changes."""
        with self._database.writing() as connection:
            if next(iter(select_applications(connection, [application])), None) is None:
                raise no_such_application(application)
            same = (labels.c.application == application) & (labels.c.user == user)
            newest = connection.execute(select(func.max(labels.c.version)).where(same)).scalar_one()
            version = int(newest or 0) + 1
            connection.execute(
                insert(labels).values(
                    application=application, user=user, label=label, version=version, time=self._now()
                )
            )
        return version

    def labels(self, job: str) -> list[Label]:
        """The newest opinion of each user on each application for the job."""
        query = (
            select(labels)
            .join(applications, applications.c.id == labels.c.application)
            .where(applications.c.job == job)
            .order_by(labels.c.application, labels.c.user, labels.c.version)
        )
        with self._database.reading() as connection:
            rows = connection.execute(query).all()
        newest = {
            (row.application, row.user): Label(row.application, row.user, row.label, row.version, row.time)
            for row in rows
        }
        return list(newest.values())
