"""The batch processor: resume files to applications. What it has reported as taken in is on the disk and stays there.

For each file: keep its bytes, read, mine, extract features, sketch, then write all of it in one transaction with its
neighbours. Cut off at any moment, the next run knows the finished ones by their hash and goes on with the rest.
"""

from __future__ import annotations

import hashlib
import math
import time
from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeVar

from evenhand import __version__
from evenhand.documents.parse import failed
from evenhand.documents.reading import PathLike, read_bytes, shown_name
from evenhand.errors import TooLarge, UnreadableFile
from evenhand.mining.corrections import FIELDS, FieldChange, Unplaced, apply
from evenhand.mining.pipeline import MinedResume, mine_with_documents
from evenhand.mining.recounting import recount
from evenhand.progress import Progress, ProgressBar, no_progress
from evenhand.records import Document, Failure, Profile, Unread, Warning
from evenhand.records.conversion import JsonRecord
from evenhand.records.event import SYSTEM
from evenhand.search.feature_extraction import extract_features
from evenhand.search.mining_results import FEATURES_VERSION, to_mining_result, with_name
from evenhand.settings import Settings
from evenhand.store.applications import Arrival, ArrivalOutcome, Form, Refusal
from evenhand.store.corrections import StoredCorrection, StoredReading
from evenhand.store.jobs import closed_job
from evenhand.store.mined import CorrectedReading, MiningResult, StoredDocument
from evenhand.store.store import Store

BATCH = 32  # files in one transaction: few enough to lose little, many enough to share one wait for the disk
BATCH_SECONDS = 5.0  # slow files are not held back for the batch to fill
LOOKED_UP = 200  # files hashed and asked for at once
LOOKED_UP_BYTES = 64_000_000
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class NamedFile:
    """A file that lies somewhere under another name than the one it came with, as uploads do."""

    path: PathLike
    name: str
    key: int = 0  # by which the caller knows it again
    source: str | None = None  # where it came from, if not from where the others did
    external_id: str | None = None


Settle = Callable[["NamedFile", ArrivalOutcome | None, Failure | None], None]
"""Told of every named file once it is on record: its application, or why there is none."""


@dataclass(slots=True)
class Summary(JsonRecord):
    """What became of every file."""

    added: int = 0
    known: int = 0
    duplicates: int = 0  # pairs found
    errors: list[Unread] = field(default_factory=list)


def ingest(
    paths: Iterable[PathLike | NamedFile],
    job: str,
    *,
    store: Store,
    settings: Settings,
    source: str | None = None,
    forms: Mapping[str, Form] | None = None,
    as_of: str | None = None,
    progress: Progress = no_progress,
    total: int = 0,
    actor: str = SYSTEM,
    settle: Settle | None = None,
) -> Summary:
    """Take the files in as applications for the job. `forms` are what applicants typed in, by file name."""
    if store.jobs.get(job).closed:  # said before any work is done, like a wrong id
        raise closed_job(job)
    with progress("Taking in", total) as bar:
        intake = _Intake(job, store, settings, source, forms or {}, bar, actor, settle)
        for batch in _batches(intake.mined(paths, as_of), BATCH, BATCH_SECONDS):
            intake.save(batch)
    return intake.summary


@dataclass(frozen=True, slots=True)
class IncomingFile:
    """A file as it was offered: its bytes until they are kept, or `unread` where they could not be had."""

    name: str
    data: bytes = b""
    sha256: str = ""
    unread: Document | None = None
    named: NamedFile | None = None


Arrived = tuple[IncomingFile, MinedResume | None]
"""A file and what was mined from it; None where nothing could be, or where it has been mined before."""


@dataclass(frozen=True)
class _Intake:
    """One run for one job."""

    job: str
    store: Store
    settings: Settings
    source: str | None
    forms: Mapping[str, Form]
    bar: ProgressBar
    actor: str
    settle: Settle | None
    summary: Summary = field(default_factory=Summary)

    def mined(self, paths: Iterable[PathLike | NamedFile], as_of: str | None) -> Iterator[Arrived]:
        """Each new file with what was mined from it, or with None where there are no bytes to read."""
        waiting: deque[IncomingFile] = deque()

        def sources() -> Iterator[PathLike | Document]:
            for offered in self._new(paths):
                waiting.append(offered)
                # Read from the copy that is kept: the one offered may change or vanish meanwhile.
                yield offered.unread or self.store.files.path(offered.sha256)

        for mined in mine_with_documents(sources(), as_of=as_of, settings=self.settings):
            offered = waiting.popleft()
            yield offered, None if offered.unread else with_name(mined, offered.name)

    def _new(self, paths: Iterable[PathLike | NamedFile]) -> Iterator[IncomingFile]:
        """Files still to be mined, their bytes kept, and those that cannot be opened.

        What has been mined for another job becomes an application at once.
        """
        for group in _groups(_offer(path, self.settings) for path in paths):
            known = self.store.applications.known_arrivals(
                self.job, [offered.sha256 for offered in group if offered.sha256]
            )
            fresh = []
            for offered in group:
                if offered.sha256 in known:
                    self.summary.known += 1
                    self._settled(offered, known[offered.sha256], None)
                    self.bar.advance()
                else:
                    fresh.append(offered)
            self.store.files.save_all(offered.data for offered in fresh if offered.sha256)
            fresh = [replace(offered, data=b"") for offered in fresh]
            ready = self.store.documents.mined([offered.sha256 for offered in fresh if offered.sha256])
            mined_before: Iterator[Arrived] = ((offered, None) for offered in fresh if offered.sha256 in ready)
            for batch in _batches(mined_before, BATCH, BATCH_SECONDS):
                self.save(batch)
            yield from (offered for offered in fresh if offered.sha256 not in ready)

    def save(self, batch: Sequence[Arrived]) -> None:
        """In one transaction. Only when it has returned are these files taken in."""
        failures = [(offered, failure) for offered, mined in batch if (failure := _failure(offered, mined))]
        good = [(offered, mined) for offered, mined in batch if _failure(offered, mined) is None]
        results = [to_mining_result(mined) for _, mined in good if mined]
        by_hash = {result.document.sha256: result for result in results}
        arrivals = [
            Arrival(
                job=self.job,
                sha256=offered.sha256,
                source=(offered.named and offered.named.source) or self.source,
                file=offered.name,
                form=self.forms.get(Path(offered.name).name, {}),
                mined=by_hash.get(offered.sha256) if mined else None,
                external_id=offered.named.external_id if offered.named else None,
            )
            for offered, mined in good
        ]
        refusals = [Refusal(self.job, offered.name, offered.sha256 or None, failure) for offered, failure in failures]
        # A file that was here before, and of which the mined data were dropped, may have been corrected.
        corrected = recorrected(self.store, results)
        saved = self.store.applications.add(arrivals, refusals=refusals, corrected=corrected, actor=self.actor)
        new = sum(application.new for application in saved)
        self.summary.added += new
        self.summary.known += len(arrivals) - new
        self.summary.errors += [Unread(refusal.file, refusal.failure) for refusal in refusals]
        for (offered, _), application in zip(good, saved, strict=True):
            self._settled(offered, application, None)
        for offered, failure in failures:
            self._settled(offered, None, failure)
        for _ in batch:
            self.bar.advance()

    def _settled(self, offered: IncomingFile, outcome: ArrivalOutcome | None, failure: Failure | None) -> None:
        if offered.named and self.settle:
            self.settle(offered.named, outcome, failure)


def _failure(offered: IncomingFile, mined: MinedResume | None) -> Failure | None:
    if offered.unread:
        return offered.unread.error
    return mined.failure if mined else None


def _offer(source: PathLike | NamedFile, settings: Settings) -> IncomingFile:
    named = source if isinstance(source, NamedFile) else None
    path, name = (source.path, source.name) if isinstance(source, NamedFile) else (source, shown_name(source))
    try:
        data = read_bytes(path, settings)
    except (UnreadableFile, TooLarge) as error:
        return IncomingFile(name, unread=failed(error, file=name, sha256=""), named=named)
    return IncomingFile(name, data, hashlib.sha256(data).hexdigest(), named=named)


def _groups(offers: Iterable[IncomingFile]) -> Iterator[list[IncomingFile]]:
    group: list[IncomingFile] = []
    held = 0
    for offered in offers:
        group.append(offered)
        held += len(offered.data)
        if len(group) >= LOOKED_UP or held >= LOOKED_UP_BYTES:
            yield group
            group, held = [], 0
    if group:
        yield group


def _batches(items: Iterable[T], size: int, seconds: float = math.inf) -> Iterator[list[T]]:
    batch: list[T] = []
    began = time.monotonic()
    for item in items:
        batch.append(item)
        if len(batch) >= size or time.monotonic() - began >= seconds:
            yield batch
            batch, began = [], time.monotonic()
    if batch:
        yield batch


# Mines kept files again: after the mined data were dropped, or when a newer Evenhand mines better.

REPROCESS_BATCH = 32  # files in one transaction
LOST = Failure("unreadable_file", "The kept file is gone, or its bytes are no longer those that came.")
Again = tuple[StoredDocument, MinedResume]


@dataclass(slots=True)
class ReprocessResult:
    """What became of the documents that were to be mined; an error names the file as it came."""

    mined: int = 0
    errors: list[Unread] = field(default_factory=list)


def mine_outdated(
    store: Store, *, settings: Settings, as_of: str | None = None, progress: Progress = no_progress
) -> ReprocessResult:
    """Mine every document that never was, or by another version. Cut off, the next run goes on with the rest.

    "Present" means the month in which a file came, so that facts do not depend on the day they are mined; `as_of` is
    for files that were taken in with a month of their own.
    """
    waiting = list(store.documents.unmined(miner=__version__, digest_version=FEATURES_VERSION))
    months: dict[str, list[StoredDocument]] = defaultdict(list)
    for document in store.documents.info(waiting):
        months[as_of or document.received.astimezone().strftime("%Y-%m")].append(document)
    summary = ReprocessResult()
    with progress("Mining", len(waiting)) as bar:
        for month, documents in sorted(months.items()):
            paths = (store.files.path(document.sha256) for document in documents)
            mined = mine_with_documents(paths, as_of=month, settings=settings)
            pairs = (
                (document, with_name(resume, document.file)) for document, resume in zip(documents, mined, strict=True)
            )
            for batch in _batches(pairs, REPROCESS_BATCH):
                _save(store, batch, summary)
                for _ in batch:
                    bar.advance()
    return summary


def _save(store: Store, batch: Sequence[Again], summary: ReprocessResult) -> None:
    present = store.documents.mined([document.sha256 for document, _ in batch])
    results = []
    for document, mined in batch:
        is_lost = mined.document.sha256 != document.sha256
        failure = LOST if is_lost else mined.failure
        if failure is None:
            results.append(to_mining_result(mined))
            summary.mined += 1
            continue
        summary.errors.append(Unread(document.file or document.sha256, failure))
        # What an earlier version found is better than nothing; where there is nothing, an application without facts
        # stays on the list, with the reason beside it. No version: the next run may do better.
        if not is_lost and document.sha256 not in present:
            results.append(replace(to_mining_result(mined), miner=""))
    store.documents.save_mined(results, corrected=recorrected(store, results))


# Readings with the corrections that stand on them. A file that is mined anew gets them again.

LOST_CORRECTION = "correction_lost"


def recorrected(store: Store, mined: Sequence[MiningResult]) -> dict[str, CorrectedReading]:
    """By application, what was mined anew with the corrections that people made to it before."""
    read = {result.document.sha256: result for result in mined}
    corrected = {}
    for application, corrections in store.corrections.active(list(read)).items():
        result = read[corrections[0].document]
        if result.profile is not None:
            text = result.document.text
            corrected[application] = prepared(_applied(result.profile, changes_of(corrections), text), text)
    return corrected


def changes_of(corrections: Iterable[StoredCorrection]) -> list[FieldChange]:
    return [FieldChange.from_json(correction.field, correction.change) for correction in corrections]


def read_with(reading: StoredReading, changes: Sequence[FieldChange]) -> Profile:
    return _applied(reading.profile(), changes, reading.text)


def _applied(read: Profile, changes: Sequence[FieldChange], text: str) -> Profile:
    """In the order made; the highest degree last, since it otherwise follows from the studies."""
    profile, lost = read, []
    for change in changes:
        if change.field == "highest_degree":
            continue
        try:
            profile = apply(change, profile, text)
        except Unplaced:
            message = (
                f"A correction ({FIELDS[change.field].lower()}) could not be applied to what was read anew; "
                "look at it and correct again."
            )
            lost.append(Warning(LOST_CORRECTION, message))
    profile = recount(profile, read) if changes else profile
    for change in changes:
        if change.field == "highest_degree":
            profile = apply(change, profile, text)
    return replace(profile, warnings=(*profile.warnings, *lost)) if lost else profile


def prepared(profile: Profile, text: str) -> CorrectedReading:
    return CorrectedReading(profile, extract_features(text, profile).to_bytes(), FEATURES_VERSION)
