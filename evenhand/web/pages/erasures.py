"""Erasing people, and the certificates of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from fastapi import APIRouter, Depends, Form, Request
from fastapi.responses import JSONResponse, RedirectResponse, Response

from evenhand.errors import NotFound, UsageError
from evenhand.store.rights_rows import KeptErasure
from evenhand.web.access import ApplicationAccess, Ctx, Reviewer, SignedIn, WritableApplication, admin
from evenhand.web.context import Context
from evenhand.web.letters import letter_html
from evenhand.web.pages.candidates import viewer_of
from evenhand.web.pages.rights import HTML, JSON, PDF, attached, json_bytes
from evenhand.web.rendering import page, wants_json
from evenhand.workflows.certificate_letter import ROWS, certificate_letter, in_order
from evenhand.workflows.erasing import GROUNDS, certificate_of, erase, plan_erasure, whole_person
from evenhand.workflows.lens import pseudonym
from evenhand.workflows.letter_pdf import letter_pdf

router = APIRouter()
Text = Annotated[str, Form()]
ONE = "/applications/{application}/erase"
CONFIRMATION = "erase"


@router.get(ONE)
def show_erasure(request: Request, context: Ctx, access: WritableApplication) -> Response:
    return _erasure(request, context, access)


@router.post(ONE, dependencies=[Depends(admin)])
def erase_application(
    request: Request,
    context: Ctx,
    access: WritableApplication,
    reason: Text = "",
    ground: Text = "request",
    confirmation: Text = "",
    everything: Text = "",
) -> Response:
    typed = {"reason": reason, "ground": ground, "everything": everything}
    try:
        if confirmation.strip().casefold() != CONFIRMATION:
            raise UsageError(f"Type the word “{CONFIRMATION}” to confirm: an erasure cannot be undone.")
        ids = [access.application.id]
        if everything:
            ids = whole_person(context.service, access.application)
        done = erase(context.service, ids, actor=access.user.id, reason=reason, ground=ground)
    except UsageError as error:
        if wants_json(request):
            raise
        return _erasure(request, context, access, message=str(error), typed=typed)
    if wants_json(request):
        return JSONResponse({"certificate": done.id})
    return RedirectResponse(f"/erasures/{done.id}", 303)


@router.get("/erasures")
def list_erasures(request: Request, context: Ctx, user: Reviewer) -> Response:
    made = context.store.erasures()
    names = context.store.user_names([each.actor for each in made])
    return page(request, "rights/erasures.html", user=user, erasures=made, names=names, grounds=GROUNDS)


@router.get("/erasures/{erasure}")
def show_certificate(request: Request, context: Ctx, user: SignedIn, erasure: str) -> Response:
    found = found_for(context, user.id, user.role, erasure)
    here = f"/erasures/{found.id}"
    return page(
        request,
        "receipt/show.html",
        user=user,
        letter=certificate_letter(certificate_of(found)),
        back="/erasures" if user.role in ("auditor", "admin") else "/",
        back_words="All erasures" if user.role in ("auditor", "admin") else "Back to the jobs",
        downloads=(
            ("PDF", f"{here}/certificate.pdf"),
            ("Page of its own", f"{here}/certificate.html"),
            ("JSON", f"{here}/certificate.json"),
        ),
    )


@router.get("/erasures/{erasure}/certificate.{form}")
def download_certificate(context: Ctx, user: SignedIn, erasure: str, form: str) -> Response:
    certificate = certificate_of(found_for(context, user.id, user.role, erasure))
    letter = certificate_letter(certificate)
    name = f"certificate-{certificate['id']}.{form}"
    match form:
        case "pdf":
            return attached(letter_pdf(letter), PDF, name)
        case "html":
            return attached(letter_html(letter).encode(), HTML, name)
        case "json":
            return attached(json_bytes(certificate), JSON, name)
    raise NotFound("There is no such form of a certificate.")


def _erasure(
    request: Request,
    context: Context,
    access: ApplicationAccess,
    *,
    message: str = "",
    typed: Mapping[str, str] | None = None,
) -> Response:
    application = access.application
    plan = plan_erasure(context.service, [application.id])
    [kept] = context.store.kept([application.id])
    viewer = viewer_of(context, access)
    return page(
        request,
        "rights/erase.html",
        user=access.user,
        application=application,
        job=access.job,
        called=pseudonym(application.id),
        plan=plan,
        counts=in_order(plan.counts),
        others=[other for other in plan.others if viewer.may_see(other.job)],
        same=len(whole_person(context.service, application)) - 1,
        rows=ROWS,
        grounds=GROUNDS,
        kept=kept,
        here=f"/applications/{application.id}",
        may_erase=access.user.role == "admin",
        word=CONFIRMATION,
        message=message,
        typed=typed or {"reason": "", "ground": "request", "everything": ""},
        status=422 if message else 200,
    )


def found_for(context: Context, user: str, role: str, id: str) -> KeptErasure:
    """For those who look at how others work, and for who did it."""
    found = context.store.erasure(id)
    if role not in ("auditor", "admin") and found.actor != user:
        raise NotFound("There is no such erasure.")
    return found
