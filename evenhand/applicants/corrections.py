"""Putting right what was misread: the profile follows, the index follows, and both versions stay on record.

A correction is of one application. To other applications with the same file it is proposed: who has them accepts or
declines. Only what a person asks for themselves is made to all their applications with the file at once. Corrections
are kept apart from what is mined. A file that is mined anew gets them again; what they can no longer be applied to is
said with the facts, never passed over.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from evenhand.applicants.erasure import whole_person
from evenhand.errors import Forbidden, NotFound, UsageError
from evenhand.mining.corrections import FIELDS, CorrectionInput, FieldChange, Unchanged, Unplaced, make_change, value_of
from evenhand.mining.pipeline import vocabulary_for
from evenhand.records import Document, Profile
from evenhand.screening.candidate_list import Viewer
from evenhand.screening.ingest import changes_of, prepared, read_with
from evenhand.screening.redaction import redact_application
from evenhand.search.evidence import complete_for_job
from evenhand.search.service import ListRank, Service, rank_of
from evenhand.search.visibility import pseudonym
from evenhand.store.applications import Application
from evenhand.store.corrections import (
    APPLICATION,
    CARRY,
    DECLINE,
    PERSON,
    CorrectionDraft,
    StoredCorrection,
    StoredReading,
)

REASON_LENGTH = 2_000
MASKED_FIELD = "This field is masked for you and cannot be corrected by you."


@dataclass(frozen=True, slots=True)
class CorrectionOutcome:
    correction: str
    before: ListRank
    after: ListRank


def correct(
    service: Service,
    application: Application,
    wanted: CorrectionInput,
    *,
    actor: str,
    reason: str = "",
    everywhere: bool = False,
) -> CorrectionOutcome:
    """Raises UsageError for what cannot be corrected so, with nothing changed.

    `everywhere` makes it to all applications that the same person made with this file; those that are right already
    stay as they are. It is for who may see all of them.
    """
    reason = _checked(reason)
    store = service.store
    reading, document = store.corrections.reading(application.id), store.documents.get(application.document)
    now = _as_shown(service, application, reading, document)
    change = make_change(wanted, now, document, vocabulary_for(service.settings))
    readings = [reading]
    if everywhere:
        others = map(store.corrections.reading, same_resume(service, application)[1:])
        readings += [other for other in others if _would_change(change, other)]
    return _make(service, readings, change, actor=actor, reason=reason, scope=PERSON if everywhere else APPLICATION)


def same_resume(service: Service, application: Application) -> list[str]:
    """This application and all others that the same person made with the same file."""
    of_person = service.store.applications.get_many(whole_person(service, application))
    return [other.id for other in of_person if other.document == application.document]


def correct_all(
    service: Service,
    application: Application,
    wanted: Sequence[CorrectionInput],
    *,
    actor: str,
    reason: str = "",
    everywhere: bool = False,
) -> CorrectionOutcome:
    """Several fields at once, each a correction of its own; those that are as they were are passed over.

    Nothing is changed where one of them cannot be.
    """
    document = service.store.documents.get(application.document)
    now = _as_shown(service, application, service.store.corrections.reading(application.id), document)
    vocabulary = vocabulary_for(service.settings)
    differing = []
    for correction in wanted:
        try:
            make_change(correction, now, document, vocabulary)
            differing.append(correction)
        except Unchanged:
            continue
    if not differing:
        raise UsageError("Nothing was changed: these are the values already recorded.")
    made = [
        correct(service, application, field, actor=actor, reason=reason, everywhere=everywhere) for field in differing
    ]
    return CorrectionOutcome(made[-1].correction, made[0].before, made[-1].after)


def accept_correction(
    service: Service, viewer: Viewer, application: Application, id: str, *, actor: str, reason: str = ""
) -> CorrectionOutcome:
    """One that is proposed from another application with the same file becomes this one's. Raises NotFound for any
    other, and Forbidden for a field that the viewer does not see."""
    reading, change = _proposed(service, viewer, application, id)
    return _make(service, [reading], change, actor=actor, reason=_checked(reason), accepted=id)


def decline_correction(
    service: Service, viewer: Viewer, application: Application, id: str, *, actor: str, reason: str = ""
) -> None:
    """Nothing changes, and it is not proposed to this application again. Raises as `accept_correction` does."""
    reading, change = _proposed(service, viewer, application, id)
    draft = _draft(reading, change, _checked(reason))
    service.store.corrections.decline(id, draft, of=reading, actor=actor)


def proposed_corrections(service: Service, application: Application) -> list[StoredCorrection]:
    """Those made to other applications with the same file that would change something here."""
    proposed = service.store.corrections.proposed(application)
    if not proposed or not service.store.documents.mined([application.document]):
        return []
    reading = service.store.corrections.reading(application.id)
    return [one for one in proposed if _would_change(changes_of([one])[0], reading)]


def revert_correction(
    service: Service, application: Application, id: str, *, actor: str, reason: str = "", viewer: Viewer | None = None
) -> CorrectionOutcome:
    """As if it had never been made to this application; the others stand. Raises Forbidden for a field that the viewer
    does not see: without a correction of the name, masking would look for the name that was misread."""
    reason = _checked(reason)
    reading = service.store.corrections.reading(application.id)
    made = {one.id: one for one in service.store.corrections.of_application(application.id) if one.action != DECLINE}
    if id not in made:
        raise NotFound("There is no such correction of this resume.")
    if viewer is not None and made[id].field in hidden_fields(viewer):
        raise Forbidden(MASKED_FIELD)
    if id not in [correction.id for correction in reading.standing]:
        raise UsageError("This correction was already undone.")
    rest = changes_of(correction for correction in reading.standing if correction.id != id)
    result = prepared(read_with(reading, rest), reading.text) if rest else None
    before = rank_of(service, application.job, application.id)
    service.store.corrections.undo(id, of=reading, result=result, actor=actor, reason=reason)
    after = rank_of(service, application.job, application.id)
    service.store.corrections.record_ranks(id, application.id, {"undone": after.to_json()})
    return CorrectionOutcome(id, before, after)


def _make(
    service: Service,
    readings: Sequence[StoredReading],
    change: FieldChange,
    *,
    actor: str,
    reason: str,
    scope: str = APPLICATION,
    accepted: str | None = None,
) -> CorrectionOutcome:
    """The ranks are those of the first of the applications."""
    store = service.store
    concerned = store.applications.get_many([reading.application for reading in readings])
    made = []
    for reading in readings:
        corrected = read_with(reading, [*changes_of(reading.standing), change])
        made.append((reading, _draft(reading, change, reason), prepared(corrected, reading.text)))
    before = [rank_of(service, one.job, one.id) for one in concerned]
    id = store.corrections.add(made, actor=actor, scope=scope, accepted=accepted)
    after = [rank_of(service, one.job, one.id) for one in concerned]
    for one, old, new in zip(concerned, before, after, strict=True):
        store.corrections.record_ranks(id, one.id, {"before": old.to_json(), "after": new.to_json()})
    return CorrectionOutcome(id, before[0], after[0])


def _draft(reading: StoredReading, change: FieldChange, reason: str) -> CorrectionDraft:
    old = value_of(change, _corrected(reading), reading.text)
    return CorrectionDraft(change.field, change.to_json(), old, change.value, reason)


def _corrected(reading: StoredReading) -> Profile:
    """With everything that stands."""
    return read_with(reading, changes_of(reading.standing))


def _as_shown(service: Service, application: Application, reading: StoredReading, document: Document) -> Profile:
    """With what the text shows of the job's demands, so that people can say that it is not so."""
    return complete_for_job(_corrected(reading), document.text, service.store.jobs.get(application.job).requirements)


def _would_change(change: FieldChange, reading: StoredReading) -> bool:
    try:
        return bool(_draft(reading, change, "").old != change.value)
    except Unplaced:
        return False


def _proposed(service: Service, viewer: Viewer, application: Application, id: str) -> tuple[StoredReading, FieldChange]:
    proposal = next((one for one in proposed_corrections(service, application) if one.id == id), None)
    if proposal is None:
        raise NotFound("There is no such proposed correction of this resume.")
    if proposal.field in hidden_fields(viewer):
        raise Forbidden(MASKED_FIELD)
    return service.store.corrections.reading(application.id), changes_of([proposal])[0]


def _checked(reason: str) -> str:
    reason = reason.strip()
    if len(reason) > REASON_LENGTH:
        raise UsageError(f"The reason has at most {REASON_LENGTH:,} characters.")
    return reason


# What somebody needs to see to put right what was misread: the facts, the text beside them, what was put right, and
# what is proposed.

ELSEWHERE = "another application of this file"


@dataclass(frozen=True, slots=True)
class CorrectionLine:
    """One correction, in words."""

    correction: StoredCorrection
    what: str
    old: str
    new: str
    who: str

    @property
    def is_declined(self) -> bool:
        return self.correction.action == DECLINE

    @property
    def ranks(self) -> str:
        """ "4 → 2"."""
        known = self.correction.ranks or {}
        before, after = (known.get(name, {}).get("rank") for name in ("before", "after"))
        return f"{before or '–'} → {after or '–'}" if known else ""


@dataclass(frozen=True, slots=True)
class ProposedCorrection:
    """What was put right for another application with the same file; of that one nothing else is told."""

    id: str
    field: str
    what: str
    entry: str  # how the job or study begins in the text, for a fact of one
    old: str
    new: str
    is_masked: bool  # and so cannot be accepted or declined by who looks


@dataclass(frozen=True, slots=True)
class CorrectionPage:
    name: str
    profile: Profile
    text: str
    hidden: frozenset[str]  # fields that are not to be seen, and so cannot be put right
    rank: ListRank
    lines: tuple[CorrectionLine, ...]  # the newest first
    proposed: tuple[ProposedCorrection, ...]


def build_correction_page(service: Service, viewer: Viewer, application: Application) -> CorrectionPage:
    seen = redact_application(service, application, viewer.visibility)
    if seen is None:
        raise NotFound("This resume has not been read yet.")
    corrections = service.store.corrections.of_application(application.id)
    names = service.store.accounts.names([correction.actor for correction in corrections])
    hidden = hidden_fields(viewer)
    lines = []
    for correction in reversed(corrections):
        # Who made it for another application, and why, is told to who may see that one.
        is_own = correction.action != CARRY
        lines.append(
            CorrectionLine(
                replace(correction, reason=seen.clean(correction.reason) if is_own else ""),
                FIELDS.get(correction.field, correction.field),
                "masked" if correction.field in hidden else seen.clean(value_words(correction.old)),
                "masked" if correction.field in hidden else seen.clean(value_words(correction.new)),
                names.get(correction.actor, correction.actor) if is_own else ELSEWHERE,
            )
        )
    name = seen.profile.name.value if seen.profile.name and not viewer.visibility.is_blind else None
    return CorrectionPage(
        name or pseudonym(application.id),
        seen.profile,
        seen.document.text,
        hidden,
        rank_of(service, application.job, application.id),
        tuple(lines),
        list_proposed(service, viewer, application),
    )


def list_proposed(service: Service, viewer: Viewer, application: Application) -> tuple[ProposedCorrection, ...]:
    """The corrections that are proposed for an application, as far as the viewer may see them."""
    proposed = proposed_corrections(service, application)
    if not proposed:
        return ()
    reading, hidden = service.store.corrections.reading(application.id), hidden_fields(viewer)
    clean = _cleaner(service, viewer, application, reading, proposed)
    lines = []
    for one in proposed:
        is_masked = one.field in hidden
        old = _draft(reading, changes_of([one])[0], "").old
        values = ("masked", "masked") if is_masked else (clean(value_words(old)), clean(value_words(one.new)))
        entry = clean((one.change["entry"] or {}).get("words", "")).partition("\n")[0]
        what = FIELDS.get(one.field, one.field)
        lines.append(ProposedCorrection(one.id, one.field, what, entry, *values, is_masked))
    return tuple(lines)


def _cleaner(
    service: Service,
    viewer: Viewer,
    application: Application,
    reading: StoredReading,
    proposed: Sequence[StoredCorrection],
) -> Callable[[str], str]:
    """Masks also the name that is proposed: a proposed title or employer may have it."""
    store, visibility = service.store, viewer.visibility
    if visibility.is_open:
        return str
    document, form = store.documents.get(application.document), store.applications.form(application.candidate)
    changed = read_with(reading, changes_of([*reading.standing, *proposed]))
    now = visibility.masker(document.text, service.masks.of(application.id, application.content)).clean
    proposal = service.masks.find(document, changed, form=form, file=application.file)
    then = visibility.masker(document.text, proposal).clean
    return lambda text: now(then(text))


def hidden_fields(viewer: Viewer) -> frozenset[str]:
    """Fields that are masked for the viewer."""
    fields = {"name": "name", "address": "city", "school": "education.university"}
    return frozenset(field for kind, field in fields.items() if kind in viewer.visibility.kinds)


def value_words(value: Any) -> str:
    if isinstance(value, dict):
        return f"{value.get('start') or '?'} to {value.get('end') or '?'}"
    return "–" if value in (None, "") else str(value)
