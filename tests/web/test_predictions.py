"""Model predictions: on its own page, as a part of another, and as JSON; on record, and never a decision."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser

from evenhand.models.architectures import ARCHITECTURES
from tests.explain.gradients.by_hand import LABELS, draw_network, small
from tests.models.encoder.tiny_bert import write_tiny_bert
from tests.web.house import House
from tests.web.test_candidate_browser import opened

pytest_plugins = ["tests.web.house_fixtures"]


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("models")
    encoder = write_tiny_bert(folder / "tiny")
    draw_network(folder / "sure", encoder, small(ARCHITECTURES["C+I"]), name="sure")
    draw_network(folder / "shy", encoder, small(ARCHITECTURES["C+I"]), name="shy", abstain_below=1.0)
    architecture = small(ARCHITECTURES["C+I+J+A"])
    draw_network(folder / "match", encoder, architecture, name="match", task="fit", outcome="single")
    return folder


@pytest.fixture
def house_settings(models: Path) -> dict[str, object]:
    names = " ".join(str(models / name) for name in ("sure", "shy", "match", "missing"))
    return {"page_models": names, "encoder": str(models / "tiny")}


def candidate(house: House) -> str:
    return f"/applications/{house.ids['Asha']}"


def asked(house: House) -> dict[str, Any]:
    answer = house.browser("bo").get(f"/api/v1{candidate(house)}/predictions")
    assert answer.status_code == 200
    return dict(answer.json())


def test_the_page_of_a_candidate_has_a_place_for_them_and_does_not_wait(house: House) -> None:
    page = house.browser("bo").get(candidate(house)).text
    assert f'data-from="{candidate(house)}/predictions"' in page
    assert f'<a href="{candidate(house)}/predictions">Show predictions</a>' in page
    assert " sure</span>" not in page


def test_a_page_of_its_own_and_a_part_of_another(house: House) -> None:
    whole = house.browser("bo").get(f"{candidate(house)}/predictions").text
    part = house.browser("bo").get(f"{candidate(house)}/predictions", headers={"X-Evenhand-Fragment": "1"}).text
    assert whole.startswith("<!doctype html>")
    assert part.startswith('<h2 id="predictions-head">')
    for text in (whole, part):
        assert text.count('<th scope="row">') == 9  # three models, three labels each
        assert "Model sure 1, on tiny" in text
        assert text.count("No confident prediction.") == 1
        assert "Not used for scores, ranks or decisions." in text
        assert "There is no model" in text


def test_as_json(house: House) -> None:
    found = asked(house)
    sure, shy, match = found["predictions"]
    assert (sure["task"], sure["model"]["name"], sure["abstained"]) == ("level", "sure", False)
    assert sure["label"] == sure["labels"][0]["label"]
    assert (shy["label"], shy["abstained"]) == (None, True)
    assert shy["labels"] == sure["labels"]  # the same weights, more asked of them
    assert match["task"] == "fit"
    assert {each["label"] for each in match["labels"]} == set(LABELS)
    (problem,) = found["problems"]
    assert problem.startswith("There is no model ")


def test_the_same_again_and_for_who_sees_it_masked(house: House) -> None:
    first = asked(house)
    assert asked(house) == first
    masked = house.browser("di").get(f"/api/v1{candidate(house)}/predictions").json()
    assert masked == first


def test_it_is_on_record_and_changes_nothing(house: House) -> None:
    application = house.store.applications.get(house.ids["Asha"])
    asked(house)
    newest = house.store.ledger.of_application(application.id)[-1]
    assert (newest.kind, newest.body["what"]) == ("view", "predictions")
    assert newest.body["models"] == ["sure 1", "shy 1", "match 1"]
    assert list(newest.body["sealed"]) == ["predictions"]  # what they said is about a person
    assert house.store.applications.get(application.id) == application


def test_nothing_is_asked_where_no_model_is_named(house: House) -> None:
    settings = replace(house.context.settings, page_models="")
    service = replace(house.context.service, settings=settings)
    house.app.state.context = replace(house.context, service=service)
    assert "Model predictions" not in house.browser("bo").get(candidate(house)).text
    assert asked(house) == {"predictions": [], "problems": []}


@pytest.mark.browser
@pytest.mark.slow
def test_they_come_when_somebody_comes_to_them(browser: Browser, house: House, address: str) -> None:
    with opened(browser, house, address) as context:
        page = context.new_page()
        asked_for: list[str] = []
        page.on("request", lambda request: asked_for.append(request.url))
        page.goto(f"{address}{candidate(house)}")
        panel = page.locator("#predictions")
        panel.scroll_into_view_if_needed()
        panel.get_by_text("Model sure 1, on tiny").wait_for()
        assert sum(url.endswith("/predictions") for url in asked_for) == 1
        assert panel.locator("table.likely").first.locator("tr").count() == 4  # head and three labels
        found = Axe().run(page, context="#predictions")
        assert found.violations_count == 0, found.generate_report()
