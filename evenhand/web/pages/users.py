"""Who may work here. Admins invite people, change roles, shut accounts, and make one-time links."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass

from fastapi import APIRouter, Depends
from fastapi.responses import RedirectResponse, Response

from evenhand.accounts import sign_in
from evenhand.errors import UsageError
from evenhand.store.accounts import ADMIN, AUDITOR, RECRUITER, ROLES, UserAccount
from evenhand.store.jobs import StoredJob
from evenhand.web.access import Admin, Visit
from evenhand.web.context import Context
from evenhand.web.pages.account import in_browser
from evenhand.web.rendering import Text, page

router = APIRouter(dependencies=[Depends(in_browser)])
ADDRESS = "/users"
HOURS = {
    sign_in.INVITATION: sign_in.INVITATION_HOURS,
    sign_in.SIGN_IN: sign_in.SIGN_IN_HOURS,
    sign_in.PASSWORD: sign_in.PASSWORD_HOURS,
}
PURPOSES = {
    sign_in.INVITATION: "choose a password and sign in",
    sign_in.SIGN_IN: "sign in once",
    sign_in.PASSWORD: "choose a new password",
}
MEANINGS = {
    RECRUITER: "Recruiters see the jobs they make or are given.",
    AUDITOR: "Auditors read everything but contact data and change nothing.",
    ADMIN: "Admins do everything.",
}


@dataclass(frozen=True, slots=True)
class LinkNotice:
    """A one-time link, which is on a page once and nowhere else."""

    user: UserAccount
    address: str
    purpose: str
    hours: float


@dataclass(frozen=True, slots=True)
class RoleChange:
    """From the role that the user has, or had until now, to another one."""

    user: UserAccount
    role: str
    is_done: bool = False


@router.get(ADDRESS)
def show_users(visit: Admin) -> Response:
    return _users(visit)


@router.post(ADDRESS)
def invite(visit: Admin, login: Text = "", name: Text = "", role: Text = "") -> Response:
    """The answer is the page itself and no way to another: a link in an address would be kept by browsers."""
    try:
        invited = sign_in.invite(visit.store, login, role, name=name, actor=visit.user.id)
    except UsageError as error:
        return _users(visit, message=str(error), typed={"login": login, "name": name, "role": role})
    link = _shown(visit.context, invited.user, invited.token, sign_in.INVITATION)
    return _users(visit, link=link)


@router.post(ADDRESS + "/{id}/link")
def make_link(visit: Admin, id: str, kind: Text = "") -> Response:
    """Who has never chosen a password gets another invitation."""
    about = visit.store.accounts.get(id)
    kind = kind if about.has_password else sign_in.INVITATION
    if kind not in HOURS:
        raise UsageError("Say what the link is for.")
    token = visit.store.links.make(kind, id, HOURS[kind], actor=visit.user.id)
    return _users(visit, link=_shown(visit.context, about, token, kind))


@router.post(ADDRESS + "/{id}/role")
def change_role(visit: Admin, id: str, role: Text = "", instead_of: Text = "") -> Response:
    """Asked for first; `instead_of` is the role that the person who agreed was told of."""
    try:
        user = visit.store.accounts.before_role_change(id, role)
        if user.role == role or instead_of != user.role:
            return _users(visit, change=RoleChange(user, role))
        visit.store.accounts.change_role(id, role, actor=visit.user.id)
    except UsageError as error:
        return _users(visit, message=str(error))
    return _users(visit, change=RoleChange(user, role, is_done=True))


@router.post(ADDRESS + "/{id}/disable")
def disable(visit: Admin, id: str) -> Response:
    return _changed(visit, lambda: visit.store.accounts.disable(id, actor=visit.user.id))


@router.post(ADDRESS + "/{id}/enable")
def enable(visit: Admin, id: str) -> Response:
    return _changed(visit, lambda: visit.store.accounts.enable(id, actor=visit.user.id))


def _changed(visit: Visit, change: Callable[[], None]) -> Response:
    try:
        change()
    except UsageError as error:
        return _users(visit, message=str(error))
    return RedirectResponse(ADDRESS, 303)


def _shown(context: Context, user: UserAccount, token: str, kind: str) -> LinkNotice:
    return LinkNotice(user, sign_in.link_address(context.settings, token), PURPOSES[kind], HOURS[kind])


def _users(
    visit: Visit,
    *,
    message: str = "",
    link: LinkNotice | None = None,
    change: RoleChange | None = None,
    typed: dict[str, str] | None = None,
) -> Response:
    jobs: dict[str, list[StoredJob]] = defaultdict(list)
    members = visit.store.jobs.members_by_job()
    for job in visit.store.jobs.all(closed=True):
        for member in members.get(job.id, ()):
            jobs[member.id].append(job)
    return page(
        visit.request,
        "admin/users.html",
        users=visit.store.accounts.all(),
        roles=ROLES,
        meanings=MEANINGS,
        jobs=jobs,
        message=message,
        link=link,
        change=change,
        typed=typed or {"login": "", "name": "", "role": "recruiter"},
    )
