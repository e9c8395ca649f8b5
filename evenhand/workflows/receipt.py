"""Everything that is held about one application and what was made of it, gathered for the person it is about."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, is_dataclass
from datetime import UTC, datetime
from pathlib import PurePath
from typing import Any

from evenhand import __version__
from evenhand.records import Document, Evidence, Hidden, Part, Profile, Warning
from evenhand.store import Application, KeptDocument, KeptJob
from evenhand.store.rights_rows import Kept, KeptCorrection
from evenhand.workflows.candidate_flags import MaySee, flag_rows
from evenhand.workflows.candidate_form import form_rows
from evenhand.workflows.candidate_places import METHODS, placed_facts
from evenhand.workflows.candidate_reasons import ModelSaid, said_of
from evenhand.workflows.candidate_skills import DemandRow, demand_rows
from evenhand.workflows.counterfactual import Difference, what_would_change
from evenhand.workflows.receipt_record import Record, Roles, read_record
from evenhand.workflows.service import Service
from evenhand.workflows.whole_list import Rank, WholeList

ALONE = ("Certificate", "Skill", "Language")  # facts that belong to no job or study
QUOTED = 160  # characters of the resume shown with a fact
MOST_SHOWN = 200  # lists an application was in that the receipt names one by one


@dataclass(frozen=True, slots=True)
class ReadFact:
    label: str
    value: str
    words: str  # of the resume
    page: int
    found_by: str
    sure: float  # 0 to 1
    of: str  # "job 2", "study 1"; empty for what is about the person
    is_entry: bool  # the whole job or study


@dataclass(frozen=True, slots=True)
class Written:
    """What staff wrote beside the application: a note, a tag, a finding somebody looked into."""

    what: str
    text: str
    who: str
    time: datetime | None


@dataclass(frozen=True, slots=True)
class Put:
    """A correction; `undone` when it was taken back."""

    time: datetime
    who: str
    field: str
    old: Any
    new: Any
    reason: str
    undone: datetime | None


@dataclass(frozen=True, slots=True)
class Receipt:
    made: datetime
    version: str
    application: str
    name: str | None
    job: str | None  # its title
    status: str
    received: datetime
    source: str | None
    file: KeptDocument | None
    file_name: str | None
    form: tuple[tuple[str, str], ...]
    text: str
    read: tuple[ReadFact, ...]
    warnings: tuple[Warning, ...]
    hidden: tuple[Hidden, ...]
    rank: Rank
    parts: tuple[Part, ...]
    demands: tuple[DemandRow, ...]
    differences: tuple[Difference, ...]
    models: tuple[ModelSaid, ...]
    flags: tuple[tuple[str, str, str | None], ...]  # title, message, why it was set aside
    written: tuple[Written, ...]
    corrections: tuple[Put, ...]
    record: Record
    kept: Kept
    contact: str  # of who answers for the data; empty where nobody has said

    def to_json(self) -> dict[str, Any]:
        value: dict[str, Any] = as_json(self)
        del value["record"]["events"]  # the archive has them with their openings
        return value


def gather_receipt(
    service: Service, application: Application, *, may_see: MaySee = lambda job: True
) -> Receipt:
    """Jobs that whoever makes it may not see are not named in it, though the applicant knows of them."""
    store = service.store
    job = store.job(application.job)
    whole = WholeList.take(service, job.id)
    listed = whole.listed(application.id)
    profile, document = store.profile(application.document), _document(service, application)
    documents = store.documents([application.document])
    [kept] = store.kept([application.id])
    text = document.text if document else ""
    name = profile.name.value if profile and profile.name else None
    return Receipt(
        made=datetime.now(UTC),
        version=__version__,
        application=application.id,
        name=name or store.form(application.candidate).get("name"),
        job=job.title,
        status=application.status,
        received=application.received,
        source=application.source,
        file=documents[0] if documents else None,
        file_name=PurePath(application.file).name if application.file else None,
        form=form_rows(store.form(application.candidate)),
        text=text,
        read=tuple(_facts(profile, text)) if profile else (),
        warnings=_warnings(document, profile),
        hidden=document.hidden if document else (),
        rank=whole.rank(application.id),
        parts=listed.result.score.parts if listed else (),
        demands=demand_rows(profile, job.requirements) if profile else (),
        differences=_differences(whole, application, profile, text, job),
        models=said_of(service, application),
        flags=_flags(service, application, listed.result.flags if listed else (), may_see),
        written=tuple(_written(service, application)),
        corrections=tuple(_corrections(service, application)),
        record=read_record(store, application.id),
        kept=kept,
        contact=service.settings.rights_contact,
    )


def as_json(value: Any) -> Any:
    """Records as dictionaries, moments as text."""
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: as_json(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat(timespec="seconds")
    if isinstance(value, list | tuple):
        return [as_json(each) for each in value]
    if isinstance(value, dict):
        return {name: as_json(each) for name, each in value.items()}
    return value


def _document(service: Service, application: Application) -> Document | None:
    there = service.store.mined([application.document])
    return service.store.document(application.document) if there else None


def _facts(profile: Profile, text: str) -> Iterator[ReadFact]:
    numbers: Counter[str] = Counter()
    of = ""
    for fact in placed_facts(profile):
        if fact.is_entry:
            numbers[fact.label] += 1
            of = f"{fact.label.lower()} {numbers[fact.label]}"
        elif fact.label in ALONE:
            of = ""
        place = fact.places[0]
        yield ReadFact(
            fact.label,
            fact.value,
            _quoted(place, text),
            place.page,
            METHODS.get(place.method, place.method),
            place.confidence,
            of,
            fact.is_entry,
        )


def _quoted(place: Evidence, text: str) -> str:
    words = " ".join(text[place.start : place.end].split())
    return words if len(words) <= QUOTED else words[: QUOTED - 1].rstrip() + "…"


def _warnings(document: Document | None, profile: Profile | None) -> tuple[Warning, ...]:
    found = [*(document.warnings if document else ()), *(profile.warnings if profile else ())]
    if document and document.error:
        found.insert(0, Warning(document.error.code, document.error.message))
    return tuple(dict.fromkeys(found))


def _differences(
    whole: WholeList, application: Application, profile: Profile | None, text: str, job: KeptJob
) -> tuple[Difference, ...]:
    if profile is None:
        return ()
    return what_would_change(whole, application.id, profile, text, job.requirements)


def _flags(
    service: Service, application: Application, flags: Sequence[Any], may_see: MaySee
) -> tuple[tuple[str, str, str | None], ...]:
    store = service.store
    alerts = store.alerts([application.id])[application.id]
    aside = store.flags_set_aside([application.id]).get(application.id, {})
    rows = flag_rows(alerts, flags, aside, may_see=may_see)
    return tuple((row.title, row.message, row.set_aside) for row in rows)


def _written(service: Service, application: Application) -> Iterator[Written]:
    roles = Roles(service.store)
    for note in service.store.notes(application.id):
        yield Written("Note", note.text, roles.of(note.actor), note.time)
    for tag in service.store.tags([application.id]).get(application.id, ()):
        yield Written("Tag", tag, "", None)
    for label in service.store.labels(application.job):
        if label.application == application.id:
            yield Written("Opinion", label.label, roles.of(label.user), label.time)


def _corrections(service: Service, application: Application) -> Iterator[Put]:
    roles = Roles(service.store)
    for each in service.store.corrections(application.document):
        yield _put(each, roles)


def _put(each: KeptCorrection, roles: Roles) -> Put:
    return Put(each.time, roles.of(each.actor), each.field, each.old, each.new, each.reason, each.undone)
