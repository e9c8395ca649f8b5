"""Who may see which job. Auditors and admins see all; a recruiter those she was given, her own among them."""

from __future__ import annotations

from sqlalchemy import Connection, delete, insert, select

from evenhand.errors import NotFound
from evenhand.store.account_events import record
from evenhand.store.account_rows import SEES_ALL_JOBS, User
from evenhand.store.account_tables import job_access, users
from evenhand.store.accounts import enabled, existing, to_user
from evenhand.store.columns import clean
from evenhand.store.jobs import no_such_job
from evenhand.store.keeper import Keeper
from evenhand.store.tables import jobs


class JobAccess(Keeper):
    def give_job(self, job: str, user: str, *, actor: str) -> bool:
        """Whether it is new to the user."""
        with self._database.writing() as connection:
            _check_job(connection, job)
            enabled(connection, user)
            if _given(connection, job, user):
                return False
            now = self._now()
            connection.execute(insert(job_access).values(job=job, user=user, given=now))
            record(connection, now, "job_given", actor=actor, user=user, job=job)
        return True

    def take_job(self, job: str, user: str, *, actor: str) -> None:
        same = (job_access.c.job == clean(job)) & (job_access.c.user == clean(user))
        with self._database.writing() as connection:
            _check_job(connection, job)
            login = existing(connection, user).login
            if connection.execute(delete(job_access).where(same)).rowcount == 0:
                raise NotFound(f"The job {job} was not given to {login}.")
            record(connection, self._now(), "job_taken", actor=actor, user=user, job=job)

    def jobs_of(self, user: str) -> set[str]:
        """All that the user may see, closed ones too."""
        with self._database.reading() as connection:
            row = existing(connection, user)
            if row.disabled is not None:
                return set()
            if row.role in SEES_ALL_JOBS:
                return set(connection.scalars(select(jobs.c.id)))
            return set(connection.scalars(select(job_access.c.job).where(job_access.c.user == user)))

    def may_see(self, job: str, user: str) -> bool:
        """No for a job or a user that is not there, so that the answer tells nothing of either."""
        query = select(users.c.role).where(users.c.id == clean(user), users.c.disabled.is_(None))
        with self._database.reading() as connection:
            role = connection.execute(query).scalar_one_or_none()
            if role is None:
                return False
            if role in SEES_ALL_JOBS:
                return (
                    connection.execute(select(jobs.c.id).where(jobs.c.id == clean(job))).first() is not None
                )
            return _given(connection, clean(job), clean(user))

    def members(self, job: str) -> list[User]:
        """Those who were given the job, by login; who sees every job anyway is not among them."""
        query = (
            select(users)
            .join(job_access, job_access.c.user == users.c.id)
            .where(job_access.c.job == clean(job), users.c.disabled.is_(None))
        )
        with self._database.reading() as connection:
            return sorted(map(to_user, connection.execute(query)), key=lambda user: user.login)


def _check_job(connection: Connection, job: str) -> None:
    if connection.execute(select(jobs.c.id).where(jobs.c.id == clean(job))).first() is None:
        raise no_such_job(job)


def _given(connection: Connection, job: str, user: str) -> bool:
    query = select(job_access.c.given).where(job_access.c.job == job, job_access.c.user == user)
    return connection.execute(query).first() is not None
