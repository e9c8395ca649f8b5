"""What applicants may ask for, as pages and commands offer it: the receipt, the archive, correction and erasure."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import IO

from evenhand.errors import Forbidden
from evenhand.store import Application
from evenhand.workflows.archive import write_archive
from evenhand.workflows.desk import Viewer
from evenhand.workflows.erasing import whole_person
from evenhand.workflows.letter import Letter
from evenhand.workflows.letter_pdf import letter_pdf
from evenhand.workflows.receipt import Receipt, gather_receipt
from evenhand.workflows.receipt_letter import receipt_letter
from evenhand.workflows.recording import Recorder
from evenhand.workflows.service import Service
from evenhand.workflows.shown import denial_draft, receipt_draft

Html = Callable[[Letter], str]
"""A letter as a page of its own, which only those who have templates can make."""


def make_receipt(
    service: Service, recorder: Recorder, viewer: Viewer, application: Application, *, form: str
) -> Receipt:
    """On record. It shows everything, so it is not for who sees applicants masked."""
    _check_open(recorder, viewer, application)
    receipt = gather_receipt(service, application, may_see=viewer.may_see)
    recorder.record([receipt_draft(viewer.user, application.job, application.id, what=f"receipt {form}")])
    return receipt


def make_archive(
    service: Service,
    recorder: Recorder,
    viewer: Viewer,
    applications: Sequence[Application],
    file: IO[bytes],
    *,
    html: Html,
) -> None:
    """Everything, with the receipt as a page and as a PDF."""
    receipts: dict[str, Receipt] = {}
    rendered: dict[str, Mapping[str, bytes]] = {}
    for application in applications:
        _check_open(recorder, viewer, application)
        receipt = gather_receipt(service, application, may_see=viewer.may_see)
        letter = receipt_letter(receipt)
        receipts[application.id] = receipt
        rendered[application.id] = {
            "receipt.html": html(letter).encode("utf-8", "replace"),
            "receipt.pdf": letter_pdf(letter),
        }
    recorder.record([receipt_draft(viewer.user, each.job, each.id, what="archive") for each in applications])
    write_archive(service, applications, receipts, rendered, file)


def everything_of(service: Service, application: Application) -> list[Application]:
    """All applications of the same candidate, this one first."""
    return service.store.applications(whole_person(service, application))


def _check_open(recorder: Recorder, viewer: Viewer, application: Application) -> None:
    if viewer.lens.is_open:
        return
    path = f"/applications/{application.id}/receipt"
    recorder.record([denial_draft(viewer.user, what="receipt", status=403, path=path, job=application.job)])
    raise Forbidden(
        "A receipt shows what is masked for you. Ask somebody who sees this job's applicants unmasked."
    )
