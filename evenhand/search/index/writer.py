"""Keeps the index in step with the store: one writer at a time, and every step can be done again."""

from __future__ import annotations

import contextlib
import fcntl
import json
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from types import TracebackType
from typing import IO, Any

import tantivy

from evenhand.errors import IndexBusy, StoreError
from evenhand.search.index.files import (
    FeatureReader,
    FeatureWriter,
    IndexState,
    begin_files,
    blank_feature_rows,
    has_deletions,
    open_tantivy,
    usable_state,
    write_state,
)
from evenhand.search.index.schema import IndexEntry, document

MEMORY_BYTES = 128_000_000
_LOCK = "writer.lock"


@dataclass(frozen=True, slots=True)
class StatusChange:
    """Cheap: the index takes everything else from what it already stores."""

    application: str
    status: str
    revision: int


class IndexWriter:
    """Use as a context. Where the index is missing, damaged or of another version, or where `anew` asks for it, it
    begins anew at revision 0.

    Digests are on disk before tantivy commits, and the revision is written after it: a crash anywhere leaves an
    index that is at most behind, and doing the same step again changes nothing.
    """

    def __init__(self, folder: Path, *, anew: bool = False, memory_bytes: int = MEMORY_BYTES, threads: int = 1) -> None:
        self._folder = folder
        with contextlib.ExitStack() as opened, _in_words(folder):
            folder.mkdir(parents=True, exist_ok=True)
            opened.enter_context(_lock(folder))
            self._index, self._state = (None if anew else _open(folder)) or _begin(folder)
            self._digests = opened.enter_context(FeatureWriter(folder))
            self._writer = self._index.writer(memory_bytes, threads)
            # What a crash left has the names that the next commit would give.
            self._writer.garbage_collect_files()
            self._opened = opened.pop_all()

    @property
    def reached(self) -> int:
        """Every change of the store up to this revision is in the index."""
        return self._state.revision

    def apply(
        self,
        entries: Iterable[IndexEntry],
        removed: Iterable[str],
        reached_revision: int,
        *,
        statuses: Iterable[StatusChange] = (),
        settled: bool = True,
    ) -> tuple[str, ...]:
        """Replace, remove, commit. Answers applications whose status changed but that the index does not hold.

        `settled` says that the index is now what the store was at the revision, with nothing half taken in.
        """
        with _in_words(self._folder):
            digests = FeatureReader(self._folder)
            unknown = []
            for change in statuses:
                if (stored := self._stored(change.application)) is None:
                    unknown.append(change.application)
                    continue
                entry, place = _entry(stored, digests)
                self._replace(replace(entry, status=change.status, revision=change.revision), place)
            for application in removed:
                self._writer.delete_documents_by_term("application", application)
            for entry in entries:
                self._replace(entry, self._digests.append(entry.application, entry.digest))
            self._digests.sync()
            opstamp = self._writer.commit()
            self._index.reload()
            self._state = self._state.reached(reached_revision, self._digests.size, opstamp=opstamp, settled=settled)
            write_state(self._folder, self._state)
        return tuple(unknown)

    def facts(self, application: str) -> dict[str, Any] | None:
        """What the last commit holds of an application, without text and digest."""
        stored = self._stored(application)
        return json.loads(stored["facts"][0]) if stored else None

    def clear(self) -> None:
        """Begin anew, such as when the store was put back to an earlier state."""
        self._writer.delete_all_documents()
        self.apply((), (), 0)
        # A new file instead of a shorter one: readers may still look into the old one.
        self._digests.begin_anew()
        self.apply((), (), 0)

    def purge(self, applications: Collection[str]) -> int:
        """Nothing of these applications is left in any file, now and not at some later merge of segments.

        Deleted entries stay in their segment until it is written anew, and so do earlier states of all others, which
        nobody can tell apart: where there are any, every entry is written anew. How many were.
        """
        with _in_words(self._folder):
            blank_feature_rows(self._folder, applications)
            searcher = self._index.searcher()
            everyone = tantivy.Query.all_query()
            hits = searcher.search(everyone, limit=max(searcher.num_docs, 1), count=False).hits
            if not has_deletions(self._folder) and not any(map(self._stored, applications)):
                return 0
            digests = FeatureReader(self._folder)
            self._writer.delete_all_documents()
            for _, address in hits:
                entry, place = _entry(searcher.doc(address), digests)
                if entry.application not in applications:
                    self._writer.add_document(document(entry, place))
            opstamp = self._writer.commit()
            self._writer.garbage_collect_files()
            self._index.reload()
            self._state = replace(self._state, opstamp=opstamp)
            write_state(self._folder, self._state)  # readers open anew and let go of the old files
        return self._index.searcher().num_docs

    def _replace(self, entry: IndexEntry, place: int) -> None:
        self._writer.delete_documents_by_term("application", entry.application)
        self._writer.add_document(document(entry, place))

    def _stored(self, application: str) -> tantivy.Document | None:
        searcher = self._index.searcher()
        query = tantivy.Query.term_query(self._index.schema, "application", application)
        hits = searcher.search(query, limit=1, count=False).hits
        return searcher.doc(hits[0][1]) if hits else None

    def __enter__(self) -> IndexWriter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._opened:
            if error is not None:
                self._writer.rollback()
            self._writer.wait_merging_threads()


def _entry(stored: tantivy.Document, digests: FeatureReader) -> tuple[IndexEntry, int]:
    """What the index holds of an application, and the place of its digest."""
    place = stored["place"][0]
    digest = digests.read([place])[0][1]
    return IndexEntry.from_facts(json.loads(stored["facts"][0]), stored["text"][0], digest), place


@contextlib.contextmanager
def _in_words(folder: Path) -> Iterator[None]:
    """tantivy calls everything a ValueError, a full disk too."""
    try:
        yield
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error).strip().splitlines()[0]
        raise StoreError(f"The search index in {folder} cannot be written: {reason.rstrip('.')}.") from error


@contextlib.contextmanager
def _lock(folder: Path) -> Iterator[None]:
    with (folder / _LOCK).open("w") as file:
        _claim(file)
        yield


def _claim(file: IO[str]) -> None:
    """The kernel lets go of it however the process ends."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        raise IndexBusy("Another process is writing the search index; try again when it is done.") from error


def _open(folder: Path) -> tuple[tantivy.Index, IndexState] | None:
    if state := usable_state(folder):
        with contextlib.suppress(ValueError, OSError):
            return open_tantivy(folder), state
    return None


def _begin(folder: Path) -> tuple[tantivy.Index, IndexState]:
    index = begin_files(folder)
    state = IndexState.first()
    write_state(folder, state)
    return index, state
