"""The same operations as JSON, for programs; one module for each kind of thing."""

from typing import Any

from fastapi import APIRouter

from evenhand.web.api import (
    account,
    administration,
    applications,
    audits,
    decisions,
    description,
    exports,
    imports,
    jobs,
    ledger,
    members,
    remarks,
    rights,
    screening,
    searches,
)
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
    account,
    jobs,
    members,
    imports,
    screening,
    searches,
    exports,
    decisions,
    applications,
    remarks,
    rights,
    administration,
    ledger,
    audits,
    description,
):
    api.include_router(each.router)
