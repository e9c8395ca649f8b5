"""What goes into the store and comes out of it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from evenhand.errors import UsageError
from evenhand.records import Document, Failure, Job, Profile
from evenhand.store.tables import unpack

Form = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class StoredJob:
    id: str
    text: str  # as it was given; `requirements` is what was understood of it and edited since
    requirements: Job
    created: datetime
    closed: datetime | None

    @property
    def title(self) -> str | None:
        return self.requirements.title


@dataclass(frozen=True, slots=True)
class JobVersion:
    """Requirements of a job that others have superseded."""

    sequence: int  # the event that did
    until: int  # the last revision of the store at which they were in force
    hash: str
    requirements: Job


@dataclass(frozen=True, slots=True)
class MinedVersion:
    """What was mined from a document once, as an index took it; None where nothing had been."""

    until: int | None  # the last revision at which it was in force; None: it still is
    text: str | None
    packed_profile: bytes | None
    digest: bytes | None
    digest_version: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class MiningResult:
    """All that was worked out from one file. A file that could not be read has a document only."""

    document: Document
    profile: Profile | None = None
    miner: str = ""  # version of what mined the profile
    digest: bytes | None = None
    digest_version: str = ""
    sketch: bytes | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrival:
    """One resume for one job. Its bytes must already be in `Store.files`."""

    job: str
    sha256: str
    source: str | None = None
    file: str | None = None  # the name under which it came
    form: Form = field(default_factory=dict)  # what the applicant typed in; often nothing
    candidate: str | None = None  # when it is known who applies
    mined: MiningResult | None = None


@dataclass(frozen=True, slots=True)
class StoredDocument:
    sha256: str
    size_bytes: int
    format: str | None
    file: str | None  # the first name under which it came
    received: datetime


@dataclass(frozen=True, slots=True)
class Refusal:
    """A file that came for a job and could not become an application. Its bytes are kept where there were any."""

    job: str
    file: str
    sha256: str | None
    failure: Failure


@dataclass(frozen=True, slots=True)
class ArrivalOutcome:
    """What became of an arrival: its application, and whether that is new."""

    application: str
    candidate: str
    new: bool


@dataclass(frozen=True, slots=True)
class Application:
    id: str
    job: str
    candidate: str
    document: str  # SHA-256 of the file
    source: str | None
    status: str
    file: str | None
    received: datetime
    revision: int
    content: int  # the revision at which anything but the status last changed


@dataclass(frozen=True, slots=True)
class IndexRow:
    """An application with everything an index needs to know of it. Mined values are None until mined."""

    application: Application
    form: Form
    document_status: str | None  # parsed, partial, error
    warnings: tuple[tuple[str, str], ...]  # (code, message) of the file
    text: str | None
    packed_profile: bytes | None
    digest: bytes | None
    digest_version: str | None

    def profile(self) -> Profile | None:
        """Read on demand: a million profiles are not parsed for those who need the digest only."""
        if self.packed_profile is None:
            return None
        return Profile.from_json(json.loads(unpack(self.packed_profile)), self.text or "")


@dataclass(frozen=True, slots=True)
class Decision:
    id: int
    application: str
    action: str
    from_status: str
    to_status: str
    actor: str
    reason: str
    batch: str
    time: datetime
    undone_by: int | None
    bulk: bool = False  # one of the rest of a list
    sequence: int | None = field(default=None, compare=False)  # of its event in the ledger


@dataclass(frozen=True, slots=True)
class SkippedApplication:
    application: str
    reason: str  # a sentence


@dataclass(frozen=True, slots=True)
class BatchOutcome:
    """A batch of decisions; `changed` in the order asked for."""

    batch: str
    changed: tuple[str, ...]
    skipped: tuple[SkippedApplication, ...] = ()


@dataclass(frozen=True, slots=True)
class BulkPreview:
    """What a bulk rejection would do."""

    changed: int
    skipped: tuple[SkippedApplication, ...]


@dataclass(frozen=True, slots=True)
class RelatedApplication:
    """Another application of the same person, as far as files and ids tell."""

    application: str
    job: str
    job_title: str | None
    status: str
    link: str  # same_candidate, same_document, near_duplicate
    resemblance: float | None  # of the texts, for near duplicates


@dataclass(frozen=True, slots=True)
class Alert:
    """rejected_before (for this job), offered_elsewhere or other_applications, with the applications meant."""

    code: str
    message: str
    related: tuple[RelatedApplication, ...]


@dataclass(frozen=True, slots=True)
class WatchlistEntry:
    list: str
    name: str
    note: str | None
    added: datetime


@dataclass(frozen=True, slots=True)
class UserLabel:
    application: str
    user: str
    label: str
    version: int
    time: datetime


@dataclass(frozen=True, slots=True)
class FileCheck:
    """Where files and database disagree, by SHA-256; alien files are named by their path."""

    missing: tuple[str, ...] = ()  # a row without its file: the only one that is a loss
    damaged: tuple[str, ...] = ()
    unclaimed: tuple[str, ...] = ()  # a file without its row: a run that was cut off, to be continued
    alien: tuple[str, ...] = ()  # nothing the store wrote

    @property
    def sound(self) -> bool:
        return not (self.missing or self.damaged or self.alien)


# The statuses of an application and the ways between them.

NEW = "new"
SCREENED = "screened"
SHORTLISTED = "shortlisted"
REJECTED = "rejected"
OFFERED = "offered"

STATUS_NAMES = {
    NEW: "New",
    SCREENED: "Screened",
    SHORTLISTED: "Shortlisted for Interview",
    OFFERED: "Offered",
    REJECTED: "Rejected",
}
ACTIONS = {"screen": SCREENED, "shortlist": SHORTLISTED, "reject": REJECTED, "offer": OFFERED}
UNDO = "undo"

TRANSITIONS = {
    NEW: (SCREENED,),
    SCREENED: (SHORTLISTED, REJECTED),
    SHORTLISTED: (OFFERED, REJECTED),
    REJECTED: (),
    OFFERED: (),
}


def steps(status: str, action: str) -> tuple[tuple[str, str, str], ...]:
    """The (action, from, to) that lead from `status`; nothing when the application is there already.

    Who shortlists or rejects a new application has thereby screened it: both steps are recorded.
    """
    target = _target(action)
    if target == status:
        return ()
    if target in TRANSITIONS[status]:
        return ((action, status, target),)
    if status == NEW and target in TRANSITIONS[SCREENED]:
        return (("screen", NEW, SCREENED), (action, SCREENED, target))
    raise UsageError(f"An application that is {STATUS_NAMES[status]} cannot become {STATUS_NAMES[target]}.")


def _target(action: str) -> str:
    if action not in ACTIONS:
        raise UsageError(f"There is no action {action!r}; the actions are {', '.join(ACTIONS)}.")
    return ACTIONS[action]
