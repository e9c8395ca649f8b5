"""Pages that are older than what they are about: another tab decided, or the session has ended meanwhile."""

from __future__ import annotations

from evenhand.web.access import SESSION
from tests.web.house import House
from tests.web.lists import ListPage, value

pytest_plugins = ["tests.web.house_fixtures"]

JSON = {"accept": "application/json"}


def decision(id: str, was: str, action: str) -> dict[str, str]:
    return {"application": id, "was": f"{id}:{was}", "action": action, "reason": "no Java"}


def test_a_stale_page_decides_nothing_over_another_decision(house: House) -> None:
    bo, ada, id = house.browser("bo"), house.browser("ada"), house.ids["Asha"]
    address = f"/jobs/{house.job}/decisions"
    assert f'name="was" value="{id}:new"' in bo.get(f"/jobs/{house.job}").text
    assert f'name="was" value="{id}:new"' in bo.get(f"/applications/{id}").text
    assert ada.post(address, data=decision(id, "new", "shortlist"), headers=JSON).json()["number"] == 1
    stale = bo.post(address, data=decision(id, "new", "reject"), headers=JSON)
    assert stale.status_code == 409
    words = "Not decided: the status changed to Shortlisted for Interview after this page was loaded."
    assert stale.json()["error"] == {"code": "conflict", "message": words}
    assert house.store.applications.get(id).status == "shortlisted"
    assert bo.post(address, data=decision(id, "shortlisted", "reject"), headers=JSON).json()["number"] == 1


def test_of_several_the_stale_ones_are_left(house: House) -> None:
    bo, asha, boris = house.browser("bo"), house.ids["Asha"], house.ids["Boris"]
    house.store.decisions.decide([asha], "shortlist", actor="ada")
    data = {"application": [asha, boris], "was": [f"{asha}:new", f"{boris}:new"], "action": "reject", "reason": "no"}
    made = bo.post(f"/jobs/{house.job}/decisions", data=data, headers=JSON).json()
    assert (made["number"], [each["application"] for each in made["skipped"]]) == (1, [asha])
    assert house.store.applications.get(asha).status == "shortlisted"


def test_a_form_sent_after_the_session_ended_is_kept_and_can_be_sent_again(house: House) -> None:
    address = f"/applications/{house.ids['Asha']}/notes"
    note = 'Knows <b>payroll</b> & "more"\n\nCall on Monday.'
    assert "payroll" not in house.visitor().post(address, data={"text": note}).text  # of a stranger nothing is read
    visitor = house.visitor()
    visitor.cookies.set(SESSION, "ended")
    answer = visitor.post(address, data={"text": note})
    assert answer.status_code == 401
    page = ListPage.of(answer.text)
    assert page.one("h1").text() == "Your session has ended"
    assert value(page.one("a.main"), "href") == "/sign-in"
    form = page.one("form[method=post]")
    assert value(form, "action") == address
    kept = {value(field, "name"): field.text() for field in form.css("textarea")}
    assert kept["text"].removeprefix("\n") == note
    assert house.browser("bo").post(address, data={"text": kept["text"].removeprefix("\n")}).status_code == 303
    assert "Call on Monday." in house.browser("bo").get(f"/applications/{house.ids['Asha']}").text


def test_passwords_are_never_written_into_that_page(house: House) -> None:
    visitor = house.visitor()
    visitor.cookies.set(SESSION, "ended")
    answer = visitor.post("/account/password", data={"old": "secret one", "new": "secret two"})
    assert answer.status_code == 401
    assert "secret" not in answer.text


def test_a_script_is_told_that_nothing_was_saved(house: House) -> None:
    answer = house.visitor().post(
        f"/jobs/{house.job}/decisions", data=decision(house.ids["Asha"], "new", "reject"), headers=JSON
    )
    assert answer.status_code == 401
    assert answer.json()["error"]["message"] == (
        "Your session has ended and nothing was saved. Sign in in another tab, then try again."
    )
