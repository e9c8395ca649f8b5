"""What people wrote about one candidate and what happened to it, each by itself, as the viewer may see it."""

from __future__ import annotations

from dataclasses import replace

from evenhand.records import content_hash
from evenhand.store import Application, Store
from evenhand.store.columns import clean as storable
from evenhand.store.workspace_rows import Note
from evenhand.workflows.candidate_history import Happening, history_of
from evenhand.workflows.candidate_lens import Clean, look_at
from evenhand.workflows.candidate_page import UNREAD
from evenhand.workflows.desk import Viewer
from evenhand.workflows.lens import Lens
from evenhand.workflows.recording import Recorder
from evenhand.workflows.service import Service
from evenhand.workflows.shown import view_draft


def notes_of(
    service: Service, recorder: Recorder, viewer: Viewer, application: Application
) -> tuple[tuple[Note, str], ...]:
    """Each with the name of who wrote it, the newest first. On record that somebody looked."""
    store, clean = service.store, _clean_for(service.store, application, viewer.lens)
    found = store.notes(application.id)
    names = store.user_names([note.actor for note in found])
    recorder.record([view_draft(viewer.user, application.job, application.id, what="notes")])
    return tuple((replace(note, text=clean(note.text)), names.get(note.actor, note.actor)) for note in found)


def happenings_of(
    service: Service, recorder: Recorder, viewer: Viewer, application: Application
) -> tuple[Happening, ...]:
    """The newest first. On record that somebody looked."""
    clean = _clean_for(service.store, application, viewer.lens)
    found = history_of(service.store, application.id)
    recorder.record([view_draft(viewer.user, application.job, application.id, what="history")])
    return tuple(replace(each, why=clean(each.why)) for each in found)


def add_tag(service: Service, application: str, tag: str, *, actor: str) -> tuple[str, bool]:
    """Its key, by which it is taken off again, and whether it is new."""
    is_new = service.store.add_tag(application, tag, actor=actor)
    return content_hash(storable(" ".join(tag.split()))), is_new


def _clean_for(store: Store, application: Application, lens: Lens) -> Clean:
    """Nobody can tell what names an applicant whose resume has not been read: then nothing is shown."""
    if lens.is_open:
        return str
    seen = look_at(store, application, lens)
    return seen.clean if seen else lambda text: UNREAD if text else ""
