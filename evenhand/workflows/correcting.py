"""Putting right what was misread: the profile follows, the index follows, and both versions stay on record.

Corrections are kept apart from what is mined. A file that is mined anew gets them again; what they can no longer be
applied to is said with the facts, never passed over.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from evenhand.errors import NotFound, UsageError
from evenhand.store import Application
from evenhand.store.corrections import NewCorrection
from evenhand.workflows.correctable import Change, Unchanged, Wanted, make_change, value_of
from evenhand.workflows.corrected_readings import changes_of, corrected, prepared, read_with
from evenhand.workflows.job_reading import vocabulary_for
from evenhand.workflows.service import Service
from evenhand.workflows.whole_list import Rank, rank_of

REASON_LENGTH = 2_000


@dataclass(frozen=True, slots=True)
class Outcome:
    correction: str
    before: Rank
    after: Rank


def correct(
    service: Service, application: Application, wanted: Wanted, *, actor: str, reason: str = ""
) -> Outcome:
    """Raises UsageError for what cannot be corrected so, with nothing changed."""
    reason = _checked(reason)
    reading = service.store.reading(application.document)
    now = corrected(reading)
    document = service.store.document(application.document)
    change = make_change(wanted, now, document, vocabulary_for(service.settings))
    old = value_of(change, now, reading.text)
    result = prepared(read_with(reading, [*changes_of(reading), change]), reading.text)
    before = rank_of(service, application.job, application.id)
    new = NewCorrection(wanted.field, change.to_json(), old, change.value, reason)
    id = service.store.add_correction(application.id, new, of=reading, result=result, actor=actor)
    after = rank_of(service, application.job, application.id)
    service.store.note_ranks(id, {"before": before.to_json(), "after": after.to_json()})
    return Outcome(id, before, after)


def correct_all(
    service: Service,
    application: Application,
    wanted: Sequence[Wanted],
    *,
    actor: str,
    reason: str = "",
) -> Outcome:
    """Several fields at once, each a correction of its own; those that are as they were are passed over.

    Nothing is changed where one of them cannot be.
    """
    reading = service.store.reading(application.document)
    now, document = corrected(reading), service.store.document(application.document)
    vocabulary = vocabulary_for(service.settings)
    differing = []
    for each in wanted:
        try:
            make_change(each, now, document, vocabulary)
            differing.append(each)
        except Unchanged:
            continue
    if not differing:
        raise UsageError("Nothing was changed: all of it is as it was read.")
    made = [correct(service, application, each, actor=actor, reason=reason) for each in differing]
    return Outcome(made[-1].correction, made[0].before, made[-1].after)


def take_back(
    service: Service, application: Application, id: str, *, actor: str, reason: str = ""
) -> Outcome:
    """As if it had never been made; the others stand."""
    reason = _checked(reason)
    reading = service.store.reading(application.document)
    if id not in [each.id for each in service.store.corrections(application.document)]:
        raise NotFound("There is no such correction of this resume.")
    if id not in [each.id for each in reading.standing]:
        raise UsageError("This correction has been taken back already.")
    rest = [Change.from_json(each.field, each.change) for each in reading.standing if each.id != id]
    result = prepared(read_with(reading, rest), reading.text)
    before = rank_of(service, application.job, application.id)
    service.store.undo_correction(id, of=reading, result=result, actor=actor, reason=reason)
    after = rank_of(service, application.job, application.id)
    service.store.note_ranks(id, {"undone": after.to_json()})
    return Outcome(id, before, after)


def _checked(reason: str) -> str:
    reason = reason.strip()
    if len(reason) > REASON_LENGTH:
        raise UsageError(f"The reason has at most {REASON_LENGTH:,} characters.")
    return reason
