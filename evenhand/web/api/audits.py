"""Bias audits and the ledger, for auditors and administrators."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Path, Query

from evenhand.audit.run import AuditRequest, queue_audit
from evenhand.ledger.replay import replay
from evenhand.ledger.verify import verify_ledger
from evenhand.ledger.wording import view_event
from evenhand.records.event import KINDS
from evenhand.store.audits import DONE
from evenhand.web.access import AuditingUser, Reviewer
from evenhand.web.api import answers, requests
from evenhand.web.api.shapes import Json
from evenhand.web.pages.audits import opened
from evenhand.web.pages.ledger import alone, visibility_for_event

router = APIRouter(prefix="/audits", tags=["audits"])


@router.get("", summary="List audits and schedules", response_model=answers.Audits)
def list_all(visit: AuditingUser, job: str = "") -> Json:
    """The newest first, and when the next ones are due."""
    if job:
        visit.store.jobs.get(job)  # 404 where there is none: an empty list would say that nothing has happened
    return {
        "audits": [audit.to_json() for audit in visit.store.audits.all(job=job or None)],
        "schedules": [schedule.to_json() for schedule in visit.store.audits.schedules()],
        "rejected_unopened": [
            {"job": id, "rejected": rejected, "unopened": unopened}
            for id, (rejected, unopened) in visit.service.rejected_unopened(job or None).items()
        ],
    }


@router.post("", summary="Start a bias audit", status_code=201, response_model=answers.Audit)
def begin(visit: AuditingUser, body: requests.NewAudit) -> Json:
    """It runs in the background; ask for it by its id until its state is done or failed."""
    wanted = AuditRequest.from_json(body.model_dump())
    id = queue_audit(visit.service, wanted, actor=visit.user.id)
    visit.context.auditor.wake()
    return visit.store.audits.get(id).to_json()


@router.get("/{audit}", summary="Show an audit and its report", response_model=answers.AuditWithReport)
def read(visit: AuditingUser, audit: str) -> Json:
    """With its report when it is done."""
    stored = visit.store.audits.get(audit)
    report = opened(visit, stored, "api").to_json() if stored.state == DONE else None
    return {**stored.to_json(), "report": report}


ledger_router = APIRouter(prefix="/ledger", tags=["ledger"])
After = Annotated[int, Query(ge=0, le=2**53, description="Events after this sequence.")]
Limit = Annotated[int, Query(ge=1, le=1_000, description="How many to give.")]
Sequence = Annotated[int, Path(ge=1, le=2**53)]
Kind = Annotated[Literal[KINDS] | None, Query(description="Only those of one kind.")]  # type: ignore[valid-type]


@ledger_router.get("", summary="List the events of the ledger", response_model=answers.Events)
def events(
    visit: Reviewer,
    after: After = 0,
    limit: Limit = 100,
    kind: Kind = None,
    job: Annotated[str | None, Query(max_length=64)] = None,
) -> Json:
    """The oldest first."""
    if job:
        visit.store.jobs.get(job)
    page = visit.store.ledger.events(after=after, kinds=[kind] if kind else None, job=job, limit=limit)
    following = page[-1].sequence if len(page) == limit else None
    return {"items": [event.to_json() for event in page], "next": following}


@ledger_router.post("/verify", summary="Verify the ledger", response_model=answers.Verification)
def verify(visit: Reviewer) -> Json:
    """Whether the chain is intact, and as it was signed. Takes seconds for every million events."""
    with alone():
        return verify_ledger(visit.store, visit.settings).to_json()


@ledger_router.get(
    "/{sequence}", summary="Show an event of the ledger", name="read", response_model=answers.OpenedEvent
)
def ledger_read(visit: Reviewer, sequence: Sequence) -> Json:
    """An event, and what is still known of what it seals. Contact data are never among it."""
    event = visit.store.ledger.get(sequence)
    view = view_event(visit.store, event, visibility_for_event(visit, event))
    return {
        "event": event.to_json(),
        "words": view.line.words,
        "who": view.line.who,
        "job_title": view.line.job_title,
        "applicants": view.applicants,
        "opened": view.opened,
        "erased": view.erased,
    }


@ledger_router.post("/{sequence}/replay", summary="Replay a ranking from the ledger", response_model=answers.Replayed)
def make_again(visit: Reviewer, sequence: Sequence) -> Json:
    """A ranking from the record, made again and compared with what was shown."""
    with alone():
        return replay(visit.service, sequence).to_json()
