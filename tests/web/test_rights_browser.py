"""Pages for the rights of applicants in a real browser: no barriers, nothing overflows, all of it without scripts."""

from __future__ import annotations

from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser

from evenhand.applicants.corrections import correct
from evenhand.applicants.erasure import erase
from evenhand.mining.corrections import CorrectionInput
from evenhand.web.access import SESSION
from tests.browser.barriers import Tour
from tests.web.house import House
from tests.web.test_rights import of_other_job

pytest_plugins = ["tests.web.house_fixtures"]
pytestmark = [pytest.mark.browser, pytest.mark.slow]


def pages(house: House) -> dict[str, str]:
    """With something on each of them."""
    service, store, ada = house.context.service, house.store, house.people["ada"].id
    asha = store.applications.get(house.ids["Asha"])
    correct(service, asha, CorrectionInput("city", "Madras"), actor=ada, reason="She wrote")
    store.backups.add("tape 1", actor=ada)
    store.retention.set_rule("rejected", 180, actor=ada)
    store.retention.hold(house.ids["Clara"], "case 7", actor=ada)
    done = erase(service, [house.ids["Boris"]], actor=ada, reason="Asked")
    here = f"/applications/{asha.id}"
    return {
        "receipt": f"{here}/receipt",
        "correct": f"{here}/correct",
        "erase": f"{here}/erase",
        "hold": f"/applications/{house.ids['Clara']}/erase",
        "retention": "/retention",
        "erasures": "/erasures",
        "certificate": f"/erasures/{done.id}",
    }


def test_no_barriers_and_nothing_overflows(browser: Browser, house: House, address: str) -> None:
    tour = Tour()
    with browser.new_context(bypass_csp=True, reduced_motion="reduce") as context:
        token = house.store.sessions.open(house.people["ada"].id)
        context.add_cookies([{"name": SESSION, "value": token, "url": address}])
        page = context.new_page()
        complaints: list[str] = []
        page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
        for name, path in pages(house).items():
            page.goto(address + path)
            tour.look(page, name)
    assert (tour.barriers, tour.too_wide, complaints) == ({}, {}, [])


def test_correcting_and_erasing_without_scripts(browser: Browser, house: House, address: str) -> None:
    with browser.new_context(java_script_enabled=False) as context:
        token = house.store.sessions.open(house.people["ada"].id)
        context.add_cookies([{"name": SESSION, "value": token, "url": address}])
        page = context.new_page()
        page.goto(f"{address}/applications/{house.ids['Boris']}/correct")
        page.get_by_label("Name").fill("Boris Nowak")
        page.get_by_role("button", name="Save", exact=True).click()
        assert "Boris Nowak instead of Boris Novak" in page.get_by_role("status").first.inner_text()
        page.goto(f"{address}/applications/{house.ids['Boris']}/erase")
        page.get_by_label("Reason").fill("Asked by letter")
        page.get_by_label("to confirm").fill("erase")
        page.get_by_role("button", name="Erase for good").click()
        assert page.get_by_role("heading", level=1).inner_text() == "1 application erased"
    assert house.store.applications.count() == 4


def test_proposed_corrections_by_keyboard_without_scripts(
    browser: Browser, house: House, address: str, tmp_path: Path
) -> None:
    there = of_other_job(house, tmp_path)
    boris, ada = house.store.applications.get(house.ids["Boris"]), house.people["ada"].id
    for wanted in (CorrectionInput("name", "Boris Nowak"), CorrectionInput("city", "Brno")):
        correct(house.context.service, boris, wanted, actor=ada)
    with browser.new_context(java_script_enabled=False, bypass_csp=True) as context:
        token = house.store.sessions.open(house.people["cy"].id)
        context.add_cookies([{"name": SESSION, "value": token, "url": address}])
        page = context.new_page()
        page.goto(address + there)
        page.get_by_role("link", name="Review", exact=True).press("Enter")
        buttons = page.locator("#proposed").get_by_role("button")
        assert [one.get_attribute("aria-label") for one in buttons.all()] == [
            *("Accept: Name, Boris Nowak", "Decline: Name, Boris Nowak", "Accept: City, Brno", "Decline: City, Brno")
        ]
        buttons.first.focus()
        page.keyboard.press("Tab")
        page.keyboard.press("Tab")
        page.keyboard.press("Tab")
        with page.expect_navigation():
            page.keyboard.press("Enter")
        assert "Declined: city stays" in page.get_by_role("status").first.inner_text()
        with page.expect_navigation():
            buttons.first.press("Enter")
        assert "Name: Boris Nowak instead of Boris Novak" in page.get_by_role("status").first.inner_text()
        assert page.locator("#proposed").count() == 0
    tour = Tour()
    correct(house.context.service, boris, CorrectionInput("highest_degree", "doctorate"), actor=ada)
    with browser.new_context(bypass_csp=True, reduced_motion="reduce") as context:
        token = house.store.sessions.open(ada)
        context.add_cookies([{"name": SESSION, "value": token, "url": address}])
        page = context.new_page()
        for name, path in (("banner", there), ("review", f"{there}/correct"), ("all", f"{there}/correct?all=1")):
            page.goto(address + path)
            tour.look(page, name)
    assert (tour.barriers, tour.too_wide) == ({}, {})


def test_the_page_that_is_sent_looks_the_same_from_a_disk(browser: Browser, house: House, tmp_path: Path) -> None:
    answer = house.browser("bo").get(f"/applications/{house.ids['Asha']}/receipt.html")
    (tmp_path / "receipt.html").write_bytes(answer.content)
    with browser.new_context(viewport={"width": 360, "height": 800}) as context:
        page = context.new_page()
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        page.goto(f"file://{tmp_path}/receipt.html")
        assert asked == [f"file://{tmp_path}/receipt.html"]  # nothing is loaded
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        colour = page.locator(".letter-fill").first.evaluate("each => getComputedStyle(each).fill")
        assert colour == "rgb(20, 113, 127)"
        assert Axe().run(page).response["violations"] == []
