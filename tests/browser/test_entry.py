"""Signing in and out, in a browser."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.served import PASSWORD, WITH_PASSWORD, Served
from tests.browser.visiting import Visits


def test_a_password_lets_in_and_leads_where_one_was_going(visits: Visits) -> None:
    visits.expected = {401}
    page = visits.page(None, "/account")
    expect(page).to_have_url(re.compile(r"/sign-in\?next=%2Faccount$|/sign-in\?next=/account$"))
    page.get_by_label("Login").fill(WITH_PASSWORD)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    expect(page).to_have_url(re.compile("/account$"))
    expect(page.get_by_role("heading", level=1)).to_have_text("Your account")
    page.get_by_role("button", name="Sign out").click()
    expect(page).to_have_url(re.compile("/sign-in$"))
    page.goto("/account")
    expect(page).to_have_url(re.compile("/sign-in"))
