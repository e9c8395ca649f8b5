"""Candidates side by side: numbers counted by hand, whom one may compare, and what is redacted."""

from __future__ import annotations

import re

from evenhand.search.visibility import pseudonym
from evenhand.web.access import BLIND
from tests.screening.applicants import CLARA, take_in
from tests.web.house import House
from tests.web.test_candidates import Page, get

pytest_plugins = ["tests.web.house_fixtures"]


def address(house: House, *names: str, more: str = "") -> str:
    chosen = "&".join(f"a={house.ids[name]}" for name in names)
    return f"/jobs/{house.job}/compare?{chosen}{more}"


def rows(html: str) -> dict[str, list[str]]:
    """By the head of each row, the words of its cells."""
    found = {}
    for row in re.findall(r"<tr[^>]*>(.*?)</tr>", html, re.DOTALL):
        head, *cells = re.findall(r"<t[hd]\b[^>]*>(.*?)</t[hd]>", row, re.DOTALL) or [""]
        found[Page(head).text] = [Page(cell).text for cell in cells]
    return found


def test_three_side_by_side_counted_by_hand(house: House) -> None:
    html = get(house, "bo", address(house, "Clara", "Asha", "Boris"))
    names = re.findall(r'<th scope="col">\s*<a href="/applications/\w+">([^<]+)</a>', html)
    assert set(names) == {"Asha Rao", "Boris Novak", "Clara Weber"}
    table = rows(html)
    java = dict(zip(names, table["java ≠ differs 3 years required"], strict=True))
    assert java == {
        "Asha Rao": "✓ met 3 years 4 months",
        "Boris Novak": "↓ too short 2 years 6 months",
        "Clara Weber": "✗ missing",
    }
    total = dict(zip(names, table["Experience ≠ differs"], strict=True))
    assert total == {
        "Asha Rao": "3 years 4 months",
        "Boris Novak": "2 years 6 months",
        "Clara Weber": "5 years ▲ highest",
    }
    degree = dict(zip(names, table["Degree ≠ differs"], strict=True))
    assert degree["Boris Novak"].startswith("bachelor's degree")
    assert degree["Clara Weber"].startswith("master's degree")
    only = dict(zip(names, table["Only this candidate ≠ differs"], strict=True))
    assert only == {"Asha Rao": "none", "Boris Novak": "none", "Clara Weber": "python"}
    page = Page(html)
    assert f"{names[0]} scores" in page.text
    assert f"higher than {names[1]} :" in page.text
    assert page.handlers == []


def test_the_scores_are_those_of_the_list(house: House) -> None:
    html = get(house, "bo", address(house, "Asha", "Boris"))
    shown = re.findall(r'<b class="big">([\d.]+)</b>', html)
    listed = get(house, "bo", f"/jobs/{house.job}")
    for id, score in zip(re.findall(r'<a href="/applications/(\w+)">', html)[:2], shown, strict=True):
        card = listed.split(f'id="a-{id}"')[1]
        found = re.search(r'<p class="score"[^>]*><b>([\d.]+)</b>', card)
        assert found
        assert abs(float(found[1]) - float(score)) <= 0.051


def test_a_selection_of_the_list_is_understood_too(house: House) -> None:
    asha, boris = house.ids["Asha"], house.ids["Boris"]
    path = f"/jobs/{house.job}/compare?application={asha}&application={boris}&seen=1&next=/jobs&reason="
    assert "2 candidates side by side" in get(house, "bo", path)


def test_whom_one_may_compare(house: House) -> None:
    client = house.browser("bo")
    few = client.get(address(house, "Asha"))
    assert (few.status_code, "Choose 2 to 4 candidates" in few.text) == (422, True)
    assert client.get(f"/jobs/{house.job}/compare").status_code == 422
    many = client.get(address(house, "Asha", "Boris", "Clara", "David", "Elena"))
    assert many.status_code == 422
    foreign = take_in(house.context.service, CLARA).ids["Clara"]
    for stranger in (foreign, "nobody"):
        path = address(house, "Asha", more=f"&a={stranger}")
        assert client.get(path).status_code == 404
    assert house.browser("cy").get(address(house, "Asha", "Boris")).status_code == 404
    assert "Reject" not in get(house, "di", address(house, "Asha", "Boris"))


def test_a_blind_comparison_names_nobody(house: House) -> None:
    html = get(house, "bo", address(house, "Asha", "Clara"), **{BLIND: "1"})
    for secret in ("Asha", "Clara", "Rao", "Weber", "Chennai", "example.org"):
        assert secret not in html
    assert pseudonym(house.ids["Asha"]) in html


def test_comparing_is_on_record(house: House) -> None:
    before = house.store.ledger.head()[0]
    get(house, "bo", address(house, "Asha", "Boris"))
    events = house.store.ledger.events(after=before)
    assert [event.kind for event in events] == ["ranking", "ranking", "view", "view"]
    assert {event.body["what"] for event in events[2:]} == {"comparison"}
    seen = sorted(event.body["seen"] for event in events[2:])
    assert seen == [event.sequence for event in events[:2]]
