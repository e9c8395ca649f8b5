"""Who may do what. Every route names one of these as a dependency, and the app refuses to start with one that does not.

What somebody may not see does not exist for them: 404, and the attempt is on record. What they see but may not change
is 403.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Annotated, Any, TypeVar

from anyio import Semaphore
from anyio.lowlevel import RunVar
from fastapi import Depends, Request
from fastapi.dependencies.models import Dependant
from fastapi.routing import APIRoute, RouteContext, iter_route_contexts
from starlette.routing import BaseRoute, Mount

from evenhand.accounts.sign_in import who_is
from evenhand.errors import Forbidden, NotFound
from evenhand.ledger.recording import Recorder, denial_draft
from evenhand.screening.candidate_list import Viewer
from evenhand.screening.decisions import Decider
from evenhand.search.service import Service
from evenhand.search.visibility import OPEN, Visibility, visibility_for
from evenhand.settings import Settings
from evenhand.store.accounts import UserAccount
from evenhand.store.applications import Application
from evenhand.store.jobs import StoredJob
from evenhand.store.store import Store
from evenhand.web.context import Context, context_of
from evenhand.web.parameters import Given
from evenhand.web.rendering import read_cookie

SESSION = "evenhand_session"
HIDDEN = "This page does not exist, or you do not have access to it."
BLIND = "evenhand_blind"  # a cookie: somebody wants to see all candidates masked


class SignInNeeded(Exception):
    """Nobody is signed in; a page leads to the sign-in, the API answers 401."""


Ctx = Annotated[Context, Depends(context_of)]


def public(given: Given) -> None:
    """Anyone, signed in or not."""
    given.check()


def visitor(request: Request, context: Ctx) -> UserAccount | None:
    """Whoever asks: by a token of the API, or by the session of the browser."""
    scheme, _, secret = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer":
        return context.store.tokens.user(secret.strip())
    token = read_cookie(request, SESSION)
    return who_is(context.store, token, context.settings) if token else None


@dataclass(frozen=True, slots=True)
class Visit:
    """A request of somebody who is signed in, and what it works with."""

    request: Request
    context: Context
    user: UserAccount

    @property
    def service(self) -> Service:
        return self.context.service

    @property
    def store(self) -> Store:
        return self.context.store

    @property
    def recorder(self) -> Recorder:
        return self.context.recorder

    @property
    def settings(self) -> Settings:
        return self.context.settings


@dataclass(frozen=True, slots=True)
class JobAccess(Visit):
    """A job that this person may see, and what of it."""

    job: StoredJob
    viewer: Viewer
    may_change: bool

    @property
    def visibility(self) -> Visibility:
        return self.viewer.visibility

    def decider(self, seen: int | None = None) -> Decider:
        """Who decides here; a script that comes with a token never signs in, so there a session's hours count."""
        token = read_cookie(self.request, SESSION) if "authorization" not in self.request.headers else None
        since = self.store.sessions.opened(token) if token else None
        since = since or datetime.now(UTC) - timedelta(hours=self.settings.session_hours)
        return Decider(self.user.id, self.job.id, seen, since, self.visibility)


@dataclass(frozen=True, slots=True)
class ApplicationAccess(JobAccess):
    application: Application


# Requests of one user that are worked on; more wait, and take no thread from others meanwhile. A browser opens 6.
MAX_CONCURRENT = 6
_turns: RunVar[defaultdict[str, Semaphore]] = RunVar("turns")


async def signed_in(
    request: Request, context: Ctx, user: Annotated[UserAccount | None, Depends(visitor)], given: Given
) -> AsyncIterator[Visit]:
    if user is None:
        raise SignInNeeded
    request.state.user = user  # pages have the bar at the top from here, one that tells of a mistake, too
    given.check()
    async with _turns_of(user):
        yield Visit(request, context, user)


def _turns_of(user: UserAccount) -> Semaphore:
    turns = _turns.get(None)
    if turns is None:
        turns = defaultdict(lambda: Semaphore(MAX_CONCURRENT))
        _turns.set(turns)
    return turns[user.id]


SignedIn = Annotated[Visit, Depends(signed_in)]
AnyAccess = TypeVar("AnyAccess", bound=JobAccess)


def admin(visit: SignedIn) -> Visit:
    return _only(visit, "admin")


def reviewer(visit: SignedIn) -> Visit:
    """Auditors and administrators: those who look at how others work."""
    return _only(visit, "auditor", "admin")


def auditing(visit: SignedIn) -> Visit:
    """Auditors and administrators; for others bias audits do not exist, since reports tell of all who applied."""
    if visit.user.role not in ("auditor", "admin"):
        raise _denied(visit, NotFound(HIDDEN))
    return visit


def screener(visit: SignedIn) -> Visit:
    """Recruiters and administrators: those who make jobs."""
    return _only(visit, "recruiter", "admin")


def readable_job(visit: SignedIn, job: str) -> JobAccess:
    try:
        stored = visit.store.jobs.get(job)
    except NotFound:
        raise _denied(visit, NotFound(HIDDEN)) from None
    return JobAccess(visit.request, visit.context, visit.user, stored, *_rights(visit, stored.id))


def readable_application(visit: SignedIn, application: str) -> ApplicationAccess:
    try:
        stored = visit.store.applications.get(application)
    except NotFound:
        raise _denied(visit, NotFound(HIDDEN)) from None
    rights, job = _rights(visit, stored.job), visit.store.jobs.get(stored.job)
    return ApplicationAccess(visit.request, visit.context, visit.user, job, *rights, stored)


def writable_job(access: Annotated[JobAccess, Depends(readable_job)]) -> JobAccess:
    return _changeable(access)


def writable_application(access: Annotated[ApplicationAccess, Depends(readable_application)]) -> ApplicationAccess:
    return _changeable(access)


Admin = Annotated[Visit, Depends(admin)]
Reviewer = Annotated[Visit, Depends(reviewer)]
AuditingUser = Annotated[Visit, Depends(auditing)]
ScreeningUser = Annotated[Visit, Depends(screener)]
ReadableJob = Annotated[JobAccess, Depends(readable_job)]
WritableJob = Annotated[JobAccess, Depends(writable_job)]
ReadableApplication = Annotated[ApplicationAccess, Depends(readable_application)]
WritableApplication = Annotated[ApplicationAccess, Depends(writable_application)]

RULES: tuple[Callable[..., Any], ...] = (
    public,
    signed_in,
    admin,
    reviewer,
    auditing,
    screener,
    readable_job,
    writable_job,
    readable_application,
    writable_application,
)
"""From the loosest to the strictest; a route's rule is the last of these among its dependencies."""


def may_see(visit: Visit, job: str) -> bool:
    return visit.user.role in ("auditor", "admin") or visit.store.jobs.is_visible_to(job, visit.user.id)


def visibility_of(visit: Visit, job: str) -> Visibility:
    """A job that is screened blind is so for everyone who screens it; anyone may choose to be blind."""
    settings = visit.store.job_settings.get(job)
    blind = settings.blind or read_cookie(visit.request, BLIND) == "1"
    if not blind and visit.user.role != "auditor":
        return OPEN
    return visibility_for(role=visit.user.role, blind=blind, schools=settings.hide_schools)


def rule_of(route: APIRoute | RouteContext) -> Callable[..., Any] | None:
    """The strictest rule among the dependencies of a route."""
    used = set(_calls(route.dependant))
    rules = [rule for rule in RULES if rule in used]
    return rules[-1] if rules else None


def check_routes(routes: list[BaseRoute]) -> None:
    """A route nobody thought about is a hole."""
    for route in iter_route_contexts(routes):  # with what the routers they are in depend on
        if isinstance(route.original_route, APIRoute) and rule_of(route) is None:
            raise AssertionError(f"the route {route.path} does not say who may use it")
        if not isinstance(route.original_route, APIRoute | Mount):
            raise AssertionError(f"the route {route} is of a kind that cannot say who may use it")


def _calls(dependant: Dependant) -> Iterator[Callable[..., Any]]:
    for inner in dependant.dependencies:
        if inner.call:
            yield inner.call
        yield from _calls(inner)


def _rights(visit: Visit, job: str) -> tuple[Viewer, bool]:
    """How they see a job, and whether they may change it."""
    if not may_see(visit, job):
        raise _denied(visit, NotFound(HIDDEN))
    visibility = visibility_of(visit, job)

    def may_hear_of(other: str) -> bool:
        """Of a job where names are shown, an application of the same person would tell theirs."""
        return may_see(visit, other) and (not visibility.is_blind or visibility_of(visit, other).is_blind)

    return Viewer(visit.user.id, visibility, may_hear_of), visit.user.role != "auditor"


def _changeable(access: AnyAccess) -> AnyAccess:
    if not access.may_change:
        raise _denied(access, Forbidden())
    return access


def _only(visit: Visit, *roles: str) -> Visit:
    if visit.user.role not in roles:
        raise _denied(visit, Forbidden())
    return visit


def _denied(visit: Visit, error: NotFound | Forbidden) -> NotFound | Forbidden:
    """The attempt is on record."""
    request, status = visit.request, 404 if isinstance(error, NotFound) else 403
    route = f"{request.method} {getattr(request.scope.get('route'), 'path', '')}"
    visit.recorder.record([denial_draft(visit.user.id, what=route, status=status, path=request.url.path)])
    return error
