"""Why a model says so: in the panel, on a page of its own, as files and as JSON; masked like everything else."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from html import unescape
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from PIL import Image
from playwright.sync_api import Browser, Dialog

from evenhand.explain.run import Explainer
from evenhand.screening import candidate_predictions
from evenhand.web.access import BLIND
from tests.web.house import House
from tests.web.payloads import MARK, SCRIPTS
from tests.web.test_candidate_browser import opened
from tests.web.test_candidates import take_in_sample, take_in_text

pytest_plugins = ["tests.web.house_fixtures"]


@pytest.fixture
def house_settings() -> dict[str, object]:
    return {"page_models": "occupation it-roles"}


@pytest.fixture(autouse=True)
def nothing_remembered() -> Iterator[None]:
    candidate_predictions._explanation_cache.clear()
    yield
    candidate_predictions._explanation_cache.clear()


@pytest.fixture
def accountant(house: House) -> str:
    return f"/applications/{take_in_sample(house, 'accountant.rtf')}"


def explained(house: House, address: str, **asked: str) -> list[dict[str, Any]]:
    answer = house.browser("bo").get(f"/api/v1{address}/explanations", params=asked)
    assert answer.status_code == 200
    return list(answer.json()["explanations"])


def test_words_add_up_at_their_places(house: House, accountant: str) -> None:
    (found,) = explained(house, accountant)
    text = house.store.documents.get(house.store.applications.get(accountant.split("/")[2]).document).text
    assert found["target"] == "ACCOUNTANT"
    assert found["converged"]
    total = sum(word["score"] for word in found["words"]) + found["special"]
    assert total == pytest.approx(found["output"] - found["baseline_output"] + found["delta"], abs=1e-9)
    assert all(text[word["start"] : word["end"]] == word["text"] for word in found["words"])


def test_another_label_and_another_model(house: House, accountant: str) -> None:
    (chef,) = explained(house, accountant, target="chef")
    assert (chef["target"], chef["model"]["name"]) == ("CHEF", "occupation")
    roles = explained(house, accountant, model="it-roles", target="Java_Developer")
    assert [each["target"] for each in roles] == ["Java_Developer"]


def test_a_label_or_model_that_is_not_there_is_told_so(house: House, accountant: str) -> None:
    browser = house.browser("bo")
    unknown = browser.get(f"/api/v1{accountant}/explanations", params={"target": "PIRATE"})
    assert unknown.status_code == 422
    assert "no label 'PIRATE'" in unknown.text
    assert browser.get(f"{accountant}/reasons", params={"model": "/etc"}).status_code == 404
    assert browser.get(f"{accountant}/reasons", params={"as": "pickle"}).status_code == 422


def test_a_part_of_the_panel_and_a_page_of_its_own(house: House, accountant: str) -> None:
    browser = house.browser("bo")
    streamed = browser.get(f"{accountant}/reasons", headers={"X-Evenhand-Fragment": "1"}).text
    part = json.loads(streamed.splitlines()[-1])["html"]
    whole = browser.get(f"{accountant}/reasons").text
    assert "<html" not in part
    assert 'class="heated"' in whole
    for text in (part, whole):
        assert "Why ACCOUNTANT" in text
        assert "Mostly because of" in text
        assert "add up to the difference they explain" in text
    heat = json.loads(unescape(re.search(r'data-heat="([^"]*)"', part)[1]))  # type: ignore[index]
    scores = {(word["start"], word["end"]): word["score"] for word in explained(house, accountant)[0]["words"]}
    assert heat
    assert all((scores[start, end] > 0) == (level > 0) and 1 <= abs(level) <= 8 for start, end, level in heat)


def test_what_goes_wrong_is_told_in_the_last_line(house: House, accountant: str) -> None:
    asked = {"target": "PIRATE"}
    streamed = house.browser("bo").get(f"{accountant}/reasons", params=asked, headers={"X-Evenhand-Fragment": "1"})
    assert "no label 'PIRATE'" in json.loads(streamed.text.splitlines()[-1])["error"]


def test_files_to_keep(house: House, accountant: str) -> None:
    browser = house.browser("bo")
    page = browser.get(f"{accountant}/reasons", params={"as": "page"})
    assert page.headers["content-disposition"] == 'attachment; filename="explanation.html"'
    assert "default-src &#39;none&#39;" in page.text
    picture = browser.get(f"{accountant}/reasons", params={"as": "picture"})
    assert Image.open(BytesIO(picture.content)).format == "PNG"


def test_who_screens_blind_gets_no_name_and_no_file_name(house: House, tmp_path: Path) -> None:
    id = take_in_text(
        house,
        tmp_path,
        "Zelda Quillfeather\nzelda@example.com\n\nExperience\nAccountant, Acme, 2015 - 2020\nBooks of Zelda.",
    )
    address = f"/applications/{id}"
    (open_,) = explained(house, address)
    client = house.browser("bo")
    client.cookies.set(BLIND, "1")
    (blind,) = client.get(f"/api/v1{address}/explanations").json()["explanations"]
    for text in (
        json.dumps(blind),
        client.get(f"{address}/reasons").text,
        client.get(f"{address}/reasons", params={"as": "page"}).text,
    ):
        assert "Zelda" not in text
        assert "Quillfeather" not in text
    assert blind["output"] == open_["output"]
    assert sum(word["score"] for word in blind["words"]) == pytest.approx(sum(word["score"] for word in open_["words"]))


def test_it_is_on_record_and_sealed(house: House, accountant: str) -> None:
    explained(house, accountant)
    newest = house.store.ledger.of_application(accountant.split("/")[2])[-1]
    assert (newest.kind, newest.body["what"]) == ("view", "explanation")
    assert newest.body["models"][0].startswith("occupation ")
    assert list(newest.body["sealed"]) == ["explanations"]


def test_it_is_worked_out_once_and_no_text_is_kept(
    house: House, accountant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = explained(house, accountant)
    monkeypatch.setattr(Explainer, "explain", None)
    assert explained(house, accountant) == first
    assert "ledger" not in repr(candidate_predictions._explanation_cache)


def test_a_model_that_is_not_asked_has_no_reasons(house: House, accountant: str) -> None:
    settings = replace(house.context.settings, page_models="")
    service = replace(house.context.service, settings=settings)
    house.app.state.context = replace(house.context, service=service)
    assert house.browser("bo").get(f"/api/v1{accountant}/explanations").status_code == 404


@pytest.mark.browser
@pytest.mark.slow
def test_why_colours_the_resume_and_has_no_barriers(
    browser: Browser, house: House, address: str, accountant: str
) -> None:
    with opened(browser, house, address) as context:
        page = context.new_page()
        failures: list[str] = []
        page.on("pageerror", lambda error: failures.append(str(error)))
        page.on("console", lambda said: failures.append(said.text) if said.type == "error" else None)
        page.goto(f"{address}{accountant}")
        page.locator("#predictions").scroll_into_view_if_needed()
        page.get_by_role("link", name="Why?").first.click()
        page.get_by_role("heading", name="Why ACCOUNTANT").wait_for()
        coloured = page.evaluate(
            "[...CSS.highlights].flatMap(([name, some]) => [...some].map(range => [name, range.toString()]))"
        )
        (found,) = explained(house, accountant)
        strongest = max(found["words"], key=lambda word: float(word["score"]))
        assert ["for-4", strongest["text"]] in coloured
        texts = {word["text"] for word in found["words"]}
        assert {text for _, text in coloured} <= texts
        page.get_by_role("button", name="Remove the colours").click()
        assert page.evaluate("CSS.highlights.size") == 0
        page.locator("select[name=target]").first.select_option("CHEF")
        page.get_by_role("button", name="Explain").first.click()
        page.get_by_role("heading", name="Evidence for and against CHEF").wait_for()
        found_barriers = Axe().run(page, context="#predictions")
        assert found_barriers.violations_count == 0, found_barriers.generate_report()
        assert not failures


@pytest.mark.browser
@pytest.mark.slow
def test_scripts_in_a_resume_never_run(browser: Browser, house: House, address: str, tmp_path: Path) -> None:
    lines = "\n".join(f"accountant {payload} ledger" for payload in SCRIPTS)
    id = take_in_text(house, tmp_path, f"Pat Doe\n\nExperience\nAccountant, Acme, 2015 - 2020\n{lines}\n")
    kept = house.browser("bo").get(f"/applications/{id}/reasons", params={"as": "page"}).content
    with opened(browser, house, address, bypass_csp=True) as context:
        page = context.new_page()
        ran: list[str] = []

        def hear(dialog: Dialog) -> None:
            ran.append(dialog.message)
            dialog.dismiss()

        page.on("dialog", hear)
        page.goto(f"{address}/applications/{id}/reasons")
        assert page.evaluate("window.hit") is None
        assert page.locator(f"[{MARK}]").count() == 0
        page.goto(f"{address}/applications/{id}")
        page.locator("#predictions").scroll_into_view_if_needed()
        page.get_by_role("link", name="Why?").first.click()
        page.get_by_role("heading", name="Why ACCOUNTANT").wait_for()
        assert page.evaluate("window.hit") is None
        assert page.locator(f"[{MARK}]").count() == 0
        page.set_content(kept.decode())
        page.wait_for_timeout(200)
        assert page.evaluate("window.hit") is None
        assert page.locator(f"[{MARK}]").count() == 0
        assert not ran
