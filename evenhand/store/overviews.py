"""Jobs at a glance: how many applications stand where, who has which job, where applications came from."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from sqlalchemy import func, select

from evenhand.store.account_rows import User
from evenhand.store.account_tables import job_access, users
from evenhand.store.accounts import to_user
from evenhand.store.keeper import Keeper, slices
from evenhand.store.tables import applications

MOST_SOURCES = 50
LOOKED_AT = 20_000  # applications; a suggestion is not worth a walk through a million


class Overviews(Keeper):
    def status_counts(self, jobs: Sequence[str]) -> dict[str, dict[str, int]]:
        """By job and status; a job without applications has none."""
        found: dict[str, dict[str, int]] = {job: {} for job in jobs}
        columns = applications.c.job, applications.c.status
        with self._database.reading() as connection:
            for some in slices(jobs):
                query = select(*columns, func.count().label("many")).where(applications.c.job.in_(some))
                for row in connection.execute(query.group_by(*columns)):
                    found[row.job][row.status] = row.many
        return found

    def members_by_job(self) -> dict[str, list[User]]:
        """Those who were given each job, in the order in which they were; the disabled are left out."""
        query = (
            select(job_access.c.job, users)
            .join(users, job_access.c.user == users.c.id)
            .where(users.c.disabled.is_(None))
            .order_by(job_access.c.given, users.c.login)
        )
        found: dict[str, list[User]] = defaultdict(list)
        with self._database.reading() as connection:
            for row in connection.execute(query):
                found[row.job].append(to_user(row))
        return dict(found)

    def sources(self, jobs: Sequence[str]) -> list[str]:
        """Where applications for these jobs came from, among those that changed last; the most frequent first."""
        newest = (
            select(applications.c.job, applications.c.source)
            .order_by(applications.c.revision.desc())
            .limit(LOOKED_AT)
            .subquery()
        )
        query = select(newest.c.source, func.count().label("many")).where(newest.c.source.is_not(None))
        counts: dict[str, int] = defaultdict(int)
        with self._database.reading() as connection:
            for some in slices(jobs):
                for row in connection.execute(query.where(newest.c.job.in_(some)).group_by(newest.c.source)):
                    counts[row.source] += row.many
        return sorted(counts, key=lambda source: (-counts[source], source))[:MOST_SOURCES]
