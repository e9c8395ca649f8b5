"""Uploads to applications: kept as they come, taken in behind the page's back, continued after any interruption."""

from __future__ import annotations

import fcntl
import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from queue import SimpleQueue

from evenhand.errors import EvenhandError, UsageError
from evenhand.records import Failure
from evenhand.store.workspace_rows import WAITING, Import, ImportFile
from evenhand.workflows.ingesting import NamedFile
from evenhand.workflows.lens import Lens
from evenhand.workflows.opening import ingest_files
from evenhand.workflows.service import Service

log = logging.getLogger(__name__)


def keep_upload(service: Service, id: str, name: str, data: bytes) -> int:
    """The number of the file within the import. Its bytes are on the disk before anything refers to them."""
    sha256 = service.store.files.save(data)
    return service.store.add_import_file(id, name, sha256=sha256, size_bytes=len(data))


def refuse_upload(service: Service, id: str, name: str, size_bytes: int, failure: Failure) -> int:
    """A file that could not even be kept, such as one beyond the limit, is on record all the same."""
    return service.store.add_import_file(id, name, sha256=None, size_bytes=size_bytes, failure=failure)


def run_import(service: Service, id: str) -> Import:
    """Take in what is waiting. Files that are applications already are told so; nothing comes in twice."""
    found = service.store.import_(id)
    waiting = [file for file in found.files if file.state == WAITING]
    if waiting:
        ingest_files(
            service,
            _named(service, waiting),
            found.job,
            total=len(waiting),
            source=found.source,
            actor=found.actor,
            settle=lambda file, new, failure: service.store.settle_import_file(
                id, file.key, new=new, failure=failure
            ),
        )
    found = service.store.import_(id)
    if found.sealed and not found.count(WAITING):
        service.store.finish_import(id)
        found = service.store.import_(id)
    return found


def _named(service: Service, files: list[ImportFile]) -> Iterator[NamedFile]:
    for file in files:
        if file.sha256:
            yield NamedFile(service.store.files.path(file.sha256), file.file, key=file.number)


def seen_through(lens: Lens, found: Import) -> Import:
    """Names of files mostly hold their owners': who screens blind is told their numbers."""
    if not lens.is_blind:
        return found
    files = (replace(file, file=lens.numbered(file.number, file.file)) for file in found.files)
    return replace(found, files=tuple(files))


LOCK = "imports.lock"


class Importer:
    """One thread that runs imports one after the other, so that a large one does not starve the pages.

    Of several processes that serve the same folder one works at a time: the others would read the same files again.
    """

    def __init__(self, service: Service) -> None:
        self._service = service
        self._waiting: SimpleQueue[str | None] = SimpleQueue()
        self._asked: set[str] = set()  # and not begun: one run takes all files that have come by then
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Begins with what a server that was stopped has left."""
        for id in self._service.store.unfinished_imports():
            self._waiting.put(id)
        self._thread = threading.Thread(target=self._work, name="evenhand-importer", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """After the file at hand; the rest is done at the next start."""
        self._waiting.put(None)

    def run(self, id: str) -> None:
        """Soon; who asks for every file of a thousand has it looked at once in a while, not a thousand times."""
        if id not in self._asked:
            self._asked.add(id)
            self._waiting.put(id)

    def _work(self) -> None:
        while (id := self._waiting.get()) is not None:
            self._asked.discard(id)
            try:
                with self._turn():
                    run_import(self._service, id)
            except UsageError as error:  # the job was closed meanwhile
                log.warning("The import %s waits: %s", id, error)
            except EvenhandError as error:
                log.error("The import %s was interrupted: %s", id, error)
            except Exception:
                log.exception("The import %s failed", id)

    @contextmanager
    def _turn(self) -> Iterator[None]:
        with (self._service.settings.data_path / LOCK).open("w") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield
