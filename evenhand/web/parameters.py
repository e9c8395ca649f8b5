"""Which parameters each route takes. A name that it does not have is refused, on every route: a misspelt filter that is
passed over would answer for everybody, and a decision made by it would reach people whom nobody meant."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any, get_origin

from fastapi import Depends, Request
from fastapi.dependencies.models import Dependant
from fastapi.params import Form
from fastapi.routing import APIRoute

from evenhand.errors import FilterError, UsageError
from evenhand.screening.search_url import check_names

NOTHING = (b"", b"{}")
"""Bodies that many clients send where none is asked for."""
ANY = "x-any-parameters"
"""For a route whose query another site writes."""


@dataclass(frozen=True, slots=True)
class Accepted:
    """Names that a route takes; None where it takes any, or reads the form itself."""

    query: tuple[str, ...] | None
    form: tuple[str, ...] | None
    repeated: frozenset[str] = frozenset()  # those of the query that may be given more than once
    has_body: bool = True
    is_json: bool = False


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
    has_body: bool = False
    fault: str = ""  # of a body in JSON

    def check(self) -> None:
        """Raises UnknownParameter, or UsageError for a value or body that would be passed over."""
        if self.accepted.query is not None:
            check_names(self.query, self.accepted.query)
            for name in dict.fromkeys(self.query):
                if name not in self.accepted.repeated and (times := self.query.count(name)) > 1:
                    raise FilterError(f"The parameter {name} is given {times} times; it takes one value.")
        if self.has_body and not self.accepted.has_body:
            raise UsageError("This request takes no body.")
        if self.fault:
            raise FilterError(self.fault)
        if self.accepted.form is not None:
            check_names(self.form, self.accepted.form)


async def given_names(request: Request) -> GivenNames:
    route = request.scope["route"]
    key = route.endpoint, route.path
    if key not in _known:
        _known[key] = _accepted(route)
    accepted = _known[key]
    form = tuple(await request.form()) if accepted.form else ()  # the framework has read it already
    is_api = request.url.path.startswith("/api/")  # pages read the tokens of their forms themselves
    is_read = is_api and (accepted.is_json or not accepted.has_body)
    body = (await request.body()).strip() if is_read else b""
    query = tuple(name for name, _ in request.query_params.multi_items())
    return GivenNames(accepted, query, form, body not in NOTHING, _json_fault(body) if accepted.is_json else "")


def _json_fault(body: bytes) -> str:
    """What parsers pass over: of a name that is written twice they take the last value. No database keeps NUL."""
    faults: list[str] = []

    def pairs(items: list[tuple[str, object]]) -> dict[str, object]:
        found: dict[str, object] = {}
        for name, value in items:
            if name in found:
                faults.append(f"The body has the field {name[:40]} more than once.")
            if any(isinstance(text, str) and "\0" in text for text in (value if isinstance(value, list) else [value])):
                faults.append(f"The field {name[:40]} contains the character NUL.")
            found[name] = value
        return found

    try:
        json.loads(body, object_pairs_hook=pairs)
    except (ValueError, RecursionError):
        return ""  # the framework says that it is no JSON
    return " ".join(faults[:3])


Given = Annotated[GivenNames, Depends(given_names)]


def _accepted(route: APIRoute) -> Accepted:
    extra = route.openapi_extra or {}
    dependants = list(_all(route.dependant))
    fields = [field for dependant in dependants for field in dependant.query_params]
    declared = [field.alias for field in fields]
    declared += [parameter["name"] for parameter in extra.get("parameters", ()) if parameter["in"] == "query"]
    body = [field for dependant in dependants for field in dependant.body_params]
    is_form = bool(body) and all(isinstance(field.field_info, Form) for field in body)
    form = tuple(dict.fromkeys(field.alias for field in body)) if is_form else None
    # What is declared only for the description is read by `search_url`, which counts values itself.
    single = {field.alias for field in fields if get_origin(field.field_info.annotation) is not list}
    has_body = bool(body) or "requestBody" in extra
    query = None if ANY in extra else tuple(dict.fromkeys(declared))
    return Accepted(query, form, frozenset(declared) - single, has_body, bool(body) and not is_form)


def _all(dependant: Dependant) -> Iterator[Dependant]:
    yield dependant
    for inner in dependant.dependencies:
        yield from _all(inner)
