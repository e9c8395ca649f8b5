"""The audit pages: how audits are listed, asked for, shown and scheduled, whatever a report holds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from fastapi.testclient import TestClient
from selectolax.lexbor import LexborHTMLParser

from evenhand.store.audits import WAITING
from evenhand.store.jobs import JobSettings
from tests.rendering.reports import hostile, outcomes, swaps
from tests.web.payloads import SCRIPTS
from tests.web.test_payloads import check_harmless
from tests.web.world import World, open_world


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    with open_world(tmp_path_factory.mktemp("audits")) as opened:
        yield opened


@pytest.fixture(scope="module")
def auditor(world: World) -> TestClient:
    return world.client("auditor")


def keep(world: World, report: dict[str, Any]) -> str:
    asked = {"kinds": ["swaps"], "job": world.own.job}
    id = world.store.audits.request("swaps", job=world.own.job, request=asked, actor="test", running=True)
    return world.store.audits.finish(id, report).id


def test_the_list_tells_the_worst_finding_and_the_trend(world: World, auditor: TestClient) -> None:
    for report in (outcomes(), swaps()):  # watch, then concern
        keep(world, report.to_json())
    rows = LexborHTMLParser(auditor.get("/audits").text).css(".audits tbody tr")
    told = [(row.css("td")[0].text(strip=True), row.css("td")[3].text(strip=True)) for row in rows]
    assert told == [("▲Act on this", "▲worse than before"), ("●Monitor", "the first of its kind")]


def test_a_report_is_shown_with_its_charts_and_to_be_had_as_files(world: World, auditor: TestClient) -> None:
    id = keep(world, swaps().to_json())
    tree = LexborHTMLParser(auditor.get(f"/audits/{id}").text)
    assert [node.text() for node in tree.css("mark")] == ["Emily Walker", "Lakisha Washington"]
    [source] = [node.attributes["src"] for node in tree.css(".report img")]
    chart = auditor.get(str(source))
    assert chart.headers["content-type"] == "image/svg+xml"
    assert "Placebo" in chart.text
    assert auditor.get(f"/audits/{id}/charts/1.svg").status_code == 404
    for form, start in (("pdf", b"%PDF"), ("html", b"<!doctype"), ("json", b"{")):
        answer = auditor.get(f"/audits/{id}/report.{form}")
        assert answer.content.startswith(start)
        assert answer.headers["content-disposition"] == f'attachment; filename="audit-{id}.{form}"'
        assert world.newest().body["form"] == form
    assert auditor.get(f"/audits/{id}/report.exe").status_code == 404


def test_who_sees_the_job_blind_reads_no_resume(world: World, auditor: TestClient) -> None:
    id = keep(world, swaps().to_json())
    world.store.job_settings.change(world.own.job, JobSettings(blind=True), actor="test")
    try:
        addresses = (f"/audits/{id}", f"/audits/{id}/report.html", f"/audits/{id}/report.json", f"/api/v1/audits/{id}")
        texts = [auditor.get(address).text for address in addresses]
    finally:
        world.store.job_settings.change(world.own.job, JobSettings(), actor="test")
    assert all("Lakisha Washington" in text and "VAT returns" not in text for text in texts)
    assert "VAT returns" in auditor.get(f"/audits/{id}").text


@pytest.mark.parametrize("payload", SCRIPTS[::19])
def test_nothing_in_a_report_or_notice_runs(world: World, auditor: TestClient, payload: str) -> None:
    check_harmless(auditor.get(f"/audits/{keep(world, hostile(payload).to_json())}"), payload)
    auditor.post("/audits/notices", data={"text": payload, "channel": payload[:80]})
    check_harmless(auditor.get("/audits/notices"), payload)


def test_an_audit_is_asked_for_and_says_how_far_it_is(world: World, auditor: TestClient) -> None:
    # One at a time: while another is running, the server's own auditor leaves this one waiting.
    other = world.store.audits.request("swaps", job=world.own.job, request={}, actor="test", running=True)
    answer = auditor.post("/audits", data={"job": world.own.job, "kinds": ["swaps"], "families": ["age"], "most": "20"})
    assert answer.status_code == 303
    place = answer.headers["location"]
    asked = world.store.audits.get(place.rpartition("/")[2])
    assert (asked.state, asked.request["families"], asked.request["most"]) == (WAITING, ["age"], 20)
    assert "Waiting" in auditor.get(place).text
    assert auditor.get(f"{place}/state").json()["is_over"] is False
    world.store.audits.fail(asked.id, "Nobody was <asked>.")
    assert "Nobody was &lt;asked&gt;." in auditor.get(place).text
    world.store.audits.fail(other, "It was only in the way.")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"kinds": ["swaps"]}, "Choose a job."),
        ({"job": "JOB"}, "Say what is to be audited"),
        ({"job": "JOB", "kinds": ["spells"]}, "There is no kind"),
        ({"job": "JOB", "kinds": ["swaps"], "most": "many"}, "a whole number"),
        ({"job": "JOB", "kinds": ["swaps"], "ranker": "semantic"}, "There is no ranker"),
        ({"job": "nowhere", "kinds": ["swaps"]}, "There is no job"),
    ],
)
def test_what_cannot_be_asked_for_is_told(world: World, auditor: TestClient, given: dict[str, Any], said: str) -> None:
    before = len(world.store.audits.all())
    sent = {name: world.own.job if value == "JOB" else value for name, value in given.items()}
    answer = auditor.post("/audits", data=sent)
    assert (answer.status_code, said in answer.text) == (422, True)
    assert len(world.store.audits.all()) == before


def test_a_schedule_is_set_shown_and_ended(world: World, auditor: TestClient) -> None:
    auditor.post("/audits/schedules", data={"every": "monthly", "kinds": ["swaps"]})
    [made] = world.store.audits.schedules()
    page = auditor.get("/audits").text
    assert "every open job</b>, monthly: swaps" in page
    assert f"next on {made.due:%d %b %Y}, 02:00 UTC" in page
    assert auditor.post("/audits/schedules", data={"every": "hourly", "kinds": ["swaps"]}).status_code == 422
    auditor.post("/audits/schedules", data={"every": "off"})
    assert world.store.audits.schedules() == []


def test_recruiters_have_no_entry_for_audits(world: World) -> None:
    for role, seen in (("owner", False), ("auditor", True), ("admin", True)):
        assert ('href="/audits"' in world.client(role).get("/").text) is seen


def test_a_report_about_no_job_is_listed_and_shown(world: World, auditor: TestClient) -> None:
    id = world.store.audits.request("debias", job=None, request={}, actor="test", running=True)
    world.store.audits.finish(id, outcomes().to_json())
    listed = LexborHTMLParser(auditor.get("/audits").text)
    assert listed.css_first(f'a[href="/audits/{id}"]') is not None
    assert auditor.get(f"/audits/{id}").status_code == 200
