"""What programs send. Unknown fields are refused: a misspelt one must not be passed over in silence."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from evenhand.workflows.correctable import FIELDS
from evenhand.workflows.erasing import GROUNDS

Id = Annotated[str, Field(min_length=1, max_length=64)]
Reason = Annotated[str, Field(max_length=1_000)]
Ids = Annotated[list[Id], Field(min_length=1, max_length=500)]


class Body(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class NewJob(Body):
    text: Annotated[str, Field(min_length=1, max_length=500_000, description="The ad, as it was published.")]


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


class Decide(Body):
    action: Literal["screen", "shortlist", "reject", "offer"]
    applications: Ids
    reason: Reason = ""
    seen: Annotated[
        int | None, Field(ge=1, le=2**53, description="`ranking` of the list that was looked at.")
    ] = None


class DecideMany(Body):
    """Reject the rest of a list, or shortlist its first ones. Without `version` only what would happen is told."""

    action: Literal["reject", "shortlist"]
    keep: Annotated[
        int, Field(ge=0, le=1_000_000, description="The first so many are spared, or shortlisted.")
    ]
    query: Annotated[
        str, Field(max_length=4_000, description="Of the list's address, as in `GET .../screen`.")
    ] = ""
    version: Annotated[str, Field(max_length=64)] = ""
    reason: Reason = ""
    seen: Annotated[int | None, Field(ge=1, le=2**53)] = None


class Undo(Body):
    batch: Annotated[
        str | None, Field(max_length=64, description="Without: your newest decision on this job.")
    ] = None


class NewNote(Body):
    text: Annotated[str, Field(min_length=1, max_length=10_000)]


class NewTag(Body):
    tag: Annotated[str, Field(min_length=1, max_length=60)]


class Aside(Body):
    reason: Annotated[str, Field(min_length=1, max_length=1_000)]


class NewSearch(Body):
    name: Annotated[str, Field(min_length=1, max_length=100)]
    query: Annotated[
        str, Field(max_length=4_000, description="Of the list's address, as in `GET .../screen`.")
    ]


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


class Erase(Body):
    reason: Annotated[str, Field(min_length=1, max_length=500)]
    ground: Annotated[str, Field(max_length=20, json_schema_extra={"enum": list(GROUNDS)})] = "request"
    whole_person: Annotated[bool, Field(description="All applications of the same candidate.")] = False


class NewAudit(Body):
    """A bias audit of a job."""

    job: Id
    kinds: Annotated[list[Literal["swaps", "outcomes"]], Field(min_length=1, max_length=2)] = [
        "swaps",
        "outcomes",
    ]
    ranker: Annotated[str, Field(max_length=40)] = "best"
    families: Annotated[
        list[Annotated[str, Field(max_length=64)]] | None,
        Field(max_length=64, description="Of swaps, only these families of changes; none means all."),
    ] = None
    most: Annotated[int | None, Field(ge=1, le=100_000, description="Resumes that are changed at most.")] = (
        None
    )
    seed: Annotated[int, Field(ge=0, lt=2**31)] = 0
