"""Corrections, erasures, backups and rules of retention as they come out of the store."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from evenhand.records import Profile
from evenhand.store.columns import unpack


@dataclass(frozen=True, slots=True)
class KeptCorrection:
    """`change` says what is to be done to a reading; `old` and `new` are the values, to be shown."""

    id: str
    document: str
    application: str | None  # for whom it was made; None: that application has been erased
    field: str
    change: Mapping[str, Any]
    old: Any
    new: Any
    actor: str
    reason: str
    time: datetime
    undone: datetime | None = None
    undone_by: str | None = None
    ranks: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Reading:
    """What the program read from a document, and the corrections that stand on it, the oldest first."""

    document: str
    miner: str
    packed_profile: bytes
    text: str
    standing: tuple[KeptCorrection, ...] = ()

    def profile(self) -> Profile:
        """Before any correction."""
        return Profile.from_json(json.loads(unpack(self.packed_profile)), self.text)


@dataclass(frozen=True, slots=True)
class KeptErasure:
    """`certificate` has no signature until all is done."""

    id: str
    begun: datetime
    finished: datetime | None
    actor: str
    applications: tuple[str, ...]
    certificate: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Held:
    """What is kept of an application and would be erased with it, counted by kind."""

    application: str
    job: str
    candidate: str
    document: str
    counts: Mapping[str, int]
    keeps_document: bool  # another application came with the same file
    keeps_candidate: bool  # the same person has other applications


@dataclass(frozen=True, slots=True)
class Backup:
    id: str
    place: str
    made: datetime
    expires: datetime | None
    gone: datetime | None
    actor: str

    def holds(self, since: datetime, *, now: datetime) -> bool:
        """Whether what came at `since` is in it; a date on which it should be gone does not make it so."""
        return self.made >= since and self.made <= now and self.gone is None


@dataclass(frozen=True, slots=True)
class RetentionRule:
    """Applications in a status are kept so many days from the decision that brought them there."""

    job: str | None  # None: for every job without a rule of its own
    status: str
    days: int
    actor: str
    time: datetime


@dataclass(frozen=True, slots=True)
class Hold:
    application: str
    actor: str
    reason: str
    time: datetime


@dataclass(frozen=True, slots=True)
class Kept:
    """How long an application is kept: in its status since when, and until when by which rule."""

    application: str
    job: str
    status: str
    since: datetime
    rule: RetentionRule | None
    until: datetime | None
    hold: Hold | None
