"""Bias audits for programs: which there are, one with its report, and a new one. Auditors and admins."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request

from evenhand.store.audit_rows import DONE
from evenhand.web.access import AuditingUser, Ctx
from evenhand.web.api import answers, bodies
from evenhand.web.pages.audits import opened
from evenhand.workflows.auditing.requests import AuditRequest
from evenhand.workflows.auditing.running import ask

router = APIRouter(prefix="/audits", tags=["audits"])
Json = dict[str, Any]


@router.get("", response_model=answers.Audits)
def list_all(context: Ctx, user: AuditingUser, job: str = "") -> Json:
    """The newest first, and when the next ones are due."""
    return {
        "audits": [each.to_json() for each in context.store.audits(job=job or None)],
        "schedules": [each.to_json() for each in context.store.audit_schedules()],
    }


@router.post("", status_code=201, response_model=answers.Audit)
def begin(context: Ctx, user: AuditingUser, body: bodies.NewAudit) -> Json:
    """It runs in the background; ask for it by its id until its state is done or failed."""
    wanted = AuditRequest.from_json(body.model_dump())
    id = ask(context.service, wanted, actor=user.id)
    context.auditor.wake()
    return context.store.audit(id).to_json()


@router.get("/{audit}", response_model=answers.AuditWithReport)
def read(request: Request, context: Ctx, user: AuditingUser, audit: str) -> Json:
    """With its report when it is done."""
    found = context.store.audit(audit)
    report = opened(request, context, user, found, "api").to_json() if found.state == DONE else None
    return {**found.to_json(), "report": report}
