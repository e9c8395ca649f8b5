"""The masks of applications: kept in the store, and found in confined processes for those that have none."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from pathlib import Path

from evenhand.masking.identity import Form
from evenhand.masking.stored import FAILED, MASKS_VERSION, ResumeMasks, masking_pool
from evenhand.progress import Progress, no_progress
from evenhand.records import Document, Profile
from evenhand.search.index.files import usable_state
from evenhand.settings import Settings
from evenhand.store.base import slices
from evenhand.store.change_feed import IndexRow
from evenhand.store.store import Store

MasksOf = Callable[[str, int], ResumeMasks]
"""By the id of an application and the revision of its content."""
BATCH = 32  # applications in one transaction


class ApplicationMasks:
    """Of one data folder. Processes are started when masks are missing."""

    def __init__(self, store: Store, settings: Settings, index: Path) -> None:
        self._store = store
        self._settings = settings
        self._index = index
        self._lock = threading.Lock()
        self._checked = 0  # every application up to this revision has its masks

    def find_missing(self, *, progress: Progress = no_progress) -> bool:
        """Finds and keeps the masks of all applications that have none; False where another thread is at it."""
        if not self._lock.acquire(blocking=False):
            return False
        try:
            newest = self._store.changes.revision()
            if newest < self._checked:  # the store was put back
                self._checked = 0
            if newest == self._checked:
                return True
            missing = self._store.masks.missing(MASKS_VERSION, after=self._checked)
            with progress("Masking", len(missing)) as bar:
                state = usable_state(self._index)
                for some in slices(missing, BATCH):
                    rows, found = self._find(some)
                    kept = {id: one.to_bytes() for id, one in found.items()}
                    self._store.masks.save(kept, rows, MASKS_VERSION, indexed=state.revision if state else 0)
                    for _ in some:
                        bar.advance()
            self._checked = newest
            return True
        finally:
            self._lock.release()

    def of(self, application: str, content: int) -> ResumeMasks:
        """Found now where they are not kept. Of a content that is no longer there nobody can tell what to show."""
        stored = self._store.masks.load([application]).get(application)
        if stored and stored.version == MASKS_VERSION and stored.content == content:
            return ResumeMasks.from_bytes(stored.masks)
        rows, found = self._find([application])
        is_current = any(row.application.content == content for row in rows)
        return found.get(application, FAILED) if is_current else FAILED

    def find(self, document: Document, profile: Profile, *, form: Form, file: str | None) -> ResumeMasks:
        """Of what need not be kept, such as a correction that is only proposed."""
        hidden = [part.text for part in document.hidden]
        return masking_pool(self._settings).find(document.text, profile, hidden=hidden, form=form, file=file)

    def _find(self, ids: Sequence[str]) -> tuple[list[IndexRow], dict[str, ResumeMasks]]:
        """Of those that have been mined."""
        rows = [row for row in self._store.changes.index_rows(ids) if row.packed_profile is not None]
        hidden = dict(self._store.masks.hidden_texts([row.application.document for row in rows]))
        pool = masking_pool(self._settings)
        found = {
            row.application.id: pool.submit(
                row.text or "",
                profile,
                hidden=hidden.get(row.application.document, []),
                form=row.form,
                file=row.application.file,
            )
            for row in rows
            if (profile := row.profile()) is not None
        }
        return rows, {id: masks.result() for id, masks in found.items()}
