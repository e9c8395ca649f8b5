"""The list of jobs, and a new one: its ad is read, a person checks what was understood, then it is kept."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, replace
from typing import Annotated

from fastapi import APIRouter, BackgroundTasks, Depends, Form
from fastapi.responses import RedirectResponse, Response
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import UploadFile

from evenhand.documents.reading import too_large
from evenhand.errors import UsageError
from evenhand.mining.pipeline import vocabulary_for
from evenhand.records import Job
from evenhand.records.profile import DEGREE_LEVELS
from evenhand.screening import jobs
from evenhand.screening.imports import plain_name
from evenhand.screening.jobs import (
    JobRequirements,
    RankingChange,
    SkillRequirement,
    change_requirements,
    create_job,
    list_jobs,
    names_licence,
    preview_change,
    requirements_of,
    revise,
    understand_pasted,
    understand_upload,
    version_of,
)
from evenhand.store.accounts import RECRUITER, UserAccount
from evenhand.store.applications import STATUS_NAMES
from evenhand.store.jobs import JobSettings
from evenhand.web.access import JobAccess, ReadableJob, ScreeningUser, SignedIn, Visit, WritableJob
from evenhand.web.context import Context
from evenhand.web.parameters import accepts
from evenhand.web.rendering import Text, Ticked, fragment, inside, page, pieces, wants_fragment

# The form in which a person says what a job asks for: rows of skills, and a few fields for the rest.

DEGREES = {
    "": "any or none",
    **{level: level.capitalize() for level in DEGREE_LEVELS if level != "other"},
    "highschool": "High school",
    "other": "Other",
}
MUST, NICE = "must", "nice"
SAVE, PREVIEW, ADD, DROP = "save", "preview", "add", "drop"
OR = re.compile(r"(?<!\s)\s++or\s++|(?:(?<!\s)\s++)?\|\s*+", re.IGNORECASE)
Texts = Annotated[list[str] | None, Form()]


@dataclass(frozen=True, slots=True)
class SkillField:
    """A skill as it stands in the form: alternatives are joined by "or"."""

    skill: str = ""
    kind: str = MUST
    months: str = ""

    @property
    def is_licence(self) -> bool:
        return any(map(names_licence, OR.split(self.skill.strip())))


@dataclass(frozen=True, slots=True)
class RequirementsForm:
    """What the fields hold, right or wrong, so that a mistake can be shown beside what was typed."""

    title: str
    rows: tuple[SkillField, ...]
    years: str = ""
    degree: str = ""
    city: str = ""
    text: str = ""  # of the ad, while it is not kept yet
    version: str = ""  # of the requirements that the form was made from
    do: str = SAVE  # the button: save, preview, add, add:python, drop:3

    @classmethod
    def of(cls, wanted: JobRequirements, version: str = "") -> RequirementsForm:
        rows = tuple(
            SkillField(" or ".join(skill.skills), MUST if skill.must else NICE, _plain(skill.months))
            for skill in wanted.asked
        )
        return cls(wanted.title, rows, _plain(wanted.years), wanted.degree, wanted.city, version=version)

    @property
    def is_edit(self) -> bool:
        """A button that changes the form itself, and keeps nothing."""
        return self.do.partition(":")[0] in (ADD, DROP)

    def edited(self) -> RequirementsForm:
        action, _, what = self.do.partition(":")
        rows = list(self.rows)
        if action == ADD:
            rows.append(SkillField(what, NICE if what else MUST))
        elif what.isdecimal() and int(what) < len(rows):
            del rows[int(what)]
        return replace(self, rows=tuple(rows))

    def wanted(self) -> JobRequirements:
        """UsageError for a number that is none. A row without a skill is one that nobody filled in."""
        skills = tuple(
            SkillRequirement(tuple(OR.split(row.skill.strip())), row.kind != NICE, _months(row))
            for row in self.rows
            if row.skill.strip()
        )
        return JobRequirements(self.title, skills, _years(self.years), self.degree, self.city)


def read_typed(
    title: Text = "",
    skill: Texts = None,
    kind: Texts = None,
    months: Texts = None,
    years: Text = "",
    degree: Text = "",
    city: Text = "",
    text: Text = "",
    version: Text = "",
    do: Text = SAVE,
) -> RequirementsForm:
    """As a dependency. Every row sends all of its three fields, so they can be told apart by their order."""
    skills, kinds, durations = skill or [], kind or [], months or []
    if not len(skills) == len(kinds) == len(durations):
        raise UsageError("The rows of the form are not complete.")
    rows = tuple(SkillField(*fields) for fields in zip(skills, kinds, durations, strict=True))
    return RequirementsForm(title, rows, years, degree, city, text, version, do)


def _months(row: SkillField) -> int | None:
    typed = row.months.strip()
    if not typed:
        return None
    if not typed.isdecimal() or len(typed) > 6:
        raise UsageError(f"The months for {row.skill.strip()} are a whole number, not {typed[:20]!r}.")
    return int(typed)


def _years(typed: str) -> float | None:
    if not typed.strip():
        return None
    try:
        years = float(typed.strip().replace(",", "."))
    except ValueError:
        years = math.nan
    if not math.isfinite(years):
        raise UsageError(f"The years of experience are a number, not {typed.strip()[:20]!r}.")
    return years


def _plain(number: float | None) -> str:
    return "" if number is None else f"{number:g}"


router = APIRouter()


@router.get("/")
def show_jobs(visit: SignedIn) -> Response:
    lines = list_jobs(visit.store, visit.user)
    return page(
        visit.request,
        "jobs/list.html",
        open_jobs=[line for line in lines if not line.job.closed],
        closed_jobs=[line for line in lines if line.job.closed],
        may_add=visit.user.role != "auditor",
        statuses=STATUS_NAMES,
    )


@router.get("/jobs")
def find_jobs(visit: SignedIn) -> Response:
    """Where people look for the list when they cut an address short."""
    return RedirectResponse("/", 307)


@router.get("/jobs/new")
def show_new(visit: ScreeningUser) -> Response:
    return page(visit.request, "jobs/new.html", text="", message="")


@router.post("/jobs/new/files")
async def read_ad(visit: ScreeningUser) -> Response:
    """The form is read here and not by a parameter: who may not do this sends no file into our memory."""
    async with visit.request.form(max_files=1, max_fields=5) as form:
        text, file = form.get("text"), form.get("file")
        pasted = text if isinstance(text, str) else ""
        try:
            if isinstance(file, UploadFile) and file.filename:
                job = await _understand_file(visit.context, file)
            else:
                job = await run_in_threadpool(understand_pasted, pasted, visit.settings)
        except UsageError as error:
            return page(visit.request, "jobs/new.html", text=pasted, message=str(error))
    return _check_page(visit, job, RequirementsForm.of(requirements_of(job)))


@router.post("/jobs")
def save_new(visit: ScreeningUser, typed: Annotated[RequirementsForm, Depends(read_typed)]) -> Response:
    """Kept, or shown once more with a row more or less: which button was pressed decides."""
    understood = understand_pasted(typed.text, visit.settings)
    if typed.is_edit:
        return _check_page(visit, understood, typed.edited())
    try:
        canonical = vocabulary_for(visit.settings).canonical_skill
        job = revise(understood, typed.wanted(), canonical=canonical)
        id = create_job(visit.store, job, visit.user)
    except UsageError as error:
        return _check_page(visit, understood, typed, message=str(error))
    return RedirectResponse(f"/jobs/{id}/import", 303)


async def _understand_file(context: Context, file: UploadFile) -> Job:
    data = await file.read(context.settings.file_bytes + 1)
    if len(data) > context.settings.file_bytes:
        raise UsageError(str(too_large(context.settings)))
    name = plain_name(file.filename or "")
    return await run_in_threadpool(understand_upload, data, name, context.settings)


def _check_page(visit: Visit, job: Job, typed: RequirementsForm, *, message: str = "") -> Response:
    return page(
        visit.request,
        "jobs/check.html",
        job=job,
        typed=typed,
        pieces=pieces(job),
        warnings=job.warnings,
        degrees=DEGREES,
        message=message,
    )


# What a job asks for, put right by a person who sees what that does to the ranking; who has it; how it is
# shown.

SUGGESTED = 14


@router.get("/jobs/{job}/requirements", openapi_extra=accepts("saved"))
def show_requirements(access: ReadableJob) -> Response:
    typed = RequirementsForm.of(requirements_of(access.job.requirements), version_of(access.job))
    return _editor(access, typed)


@router.post("/jobs/{job}/requirements")
def change(
    access: WritableJob, typed: Annotated[RequirementsForm, Depends(read_typed)], later: BackgroundTasks
) -> Response:
    if typed.is_edit:
        return _editor(access, typed.edited())
    try:
        canonical = vocabulary_for(access.settings).canonical_skill
        changed = revise(access.job.requirements, typed.wanted(), canonical=canonical)
        if typed.do == PREVIEW:
            change = preview_change(
                access.service, access.job.id, changed, visibility=access.visibility, actor=access.user.id
            )
            if wants_fragment(access.request):
                return fragment(access.request, "jobs/_preview.html", change=change, job=access.job)
            return _editor(access, typed, change=change)
        is_new = change_requirements(access.store, access.job.id, changed, version=typed.version, actor=access.user.id)
    except UsageError as error:
        if wants_fragment(access.request):
            raise
        return _editor(access, typed, message=str(error))
    if is_new:
        later.add_task(access.service.follow)  # every applicant is indexed anew; nobody has to wait for that
    response = RedirectResponse(_address(access) + f"?saved={int(is_new)}", 303)
    response.background = later
    return response


@router.post("/jobs/{job}/close")
def close(access: WritableJob) -> Response:
    access.store.jobs.close(access.job.id, actor=access.user.id)
    return RedirectResponse(_address(access), 303)


@router.post("/jobs/{job}/reopen")
def reopen(access: WritableJob) -> Response:
    access.store.jobs.reopen(access.job.id, actor=access.user.id)
    return RedirectResponse(_address(access), 303)


@router.post("/jobs/{job}/shown")
def change_shown(
    access: WritableJob, blind: Ticked = False, hide_schools: Ticked = False, reason: Text = "", next: Text = ""
) -> Response:
    """A request waits on the page of the requirements, where somebody else can agree to it."""
    wanted = JobSettings(blind=blind, hide_schools=hide_schools)
    is_changed = jobs.change_shown(access.store, access.job.id, wanted, user=access.user, reason=reason)
    there = _address(access) + "#shown"
    return RedirectResponse(inside(next, there) if is_changed else there, 303)


@router.post("/jobs/{job}/shown/answer")
def answer_shown(access: WritableJob, request: Annotated[int, Form(ge=0, lt=2**63)], agree: Ticked = False) -> Response:
    access.store.job_settings.answer(access.job.id, request, agree=agree, actor=access.user.id)
    return RedirectResponse(_address(access) + "#shown", 303)


@router.post("/jobs/{job}/members")
def give(access: WritableJob, user: Text = "") -> Response:
    give_to(access, user)
    return RedirectResponse(_address(access) + "#members", 303)


@router.post("/jobs/{job}/members/remove")
def take(access: WritableJob, user: Text = "") -> Response:
    access.store.jobs.revoke_access(access.job.id, user, actor=access.user.id)
    is_out = user == access.user.id and access.user.role == RECRUITER
    return RedirectResponse("/" if is_out else _address(access) + "#members", 303)


def give_to(access: JobAccess, user: str) -> None:
    """Only to those whom the page offers: recruiters who do not have it."""
    if user not in {person.id for person in _invitable(access)}:
        raise UsageError("Choose somebody from the list.")
    access.store.jobs.grant_access(access.job.id, user, actor=access.user.id)


def _address(access: JobAccess) -> str:
    return f"/jobs/{access.job.id}/requirements"


def _invitable(access: JobAccess) -> list[UserAccount]:
    there = {member.id for member in access.store.jobs.members(access.job.id)}
    return [
        user
        for user in access.store.accounts.all()
        if user.role == RECRUITER and not user.disabled and user.id not in there
    ]


def _editor(
    access: JobAccess, typed: RequirementsForm, *, message: str = "", change: RankingChange | None = None
) -> Response:
    store, id = access.store, access.job.id
    common, telling = (
        access.service.suggest_skills(id, by_difference=by_difference, limit=SUGGESTED)
        for by_difference in (False, True)
    )
    named = {name.casefold() for row in typed.rows for name in OR.split(row.skill.strip())}
    return page(
        access.request,
        "jobs/requirements.html",
        job=access.job,
        may_change=access.may_change,
        typed=typed,
        pieces=pieces(access.job.requirements),
        warnings=access.job.requirements.warnings,
        degrees=DEGREES,
        message=message,
        change=change,
        saved=access.request.query_params.get("saved") if access.request.method == "GET" else None,
        common=[suggestion for suggestion in common if suggestion.skill.casefold() not in named],
        telling=[suggestion for suggestion in telling if suggestion.skill.casefold() not in named],
        total=store.applications.count(id),
        shown=store.job_settings.get(id),
        request_to_show=(asked := store.job_settings.request(id)),
        asked_by=store.accounts.names([asked.actor]).get(asked.actor, "Somebody") if asked else "",
        asked_reason=access.visibility.clean(asked.reason) if asked else "",
        members=store.jobs.members(id),
        invitable=_invitable(access) if access.may_change else [],
    )
