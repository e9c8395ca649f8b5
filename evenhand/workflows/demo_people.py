"""One-time links for those who work in the demo."""

from __future__ import annotations

from evenhand.workflows.accounts import SIGN_IN, SIGN_IN_HOURS, link_address
from evenhand.workflows.demo_pool import Demo
from evenhand.workflows.opening import open_service


def make_sign_in_links(demo: Demo) -> dict[str, str]:
    """By login. New ones at each start; those of the start before no longer work."""
    with open_service(demo.settings) as service:
        return {
            login: link_address(demo.settings, service.store.make_link(SIGN_IN, user, SIGN_IN_HOURS))
            for login, user in demo.staff.items()
        }
