"""The rights of applicants in a browser: receipts, corrections, erasure, retention, exports; and who may do what."""

from __future__ import annotations

import csv
import json
import re
import zipfile
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from io import BytesIO, StringIO
from pathlib import Path

import pytest
from openpyxl import load_workbook

from evenhand.applicants.erasure import is_genuine
from evenhand.ledger.verify import verify_ledger
from evenhand.screening.service import ingest_files
from evenhand.search.visibility import pseudonym
from evenhand.store.jobs import JobSettings
from evenhand.web.access import BLIND
from tests.screening.applicants import JAVA_JOB
from tests.web.house import House

pytest_plugins = ["tests.web.house_fixtures"]

JSON = {"accept": "application/json"}


def of(house: House, name: str, rest: str = "") -> str:
    return f"/applications/{house.ids[name]}{rest}"


def kinds(house: House, *wanted: str) -> list[str]:
    return [event.kind for event in house.store.ledger.events(kinds=list(wanted), limit=1000)]


def blind(house: House) -> None:
    house.store.job_settings.change(house.job, JobSettings(blind=True), actor="test")


def test_the_candidate_page_leads_here(house: House) -> None:
    page = house.browser("bo").get(of(house, "Asha")).text
    for rest in ("/receipt", "/correct", "/erase"):
        assert f'href="{of(house, "Asha", rest)}"' in page


def test_a_receipt_in_every_form(house: House) -> None:
    bo = house.browser("bo")
    page = bo.get(of(house, "Asha", "/receipt"))
    assert page.status_code == 200
    assert "Your application for Java Developer" in page.text
    assert "<style" not in page.text
    pdf = bo.get(of(house, "Asha", "/receipt.pdf"))
    assert pdf.content.startswith(b"%PDF")
    assert pdf.headers["content-disposition"] == f'attachment; filename="receipt-{house.ids["Asha"]}.pdf"'
    alone = bo.get(of(house, "Asha", "/receipt.html"))
    assert "attachment" in alone.headers["content-disposition"]
    assert "<style>" in alone.text
    assert "<script" not in alone.text
    assert bo.get(of(house, "Asha", "/receipt.json")).json()["name"] == "Asha Rao"
    archive = zipfile.ZipFile(BytesIO(bo.get(of(house, "Asha", "/export.zip")).content))
    assert "ledger.json" in archive.namelist()
    events = house.store.ledger.events(kinds=["receipt"])
    assert [event.body["what"] for event in events] == [
        *("receipt page", "receipt pdf", "receipt html", "receipt json", "archive")
    ]


def test_receipts_are_not_for_who_sees_applicants_masked(house: House) -> None:
    for rest in ("/receipt", "/receipt.pdf", "/receipt.html", "/receipt.json", "/export.zip"):
        assert house.browser("di").get(of(house, "Asha", rest)).status_code == 403
        assert house.browser("cy").get(of(house, "Asha", rest)).status_code == 404
        assert house.visitor().get(of(house, "Asha", rest)).status_code == 303
    blind(house)
    answer = house.browser("bo").get(of(house, "Asha", "/receipt"))
    assert answer.status_code == 403
    assert "Asha Rao" not in answer.text


def test_correcting_a_job_shows_the_rank_before_and_after(house: House) -> None:
    bo = house.browser("bo")
    page = bo.get(of(house, "Boris", "/correct"))
    assert page.status_code == 200
    assert 'value="Initech Ltd"' in page.text
    form = {
        "entry": "0",
        "position.title": "Software Developer",
        "position.employer": "Initech Ltd",
        "start": "2012-01",
        "end": "present",
        "reason": "He wrote to us",
    }
    answer = bo.post(of(house, "Boris", "/correct"), data=form)
    assert answer.status_code == 303
    page = bo.get(answer.headers["location"])
    said = re.search(r'<div class="fine row said".*?</div>', page.text, re.S)
    assert said
    words = " ".join(re.sub(r"<[^>]+>", " ", said[0]).split())
    assert words.startswith("Dates of a job: 2012-01 to present instead of 2020-01 to 2022-06. Rank ")
    assert "Undo" in words
    assert "He wrote to us" in page.text
    profile = house.store.applications.profile(house.ids["Boris"])
    assert profile is not None
    assert profile.total_months == 169
    [kept] = house.store.corrections.of_application(house.ids["Boris"])  # title and employer are as they were
    back = bo.post(of(house, "Boris", f"/correct/{kept.id}/undo"))
    assert "Undone: " in bo.get(back.headers["location"]).text
    assert bo.post(of(house, "Boris", f"/correct/{kept.id}/undo")).status_code == 422


def test_correcting_from_a_script(house: House) -> None:
    bo = house.browser("bo")
    answer = bo.post(of(house, "Boris", "/correct"), data={"name": "Boris Nowak"}, headers=JSON)
    assert set(answer.json()) == {"correction", "before", "after"}
    assert answer.json()["before"]["total"] == 5
    refused = bo.post(of(house, "Boris", "/correct"), data={"name": "Boris Nowak"}, headers=JSON)
    assert refused.status_code == 422
    assert "Nothing was changed" in refused.text


@pytest.mark.parametrize(
    ("form", "words"),
    [
        ({}, "Say what is to be corrected."),
        ({"skill": "Cobol", "words": "quantum"}, "is not in the resume"),
        ({"entry": "0", "start": "never", "end": ""}, "is no date"),
        ({"entry": "9", "position.title": "Cook"}, "Choose the job"),
        ({"what": "remove", "skill": "cobol"}, "not among the skills"),
    ],
)
def test_what_cannot_be_corrected_is_said_on_the_page(house: House, form: dict[str, str], words: str) -> None:
    answer = house.browser("bo").post(of(house, "Boris", "/correct"), data=form)
    assert answer.status_code == 422
    assert words in answer.text
    assert kinds(house, "correction") == []


def test_skills_are_added_and_removed(house: House) -> None:
    bo = house.browser("bo")
    form = {"skill": "Python", "words": "payroll reports"}
    assert bo.post(of(house, "Boris", "/correct"), data=form).status_code == 303
    bo.post(of(house, "Boris", "/correct"), data={"what": "remove", "skill": "java"})
    profile = house.store.applications.profile(house.ids["Boris"])
    assert profile is not None
    assert [(skill.name, skill.months) for skill in profile.skills] == [("python", 30)]


DATES = {"entry": "0", "start": "2012-01", "end": "present", "reason": "Ask Bo about the Java job"}


def of_other_job(house: House, tmp_path: Path, name: str = "Boris") -> str:
    """The same file, for a job of cy's, that bo cannot see."""
    job = house.store.jobs.add(replace(JAVA_JOB, title="Night Watch"), actor=house.people["cy"].id)
    house.store.jobs.grant_access(job, house.people["cy"].id, actor=house.people["cy"].id)
    application = house.store.applications.get(house.ids[name])
    path = tmp_path / f"{name}.txt"
    path.write_bytes(house.store.files.read(application.document))
    ingest_files(house.context.service, [path], job, total=1)
    [other] = house.store.applications.of_job(job)
    assert other.candidate == application.candidate
    return f"/applications/{other.id}"


def test_a_correction_in_one_job_leaves_the_other_recruiters_candidate_alone(house: House, tmp_path: Path) -> None:
    there, bo, cy = of_other_job(house, tmp_path), house.browser("bo"), house.browser("cy")
    assert "proposed from another application" not in cy.get(there).text
    api = f"/api/v1{there}"
    before = cy.get(api).json()
    assert bo.post(of(house, "Boris", "/correct"), data=DATES).status_code == 303
    after = cy.get(api).json()
    assert after["facts"] == before["facts"]
    assert after["score"] == before["score"]
    page = cy.get(there).text
    assert "1 correction proposed from another application of this file." in page
    assert f'href="{there}/correct#proposed"' in page
    review = cy.get(f"{there}/correct").text
    assert "Dates of a job</b>: 2020-01 to 2022-06 &rarr; 2012-01 to present" in review
    for secret in ("Bo Carden", "Ask Bo", "Java Developer", house.ids["Boris"], house.job):
        assert secret not in review
    [proposed] = cy.get(f"{api}/corrections/proposed").json()["items"]
    assert set(proposed) == {"id", "field", "entry", "old", "new", "masked"}
    assert proposed["entry"] == "Software Developer, Initech Ltd"
    assert bo.post(f"{there}/correct/{proposed['id']}/accept").status_code == 404
    assert cy.post(f"{there}/correct/{proposed['id']}/accept").status_code == 303
    assert cy.get(api).json()["score"] != before["score"]
    assert "proposed from another application" not in cy.get(there).text
    assert cy.post(f"{there}/correct/{proposed['id']}/accept").status_code == 404
    [line] = cy.get(f"{api}/corrections").json()["items"]
    assert (line["by"], line["reason"], line["declined"]) == ("Cy Dunmore", "", False)
    assert cy.delete(f"{api}/corrections/{proposed['id']}").status_code == 200
    assert cy.get(api).json()["score"] == before["score"]
    assert verify_ledger(house.store, house.context.settings).findings == ()


def test_declining_on_the_page_and_over_the_api(house: House, tmp_path: Path) -> None:
    there, bo, cy = of_other_job(house, tmp_path), house.browser("bo"), house.browser("cy")
    for form in (DATES, {"name": "Boris Nowak"}):
        assert bo.post(of(house, "Boris", "/correct"), data=form).status_code == 303
    first, second = (one["id"] for one in cy.get(f"/api/v1{there}/corrections/proposed").json()["items"])
    answer = cy.post(f"{there}/correct/{first}/decline")
    assert "Declined: dates of a job stays" in cy.get(answer.headers["location"]).text
    refused = cy.post(f"/api/v1{there}/corrections/{second}/decline", json={"reason": "Not his name"})
    assert refused.status_code == 204
    assert cy.get(f"/api/v1{there}/corrections/proposed").json()["total"] == 0
    assert [line["declined"] for line in cy.get(f"/api/v1{there}/corrections").json()["items"]] == [True, True]
    assert "Not his name" in cy.get(there).text  # in the history, with who and when
    assert "Proposed correction declined: Name" in cy.get(there).text


def test_blind_screeners_do_not_take_back_a_correction_of_the_name(house: House) -> None:
    """Masking would look for the misread name again, and show the right one."""
    bo = house.browser("bo")
    bo.post(of(house, "Boris", "/correct"), data={"name": "Boris Nowak"})
    [kept] = house.store.corrections.of_application(house.ids["Boris"])
    blind(house)
    assert bo.post(of(house, "Boris", f"/correct/{kept.id}/undo")).status_code == 403
    assert bo.delete(f"/api/v1{of(house, 'Boris', f'/corrections/{kept.id}')}").status_code == 403
    profile = house.store.applications.profile(house.ids["Boris"])
    assert profile
    assert profile.name
    assert profile.name.value == "Boris Nowak"


def test_blind_screeners_see_no_proposed_name(house: House, tmp_path: Path) -> None:
    there, bo, cy = of_other_job(house, tmp_path), house.browser("bo"), house.browser("cy")
    other = house.store.applications.get(there.rpartition("/")[2])
    house.store.job_settings.change(other.job, JobSettings(blind=True), actor="test")
    assert bo.post(of(house, "Boris", "/correct"), data={"name": "Boris Quillfeather"}).status_code == 303
    page = cy.get(f"{there}/correct").text
    assert "Masked for you: somebody who sees it has to accept or decline." in page
    assert "Quillfeather" not in page + cy.get(there).text
    [proposed] = cy.get(f"/api/v1{there}/corrections/proposed").json()["items"]
    assert (proposed["old"], proposed["new"], proposed["masked"]) == ("masked", "masked", True)
    assert cy.post(f"{there}/correct/{proposed['id']}/accept").status_code == 403


def test_only_administrators_correct_all_applications_of_a_person(house: House, tmp_path: Path) -> None:
    there, bo, ada = of_other_job(house, tmp_path), house.browser("bo"), house.browser("ada")
    here = of(house, "Boris", "/correct")
    assert bo.get(f"{here}?all=1").status_code == 403
    assert bo.post(here, data={**DATES, "all": "1"}).status_code == 403
    body = {"field": "name", "value": "Boris Nowak", "all_applications": True}
    assert bo.post(f"/api/v1{of(house, 'Boris', '/corrections')}", json=body).status_code == 403
    assert "applications of this person" not in bo.get(here).text
    assert kinds(house, "correction") == []
    assert "Apply to all 2 applications of this person with this file" in ada.get(here).text
    assert 'name="all" value="1"' in ada.get(f"{here}?all=1").text
    assert ada.post(here, data={**DATES, "all": "1"}).headers["location"].endswith("&all=1")
    assert ada.post(f"/api/v1{of(house, 'Boris', '/corrections')}", json=body).status_code == 201
    assert kinds(house, "correction") == ["correction"] * 4
    for address in (of(house, "Boris"), there):
        assert "<title>Boris Nowak " in ada.get(address).text
    assert verify_ledger(house.store, house.context.settings).findings == ()


def test_who_may_correct(house: House) -> None:
    data = {"name": "Eve"}
    assert house.browser("di").get(of(house, "Boris", "/correct")).status_code == 403
    assert house.browser("di").post(of(house, "Boris", "/correct"), data=data).status_code == 403
    assert house.browser("cy").post(of(house, "Boris", "/correct"), data=data).status_code == 404
    assert house.visitor().post(of(house, "Boris", "/correct"), data=data).status_code == 401
    blind(house)
    bo = house.browser("bo")
    page = bo.get(of(house, "Boris", "/correct"))
    assert page.status_code == 200
    for hidden in ("Boris", "Novak", "Prague", "boris.novak"):
        assert hidden not in page.text
    assert bo.post(of(house, "Boris", "/correct"), data=data).status_code == 403
    form = {"entry": "0", "position.title": "Programmer"}
    assert bo.post(of(house, "Boris", "/correct"), data=form).status_code == 303


def test_erasing_needs_an_administrator_a_reason_and_a_word(house: House) -> None:
    ada, bo = house.browser("ada"), house.browser("bo")
    page = bo.get(of(house, "Boris", "/erase")).text
    assert "Only administrators can erase" in page
    assert "<textarea" not in page
    form = {"reason": "Asked by letter", "confirmation": "erase"}
    assert bo.post(of(house, "Boris", "/erase"), data=form).status_code == 403
    assert house.browser("di").get(of(house, "Boris", "/erase")).status_code == 403
    page = ada.get(of(house, "Boris", "/erase")).text
    assert "original files" in page
    assert "Erase the application of Boris" in page  # nobody erases by a number that they cannot check
    ada.cookies.set(BLIND, "1")
    page = ada.get(of(house, "Boris", "/erase")).text
    assert "Boris" not in page
    assert f"Erase the application of {pseudonym(house.ids['Boris'])}" in page
    for wrong, words in (
        ({**form, "confirmation": "yes"}, "to confirm"),
        ({**form, "reason": " "}, "needs a reason"),
        ({**form, "ground": "mood"}, "no ground"),
    ):
        answer = ada.post(of(house, "Boris", "/erase"), data=wrong)
        assert answer.status_code == 422
        assert words in answer.text
    assert house.store.applications.count() == 5


def test_an_erasure_and_its_certificate(house: House) -> None:
    ada = house.browser("ada")
    house.store.backups.add("tape 9", actor="test")
    form = {"reason": "Asked by letter", "ground": "request", "confirmation": " Erase "}
    answer = ada.post(of(house, "Boris", "/erase"), data=form)
    assert answer.status_code == 303
    address = answer.headers["location"]
    page = ada.get(address)
    assert "1 application erased" in page.text
    assert "tape 9" in page.text
    certificate = ada.get(f"{address}/certificate.json").json()
    assert is_genuine(certificate)
    assert "Boris" not in json.dumps(certificate)
    assert ada.get(f"{address}/certificate.pdf").content.startswith(b"%PDF")
    assert "<style>" in ada.get(f"{address}/certificate.html").text
    assert ada.get(f"{address}/certificate.exe").status_code == 404
    assert house.browser("di").get(address).status_code == 200
    assert house.browser("bo").get(address).status_code == 404
    assert certificate["id"] in house.browser("di").get("/erasures").text
    assert house.browser("bo").get("/erasures").status_code == 403
    assert ada.get(of(house, "Boris")).status_code == 404
    assert house.store.applications.count() == 4
    listed = ada.get(f"/jobs/{house.job}").text
    assert "Boris" not in listed


def test_a_hold_stands_in_the_way(house: House) -> None:
    ada = house.browser("ada")
    assert house.browser("bo").post(of(house, "Boris", "/hold"), data={"reason": "x"}).status_code == 403
    ada.post(of(house, "Boris", "/hold"), data={"reason": "case 7"})
    page = ada.get(of(house, "Boris", "/erase")).text
    assert "case 7" in page
    assert "Erase for good" not in page
    form = {"reason": "Asked", "confirmation": "erase"}
    assert ada.post(of(house, "Boris", "/erase"), data=form).status_code == 422
    ada.post(of(house, "Boris", "/hold/lift"))
    assert ada.post(of(house, "Boris", "/erase"), data=form).status_code == 303


def test_retention_for_administrators(house: House) -> None:
    ada = house.browser("ada")
    for who, status in (("bo", 403), ("di", 403), ("ada", 200)):
        assert house.browser(who).get("/retention").status_code == status
    answer = ada.post("/retention/rules", data={"status": "rejected", "days": "180", "job": ""})
    assert "Rule saved." in ada.get(answer.headers["location"]).text
    assert "180 days" in ada.get("/retention").text
    assert ada.post("/retention/rules", data={"status": "rejected", "days": "x"}).status_code == 422
    ada.post("/retention/rules", data={"status": "rejected", "days": ""})
    assert "No retention rules yet" in ada.get("/retention").text
    ada.post("/retention/backups", data={"place": "tape 3", "expires": "2090-01-01"})
    [backup] = house.store.backups.all()
    assert "tape 3" in ada.get("/retention").text
    ada.post(f"/retention/backups/{backup.id}/done")
    assert house.store.backups.all() == []
    assert ada.post("/retention/backups", data={"place": "x", "made": "soon"}).status_code == 422


def test_running_retention_by_hand(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    house.store.retention.set_rule("new", 1, actor="test")
    house.store.retention.hold(house.ids["Asha"], "case 7", actor="test")
    later = datetime.now(UTC) + timedelta(days=2)
    monkeypatch.setattr(house.store.context, "clock", lambda: later)
    ada = house.browser("ada")
    page = ada.get("/retention").text
    assert 'name="expected" value="4"' in page
    wrong = ada.post("/retention/run", data={"expected": "3", "confirmation": "erase"})
    assert wrong.status_code == 422
    assert "4 are due now, not 3" in wrong.text
    assert ada.post("/retention/run", data={"expected": "4"}).status_code == 422
    answer = ada.post("/retention/run", data={"expected": "4", "confirmation": "erase"})
    assert "4 applications erased" in ada.get(answer.headers["location"]).text
    assert [each.id for each in house.store.applications.of_job(house.job)] == [house.ids["Asha"]]


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(StringIO(text.removeprefix("\ufeff"), newline="")))


def test_exporting_the_list_that_is_shown(house: House) -> None:
    bo = house.browser("bo")
    page = bo.get(f"/jobs/{house.job}?city=Berlin")
    assert page.status_code == 200
    answer = bo.get(f"/jobs/{house.job}/export.csv?city=Berlin")
    assert answer.headers["content-type"] == "text/csv; charset=utf-8"
    assert re.fullmatch(
        r'attachment; filename="java-developer-\d{4}-\d\d-\d\d.csv"', answer.headers["content-disposition"]
    )
    found = rows(answer.text)
    assert sorted(row["candidate"] for row in found) == ["Clara Weber", "David Cohen"]
    assert "e-mail" not in found[0]
    sheet = load_workbook(BytesIO(bo.get(f"/jobs/{house.job}/export.xlsx").content))["Candidates"]
    assert sheet.max_row == 6
    assert "clara.weber@example.org" in bo.get(f"/jobs/{house.job}/export.csv?contact=1").text
    events = house.store.ledger.events(kinds=["export"])
    assert [(event.body["what"], event.body["of"], event.body["contact"]) for event in events] == [
        ("csv", 2, False),
        ("xlsx", 5, False),
        ("csv", 5, True),
    ]


def test_exports_through_the_lens(house: House) -> None:
    di = house.browser("di")
    assert di.get(f"/jobs/{house.job}/export.csv?contact=1").status_code == 403
    assert "clara.weber@example.org" not in di.get(f"/jobs/{house.job}/export.csv").text
    assert house.browser("cy").get(f"/jobs/{house.job}/export.csv").status_code == 404
    blind(house)
    text = house.browser("bo").get(f"/jobs/{house.job}/export.csv").text
    for hidden in ("Clara", "Weber", "Berlin"):
        assert hidden not in text
    assert len(rows(text)) == 5
    assert house.browser("bo").get(f"/jobs/{house.job}/export.csv?contact=1").status_code == 403


def test_a_search_that_cannot_be_understood_exports_nothing(house: House) -> None:
    answer = house.browser("bo").get(f"/jobs/{house.job}/export.csv?q=%28java")
    assert answer.status_code == 422
    assert kinds(house, "export") == []


def test_the_archive_of_a_person_leaves_out_what_is_masked(house: House) -> None:
    store = house.store
    job = store.jobs.add(replace(store.jobs.get(house.job).requirements, title="Second"), actor="test")
    arrival = store.applications.get(house.ids["Asha"])
    from evenhand.store.applications import Arrival

    store.applications.add([Arrival(job=job, sha256=arrival.document, file="asha.txt")])
    ada = house.browser("ada")
    both = zipfile.ZipFile(BytesIO(ada.get(of(house, "Asha", "/export.zip?all=1")).content))
    assert len([name for name in both.namelist() if name.endswith("profile.json")]) == 2
    bo = house.browser("bo")  # who has only the first job
    one = zipfile.ZipFile(BytesIO(bo.get(of(house, "Asha", "/export.zip?all=1")).content))
    assert len([name for name in one.namelist() if name.endswith("profile.json")]) == 1
