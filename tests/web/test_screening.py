"""The screening page: counts as by hand, every condition a chip, addresses that come back, nothing that runs."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from urllib.parse import parse_qsl, urlencode, urlsplit

import pytest

from evenhand.records import Demand
from evenhand.screening.search_url import read_search
from evenhand.screening.service import ingest_files
from evenhand.search.visibility import pseudonym
from evenhand.store.jobs import JobSettings
from evenhand.web.access import BLIND
from tests.screening.applicants import AS_OF, BACHELOR, FIVE, Applicant
from tests.web.house import House
from tests.web.lists import FRAGMENT, JSON, ListPage, value, words_of

pytest_plugins = ["tests.web.house_fixtures"]

PAYLOAD = "<script>alert(1)</script><img src=x onerror=alert(2)>\"'><svg onload=alert(3)>"


def page(house: House, query: str = "", *, who: str = "bo", **headers: str) -> ListPage:
    return ListPage.at(house.browser(who), f"/jobs/{house.job}{query}", **headers)


def by_hand(*, cities: set[str] | None = None, degree: str = "", java: range | None = None) -> list[str]:
    """First names of those who fulfil all of it, from what is known of the five."""
    months = {"Asha": 40, "Boris": 30, "David": 84}
    return sorted(
        each.name.split()[0]
        for each in FIVE
        if (cities is None or each.city in cities)
        and each.degree.startswith(degree)
        and (java is None or months.get(each.name.split()[0], -1) in java)
    )


LISTS = [
    ("", by_hand()),
    ("?city=Berlin", by_hand(cities={"Berlin"})),
    ("?city=Berlin&city=Milan", by_hand(cities={"Berlin", "Milan"})),
    ("?city=Berlin&degree=master", by_hand(cities={"Berlin"}, degree="Master")),
    ("?months=java%3E%3D36", by_hand(java=range(36, 999))),
    ("?months=java%3D24-60", by_hand(java=range(24, 61))),
    ("?add_skill=Java&add_least=36&add_most=60", by_hand(java=range(36, 61))),
    ("?q=java%3E%3D36+city%3ABerlin", by_hand(cities={"Berlin"}, java=range(36, 999))),
    ("?q=trading", by_hand()),  # a plain word only ranks
    ("?q=%2Btrading", ["David"]),
    ("?status=shortlisted", []),
    ("?skill=java&degree=bachelor", by_hand(degree="Bachelor", java=range(999))),
]
"""What an address asks for, and who fulfils it."""


def test_the_list_is_the_one_worked_out_by_hand(house: House) -> None:
    for query, expected in LISTS:
        shown = page(house, query)
        assert shown.first_names == expected, query
        said = "5 candidates" if len(expected) == 5 else f"{len(expected)} of 5 candidates"
        assert shown.headline == said


def test_counts_beside_the_facets(house: House) -> None:
    shown = page(house)
    assert shown.counts("city") == {"Berlin": 2, "Chennai": 1, "Milan": 1, "Prague": 1}
    assert shown.counts("degree") == {"bachelor": 3, "master": 2}
    assert shown.counts("total_years") == {"0-1": 1, "1-3": 1, "3-5": 1, "5-10": 2}
    assert shown.counts("skill") == {"java": 3, "python": 2}
    assert shown.counts("source") == {"web": 5}
    assert shown.counters == {"new": 5, "screened": 0, "shortlisted": 0, "offered": 0, "rejected": 0}

    # A facet's own choice does not limit its counts, unless they are to be strict.
    berlin = page(house, "?city=Berlin")
    assert berlin.counts("city") == {"Berlin": 2, "Chennai": 1, "Milan": 1, "Prague": 1}
    assert berlin.counts("degree") == {"bachelor": 1, "master": 1}
    strict = page(house, "?city=Berlin&strict=1")
    assert strict.counts("city") == {"Berlin": 2}
    assert berlin.counters == shown.counters  # these are of the whole job


def test_months_of_a_skill_that_is_asked_for(house: House) -> None:
    shown = page(house, "?months=java%3E%3D36")
    bands = {
        words_of(item)[: words_of(item).rindex(" ")]: words_of(item).split()[-1] for item in shown.all(".bands li")
    }
    assert bands == {
        "Under 1 year": "0",
        "1 to 3 years": "1",
        "3 to 5 years": "1",
        "5 to 10 years": "1",
        "10 years or more": "0",
        "Not dated": "0",
    }
    [link] = [link for link in shown.all(".bands a") if words_of(link) == "1 to 3 years"]
    address = urlsplit(value(link, "href"))
    assert page(house, f"?{address.query}").first_names == ["Boris"]


def test_every_condition_is_a_chip_that_takes_it_away(house: House) -> None:
    query = "q=trading&city=Berlin&degree=bachelor&months=java%3E%3D36"
    shown = page(house, f"?{query}")
    assert shown.words(".chips.active .chip > span") == [
        "Search: trading",
        "Skill: java at least 3 years",
        "Highest degree: Bachelor's degree",
        "City: Berlin",
    ]
    whole = read_search(parse_qsl(query), house.job, canonical=str).criteria
    for chip in shown.all(".chip .remove"):
        left = read_search(parse_qsl(urlsplit(value(chip, "href")).query), house.job, canonical=str).criteria
        kept = sum([bool(left.text), len(left.facets), len(left.skills)])
        assert kept == 3, value(chip, "aria-label")
        assert left != whole
    assert value(shown.one("[data-key=clear]"), "href") == f"/jobs/{house.job}"
    assert page(house).all(".chips.active") == []


def test_the_address_of_a_list_is_canonical_and_leads_back(house: House) -> None:
    shown = page(house, "?degree=MASTER&city=Berlin&page=1&q=&add_skill=Python&add_least=12")
    query = "degree=master&city=Berlin&months=python%3E%3D12"
    assert value(shown.one("#list"), "data-query") == query
    assert shown.first_names == ["Clara"]
    assert page(house, f"?{query}").names == shown.names
    assert value(shown.one("a[data-open]"), "href") == f"/applications/{house.ids['Clara']}?{query}"


PROBLEMS = [
    ("?degre=master", "Unknown parameter 'degre' (did you mean degree?); accepted here: q, source, degree,"),
    ("?degree=mastr", "The facet degree has no value 'mastr' (did you mean master?); there are other, highschool,"),
    ("?page=x", "There is no page 'x'; pages are numbered from 1."),
    ("?size=7", "There is no size '7'; there are 10, 20, 50, 100."),
    ("?ranker=magic", "There is no ranker 'magic'; there are bm25, tfidf, kl, tfidf+skills, best."),
    ("?months=java%3E36", "A skill is asked for like java, java>=36, java<=60 or java=24-60, not 'java>36'."),
    ("?add_least=12", "Months alone say nothing: name the skill too."),
]


def test_what_cannot_be_understood_is_an_error_and_shows_nobody(house: House) -> None:
    events = house.store.ledger.count()
    for query, sentence in [*PROBLEMS, ("?q=kafka+titel%3Aengineer&city=Berlin", "There is no field “titel”.")]:
        answer = house.browser("bo").get(f"/jobs/{house.job}{query}")
        assert answer.status_code == 422, query
        shown = ListPage.of(answer.text)
        assert sentence in shown.words("main")[0]
        assert not any(applicant.name in answer.text for applicant in FIVE)
        links = [value(link, "href") for link in shown.all("main a")]
        assert links == [f"/jobs/{house.job}", "/"]  # the list without parameters
    assert house.store.ledger.count() == events


def test_a_mistake_is_told_to_the_script_and_the_list_stays(house: House) -> None:
    for query, sentence in PROBLEMS[1:]:
        told = page(house, query, **FRAGMENT)
        assert sentence in told.words("#search-problem")[0]
        assert told.all("#results") == []


def test_the_place_of_a_mistake_is_marked(house: House) -> None:
    """The list stays as it is while somebody types."""
    told = page(house, "?q=kafka+titel%3Aengineer", **FRAGMENT)
    assert words_of(told.one("mark.mistake")) == "titel:"
    assert told.all("#results") == []


def test_a_fragment_is_all_that_a_refinement_changes(house: House) -> None:
    whole, part = page(house, "?city=Berlin"), page(house, "?city=Berlin", **FRAGMENT)
    assert part.all("header") == part.all("html > head > title") == part.all("#q") == []
    for id in ("progress", "banner", "search-problem", "facets", "results"):
        assert part.one(f"#{id}").parent is not None
    assert (part.names, part.headline, part.counts("degree")) == (whole.names, whole.headline, whole.counts("degree"))


def test_pages_of_the_list(house: House) -> None:
    inbox = house.context.settings.data_path / "inbox"
    twelve = [
        Applicant(f"Zoe Number{number:02}", "Oslo", "Bachelor of Arts", "Cobol", "Jan 2010", "Dec 2011")
        for number in range(12)
    ]
    paths = [applicant.write(inbox / str(number)) for number, applicant in enumerate(twelve)]
    ingest_files(house.context.service, paths, house.job, total=12, source="agency", as_of=AS_OF)
    first, second = page(house, "?size=10"), page(house, "?size=10&page=2")
    assert (len(first.names), len(second.names)) == (10, 7)
    assert first.headline == second.headline == "17 candidates"
    ranks = [value(card, "data-rank") for card in (*first.all("article.card"), *second.all("article.card"))]
    assert ranks == [str(rank) for rank in range(1, 18)]
    assert len({*first.ids, *second.ids}) == 17
    assert words_of(second.one(".pages > .soft")) == "11–17 of 17"
    assert value(first.one("a[rel=next]"), "href") == f"/jobs/{house.job}?size=10&page=2"
    beyond = page(house, "?size=10&page=9")
    assert beyond.names == []
    assert "This page is empty" in beyond.html


def test_one_candidate_on_the_page(house: House) -> None:
    shown = page(house)
    [card] = [each for each in shown.all("article.card") if value(each, "data-name") == "Boris Novak"]
    assert words_of(card.css_first(".latest")) == "Software Developer at Initech Ltd"
    assert [words_of(fact) for fact in card.css(".facts-line span")] == [
        "Bachelor's degree",
        "Relevant experience: 2 years 6 months",
        "Experience: 2 years 6 months",
        "Prague",
        "web",
    ]
    assert words_of(card.css_first(".demand.short")) == "↓too short: java 2 years 6 months, 3 years required"
    assert value(card, "data-reasons") == "java: 2 years 6 months, 3 years required"
    marked = {words_of(mark).lower() for mark in card.css(".snippets mark")}
    assert marked <= {"java", "developer", "developed", "finance", "department", "python"}
    assert marked
    parts = [float(words_of(cell)) for cell in card.css(".why-body td.number")]
    assert sum(parts) == pytest.approx(float(words_of(card.css_first(".score b"))), abs=0.05)
    drawn = [float(value(bar, "width").rstrip("%")) for bar in card.css(".scorebar rect:not(.track)")]
    assert sum(drawn) == pytest.approx(sum(parts), abs=0.1)  # of 100 points
    missing = [each for each in shown.all("article.card") if value(each, "data-name") == "Clara Weber"]
    assert words_of(missing[0].css_first(".demand.missing")) == "✗missing: java missing, 3 years required"


def test_flags_are_shown_and_those_set_aside_are_folded(house: House) -> None:
    house.store.watchlist.add("no_hire", "Initech Limited")
    message = 'Employer "Initech Ltd" matches "Initech Limited" on the no-hire list (the same name, similarity 1.00).'
    house.store.notes.dismiss_flag(house.ids["Asha"], "no_hire", message, actor="test", reason="Another Initech.")
    house.store.notes.add_tag(house.ids["Asha"], "called", actor="test")
    cards = {value(card, "data-name"): card for card in page(house).all("article.card")}
    asha, boris = cards["Asha Rao"], cards["Boris Novak"]
    assert [words_of(flag) for flag in boris.css(".flagline.no_hire")] == [f"⚑ On the no-hire list. {message}"]
    assert asha.css(".flagline.no_hire") == []
    assert "Dismissed: Another Initech." in words_of(asha.css_first(".aside"))
    assert [words_of(tag) for tag in asha.css(".tag")] == ["called"]


def test_saved_searches_are_ones_own(house: House) -> None:
    bo, cy = house.browser("bo"), house.browser("cy")
    address = f"/jobs/{house.job}"
    house.store.jobs.grant_access(house.job, house.people["cy"].id, actor="test")
    saved = bo.post(f"{address}/searches", data={"name": "Berliners", "query": "city=Berlin", "next": address})
    assert (saved.status_code, saved.headers["location"]) == (303, address)
    shown = ListPage.at(bo, address)
    [link] = shown.all(".saved-list:not(.exports) a")
    assert (words_of(link), value(link, "href")) == ("Berliners", f"{address}?city=Berlin")
    assert ListPage.at(cy, address).all(".saved-list:not(.exports) a") == []
    [search] = house.store.searches.of_job(house.job, actor=house.people["bo"].id)
    assert cy.post(f"{address}/searches/{search.id}/remove").status_code == 404
    assert (
        bo.post(f"{address}/searches", data={"name": " "}, headers=JSON)
        .json()["error"]["message"]
        .startswith("A saved search needs a name")
    )
    assert bo.post(f"{address}/searches/{search.id}/remove", headers=JSON).status_code == 200
    assert ListPage.at(bo, address).all(".saved-list:not(.exports) a") == []


def test_a_form_leads_to_our_own_pages_only(house: House) -> None:
    bo = house.browser("bo")
    for wanted in ("https://evil.example", "//evil.example", "/\\evil.example", "javascript:alert(1)"):
        answer = bo.post("/preferences/blind", data={"on": "1", "next": wanted})
        assert answer.headers["location"] == "/"
        data = {"name": "x", "query": "", "next": wanted}
        assert bo.post(f"/jobs/{house.job}/searches", data=data).headers["location"] == f"/jobs/{house.job}"


LOOKED_UP = [
    ("Rossi", "Elena Rossi", "name"),
    ("+rossi", "Elena Rossi", "name"),
    ("elena rossi python", "Elena Rossi", "name"),  # whoever has most of the names
    ('"Clara Wéber"', "Clara Weber", "name"),
    ("elena.ROSSI@example.org", "Elena Rossi", "e-mail address"),
    ("+44 20 7946 0123", "Fay Quist", "phone number"),
    ("(020) 7946-0123", "Fay Quist", "phone number"),
    ("7946 0123", "Fay Quist", "phone number"),
    ("fay@example.com java", "Fay Quist", "e-mail address"),  # by the form that came with her resume
]
"""What is typed, who is found, and by what."""


def with_form(house: House, folder: Path) -> str:
    """Somebody whose name and contact stand in a form only."""
    fay = Applicant("Fay Quist", "Leeds", BACHELOR, "Java", "Jan 2020", "Dec 2020")
    path = folder / "fay.txt"
    path.write_text(fay.text.split("\n\n", 1)[1])
    form = {"name": "Fay Quist", "contact": {"e-mail": "Fay@example.com", "phone": "+44 20 7946 0123"}}
    before = set(house.ids.values())
    ingest_files(house.context.service, [path], house.job, total=1, as_of=AS_OF, forms={"fay.txt": form})
    [id] = {application.id for application in house.store.applications.of_job(house.job)} - before
    return id


def test_a_name_or_contact_finds_its_owner_and_changes_no_rank(house: House, tmp_path: Path) -> None:
    fay = with_form(house, tmp_path)
    order = page(house).ids
    for typed, name, found_by in LOOKED_UP:
        shown = page(house, f"?{urlencode({'q': typed})}")
        [found] = shown.words(".people li")
        link = value(shown.one(".people a"), "href")
        assert found.startswith(name), typed
        assert f"found by {found_by}" in found, typed
        assert link.startswith(f"/applications/{fay if name.startswith('Fay') else house.ids[name.split()[0]]}"), typed
    shown = page(house, "?q=Rossi")
    assert shown.ids == order
    assert "rank " in shown.words(".people li")[0]
    assert "not in this list" in page(house, "?q=Rossi&city=Berlin").words(".people li")[0]
    event = house.store.ledger.get(page(house, "?q=Rossi").seen)
    seal = house.store.ledger.seal_of("application", house.ids["Elena"])
    assert event.body["looked_up"] == [seal]
    assert page(house, "?q=trading").all(".people") == []
    answer = house.browser("bo").get(f"/api/v1/jobs/{house.job}/screen?q=Rossi").json()
    [person] = answer["people"]
    assert (person["application"], person["candidate"], person["found_by"]) == (
        house.ids["Elena"],
        "Elena Rossi",
        "name",
    )
    assert person["rank"] == order.index(house.ids["Elena"]) + 1


def test_nobody_is_looked_up_by_what_is_masked(house: House) -> None:
    for who, cookie, typed, people in (
        ("di", "", "Rossi", 1),  # auditors see names and no contact data
        ("di", "", "elena.rossi@example.org", 0),
        ("bo", "1", "Rossi", 0),
        ("bo", "1", "elena.rossi@example.org", 0),
        ("bo", "1", "qwertyuiop", 0),
        ("di", "", "qwertyuiop", 0),
    ):
        client = house.browser(who)
        client.cookies.set(BLIND, cookie)
        shown = ListPage.at(client, f"/jobs/{house.job}?{urlencode({'q': typed})}")
        assert len(shown.all(".people li")) == people, (who, typed)
        # The same of a name somebody has and of a word nobody wrote, or it would tell who applied.
        said = [f"No resume of this job mentions “{typed}” outside what can be masked."]
        assert shown.words("[data-unmatched]") == said, (who, typed)
        ordinary = ListPage.at(client, f"/jobs/{house.job}?{urlencode({'q': 'java blockchain'})}")
        assert ordinary.words("[data-unmatched]") == [
            "No resume of this job mentions “blockchain” outside what can be masked."
        ]


def test_an_erased_applicant_is_not_found_by_name(house: House) -> None:
    service = house.context.service
    assert page(house, "?q=Rossi").all(".people li")
    house.store.erasures.remove_application(house.ids["Elena"])
    service.follow()
    assert page(house, "?q=Rossi").all(".people li") == []


def test_words_that_no_resume_mentions_are_said(house: House) -> None:
    assert page(house, "?q=java+blockchain").words("[data-unmatched]") == [
        "No resume of this job mentions “blockchain”."
    ]
    both = page(house, "?q=qwertyuiop+%22head+chef%22+-nothing+java")
    assert both.words("[data-unmatched]") == ["No resume of this job mentions “qwertyuiop” or “head chef”."]
    assert page(house, "?q=%2Bblockchain").words("[data-unmatched]") != []
    assert page(house, "?q=jav*+trading").all("[data-unmatched]") == []
    answer = house.browser("bo").get(f"/api/v1/jobs/{house.job}/screen?q=blockchain+xyz*").json()
    assert answer["unmatched"] == ["blockchain", "xyz*"]


@pytest.mark.parametrize("typed", ["+trading", "trading", "trad*", "(trading OR blockchain)", "trading AND java"])
def test_fragments_show_what_was_searched_for_and_open_at_its_place(house: House, typed: str) -> None:
    shown = page(house, f"?{urlencode({'q': typed})}")
    links = [node for node in shown.all(f"#a-{house.ids['David']} .snippets a") if "trading" in words_of(node)]
    assert links, typed
    assert "trading" in [words_of(mark) for mark in links[0].css("mark")]
    address, _, anchor = value(links[0], "href").partition("#")
    opened = ListPage.at(house.browser("bo"), address)
    place = opened.one(f"[id='{anchor}']")
    text = house.store.documents.text(house.store.applications.get(house.ids["David"]).document)
    start, end = map(int, anchor.removeprefix("p").split("-"))
    assert text[start:end] == words_of(links[0].css("mark")[0])
    assert "Found by the search" in value(place, "title")
    assert dict(parse_qsl(urlsplit(address).query))["q"] == typed  # and leads back to the same list


def test_a_skill_that_is_insisted_on_is_shown(house: House) -> None:
    shown = page(house, "?q=skill%3Apython")
    for card in shown.all("article.card"):
        assert "Python" in [words_of(mark) for mark in card.css(".snippets mark")]


def test_blind_for_oneself_and_for_everyone(house: House) -> None:
    bo = house.browser("bo")
    address = f"/jobs/{house.job}"
    bo.post("/preferences/blind", data={"on": "1"})
    assert bo.cookies[BLIND] == "1"
    shown = ListPage.at(bo, address)
    assert sorted(shown.names) == sorted(pseudonym(id) for id in house.ids.values())
    for applicant in FIVE:
        assert applicant.name.split()[0] not in shown.html
        assert applicant.city not in shown.html
    assert words_of(shown.one(".masked")).endswith("Masked here: names, contact data, photos, places, age and gender.")
    assert shown.counts("city") == {}
    limited = bo.get(f"{address}?city=Berlin")  # an old link
    assert limited.status_code == 422
    assert "Cities are masked here, so the list cannot be limited to them." in limited.text
    assert "is masked here" in bo.get(f"{address}?q=city%3ABerlin").text
    bo.post("/preferences/blind", data={"on": "0"})
    assert "Asha Rao" in ListPage.at(bo, address).names

    wanted = {"blind": "true", "hide_schools": "true", "next": address}
    assert bo.post(f"{address}/shown", data=wanted).headers["location"] == address
    assert house.store.job_settings.get(house.job) == JobSettings(blind=True, hide_schools=True)
    for who in ("bo", "ada", "di"):
        masked = page(house, who=who)
        assert sorted(masked.names) == sorted(pseudonym(id) for id in house.ids.values())
        assert "and schools." in words_of(masked.one(".masked"))


def test_an_auditor_reads_and_cannot_decide(house: House) -> None:
    shown = page(house, who="di")
    assert len(shown.names) == 5
    assert "Masked here: contact data." in shown.words(".masked")[0]
    assert "example.org" not in shown.html
    for selector in ("button[name=action]", "#reject", "[data-many]", "[data-rejecting]", "[data-undo-form]"):
        assert shown.all(selector) == [], selector
    assert len(shown.all("[data-compare]")) == 1  # looking is allowed


def test_who_was_not_given_the_job_sees_nothing(house: House) -> None:
    before = house.store.ledger.count(kinds=["ranking"])
    assert house.browser("cy").get(f"/jobs/{house.job}").status_code == 404
    assert house.visitor().get(f"/jobs/{house.job}").headers["location"].startswith("/sign-in?next=")
    assert house.browser("bo").get("/jobs/nothing").status_code == 404
    assert house.store.ledger.count(kinds=["ranking"]) == before
    assert house.store.ledger.count(kinds=["denial"]) == 2


def test_what_is_shown_is_recorded_once_with_who_saw_it(house: House) -> None:
    before = house.store.ledger.count(kinds=["ranking"])
    shown = page(house, "?q=trading")
    assert house.store.ledger.count(kinds=["ranking"]) == before + 1
    event = house.store.ledger.get(shown.seen)
    assert event.kind == "ranking"
    assert event.actor == house.store.ledger.seal_of("actor", house.people["bo"].id)
    assert [seal for seal, _ in event.body["listed"]] == [
        house.store.ledger.seal_of("application", id) for id in shown.ids
    ]


def test_nothing_that_was_written_runs(house: House) -> None:
    name = "Mallory Quill"
    text = (
        f"{name}\nmallory@example.org\n\nEXPERIENCE\n\nSoftware Developer, Initech {PAYLOAD} Ltd\nJan 2020 - Dec 2021\n"
        f"- Developed {PAYLOAD} with Java for the finance department\n\nSKILLS\n\nJava\n"
    )
    path = house.context.settings.data_path / f"{PAYLOAD[:20].replace('/', '_')}.txt"
    path.write_text(text)
    ingest_files(house.context.service, [path], house.job, total=1, source=PAYLOAD, as_of=AS_OF)
    [id] = [each.id for each in house.store.applications.of_job(house.job) if each.source == PAYLOAD]
    house.store.notes.add_tag(id, PAYLOAD[:60], actor="test")
    house.store.searches.save(house.job, PAYLOAD[:90], "city=Berlin", actor=house.people["bo"].id)
    house.browser("bo").post(
        f"/jobs/{house.job}/decisions", data={"application": house.ids["Boris"], "action": "reject", "reason": PAYLOAD}
    )
    for query in (
        "",
        f"?q=%22{PAYLOAD.replace('%', '')}",
        "?q=%3Cscript%3Ealert(1)%3C/script%3E",
        "?source=%3Csvg+onload=alert(3)%3E",
    ):
        shown = page(house, query)
        scripts = [value(script, "src") for script in shown.all("script")]
        assert all(address.startswith("/static/") for address in scripts)
        assert len(scripts) == 2
        allowed = {"img": 0, "iframe": 0}
        assert {tag: len(shown.all(tag)) for tag in allowed} == allowed
        handlers = [
            name for node in shown.all("*") for name in node.attributes if name.startswith("on") or name == "style"
        ]
        assert handlers == []
    assert "alert(2)" in page(house).html  # it is there, as text


def test_a_page_is_sent_with_a_policy_that_runs_nothing_inline(house: House) -> None:
    answer = house.browser("bo").get(f"/jobs/{house.job}")
    assert "script-src 'self'" in answer.headers["content-security-policy"]
    assert answer.headers["cache-control"] == "no-store"


FOREIGN = (
    "李华\nlihua@example.com\n\n工作经历\n护士，北京医院，2018年1月至2024年3月\n\n教育\n北京大学 护理学 学士 2017\n" * 3
)


def test_a_resume_in_which_nothing_was_recognized_says_so(house: House, tmp_path: Path) -> None:
    """A score of 0 beside "missing" would blame the applicant for a language that Evenhand does not read."""
    path = tmp_path / "lihua.txt"
    path.write_text(FOREIGN)
    known = set(house.ids.values())
    summary = ingest_files(house.context.service, [path], house.job, total=1)
    assert summary.added == 1
    [id] = {application.id for application in house.store.applications.of_job(house.job)} - known
    sentence = "No jobs, skills or education were recognized in this resume."
    shown = page(house)
    assert shown.html.count(sentence) == 1
    assert sentence in house.browser("bo").get(f"/applications/{id}").text


def test_a_list_without_requirements_says_what_its_ranks_rest_on(house: House) -> None:
    sentence = "This job has no requirements"
    assert sentence not in page(house).html
    bare = house.context.service.store.jobs.get(house.job).requirements
    bare = replace(bare, demands=(), months=None, degree=None)
    house.store.jobs.change(house.job, bare, actor="test")
    assert sentence in page(house).html
    assert "/requirements" in page(house).html
    auditor = page(house, who="di").html
    assert sentence in auditor
    assert "Add requirements" not in auditor


def test_a_licence_that_is_named_has_no_duration_to_ask_about(house: House, tmp_path: Path) -> None:
    path = tmp_path / "kim.txt"
    path.write_text("Kim Sample\nkim@example.com\n\nCERTIFICATIONS\nBasic Life Support (BLS)\n\nSKILLS\nJava\n")
    known = set(house.ids.values())
    ingest_files(house.context.service, [path], house.job, total=1)
    [id] = {application.id for application in house.store.applications.of_job(house.job)} - known
    asked = house.store.jobs.get(house.job).requirements
    licence = Demand(("basic life support",), must=True, months=None, kind="licence")
    house.store.jobs.change(house.job, replace(asked, demands=(licence,)), actor="test")
    [own] = page(house, "?q=%2BBLS").words("article.card .demand")
    assert own.endswith("Licence: basic life support")
    bo = house.browser("bo")
    rows = ListPage.at(bo, f"/applications/{id}").words("table.demands tbody tr")
    assert "Licence: basic life support ✓ met" in rows
    assert "duration unknown" not in bo.get(f"/applications/{id}/receipt").text.partition("basic life support")[2][:300]
