"""The batch processor: resume files to applications. What it has reported as taken in is on the disk and stays there.

For each file: keep its bytes, read, mine, digest, sketch, then write all of it in one transaction with its
neighbours. Cut off at any moment, the next run knows the finished ones by their hash and goes on with the rest.
"""

from __future__ import annotations

import hashlib
import time
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from evenhand.errors import TooLarge, UnreadableFile
from evenhand.records import Document, Failure, Unread
from evenhand.settings import Settings
from evenhand.store import Arrival, Refusal, Store
from evenhand.store.rows import Form
from evenhand.workflows.mined_data import to_keep
from evenhand.workflows.mining import Mined, mine_with_documents
from evenhand.workflows.reading import PathLike, read_bytes, shown_name
from evenhand.workflows.watching import Watch, unwatched

BATCH = (
    32  # files in one transaction: few enough to lose little work, many enough to share one wait for the disk
)
BATCH_SECONDS = 5.0  # slow files are not held back for the batch to fill
LOOKED_UP = 200  # files hashed and asked for at once
LOOKED_UP_BYTES = 64_000_000


@dataclass(frozen=True, slots=True)
class Offered:
    """A file as it was offered, with its bytes; `failure` instead where they could not be had."""

    name: str
    data: bytes = b""
    sha256: str = ""
    failure: Failure | None = None


@dataclass(slots=True)
class Summary:
    """What became of every file."""

    added: int = 0
    known: int = 0
    errors: list[Unread] = field(default_factory=list)
    duplicates: int = 0  # pairs found

    def to_json(self) -> dict[str, Any]:
        return {
            "added": self.added,
            "known": self.known,
            "duplicates": self.duplicates,
            "errors": [error.to_json() for error in self.errors],
        }


def ingest(
    paths: Iterable[PathLike],
    job: str,
    *,
    store: Store,
    settings: Settings,
    source: str | None = None,
    forms: Mapping[str, Form] | None = None,
    as_of: str | None = None,
    watch: Watch = unwatched,
    total: int = 0,
) -> Summary:
    """Take the files in as applications for the job. `forms` are what applicants typed in, by file name."""
    store.job(job)  # a wrong id is said before any work is done
    summary = Summary()
    with watch("Taking in", total) as bar:
        arriving = _arriving(paths, job, store=store, settings=settings, as_of=as_of, summary=summary)
        for batch in _batches(arriving):
            arrivals = [
                Arrival(
                    job=job,
                    sha256=offered.sha256,
                    source=source,
                    file=offered.name,
                    form=(forms or {}).get(Path(offered.name).name, {}),
                    mined=to_keep(mined),
                )
                for offered, mined in batch
                if mined and not mined.is_failed
            ]
            refused = [
                _refusal(job, offered, mined) for offered, mined in batch if not mined or mined.is_failed
            ]
            new = sum(saved.new for saved in store.add_applications(arrivals, refusals=refused))
            summary.added += new
            summary.known += len(arrivals) - new
            summary.errors += [Unread(refusal.file, refusal.failure) for refusal in refused]
            for _ in batch:
                bar.advance()
    return summary


def _arriving(
    paths: Iterable[PathLike],
    job: str,
    *,
    store: Store,
    settings: Settings,
    as_of: str | None,
    summary: Summary,
) -> Iterator[tuple[Offered, Mined | None]]:
    """Each new file with what was mined from it, or None where there are no bytes to read."""
    waiting: deque[Offered] = deque()

    def documents() -> Iterator[PathLike]:
        for offered in _unknown(paths, job, store=store, settings=settings, summary=summary):
            waiting.append(offered)
            # Read from the copy that is kept: the one offered may change or vanish meanwhile.
            yield store.files.path(offered.sha256) if offered.sha256 else offered.name

    for mined in mine_with_documents(documents(), as_of=as_of, settings=settings):
        offered = waiting.popleft()
        yield offered, _named(mined, offered.name) if offered.failure is None else None


def _unknown(
    paths: Iterable[PathLike], job: str, *, store: Store, settings: Settings, summary: Summary
) -> Iterator[Offered]:
    """Files that are no applications for this job yet, their bytes kept; those that cannot be opened too."""
    for group in _groups(_offered(path, settings) for path in paths):
        known = store.known(job, [offered.sha256 for offered in group if not offered.failure])
        fresh: dict[str, Offered] = {}
        for offered in group:
            if offered.failure is None and (offered.sha256 in known or offered.sha256 in fresh):
                summary.known += 1
            else:
                fresh[offered.sha256 or offered.name] = offered
        store.files.save_all(offered.data for offered in fresh.values() if not offered.failure)
        yield from (replace(offered, data=b"") for offered in fresh.values())


def _offered(path: PathLike, settings: Settings) -> Offered:
    name = shown_name(path)
    try:
        data = read_bytes(path, settings)
    except (UnreadableFile, TooLarge) as error:
        return Offered(name, failure=Failure(error.code, str(error)))
    return Offered(name, data, hashlib.sha256(data).hexdigest())


def _groups(offers: Iterable[Offered]) -> Iterator[list[Offered]]:
    group: list[Offered] = []
    held = 0
    for offered in offers:
        group.append(offered)
        held += len(offered.data)
        if len(group) >= LOOKED_UP or held >= LOOKED_UP_BYTES:
            yield group
            group, held = [], 0
    if group:
        yield group


def _batches(
    items: Iterable[tuple[Offered, Mined | None]],
) -> Iterator[list[tuple[Offered, Mined | None]]]:
    batch: list[tuple[Offered, Mined | None]] = []
    began = time.monotonic()
    for item in items:
        batch.append(item)
        if len(batch) >= BATCH or time.monotonic() - began >= BATCH_SECONDS:
            yield batch
            batch, began = [], time.monotonic()
    if batch:
        yield batch


def _named(mined: Mined, name: str) -> Mined:
    """With the name under which the file came instead of the one under which it is kept."""
    document: Document = replace(mined.document, file=name)
    profile = replace(mined.profile, document=replace(mined.profile.document, file=name))
    return Mined(document, profile)


def _refusal(job: str, offered: Offered, mined: Mined | None) -> Refusal:
    if offered.failure:
        return Refusal(job, offered.name, None, offered.failure)
    assert mined is not None  # noqa: S101 - every file with bytes was mined
    failure = mined.document.error or Failure(*_first_warning(mined))
    return Refusal(job, offered.name, offered.sha256, failure)


def _first_warning(mined: Mined) -> tuple[str, str]:
    """Mining that failed says so in the profile's last warning."""
    warning = mined.profile.warnings[-1]
    return warning.code, warning.message
