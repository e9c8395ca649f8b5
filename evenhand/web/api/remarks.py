"""What people write beside an application: notes, tags, flags they have looked into; and its history."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Response

from evenhand.web.access import Ctx, ReadableApplication, WritableApplication
from evenhand.web.api import candidate_answers as answers
from evenhand.web.api import candidate_shapes as shapes
from evenhand.web.api.answers import Made, Page
from evenhand.web.api.bodies import Aside, NewNote, NewTag
from evenhand.web.api.parameters import First, Size
from evenhand.web.api.shapes import Json
from evenhand.web.pages.candidates import viewer_of
from evenhand.workflows.candidate_page import remove_tag, set_flag_aside
from evenhand.workflows.candidate_told import add_tag as tag_it
from evenhand.workflows.candidate_told import happenings_of, notes_of

router = APIRouter(prefix="/applications/{application}", tags=["candidates"])
Key = Annotated[str, Path(max_length=64, description="`key` in the candidate.")]


@router.get("/notes", response_model=Page[answers.Note])
def notes(context: Ctx, access: ReadableApplication, first: First = 0, size: Size = 20) -> Json:
    """The newest first."""
    found = notes_of(context.service, context.recorder, viewer_of(context, access), access.application)
    return shapes.notes(found, first=first, size=size)


@router.post("/notes", status_code=201, response_model=Made)
def add_note(context: Ctx, access: WritableApplication, body: NewNote) -> Json:
    """Write a note."""
    return {"id": context.store.add_note(access.application.id, body.text, actor=access.user.id)}


@router.delete("/notes/{note}", status_code=204)
def remove_note(
    context: Ctx, access: WritableApplication, note: Annotated[str, Path(max_length=64)]
) -> Response:
    """Take a note away. That it was there stays on record."""
    context.store.remove_note(note, application=access.application.id, actor=access.user.id)
    return Response(status_code=204)


@router.post("/tags", status_code=201, response_model=answers.NewTag)
def add_tag(context: Ctx, access: WritableApplication, body: NewTag) -> Json:
    """Tag it; the answer's `key` names the tag from now on."""
    key, is_new = tag_it(context.service, access.application.id, body.tag, actor=access.user.id)
    return {"key": key, "new": is_new}


@router.delete("/tags/{key}", status_code=204)
def drop_tag(context: Ctx, access: WritableApplication, key: Key) -> Response:
    """By its key: a tag may name who is masked for you."""
    remove_tag(context.service, access.application.id, key, actor=access.user.id)
    return Response(status_code=204)


@router.put("/flags/{key}/aside", status_code=204)
def set_aside(context: Ctx, access: WritableApplication, key: Key, body: Aside) -> Response:
    """You have looked into this flag, and say why it does not count."""
    set_flag_aside(context.service, access.application, key, body.reason, actor=access.user.id)
    return Response(status_code=204)


@router.delete("/flags/{key}/aside", status_code=204)
def bring_back(context: Ctx, access: WritableApplication, key: Key) -> Response:
    """The flag counts again."""
    context.store.bring_flag_back(access.application.id, key, actor=access.user.id)
    return Response(status_code=204)


@router.get("/history", response_model=Page[answers.Happening])
def history(context: Ctx, access: ReadableApplication, first: First = 0, size: Size = 20) -> Json:
    """Decisions and who looked, the newest first."""
    found = happenings_of(context.service, context.recorder, viewer_of(context, access), access.application)
    return shapes.history(found, first=first, size=size)
