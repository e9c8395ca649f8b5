"""Notes, tags, dismissed flags and relevance labels: what people write beside an application."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Column, ForeignKey, Integer, String, Table, delete, func, insert, select

from evenhand.errors import NotFound, UsageError
from evenhand.records import content_hash
from evenhand.records.event import EventDraft
from evenhand.store.applications import existing_application
from evenhand.store.base import StoreBase, new_id, one_row, select_in
from evenhand.store.ledger_append import append
from evenhand.store.tables import MASTER, CleanText, UtcTime, applications, clean


@dataclass(frozen=True, slots=True)
class CandidateNote:
    id: str
    application: str
    actor: str
    text: str
    time: datetime


@dataclass(frozen=True, slots=True)
class UserLabel:
    application: str
    user: str
    label: str
    version: int
    time: datetime


notes = Table(
    "notes",
    MASTER,
    Column("id", String(32), primary_key=True),
    Column("application", ForeignKey("applications.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("actor", CleanText, nullable=False),
    Column("text", CleanText, nullable=False),
    Column("time", UtcTime, nullable=False),
)

tags = Table(
    "tags",
    MASTER,
    Column("application", ForeignKey("applications.id", ondelete="CASCADE"), primary_key=True),
    Column("tag", CleanText, primary_key=True),
    Column("actor", CleanText, nullable=False),
    Column("time", UtcTime, nullable=False),
)

flag_overrides = Table(
    "flag_overrides",
    MASTER,
    Column("application", ForeignKey("applications.id", ondelete="CASCADE"), primary_key=True),
    Column("flag", String(64), primary_key=True),  # hash of its code and message: a new finding is shown again
    Column("code", String(32), nullable=False),
    Column("actor", CleanText, nullable=False),
    Column("reason", CleanText, nullable=False),
    Column("time", UtcTime, nullable=False),
)

labels = Table(
    "labels",
    MASTER,
    Column("application", ForeignKey("applications.id", ondelete="CASCADE"), primary_key=True),
    Column("user", CleanText, primary_key=True),
    Column("version", Integer, primary_key=True),  # 1, 2, ...: an opinion that changed is kept beside the new one
    Column("label", String(32), nullable=False),
    Column("time", UtcTime, nullable=False),
)

NOTE_LENGTH = 10_000
TAG_LENGTH = 60


class NoteStore(StoreBase):
    def add(self, application: str, text: str, *, actor: str) -> str:
        """The id of the note."""
        text = _written(text, "A note", NOTE_LENGTH)
        id, now = new_id(), self._now()
        with self._database.writing() as connection:
            job = existing_application(connection, application).job
            connection.execute(insert(notes).values(id=id, application=application, actor=actor, text=text, time=now))
            append(connection, [_note(application, job, actor, "added", text, note=id)], now)
        return id

    def remove(self, id: str, *, application: str, actor: str) -> None:
        """Of this application, or it is not found: an id alone opens nothing."""
        now = self._now()
        same = (notes.c.id == id) & (notes.c.application == application)
        with self._database.writing() as connection:
            job = existing_application(connection, application).job
            row = one_row(connection, select(notes.c.text).where(same), NotFound("There is no such note."))
            connection.execute(delete(notes).where(same))
            append(connection, [_note(application, job, actor, "removed", row.text, note=id)], now)

    def of_application(self, application: str) -> list[CandidateNote]:
        """The newest first."""
        query = select(notes).where(notes.c.application == application).order_by(notes.c.time.desc(), notes.c.id)
        return self._records(CandidateNote, query)

    def add_tag(self, application: str, tag: str, *, actor: str) -> bool:
        """Whether it is new."""
        tag = _written(" ".join(tag.split()), "A tag", TAG_LENGTH)
        now = self._now()
        with self._database.writing() as connection:
            job = existing_application(connection, application).job
            same = (tags.c.application == application) & (tags.c.tag == tag)
            if connection.execute(select(tags.c.tag).where(same)).first():
                return False
            connection.execute(insert(tags).values(application=application, tag=tag, actor=actor, time=now))
            append(connection, [_note(application, job, actor, "tagged", tag)], now)
        return True

    def remove_tag(self, application: str, tag: str, *, actor: str) -> None:
        now = self._now()
        with self._database.writing() as connection:
            job = existing_application(connection, application).job
            same = (tags.c.application == application) & (tags.c.tag == clean(tag))
            if connection.execute(delete(tags).where(same)).rowcount == 0:
                raise NotFound(f"The application has no tag {tag!r}.")
            append(connection, [_note(application, job, actor, "untagged", tag)], now)

    def tags(self, ids: Sequence[str]) -> dict[str, tuple[str, ...]]:
        """By application, in the order of the alphabet; those without are left out."""
        by_application: dict[str, list[str]] = defaultdict(list)
        with self._database.reading() as connection:
            for row in select_in(connection, select(tags).order_by(tags.c.tag), tags.c.application, ids):
                by_application[row.application].append(row.tag)
        return {application: tuple(names) for application, names in by_application.items()}

    def dismiss_flag(self, application: str, code: str, message: str, *, actor: str, reason: str) -> None:
        """A person has looked into it and found nothing. Another finding of the kind is shown again."""
        reason = _written(reason, "A reason", NOTE_LENGTH)
        now, flag = self._now(), flag_key(code, message)
        with self._database.writing() as connection:
            job = existing_application(connection, application).job
            same = (flag_overrides.c.application == application) & (flag_overrides.c.flag == flag)
            connection.execute(delete(flag_overrides).where(same))
            connection.execute(
                insert(flag_overrides).values(
                    application=application, flag=flag, code=code, actor=actor, reason=reason, time=now
                )
            )
            append(connection, [_override(application, job, actor, code, "set aside", reason=reason, flag=flag)], now)

    def restore_flag(self, application: str, flag: str, *, actor: str) -> None:
        """`flag` is its key."""
        now = self._now()
        same = (flag_overrides.c.application == application) & (flag_overrides.c.flag == flag)
        with self._database.writing() as connection:
            job = existing_application(connection, application).job
            missing = NotFound("This flag is not dismissed.")
            row = one_row(connection, select(flag_overrides.c.code).where(same), missing)
            connection.execute(delete(flag_overrides).where(same))
            append(connection, [_override(application, job, actor, row.code, "brought back", flag=flag)], now)

    def dismissed_flags(self, ids: Sequence[str]) -> dict[str, dict[str, str]]:
        """By application, the keys of its flags with the reasons given."""
        reasons: dict[str, dict[str, str]] = defaultdict(dict)
        with self._database.reading() as connection:
            for row in select_in(connection, select(flag_overrides), flag_overrides.c.application, ids):
                reasons[row.application][row.flag] = row.reason
        return dict(reasons)


def flag_key(code: str, message: str) -> str:
    return content_hash([code, message])


def _written(text: str, what: str, most: int) -> str:
    if text != clean(text):
        raise UsageError(f"{what} contains characters that cannot be kept: NUL, or half of a surrogate pair.")
    text = text.strip()
    if not text:
        raise UsageError(f"{what} needs words.")
    if len(text) > most:
        raise UsageError(f"{what} has at most {most:,} characters.")
    return text


def _note(application: str, job: str, actor: str, what: str, text: str, **ids: str) -> EventDraft:
    body = {"what": what, **ids}
    return EventDraft("note", actor, job=job, subjects=(application,), body=body, sealed={"text": text})


def _override(application: str, job: str, actor: str, code: str, what: str, **sealed: str) -> EventDraft:
    body = {"what": what, "flag": code}
    return EventDraft("override", actor, job=job, subjects=(application,), body=body, sealed=sealed)


class LabelStore(StoreBase):
    """Relevance feedback: what users thought of an application, every opinion kept."""

    def add(self, application: str, *, user: str, label: str) -> int:
        """The version of this user's opinion: 1, then 2 when it changes."""
        with self._database.writing() as connection:
            existing_application(connection, application)
            same = (labels.c.application == application) & (labels.c.user == user)
            newest = connection.execute(select(func.max(labels.c.version)).where(same)).scalar_one()
            version = int(newest or 0) + 1
            connection.execute(
                insert(labels).values(
                    application=application, user=user, label=label, version=version, time=self._now()
                )
            )
        return version

    def of_job(self, job: str) -> list[UserLabel]:
        """The newest opinion of each user on each application for the job."""
        query = (
            select(labels)
            .join(applications, applications.c.id == labels.c.application)
            .where(applications.c.job == job)
            .order_by(labels.c.application, labels.c.user, labels.c.version)
        )
        return list({(label.application, label.user): label for label in self._records(UserLabel, query)}.values())
