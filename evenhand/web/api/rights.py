"""What applicants may ask for: what was misread put right, everything that is held about them, and to be forgotten."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Path, Response

from evenhand.applicants.corrections import (
    MASKED_FIELD,
    CorrectionOutcome,
    accept_correction,
    build_correction_page,
    correct,
    decline_correction,
    hidden_fields,
    list_proposed,
    revert_correction,
)
from evenhand.applicants.erasure import certificate_of, erase, whole_person
from evenhand.applicants.rights import make_receipt
from evenhand.errors import Forbidden
from evenhand.mining.corrections import CorrectionInput
from evenhand.store.erasures import StoredErasure
from evenhand.web.access import ReadableApplication, Reviewer, SignedIn, WritableApplication, admin
from evenhand.web.api import answers, shapes
from evenhand.web.api.requests import ZIP, Erase, First, NewCorrection, ParametersId, ProposalAnswer, Size
from evenhand.web.api.shapes import Json
from evenhand.web.pages.retention import erasure_for
from evenhand.web.pages.rights import export_archive, for_person

router = APIRouter(tags=["rights"])
ONE = "/applications/{application}"


@router.get(ONE + "/corrections", summary="List corrections", response_model=answers.Page[answers.Correction])
def corrections(access: WritableApplication, first: First = 0, size: Size = 20) -> Json:
    """The newest first, with those that were undone or declined."""
    page = build_correction_page(access.service, access.viewer, access.application)
    return shapes.paged(page.lines, first=first, size=size)


@router.post(
    ONE + "/corrections", summary="Correct what was misread", status_code=201, response_model=answers.Corrected
)
def put_right(access: WritableApplication, body: NewCorrection) -> Json:
    """Correct a misread field of this application. Both versions stay on record, and the rank follows.

    To other applications of the same file it is proposed.
    """
    everywhere = for_person(access, body.all_applications)
    if body.field in hidden_fields(access.viewer):
        raise Forbidden(MASKED_FIELD)
    value = body.dates.model_dump() if body.dates else body.value
    wanted = CorrectionInput(body.field, value, body.entry, body.words)
    by = access.user.id
    made = correct(access.service, access.application, wanted, actor=by, reason=body.reason, everywhere=everywhere)
    access.recorder.checkpoint()
    return _outcome(made)


@router.get(
    ONE + "/corrections/proposed",
    summary="List proposed corrections",
    response_model=answers.Page[answers.ProposedCorrection],
)
def proposed(access: WritableApplication, first: First = 0, size: Size = 20) -> Json:
    """Corrections of other applications of the same file, to be accepted or declined here, the oldest first."""
    return shapes.paged(list_proposed(access.service, access.viewer, access.application), first=first, size=size)


@router.post(
    ONE + "/corrections/{correction}/accept", summary="Accept a proposed correction", response_model=answers.Corrected
)
def accept(access: WritableApplication, correction: ParametersId, body: ProposalAnswer) -> Json:
    """Make a proposed correction to this application. Refused (403) for a field that is masked for you."""
    concerned = access.service, access.viewer, access.application
    made = accept_correction(*concerned, correction, actor=access.user.id, reason=body.reason)
    access.recorder.checkpoint()
    return _outcome(made)


@router.post(ONE + "/corrections/{correction}/decline", summary="Decline a proposed correction", status_code=204)
def decline(access: WritableApplication, correction: ParametersId, body: ProposalAnswer) -> Response:
    """Leave this application as it is; the correction is not proposed for it again."""
    concerned = access.service, access.viewer, access.application
    decline_correction(*concerned, correction, actor=access.user.id, reason=body.reason)
    access.recorder.checkpoint()
    return Response(status_code=204)


@router.delete(ONE + "/corrections/{correction}", summary="Undo a correction", response_model=answers.Corrected)
def undo(access: WritableApplication, correction: ParametersId) -> Json:
    """The other corrections of the application stay in force. Refused (403) where the field is masked for you."""
    concerned = access.service, access.application, correction
    made = revert_correction(*concerned, actor=access.user.id, viewer=access.viewer)
    access.recorder.checkpoint()
    return _outcome(made)


@router.get(ONE + "/receipt", summary="Show the applicant's receipt", response_model=dict[str, Any])
def receipt(access: ReadableApplication) -> Json:
    """What is held about the application and what was made of it. Refused (403) where something is masked for you."""
    return make_receipt(access.service, access.recorder, access.viewer, access.application, form="json").to_json()


@router.get(
    ONE + "/archive", summary="Download everything held about an application", response_class=Response, responses=ZIP
)
def archive(access: ReadableApplication) -> Response:
    """Everything about the application: the file, what was read, what was decided, the receipt."""
    return export_archive(access)


@router.post(
    ONE + "/erasure",
    summary="Erase an application or a person",
    dependencies=[Depends(admin)],
    response_model=answers.Erasure,
)
def forget(access: WritableApplication, body: Erase) -> Json:
    """Erase the application, or everything of the person. It cannot be undone; the answer is the certificate."""
    ids = [access.application.id]
    if body.whole_person:
        ids = whole_person(access.service, access.application)
    done = erase(access.service, ids, actor=access.user.id, reason=body.reason, ground=body.ground)
    return _erasure(done)


@router.get("/erasures", summary="List certificates of erasure", response_model=answers.Page[answers.Erasure])
def erasures(visit: Reviewer, first: First = 0, size: Size = 20) -> Json:
    """Certificates of all erasures, as the store has them."""
    return shapes.paged(visit.store.erasures.all(), _erasure, first=first, size=size)


@router.get("/erasures/{erasure}", summary="Show a certificate of erasure", response_model=answers.Erasure)
def certificate(visit: SignedIn, erasure: Annotated[str, Path(max_length=64)]) -> Json:
    """For auditors and admins, and for who did it."""
    return _erasure(erasure_for(visit, erasure))


def _outcome(made: CorrectionOutcome) -> Json:
    return {"id": made.correction, "before": made.before.to_json(), "after": made.after.to_json()}


def _erasure(erasure: StoredErasure) -> Json:
    return {"id": erasure.id, "certificate": certificate_of(erasure)}
