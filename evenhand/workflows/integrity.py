"""Whether store, files and index agree: every disagreement as a sentence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from evenhand.search.index import Snapshot
from evenhand.store import Application, Decision, Indexed, Store
from evenhand.store.statuses import NEW
from evenhand.workflows.mined_data import DIGEST_VERSION

SLICE = 250  # applications with their texts held in memory at once


def disagreements(store: Store, snapshot: Snapshot) -> Iterator[str]:
    """None if all is well. For an index that has just followed, while nobody writes."""
    yield from _about_files(store)
    yield from _about_applications(store, snapshot)


def _about_files(store: Store) -> Iterator[str]:
    found = store.check()
    for kind, names in (("is missing", found.missing), ("is damaged", found.damaged)):
        yield from (f"The file {name} {kind}." for name in names)
    yield from (f"The file {name} is none that was kept." for name in found.alien)


def _about_applications(store: Store, snapshot: Snapshot) -> Iterator[str]:
    newest = store.revision()
    if snapshot.revision != newest:
        yield f"The index is at revision {snapshot.revision}, the store at {newest}."
    mined = 0
    for rows in _slices(store.applications_since(0)):
        histories = store.histories([row.application.id for row in rows])
        for row in rows:
            yield from _about_decisions(row.application, histories.get(row.application.id, []))
            if row.profile() is None or row.digest is None:
                yield f"Nothing has been mined for the application {row.application.id}."
            else:
                mined += 1
                yield from _about_entry(snapshot, row)
    if snapshot.number != mined:
        yield f"The index holds {snapshot.number} entries for {mined} applications."


def _slices(rows: Iterator[Indexed]) -> Iterator[list[Indexed]]:
    while some := list(islice(rows, SLICE)):
        yield some


def _about_decisions(application: Application, history: Sequence[Decision]) -> Iterator[str]:
    """The status is what the decisions on record lead to, one after the other."""
    status = NEW
    for decision in history:
        if decision.from_status != status:
            yield f"The decision {decision.id} began at {decision.from_status}, not at {status}."
        status = decision.to_status
    if status != application.status:
        yield f"The application {application.id} is {application.status}, decided was {status}."


def _about_entry(snapshot: Snapshot, row: Indexed) -> Iterator[str]:
    application = row.application
    address = snapshot.find(application.id)
    if address is None:
        yield f"The application {application.id} is not in the index."
        return
    entry = snapshot.entry(address)
    held = (entry.job, entry.status, entry.revision, entry.card["document"], entry.text)
    kept = (application.job, application.status, application.revision, application.document, row.text)
    same_digest = row.digest_version != DIGEST_VERSION or entry.digest == row.digest
    if held != kept or not same_digest:
        yield f"The index holds another state of the application {application.id}."
