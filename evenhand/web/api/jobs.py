"""Jobs and their requirements, imports of files for them, and exports of their lists."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Response
from starlette.concurrency import run_in_threadpool

from evenhand.errors import FilterError
from evenhand.mining.pipeline import vocabulary_for
from evenhand.screening.imports import redact_import
from evenhand.screening.jobs import (
    JobRequirements,
    SkillRequirement,
    change_requirements,
    change_shown,
    create_job,
    list_jobs,
    revise,
    understand_pasted,
)
from evenhand.store.imports import ImportBatch
from evenhand.store.jobs import JobSettings
from evenhand.web.access import JobAccess, ReadableJob, ScreeningUser, SignedIn, WritableJob
from evenhand.web.api import answers, shapes
from evenhand.web.api.requests import (
    CSV,
    SEARCH,
    XLSX,
    ByExternalId,
    First,
    NewImport,
    NewJob,
    ParametersId,
    Requirements,
    Shown,
    ShownAnswer,
    Size,
)
from evenhand.web.api.shapes import Json
from evenhand.web.pages import exports
from evenhand.web.pages.imports import check_import, keep_file, plain_source, read_upload

router = APIRouter(tags=["jobs"])
Different = Annotated[bool, Query(description="By what sets these applicants apart, not by how many have it.")]


@router.get("/jobs", summary="List jobs", response_model=answers.Page[answers.JobLine])
def jobs(visit: SignedIn, external_id: ByExternalId = None, first: First = 0, size: Size = 20) -> Json:
    """Jobs you may see, the newest first."""
    lines = list_jobs(visit.store, visit.user)
    if external_id is not None:
        lines = [line for line in lines if line.job.external_id == external_id]
    return shapes.paged(lines, first=first, size=size)


@router.post("/jobs", summary="Create a job from its ad", status_code=201, response_model=answers.Job)
def add(visit: ScreeningUser, body: NewJob) -> Json:
    """A job from its ad; the answer says what was understood of it."""
    understood = understand_pasted(body.text, visit.settings)
    id = create_job(visit.store, understood, visit.user, external_id=body.external_id)
    return shapes.job(visit.store.jobs.get(id))


@router.get("/jobs/{job}", summary="Show a job and its requirements", response_model=answers.Job)
def read(access: ReadableJob) -> Json:
    """What a job asks for."""
    return shapes.job(access.job)


@router.get(
    "/jobs/{job}/applications",
    summary="List the applications for a job",
    response_model=answers.Page[answers.ApplicationLine],
)
def applications(access: ReadableJob, external_id: ByExternalId = None, first: First = 0, size: Size = 20) -> Json:
    """In the order in which they came, without anything about the people; `screen` ranks them."""
    if external_id is not None and not access.visibility.is_open:
        raise FilterError("External ids are masked here, so applications cannot be looked up by them.")
    rows, total = access.store.applications.page_of_job(access.job.id, external_id=external_id, first=first, size=size)
    return shapes.application_lines(rows, total, first=first, size=size, shows_external_ids=access.visibility.is_open)


@router.put("/jobs/{job}/requirements", summary="Change the requirements of a job", response_model=answers.Job)
def change(access: WritableJob, body: Requirements) -> Json:
    """In place of what was understood; applicants are ranked by it from now on."""
    skills = tuple(SkillRequirement(tuple(skill.skills), skill.must, skill.months) for skill in body.skills)
    wanted = JobRequirements(body.title, skills, body.years, body.degree, body.city)
    canonical = vocabulary_for(access.settings).canonical_skill
    changed = revise(access.job.requirements, wanted, canonical=canonical)
    change_requirements(access.store, access.job.id, changed, version=body.version, actor=access.user.id)
    access.service.follow()
    return shapes.job(access.store.jobs.get(access.job.id))


@router.get("/jobs/{job}/shown", summary="Show whether a job is screened blind", response_model=answers.Shown)
def shown(access: ReadableJob) -> Json:
    """Whether everyone screens this job blind, and who asks for more to be shown."""
    return _shown(access)


@router.put("/jobs/{job}/shown", summary="Change whether a job is screened blind", response_model=answers.Shown)
def show(access: WritableJob, body: Shown) -> Json:
    """Have everyone screen this job blind, or not. To show more takes a reason and, but for administrators, another
    person: what comes back then is as before, with your request."""
    wanted = JobSettings(body.blind, body.hide_schools)
    change_shown(access.store, access.job.id, wanted, user=access.user, reason=body.reason)
    return _shown(access)


@router.post(
    "/jobs/{job}/shown/answer", summary="Answer a request to show what a job masks", response_model=answers.Shown
)
def answer_shown(access: WritableJob, body: ShownAnswer) -> Json:
    """Agree to somebody else's request to show more, refuse it, or withdraw your own."""
    access.store.job_settings.answer(access.job.id, body.request, agree=body.agree, actor=access.user.id)
    return _shown(access)


def _shown(access: JobAccess) -> Json:
    settings, request = access.store.job_settings.get(access.job.id), access.store.job_settings.request(access.job.id)
    asked = request and {
        "request": request.sequence,
        "blind": request.wanted.blind,
        "hide_schools": request.wanted.hide_schools,
        "user": request.actor,
        "reason": access.visibility.clean(request.reason),
    }
    return {"blind": settings.blind, "hide_schools": settings.hide_schools, "request": asked}


@router.post("/jobs/{job}/close", summary="Close a job", response_model=answers.Job)
def close(access: WritableJob) -> Json:
    """Take no more applications."""
    access.store.jobs.close(access.job.id, actor=access.user.id)
    return shapes.job(access.store.jobs.get(access.job.id))


@router.post("/jobs/{job}/reopen", summary="Reopen a job", response_model=answers.Job)
def reopen(access: WritableJob) -> Json:
    """Take applications again."""
    access.store.jobs.reopen(access.job.id, actor=access.user.id)
    return shapes.job(access.store.jobs.get(access.job.id))


@router.get(
    "/jobs/{job}/suggestions",
    summary="Suggest skills that applicants have and the job does not name",
    response_model=answers.Items[answers.Suggestion],
)
def suggestions(access: ReadableJob, different: Different = False, size: Size = 20) -> Json:
    """Skills that applicants have and the job does not name."""
    skills = access.service.suggest_skills(access.job.id, by_difference=different, limit=size)
    return {"items": skills}


TEXT_FIELD = {"type": "string"}
# An import: begin it, send each file, seal it, ask how far it is.
imports_router = APIRouter(tags=["imports"])
FORM_FIELDS = {"file": {"type": "string", "format": "binary"}, "name": TEXT_FIELD, "external_id": TEXT_FIELD}
FILE = {
    "requestBody": {
        "required": True,
        "content": {
            "application/octet-stream": {},
            "multipart/form-data": {"schema": {"type": "object", "properties": FORM_FIELDS, "required": ["file"]}},
        },
    }
}
Name = Annotated[str, Query(max_length=1_000, description="The name under which it came.")]


@imports_router.get(
    "/jobs/{job}/imports", summary="List the imports of a job", response_model=answers.Items[answers.ImportLine]
)
def imports(access: WritableJob, size: Size = 20) -> Json:
    """The newest first."""
    batches = access.store.imports.of_job(access.job.id, limit=size)
    return {"items": [shapes.import_line(batch) for batch in batches]}


@imports_router.post("/jobs/{job}/imports", summary="Start an import", status_code=201, response_model=answers.Import)
def begin(access: WritableJob, body: NewImport) -> Json:
    """The answer's `id` is where the files go."""
    id = access.store.imports.begin(access.job.id, actor=access.user.id, source=plain_source(body.source))
    return shapes.import_(_seen(access, id))


@imports_router.post(
    "/jobs/{job}/imports/{id}/files",
    summary="Send a resume to an import",
    status_code=201,
    response_model=answers.SentFile,
    openapi_extra=FILE,
)
async def send(access: WritableJob, id: ParametersId, name: Name = "", external_id: ByExternalId = None) -> Json:
    """The request's body is the file itself, or one form with it. It is kept before the answer is sent."""
    await run_in_threadpool(check_import, access, id)
    upload = await read_upload(access, name, external_id)
    number = await run_in_threadpool(keep_file, access.context, id, upload)
    return {"number": number, "refused": upload.data is None}


@imports_router.post(
    "/jobs/{job}/imports/{id}/seal", summary="Finish an import: no more files follow", response_model=answers.Import
)
def seal(access: WritableJob, id: ParametersId) -> Json:
    """All files have come."""
    check_import(access, id)
    access.store.imports.seal(id)
    access.context.importer.run(id)
    return shapes.import_(_seen(access, id))


@imports_router.get(
    "/jobs/{job}/imports/{id}", summary="Show an import and its files", name="read", response_model=answers.Import
)
def imports_read(access: WritableJob, id: ParametersId, first: First = 0, size: Size = 20) -> Json:
    """What became of each file so far."""
    check_import(access, id)
    return shapes.import_(_seen(access, id), first=first, size=size)


def _seen(access: JobAccess, id: str) -> ImportBatch:
    return redact_import(access.visibility, access.store.imports.get(id))


exports_router = APIRouter(prefix="/jobs/{job}", tags=["screening"])


@exports_router.get(
    "/export.csv", summary="Export the list as CSV", response_class=Response, responses=CSV, openapi_extra=SEARCH
)
def export_csv(access: ReadableJob, contact: exports.Contact = "") -> Response:
    """UTF-8, with an apostrophe before whatever a spreadsheet would compute."""
    return exports.export_csv(access, contact)


@exports_router.get(
    "/export.xlsx",
    summary="Export the list as an Excel workbook",
    response_class=Response,
    responses=XLSX,
    openapi_extra=SEARCH,
)
def export_xlsx(access: ReadableJob, contact: exports.Contact = "") -> Response:
    """Every text is a text there: nothing is a formula or a link."""
    return exports.export_xlsx(access, contact)
