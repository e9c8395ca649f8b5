"""What people write beside an application: tags, notes, and flags they have looked into."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form, Request
from fastapi.responses import JSONResponse, RedirectResponse, Response

from evenhand.web.access import ApplicationAccess, Ctx, WritableApplication
from evenhand.web.rendering import wants_json
from evenhand.workflows.candidate_page import remove_tag, set_flag_aside

router = APIRouter(prefix="/applications/{application}")
Text = Annotated[str, Form()]
REMARKS = "remarks"
FLAGS = "flags"


@router.post("/tags")
def add_tag(request: Request, context: Ctx, access: WritableApplication, tag: Text = "") -> Response:
    context.store.add_tag(access.application.id, tag, actor=access.user.id)
    return _back(request, access, REMARKS)


@router.post("/tags/remove")
def drop_tag(request: Request, context: Ctx, access: WritableApplication, tag: Text = "") -> Response:
    """`tag` is its key."""
    remove_tag(context.service, access.application.id, tag, actor=access.user.id)
    return _back(request, access, REMARKS)


@router.post("/notes")
def add_note(request: Request, context: Ctx, access: WritableApplication, text: Text = "") -> Response:
    lines = text.replace("\r\n", "\n")  # as browsers send what is typed on several lines
    context.store.add_note(access.application.id, lines, actor=access.user.id)
    return _back(request, access, REMARKS)


@router.post("/notes/{note}/remove")
def remove_note(request: Request, context: Ctx, access: WritableApplication, note: str) -> Response:
    context.store.remove_note(note, application=access.application.id, actor=access.user.id)
    return _back(request, access, REMARKS)


@router.post("/flags/set-aside")
def set_aside(
    request: Request, context: Ctx, access: WritableApplication, flag: Text = "", reason: Text = ""
) -> Response:
    """`flag` is its key: the finding itself is looked up, a page cannot set aside what is not there."""
    set_flag_aside(context.service, access.application, flag, reason, actor=access.user.id)
    return _back(request, access, FLAGS)


@router.post("/flags/bring-back")
def bring_back(request: Request, context: Ctx, access: WritableApplication, flag: Text = "") -> Response:
    context.store.bring_flag_back(access.application.id, flag, actor=access.user.id)
    return _back(request, access, FLAGS)


def _back(request: Request, access: ApplicationAccess, part: str) -> Response:
    """To the page it was sent from; the address carries the list she came from, so nothing else is needed."""
    if wants_json(request):
        return JSONResponse({"application": access.application.id})
    query = f"?{request.url.query}" if request.url.query else ""
    return RedirectResponse(f"/applications/{access.application.id}{query}#{part}", 303)
