"""Uploads to applications: kept as they come, taken in behind the page's back, continued after any interruption."""

from __future__ import annotations

import fcntl
import logging
import threading
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from queue import SimpleQueue

from evenhand.errors import EvenhandError, UsageError
from evenhand.records import Failure
from evenhand.screening.ingest import NamedFile
from evenhand.screening.service import ingest_files
from evenhand.search.service import Service
from evenhand.search.visibility import Visibility
from evenhand.store.imports import WAITING, ImportBatch, ImportedFile

log = logging.getLogger(__name__)


def keep_upload(service: Service, id: str, name: str, data: bytes, *, external_id: str | None = None) -> int:
    """The number of the file within the import. Its bytes are on the disk before anything refers to them."""
    sha256 = service.store.files.save(data)
    return service.store.imports.add_file(id, name, sha256=sha256, size_bytes=len(data), external_id=external_id)


def refuse_upload(service: Service, id: str, name: str, size_bytes: int, failure: Failure) -> int:
    """A file that could not even be kept, such as one beyond the limit, is on record all the same."""
    return service.store.imports.add_file(id, name, sha256=None, size_bytes=size_bytes, failure=failure)


def run_import(service: Service, id: str) -> ImportBatch:
    """Take in what is waiting. Files that are applications already are told so; nothing comes in twice."""
    batch = service.store.imports.get(id)
    waiting = [file for file in batch.files if file.state == WAITING]
    if waiting:
        ingest_files(
            service,
            _named(service, waiting),
            batch.job,
            total=len(waiting),
            source=batch.source,
            actor=batch.actor,
            settle=lambda file, outcome, failure: service.store.imports.settle_file(
                id, file.key, outcome=outcome, failure=failure
            ),
        )
    batch = service.store.imports.get(id)
    if batch.sealed and not batch.count(WAITING):
        service.store.imports.finish(id)
        batch = service.store.imports.get(id)
    return batch


def _named(service: Service, files: list[ImportedFile]) -> Iterator[NamedFile]:
    for file in files:
        if file.sha256:
            path = service.store.files.path(file.sha256)
            yield NamedFile(path, file.file, key=file.number, external_id=file.external_id)


def redact_import(visibility: Visibility, batch: ImportBatch) -> ImportBatch:
    """Names of files mostly hold their owners': who screens blind is told their numbers, and not which application
    each became, since whoever sent the files knows their order."""
    if not visibility.is_blind:
        return batch
    files = (
        replace(file, file=visibility.numbered(file.number, file.file), application=None, external_id=None)
        for file in batch.files
    )
    return replace(batch, files=tuple(files))


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
        for id in self._service.store.imports.unfinished():
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


# Names of uploaded files. They are labels that people read; no file is ever written or looked up under them.

LENGTH = 200
NAMELESS = "without a name"
_ENDING = 20  # characters at the end that a shortened name keeps: its extension is there
_NOT_SHOWN = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")


def plain_name(name: str) -> str:
    """The last parts of a path in printable characters: no way up, no control or bidirectional signs, no novel."""
    visible = "".join(
        " " if unicodedata.category(character) in _NOT_SHOWN else character
        for character in unicodedata.normalize("NFC", name).replace("\\", "/")
    )
    parts = [" ".join(part.split()) for part in visible.split("/")]
    plain = "/".join(part for part in parts if part not in ("", ".", ".."))
    if len(plain) > LENGTH:
        plain = f"{plain[: LENGTH - _ENDING - 1]}…{plain[-_ENDING:]}"
    return plain or NAMELESS
