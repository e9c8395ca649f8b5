"""Jobs: the text as given, what was understood of it, how it is shown, and searches saved for it."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Connection,
    ForeignKey,
    Row,
    String,
    Table,
    UniqueConstraint,
    delete,
    false,
    func,
    insert,
    select,
    update,
)

from evenhand.errors import Conflict, Forbidden, NotFound, UsageError
from evenhand.records import Job, content_hash
from evenhand.records.event import SYSTEM, EventDraft, Link
from evenhand.store.accounts import SEES_ALL_JOBS, UserAccount, enabled, existing, record, to_user, users
from evenhand.store.base import StoreBase, from_row, new_id, one_row, select_in, touch
from evenhand.store.database import newest_revision
from evenhand.store.ledger_append import append, ledger, openings, seals
from evenhand.store.tables import MASTER, CleanText, JsonText, UtcTime, applications, clean, jobs, unpack


@dataclass(frozen=True, slots=True)
class StoredJob:
    id: str
    text: str  # as it was given; `requirements` is what was understood of it and edited since
    requirements: Job
    created: datetime
    closed: datetime | None
    external_id: str | None = None  # by which another system knows it

    @property
    def title(self) -> str | None:
        return self.requirements.title


@dataclass(frozen=True, slots=True)
class JobVersion:
    """Requirements of a job that others have superseded."""

    sequence: int  # the event that did
    until: int  # the last revision of the store at which they were in force
    hash: str
    requirements: Job


@dataclass(frozen=True, slots=True)
class JobSettings:
    """How a job's applicants are shown to everyone who screens them."""

    blind: bool = False
    hide_schools: bool = False


job_access = Table(
    "job_access",
    MASTER,
    Column("job", ForeignKey("jobs.id", ondelete="CASCADE"), primary_key=True),
    Column("user", ForeignKey("users.id", ondelete="CASCADE"), primary_key=True, index=True),
    Column("given", UtcTime, nullable=False),
)

job_versions = Table(
    "job_versions",
    MASTER,
    Column("job", String(32), primary_key=True),
    Column("sequence", BigInteger, primary_key=True),  # of the event that superseded it
    Column("until", BigInteger, nullable=False),  # the last revision of the store at which it was in force
    Column("hash", String(64), nullable=False),
    Column("requirements", JsonText, nullable=False),
)

job_settings = Table(
    "job_settings",
    MASTER,
    Column("job", ForeignKey("jobs.id"), primary_key=True),
    Column("blind", Boolean, nullable=False, server_default=false()),
    Column("hide_schools", Boolean, nullable=False, server_default=false()),
)


class JobStore(StoreBase):
    def add(self, requirements: Job, *, actor: str = SYSTEM, external_id: str | None = None) -> str:
        """The id of the new job. Conflict where another job has the external id."""
        id, now = new_id(), self._now()
        external_id = checked_external_id(external_id)
        with self._database.writing() as connection:
            same = select(jobs.c.id).where(jobs.c.external_id == external_id)
            if external_id is not None and connection.execute(same).first() is not None:
                raise Conflict(f"There is a job with the external id {external_id!r} already.")
            values = {"title": requirements.title, "text": requirements.text, "requirements": requirements.to_json()}
            connection.execute(insert(jobs).values(id=id, created=now, external_id=external_id, **values))
            append(connection, [_draft(id, actor, "add", requirements, external_id)], now)
        return id

    def get(self, id: str) -> StoredJob:
        with self._database.reading() as connection:
            return _job(one_row(connection, select(jobs).where(jobs.c.id == id), no_such_job(id)))

    def all(self, *, closed: bool = False) -> list[StoredJob]:
        """Open jobs, or with `closed` all of them, the oldest first."""
        query = select(jobs).order_by(jobs.c.created, jobs.c.id)
        if not closed:
            query = query.where(jobs.c.closed.is_(None))
        return [_job(row) for row in self._rows(query)]

    def change(self, id: str, requirements: Job, *, actor: str = SYSTEM) -> None:
        """What a person corrected; the text as first given stays. An index is to take its applicants anew."""
        with self._database.writing() as connection:
            query = select(jobs.c.requirements).where(jobs.c.id == id)
            old: dict[str, Any] = one_row(connection, query, no_such_job(id)).requirements
            until = newest_revision(connection)
            _update(connection, id, title=requirements.title, requirements=requirements.to_json())
            touch(connection, applications.c.job == id)
            [event] = append(connection, [_draft(id, actor, "change", requirements)], self._now())
            if old != requirements.to_json():
                values = {"sequence": event.sequence, "until": until, "hash": content_hash(old)}
                connection.execute(insert(job_versions).values(job=id, requirements=old, **values))

    def close(self, id: str, *, actor: str = SYSTEM) -> None:
        """No more applications are taken; those there can still be searched and decided."""
        now = self._now()
        with self._database.writing() as connection:
            _update(connection, id, closed=now)
            append(connection, [_draft(id, actor, "close")], now)

    def reopen(self, id: str, *, actor: str = SYSTEM) -> None:
        with self._database.writing() as connection:
            _update(connection, id, closed=None)
            append(connection, [_draft(id, actor, "reopen")], self._now())

    def versions(self, id: str) -> list[JobVersion]:
        """Requirements that were in force once, the oldest first."""
        query = select(job_versions).where(job_versions.c.job == id).order_by(job_versions.c.sequence)
        return [
            JobVersion(row.sequence, row.until, row.hash, Job.from_json(row.requirements)) for row in self._rows(query)
        ]

    def grant_access(self, job: str, user: str, *, actor: str) -> bool:
        """Whether it is new to the user."""
        with self._database.writing() as connection:
            check_job(connection, job)
            enabled(connection, user)
            if _given(connection, job, user):
                return False
            now = self._now()
            connection.execute(insert(job_access).values(job=job, user=user, given=now))
            record(connection, now, "job_given", actor=actor, user=user, job=job)
        return True

    def revoke_access(self, job: str, user: str, *, actor: str) -> None:
        same = (job_access.c.job == clean(job)) & (job_access.c.user == clean(user))
        with self._database.writing() as connection:
            check_job(connection, job)
            login = existing(connection, user).login
            if connection.execute(delete(job_access).where(same)).rowcount == 0:
                raise NotFound(f"The job {job} was not given to {login}.")
            record(connection, self._now(), "job_taken", actor=actor, user=user, job=job)

    def visible_to(self, user: str) -> set[str]:
        """All that the user may see, closed ones too."""
        with self._database.reading() as connection:
            row = existing(connection, user)
            if row.disabled is not None:
                return set()
            if row.role in SEES_ALL_JOBS:
                return set(connection.scalars(select(jobs.c.id)))
            return set(connection.scalars(select(job_access.c.job).where(job_access.c.user == user)))

    def is_visible_to(self, job: str, user: str) -> bool:
        """No for a job or a user that is not there, so that the answer tells nothing of either."""
        query = select(users.c.role).where(users.c.id == clean(user), users.c.disabled.is_(None))
        with self._database.reading() as connection:
            role = connection.execute(query).scalar_one_or_none()
            if role is None:
                return False
            if role in SEES_ALL_JOBS:
                return connection.execute(select(jobs.c.id).where(jobs.c.id == clean(job))).first() is not None
            return _given(connection, clean(job), clean(user))

    def members(self, job: str) -> list[UserAccount]:
        """Those who were given the job, by login; who sees every job anyway is not among them."""
        query = (
            select(users)
            .join(job_access, job_access.c.user == users.c.id)
            .where(job_access.c.job == clean(job), users.c.disabled.is_(None))
        )
        return sorted(map(to_user, self._rows(query)), key=lambda user: user.login)

    def status_counts(self, jobs: Sequence[str]) -> dict[str, dict[str, int]]:
        """By job and status; a job without applications has none."""
        counts: dict[str, dict[str, int]] = {job: {} for job in jobs}
        columns = applications.c.job, applications.c.status
        query = select(*columns, func.count().label("many")).group_by(*columns)
        with self._database.reading() as connection:
            for row in select_in(connection, query, applications.c.job, jobs):
                counts[row.job][row.status] = row.many
        return counts

    def members_by_job(self) -> dict[str, list[UserAccount]]:
        """Those who were given each job, in the order in which they were; the disabled are left out."""
        query = (
            select(job_access.c.job, users)
            .join(users, job_access.c.user == users.c.id)
            .where(users.c.disabled.is_(None))
            .order_by(job_access.c.given, users.c.login)
        )
        members: dict[str, list[UserAccount]] = defaultdict(list)
        for row in self._rows(query):
            members[row.job].append(to_user(row))
        return dict(members)

    def sources(self, jobs: Sequence[str]) -> list[str]:
        """Where applications for these jobs came from, among those that changed last; the most frequent first."""
        newest = (
            select(applications.c.job, applications.c.source)
            .order_by(applications.c.revision.desc())
            .limit(LOOKED_AT)
            .subquery()
        )
        query = select(newest.c.source, func.count().label("many")).group_by(newest.c.source)
        counts: dict[str, int] = defaultdict(int)
        with self._database.reading() as connection:
            for row in select_in(connection, query.where(newest.c.source.is_not(None)), newest.c.job, jobs):
                counts[row.source] += row.many
        return sorted(counts, key=lambda source: (-counts[source], source))[:MAX_SOURCES]


EXTERNAL_ID_LENGTH = 200


def checked_external_id(given: str | None) -> str | None:
    """None where none was given; UsageError for one that cannot be kept as it is."""
    if given is not None and (not given.strip() or len(given) > EXTERNAL_ID_LENGTH or not given.isprintable()):
        raise UsageError(f"An external id has 1 to {EXTERNAL_ID_LENGTH} printable characters.")
    return given


def _draft(
    id: str, actor: str, action: str, requirements: Job | None = None, external_id: str | None = None
) -> EventDraft:
    body = {"action": action}
    if requirements:
        body["requirements"] = content_hash(requirements.to_json())
    if external_id is not None:
        body["external_id"] = external_id
    return EventDraft("job", actor, id, body=body)


def _update(connection: Connection, id: str, **values: Any) -> None:
    if connection.execute(update(jobs).where(jobs.c.id == id).values(values)).rowcount == 0:
        raise no_such_job(id)


def no_such_job(id: str) -> NotFound:
    return NotFound(f"There is no job {id!r}; `evenhand job list` shows those that are kept.")


def closed_job(id: str) -> UsageError:
    return UsageError(f"The job {id} is closed and takes no more applications.")


def _job(row: Row[Any]) -> StoredJob:
    return StoredJob(row.id, row.text, Job.from_json(row.requirements), row.created, row.closed, row.external_id)


def check_job(connection: Connection, job: str) -> None:
    if connection.execute(select(jobs.c.id).where(jobs.c.id == clean(job))).first() is None:
        raise no_such_job(job)


def _given(connection: Connection, job: str, user: str) -> bool:
    query = select(job_access.c.given).where(job_access.c.job == job, job_access.c.user == user)
    return connection.execute(query).first() is not None


MAX_SOURCES = 50
LOOKED_AT = 20_000  # applications; a suggestion is not worth a walk through a million


SHOWN, ASKED, REFUSED = "shown", "unblind_request", "unblind_refused"
"""What an event of the ledger says of how candidates are shown."""


@dataclass(frozen=True, slots=True)
class UnblindRequest:
    """Somebody asks for more to be shown; another person has to agree."""

    sequence: int  # of its event
    wanted: JobSettings
    actor: str
    reason: str


class JobSettingsStore(StoreBase):
    """How a job's applicants are shown to everyone who screens them."""

    def get(self, job: str) -> JobSettings:
        with self._database.reading() as connection:
            return _settings(connection, job)

    def change(
        self, job: str, wanted: JobSettings, *, actor: str, reason: str = "", seen: JobSettings | None = None
    ) -> None:
        """Conflict where it is no longer as it was `seen`: what was allowed then may show more than is allowed now."""
        with self._database.writing() as connection:
            check_job(connection, job)
            if seen is not None and _settings(connection, job) != seen:
                raise Conflict("Somebody else has changed how candidates are shown; look at the page again.")
            _show(connection, job, wanted, actor, self._now(), reason=reason)

    def ask(self, job: str, wanted: JobSettings, *, actor: str, reason: str) -> None:
        """Changes nothing until somebody agrees."""
        with self._database.writing() as connection:
            check_job(connection, job)
            body = {"what": ASKED, **asdict(wanted)}
            append(connection, [EventDraft("job", actor, job=job, body=body, sealed={"reason": reason})], self._now())

    def request(self, job: str) -> UnblindRequest | None:
        """The newest, while nobody has answered it and nothing else was chosen since."""
        with self._database.reading() as connection:
            return _request(connection, job)

    def answer(self, job: str, request: int, *, agree: bool, actor: str) -> None:
        """NotFound where it is not the one that stands, Forbidden where who asked agrees. It is looked at in the
        transaction that answers: somebody's own request could otherwise come between."""
        with self._database.writing() as connection:
            standing = _request(connection, job)
            if standing is None or standing.sequence != request:
                raise NotFound("There is no such request any more; look at the page again.")
            if agree and standing.actor == actor:
                raise Forbidden("Another member of the hiring team or an administrator has to agree to your request.")
            if agree:
                _show(connection, job, standing.wanted, actor, self._now(), request=request)
            else:
                body = {"what": REFUSED, "request": request}
                append(connection, [EventDraft("job", actor, job=job, body=body)], self._now())


def _settings(connection: Connection, job: str) -> JobSettings:
    row = connection.execute(select(job_settings).where(job_settings.c.job == job)).one_or_none()
    return from_row(JobSettings, row) if row else JobSettings()


def _show(
    connection: Connection,
    job: str,
    wanted: JobSettings,
    actor: str,
    now: datetime,
    *,
    reason: str = "",
    request: int | None = None,
) -> None:
    connection.execute(delete(job_settings).where(job_settings.c.job == job))
    connection.execute(insert(job_settings).values(job=job, **asdict(wanted)))
    body = {"what": SHOWN, **asdict(wanted), **({} if request is None else {"request": request})}
    sealed = {"reason": reason} if reason else {}
    append(connection, [EventDraft("job", actor, job=job, body=body, sealed=sealed)], now)


def _request(connection: Connection, job: str) -> UnblindRequest | None:
    """From the ledger itself: nobody can make up a request that is not in the chain."""
    query = select(ledger).where(ledger.c.kind == "job", ledger.c.job == job).order_by(ledger.c.sequence.desc())
    events = (from_row(Link, row).event() for row in connection.execute(query))
    newest = next((event for event in events if event.body.get("what") in (SHOWN, ASKED, REFUSED)), None)
    if newest is None or newest.body["what"] != ASKED:
        return None
    actor = connection.execute(select(seals.c.key).where(seals.c.seal == newest.actor)).scalar_one_or_none()
    same = (openings.c.sequence == newest.sequence) & (openings.c.name == "reason")
    reason = connection.execute(select(openings.c.value).where(same)).scalar_one_or_none()
    wanted = JobSettings(bool(newest.body["blind"]), bool(newest.body["hide_schools"]))
    return UnblindRequest(newest.sequence, wanted, actor or "", json.loads(unpack(reason)) if reason else "")


# Searches of a job's applications that a person saved under a name.


@dataclass(frozen=True, slots=True)
class StoredSearch:
    id: str
    job: str
    actor: str
    name: str
    query: str  # of the page's address
    created: datetime


saved_searches = Table(
    "saved_searches",
    MASTER,
    Column("id", String(32), primary_key=True),
    Column("job", ForeignKey("jobs.id"), nullable=False),
    Column("actor", CleanText, nullable=False),
    Column("name", CleanText, nullable=False),
    Column("query", CleanText, nullable=False),  # of the page's address: what is saved is what is shown
    Column("created", UtcTime, nullable=False),
    UniqueConstraint("job", "actor", "name"),
)

NAME_LENGTH = 100
MAX_SEARCHES = 100  # of one person for one job
QUERY_LENGTH = 4_000


class SearchStore(StoreBase):
    def save(self, job: str, name: str, query: str, *, actor: str) -> str:
        """Its id; one of the same name is replaced."""
        name = clean(" ".join(name.split()))
        if not name or len(name) > NAME_LENGTH:
            raise UsageError(f"A saved search needs a name of at most {NAME_LENGTH} characters.")
        if len(query) > QUERY_LENGTH:
            raise UsageError("This search is too long to be saved.")
        own = (saved_searches.c.job == job) & (saved_searches.c.actor == actor)
        id = new_id()
        with self._database.writing() as connection:
            connection.execute(delete(saved_searches).where(own & (saved_searches.c.name == name)))
            if len(connection.execute(select(saved_searches.c.id).where(own)).all()) >= MAX_SEARCHES:
                raise UsageError(f"There are {MAX_SEARCHES} saved searches already; remove one first.")
            connection.execute(
                insert(saved_searches).values(
                    id=id, job=job, actor=actor, name=name, query=clean(query), created=self._now()
                )
            )
        return id

    def of_job(self, job: str, *, actor: str) -> list[StoredSearch]:
        """Of one person for one job, by name."""
        own = (saved_searches.c.job == job) & (saved_searches.c.actor == actor)
        searches = self._records(StoredSearch, select(saved_searches).where(own))
        return sorted(searches, key=lambda search: (search.name.casefold(), search.id))

    def remove(self, id: str, *, job: str, actor: str) -> None:
        """One's own: another's is not found."""
        own = (saved_searches.c.id == id) & (saved_searches.c.job == job) & (saved_searches.c.actor == actor)
        with self._database.writing() as connection:
            if connection.execute(delete(saved_searches).where(own)).rowcount == 0:
                raise NotFound("There is no such saved search.")
