"""Help, one page for each role and one for those who apply. Anyone who is signed in may read all of them."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import RedirectResponse, Response

from evenhand.errors import NotFound
from evenhand.web.access import SignedIn
from evenhand.web.rendering import page

router = APIRouter()
PAGES = {
    "recruiter": "For recruiters",
    "auditor": "For auditors",
    "admin": "For admins",
    "applicants": "Applicants' rights",
}


@router.get("/help")
def lead_on(user: SignedIn) -> Response:
    return RedirectResponse(f"/help/{user.role}", 303)


@router.get("/help/{role}")
def show_help(request: Request, user: SignedIn, role: str) -> Response:
    if role not in PAGES:
        raise NotFound("There is no such help page.")
    return page(request, f"help/{role}.html", user=user, pages=PAGES, role=role)
