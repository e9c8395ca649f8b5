"""Receipts of applications, and everything that is held about them in one archive."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from tempfile import SpooledTemporaryFile
from typing import Any
from urllib.parse import urlencode

from fastapi import APIRouter
from fastapi.responses import Response
from starlette.concurrency import run_in_threadpool

from evenhand.applicants.corrections import (
    MASKED_FIELD,
    CorrectionOutcome,
    accept_correction,
    build_correction_page,
    correct_all,
    decline_correction,
    hidden_fields,
    revert_correction,
    same_resume,
)
from evenhand.applicants.receipt import Receipt
from evenhand.applicants.receipt_letter import receipt_letter
from evenhand.applicants.rights import everything_of, json_bytes, make_archive, make_receipt
from evenhand.errors import Forbidden, UsageError
from evenhand.mining.corrections import CorrectionInput
from evenhand.records.profile import DEGREE_LEVELS
from evenhand.rendering.letter_pdf import letter_pdf
from evenhand.text.wording import DEGREES
from evenhand.web.access import ApplicationAccess, ReadableApplication, WritableApplication, may_see, visibility_of
from evenhand.web.rendering import attachment, done, letter_html, page, wants_json

router = APIRouter()
ONE = "/applications/{application}"
MEMORY_BYTES = 10_000_000
JSON = "application/json"
PDF = "application/pdf"
HTML = "text/html; charset=utf-8"


@router.get(f"{ONE}/receipt")
def show_receipt(access: ReadableApplication) -> Response:
    letter = receipt_letter(_receipt(access, "page"))
    here = f"/applications/{access.application.id}"
    return page(
        access.request,
        "receipt/show.html",
        letter=letter,
        back=here,
        back_words="Back to the candidate",
        downloads=(
            ("PDF", f"{here}/receipt.pdf"),
            ("Page of its own", f"{here}/receipt.html"),
            ("JSON", f"{here}/receipt.json"),
            ("Archive with everything", f"{here}/export.zip"),
        ),
    )


@router.get(f"{ONE}/receipt.pdf")
@router.get(f"{ONE}/receipt.html")
@router.get(f"{ONE}/receipt.json")
def download_receipt(access: ReadableApplication) -> Response:
    """To be kept and sent: the page needs nothing beside it."""
    form = access.request.url.path.rpartition(".")[2]
    receipt, name = _receipt(access, form), f"receipt-{access.application.id}.{form}"
    if form == "json":
        return attachment(json_bytes(receipt.to_json()), JSON, name)
    letter = receipt_letter(receipt)
    if form == "pdf":
        return attachment(letter_pdf(letter), PDF, name)
    return attachment(letter_html(letter).encode("utf-8", "replace"), HTML, name)


@router.get(f"{ONE}/export.zip")
def export_archive(access: ReadableApplication, all: str = "") -> Response:
    """Everything about the application, or with `all` about the person, as far as this user sees it unmasked."""
    wanted = [access.application]
    if all:
        wanted += [
            other
            for other in everything_of(access.service, access.application)
            if other.id != access.application.id
            and may_see(access, other.job)
            and visibility_of(access, other.job).is_open
        ]
    file: Any = SpooledTemporaryFile(MEMORY_BYTES)  # noqa: SIM115 - closed when it has been sent
    make_archive(access.service, access.recorder, access.viewer, wanted, file, html=letter_html)
    return attachment(_sent(file), "application/zip", f"application-{access.application.id}.zip")


def _receipt(access: ApplicationAccess, form: str) -> Receipt:
    return make_receipt(access.service, access.recorder, access.viewer, access.application, form=form)


def _sent(file: Any) -> Iterator[bytes]:
    with file:
        file.seek(0)
        while data := file.read(64_000):
            yield data


# Putting right what was misread, in forms beside the text of the resume.


@router.get(f"{ONE}/correct")
def show_correction(access: WritableApplication, done: str = "", undone: str = "", all: str = "") -> Response:
    return _correction(access, done=done or undone, is_undone=bool(undone), everywhere=for_person(access, bool(all)))


@router.post(f"{ONE}/correct")
async def correct(access: WritableApplication) -> Response:
    """One form of the page: a person's data, a job, a study, or a skill."""
    form = {name: str(value) for name, value in (await access.request.form()).items()}
    return await run_in_threadpool(_correct, access, form)


@router.post(ONE + "/correct/{correction}/undo")
def undo_correction(access: WritableApplication, correction: str) -> Response:
    concerned = access.service, access.application, correction
    outcome = revert_correction(*concerned, actor=access.user.id, viewer=access.viewer)
    return _corrected(access, outcome, "undone")


@router.post(ONE + "/correct/{correction}/accept")
def accept(access: WritableApplication, correction: str) -> Response:
    """Make a correction that is proposed from another application of the same file."""
    outcome = accept_correction(access.service, access.viewer, access.application, correction, actor=access.user.id)
    return _corrected(access, outcome, "done")


@router.post(ONE + "/correct/{correction}/decline")
def decline(access: WritableApplication, correction: str) -> Response:
    decline_correction(access.service, access.viewer, access.application, correction, actor=access.user.id)
    address = f"/applications/{access.application.id}/correct?{urlencode({'done': correction})}"
    return done(access.request, {"correction": correction}, address)


def for_person(access: ApplicationAccess, everywhere: bool) -> bool:
    """Whether to correct all of a person's applications with the file: for those who may see all of them."""
    if everywhere and access.user.role != "admin":
        raise Forbidden("Only administrators correct all applications of a person at once.")
    return everywhere


def _correct(access: ApplicationAccess, form: Mapping[str, str]) -> Response:
    everywhere = for_person(access, bool(form.get("all")))
    try:
        entry = int(form["entry"]) if form.get("entry", "").isdecimal() else None
        corrections = [CorrectionInput(name, form[name], entry) for name in SINGLE if name in form]
        if "start" in form or "end" in form:
            dates = {"start": form.get("start", ""), "end": form.get("end", "")}
            corrections.append(CorrectionInput("position.dates", dates, entry))
        if "skill" in form:
            field = "skill.remove" if form.get("what") == "remove" else "skill.add"
            corrections.append(CorrectionInput(field, form["skill"], None, form.get("words", "")))
        # A field that the page does not show to somebody is not taken from them.
        if any(correction.field in hidden_fields(access.viewer) for correction in corrections):
            raise Forbidden(MASKED_FIELD)
        if not corrections:
            raise UsageError("Say what is to be corrected.")
        outcome = correct_all(
            access.service,
            access.application,
            corrections,
            actor=access.user.id,
            reason=form.get("reason", ""),
            everywhere=everywhere,
        )
    except UsageError as error:
        if wants_json(access.request):
            raise
        return _correction(access, message=str(error), typed=form, everywhere=everywhere)
    return _corrected(access, outcome, "done", everywhere=everywhere)


SINGLE = (
    "name",
    "city",
    "highest_degree",
    "position.title",
    "position.employer",
    "education.university",
    "education.level",
)
"""Fields with one value, by the names they have in forms."""


def _corrected(
    access: ApplicationAccess, outcome: CorrectionOutcome, what: str, *, everywhere: bool = False
) -> Response:
    ranks = {"before": outcome.before.to_json(), "after": outcome.after.to_json()}
    query = urlencode({what: outcome.correction, **({"all": "1"} if everywhere else {})})
    address = f"/applications/{access.application.id}/correct?{query}"
    return done(access.request, {"correction": outcome.correction, **ranks}, address)


def _correction(
    access: ApplicationAccess,
    *,
    done: str = "",
    is_undone: bool = False,
    message: str = "",
    typed: Mapping[str, str] | None = None,
    everywhere: bool = False,
) -> Response:
    corrections = build_correction_page(access.service, access.viewer, access.application)
    return page(
        access.request,
        "rights/correct.html",
        shown=corrections,
        application=access.application,
        job=access.job,
        here=f"/applications/{access.application.id}",
        levels=[(level, DEGREES.get(level, level)) for level in DEGREE_LEVELS],
        done=next((line for line in corrections.lines if line.correction.id == done), None),
        is_undone=is_undone,
        message=message,
        typed=typed or {},
        everywhere=everywhere,
        of_person=len(same_resume(access.service, access.application)) if access.user.role == "admin" else 1,
    )
