"""Notes, tags, saved searches and imports as they come out of the store."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

WAITING = "waiting"
ADDED = "added"
KNOWN = "known"
REFUSED = "refused"
STATES = (WAITING, ADDED, KNOWN, REFUSED)


@dataclass(frozen=True, slots=True)
class Note:
    id: str
    application: str
    actor: str
    text: str
    time: datetime


@dataclass(frozen=True, slots=True)
class SavedSearch:
    id: str
    job: str
    actor: str
    name: str
    query: str  # of the page's address
    created: datetime


@dataclass(frozen=True, slots=True)
class JobSettings:
    """How a job's applicants are shown to everyone who screens them."""

    blind: bool = False
    hide_schools: bool = False


@dataclass(frozen=True, slots=True)
class ImportFile:
    """One uploaded file and what became of it; `code` and `message` say why it was refused."""

    number: int
    file: str
    sha256: str | None
    size_bytes: int
    state: str
    code: str | None = None
    message: str | None = None


@dataclass(frozen=True, slots=True)
class Import:
    id: str
    job: str
    actor: str
    source: str | None
    created: datetime
    sealed: datetime | None
    finished: datetime | None
    files: tuple[ImportFile, ...]

    def count(self, *states: str) -> int:
        return sum(file.state in states for file in self.files)
