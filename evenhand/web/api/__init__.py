"""The same operations as JSON, for programs; one module for each kind of thing."""

from typing import Any

from fastapi import APIRouter

from evenhand.web.api import accounts, applications, audits, jobs, requests, rights, screening
from evenhand.web.api import jobs as exports
from evenhand.web.api import screening as decisions
from evenhand.web.api.answers import Error

PROBLEMS: dict[int | str, dict[str, Any]] = {
    400: {"model": Error, "description": "The request cannot be understood."},
    401: {"model": Error, "description": "No token, or one that does not let you in."},
    403: {"model": Error, "description": "You may see this, and not do it."},
    404: {"model": Error, "description": "There is none, or it is not yours to see."},
    413: {"model": Error, "description": "The request is too large."},
    422: {"model": Error, "description": "Something in the request is missing or wrong."},
    503: {"model": Error, "description": "Busy; try again later."},
}

api = APIRouter(responses=PROBLEMS)
for each in (
    accounts,
    jobs,
    accounts,
    exports,
    screening,
    screening,
    exports,
    decisions,
    applications,
    applications,
    rights,
    accounts,
    audits,
    audits,
    requests,
):
    api.include_router(each.router)
