"""Decisions from the list: a person's, with reasons, previewed where they are many, undone, and not the auditor's."""

from __future__ import annotations

import re
from typing import Any

import pytest
from fastapi.testclient import TestClient

from evenhand.ledger.verify import verify_ledger
from evenhand.screening.decisions import names_of
from evenhand.search.visibility import OPEN, pseudonym
from evenhand.store.decisions import Decision
from evenhand.web.access import BLIND
from evenhand.web.app import make_app
from tests.screening.applicants import ASHA, take_in
from tests.web.house import House
from tests.web.lists import FRAGMENT, JSON, ListPage, value, words_of

pytest_plugins = ["tests.web.house_fixtures"]

NEW = {"Asha": "new", "Boris": "new", "Clara": "new", "David": "new", "Elena": "new"}


def address(house: House, rest: str = "") -> str:
    return f"/jobs/{house.job}{rest}"


def listed(house: House, query: str = "", who: str = "bo") -> ListPage:
    return ListPage.at(house.browser(who), address(house, query))


def post(
    house: House,
    rest: str,
    data: dict[str, Any],
    *,
    who: str = "bo",
    status: int = 200,
    client: TestClient | None = None,
) -> dict[str, Any]:
    """By somebody who has just signed in, unless it is the `client` of who has been there."""
    answer = (client or house.browser(who)).post(address(house, rest), data=data, headers=JSON)
    assert answer.status_code == status, answer.text
    found: dict[str, Any] = answer.json()
    return found


def decide(
    house: House, names: list[str], action: str, *, status: int = 200, client: TestClient | None = None, **more: str
) -> dict[str, Any]:
    data = {"application": [house.ids[name] for name in names], "action": action, **more}
    return post(house, "/decisions", data, status=status, client=client)


def made(house: House, name: str) -> list[Decision]:
    return house.store.decisions.of_application(house.ids[name])


def test_a_decision_by_a_form_leads_back_to_the_list(house: House) -> None:
    shown = listed(house, "?city=Berlin")
    form = shown.one(f"#a-{house.ids['David']} .card-actions > form")
    data = {value(each, "name"): value(each, "value") for each in form.css("input[type=hidden]")}
    answer = house.browser("bo").post(value(form, "action"), data={**data, "action": "shortlist", "reason": ""})
    back = f"{address(house)}?city=Berlin#a-{house.ids['David']}"
    assert (answer.status_code, answer.headers["location"]) == (303, back)
    after = listed(house, "?city=Berlin")
    assert after.statuses == {"David": "shortlisted", "Clara": "new"}
    assert after.counters == {"new": 4, "screened": 0, "shortlisted": 1, "offered": 0, "rejected": 0}
    [screened, shortlisted] = made(house, "David")
    assert (screened.action, shortlisted.action) == ("screen", "shortlist")
    assert shortlisted.actor == house.people["bo"].id
    assert shortlisted.sequence is not None
    assert house.store.ledger.get(shortlisted.sequence).body["seen"] == shown.seen


def test_our_script_gets_the_new_statuses(house: House) -> None:
    answer = decide(house, ["Asha", "Clara"], "shortlist")
    assert answer["changed"] == {
        house.ids["Asha"]: ["shortlisted", "Shortlisted for Interview"],
        house.ids["Clara"]: ["shortlisted", "Shortlisted for Interview"],
    }
    assert (answer["number"], answer["skipped"]) == (2, [])
    assert answer["statuses"] == {"new": 3, "shortlisted": 2}
    assert answer["sentence"] == "2 candidates shortlisted."
    assert [each.batch for each in made(house, "Asha")] == [answer["batch"]] * 2


def test_a_rejection_needs_a_reason(house: House) -> None:
    for more in ({}, {"reason": ""}, {"reason": "   "}):
        answer = decide(house, ["Boris"], "reject", status=422, client=None, **more)
        assert answer["error"]["message"] == "A rejection needs a reason."
    assert made(house, "Boris") == []
    decide(house, ["Boris"], "reject", reason="Too little Java")
    assert [each.reason for each in made(house, "Boris")] == ["Too little Java"] * 2
    assert listed(house).statuses == {**NEW, "Boris": "rejected"}


def test_reasons_are_offered_again(house: House) -> None:
    decide(house, ["Boris"], "reject", reason="Too little Java")
    assert listed(house).words("#reject [data-used] [data-reason]") == ["Too little Java"]
    house.store.jobs.grant_access(house.job, house.people["cy"].id, actor="test")
    assert listed(house, who="cy").words("#reject [data-used] [data-reason]") == []


WRONG: list[tuple[dict[str, str], int, str]] = [
    ({"action": "shortlist"}, 422, "Something in the request is missing or wrong: application is required."),
    ({"application": "nobody", "action": "shortlist"}, 404, "There is no application 'nobody'."),
    ({"application": "", "action": ""}, 404, "There is no application ''."),
]


def test_what_cannot_be_decided_is_said(house: House) -> None:
    for data, status, sentence in WRONG:
        assert post(house, "/decisions", data, status=status)["error"]["message"] == sentence


def test_an_impossible_step_is_said(house: House) -> None:
    decide(house, ["Boris"], "reject", reason="No.")
    answer = decide(house, ["Boris"], "shortlist", status=422)
    sentence = "An application that is Rejected cannot become Shortlisted for Interview."
    assert answer["error"]["message"] == sentence
    several = decide(house, ["Boris", "Asha"], "shortlist")
    assert several["skipped"] == [{"application": house.ids["Boris"], "reason": sentence}]
    assert several["sentence"] == "1 candidate shortlisted. 1 candidate left as they are."


def test_undo_restores(house: House) -> None:
    client = house.browser("bo")
    first = decide(house, ["Asha", "Boris"], "reject", reason="Too early", client=client)
    decide(house, ["Clara"], "shortlist", client=client)
    undone = post(house, "/undo", {"batch": first["batch"]}, client=client)
    assert undone["changed"] == {house.ids["Asha"]: ["new", "New"], house.ids["Boris"]: ["new", "New"]}
    assert undone["sentence"] == f"Undone: rejection of {full_name(house, 'Asha')} and {full_name(house, 'Boris')}."
    assert listed(house).statuses == {**NEW, "Clara": "shortlisted"}
    second = post(house, "/undo", {}, client=client)  # without a batch, one's own newest
    assert second["sentence"] == f"Undone: shortlisting of {full_name(house, 'Clara')}."
    assert listed(house).statuses == NEW
    answer = post(house, "/undo", {}, status=422, client=client)
    assert answer["error"]["message"] == "There is no decision of yours on this job that could be undone."


def full_name(house: House, first: str) -> str:
    return names_of(house.context.service, OPEN, [house.ids[first]])[0]


def test_redo_decides_again_the_newest_undone_first(house: House) -> None:
    client = house.browser("bo")
    rejected = decide(house, ["Asha"], "reject", reason="Too early", client=client)
    decide(house, ["Boris"], "shortlist", client=client)
    post(house, "/undo", {}, client=client)
    post(house, "/undo", {}, client=client)
    assert listed(house).statuses == NEW
    first = post(house, "/redo", {}, client=client)
    assert first["sentence"] == f"Redone: rejection of {full_name(house, 'Asha')}."
    post(house, "/redo", {}, client=client)
    assert listed(house).statuses == {**NEW, "Asha": "rejected", "Boris": "shortlisted"}
    last = made(house, "Asha")[-1]
    assert (last.reason, house.store.ledger.get(last.sequence or 0).body["redoes"]) == ("Too early", rejected["batch"])
    message = post(house, "/redo", {}, status=422, client=client)["error"]["message"]
    assert message == "Nothing that you undid on this job could be redone."
    assert verify_ledger(house.store, house.context.settings).sound


def test_undo_asks_when_the_decision_is_older_than_the_sign_in(house: House) -> None:
    batch = decide(house, ["Asha"], "reject", reason="Too early")["batch"]
    client = house.browser("bo")  # signed in anew
    for data in ({}, {"batch": batch}, {"confirmed": "true"}):
        error = post(house, "/undo", data, status=409, client=client)["error"]
        assert (error["code"], error["batch"]) == ("confirmation_needed", batch)
        begins = f"The rejection of {full_name(house, 'Asha')} was made by you on "
        assert error["message"].startswith(begins)
        assert error["message"].endswith(", before you signed in. Do you want to undo it?")
    assert listed(house).statuses == {**NEW, "Asha": "rejected"}
    undone = post(house, "/undo", {"batch": batch, "confirmed": "true"}, client=client)
    again = post(house, "/redo", {"batch": undone["batch"]}, status=409, client=house.browser("bo"))
    assert again["error"]["message"].startswith(f"The rejection of {full_name(house, 'Asha')} was undone by you on ")


def test_undo_asks_when_the_decision_is_somebody_elses(house: House) -> None:
    batch = decide(house, ["Asha"], "reject", reason="Too early")["batch"]
    client = house.browser("ada")
    nothing = post(house, "/undo", {}, status=422, client=client)  # none of ada's own
    assert nothing["error"]["message"] == "There is no decision of yours on this job that could be undone."
    error = post(house, "/undo", {"batch": batch}, status=409, client=client)["error"]
    assert error["message"].startswith(f"The rejection of {full_name(house, 'Asha')} was made by Bo Carden on ")
    client.cookies.set(BLIND, "1")
    masked = post(house, "/undo", {"batch": batch}, status=409, client=client)["error"]["message"]
    assert masked.startswith(f"The rejection of {pseudonym(house.ids['Asha'])} was made by ")
    # Without scripts the same question is a page, whose form is the answer.
    asked = client.post(address(house, "/undo"), data={"batch": batch, "next": address(house, "?q=java")})
    assert asked.status_code == 409
    form = ListPage.of(asked.text).one("main form")
    data = {value(each, "name"): value(each, "value") for each in form.css("input")}
    answer = client.post(value(form, "action"), data=data)
    assert (answer.status_code, answer.headers["location"]) == (303, address(house, "?q=java"))
    assert listed(house).statuses == NEW


def test_a_blind_screener_is_told_pseudonyms(house: House) -> None:
    client = house.browser("bo")
    client.cookies.set(BLIND, "1")
    decide(house, ["Asha"], "reject", reason="Too early", client=client)
    assert (
        post(house, "/undo", {}, client=client)["sentence"] == f"Undone: rejection of {pseudonym(house.ids['Asha'])}."
    )


def test_scripts_undo_and_redo_by_the_api(house: House) -> None:
    client, v1 = house.visitor(), f"/api/v1/jobs/{house.job}/decisions"
    _, secret = house.store.tokens.make(house.people["bo"].id, "script", 1)
    client.headers["Authorization"] = f"Bearer {secret}"
    body = {"action": "reject", "applications": [house.ids["Asha"]], "reason": "Too early"}
    batch = client.post(v1, json=body).json()["batch"]
    undone = client.post(f"{v1}/undo", json={}).json()
    assert (undone["action"], undone["sentence"]) == ("reject", f"Undone: rejection of {full_name(house, 'Asha')}.")
    redone = client.post(f"{v1}/redo", json={}).json()
    assert redone["sentence"] == f"Redone: rejection of {full_name(house, 'Asha')}."
    theirs = decide(house, ["Boris"], "shortlist", client=house.browser("ada"))["batch"]
    refused = client.post(f"{v1}/undo", json={"batch": theirs})
    assert (refused.status_code, refused.json()["error"]["batch"]) == (409, theirs)
    assert client.post(f"{v1}/undo", json={"batch": theirs, "confirmed": True}).status_code == 200
    assert {batch, redone["batch"]} == {each.batch for each in made(house, "Asha") if each.action == "reject"}


def test_rejecting_the_rest_says_who_was_never_opened(house: House) -> None:
    house.browser("bo").get(f"/applications/{house.ids['Asha']}")
    shown = preview(house, "action=reject&keep=0")
    assert words_of(shown.one(".unopened")).startswith("4 of 5 were never opened.")
    data = {**form_of(shown), "reason": "Filled."}
    unconfirmed = {name: each for name, each in data.items() if name != "unopened"}
    error = post(house, "/many", unconfirmed, status=422)["error"]["message"]
    assert error == "4 of 5 were never opened. Confirm that they are to be rejected all the same."
    assert listed(house).statuses == NEW
    post(house, "/many", data)
    event = house.store.ledger.events(kinds=["decision"])[-1]
    assert event.body["unopened"] == 4
    house.browser("bo").get(f"/applications/{house.ids['Boris']}")  # afterwards is too late
    page = house.browser("di").get("/audits")
    cells = ListPage.of(page.text).words("section[aria-labelledby=unopened] tbody td")
    assert cells[1:] == ["5", "4", "80%"]
    answer = house.browser("di").get(f"/api/v1/audits?job={house.job}").json()
    assert answer["rejected_unopened"] == [{"job": house.job, "rejected": 5, "unopened": 4}]
    assert "5 applications, the rest of a list; 4 never opened" in house.browser("di").get("/ledger").text
    receipts = [house.browser("bo").get(f"/applications/{house.ids[name]}/receipt").text for name in ("Asha", "Boris")]
    assert ["Somebody had opened your resume before." in each for each in receipts] == [True, False]
    assert ["Nobody had opened your resume before" in each for each in receipts] == [False, True]


def test_the_plan_of_the_api_counts_who_was_never_opened(house: House) -> None:
    client, v1 = house.browser("bo"), f"/api/v1/jobs/{house.job}/decisions/many"
    first = client.post(v1, json={"action": "reject", "keep": 0}).json()["plan"]
    assert (first["changed"], first["unopened"]) == (5, 5)
    client.get(f"/applications/{house.ids['Asha']}")
    second = client.post(v1, json={"action": "reject", "keep": 0}).json()["plan"]
    assert second["unopened"] == 4
    late = {"action": "reject", "keep": 0, "reason": "Filled.", "version": first["version"]}
    assert client.post(v1, json=late).status_code == 409
    assert client.post(v1, json={"action": "shortlist", "keep": 3}).json()["plan"]["unopened"] == 0


def test_another_jobs_decisions_are_not_undone_from_here(house: House) -> None:
    other = take_in(house.context.service, ASHA)
    batch = house.store.decisions.decide([other.ids["Asha"]], "shortlist", actor="test").batch
    assert post(house, "/undo", {"batch": batch}, status=404)["error"]["code"] == "not_found"
    data = {"application": other.ids["Asha"], "action": "reject", "reason": "x"}
    assert post(house, "/decisions", data, status=404)["error"]["code"] == "not_found"
    assert house.store.applications.get(other.ids["Asha"]).status == "shortlisted"


def preview(house: House, query: str, who: str = "bo") -> ListPage:
    return ListPage.at(house.browser(who), address(house, f"/many?{query}"), **FRAGMENT)


def form_of(shown: ListPage) -> dict[str, str]:
    return {value(each, "name"): value(each, "value") for each in shown.all("form[data-carry-out] input")}


@pytest.mark.parametrize(
    ("query", "keep"), [("", 0), ("", 2), ("degree=bachelor", 1), ("months=java%3E%3D36", 0), ("q=trading", 1)]
)
def test_what_the_preview_says_happens(house: House, query: str, keep: int) -> None:
    decide(house, ["Elena"], "shortlist")
    order = ListPage.at(house.browser("bo"), address(house, f"?{query}"))
    expected = [id for id in order.ids[keep:] if id != house.ids["Elena"]]
    shown = preview(house, f"action=reject&keep={keep}&{query}")
    number = words_of(shown.one(".big b"))
    assert number == f"{len(expected)} candidate" + "s" * (len(expected) != 1)
    assert words_of(shown.one(".sure")) == f"Reject {number}"
    names = dict(zip(order.ids, order.names, strict=True))
    told = re.search(r"(?:Among them|They are): (.*)\.$", shown.words("p.small")[0])
    assert told
    assert told[1].split(", ") == [names[id] for id in expected]
    before = listed(house).statuses
    client = house.browser("bo")
    answer = post(house, "/many", {**form_of(shown), "reason": "Not this time"}, client=client)
    assert list(answer["changed"]) == expected
    assert answer["statuses"] == {
        status: number
        for status, number in {"new": 4 - len(expected), "rejected": len(expected), "shortlisted": 1}.items()
        if number
    }
    after = listed(house)
    rejected = {house.ids[name] for name, status in after.statuses.items() if status == "rejected"}
    assert rejected == set(expected)
    banner = words_of(after.one(".bulk-banner"))
    assert banner.startswith(f"{number} rejected at once. Bo Carden")
    assert "Reason: Not this time" in banner
    undo = {value(each, "name"): value(each, "value") for each in after.all(".bulk-banner input")}
    assert client.post(address(house, "/undo"), data=undo).headers["location"] == address(house)
    again = listed(house)
    assert again.statuses == before
    assert again.all(".bulk-banner") == []


def test_the_preview_tells_who_is_spared(house: House) -> None:
    order = listed(house).ids
    names = {id: name for name, id in house.ids.items()}
    decide(house, [names[order[1]], names[order[3]]], "shortlist")
    decide(house, [names[order[3]]], "offer")
    decide(house, [names[order[4]]], "reject", reason="Before")
    shown = preview(house, "action=reject&keep=1")
    assert shown.words(".spared li") == [
        "Candidates who are shortlisted or offered are always kept.",
        "Kept: the top 1 of the list.",
        "Kept: 1 candidate shortlisted.",
        "Kept: 1 candidate with an offer.",
        "Unchanged: 1 candidate rejected already.",
    ]
    assert words_of(shown.one(".sure")) == "Reject 1 candidate"


def test_many_at_once_need_a_reason_and_an_up_to_date_preview(house: House) -> None:
    form = form_of(preview(house, "action=reject&keep=1"))
    assert post(house, "/many", form, status=422)["error"]["message"] == "A rejection needs a reason."
    names = {id: name for name, id in house.ids.items()}
    decide(house, [names[listed(house).ids[1]]], "shortlist")
    answer = post(house, "/many", {**form, "reason": "Filled"}, status=409)
    assert answer["error"]["code"] == "conflict"
    assert "the list has changed since the plan was made" in answer["error"]["message"]
    assert listed(house).counters["rejected"] == 0
    # Without a script the new preview is shown, with what was typed.
    page = house.browser("bo").post(address(house, "/many"), data={**form, "reason": "Filled"})
    assert page.status_code == 409
    shown = ListPage.of(page.text)
    assert "the list has changed" in words_of(shown.one(".problem"))
    assert value(shown.one("input[name=reason]"), "value") == "Filled"
    assert words_of(shown.one(".sure")) == "Reject 3 candidates"


def test_the_first_of_the_list_are_shortlisted_at_once(house: House) -> None:
    order = listed(house).ids
    shown = preview(house, "action=shortlist&keep=2")
    assert words_of(shown.one(".sure")) == "Shortlist 2 candidates"
    answer = post(house, "/many", {**form_of(shown), "reason": ""})
    assert list(answer["changed"]) == order[:2]
    assert words_of(listed(house).one(".bulk-banner b")) == "2 candidates shortlisted at once."


def test_a_preview_of_nonsense_is_refused_in_words(house: House) -> None:
    for query in ("action=fire", "action=reject&keep=x", "action=reject&keep=-1"):
        answer = house.browser("bo").get(address(house, f"/many?{query}"))
        assert answer.status_code == 422
        assert "That did not work" in answer.text


def test_an_auditor_decides_nothing(house: House) -> None:
    application = house.ids["Asha"]
    di = house.browser("di")
    for rest, data in (
        ("/decisions", {"application": application, "action": "shortlist"}),
        ("/undo", {}),
        ("/many", {"action": "reject", "keep": "0", "reason": "x", "version": "x"}),
    ):
        assert di.post(address(house, rest), data=data, headers=JSON).status_code == 403
    assert di.get(address(house, "/many?action=reject")).status_code == 403
    assert listed(house).statuses == NEW
    assert house.store.ledger.count(kinds=["denial"]) == 4


def test_nobody_else_decides_or_looks(house: House) -> None:
    for client in (house.browser("cy"), house.visitor()):
        expected = 404 if client.cookies else 401
        data = {"application": house.ids["Asha"], "action": "shortlist"}
        assert client.post(address(house, "/decisions"), data=data, headers=JSON).status_code == expected
    bo = house.browser("bo")
    other_site = bo.post(
        address(house, "/decisions"),
        data={"application": house.ids["Asha"], "action": "shortlist"},
        headers={"sec-fetch-site": "cross-site"},
    )
    assert other_site.status_code == 403
    assert listed(house).statuses == NEW


def test_why_one_stands_above_another(house: House) -> None:
    shown = listed(house, "?q=trading")
    above, below = shown.ids[0], shown.ids[1]
    scores = [float(words) for words in shown.words(".score b")]
    bo = house.browser("bo")
    why = ListPage.at(bo, address(house, f"/why?above={below}&below={above}&q=trading"), **FRAGMENT)
    assert words_of(why.one(".why-title")) == f"Why {shown.names[0]} ranks above {shown.names[1]}"
    points, rest = words_of(why.one(".why-two p b")).split(" ", 1)
    assert rest == "points higher"
    assert float(points) == pytest.approx(scores[0] - scores[1], abs=0.1)
    differences = [float(words) for words in why.words(".versus td.number")]
    assert sum(differences) == pytest.approx(scores[0] - scores[1], abs=0.15)
    assert differences == sorted(differences, key=abs, reverse=True)
    # From the card: above the next one, whoever that is.
    link = value(shown.all("a[data-why]")[1], "href")
    following = ListPage.at(bo, link, **FRAGMENT)
    assert words_of(following.one(".why-title")) == f"Why {shown.names[1]} ranks above {shown.names[2]}"
    assert len(shown.all("a[data-why]")) == 4  # nobody stands below the last
    assert bo.get(address(house, f"/why?above={above}&below={above}")).status_code == 422
    assert bo.get(address(house, "/why?above=x&below=y")).status_code == 404
    assert house.browser("cy").get(address(house, f"/why?above={above}")).status_code == 404


def test_no_route_rejects_without_a_person(house: House) -> None:
    """Every way to a decision is a POST of somebody who may change the job."""
    for route in make_app(house.context).routes:
        path, methods = getattr(route, "path", ""), getattr(route, "methods", None) or set()
        if path.endswith(("/decisions", "/undo", "/many")) and "GET" in methods:
            assert path == "/jobs/{job}/many"  # the preview
