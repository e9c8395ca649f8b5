"""Which parameters each route takes. A name that it does not have is refused, on every route: a misspelt filter that is
passed over would answer for everybody, and a decision made by it would reach people whom nobody meant."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import Depends, Request
from fastapi.dependencies.models import Dependant
from fastapi.params import Form
from fastapi.routing import APIRoute

from evenhand.screening.search_url import check_names

ANY = "x-any-parameters"
"""For a route whose query another site writes."""


@dataclass(frozen=True, slots=True)
class Accepted:
    """Names that a route takes; None where it takes any, or reads the form itself."""

    query: tuple[str, ...] | None
    form: tuple[str, ...] | None


_known: dict[tuple[Any, str], Accepted] = {}


def accepts(*names: str) -> dict[str, Any]:
    """For `openapi_extra` of a route that reads these from the query without a declared argument for each."""
    return {"parameters": [{"name": name, "in": "query"} for name in names]}


@dataclass(frozen=True, slots=True)
class GivenNames:
    """The names that came with a request, to be checked once it is known who sent it."""

    accepted: Accepted
    query: tuple[str, ...]
    form: tuple[str, ...]

    def check(self) -> None:
        """Raises UnknownParameter."""
        if self.accepted.query is not None:
            check_names(self.query, self.accepted.query)
        if self.accepted.form is not None:
            check_names(self.form, self.accepted.form)


async def given_names(request: Request) -> GivenNames:
    route = request.scope["route"]
    key = route.endpoint, route.path
    if key not in _known:
        _known[key] = _accepted(route)
    accepted = _known[key]
    form = tuple(await request.form()) if accepted.form else ()  # the framework has read it already
    return GivenNames(accepted, tuple(request.query_params), form)


Given = Annotated[GivenNames, Depends(given_names)]


def _accepted(route: APIRoute) -> Accepted:
    extra = route.openapi_extra or {}
    dependants = list(_all(route.dependant))
    declared = [field.alias for dependant in dependants for field in dependant.query_params]
    declared += [parameter["name"] for parameter in extra.get("parameters", ()) if parameter["in"] == "query"]
    body = [field for dependant in dependants for field in dependant.body_params]
    is_form = bool(body) and all(isinstance(field.field_info, Form) for field in body)
    form = tuple(dict.fromkeys(field.alias for field in body)) if is_form else None
    return Accepted(None if ANY in extra else tuple(dict.fromkeys(declared)), form)


def _all(dependant: Dependant) -> Iterator[Dependant]:
    yield dependant
    for inner in dependant.dependencies:
        yield from _all(inner)
