"""Who comes in, how, and what each role finds there."""

from __future__ import annotations

import re
from typing import Literal

from playwright.sync_api import Page, expect

from tests.browser.served import PASSWORD, WITH_PASSWORD, Served
from tests.browser.visiting import Visits

ROLES: tuple[Literal["button", "link"], ...] = ("button", "link")


def sign_in(page: Page, login: str, password: str) -> None:
    page.get_by_label("Login").fill(login)
    page.get_by_label("Password").fill(password)
    page.get_by_role("button", name="Sign in").click()


def test_a_password_lets_in_and_leads_where_one_was_going(visits: Visits) -> None:
    page = visits.page(None, "/account")
    expect(page).to_have_url(re.compile(r"/sign-in\?next="))
    sign_in(page, WITH_PASSWORD, PASSWORD)
    expect(page).to_have_url(re.compile("/account$"))
    expect(page.get_by_role("heading", level=1)).to_have_text("Your account")
    page.get_by_role("button", name="Sign out").click()
    expect(page).to_have_url(re.compile("/sign-in$"))
    page.go_back()  # nothing of the account is kept
    expect(page).to_have_url(re.compile("/sign-in"))
    page.goto("/account")
    expect(page).to_have_url(re.compile("/sign-in"))


def test_wrong_passwords_have_to_wait(visits: Visits) -> None:
    visits.expected = {401, 429}
    page = visits.page(None, "/sign-in")
    for _ in range(5):
        sign_in(page, "nobody", "not the password")
        expect(page.get_by_role("alert")).to_have_text(re.compile("."))
        expect(page.get_by_label("Login")).to_have_value("nobody")
        expect(page.get_by_label("Password")).to_have_value("")
    sign_in(page, "nobody", "not the password")
    expect(page.get_by_role("alert")).to_have_text(
        re.compile(r"Too many attempts have failed; try again in \d+ (second|minute)s?\.")
    )
    sign_in(page, WITH_PASSWORD, PASSWORD)  # others are not kept out by that
    expect(page.get_by_role("heading", level=1)).to_have_text("Jobs")


def test_a_link_lets_in_once(visits: Visits, served: Served) -> None:
    visits.expected = {404}
    link = served.link("robin")
    page = visits.page(None, link)
    expect(page.get_by_role("heading", level=1)).to_have_text("Welcome, Robin Hale")
    page.goto(link)  # looking at it does not use it up
    page.get_by_role("button", name="Sign in").click()
    expect(page.locator("header .account")).to_contain_text("Robin Hale")
    page.goto(link)
    expect(page.get_by_role("heading", level=1)).to_have_text("This link does not work")


def test_an_invitation_leads_to_a_first_sign_in(visits: Visits, served: Served) -> None:
    visits.expected = {422}
    admin = visits.page("admin", "/users")
    admin.get_by_label("E-mail address or login").fill("noor@example.com")
    admin.get_by_label("Name", exact=True).fill("Noor <b>Azizi</b>")
    admin.get_by_role("button", name="Invite").click()
    link = admin.get_by_label("The link").input_value()
    expect(admin.locator("table.users")).to_contain_text("Noor <b>Azizi</b> no password yet")

    guest = visits.page(None, link)
    guest.get_by_label("Password", exact=True).fill("noor@example.com1")  # too much like the login
    guest.get_by_label("Repeat password").fill("another one altogether")
    guest.get_by_role("button", name="Save and sign in").click()
    expect(guest.get_by_role("alert")).to_have_text("The two passwords are not the same.")
    for label in ("Password", "Repeat password"):
        guest.get_by_label(label, exact=True).fill("copper lantern seven rivers")
    guest.get_by_role("button", name="Save and sign in").click()
    expect(guest.get_by_role("heading", level=1)).to_have_text("Jobs")
    expect(guest.get_by_role("heading", name="Start with a job")).to_be_visible()
    guest.get_by_role("button", name="Sign out").click()
    sign_in(guest, "noor@example.com", "copper lantern seven rivers")
    expect(guest.locator("header .account")).to_contain_text("Noor <b>Azizi</b>")

    visits.agrees = True
    admin.goto("/users")
    row = admin.locator("tr", has_text="noor@example.com")
    row.get_by_role("button", name="Disable").click()
    expect(row).to_contain_text("disabled")
    assert visits.asked == ["Disable Noor <b>Azizi</b>? All sessions, tokens and links end at once."]
    guest.goto("/")
    expect(guest).to_have_url(re.compile("/sign-in"))


def test_what_is_not_hers_does_not_exist_for_a_recruiter(visits: Visits, served: Served) -> None:
    visits.expected = {404, 403}
    application = served.applications(served.sales)[0].id
    page = visits.page("lena", "/")
    expect(page.get_by_role("heading", name="Start with a job")).to_be_visible()
    before = served.store.ledger.count(kinds=["denial"])
    hidden = [
        f"/jobs/{served.sales}",
        f"/jobs/{served.sales}/requirements",
        f"/jobs/{served.sales}/import",
        f"/jobs/{served.sales}/compare?a={application}",
        f"/applications/{application}",
        f"/applications/{application}/original",
    ]
    for path in hidden:
        page.goto(path)
        expect(page.get_by_role("heading", level=1)).to_have_text("Not found")
        assert "Sales" not in page.content()
    assert served.store.ledger.count(kinds=["denial"]) == before + len(hidden)
    for path in ("/users", "/watch-lists", "/ledger"):
        page.goto(path)
        expect(page.get_by_role("heading", level=1)).to_have_text("Not allowed")
    expect(page.get_by_role("navigation", name="Main").get_by_role("link")).to_have_text(["Jobs", "Help"])

    served.store.jobs.grant_access(served.sales, served.staff["lena"], actor=served.staff["admin"])
    page.goto(hidden[0])
    expect(page.get_by_role("heading", level=1)).to_have_text("Area Sales Manager")
    served.store.jobs.revoke_access(served.sales, served.staff["lena"], actor=served.staff["admin"])


def test_an_auditor_reads_all_but_contact_data_and_changes_nothing(visits: Visits, served: Served) -> None:
    people = [served.profile(each) for each in served.applications(served.sales)]
    contacts = {fact.surface for each in people for fact in (*each.emails, *each.phones)}
    assert len(contacts) > 30
    page = visits.page("auditor", f"/jobs/{served.sales}?size=50")
    main = page.get_by_role("main")
    expect(main.locator("article.card")).to_have_count(22)
    for words in ("Shortlist", "Reject", "Import", "Save for this job", "Mark as offered"):
        for role in ROLES:
            assert main.get_by_role(role, name=re.compile(f"^{words}")).all_inner_texts() == []
    page.keyboard.press("j")
    page.keyboard.press("s")
    page.keyboard.press("r")
    expect(page.locator("dialog[open]")).to_have_count(0)
    shown = [page.content()]
    for application in served.applications(served.sales)[:6]:
        page.goto(f"/applications/{application.id}")
        expect(main.locator("form[method=post]")).to_have_count(0)
        shown.append(page.content())
    assert not [each for each in contacts if any(each in text for text in shown)]
    page.goto(f"/jobs/{served.sales}/requirements")
    expect(main.get_by_role("button", name="Save")).to_have_count(0)
    page.goto("/ledger")
    expect(page.get_by_role("heading", level=1)).to_have_text("Ledger")


def test_an_admin_finds_every_page(visits: Visits) -> None:
    page = visits.page("admin", "/")
    names = page.get_by_role("navigation", name="Main").get_by_role("link")
    expect(names).to_contain_text(["Jobs", "Ledger", "Watch lists", "Users", "Help"])
    for name in ("Ledger", "Watch lists", "Users", "Help", "Jobs"):
        page.get_by_role("navigation", name="Main").get_by_role("link", name=name).click()
        expect(page.get_by_role("navigation", name="Main").get_by_role("link", name=name)).to_have_attribute(
            "aria-current", "page"
        )
        expect(page.get_by_role("heading", level=1)).to_be_visible()
