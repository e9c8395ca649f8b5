"""The service as people and programs use it: opened with its erasures finished, fed with files, processed anew."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager

from evenhand.records.event import SYSTEM
from evenhand.settings import Settings
from evenhand.store.rows import Form
from evenhand.workflows.duplicate_search import find_new_duplicates
from evenhand.workflows.erasing import resume_erasures
from evenhand.workflows.ingesting import NamedFile, Settle, Summary, ingest, unsettled
from evenhand.workflows.reading import PathLike
from evenhand.workflows.remining import Remined, remine
from evenhand.workflows.service import Service, open_data_folder
from evenhand.workflows.watching import Watch, unwatched


@contextmanager
def open_service(settings: Settings) -> Iterator[Service]:
    """Makes or upgrades what is not there yet, and finishes erasures that were interrupted."""
    with open_data_folder(settings) as service:
        resume_erasures(service)
        yield service


def ingest_files(
    service: Service,
    paths: Iterable[PathLike | NamedFile],
    job: str,
    *,
    total: int,
    source: str | None = None,
    forms: Mapping[str, Form] | None = None,
    as_of: str | None = None,
    watch: Watch = unwatched,
    actor: str = SYSTEM,
    settle: Settle = unsettled,
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
        watch=watch,
        total=total,
        actor=actor,
        settle=settle,
    )
    summary.duplicates = find_new_duplicates(service.store, watch=watch)
    service.follow(watch=watch)
    return summary


def reprocess(service: Service, *, as_of: str | None = None, watch: Watch = unwatched) -> Remined:
    """Mine what was dropped, or mined by another version; then duplicates, then the index."""
    summary = remine(service.store, settings=service.settings, as_of=as_of, watch=watch)
    find_new_duplicates(service.store, watch=watch)
    service.follow(watch=watch)
    return summary
