"""One candidate: all that is known, the files, what changed hands, and two texts word by word."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Request
from fastapi.responses import Response

from evenhand.web.access import Ctx, ReadableApplication, readable_application
from evenhand.web.api import candidate_answers as answers
from evenhand.web.api import candidate_shapes as shapes
from evenhand.web.api.files import ANY, TEXT
from evenhand.web.api.parameters import SEARCH
from evenhand.web.api.shapes import Json
from evenhand.web.pages.candidates import asked, attached, viewer_of
from evenhand.workflows.candidate_difference import tell_apart
from evenhand.workflows.candidate_download import masked_text, original
from evenhand.workflows.candidate_page import gather
from evenhand.workflows.candidate_predictions import opinions_of
from evenhand.workflows.candidate_reasons import reasons_of

router = APIRouter(prefix="/applications/{application}", tags=["candidates"])


@router.get("", response_model=answers.Candidate, openapi_extra=SEARCH)
def read(request: Request, context: Ctx, access: ReadableApplication) -> Json:
    """All that is known of a candidate. With the search of a list, the rank is that of the list."""
    shown = gather(
        context.service,
        context.recorder,
        viewer_of(context, access),
        access.application,
        criteria=asked(request, context, access).criteria,
    )
    return shapes.candidate(shown)


@router.get("/predictions", response_model=answers.Predictions)
def predict(context: Ctx, access: ReadableApplication) -> Json:
    """What the models of the setting page_models say of the resume. It decides nothing."""
    found = opinions_of(context.service, context.recorder, viewer_of(context, access), access.application)
    return found.to_json()


@router.get("/explanations", response_model=answers.Explanations)
def explain(context: Ctx, access: ReadableApplication, model: str = "", target: str = "") -> Json:
    """Why a model of the setting page_models says what it says: the first of them where none is named.

    Places are those of the text as you see it; what is masked for you is masked here.
    """
    viewer = viewer_of(context, access)
    asked = (model or None, target or None)
    found = reasons_of(context.service, context.recorder, viewer, access.application, *asked)
    return found.to_json()


@router.get("/original", response_class=Response, responses=ANY)
def download_original(context: Ctx, access: ReadableApplication) -> Response:
    """The file as it came. Refused (403) where something is masked for you."""
    return attached(
        original(context.service, context.recorder, viewer_of(context, access), access.application)
    )


@router.get("/masked-text", response_class=Response, responses=TEXT)
def download_masked_text(context: Ctx, access: ReadableApplication) -> Response:
    """The text of the resume as you see it; the places in the profile are places in it."""
    return attached(
        masked_text(context.service, context.recorder, viewer_of(context, access), access.application)
    )


@router.get("/difference/{other}", response_model=answers.Apart)
def tell_difference(
    request: Request,
    context: Ctx,
    access: ReadableApplication,
    other: Annotated[str, Path(description="Another application that you may see.")],
) -> Json:
    """Two resumes word by word."""
    second = readable_application(request, context, access.user, other)
    told = tell_apart(
        context.service,
        context.recorder,
        (viewer_of(context, access), access.application),
        (viewer_of(context, second), second.application),
    )
    return shapes.apart(told)
