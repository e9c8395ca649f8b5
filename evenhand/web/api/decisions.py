"""Decisions: on some, on many after a preview, and undone again. A person makes each; none happens by itself."""

from __future__ import annotations

from fastapi import APIRouter

from evenhand.web.access import Ctx, JobAccess, WritableJob
from evenhand.web.addresses import query_pairs
from evenhand.web.api import answers, shapes
from evenhand.web.api.bodies import Decide, DecideMany, Undo
from evenhand.web.api.shapes import Json
from evenhand.web.pages.screening import read
from evenhand.workflows.desk_decisions import Decider, decide, undo
from evenhand.workflows.desk_rest import PLANS, carry_out

router = APIRouter(tags=["decisions"])


@router.post("/jobs/{job}/decisions", response_model=answers.Outcome)
def make(context: Ctx, access: WritableJob, body: Decide) -> Json:
    """Shortlist, reject, offer, or mark as screened. A rejection needs a reason."""
    found = decide(
        context.service, _by(access, body.seen), body.applications, body.action, reason=body.reason
    )
    context.recorder.checkpoint()
    return shapes.outcome(found)


@router.post("/jobs/{job}/decisions/many", response_model=answers.ManyDone)
def make_many(context: Ctx, access: WritableJob, body: DecideMany) -> Json:
    """First without `version`: what would happen, and its version. Then with it: exactly that, or nothing."""
    criteria = read(query_pairs(body.query), context, access).criteria
    if not body.version:
        return {"plan": shapes.plan(PLANS[body.action](context.service, criteria, keep=body.keep))}
    found = carry_out(
        context.service,
        _by(access, body.seen),
        criteria,
        action=body.action,
        keep=body.keep,
        version=body.version,
        reason=body.reason,
    )
    context.recorder.checkpoint()
    return {"outcome": shapes.outcome(found)}


@router.post("/jobs/{job}/decisions/undo", response_model=answers.Outcome)
def take_back(context: Ctx, access: WritableJob, body: Undo) -> Json:
    """Give each application of a decision its status from before."""
    found = undo(context.service, _by(access, None), body.batch)
    context.recorder.checkpoint()
    return shapes.outcome(found)


def _by(access: JobAccess, seen: int | None) -> Decider:
    return Decider(access.user.id, access.job.id, seen)
