"""The list of a job as a spreadsheet, in its order, as you may see it."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Query, Request, Response

from evenhand.web.access import Ctx, ReadableJob
from evenhand.web.api.files import CSV, XLSX
from evenhand.web.api.parameters import SEARCH
from evenhand.web.pages import exports

router = APIRouter(prefix="/jobs/{job}", tags=["screening"])
Contact = Annotated[
    Literal["", "1"], Query(description="1 adds e-mail addresses and phones, for those who may see them.")
]


@router.get("/export.csv", response_class=Response, responses=CSV, openapi_extra=SEARCH)
def export_csv(request: Request, context: Ctx, access: ReadableJob, contact: Contact = "") -> Response:
    """UTF-8, with an apostrophe before whatever a spreadsheet would compute."""
    return exports.export_csv(request, context, access, contact)


@router.get("/export.xlsx", response_class=Response, responses=XLSX, openapi_extra=SEARCH)
def export_xlsx(request: Request, context: Ctx, access: ReadableJob, contact: Contact = "") -> Response:
    """Every text is a text there: nothing is a formula or a link."""
    return exports.export_xlsx(request, context, access, contact)
