"""Receipts of applications, and everything that is held about them in one archive."""

from __future__ import annotations

import json
from collections.abc import Iterator
from tempfile import SpooledTemporaryFile
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import Response, StreamingResponse

from evenhand.web.access import ApplicationAccess, Ctx, ReadableApplication, lens_of, may_see
from evenhand.web.context import Context
from evenhand.web.letters import letter_html
from evenhand.web.pages.candidates import viewer_of
from evenhand.web.rendering import page
from evenhand.workflows.letter_pdf import letter_pdf
from evenhand.workflows.receipt import Receipt
from evenhand.workflows.receipt_letter import receipt_letter
from evenhand.workflows.rights import everything_of, make_archive, make_receipt

router = APIRouter()
ONE = "/applications/{application}"
MEMORY_BYTES = 10_000_000
JSON = "application/json"
PDF = "application/pdf"
HTML = "text/html; charset=utf-8"


@router.get(f"{ONE}/receipt")
def show_receipt(request: Request, context: Ctx, access: ReadableApplication) -> Response:
    letter = receipt_letter(_receipt(context, access, "page"))
    here = f"/applications/{access.application.id}"
    return page(
        request,
        "receipt/show.html",
        user=access.user,
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
def receipt_pdf(context: Ctx, access: ReadableApplication) -> Response:
    data = letter_pdf(receipt_letter(_receipt(context, access, "pdf")))
    return attached(data, PDF, f"receipt-{access.application.id}.pdf")


@router.get(f"{ONE}/receipt.html")
def receipt_page(context: Ctx, access: ReadableApplication) -> Response:
    """To be kept and sent: it needs nothing beside it."""
    text = letter_html(receipt_letter(_receipt(context, access, "html")))
    data = text.encode("utf-8", "replace")
    return attached(data, HTML, f"receipt-{access.application.id}.html")


@router.get(f"{ONE}/receipt.json")
def receiptjson_bytes(context: Ctx, access: ReadableApplication) -> Response:
    data = json_bytes(_receipt(context, access, "json").to_json())
    return attached(data, JSON, f"receipt-{access.application.id}.json")


@router.get(f"{ONE}/export.zip")
def export_archive(request: Request, context: Ctx, access: ReadableApplication, all: str = "") -> Response:
    """Everything about the application, or with `all` about the person, as far as this user sees it unmasked."""
    user, wanted = access.user, [access.application]
    if all:
        wanted += [
            each
            for each in everything_of(context.service, access.application)
            if each.id != access.application.id
            and may_see(context, user, each.job)
            and lens_of(request, context, user, each.job).is_open
        ]
    file: Any = SpooledTemporaryFile(MEMORY_BYTES)  # noqa: SIM115 - closed when it has been sent
    viewer = viewer_of(context, access)
    make_archive(context.service, context.recorder, viewer, wanted, file, html=letter_html)
    return StreamingResponse(
        _sent(file),
        media_type="application/zip",
        headers=_as_attachment(f"application-{access.application.id}.zip"),
    )


def _receipt(context: Context, access: ApplicationAccess, form: str) -> Receipt:
    viewer = viewer_of(context, access)
    return make_receipt(context.service, context.recorder, viewer, access.application, form=form)


def attached(data: bytes, media_type: str, name: str) -> Response:
    return Response(data, media_type=media_type, headers=_as_attachment(name))


def _as_attachment(name: str) -> dict[str, str]:
    return {"Content-Disposition": f'attachment; filename="{name}"'}


def _sent(file: Any) -> Iterator[bytes]:
    with file:
        file.seek(0)
        while data := file.read(64_000):
            yield data


def json_bytes(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, indent=2, sort_keys=True).encode("utf-8", "replace") + b"\n"
