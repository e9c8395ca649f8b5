"""The pages around the screening in a real browser: with script and without, wide and narrow, without barriers."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser, FilePayload, Page, expect

from evenhand.web.access import SESSION
from tests.web.house import House
from tests.web.test_imports import FAY, GUS, NOISE

pytest_plugins = ["tests.web.house_fixtures"]
pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture
def house_settings() -> dict[str, object]:
    return {"file_bytes": 20_000}


@contextmanager
def opened(
    browser: Browser,
    house: House,
    address: str,
    who: str,
    *,
    width: int = 1400,
    dark: bool = False,
    script: bool = True,
) -> Iterator[Page]:
    """A page of somebody who is signed in; nothing may go wrong in its console."""
    context = browser.new_context(
        base_url=address,
        viewport={"width": width, "height": 900},
        color_scheme="dark" if dark else "light",
        reduced_motion="reduce",
        java_script_enabled=script,
    )
    token = house.store.sessions.open(house.people[who].id)
    context.add_cookies([{"name": SESSION, "value": token, "url": address}])
    page, failures = context.new_page(), list[str]()
    page.on("pageerror", lambda error: failures.append(str(error)))
    page.on("console", lambda said: failures.append(said.text) if said.type == "error" else None)
    yield page
    assert failures == []
    context.close()


def file(name: str, data: bytes) -> FilePayload:
    return {"name": name, "mimeType": "application/octet-stream", "buffer": data}


def test_files_are_sent_read_and_told_of_while_one_looks_on(browser: Browser, house: House, address: str) -> None:
    with opened(browser, house, address, "bo") as page:
        page.goto(f"/jobs/{house.job}/import")
        page.get_by_label("Source (optional)").fill("Career fair")
        with page.expect_file_chooser() as choosing:
            page.get_by_role("button", name="Choose files").click()
        files = [file("fay.txt", FAY), file("gus.txt", GUS), file("noise.pdf", NOISE)]
        choosing.value.set_files([*files, file("huge.pdf", b"x" * 30_000)])
        expect(page.get_by_role("link", name="Screen the applications")).to_be_visible(timeout=20_000)
        expect(page.get_by_role("heading", name="2 new applications")).to_be_visible()
        refused = page.locator("[data-refused] li")
        expect(refused).to_have_count(2)
        assert sorted(text.split()[-1] for text in refused.all_inner_texts()) == ["too_large", "unsupported_format"]
        assert "/imports/" in page.url
        before = page.locator("[data-progress]").inner_text()
        page.reload()
        assert page.locator("[data-progress]").inner_text() == before
        states = dict(
            page.locator("[data-list] li").evaluate_all(
                "rows => rows.map(row => [...row.children].map(child => child.textContent))"
            )
        )
    assert states == {"fay.txt": "new", "gus.txt": "new", "noise.pdf": "failed", "huge.pdf": "failed"}
    assert {each.source for each in house.store.applications.of_job(house.job)} == {"web", "Career fair"}


def test_files_are_sent_without_script(browser: Browser, house: House, address: str) -> None:
    with opened(browser, house, address, "bo", script=False) as page:
        page.goto(f"/jobs/{house.job}/import")
        page.set_input_files("#files", [file("fay.txt", FAY)])
        page.get_by_role("button", name="Import").click()
        expect(page.get_by_role("heading", name="1 new application")).to_be_visible(timeout=20_000)


def test_a_suggested_skill_is_one_click_away_and_shows_what_it_does(
    browser: Browser, house: House, address: str
) -> None:
    with opened(browser, house, address, "bo") as page:
        page.goto(f"/jobs/{house.job}/requirements")
        page.get_by_role("button", name="Remove python").click()
        expect(page.locator("[data-row]")).to_have_count(1)
        page.locator("#say").get_by_role("button", name="Undo").click()
        expect(page.locator("[data-row]")).to_have_count(2)
        page.get_by_label("Minimum degree").select_option("master")
        page.get_by_label("Total years of experience").fill("1")
        preview = page.locator("#preview")
        expect(preview.get_by_role("row", name="3 2 ▲ 1 up Boris Novak")).to_be_visible(timeout=20_000)
        assert house.store.jobs.versions(house.job) == []
        page.get_by_role("button", name="Save", exact=True).first.click()
        expect(page.get_by_text("Applications are now ranked by these requirements.")).to_be_visible()
    assert house.store.jobs.get(house.job).requirements.degree == "master"


def test_a_job_is_made_from_its_ad(browser: Browser, house: House, address: str) -> None:
    with opened(browser, house, address, "bo") as page:
        page.goto("/")
        page.get_by_role("link", name="New job").click()
        page.get_by_label("The ad, as it was published").fill("Group Accountant\n\nRequirements:\n- 5 years of IFRS\n")
        page.get_by_role("button", name="Analyze ad").click()
        expect(page.locator("mark.must")).to_have_text(["must have", "IFRS"])
        page.get_by_role("button", name="Add a skill").click()
        page.keyboard.type("excel or ms access")
        page.get_by_role("button", name="Create job").click()
        expect(page.get_by_role("heading", name="Import applications")).to_be_visible()
    made = house.store.jobs.all()[-1].requirements
    assert [demand.skills for demand in made.demands] == [("ifrs",), ("excel", "ms access")]


def test_a_name_comes_off_a_list_and_back(browser: Browser, house: House, address: str) -> None:
    house.store.watchlist.add("no_hire", "Fennick Tools", note="why")
    with opened(browser, house, address, "ada") as page:
        page.goto("/watch-lists")
        page.get_by_role("button", name="Remove Fennick Tools").click()
        undo = page.locator("#say").get_by_role("button", name="Undo")
        expect(undo).to_be_visible()
        assert house.store.watchlist.entries() == ()
        undo.click()
        expect(page.get_by_role("button", name="Remove Fennick Tools")).to_be_visible()
    [entry] = house.store.watchlist.entries()
    assert (entry.name, entry.note) == ("Fennick Tools", "why")


def test_the_chain_is_verified_and_a_ranking_replayed(browser: Browser, house: House, address: str) -> None:
    with opened(browser, house, address, "di") as page:
        page.goto(f"/jobs/{house.job}")
        page.goto("/ledger/verify")
        page.get_by_role("button", name="Verify").click()
        expect(page.get_by_text("Ledger intact:")).to_be_visible(timeout=20_000)
        [event] = house.store.ledger.events(kinds=["ranking"])
        page.goto(f"/ledger/{event.sequence}")
        page.get_by_role("button", name="Replay ranking").click()
        expect(page.get_by_text("Identical: 5 candidates")).to_be_visible(timeout=20_000)
