"""Everything that is held about one application and what was made of it, gathered for the person it is about."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, is_dataclass
from datetime import UTC, datetime
from itertools import groupby
from pathlib import PurePath
from typing import Any

from evenhand import __version__
from evenhand.applicants.counterfactual import CounterfactualEffect, what_would_change
from evenhand.records import Hidden, Part, Profile, Warning
from evenhand.records.event import SYSTEM, LedgerEvent
from evenhand.screening.candidate_career import DemandRow, demand_rows
from evenhand.screening.candidate_history import flag_rows
from evenhand.screening.candidate_predictions import ModelReasons, said_of
from evenhand.screening.candidate_text import METHODS, placed_facts
from evenhand.search.evidence import complete_for_job
from evenhand.search.matching import form_rows
from evenhand.search.service import FullRanking, ListRank, Service
from evenhand.store.applications import STATUS_NAMES, UNDO, Application
from evenhand.store.corrections import CARRY, DECLINE
from evenhand.store.decisions import Decision
from evenhand.store.duplicates import MaySee
from evenhand.store.ledger_append import APPLICATION, RESUME_VIEWS
from evenhand.store.mined import StoredDocument
from evenhand.store.retention import RetentionPeriod
from evenhand.store.store import Store

# What the ledger and the decisions tell an applicant: who decided what, who looked, and where they stood in
# lists.

ROLES = {"recruiter": "a recruiter", "auditor": "an auditor", "admin": "an administrator", SYSTEM: "the program"}
COMMAND_LINE = "a person at the command line"
SEEN = ("ranking", "view", "export", "receipt")


@dataclass(frozen=True, slots=True)
class ReceiptDecision:
    time: datetime
    who: str  # a role, never a name
    before: str
    after: str
    reason: str
    many: bool  # with others at once
    undone: bool
    undoes: bool
    opened: bool | None  # whether anybody had opened the resume before; None: from before that was on record


@dataclass(frozen=True, slots=True)
class AccessSummary:
    """How often somebody of a role was shown the application, opened it or took it away."""

    kind: str  # one of SEEN
    who: str
    times: int
    people: int
    first: datetime
    last: datetime


@dataclass(frozen=True, slots=True)
class ListAppearance:
    """The application in a list that somebody looked at."""

    time: datetime
    rank: int
    total: int
    score: float
    filtered: bool  # a search or a choice made the list shorter
    sequence: int


@dataclass(frozen=True, slots=True)
class ReceiptRecord:
    decided: tuple[ReceiptDecision, ...]
    seen: tuple[AccessSummary, ...]
    shown: tuple[ListAppearance, ...]  # the oldest first
    seal: str | None  # the name that the ledger has for the application
    events: tuple[LedgerEvent, ...]


class ActorRoles:
    """By key or seal, what somebody is here; names of staff are theirs and stay out of what applicants get."""

    def __init__(self, store: Store) -> None:
        self._roles = {user.id: ROLES.get(user.role, user.role) for user in store.accounts.all()}

    def of(self, key: str | None) -> str:
        if key == SYSTEM:
            return ROLES[SYSTEM]
        return self._roles.get(key or "", COMMAND_LINE)


def read_record(store: Store, application: str, roles: ActorRoles) -> ReceiptRecord:
    events = store.ledger.of_application(application)
    keys = store.ledger.unsealed([event.actor for event in events]) | {SYSTEM: SYSTEM}
    seal = store.ledger.seal_of(APPLICATION, application)
    return ReceiptRecord(
        tuple(_decided(store.decisions.of_application(application), roles, _first_opened(events))),
        tuple(_seen(events, keys, roles)),
        tuple(_shown(store, events, seal)) if seal else (),
        seal,
        tuple(events),
    )


def _first_opened(events: Sequence[LedgerEvent]) -> int | None:
    """The first event with which somebody had the resume before them."""
    opened = (event for event in events if event.kind in ("view", "export") and event.body["what"] in RESUME_VIEWS)
    return next((event.sequence for event in opened), None)


def _decided(decisions: Sequence[Decision], roles: ActorRoles, first_opened: int | None) -> Iterator[ReceiptDecision]:
    for _, batch in groupby(decisions, key=lambda decision: decision.batch):
        steps = list(batch)
        first, last = steps[0], steps[-1]
        yield ReceiptDecision(
            last.time,
            roles.of(last.actor),
            STATUS_NAMES[first.from_status],
            STATUS_NAMES[last.to_status],
            last.reason,
            last.bulk,
            last.undone_by is not None,
            last.action == UNDO,
            None if last.sequence is None else first_opened is not None and first_opened < last.sequence,
        )


def _seen(events: Sequence[LedgerEvent], keys: dict[str, str], roles: ActorRoles) -> Iterator[AccessSummary]:
    groups: dict[tuple[str, str], list[LedgerEvent]] = defaultdict(list)
    for event in events:
        if event.kind in SEEN:
            groups[event.kind, roles.of(keys.get(event.actor))].append(event)
    for kind, who in sorted(groups, key=lambda group: (SEEN.index(group[0]), group[1])):
        same = groups[kind, who]
        moments = [event.moment for event in same]
        yield AccessSummary(kind, who, len(same), len({event.actor for event in same}), min(moments), max(moments))


def _shown(store: Store, events: Sequence[LedgerEvent], seal: str) -> Iterator[ListAppearance]:
    for event in events:
        if event.kind != "ranking":
            continue
        for place, (who, parts) in enumerate(event.body.get("listed", ())):
            if who == seal:
                yield ListAppearance(
                    event.moment,
                    int(event.body["first"]) + place + 1,
                    int(event.body["total"]),
                    sum(value for _, value in parts),
                    _is_filtered(store.ledger.opening(event.sequence).get("criteria")),
                    event.sequence,
                )


def _is_filtered(criteria: Any) -> bool:
    """Also where nobody can tell any more."""
    if not isinstance(criteria, dict):
        return True
    return bool(criteria.get("text") or any(criteria.get("facets", {}).values()) or criteria.get("skills"))


ALONE = ("Certificate", "Skill", "Language")  # facts that belong to no job or study
QUOTED = 160  # characters of the resume shown with a fact


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
class StaffNote:
    """What staff wrote beside the application: a note, a tag, a finding somebody looked into."""

    what: str
    text: str
    who: str
    time: datetime | None


@dataclass(frozen=True, slots=True)
class ReceiptCorrection:
    """A correction; `undone` when it was taken back, `declined` when it was only proposed."""

    time: datetime
    who: str
    field: str
    old: Any
    new: Any
    reason: str
    undone: datetime | None
    declined: bool


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
    file: StoredDocument | None
    file_name: str | None
    form: tuple[tuple[str, str], ...]
    text: str
    read: tuple[ReadFact, ...]
    warnings: tuple[Warning, ...]
    hidden: tuple[Hidden, ...]
    rank: ListRank
    parts: tuple[Part, ...]
    demands: tuple[DemandRow, ...]
    differences: tuple[CounterfactualEffect, ...]
    models: tuple[ModelReasons, ...]
    flags: tuple[tuple[str, str, str | None], ...]  # title, message, why it was set aside
    written: tuple[StaffNote, ...]
    corrections: tuple[ReceiptCorrection, ...]
    record: ReceiptRecord
    kept: RetentionPeriod
    contact: str  # of who answers for the data; empty where nobody has said

    def to_json(self) -> dict[str, Any]:
        value: dict[str, Any] = as_json(self)
        del value["record"]["events"]  # the archive has them with their openings
        return value


def build_receipt(service: Service, application: Application, *, may_see: MaySee = lambda job: True) -> Receipt:
    """Jobs that whoever makes it may not see are not named in it, though the applicant knows of them."""
    store = service.store
    job = store.jobs.get(application.job)
    whole = FullRanking.take(service, job.id)
    listed = whole.listed(application.id)
    profile = store.applications.profile(application.id)
    is_mined = store.documents.mined([application.document])
    document = store.documents.get(application.document) if is_mined else None
    documents = store.documents.info([application.document])
    [period] = store.retention.periods([application.id])
    roles = ActorRoles(store)
    text = document.text if document else ""
    if profile:
        profile = complete_for_job(profile, text, job.requirements)
    name = profile.name.value if profile and profile.name else None
    warnings = [*(document.warnings if document else ()), *(profile.warnings if profile else ())]
    if document and document.error:
        warnings.insert(0, Warning(document.error.code, document.error.message))
    return Receipt(
        made=datetime.now(UTC),
        version=__version__,
        application=application.id,
        name=name or store.applications.form(application.candidate).get("name"),
        job=job.title,
        status=application.status,
        received=application.received,
        source=application.source,
        file=documents[0] if documents else None,
        file_name=PurePath(application.file).name if application.file else None,
        form=form_rows(store.applications.form(application.candidate)),
        text=text,
        read=tuple(_facts(profile, text)) if profile else (),
        warnings=tuple(dict.fromkeys(warnings)),
        hidden=document.hidden if document else (),
        rank=whole.rank(application.id),
        parts=listed.result.score.parts if listed else (),
        demands=demand_rows(profile, job.requirements) if profile else (),
        differences=what_would_change(whole, application.id, profile, text, job.requirements) if profile else (),
        models=said_of(service, application),
        flags=_flags(service, application, listed.result.flags if listed else (), may_see),
        written=tuple(_written(store, application, roles)),
        corrections=tuple(
            ReceiptCorrection(
                *(put.time, roles.of(put.actor), put.field, put.old, put.new),
                *("" if put.action == CARRY else put.reason, put.undone, put.action == DECLINE),
            )
            for put in store.corrections.of_application(application.id)
        ),
        record=read_record(store, application.id, roles),
        kept=period,
        contact=service.settings.rights_contact,
    )


def as_json(value: Any) -> Any:
    """Records as dictionaries, moments as text."""
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: as_json(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat(timespec="seconds")
    if isinstance(value, list | tuple):
        return [as_json(part) for part in value]
    if isinstance(value, dict):
        return {name: as_json(part) for name, part in value.items()}
    return value


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
        words = " ".join(text[place.start : place.end].split())
        yield ReadFact(
            fact.label,
            fact.value,
            words if len(words) <= QUOTED else words[: QUOTED - 1].rstrip() + "…",
            place.page,
            METHODS.get(place.method, place.method),
            place.confidence,
            of,
            fact.is_entry,
        )


def _flags(
    service: Service, application: Application, flags: Sequence[Any], may_see: MaySee
) -> tuple[tuple[str, str, str | None], ...]:
    store = service.store
    alerts = store.duplicates.alerts([application.id], may_see=may_see)[application.id]
    aside = store.notes.dismissed_flags([application.id]).get(application.id, {})
    rows = flag_rows(alerts, flags, aside)
    return tuple((row.title, row.message, row.set_aside) for row in rows)


def _written(store: Store, application: Application, roles: ActorRoles) -> Iterator[StaffNote]:
    for note in store.notes.of_application(application.id):
        yield StaffNote("Note", note.text, roles.of(note.actor), note.time)
    for tag in store.notes.tags([application.id]).get(application.id, ()):
        yield StaffNote("Tag", tag, "", None)
    for label in store.labels.of_job(application.job):
        if label.application == application.id:
            yield StaffNote("Opinion", label.label, roles.of(label.user), label.time)
