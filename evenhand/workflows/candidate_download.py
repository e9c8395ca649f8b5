"""A resume leaves the house: the file as it came for who sees all of it, the masked text for everybody else."""

from __future__ import annotations

from dataclasses import dataclass

from evenhand.errors import Forbidden, NotFound
from evenhand.store import Application
from evenhand.workflows.candidate_lens import look_at
from evenhand.workflows.desk import Viewer
from evenhand.workflows.recording import Recorder
from evenhand.workflows.service import Service
from evenhand.workflows.shown import denial_draft, export_drafts

ENDINGS = ("pdf", "docx", "doc", "odt", "rtf", "html", "txt")
ORIGINAL = "original file"
MASKED = "masked text"


@dataclass(frozen=True, slots=True)
class Download:
    """`name` is made here: that of the file itself was chosen by a stranger, and mostly holds a name."""

    name: str
    media_type: str
    data: bytes


def original(service: Service, recorder: Recorder, viewer: Viewer, application: Application) -> Download:
    if not viewer.lens.is_open:
        path = f"/applications/{application.id}/original"
        recorder.record(
            [denial_draft(viewer.user, what=ORIGINAL, status=403, path=path, job=application.job)]
        )
        raise Forbidden("The original shows what is masked for you. Its text can be downloaded masked.")
    data = service.store.files.read(application.document)
    kept = service.store.documents([application.document])
    format = kept[0].format if kept else None
    ending = format if format in ENDINGS else "bin"
    _record(recorder, viewer, application, ORIGINAL)
    return Download(f"resume-{application.id}.{ending}", "application/octet-stream", data)


def masked_text(service: Service, recorder: Recorder, viewer: Viewer, application: Application) -> Download:
    """The text as the viewer sees it; whole for who sees all of it."""
    seen = look_at(service.store, application, viewer.lens)
    if seen is None:
        raise NotFound("This resume has not been read yet.")
    _record(recorder, viewer, application, MASKED)
    text = seen.document.text + "\n"
    data = text.encode("utf-8", "replace")
    return Download(f"resume-{application.id}-masked.txt", "text/plain; charset=utf-8", data)


def _record(recorder: Recorder, viewer: Viewer, application: Application, what: str) -> None:
    recorder.record(list(export_drafts(viewer.user, application.job, [application.id], what=what)))
