"""All of one person's data in one archive: what was sent in, what was made of it, and the record of what happened."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from typing import IO, Any

from evenhand.records.event import Event
from evenhand.store import Application, Store
from evenhand.workflows.receipt import Receipt, as_json
from evenhand.workflows.service import Service

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


def write_archive(
    service: Service,
    applications: Sequence[Application],
    receipts: Mapping[str, Receipt],
    rendered: Mapping[str, Mapping[str, bytes]],
    file: IO[bytes],
) -> None:
    """`receipts` and `rendered` (receipt.html and receipt.pdf) by application. Several have a folder each."""
    number = len(applications)
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        _add(archive, "README.txt", README.format(number=number, s="" if number == 1 else "s").encode())
        for application in applications:
            folder = "" if number == 1 else f"{application.id}/"
            for name, data in _contents(service, application, receipts[application.id]):
                _add(archive, folder + name, data)
            for name, data in rendered[application.id].items():
                _add(archive, folder + name, data)


def _contents(service: Service, application: Application, receipt: Receipt) -> Iterator[tuple[str, bytes]]:
    store = service.store
    kept = store.documents([application.document])
    format = kept[0].format if kept and kept[0].format else "bin"
    yield f"original.{format}", store.files.read(application.document)
    yield "receipt.json", _json(receipt.to_json())
    yield "form.json", _json(dict(store.form(application.candidate)))
    if store.mined([application.document]):
        document = store.document(application.document)
        yield "text.txt", document.text.encode("utf-8", "replace")
        yield "document.json", _json(document.to_json())
    profile = store.profile(application.document)
    if profile:
        yield "profile.json", _json(profile.to_json())
        reading = store.reading(application.document)
        if reading.standing:
            yield "reading.json", _json(reading.profile().to_json())
    yield "decisions.json", _json(as_json(receipt.record.decided))
    remarks = {"written": receipt.written, "flags": receipt.flags, "corrections": receipt.corrections}
    yield "remarks.json", _json(as_json(remarks))
    yield "ledger.json", _json(_ledger(store, application.id, receipt))


def _ledger(store: Store, application: str, receipt: Receipt) -> dict[str, Any]:
    seal = receipt.record.seal
    opened = store.openings_of(application)
    return {
        "application": application,
        "seal": seal,
        "salt": store.salt_of(application),
        "events": [_event(event, seal, opened.get(event.sequence, {})) for event in receipt.record.events],
    }


def _event(event: Event, seal: str | None, opened: Mapping[str, Any]) -> dict[str, Any]:
    body = {name: value for name, value in event.body.items() if name not in LEFT_OUT}
    own = {name: _own(event.body[name], seal) for name in LEFT_OUT if name in event.body}
    return {**event.to_json(), "body": {**body, **own}, "opened": opened}


def _own(rows: Any, seal: str | None) -> list[Any]:
    """Of a list of people, the lines about this one."""
    found = []
    for place, row in enumerate(rows):
        if row == seal or (isinstance(row, list) and row and row[0] == seal):
            found.append({"place": place, "value": row})
    return found


def _add(archive: zipfile.ZipFile, name: str, data: bytes) -> None:
    info = zipfile.ZipInfo(name, TIME)
    info.compress_type = zipfile.ZIP_DEFLATED
    info.external_attr = 0o600 << 16
    archive.writestr(info, data)


def _json(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, indent=2, sort_keys=True).encode("utf-8", "replace") + b"\n"
