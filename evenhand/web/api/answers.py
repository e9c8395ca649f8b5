"""What programs get, described: every answer is checked against these, and the reference is made from them."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Generic, TypeVar

from pydantic import AliasPath, BaseModel, ConfigDict, Field

T = TypeVar("T")
Record = Annotated[dict[str, Any], Field(description="As the command line prints it with --json.")]


def at(path: str, **more: Any) -> Any:
    """Where the value is in the record that is sent, such as "job.id"."""
    return Field(validation_alias=AliasPath(*path.split(".")), **more)


class Answer(BaseModel):
    """A field that is not described is not sent."""

    model_config = ConfigDict(extra="forbid")


class Problem(Answer):
    code: Annotated[str, Field(description="Never changes; the message may.")]
    message: str
    start: Annotated[int | None, Field(description="Where the mistake is in a search text.")] = None
    end: int | None = None


class Error(Answer):
    error: Problem


class Page(Answer, Generic[T]):
    items: list[T]
    total: int
    first: int
    size: int
    next: Annotated[int | None, Field(description="`first` of the following page.")]


class Items(Answer, Generic[T]):
    items: list[T]


class Member(Answer):
    id: str
    login: str
    name: str


class User(Member):
    role: str
    disabled: bool
    created: datetime


class Token(Answer):
    id: str
    name: str
    created: datetime
    expires: datetime
    used: datetime | None


class MadeToken(Token):
    secret: Annotated[str, Field(description="Shown this once.")]


class JobLine(Answer):
    id: Annotated[str, at("job.id")]
    title: Annotated[str | None, at("job.title")]
    applications: Annotated[int, at("total")]
    statuses: Annotated[dict[str, int], at("counts")]
    created: Annotated[datetime, at("job.created")]
    closed: Annotated[datetime | None, at("job.closed")]
    external_id: Annotated[str | None, at("job.external_id")]


class Job(Answer):
    id: str
    version: Annotated[str, Field(description="Send it along with a change.")]
    requirements: Record
    created: datetime
    closed: datetime | None
    external_id: str | None


class ApplicationLine(Answer):
    id: str
    status: str
    source: str | None
    received: datetime
    external_id: Annotated[str | None, Field(description="Null also where applicants are masked for you.")]


class ShownRequest(Answer):
    request: int
    blind: bool
    hide_schools: bool
    user: Annotated[str, Field(description="Who asks; somebody else has to agree.")]
    reason: str


class Shown(Answer):
    blind: bool
    hide_schools: bool
    request: Annotated[ShownRequest | None, Field(description="To show more than now; not in force.")]


class Suggestion(Answer):
    skill: str
    applicants: int
    score: float


class SavedSearch(Answer):
    id: str
    name: str
    query: str
    created: datetime
    problem: Annotated[str | None, Field(description="Why it cannot be run; null if it can.")]


class Skipped(Answer):
    application: str
    reason: str


class Outcome(Answer):
    batch: str
    changed: list[str]
    skipped: list[Skipped]
    action: Annotated[str, Field(description="Decided, undone or redone: screen, shortlist, reject, offer.")] = ""
    sentence: Annotated[str, Field(description="Of an undo or redo: whom it concerns, as you see them.")] = ""


class Plan(Answer):
    action: str
    listed: int
    changed: int
    unopened: Annotated[int, Field(description="Of those to be rejected, how many resumes nobody has opened.")]
    statuses: dict[str, int]
    left: dict[str, int]
    understood: Annotated[str, Field(description="What would be done to whom, in words.")]
    version: Annotated[
        str, Field(description="Of exactly this request, these applications and you; send it to carry this out.")
    ]


class ManyDone(Answer):
    """One of the two."""

    plan: Plan | None = None
    outcome: Outcome | None = None


class ImportFile(Answer):
    number: int
    file: str
    state: str
    code: str | None
    message: str | None
    application: Annotated[str | None, Field(description="That it became, or was already; null while it waits.")]
    external_id: str | None


class Import(Answer):
    id: str
    job: str
    source: str | None
    created: datetime
    sealed: bool
    finished: datetime | None
    counts: Annotated[dict[str, int], Field(description="Files by their state.")]
    files: Page[ImportFile]


class ImportLine(Answer):
    id: str
    source: str | None
    created: datetime
    sealed: bool
    finished: datetime | None
    counts: dict[str, int]


class SentFile(Answer):
    number: int
    refused: bool


class Made(Answer):
    id: str


class WatchEntry(Answer):
    list: str
    name: str
    note: str | None
    added: datetime


class Added(Answer):
    new: Annotated[bool, Field(description="False where it was there already.")]


class Event(Answer):
    """As it stands in the chain: no name in it, only seals and commitments."""

    sequence: int
    time: str
    kind: str
    actor: str
    job: str | None
    body: dict[str, Any]
    previous: str
    hash: str


class Events(Answer):
    items: list[Event]
    next: Annotated[int | None, Field(description="`after` of the following page.")]


class Applicant(Answer):
    seal: str
    application: Annotated[str | None, Field(description="null for who has been erased.")]


class OpenedEvent(Answer):
    """An event with what is still known of it: who did it, about whom, and the values behind the commitments."""

    event: Event
    words: str
    who: str
    job_title: str | None
    applicants: list[Applicant]
    opened: dict[str, Any]
    erased: Annotated[list[str], Field(description="Names of sealed values that are gone.")]


class Verification(Answer):
    sound: bool
    events: int
    checkpoints: int
    signed_until: int
    key: str | None
    findings: list[dict[str, Any]]


class Replayed(Answer):
    sequence: int
    job: str
    identical: bool
    listed: int
    erased: int
    differences: list[str]
    impossible: str | None


class Rank(Answer):
    rank: int | None
    total: int
    score: float | None


class Corrected(Answer):
    id: str
    before: Rank
    after: Rank


class Correction(Answer):
    id: Annotated[str, at("correction.id")]
    field: Annotated[str, at("correction.field")]
    old: str
    new: str
    by: Annotated[str, at("who")]
    reason: Annotated[str, at("correction.reason")]
    time: Annotated[datetime, at("correction.time")]
    undone: Annotated[datetime | None, at("correction.undone")]
    declined: Annotated[bool, at("is_declined"), Field(description="It was proposed, and is not in force.")]


class ProposedCorrection(Answer):
    """What was put right for another application of the same file."""

    id: str
    field: str
    entry: Annotated[str, Field(description="How the job or study begins in the text, for a fact of one.")]
    old: str
    new: str
    masked: Annotated[bool, at("is_masked"), Field(description="Its values are masked for you, and it is not yours.")]


class Erasure(Answer):
    id: str
    certificate: Annotated[dict[str, Any], Field(description="Signed, once all is done.")]


class Audit(Answer):
    """A bias audit that is waiting, running, done or failed."""

    id: str
    kind: str
    job: str | None
    request: dict[str, Any]
    state: str
    actor: str
    asked: str
    schedule: str | None
    due: str | None
    done: int
    total: int
    doing: str | None
    message: str | None
    made: str | None
    worst: str | None
    findings: Annotated[dict[str, str], Field(description="Severity by code.")]
    hash: str | None
    scrubbed: str | None
    previous: str | None


class AuditSchedule(Answer):
    id: str
    job: Annotated[str | None, Field(description="None: every open job.")]
    every: str
    request: dict[str, Any]
    due: str
    made: str


class RejectedUnopened(Answer):
    """Of a job, who is rejected, and on how many of them nobody had opened the resume before."""

    job: str
    rejected: int
    unopened: int


class Audits(Answer):
    audits: list[Audit]
    schedules: list[AuditSchedule]
    rejected_unopened: list[RejectedUnopened]


class AuditWithReport(Audit):
    report: Annotated[dict[str, Any] | None, Field(description="None until it is done.")]
