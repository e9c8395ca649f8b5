"""One candidate: profile, predictions, files, near duplicates; notes, tags, dismissed flags and the history."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Response

from evenhand.screening.candidate_comparison import ResumeDiff, diff_resumes
from evenhand.screening.candidate_page import add_tag as tag_it
from evenhand.screening.candidate_page import build_page, notes_of, remove_tag, set_flag_aside, viewed_history
from evenhand.screening.candidate_predictions import predictions_of, reasons_of
from evenhand.screening.exports import masked_text, original
from evenhand.web.access import ReadableApplication, WritableApplication, readable_application
from evenhand.web.api import candidate_answers as answers
from evenhand.web.api import shapes
from evenhand.web.api.answers import Made, Page
from evenhand.web.api.requests import ANY, SEARCH, TEXT, Aside, First, NewNote, NewTag, Size
from evenhand.web.api.shapes import Json
from evenhand.web.pages.candidates import attached
from evenhand.web.pages.screening import search_of

router = APIRouter(prefix="/applications/{application}", tags=["candidates"])


@router.get("", summary="Show a candidate", response_model=answers.Candidate, openapi_extra=SEARCH)
def read(access: ReadableApplication) -> Json:
    """All that is known of a candidate. With the search of a list, the rank is that of the list."""
    criteria = search_of(access).criteria
    return shapes.candidate(
        build_page(access.service, access.recorder, access.viewer, access.application, criteria=criteria)
    )


@router.get(
    "/predictions",
    summary="Predict from the resume with the models of the candidate page",
    response_model=answers.Predictions,
)
def predict(access: ReadableApplication) -> Json:
    """What the models of the setting page_models say of the resume. It decides nothing."""
    predictions = predictions_of(access.service, access.recorder, access.viewer, access.application)
    return predictions.to_json()


@router.get("/explanations", summary="Explain a model's prediction", response_model=answers.Explanations)
def explain(access: ReadableApplication, model: str = "", target: str = "") -> Json:
    """Why a model of the setting page_models says what it says: the first of them where none is named.

    Places are those of the text as you see it; what is masked for you is masked here.
    """
    reasons = reasons_of(
        access.service, access.recorder, access.viewer, access.application, model or None, target or None
    )
    return reasons.to_json()


@router.get("/original", summary="Download the resume as it was sent", response_class=Response, responses=ANY)
def download_original(access: ReadableApplication) -> Response:
    """The file as it came. Refused (403) where something is masked for you."""
    return attached(original(access.service, access.recorder, access.viewer, access.application))


@router.get(
    "/masked-text",
    summary="Download the text of the resume, masked as you see it",
    response_class=Response,
    responses=TEXT,
)
def download_masked_text(access: ReadableApplication) -> Response:
    """The text of the resume as you see it; the places in the profile are places in it."""
    return attached(masked_text(access.service, access.recorder, access.viewer, access.application))


@router.get("/difference/{other}", summary="Compare the texts of two resumes", response_model=answers.Apart)
def tell_difference(
    access: ReadableApplication, other: Annotated[str, Path(description="Another application that you may see.")]
) -> ResumeDiff:
    """Two resumes word by word."""
    second = readable_application(access, other)
    sides = (access.viewer, access.application), (second.viewer, second.application)
    return diff_resumes(access.service, access.recorder, *sides)


remarks_router = APIRouter(prefix="/applications/{application}", tags=["candidates"])
Key = Annotated[str, Path(max_length=64, description="`key` in the candidate.")]


@remarks_router.get("/notes", summary="List the notes on a candidate", response_model=Page[answers.Note])
def notes(access: ReadableApplication, first: First = 0, size: Size = 20) -> Json:
    """The newest first."""
    written = notes_of(access.service, access.recorder, access.viewer, access.application)
    return shapes.paged(written, shapes.note, first=first, size=size)


@remarks_router.post("/notes", summary="Add a note", status_code=201, response_model=Made)
def add_note(access: WritableApplication, body: NewNote) -> Json:
    """Write a note."""
    return {"id": access.store.notes.add(access.application.id, body.text, actor=access.user.id)}


@remarks_router.delete("/notes/{note}", summary="Delete a note", status_code=204)
def remove_note(access: WritableApplication, note: Annotated[str, Path(max_length=64)]) -> Response:
    """Take a note away. That it was there stays on record."""
    access.store.notes.remove(note, application=access.application.id, actor=access.user.id)
    return Response(status_code=204)


@remarks_router.post("/tags", summary="Add a tag", status_code=201, response_model=answers.NewTag)
def add_tag(access: WritableApplication, body: NewTag) -> Json:
    """Tag it; the answer's `key` names the tag from now on."""
    key, is_new = tag_it(access.service, access.application.id, body.tag, actor=access.user.id)
    return {"key": key, "new": is_new}


@remarks_router.delete("/tags/{key}", summary="Remove a tag", status_code=204)
def drop_tag(access: WritableApplication, key: Key) -> Response:
    """By its key: a tag may name who is masked for you."""
    remove_tag(access.service, access.application.id, key, actor=access.user.id)
    return Response(status_code=204)


@remarks_router.put("/flags/{key}/aside", summary="Dismiss a flag", status_code=204)
def set_aside(access: WritableApplication, key: Key, body: Aside) -> Response:
    """You have looked into this flag, and say why it does not count."""
    set_flag_aside(access.service, access.viewer, access.application, key, body.reason)
    return Response(status_code=204)


@remarks_router.delete("/flags/{key}/aside", summary="Restore a dismissed flag", status_code=204)
def bring_back(access: WritableApplication, key: Key) -> Response:
    """The flag counts again."""
    access.store.notes.restore_flag(access.application.id, key, actor=access.user.id)
    return Response(status_code=204)


@remarks_router.get(
    "/history", summary="List decisions on a candidate and who opened the page", response_model=Page[answers.Happening]
)
def history(access: ReadableApplication, first: First = 0, size: Size = 20) -> Json:
    """Decisions and who looked, the newest first."""
    entries = viewed_history(access.service, access.recorder, access.viewer, access.application)
    return shapes.paged(entries, first=first, size=size)
