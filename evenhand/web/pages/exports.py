"""Lists taken away as spreadsheets, as somebody may see them and in the order in which she sees them."""

from __future__ import annotations

from tempfile import SpooledTemporaryFile
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import RedirectResponse, Response, StreamingResponse

from evenhand.errors import NotFound
from evenhand.screening.candidate_list import Viewer
from evenhand.screening.exports import Export, csv_bytes, prepare_export, write_xlsx
from evenhand.web.access import Ctx, JobAccess, ReadableJob, SignedIn, may_see
from evenhand.web.context import Context
from evenhand.web.pages.candidates import asked
from evenhand.web.pages.rights import MEMORY_BYTES
from evenhand.web.rendering import page

router = APIRouter(prefix="/jobs/{job}")
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


@router.get("/export.csv")
def export_csv(request: Request, context: Ctx, access: ReadableJob, contact: str = "") -> Response:
    made = _export(request, context, access, "csv", contact)
    return StreamingResponse(csv_bytes(made), media_type="text/csv; charset=utf-8", headers=_headers(made, "csv"))


@router.get("/export.xlsx")
def export_xlsx(request: Request, context: Ctx, access: ReadableJob, contact: str = "") -> Response:
    made = _export(request, context, access, "xlsx", contact)
    file: Any = SpooledTemporaryFile(MEMORY_BYTES)  # noqa: SIM115 - closed when it has been sent
    write_xlsx(made, file)
    file.seek(0)
    return StreamingResponse(file, media_type=XLSX, headers=_headers(made, "xlsx"))


def _export(request: Request, context: Context, access: JobAccess, form: str, contact: str) -> Export:
    user = access.user
    viewer = Viewer(user.id, access.lens, lambda job: may_see(context, user, job))
    criteria = asked(request, context, access).criteria
    return prepare_export(context.service, context.recorder, viewer, criteria, form=form, contact=contact == "1")


def _headers(made: Export, ending: str) -> dict[str, str]:
    return {"Content-Disposition": f'attachment; filename="{made.name}.{ending}"'}


# Help, one page for each role and one for those who apply. Anyone who is signed in may read all of them.

help_router = APIRouter()
PAGES = {
    "recruiter": "For recruiters",
    "auditor": "For auditors",
    "admin": "For admins",
    "applicants": "Applicants' rights",
}


@help_router.get("/help")
def lead_on(user: SignedIn) -> Response:
    return RedirectResponse(f"/help/{user.role}", 303)


@help_router.get("/help/{role}")
def show_help(request: Request, user: SignedIn, role: str) -> Response:
    if role not in PAGES:
        raise NotFound("There is no such help page.")
    return page(request, f"help/{role}.html", user=user, pages=PAGES, role=role)
