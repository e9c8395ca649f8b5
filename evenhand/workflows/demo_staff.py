"""Who works in the demo. Nobody has a password: a one-time link, made on the command line, lets one in."""

from __future__ import annotations

from collections.abc import Mapping

from evenhand.records.event import SYSTEM
from evenhand.store.account_rows import ADMIN, AUDITOR, RECRUITER
from evenhand.workflows.service import Service

STAFF = (
    ("admin", "Dana Okafor", ADMIN),
    ("robin", "Robin Hale", RECRUITER),
    ("lena", "Lena Brandt", RECRUITER),
    ("auditor", "Ines Duarte", AUDITOR),
)
LENAS = ("electrician", "data-warehouse-engineer")  # the other jobs are Robin's: each sees her own only


def hire(service: Service) -> dict[str, str]:
    """Ids by login."""
    found = {}
    for login, name, role in STAFF:
        known = service.store.user_by_login(login)
        found[login] = (known or service.store.add_user(login, name, role, actor=SYSTEM)).id
    return found


def recruiter_of(ad: str) -> str:
    """The login of whoever fills the job."""
    return "lena" if ad in LENAS else "robin"


def hand_out(service: Service, jobs: Mapping[str, str], staff: Mapping[str, str]) -> None:
    for ad, job in jobs.items():
        service.store.give_job(job, staff[recruiter_of(ad)], actor=staff["admin"])
