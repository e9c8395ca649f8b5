"""What programs send. Unknown fields are refused: a misspelt one must not be passed over in silence."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Path, Query, Request
from fastapi.openapi.utils import get_openapi
from pydantic import BaseModel, ConfigDict, Field

from evenhand.applicants.erasure import GROUNDS
from evenhand.mining.corrections import FIELDS
from evenhand.screening.search_url import FARTHEST, MAX_SKILLS, MAX_VALUES, RANKED_BY, TEXT_LENGTH
from evenhand.search.criteria import FACETS
from evenhand.store.jobs import EXTERNAL_ID_LENGTH
from evenhand.version import __version__
from evenhand.web.access import public
from evenhand.web.api.shapes import Json

Id = Annotated[str, Field(min_length=1, max_length=64)]
Reason = Annotated[str, Field(max_length=1_000)]
Ids = Annotated[list[Id], Field(min_length=1, max_length=500)]


class Body(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


ExternalId = Annotated[
    str, Field(min_length=1, max_length=EXTERNAL_ID_LENGTH, description="By which your own system knows it.")
]


class NewJob(Body):
    text: Annotated[str, Field(min_length=1, max_length=500_000, description="The ad, as it was published.")]
    external_id: ExternalId | None = None


class Skill(Body):
    skills: Annotated[
        list[Annotated[str, Field(min_length=1, max_length=100)]],
        Field(min_length=1, max_length=20, description="One skill, or alternatives."),
    ]
    must: bool = True
    months: Annotated[int | None, Field(ge=0, le=720)] = None


class Requirements(Body):
    """All that a job asks for; what is left out is not asked for."""

    version: Annotated[
        str, Field(max_length=64, description="As the job was read, so that nothing is overwritten unseen.")
    ]
    title: Annotated[str, Field(max_length=200)] = ""
    skills: Annotated[list[Skill], Field(max_length=100)] = []
    years: Annotated[float | None, Field(ge=0, le=60)] = None
    degree: Annotated[str, Field(max_length=40)] = ""
    city: Annotated[str, Field(max_length=200)] = ""


class Shown(Body):
    blind: bool
    hide_schools: bool = False
    reason: Annotated[str, Field(max_length=2_000, description="Needed where more is to be shown than now.")] = ""


class ShownAnswer(Body):
    request: Annotated[int, Field(ge=0, lt=2**63, description="Which one, as `shown` names it.")]
    agree: bool


class Decide(Body):
    action: Literal["screen", "shortlist", "reject", "offer"]
    applications: Ids
    reason: Reason = ""
    seen: Annotated[int | None, Field(ge=1, le=2**53, description="`ranking` of the list that was looked at.")] = None


class DecideMany(Body):
    """Reject the rest of a list, or shortlist its first ones. Without `version` only what would happen is told."""

    action: Literal["reject", "shortlist"]
    keep: Annotated[int, Field(ge=0, le=1_000_000, description="The top N are kept, or shortlisted.")]
    query: Annotated[str, Field(max_length=4_000, description="Of the list's address, as in `GET .../screen`.")] = ""
    version: Annotated[str, Field(max_length=64)] = ""
    reason: Reason = ""
    seen: Annotated[int | None, Field(ge=1, le=2**53)] = None


class Undo(Body):
    batch: Annotated[str | None, Field(max_length=64, description="Without: your newest decision on this job.")] = None
    confirmed: Annotated[bool, Field(description="With the batch that a 409 named: yes, this one.")] = False


class Redo(Body):
    batch: Annotated[str | None, Field(max_length=64, description="Of the undo; without: your newest one.")] = None
    confirmed: Annotated[bool, Field(description="With the batch that a 409 named: yes, this one.")] = False


class NewNote(Body):
    text: Annotated[str, Field(min_length=1, max_length=10_000)]


class NewTag(Body):
    tag: Annotated[str, Field(min_length=1, max_length=60)]


class Aside(Body):
    reason: Annotated[str, Field(min_length=1, max_length=1_000)]


class NewSearch(Body):
    name: Annotated[str, Field(min_length=1, max_length=100)]
    query: Annotated[str, Field(max_length=4_000, description="Of the list's address, as in `GET .../screen`.")]


class NewMember(Body):
    user: Id


class NewToken(Body):
    name: Annotated[str, Field(min_length=1, max_length=100)]
    days: Annotated[int, Field(ge=1, le=366)]


class NewImport(Body):
    source: Annotated[str, Field(max_length=200)] = ""


class NewWatchEntry(Body):
    list: Literal["no_hire", "not_accredited"]
    name: Annotated[str, Field(min_length=1, max_length=500)]
    note: Annotated[str | None, Field(max_length=1_000)] = None


class Dates(Body):
    start: Annotated[str, Field(max_length=10, description="2019-03, or 2019.")] = ""
    end: Annotated[str, Field(max_length=10, description="Or present.")] = ""


class NewCorrection(Body):
    field: Annotated[str, Field(max_length=40, json_schema_extra={"enum": list(FIELDS)})]
    value: Annotated[str, Field(max_length=300, description="Nothing: the resume does not say.")] = ""
    dates: Annotated[Dates | None, Field(description="In place of `value`, for position.dates.")] = None
    entry: Annotated[
        int | None, Field(ge=0, le=10_000, description="Number of the job or study in the profile, from 0.")
    ] = None
    words: Annotated[str, Field(max_length=300, description="Of the resume, that show the value.")] = ""
    reason: Annotated[str, Field(max_length=2_000)] = ""
    all_applications: Annotated[
        bool, Field(description="All applications that this person made with this file; administrators only.")
    ] = False


class ProposalAnswer(Body):
    reason: Annotated[str, Field(max_length=2_000)] = ""


class Erase(Body):
    reason: Annotated[str, Field(min_length=1, max_length=500)]
    ground: Annotated[str, Field(max_length=20, json_schema_extra={"enum": list(GROUNDS)})] = "request"
    whole_person: Annotated[bool, Field(description="All applications of the same candidate.")] = False


class NewAudit(Body):
    """A bias audit of a job."""

    job: Id
    kinds: Annotated[list[Literal["swaps", "outcomes"]], Field(min_length=1, max_length=2)] = ["swaps", "outcomes"]
    ranker: Annotated[str, Field(max_length=40)] = "best"
    families: Annotated[
        list[Annotated[str, Field(max_length=64)]] | None,
        Field(max_length=64, description="Of swaps, only these families of changes; none means all."),
    ] = None
    most: Annotated[int | None, Field(ge=1, le=100_000, description="Resumes that are changed at most.")] = None
    seed: Annotated[int, Field(ge=0, lt=2**31)] = 0


# Parameters that several addresses share.

First = Annotated[int, Query(ge=0, le=10_000_000, description="How many to pass over.")]
Size = Annotated[int, Query(ge=1, le=100, description="How many to give.")]
FirstRank = Annotated[int, Query(ge=0, le=FARTHEST, description="How many ranks to pass over.")]
ParametersId = Annotated[str, Path(max_length=64)]
ByExternalId = Annotated[
    str | None, Query(min_length=1, max_length=EXTERNAL_ID_LENGTH, description="Only the one with this external id.")
]


def _parameter(name: str, description: str, schema: dict[str, Any]) -> dict[str, Any]:
    return {"name": name, "in": "query", "required": False, "description": description, "schema": schema}


def _many(most: int) -> dict[str, Any]:
    return {"type": "array", "items": {"type": "string"}, "maxItems": most}


SEARCH: dict[str, Any] = {
    "parameters": [
        _parameter("q", "The query language of the search box.", {"type": "string", "maxLength": TEXT_LENGTH}),
        *(_parameter(name, "Values of a facet: any of them.", _many(MAX_VALUES)) for name in FACETS),
        _parameter("months", "Skills with months, as java>=36; all of them.", _many(MAX_SKILLS)),
        _parameter("ranker", "How the list is ordered.", {"type": "string", "enum": list(RANKED_BY)}),
        _parameter("strict", "1 applies every filter to every facet's counts.", {"type": "string", "enum": ["0", "1"]}),
    ]
}
"""The search of a list as it stands in its address: the pages and the API read it by the same function."""


# Answers that are files, as the API's description tells of them.

Responses = dict[int | str, dict[str, Any]]


def _file(description: str, media_type: str) -> Responses:
    content = {media_type: {"schema": {"type": "string", "format": "binary"}}}
    return {200: {"description": f"{description}, as an attachment.", "content": content}}


ANY = _file("The file", "application/octet-stream")
TEXT = _file("Plain text", "text/plain")
ZIP = _file("An archive", "application/zip")
CSV = _file("A table", "text/csv")
XLSX = _file("A spreadsheet", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet")

# The API's own description (OpenAPI), for clients that are made from it.

router = APIRouter(dependencies=[Depends(public)], include_in_schema=False)
IDEMPOTENCY_KEY = {
    "name": "Idempotency-Key",
    "in": "header",
    "required": False,
    "description": "Sent again with the same key within 24 hours, a request has no second effect and the same answer.",
    "schema": {"type": "string", "minLength": 1, "maxLength": 255},
}
ABOUT = """The same operations as on the pages, as JSON.

Send a token of your account as `Authorization: Bearer ...`. An error is `{"error": {"code", "message"}}`. What you may
not see does not exist (404); what you may see and not change is refused (403). Every list that is shown, every
decision and every export is in the ledger, whoever asks."""


@router.get("/openapi.json")
def describe(request: Request) -> Json:
    """Nothing in it is about anyone."""
    app = request.app
    if app.openapi_schema is None:
        description = get_openapi(title="Evenhand", version=__version__, description=ABOUT, routes=app.routes)
        description.setdefault("components", {})["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
        description["security"] = [{"token": []}]
        for operations in description["paths"].values():
            if "post" in operations:
                operations["post"].setdefault("parameters", []).append(IDEMPOTENCY_KEY)
        app.openapi_schema = description
    schema: Json = app.openapi_schema
    return schema
