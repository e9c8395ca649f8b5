"""What applicants may ask for, as pages and commands offer it: the receipt, the archive, correction and erasure."""

from __future__ import annotations

import json
import re
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import chain
from typing import IO, Any

from tantivy import Query

from evenhand.applicants.erasure import whole_person
from evenhand.applicants.receipt import Receipt, as_json, build_receipt
from evenhand.applicants.receipt_letter import receipt_letter
from evenhand.errors import Forbidden, UsageError
from evenhand.extras import require
from evenhand.ledger.recording import Recorder, denial_draft, receipt_draft
from evenhand.records import Profile
from evenhand.records.conversion import to_json
from evenhand.records.event import LedgerEvent
from evenhand.rendering.letter import Letter
from evenhand.screening.candidate_list import Viewer
from evenhand.search.analysis import terms
from evenhand.search.index.schema import conjunction
from evenhand.search.matching import form_rows
from evenhand.search.service import Service
from evenhand.store.applications import Application

# All of one person's data in one archive: what was sent in, what was made of it, and the record of what happened.

TIME = (1980, 1, 1, 0, 0, 0)  # the same data give the same archive
README = """\
This archive holds what Evenhand keeps about {number} application{s} of one person.

receipt.html, receipt.pdf   everything in plain words
receipt.json                the same for programs
original.*                  the file as it came
text.txt                    its visible text; places of facts are offsets into it, counted in characters from 0
document.json               the same with layout, hidden text and warnings
profile.json                every fact with its place in the text, corrections included
reading.json                the facts as the program read them, where something was corrected
form.json                   what came with it in a form
decisions.json              decisions, without the names of staff
remarks.json                notes, tags, findings that were looked into, corrections
ledger.json                 every event of the record that the application is in

In ledger.json an event has a made-up name (seal) for each person. "salt" is what yours was made with: the seal is the
SHA-256 of the salt and the application's id. "opened" are values that the event only holds a commitment to, with their
salts: the commitment is the SHA-256 of the salt and the value as canonical JSON. What an event says of other applicants
is left out, so its hash cannot be worked out from here; who keeps the record can.
"""
LEFT_OUT = ("listed", "moves", "applications", "subjects")  # lists of people in the body of an event


def _contents(service: Service, application: Application, receipt: Receipt) -> Iterator[tuple[str, bytes]]:
    store = service.store
    documents = store.documents.info([application.document])
    format = documents[0].format if documents and documents[0].format else "bin"
    yield f"original.{format}", store.files.read(application.document)
    yield "receipt.json", json_bytes(receipt.to_json())
    yield "form.json", json_bytes(dict(store.applications.form(application.candidate)))
    if store.documents.mined([application.document]):
        document = store.documents.get(application.document)
        yield "text.txt", document.text.encode("utf-8", "replace")
        yield "document.json", json_bytes(document.to_json())
    profile = store.applications.profile(application.id)
    if profile:
        yield "profile.json", json_bytes(profile.to_json())
        reading = store.corrections.reading(application.id)
        if reading.standing:
            yield "reading.json", json_bytes(reading.profile().to_json())
    yield "decisions.json", json_bytes(as_json(receipt.record.decided))
    remarks = {"written": receipt.written, "flags": receipt.flags, "corrections": receipt.corrections}
    yield "remarks.json", json_bytes(as_json(remarks))
    seal, opened = receipt.record.seal, store.ledger.openings_of(application.id)
    ledger = {
        "application": application.id,
        "seal": seal,
        "salt": store.ledger.salt_of(application.id),
        "events": [_event(event, seal, opened.get(event.sequence, {})) for event in receipt.record.events],
    }
    yield "ledger.json", json_bytes(ledger)


def _event(event: LedgerEvent, seal: str | None, opened: Mapping[str, Any]) -> dict[str, Any]:
    body = {name: value for name, value in event.body.items() if name not in LEFT_OUT}
    own = {name: _own(event.body[name], seal) for name in LEFT_OUT if name in event.body}
    return {**event.to_json(), "body": {**body, **own}, "opened": opened}


def _own(rows: Any, seal: str | None) -> list[Any]:
    """Of a list of people, the lines about this one."""
    return [
        {"place": place, "value": row}
        for place, row in enumerate(rows)
        if row == seal or (isinstance(row, list) and row and row[0] == seal)
    ]


def _add(archive: zipfile.ZipFile, name: str, data: bytes) -> None:
    info = zipfile.ZipInfo(name, TIME)
    info.compress_type = zipfile.ZIP_DEFLATED
    info.external_attr = 0o600 << 16
    archive.writestr(info, data)


def json_bytes(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, indent=2, sort_keys=True).encode("utf-8", "replace") + b"\n"


Html = Callable[[Letter], str]
"""A letter as a page of its own, which only those who have templates can make."""


def make_receipt(
    service: Service, recorder: Recorder, viewer: Viewer, application: Application, *, form: str
) -> Receipt:
    """On record. It shows everything, so it is not for who sees applicants masked."""
    _check_open(recorder, viewer, application)
    receipt = build_receipt(service, application, may_see=viewer.may_see)
    recorder.record([receipt_draft(viewer.user, application.job, application.id, what=f"receipt {form}")])
    return receipt


def make_archive(
    service: Service,
    recorder: Recorder,
    viewer: Viewer,
    applications: Sequence[Application],
    file: IO[bytes],
    *,
    html: Html,
) -> None:
    """Everything, with the receipt as a page and as a PDF. Several applications have a folder each."""
    require("audit")
    from evenhand.rendering.letter_pdf import letter_pdf  # noqa: PLC0415 - the only part that needs an extra

    made = []
    for application in applications:
        _check_open(recorder, viewer, application)
        receipt = build_receipt(service, application, may_see=viewer.may_see)
        letter = receipt_letter(receipt)
        page = html(letter).encode("utf-8", "replace")
        made.append((application, receipt, {"receipt.html": page, "receipt.pdf": letter_pdf(letter)}))
    recorder.record(
        [receipt_draft(viewer.user, application.job, application.id, what="archive") for application in applications]
    )
    number = len(applications)
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        _add(archive, "README.txt", README.format(number=number, s="" if number == 1 else "s").encode())
        for application, receipt, letters in made:
            folder = "" if number == 1 else f"{application.id}/"
            for name, data in chain(_contents(service, application, receipt), letters.items()):
                _add(archive, folder + name, data)


def everything_of(service: Service, application: Application) -> list[Application]:
    """All applications of the same candidate, this one first."""
    return service.store.applications.get_many(whole_person(service, application))


def _check_open(recorder: Recorder, viewer: Viewer, application: Application) -> None:
    if viewer.visibility.is_open:
        return
    path = f"/applications/{application.id}/receipt"
    recorder.record([denial_draft(viewer.user, what="receipt", status=403, path=path, job=application.job)])
    raise Forbidden("A receipt shows what is masked for you. Ask somebody who sees this job's applicants unmasked.")


# Who is meant: a person's applications for any job, found by name, address or phone.

MAX_APPLICATIONS = 200  # applications looked at
MIN_QUERY_LENGTH = 3  # characters typed
MIN_PHONE_DIGITS = 6
LAST = 4  # digits of a phone number
WHERE = ("name", "e-mail", "phone", "link", "form", "file name", "text")
"""Where the words were found, the most telling first."""


@dataclass(frozen=True, slots=True)
class ApplicantMatch:
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
        return {**to_json(self), "received": self.received.isoformat(timespec="seconds")}


def find_people(service: Service, text: str) -> list[ApplicantMatch]:
    """Those who are called so first; then, by where else the words stand."""
    text = " ".join(text.split())
    if len(text) < MIN_QUERY_LENGTH:
        raise UsageError(f"Type at least {MIN_QUERY_LENGTH} characters of a name, an e-mail address or a phone number.")
    store = service.store
    ids: dict[str, None] = {}
    # A phone number may be spaced in any way, but its last digits mostly stand together.
    for probe in [text, _digits(text)[-LAST:]] if _digits(text) else [text]:
        ids |= dict.fromkeys(
            [*_indexed(service, probe), *store.applications.find_by_text(probe, limit=MAX_APPLICATIONS)]
        )
    present = store.erasures.present(list(ids))
    matches = [
        one
        for application in store.applications.get_many([id for id in ids if id in present])
        if (one := _found(service, application, text))
    ]
    return sorted(matches, key=lambda one: (WHERE.index(one.where), -one.received.timestamp(), one.application))


def _indexed(service: Service, text: str) -> Iterator[str]:
    """Resumes that have every word of it."""
    snapshot = service.snapshot()
    words = terms(text)
    if not words:
        return
    query = conjunction([Query.term_query(snapshot.schema, "text", word) for word in dict.fromkeys(words)])
    addresses = snapshot.everyone(query)[:MAX_APPLICATIONS]
    yield from (application for application, _ in snapshot.digests(addresses))


def _found(service: Service, application: Application, text: str) -> ApplicantMatch | None:
    store = service.store
    profile, form = store.applications.profile(application.id), store.applications.form(application.candidate)
    where = next((where for where, value in _values(application, profile, form) if _holds(value, text)), None)
    if where is None:
        if not _holds(store.documents.text(application.document), text):
            return None
        where = "text"
    return ApplicantMatch(
        application.id,
        application.candidate,
        application.job,
        store.jobs.get(application.job).title,
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
    return digits if len(digits) >= MIN_PHONE_DIGITS and not re.search(r"[^\W\d]", text) else ""
