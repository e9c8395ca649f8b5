"""Who works in the demo: an administrator who has all its jobs, and an auditor; both get in by one-time links."""

from __future__ import annotations

from dataclasses import dataclass

from evenhand.records.event import SYSTEM
from evenhand.store import Store
from evenhand.store.account_rows import ADMIN, AUDITOR, User
from evenhand.workflows.accounts import SIGN_IN, SIGN_IN_HOURS, link_address
from evenhand.workflows.demo_pool import Demo
from evenhand.workflows.service import open_service

RECRUITING, AUDITING = ("robin", "Robin Hale", ADMIN), ("ines", "Ines Moreau", AUDITOR)


@dataclass(frozen=True, slots=True)
class SignInLinks:
    recruiter: str
    auditor: str


def make_sign_in_links(demo: Demo) -> SignInLinks:
    """New ones at each start; those of the start before no longer work."""
    with open_service(demo.settings) as service:
        return SignInLinks(
            *(
                link_address(demo.settings, service.store.make_link(SIGN_IN, user.id, SIGN_IN_HOURS))
                for user in (_there(service.store, *who) for who in (RECRUITING, AUDITING))
            )
        )


def _there(store: Store, login: str, name: str, role: str) -> User:
    return store.user_by_login(login) or store.add_user(login, name, role, actor=SYSTEM)
