"""Who is meant: a person's applications for any job, found by name, address or phone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from tantivy import Query

from evenhand.errors import UsageError
from evenhand.records import Profile
from evenhand.search.analysis import terms
from evenhand.search.index.conditions import conjunction
from evenhand.store import Application
from evenhand.workflows.candidate_form import form_rows
from evenhand.workflows.service import Service

MOST = 200  # applications looked at
SHORTEST = 3  # characters typed
SHORTEST_PHONE = 6
LAST = 4  # digits of a phone number
WHERE = ("name", "e-mail", "phone", "link", "form", "file name", "text")
"""Where the words were found, the most telling first."""


@dataclass(frozen=True, slots=True)
class Found:
    application: str
    candidate: str
    job: str
    job_title: str | None
    name: str | None
    emails: tuple[str, ...]
    status: str
    received: datetime
    where: str  # one of WHERE

    def to_json(self) -> dict[str, Any]:
        return {
            "application": self.application,
            "candidate": self.candidate,
            "job": self.job,
            "job_title": self.job_title,
            "name": self.name,
            "emails": list(self.emails),
            "status": self.status,
            "received": self.received.isoformat(timespec="seconds"),
            "where": self.where,
        }


def find_people(service: Service, text: str) -> list[Found]:
    """Those who are called so first; then, by where else the words stand."""
    text = " ".join(text.split())
    if len(text) < SHORTEST:
        raise UsageError(
            f"Type at least {SHORTEST} characters of a name, an e-mail address or a phone number."
        )
    store = service.store
    ids: dict[str, None] = {}
    for probe in _probes(text):
        ids |= dict.fromkeys([*_indexed(service, probe), *store.applications_naming(probe, limit=MOST)])
    present = store.present(list(ids))
    found = [
        one
        for application in store.applications([id for id in ids if id in present])
        if (one := _found(service, application, text))
    ]
    return sorted(found, key=lambda one: (WHERE.index(one.where), -one.received.timestamp(), one.application))


def _probes(text: str) -> list[str]:
    """A phone number may be spaced in any way, but its last digits mostly stand together."""
    return [text, _digits(text)[-LAST:]] if _digits(text) else [text]


def _indexed(service: Service, text: str) -> Iterator[str]:
    """Resumes that have every word of it."""
    snapshot = service.snapshot()
    words = terms(text)
    if not words:
        return
    query = conjunction([Query.term_query(snapshot.schema, "text", word) for word in dict.fromkeys(words)])
    addresses = snapshot.everyone(query)[:MOST]
    yield from (application for application, _ in snapshot.digests(addresses))


def _found(service: Service, application: Application, text: str) -> Found | None:
    store = service.store
    profile, form = store.profile(application.document), store.form(application.candidate)
    where = next((where for where, value in _values(application, profile, form) if _holds(value, text)), None)
    if where is None:
        if not _holds(store.document_text(application.document), text):
            return None
        where = "text"
    return Found(
        application.id,
        application.candidate,
        application.job,
        store.job(application.job).title,
        profile.name.value if profile and profile.name else form.get("name"),
        tuple(fact.value for fact in profile.emails) if profile else (),
        application.status,
        application.received,
        where,
    )


def _values(application: Application, profile: Profile | None, form: Any) -> Iterator[tuple[str, str]]:
    if profile:
        if profile.name:
            yield "name", profile.name.value
        yield from (("e-mail", fact.value) for fact in profile.emails)
        yield from (("phone", fact.value) for fact in profile.phones)
        yield from (("link", fact.value) for fact in profile.links)
    yield from (("form", value) for _, value in form_rows(form))
    if application.file:
        yield "file name", application.file


def _holds(value: str, text: str) -> bool:
    """Numbers are compared by their digits, however they are spaced."""
    if text.casefold() in " ".join(value.split()).casefold():
        return True
    digits = _digits(text)
    return bool(digits) and digits in re.sub(r"\D", "", value)


def _digits(text: str) -> str:
    """Of a phone number; nothing for what is none."""
    digits = re.sub(r"\D", "", text)
    return digits if len(digits) >= SHORTEST_PHONE and not re.search(r"[^\W\d]", text) else ""
