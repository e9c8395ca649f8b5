"""One line of the ledger: what happened, who did it, and the hash that ties it to the line before. No personal data."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from evenhand.records.conversion import JsonRecord, canonical_json

SYSTEM = "system"
"""Who acts where nobody in particular does; the only actor that is not sealed."""

KINDS = (
    "genesis",  # what was there before the ledger began
    "ingest",
    "refusal",
    "mining",  # kept files were mined anew
    "ranking",
    "view",
    "decision",
    "undo",
    "override",
    "note",
    "correction",
    "export",
    "receipt",
    "erasure",
    "job",
    "watch",
    "account",
    "denial",
    "weights",
    "retention",
    "import",
    "audit",
    "notice",  # what applicants were told about automated tools
    "groups",  # what applicants said of the groups they belong to: how many, never who
)

FIRST = "0" * 64
"""What the first event has for the hash of the one before."""


@dataclass(frozen=True, slots=True)
class ApplicationRef:
    """Anywhere in the body of a draft: an application, of which the ledger shows the seal only."""

    application: str


@dataclass(frozen=True, slots=True)
class OwnedValue:
    """A sealed value that is about one application, and is forgotten when that is erased."""

    application: str
    value: Any


@dataclass(frozen=True, slots=True)
class EventDraft:
    """What is to be recorded. `subjects` are applications; each of `sealed` is kept beside the ledger, which holds
    a commitment to it. With one subject, sealed values are that one's unless they say whose they are."""

    kind: str
    actor: str = SYSTEM  # a user's id, or the name given on the command line
    job: str | None = None
    subjects: tuple[str, ...] = ()
    body: Mapping[str, Any] = field(default_factory=dict)
    sealed: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Link:
    """An event as it lies in the table: `body` is text, which need not even be JSON if somebody has altered it."""

    sequence: int
    time: str
    kind: str
    actor: str
    job: str | None
    body: str
    previous: str
    hash: str

    def computed_hash(self) -> str:
        return event_hash(self)

    def read_body(self) -> dict[str, Any]:
        """Nothing where it has been altered to what is no JSON object."""
        try:
            value = json.loads(self.body)
        except (ValueError, RecursionError):
            return {}
        return value if isinstance(value, dict) else {}

    def event(self) -> LedgerEvent:
        return LedgerEvent(
            self.sequence, self.time, self.kind, self.actor, self.job, json.loads(self.body), self.previous, self.hash
        )


@dataclass(frozen=True, slots=True)
class LedgerEvent(JsonRecord):
    """`actor` is a seal, and so is every applicant in the body; commitments stand under `sealed`."""

    sequence: int
    time: str  # ISO 8601, UTC
    kind: str
    actor: str
    job: str | None
    body: Mapping[str, Any]
    previous: str
    hash: str

    @property
    def moment(self) -> datetime:
        return datetime.fromisoformat(self.time)


@dataclass(frozen=True, slots=True)
class CommitmentOpening:
    """A sealed value as it lies beside the ledger: `text` is its canonical JSON, None where it cannot be read."""

    sequence: int
    name: str
    salt: str
    text: str | None
    owner: str | None = None  # the seal of whose it is; None: nobody's in particular

    def value(self) -> Any:
        """None where it has been altered to what is no JSON."""
        try:
            return None if self.text is None else json.loads(self.text)
        except (ValueError, RecursionError):
            return None

    def computed_commitment(self) -> str | None:
        return None if self.text is None else commit(self.salt, self.text)


@dataclass(frozen=True, slots=True)
class DecisionRecord:
    """What the table of decisions says of one application in one event; `seal` is None for the erased."""

    sequence: int
    seal: str | None
    from_status: str
    to_status: str
    action: str
    batch: str
    bulk: bool
    time: str
    actor: str | None  # a seal; None for who has none
    reason: str
    is_one: bool  # its steps follow one another and say the same of all this
    id: int  # of its first step: later decisions have greater ones


def event_hash(link: Link) -> str:
    """SHA-256 over the canonical JSON of everything but the hash.

    The body is canonical JSON already and is put in as it lies there: one that is altered, in whatever way, need not be
    understood to be found.
    """
    head = f'{{"actor":{canonical_json(link.actor)},"body":{link.body}'
    rest = {"job": link.job, "kind": link.kind, "previous": link.previous, "sequence": link.sequence, "time": link.time}
    text = f"{head},{canonical_json(rest)[1:]}"
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def seal(salt: str, key: str) -> str:
    """The name an identity has in the ledger; without the salt nobody can tell whose it is."""
    return hashlib.sha256((salt + key).encode("utf-8", "surrogatepass")).hexdigest()


def commitment(salt: str, value: Any) -> str:
    """Binds the ledger to a value that it does not hold."""
    return commit(salt, canonical_json(value))


def commit(salt: str, text: str) -> str:
    return hashlib.sha256((salt + text).encode("utf-8", "surrogatepass")).hexdigest()
