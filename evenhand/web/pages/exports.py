"""Lists taken away as spreadsheets, as somebody may see them and in the order in which they see them."""

from __future__ import annotations

from tempfile import SpooledTemporaryFile
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query
from fastapi.responses import RedirectResponse, Response

from evenhand.errors import NotFound
from evenhand.screening.exports import Export, csv_bytes, prepare_export, write_xlsx
from evenhand.search.rankers.best import weight_rows
from evenhand.web.access import JobAccess, ReadableJob, SignedIn
from evenhand.web.pages.rights import MEMORY_BYTES
from evenhand.web.pages.screening import SEARCH, search_of
from evenhand.web.rendering import attachment, page

router = APIRouter()
Contact = Annotated[
    Literal["", "1"], Query(description="1 adds e-mail addresses and phones, for those who may see them.")
]
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


@router.get("/jobs/{job}/export.csv", openapi_extra=SEARCH)
def export_csv(access: ReadableJob, contact: Contact = "") -> Response:
    made = _export(access, "csv", contact)
    return attachment(csv_bytes(made), "text/csv; charset=utf-8", f"{made.name}.csv")


@router.get("/jobs/{job}/export.xlsx", openapi_extra=SEARCH)
def export_xlsx(access: ReadableJob, contact: Contact = "") -> Response:
    made = _export(access, "xlsx", contact)
    file: Any = SpooledTemporaryFile(MEMORY_BYTES)  # noqa: SIM115 - closed when it has been sent
    write_xlsx(made, file)
    file.seek(0)
    return attachment(file, XLSX, f"{made.name}.xlsx")


def _export(access: JobAccess, form: str, contact: str) -> Export:
    criteria = search_of(access).criteria
    return prepare_export(access.service, access.recorder, access.viewer, criteria, form=form, contact=contact == "1")


# Help, one page for each role and one for those who apply. Anyone who is signed in may read all of them.

PAGES = {
    "recruiter": "For recruiters",
    "auditor": "For auditors",
    "admin": "For admins",
    "applicants": "Applicants' rights",
}


@router.get("/help")
def lead_on(visit: SignedIn) -> Response:
    return RedirectResponse(f"/help/{visit.user.role}", 303)


@router.get("/help/{role}")
def show_help(visit: SignedIn, role: str) -> Response:
    if role not in PAGES:
        raise NotFound("There is no such help page.")
    in_force = visit.service.weights.in_force()
    weights = weight_rows(in_force.weights)
    return page(
        visit.request, f"help/{role}.html", pages=PAGES, role=role, weights=weights, weights_version=in_force.version
    )
