"""The list of jobs, a new job from its ad, and what a job asks for, put right."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from evenhand.mining.pipeline import understand_text
from evenhand.records import Demand
from evenhand.settings import Settings
from evenhand.store.jobs import JobSettings, JobSettingsStore
from evenhand.web.rendering import pieces
from tests.web.house import House

pytest_plugins = ["tests.web.house_fixtures"]

AD = """Group Accountant

Requirements:
- At least 5 years of experience with IFRS
- Excel, 3 years or more
- Bachelor's degree in accounting

Nice to have: Power Query
"""


def words(html: str) -> str:
    """What a reader sees, on one line."""
    return " ".join(re.sub(r"<[^>]+>", " ", html).split())


def form(**changes: object) -> dict[str, object]:
    """The requirements of the house's job as its form sends them."""
    return {
        "title": "Java Developer",
        "skill": ["java", "python"],
        "kind": ["must", "nice"],
        "months": ["36", ""],
        "years": "",
        "degree": "",
        "city": "",
        "do": "save",
        **changes,
    }


def version(house: House, who: str = "bo") -> str:
    page = house.browser(who).get(f"/jobs/{house.job}/requirements").text
    found = re.search(r'name="version" value="(\w{64})"', page)
    assert found
    return found[1]


def test_the_list_shows_ones_own_jobs_with_where_their_applications_stand(house: House) -> None:
    house.store.decisions.decide([house.ids["Asha"]], "shortlist", actor="bo")
    house.store.decisions.decide([house.ids["Boris"], house.ids["Clara"]], "reject", actor="bo", reason="no")
    page = words(house.browser("bo").get("/").text)
    assert "Java Developer 5 2 new 1 shortlisted 2 rejected" in page
    assert page.count("Bo Carden") == 2  # in the bar and beside the job
    assert "Java Developer" not in words(house.browser("cy").get("/").text)
    for who in ("ada", "di"):
        assert "Java Developer 5" in words(house.browser(who).get("/").text)


def test_an_empty_list_says_what_to_do_to_those_who_can_do_it(house: House) -> None:
    assert "Start with a job" in house.browser("cy").get("/").text
    house.store.jobs.close(house.job)
    page = house.browser("di").get("/").text
    assert "No job is open" in page
    assert "/jobs/new" not in page
    assert "1 closed job" in page


def test_a_job_is_made_from_pasted_text(house: House) -> None:
    client = house.browser("cy")
    checked = client.post("/jobs/new/files", files={"text": (None, AD)})
    assert checked.status_code == 200
    assert '<mark id="demand-0" class="must">IFRS</mark>' in checked.text
    assert '<mark id="demand-2" class="nice">Power Query</mark>' in checked.text
    assert 'name="years" type="number" min="0" max="60" step="0.1" value="5"' in checked.text
    assert house.store.jobs.all()[-1].id == house.job  # nothing is kept before somebody has looked
    saved = client.post(
        "/jobs",
        data={
            "text": AD.replace("\n", "\r\n"),  # as browsers send it
            "title": "Group Accountant",
            "skill": ["ifrs", "Excel or Access"],
            "kind": ["must", "nice"],
            "months": ["60", "36"],
            "years": "4.5",
            "degree": "master",
            "city": "Leeds",
            "do": "save",
        },
    )
    assert saved.status_code == 303
    kept = house.store.jobs.get(saved.headers["location"].split("/")[2])
    assert saved.headers["location"] == f"/jobs/{kept.id}/import"
    job = kept.requirements
    assert (job.title, job.months, job.degree, job.city) == ("Group Accountant", 54, "master", "Leeds")
    assert [(each.skills, each.must, each.months) for each in job.demands] == [
        (("ifrs",), True, 60),
        (("excel", "ms access"), False, 36),
    ]
    assert kept.text == AD
    assert [job.text[place.start : place.end] for place in job.demands[0].places] == ["IFRS"]
    assert [member.login for member in house.store.jobs.members(kept.id)] == ["cy"]


def test_a_job_is_made_from_a_file_of_any_format(house: House, tmp_path: Path) -> None:
    client = house.browser("bo")
    rtf = rb"{\rtf1\ansi Forklift Driver\par Requirements: 2 years of SAP\par}"
    checked = client.post("/jobs/new/files", files={"file": ("../../ad.rtf", rtf)})
    assert 'name="title" value="Forklift Driver"' in checked.text
    broken = client.post("/jobs/new/files", files={"file": ("../../ad.pdf", b"%PDF-1.4 broken")})
    assert broken.status_code == 422
    assert "ad.pdf: The file is damaged and cannot be opened." in broken.text
    assert ".." not in words(broken.text)


def test_an_ad_without_words_is_told_so(house: House) -> None:
    answer = house.browser("bo").post("/jobs/new/files", files={"text": (None, "  ")})
    assert answer.status_code == 422
    assert "Paste the text of the job, or choose a file with it." in answer.text


def test_rows_come_and_go_without_script(house: House) -> None:
    client = house.browser("bo")
    answer = client.post(f"/jobs/{house.job}/requirements", data=form(do="add:kotlin"))
    assert re.findall(r'name="skill" value="(\w+)"', answer.text) == ["java", "python", "kotlin"]
    answer = client.post(f"/jobs/{house.job}/requirements", data=form(do="drop:0"))
    assert re.findall(r'name="skill" value="(\w+)"', answer.text) == ["python"]
    assert [each.skills for each in house.store.jobs.get(house.job).requirements.demands] == [("java",), ("python",)]


def test_requirements_are_changed_and_on_record(house: House) -> None:
    client, before = house.browser("bo"), house.store.ledger.head()[0]
    changed = form(skill=["python", "JAVA"], kind=["must", "nice"], months=["24", ""], version=version(house))
    answer = client.post(f"/jobs/{house.job}/requirements", data=changed)
    assert answer.headers["location"] == f"/jobs/{house.job}/requirements?saved=1"
    assert house.store.jobs.get(house.job).requirements.demands == (
        Demand(("python",), True, 24),
        Demand(("java",), False),
    )
    [event] = house.store.ledger.events(after=before, kinds=["job"])
    assert event.body["action"] == "change"
    assert house.store.ledger.unsealed([event.actor]) == {event.actor: house.people["bo"].id}
    again = client.post(f"/jobs/{house.job}/requirements", data=changed | {"version": version(house)})
    assert again.headers["location"].endswith("?saved=0")


def test_what_somebody_else_saved_is_not_overwritten(house: House) -> None:
    stale = version(house)
    first = form(version=stale, years="3")
    assert house.browser("ada").post(f"/jobs/{house.job}/requirements", data=first).status_code == 303
    answer = house.browser("bo").post(f"/jobs/{house.job}/requirements", data=form(version=stale, years="9"))
    assert answer.status_code == 422
    assert "Somebody else has changed this job meanwhile." in answer.text
    assert 'value="9"' in answer.text  # what was typed is still there
    assert house.store.jobs.get(house.job).requirements.months == 36


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"months": ["many", ""]}, "The months for java are a whole number, not &#39;many&#39;."),
        ({"months": ["999", ""]}, "Months with java lie between 0 and 720, not at 999."),
        ({"years": "-1"}, "Years of experience lie between 0 and 60, not at -1."),
        ({"years": "nan"}, "The years of experience are a number, not &#39;nan&#39;."),
        ({"degree": "wizard"}, "There is no degree &#39;wizard&#39;;"),
        ({"title": "x" * 201}, "A title or a place has at most 200 characters."),
        ({"skill": ["x" * 101, "b"]}, "The name of a skill has at most 100 characters."),
        ({"skill": ["java"]}, "The rows of the form are not complete."),
    ],
)
def test_wrong_values_are_told_and_change_nothing(house: House, wrong: dict[str, object], sentence: str) -> None:
    answer = house.browser("bo").post(f"/jobs/{house.job}/requirements", data=form(version=version(house), **wrong))
    assert answer.status_code == 422
    assert sentence in answer.text
    assert house.store.jobs.versions(house.job) == []


def test_a_preview_tells_who_moves_and_keeps_nothing(house: House) -> None:
    """If a year is enough and a master's degree is wanted, Boris passes David."""
    client = house.browser("bo")
    changed = form(degree="master", years="1", do="preview", version=version(house))
    page = words(client.post(f"/jobs/{house.job}/requirements", data=changed).text)
    assert "2 ranks would change among those in the top ten now or then. 5 candidates in total" in page
    assert "Now Then Moves Candidate 1 1 = Asha Rao 3 2 ▲ 1 up Boris Novak 2 3 ▼ 1 down David Cohen" in page
    assert house.store.jobs.versions(house.job) == []
    assert house.store.ledger.events(kinds=["job"], newest_first=True)[0].body["action"] == "preview"


def test_a_preview_shows_no_names_where_screening_is_blind(house: House) -> None:
    client = house.browser("bo")
    client.post(f"/jobs/{house.job}/shown", data={"blind": "true"})
    changed = form(degree="master", years="1", do="preview", version=version(house))
    answer = client.post(f"/jobs/{house.job}/requirements", data=changed, headers={"x-evenhand-fragment": "1"})
    assert "Asha" not in answer.text
    assert f"Candidate {house.ids['Asha'][:6].upper()}" in answer.text
    assert "<html" not in answer.text


def test_skills_of_applicants_are_suggested_with_their_number(house: House) -> None:
    client = house.browser("bo")
    only_java = form(skill=["java"], kind=["must"], months=[""], version=version(house))
    client.post(f"/jobs/{house.job}/requirements", data=only_java)
    page = client.get(f"/jobs/{house.job}/requirements").text
    assert 'name="do" value="add:python"' in page
    assert "+ python 2 applicants have it" in words(page)


def test_closing_reopening_and_blind_screening(house: House) -> None:
    client = house.browser("bo")
    client.post(f"/jobs/{house.job}/close")
    assert house.store.jobs.get(house.job).closed
    assert "This job is closed" in client.get(f"/jobs/{house.job}/import").text
    client.post(f"/jobs/{house.job}/reopen")
    assert house.store.jobs.get(house.job).closed is None
    client.post(f"/jobs/{house.job}/shown", data={"blind": "true", "hide_schools": "true"})
    assert house.store.job_settings.get(house.job).blind
    assert house.store.job_settings.get(house.job).hide_schools


def test_to_show_who_candidates_are_takes_two_and_a_reason(house: House) -> None:
    """Whoever screens blind cannot unblind themselves, nor get the original; all of it is on record."""
    bo, cy, ada = (house.browser(who) for who in ("bo", "cy", "ada"))
    address, original = f"/jobs/{house.job}/shown", f"/applications/{house.ids['Asha']}/original"
    house.store.jobs.grant_access(house.job, house.people["cy"].id, actor="test")

    def shown() -> tuple[bool, bool, int]:
        settings = house.store.job_settings.get(house.job)
        return settings.blind, settings.hide_schools, bo.get(original).status_code

    bo.post(address, data={"blind": "true", "hide_schools": "true"})
    assert shown() == (True, True, 403)
    for wanted in ({}, {"blind": "true"}, {"reason": "  "}):
        assert bo.post(address, data=wanted).status_code == 422  # without a reason
    assert bo.post(address, data={"reason": "Interviews begin"}).status_code == 303
    assert bo.put(f"/api/v1{address}", json={"blind": False, "reason": "Now"}).json()["blind"] is True
    asked = house.store.job_settings.request(house.job)
    assert asked
    assert (asked.actor, asked.reason, asked.wanted) == (house.people["bo"].id, "Now", JobSettings())
    agreed = {"request": str(asked.sequence), "agree": "true"}
    assert bo.post(f"{address}/answer", data=agreed).status_code == 403
    assert house.browser("di").post(f"{address}/answer", data=agreed).status_code == 403
    older = {**agreed, "request": str(asked.sequence - 1)}
    assert cy.post(f"{address}/answer", data=older).status_code == 404
    assert shown() == (True, True, 403)
    assert "Bo Carden asks to show who candidates are: “Now”" in words(cy.get(f"/jobs/{house.job}/requirements").text)
    assert cy.post(f"{address}/answer", data=agreed).status_code == 303
    assert shown() == (False, False, 200)
    [event] = house.store.ledger.events(kinds=["job"], newest_first=True, limit=1)
    assert (event.body["what"], event.body["blind"], event.body["request"]) == ("shown", False, asked.sequence)
    assert house.store.ledger.unsealed([event.actor])[event.actor] == house.people["cy"].id
    assert cy.post(f"{address}/answer", data=agreed).status_code == 404  # used up

    bo.post(address, data={"blind": "true"})
    bo.post(address, data={"reason": "Again"})
    again = house.store.job_settings.request(house.job)
    assert again
    assert bo.post(f"{address}/answer", data={"request": str(again.sequence)}).status_code == 303  # withdrawn
    assert house.store.job_settings.request(house.job) is None
    assert ada.post(address, data={}).status_code == 422
    assert ada.post(address, data={"reason": "By our rule"}).status_code == 303
    assert shown() == (False, False, 200)
    [admins] = house.store.ledger.events(kinds=["job"], newest_first=True, limit=1)
    assert house.store.ledger.opening(admins.sequence) == {"reason": "By our rule"}


def test_nobody_agrees_to_their_own_request_however_early_they_answer(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The number of the next event can be guessed: an answer may be on its way before the request is there."""
    bo, address = house.browser("bo"), f"/jobs/{house.job}/shown"
    bo.post(address, data={"blind": "true"})
    answer = JobSettingsStore.answer

    def ask_before(store: JobSettingsStore, *arguments: Any, **named: Any) -> None:
        assert bo.post(address, data={"reason": "Alone"}).status_code == 303
        answer(store, *arguments, **named)

    monkeypatch.setattr(JobSettingsStore, "answer", ask_before)
    coming = str(house.store.ledger.head()[0] + 1)
    refused = house.browser("bo").post(f"{address}/answer", data={"request": coming, "agree": "true"})
    asked = house.store.job_settings.request(house.job)
    assert house.store.job_settings.get(house.job).blind
    assert refused.status_code == 403
    assert asked
    assert str(asked.sequence) == coming


def test_what_was_no_unblinding_when_it_was_asked_for_does_not_become_one(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody chooses that schools are shown; before it takes effect, a colleague has the job screened blind."""
    address, change = f"/jobs/{house.job}/shown", JobSettingsStore.change
    house.browser("bo").post(address, data={"hide_schools": "true"})

    def blind_before(store: JobSettingsStore, *arguments: Any, **named: Any) -> None:
        change(store, house.job, JobSettings(blind=True, hide_schools=True), actor=house.people["ada"].id)
        change(store, *arguments, **named)

    monkeypatch.setattr(JobSettingsStore, "change", blind_before)
    assert house.browser("bo").post(address, data={}).status_code == 409
    assert house.store.job_settings.get(house.job) == JobSettings(blind=True, hide_schools=True)


def test_a_job_is_given_to_a_colleague_and_taken_back(house: House) -> None:
    bo, cy = house.browser("bo"), house.browser("cy")
    assert cy.get(f"/jobs/{house.job}/requirements").status_code == 404
    bo.post(f"/jobs/{house.job}/members", data={"user": house.people["cy"].id})
    assert cy.get(f"/jobs/{house.job}/requirements").status_code == 200
    bo.post(f"/jobs/{house.job}/members/remove", data={"user": house.people["cy"].id})
    assert cy.get(f"/jobs/{house.job}/requirements").status_code == 404
    assert bo.post(f"/jobs/{house.job}/members", data={"user": house.people["di"].id}).status_code == 422
    left = bo.post(f"/jobs/{house.job}/members/remove", data={"user": house.people["bo"].id})
    assert left.headers["location"] == "/"
    assert bo.get(f"/jobs/{house.job}/requirements").status_code == 404


def test_auditors_read_requirements_and_change_nothing(house: House) -> None:
    client = house.browser("di")
    page = client.get(f"/jobs/{house.job}/requirements").text
    assert '<fieldset class="stack" disabled>' in page
    for address in ("requirements", "close", "reopen", "shown", "members", "members/remove", "imports"):
        fields = form() if address == "requirements" else {}
        assert client.post(f"/jobs/{house.job}/{address}", data=fields).status_code == 403
    assert client.get("/jobs/new").status_code == 403
    assert client.get(f"/jobs/{house.job}/import").status_code == 403


def test_strangers_find_no_job_and_are_on_record(house: House) -> None:
    client, before = house.browser("cy"), house.store.ledger.head()[0]
    assert client.get(f"/jobs/{house.job}/requirements").status_code == 404
    assert client.post(f"/jobs/{house.job}/close").status_code == 404
    assert client.get("/jobs/0000000000000000/import").status_code == 404
    assert [event.body["status"] for event in house.store.ledger.events(after=before)] == [404, 404, 404]
    assert house.store.jobs.get(house.job).closed is None


def test_a_script_in_an_ad_stays_text(house: House) -> None:
    ad = "<script>alert(1)</script> Engineer\nRequirements:\n- Java <img src=x onerror=alert(1)>\n"
    page = house.browser("bo").post("/jobs/new/files", files={"text": (None, ad)}).text
    assert "<script>alert" not in page
    assert "<img" not in page
    assert "&lt;img src=x onerror=alert(1)&gt;" in page


def test_pieces_cover_the_whole_ad() -> None:
    job = understand_text(AD, Settings())
    found = pieces(job)
    assert "".join(piece.text for piece in found) == AD
    assert [(piece.text, piece.demands, piece.must) for piece in found if piece.demands] == [
        ("IFRS", (0,), True),
        ("Excel", (1,), True),
        ("Power Query", (2,), False),
    ]


def test_jobs_without_an_id_lead_to_the_list(house: House) -> None:
    client = house.browser("bo")
    answer = client.get("/jobs")
    assert (answer.status_code, answer.headers["location"]) == (307, "/")
    assert house.visitor().get("/jobs").headers["location"].startswith("/sign-in")


def test_an_ad_that_was_not_read_whole_is_told_before_and_after_it_is_kept(house: House) -> None:
    text = AD + "We sell tools. " * 4_200
    sentence = f"Only the first 60,000 of the ad's {len(text):,} characters were read for requirements."
    client = house.browser("bo")
    assert sentence in unescape(client.post("/jobs/new/files", data={"text": text}).text)
    kept = client.post("/jobs", data={"text": text, "title": "Accountant", "do": "save"})
    job = kept.headers["location"].split("/")[2]
    assert sentence in unescape(client.get(f"/jobs/{job}/requirements").text)
    assert client.get(f"/api/v1/jobs/{job}").json()["requirements"]["warnings"][0]["message"] == sentence
