"""How long applications are kept: rules, who is due, who is on hold, and where backups lie. For administrators."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime

from fastapi import APIRouter, Depends, Request
from fastapi.responses import Response

from evenhand.applicants.certificate import ROWS, certificate_letter, in_order
from evenhand.applicants.erasure import GROUNDS, certificate_of, erase, plan_erasure, whole_person
from evenhand.applicants.retention import find_due, run_retention
from evenhand.applicants.rights import json_bytes
from evenhand.errors import NotFound, UsageError
from evenhand.rendering.letter_pdf import letter_pdf
from evenhand.screening.decisions import names_of
from evenhand.search.visibility import pseudonym
from evenhand.store.erasures import StoredErasure
from evenhand.web.access import (
    Admin,
    ApplicationAccess,
    ReadableApplication,
    Reviewer,
    SignedIn,
    Visit,
    WritableApplication,
    admin,
)
from evenhand.web.pages.rights import HTML, JSON, PDF
from evenhand.web.rendering import Text, attachment, done, letter_html, page, wants_json

# Erasing people, and the certificates of it.

router = APIRouter()
ONE = "/applications/{application}/erase"
CONFIRMATION = "erase"


@router.get(ONE)
def show_erasure(access: WritableApplication) -> Response:
    return _erasure(access)


@router.post(ONE, dependencies=[Depends(admin)])
def erase_application(
    access: WritableApplication,
    reason: Text = "",
    ground: Text = "request",
    confirmation: Text = "",
    everything: Text = "",
) -> Response:
    typed = {"reason": reason, "ground": ground, "everything": everything}
    try:
        if confirmation.strip().casefold() != CONFIRMATION:
            raise UsageError(f"Type the word “{CONFIRMATION}” to confirm: an erasure cannot be undone.")
        ids = [access.application.id]
        if everything:
            ids = whole_person(access.service, access.application)
        erasure = erase(access.service, ids, actor=access.user.id, reason=reason, ground=ground)
    except UsageError as error:
        if wants_json(access.request):
            raise
        return _erasure(access, message=str(error), typed=typed)
    return done(access.request, {"certificate": erasure.id}, f"/erasures/{erasure.id}")


@router.get("/erasures")
def list_erasures(visit: Reviewer) -> Response:
    made = visit.store.erasures.all()
    names = visit.store.accounts.names([erasure.actor for erasure in made])
    return page(visit.request, "rights/erasures.html", erasures=made, names=names, grounds=GROUNDS)


@router.get("/erasures/{erasure}")
def show_certificate(visit: SignedIn, erasure: str) -> Response:
    stored = erasure_for(visit, erasure)
    here = f"/erasures/{stored.id}"
    return page(
        visit.request,
        "receipt/show.html",
        letter=certificate_letter(certificate_of(stored)),
        back="/erasures" if visit.user.role in ("auditor", "admin") else "/",
        back_words="All erasures" if visit.user.role in ("auditor", "admin") else "Back to the jobs",
        downloads=(
            ("PDF", f"{here}/certificate.pdf"),
            ("Page of its own", f"{here}/certificate.html"),
            ("JSON", f"{here}/certificate.json"),
        ),
    )


@router.get("/erasures/{erasure}/certificate.{form}")
def download_certificate(visit: SignedIn, erasure: str, form: str) -> Response:
    certificate = certificate_of(erasure_for(visit, erasure))
    letter = certificate_letter(certificate)
    name = f"certificate-{certificate['id']}.{form}"
    match form:
        case "pdf":
            return attachment(letter_pdf(letter), PDF, name)
        case "html":
            return attachment(letter_html(letter).encode(), HTML, name)
        case "json":
            return attachment(json_bytes(certificate), JSON, name)
    raise NotFound("There is no such form of a certificate.")


def _erasure(access: ApplicationAccess, *, message: str = "", typed: Mapping[str, str] | None = None) -> Response:
    application = access.application
    plan = plan_erasure(access.service, [application.id])
    [period] = access.store.retention.periods([application.id])
    named = access.store.applications.get_many(list({mention.application for mention in plan.mentions}))
    visible = {other.id for other in named if access.viewer.may_see(other.job)}
    [called] = names_of(access.service, access.visibility, [application.id])
    return page(
        access.request,
        "rights/erase.html",
        application=application,
        job=access.job,
        called=called,
        plan=plan,
        counts=in_order(plan.counts),
        others=[other for other in plan.others if access.viewer.may_see(other.job)],
        mentions=[(pseudonym(one.application), one) for one in plan.mentions if one.application in visible],
        same=len(whole_person(access.service, application)) - 1,
        rows=ROWS,
        grounds=GROUNDS,
        kept=period,
        here=f"/applications/{application.id}",
        may_erase=access.user.role == "admin",
        word=CONFIRMATION,
        message=message,
        typed=typed or {"reason": "", "ground": "request", "everything": ""},
    )


def erasure_for(visit: Visit, id: str) -> StoredErasure:
    """For those who look at how others work, and for who did it."""
    erasure = visit.store.erasures.get(id)
    if visit.user.role not in ("auditor", "admin") and erasure.actor != visit.user.id:
        raise NotFound("There is no such erasure.")
    return erasure


ADDRESS = "/retention"
SHOWN = 200  # applications named one by one


@router.get(ADDRESS)
def show_retention(visit: Admin, said: str = "") -> Response:
    return _retention(visit, said=said)


@router.post(f"{ADDRESS}/rules")
def set_rule(visit: Admin, status: Text = "", days: Text = "", job: Text = "") -> Response:
    """Without days the rule is taken away."""
    try:
        number = _days(days)
        visit.store.retention.set_rule(status, number, job=job or None, actor=visit.user.id)
    except UsageError as error:
        return _refused(visit, error)
    return _done(visit.request, "rule" if number else "gone")


@router.post(f"{ADDRESS}/run")
def run(visit: Admin, expected: Text = "", confirmation: Text = "") -> Response:
    try:
        if confirmation.strip().casefold() != CONFIRMATION:
            raise UsageError(f"Type the word “{CONFIRMATION}” to confirm: an erasure cannot be undone.")
        number = int(expected) if expected.isdecimal() else 0
        made = run_retention(visit.service, actor=visit.user.id, expected=number)
    except UsageError as error:
        return _refused(visit, error)
    certificates = [erasure.id for erasure in made.erasures]
    address = f"/erasures/{certificates[0]}" if certificates else ADDRESS
    return done(visit.request, {"erased": made.erased, "certificates": certificates}, address)


@router.post(f"{ADDRESS}/backups")
def note_backup(visit: Admin, place: Text = "", made: Text = "", expires: Text = "") -> Response:
    try:
        visit.store.backups.add(place, actor=visit.user.id, made=_date(made), expires=_date(expires))
    except UsageError as error:
        return _refused(visit, error)
    return _done(visit.request, "backup")


@router.post(f"{ADDRESS}/backups/{{backup}}/done")
def end_backup(visit: Admin, backup: str) -> Response:
    visit.store.backups.end(backup)
    return _done(visit.request, "ended")


@router.post("/applications/{application}/hold", dependencies=[Depends(admin)])
def hold(access: ReadableApplication, reason: Text = "") -> Response:
    access.store.retention.hold(access.application.id, reason, actor=access.user.id)
    return _back(access.request, access.application.id)


@router.post("/applications/{application}/hold/lift", dependencies=[Depends(admin)])
def lift_hold(access: ReadableApplication) -> Response:
    access.store.retention.lift_hold(access.application.id, actor=access.user.id)
    return _back(access.request, access.application.id)


def _retention(visit: Visit, *, said: str = "", message: str = "") -> Response:
    periods = find_due(visit.service)
    jobs = visit.store.jobs.all()
    holds = visit.store.retention.holds()
    return page(
        visit.request,
        "rights/retention.html",
        rules=visit.store.retention.rules(),
        jobs=jobs,
        titles={job.id: job.title or "Job without a title" for job in jobs},
        due=periods.due[:SHOWN],
        due_count=len(periods.due),
        held=periods.held,
        holds=holds,
        names=visit.store.accounts.names([held.actor for held in holds]),
        backups=visit.store.backups.all(),
        called=pseudonym,
        word=CONFIRMATION,
        said=said,
        message=message,
        today=f"{datetime.now(UTC):%Y-%m-%d}",
    )


def _refused(visit: Visit, error: UsageError) -> Response:
    if wants_json(visit.request):
        raise error
    return _retention(visit, message=str(error))


def _done(request: Request, said: str) -> Response:
    return done(request, {"done": said}, f"{ADDRESS}?said={said}")


def _back(request: Request, application: str) -> Response:
    return done(request, {"application": application}, f"/applications/{application}/erase")


def _days(text: str) -> int | None:
    text = text.strip()
    if not text:
        return None
    if not text.isdecimal():
        raise UsageError("Days must be a whole number; leave it empty to remove the rule.")
    return int(text)


def _date(text: str) -> datetime | None:
    text = text.strip()
    if not text:
        return None
    try:
        return datetime.strptime(text, "%Y-%m-%d").replace(tzinfo=UTC)
    except ValueError as error:
        raise UsageError(f"{text!r} is no date: write it as 2030-06-30.") from error
