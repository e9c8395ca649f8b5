"""Who may do what. Every route names one of these as a dependency, and the app refuses to start with one that does not.

What somebody may not see does not exist for them: 404, and the attempt is on record. What they see but may not change
is 403.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import Depends, Request
from fastapi.dependencies.models import Dependant
from fastapi.routing import APIRoute, RouteContext, iter_route_contexts
from starlette.routing import BaseRoute, Mount

from evenhand.accounts.sign_in import who_is
from evenhand.errors import Forbidden, NotFound
from evenhand.ledger.recording import denial_draft
from evenhand.screening.candidate_list import Viewer
from evenhand.search.visibility import OPEN, Visibility, visibility_for
from evenhand.store.accounts import UserAccount
from evenhand.store.applications import Application
from evenhand.store.jobs import StoredJob
from evenhand.web.context import Context, context_of

SESSION = "evenhand_session"
HIDDEN = "There is no such page, or it is not yours to see."
BLIND = "evenhand_blind"  # a cookie: somebody wants to see all candidates masked


class SignInNeeded(Exception):
    """Nobody is signed in; a page leads to the sign-in, the API answers 401."""


Ctx = Annotated[Context, Depends(context_of)]


def public() -> None:
    """Anyone, signed in or not."""


def visitor(request: Request, context: Ctx) -> UserAccount | None:
    """Whoever asks: by a token of the API, or by the session of the browser."""
    scheme, _, secret = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer":
        return context.store.tokens.user(secret.strip())
    token = request.cookies.get(SESSION)
    return who_is(context.store, token, context.settings) if token else None


def signed_in(request: Request, user: Annotated[UserAccount | None, Depends(visitor)]) -> UserAccount:
    if user is None:
        raise SignInNeeded
    request.state.user = user  # a page that tells of a mistake then has the bar at the top, too
    return user


SignedIn = Annotated[UserAccount, Depends(signed_in)]


def admin(request: Request, context: Ctx, user: SignedIn) -> UserAccount:
    return _only(request, context, user, "admin")


def reviewer(request: Request, context: Ctx, user: SignedIn) -> UserAccount:
    """Auditors and administrators: those who look at how others work."""
    return _only(request, context, user, "auditor", "admin")


def auditing(request: Request, context: Ctx, user: SignedIn) -> UserAccount:
    """Auditors and administrators; for others bias audits do not exist, since reports tell of all who applied."""
    if user.role not in ("auditor", "admin"):
        raise _denied(request, context, user, NotFound(HIDDEN))
    return user


def screener(request: Request, context: Ctx, user: SignedIn) -> UserAccount:
    """Recruiters and administrators: those who make jobs."""
    return _only(request, context, user, "recruiter", "admin")


@dataclass(frozen=True, slots=True)
class JobAccess:
    """A job that this person may see, and what of it."""

    user: UserAccount
    job: StoredJob
    viewer: Viewer
    may_change: bool

    @property
    def visibility(self) -> Visibility:
        return self.viewer.visibility


@dataclass(frozen=True, slots=True)
class ApplicationAccess(JobAccess):
    application: Application


def readable_job(request: Request, context: Ctx, user: SignedIn, job: str) -> JobAccess:
    try:
        stored = context.store.jobs.get(job)
    except NotFound:
        raise _denied(request, context, user, NotFound(HIDDEN)) from None
    if not may_see(context, user, stored.id):
        raise _denied(request, context, user, NotFound(HIDDEN))
    return JobAccess(user, stored, _viewer(request, context, user, stored.id), user.role != "auditor")


def writable_job(request: Request, context: Ctx, access: Annotated[JobAccess, Depends(readable_job)]) -> JobAccess:
    if not access.may_change:
        raise _denied(request, context, access.user, Forbidden())
    return access


def readable_application(request: Request, context: Ctx, user: SignedIn, application: str) -> ApplicationAccess:
    try:
        stored = context.store.applications.get(application)
    except NotFound:
        raise _denied(request, context, user, NotFound(HIDDEN)) from None
    if not may_see(context, user, stored.job):
        raise _denied(request, context, user, NotFound(HIDDEN))
    viewer = _viewer(request, context, user, stored.job)
    return ApplicationAccess(user, context.store.jobs.get(stored.job), viewer, user.role != "auditor", stored)


def writable_application(
    request: Request, context: Ctx, access: Annotated[ApplicationAccess, Depends(readable_application)]
) -> ApplicationAccess:
    if not access.may_change:
        raise _denied(request, context, access.user, Forbidden())
    return access


Admin = Annotated[UserAccount, Depends(admin)]
Reviewer = Annotated[UserAccount, Depends(reviewer)]
AuditingUser = Annotated[UserAccount, Depends(auditing)]
ScreeningUser = Annotated[UserAccount, Depends(screener)]
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


def may_see(context: Context, user: UserAccount, job: str) -> bool:
    return user.role in ("auditor", "admin") or context.store.jobs.is_visible_to(job, user.id)


def _viewer(request: Request, context: Context, user: UserAccount, job: str) -> Viewer:
    return Viewer(user.id, visibility_of(request, context, user, job), lambda other: may_see(context, user, other))


def visibility_of(request: Request, context: Context, user: UserAccount, job: str) -> Visibility:
    """A job that is screened blind is so for everyone who screens it; anyone may choose to be blind."""
    settings = context.store.job_settings.get(job)
    blind = settings.blind or request.cookies.get(BLIND) == "1"
    if not blind and user.role != "auditor":
        return OPEN
    return visibility_for(role=user.role, blind=blind, schools=settings.hide_schools)


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


def _only(request: Request, context: Context, user: UserAccount, *roles: str) -> UserAccount:
    if user.role not in roles:
        raise _denied(request, context, user, Forbidden())
    return user


def _denied(request: Request, context: Context, user: UserAccount, error: NotFound | Forbidden) -> NotFound | Forbidden:
    """The attempt is on record."""
    route = f"{request.method} {getattr(request.scope.get('route'), 'path', '')}"
    status = 404 if isinstance(error, NotFound) else 403
    context.recorder.record([denial_draft(user.id, what=route, status=status, path=request.url.path)])
    return error
