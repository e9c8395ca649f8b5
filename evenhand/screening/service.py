"""The service as people and programs use it: opened with its erasures finished, fed with files, processed anew."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager

from evenhand.applicants.erasure import resume_erasures
from evenhand.documents.reading import PathLike
from evenhand.errors import StoreError
from evenhand.ledger.checkpoints import make_checkpoint
from evenhand.progress import Progress, no_progress
from evenhand.records.event import SYSTEM
from evenhand.screening.ingest import NamedFile, ReprocessResult, Settle, Summary, ingest, mine_outdated
from evenhand.search.duplicates.stored import find_new_duplicates
from evenhand.search.service import Service, open_data_folder
from evenhand.settings import Settings
from evenhand.store.applications import Form

log = logging.getLogger(__name__)


@contextmanager
def open_service(settings: Settings) -> Iterator[Service]:
    """Makes or upgrades what is not there yet, and finishes erasures that were interrupted. What was done with it is
    signed at the end: a decision on the command line has no server that would do so."""
    with open_data_folder(settings) as service:
        begun = service.store.ledger.head()
        try:
            if not service.store.is_read_only:
                resume_erasures(service)
            yield service
        finally:
            if service.store.ledger.head() != begun:
                _sign(service)


def _sign(service: Service) -> None:
    try:
        make_checkpoint(service.store, service.settings)
    except StoreError as error:  # what was done is done; the next checkpoint vouches for it as well
        log.warning("%s", error)


def ingest_files(
    service: Service,
    paths: Iterable[PathLike | NamedFile],
    job: str,
    *,
    total: int,
    source: str | None = None,
    forms: Mapping[str, Form] | None = None,
    as_of: str | None = None,
    progress: Progress = no_progress,
    actor: str = SYSTEM,
    settle: Settle | None = None,
) -> Summary:
    """The nightly batch: files to applications, then duplicates, then the index."""
    summary = ingest(
        paths,
        job,
        store=service.store,
        settings=service.settings,
        source=source,
        forms=forms,
        as_of=as_of,
        progress=progress,
        total=total,
        actor=actor,
        settle=settle,
    )
    summary.duplicates = find_new_duplicates(service.store, progress=progress)
    service.follow(progress=progress)
    return summary


def reprocess(service: Service, *, as_of: str | None = None, progress: Progress = no_progress) -> ReprocessResult:
    """Mine what was dropped, or mined by another version; then duplicates, then the index."""
    summary = mine_outdated(service.store, settings=service.settings, as_of=as_of, progress=progress)
    find_new_duplicates(service.store, progress=progress)
    service.follow(progress=progress)
    return summary
