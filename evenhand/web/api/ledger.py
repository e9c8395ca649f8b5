"""The ledger: events, one of them with what is still known of it, verification, rankings made again."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Path, Query, Request

from evenhand.records.event import KINDS
from evenhand.web.access import Ctx, Reviewer
from evenhand.web.api import answers
from evenhand.web.api.shapes import Json
from evenhand.web.pages.ledger import alone, lens_for_event
from evenhand.workflows.ledger import verify_ledger
from evenhand.workflows.ledger_view import view_event
from evenhand.workflows.replaying import replay

router = APIRouter(prefix="/ledger", tags=["ledger"])
After = Annotated[int, Query(ge=0, le=2**53, description="Events after this sequence.")]
Limit = Annotated[int, Query(ge=1, le=1_000, description="How many to give.")]
Sequence = Annotated[int, Path(ge=1, le=2**53)]
Kind = Annotated[Literal[KINDS] | None, Query(description="Only those of one kind.")]  # type: ignore[valid-type]


@router.get("", response_model=answers.Events)
def events(
    context: Ctx,
    user: Reviewer,
    after: After = 0,
    limit: Limit = 100,
    kind: Kind = None,
    job: Annotated[str | None, Query(max_length=64)] = None,
) -> Json:
    """The oldest first."""
    found = context.store.events(after=after, kinds=[kind] if kind else None, job=job, limit=limit)
    following = found[-1].sequence if len(found) == limit else None
    return {"items": [event.to_json() for event in found], "next": following}


@router.post("/verify", response_model=answers.Verification)
def verify(context: Ctx, user: Reviewer) -> Json:
    """Is the chain whole, and as it was signed? Takes seconds for every million events."""
    with alone():
        return verify_ledger(context.store, context.settings).to_json()


@router.get("/{sequence}", response_model=answers.OpenedEvent)
def read(request: Request, context: Ctx, user: Reviewer, sequence: Sequence) -> Json:
    """An event, and what is still known of what it seals. Contact data are never among it."""
    event = context.store.event(sequence)
    shown = view_event(context.store, event, lens_for_event(request, context, user, event))
    return {
        "event": event.to_json(),
        "words": shown.line.words,
        "who": shown.line.who,
        "job_title": shown.line.job_title,
        "applicants": [{"seal": each.seal, "application": each.application} for each in shown.applicants],
        "opened": dict(shown.opened),
        "erased": list(shown.erased),
    }


@router.post("/{sequence}/replay", response_model=answers.Replayed)
def make_again(context: Ctx, user: Reviewer, sequence: Sequence) -> Json:
    """A ranking from the record, made again and compared with what was shown."""
    with alone():
        return replay(context.service, sequence).to_json()
