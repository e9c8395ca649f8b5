"""Putting right what was misread: the profile follows, the index follows, and both versions stay on record.

Corrections are kept apart from what is mined. A file that is mined anew gets them again; what they can no longer be
applied to is said with the facts, never passed over.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from evenhand.errors import NotFound, UsageError
from evenhand.mining.corrections import FIELDS, CorrectionInput, FieldChange, Unchanged, make_change, value_of
from evenhand.mining.pipeline import vocabulary_for
from evenhand.records import Profile
from evenhand.screening.candidate_list import Viewer
from evenhand.screening.ingest import changes_of, corrected, prepared, read_with
from evenhand.screening.redaction import redact_application
from evenhand.search.service import ListRank, Service, rank_of
from evenhand.search.visibility import pseudonym
from evenhand.store.applications import Application
from evenhand.store.corrections import CorrectionDraft, StoredCorrection

REASON_LENGTH = 2_000


@dataclass(frozen=True, slots=True)
class CorrectionOutcome:
    correction: str
    before: ListRank
    after: ListRank


def correct(
    service: Service, application: Application, wanted: CorrectionInput, *, actor: str, reason: str = ""
) -> CorrectionOutcome:
    """Raises UsageError for what cannot be corrected so, with nothing changed."""
    reason = _checked(reason)
    reading = service.store.corrections.reading(application.document)
    now = corrected(reading)
    document = service.store.documents.get(application.document)
    change = make_change(wanted, now, document, vocabulary_for(service.settings))
    old = value_of(change, now, reading.text)
    result = prepared(read_with(reading, [*changes_of(reading), change]), reading.text)
    before = rank_of(service, application.job, application.id)
    new = CorrectionDraft(wanted.field, change.to_json(), old, change.value, reason)
    id = service.store.corrections.add(application.id, new, of=reading, result=result, actor=actor)
    after = rank_of(service, application.job, application.id)
    service.store.corrections.record_ranks(id, {"before": before.to_json(), "after": after.to_json()})
    return CorrectionOutcome(id, before, after)


def correct_all(
    service: Service, application: Application, wanted: Sequence[CorrectionInput], *, actor: str, reason: str = ""
) -> CorrectionOutcome:
    """Several fields at once, each a correction of its own; those that are as they were are passed over.

    Nothing is changed where one of them cannot be.
    """
    reading = service.store.corrections.reading(application.document)
    now, document = corrected(reading), service.store.documents.get(application.document)
    vocabulary = vocabulary_for(service.settings)
    differing = []
    for correction in wanted:
        try:
            make_change(correction, now, document, vocabulary)
            differing.append(correction)
        except Unchanged:
            continue
    if not differing:
        raise UsageError("Nothing was changed: all of it is as it was read.")
    made = [correct(service, application, field, actor=actor, reason=reason) for field in differing]
    return CorrectionOutcome(made[-1].correction, made[0].before, made[-1].after)


def revert_correction(
    service: Service, application: Application, id: str, *, actor: str, reason: str = ""
) -> CorrectionOutcome:
    """As if it had never been made; the others stand."""
    reason = _checked(reason)
    reading = service.store.corrections.reading(application.document)
    if id not in [correction.id for correction in service.store.corrections.of_document(application.document)]:
        raise NotFound("There is no such correction of this resume.")
    if id not in [correction.id for correction in reading.standing]:
        raise UsageError("This correction has been taken back already.")
    rest = [
        FieldChange.from_json(correction.field, correction.change)
        for correction in reading.standing
        if correction.id != id
    ]
    result = prepared(read_with(reading, rest), reading.text)
    before = rank_of(service, application.job, application.id)
    service.store.corrections.undo(id, of=reading, result=result, actor=actor, reason=reason)
    after = rank_of(service, application.job, application.id)
    service.store.corrections.record_ranks(id, {"undone": after.to_json()})
    return CorrectionOutcome(id, before, after)


def _checked(reason: str) -> str:
    reason = reason.strip()
    if len(reason) > REASON_LENGTH:
        raise UsageError(f"The reason has at most {REASON_LENGTH:,} characters.")
    return reason


# What somebody needs to see to put right what was misread: the facts, the text beside them, and what was put
# right.


@dataclass(frozen=True, slots=True)
class CorrectionLine:
    """One correction, in words."""

    correction: StoredCorrection
    what: str
    old: str
    new: str
    who: str

    @property
    def ranks(self) -> str:
        """ "4 → 2"."""
        known = self.correction.ranks or {}
        before, after = (known.get(name, {}).get("rank") for name in ("before", "after"))
        return f"{before or '–'} → {after or '–'}" if known else ""


@dataclass(frozen=True, slots=True)
class CorrectionPage:
    name: str
    profile: Profile
    text: str
    hidden: frozenset[str]  # fields that are not to be seen, and so cannot be put right
    rank: ListRank
    lines: tuple[CorrectionLine, ...]  # the newest first


def build_correction_page(service: Service, viewer: Viewer, application: Application) -> CorrectionPage:
    seen = redact_application(service.store, application, viewer.visibility)
    if seen is None:
        raise NotFound("This resume has not been read yet.")
    corrections = service.store.corrections.of_document(application.document)
    names = service.store.accounts.names([correction.actor for correction in corrections])
    kinds = viewer.visibility.kinds
    fields = {"name": "name", "address": "city", "school": "education.university"}
    hidden = frozenset(field for kind, field in fields.items() if kind in kinds)
    lines = [
        CorrectionLine(
            replace(correction, reason=seen.clean(correction.reason)),
            FIELDS.get(correction.field, correction.field),
            "masked" if correction.field in hidden else seen.clean(value_words(correction.old)),
            "masked" if correction.field in hidden else seen.clean(value_words(correction.new)),
            names.get(correction.actor, correction.actor),
        )
        for correction in reversed(corrections)
    ]
    name = seen.profile.name.value if seen.profile.name and not viewer.visibility.is_blind else None
    return CorrectionPage(
        name or pseudonym(application.id),
        seen.profile,
        seen.document.text,
        hidden,
        rank_of(service, application.job, application.id),
        tuple(lines),
    )


def value_words(value: Any) -> str:
    if isinstance(value, dict):
        return f"{value.get('start') or '?'} to {value.get('end') or '?'}"
    return "–" if value in (None, "") else str(value)
