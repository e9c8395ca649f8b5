"""Files come in: begin an import, send each file, say that all have come, ask how far it is."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.concurrency import run_in_threadpool

from evenhand.errors import NotFound
from evenhand.records import Failure
from evenhand.store.workspace_rows import Import
from evenhand.web.access import Ctx, JobAccess, WritableJob
from evenhand.web.api import answers, shapes
from evenhand.web.api.bodies import NewImport
from evenhand.web.api.parameters import First, Id, Size
from evenhand.web.api.shapes import Json
from evenhand.web.context import Context
from evenhand.workflows.importing import keep_upload, refuse_upload, seen_through
from evenhand.workflows.reading import too_large
from evenhand.workflows.upload_names import plain_name

router = APIRouter(tags=["imports"])
FILE = {"requestBody": {"required": True, "content": {"application/octet-stream": {}}}}
Name = Annotated[str, Query(max_length=1_000, description="The name under which it came.")]


@router.get("/jobs/{job}/imports", response_model=answers.Items[answers.ImportLine])
def imports(context: Ctx, access: WritableJob, size: Size = 20) -> Json:
    """The newest first."""
    found = context.store.imports_of(access.job.id, limit=size)
    return {"items": [shapes.import_line(each) for each in found]}


@router.post("/jobs/{job}/imports", status_code=201, response_model=answers.Import)
def begin(context: Ctx, access: WritableJob, body: NewImport) -> Json:
    """The answer's `id` is where the files go."""
    source = " ".join(body.source.split()) or None
    id = context.store.begin_import(access.job.id, actor=access.user.id, source=source)
    return shapes.import_(_seen(context, access, id))


@router.post(
    "/jobs/{job}/imports/{id}/files", status_code=201, response_model=answers.SentFile, openapi_extra=FILE
)
async def send(request: Request, context: Ctx, access: WritableJob, id: Id, name: Name = "") -> Json:
    """The request's body is the file itself. It is kept before the answer is sent."""
    await run_in_threadpool(_check, context, access, id)
    data, most = bytearray(), context.settings.file_bytes
    async for chunk in request.stream():
        if len(data) <= most:  # the rest of one that is too large is let pass
            data += chunk
    if len(data) > most:
        error = too_large(context.settings)
        failure = Failure(error.code, str(error))
        number = await run_in_threadpool(
            refuse_upload, context.service, id, plain_name(name), len(data), failure
        )
    else:
        number = await run_in_threadpool(keep_upload, context.service, id, plain_name(name), bytes(data))
        context.importer.run(id)
    return {"number": number, "refused": len(data) > most}


@router.post("/jobs/{job}/imports/{id}/seal", response_model=answers.Import)
def seal(context: Ctx, access: WritableJob, id: Id) -> Json:
    """All files have come."""
    _check(context, access, id)
    context.store.seal_import(id)
    context.importer.run(id)
    return shapes.import_(_seen(context, access, id))


@router.get("/jobs/{job}/imports/{id}", response_model=answers.Import)
def read(context: Ctx, access: WritableJob, id: Id, first: First = 0, size: Size = 20) -> Json:
    """What became of each file so far."""
    _check(context, access, id)
    return shapes.import_(_seen(context, access, id), first=first, size=size)


def _check(context: Context, access: JobAccess, id: str) -> None:
    """Another job's import does not exist here."""
    if context.store.job_of_import(id) != access.job.id:
        raise NotFound("There is no such import.")


def _seen(context: Context, access: JobAccess, id: str) -> Import:
    return seen_through(access.lens, context.store.import_(id))
