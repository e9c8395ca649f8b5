"""The same operations as JSON, for programs; one module for each kind of thing."""

from typing import Any

from fastapi import APIRouter

from evenhand.web.api import accounts, applications, audits, jobs, requests, rights, screening
from evenhand.web.api.answers import Error

PROBLEMS: dict[int | str, dict[str, Any]] = {
    400: {"model": Error, "description": "The request cannot be understood."},
    401: {"model": Error, "description": "No token, or one that does not let you in."},
    403: {"model": Error, "description": "You may see this, and not do it."},
    404: {"model": Error, "description": "There is none, or it is not yours to see."},
    409: {"model": Error, "description": "What is there is not what the request was made for."},
    413: {"model": Error, "description": "The request is too large."},
    415: {"model": Error, "description": "A body of a type that is not taken."},
    422: {"model": Error, "description": "Something in the request is missing or wrong."},
    503: {"model": Error, "description": "Busy; try again later."},
}

api = APIRouter(responses=PROBLEMS)
for router in (
    accounts.router,
    jobs.router,
    accounts.members_router,
    jobs.imports_router,
    screening.router,
    screening.searches_router,
    jobs.exports_router,
    screening.decisions_router,
    applications.router,
    applications.remarks_router,
    rights.router,
    accounts.administration_router,
    audits.ledger_router,
    audits.router,
    requests.router,
):
    api.include_router(router)
