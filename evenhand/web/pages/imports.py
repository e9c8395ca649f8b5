"""Applications come in: a browser sends each file by a request of its own, a form without script all of them in one."""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, RedirectResponse, Response
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect

from evenhand.documents.reading import too_large
from evenhand.errors import NotFound, UsageError
from evenhand.records import Failure
from evenhand.screening.imports import keep_upload, plain_name, redact_import, refuse_upload
from evenhand.screening.search_url import check_names
from evenhand.store.imports import REFUSED, STATES, WAITING, ImportBatch
from evenhand.web.access import JobAccess, WritableJob
from evenhand.web.context import Context
from evenhand.web.rendering import Text, page
from evenhand.web.security import BodyTooLarge

router = APIRouter()
MAX_FILES = 1_000  # of one form; scripts send them one by one
LISTED = 500  # files that a page names one by one; those that were refused it names all
IDLE_SECONDS = 30.0  # without a byte before a file that stopped coming is given up
MAX_BYTES = 2**31 - 1  # that the column holds; a browser may claim any size


@router.get("/jobs/{job}/import")
def show_import(access: WritableJob) -> Response:
    return _new_page(access)


@router.post("/jobs/{job}/imports")
def begin(access: WritableJob, source: Text = "") -> Response:
    """For our script, which sends the files next."""
    id = access.store.imports.begin(access.job.id, actor=access.user.id, source=plain_source(source))
    return JSONResponse({"id": id, "address": _address(access, id)}, 201)


@router.post("/jobs/{job}/imports/{id}/files")
async def take_file(access: WritableJob, id: str, name: str = "", claimed: int = 0) -> Response:
    """The body is the file. `claimed` is the size of one that a browser has not sent because it is too large."""
    await run_in_threadpool(check_import, access, id)
    check_media_type(access.request, MULTIPART)
    try:
        data = await _received(access.request, access.settings.file_bytes, claimed)
    except ClientDisconnect:
        return Response(status_code=400)  # nobody is there to read it
    number = await run_in_threadpool(keep_file, access.context, id, Upload(name, data, claimed))
    return JSONResponse({"number": number, "refused": data is None}, 201)


@router.post("/jobs/{job}/import/files")
async def take_form(access: WritableJob) -> Response:
    """Without script: all files in one form. It is read here, so that only those who may send anything do."""
    async with access.request.form(max_files=MAX_FILES, max_fields=10) as form:
        files = [file for file in form.getlist("files") if isinstance(file, UploadFile) and file.filename]
        if not files:
            return await run_in_threadpool(_new_page, access, message="Choose at least one file.")
        source = form.get("source")
        id = await run_in_threadpool(
            access.store.imports.begin,
            access.job.id,
            actor=access.user.id,
            source=plain_source(source) if isinstance(source, str) else None,
        )
        for file in files:
            most, size = access.settings.file_bytes, file.size or 0
            data = await file.read() if size <= most else None
            await run_in_threadpool(keep_file, access.context, id, Upload(file.filename or "", data, size))
    await run_in_threadpool(_seal, access.context, id)
    return RedirectResponse(_address(access, id), 303)


@router.post("/jobs/{job}/imports/{id}/seal")
def seal(access: WritableJob, id: str) -> Response:
    """All files have come."""
    check_import(access, id)
    _seal(access.context, id)
    return RedirectResponse(_address(access, id), 303)


@router.get("/jobs/{job}/imports/{id}")
def show_progress(access: WritableJob, id: str) -> Response:
    check_import(access, id)
    batch = redact_import(access.visibility, access.store.imports.get(id))
    return page(
        access.request,
        "imports/progress.html",
        job=access.job,
        found=batch,
        refused=[file for file in batch.files if file.state == REFUSED],
        listed=batch.files[:LISTED],
        most=LISTED,
        file_bytes=access.settings.file_bytes,
        by=access.store.accounts.names([batch.actor])[batch.actor],
    )


@router.get("/jobs/{job}/imports/{id}/state")
def show_state(access: WritableJob, id: str) -> Response:
    check_import(access, id)
    return JSONResponse(state_of(redact_import(access.visibility, access.store.imports.get(id))))


def state_of(batch: ImportBatch) -> dict[str, Any]:
    """Small enough to be asked for every second: one letter for each file, and words only where one was refused."""
    return {
        "sealed": batch.sealed is not None,
        "finished": batch.finished is not None,
        "total": len(batch.files),
        "counts": {state: batch.count(state) for state in STATES},
        "states": "".join(file.state[0] for file in batch.files),
        "refused": [
            {"number": file.number, "file": file.file, "code": file.code, "message": file.message}
            for file in batch.files
            if file.state == REFUSED
        ],
    }


def plain_source(typed: str) -> str | None:
    return " ".join(typed.split()) or None


async def _received(request: Request, most: int, claimed: int) -> bytes | None:
    """None for a file beyond the limit, of which no more is taken than it needs to be noticed."""
    declared = request.headers.get("content-length", "")
    if claimed > most or (declared.isdecimal() and int(declared) > most):
        return None
    data = bytearray()
    chunks = request.stream()
    try:
        while True:
            async with asyncio.timeout(IDLE_SECONDS):
                chunk = await anext(chunks, None)
            if chunk is None:
                check_media_type(request, MULTIPART, bytes(data[:200]))
                return bytes(data)
            data += chunk
            if len(data) > most:
                return None
    except TimeoutError:
        raise UsageError("The file stopped coming before it was complete.") from None
    except BodyTooLarge:
        return None


MULTIPART = "multipart/"
FORM = "multipart/form-data"
FIELDS = ("file", "name", "external_id")
FORM_START = re.compile(rb"--[^\r\n]{1,70}\r?\nContent-Disposition: *form-data", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Upload:
    """A file as it came; without `data` it is beyond the limit."""

    name: str
    data: bytes | None
    size_bytes: int
    external_id: str | None = None


def check_media_type(request: Request, refused: str, data: bytes | None = None) -> None:
    """A form taken for the file itself would become part of the resume: 415, also for one that does not say so."""
    media_type = request.headers.get("content-type", "").strip().lower()
    if media_type.startswith(refused) or (data and FORM_START.match(data)):
        raise HTTPException(415)


async def read_upload(access: JobAccess, name: str, external_id: str | None) -> Upload:
    """The body as it is, or the file in a form, which may name it and say its external id."""
    request, most = access.request, access.settings.file_bytes
    if request.headers.get("content-type", "").strip().lower().startswith(FORM):
        async with request.form(max_files=1, max_fields=len(FIELDS)) as form:
            check_names(form, FIELDS)
            file = form.get("file")
            if not isinstance(file, UploadFile) or len(form.multi_items()) != len(form):
                raise UsageError("A form has one file, in the field file; name and external_id may be beside it.")
            size = file.size or 0
            data = await file.read() if size <= most else None
            given_name, given_id = form.get("name") or file.filename, form.get("external_id") or external_id
            return Upload(name or str(given_name or ""), data, size, None if given_id is None else str(given_id))
    check_media_type(request, MULTIPART)
    content = bytearray()
    async for chunk in request.stream():
        if len(content) <= most:  # the rest of one that is too large is let pass
            content += chunk
    check_media_type(request, MULTIPART, bytes(content[:200]))
    return Upload(name, bytes(content) if len(content) <= most else None, len(content), external_id)


def keep_file(context: Context, id: str, upload: Upload) -> int:
    """Its number. Reading begins at once, while the next ones are still on their way."""
    name = plain_name(upload.name)
    if upload.data is None:
        error = too_large(context.settings)
        size = min(max(upload.size_bytes, context.settings.file_bytes + 1), MAX_BYTES)
        return refuse_upload(context.service, id, name, size, Failure(error.code, str(error)))
    number = keep_upload(context.service, id, name, upload.data, external_id=upload.external_id)
    context.importer.run(id)
    return number


def _seal(context: Context, id: str) -> None:
    context.store.imports.seal(id)
    context.importer.run(id)


def check_import(access: JobAccess, id: str) -> None:
    """Another job's import does not exist here."""
    if access.store.imports.job_of(id) != access.job.id:
        raise NotFound("There is no such import.")


def _address(access: JobAccess, id: str) -> str:
    return f"/jobs/{access.job.id}/imports/{id}"


def _new_page(access: JobAccess, *, message: str = "") -> Response:
    store, job = access.store, access.job.id
    return page(
        access.request,
        "imports/new.html",
        job=access.job,
        message=message,
        sources=store.jobs.sources(sorted(store.jobs.visible_to(access.user.id))),
        earlier=[(batch, _count_words(batch)) for batch in store.imports.of_job(job, limit=8)],
        most=LISTED,
        file_bytes=access.settings.file_bytes,
        upload_bytes=access.settings.upload_bytes,
    )


def _count_words(batch: ImportBatch) -> str:
    """ "12 new, 3 known, 1 refused"."""
    words = {"added": "new", "known": "known", REFUSED: "refused", WAITING: "waiting"}
    counted = (f"{count:,} {word}" for state, word in words.items() if (count := batch.count(state)))
    return ", ".join(counted) or "no files"
