"""The API's own description (OpenAPI), for clients that are made from it."""

from __future__ import annotations

from fastapi import APIRouter, Depends, Request
from fastapi.openapi.utils import get_openapi

from evenhand.version import __version__
from evenhand.web.access import public
from evenhand.web.api.shapes import Json

router = APIRouter(dependencies=[Depends(public)], include_in_schema=False)
ABOUT = """The same operations as on the pages, as JSON.

Send a token of your account as `Authorization: Bearer ...`. An error is `{"error": {"code", "message"}}`. What you may
not see does not exist (404); what you may see and not change is refused (403). Every list that is shown, every
decision and every export is in the ledger, whoever asks."""


@router.get("/openapi.json")
def describe(request: Request) -> Json:
    """Nothing in it is about anyone."""
    app = request.app
    if app.openapi_schema is None:
        found = get_openapi(title="Evenhand", version=__version__, description=ABOUT, routes=app.routes)
        found.setdefault("components", {})["securitySchemes"] = {
            "token": {"type": "http", "scheme": "bearer"}
        }
        found["security"] = [{"token": []}]
        app.openapi_schema = found
    schema: Json = app.openapi_schema
    return schema
