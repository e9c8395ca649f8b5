"""The candidate page in a real browser: facts lead to their words, keys walk and decide, nothing overflows."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Dialog, Page

from evenhand.store.tables import clean
from evenhand.web.access import SESSION
from tests.browser.barriers import Tour
from tests.web.house import House
from tests.web.payloads import MARK, SCRIPTS
from tests.web.test_candidates import take_in_sample, take_in_text

pytest_plugins = ["tests.web.house_fixtures"]
pytestmark = [pytest.mark.browser, pytest.mark.slow]


def opened(
    browser: Browser, house: House, address: str, *, width: int = 1400, dark: bool = False, bypass_csp: bool = False
) -> BrowserContext:
    context = browser.new_context(
        viewport={"width": width, "height": 900},
        color_scheme="dark" if dark else "light",
        reduced_motion="reduce",
        bypass_csp=bypass_csp,
    )
    token = house.store.sessions.open(house.people["bo"].id)
    context.add_cookies([{"name": SESSION, "value": token, "url": address}])
    return context


def shown(page: Page) -> str:
    return "".join(page.locator(".is-lit").all_text_contents())


def test_facts_and_words_lead_to_each_other(browser: Browser, house: House, address: str) -> None:
    id = take_in_sample(house, "data-engineer.pdf")
    with opened(browser, house, address) as context:
        page = context.new_page()
        failures: list[str] = []
        page.on("pageerror", lambda error: failures.append(str(error)))
        page.on("console", lambda said: failures.append(said.text) if said.type == "error" else None)
        page.goto(f"{address}/applications/{id}")

        page.locator("a.fact", has_text="ilse.varga@example.com").first.click()
        assert shown(page) == "ilse.varga@example.com"
        bar = page.locator("#evidence")
        assert "E-mail: ilse.varga@example.com" in bar.inner_text()
        assert "page 1, found by a pattern, 100 % sure" in bar.inner_text()

        page.locator("a.fact", has_text="Certified Kubernetes").first.focus()
        page.keyboard.press("Enter")
        assert shown(page) == "Certified Kubernetes Application Developer"
        in_view = "e => { const b = e.getBoundingClientRect(); return b.top >= 0 && b.bottom <= innerHeight }"
        assert page.locator(".is-lit").first.evaluate(in_view)

        page.keyboard.press("n")
        following = shown(page)
        page.keyboard.press("p")
        assert shown(page) == "Certified Kubernetes Application Developer" != following

        page.locator(".ev", has_text="Northmoor Freight Systems").first.hover()
        assert page.locator("#tip").inner_text() == "Employer: Northmoor Freight Systems"

        # A skill that stands in several places: each click leads to the next one.
        skill = page.locator("ul.skills a.fact, ul.chips a.fact", has_text="python").first
        skill.click()
        assert "place 1 of" in bar.inner_text()
        skill.click()
        assert "place 2 of" in bar.inner_text()
        assert failures == []


def test_nothing_runs_even_if_the_browser_let_it(browser: Browser, house: House, address: str, tmp_path: Path) -> None:
    """The page's own policy forbids foreign scripts; it is set aside here, so that only the escaping is left."""
    lines = "\n".join(f"- Developed {payload} with Java" for payload in SCRIPTS)
    text = f"Ida Roe\n\nEXPERIENCE\n\nDeveloper, Initech Ltd\nJan 2020 - Apr 2023\n{lines}\n\nSKILLS\n\nJava\n"
    id = take_in_text(house, tmp_path, text)
    house.store.notes.add(id, clean("\n".join(SCRIPTS))[:8_000], actor="test")  # NUL is refused
    with opened(browser, house, address, bypass_csp=True) as context:
        page = context.new_page()
        asked: list[str] = []

        def note(dialog: Dialog) -> None:
            asked.append(dialog.message)
            dialog.dismiss()

        page.on("dialog", note)
        for path in (f"/applications/{id}", f"/jobs/{house.job}?q=developed", f"/applications/{id}/receipt"):
            page.goto(address + path)
            page.mouse.move(300, 300)
            page.keyboard.press("Tab")
            assert page.evaluate("window.hit") is None
            assert page.locator(f"[{MARK}]").count() == 0
        assert asked == []


def test_it_works_without_a_script(browser: Browser, house: House, address: str) -> None:
    id = take_in_sample(house, "data-engineer.pdf")
    with browser.new_context(java_script_enabled=False, viewport={"width": 1400, "height": 700}) as context:
        token = house.store.sessions.open(house.people["bo"].id)
        context.add_cookies([{"name": SESSION, "value": token, "url": address}])
        page = context.new_page()
        page.goto(f"{address}/applications/{id}")
        page.locator("a.fact", has_text="(206) 555-0117").first.click()
        assert page.locator(":target").inner_text() == "(206) 555-0117"
        page.locator("a.fact", has_text="Swedish").first.click()
        target = page.locator(":target")
        assert target.inner_text() == "Swedish"
        box = target.bounding_box()
        assert box
        assert 0 <= box["y"] <= 700 - box["height"]
        page.get_by_role("button", name="Shortlist").click()
        assert house.store.applications.get(id).status == "shortlisted"
        assert page.url.endswith(f"/applications/{id}")


def test_keys_decide(browser: Browser, house: House, address: str) -> None:
    id = house.ids["Boris"]
    with opened(browser, house, address) as context:
        page = context.new_page()
        page.goto(f"{address}/applications/{id}")
        page.keyboard.press("r")
        page.keyboard.type("no s in this reason")
        assert house.store.applications.get(id).status == "new"
        page.keyboard.press("Enter")
        page.wait_for_load_state()
        page.get_by_text("Rejected", exact=True).first.wait_for()
        assert house.store.applications.get(id).status == "rejected"
        [*_, last] = house.store.decisions.of_application(id)
        assert last.reason == "no s in this reason"
        page.keyboard.press("u")
        page.get_by_text("New", exact=True).first.wait_for()
        assert house.store.applications.get(id).status == "new"
        with page.expect_navigation():
            page.keyboard.press("s")
        assert house.store.applications.get(id).status == "shortlisted"


def test_nothing_overflows_and_everybody_can_use_it(browser: Browser, house: House, address: str) -> None:
    house.store.notes.add(house.ids["Asha"], "call back", actor="bo")
    house.store.notes.add_tag(house.ids["Asha"], "payroll", actor="bo")
    house.store.watchlist.add("no_hire", "Initech Limited")
    pages = [
        f"/applications/{take_in_sample(house, 'support-hidden-keywords.pdf')}",
        f"/applications/{house.ids['Asha']}",
        f"/applications/{house.ids['Asha']}/difference/{house.ids['Boris']}",
        f"/jobs/{house.job}/compare?a={house.ids['Asha']}&a={house.ids['Boris']}&a={house.ids['Clara']}",
    ]
    tour = Tour()
    with opened(browser, house, address, bypass_csp=True) as context:
        page = context.new_page()
        for path in pages:
            page.goto(address + path)
            tour.look(page, path)
    assert (tour.barriers, tour.too_wide) == ({}, {})
